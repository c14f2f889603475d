"""Rows of the API's test tables for leagues and desks: permissions, and valid bodies to corrupt."""

from collections.abc import Callable
from datetime import date
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User

from league import services, webhooks
from league.models import Delivery, Division, Role, Tournament, Webhook
from matches.actors import Actor
from tests import factories
from tests.api.client import Api
from tests.league import desks

ID = "0190a000-0000-7000-8000-000000000001"
ROLES = ["anonymous", "stranger", "player", "official", "opener", "staff"]

# anonymous, stranger, player (has entered), official (a judge), opener (the organiser), staff
ALL = [200] * 6
MAKES = [401, 201, 201, 201, 201, 201]
RUNS = [401, 403, 403, 403, 201, 201]
CHANGES = [401, 403, 403, 403, 200, 200]
RULES = [401, 403, 403, 200, 200, 200]
SIGNED_IN = [401, 200, 200, 200, 200, 200]
KEPT = [401, 404, 404, 404, 200, 200]
KEPT_MADE = [401, 404, 404, 404, 201, 201]
OF_LEAGUES: dict[tuple[str, str], list[int]] = {
    ("player-versus", "get"): ALL,
    ("venues", "get"): ALL,
    ("venues", "post"): MAKES,
    ("venue", "get"): ALL,
    ("venue", "patch"): CHANGES,
    ("places", "get"): ALL,
    ("place", "get"): ALL,
    ("place-texts", "get"): ALL,
    ("place-texts", "post"): RUNS,
    ("place-text", "get"): ALL,
    ("place-text", "patch"): CHANGES,
    ("leagues", "get"): ALL,
    ("leagues", "post"): MAKES,
    ("league", "get"): ALL,
    ("league", "patch"): CHANGES,
    ("league-members", "post"): MAKES,
    ("league-members", "get"): [401, 403, 403, 403, 200, 200],
    ("league-members-end", "post"): CHANGES,
    ("league-export", "post"): [401, 403, 403, 403, 202, 202],
    ("league-krewes", "get"): ALL,
    ("league-krewes", "post"): [401, 403, 403, 403, 201, 201],
    ("krewe", "get"): ALL,
    ("krewe", "patch"): CHANGES,
    ("league-discipline", "get"): [401, 403, 403, 403, 200, 200],  # the judge has only one desk
    ("league-discipline", "post"): RUNS,
    ("sanction-lift", "post"): CHANGES,
    ("seasons", "get"): ALL,
    ("seasons", "post"): RUNS,
    ("season", "get"): ALL,
    ("season", "patch"): CHANGES,
    ("season-divisions", "post"): RUNS,
    ("division", "get"): ALL,
    ("division", "patch"): CHANGES,
    ("division-players", "post"): CHANGES,
    ("division-adjustments", "post"): RUNS,
    ("season-roll-over", "post"): CHANGES,
    ("circuits", "get"): ALL,
    ("circuits", "post"): RUNS,
    ("circuit", "get"): ALL,
    ("circuit", "patch"): CHANGES,
    ("circuit-tournaments-end", "post"): CHANGES,
    ("circuit-tournaments", "post"): RUNS,
    ("circuit-answers", "post"): [401, 403, 403, 403, 201, 201],  # about a player not in the final
    ("circuit-adjustments", "post"): RUNS,
    ("ratings", "get"): ALL,
    ("rating-revisions", "get"): ALL,
    ("next", "get"): SIGNED_IN,
    ("search", "get"): ALL,
    ("telling", "get"): SIGNED_IN,
    ("telling", "patch"): SIGNED_IN,
    ("telling-calendar", "post"): SIGNED_IN,
    ("telling-calendar-end", "post"): SIGNED_IN,
    ("webhooks", "get"): SIGNED_IN,
    ("webhooks", "post"): RUNS,
    ("webhook", "get"): KEPT,
    ("webhook", "patch"): KEPT,
    ("webhook-secret", "post"): KEPT,
    ("webhook-test", "post"): KEPT_MADE,
    ("webhook-deliveries", "get"): KEPT,
    ("webhook-delivery", "get"): KEPT,
    ("webhook-delivery-send", "post"): KEPT,
    ("webhook-end", "post"): [401, 404, 404, 404, 204, 204],
    ("tournaments", "get"): ALL,
    ("tournaments", "post"): MAKES,
    ("tournaments-import", "post"): SIGNED_IN,
    ("entries", "post"): MAKES,
}
# Routes of one tournament, and each role's status when the tournament is visible to entrants only.
AT_DESK: dict[tuple[str, str], tuple[list[int], list[int]]] = {
    ("tournament", "get"): (ALL, [404, 404, 200, 200, 200, 200]),
    ("tournament", "patch"): (CHANGES, [404, 404, 403, 403, 200, 200]),
    ("tournament-state", "get"): (ALL, [404, 404, 200, 200, 200, 200]),
    ("tournament-options", "get"): (SIGNED_IN, [404, 404, 200, 200, 200, 200]),
    ("tournament-events", "get"): (ALL, [404, 404, 200, 200, 200, 200]),
    ("tournament-acts", "post"): ([401, 403, 403, 201, 201, 201], [404, 404, 403, 201, 201, 201]),
    ("tournament-take-back", "post"): (RULES, [404, 404, 403, 200, 200, 200]),
    ("tournament-correct", "post"): (RULES, [404, 404, 403, 200, 200, 200]),
    ("tournament-penalties", "post"): (
        [401, 403, 403, 201, 201, 201],
        [404, 404, 403, 201, 201, 201],
    ),
    # Its round is published.
    ("tournament-pair-again", "post"): (
        [401, 403, 403, 403, 409, 409],
        [404, 404, 403, 403, 409, 409],
    ),
    ("tournament-withdraw", "post"): (
        [401, 403, 403, 403, 204, 204],
        [404, 404, 403, 403, 204, 204],
    ),
    ("tournament-file", "get"): (ALL, [404, 404, 200, 200, 200, 200]),
    ("tournament-clinch", "get"): (ALL, [404, 404, 200, 200, 200, 200]),
    ("tournament-verify", "get"): (SIGNED_IN, [404, 404, 200, 200, 200, 200]),
    ("tournament-hints", "get"): (RULES, [404, 404, 403, 200, 200, 200]),
    ("tournament-propose", "get"): (RULES, [404, 404, 403, 200, 200, 200]),
    ("tournament-propose", "post"): (RULES, [404, 404, 403, 200, 200, 200]),
    ("tournament-staff", "get"): (CHANGES, [404, 404, 403, 403, 200, 200]),
    ("tournament-staff", "post"): (RUNS, [404, 404, 403, 403, 201, 201]),
    ("tournament-staff-end", "post"): (CHANGES, [404, 404, 403, 403, 200, 200]),
    ("tournament-dates", "get"): (ALL, [404, 404, 200, 200, 200, 200]),
    ("tournament-dates", "post"): (CHANGES, [404, 404, 403, 403, 200, 200]),
    ("tournament-prizes", "get"): (ALL, [404, 404, 200, 200, 200, 200]),
    ("tournament-prizes", "post"): (RUNS, [404, 404, 403, 403, 201, 201]),
    # Nothing is won before the close.
    ("tournament-awards", "post"): ([401, 403, 403, 403, 409, 409], [404, 404, 403, 403, 409, 409]),
    ("tournament-prize-hand-over", "post"): (
        [401, 403, 403, 403, 409, 409],
        [404, 404, 403, 403, 409, 409],
    ),
    ("tournament-prize-put-right", "post"): (
        [401, 403, 403, 403, 409, 409],
        [404, 404, 403, 403, 409, 409],
    ),
    ("tournament-prize-end", "post"): (
        [401, 403, 403, 403, 204, 204],
        [404, 404, 403, 403, 204, 204],
    ),
    ("tournament-table-match", "post"): (
        [401, 403, 201, 200, 200, 200],  # the first request opens it
        [404, 404, 201, 200, 200, 200],
    ),
    ("tournament-import", "post"): (
        [401, 403, 403, 403, 200, 200],
        [404, 404, 403, 403, 200, 200],
    ),
    ("entries", "get"): (ALL, [400, 400, 200, 200, 200, 200]),
    ("entry", "get"): (ALL, [404, 404, 200, 200, 200, 200]),
    ("entry-deck", "get"): ([401, 403, 200, 200, 200, 200], [404, 404, 200, 200, 200, 200]),
    # The game has no decks, and a player's deck is locked once play has begun.
    ("entry-deck", "post"): ([401, 403, 409, 403, 409, 409], [404, 404, 409, 403, 409, 409]),
    ("rounds", "get"): (ALL, [400, 400, 200, 200, 200, 200]),
    ("pairings", "get"): (ALL, [400, 400, 200, 200, 200, 200]),
    ("standings", "get"): (ALL, [400, 400, 200, 200, 200, 200]),
}
TABLE = {*OF_LEAGUES, *AT_DESK}
SEASON = {"name": "Autumn", "starts_on": "2026-09-01", "ends_on": "2026-12-01"}

# Valid bodies, from which malformed ones are made; the paths name nothing that exists.
ROUTES: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {
    ("venues", "post"): ("venues/", {"name": "Hall"}),
    ("venue", "patch"): ("venues/x/", {"region": "Luna"}),
    ("place-texts", "post"): ("places/x/texts/", {"title": "Rust", "text": "It is told."}),
    ("place-text", "patch"): (f"places/x/texts/{ID}/", {"version": 1, "text": "Told anew."}),
    ("leagues", "post"): ("leagues/", {"name": "League"}),
    ("league", "patch"): ("leagues/x/", {"about": "New."}),
    ("league-members", "post"): ("leagues/x/members/", {}),
    ("league-members-end", "post"): ("leagues/x/members/end/", {"player": ID, "role": "judge"}),
    ("tournament-staff", "post"): ("tournaments/X/staff/", {"player": ID, "role": "judge"}),
    ("tournament-staff-end", "post"): (
        "tournaments/X/staff/end/",
        {"player": ID, "role": "judge"},
    ),
    ("league-export", "post"): ("leagues/x/export/", {}),
    ("league-krewes", "post"): ("leagues/x/krewes/", {"name": "Cinders"}),
    ("krewe", "patch"): (f"krewes/{ID}/", {"add": ID}),
    ("league-discipline", "post"): ("leagues/x/discipline/", {"player": ID, "reason": "Why."}),
    ("sanction-lift", "post"): ("leagues/x/discipline/1/lift/", {}),
    ("seasons", "post"): ("seasons/", {"league": "x", **SEASON}),
    ("season", "patch"): (f"seasons/{ID}/", {"about": "New."}),
    ("season-divisions", "post"): (f"seasons/{ID}/divisions/", {"name": "Two", "level": 2}),
    ("division", "patch"): ("divisions/1/", {"up": 1}),
    ("division-players", "post"): ("divisions/1/players/", {"player": ID}),
    ("division-adjustments", "post"): (
        "divisions/1/adjustments/",
        {"player": ID, "points": -1, "reason": "Late."},
    ),
    ("season-roll-over", "post"): (f"seasons/{ID}/roll-over/", SEASON),
    ("circuits", "post"): ("circuits/", {"season": ID, "name": "Ring", "points": [3]}),
    ("circuit", "patch"): (f"circuits/{ID}/", {"best": 2}),
    ("circuit-tournaments-end", "post"): (
        f"circuits/{ID}/tournaments/end/",
        {"tournament": "X"},
    ),
    ("telling", "patch"): ("telling/", {"letters": False}),
    ("telling-calendar", "post"): ("telling/calendar/", {}),
    ("telling-calendar-end", "post"): ("telling/calendar/end/", {}),
    ("circuit-tournaments", "post"): (f"circuits/{ID}/tournaments/", {"tournament": "X"}),
    ("circuit-answers", "post"): (f"circuits/{ID}/answers/", {"player": ID, "comes": True}),
    ("circuit-adjustments", "post"): (
        f"circuits/{ID}/adjustments/",
        {"player": ID, "points": -1, "reason": "Late."},
    ),
    ("webhooks", "post"): (
        "webhooks/",
        {"league": "x", "url": "https://hooks.example.org/", "events": ["match.finished"]},
    ),
    ("webhook", "patch"): (f"webhooks/{ID}/", {"is_on": False}),
    ("webhook-secret", "post"): (f"webhooks/{ID}/secret/", {}),
    ("webhook-test", "post"): (f"webhooks/{ID}/test/", {}),
    ("webhook-end", "post"): (f"webhooks/{ID}/end/", {}),
    ("webhook-delivery-send", "post"): (f"webhooks/{ID}/deliveries/{ID}/send/", {}),
    ("tournaments", "post"): ("tournaments/", {"title": "Cup"}),
    ("tournament", "patch"): ("tournaments/X/", {"about": "New."}),
    ("tournament-take-back", "post"): ("tournaments/X/take-back/", {"id": ID, "to": 1}),
    ("tournament-correct", "post"): (
        "tournaments/X/correct/",
        {"id": ID, "act_id": ID, "act": {"scores": [2, 0]}},
    ),
    ("tournament-penalties", "post"): (
        "tournaments/X/penalties/",
        {"id": ID, "entrant": 1, "infraction": "late", "penalty": "warning"},
    ),
    ("tournament-pair-again", "post"): ("tournaments/X/pair-again/", {"id": ID}),
    ("tournament-withdraw", "post"): ("tournaments/X/withdraw/", {}),
    ("tournament-prize-hand-over", "post"): ("tournaments/X/prizes/1/hand-over/", {}),
    ("tournament-prize-put-right", "post"): ("tournaments/X/prizes/1/put-right/", {}),
    ("tournament-prize-end", "post"): ("tournaments/X/prizes/1/end/", {}),
    ("tournament-propose", "post"): ("tournaments/X/propose/", {}),
    ("tournament-dates", "post"): ("tournaments/X/dates/", {"round": 1, "weekly": False}),
    ("tournament-prizes", "post"): ("tournaments/X/prizes/", {"place": 1, "amount": 5}),
    ("tournament-awards", "post"): ("tournaments/X/awards/", {}),
    ("tournament-table-match", "post"): ("tournaments/X/rounds/1/tables/1/match/", {}),
    ("entries", "post"): ("entries/", {"tournament": "X", "id": ID}),
    ("entry-deck", "post"): (f"entries/{ID}/deck/", {"deck": None}),
    ("tournament-acts", "post"): (
        "tournaments/X/acts/",
        {"id": ID, "act": {"type": "entered", "label": "Red"}},
    ),
}
# Routes whose body is a raw file.
FILES: dict[tuple[str, str], str] = {
    ("tournaments-import", "post"): "tournaments/import/?kind=results",
    ("tournament-import", "post"): f"tournaments/X/import/?kind=entries&id={ID}",
}


class Desk:
    """A tournament in its second round, its league, and everyone around them."""

    def __init__(self, visibility: str = "public") -> None:
        self.opener, self.player, self.official = (factories.actor() for _ in range(3))
        self.stranger = factories.actor()
        self.venue = services.open_venue(by=self.opener, name="Hall")
        self.league = services.found_league(by=self.opener, name="League", venue=self.venue)
        self.season = services.open_season(
            by=self.opener,
            league=self.league,
            name="Spring",
            starts_on=date(2026, 3, 1),
            ends_on=date(2026, 6, 1),
            divisions=["One"],
        )
        self.circuit = services.open_circuit(
            by=self.opener, season=self.season, name="Ring", points=[3, 1]
        )
        self.tournament = desks.tournament(
            self.opener, league=self.league, season=self.season, visibility=visibility
        )
        assert self.official.player is not None
        services.name_member(
            by=self.opener,
            player=self.official.player,
            role=Role.JUDGE,
            tournament=self.tournament,
        )
        self.entry = services.enter(
            tournament=self.tournament, by=self.opener, act_id=uuid4(), player=self.player.player
        )
        desks.entered(self.tournament, 3)

    def begin(self) -> None:
        """Play the first round; the player's table is open in the second when `paired`."""
        desks.start(self.tournament)
        desks.paired(self.tournament)
        desks.play(self.tournament)

    def who(self, role: str) -> Actor | None:
        if role == "anonymous":
            return None
        if role == "staff":
            staff = factories.actor()
            assert isinstance(staff.user, User)
            staff.user.is_superuser = staff.user.is_staff = True
            staff.user.save()
            return staff
        found: Actor = getattr(self, role)
        return found

    def ask(self, role: str, name: str, method: str) -> Any:
        api = Api(self.who(role))
        if (name, method) in FILES:
            path = FILES[name, method].replace("X", self.tournament.code)
            table = b"round,first,second,won\n1,Ada,Bo,2\n" if "results" in path else b"name\nAda\n"
            return api.post(path, table, content_type="text/csv")
        path, data = self.sent(name, method)
        return api.get(path, **data) if method == "get" else api.post(path, data, method=method)

    def sent(self, name: str, method: str) -> tuple[str, dict[str, Any]]:
        """Return the path and data of a request to an endpoint, after creating what it needs."""
        if name.startswith("tournament-") or name == "tournament":
            return self._at_desk(name.removeprefix("tournament-"), method)
        if name.startswith("entry"):
            tail = "deck/" if name == "entry-deck" else ""
            return f"entries/{self.entry.pk}/{tail}", {"deck": None} if method == "post" else {}
        return self._of_league(name, method)

    def _of_league(self, name: str, method: str) -> tuple[str, dict[str, Any]]:
        if name.startswith("webhook-") or name == "webhook":
            return self._webhook(name.removeprefix("webhook").removeprefix("-"), method)
        path = PATHS[name](self) if name in PATHS else f"{name}/"
        asked = QUERIES if method == "get" else BODIES
        return path, asked[name](self) if name in asked else {}

    def _webhook(self, name: str, method: str) -> tuple[str, dict[str, Any]]:
        """Create a webhook with a finished message, and return the request for it."""
        Webhook.objects.all().delete()
        hook, _ = webhooks.register(
            by=self.opener,
            league=self.league,
            url="https://hooks.example.org/",
            events=["match.finished"],
        )
        path = f"webhooks/{hook.pk}/"
        if name.startswith("delivery"):
            sent = webhooks.ping(by=self.opener, webhook=hook)
            Delivery.objects.update(status=Delivery.Status.DEAD)
            tail = "send/" if name.endswith("send") else ""
            return f"{path}deliveries/{sent.pk}/{tail}", {}
        body = {"is_on": False} if method == "patch" else {}
        return f"{path}{name}/" if name else path, body

    def keeper(self, **of: Any) -> dict[str, Any]:
        """Make a user a scorekeeper, and return the body that revokes it."""
        keeper = factories.actor().player
        assert keeper is not None
        services.name_member(by=self.opener, player=keeper, role=Role.SCOREKEEPER, **of)
        return {"player": str(keeper.pk), "role": "scorekeeper"}

    def _abandoned(self) -> Tournament:
        """Return another tournament with the same people and visibility."""
        made = desks.tournament(self.opener, visibility=self.tournament.visibility)
        assert self.official.player is not None
        services.name_member(
            by=self.opener, player=self.official.player, role=Role.JUDGE, tournament=made
        )
        services.enter(tournament=made, by=self.opener, act_id=uuid4(), player=self.player.player)
        return made

    def _at_desk(self, name: str, method: str) -> tuple[str, dict[str, Any]]:
        path = f"tournaments/{self.tournament.code}/"
        if name == "tournament":
            return path, {} if method == "get" else {"about": "New."}
        tail = "rounds/1/tables/1/match/" if name == "table-match" else f"{name}/"
        body: dict[str, Any] = {}
        match name:
            case "acts":
                body = {"id": str(uuid4()), "note": "Five.", "act": {"type": "announced"}}
            case "take-back":
                said = desks.act(self.tournament, "announced", note="Soon.")
                body = {"id": str(uuid4()), "to": said.version - 1, "preview": True}
            case "correct":
                reported = self.tournament.log.events.filter(type="result-reported").first()
                assert reported is not None
                body = {
                    "id": str(uuid4()),
                    "act_id": str(reported.act_id),
                    "act": {"scores": [1, 2]},
                    "preview": True,
                }
            case "penalties":
                late = {"infraction": "late", "penalty": "warning"}
                body = {"id": str(uuid4()), "entrant": 2, **late}
            case "pair-again":
                body = {"id": str(uuid4())}
            case "withdraw":
                path = f"tournaments/{self._abandoned().code}/"
            case "prize-hand-over" | "prize-put-right" | "prize-end":
                prize = services.promise_prize(
                    by=self.opener, tournament=self.tournament, place=1, amount=5
                )
                tail = f"prizes/{prize.pk}/{name.removeprefix('prize-')}/"
            case "staff" if method == "post":
                body = {"player": str(factories.actor().player_id), "role": "scorekeeper"}
            case "staff-end":
                tail, body = "staff/end/", self.keeper(tournament=self.tournament)
            case "clinch":
                body = {"size": 2}
            case "dates" if method == "post":
                body = {"round": len(desks.desk(self.tournament).rounds) + 1}
            case "prizes" if method == "post":
                body = {"place": 1, "amount": 5}
        return path + tail, body


# -- the request for each endpoint of leagues ---------------------------------------------


def _name() -> str:
    return uuid4().hex[:12]


def _text(desk: Desk) -> str:
    made = services.write_text(
        by=desk.opener, place="luna", league=desk.league, title="Rust", text="Told."
    )
    return f"places/luna/texts/{made.pk}/"


def _krewe(desk: Desk) -> str:
    made = services.make_krewe(by=desk.opener, league=desk.league, name=_name())
    return f"krewes/{made.pk}/"


def _lift(desk: Desk) -> str:
    player = desk.player.player
    assert player is not None
    held = services.sanction(
        by=desk.opener, league=desk.league, player=player, kind="exile", reason="Why."
    )
    return f"leagues/{desk.league.slug}/discipline/{held.pk}/lift/"


def _qualifier(desk: Desk) -> str:
    services.add_qualifier(by=desk.opener, circuit=desk.circuit, tournament=desk.tournament)
    return f"circuits/{desk.circuit.pk}/tournaments/end/"


def _division(desk: Desk) -> Division:
    return desk.season.divisions.get(level=1)


def _adjustment(desk: Desk) -> dict[str, Any]:
    """Return points for the player, who is in the division."""
    _division(desk).members.get_or_create(player=desk.player.player)
    return {"player": str(desk.player.player_id), "points": 1, "reason": "Painted."}


def _circuit_adjustment(desk: Desk) -> dict[str, Any]:
    """Return points for the player, who has a result in the circuit."""
    if not desk.circuit.qualifiers.filter(tournament__entries__player=desk.player.player).exists():
        assert desk.player.player is not None
        desks.stand(desk.circuit, [desk.player.player])
    return {"player": str(desk.player.player_id), "points": 1, "reason": "Painted."}


# Paths that name an object, which is created first if need be.
PATHS: dict[str, Callable[[Desk], str]] = {
    "player-versus": lambda desk: (
        f"players/{desk.player.player_id}/versus/{desk.opener.player_id}/"
    ),
    "rating-revisions": lambda desk: "ratings/revisions/",
    "venue": lambda desk: f"venues/{desk.venue.slug}/",
    "place": lambda desk: "places/luna/",
    "place-texts": lambda desk: "places/luna/texts/",
    "place-text": _text,
    "league": lambda desk: f"leagues/{desk.league.slug}/",
    "league-members": lambda desk: f"leagues/{desk.league.slug}/members/",
    "league-members-end": lambda desk: f"leagues/{desk.league.slug}/members/end/",
    "league-export": lambda desk: f"leagues/{desk.league.slug}/export/",
    "league-krewes": lambda desk: f"leagues/{desk.league.slug}/krewes/",
    "krewe": _krewe,
    "league-discipline": lambda desk: f"leagues/{desk.league.slug}/discipline/",
    "sanction-lift": _lift,
    "season": lambda desk: f"seasons/{desk.season.pk}/",
    "season-divisions": lambda desk: f"seasons/{desk.season.pk}/divisions/",
    "division": lambda desk: f"divisions/{_division(desk).pk}/",
    "division-players": lambda desk: f"divisions/{_division(desk).pk}/players/",
    "division-adjustments": lambda desk: f"divisions/{_division(desk).pk}/adjustments/",
    "season-roll-over": lambda desk: f"seasons/{desk.season.pk}/roll-over/",
    "circuit": lambda desk: f"circuits/{desk.circuit.pk}/",
    "circuit-tournaments": lambda desk: f"circuits/{desk.circuit.pk}/tournaments/",
    "circuit-tournaments-end": _qualifier,
    "circuit-answers": lambda desk: f"circuits/{desk.circuit.pk}/answers/",
    "circuit-adjustments": lambda desk: f"circuits/{desk.circuit.pk}/adjustments/",
    "telling-calendar": lambda desk: "telling/calendar/",
    "telling-calendar-end": lambda desk: "telling/calendar/end/",
}
# GET requests.
QUERIES: dict[str, Callable[[Desk], dict[str, Any]]] = {
    "rounds": lambda desk: {"tournament": desk.tournament.code},
    "pairings": lambda desk: {"tournament": desk.tournament.code},
    "standings": lambda desk: {"tournament": desk.tournament.code},
    "entries": lambda desk: {"tournament": desk.tournament.code},
    "ratings": lambda desk: {"game": "score", "league": desk.league.slug},
    "rating-revisions": lambda desk: {"game": "score", "league": desk.league.slug},
    "search": lambda desk: {"q": "rim", "kind": "match"},
}
# Other requests.
BODIES: dict[str, Callable[[Desk], dict[str, Any]]] = {
    "entries": lambda desk: {"tournament": desks.tournament(desk.opener).code, "id": str(uuid4())},
    "venues": lambda desk: {"name": "Hall"},
    "venue": lambda desk: {"region": "Luna"},
    "place-texts": lambda desk: {
        "league": desk.league.slug,
        "title": "Rust",
        "text": "It is told.",
    },
    "place-text": lambda desk: {"version": 1, "text": "Told anew."},
    "leagues": lambda desk: {"name": "League"},
    "league": lambda desk: {"about": "New."},
    "league-members-end": lambda desk: desk.keeper(league=desk.league),
    "league-krewes": lambda desk: {"name": _name()},
    "krewe": lambda desk: {"add": str(desk.opener.player_id)},
    "league-discipline": lambda desk: {
        "player": str(desk.player.player_id),
        "kind": "exile",
        "reason": "Why.",
    },
    "seasons": lambda desk: {"league": desk.league.slug, **SEASON, "name": _name()},
    "season": lambda desk: {"about": "New."},
    "season-divisions": lambda desk: {
        "name": _name(),
        "level": desk.season.divisions.count() + 1,
    },
    "division": lambda desk: {"down": 1},
    "division-players": lambda desk: {"player": str(desk.player.player_id)},
    "division-adjustments": _adjustment,
    "season-roll-over": lambda desk: {**SEASON, "preview": True},
    "circuits": lambda desk: {"season": str(desk.season.pk), "name": _name(), "points": [3]},
    "circuit": lambda desk: {"best": 2},
    "circuit-tournaments": lambda desk: {"tournament": desk.tournament.code},
    "circuit-tournaments-end": lambda desk: {"tournament": desk.tournament.code},
    "circuit-adjustments": _circuit_adjustment,
    "circuit-answers": lambda desk: {"player": str(desk.player.player_id), "comes": True},
    "telling": lambda desk: {"letters": False},
    "tournaments": lambda desk: {"title": "Cup", "ruleset": "score"},
    "webhooks": lambda desk: {
        "league": desk.league.slug,
        "url": "https://hooks.example.org/",
        "events": ["match.finished"],
    },
}
