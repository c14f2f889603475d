"""No public page of leagues makes more than twelve database queries, whatever its length."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league import roles, services
from league.models import (
    Division,
    DivisionPlayer,
    Krewe,
    Qualifier,
    Season,
    Tournament,
    Venue,
)
from matches import cuts
from matches.actors import RESULTS_COOKIE, Actor
from matches.followers import work
from matches.models import Match, Player
from matches.services import SeatRequest
from tests import factories
from tests.league import desks
from tests.league.world import Leagues, leagues

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]  # both engines ask the same

LIMIT = 12


@dataclass(frozen=True)
class Rim:
    """A league with several of everything, and who looks at it."""

    world: Leagues
    reader: User
    judge: User
    guest: Player
    other_guest: Player


@pytest.fixture(scope="module")
def rim(django_db_setup: None, django_db_blocker: Any) -> Iterator[Rim]:
    """Build it once for all pages, and leave nothing of it."""
    with factories.built_once(_built, django_db_blocker) as found:
        yield found


def _built() -> Rim:
    by, reader, judge = (factories.actor(name) for name in ("runner", "reader", "judge"))
    world = leagues(by)
    assert judge.player is not None
    roles.name_member(by=by, league=world.league, player=judge.player, role="judge")
    services.join(by=reader, league=world.league)
    for name in ("Belt league", "Dust league"):
        desks.league(by, name)
        services.make_krewe(by=by, league=world.league, name=f"Krewe of the {name}")
    for number in range(3):
        _cup(by, reader, world, number)
    _divide(world.season)
    _matches(by, reader)
    entered = world.played.entries.exclude(player=None).order_by("number")
    guest, other_guest = (entry.player for entry in entered[:2])
    assert guest is not None
    assert other_guest is not None
    assert isinstance(reader.user, User)
    assert isinstance(judge.user, User)
    return Rim(world, reader.user, judge.user, guest, other_guest)


def _cup(by: Actor, reader: Actor, world: Leagues, number: int) -> None:
    """Play a tournament out, begin another of a few, and leave a third to its entrants."""
    about = {"league": world.league, "season": world.season, "venue": world.venue}
    cup = desks.tournament(by, title=f"Rim played {number}", **about)
    services.enter(tournament=cup, by=reader, act_id=uuid4())
    desks.played_out(cup)
    services.promise_prize(by=by, tournament=cup, place=1, amount=50)
    Qualifier.objects.create(circuit=world.circuit, tournament=cup, order=number + 2)
    live = desks.tournament(by, title=f"Rim begun {number}", **about)
    services.enter(tournament=live, by=reader, act_id=uuid4())
    krewe = Krewe.objects.get(name="Cinders")
    kept = {"visibility": "entrants", "enters": "krewe", **about}
    closed = desks.tournament(by, title=f"Rim closed {number}", **kept)
    services.enter(tournament=closed, by=by, krewe=krewe, act_id=uuid4())
    desks.entered(live, 3)
    desks.start(live)
    desks.paired(live)
    for table in desks.desk(live).rounds[-1].tables:
        match = services.open_table(tournament=live, by=by, number=1, table=table.number)
        cuts.change(match, delay=60) if number else cuts.change(match, held=True)
    if number == 2:
        desks.play(live, tables=[1, 2])
        Qualifier.objects.create(circuit=world.circuit, tournament=live, order=9)
    for each in (cup, live, closed):
        work(each.pk)


def _divide(season: Season) -> None:
    for level in (2, 3):
        division = Division.objects.create(season=season, level=level, name=f"Level {level}")
        DivisionPlayer.objects.bulk_create(
            DivisionPlayer(division=division, player=player) for player in Player.objects.all()[:4]
        )
    cups = Tournament.objects.filter(title__startswith="Rim played").order_by("title")
    for cup, division in zip(cups, season.divisions.all(), strict=True):
        cup.division = division
        cup.save(update_fields=["division"])


def _matches(by: Actor, reader: Actor) -> None:
    """Seat the reader at more matches than a page lists, with and without an end."""
    for number in range(34):
        seats = [SeatRequest(player=reader.player), SeatRequest(player=by.player)]
        match = factories.match(by, "score", seats, options={"best_of": 1}, place="Terminus")
        if number % 3:
            factories.record(match, factories.points(1 + number % 2))
            factories.record(match, {"type": "game-closed"})
        if number > 30:
            cuts.change(match, held=True)
        work(match.pk)


def cup(tail: str = "", title: str = "Rim open") -> Callable[[Rim], str]:
    return lambda rim: f"{Tournament.objects.get(title=title).get_absolute_url()}{tail}"


def begun(tail: str = "") -> Callable[[Rim], str]:
    return cup(tail, "Rim begun 1")


def unpublished(tail: str = "") -> Callable[[Rim], str]:
    return cup(tail, "Rim cup")


def versus(one: Player, other: Player | None) -> str:
    assert other is not None
    return f"/players/{one.pk}/versus/{other.pk}/"


PAGES: dict[str, Callable[[Rim], str]] = {
    "player-detail": lambda rim: rim.reader.player.get_absolute_url(),
    "player-detail, older": lambda rim: f"{rim.reader.player.get_absolute_url()}?page=2",
    "player-detail, a guest": lambda rim: rim.guest.get_absolute_url(),
    "player-compare": lambda rim: f"{rim.guest.get_absolute_url()}versus/?q=player",
    "player-versus": lambda rim: versus(rim.reader.player, rim.world.played.opener),
    "player-versus, older": lambda rim: (
        f"{versus(rim.reader.player, rim.world.played.opener)}?page=2"
    ),
    "player-versus, a guest": lambda rim: versus(rim.guest, rim.reader.player),
    "player-versus, two guests": lambda rim: versus(rim.guest, rim.other_guest),
    "league-list": lambda rim: "/leagues/",
    "league-detail": lambda rim: rim.world.league.get_absolute_url(),
    "rating-list": lambda rim: f"{rim.world.league.get_absolute_url()}ratings/score/",
    "krewe-detail": lambda rim: Krewe.objects.get(name="Cinders").get_absolute_url(),
    "season-detail": lambda rim: rim.world.season.get_absolute_url(),
    "circuit-detail": lambda rim: rim.world.circuit.get_absolute_url(),
    "circuit-detail, as it stands": lambda rim: f"{rim.world.circuit.get_absolute_url()}?so_far=1",
    "venue-list": lambda rim: "/venues/",
    "venue-detail": lambda rim: Venue.objects.get().get_absolute_url(),
    "search": lambda rim: "/search/?q=rim",
    "lore-list": lambda rim: "/lore/",
    "lore-detail": lambda rim: "/lore/terminus/",
    "lore-detail, with a venue": lambda rim: "/lore/luna/",
    "tournament-list": lambda rim: "/tournaments/",
    "tournament-list, narrowed": lambda rim: "/tournaments/?q=rim&status=open&whose=mine",
    "tournaments, as JSON": lambda rim: "/api/v1/tournaments/",
    "site-feed": lambda rim: "/feed.atom",
    "league-feed": lambda rim: f"{rim.world.league.get_absolute_url()}feed.atom",
    "player-feed": lambda rim: f"/players/{rim.reader.player.pk}/feed.atom",
    "tournament-feed": begun("feed.atom"),
}
OF_CUPS = {
    "tournament-detail": "",
    "tournament-detail, its living part": "?part=live",
    "tournament-detail, as it was": "?at=3",
    "round-detail": "rounds/1/",
    "round-detail, its scores": "rounds/1/?part=scores",
    "pairing-names": "rounds/1/names/",
    "standing-list": "standings/",
    "standing-list, by other tie-breaks": "standings/?tiebreaks=bh",
    "standing-changes": "standings/changes/",
    "entry-list": "entries/",
    "tournament-rules": "rules/",
    "table-detail": "rounds/1/tables/1/",
    "wall": "wall/",
    "print-list": "print/",
    "print-page": "print/slips/",
    "embed-standings": "embed/standings/",
    "embed-bracket": "embed/bracket/",
}
for _kind, _of in (("played", cup), ("begun", begun), ("with a round to come", unpublished)):
    PAGES |= {f"{name} ({_kind})": _of(tail) for name, tail in OF_CUPS.items()}
del PAGES["embed-bracket (begun)"], PAGES["embed-bracket (with a round to come)"]


def _before(path: str) -> int:
    """Return the version before the last entry of the tournament of a page."""
    return Tournament.objects.get(code=path.split("/")[2]).log.head_version - 1


OFFICE: dict[str, Callable[[Rim], str]] = {
    "my-next": lambda rim: "/next/",
    "record-list": lambda rim: f"{rim.world.league.get_absolute_url()}record/",
    "console": begun("console/"),
    "console, with results": cup("console/", "Rim begun 2"),
    "console, with a round to come": unpublished("console/"),
    "console, when it is over": cup("console/"),
    "undo": lambda rim: f"{(one := cup('undo/', 'Rim begun 2')(rim))}?to={_before(one)}",
    "result-correct": begun("rounds/1/tables/1/correct/?scores=0-2"),
}

READERS = ("a stranger", "a player", "a judge", "results off")


def asking(rim: Rim, reader: str) -> Client:
    client = Client()
    if reader == "results off":
        client.cookies[RESULTS_COOKIE] = "off"
    if reader != "a stranger":
        client.force_login(rim.judge if reader == "a judge" else rim.reader)
    return client


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("page", PAGES)
def test_a_public_page_asks_little(
    rim: Rim, page: str, reader: str, django_assert_max_num_queries: Any
) -> None:
    client, path = asking(rim, reader), PAGES[page](rim)
    cache.clear()
    assert client.get(path).status_code == 200
    more = page.startswith("tournament-detail")  # since when its clock runs
    with django_assert_max_num_queries(LIMIT + more):
        assert client.get(path).status_code == 200


@pytest.mark.parametrize("page", OFFICE)
def test_a_page_of_those_who_run_it_asks_little(
    rim: Rim, page: str, django_assert_max_num_queries: Any
) -> None:
    client, path = asking(rim, "a judge"), OFFICE[page](rim)
    assert client.get(path).status_code == 200
    # by what it is followed, or the prizes; the log lines of penalties
    more = 3 if page.startswith("console") else 0
    with django_assert_max_num_queries(LIMIT + more):
        assert client.get(path).status_code == 200


def test_a_list_of_held_matches_asks_once_who_rules_them(rim: Rim) -> None:
    client, counts = asking(rim, "a judge"), []
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked:
            assert client.get("/matches/").status_code == 200
        counts.append(len(asked))
        for _ in range(5):
            cuts.change(factories.match(), held=True)
    assert counts[0] == counts[1]


def test_who_rules_is_asked_of_the_matches_shown_alone(rim: Rim) -> None:
    judge = User.objects.get(pk=rim.judge.pk)
    one, two, *_ = Match.objects.filter(table__tournament__title__startswith="Rim begun")
    with CaptureQueriesContext(connection) as asked:
        assert judge.has_perm("matches.rule", [one, two])
        assert judge.has_perm("matches.rule", one)
        assert judge.has_perm("matches.rule", one.log)
    assert sum("tablematch" in query["sql"] for query in asked) == 1
    other = factories.match()
    assert not judge.has_perm("matches.rule", other)
    assert not judge.has_perm("matches.rule", other.log)
    assert not rim.reader.has_perm("matches.rule", two)
