"""Partitioned events: every guarantee of the one table holds for its partitions."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from matches import append_only, feed, triggers
from matches.actors import NOBODY
from matches.models import Event, FeedHead, Match
from matches.verify import verify
from tests import database, factories, fill
from tests.matches import test_rights
from tests.matches.test_triggers import ANY_COLUMNS, BOTH, FIRST, POSTGRESQL, refused, run

pytestmark = pytest.mark.django_db


@pytest.fixture
def matches() -> list[Match]:
    """Matches whose events lie in four parts since; some were recorded after that."""
    played = [factories.played(2) for _ in range(6)]
    run("SET CONSTRAINTS ALL IMMEDIATE")  # what a commit would do
    database.become_owner()
    call_command("partition", parts=4, verbosity=0)
    while empty := [part for part in parts() if not rows_in(part)]:
        assert len(played) < 200, f"nothing comes into {empty}"
        run(f"SET ROLE {database.WEB_ROLE}")
        played.append(factories.played(2))  # which part it comes into is left to its id
        database.become_owner()
    run(f"SET ROLE {database.WEB_ROLE}")
    for match in played:
        factories.record(match)
    return [*played, *(factories.played(2) for _ in range(6))]


def parts() -> list[str]:
    return append_only.parts(connection, "matches_event")


def rows_in(part: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {part}")
        count: int = cursor.fetchone()[0]
    return count


def in_a_part(statement: str) -> str:
    return statement.replace("matches_event", parts()[0])


@pytest.mark.postgresql
def test_logs_continue_after_partitioning_and_verify(matches: list[Match]) -> None:
    assert all(verify(match.log).ok for match in matches)
    told = feed.feed(NOBODY, limit=1000)
    assert [entry.entry.position for entry in told.entries] == [*range(1, told.last + 1)]
    assert FeedHead.objects.get().position == told.last
    call_command("verify", verbosity=0)
    database.become_owner()
    assert len(parts()) == 4
    assert all(map(rows_in, parts()))
    with pytest.raises(CommandError, match="in 4 parts already"):
        call_command("partition")


SECOND = FIRST.replace("log_id, version", "log_id, 77", 1)
"""A copy of the first entries, at the same places of the feed, where no entry is."""


@pytest.mark.postgresql
def test_every_hostile_statement_is_refused_of_the_table_and_of_a_part(
    matches: list[Match],
) -> None:
    before = list(Event.objects.order_by("pk").values())
    whole = [each for each in POSTGRESQL if "FROM ONLY" not in each]  # of itself it holds nothing
    tampering = [*BOTH, *whole, f"INSERT INTO matches_event ({ANY_COLUMNS}) {SECOND}"]
    statements = [*tampering, *map(in_a_part, tampering)]
    of_events = [each for each in test_rights.HOSTILE if "matches_event" in each]
    web = [*of_events, *map(in_a_part, of_events)]
    web += [f"TABLE {parts()[0]}", "TABLE matches_eventplace", "DELETE FROM matches_eventplace"]
    for statement in [*statements, *web]:
        assert refused(statement), statement
    database.become_owner()  # whom the triggers alone keep from it
    for statement in statements:
        assert refused(statement), statement
    assert list(Event.objects.order_by("pk").values()) == before


BROKEN = [
    "ALTER TABLE matches_event DISABLE TRIGGER event_no_change",
    "ALTER TABLE {part} DISABLE TRIGGER event_no_change",
    "ALTER TABLE {part} ENABLE TRIGGER event_place_once",
    "DROP TRIGGER event_no_truncate ON {part}",
    "DROP TRIGGER event_place_once ON matches_event",
    "CREATE OR REPLACE FUNCTION keep_place() RETURNS trigger LANGUAGE plpgsql "
    "AS 'BEGIN RETURN NULL; END'",
]


@pytest.mark.postgresql
def test_missing_or_extra_protection_is_noticed_and_repaired(matches: list[Match]) -> None:
    assert triggers.check() == test_rights.problems() == []
    database.become_owner()
    part = parts()[0]
    for broken in BROKEN:
        run(broken.format(part=part))
        assert triggers.check(), broken
        triggers.put_back()
        assert triggers.check() == [], broken
    run(f"GRANT SELECT ON {part} TO {database.WEB_ROLE}")
    assert any(part in problem for problem in test_rights.problems())
    run(f"ALTER TABLE matches_event DETACH PARTITION {part}")
    assert "has 3 of its 4 parts" in "; ".join(triggers.check())


@pytest.mark.postgresql
@pytest.mark.parametrize(("count", "why"), [(1, "from 2"), (1000, "from 2")])
def test_an_invalid_number_of_partitions_is_refused(count: int, why: str) -> None:
    with pytest.raises(CommandError, match=why):
        call_command("partition", parts=count)


@pytest.mark.postgresql
def test_a_table_filled_to_measure_it_holds_as_any(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fill, "PLAYOUTS", 3)
    database.become_owner()
    filling = fill.Filling(500, connection.connection)
    filling.fill()
    run(f"SET ROLE {database.WEB_ROLE}")
    assert filling.events == Event.objects.count() >= 500
    assert Match.objects.count() == len(filling.tables) > 1
    assert all(verify(match.log).ok for match in Match.objects.select_related("log"))
    told = feed.feed(NOBODY, limit=1000)
    assert [entry.entry.position for entry in told.entries] == [*range(1, told.last + 1)]
    factories.record(factories.match())


@pytest.mark.sqlite
def test_sqlite_keeps_one_table() -> None:
    with pytest.raises(CommandError, match="Only PostgreSQL"):
        call_command("partition")
