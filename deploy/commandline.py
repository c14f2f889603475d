"""The command line: a command that its surroundings stop says why in one line.

Its surroundings are settings, database, files and network. All other errors are ours and keep their
traceback, as do all with Django's own `--traceback`.
"""

import signal
import sys
from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import Error

from deploy import database_faults, stack


def run(arguments: Sequence[str]) -> None:
    """Run a command of `manage.py`; exit with status 1 and a line if its surroundings stop it."""
    try:
        database_faults.fail_fast()
        stack.roomy(execute_from_command_line)(list(arguments))
    except KeyboardInterrupt:
        raise SystemExit(128 + signal.SIGINT) from None
    except (ImproperlyConfigured, Error, OSError) as error:
        why = "" if "--traceback" in arguments else _why(error)
        if not why:
            raise
        sys.stderr.write(f"CommandError: {why}\n")
        raise SystemExit(1) from None


def _why(error: Exception) -> str:
    """Return the reason, or "" if the error is ours."""
    if isinstance(error, Error):
        return database_faults.explained(error)
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return database_faults.one_line(error)
