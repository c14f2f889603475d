"""Calls for an official: by who sits there, until somebody answers or the round is closed."""

import pytest

from rules.desk.state import Table
from rules.replay import Timeline
from tests.rules.desk.table import RULESET, desk_of, more, played, reason, verdict

BEGUN = ("enter 4", "stage-started swiss rounds=2", "round-paired swiss 1", "round-published 1")
REPORTED = ("result-reported 1 1 scores=[1,0]", "result-reported 1 2 scores=[1,0]")


def _table(timeline: Timeline) -> Table:
    return desk_of(timeline).rounds[0].tables[0]


def _called(*lines: str) -> tuple[Timeline, int, int]:
    """Return a tournament in which the first player of a table calls, and who sits there."""
    history = played(*BEGUN, *lines)
    one, two = _table(history).players
    return more(history, f"official-called 1 1 {one}"), one, two


def test_a_call_lasts_until_it_is_answered() -> None:
    history, one, two = _called()
    assert _table(history).called == one
    assert verdict(history, f"official-called 1 1 {two}") == "impossible called-already"
    for answered in ("call-answered 1 1", f"call-answered 1 1 by={two}"):
        over = more(history.copy(), answered)
        assert _table(over).called == 0
        assert verdict(over, f"official-called 1 1 {two}") == "legal"


def test_a_call_lapses_with_its_round_and_its_pairing() -> None:
    history, *_ = _called()
    swapped = desk_of(history).rounds[0].tables[1].players[0]
    assert _table(more(history.copy(), f"pairing-changed 1 1 {swapped} NOTE")).called == 0
    assert _table(more(history, *REPORTED)).called  # a result ends no call
    assert _table(more(history, "round-closed 1")).called == 0


@pytest.mark.parametrize(
    ("lines", "line", "code"),
    [
        ((), "official-called 1 1 5", "not-at-the-table"),
        ((), "official-called 2 1 1", "no-such-round"),
        ((), "call-answered 1 1", "nobody-called"),
        ((*REPORTED, "round-closed 1"), "official-called 1 1 ONE", "round-is-closed"),
    ],
)
def test_a_call_comes_from_a_table_of_the_round_under_way(
    lines: tuple[str, ...], line: str, code: str
) -> None:
    history = played(*BEGUN, "enter 1", *lines)
    line = line.replace("ONE", str(_table(history).players[0]))
    assert verdict(history, line) == f"impossible {code}"
    assert reason(history, line)


def test_a_call_is_told_in_words() -> None:
    history, one, _ = _called()
    more(history, f"call-answered 1 1 by={one}", f"official-called 1 1 {one}", "call-answered 1 1")
    state = history.head.state
    assert [RULESET.tell(each.act, state) for each in history.entries[-4:]] == [
        f"Round 1, table 1: Entrant {one} calls an official.",
        f"Round 1, table 1: Entrant {one} needs no official any more.",
        f"Round 1, table 1: Entrant {one} calls an official.",
        "Round 1, table 1: the call is answered.",
    ]
    assert b"called" not in RULESET.dump(state)
