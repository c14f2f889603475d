"""Log lines without the secrets of links: as text or JSON, and errors of clients in one line."""

import json
import logging
import re
from datetime import UTC, datetime

from deploy.request_log import request_id

_LINK = re.compile(
    r"/(j|v1/seats|claims?|calendars|letters/off|confirm-email|password/reset/key)/[^/\s'\"]+"
)
_EXTRAS = ("route", "method", "status", "ms", "user")  # what `request_log` adds


def blanked(text: str) -> str:
    """Return a text with the secret of every link blanked."""
    return _LINK.sub(r"/\1/…", text)


class OneLine(logging.Filter):
    """Logs a client's error as one warning line, as nothing has to be repaired here."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.exc_info = record.exc_text = None
        return True


class LogLine(logging.Formatter):
    """A log line with the secrets of links blanked in paths."""

    def format(self, record: logging.LogRecord) -> str:
        return blanked(super().format(record))


class JsonLine(logging.Formatter):
    """A log line as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": blanked(record.getMessage()),
        }
        if known := request_id.get():
            fields["request"] = known
        fields |= {name: vars(record)[name] for name in _EXTRAS if name in vars(record)}
        if record.exc_info:
            fields["trace"] = blanked(self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False, default=str)
