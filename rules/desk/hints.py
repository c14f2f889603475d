"""Facts of a tournament that may deserve an official's look, with the entries they are based on.

They state what the log contains and nothing about the reasons.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Literal

import msgspec

from rules.desk.acts import (
    DisputeOpened,
    Entrant,
    ResultConfirmed,
    ResultCorrected,
    ResultDisputed,
    ResultReported,
    Ruled,
)
from rules.desk.state import Desk, Table, rounds_of
from rules.desk.worth import present
from rules.replay import Timeline

Where = tuple[int, int]
"""The numbers of a round and of a table in it."""
OFTEN = 2
"""How often something must occur to be listed."""


class Hint(msgspec.Struct, frozen=True):
    """A fact: about whom, in which rounds, based on which entries."""

    code: Literal["drew-into-cut", "walked-into-cut", "drew-again", "disputed-again"]
    entrants: tuple[Entrant, ...]
    rounds: tuple[int, ...]
    entries: tuple[int, ...]


def hints(timeline: Timeline) -> tuple[Hint, ...]:
    """Return the hints in the order of their rounds."""
    desk: Desk = timeline.head.state.desk
    recorded = _result_entries(timeline)
    found = [*_into_cut(desk, recorded), *_drew_again(desk, recorded), *_disputed(timeline)]
    return tuple(sorted(found, key=lambda each: (each.rounds, each.entrants)))


def _result_entries(timeline: Timeline) -> Mapping[Where, list[int]]:
    """Return the effective entries with a result, by round and table."""
    found: dict[Where, list[int]] = defaultdict(list)
    for entry in timeline.history():
        act = entry.act
        if isinstance(act, ResultReported | ResultConfirmed | Ruled | ResultCorrected):
            found[act.round, act.table].append(entry.version)
    return found


def _is_drawn(table: Table) -> bool:
    """Tell whether two players who were both present drew."""
    result = table.result
    if result is None or result.lost or result.absent or len(table.players) != 2:
        return False
    return len(set(result.scores)) == 1


def _is_walkover_into(cut: Set[Entrant], table: Table) -> bool:
    """Tell whether one of two did not show up, and the other alone made a cut."""
    there = present(table)
    return len(table.players) == 2 and len(there) == 1 and cut & {*table.players} == {*there}


def _into_cut(desk: Desk, recorded: Mapping[Where, Sequence[int]]) -> Iterator[Hint]:
    """Yield draws and walkovers in the last round before a cut that those there made."""
    for index, stage in enumerate(desk.stages):
        played = rounds_of(desk, index)
        if not (stage.cut and played):  # a stage may end before its first round
            continue
        cut, (number, last) = {*stage.cut}, played[-1]
        for table in last.tables:
            pair = tuple(sorted(table.players))
            entries = tuple(recorded.get((number, table.number), ()))
            if _is_drawn(table) and {*pair} <= cut:
                yield Hint("drew-into-cut", pair, (number,), entries)
            elif _is_walkover_into(cut, table):
                yield Hint("walked-into-cut", pair, (number,), entries)


def _drew_again(desk: Desk, recorded: Mapping[Where, Sequence[int]]) -> Iterator[Hint]:
    """Yield players who drew with each other more than once."""
    drawn: dict[tuple[Entrant, ...], list[Where]] = defaultdict(list)
    for number, each in enumerate(desk.rounds, 1):
        for table in filter(_is_drawn, each.tables):
            drawn[tuple(sorted(table.players))].append((number, table.number))
    for pair, places in drawn.items():
        if len(places) >= OFTEN:
            entries = [version for where in places for version in recorded.get(where, ())]
            yield Hint("drew-again", pair, tuple(number for number, _ in places), tuple(entries))


def _disputed(timeline: Timeline) -> Iterator[Hint]:
    """Yield players whose reports others disputed more than once."""
    reports: dict[Where, tuple[Entrant, int]] = {}
    found: dict[Entrant, list[tuple[int, int, int]]] = defaultdict(list)
    for entry in timeline.history():
        act = entry.act
        if not isinstance(act, ResultReported | ResultDisputed):
            continue
        where = act.round, act.table
        by, report = reports.get(where, (0, 0))
        if by and act.by != by and any(isinstance(e, DisputeOpened) for e in entry.events):
            found[by].append((act.round, report, entry.version))
        elif isinstance(act, ResultReported):
            reports[where] = act.by, entry.version
    for entrant, times in found.items():
        if len({number for number, _, _ in times}) >= OFTEN:
            rounds = tuple(sorted({number for number, _, _ in times}))
            entries = sorted({version for _, *both in times for version in both})
            yield Hint("disputed-again", (entrant,), rounds, tuple(entries))
