"""What readers of one stream process share is made once and not kept; errors are not shared."""

import asyncio
import contextlib
import gc
import json
import re
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, TypeVar
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.db import OperationalError
from django.test import RequestFactory
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated

import league.streams
from deploy import hub as hubs
from deploy import streaming
from deploy.gzipped import Piece, Plain
from deploy.hub import THREADS, Hub
from matches import notify, streams
from matches.errors import Busy, NotFound
from matches.streams import Frame, News, Source
from tests import factories
from tests.league import desks

WITHIN = 60  # seconds; how fast this machine is, is not what is tested
Found = TypeVar("Found")


@dataclass
class Following:
    """A stream of a log that stands at `last`: each cursor before is told the rest at once."""

    log: UUID
    key: str = "all"
    last: int = 1
    asked: list[str] = field(default_factory=list)
    before: Callable[[], None] = lambda: None

    def begin(self, cursor: str) -> str:
        return cursor

    def news(self, cursor: str) -> News:
        self.asked.append(cursor)
        last = self.last
        self.before()
        if cursor == str(last):
            return News((), cursor)
        return News((Frame(str(last), "entry", f"after {cursor}"),), str(last))


class Stream:
    """One reader of a hub, as a connection has it: gives what is sent, piece by piece."""

    def __init__(self, hub: Hub, following: Following, cursor: str) -> None:
        self.hub, self.following, self.cursor = hub, following, cursor
        self.bodies: asyncio.Queue[str] = asyncio.Queue()

    async def __aenter__(self) -> "Stream":
        self.counted = self.hub.reading(self.following, "10.0.0.1", self.cursor)
        pieces = self.hub.pieces(self.counted.__enter__())
        self.sending = asyncio.create_task(streaming._pass_on(self._send, pieces, Plain()))
        assert "retry" in await self.next()
        return self

    async def __aexit__(self, *error: object) -> None:
        self.sending.cancel()
        await asyncio.wait([self.sending])
        self.counted.__exit__(None, None, None)
        await settled()

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.body":
            self.bodies.put_nowait(message["body"].decode())

    async def next(self) -> str:
        """Return what is sent next. Raises: what ended the stream."""
        body = asyncio.ensure_future(self.bodies.get())
        await asyncio.wait({body, self.sending}, timeout=WITHIN, return_when="FIRST_COMPLETED")
        if not body.done():
            body.cancel()
            self.sending.result()
        return body.result()


async def settled() -> None:
    """Let the loop do what is due."""
    for _ in range(10):
        await asyncio.sleep(0)


def run(main: Coroutine[Any, Any, Found]) -> Found:
    """Run a coroutine in a thread of its own: a browser of another test may hold a loop in ours."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, main).result()


def kept() -> int:
    """Return how many pieces there are in memory."""
    gc.collect()
    return sum(type(each) is Piece for each in gc.get_objects())


@contextlib.contextmanager
def all_threads_busy(hub: Hub) -> Iterator[None]:
    """Have the hub's threads wait, so that what it wants made stays in its queue."""
    go = threading.Event()
    for _ in range(THREADS):
        hub.pool.submit(go.wait)
    try:
        yield
    finally:
        go.set()


def test_what_readers_were_sent_is_kept_for_none_of_them() -> None:
    """One who stays, some who come at any cursor and go, some who come and stay."""
    log, before = uuid4(), kept()

    async def main() -> int:
        hub = Hub()
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(Stream(hub, Following(log), "1"))
            for number in range(100):
                async with Stream(hub, Following(log), f"gone{number}") as passing:
                    assert "after" in await passing.next()
            for number in range(100):
                staying = Stream(hub, Following(log), f"here{number}")
                await stack.enter_async_context(staying)
                assert "after" in await staying.next()
            await settled()
            return kept() - before

    assert run(main()) < 10


def test_an_error_is_told_to_who_asked_and_to_nobody_after_them() -> None:
    log = uuid4()
    broken = [True]

    def fail() -> None:
        if broken[0]:
            raise OSError("no database for a moment")

    async def main() -> str:
        hub = Hub()
        async with Stream(hub, Following(log, key="other"), "1") as staying:
            await staying.next()
            with pytest.raises(OSError, match="for a moment"):
                async with Stream(hub, Following(log, before=fail), "0") as reader:
                    await reader.next()
            broken[0] = False
            async with Stream(hub, Following(log, before=fail), "0") as reader:
                return await reader.next()

    assert "after 0" in run(main())


def test_acts_that_come_while_one_is_being_told_are_told_together() -> None:
    following = Following(uuid4())

    async def main() -> str:
        hub = Hub()
        async with Stream(hub, following, "1") as reader:
            assert await reader.next() == ":\n\n"
            with all_threads_busy(hub):
                for _ in range(5):
                    following.last += 1
                    hub.wake([following.log])
            return await reader.next()

    assert "id: 6" in run(main())
    assert following.asked.count("1") == 2, "made once at first, and once for all five"


def test_an_act_that_comes_too_late_for_what_is_being_made_is_told_next() -> None:
    begun, go = threading.Event(), threading.Event()
    following = Following(uuid4())

    def wait() -> None:
        begun.set()
        go.wait(WITHIN)

    async def main() -> list[str]:
        hub = Hub()
        async with Stream(hub, following, "1") as reader:
            assert await reader.next() == ":\n\n"
            following.before = wait
            following.last = 2
            hub.wake([following.log])
            await asyncio.to_thread(begun.wait, WITHIN)
            following.last = 3
            hub.wake([following.log])
            go.set()
            return [await reader.next(), await reader.next()]

    first, second = run(main())
    assert "id: 2" in first
    assert "id: 3" in second


def test_nothing_is_made_for_who_is_gone() -> None:
    log = uuid4()
    gone = Following(log, key="gone")

    async def main() -> None:
        hub = Hub()
        async with Stream(hub, Following(log), "1") as staying:
            await staying.next()
            with all_threads_busy(hub):
                async with Stream(hub, gone, "0"):
                    await settled()
            async with Stream(hub, Following(log, key="third"), "0") as after:
                await after.next()

    run(main())
    assert gone.asked == []


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("the connection is lost"),
        AuthenticationFailed("This token is not valid, or no longer."),  # it was while it began
        NotFound("There is no match X.", "no-such-match"),
    ],
)
def test_a_stream_that_can_not_go_on_says_why_and_ends_as_any_does(error: Exception) -> None:
    """Nobody is shown a fault, and none is logged; the cursor stays where it was."""

    def fail() -> None:
        raise error

    async def main() -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        hub = Hub()
        with hub.reading(Following(uuid4(), before=fail), "10.0.0.1", "0") as reader:
            await streaming._pass_on(send, hub.pieces(reader), Plain())
        return sent

    sent = run(main())
    assert [each.get("more_body") for each in sent] == [None, True, True, False]
    event, data = sent[2]["body"].decode().strip().split("\n")
    assert event == "event: ended"
    why = json.loads(data.removeprefix("data: "))
    codes = {"OperationalError": "busy", "AuthenticationFailed": "authentication-failed"}
    assert why["code"] == codes.get(type(error).__name__, "no-such-match")


def test_who_may_read_no_more_is_told_so_while_nothing_happens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hubs, "HEARTBEAT", 0.02)
    revoked: list[bool] = []

    def check() -> None:
        if revoked:
            raise AuthenticationFailed("This token is not valid, or no longer.")

    async def main() -> str:
        following = Following(uuid4(), before=check)
        async with Stream(Hub(), following, "1") as reader:
            for _ in range(5):
                assert await reader.next() == ":\n\n"
            assert len(following.asked) == 1, "a batch is kept for a while"
            monkeypatch.setattr(hubs, "STALE", 0)
            while len(following.asked) == 1:
                assert await reader.next() == ":\n\n"
            revoked.append(True)
            while (told := await reader.next()) == ":\n\n":
                pass
            return told

    assert "authentication-failed" in run(main())


def test_so_many_may_follow_and_from_one_address_fewer(settings: Any) -> None:
    settings.STREAM_LIMIT, settings.STREAM_LIMIT_ADDRESS = 3, 2
    hub = Hub()

    def follows(address: str) -> Any:
        return hub.reading(Following(uuid4()), address, "1")

    with follows("10.0.0.1"):
        with follows("10.0.0.1"):
            with pytest.raises(Busy, match="from there"), follows("10.0.0.1"):
                pass
            with follows("10.0.0.2"), pytest.raises(Busy, match="Too many follow live; "):
                follows("10.0.0.3").__enter__()
        with follows("10.0.0.1"):
            pass
    assert not hub.from_address and not hub.groups


def test_a_stream_ends_with_the_sign_in_it_began_with(monkeypatch: pytest.MonkeyPatch) -> None:
    asking = streaming.Asking({})
    ada, nobody = SimpleNamespace(user=SimpleNamespace(pk=1)), SimpleNamespace(user=AnonymousUser())
    monkeypatch.setattr(streaming, "request_of", lambda scope: ada)
    assert asking() is asking() is ada
    monkeypatch.setattr(streaming, "request_of", lambda scope: nobody)
    with pytest.raises(NotAuthenticated):
        asking()


@pytest.mark.sqlite
def test_where_the_database_was_replaced_by_an_older_one_all_are_told_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    following, heads = Following(uuid4()), [5, 3]

    def position() -> int:
        if len(heads) == 1:
            following.last = 2
        return heads.pop(0) if len(heads) > 1 else heads[0]

    monkeypatch.setattr(notify, "position", position)
    monkeypatch.setattr(hubs, "LOOK", dict.fromkeys(hubs.LOOK, 0.01))

    async def main() -> str:
        hub = Hub()
        async with Stream(hub, following, "1") as reader:
            assert await reader.next() == ":\n\n"
            hub.watch()
            return await reader.next()

    assert "id: 2" in run(main())


def test_what_was_made_long_ago_is_made_anew_for_a_reader_who_was_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody it names may have been erased since."""
    monkeypatch.setattr(hubs, "STALE", 0.1)

    async def main() -> list[str]:
        hub, following = Hub(), Following(uuid4())
        async with Stream(hub, following, "1") as reader:  # noqa: F841 (keeps its log watched)
            with hub.reading(following, "10.0.0.2", "0") as slow:
                await hub._make(slow.group)
                await asyncio.sleep(0.2)
                piece, _ = await hub._next(slow)
            assert b"after 0" in piece.plain
        return following.asked

    assert run(main()).count("0") == 2


def test_a_stream_that_can_not_be_opened_for_now_says_when_to_come_back() -> None:
    class Away:
        path = re.compile("/(?P<code>x)/stream/")

        def open(self, ask: Any, code: str) -> Any:
            raise OperationalError("the connection is lost")

    async def main() -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        application = streaming.Streams(None, [])
        application.sources = [Away()]
        scope = {"type": "http", "method": "GET", "path": "/x/stream/", "headers": []}
        await application(scope, None, send)
        return sent

    start, body = run(main())
    assert (start["status"], dict(start["headers"])[b"retry-after"]) == (503, b"30")
    assert json.loads(body["body"])["code"] == "busy"


# -- where one begins -------------------------------------------------------------------------

MARK = "0123456789abcdef"
VERSIONS = {"1": "1", "3": "3", "9999": "3", "": "0", "x1": "0", "0" * 64: "0", "02": "2"}


def following(source: type[Source], code: str) -> streams.Following:
    """Return what a stranger follows there."""
    request = RequestFactory().get("/")
    request.user, request.session = AnonymousUser(), SessionStore()
    return source().open(lambda: request, code)


@pytest.mark.django_db
def test_whatever_is_brought_one_begins_at_an_entry() -> None:
    match, tournament = factories.played(2), desks.tournament()
    desks.entered(tournament, 3 - tournament.log.head_version)
    sources: dict[type[Source], str] = {
        streams.EntriesSource: match.code,
        streams.PageSource: match.code,
        league.streams.EntriesSource: tournament.code,
    }
    for source, code in sources.items():
        opened = following(source, code)
        assert {brought: opened.begin(brought) for brought in VERSIONS} == VERSIONS, source


@pytest.mark.django_db
def test_the_page_of_a_desk_begins_at_a_mark_or_anew() -> None:
    opened = following(league.streams.PageSource, desks.tournament().code)
    assert [opened.begin(each) for each in (MARK, MARK * 2, "3", "")] == [MARK, "", "", ""]
