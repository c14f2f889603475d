"""Every writing route × malformed bodies: the same answer on both engines, and no row written."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.db.models import Model

import rules
from matches.models import (
    Claim,
    Event,
    FeedHead,
    Job,
    Key,
    Log,
    Match,
    Note,
    Player,
    Proposal,
    Publication,
    ScribeLease,
    Seat,
)
from tests import factories
from tests.api import killers
from tests.api.client import Api, by_opener, problem
from tests.api.test_matrix import endpoints
from tests.characters import api_rows as characters
from tests.league import api_rows as leagues

pytestmark = pytest.mark.django_db

TABLES: list[type[Model]] = [
    Claim,
    Event,
    Job,
    Log,
    Match,
    Note,
    Player,
    Proposal,
    Publication,
    ScribeLease,
    Seat,
    Key,
    User,
    *apps.get_app_config("characters").get_models(),
    *apps.get_app_config("league").get_models(),
]
ID = "0190a000-0000-7000-8000-000000000001"
RECORDED = "0190a000-0000-7000-8000-000000000002"
POINTS = {"type": "points-scored", "seat": 1, "points": 1}

# What every JSON route takes; the good body from which the bad ones are made.
ROUTES: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {
    ("token", "post"): ("token/", {"username": "ada", "password": "guess"}),
    ("players", "post"): ("players/", {"name": "Ada"}),
    ("player", "patch"): ("players/{player}/", {"name": "Ada"}),
    ("player-claim", "post"): ("players/{player}/claim/", {}),
    ("player-merge", "post"): ("players/{player}/merge/", {"into": ID}),
    ("player-unclaim", "post"): ("players/{player}/unclaim/", {}),
    ("claim", "post"): ("claims/nothing:forged/", {}),
    ("matches", "post"): (
        "matches/",
        {"ruleset": "score", "seats": [{"label": "A"}, {"label": "B"}]},
    ),
    ("acts", "post"): ("matches/{code}/acts/", {"id": ID, "act": POINTS}),
    ("cut", "patch"): ("matches/{code}/cut/", {"held": True}),
    ("bot", "post"): ("matches/{code}/bot/", {"id": ID, "seat": 1}),
    ("take-back", "post"): ("matches/{code}/take-back/", {"id": ID, "to": 1}),
    ("scribe", "post"): ("matches/{code}/scribe/", {"over": None}),
    ("scribe-renew", "post"): ("matches/{code}/scribe/renew/", {"id": ID}),
    ("scribe-end", "post"): ("matches/{code}/scribe/end/", {"id": ID}),
    ("proposals", "post"): ("matches/{code}/proposals/", {"id": ID, "act": POINTS}),
    ("proposal", "post"): ("matches/{code}/proposals/" + ID + "/", {"decision": "dismiss"}),
    ("seat-renew", "post"): ("matches/{code}/seats/1/renew/", {}),
    ("officials", "post"): ("matches/{code}/officials/", {"player": ID}),
    ("officials-end", "post"): ("matches/{code}/officials/end/", {"player": ID}),
    ("seat", "post"): ("seats/nothing:forged/", {}),
    **characters.ROUTES,
    ("character", "patch"): (f"characters/{ID}/", {"name": "Ada"}),
    ("characters-paste", "post"): ("characters/paste/", {"text": "Character: Ada"}),
    ("correct", "post"): ("matches/{code}/correct/", {"id": ID, "act_id": ID, "act": POINTS}),
    ("what-if", "post"): ("matches/{code}/what-if/", {"options": {}}),
    ("verify", "post"): ("matches/{code}/verify/", {}),
    ("export", "post"): ("export/", {}),
    ("job-cancel", "post"): (f"jobs/{ID}/cancel/", {}),
    ("check-deck", "post"): ("games/zg/check-deck/", {"deck": None}),
    ("tool", "post"): ("games/zg/compare/", {"attack": "R G B", "target": "R G B"}),
}
FILES = {("matches-import", "post"): "matches/import/"}

ACT = "matches/{code}/acts/"
CUT = "matches/{code}/cut/"
BACK = "matches/{code}/take-back/"
SCRIBE = "matches/{code}/scribe/"
PROPOSALS = "matches/{code}/proposals/"
PROPOSAL = PROPOSALS + ID + "/"
CORRECT = "matches/{code}/correct/"
OFFICIALS = "matches/{code}/officials/"


def points(**fields: Any) -> dict[str, Any]:
    return {"id": ID, "act": {**POINTS, **fields}}


def correction(**fields: Any) -> dict[str, Any]:
    two = {**POINTS, "points": 2}
    return {"id": ID, "act_id": RECORDED, "act": two, "reason": "Misread.", **fields}


# What is well formed, and still not to be had: path, body, status, code.
WRONG: dict[str, tuple[str, Any, int, str]] = {
    "an id of null": (ACT, {"id": None, "act": POINTS}, 400, "wrong-type"),
    "an id that is none": (ACT, {"id": "7", "act": POINTS}, 400, "wrong-type"),
    "no act": (ACT, {"id": ID}, 400, "missing-field"),
    "a list for an act": (ACT, {"id": ID, "act": [POINTS]}, 400, "wrong-type"),
    "an unknown act": (ACT, {"id": ID, "act": {"type": "dance"}}, 400, "unknown-value"),
    "an act without a type": (ACT, {"id": ID, "act": {"seat": 1}}, 400, "missing-field"),
    "a consequence": (ACT, {"id": ID, "act": {"type": "game-ended"}}, 400, "unknown-value"),
    "true for a seat": (ACT, points(seat=True), 400, "wrong-type"),
    "a text for a seat": (ACT, points(seat="1"), 400, "wrong-type"),
    "seat 0": (ACT, points(seat=0), 422, "wrong-seat"),
    "seat 3 of 2": (ACT, points(seat=3), 422, "wrong-seat"),
    "seat -1": (ACT, points(seat=-1), 422, "wrong-seat"),
    "a field too many": (ACT, points(colour="red"), 400, "unknown-field"),
    "a future version": (ACT, {**points(), "after": 99}, 409, "after-unknown"),
    "a version gone by": (ACT, {**points(), "after": 1}, 409, "moved-on"),
    "a negative version": (ACT, {**points(), "after": -1}, 400, "out-of-range"),
    "an act before that is not here": (ACT, {**points(), "after": ID}, 409, "after-unknown"),
    "yes for true": (ACT, {**points(), "irregular": "yes"}, 400, "wrong-type"),
    "a note where none goes": (ACT, {**points(), "note": "why"}, 400, "no-note"),
    "a note too long": (ACT, {**points(), "note": "x" * 2001}, 400, "bad-length"),
    "a time without a zone": (ACT, {**points(), "said_at": "2026-01-01T00:00:00"}, 400, "bad-time"),
    "no time": (ACT, {**points(), "said_at": "noon"}, 400, "wrong-type"),
    "an opening by hand": (
        ACT,
        {"id": ID, "act": {"type": "opened", "ruleset": "score@1", "options": {}, "seats": []}},
        422,
        "not-by-hand",
    ),
    "a seed by hand": (
        ACT,
        {"id": ID, "act": {"type": "seed-revealed", "seed": "00"}},
        422,
        "not-by-hand",
    ),
    "back to version 0": (BACK, {"id": ID, "to": 0}, 400, "out-of-range"),
    "back to the future": (BACK, {"id": ID, "to": 99}, 422, "no-such-version"),
    "back to where it is": (BACK, {"id": ID, "to": 2}, 422, "already-there"),
    "back to a text": (BACK, {"id": ID, "to": "1"}, 400, "wrong-type"),
    "a scribe over nobody known": (SCRIBE, {"over": ID}, 409, "not-the-scribe"),
    "a scribe over a text": (SCRIBE, {"over": "me"}, 400, "wrong-type"),
    "a scribe renewed who is not": (SCRIBE + "renew/", {"id": ID}, 409, "not-the-scribe"),
    "a scribe ended who is not": (SCRIBE + "end/", {"id": ID}, 404, "no-such-scribe"),
    "a proposal of seat 0": (PROPOSALS, points(seat="0"), 400, "wrong-type"),
    "a proposal without sense": (PROPOSALS, {"id": ID, "act": {}}, 400, "missing-field"),
    "an opening proposed": (
        PROPOSALS,
        {"id": ID, "act": {"type": "opened", "ruleset": "score@1", "options": {}, "seats": []}},
        422,
        "not-by-hand",
    ),
    "a proposal that is not there": (PROPOSAL, {"decision": "accept"}, 404, "no-such-proposal"),
    "no such decision": (PROPOSAL, {"decision": "wait"}, 400, "unknown-value"),
    "merged with nothing": (PROPOSAL, {"decision": "merge"}, 400, "missing-field"),
    "back from elsewhere": (BACK, {"id": ID, "to": 1, "after": 1}, 409, "moved-on"),
    "back with an essay": (BACK, {"id": ID, "to": 1, "reason": "x" * 2001}, 400, "bad-length"),
    "a correction of nothing": (CORRECT, correction(act_id=ID), 422, "act-unknown"),
    "a correction that says the same": (CORRECT, correction(act=POINTS), 422, "nothing-changes"),
    "a correction without an act": (CORRECT, {"id": ID, "act_id": RECORDED}, 400, "missing-field"),
    "a correction by a list": (CORRECT, correction(act=[POINTS]), 400, "wrong-type"),
    "a correction of the past": (CORRECT, correction(after=1), 409, "moved-on"),
    "a correction of the future": (CORRECT, correction(after=99), 409, "after-unknown"),
    "a correction by an unknown act": (
        CORRECT,
        correction(act={"type": "dance"}),
        400,
        "unknown-value",
    ),
    "a correction by a taking back": (
        CORRECT,
        correction(act={"type": "taken-back", "to": 1}),
        422,
        "not-an-act",
    ),
    "a correction by a seed": (
        CORRECT,
        correction(act={"type": "seed-revealed", "seed": "00"}),
        422,
        "not-by-hand",
    ),
    "a correction by a wrong seat": (
        CORRECT,
        correction(act={**POINTS, "seat": 3}),
        422,
        "wrong-seat",
    ),
    "a correction against the rules": (
        CORRECT,
        correction(act={"type": "game-closed"}),
        409,
        "irregular",
    ),
    "a correction with a hash for a note": (
        CORRECT,
        correction(act={"type": "ruled", "result": "draw", "note": "0" * 64}),
        400,
        "note-in-act",
    ),
    "a preview that is no yes or no": (CORRECT, correction(preview="yes"), 400, "wrong-type"),
    "a correction with an essay": (CORRECT, correction(reason="x" * 2001), 400, "bad-length"),
    "a correction with NUL in its reason": (CORRECT, correction(reason="a\0b"), 400, "nul"),
    "an official nobody knows": (OFFICIALS, {"player": ID}, 400, "unknown-player"),
    "an official who is none": (OFFICIALS, {"player": None}, 400, "wrong-type"),
    "a stranger dismissed": (OFFICIALS + "end/", {"player": ID}, 400, "unknown-player"),
    "a seat renewed that is not there": ("matches/{code}/seats/9/renew/", {}, 404, "no-such-seat"),
    "a seat taken by no link": ("seats/nothing:forged/", {}, 404, "bad-link"),
    "a seat under NUL": ("seats/nothing:forged/", {"name": "a\0b"}, 400, "nul"),
    "a name of nothing": ("players/", {"name": ""}, 400, "bad-length"),
    "a name of blanks": ("players/", {"name": "   "}, 400, "bad-length"),
    "a name too long": ("players/", {"name": "x" * 81}, 400, "bad-length"),
    "nine seats": ("matches/", {"ruleset": "score", "seats": [{}] * 9}, 400, "bad-length"),
    "an unknown game": ("matches/", {"ruleset": "go", "seats": [{}]}, 400, "unknown-ruleset"),
    "a game that is no word": ("matches/", {"ruleset": "z g", "seats": [{}]}, 400, "bad-value"),
    "a deck where none goes": (
        "matches/",
        {"ruleset": "score", "seats": [{"deck": {"cards": []}}, {}]},
        400,
        "wrong-type",
    ),
    "a deck of another game": ("games/score/check-deck/", {"deck": [1]}, 400, "wrong-type"),
}


ATTACK = {
    "type": "attacked",
    "seat": 1,
    "card": "Ridge Helm",
    "end": "a",
    "foe": 2,
    "target": "Tide Shield",
    "target_end": "a",
}
# What cannot be in a match of cards: changes to a good attack, status, code.
WRONG_ATTACKS: dict[str, tuple[dict[str, Any], int, str]] = {
    "an unknown card": ({"card": "Nothing"}, 422, "no-such-card"),
    "a card of the foe": ({"card": "Tide Shield"}, 422, "no-such-card"),
    "an unknown target": ({"target": "Nothing"}, 422, "no-such-card"),
    "a target of one's own": ({"target": "Ridge Helm"}, 422, "no-such-card"),
    "a homoglyph": ({"card": "Ridge Неlm"}, 422, "no-such-card"),
    "no card": ({"card": ""}, 422, "no-such-card"),
    "a number for a card": ({"card": 1}, 400, "wrong-type"),
    "oneself for a foe": ({"foe": 1}, 422, "own-seat"),
    "nobody for a foe": ({"foe": 3}, 422, "no-such-seat"),
    "seat 3 of 2": ({"seat": 3}, 422, "wrong-seat"),
    "a third end": ({"end": "c"}, 400, "unknown-value"),
    "dot 4": ({"augments": [4]}, 400, "out-of-range"),
    "a spin of fate": ({"spin": "fate"}, 400, "unknown-value"),
    "1 for true": ({"half_turn": 1}, 400, "wrong-type"),
    "a consequence in it": ({"strikes": 3}, 400, "unknown-field"),
    "a consequence for it": ({"type": "card-slagged"}, 400, "unknown-value"),
}


def counts() -> dict[str, int]:
    """Return how many rows are in every table, and where the feed is: asked in one query."""
    each = [f"SELECT '{table.__name__}', COUNT(*) FROM {table._meta.db_table}" for table in TABLES]
    head = f"SELECT 'feed', COALESCE(MAX(position), 0) FROM {FeedHead._meta.db_table}"
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join([*each, head]))
        return dict(cursor.fetchall())


LONG = ("cards-import", "characters-paste")  # take a text longer than other requests


def killing() -> Iterator[Any]:
    for key, (path, valid) in ROUTES.items():
        deadly = killers.of_json(valid, long=key[0] in LONG)
        yield pytest.param(key[1], path, "application/json", deadly, id=" ".join(key))
    for key, path in FILES.items():
        for media in ("application/x-ndjson", "text/plain"):
            yield pytest.param(key[1], path, media, killers.of_file(), id=f"{key[0]} {media}")


@pytest.fixture
def table() -> Match:
    """A match at version 2, and an account to sign in to."""
    factories.user("ada")
    match = factories.match()
    factories.record(match, act_id=UUID(RECORDED))
    return match


def send(table: Match, caller: Api, path: str, data: Any, **options: Any) -> Any:
    player = factories.opener_of(table).player_id
    return caller.post(path.format(code=table.code, player=player), data, **options)


def test_every_writing_route_is_in_the_table() -> None:
    writing = {key for key in endpoints() if key[1] != "get"}
    assert writing == set(ROUTES) | set(FILES) | set(leagues.ROUTES) | set(leagues.FILES)


@pytest.mark.parametrize(("method", "path", "media", "deadly"), [*killing()])
def test_what_is_malformed_is_refused_and_writes_nothing(
    table: Match,
    subtests: pytest.Subtests,
    method: str,
    path: str,
    media: str,
    deadly: dict[str, killers.Killer],
) -> None:
    caller = by_opener(table)
    before = counts()
    for name, (data, status, code) in deadly.items():
        cache.clear()  # not the tries at the door are meant here
        with subtests.test(name):
            answer = send(table, caller, path, data, method=method, content_type=media)
            problem(answer, status, code or answer.json()["code"])
            assert counts() == before


def test_a_body_is_read_before_what_it_is_about(table: Match, subtests: pytest.Subtests) -> None:
    caller = by_opener(table)
    for (name, method), (path, _) in (ROUTES | leagues.ROUTES).items():
        with subtests.test(name):
            cache.clear()  # not the tries at the door are meant here
            address = path.format(code="NOWHERE", player=ID)
            answer = caller.post(address, b"{", method=method, content_type="application/json")
            problem(answer, 400, "not-json")


@pytest.mark.parametrize("name", WRONG)
def test_what_can_not_be_is_refused_and_writes_nothing(table: Match, name: str) -> None:
    path, data, status, code = WRONG[name]
    caller = by_opener(table)
    before = counts()
    method = "patch" if path == CUT else "post"
    problem(send(table, caller, path, data, method=method), status, code)
    assert counts() == before


@pytest.mark.parametrize("name", WRONG_ATTACKS)
def test_an_attack_that_can_not_be_is_refused_and_writes_nothing(name: str) -> None:
    decks = rules.get("zg").tools["sample-decks"]()
    seats = [
        factories.SeatRequest(label=figure, deck=decks[figure]) for figure in ("Ensign", "Merc")
    ]
    match = factories.match(game="zg", seats=seats)
    change, status, code = WRONG_ATTACKS[name]
    caller = by_opener(match)
    before = counts()
    problem(send(match, caller, ACT, {"id": ID, "act": {**ATTACK, **change}}), status, code)
    assert counts() == before
    assert send(match, caller, ACT, {"id": ID, "act": ATTACK}).status_code == 201


@pytest.mark.parametrize(
    ("act", "irregular"), [({**POINTS, "points": 2}, False), ({"type": "game-closed"}, True)]
)
def test_a_good_correction_is_recorded(table: Match, act: Any, irregular: bool) -> None:
    """What the wrong ones above are made from."""
    data = correction(act=act, irregular=irregular)
    assert send(table, by_opener(table), CORRECT, data).status_code == 201


@pytest.mark.parametrize("path", [ACT, BACK, CORRECT])
def test_a_match_of_others_is_refused_and_not_written_to(table: Match, path: str) -> None:
    stranger = Api(factories.user())
    data = {ACT: points(), BACK: {"id": ID, "to": 1}, CORRECT: correction()}[path]
    before = counts()
    problem(send(table, stranger, path, data), 403, "not-allowed")
    assert counts() == before


@pytest.mark.parametrize(
    ("act", "code"), [(POINTS, "match-over"), ({"type": "conceded", "seat": 1}, "match-over")]
)
def test_a_finished_match_takes_no_more(table: Match, act: dict[str, Any], code: str) -> None:
    factories.record(table, {"type": "conceded", "seat": 2})
    caller = by_opener(table)
    before = counts()
    problem(send(table, caller, ACT, {"id": ID, "act": act}), 422, code)
    assert counts() == before


def test_a_withdrawn_match_takes_no_more(table: Match) -> None:
    table.log.status = Log.Status.WITHDRAWN
    table.log.save()
    caller = by_opener(table)
    before = counts()
    problem(send(table, caller, ACT, points()), 409, "withdrawn")
    assert counts() == before


def test_a_match_that_is_not_there_takes_nothing(table: Match) -> None:
    caller = by_opener(table)
    for code in ("ABCDEF", "a" * 500, str(uuid4())):
        problem(caller.post(f"matches/{code}/acts/", points()), 404, "no-such-match")


@pytest.mark.parametrize("code", ["%00", "%FF", "..", "%F0%9F%98%80", "%ED%A0%80"])
def test_a_code_that_is_none_is_404(table: Match, code: str) -> None:
    answer = by_opener(table).post(f"matches/{code}/acts/", points())
    problem(answer, 404, "not-found")


@pytest.mark.parametrize("name", ["\0", "\ud800".encode("utf-8", "surrogatepass"), "x" * 5000])
@pytest.mark.parametrize("path", ["matches/", "players/", "feed/"])
def test_a_strange_parameter_is_no_fault_of_ours(table: Match, path: str, name: Any) -> None:
    caller = by_opener(table)
    for field in ("player", "name", "after", "ruleset", "cursor", "format"):
        assert caller.get(path, **{field: name}).status_code in (200, 400, 404, 406)


UNSEEN = "\u3164"
NAMED = {
    "a player": ("players/", {"name": UNSEEN}),
    "a match": ("matches/", {"ruleset": "score", "title": UNSEEN, "seats": [{}, {}]}),
    "a guest at a table": ("matches/", {"ruleset": "score", "seats": [{"name": UNSEEN}, {}]}),
    "a league": ("leagues/", {"name": UNSEEN}),
    "a tournament": ("tournaments/", {"title": UNSEEN}),
    "a campaign": ("campaigns/", {"name": UNSEEN}),
    "a character": ("characters/paste/", {"text": "Goals:\nFly", "answers": {"name": UNSEEN}}),
    "a card": ("cards/", {"game": "zg", "card": {"name": UNSEEN, "slot": "Claw"}}),
    "a set of cards": (
        "cards/",
        {"game": "zg", "card": {"name": "Grip", "slot": "Claw"}, "set": UNSEEN},
    ),
}


@pytest.mark.parametrize("what", NAMED)
def test_nothing_has_a_name_of_which_nothing_is_seen(what: str) -> None:
    path, sent = NAMED[what]
    problem(Api(factories.actor()).post(path, sent), 400, "unseen")
