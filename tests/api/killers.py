"""Malformed request bodies that every writing route must refuse without a server error."""

from typing import Any

import msgspec

HUGE = b" " * 10_000_000

Killer = tuple[bytes, int, str]


def of_json(valid: dict[str, Any], *, long: bool = False) -> dict[str, Killer]:
    """Return malformed bodies by name, made from a valid one, with the expected status and code.

    Where no field is required, an empty object is valid and left out. `long` routes take a text
    longer than other requests.
    """
    good = msgspec.json.encode(valid)

    def extra(value: bytes) -> bytes:
        """Return the valid body with one field added, so that nothing else is wrong."""
        return good[:-1] + (b"," if valid else b"") + b'"extra":' + value + b"}"

    return {
        "empty": (b" ", 400, "not-json"),
        "not JSON": (good[:-1], 400, "not-json"),
        "two bodies": (good + good, 400, "not-json"),
        "NaN": (extra(b"NaN"), 400, "not-a-number"),
        "Infinity": (extra(b"-Infinity"), 400, "not-a-number"),
        "1e400": (extra(b"1e400"), 400, "float"),
        "a float": (extra(b"1.0"), 400, "float"),
        "NUL": (extra(rb'"a\u0000b"'), 400, "nul"),
        "NUL in a key": (extra(rb'{"\u0000":1}'), 400, "nul"),
        "a bare NUL": (extra(b'"a\x00b"'), 400, "not-json"),
        "a lone surrogate": (extra(rb'"\ud800"'), 400, "lone-surrogate"),
        "2**63": (extra(b"9223372036854775808"), 400, "too-big"),
        "5,000 digits": (extra(b"9" * 5000), 400, "too-big"),
        "30,000 brackets": (extra(b"[" * 30_000), 400, "too-deep"),
        "100,000 brackets": (
            extra(b"[" * 100_000),
            *((400, "too-deep") if long else (413, "too-large")),
        ),
        "30,000 braces": (extra(b'{"a":' * 10_000), 400, "too-deep"),
        "a duplicate key": (extra(b'1,"extra":1'), 400, "duplicate-key"),
        "bad UTF-8": (extra(b'"\xff\xfe"'), 400, "not-utf8"),
        "UTF-16": (good.decode().encode("utf-16"), 400, "not-utf8"),
        "a byte order mark": (b"\xef\xbb\xbf" + good, 400, "not-json"),
        "10 MB": (HUGE, 413, "too-large"),
        "null": (b"null", 400, "wrong-type"),
        "a text": (b'"a"', 400, "wrong-type"),
        "a number": (b"7", 400, "wrong-type"),
        "true": (b"true", 400, "wrong-type"),
        "an unknown field": (extra(b"1"), 400, "unknown-field"),
        "a homoglyph": (extra(b"1").replace(b"extra", "іd".encode()), 400, "unknown-field"),
        **({"nothing in it": (b"{}", 400, "missing-field")} if valid else {}),
    }


def of_file() -> dict[str, Killer]:
    """Return malformed log files, for routes that take a file as the body."""
    return {
        "empty": (b"", 400, ""),
        "not JSON": (b'{"form":', 400, ""),
        "NaN": (b'{"form":NaN}', 400, ""),
        "NUL": (b'{"form":"\\u0000"}', 400, ""),
        "a bare NUL": (b"ruleset score@1\x00", 400, ""),
        "a lone surrogate": (b'{"form":"\\ud800"}', 400, ""),
        "2**63": (b'{"entries":9223372036854775808}', 400, ""),
        "30,000 brackets": (b"[" * 30_000, 400, ""),
        "100,000 brackets": (b'{"form":' + b"[" * 100_000, 413, "too-large"),
        "a duplicate key": (b'{"form":"a","form":"a"}', 400, ""),
        "bad UTF-8": (b"\xff\xfe", 400, ""),
        "wrong types": (b'{"form":1}', 400, ""),
        "10 MB": (HUGE, 413, "too-large"),
    }
