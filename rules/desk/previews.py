"""What a change would do to what was computed: places, brackets, cuts and pairings."""

import msgspec

from rules.desk.pairing import propose
from rules.desk.results import decide, evolve
from rules.desk.standings import order_of, stale_tables
from rules.desk.state import Desk, State, is_in, round_at
from rules.ruleset import Act, Event


class Moved(msgspec.Struct, frozen=True):
    """A row of a stage's standings that a change moves; place and points before and after."""

    stage: int
    entrant: int
    places: tuple[int, int]


class Blast(msgspec.Struct, frozen=True, omit_defaults=True):
    """What two states of a desk do not agree on.

    `stale`: tables, by round and number, whose players are no longer those the results before
    give. `into` and `out_of` each cut: by stage, who would be. `redrawn`: open or later rounds
    that the machine would pair otherwise now, with how many of their tables.
    """

    moved: tuple[Moved, ...] = ()
    stale: tuple[tuple[int, int], ...] = ()
    into: tuple[tuple[int, int], ...] = ()
    out_of: tuple[tuple[int, int], ...] = ()
    redrawn: tuple[tuple[int, int], ...] = ()


def preview(state: State, act: Act) -> Blast:
    """Return what an act would change of what was computed from earlier ones."""
    after = state
    events: tuple[Event, ...] = (act, *decide(state, act))
    for event in events:
        after = evolve(after, event)
    return difference(state.desk, after.desk)


def difference(before: Desk, after: Desk) -> Blast:
    moved: list[Moved] = []
    stale: list[tuple[int, int]] = []
    into: list[tuple[int, int]] = []
    out_of: list[tuple[int, int]] = []
    for index in range(min(len(before.stages), len(after.stages))):
        was, now = order_of(before, index), order_of(after, index)
        places = {player: place for place, player in enumerate(was, 1)}
        moved += [
            Moved(index + 1, player, (places.get(player, 0), place))
            for place, player in enumerate(now, 1)
            if places.get(player, 0) != place
        ]
        known = set(stale_tables(before, index))
        stale += [each for each in stale_tables(after, index) if each not in known]
        cut = before.stages[index].cut
        if cut and index < len(after.stages):
            fresh = set(_cut_again(after, index, len(cut)))
            into += [(index + 1, player) for player in sorted(fresh - set(cut))]
            out_of += [(index + 1, player) for player in sorted(set(cut) - fresh)]
    redrawn = _redrawn(before, after)
    return Blast(tuple(moved), tuple(stale), tuple(into), tuple(out_of), redrawn)


def _cut_again(desk: Desk, index: int, size: int) -> tuple[int, ...]:
    return tuple(player for player in order_of(desk, index) if is_in(desk, player))[:size]


def _redrawn(before: Desk, after: Desk) -> tuple[tuple[int, int], ...]:
    """Return the rounds that other results pair otherwise now, with how many of their tables.

    Who came and went since does not count: a round was paired from who was there.
    """
    found = []
    now = msgspec.structs.replace(before, rounds=after.rounds)
    for number, (was, each) in enumerate(zip(before.rounds, after.rounds, strict=False), 1):
        if (was.stage, was.seed) != (each.stage, each.seed):
            break  # from here on they are other rounds
        tables = set(_as_paired(now, number)) - set(_as_paired(before, number))
        if tables - {table.players for table in each.tables}:
            found.append((number, len(tables)))
    return tuple(found)


def _as_paired(desk: Desk, number: int) -> tuple[tuple[int, ...], ...]:
    """Return how the machine pairs a round again from the rounds before it; none made by hand."""
    this_round = round_at(desk, number)
    if this_round.by_hand:
        return ()
    stages = desk.stages[: this_round.stage + 1]
    earlier = msgspec.structs.replace(desk, rounds=desk.rounds[: number - 1], stages=stages)
    return propose(earlier, this_round.seed).pairings
