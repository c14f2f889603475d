"""On PostgreSQL the web role has the privileges the site needs, and none that can undo a log."""

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from matches import append_only, guard, rights
from matches.models import Event
from tests import database, factories, site

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db]

HOSTILE = [
    "UPDATE matches_event SET body = '{}'",
    "DELETE FROM matches_event",
    "TRUNCATE matches_event",
    "TRUNCATE matches_log CASCADE",
    "INSERT INTO matches_event TABLE matches_event ON CONFLICT (id) DO UPDATE SET body = ''",
    "MERGE INTO matches_event e USING matches_log l ON e.log_id = l.id WHEN MATCHED THEN DELETE",
    "ALTER TABLE matches_event DISABLE TRIGGER ALL",
    "ALTER TABLE matches_event DISABLE TRIGGER event_no_change",
    "ALTER TABLE matches_event ADD COLUMN more text",
    "ALTER TABLE matches_event OWNER TO CURRENT_USER",
    "ALTER TABLE matches_event RENAME TO elsewhere",
    "DROP TRIGGER event_no_change ON matches_event",
    "DROP TABLE matches_event CASCADE",
    "DROP FUNCTION refuse_change CASCADE",
    "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql "
    "AS 'BEGIN RETURN OLD; END'",
    "CREATE TRIGGER mine BEFORE INSERT ON matches_event FOR EACH ROW "
    "EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    "CREATE RULE mine AS ON INSERT TO matches_event DO INSTEAD NOTHING",
    "CREATE TABLE mine (id int)",
    "CREATE TEMPORARY TABLE mine (id int)",
    "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "SET session_replication_role = replica",
    "ALTER ROLE CURRENT_USER SUPERUSER",
    "CREATE ROLE mine",
    "SET ROLE postgres",
    "COPY matches_event FROM PROGRAM 'cat /dev/null'",
    "COPY matches_event TO '/tmp/mine'",
    "SELECT pg_read_file('/etc/passwd')",
    "LOCK TABLE matches_event IN ACCESS EXCLUSIVE MODE",
    "COMMENT ON TABLE matches_event IS 'mine'",
    "DELETE FROM matches_log",
    "DELETE FROM matches_note",
    "DELETE FROM matches_feedhead",
    "UPDATE django_migrations SET name = ''",
]


@pytest.fixture
def web(transactional_db: None) -> Iterator[psycopg.Connection]:
    """A connection that signed in as the web role, as a server's does."""
    with psycopg.connect(site.database_url(), autocommit=True) as signed_in:
        yield signed_in


@pytest.mark.parametrize("statement", HOSTILE)
def test_the_web_role_is_refused(web: psycopg.Connection, statement: str) -> None:
    factories.played(2)
    before = list(Event.objects.order_by("pk").values())
    with pytest.raises(psycopg.Error) as refused:
        web.execute(statement)
    assert not isinstance(refused.value, psycopg.errors.SyntaxError | psycopg.errors.UndefinedTable)
    assert list(Event.objects.order_by("pk").values()) == before


def test_what_the_web_role_grants_itself_has_no_effect(web: psycopg.Connection) -> None:
    web.execute("GRANT UPDATE, DELETE ON matches_event TO CURRENT_USER")
    assert problems() == []


def test_tests_run_as_the_web_role() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == (database.WEB_ROLE,)


def problems() -> list[str]:
    with connection.cursor() as cursor:
        return list(rights.problems_of(connection, cursor, database.WEB_ROLE))


def test_as_migrated_the_web_role_has_its_rights_and_no_others() -> None:
    assert problems() == []


BROKEN = {
    "may UPDATE matches_event": "GRANT UPDATE ON matches_event TO zgxl_web",
    "may UPDATE": "GRANT UPDATE (body) ON matches_event TO PUBLIC",
    "may DELETE matches_log": "GRANT DELETE ON matches_log TO zgxl_web",
    "may TRUNCATE": "GRANT TRUNCATE ON matches_event TO zgxl_web",
    "may TRIGGER matches_event": "GRANT TRIGGER ON matches_event TO zgxl_web",
    "may REFERENCES matches_log": "GRANT REFERENCES (id) ON matches_log TO zgxl_web",
    "may not INSERT matches_event": "REVOKE INSERT ON matches_event FROM zgxl_web",
    "may not SELECT auth_user": "REVOKE ALL ON auth_user FROM zgxl_web",
    "owns matches_event": "ALTER TABLE matches_event OWNER TO zgxl_web",
    "is a superuser": "ALTER ROLE zgxl_web SUPERUSER",
    "may make roles": "ALTER ROLE zgxl_web CREATEROLE",
    "may replicate": "ALTER ROLE zgxl_web REPLICATION",
    "may make tables": "GRANT CREATE ON SCHEMA public TO zgxl_web",
    "pg_write_all_data": "GRANT pg_write_all_data TO zgxl_web",
    "pg_execute_server_program": "GRANT pg_execute_server_program TO zgxl_web",
    "pg_write_server_files": "GRANT pg_write_server_files TO zgxl_web",
}


OF_ALL = {"may UPDATE", "may make tables"}


@pytest.mark.parametrize("said", BROKEN)
def test_a_right_too_many_or_too_few_is_named(said: str) -> None:
    with transaction.atomic():
        database.become_owner()
        with connection.cursor() as cursor:
            cursor.execute(BROKEN[said])
        assert said in "; ".join(problems())


@pytest.mark.parametrize("said", [said for said in BROKEN if "matches" in said or said in OF_ALL])
def test_granting_again_mends_it(said: str) -> None:
    database.become_owner()
    with connection.cursor() as cursor:
        cursor.execute(BROKEN[said].replace("OWNER TO zgxl_web", "OWNER TO postgres"))
    rights.grant("default", database.WEB_ROLE)
    assert problems() == []


def test_a_table_made_later_is_closed_until_rights_are_given_again() -> None:
    database.become_owner()
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE matches_job")
        cursor.execute("CREATE TABLE matches_job (id uuid PRIMARY KEY)")
        assert "may not SELECT matches_job" in "; ".join(problems())
    call_command("migrate", verbosity=0)
    assert problems() == []


def test_a_role_that_is_not_there_is_named() -> None:
    database.become_owner()
    with pytest.raises(append_only.NotAppendOnly, match="createuser --pwprompt nobody_yet"):
        rights.grant("default", "nobody_yet")


def test_who_owns_the_tables_is_not_given_rights_to_them() -> None:
    database.become_owner()
    with pytest.raises(append_only.NotAppendOnly, match="the same"):
        rights.grant("default", connection.settings_dict["USER"])


def test_the_command_puts_both_back(settings) -> None:
    database.become_owner()
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER event_no_change ON matches_event")
        cursor.execute("GRANT UPDATE ON matches_event TO zgxl_web")
    call_command("grant")
    assert guard.triggers.check() == problems() == []
    settings.WEB_ROLE = "nobody_yet"
    with pytest.raises(CommandError, match="nobody_yet"):
        call_command("grant")


# -- at start ----------------------------------------------------------------------------------


@pytest.fixture
def loosened(transactional_db: None) -> Iterator[None]:
    with database.as_owner(), connection.cursor() as cursor:
        cursor.execute("GRANT DELETE ON matches_event TO zgxl_web")
    yield
    with database.as_owner():
        guard.put_back()


@pytest.mark.parametrize("server", site.SERVERS)
def test_a_real_process_does_not_start_with_a_right_too_many(loosened: None, server: str) -> None:
    ended = site.started(*site.SERVERS[server])
    said = ended.stdout + ended.stderr
    assert ended.returncode != 0
    assert "zgxl_web may DELETE matches_event" in said
    assert "manage.py migrate" in said


def test_the_owner_does_not_serve_where_there_is_a_web_role(transactional_db: None) -> None:
    ended = site.started(*site.SERVERS["asgi"], DATABASE_URL=site.owner_url())
    assert ended.returncode != 0
    assert "is a superuser" in ended.stderr or "owns" in ended.stderr


def test_the_web_role_starts_without_a_warning(transactional_db: None) -> None:
    ended = site.started(*site.SERVERS["asgi"])
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.fixture
def one_role(transactional_db: None) -> Iterator[None]:
    """Nobody but the owner was given anything."""
    with database.as_owner(), connection.cursor() as cursor:
        cursor.execute("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM zgxl_web")
    with database.as_owner():
        yield
        guard.put_back()


def test_one_role_alone_serves_with_a_warning(one_role: None) -> None:
    ended = site.started(*site.SERVERS["asgi"], DATABASE_URL=site.owner_url())
    assert ended.returncode == 0
    assert "Two roles" in ended.stderr
    told = site.started("manage.py", "check", "--deploy", DATABASE_URL=site.owner_url())
    assert "matches.W001" in told.stderr


def test_a_database_that_folds_ascii_alone_is_warned_of(transactional_db: None) -> None:
    told = site.started("manage.py", "check", "--deploy")
    assert "matches.W003" not in told.stderr
    beside = urlsplit(site.owner_url())._replace(path="/ascii").geturl()
    with psycopg.connect(site.owner_url(), autocommit=True) as server:
        server.execute("CREATE DATABASE ascii TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'")
        told = site.started("manage.py", "check", "--deploy", DATABASE_URL=beside)
        server.execute("DROP DATABASE ascii WITH (FORCE)")
    assert "matches.W003" in told.stderr


def test_the_owner_migrates_and_grants(transactional_db: None) -> None:
    both = {"OWNER_DATABASE_URL": site.owner_url()}
    assert site.started("manage.py", "migrate", **both).returncode == 0
    assert site.started("manage.py", "grant", **both).returncode == 0


BAD_URLS: dict[str, Callable[[], str]] = {
    "the-same-role": site.database_url,
    "another-engine": lambda: "sqlite:////tmp/none.sqlite3",
    "no-url": lambda: "postgres",
}


@pytest.mark.parametrize("way", BAD_URLS)
def test_an_owner_that_makes_no_sense_stops_the_start(transactional_db: None, way: str) -> None:
    ended = site.started("manage.py", "check", OWNER_DATABASE_URL=BAD_URLS[way]())
    assert ended.returncode != 0
    assert "DATABASE_URL" in ended.stderr
