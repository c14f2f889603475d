"""Anonymous requests read a real streaming replica, and never data older than they have seen."""

from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from django.db import connection, connections
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.utils import timezone

from matches import cuts, replica
from matches.models import Match
from tests import factories, services
from tests.waiting import eventually

# -- who is a stranger ----------------------------------------------------------------------

REQUESTS = RequestFactory()


def with_cookie(name: str) -> HttpRequest:
    request = REQUESTS.get("/")
    request.COOKIES[name] = "auto"
    return request


@pytest.mark.parametrize(
    ("request_", "stranger"),
    [
        pytest.param(REQUESTS.get("/"), True, id="nothing"),
        pytest.param(with_cookie("theme"), True, id="a look"),
        pytest.param(with_cookie("text"), True, id="a text size"),
        pytest.param(with_cookie("place"), True, id="a place"),
        pytest.param(with_cookie("sessionid"), False, id="a session"),
        pytest.param(with_cookie("device"), False, id="a device"),
        pytest.param(with_cookie("anything"), False, id="a cookie nobody knows"),
        pytest.param(REQUESTS.get("/", headers={"Authorization": "Token x"}), False, id="a key"),
        pytest.param(REQUESTS.get("/", headers={"X-Seat": "x"}), False, id="a seat"),
        pytest.param(REQUESTS.post("/"), False, id="something sent"),
    ],
)
def test_a_request_with_any_credentials_is_not_anonymous(request_, stranger):
    assert replica.is_stranger(request_) is stranger


@pytest.mark.parametrize(
    ("cookie", "place"), [("1f", 31), ("", float("inf")), ("-1", float("inf")), ("g", float("inf"))]
)
def test_an_invalid_position_cookie_reads_from_the_primary(cookie, place):
    request = REQUESTS.get("/")
    request.COOKIES["place"] = cookie
    assert replica.lsn_in(request) == place


# -- a real one -----------------------------------------------------------------------------


class Lagging:
    """The replica, which stands still when it is told to."""

    def __init__(self, host: str) -> None:
        self.at = psycopg.connect(
            host=host, user="postgres", dbname=connection.settings_dict["NAME"], autocommit=True
        )

    def stand_still(self) -> None:
        self.catch_up()
        self.at.execute("SELECT pg_wal_replay_pause()")
        self._until("SELECT pg_get_wal_replay_pause_state() = 'paused'")

    def catch_up(self) -> None:
        self.at.execute("SELECT pg_wal_replay_resume()")
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_current_wal_insert_lsn()::text")
            self._until(f"SELECT pg_last_wal_replay_lsn() >= '{cursor.fetchone()[0]}'")

    def _until(self, holds: str) -> None:
        eventually(lambda: self.at.execute(holds).fetchone() == (True,), holds)


@pytest.fixture(scope="module")
def host(django_db_setup: None) -> Iterator[str]:
    options = connection.settings_dict["OPTIONS"]
    with services.replica(options.get("host") or connection.settings_dict["HOST"]) as home:
        yield home


@pytest.fixture
def copy(
    host: str, transactional_db: None, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> Iterator[Lagging]:
    """The site with REPLICA_URL set; it looks at the replica before each page."""
    monkeypatch.setattr(replica, "LOOK", 0.0)
    monkeypatch.setattr(replica, "_copy", replica.Copy())
    settings.REPLICA_LAG = 600
    options = {k: v for k, v in connection.settings_dict["OPTIONS"].items() if k != "pool"}
    connections.databases["replica"] = {
        **connection.settings_dict,
        "HOST": "",
        "OPTIONS": {**options, "host": host},
    }
    connections["replica"] = connections.create_connection("replica")
    connections["replica"].alias = "default"  # the only one that Django lets a test read
    lagging = Lagging(host)
    yield lagging
    lagging.at.execute("SELECT pg_wal_replay_resume()")
    lagging.at.close()
    connections["replica"].close()
    del connections["replica"]
    del connections.databases["replica"]


def read(match: Match, client: Client, query: str = "") -> str:
    """Read a match's page; return from where it came."""
    before = {of: replica.READS.labels(of)._value.get() for of in ("replica", "database")}
    answer = client.get(f"/matches/{match.code}/{query}")
    assert answer.status_code == 200
    found = [of for of, count in before.items() if replica.READS.labels(of)._value.get() > count]
    return found[0]


def shows(match: Match, client: Client) -> int:
    """Return the version of a match that its page shows."""
    page: bytes = client.get(f"/matches/{match.code}/").content
    return int(page.partition(b'data-version="')[2].partition(b'"')[0])


@pytest.fixture
def match(copy: Lagging) -> Match:
    """A match of which the replica, where strangers read it, lacks the last act."""
    match = factories.played(2)
    replica._copy.knows(0)  # others write meanwhile: it has to come as far as now, no further
    copy.catch_up()
    assert read(match, Client()) == "replica"
    copy.stand_still()
    factories.record(match)
    return match


LACKING, NEWEST = 3, 4


@pytest.mark.postgresql
def test_anonymous_reads_use_the_replica_unless_they_know_a_newer_version(match: Match) -> None:
    assert shows(match, Client()) == LACKING

    somebody = factories.signed_in(factories.user())
    assert shows(match, somebody) == NEWEST

    answer = Client().get(f"/matches/{match.code}/?after={NEWEST}")
    assert answer["ETag"].startswith(f'"{NEWEST}-')

    follower = Client()
    opened_since = factories.match()  # the copy knows of none
    assert read(opened_since, follower) == "database"
    assert shows(match, follower) == NEWEST


@pytest.mark.postgresql
def test_a_writer_reads_the_primary_until_the_replica_has_caught_up(
    match: Match, client: Client, copy: Lagging, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(factories.user())
    client.post("/logout/")
    assert client.cookies.pop("sessionid").value == ""
    client.cookies.pop("messages", None)
    assert shows(match, client) == NEWEST

    cuts.change(match, delay=60)
    factories.record(match)
    copy.catch_up()
    assert read(match, client) == "replica"

    later = SimpleNamespace(now=lambda: timezone.now() + timedelta(hours=1))
    monkeypatch.setattr(cuts, "timezone", later)  # who looks has the delayed act made public
    assert read(match, client) == "database"
    assert shows(match, client) == NEWEST + 1


@pytest.mark.postgresql
def test_a_replica_that_lags_fails_or_is_none_is_not_read(
    match: Match, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look_anew(host: str) -> None:
        connections["replica"].close()
        connections["replica"].settings_dict["OPTIONS"]["host"] = host
        monkeypatch.setattr(replica, "_copy", replica.Copy())

    settings.REPLICA_LAG = 0
    assert read(match, Client()) == "database"
    for host in ("/nowhere", connection.settings_dict["OPTIONS"]["host"]):
        look_anew(host)
        assert shows(match, Client()) == NEWEST
