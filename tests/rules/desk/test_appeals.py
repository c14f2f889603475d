"""Appeals: a ruling may be appealed once, and the decision is final."""

import pytest

from rules.desk.state import Table, open_appeals
from rules.replay import Timeline
from rules.ruleset import SetupError, event_type
from tests.rules.desk.table import RULESET, desk_of, more, opened, played, reason, verdict

BEGUN = ("enter 2", "stage-started swiss rounds=1", "round-paired swiss 1", "round-published 1")
RULED = "ruled 1 1 NOTE scores=[1,0]"
CORRECTED = "result-corrected 1 1 NOTE scores=[0,1]"
APPEALED = "ruling-appealed 1 1 1 NOTE"
REJECTED = "appeal-rejected 1 1 NOTE"


def _at(*lines: str, minutes: int = 30) -> Timeline:
    return played(*BEGUN, *lines, appeal_minutes=minutes)


def _table(timeline: Timeline) -> Table:
    return desk_of(timeline).rounds[0].tables[0]


@pytest.mark.parametrize(
    ("lines", "appeal"),
    [
        ((RULED,), "may"),
        (("result-reported 1 1 scores=[1,0]",), ""),
        (("result-reported 1 1 scores=[1,0]", CORRECTED), "may"),
        ((RULED, APPEALED), "open"),
        ((RULED, APPEALED, REJECTED), "rejected"),
        ((RULED, APPEALED, CORRECTED), "granted"),
        ((RULED, APPEALED, CORRECTED, CORRECTED), "granted"),
        ((RULED, "round-closed 1", APPEALED, CORRECTED), "granted"),
    ],
)
def test_a_ruling_is_appealed_and_the_appeal_decided(lines: tuple[str, ...], appeal: str) -> None:
    assert _table(_at(*lines)).appeal == appeal


def test_a_correction_that_grants_an_appeal_says_so() -> None:
    history = _at(RULED, APPEALED, CORRECTED)
    kinds = [event_type(event) for event in history.entries[-1].events]
    assert kinds == ["result-corrected", "appeal-granted"]
    assert [RULESET.tell(e, history.head.state) for e in history.entries[-1].events[1:]] == [
        "Round 1, table 1: the appeal is granted."
    ]


@pytest.mark.parametrize(
    ("lines", "line", "code"),
    [
        ((), APPEALED, "nothing-to-appeal"),
        ((RULED,), "ruling-appealed 1 1 3 NOTE", "not-at-the-table"),
        ((RULED,), 'ruling-appealed 1 1 1 ""', "missing-reason"),
        ((RULED,), REJECTED, "no-appeal"),
        ((RULED,), "result-disputed 1 1 by=1", "is-ruled"),
        ((RULED, APPEALED), APPEALED, "nothing-to-appeal"),
        ((RULED, APPEALED, REJECTED), APPEALED, "nothing-to-appeal"),
        ((RULED, APPEALED, REJECTED), REJECTED, "no-appeal"),
    ],
)
def test_a_ruling_is_appealed_once_by_who_sits_there(
    lines: tuple[str, ...], line: str, code: str
) -> None:
    history = _at("enter 1", *lines)
    assert verdict(history, line) == f"impossible {code}"
    assert reason(history, line)


def test_a_tournament_is_not_closed_over_an_open_appeal() -> None:
    history = _at(RULED, "round-closed 1", APPEALED)
    assert [(number, table.number) for number, table in open_appeals(desk_of(history))] == [(1, 1)]
    assert verdict(history, "tournament-closed") == "irregular appeal-open"
    assert verdict(more(history, REJECTED), "tournament-closed") == "legal"


def test_without_a_time_for_appeals_rulings_are_final_and_read_as_ever() -> None:
    history = _at(RULED, minutes=0)
    assert verdict(history, APPEALED) == "impossible nothing-to-appeal"
    assert b"appeal" not in RULESET.dump(history.head.state)
    assert verdict(history, "result-disputed 1 1 by=1") == "legal"


@pytest.mark.parametrize("minutes", [-1, 14 * 24 * 60 + 1])
def test_a_time_for_appeals_is_bounded(minutes: int) -> None:
    with pytest.raises(SetupError) as refused:
        RULESET.start(opened(appeal_minutes=minutes))
    assert refused.value.problem.code == "bad-appeal"
