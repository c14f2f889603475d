"""Who may do what: every endpoint × every role. An endpoint left out fails."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from characters import services as characters
from characters.models import Campaign
from matches import claiming, links, scribes, services, transfer
from matches.actors import Actor
from matches.models import Match, Proposal, ScribeLease
from tests import factories
from tests.api.client import Api, act, opening
from tests.characters import api_rows
from tests.characters.api_rows import BOOKS
from tests.league.api_rows import TABLE as DESKS

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

ROLES = ["anonymous", "stranger", "player", "official", "opener", "staff"]

ALL = [200] * 6
SIGNED_IN = [401, 200, 200, 200, 200, 200]
MAKES = [401, 201, 201, 201, 201, 201]
AT_THE_TABLE = [401, 403, 200, 200, 200, 200]
MANAGES = [401, 403, 403, 200, 200, 200]
ASKS = [401, 202, 202, 202, 202, 202]
ASKED = [401, 404, 404, 404, 200, 404]  # by the opener
RECORDS = [401, 403, 201, 201, 201, 201]
KEPT = [404, 404, 200, 200, 200, 200]
KEPT_MANAGES = [404, 404, 403, 200, 200, 200]
KEPT_RECORDS = [404, 404, 201, 201, 201, 201]

# Of a public match, or of none: each endpoint and method, and what each role is answered.
OPEN: dict[tuple[str, str], list[int]] = {
    ("root", "get"): ALL,
    ("schema", "get"): ALL,
    ("docs", "get"): ALL,
    ("token", "post"): ALL,
    ("games", "get"): ALL,
    ("game", "get"): ALL,
    ("clauses", "get"): ALL,
    ("check-deck", "post"): ALL,
    ("tool", "post"): ALL,
    ("players", "get"): SIGNED_IN,
    ("players", "post"): MAKES,
    ("export", "get"): SIGNED_IN,
    ("export", "post"): ASKS,
    ("jobs", "get"): SIGNED_IN,
    ("job", "get"): ASKED,
    ("job-cancel", "post"): ASKED,
    ("job-file", "get"): [401, 404, 404, 404, 409, 404],  # it made none yet
    ("player", "get"): ALL,
    ("player", "patch"): [401, 403, 200, 403, 403, 403],  # the player's own name
    ("player-claim", "post"): [401, 403, 403, 403, 201, 201],  # the opener added the guest
    ("player-merge", "post"): [401, 403, 403, 403, 200, 200],
    ("player-unclaim", "post"): [401, 403, 403, 403, 200, 200],
    ("claim", "get"): ALL,
    ("claim", "post"): SIGNED_IN,
    ("matches", "get"): ALL,
    ("matches", "post"): MAKES,
    ("matches-import", "post"): MAKES,
    ("match", "get"): ALL,
    ("state", "get"): ALL,
    ("options", "get"): AT_THE_TABLE,
    ("events", "get"): ALL,
    ("acts", "post"): RECORDS,
    ("bot", "post"): [401, 403, 409, 409, 409, 409],  # there is none for this game
    ("take-back", "post"): RECORDS,
    ("cut", "get"): MANAGES,
    ("cut", "patch"): MANAGES,
    ("correct", "post"): RECORDS,
    ("verify", "get"): SIGNED_IN,
    ("verify", "post"): ASKS,
    ("luck", "get"): ALL,
    ("went", "get"): ALL,
    ("what-if", "post"): [409] * 6,  # it goes on
    ("certificate", "get"): [409] * 6,  # it goes on
    ("scribe", "get"): AT_THE_TABLE,
    ("scribe", "post"): RECORDS,
    ("scribe-renew", "post"): [401, 403, 200, 409, 409, 409],  # the player is the scribe
    ("scribe-end", "post"): [401, 403, 204, 204, 204, 204],
    ("proposals", "get"): AT_THE_TABLE,
    ("proposals", "post"): RECORDS,
    ("proposal", "post"): RECORDS,
    ("seats", "get"): MANAGES,
    ("seat-renew", "post"): MANAGES,
    ("officials", "get"): MANAGES,
    ("officials", "post"): [401, 403, 403, 201, 201, 201],
    ("officials-end", "post"): MANAGES,
    ("seat", "get"): ALL,
    ("seat", "post"): ALL,
    ("feed", "get"): ALL,
    ("heads", "get"): ALL,
    ("characters", "get"): ALL,
    ("characters-paste", "post"): MAKES,
}
# Of a character whom everyone may know: its owner is the `opener`, officials run its campaign.
OF_CHARACTER: dict[tuple[str, str], list[int]] = {
    ("character", "get"): ALL,
    ("character", "patch"): [401, 403, 403, 403, 200, 403],
    ("character-sheet", "get"): ALL,
    ("character-history", "get"): [401, 403, 403, 200, 200, 200],
}
# Of one that only its owner and officials may know.
OF_HIDDEN_CHARACTER: dict[tuple[str, str], list[int]] = {
    ("character", "get"): [404, 404, 404, 200, 200, 200],
    ("character", "patch"): [404, 404, 404, 403, 200, 403],
    ("character-sheet", "get"): [404, 404, 404, 200, 200, 200],
    ("character-history", "get"): [404, 404, 404, 200, 200, 200],
}
# Of a match that is kept to its table.
HIDDEN: dict[tuple[str, str], list[int]] = {
    ("match", "get"): KEPT,
    ("state", "get"): KEPT,
    ("options", "get"): KEPT,
    ("events", "get"): KEPT,
    ("acts", "post"): KEPT_RECORDS,
    ("bot", "post"): [404, 404, 409, 409, 409, 409],
    ("take-back", "post"): KEPT_RECORDS,
    ("cut", "get"): KEPT_MANAGES,
    ("cut", "patch"): KEPT_MANAGES,
    ("correct", "post"): KEPT_RECORDS,
    ("verify", "get"): KEPT,
    ("verify", "post"): [404, 404, 202, 202, 202, 202],
    ("luck", "get"): KEPT,
    ("went", "get"): KEPT,
    ("what-if", "post"): [404, 404, 409, 409, 409, 409],
    ("certificate", "get"): [404, 404, 409, 409, 409, 409],
    ("scribe", "get"): KEPT,
    ("scribe", "post"): KEPT_RECORDS,
    ("scribe-renew", "post"): [404, 404, 200, 409, 409, 409],
    ("scribe-end", "post"): [404, 404, 204, 204, 204, 204],
    ("proposals", "get"): KEPT,
    ("proposals", "post"): KEPT_RECORDS,
    ("proposal", "post"): KEPT_RECORDS,
    ("seats", "get"): KEPT_MANAGES,
    ("seat-renew", "post"): KEPT_MANAGES,
    ("officials", "get"): KEPT_MANAGES,
    ("officials", "post"): [404, 404, 403, 201, 201, 201],
    ("officials-end", "post"): KEPT_MANAGES,
}


def endpoints(below: str = "") -> Iterator[tuple[str, str]]:
    """Yield every endpoint below a route, with each method its view answers."""
    for pattern in api_patterns(get_resolver().url_patterns):
        if str(pattern.pattern).startswith(below):
            view = pattern.callback.cls
            for method in ("get", "post", "put", "patch", "delete"):
                if hasattr(view, method):
                    yield str(pattern.name), method


def api_patterns(patterns: list[Any], within: bool = False) -> Iterator[URLPattern]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from api_patterns(pattern.url_patterns, within or pattern.namespace == "api")
        elif within:
            yield pattern


class Cast:
    """A match and everyone around it."""

    def __init__(self, **details: Any) -> None:
        self.opener, self.player, self.official = (factories.actor() for _ in range(3))
        seats = [factories.SeatRequest(player=self.player.player), factories.SeatRequest()]
        self.match = factories.match(self.opener, seats=seats, **details)
        assert self.official.player is not None
        self.match.officials.add(self.official.player)
        self.act_id = uuid4()
        factories.record(self.match, act_id=self.act_id)

    def who(self, role: str) -> Actor | None:
        if role == "anonymous":
            return None
        if role == "stranger":
            return factories.actor()
        if role == "staff":
            staff = factories.actor()
            staff.user.is_superuser = staff.user.is_staff = True
            staff.user.save()
            return staff
        found: Actor = getattr(self, role)
        return found

    def ask(self, role: str, name: str, method: str) -> int:
        status: int = getattr(self, f"_{method}")(Api(self.who(role)), name)
        return status

    def _path(self, name: str) -> str:
        args = {
            "game": ["score"],
            "clauses": ["zg"],
            "check-deck": ["score"],
            "tool": ["zg", "compare"],
            "player": [self.player.player_id],
        }
        if (name, "get") in HIDDEN or (name, "post") in HIDDEN:
            args[name] = [self.match.code]
        if name in ("player-claim", "player-merge", "player-unclaim", "claim"):
            args[name] = [self._guest(name)]
        if name == "seat":
            args[name] = [links.seat_token(self.match.seats.get(number=2))]
        if name == "seat-renew":
            args[name] = [self.match.code, 2]
        if name == "proposal":
            args[name] = [self.match.code, self._proposed()]
        if name in ("job", "job-cancel", "job-file"):
            args[name] = [services.request_verify(match=self.match, by=self.opener).pk]
        return reverse(f"api:{name}", args=args.get(name, [])).removeprefix("/api/v1/")

    def _guest(self, name: str) -> UUID | str:
        """Return a guest the opener added, claimed where it is to be undone, or the link to one."""
        guest = services.add_guest(by=self.opener, name="Rim Walker")
        if name in ("player-claim", "player-merge"):
            return guest.pk
        token = claiming.token_of(services.offer_claim(by=self.opener, guest=guest))
        if name == "claim":
            return token
        services.claim(by=factories.actor(), token=token)
        return guest.pk

    def _proposed(self) -> UUID:
        proposed: dict[str, Any] = {"act_id": uuid4(), "act": factories.points()}
        return services.propose(match=self.match, by=self.player, **proposed).act_id

    def _get(self, api: Api, name: str) -> int:
        status: int = api.get(self._path(name)).status_code
        return status

    def _patch(self, api: Api, name: str) -> int:
        body = {"delay": 1} if name == "cut" else {"name": "Ada"}
        status: int = api.patch(self._path(name), body).status_code
        return status

    def _post(self, api: Api, name: str) -> int:
        status: int = api.post(self._path(name), *self._body(name)).status_code
        return status

    def _body(self, name: str) -> list[Any]:
        match name:
            case "token":
                user = factories.user()
                return [{"username": user.username, "password": factories.PASSWORD}]
            case "players":
                return [{"name": "Ada"}]
            case "characters-paste":
                return [{"text": "Character: Ada"}]
            case "player-merge":
                return [{"into": str(services.add_guest(by=self.opener, name="R. Walker").pk)}]
            case "matches":
                return [opening()]
            case "acts" | "proposals":
                return [act()]
            case "proposal":
                return [{"decision": "accept"}]
            case "scribe":
                return [{"over": None}]
            case "scribe-renew" | "scribe-end":
                return [{"id": str(scribes.take(match=self.match, by=self.player, over=None).pk)}]
            case "officials":
                return [{"player": str(factories.actor().player_id)}]
            case "officials-end":
                return [{"player": str(self.official.player_id)}]
            case "bot":
                return [{"id": str(uuid4()), "seat": 2}]
            case "take-back":
                return [{"id": str(uuid4()), "to": 1}]
            case "correct":
                return [{"id": str(uuid4()), "act_id": str(self.act_id), "act": None}]
            case "tool":
                return [{"attack": "R G B", "target": "R G B"}]
            case "check-deck":
                return [{"deck": None}]
            case "what-if":
                return [{"options": {}}]
        return [{}]


class Importing(Cast):
    def _post(self, api: Api, name: str) -> int:
        text = transfer.export_notation(self.match).encode()
        answer = api.post(self._path(name), text, content_type="text/plain")
        status: int = answer.status_code
        return status


class Casting(Cast):
    """A character, its campaign and everyone around them."""

    def __init__(self, audience: str = "public") -> None:
        super().__init__()
        campaign = Campaign.objects.create(name="Belt", owner=factories.actor().player)
        campaign.officials.add(self.official.player)
        self.character = characters.paste(by=self.opener, text="Character: Ada")
        self.character.campaign, self.character.audience = campaign, audience
        self.character.save()
        self.beside = characters.paste(by=self.player, text="Character: Ben")
        self.beside.campaign = campaign
        self.beside.save()

    def _path(self, name: str) -> str:
        return reverse(f"api:{name}", args=[self.character.pk]).removeprefix("/api/v1/")


def test_every_endpoint_is_in_the_table() -> None:
    assert set(OPEN) | set(OF_CHARACTER) | set(BOOKS) | DESKS == set(endpoints())


def test_every_endpoint_under_a_character_is_asked_of_a_hidden_one_too() -> None:
    under = set(endpoints(below="characters/<uuid:character_id>/"))
    assert set(OF_CHARACTER) == set(OF_HIDDEN_CHARACTER) == under


def statuses(ask: Callable[[str], int]) -> list[int]:
    """Return what each role is answered, each asking after the same past."""
    told = []
    for role in ROLES:
        with transaction.atomic():
            told.append(ask(role))
            transaction.set_rollback(True)
    return told


@pytest.mark.parametrize(("name", "method"), OF_CHARACTER)
def test_a_character_answers_each_role(name: str, method: str) -> None:
    cast = Casting()
    assert statuses(lambda role: cast.ask(role, name, method)) == OF_CHARACTER[name, method]


@pytest.mark.parametrize(("name", "method"), BOOKS)
def test_the_books_answer_each_role(name: str, method: str) -> None:
    cast = Casting()

    def ask(role: str) -> int:
        for each in (cast.character, cast.beside):
            each.refresh_from_db()
        sent = api_rows.request(name, method, cast.character, cast.beside)
        status: int = api_rows.send(Api(cast.who(role)), method, sent).status_code
        return status

    assert statuses(ask) == BOOKS[name, method]


@pytest.mark.parametrize(("name", "method"), OF_HIDDEN_CHARACTER)
def test_a_hidden_character_answers_each_role(name: str, method: str) -> None:
    cast = Casting("officials")
    told = statuses(lambda role: cast.ask(role, name, method))
    assert told == OF_HIDDEN_CHARACTER[name, method]


def test_every_endpoint_under_a_match_is_asked_of_a_hidden_one_too() -> None:
    assert set(HIDDEN) == set(endpoints(below="matches/<slug:code>/"))


@pytest.mark.parametrize(("name", "method"), OPEN)
def test_a_public_match_answers_each_role(name: str, method: str) -> None:
    cast = Importing() if name == "matches-import" else Cast()
    assert statuses(lambda role: cast.ask(role, name, method)) == OPEN[name, method]


@pytest.mark.parametrize(("name", "method"), HIDDEN)
def test_a_match_kept_to_its_table_answers_each_role(name: str, method: str) -> None:
    cast = Cast(visibility="table")
    assert statuses(lambda role: cast.ask(role, name, method)) == HIDDEN[name, method]


def test_what_a_role_is_denied_changes_nothing() -> None:
    cast = Cast()
    for role in ("anonymous", "stranger"):
        for name in ("acts", "take-back", "correct", "scribe", "proposals"):
            cast.ask(role, name, "post")
    assert not ScribeLease.objects.exists()
    assert not Proposal.objects.exists()
    assert Match.objects.get(pk=cast.match.pk).log.head_version == 2
