"""TRF: tournaments with tables of two as fixed columns of text, as exchanged by chess programs.

It holds who played, with which colour, and how it ended; it cannot hold larger tables or the games
of a match. What a result is worth is in the line 162 of the edition of 2026, and in the line XXS
that pairing programs use with that of 2016; without one, a win is 1, a draw ½. Tie-breaks are in
the lines 202 and 212 of 2026. What is written has the lines of both.

Rule: FIDE C.04, annex 2 (tournament report file, TRF16 and TRF26).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import takewhile

import msgspec

from rules.cells import bare
from rules.desk.acts import Entrant, Format, StageStarted, Worth
from rules.desk.limits import MAX_POINTS
from rules.desk.retold import Meeting, Newcomer, PublishedRow, Retold, RoundRecord
from rules.desk.stages import TIE_ORDER
from rules.desk.words import TEXTS

FIRST_ROUND, ROUND_WIDTH = 89, 10
WON, LEVEL, LOST = "1W", "=D", "0L"
BYES: Mapping[str, Worth] = {"F": "full", "H": "half", "Z": "zero"}
CODES: Mapping[Worth, str] = {"full": "F", "half": "H", "zero": "Z", "loss": "Z"}

WORTHS: Mapping[str, str] = {
    **dict.fromkeys(("WW", "BW", "FW", "FPB"), "win"),
    **dict.fromkeys(("WD", "BD", "HPB"), "draw"),
    **dict.fromkeys(("WL", "BL"), "loss"),
    "PAB": "bye",
}
"""The stage's field for each code of the line XXS: results as white and black, forfeits, byes."""
WORTH = re.compile(r"([A-Z]+)=([0-9]{1,3})(?:\.([05])0*)?")
SCORING = re.compile(r"([WDLAZPX]) *([0-9]{1,2})(?:\.([05]))?(?= |$) *")
SCORED: Mapping[str, str] = {"W": "win", "D": "draw", "L": "loss", "P": "bye"}
"""The stage's field for each symbol of the line 162; A, X and Z are skipped."""
CHESS: Mapping[str, int] = {"win": 2, "draw": 1, "loss": 0, "bye": 2}
"""What results are worth if no line says it, in halves."""

FIDE = (
    *("bh", "bh-c1", "bh-c2", "bh-m1", "bh-m2", "aob", "fb", "sb", "sb-c1", "ps", "ps-c1"),
    *("win", "won", "bpg", "bwg", "ks", "de", "aro", "aro-c1", "tpr", "apro"),
)
TIEBREAK_OF: Mapping[str, str] = {code.upper().replace("-", "/"): code for code in FIDE}
"""The tie-breaks that have a code of FIDE's, as the lines 202 and 212 name them."""
POINTS = "PTS"
USUAL = ("bh-c1", "bh", "sb")
"""What breaks ties if no line says it."""

LIMIT = 100
"""Points have four columns: from here on they would shift all that follows."""

TYPES: dict[Format, str] = {
    "swiss": "Swiss-System",
    "round-robin": "Round-Robin",
    "single-elimination": "Knock-Out",
    "double-elimination": "Double Knock-Out",
    "ladder": "Ladder",
}
"""The names of the formats with tables of two in a report file."""


class TrfError(ValueError):
    """A file that cannot be read: line numbers, from 1, and what is wrong in each."""

    def __init__(self, *problems: tuple[int, str]) -> None:
        super().__init__("; ".join(f"line {line}: {text}" for line, text in problems))
        self.problems = problems


def _wrong(at: int, what: str, **params: object) -> TrfError:
    return TrfError((at, TEXTS[f"word.trf-{what}"].format(**params)))


class Cell(msgspec.Struct, frozen=True):
    """One player's cell for a round."""

    foe: int
    colour: str
    code: str


class Line(msgspec.Struct, frozen=True):
    """A player's line: the number of the line, their start number, name, rating and rounds.

    `points` and `place` are as the file has them, or None and 0.
    """

    at: int
    number: int
    name: str
    rating: int
    points: float | None
    place: int
    cells: tuple[Cell, ...]


class Parsed(msgspec.Struct):
    """What a file says: its players, what results are worth in halves, FIDE's codes of tie-breaks.

    `worths` and `codes` are empty if it does not say them. Any file is read as Swiss.
    """

    title: str = ""
    is_swiss: bool = True
    lines: list[Line] = []
    worths: Mapping[str, int] = {}
    codes: Sequence[str] = ()

    def tiebreaks(self) -> tuple[str, ...]:
        """Return the tie-breaks before the first that we do not know."""
        known = takewhile(TIEBREAK_OF.__contains__, self.codes)
        return tuple(TIEBREAK_OF[code] for code in known)[: TIE_ORDER.most]

    def is_in_order(self) -> bool:
        """Tell whether it is known what put the players in their places: in chess, the usual."""
        if not self.is_swiss:
            return False
        return len(self.tiebreaks()) == len(self.codes) if self.codes else not self.worths


# -- reading --------------------------------------------------------------------------


def read(text: str) -> Retold:
    """Read a file, scored as it says; keys are start numbers. Raises: TrfError."""
    parsed = _parsed(text)
    lines = parsed.lines
    by_number = {line.number: line for line in lines}
    if len(by_number) < len(lines):
        twice = next(a for a in lines if by_number[a.number] is not a)
        raise _wrong(by_number[twice.number].at, "twice", number=twice.number)
    count = max(len(line.cells) for line in lines)
    rounds = tuple(_round(by_number, number) for number in range(count))
    stage = StageStarted(
        format="swiss",
        rounds=max(count, 1),
        halves=True,
        tiebreaks=parsed.tiebreaks() or USUAL,
    )
    stage = msgspec.structs.replace(stage, **(parsed.worths or CHESS))
    players = tuple(
        Newcomer(str(line.number), name=line.name, rating=line.rating)
        for line in sorted(lines, key=lambda line: line.number)
    )
    return Retold(stage, players, rounds, parsed.title)


def published(text: str) -> tuple[PublishedRow, ...]:
    """Return the points and places that a file gives its players. Raises: TrfError.

    Places are 0 if it is unknown what broke ties.
    """
    parsed = _parsed(text)
    return tuple(
        PublishedRow(line.place * parsed.is_in_order(), str(line.number), line.points)
        for line in parsed.lines
        if line.points is not None
    )


def _parsed(text: str) -> Parsed:
    """Raises: TrfError."""
    found, wrong = Parsed(), list[tuple[int, str]]()
    for at, row in enumerate(text.splitlines(), 1):
        match row[:3]:
            case "012":
                found.title = bare(row[4:])
            case "092":
                found.is_swiss = not any(
                    other in row for kind, other in TYPES.items() if kind != "swiss"
                )
            case "001":
                try:
                    found.lines.append(_line(at, row))
                except TrfError as error:
                    wrong += error.problems
            case "XXS":
                found.worths = _worths(at, row[3:])
            case "162":
                found.worths = _scoring(at, row[3:].strip()) or found.worths
            case "202" | "212":
                codes = [code.strip().upper() for code in row[3:].split(",")]
                found.codes = [*dict.fromkeys(code for code in codes if code not in ("", POINTS))]
    if wrong:
        raise TrfError(*wrong)
    if not found.lines:
        raise _wrong(1, "nobody")
    return found


def _worths(at: int, text: str) -> Mapping[str, int]:
    """Return what results are worth in halves, from `WW=3.0 WD=1.0`. Raises: TrfError."""
    worths = dict[str, int]()
    for word in text.split():
        match = WORTH.fullmatch(word)
        if match is None:
            raise _wrong(at, "no-worth", text=repr(word))
        code, *points = match.groups()
        halves = _halves(at, *points)
        if code in WORTHS and worths.setdefault(WORTHS[code], halves) != halves:
            raise _wrong(at, "other-worth", text=repr(word))
    return {**CHESS, **worths} if worths else {}


def _scoring(at: int, text: str) -> Mapping[str, int]:
    """Return what results are worth in halves, from `W 3.0    D 1.0`. Raises: TrfError."""
    found, end = dict[str, int](), 0
    while end < len(text):
        match = SCORING.match(text, end)
        if match is None:
            raise _wrong(at, "no-worth", text=repr(text[end:]))
        symbol, *points = match.groups()
        found[symbol] = _halves(at, *points)
        end = match.end()
    if not found:
        return {}
    worths = {**CHESS, **{field: found[s] for s, field in SCORED.items() if s in found}}
    return worths if "P" in found else {**worths, "bye": worths["win"]}


def _halves(at: int, whole: str, half: str | None) -> int:
    """Return points in halves. Raises: TrfError for more than a result may be worth."""
    halves = int(whole) * 2 + (half == "5")
    if halves > MAX_POINTS:
        raise _wrong(at, "too-many", points=f"{whole}.{half or 0}", most=MAX_POINTS // 2)
    return halves


def _line(at: int, row: str) -> Line:
    cells = [
        _cell(at, row[start : start + ROUND_WIDTH].ljust(ROUND_WIDTH))
        for start in range(FIRST_ROUND, len(row.rstrip()), ROUND_WIDTH)
    ]
    name = bare(row[14:47])
    number = _number(at, row[4:8], "no-number", least=1)
    if not name:
        raise _wrong(at, "no-name")
    return Line(
        at,
        number,
        name,
        _number(at, row[48:52], "no-rating"),
        _points(at, row[80:84]),
        _number(at, row[85:89], "no-place"),
        tuple(cells),
    )


def _points(at: int, cell: str) -> float | None:
    """Return points written as `3` or `2.5`, None if empty. Raises: TrfError."""
    text = cell.strip().replace(",", ".")
    if not text:
        return None
    if not (text.isascii() and text.replace(".", "", 1).isdecimal()):
        raise _wrong(at, "no-points", text=repr(cell))
    return float(text)


def _cell(at: int, text: str) -> Cell:
    code = text[9].upper().replace(" ", "Z") if text.strip() else " "
    foe = _number(at, text[2:6], "no-opponent")
    if code not in " 1=0WDL+-FHUZ":
        raise _wrong(at, "no-result", text=repr(text[9]))
    if not foe and code in "1=0WDL":
        raise _wrong(at, "no-foe", text=repr(text[9]))
    return Cell(foe, text[7].lower(), code)


def _number(at: int, cell: str, what: str, least: int = 0) -> int:
    text = cell.strip() or "0"
    if not (text.isascii() and text.isdecimal()) or int(text) < least:
        raise _wrong(at, what, text=repr(cell))
    return int(text)


def _round(lines: Mapping[int, Line], index: int) -> RoundRecord:
    tables, byes, granted = list[Meeting](), list[str](), list[tuple[str, Worth]]()
    for line in lines.values():
        cell = line.cells[index] if index < len(line.cells) else Cell(0, "-", " ")
        if cell.foe:
            other = lines.get(cell.foe)
            theirs = other.cells[index] if other and index < len(other.cells) else None
            if theirs is None or theirs.foe != line.number or other is line:
                raise _wrong(line.at, "alone", round=index + 1, foe=cell.foe)
            if _first(line.number, cell, theirs):
                tables.append(_meeting(line, cell, theirs, index))
        elif cell.code == "U" or cell.code == "+":
            byes.append(str(line.number))
        elif cell.code in BYES:
            granted.append((str(line.number), BYES[cell.code]))
    return RoundRecord(tuple(tables), tuple(byes), tuple(granted))


def _first(number: int, mine: Cell, theirs: Cell) -> bool:
    """Tell whether a player has the first seat: white, else the lower number."""
    if mine.colour == theirs.colour or "-" in (mine.colour, theirs.colour):
        return number < mine.foe
    return mine.colour == "w"


def _meeting(line: Line, mine: Cell, theirs: Cell, index: int) -> Meeting:
    players = str(line.number), str(mine.foe)
    ends = mine.code, theirs.code
    if set(ends) <= {"+", "-"} and ends != ("+", "+"):
        absent = tuple(p for p, end in zip(players, ends, strict=True) if end == "-")
        return Meeting(players, absent=absent)
    if ends[0] in WON and ends[1] in LOST:
        return Meeting(players, (1, 0))
    if ends[0] in LOST and ends[1] in WON:
        return Meeting(players, (0, 1))
    if ends[0] in LEVEL and ends[1] in LEVEL:
        return Meeting(players, (0, 0), 1)
    if ends[0] in LOST and ends[1] in LOST:
        return Meeting(players, lost=True)
    mine_ended, theirs_ended = ends
    raise _wrong(
        line.at, "apart", round=index + 1, mine=mine_ended, theirs=theirs_ended, foe=mine.foe
    )


# -- writing --------------------------------------------------------------------------


def write(
    tournament: Retold,
    names: Mapping[str, str],
    points: Mapping[str, Fraction],
    order: Sequence[str],
) -> str:
    """Return the file of a tournament, start numbers in the order of its players.

    `points` and `order`, best first, by key.
    Raises: ValueError for tables of more than two, and for points of 100 or more.
    """
    numbers: dict[str, Entrant] = {each.key: i for i, each in enumerate(tournament.players, 1)}
    if tournament.stage.format not in TYPES:
        raise ValueError("a report file holds two at a table")
    worth = [Fraction(_points_of(tournament.stage, field)) for field in SCORED.values()]
    if any(each >= LIMIT for each in (*points.values(), *worth)):
        raise ValueError(f"a report file holds points below {LIMIT}")
    rows = [
        f"012 {_line_of(tournament.title)}",
        f"062 {len(numbers)}",
        f"092 {_type_of(tournament.stage)}",
        f"142 {len(tournament.rounds)}",
        f"162  {_scores_of(tournament.stage)}",
        *_breaks_of(tournament.stage),
    ]
    scoring = " ".join(
        f"{code}={_points_of(tournament.stage, field):.1f}" for code, field in WORTHS.items()
    )
    for each in tournament.players:
        cells = "".join(_written(tournament, each.key, numbers))
        name = _line_of(names.get(each.key) or each.name or each.key)[:33]
        place = order.index(each.key) + 1 if each.key in order else 0
        score = f"{float(points.get(each.key, Fraction(0))):4.1f}"
        rows.append(
            f"001 {numbers[each.key]:4d}      {name:<33} {each.rating or '':>4}"
            f"{'':28}{score} {place:4d}{cells}".rstrip()
        )
    return "\n".join([*rows, f"XXR {len(tournament.rounds)}", f"XXS {scoring}", ""])


def _type_of(stage: StageStarted) -> str:
    name = TYPES[stage.format]
    return f"Individual: {'Double ' if stage.legs == 2 else ''}{name}"


def _points_of(stage: StageStarted, field: str) -> float:
    """Return what a result is worth in points."""
    worth: int = getattr(stage, field)
    return worth / 2 if stage.halves else worth


def _scores_of(stage: StageStarted) -> str:
    """Return a stage's points as the line 162 has them; absence (A) is worth a loss, usually 0."""
    fields = {**SCORED, "A": "loss"} if stage.loss else SCORED
    return "    ".join(
        f"{symbol}{_points_of(stage, field):4.1f}" for symbol, field in fields.items()
    )


def _breaks_of(stage: StageStarted) -> Iterator[str]:
    """Yield the lines 202 and 212 of a stage whose tie-breaks are all FIDE's."""
    codes = [code.upper().replace("-", "/") for code in stage.tiebreaks]
    if codes and all(code in TIEBREAK_OF for code in codes):
        yield f"202 {','.join(codes)}"
        yield f"212 {','.join((POINTS, *codes))}"


def _line_of(text: str) -> str:
    return " ".join(text.splitlines())


def _written(tournament: Retold, key: str, numbers: Mapping[str, int]) -> Iterator[str]:
    for each in tournament.rounds:
        yield _cell_of(each, key, numbers)


def _cell_of(each: RoundRecord, key: str, numbers: Mapping[str, int]) -> str:
    if key in each.byes:
        return "  0000 - U"
    for who, worth in each.granted:
        if who == key:
            return f"  0000 - {CODES[worth]}"
    meeting = next((table for table in each.tables if key in table.players), None)
    if meeting is None:
        return " " * ROUND_WIDTH
    if len(meeting.players) != 2:
        raise ValueError("a report file holds two at a table")
    seat = meeting.players.index(key)
    foe = numbers[meeting.players[1 - seat]]
    return f"  {foe:4d} {'wb'[seat]} {_code(meeting, key, seat)}"


def _code(meeting: Meeting, key: str, seat: int) -> str:
    if meeting.absent:
        return "-" if key in meeting.absent else "+"
    if meeting.lost:
        return "0"
    mine, theirs = meeting.scores[seat], meeting.scores[1 - seat]
    return "=" if mine == theirs else "1" if mine > theirs else "0"
