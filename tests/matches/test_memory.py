"""The cache of logs never goes backwards."""

from typing import Any
from uuid import uuid4

import pytest

from matches import memory, services
from matches.memory import LoadedLog
from matches.services import CorrectionRequest
from rules.ruleset import Event, event_type
from tests import factories
from tests.matches.toy import Toy

pytestmark = pytest.mark.django_db(transaction=True)

HEADS = {"type": "tossed", "seat": 1, "side": "heads"}
DRAWN = {"type": "tossed", "spin": "server"}


def test_a_slow_reader_does_not_replace_a_newer_cached_log() -> None:
    match = factories.match()
    slow = LoadedLog(match.log)
    slow.catch_up()
    factories.record(match, factories.points(1))
    memory.forget(match.log)
    known = memory.loaded(match.log)
    assert known.version == slow.version + 1
    assert memory.keep(slow) is known
    assert memory.loaded(match.log) is known


def test_a_cached_log_with_another_history_is_replaced() -> None:
    """As after a log is restored from a copy."""
    match = factories.match()
    other = factories.match()
    known, fresh = memory.loaded(match.log), LoadedLog(other.log)
    fresh.catch_up()
    fresh.pk = match.log.pk
    assert memory.keep(fresh) is fresh
    assert memory.keep(known) is known


def test_an_act_is_folded_once(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    match = factories.match(game="toy")
    folded = []

    def evolve(state: Any, event: Event) -> Any:
        folded.append(event_type(event))
        return Toy.evolve(toy, state, event)

    monkeypatch.setattr(toy, "evolve", evolve)
    factories.record(match, HEADS)
    assert memory.loaded(match.log).version == 2
    assert folded == ["tossed", "point-won"]


def test_an_entry_in_memory_equals_what_its_rows_fold_to() -> None:
    by = factories.actor()
    match = factories.match(by, game="toy")
    first = uuid4()
    factories.record(match, HEADS, act_id=first)
    factories.record(match, DRAWN | {"seat": 2})
    factories.record(match, HEADS)
    services.take_back(match=match, by=by, act_id=uuid4(), to=3)
    services.correct(
        match=match,
        by=by,
        correction_id=uuid4(),
        request=CorrectionRequest(first, HEADS | {"side": "tails"}, reason="It fell so."),
    )
    factories.record(match, {"type": "ruled", "winner": 1})
    known, fresh = memory.loaded(match.log), LoadedLog(match.log)
    fresh.catch_up()
    assert known.timeline.head.revealed
    assert known.timeline.entries == fresh.timeline.entries
    assert known.timeline.moments == fresh.timeline.moments
    assert known.marks == fresh.marks
