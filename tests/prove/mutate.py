"""A fuzzer that mutates valid input, as bytes or by the grammar of JSON, from one seed."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

POISONS: tuple[bytes, ...] = (
    *(b"null", b"true", b"false", b"0", b"-1", b"1", b"2", b"3", b"7", b"100", b"-0"),
    *(b"2147483647", b"2147483648", b"4294967296", b"9007199254740993"),
    *(b"9223372036854775807", b"9223372036854775808", b"-9223372036854775809", b"9" * 5000),
    *(b"1.5", b"1e400", b"-1e-5", b"NaN", b"-Infinity", b"01", b"0x10", b"1_000"),
    *(b'""', b'" "', b'"a"', b'"1"', b'"true"', b'"NaN"', b'"x%0ay"', b'"\\u0000"', b'"a\\u0000b"'),
    *(b'"\\ud800"', b'"\\udc00\\ud800"', b'"\\ud83d\\ude00"', b'"\xff\xfe"', b'"\xc0\x80"'),
    *('"ß"'.encode(), '"е\u0301"'.encode(), '"\u202eabc"'.encode(), '"\ufeff"'.encode()),
    *(b'"' + b"x" * 81 + b'"', b'"' + b"y" * 2001 + b'"', b'"' + b"z" * 60_000 + b'"'),
    *(b'"0190a000-0000-7000-8000-000000000001"', b'"00000000-0000-0000-0000-000000000000"'),
    *(b'"2026-01-01T00:00:00Z"', b'"0001-01-01T00:00:00Z"', b'"9999-12-31T23:59:60Z"'),
    *(b'"{code}"', b'"{player}"', b'"\'; DROP TABLE matches_event; --"', b'"{{7*7}}"'),
    *(b"[]", b"{}", b"[[]]", b'{"":0}', b"[null]", b'{"type":"opened"}', b'{"a":1,"a":2}'),
    *(b"[" * 31 + b"]" * 31, b"[" * 33 + b"]" * 33, b"[" * 30_000, b'{"a":' * 10_000),
)
"""Values, as JSON writes them or nearly."""

WORDS: tuple[bytes, ...] = (
    *(b"", b" ", b"+", b"%", b"%00", b"%0a", b"%FF%FE", b"%ED%A0%80", b"%F0%9F%98%80", b"a" * 300),
    *(b"-1", b"0", b"1", b"2", b"99", b"1e3", b"0x1", b"2147483648", b"9223372036854775808"),
    *(b"9" * 5000, b"NaN", b"true", b"null", b"None", b"..", b"%2e%2e%2f", b"%2F", b"%3Cb%3E"),
    *(b"0190a000-0000-7000-8000-000000000001", b"{code}", b"{player}", b"{token}", b"[" * 9000),
    *(b"score", b"zg", b"zg%401", b"points-scored", b"taken-back", b"%7B%22a%22%3A1%7D", b"'%22;"),
)
"""Values, as a URL or a form writes them."""


class Spoiler:
    """Mutates valid input; deterministic for a seed."""

    def __init__(self, seed: int | str) -> None:
        self.pick = random.Random(seed)

    # -- bytes --------------------------------------------------------------------------

    def spoil_bytes(self, good: bytes, other: bytes = b"") -> bytes:
        """Flip a bit, duplicate, cut or insert a part, or splice in a part of another input."""
        change: Callable[[bytes, bytes], bytes] = self.pick.choice(
            (self._flip, self._cut, self._double, self._put_in, self._truncate, self._splice)
        )
        return change(good, other)

    def _span(self, data: bytes) -> tuple[int, int]:
        start = self.pick.randint(0, len(data))
        most = self.pick.choice((1, 4, 32, len(data)))
        return start, min(len(data), start + self.pick.randint(1, max(1, most)))

    def _flip(self, data: bytes, other: bytes) -> bytes:
        if not data:
            return b"\x00"
        at = self.pick.randrange(len(data))
        return data[:at] + bytes([data[at] ^ 1 << self.pick.randrange(8)]) + data[at + 1 :]

    def _cut(self, data: bytes, other: bytes) -> bytes:
        start, end = self._span(data)
        return data[:start] + data[end:]

    def _double(self, data: bytes, other: bytes) -> bytes:
        start, end = self._span(data)
        return data[:end] + data[start:end] * self.pick.choice((1, 1, 2, 20)) + data[end:]

    def _put_in(self, data: bytes, other: bytes) -> bytes:
        at = self.pick.randint(0, len(data))
        new = self.pick.choice(
            (self.pick.randbytes(self.pick.randint(1, 8)), self.pick.choice(POISONS), b"\n", b"\0")
        )
        return data[:at] + new + data[at:]

    def _truncate(self, data: bytes, other: bytes) -> bytes:
        return data[: self.pick.randint(0, len(data))]

    def _splice(self, data: bytes, other: bytes) -> bytes:
        start, end = self._span(data)
        first, last = self._span(other)
        return data[:start] + other[first:last] + data[end:]

    # -- JSON ---------------------------------------------------------------------------

    def spoil_json(self, good: Any) -> bytes:
        """Change some values, names or lists of plain data, and encode it as JSON, or nearly."""
        data = msgspec.json.decode(msgspec.json.encode(good))
        raw: list[bytes] = []
        for _ in range(self.pick.choice((1, 1, 1, 2, 3))):
            data = self._changed(data, raw)
        text = msgspec.json.encode(data)
        for number, poison in enumerate(raw):
            text = text.replace(b'"\x1a%d\x1a"' % number, poison)
            text = text.replace(b'"\\u001a%d\\u001a"' % number, poison)
        return text

    def _changed(self, data: Any, raw: list[bytes]) -> Any:
        places = list(_places(data))
        if not places:
            return self._poison(raw)
        within, key = self.pick.choice(places)
        match self.pick.randrange(8):
            case 0:
                del within[key]
            case 1:
                where, other = self.pick.choice(places)
                within[key] = where[other] if where is not within[key] else None
                return msgspec.json.decode(msgspec.json.encode(_cut_loops(data)))
            case 2 if isinstance(within, list):
                within[key:key] = [within[key]] * self.pick.choice((1, 2, 9, 200))
            case 2 | 3:
                name = self.pick.choice(("extra", "id", "type", "", "\u0456d", "seat", "act"))
                if isinstance(within, dict):
                    within[name] = self._poison(raw)
                else:
                    within.append(self._poison(raw))
            case 4:
                within[key] = [within[key]]
            case _:
                within[key] = self._poison(raw)
        return data

    def _poison(self, raw: list[bytes]) -> str:
        raw.append(self.pick.choice(POISONS))
        return f"\x1a{len(raw) - 1}\x1a"

    # -- forms and addresses ------------------------------------------------------------

    def spoil_form(self, good: Sequence[tuple[str, bytes]]) -> bytes:
        """Change some fields of a form or query whose values are already encoded."""
        fields = [(name.encode(), value) for name, value in good]
        for _ in range(self.pick.choice((0, 1, 1, 1, 2, 3))):
            at = self.pick.randrange(len(fields)) if fields else 0
            match self.pick.randrange(6):
                case 0 if fields:
                    del fields[at]
                case 1 if fields:
                    fields.append(fields[at])
                case 2:
                    name = self.pick.choice((b"extra", b"act_id", b"type", b"line", b"%00", b"a[]"))
                    fields.insert(at, (name, self.pick.choice(WORDS)))
                case _ if fields:
                    fields[at] = fields[at][0], self.pick.choice(WORDS)
        return b"&".join(name + b"=" + value for name, value in fields)


def _places(data: Any) -> list[tuple[Any, Any]]:
    """Return each value of plain data as the container it is in and its key there."""
    found: list[tuple[Any, Any]] = []
    keys: Any = data if isinstance(data, dict) else range(len(data) if type(data) is list else 0)
    for key in keys:
        found.append((data, key))
        found += _places(data[key])
    return found


def _cut_loops(data: Any, above: tuple[int, ...] = ()) -> Any:
    """Return plain data without reference cycles."""
    if id(data) in above:
        return None
    above = (*above, id(data))
    if isinstance(data, dict):
        return {key: _cut_loops(value, above) for key, value in data.items()}
    if isinstance(data, list):
        return [_cut_loops(value, above) for value in data]
    return data
