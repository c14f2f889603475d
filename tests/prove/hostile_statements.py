"""Hostile statements: refused to the web role, and detected when run by the owner."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

from django.db import connection, transaction
from django.db.models import F

from matches import guard
from matches.models import Event, Log, Match
from matches.verify import verify
from tests import database, factories, site
from tests.matches import test_rights, test_triggers
from tests.prove.experiment import Found, engine, experiment, must_break, require

LEAST = 12


@experiment(
    section="Tampering",
    promise="The database refuses every statement that would change, remove or unprotect what "
    "was recorded; what only its owner could do is detected by a check.",
    full={"acts": 50},
    short={"acts": 4},
)
def hostile_statements(*, acts: int) -> Found:
    """Try each statement as the web role; then tamper as the owner, each way on its own log."""
    statements = _statements()
    require(len(statements) >= LEAST, f"only {len(statements)} statements")
    match = factories.played(acts)
    before = list(Event.objects.order_by("pk").values_list())
    _all_refused(statements)
    require(list(Event.objects.order_by("pk").values_list()) == before, "an event was changed")
    require(verify(match.log).ok, "the log does not hold any more")
    ways = [_found_out(tamper, acts) for tamper in OWNERS_WAYS]
    broke = must_break(lambda: _unprotected(statements))
    return Found(
        asked=f"{len(statements)} hostile statements as the serving role on {engine()}, and "
        f"{len(ways)} ways of tampering as the owner",
        found="every statement refused, no row changed; all that the owner did was detected at "
        "its first entry",
        counts={"statements": len(statements), "owner's ways": len(ways)},
        bite=f"Without the triggers, as the owner: {broke}.",
    )


def _statements() -> list[str]:
    if connection.vendor == "sqlite":
        return [*test_triggers.BOTH, *test_triggers.SQLITE]
    return test_rights.HOSTILE


def _all_refused(statements: list[str]) -> None:
    """Open a new connection, as a server does, and try each statement. Raises: Broken."""
    for statement in statements:
        require(_refused(statement), f"this was not refused: {statement}")


def _refused(statement: str) -> bool:
    if connection.vendor == "sqlite":
        path = str(connection.settings_dict["NAME"])
        with closing(sqlite3.connect(path, isolation_level=None, timeout=20)) as file:
            file.execute("BEGIN IMMEDIATE")
            try:
                file.execute(statement)
            except sqlite3.DatabaseError:
                return True
            finally:
                file.execute("ROLLBACK")
        return False
    import psycopg

    with psycopg.connect(site.database_url(), autocommit=True) as server:
        try:
            server.execute(statement)
        except psycopg.errors.SyntaxError:
            raise
        except psycopg.Error:
            return True
    return False


def _unprotected(statements: list[str]) -> None:
    """Run the plain changes as the owner without triggers, and roll them back."""
    with database.as_owner(), transaction.atomic():
        database.triggers.drop()
        for statement in test_triggers.BOTH[:6]:
            with connection.cursor() as cursor:
                sid = transaction.savepoint()
                try:
                    cursor.execute(statement)
                finally:
                    transaction.savepoint_rollback(sid)
        transaction.set_rollback(True)
        require(False, f"all {len(test_triggers.BOTH[:6])} plain changes passed")


# -- tampering as the owner -------------------------------------------------------------------


def _change(match: Match) -> int:
    Event.objects.filter(log=match.log, version=3).update(type="points-taken")
    return 3


def _remove(match: Match) -> int:
    Event.objects.filter(log=match.log, version=3).delete()
    return 3


def _number_anew(match: Match) -> int:
    Event.objects.filter(log=match.log, version__gte=3).update(version=F("version") + 1000)
    return 3


def _move_the_head(match: Match) -> int:
    Log.objects.filter(pk=match.log.pk).update(head_hash="0" * 64)
    return match.log.head_version


OWNERS_WAYS: list[Callable[[Match], int]] = [_change, _remove, _number_anew, _move_the_head]


def _found_out(tamper: Callable[[Match], int], acts: int) -> Any:
    """Tamper as the owner without triggers; verification must name the entry. Raises: Broken."""
    match = factories.played(acts)
    match.log.refresh_from_db()
    with database.as_owner():
        database.triggers.drop()
        require(guard.triggers.check(), "a server would start without the triggers")
        bad = tamper(match)
        guard.put_back()
    report = verify(match.log)
    require(report.first_bad == bad, f"{tamper.__name__}: {report.first_bad} instead of {bad}")
    return report
