"""Read one line of notation word by word: bare words, numbers, constants, JSON, pairs."""

import json
import re
from typing import Any, NoReturn

BARE = re.compile(r"[A-Za-z][A-Za-z0-9_./@:-]*")
CONSTANTS = {"true": True, "false": False, "null": None}

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(?![\w.])")
_BLANK = re.compile(r"[ \t]*")
_UNWRITABLE = re.compile(r"[\ud800-\udfff]|(?<!\\)(\\\\)*\\u0000")  # lone surrogates, and NUL
_LARGEST = 2**63 - 1


class NotationError(ValueError):
    """A text that cannot be read: where, and what was expected there.

    `line` and `column` count from 1.
    """

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.message = message
        self.line = line
        self.column = column


class Scanner:
    """A position in a line. Every method moves past what it reads and the blanks after it."""

    def __init__(self, text: str, line: int = 1) -> None:
        self.text = text
        self.line = line
        self.index = 0
        self._skip_blanks()

    @property
    def column(self) -> int:
        return self.index + 1

    def fail(self, message: str, column: int | None = None) -> NoReturn:
        raise NotationError(message, self.line, column or self.column)

    def at_end(self) -> bool:
        """Tell whether only a comment is left, if anything."""
        return self.index == len(self.text) or self.text[self.index] == "#"

    def end(self) -> None:
        if not self.at_end():
            self.fail(f"expected the end of the line, not {self.text[self.index :]!r}")

    def skip(self, mark: str) -> bool:
        """Move past a mark and return whether it was there."""
        if not self.text.startswith(mark, self.index):
            return False
        self.index += len(mark)
        self._skip_blanks()
        return True

    def bare(self, what: str) -> str:
        """Read a bare word."""
        found = BARE.match(self.text, self.index)
        if not found:
            self.fail(f"expected {what}")
        self._move(found.end())
        return found[0]

    def number(self) -> int | None:
        """Read a whole number if there is one."""
        found = _NUMBER.match(self.text, self.index)
        if not found:
            return None
        try:
            number = _whole(found[0])
        except ValueError as error:
            self.fail(str(error))
        self._move(found.end())
        return number

    def value(self, what: str) -> Any:
        """Read a value: JSON, a number, a constant or a bare word."""
        if self.at_end():
            self.fail(f"expected {what}")
        if self.text[self.index] in '"[{':
            return self._json(what)
        if (number := self.number()) is not None:
            return number
        word = self.bare(what)
        return CONSTANTS.get(word, word)

    def at_pair(self) -> bool:
        found = BARE.match(self.text, self.index)
        return found is not None and self.text.startswith("=", found.end())

    def pairs(self) -> dict[str, Any]:
        """Read all `name=value` pairs; a name may not occur twice."""
        found: dict[str, Any] = {}
        while self.at_pair():
            column = self.column
            name = self.bare("name=value")
            self.skip("=")
            value = self.value(f"a value for {name}")
            if name in found:
                self.fail(f"{name} is given twice", column)
            found[name] = value
        return found

    def _json(self, what: str) -> Any:
        try:
            value, stop = _DECODER.raw_decode(self.text, self.index)
        except RecursionError:
            self.fail(f"{what} is nested too deeply")
        except json.JSONDecodeError as error:
            self.fail(f"{what} is not JSON: {error.msg}", error.pos + 1)
        except ValueError as error:
            self.fail(f"{what}: {error}")
        if _UNWRITABLE.search(json.dumps(value, ensure_ascii=False)):
            self.fail(f"{what} holds a character that no text may hold")
        self._move(stop)
        return value

    def _move(self, index: int) -> None:
        self.index = index
        self._skip_blanks()

    def _skip_blanks(self) -> None:
        found = _BLANK.match(self.text, self.index)
        self.index = found.end() if found else self.index


def word(value: Any) -> str:
    """Write a value so that the scanner reads it back: as a bare word if that is unambiguous."""
    if isinstance(value, str) and value not in CONSTANTS and BARE.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def pair(name: str, value: Any) -> str:
    return f"{name}={word(value)}"


# -- JSON without surprises -----------------------------------------------------------


def _whole(digits: str) -> int:
    if len(digits) > 20 or not -_LARGEST <= int(digits) <= _LARGEST:
        raise ValueError("the number is too large")
    return int(digits)


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"{text} is no whole number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name is given twice")
    return dict(pairs)


_DECODER = json.JSONDecoder(
    parse_int=_whole, parse_float=_refuse, parse_constant=_refuse, object_pairs_hook=_object
)
