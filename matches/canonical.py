"""One strict pass over all input from outside.

`parse` reads any request body; `act_from` turns the plain data into an act of a ruleset with exact
types. `rules.encoding` writes the form in which events are stored.
"""

import json
import re
import unicodedata
from collections import Counter
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
from django.utils.translation import gettext

from matches import allowed
from matches.errors import BadInput, TooLarge
from rules import encoding
from rules.cells import bare, composed
from rules.ruleset import Act, Ruleset, event_type

MAX_BYTES = 64 * 1024
MAX_DEPTH = 32
MAX_NOTE = 2000
INTEGERS = range(-(2**63), 2**63)
YEARS = range(2000, 2200)

_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)
_PLACE = re.compile(r"^(?P<text>.*?)(?: - at `(?P<where>.*)`)?$", re.DOTALL)
_KEY = re.compile("^key` in `")
"""What msgspec puts before the path of an object of which a key is wrong."""
_BREAK = re.compile("[\n\r\u2028\u2029]")
_CONTROL = re.compile(  # includes those that change the writing direction of what follows
    "[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffe\uffff]"
)
_UNSEEN = ("Cc", "Cf", "Zs", "Mn", "Me")
"""Unicode categories of characters that show nothing by themselves."""
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols that render as nothing."""
_CODES = {  # start of a msgspec message → our code
    "Object contains unknown field": "unknown-field",
    "Object missing required field": "missing-field",
    "Invalid value": "unknown-value",
    "Invalid enum value": "unknown-value",
    "Expected `int` <": "out-of-range",
    "Expected `int` >": "out-of-range",
    "Integer value out of range": "out-of-range",
}
_SAID = {  # msgspec message → our message
    "Invalid RFC3339 encoded datetime": "Expected a time with its zone, as 2026-05-31T18:30:00Z",
    "Invalid RFC3339 encoded date": "Expected a day, as 2026-05-31",
    "Invalid UUID": "Expected an id (a UUID)",
    "Expected `bool`, got `str`": "Expected true or false",
}
_AFTER = "Expected the number of a version, or the id of an act (a UUID)"
_MISFITS = {
    " of length ": "bad-length",
    " matching regex ": "bad-value",
}  # part of it → code
_NAMED = re.compile(r"^Object (?:contains unknown|missing required) field `(?P<name>.*)`$", re.S)


def bytes_for(characters: int) -> int:
    """Return the bytes to accept of JSON with one long text: `\\u1234` is six a character."""
    return MAX_BYTES + 6 * characters


class _Bad:
    """Stands for a value that is valid JSON but not accepted, until its path is known."""

    def __init__(self, code: str, detail: str) -> None:
        self.code = code
        self.detail = detail


def parse(raw: bytes, most_bytes: int = MAX_BYTES, where: str = "$") -> Any:
    """Read JSON strictly: no float, NaN, duplicate key, lone surrogate, NUL or 65-bit integer.

    Raises: BadInput, which names the fault and its path from `where`; TooLarge.
    """
    if len(raw) > most_bytes:
        raise TooLarge("too-large", f"That is too long: {most_bytes} bytes at most.", where)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput("not-utf8", f"Byte {error.start} is not UTF-8.", where) from None
    _require_shallow(text, where)
    try:
        data = json.loads(
            text,
            parse_int=_integer,
            parse_float=lambda digits: _Bad("float", f"{digits[:20]} is not a whole number."),
            parse_constant=lambda name: _Bad("not-a-number", f"{name} is not a number."),
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in text else ""
        detail = f"This is not JSON: {error.msg}, {line}column {error.colno}."
        raise BadInput("not-json", detail, where) from None
    require_plain(data, where)
    return data


def act_from(ruleset: Ruleset, data: Any, where: str = "$.act") -> Act:
    """Turn plain data into an act of a ruleset, with exact types and no unknown field.

    Raises: BadInput.
    """
    act: Act = convert(data, encoding.union(encoding.act_types(ruleset)), where)
    return act


def convert(data: Any, shape: Any, where: str = "$", *, strict: bool = True) -> Any:
    """Convert plain data to a shape with exact types. Raises: BadInput, with the path.

    Not `strict`: strings may stand for numbers, as in the parameters of a URL.
    """
    try:
        return msgspec.convert(data, shape, strict=strict)
    except msgspec.ValidationError as error:
        raise _bad_shape(error, where, data, shape) from None


def text_from(value: Any, where: str, most: int, least: int = 0, *, lines: bool = False) -> str:
    """Return a text of bounded length, of one line or of several `lines`.

    It is composed, its line breaks are newlines, and white space and invisible characters are
    stripped at both ends. It may hold no control characters except line breaks and tabs in several
    lines, and unless it is empty, something in it must be visible. Raises: BadInput.
    """
    if isinstance(value, str):
        value = newlines(composed(value))
    kept = kept_text_from(value, where, most, least)
    text = bare(kept)
    _require_printed(text, where, lines=lines)
    if kept and not any(map(_is_seen, text)):
        raise BadInput("unseen", gettext("This text has no visible characters."), where)
    return text


def newlines(text: str) -> str:
    """Return a text with each line break as one character; browsers send two and count one."""
    return text.replace("\r\n", "\n")


def kept_text_from(value: Any, where: str, most: int, least: int = 0) -> str:
    """Return a text that may have been stored before: any character but NUL. Raises: BadInput."""
    if type(value) is not str:
        raise BadInput("wrong-type", "This should be a text.", where)
    _require_text(value, where)
    text = value.strip()
    if not least <= len(text) <= most:
        raise BadInput(
            "bad-length",
            gettext("A text of {least} to {most} characters is expected.").format(
                least=least, most=most
            ),
            where,
        )
    return text


def note_from(act: Act, note: str) -> str:
    """Return the note sent beside an act whose type takes one. Raises: BadInput."""
    text = text_from(note, "$.note", MAX_NOTE, lines=True)
    if getattr(act, "note", ""):
        raise BadInput(
            "note-in-act", gettext("Say the reason beside the act, in `note`."), "$.act.note"
        )
    if text and "note" not in act.__struct_fields__:
        raise BadInput("no-note", f"`{event_type(act)}` takes no note.", "$.note")
    return text


def uuid_from(text: str) -> UUID | None:
    """Return the id that a text is; None if it is none."""
    try:
        return UUID(text)
    except ValueError:
        return None


def time_from(value: datetime, where: str) -> datetime:
    """Return an aware time in UTC, of a year that every database and page accepts.

    Raises: BadInput.
    """
    if value.tzinfo is None or (moment := _in_utc(value)) is None:
        text = f"A time with its zone is expected, of the years {YEARS[0]} to {YEARS[-1]}."
        raise BadInput("bad-time", text, where)
    return moment


def clock_from(said_at: datetime | None) -> datetime | None:
    """Return the time a client's clock showed, in UTC; None if it said none or is off by years.

    A wrong clock is no reason to refuse an act, as it orders nothing. Raises: BadInput without a
    zone.
    """
    if said_at is None:
        return None
    return _in_utc(said_at) if said_at.tzinfo else time_from(said_at, "$.said_at")


def _in_utc(value: datetime) -> datetime | None:
    """Return a time in UTC, None for a year that not every database and page accepts."""
    try:
        moment = value.astimezone(UTC)
    except OverflowError:
        return None
    return moment if moment.year in YEARS else None


# -- how --------------------------------------------------------------------------------


def _require_shallow(text: str, where: str) -> None:
    depth = 0
    for match in _BRACKETS.finditer(text):
        if match[0] in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                detail = f"Brackets are nested deeper than {MAX_DEPTH}."
                raise BadInput("too-deep", detail, where)
        elif match[0] in "]}":
            depth -= 1


def _integer(digits: str) -> int | _Bad:
    if len(digits) > 20 or (value := int(digits)) not in INTEGERS:
        return _Bad("too-big", f"{digits[:20]}… does not fit into 64 bits.")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | _Bad:
    data = dict(pairs)
    if len(data) < len(pairs):
        double = Counter(key for key, _ in pairs).most_common(1)[0][0]
        return _Bad("duplicate-key", f"The key {double[:40]!a} is there twice.")
    return data


def require_plain(value: Any, where: str) -> None:
    """Require strings and integers that every database accepts. Raises: BadInput."""
    match value:
        case _Bad():
            raise BadInput(value.code, value.detail, where)
        case int() if value not in INTEGERS:
            raise BadInput("too-big", "A number does not fit into 64 bits.", where)
        case str():
            _require_text(value, where)
        case dict():
            for key, item in value.items():
                _require_text(key, where)
                require_plain(item, f"{where}.{key[:40]}")
        case list():
            for number, item in enumerate(value):
                require_plain(item, f"{where}[{number}]")


def _require_text(text: str, where: str) -> None:
    if text.isprintable():  # NUL and halves of characters are not
        return
    if "\0" in text:
        raise BadInput("nul", gettext("A text may not hold NUL."), where)
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise BadInput("lone-surrogate", gettext("A text holds half a character."), where)


def _require_printed(text: str, where: str, *, lines: bool) -> None:
    if lines:
        text = text.replace("\n", "").replace("\t", "")
    elif _BREAK.search(text):
        raise BadInput("not-a-line", gettext("This must be a single line."), where)
    if found := _CONTROL.search(text):
        text = gettext("A text may not hold the control character {code}.")
        raise BadInput("control-character", text.format(code=f"U+{ord(found[0]):04X}"), where)


def _is_seen(letter: str) -> bool:
    return letter not in _BLANK and unicodedata.category(letter) not in _UNSEEN


def _bad_shape(error: msgspec.ValidationError, where: str, data: Any, shape: Any) -> BadInput:
    place = _PLACE.match(str(error))
    assert place is not None  # the pattern matches any text
    text, path = place["text"], _KEY.sub("", place["where"] or "$").removeprefix("$")
    where += path
    name = named["name"][:40] if (named := _NAMED.match(text)) else ""
    where += f".{name}" if named else ""
    detail = _SAID.get(text, text)
    detail = _AFTER if text == "Invalid UUID" and where.endswith(".after") else detail
    code = _code(text)
    if code in ("unknown-value", "bad-value"):
        detail = allowed.describe(detail, shape, data, path)
    elif code == "unknown-field" and (fields := allowed.fields_at(shape, data, path)):
        detail = f"There is no `{name}` here, only {', '.join(fields)}"
    return BadInput(code, f"{detail}.", where)


def _code(text: str) -> str:
    """Return our code for a message of msgspec."""
    for start, code in _CODES.items():
        if text.startswith(start):
            return code
    return next((code for part, code in _MISFITS.items() if part in text), "wrong-type")
