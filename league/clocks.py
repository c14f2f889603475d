"""Times on a place's local clock: `7 Mar 2026, 19:30 AEDT (Melbourne)`.

The UTC offset is the one on that date, so it is right on both sides of a change of the clocks.
"""

from datetime import UTC, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop

DAY, CLOCK = gettext_noop("j M Y, H:i"), "H:i"


NO_PLACES = ("localtime", "Factory", "posixrules")
"""Files beside the zones whose meaning differs from machine to machine."""


@cache
def zones() -> frozenset[str]:
    """Return the names of all time zones."""
    return frozenset(available_timezones().difference(NO_PLACES))


def format_time(at: datetime, zone: str, form: str = DAY) -> str:
    """Format a moment in a time zone, with the name of its clock and its city."""
    there = at.astimezone(ZoneInfo(zone))
    area, _, city = zone.rpartition("/")
    place = f" ({city.replace('_', ' ')})" if area and area != "Etc" else ""
    return f"{date_format(there, gettext(form))} {_called(there)}{place}"


def moment(seconds: int) -> datetime:
    """Return a time as a desk's log has it, in seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC)


def later(at: datetime, zone: str, by: timedelta, clock: time | None = None) -> datetime:
    """Return a moment some days later, at the same local time, or at that of a `clock`.

    A time that the clocks skip on that day is as much later as they do; of one that they repeat,
    the first is meant.
    """
    there = at.astimezone(ZoneInfo(zone)) + by
    there = there if clock is None else datetime.combine(there, clock, there.tzinfo)
    return there.replace(fold=0).astimezone(UTC)


def clock_at(at: datetime, zone: str) -> time:
    """Return what the clock of a time zone shows at a moment."""
    return at.astimezone(ZoneInfo(zone)).time()


def _called(there: datetime) -> str:
    """Return `AEDT`, or `UTC+8` for a zone without abbreviation."""
    name = there.tzname() or "UTC"
    if name[0] not in "+-":
        return name
    hours, minutes = name[1:3].lstrip("0") or "0", name[3:]
    return f"UTC{name[0]}{hours}{':' + minutes if minutes else ''}"
