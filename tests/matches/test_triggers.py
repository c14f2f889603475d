"""The database refuses to change events, and the site does not serve without this protection."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from matches import triggers
from matches.models import Event, FeedHead
from tests import database, factories, site

ANY_COLUMNS = (
    'log_id, version, ordinal, position, type, body, request_digest, verdict, "on", '
    "state_digest, salt, hash"
)
FIRST = f"SELECT {ANY_COLUMNS} FROM matches_event WHERE ordinal = 0 AND version = 1"


def run(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def refused(statement: str) -> bool:
    """Tell whether the database refuses a statement; what it let happen is undone."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
            transaction.set_rollback(True)
    except DatabaseError:
        return True
    return False


BOTH = [
    "UPDATE matches_event SET body = '{}'",
    "UPDATE matches_event SET body = body WHERE version = 1",
    "UPDATE matches_event SET id = id + 1000",
    "UPDATE matches_event SET hash = '' WHERE version = 1 AND ordinal = 0",
    "DELETE FROM matches_event",
    "DELETE FROM matches_event WHERE version = 2",
    f"INSERT INTO matches_event ({ANY_COLUMNS}) {FIRST}",
    f"INSERT INTO matches_event ({ANY_COLUMNS}) {FIRST} "
    "ON CONFLICT (log_id, version, ordinal) DO UPDATE SET body = '{}'",
]
REPLACE = [
    f"REPLACE INTO matches_event ({ANY_COLUMNS}) {FIRST}",
    f"INSERT OR REPLACE INTO matches_event (id, {ANY_COLUMNS}) "
    f"SELECT id, {ANY_COLUMNS} FROM matches_event WHERE ordinal = 0 AND version = 1",
    f"INSERT OR REPLACE INTO matches_event (act_id, {ANY_COLUMNS}) SELECT act_id, log_id, 77, 0, "
    'position + 1000, type, body, request_digest, verdict, "on", state_digest, salt, hash '
    "FROM matches_event WHERE ordinal = 0 AND version = 1",
    f"INSERT OR REPLACE INTO matches_event ({ANY_COLUMNS}) SELECT log_id, 77, 0, position, type, "
    'body, request_digest, verdict, "on", state_digest, salt, hash '
    "FROM matches_event WHERE ordinal = 0 AND version = 1",
]
SQLITE = [
    *REPLACE,
    "UPDATE OR REPLACE matches_event SET version = 1 WHERE version = 2",
    f"INSERT OR IGNORE INTO matches_event ({ANY_COLUMNS}) {FIRST}",
]
POSTGRESQL = [
    "TRUNCATE matches_event",
    "TRUNCATE matches_log CASCADE",
    "TRUNCATE matches_event RESTART IDENTITY",
    "DELETE FROM ONLY matches_event USING matches_log WHERE matches_event.log_id = matches_log.id",
    "WITH gone AS (DELETE FROM matches_event RETURNING *) SELECT count(*) FROM gone",
    "SET LOCAL session_replication_role = replica; DELETE FROM matches_event",
    "SET LOCAL session_replication_role = replica; TRUNCATE matches_event",
    "MERGE INTO matches_event e USING matches_log l ON e.log_id = l.id "
    "WHEN MATCHED THEN UPDATE SET body = '{}'",
]
HOSTILE = [
    *BOTH,
    *(pytest.param(each, marks=pytest.mark.sqlite) for each in SQLITE),
    *(pytest.param(each, marks=pytest.mark.postgresql) for each in POSTGRESQL),
]


@pytest.mark.django_db
@pytest.mark.parametrize("statement", HOSTILE)
def test_a_hostile_statement_is_refused(statement: str) -> None:
    factories.played(2)
    before = list(Event.objects.order_by("pk").values())
    assert refused(statement)
    database.become_owner()  # whom the triggers alone keep from it
    assert refused(statement)
    assert list(Event.objects.order_by("pk").values()) == before


@pytest.mark.django_db
@pytest.mark.sqlite
@pytest.mark.parametrize("statement", REPLACE)
def test_without_the_third_trigger_a_replace_passes(statement: str) -> None:
    factories.played(2)
    run("DROP TRIGGER event_no_replace")
    assert not refused(statement)


# -- looked after ------------------------------------------------------------------------------


@pytest.mark.django_db
def test_as_migrated_nothing_is_wrong() -> None:
    assert triggers.check() == []


BROKEN_SQLITE = {
    "dropped": ["DROP TRIGGER event_no_update"],
    "replace": ["DROP TRIGGER event_no_replace"],
    "changed": [
        "DROP TRIGGER event_no_delete",
        "CREATE TRIGGER event_no_delete BEFORE DELETE ON matches_event BEGIN SELECT 1; END",
    ],
    "narrowed": [
        "DROP TRIGGER event_no_update",
        "CREATE TRIGGER event_no_update BEFORE UPDATE OF body ON matches_event "
        "BEGIN SELECT RAISE(ABORT, 'matches_event is append-only'); END",
    ],
}
BROKEN_POSTGRESQL = {
    "dropped": ["DROP TRIGGER event_no_truncate ON matches_event"],
    "disabled": ["ALTER TABLE matches_event DISABLE TRIGGER event_no_change"],
    "all-disabled": ["ALTER TABLE matches_event DISABLE TRIGGER ALL"],
    "replica-only": ["ALTER TABLE matches_event ENABLE REPLICA TRIGGER event_no_truncate"],
    "not-always": ["ALTER TABLE matches_event ENABLE TRIGGER event_no_change"],
    "changed": [
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql "
        "AS 'BEGIN RETURN OLD; END'",
    ],
    "narrowed": [
        "DROP TRIGGER event_no_change ON matches_event",
        "CREATE TRIGGER event_no_change BEFORE UPDATE OF body OR DELETE ON matches_event "
        "FOR EACH ROW EXECUTE FUNCTION refuse_change()",
        "ALTER TABLE matches_event ENABLE ALWAYS TRIGGER event_no_change",
    ],
    "conditional": [
        "DROP TRIGGER event_no_change ON matches_event",
        "CREATE TRIGGER event_no_change BEFORE UPDATE OR DELETE ON matches_event FOR EACH ROW "
        "WHEN (OLD.version < 0) EXECUTE FUNCTION refuse_change()",
        "ALTER TABLE matches_event ENABLE ALWAYS TRIGGER event_no_change",
    ],
}
BROKEN = [
    pytest.param(statements, marks=mark, id=f"{mark.name}-{name}")
    for mark, ways in (
        (pytest.mark.sqlite, BROKEN_SQLITE),
        (pytest.mark.postgresql, BROKEN_POSTGRESQL),
    )
    for name, statements in ways.items()
]


@pytest.mark.django_db
@pytest.mark.parametrize("statements", BROKEN)
def test_a_trigger_missing_changed_or_disabled_is_noticed(statements: list[str]) -> None:
    database.become_owner()
    run(*statements)
    assert triggers.check()


@pytest.mark.django_db
def test_a_trigger_that_is_not_ours_is_noticed() -> None:
    database.become_owner()
    does = {
        "sqlite": "AFTER INSERT ON matches_event BEGIN SELECT 1; END",
        "postgresql": "BEFORE INSERT ON matches_event FOR EACH ROW "
        "EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    }
    run(f"CREATE TRIGGER sneaky {does[connection.vendor]}")
    assert "sneaky" in " ".join(triggers.check())


@pytest.mark.django_db
@pytest.mark.parametrize("statements", BROKEN)
def test_migrate_mends_it(statements: list[str]) -> None:
    database.become_owner()
    run(*statements)
    call_command("migrate", verbosity=0)
    assert triggers.check() == []


@pytest.mark.django_db(transaction=True)
def test_the_feed_goes_on_after_events_that_are_there_already() -> None:
    factories.played(3)
    head = FeedHead.objects.get().position
    with database.as_owner():
        FeedHead.objects.all().delete()
        triggers.put_back()
    assert FeedHead.objects.get().position == head


# -- at start ----------------------------------------------------------------------------------

DISABLED = {
    "sqlite": "DROP TRIGGER event_no_update",  # SQLite knows no disabling
    "postgresql": "ALTER TABLE matches_event DISABLE TRIGGER event_no_change",
}


@pytest.fixture
def unprotected(transactional_db: None) -> Iterator[None]:
    with database.as_owner():
        run(DISABLED[connection.vendor])
    yield
    with database.as_owner():
        triggers.put_back()


@pytest.mark.parametrize("server", site.SERVERS)
def test_a_real_process_does_not_start_over_unprotected_events(
    unprotected: None, server: str
) -> None:
    ended = site.started(*site.SERVERS[server])
    assert ended.returncode != 0
    assert "not append-only" in ended.stdout + ended.stderr
