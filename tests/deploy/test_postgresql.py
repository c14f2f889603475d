"""The server may end any connection: one in the pool serves nobody then, one at work goes on anew.

Who was answered 503 may send the same again, and nothing is half stored.
"""

import asyncio
import select
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import OperationalError, close_old_connections, connection, transaction
from django.test import Client

from deploy import hub as hubs
from deploy.hub import Hub
from deploy.postgresql.base import has_ended
from matches import followers, jobs, notify, services
from matches.models import Event, FeedHead, FollowJob, Job, Match
from tests import factories, site
from tests.api.client import Api, act, by_opener, opening, problem
from tests.waiting import eventually

pytestmark = [pytest.mark.postgresql]


@pytest.fixture
def server(transactional_db: None) -> Any:
    """A connection that is not from the pool, of the role that may end others."""
    with psycopg.connect(site.owner_url(), autocommit=True) as opened:
        yield opened


def pid() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def end(server: Any, session: int) -> None:
    server.execute("SELECT pg_terminate_backend(%s, 5000)", [session])


def taken() -> set[int]:
    """Take each connection of the pool in turn."""
    found = set()
    for _ in range(connection.pool.max_size):
        found.add(pid())
        connection.close()
    return found


def test_connections_are_used_again(server: Any) -> None:
    assert len(taken() | taken()) < connection.pool.max_size


def test_connections_that_the_server_ended_are_replaced(server: Any) -> None:
    pool = connection.pool
    ended = {pid()}
    others = [pool.getconn() for _ in range(3)]
    ended |= {each.info.backend_pid for each in others}
    for each in others:
        pool.putconn(each)
    connection.close()
    for each in ended:
        end(server, each)

    assert not taken() & ended
    at_once = [pool.getconn() for _ in range(pool.max_size)]  # none is still counted as in use
    for each in at_once:
        pool.putconn(each)


def test_one_with_a_message_to_read_has_not_ended(server: Any) -> None:
    connection.ensure_connection()
    kept = connection.connection
    kept.execute("LISTEN zgxl_test")
    server.execute("NOTIFY zgxl_test")
    assert select.select([kept], [], [], 60)[0]

    assert not has_ended(kept)
    assert not select.select([kept], [], [], 0)[0]
    kept.execute("UNLISTEN zgxl_test")


# -- at work ----------------------------------------------------------------------------------


@contextmanager
def ended_at(server: Any, part: str, *, after: bool = False) -> Iterator[None]:
    """Have the server end this session at the first statement with `part`: before it or after."""
    left = [part]

    def execute(run: Callable[..., Any], sql: str, *rest: Any) -> Any:
        is_it = bool(left) and part in str(sql)
        if is_it and not after:
            end(server, connection.connection.info.backend_pid)
        found = run(sql, *rest)
        if is_it:
            left.clear()
            if after:
                end(server, connection.connection.info.backend_pid)
                run("SELECT 1", None, *rest[1:])  # the server did it, and nobody was told
        return found

    with connection.execute_wrapper(execute):
        yield
    close_old_connections()  # as at the end of a request


def ended_while_waiting(server: Any, lock: str, work: Callable[[], Any]) -> Any:
    """Return what `work` does in a thread whose session is ended while it waits for a lock."""

    def closing_after() -> Any:
        with closing(connection):
            return work()

    def waiting() -> Any:
        return server.execute("SELECT pid FROM pg_locks WHERE NOT granted").fetchone()

    with ThreadPoolExecutor(1) as pool, psycopg.connect(site.owner_url()) as other:
        other.execute(lock)
        doing = pool.submit(closing_after)
        [session] = eventually(waiting, "it waited for nothing")
        end(server, session)
        return doing.result()


def home() -> Any:
    return Client(raise_request_exception=False).get("/")


def test_a_page_that_lost_its_connection_is_busy_and_the_next_works(server: Any) -> None:
    factories.played(1)
    whole = "LOCK TABLE matches_match IN ACCESS EXCLUSIVE MODE"
    told = [ended_while_waiting(server, whole, home)]
    assert {home().status_code for _ in range(7)} == {200}  # by now the server has its plan
    with ended_at(server, '"matches_match"'):
        told.append(home())
    for each in told:
        assert (each.status_code, each.headers["Retry-After"]) == (503, "2")
        assert "nothing was changed" in each.content.decode()
    assert home().status_code == 200


def test_an_act_that_lost_its_connection_is_recorded_once_when_it_is_sent_again(
    server: Any,
) -> None:
    match, sent = factories.played(1), act()
    path = f"matches/{match.code}/acts/"

    def send() -> Any:
        return by_opener(match).post(path, sent)

    head = "SELECT 1 FROM matches_feedhead FOR UPDATE"
    problem(ended_while_waiting(server, head, send), 503, "busy")
    with ended_at(server, "matches_feedhead"):
        problem(send(), 503, "busy")
    assert Event.objects.filter(log=match.log).count() == 2
    assert FeedHead.objects.get().position == 2
    with ended_at(server, "matches_feedhead", after=True):
        told = problem(send(), 503, "busy")
    assert "may have been done" in told["detail"]
    assert send().status_code == 200
    assert Event.objects.get(log=match.log, version=3).act_id == UUID(sent["id"])
    assert FeedHead.objects.get().position == 3


def test_what_was_stored_before_the_connection_was_lost_is_not_said_to_be_unchanged(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, sent = Api(factories.user()), opening(id=str(uuid4()))

    def committed(log: UUID) -> None:
        end(server, pid())

    with monkeypatch.context() as losing:
        losing.setattr(jobs, "wake_followers", committed)
        told = problem(api.post("matches/", sent), 503, "busy")
    assert told["detail"].startswith("What was sent may have been done")
    close_old_connections()
    match = Match.objects.get()
    assert api.post("matches/", sent).status_code == 200
    assert Match.objects.get() == match

    client = Client(raise_request_exception=False)
    with ended_at(server, "auth_user"):
        page = client.post("/signup/", {"username": "ada", "password1": "x", "password2": "x"})
    assert page.status_code == 503
    assert "may have been done" in page.content.decode()


def test_within_a_transaction_nothing_goes_on_after_its_connection_was_lost(server: Any) -> None:
    before = FeedHead.objects.get().position
    with pytest.raises(OperationalError), transaction.atomic():
        FeedHead.objects.update(position=before + 1)
        with ended_at(server, "SELECT 2"), connection.cursor() as cursor:
            with pytest.raises(OperationalError):
                cursor.execute("SELECT 2")
            FeedHead.objects.update(position=before + 2)
    assert FeedHead.objects.get().position == before


@pytest.mark.parametrize("part", ["matches_checkpoint", '"matches_log"', "DELETE"])
def test_a_worker_that_lost_its_connection_has_not_died(server: Any, part: str) -> None:
    match = factories.played(1)
    with ended_at(server, part), pytest.raises(OperationalError):
        followers.work(match.pk)
    assert FollowJob.objects.get().attempts == 0
    followers.work(match.pk)
    assert not FollowJob.objects.exists()


def test_a_job_whose_worker_lost_its_connection_is_free_for_the_next(server: Any) -> None:
    match = factories.played(1)
    job = services.request_verify(match=match, by=factories.opener_of(match))
    with ended_at(server, '"matches_event"'), pytest.raises(OperationalError):
        jobs.do(job.pk)
    assert "terminating connection" in Job.objects.get(pk=job.pk, started_at=None).error
    assert jobs.do(job.pk)
    assert Job.objects.get(pk=job.pk).state == Job.State.DONE


def test_a_stream_process_that_lost_its_connection_listens_again(
    server: Any, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.STREAMS = True
    monkeypatch.setattr(hubs, "AGAIN", 0.05)
    monkeypatch.setattr(hubs, "LOOK", dict.fromkeys(hubs.LOOK, 600.0))  # it is told, or never finds
    hub, first, second = Hub(), uuid4(), uuid4()
    told: list[UUID] = []
    monkeypatch.setattr(hub, "wake", told.extend)

    def listener() -> Any:
        listens = "SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN zgxl_log'"
        return server.execute(listens).fetchone()

    def is_told(log: UUID) -> None:
        with closing(connection):
            notify.tell(log)
            eventually(lambda: log in told, "nobody listened")

    def another(session: int) -> bool:
        found = listener()
        return bool(found) and found[0] != session

    async def main() -> None:
        hub.groups[first] = {}  # somebody reads
        hub.watch()
        [session] = await asyncio.to_thread(eventually, listener, "nobody listens")
        await asyncio.to_thread(is_told, first)
        end(server, session)
        await asyncio.to_thread(eventually, lambda: another(session), "nobody listens again")
        await asyncio.to_thread(is_told, second)
        assert hub.watcher
        hub.watcher.cancel()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, main()).result()


@pytest.mark.django_db
def test_a_copy_that_takes_no_writes_yet_is_read_and_changes_wait() -> None:
    """As after the loss of a primary, until its copy takes over."""
    match = factories.match()
    caller = by_opener(match)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET transaction_read_only = on")
        problem(caller.post(f"matches/{match.code}/acts/", act()), 503, "busy")
        assert caller.get(f"matches/{match.code}/state/").status_code == 200
        transaction.set_rollback(True)
