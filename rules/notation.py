"""Notation: a match as a text that people can write, read, mail and check.

An act is one line, derived from its fields: the type, the required fields in their declared
order, then the others by name.

    attacked 1 "Ridge Helm" a 2 "Tide Shield" b half-turn=true {dot-matches=3 strikes=2}

A value is a bare word, a whole number, `true`, `false`, `null`, or JSON. `!` after the type
marks an act against the rules that stood, `~9` one recorded again after a correction, as it
was in entry 9. Trailing `{…}` says what the writer expects of the entry: its `digest` (the
first 12 hex digits are enough), or fields of its consequences. `#` begins a comment.

A match is a header, which is the setup, then its acts, with or without their version:

    ruleset zg@1
    option depth=tests
    seat 1 label="Green side"
      cards name="Ridge Helm" slot=helmet a="R+ G B" b="G B# R"

    2 impulse-won 1

Below a seat each line is a part of its deck: `name=value …` adds one to the list of that
name, a single value is the part itself.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from rules import texts
from rules.cells import MARK
from rules.checking import Repeatable
from rules.replay import ActRefusedError, Entry, Timeline, entry_after
from rules.ruleset import (
    Act,
    Consequence,
    Ruleset,
    SeedRevealed,
    TakenBack,
    event_type,
    fields_of,
    pinned_name,
)
from rules.scanner import BARE, NotationError, Scanner, pair, word

__all__ = [
    "NotationError",
    "NotationLine",
    "Script",
    "play",
    "read",
    "read_match",
    "write",
    "write_match",
]

LOG_ACTS: tuple[type[Act], ...] = (TakenBack, SeedRevealed)
SHORTEST_DIGEST = 12
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_HEADER = ("ruleset", "log", "commitment", "option", "seat")


class NotationLine(msgspec.Struct, frozen=True):
    """An act as it was written: whether it stands against the rules, and what is expected of it.

    `repeats`: the entry it records again; `at`: its line in the text; `span`: where in that line
    the expectations are, or would be.
    """

    act: Act
    irregular: bool = False
    repeats: int | None = None
    expected: dict[str, Any] = msgspec.field(default_factory=dict)
    at: int = 1
    span: tuple[int, int] = (0, 0)


class Script(msgspec.Struct, frozen=True):
    """A whole match as it was written. Its first line is the setup."""

    ruleset: Any
    lines: tuple[NotationLine, ...]


# -- one act --------------------------------------------------------------------------


def write(
    act: Act,
    *,
    irregular: bool = False,
    repeats: int | None = None,
    expected: Mapping[str, Any] | None = None,
) -> str:
    """Write an act as one line."""
    plain = msgspec.to_builtins(act)
    again = f"~{repeats}" if repeats else ""
    words = [event_type(act) + ("!" if irregular else "") + again]
    named = []
    for field in fields_of(type(act)):
        if field.required:
            words.append(word(plain[field.name]))
        elif field.name in plain:
            named.append(pair(_kebab(field.name), plain[field.name]))
    if expected:
        named.append(_write_expected(expected))
    return " ".join(words + named)


def _write_expected(expected: Mapping[str, Any]) -> str:
    return "{" + " ".join(pair(name, value) for name, value in expected.items()) + "}"


def read(acts: Iterable[type[Act]], text: str) -> Act:
    """Read a line as one of these acts. Raises: NotationError."""
    line = _read_line({event_type(act): act for act in acts}, Scanner(text))
    if line.repeats is not None:
        raise NotationError("an act by itself repeats nothing")
    return line.act


def _read_line(kinds: Mapping[str, type[Act]], scanner: Scanner) -> NotationLine:
    start = scanner.column
    kind = scanner.bare("the type of an act")
    if kind not in kinds:
        scanner.fail(f"{kind} is no act here; expected one of {', '.join(kinds)}", start)
    irregular = scanner.skip("!")
    repeats = _read_repeats(scanner)
    fields = fields_of(kinds[kind])
    values: dict[str, Any] = {}
    columns: dict[str, int] = {}
    for field in fields:
        if field.required:
            columns[field.name] = scanner.column
            values[field.name] = scanner.value(_kebab(field.name))
    optional = {_kebab(field.name): field.name for field in fields if not field.required}
    named = scanner.column
    for name, value in scanner.pairs().items():
        if name not in optional:
            known = ", ".join(optional) or "none"
            scanner.fail(f"{kind} has no option {name}; expected: {known}", named)
        values[optional[name]], columns[optional[name]] = value, named
    expected, span = _read_expected(scanner)
    act = _convert(values, kinds[kind], scanner, start, columns)
    return NotationLine(act, irregular, repeats, expected, scanner.line, span)


def _read_repeats(scanner: Scanner) -> int | None:
    if not scanner.skip("~"):
        return None
    repeats = scanner.number()
    if repeats is None:
        scanner.fail("expected the number of the entry that is repeated")
    return repeats


def _read_expected(scanner: Scanner) -> tuple[dict[str, Any], tuple[int, int]]:
    """Read the end of a line: the expected values, and their span."""
    start = scanner.index
    expected = {}
    if scanner.skip("{"):
        expected = scanner.pairs()
        if not scanner.skip("}"):
            scanner.fail("expected name=value or }")
    scanner.end()
    return expected, (start, scanner.index)


def _convert(
    values: Any, kind: Any, scanner: Scanner, start: int, columns: Mapping[str, int]
) -> Any:
    """Convert values to their exact types, or report which one does not fit."""
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        message = str(error)
        place = re.search(r" - at `\$\.(\w+)", message)
        scanner.fail(message, columns.get(place[1], start) if place else start)


def _kebab(name: str) -> str:
    return name.replace("_", "-")


# -- the setup ------------------------------------------------------------------------


def _write_header(setup: Any) -> list[str]:
    plain = msgspec.to_builtins(setup)
    lines = [f"ruleset {setup.ruleset}"]
    lines += [f"{name} {word(plain[name])}" for name in ("log", "commitment") if name in plain]
    lines += [f"option {pair(_kebab(name), v)}" for name, v in plain.get("options", {}).items()]
    for number, seat in enumerate(plain["seats"], 1):
        deck = seat.pop("deck", None)
        pairs = [pair(_kebab(name), value) for name, value in seat.items()]
        if _is_plain(deck):
            lines += [" ".join([f"seat {number}", *pairs]), *_write_deck(deck)]
        else:
            pairs += [pair("deck", deck)] if deck is not None else []
            lines.append(" ".join([f"seat {number}", *pairs]))
    return lines


def _write_deck(deck: Mapping[str, Any]) -> Iterable[str]:
    for name, part in deck.items():
        if isinstance(part, list | tuple) and part and all(_is_plain(each) for each in part):
            for each in part:
                pairs = [pair(_kebab(key), value) for key, value in each.items()]
                yield " ".join([f"  {_kebab(name)}", *pairs])
        else:
            yield f"  {_kebab(name)} {word(part)}"


def _is_plain(part: Any) -> bool:
    """Tell whether a part can be written as `name=value` pairs."""
    return isinstance(part, dict) and bool(part) and all(map(_NAME.fullmatch, part))


class _Header:
    """The setup while its lines are being read."""

    def __init__(self) -> None:
        self.plain: dict[str, Any] = {}
        self.options: dict[str, Any] = {}
        self.seats: list[dict[str, Any]] = []

    def read(self, scanner: Scanner) -> None:
        if scanner.index > 0:
            self._read_part(scanner)
            return
        match scanner.bare("a line of the setup"):
            case "option":
                self.options |= _snake(scanner.pairs())
            case "seat":
                number = scanner.number()
                if number != len(self.seats) + 1:
                    scanner.fail(f"expected seat {len(self.seats) + 1}, not {number}")
                self.seats.append(_snake(scanner.pairs()))
            case name if name in self.plain:
                scanner.fail(f"{name} is given twice", 1)
            case name:
                self.plain[name] = scanner.value(f"the {name}")
        scanner.end()

    def _read_part(self, scanner: Scanner) -> None:
        if not self.seats:
            scanner.fail("expected a line of the setup; only parts of a deck are indented")
        start = scanner.column
        deck = self.seats[-1].setdefault("deck", {})
        if not isinstance(deck, dict):
            scanner.fail("the deck is given already", start)
        name = scanner.bare("the name of a part of the deck").replace("-", "_")
        if scanner.at_pair():
            part = _snake(scanner.pairs())
            earlier = deck.setdefault(name, [])
            if not isinstance(earlier, list):
                scanner.fail(f"{name} is given already", start)
            earlier.append(part)
        elif name in deck:
            scanner.fail(f"{name} is given already", start)
        else:
            deck[name] = scanner.value(f"the {name}")
        scanner.end()


def _snake(pairs: Mapping[str, Any]) -> dict[str, Any]:
    return {name.replace("-", "_"): value for name, value in pairs.items()}


# -- a whole match --------------------------------------------------------------------


def write_match(
    ruleset: Ruleset, entries: Sequence[Entry], *, digests: bool = False, comments: bool = False
) -> str:
    """Write a match: its setup, then its acts with their versions.

    `digests` adds the digest of every entry, `comments` a comment that describes each act in words.
    """
    lines = [*_write_header(entries[0].act), ""]
    if digests:
        lines.append(f"1 opened {_write_expected({'digest': entries[0].digest})}")
    timeline = Timeline(ruleset, entries[:1])
    for entry in entries[1:]:
        if comments and isinstance(entry.act, ruleset.acts):
            lines.append("# " + ruleset.tell(entry.act, timeline.head.state).replace("\n", " "))
        expected = {"digest": entry.digest} if digests else None
        written = write(
            entry.act,
            irregular=bool(entry.irregular),
            repeats=entry.repeats,
            expected=expected,
        )
        lines.append(f"{entry.version} {written}")
        if comments:
            timeline.append(entry)
    return "\n".join(lines).rstrip("\n") + "\n"


def read_match(text: str, get: Callable[[str], Ruleset]) -> Script:
    """Read a whole match; `get` returns its ruleset by name. Raises: NotationError."""
    typed = text.removeprefix(MARK).split("\n")
    scanners = [Scanner(line.rstrip("\r"), i) for i, line in enumerate(typed, 1)]
    written = [scanner for scanner in scanners if not scanner.at_end()]
    header = _Header()
    acts = len(written)
    for i, scanner in enumerate(written):
        if not _in_header(scanner):
            acts = i
            break
        header.read(scanner)
    first = written[0] if written else Scanner("")
    ruleset, setup = _open(header, first, get)
    lines = [NotationLine(setup, at=first.line)]
    kinds = {event_type(act): act for act in (*ruleset.acts, *LOG_ACTS)}
    for scanner in written[acts:]:
        _read_entry(kinds, lines, scanner)
    return Script(ruleset, tuple(lines))


def _in_header(scanner: Scanner) -> bool:
    if scanner.index > 0:
        return True
    found = BARE.match(scanner.text)
    return found is not None and found[0] in _HEADER


def _open(header: _Header, scanner: Scanner, get: Callable[[str], Ruleset]) -> tuple[Ruleset, Any]:
    name = header.plain.get("ruleset")
    if not isinstance(name, str):
        scanner.fail("expected a header with `ruleset NAME`", 1)
    try:
        ruleset = get(name)
    except KeyError:
        scanner.fail(f"there is no ruleset {name}", 1)
    plain = header.plain | {"ruleset": pinned_name(ruleset)}
    plain |= {"options": header.options, "seats": header.seats}
    return ruleset, _convert(plain, ruleset.opened, scanner, 1, {})


def _read_entry(
    kinds: Mapping[str, type[Act]], lines: list[NotationLine], scanner: Scanner
) -> None:
    """Read one entry and add it. `1 opened {…}` only states what is expected of the setup."""
    version = scanner.number()
    if version == len(lines) == 1 and scanner.bare("opened") == "opened":
        expected, span = _read_expected(scanner)
        lines[0] = NotationLine(lines[0].act, expected=expected, at=scanner.line, span=span)
        return
    if version not in (None, len(lines) + 1):
        scanner.fail(f"entry {version} cannot follow entry {len(lines)}", 1)
    lines.append(_read_line(kinds, scanner))


def without_digests(script: Script) -> Script:
    """Return a script without its expected digests; all other expectations stay."""
    lines = [
        msgspec.structs.replace(
            line, expected={name: v for name, v in line.expected.items() if name != "digest"}
        )
        for line in script.lines
    ]
    return Script(script.ruleset, tuple(lines))


def stamp(text: str, script: Script, entries: Sequence[Entry]) -> str:
    """Return the text that a script was read from, with the digest of every entry in its line.

    For the digest of the setup the text needs a line `1 opened`.
    """
    rows = text.split("\n")
    for line, entry in zip(script.lines, entries, strict=True):
        start, stop = line.span
        if not stop:
            continue
        row = rows[line.at - 1]
        expected = line.expected | {"digest": entry.digest[:SHORTEST_DIGEST]}
        parts = [row[:start].rstrip(), _write_expected(expected), row[stop:]]
        rows[line.at - 1] = " ".join(parts).rstrip()
    return "\n".join(rows)


def play(script: Script) -> Timeline:
    """Record every act of a script. Raises: NotationError at the first that does not hold.

    An act does not hold if it is impossible; if it is against the rules but not marked so, or
    marked so but legal; if it repeats an entry it may not; or if its entry is not what the line
    expects.
    """
    ruleset = script.ruleset
    timeline = Timeline(ruleset)
    repeatable = Repeatable(timeline)
    for line in script.lines:
        if why := repeatable.wrong(line.act, line.repeats):
            raise NotationError(f"cannot repeat entry {line.repeats}: expected {why}", line.at)
        try:
            entry, moment = entry_after(
                ruleset, timeline, line.act, irregular=line.irregular, repeats=line.repeats
            )
        except ActRefusedError as refused:
            why = _refusal(ruleset, script.lines[0].act, refused)
            raise NotationError(why, line.at) from refused
        if line.irregular and not entry.irregular:
            raise NotationError("marked as against the rules, but it is legal", line.at)
        if surprise := contradiction(line.expected, entry):
            raise NotationError(surprise, line.at)
        timeline.add(entry, moment)
        repeatable.follow(entry)
    return timeline


def _refusal(ruleset: Ruleset, setup: Any, refused: ActRefusedError) -> str:
    verdict = refused.verdict
    why = texts.of_finding(ruleset.texts, verdict, texts.names_of(setup))
    hint = " Mark it with ! if it stood." if verdict.call == "irregular" else ""
    return f"{refused}. {why}{hint}"


def contradiction(expected: Mapping[str, Any], entry: Entry) -> str | None:
    """Describe the first expectation of a line that its entry does not meet, or return None.

    `digest` is the entry's own; any other name is a field of one of its consequences.
    """
    for name, value in expected.items():
        if name == "digest":
            if not _abbreviates(value, entry.digest):
                return f"digest is {entry.digest}, expected {word(value)}"
            continue
        found = _found(name, entry.consequences)
        if word(value) not in found:
            actual = " or ".join(found) or "in no consequence"
            return f"{name} is {actual}, expected {word(value)}"
    return None


def _abbreviates(value: Any, digest: str) -> bool:
    return isinstance(value, str) and len(value) >= SHORTEST_DIGEST and digest.startswith(value)


def _found(name: str, consequences: Iterable[Consequence]) -> list[str]:
    """Return as words the values of a field in the consequences that have it, by default too."""
    field = name.replace("-", "_")
    return [
        word(msgspec.to_builtins(getattr(consequence, field)))
        for consequence in consequences
        if field in consequence.__struct_fields__
    ]
