"""Rows of the table of pages for leagues and desks: path, viewer and expected status."""

from collections.abc import Callable
from typing import Any

from league import telling
from league.models import (
    Circuit,
    Division,
    Krewe,
    League,
    PlaceText,
    Rating,
    Season,
    Tournament,
    Venue,
    Webhook,
)

Row = tuple[Callable[[Any], str], str, int]


def _at(tail: str, title: str = "Rim cup", by: str = "visitor", status: int = 200) -> Row:
    def url(world: Any) -> str:
        return f"{Tournament.objects.get(title=title).get_absolute_url()}{tail}"

    return url, by, status


def live(tail: str = "", by: str = "visitor", status: int = 200) -> Row:
    return _at(tail, "Rim cup", by, status)


def played(tail: str = "", by: str = "visitor") -> Row:
    return _at(tail, "Rim open", by)


def of(model: Any, by: str = "visitor") -> Row:
    return (lambda world: model.objects.get().get_absolute_url()), by, 200


def tail_of(model: Any, tail: str) -> Row:
    return (lambda world: f"{model.objects.get().get_absolute_url()}{tail}"), "opener", 200


def fixed(url: str, by: str = "visitor") -> Row:
    return (lambda world: url), by, 200


def _rated() -> str:
    """Return the path of the first player of a pool."""
    return f"/players/{Rating.objects.earliest('pk').player_id}/"


def _versus(world: Any) -> str:
    """Return the path of the first two of a pool, side by side."""
    other = Rating.objects.order_by("pk")[1]
    return f"{_rated()}versus/{other.player_id}/"


ROWS: dict[str, list[Row]] = {
    "league:league-list": [fixed("/leagues/")],
    "league:league-create": [fixed("/leagues/new/", "opener")],
    "league:league-detail": [of(League), of(League, "opener")],
    "league:rating-list": [
        (lambda world: f"{League.objects.get().get_absolute_url()}ratings/score/", "visitor", 200)
    ],
    "league:krewe-detail": [of(Krewe, "opener")],
    "league:season-detail": [of(Season)],
    "league:circuit-detail": [of(Circuit)],
    "league:venue-list": [fixed("/venues/")],
    "league:venue-detail": [of(Venue)],
    "league:lore-list": [fixed("/lore/")],
    "league:lore-detail": [fixed("/lore/terminus/"), fixed("/lore/terminus/", "opener")],
    "league:lore-write": [fixed("/lore/terminus/write/", "opener")],
    "league:lore-edit": [
        (lambda world: f"/lore/terminus/{PlaceText.objects.earliest('pk').pk}/", "opener", 200)
    ],
    "league:search": [fixed("/search/?q=rim")],
    "league:player-detail": [(lambda world: _rated(), "visitor", 200)],
    "league:player-compare": [
        (lambda world: f"{_rated()}versus/", "visitor", 200),
        (lambda world: f"{_rated()}versus/?q=Nobody", "opener", 200),
    ],
    "league:player-versus": [(_versus, "visitor", 200), (_versus, "spared", 200)],
    "league:wall": [live("wall/")],
    "league:print-list": [live("print/")],
    "league:print-page": [live("print/slips/"), live("print/sheets/")],
    "league:embed-bracket": [played("embed/bracket/?theme=dark")],
    "league:embed-standings": [live("embed/standings/")],
    "league:my-next": [fixed("/next/", "opener")],
    "league:telling-edit": [fixed("/me/told/", "opener")],
    "league:letters-off": [
        (lambda world: f"/letters/off/{telling.off_token(world.live.opener)}/", "visitor", 200)
    ],
    "league:tournament-list": [fixed("/tournaments/"), fixed("/tournaments/?q=nowhere")],
    "league:tournament-create": [fixed("/tournaments/new/", "opener")],
    "league:tournament-import": [fixed("/tournaments/import/", "opener")],
    "league:list-import": [live("import/", "opener")],
    "league:tournament-detail": [
        *(live(), live("", "opener"), played(), played("?as=list")),
    ],
    "league:round-detail": [played("rounds/1/"), live("rounds/2/", "opener")],
    "league:pairing-names": [live("rounds/1/names/")],
    "league:standing-list": [
        live("standings/?why=1"),
        played("standings/?stage=1&after=1&tiebreaks=bh"),
        played("standings/"),
    ],
    "league:standing-changes": [live("standings/changes/")],
    "league:entry-list": [live("entries/"), live("entries/", "opener")],
    "league:tournament-rules": [played("rules/")],
    "league:table-detail": [
        live("rounds/1/tables/1/"),
        live("rounds/1/tables/2/", "opener"),
    ],
    "league:deck-register": [live("deck/", "opener")],
    "league:console": [
        live("console/", "opener"),
        played("console/", "opener"),
        live("console/", status=403),
    ],
    "league:undo": [live("undo/?round=1", "opener")],
    "league:role-list": [
        (lambda world: f"{League.objects.get().get_absolute_url()}roles/", "opener", 200)
    ],
    "league:league-run": [
        (lambda world: f"{League.objects.get().get_absolute_url()}run/", "opener", 200)
    ],
    "league:season-create": [
        (lambda world: f"{League.objects.get().get_absolute_url()}seasons/", "opener", 200)
    ],
    "league:season-edit": [tail_of(Season, "edit/")],
    "league:circuit-create": [tail_of(Season, "circuits/")],
    "league:circuit-edit": [tail_of(Circuit, "edit/")],
    "league:division-edit": [
        (lambda world: f"/divisions/{Division.objects.earliest('pk').pk}/edit/", "opener", 200)
    ],
    "league:venue-create": [fixed("/venues/new/", "opener")],
    "league:venue-edit": [tail_of(Venue, "edit/")],
    "league:record-list": [
        (lambda world: f"{League.objects.get().get_absolute_url()}record/", "opener", 200),
        (lambda world: f"{League.objects.get().get_absolute_url()}record/", "visitor", 403),
    ],
    "league:webhook-list": [
        (lambda world: f"{League.objects.get().get_absolute_url()}webhooks/", "opener", 200)
    ],
    "league:webhook-detail": [of(Webhook, "opener")],
    "league:staff-list": [live("roles/", "opener")],
    "league:date-list": [
        *(live("dates/", "opener"), played("dates/", "opener"), live("dates/", status=403)),
    ],
    "league:stage-list": [live("stages/", "opener"), live("stages/", status=403)],
    "league:prize-list": [live("prizes/", "opener"), played("prizes/", "opener")],
    "league:tournament-edit": [live("edit/", "opener")],
    "league:result-correct": [live("rounds/1/tables/1/correct/?scores=0-2", "opener")],
}
NOT_PAGES = {
    "league:calendar": "is a file for calendar programs",
    "league:site-feed": "a feed",
    "league:league-feed": "a feed",
    "league:player-feed": "a feed",
    "league:tournament-feed": "a feed",
    "league:krewe-create": "takes POST alone",
    "league:webhook-rotate": "takes POST alone",
    "league:webhook-test": "takes POST alone",
    "league:webhook-end": "takes POST alone",
    "league:delivery-send": "takes POST alone",
    "league:league-export": "takes POST alone",
    "league:league-join": "takes POST alone",
    "league:self-act": "takes POST alone",
    "league:role-end": "takes POST alone",
    "league:sanction-lift": "takes POST alone",
    "league:season-remove": "takes POST alone",
    "league:division-remove": "takes POST alone",
    "league:circuit-remove": "takes POST alone",
    "league:qualifier-remove": "takes POST alone",
    "league:venue-remove": "takes POST alone",
    "league:staff-end": "takes POST alone",
    "league:table-play": "leads to another page",
    "league:tournament-withdraw": "takes POST alone",
}
