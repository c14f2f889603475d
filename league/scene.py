"""A tournament as its pages show it: stages, rounds, tables and brackets, with names, cut."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple
from uuid import UUID

from django.db.models import prefetch_related_objects
from django.utils import formats
from django.utils.translation import gettext, gettext_lazy

from league import dates, desks, policy, reasons, selectors, tiebreaks
from league.desks import Cut
from league.models import FORMATS, Entry, StagePlan, TableMatch, Tournament
from matches.policy import Actor
from rules import texts
from rules.desk import standings
from rules.desk.formats.bracket import Bracket, Slot
from rules.desk.pairing import is_over, planned_rounds, propose
from rules.desk.stages import may_pair, may_start
from rules.desk.state import (
    BRACKETS,
    KNOCKOUTS,
    Desk,
    Result,
    Round,
    Stage,
    State,
    Table,
    done,
    entrants,
    is_in,
    left_outside,
    open_round,
    rounds_of,
)

STATUS: dict[str, Any] = {
    "open": gettext_lazy("to be played"),
    "reported": gettext_lazy("reported, not confirmed"),
    "disputed": gettext_lazy("in dispute"),
    "settled": gettext_lazy("settled"),
}


class Played(NamedTuple):
    """A match at a table of a round, between these players: its code."""

    round: int
    table: int
    players: str
    code: str


@dataclass(frozen=True)
class Side:
    """Somebody at a table: their seat from 1, score and place once there is a result."""

    number: int
    name: str
    seat: int
    score: int | None = None
    place: int | None = None
    absent: bool = False
    me: bool = False
    rests: bool = False  # without a table, and without a bye either
    worth: str = ""  # of a bye that was asked for
    played_by: str = ""  # who plays a character, for those who look for them

    @property
    def won(self) -> bool:
        return self.place == 1


@dataclass(frozen=True)
class Seen:
    """A table of a round. `what` names a match of a bracket in words."""

    round: int
    table: Table
    sides: list[Side]
    what: str = ""
    matches: Sequence[str] = ()
    stale: bool = False
    held: bool = False  # its results are held back from the reader

    @property
    def status(self) -> str:
        if self.held:
            return gettext("held back")
        if self.table.status == "open" and self.matches:
            return gettext("being played")
        return str(STATUS[self.table.status])

    @property
    def names(self) -> str:
        return texts.listed([side.name for side in self.sides])

    @property
    def mine(self) -> bool:
        return any(side.me for side in self.sides)

    @property
    def drawn(self) -> bool:
        return sum(side.won for side in self.sides) > 1

    @property
    def told(self) -> str:
        """The result in words."""
        result = self.table.result
        if result is None:
            return ""
        gone = [side.name for side in self.sides if side.absent]
        if result.lost:
            line = gettext("lost by all")
        elif gone and not result.scores:
            return gettext("{name} did not show up").format(name=texts.listed(gone))
        else:
            line = "–".join(str(score) for score in result.scores)
        if result.left:
            left = gettext(" to ").join(map(str, result.left))
            return gettext("{line}, {left} left").format(line=line, left=left)
        if gone:
            return gettext("{line} without {name}").format(line=line, name=texts.listed(gone))
        if result.drawn:
            return gettext("{line}, {drawn} drawn").format(line=line, drawn=result.drawn)
        return line


@dataclass(frozen=True)
class RoundSeen:
    """A round with its tables; `byes` are of those without one: asked for or not, or they rest.

    `done` of the tables have a result that counts.
    """

    number: int
    name: str
    round: Round
    tables: list[Seen]
    byes: list[Side]
    done: int
    held: bool = False  # its results are held back from the reader

    @property
    def open_tables(self) -> list[Seen]:
        return [seen for seen in self.tables if seen.table.status == "open"]


@dataclass(frozen=True)
class Cell:
    """A match of a bracket: who is in it so far, and where it was played.

    `leads`: how a line leads on to the next column: straight, or together with its neighbour's.
    """

    slot: str
    title: str
    sides: list[Side]
    seen: Seen | None = None
    idle: bool = False
    leads: Literal["", "straight", "together"] = ""


@dataclass(frozen=True)
class Column:
    """A round of a bracket; None where somebody has nobody to meet."""

    title: str
    cells: list[Cell | None]


@dataclass(frozen=True)
class Side2:
    """A side of a bracket: winners, losers, finals."""

    title: str
    columns: list[Column]


@dataclass(frozen=True)
class StageSeen:
    index: int
    name: str
    stage: Stage
    format: str
    planned: int
    rounds: list[RoundSeen]
    regions: list[Side2] = field(default_factory=list)

    @property
    def number(self) -> int:
        return self.index + 1

    @property
    def sits_two(self) -> bool:
        """Whether two sit at each of its tables, as files of results have it."""
        return all(len(seen.sides) == 2 for each in self.rounds for seen in each.tables)

    @property
    def counts_points(self) -> bool:
        return not standings.is_knockout(self.stage) and self.stage.setup.format != "ladder"


class Scene:
    """What an actor is shown of a tournament at a version."""

    def __init__(self, actor: Actor, tournament: Tournament, at: int | None = None) -> None:
        self.actor, self.tournament = actor, tournament
        self.cut: Cut
        self.cut, self.at = selectors.cut(actor, tournament, at)
        self.desk: Desk = selectors.shown_desk(tournament, self.cut, self.at)
        self.roles = policy.roles_at(actor, tournament)
        self.results_off = desks.wants_no_results(actor, tournament)

    @cached_property
    def entries(self) -> dict[int, Entry]:
        desks.read_entries([self.tournament])
        return desks.numbered(self.tournament, self.desk, self.tournament.entries.all())

    @cached_property
    def names(self) -> dict[int, str]:
        return {number: entry.name for number, entry in self.entries.items()}

    def names_at(self, version: int) -> Mapping[int, str]:
        """Return what entrants are called by the numbers they had at an entry."""
        if version in self.counted:
            return self.names
        desks.read_entries([self.tournament])
        return desks.names_at(self.tournament, version, self.tournament.entries.all())

    @cached_property
    def counted(self) -> frozenset[int]:
        """The versions of the entries that were not taken back."""
        return frozenset(desks.timeline(self.tournament).effective(self.at))

    @cached_property
    def me(self) -> int:
        """The reader's number, 0 for who is not in it."""
        if any(entry.krewe_id for entry in self.entries.values()):  # who is in one is not at hand
            return desks.number_for(self.actor, self.tournament, self.desk)
        mine = self.actor.player_id
        return next((n for n, e in self.entries.items() if mine and e.player_id == mine), 0)

    @property
    def past(self) -> bool:
        return self.at < self.cut.version

    @cached_property
    def headline(self) -> str:
        return selectors.headline(self.tournament, self.cut, self.at, self.names)

    @cached_property
    def plans(self) -> list[StagePlan]:
        return list(self.tournament.plans.all())

    @property
    def state(self) -> State:
        return State(desks.setup_of(self.tournament), self.desk)

    @property
    def options(self) -> Any:
        return desks.setup_of(self.tournament).options

    @cached_property
    def _played(self) -> list[Played]:
        return _played_at([self.tournament])[self.tournament.pk]

    @cached_property
    def _matches(self) -> dict[tuple[int, int], list[str]]:
        found: dict[tuple[int, int], list[str]] = {}
        for number, table, players, code in self._played:
            there = self.desk.rounds[number - 1].tables if number <= len(self.desk.rounds) else ()
            seated = {"-".join(map(str, t.players)) for t in there if t.number == table}
            if players in seated:
                found.setdefault((number, table), []).append(code)
        return found

    # -- rounds and tables ------------------------------------------------------------

    @cached_property
    def rounds(self) -> list[RoundSeen]:
        return [self._round(number) for number in range(1, len(self.desk.rounds) + 1)]

    @property
    def current(self) -> RoundSeen | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def open_round(self) -> RoundSeen | None:
        number = 0 if self.desk.closed else open_round(self.desk)
        return self.rounds[number - 1] if number else None

    def _round(self, number: int) -> RoundSeen:
        each = self.desk.rounds[number - 1]
        stale = set() if self.holds(number) else set(standings.stale_tables(self.desk, each.stage))
        tables = [
            self.seen(number, table, stale=(number, table.number) in stale)
            for table in sorted(each.tables, key=lambda table: table.number)
        ]
        rests = standings.rests(self.desk, number)
        byes = [replace(self.side(who, 1), rests=who in rests) for who in each.byes]
        byes += self._granted(number)
        name = self.round_name(number)
        counted = done(each, confirmed_only=self.options.confirmed_only)
        held = self.holds(number)
        return RoundSeen(number, name, each, tables, byes, counted, held)

    def _granted(self, number: int) -> list[Side]:
        """Return who has a bye in a round that was asked for, and no table."""
        each = self.desk.rounds[number - 1]
        placed = {*each.byes, *(player for table in each.tables for player in table.players)}
        away = [player for player in self.desk.stages[each.stage].players if player not in placed]
        asked = [(player, standings.granted_to(self.desk, player, number)) for player in away]
        return [self.side(player, 1, worth=bye.worth) for player, bye in asked if bye]

    def holds(self, number: int) -> bool:
        """Tell whether the results of a round are held back from the reader."""
        return 0 < self.desk.held <= number and self.cut.audience != "officials"

    def round_name(self, number: int) -> str:
        """Return what a round is called, also the next: its number, and its stage of several."""
        if len(self.desk.stages) < 2:
            return gettext("Round {number}").format(number=number)
        known = number <= len(self.desk.rounds)
        index = self.desk.rounds[number - 1].stage if known else len(self.desk.stages) - 1
        stage = self.stage_name(index)
        return gettext("Round {number}, {stage}").format(number=number, stage=stage)

    def stage_name(self, index: int) -> str:
        if index < len(self.plans):
            return str(self.plans[index])
        return str(FORMATS[self.desk.stages[index].setup.format])

    def side(self, number: int, seat: int, **more: Any) -> Side:
        name = self.names.get(number, gettext("Entrant {number}").format(number=number))
        entry = self.entries.get(number)
        more.setdefault("played_by", entry.played_by if entry and self.roles else "")
        return Side(number, name, seat, me=bool(self.me) and number == self.me, **more)

    def seen(self, number: int, table: Table, *, stale: bool = False) -> Seen:
        result = table.result
        places = standings.placing(table, result) if result and not result.lost else ()
        sides = [
            self.side(
                player,
                seat,
                score=_score(result, player, seat),
                place=places[seat - 1] if places else None,
                absent=bool(result and player in result.absent),
            )
            for seat, player in enumerate(table.players, 1)
        ]
        stage = self.desk.stages[self.desk.rounds[number - 1].stage]
        what = slot_name(table.slot, stage) if table.slot else ""
        codes = self._matches.get((number, table.number), ())
        return Seen(number, table, sides, what, codes, stale, self.holds(number))

    def table(self, number: int, table: int) -> Seen | None:
        if not 1 <= number <= len(self.rounds):
            return None
        return next((s for s in self.rounds[number - 1].tables if s.table.number == table), None)

    @cached_property
    def my_table(self) -> Seen | None:
        """The reader's table in the round under way."""
        found = self.open_round
        if found is None or not self.me or not found.round.published:
            return None
        return next((seen for seen in found.tables if seen.mine), None)

    @property
    def my_bye(self) -> Side | None:
        """The reader, who has no table in the round under way."""
        found = self.open_round
        return next((side for side in found.byes if side.me), None) if found else None

    @property
    def my_path(self) -> list[Seen]:
        return [seen for each in self.rounds for seen in each.tables if seen.mine]

    # -- stages -----------------------------------------------------------------------

    @cached_property
    def stages(self) -> list[StageSeen]:
        return [self._stage(index) for index in range(len(self.desk.stages))]

    def _stage(self, index: int) -> StageSeen:
        stage = self.desk.stages[index]
        numbers = [number for number, _ in rounds_of(self.desk, index)]
        kind = stage.setup.format
        return StageSeen(
            index,
            self.stage_name(index),
            stage,
            str(FORMATS[kind]),
            planned_rounds(stage),
            [self.rounds[number - 1] for number in numbers],
            self._regions(index) if kind in BRACKETS else [],
        )

    def _regions(self, index: int) -> list[Side2]:
        """Lay a bracket out: by side, and round by round within it."""
        stage = self.desk.stages[index]
        laid_out, standing = standings.bracket_of(self.desk, index)
        tables = [
            one
            for number, _ in rounds_of(self.desk, index)
            for one in self.rounds[number - 1].tables
            for number, _ in rounds_of(self.desk, index)
            for one in self.rounds[number - 1].tables
        ]
        # What was played again stands where it fits; where nothing does, what was played last.
        seen = {one.table.slot: one for one in sorted(tables, key=lambda one: not one.stale)}
        found: dict[str, dict[str, list[Cell | None]]] = {}
        for slot, leads in zip(laid_out.slots, leads_of(laid_out), strict=True):
            side, title = region_of(slot, stage)
            cell = Cell(
                slot.name,
                slot_name(slot.name, stage),
                self._cell_sides(standing.players.get(slot.name), seen.get(slot.name)),
                seen.get(slot.name),
                slot.name in standing.idle,
                leads,
            )
            cells = found.setdefault(side, {}).setdefault(title, [])
            if slot.room > 1 and not cells:
                cells += [None] * slot.room
            if slot.room > 1:
                cells[slot.number - 1] = cell
            else:
                cells.append(cell)
        return [
            Side2(side, [Column(title, cells) for title, cells in columns.items()])
            for side, columns in found.items()
        ]

    def _cell_sides(
        self, players: tuple[int | None, int | None] | None, seen: Seen | None
    ) -> list[Side]:
        if seen is not None:
            return seen.sides
        return [
            self.side(player, seat) if player else Side(0, gettext("to be decided"), seat)
            for seat, player in enumerate(players or (None, None), 1)
        ]

    # -- what is due ------------------------------------------------------------------

    @cached_property
    def timetable(self) -> dates.Timetable:
        """The dates of the round under way and of the one to come; none as of an entry before."""
        return dates.Timetable() if self.past else dates.timetable(self.tournament, self.desk)

    @cached_property
    def present(self) -> frozenset[int]:
        """Who is here: checked in, or, where that is asked for, in the stage under way."""
        under_way = self.options.check_in and self.desk.stages and not self.may_start
        playing = self.desk.stages[-1].players if under_way else ()
        here = {n for n, person in enumerate(self.desk.people, 1) if person.here}
        return frozenset({*here, *playing} & {*entrants(self.desk, "in")})

    @property
    def checked_in(self) -> int:
        return len(self.present)

    @cached_property
    def asks_check_in(self) -> bool:
        """Whether checking in counts now: before a stage begins."""
        return bool(self.options.check_in) and self.may_start

    @cached_property
    def left_outside(self) -> frozenset[int]:
        """Who missed the start of the stage under way and may still join it."""
        return frozenset() if self.may_start else frozenset(left_outside(self.desk))

    @property
    def playing(self) -> int:
        return len(entrants(self.desk, "in"))

    @property
    def is_knockout(self) -> bool:
        """Whether who plays is decided by results alone in the last stage, whoever left."""
        return self.desk.stages[-1].setup.format in KNOCKOUTS

    @property
    def to_be_paired(self) -> int:
        """How many play in the next round: of a knock-out those still in it, else of its stage."""
        stage = self.desk.stages[-1]
        if self.is_knockout:
            return sum(map(len, propose(self.desk, 0).pairings))
        return sum(is_in(self.desk, player) for player in stage.players)

    @property
    def may_pair(self) -> bool:
        return may_pair(self.desk)

    @property
    def may_start(self) -> bool:
        return not self.desk.closed and may_start(self.desk)

    @property
    def stage_is_over(self) -> bool:
        return bool(self.desk.stages) and is_over(self.desk) and not open_round(self.desk)

    def why(self, number: int) -> reasons.Why:
        return reasons.why(desks.timeline(self.tournament), self.at, self.desk, number)


def _score(result: Result | None, player: int, seat: int) -> int | None:
    """Return what somebody scored, None without scores and for who did not show up."""
    if result is None or not result.scores or player in result.absent:
        return None
    return result.scores[seat - 1]


def scenes_of(actor: Actor, tournaments: Sequence[Tournament]) -> list[Scene]:
    """Return several tournaments as an actor is shown them now, each thing read for all at once."""
    policy.foresee(actor, tournaments)
    desks.read_entries(tournaments)
    prefetch_related_objects(tournaments, "plans", "prizes")
    played = _played_at(tournaments)
    scenes = [Scene(actor, each) for each in tournaments]
    for scene in scenes:
        scene._played = played[scene.tournament.pk]
    return scenes


def _played_at(tournaments: Sequence[Tournament]) -> dict[UUID, list[Played]]:
    """Return the matches at the tables of tournaments, in order."""
    found: dict[UUID, list[Played]] = {each.pk: [] for each in tournaments}
    rows = TableMatch.objects.filter(tournament__in=list(found))
    names = ("tournament", "round", "table", "players", "match__code")
    for tournament, *row in rows.values_list(*names):
        found[tournament].append(Played(*row))
    return found


def leads_of(bracket: Bracket) -> list[Literal["", "straight", "together"]]:
    """Tell of each match how its winner's line leads on, where that match is in the next round."""
    after = {
        source.number: slot
        for slot in bracket.slots
        for source in slot.takes
        if source.what == "winner" and not slot.reset
    }
    found: list[Literal["", "straight", "together"]] = []
    for index, slot in enumerate(bracket.slots):
        there = after.get(index)
        if there is None or _round_of(there) != (_round_of(slot)[0], _round_of(slot)[1] + 1):
            found.append("")
        else:
            found.append("straight" if there.room == slot.room else "together")
    return found


def _round_of(slot: Slot) -> tuple[str, int]:
    """Return the side of a bracket a match is on and the number of its round."""
    side = slot.name.partition(".")[0]
    return side[0], int(side[1:])


def region_of(slot: Slot, stage: Stage) -> tuple[str, str]:
    """Return the side of a bracket a match lies on, and its round there."""
    side, _, rest = slot.name.partition(".")
    kind, number = side[:1], side[1:] or rest
    if kind == "L":
        return gettext("Losers"), gettext("Losers, round {number}").format(number=number)
    if kind == "W":
        whole = stage.setup.format == "double-elimination"
        title = gettext("Winners") if whole else gettext("Bracket")
        return title, gettext("Round {number}").format(number=number)
    if kind == "P":
        return gettext("Third place"), gettext("Third place")
    return gettext("Finals"), gettext("Final")


def slot_name(name: str, stage: Stage) -> str:
    """Return a match of a bracket in words."""
    side, _, place = name.partition(".")
    kind, number = side[:1], side[1:]
    if kind == "F":
        return gettext("Final, once more") if number == "2" or place == "2" else gettext("Final")
    if kind == "P":
        return gettext("Match for third place")
    words = gettext("Losers") if kind == "L" else gettext("Winners")
    if stage.setup.format == "single-elimination":
        left = 1 << max(_depth(stage) - int(number or 1), 0)
        named = {
            1: gettext("Final"),
            2: gettext("Semi-final"),
            4: gettext("Quarter-final"),
        }.get(left)
        return (
            f"{named} {place}".strip()
            if named and left > 1
            else named or gettext("Match {number}.{place}").format(number=number, place=place)
        )
    return f"{words} {number}.{place}"


def _depth(stage: Stage) -> int:
    return max(len(stage.players) - 1, 0).bit_length()


def by_name(scene: Scene, each: RoundSeen) -> list[tuple[str, Seen | None, Side]]:
    """Return a round's pairings by name: who, at which table (None for a bye), as which side."""
    found: list[tuple[str, Seen | None, Side]] = [
        (side.name, seen, side) for seen in each.tables for side in seen.sides
    ]
    found += [(side.name, None, side) for side in each.byes]
    return sorted(found, key=lambda row: (row[0].lower(), row[2].number))


def _decimal(number: Fraction | None) -> str:
    """Return a number as the reader writes one, with six decimals at most; nothing for none."""
    said = selectors.six(number)
    return str(formats.number_format(said.rstrip("0").rstrip("."))) if said else ""


def table_rows(rows: Sequence[selectors.Row], names: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return standings as a page shows them."""
    return [
        {
            "row": row,
            "name": names.get(
                row.entrant, gettext("Entrant {entrant}").format(entrant=row.entrant)
            ),
            "points": _decimal(row.points),
            "down": -row.moved,
            "breaks": [
                {
                    "code": code,
                    "name": tiebreaks.named(code),
                    "value": value,
                    "decimal": _decimal(value.number),
                }
                for code, value in row.breaks.items()
            ],
        }
        for row in rows
    ]
