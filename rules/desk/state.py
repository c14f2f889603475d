"""The state of a tournament: what was recorded, nothing that can be computed from it."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from rules.desk.acts import DeskOpened, Entrant, PairingChanged, StageStarted, Worth


class Granted(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A requested bye."""

    round: int
    worth: Worth = "half"


class Person(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """An entrant. `table` is their fixed table; for `seats` and `lean` see `Entered`.

    `behind`: how many had entered when they came back to the waiting list.
    """

    label: str = ""
    ref: str = ""
    rating: int = 0
    status: Literal["in", "waiting", "dropped", "disqualified"] = "in"
    here: bool = False
    table: int = 0
    byes: tuple[Granted, ...] = ()
    seats: tuple[int, ...] = ()
    lean: int = 0
    behind: int = 0


OUT = "disqualification"


class Penalty(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A penalty on record, unless it was `withdrawn`; its number is its place in the list."""

    entrant: Entrant
    infraction: str
    penalty: str
    demerits: int = 0
    round: int = 0
    withdrawn: bool = False


class Result(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What happened at a table, as recorded: see `ResultReported` and `Ruled`.

    `left` is what was compared when time was up; the resulting win or loss by both is recorded
    beside it.
    """

    scores: tuple[int, ...] = ()
    drawn: int = 0
    absent: tuple[Entrant, ...] = ()
    lost: bool = False
    left: tuple[int, ...] = ()


class Table(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A table of a round: its players in order of seats, and its result.

    `slot` names a match of a bracket; `by` is who reported; `claim` is a differing report by
    another. `changed`: by hand; `corrected`: how many times; `extra`: additional minutes of this
    table only. `appeal`: of an official's ruling, if rulings may be appealed; final once decided.
    `called` is who asks for an official, 0 for nobody. `plays_at` is the time agreed, in seconds
    since 1970, 0 for none; `proposed` are the times that players proposed since, the newest last.
    """

    number: int
    players: tuple[Entrant, ...]
    slot: str = ""
    status: Literal["open", "reported", "disputed", "settled"] = "open"
    result: Result | None = None
    by: Entrant = 0
    claim: Result | None = None
    changed: bool = False
    corrected: int = 0
    extra: int = 0
    appeal: Literal["", "may", "open", "rejected", "granted"] = ""
    called: Entrant = 0
    plays_at: int = 0
    proposed: tuple[tuple[Entrant, int], ...] = ()


class Round(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A round. `stage` is its stage's index; `order` the standings recorded when it was closed.

    Its clock may be `paused`, and have `extra` minutes.
    """

    stage: int
    seed: int
    tables: tuple[Table, ...]
    byes: tuple[Entrant, ...] = ()
    by_hand: bool = False
    published: bool = False
    timed: bool = False
    closed: bool = False
    order: tuple[Entrant, ...] = ()
    paused: bool = False
    extra: int = 0


class Stage(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A stage. `players` best seed first; `cut` are those who advance; `ended` early.

    `late`: how many joined an accelerated one after its first round was paired. `annulled`: those
    whose results count for nobody.
    """

    setup: StageStarted
    players: tuple[Entrant, ...]
    ended: bool = False
    cut: tuple[Entrant, ...] = ()
    late: int = 0
    annulled: tuple[Entrant, ...] = ()


class Desk(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """All that changes. `held` is the first round whose results are hidden from the public.

    `announced` is the number of announcements; `unannounced` the numbers of those taken down.
    """

    people: tuple[Person, ...] = ()
    stages: tuple[Stage, ...] = ()
    rounds: tuple[Round, ...] = ()
    forbidden: tuple[tuple[Entrant, ...], ...] = ()
    penalties: tuple[Penalty, ...] = ()
    held: int = 0
    closed: bool = False
    order: tuple[Entrant, ...] = ()
    announced: int = 0
    unannounced: tuple[int, ...] = ()


class State(msgspec.Struct, frozen=True, gc=False):
    setup: DeskOpened
    desk: Desk


BRACKETS = ("single-elimination", "double-elimination")
KNOCKOUTS = (*BRACKETS, "pod-elimination")
WITHOUT_POINTS = (*KNOCKOUTS, "ladder")
"""Formats in which results decide the order themselves, without points."""
OPEN_FORMATS = ("swiss", "pods", "ladder")
"""Formats that take late entries."""

SIZES = (4, 3)


def sizes_of(stage: Stage) -> tuple[int, ...]:
    """Return the sizes of pod tables, the preferred one first."""
    return stage.setup.sizes or SIZES


def with_person(desk: Desk, number: Entrant, **changes: Any) -> Desk:
    person = msgspec.structs.replace(desk.people[number - 1], **changes)
    people = (*desk.people[: number - 1], person, *desk.people[number:])
    return msgspec.structs.replace(desk, people=people)


def with_round(desk: Desk, number: int, **changes: Any) -> Desk:
    changed = msgspec.structs.replace(round_at(desk, number), **changes)
    rounds = (*desk.rounds[: number - 1], changed, *desk.rounds[number:])
    return msgspec.structs.replace(desk, rounds=rounds)


def with_stage(desk: Desk, **changes: Any) -> Desk:
    """Return a desk with its last stage changed."""
    stage = msgspec.structs.replace(desk.stages[-1], **changes)
    return msgspec.structs.replace(desk, stages=(*desk.stages[:-1], stage))


def with_table(desk: Desk, number: int, table: int, **changes: Any) -> Desk:
    tables = round_at(desk, number).tables
    place = next(i for i, each in enumerate(tables) if each.number == table)
    changed = msgspec.structs.replace(tables[place], **changes)
    return with_round(desk, number, tables=(*tables[:place], changed, *tables[place + 1 :]))


def round_at(desk: Desk, number: int) -> Round:
    return desk.rounds[number - 1]


def stage_at(desk: Desk, number: int) -> Stage:
    """Return the stage of a round by the round's number."""
    return desk.stages[round_at(desk, number).stage]


def table_of(desk: Desk, number: int, table: int) -> Table | None:
    """Return a table by the numbers of its round and itself, or None."""
    if not 1 <= number <= len(desk.rounds):
        return None
    tables = round_at(desk, number).tables
    if 1 <= table <= len(tables) and tables[table - 1].number == table:
        return tables[table - 1]
    return next((each for each in tables if each.number == table), None)


def swapped(desk: Desk, event: PairingChanged) -> Desk:
    """Put an entrant on a seat; whoever sat there takes their place, if they had one."""
    number = open_round(desk)
    there = table_of(desk, number, event.table)
    if there is None:
        return desk
    out = there.players[event.seat_number - 1]
    changes = {out: event.entrant, event.entrant: out}

    def moved(table: Table) -> Table:
        players = tuple(changes.get(player, player) for player in table.players)
        if players == table.players:
            return table
        other: dict[str, Any] = {"changed": True, "called": 0, "plays_at": 0, "proposed": ()}
        return msgspec.structs.replace(table, players=players, **other)

    current = round_at(desk, number)
    byes = tuple(changes.get(player, player) for player in current.byes)
    return with_round(desk, number, tables=tuple(map(moved, current.tables)), byes=byes)


def is_annulled(stage: Stage, players: Sequence[Entrant]) -> bool:
    """Tell whether a meeting of these players counts for nobody."""
    return not set(stage.annulled).isdisjoint(players)


def open_appeals(desk: Desk) -> list[tuple[int, Table]]:
    """Return the tables with an open appeal, each with the number of its round."""
    return [
        (number, table)
        for number, each in enumerate(desk.rounds, 1)
        for table in each.tables
        if table.appeal == "open"
    ]


def is_in(desk: Desk, entrant: Entrant) -> bool:
    return 1 <= entrant <= len(desk.people) and desk.people[entrant - 1].status == "in"


def is_disqualified(desk: Desk, entrant: Entrant) -> bool:
    return desk.people[entrant - 1].status == "disqualified"


def entrants(desk: Desk, *statuses: str) -> tuple[Entrant, ...]:
    """Return the entrants with one of these statuses, in order of entry."""
    return tuple(n for n, person in enumerate(desk.people, 1) if person.status in statuses)


def disqualifying(desk: Desk, entrant: Entrant) -> int:
    """Return the number of a penalty on record that disqualifies an entrant, 0 if there is none."""
    for number, each in enumerate(desk.penalties, 1):
        if each.entrant == entrant and each.penalty == OUT and not each.withdrawn:
            return number
    return 0


def waiting_list(desk: Desk) -> tuple[Entrant, ...]:
    """Return who waits for a place, in order of entry; who came back is behind those before."""
    behind = {n: desk.people[n - 1].behind for n in entrants(desk, "waiting")}
    return tuple(sorted(behind, key=lambda n: (max(n, behind[n]), behind[n])))


def open_round(desk: Desk) -> int:
    """Return the number of the round that is not closed yet, or 0."""
    return len(desk.rounds) if desk.rounds and not desk.rounds[-1].closed else 0


def made_by_hand(this_round: Round) -> bool:
    """Tell whether a round was paired by hand, or a table of it changed."""
    return this_round.by_hand or any(table.changed for table in this_round.tables)


def round_under_way(desk: Desk) -> int:
    """Return the number of the round that is published and not closed yet, or 0."""
    number = open_round(desk)
    return number if number and desk.rounds[-1].published else 0


def takes_more(desk: Desk) -> bool:
    """Tell whether late entrants join the current stage."""
    if not desk.stages or desk.stages[-1].setup.format not in OPEN_FORMATS:
        return False
    return len(desk.stages) == 1 and not desk.stages[-1].cut


def left_outside(desk: Desk) -> tuple[Entrant, ...]:
    """Return those who are in, but missed the start of a current stage that still takes them."""
    if not takes_more(desk):
        return ()
    return tuple(n for n in entrants(desk, "in") if n not in desk.stages[-1].players)


def rounds_of(desk: Desk, stage: int) -> list[tuple[int, Round]]:
    """Return the rounds of a stage with their numbers."""
    return [(n, each) for n, each in enumerate(desk.rounds, 1) if each.stage == stage]


def after_round(desk: Desk, number: int) -> Desk:
    """Return a desk without the rounds after one, and without the end of its stage."""
    rounds = desk.rounds[:number]
    last = rounds[-1].stage if rounds else 0
    stages = (
        msgspec.structs.replace(each, ended=each.ended and index < last)
        for index, each in enumerate(desk.stages)
    )
    return msgspec.structs.replace(desk, rounds=rounds, stages=tuple(stages), closed=False)


def keeps_seeds(desk: Desk, stage: int) -> bool:
    """Tell whether the order of a stage's players would reveal results of earlier, held rounds."""
    before = sum(each.stage < stage for each in desk.rounds)
    return 0 < desk.held <= before


def seated(desk: Desk, stage: int) -> list[Entrant]:
    """Return the players named in the published rounds of a stage, in order of their numbers."""
    rounds = [each for _, each in rounds_of(desk, stage) if each.published]
    tables = [table.players for each in rounds for table in each.tables]
    return sorted({player for some in (*tables, *(r.byes for r in rounds)) for player in some})


def available(state: State) -> tuple[Entrant, ...]:
    """Return who can play a stage that starts now, after any cut."""
    desk = state.desk
    if desk.stages and desk.stages[-1].cut:
        return tuple(each for each in desk.stages[-1].cut if is_in(desk, each))
    need = state.setup.options.check_in
    return tuple(n for n in entrants(desk, "in") if desk.people[n - 1].here or not need)
