"""When a table is played: what its players agree on, or the desk sets."""

import pytest

from rules.desk.state import Table
from rules.replay import Timeline
from tests.rules.desk.table import RULESET, consequences, desk_of, more, played, reason, verdict

BEGUN = ("enter 4", "stage-started swiss rounds=2", "round-paired swiss 1", "round-published 1")
SOON, LATER = 1_900_000_000, 1_900_090_000


def _begun(*lines: str) -> Timeline:
    return played(*BEGUN, *lines)


def _table(timeline: Timeline) -> Table:
    return desk_of(timeline).rounds[0].tables[0]


def _by(timeline: Timeline, *said: tuple[int, int]) -> Timeline:
    """Let players in these seats, 0 for the desk, propose times."""
    seated = (0, *_table(timeline).players)
    return more(timeline, *(f"time-proposed 1 1 {at} by={seated[seat]}" for seat, at in said))


@pytest.mark.parametrize(
    ("said", "plays_at", "proposed"),
    [
        (((1, SOON),), 0, ((1, SOON),)),
        (((1, SOON), (2, SOON)), SOON, ()),
        (((1, SOON), (2, LATER)), 0, ((1, SOON), (2, LATER))),
        (((1, SOON), (2, LATER), (1, LATER)), LATER, ()),
        (((0, SOON),), SOON, ()),
        (((1, SOON), (0, LATER)), LATER, ()),
        (((0, SOON), (1, LATER)), SOON, ((1, LATER),)),
        (((0, SOON), (1, LATER), (1, SOON)), SOON, ()),
        (((0, SOON), (1, LATER), (2, LATER)), LATER, ()),
    ],
    ids=["one", "both", "differ", "given in", "desk", "over", "again", "kept", "moved"],
)
def test_a_time_is_agreed_once_all_proposed_it_or_the_desk_sets_it(
    said: tuple[tuple[int, int], ...], plays_at: int, proposed: tuple[tuple[int, int], ...]
) -> None:
    table = _table(_by(_begun(), *said))
    seats = tuple((table.players.index(who) + 1, at) for who, at in table.proposed)
    assert (table.plays_at, seats) == (plays_at, proposed)


def test_at_a_table_of_four_all_have_to_propose_it() -> None:
    history = played("enter 4", "stage-started pods rounds=1", "round-paired pods 1")
    more(history, "round-published 1")
    *first, last = _table(history).players
    more(history, *(f"time-proposed 1 1 {SOON} by={player}" for player in first))
    assert _table(history).plays_at == 0
    assert _table(more(history, f"time-proposed 1 1 {SOON} by={last}")).plays_at == SOON


def test_a_time_is_told_in_words() -> None:
    history = _by(_begun(), (1, SOON), (0, LATER))
    assert consequences(history) == ["time-agreed"]
    *_, one, two = history.entries
    said = [RULESET.tell(event, history.head.state) for event in (*one.events, *two.events)]
    named = _table(history).players[0]
    assert said == [
        f"Round 1, table 1: Entrant {named} proposes when to play.",
        "Round 1, table 1: the desk sets when to play.",
        "Round 1, table 1: the time is agreed.",
    ]


@pytest.mark.parametrize(
    ("lines", "line", "code"),
    [
        ((), f"time-proposed 2 1 {SOON}", "no-such-round"),
        ((), f"time-proposed 1 3 {SOON}", "no-such-table"),
        ((), f"time-proposed 1 1 {SOON} by=5", "not-at-the-table"),
        ((), "time-proposed 1 1 0", "out-of-range"),
        ((), f"time-proposed 1 1 {2**32}", "out-of-range"),
        (("result-reported 1 1 scores=[1,0]",), f"time-proposed 1 1 {SOON}", "settled-already"),
    ],
)
def test_a_time_is_proposed_for_an_open_table_by_who_sits_there(
    lines: tuple[str, ...], line: str, code: str
) -> None:
    history = _begun("enter 1", *lines)
    assert verdict(history, line) == f"impossible {code}"
    assert reason(history, line)


def test_a_time_ends_with_its_pairing() -> None:
    history = _by(_begun(), (0, SOON), (1, LATER))
    elsewhere = desk_of(history).rounds[0].tables[1].players[0]
    more(history, f"pairing-changed 1 1 {elsewhere} NOTE")
    assert (_table(history).plays_at, _table(history).proposed) == (0, ())


def test_without_times_states_read_as_ever() -> None:
    dump = RULESET.dump(_begun().head.state)
    assert b"plays_at" not in dump
    assert b"proposed" not in dump
