"""Who asks, and what of it may be logged."""

import logging
import re

from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle

_LINK = re.compile(r"/(j|claim|claims|calendars|letters/off)/[^/\s'\"]+")


def address(request: HttpRequest) -> str:
    """Return the client's address, past as many proxies as the settings name."""
    return str(BaseThrottle().get_ident(request))  # type: ignore[arg-type]  # reads META alone


class LogLine(logging.Formatter):
    """A line of the log, the secret of a link blanked wherever a path is told."""

    def format(self, record: logging.LogRecord) -> str:
        return _LINK.sub(r"/\1/…", super().format(record))
