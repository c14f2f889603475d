"""Tournaments as files: what they contain, read and checked."""

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.utils.translation import gettext

import rules
from matches import canonical
from matches.errors import BadInput, TooLarge
from rules.desk import lists, retold, trf
from rules.desk.acts import Entered, Options, ResultReported, Ruled, StageStarted, Waitlisted
from rules.desk.limits import MAX_PEOPLE
from rules.desk.retold import PublishedRow, Retold
from rules.ruleset import Act, Opened, SeedRevealed

KINDS = ("published", "trf", "results", "tournament")
MAX_BYTES = 1_500_000
MAX_NAME = 80
MAX_PROBLEMS = 100
ELSEWHERE = "As recorded elsewhere"


class Person(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entrant, in the order of entrant numbers. `player`: whom of this site the name means."""

    name: str
    rating: int = 0
    player: UUID | None = None


class TournamentFile(
    msgspec.Struct, frozen=True, omit_defaults=True, tag="zgxl-tournament", tag_field="file"
):
    """A whole tournament as a file: its entrants, and every act that counts, in order."""

    title: str
    people: tuple[Person, ...]
    acts: tuple[dict[str, Any], ...]
    ruleset: str = "score@1"
    options: Options = Options()


class Problem(NamedTuple):
    """A problem in a file, and where: a row and column, a line, or a path."""

    where: str
    code: str
    detail: str


class BadFile(BadInput):
    """A file that cannot be imported, with all its problems; the first is the error itself."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        first = problems[0]
        super().__init__(first.code, first.detail, first.where)
        self.errors = [each._asdict() for each in problems[:MAX_PROBLEMS]]


class Planned(NamedTuple):
    """An act to record and its place in the file; `name` and `player` of whom it enters, if any."""

    act: Act
    where: str
    note: str = ""
    name: str = ""
    player: UUID | None = None


@dataclass(frozen=True)
class ImportPlan:
    """A file as read: the tournament to open, and the acts to record there."""

    title: str
    steps: Sequence[Planned]
    ruleset: str = "score"
    options: Options = field(default_factory=Options)
    source: Retold | None = None
    rows: Sequence[PublishedRow] = ()


def kind_of(name: str, data: bytes) -> str:
    """Return the kind of a file by its name and beginning, without a name by its content.

    Raises: BadInput.
    """
    start = data[:400].lstrip(b"\xef\xbb\xbf \r\n\t")
    suffix = name.lower().rpartition(".")[2]
    if not name:
        lines = data.splitlines()
        is_trf = any(line[:4] in (b"001 ", b"012 ") for line in lines)
        suffix = "json" if start.startswith((b"{", b"[")) else "trf" if is_trf else "csv"
    if suffix == "csv":
        return "results"
    if suffix in ("trf", "trfx", "txt"):
        return "trf"
    if suffix == "json":
        return "tournament" if b'"zgxl-tournament"' in start else "published"
    raise BadInput(
        "unknown-file",
        gettext("The name of a tournament file ends in .json, .trf, .txt or .csv."),
        "$.file",
    )


def read(kind: str, data: bytes) -> ImportPlan:
    """Read a file. Raises: BadInput, listing all problems found."""
    if len(data) > MAX_BYTES:
        raise TooLarge(
            "too-large",
            gettext("A file has at most {MAX_BYTES:,} bytes.").format(MAX_BYTES=MAX_BYTES),
            "$.file",
        )
    data = data.removeprefix(BOM_UTF8)
    if kind == "tournament":
        whole = whole_of(data)
        _require_players(whole.people)
        return coming_of(whole)
    source, rows = _read(kind, data)
    _require_players(source.players)
    numbers = retold.numbered(source)
    kept = _names((_name(source, key), "$.file") for key in numbers)
    steps = list(_steps(source, dict(zip(numbers.values(), kept, strict=True))))
    return ImportPlan(source.title, steps, source=source, rows=rows)


def _require_players(players: Sized) -> None:
    if not players:
        raise BadInput("bad-file", gettext("Nobody plays in this file."), "$.file")
    if len(players) > MAX_PEOPLE:
        raise BadFile([too_many("$.file")])


def too_many(where: str) -> Problem:
    """Return the problem of more entrants than a tournament can hold."""
    text = gettext("A tournament holds at most {MAX_PEOPLE:,} entrants.")
    return Problem(where, "too-many", text.format(MAX_PEOPLE=MAX_PEOPLE))


@contextmanager
def _json_only() -> Iterator[None]:
    """Raise BadInput for malformed JSON, or JSON that is not one of our files."""
    try:
        yield
    except RecursionError:
        raise BadInput("too-deep", gettext("Brackets are nested too deeply."), "$.file") from None
    except msgspec.DecodeError as error:
        raise BadInput("bad-file", str(error), "$.file") from None


@_json_only()
def _read(kind: str, data: bytes) -> tuple[Retold, tuple[PublishedRow, ...]]:
    try:
        match kind:
            case "published":
                return retold.read_published(data)
            case "trf":
                text = text_of(data)
                return trf.read(text), trf.published(text)
            case "results":
                stage = StageStarted(format="swiss", best_of=3, tiebreaks=("omw", "gw", "ogw"))
                source = lists.read_results(text_of(data), stage)
                rounds = max(len(source.rounds), 1)
                stage = msgspec.structs.replace(stage, rounds=rounds)
                return msgspec.structs.replace(source, stage=stage), ()
    except trf.TrfError as error:
        raise BadFile(
            [Problem(line_of(at), "bad-file", _sentence(text)) for at, text in error.problems]
        ) from None
    except lists.ListError as error:
        raise BadFile([problem_of(each) for each in error.problems]) from None
    raise BadInput(
        "unknown-value",
        gettext("A file is one of {KINDS}.").format(KINDS=", ".join(KINDS)),
        "$.kind",
    )


def text_of(data: bytes) -> str:
    """Return a file as text. Raises: BadInput, with the first line that is none."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        detail = gettext("The file is not text in UTF-8.")
        raise BadInput("bad-file", detail, line_of(line)) from None


def problem_of(each: lists.Problem) -> Problem:
    """Return a problem of a list as a problem of its file."""
    return Problem(place_of(each.row, each.column), "bad-file", _sentence(each.text))


def line_of(number: int) -> str:
    """Return the place of a problem in a text, in words."""
    return gettext("line {line}").format(line=number)


def place_of(row: int, column: str = "") -> str:
    """Return the place of a problem in a list, in words."""
    if column:
        return gettext("row {row}, column {column}").format(row=row, column=column)
    return gettext("row {row}").format(row=row)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _name(source: Retold, key: str) -> str:
    return next(each.name or each.key for each in source.players if each.key == key)


def _steps(source: Retold, names: Mapping[int, str]) -> Iterator[Planned]:
    """Yield the acts to record, with the names of entrants."""
    number = 0
    for step in retold.acts(source):
        act = step.act
        number += isinstance(act, Entered)
        name = names[number] if isinstance(act, Entered) else ""
        yield Planned(act, _where(act), step.reason, name)


def _where(act: Act) -> str:
    """Return the place in the file that an act comes from, as closely as possible."""
    if isinstance(act, ResultReported | Ruled):
        place = gettext("round {round}, table {table}")
        return place.format(round=act.round, table=act.table)
    number = getattr(act, "round", 0)
    return gettext("round {round}").format(round=number) if number else "$.file"


def _names(named: Iterable[tuple[str, str]]) -> list[str]:
    """Return names as they are stored. Raises: BadFile, listing all invalid ones."""
    found, wrong = list[str](), list[Problem]()
    for name, where in named:
        try:
            found.append(canonical.text_from(name, where, MAX_NAME, least=1))
        except BadInput as refused:
            wrong.append(Problem(where, refused.code, refused.errors[0]["detail"]))
    if wrong:
        raise BadFile(wrong)
    return found


@_json_only()
def whole_of(data: bytes) -> TournamentFile:
    """Read a whole tournament. Raises: BadInput for what is no such file."""
    whole: TournamentFile = msgspec.json.decode(data, type=TournamentFile)
    return whole


def coming_of(found: TournamentFile) -> ImportPlan:
    """Return the import of a tournament exported by a site like this one. Raises: BadFile."""
    names = _names((each.name, f"$.people[{n}].name") for n, each in enumerate(found.people))
    people = map(msgspec.structs.astuple, found.people)
    coming = (Person(name, *more) for name, (_, *more) in zip(names, people, strict=True))
    steps: list[Planned] = []
    wrong = _twice(found.people)
    for place, plain in enumerate(found.acts):
        try:
            steps.append(_planned(plain, f"$.acts[{place}]", coming))
        except BadInput as refused:
            wrong.append(Problem(refused.where, refused.code, refused.errors[0]["detail"]))
    if wrong:
        raise BadFile(wrong)
    return ImportPlan(found.title, steps, found.ruleset.partition("@")[0], found.options)


def _twice(people: Sequence[Person]) -> list[Problem]:
    """Return the problems of players whom a file enters more than once."""
    wrong, seen = list[Problem](), set[UUID]()
    for place, each in enumerate(people):
        if each.player in seen:
            text = gettext("{name} is entered already.").format(name=each.name)
            wrong.append(Problem(f"$.people[{place}].player", "entered-already", text))
        if each.player:
            seen.add(each.player)
    return wrong


def _planned(plain: Mapping[str, Any], where: str, coming: Iterator[Person]) -> Planned:
    """Return an act of a whole tournament. Raises: BadInput."""
    noted = "note" in plain or bool(plain.get("pairings") or plain.get("byes"))
    act = canonical.act_from(rules.get("desk"), {**plain, "note": ""} if noted else plain, where)
    if isinstance(act, Opened | SeedRevealed):
        raise BadInput("bad-file", gettext("The site records this itself."), where)
    if isinstance(act, Entered | Waitlisted):
        person = next(coming, None)
        if person is None:
            raise BadInput("bad-file", gettext("More people enter than the file names."), where)
        entered = Entered(rating=person.rating, seats=act.seats, lean=act.lean)
        return Planned(entered, where, name=person.name, player=person.player)
    return Planned(act, where, ELSEWHERE if noted else "")
