"""Entries and results as plain tables of text: one row per player, one row per table of two."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from rules.cells import MARK, TableError, plain, rows_of, safe
from rules.desk.acts import WORTHS, Entrant, StageStarted, Worth
from rules.desk.retold import Meeting, Newcomer, Retold, RoundRecord
from rules.desk.standings import sheet_of
from rules.desk.state import Desk, rounds_of
from rules.desk.words import TEXTS
from rules.desk.worth import placing

ENTRIES = ("name", "rating", "status")
"""The columns of a list of entries. `status` is informative: on import, everybody enters."""
WITH_PLAYER = (*ENTRIES, "player")
"""Those columns, and one that identifies a known player, where it is supported."""
RESULTS = ("round", "table", "first", "second", "won", "lost", "drawn", "absent")
SEATS = ("round", "table", "seat", "name", "score", "place", "points", "kind")
"""The columns of results where a table seats more: a row for each player, or for a bye."""
LOST = "lost"
"""In the column `absent`: both came, and both lost."""
MAX_ROWS = 20_000


class Problem(NamedTuple):
    """An error in a table: the row, counted from 1 for the header, and the column if it is one."""

    row: int
    text: str
    column: str = ""


class ListError(ValueError):
    """A table that cannot be read, with all problems in it."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(f"row {each.row}: {each.text}" for each in problems))
        self.problems = problems


def entry_rows(text: str) -> list[tuple[int, Newcomer]]:
    """Return the players of a list with the rows they stand in, each name once, keyed by name.

    Raises: ListError.
    """
    found: dict[str, tuple[int, Newcomer]] = {}

    def read(number: int, row: Mapping[str, str]) -> None:
        name = row["name"]
        if not name:
            raise _wrong(number, "nobody", "name")
        if name in found:
            raise _wrong(number, "name-twice", "name", name=name)
        rating, who = _number(number, row, "rating"), row.get("player", "")
        found[name] = number, Newcomer(name, name=name, ref=who, rating=rating)

    _each_row(text, WITH_PLAYER, ("name",), read)
    return list(found.values())


def _each_row(
    text: str,
    columns: Sequence[str],
    needed: Iterable[str],
    read: Callable[[int, Mapping[str, str]], None],
) -> None:
    """Read row by row, then report all problems at once. Raises: ListError."""
    problems: list[Problem] = []
    for number, row in _rows(text, columns, needed):
        try:
            read(number, row)
        except ListError as error:
            problems += error.problems
    if problems:
        raise ListError(*problems)


def _wrong(row: int, what: str, column: str = "", **params: object) -> ListError:
    return ListError(Problem(row, TEXTS[f"word.list-{what}"].format(**params), column))


def write_entries(players: Iterable[tuple[Newcomer, str]]) -> str:
    """Return a list of players, each with their status."""
    rows = ([each.name or each.key, each.rating or "", status] for each, status in players)
    return _written(ENTRIES, rows)


class Line(NamedTuple):
    """A row of results: its round, and a table of two or a player with a bye.

    `worth` is that of a requested bye; one given by the pairing has none.
    """

    row: int
    round: int
    meeting: Meeting | None
    alone: str = ""
    worth: Worth | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return self.meeting.players if self.meeting else (self.alone,)


def result_rows(text: str) -> list[Line]:
    """Return the rows of a list of results.

    `first` and `second` are names; an empty second is a bye, a requested one if `absent` says its
    worth. `absent` names who did not come, or says `both`; `lost` means that both came and lost.
    Raises: ListError.
    """
    found: list[Line] = []

    def read(number: int, row: Mapping[str, str]) -> None:
        at = _number(number, row, "round")
        if not at:
            raise _wrong(number, "round", "round")
        first, second = row["first"], row["second"]
        if not first or first == second:
            raise _wrong(number, "first", "first")
        if second:
            found.append(Line(number, at, _meeting(number, row, first, second)))
        else:
            found.append(Line(number, at, None, alone=first, worth=_worth(number, row)))

    _each_row(text, RESULTS, ("round", "first", "second"), read)
    seen: set[tuple[int, str]] = set()
    twice: list[Problem] = []
    for line in found:
        for name in line.names:
            if (line.round, name) in seen:
                twice += _wrong(line.row, "twice", name=name, round=line.round).problems
            seen.add((line.round, name))
    if twice:
        raise ListError(*twice)
    return found


def read_results(text: str, stage: StageStarted) -> Retold:
    """Return a stage with tables of two from its results. Raises: ListError."""
    lines = result_rows(text)
    count = max((line.round for line in lines), default=0)
    if {line.round for line in lines} != set(range(1, count + 1)):
        raise _wrong(1, "round-missing")
    rounds = tuple(
        RoundRecord(
            tuple(line.meeting for line in lines if line.round == at and line.meeting),
            tuple(line.alone for line in lines if line.round == at and _sat_out(line)),
            tuple((line.alone, line.worth) for line in lines if line.round == at and line.worth),
        )
        for at in range(1, count + 1)
    )
    names = dict.fromkeys(name for line in lines for name in line.names)
    return Retold(stage, tuple(Newcomer(name, name=name) for name in names), rounds)


def _sat_out(line: Line) -> bool:
    return line.meeting is None and line.worth is None


def _worth(number: int, row: Mapping[str, str]) -> Worth | None:
    """Return the worth of a requested bye, None for one given by the pairing."""
    word = row.get("absent", "")
    if word not in ("", *WORTHS):
        raise _wrong(number, "no-bye", "absent", word=word, known=", ".join(WORTHS))
    return cast(Worth, word) if word else None


def _meeting(number: int, row: Mapping[str, str], first: str, second: str) -> Meeting:
    absent = row.get("absent", "")
    if absent == LOST:
        return Meeting((first, second), lost=True)
    if absent:
        gone = {"both": (first, second), first: (first,), second: (second,)}.get(absent)
        if gone is None:
            raise _wrong(number, "not-there", "absent", name=absent)
        return Meeting((first, second), absent=gone)
    won, lost = (_number(number, row, name) for name in ("won", "lost"))
    return Meeting((first, second), (won, lost), _number(number, row, "drawn"))


def write_results(tournament: Retold, names: Mapping[str, str]) -> str:
    """Return the results of a stage with tables of two. Raises: ValueError for larger ones."""

    def rows() -> Iterator[list[str | int]]:
        for at, each in enumerate(tournament.rounds, 1):
            for table, meeting in enumerate(each.tables, 1):
                if len(meeting.players) != 2:
                    raise ValueError("a list of results holds two at a table")
                one, two = (names.get(key, key) for key in meeting.players)
                gone = [names.get(key, key) for key in meeting.absent]
                absent = LOST if meeting.lost else "both" if len(gone) == 2 else "".join(gone)
                scores = meeting.scores or ("", "")
                yield [at, table, one, two, *scores, meeting.drawn or "", absent]
            for key in each.byes:
                yield [at, "", names.get(key, key), "", "", "", "", ""]
            for key, worth in each.granted:
                yield [at, "", names.get(key, key), "", "", "", "", worth]

    return _written(RESULTS, rows())


def write_seats(desk: Desk, index: int, names: Mapping[str, str]) -> str:
    """Return the results of a stage with tables of any size, a row for each player.

    `kind` says how they came to their points: played, by a forfeit, by a bye. Points are what the
    table of the stage adds up, rounded to four decimals.
    """
    sheet = sheet_of(desk, index)
    parts = {(part.round, n): part for n, some in sheet.parts.items() for part in some}

    def row(at: int, player: Entrant, *sat: str | int) -> list[str | int]:
        table, seat, score, place = sat or ("", "", "", "")
        part = parts.get((at, player))
        points = f"{float(part.points):.4f}".rstrip("0").rstrip(".") if part else ""
        name = names.get(str(player), str(player))
        return [at, table, seat, name, score, place, points, part.kind if part else ""]

    def rows() -> Iterator[list[str | int]]:
        for at, (_, each) in enumerate(rounds_of(desk, index), 1):
            seated: set[Entrant] = set()
            for table in each.tables:
                seated.update(table.players)
                result = table.result
                if result is None:
                    continue
                scores: Sequence[str | int] = result.scores or ("",) * len(table.players)
                sat = zip(table.players, scores, placing(table, result), strict=True)
                for seat, (player, score, place) in enumerate(sat, 1):
                    gone = player in result.absent
                    yield row(at, player, table.number, seat, "" if gone else score, place)
            for player in sheet.parts:
                if (at, player) in parts and player not in seated:
                    yield row(at, player)

    return _written(SEATS, rows())


NAMES = ("name", "names", "player", "players", "namen", "spieler", "spielerin", "spieler:in")
"""Headers of a column of names, in lower case."""


def _are_names(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> bool:
    """Tell whether a table is a single column of names without a header, and no other file."""
    alone = len(heads) == 1 and all(len(row) < 2 for row in rows)
    first = heads[0].strip().lower() if alone else ""
    return bool(first) and first[0] not in "{[<" and first not in (*NAMES, *ENTRIES)


def _rows(
    text: str, columns: Sequence[str], needed: Iterable[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows by their headers, only known columns. Raises: ListError.

    If only names are needed, a single column needs no header.
    """
    text = text.removeprefix(MARK)
    delimiter = _delimiter_of(text.partition("\n")[0].strip())
    try:
        heads, *rows = rows_of(io.StringIO(text, newline=None), delimiter) or [[]]
    except TableError as error:
        raise _wrong(error.row, "no-row") from None
    start = 2
    if tuple(needed) == ("name",) and _are_names(heads, rows):
        heads, rows, start = ["name"], [heads, *rows], 1
    elif len(heads) == 1 and heads[0].strip().lower() in NAMES:
        heads = ["name"]
    known = [head.strip().lower() for head in heads]
    for name in needed:
        if name not in known:
            raise _wrong(1, "column-missing", name, name=name)
    for head in filter(None, known):
        if head not in columns:
            raise _wrong(1, "no-column", head, name=head, known=", ".join(columns))
        if known.count(head) > 1:
            raise _wrong(1, "column-twice", head, name=head)
    if len(rows) > MAX_ROWS:
        raise _wrong(MAX_ROWS, "too-long", most=MAX_ROWS)
    for number, row in enumerate(rows, start):
        if any(each.strip() for each in row):
            cells = [plain(each) for each in row] + [""] * len(known)
            yield number, dict(zip(known, cells, strict=False))


def _delimiter_of(heads: str) -> str:
    """Return what separates the cells below a header line.

    Cells copied from a spreadsheet have tabs between them; one that writes decimals with a comma
    saves semicolons.
    """
    if "\t" in heads:
        return "\t"
    return ";" if ";" in heads and "," not in heads else ","


def _number(number: int, row: Mapping[str, str], name: str) -> int:
    text = row.get(name) or "0"
    if not (text.isascii() and text.isdecimal()) or len(text) > 6:
        raise _wrong(number, "no-number", name, text=repr(text), name=name)
    return int(text)


def _written(heads: Iterable[str], rows: Iterable[Iterable[str | int]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([safe(cell) for cell in row] for row in rows)
    return out.getvalue()
