"""Entries and results as plain tables of text: a row a player, a row a table."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping

from rules.desk.acts import StageStarted
from rules.desk.retold import Meeting, Newcomer, Retold, Told

ENTRIES = ("name", "rating")
RESULTS = ("round", "table", "first", "second", "won", "lost", "drawn", "absent")
MOST_ROWS = 20_000
LOSS = "loss"


class ListError(ValueError):
    """A table that can be given no meaning: the row, from 1 for the heads, and what is wrong."""

    def __init__(self, row: int, problem: str) -> None:
        super().__init__(f"row {row}: {problem}")
        self.row, self.problem = row, problem


def read_entries(text: str) -> tuple[Newcomer, ...]:
    """Return who is on a list, each name once, keyed by it. Raises: ListError."""
    found: dict[str, Newcomer] = {}
    for number, row in _rows(text, ("name",)):
        name = row["name"]
        if not name:
            raise ListError(number, "nobody is named")
        if name in found:
            raise ListError(number, f"{name} is there twice")
        found[name] = Newcomer(name, name=name, rating=_number(number, row, "rating"))
    return tuple(found.values())


def write_entries(players: Iterable[Newcomer]) -> str:
    return _written(ENTRIES, ([each.name or each.key, each.rating or ""] for each in players))


def read_results(text: str, stage: StageStarted, title: str = "") -> Retold:
    """Return a stage of two at a table from its results.

    `first` and `second` are names; nobody as the second is a bye, or a loss where `absent` says
    so. `absent` names who did not come, or says `both`. Raises: ListError.
    """
    tables: dict[int, list[Meeting]] = {}
    byes: dict[int, list[str]] = {}
    losses: dict[int, list[str]] = {}
    names: dict[str, None] = {}
    for number, row in _rows(text, ("round", "first")):
        at = _number(number, row, "round")
        if not at:
            raise ListError(number, "a round is from 1")
        first, second = row["first"], row.get("second", "")
        names |= dict.fromkeys(filter(None, (first, second)))
        tables.setdefault(at, [])
        if not first or first == second:
            raise ListError(number, "two have to be named, or one for a bye")
        if second:
            tables[at].append(_meeting(number, row, first, second))
        else:
            (losses if row.get("absent") == LOSS else byes).setdefault(at, []).append(first)
    if sorted(tables) != list(range(1, len(tables) + 1)):
        raise ListError(1, "a round is missing")
    rounds = tuple(
        Told(
            tuple(tables[at]),
            tuple(byes.get(at, ())),
            tuple((name, "loss") for name in losses.get(at, ())),
        )
        for at in sorted(tables)
    )
    _once_a_round(rounds)
    return Retold(stage, tuple(Newcomer(name, name=name) for name in names), rounds, title)


def _once_a_round(rounds: Iterable[Told]) -> None:
    for at, each in enumerate(rounds, 1):
        named = [name for table in each.tables for name in table.players]
        named += [*each.byes, *(name for name, _ in each.granted)]
        if len(set(named)) < len(named):
            raise ListError(1, f"somebody is named twice in round {at}")


def _meeting(number: int, row: Mapping[str, str], first: str, second: str) -> Meeting:
    absent = row.get("absent", "")
    if absent:
        gone = {"both": (first, second), first: (first,), second: (second,)}.get(absent)
        if gone is None:
            raise ListError(number, f"{absent} does not sit there")
        return Meeting((first, second), absent=gone)
    won, lost = (_number(number, row, name) for name in ("won", "lost"))
    return Meeting((first, second), (won, lost), _number(number, row, "drawn"))


def write_results(told: Retold, names: Mapping[str, str]) -> str:
    """Return the results of a stage of two at a table. Raises: ValueError for more at one."""

    def rows() -> Iterator[list[str | int]]:
        for at, each in enumerate(told.rounds, 1):
            for table, meeting in enumerate(each.tables, 1):
                if len(meeting.players) != 2:
                    raise ValueError("a list of results holds two at a table")
                one, two = (names.get(key, key) for key in meeting.players)
                gone = [names.get(key, key) for key in meeting.absent]
                absent = "both" if len(gone) == 2 or meeting.lost else "".join(gone)
                scores = meeting.scores or ("", "")
                yield [at, table, one, two, *scores, meeting.drawn or "", absent]
            for key in each.byes:
                yield [at, "", names.get(key, key), "", "", "", "", ""]
            for key, worth in each.granted:
                if worth == LOSS:
                    yield [at, "", names.get(key, key), "", "", "", "", LOSS]

    return _written(RESULTS, rows())


def _rows(text: str, needed: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows under their heads. Raises: ListError."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=None))
    try:
        heads, *rows = list(reader) or [[]]
    except csv.Error as error:
        raise ListError(reader.line_num, str(error)) from None
    known = [head.strip().lower() for head in heads]
    for name in needed:
        if name not in known:
            raise ListError(1, f"there is no column {name}")
    if len(rows) > MOST_ROWS:
        raise ListError(MOST_ROWS, f"at most {MOST_ROWS} rows")
    for number, row in enumerate(rows, 2):
        if any(each.strip() for each in row):
            cells = [_plain(each) for each in row] + [""] * len(known)
            yield number, dict(zip(known, cells, strict=False))


def _number(number: int, row: Mapping[str, str], name: str) -> int:
    text = row.get(name) or "0"
    if not (text.isascii() and text.isdecimal()) or len(text) > 6:
        raise ListError(number, f"{text!r} is no {name}")
    return int(text)


def _written(heads: Iterable[str], rows: Iterable[Iterable[str | int]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def _safe(cell: str | int) -> str | int:
    """Return a cell that no table program takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@") else cell


def _plain(cell: str) -> str:
    text = cell.strip()
    return text[1:] if text[:2] in ("'=", "'+", "'-", "'@") else text
