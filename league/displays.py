"""What pages show of a tournament, with names: sides, tables, rounds, brackets, standings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any, Literal

from django.utils import formats, timezone
from django.utils.translation import gettext

from league import clocks, ranking, tiebreaks, titles
from league.texts import alphabetical
from rules import texts
from rules.desk.acts import StageStarted
from rules.desk.state import WITHOUT_POINTS, Result, Round, Stage, Table

LOT = "lot"
"""The last tie-break, of which pages only show whose place it decided."""


@dataclass(frozen=True)
class TableSide:
    """A player at a table: their seat from 1, and score and place once there is a result."""

    number: int
    name: str
    seat: int
    score: int | None = None
    place: int | None = None
    absent: bool = False
    me: bool = False
    rests: bool = False  # sits out: no table and no bye
    worth: str = ""  # of a granted bye
    disqualified: bool = False
    played_by: str = ""  # the player of a character, so that people can find them

    @property
    def won(self) -> bool:
        return self.place == 1


@dataclass(frozen=True)
class ProposedTime:
    """A time to play that players at a table proposed: as the log has it, and who did."""

    seconds: int
    sides: list[TableSide]

    @property
    def at(self) -> datetime:
        return clocks.moment(self.seconds)

    @property
    def names(self) -> str:
        return texts.listed([side.name for side in self.sides])

    @property
    def mine(self) -> bool:
        return any(side.me for side in self.sides)


@dataclass(frozen=True)
class TableDisplay:
    """A table of a round. `what` is the name of a bracket's match."""

    round: int
    table: Table
    sides: list[TableSide]
    what: str = ""
    matches: Sequence[str] = ()
    stale: bool = False
    held: bool = False  # its results are held back from the reader
    entered: bool = False  # held back from an official, who is told that there is one
    annulled: bool = False  # its result counts for nobody

    @property
    def status(self) -> str:
        if self.held:
            return gettext("held back")
        if self.table.status == "open" and self.matches:
            return gettext("being played")
        return str(titles.STATUS[self.table.status])

    @property
    def names(self) -> str:
        return texts.listed([side.name for side in self.sides])

    @property
    def mine(self) -> bool:
        return any(side.me for side in self.sides)

    @property
    def plays_at(self) -> datetime | None:
        """Return the time agreed for a table that is still to be played.

        Whether it was played is not told while its result is held back, but only a time to come is.
        """
        if not self.table.plays_at or self.table.status != "open":
            return None
        at = clocks.moment(self.table.plays_at)
        return None if self.held and at < timezone.now() else at

    @property
    def proposed(self) -> list[ProposedTime]:
        """Return the times proposed for a table that is still to be played, the newest last."""
        found: dict[int, list[TableSide]] = {}
        if self.table.status == "open":
            sides = {side.number: side for side in self.sides}
            for number, at in self.table.proposed:
                found.setdefault(at, []).append(sides[number])
        return [ProposedTime(at, by) for at, by in found.items()]

    @property
    def drawn(self) -> bool:
        return sum(side.won for side in self.sides) > 1

    @property
    def lost(self) -> bool:
        """Return whether everybody at the table lost."""
        return self.table.result is not None and self.table.result.lost

    @property
    def scores(self) -> str:
        """Return the scores of the result as last reported, such as 2–1."""
        return _scores(self.table.result)

    @property
    def claimed(self) -> str:
        """Return the scores that another at the table reported, if they differ."""
        scores = _scores(self.table.claim)
        return "" if scores == self.scores else scores

    @property
    def result_text(self) -> str:
        """Return the result in words."""
        result = self.table.result
        if result is None:
            return ""
        gone = [side.name for side in self.sides if side.absent]
        if result.lost:
            line = gettext("lost by all")
        elif gone and not result.scores:
            return gettext("{name} did not show up").format(name=texts.listed(gone))
        else:
            line = self.scores
        if result.left:
            left = gettext(" to ").join(map(str, result.left))
            return gettext("{line}, {left} left").format(line=line, left=left)
        if gone:
            return gettext("{line} without {name}").format(line=line, name=texts.listed(gone))
        if result.drawn:
            return gettext("{line}, {drawn} drawn").format(line=line, drawn=result.drawn)
        return line


def _scores(result: Result | None) -> str:
    return "–".join(map(str, result.scores)) if result else ""


@dataclass(frozen=True)
class RoundDisplay:
    """A round with its tables; `byes` lists all without a table: given, granted, or sitting out.

    `undecided` tables have no result that counts.
    """

    number: int
    name: str
    round: Round
    tables: list[TableDisplay]
    byes: list[TableSide]
    undecided: list[TableDisplay]
    held: bool = False  # its results are held back from the reader

    @property
    def done(self) -> int:
        """Return how many tables have a result that counts."""
        return len(self.tables) - len(self.undecided)

    @property
    def published(self) -> bool:
        return self.round.published

    @property
    def timed(self) -> bool:
        """Return whether time was called."""
        return self.round.timed

    @property
    def extra(self) -> int:
        """Return the minutes added for all its tables."""
        return self.round.extra

    @property
    def open_tables(self) -> list[TableDisplay]:
        return [seen for seen in self.tables if seen.table.status == "open"]


@dataclass(frozen=True)
class Cell:
    """A match of a bracket: its players so far, and where it was played.

    `leads`: how its line leads to the next column: straight, or together with its neighbour's.
    """

    slot: str
    title: str
    sides: list[TableSide]
    seen: TableDisplay | None = None
    idle: bool = False
    leads: Literal["", "straight", "together"] = ""


@dataclass(frozen=True)
class Column:
    """A round of a bracket; None where a player has no opponent."""

    title: str
    cells: list[Cell | None]


@dataclass(frozen=True)
class Region:
    """A side of a bracket: winners, losers, finals."""

    title: str
    columns: list[Column]


@dataclass(frozen=True)
class StageDisplay:
    index: int
    name: str
    stage: Stage
    format: str
    planned: int
    rounds: list[RoundDisplay]
    regions: list[Region] = field(default_factory=list)

    @property
    def number(self) -> int:
        return self.index + 1

    @property
    def sits_two(self) -> bool:
        """Return whether all its tables seat two, as report files require."""
        return all(len(seen.sides) == 2 for each in self.rounds for seen in each.tables)

    @property
    def setup(self) -> StageStarted:
        """Return the act that started the stage: its format and settings."""
        return self.stage.setup

    @property
    def counts_points(self) -> bool:
        return self.setup.format not in WITHOUT_POINTS


def by_name(each: RoundDisplay) -> list[tuple[str, TableDisplay | None, TableSide]]:
    """Return a round's pairings by name: name, table (None for a bye), and side."""
    found: list[tuple[str, TableDisplay | None, TableSide]] = [
        (side.name, seen, side) for seen in each.tables for side in seen.sides
    ]
    found += [(side.name, None, side) for side in each.byes]
    return sorted(found, key=lambda row: (alphabetical(row[0]), row[2].number))


def _column(numbers: Iterable[Fraction | None]) -> list[str]:
    """Format the numbers of a column in the reader's locale, "" for None.

    All have as many decimals as the longest needs, at most six, so that decimal points align.
    """
    figures = [ranking.six(number) for number in numbers]
    places = max((len(each.rstrip("0").partition(".")[2]) for each in figures), default=0)
    return [str(formats.number_format(each, places)) if each else "" for each in figures]


def table_rows(
    rows: Sequence[ranking.Row], names: Mapping[int, str], stages: Sequence[StageDisplay]
) -> list[dict[str, Any]]:
    """Return standings as rows for a page.

    Entrants who missed a cut get the name of the stage they stand in.
    """
    points = _column(row.points for row in rows)
    begun = any(any(row.record) for row in rows)  # before, a lot decides every place
    decimals = {
        code: _column(row.breaks[code].number if code in row.breaks else None for row in rows)
        for code in dict.fromkeys(code for row in rows for code in row.breaks if code != LOT)
    }
    return [
        {
            "row": row,
            "name": names.get(
                row.entrant, gettext("Entrant {entrant}").format(entrant=row.entrant)
            ),
            "points": points[at],
            "by_lot": begun and LOT in row.breaks and len(row.breaks[LOT].tied) > 1,
            "of": stages[row.stage].name if row.stage is not None else "",
            "group": gettext("Group {number}").format(number=row.group) if row.group else "",
            "breaks": [
                {
                    "code": code,
                    "name": tiebreaks.named(code),
                    "value": value,
                    "decimal": decimals[code][at],
                }
                for code, value in row.breaks.items()
                if code != LOT
            ],
        }
        for at, row in enumerate(rows)
    ]


def by_group(table: Iterable[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return a page's rows group by group; in one group if there are none."""
    found: dict[int, list[dict[str, Any]]] = {}
    for each in table:
        found.setdefault(each["row"].group, []).append(each)
    last = len(found) + 1  # entrants who missed the cut are in none of its groups
    return [
        (rows[0]["group"], rows) for _, rows in sorted(found.items(), key=lambda g: g[0] or last)
    ]
