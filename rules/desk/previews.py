"""The effect of a change on computed results: places, brackets, cuts and pairings."""

from collections.abc import Sequence

import msgspec

from rules.desk.acts import Entrant
from rules.desk.history import desks_paired
from rules.desk.pairing import propose
from rules.desk.standings import order_of, places_of, stale_tables
from rules.desk.state import Desk, Round, Table, is_in, rounds_of, with_table
from rules.replay import Timeline


class Moved(msgspec.Struct, frozen=True):
    """A row of a stage's standings that a change moves, with its places before and after."""

    stage: int
    entrant: int
    places: tuple[int, int]


class Blast(msgspec.Struct, frozen=True, omit_defaults=True):
    """The differences between two states of a desk.

    `stale`: tables, by round and number, whose players are no longer those that the earlier results
    give. `into` and `out_of` each cut: the stage and the entrant who would move. `redrawn`: open or
    later rounds that the machine would now pair differently, with how many of their tables.
    """

    moved: tuple[Moved, ...] = ()
    stale: tuple[tuple[int, int], ...] = ()
    into: tuple[tuple[int, int], ...] = ()
    out_of: tuple[tuple[int, int], ...] = ()
    redrawn: tuple[tuple[int, int], ...] = ()


class Contested(msgspec.Struct, frozen=True):
    """A disputed table and the places that depend on it.

    `places`: of everybody whose place differs, if the first report stands and if the other does.
    """

    round: int
    table: int
    places: tuple[tuple[Entrant, int, int], ...]


def disputed(desk: Desk, index: int) -> list[tuple[int, Table]]:
    """Return the round and the table of each dispute in a stage that has two reports."""
    return [
        (number, table)
        for number, each in rounds_of(desk, index)
        for table in each.tables
        if table.status == "disputed" and table.claim is not None
    ]


def contested(desk: Desk, index: int) -> tuple[Contested, ...]:
    """Return the disputed tables of a stage, and what depends on each."""
    found = []
    for number, table in disputed(desk, index):
        one, other = (
            places_of(
                with_table(desk, number, table.number, status="settled", result=result), index
            )
            for result in (table.result, table.claim)
        )
        places = tuple((n, place, other[n]) for n, place in one.items() if place != other[n])
        found.append(Contested(number, table.number, places))
    return tuple(found)


def difference(one: Timeline, other: Timeline) -> Blast:
    """Return the differences between the heads of two logs."""
    before, after = one.head.state.desk, other.head.state.desk
    moved: list[Moved] = []
    stale: list[tuple[int, int]] = []
    into: list[tuple[int, int]] = []
    out_of: list[tuple[int, int]] = []
    for index in range(min(len(before.stages), len(after.stages))):
        was, now = places_of(before, index), places_of(after, index)
        moved += [
            Moved(index + 1, player, (was.get(player, 0), place))
            for player, place in now.items()
            if was.get(player, 0) != place
        ]
        known = set(stale_tables(before, index))
        stale += [each for each in stale_tables(after, index) if each not in known]
        cut = before.stages[index].cut
        if cut and index < len(after.stages):
            fresh = set(_cut_again(after, index, len(cut)))
            into += [(index + 1, player) for player in sorted(fresh - set(cut))]
            out_of += [(index + 1, player) for player in sorted(set(cut) - fresh)]
    redrawn = _redrawn(desks_paired(one), before, after)
    return Blast(tuple(moved), tuple(stale), tuple(into), tuple(out_of), redrawn)


def _cut_again(desk: Desk, index: int, size: int) -> tuple[int, ...]:
    return tuple(player for player in order_of(desk, index) if is_in(desk, player))[:size]


def _redrawn(paired: Sequence[Desk], before: Desk, after: Desk) -> tuple[tuple[int, int], ...]:
    """Return the rounds that would be paired differently now, with how many of their tables.

    `paired`: the desk at the time each round was paired, so that later entries and drops do not
    count.
    """
    found = []
    rounds = zip(paired, before.rounds, after.rounds, strict=False)
    for number, (then, was, each) in enumerate(rounds, 1):
        if (was.stage, was.seed) != (each.stage, each.seed):
            break  # from here on the rounds are unrelated
        if each.by_hand:
            continue
        now = _as_paired(then, after.rounds[: number - 1], each.seed)
        tables = set(now) - set(_as_paired(then, before.rounds[: number - 1], each.seed))
        if tables - {table.players for table in each.tables}:
            found.append((number, len(tables)))
    return tuple(found)


def _as_paired(then: Desk, earlier: tuple[Round, ...], seed: int) -> tuple[tuple[int, ...], ...]:
    """Return the machine's pairing of the players of then, given the present earlier rounds."""
    return propose(msgspec.structs.replace(then, rounds=earlier), seed).pairings
