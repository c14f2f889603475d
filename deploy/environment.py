"""Values from the environment, read strictly.

Every function raises ImproperlyConfigured for a bad value, which stops the start with a reason.
"""

import os
import re
import warnings
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured
from kombu.transport import TRANSPORT_ALIASES

_FLAGS = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off", ""), False),
}
_ORIGIN = r"https?://[^\s/?#@]+"


def text(name: str, default: str = "") -> str:
    """Return a text; an empty one counts as not set."""
    return os.environ.get(name) or default


def words(name: str, default: list[str]) -> list[str]:
    """Return a comma-separated list."""
    given = text(name)
    return [word.strip() for word in given.split(",") if word.strip()] if given else default


def hosts(name: str, default: list[str]) -> list[str]:
    """Return a comma-separated list of host names."""
    given = words(name, default)
    if any("/" in word or re.fullmatch(r"[^:]*:\d*", word) for word in given):
        raise _bad(name, text(name), "host names without scheme or port, such as league.example")
    return given


def origins(name: str) -> list[str]:
    """Return a comma-separated list of origins: `https://league.example`."""
    given = words(name, [])
    if not all(re.fullmatch(_ORIGIN, word) for word in given):
        raise _bad(name, text(name), "origins such as https://league.example")
    return given


def choice(name: str, default: str, among: tuple[str, ...]) -> str:
    value = text(name, default)
    if value not in among:
        raise _bad(name, value, f"one of {', '.join(among)}")
    return value


def flag(name: str, *, default: bool = False) -> bool:
    value = text(name, "1" if default else "0")
    if value.lower() not in _FLAGS:
        raise _bad(name, value, "1 or 0")
    return _FLAGS[value.lower()]


def number(name: str, default: int, *, least: int = 0) -> int:
    value = text(name, str(default))
    if not value.isdecimal() or int(value) < least:
        raise _bad(name, value, f"a whole number, at least {least}")
    return int(value)


def site(name: str, default: str) -> str:
    """Return the address of a site without a slash at its end: `https://league.example`."""
    value = text(name, default).rstrip("/")
    if not re.fullmatch(_ORIGIN, value):
        raise _bad(name, value, "an address such as https://league.example")
    return value


def hexadecimal(name: str, *, digits: int) -> str:
    """Return a number of hexadecimal digits, or ""."""
    value = text(name).lower()
    if value and not re.fullmatch(rf"[0-9a-f]{{{digits}}}", value):
        raise _bad(name, value, f"{digits} hexadecimal digits")
    return value


def rate(name: str, default: str) -> str:
    """Return a rate limit, such as `300/min`."""
    value = text(name, default)
    count, _, period = value.partition("/")
    if not count.isdecimal() or not int(count) or period not in ("sec", "min", "hour", "day"):
        raise _bad(name, value, "a number from 1 and sec, min, hour or day, such as 300/min")
    return value


def database(name: str, default: str) -> dict[str, Any]:
    """Return Django's settings of a database URL: SQLite or PostgreSQL."""
    if not text(name, default).startswith(("sqlite:", "postgres:", "postgresql:")):
        # Not the value itself: it may hold a password.
        raise _bad(name, None, "a URL that begins with sqlite: or postgres:")
    found = _read(name, default, environ.Env.db_url_config)
    if not found["NAME"] and "service" not in found.get("OPTIONS", {}):
        raise _bad(name, None, "a URL that ends with the name of a database")
    return found


def cache(name: str, default: str) -> dict[str, Any]:
    """Return Django's settings of a cache URL."""
    return _read(name, default, environ.Env.cache_url_config)


def email(name: str, default: str) -> dict[str, Any]:
    """Return Django's settings of a mail server's URL."""
    return _read(name, default, environ.Env.email_url_config)


def broker(name: str, default: str) -> str:
    """Return the URL of a broker, or several in order of preference, parted by semicolons."""
    value = text(name, default)
    try:
        for url in value.split(";"):
            scheme, mark, _ = url.partition("://")
            if not mark or scheme.partition("+")[0] not in TRANSPORT_ALIASES:
                raise ValueError(scheme)
            _ = urlsplit(url).port  # raises if it is no number
    except ValueError as error:
        raise _bad(name, None, "a URL of a broker, such as redis://localhost/0") from error
    return value


def _read(name: str, default: str, parse: Callable[[str], Any]) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return dict(parse(text(name, default)))
        except (environ.ImproperlyConfigured, UserWarning, ValueError) as error:
            allowed = "a URL of a known kind, with special characters in a password percent-encoded"
            raise _bad(name, None, allowed) from error


def _bad(name: str, value: str | None, allowed: str) -> ImproperlyConfigured:
    given = "set" if value is None else repr(value)
    return ImproperlyConfigured(f"{name} is {given}; it must be {allowed}")
