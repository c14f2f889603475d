"""Mutated acts of games with boards: no server error, and nothing half-written."""

import os
from typing import Any
from uuid import UUID

import msgspec
import pytest

import rules
from matches import decks, log
from matches.actors import Actor
from matches.models import Event, Match, Note, Player
from rules import bots
from rules.bots import Stream
from rules.ruleset import event_type
from tests import factories
from tests.api.client import Api

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
REQUESTS = int(os.environ.get("MUTATED_ACTS", "60"))
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 3, 7, 99, 10**6, 2**62, -(2**63), 2**63, 1.5),
    *("", " ", "a1", "a9", "d4", "player", "Pier Sentry", "pier sentry", "X1", "G1a", "T", "Q9"),
    *("\u202e", "é" * 90, "x" * 5000, "2", "home", "event"),
    *([], {}, [[]], [None], ["a1"], ["Pier Sentry"] * 70, [1, 2, 3], {"seat": 1}, [-1], [2**40]),
)


def mutated(pick: Stream, act: dict[str, Any], kinds: list[str]) -> Any:
    """Return an act as it must not be, or may be: some fields changed, dropped, added, swapped."""
    found = dict(act)
    for _ in range(1 + pick(3)):
        names = list(found) or ["type"]
        name = names[pick(len(names))]
        match pick(7):
            case 0:
                found.pop(name, None)
            case 1:
                found[f"{name}{'s' * pick(2)}"] = ODD[pick(len(ODD))]
            case 2:
                found["type"] = kinds[pick(len(kinds))]
            case 3:
                found["seat"] = (0, 1, 2, 3, 4, 99, -1, None, "1", 2**40)[pick(10)]
            case 4:
                found["extra"] = ODD[pick(len(ODD))]
            case 5 if isinstance(found.get(name), list):
                found[name] = [*found[name], *found[name], ODD[pick(len(ODD))]]
            case _:
                found[name] = ODD[pick(len(ODD))]
    return found if pick(40) else ODD[pick(len(ODD))]


def table(game: str, seats: int) -> tuple[Match, list[Actor]]:
    """Return a match of a game with a player in every seat; the first opened it."""
    people = [factories.actor() for _ in range(seats)]
    samples = list(decks.samples(rules.get(game)).values()) or [None]
    asked = [
        factories.SeatRequest(player=each.player, deck=samples[n % len(samples)])
        for n, each in enumerate(people)
    ]
    options = {"deck": "demo-99"} if game == "zerpang" else {}
    return factories.match(people[0], game, asked, options=options), people


def counted(match: Match) -> tuple[int, int, int, int]:
    match.log.refresh_from_db()
    rows = Event.objects.filter(log=match.log).count()
    return match.log.head_version, rows, Note.objects.count(), Player.objects.count()


@pytest.mark.parametrize(("game", "seats"), [("zx", 2), ("zerpang", 3)])
def test_mutated_acts_of_a_game(game: str, seats: int) -> None:
    ruleset, pick = rules.get(game), Stream(f"mutated {game}")
    kinds = [event_type(kind) for kind in (*ruleset.acts, ruleset.opened)]
    match, people = table(game, seats)
    asked = [Api(each) for each in (*people, factories.actor(), None)]
    answered: dict[int, int] = {}
    for number in range(REQUESTS):
        timeline = log.load(match.log)
        act = bots.keen_act(ruleset, timeline.head.state, pick) if pick(3) else None
        if ruleset.outcome(timeline.head.state) is not None:
            match, people = table(game, seats)
            asked = [Api(each) for each in (*people, factories.actor(), None)]
            continue
        plain = msgspec.to_builtins(act) if act is not None else {"type": kinds[pick(len(kinds))]}
        before = counted(match)
        act_id = str(UUID(int=pick(2**60) << 60 | number))
        body: dict[str, Any] = {"id": act_id, "act": mutated(pick, plain, kinds)}
        if pick(2):
            body["irregular"] = True
        api = asked[0 if pick(2) else pick(len(asked))]
        answer = api.post(f"matches/{match.code}/acts/", body)

        answered[answer.status_code] = answered.get(answer.status_code, 0) + 1
        assert answer.status_code < 500, (number, body)
        if answer.status_code >= 400:
            assert counted(match) == before, (number, body)
            assert answer.json()["code"], (number, body)
        if (
            not pick(4)
            and act is not None
            and ruleset.judge(log.load(match.log).head.state, act).call == "legal"
        ):
            factories.record(match, msgspec.to_builtins(act))
    assert answered[400] > REQUESTS // 10
