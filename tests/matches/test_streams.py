"""Live streams from a real server: resumable from any cursor, hidden as polls are, nothing lost."""

import asyncio
import json
import random
import re
import urllib.error
import urllib.request
import zlib
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from django.conf import settings as given
from django.db.models import F
from django.test import Client
from rest_framework.exceptions import Throttled

from deploy.streaming import Streams
from league.models import Tournament
from matches import cuts, links, services
from matches.api.auth import KeyAuthentication
from matches.models import Event, FeedHead, Match
from tests import factories, site
from tests.league import desks

READERS = site.STREAM_LIMIT - 5
ACTS = 30
RELEASE = re.compile(r' data-release="[^"]*"')  # the test client's site has no hashed files
WITHIN = 60  # seconds; how fast this machine is, is not what is tested


@pytest.fixture
def place(live_streams: str) -> tuple[str, int]:
    """Where the stream process listens. The feed begins elsewhere each time: it never goes back."""
    FeedHead.objects.update(position=F("position") + random.randrange(1000, 10**9))
    return "127.0.0.1", int(live_streams.rpartition(":")[2])


@pytest.fixture
def told(settings: Any) -> None:
    """What changes a log says so, as it does where streams are on."""
    settings.STREAMS = True


class Stream:
    """One connection to a stream, read event by event."""

    def __init__(self, place: tuple[str, int], path: str, cursor: str = "", **headers: str) -> None:
        self.place, self.path = place, path
        self.headers = {"Host": "localhost", **headers}
        if cursor:
            self.headers["Last-Event-ID"] = cursor

    async def __aenter__(self) -> "Stream":
        self.reader, self.writer = await asyncio.open_connection(*self.place)
        lines = [f"GET {self.path} HTTP/1.1", *(f"{k}: {v}" for k, v in self.headers.items())]
        self.writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        self.status = int(head.split()[1])
        self.head = head.lower()
        return self

    async def __aexit__(self, *error: object) -> None:
        self.writer.transport.abort()

    async def event(self) -> tuple[str, str, str]:
        """Return the next event as id, kind and data; heartbeats are passed over."""
        id_ = kind = ""
        data: list[str] = []
        while True:
            line = await self._line()
            if not line and id_:
                return id_, kind, "\n".join(data)
            name, _, value = line.partition(": ")
            if name == "id":
                id_ = value
            elif name == "event":
                kind = value
            elif name == "data":
                data.append(value)

    async def _line(self) -> str:
        """Return a line of the body, whose chunks each end with a line."""
        while True:
            line = (await self.reader.readline()).decode()
            if not line or line == "0\r\n":
                raise EOFError
            if line.endswith("\r\n"):  # of the framing: a chunk's size, or its end
                continue
            return line.rstrip("\n")


@asynccontextmanager
async def let_in(place: tuple[str, int], path: str, cursor: str = "") -> AsyncIterator[Stream]:
    """Open a stream, asking again while the server still counts readers that are gone already."""
    while True:
        async with Stream(place, path, cursor) as stream:
            if stream.status != 503:
                yield stream
                return
        await asyncio.sleep(0.2)


def entries_at(match: Match) -> str:
    return f"/api/v1/matches/{match.code}/stream/"


def run(main: Any) -> Any:
    """Run a coroutine in a thread of its own: a browser of another test may hold a loop in ours."""

    async def within() -> Any:
        return await asyncio.wait_for(main, WITHIN * 3)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, within()).result()


async def does(work: Callable[[], Any]) -> Any:
    """Do what writes in a thread, as the tests' own process does."""

    def closing() -> Any:
        from django.db import connections

        try:
            return work()
        finally:
            connections.close_all()

    return await asyncio.to_thread(closing)


async def read_all(
    place: tuple[str, int], path: str, last: Callable[[], int | None], seed: int
) -> tuple[list[tuple[int, str]], int]:
    """Read a stream to its last entry over connections that are cut; return entries and cuts.

    A stream that a busy server refuses or ends is gone on with, as every reader is asked to.
    """
    pick, heard, cuts_made = random.Random(seed), [], 0
    cursor = str(pick.choice(["", "0"]))
    while True:
        async with let_in(place, path, cursor) as stream:
            for _ in range(pick.randint(1, 9)):
                try:
                    id_, _, data = await asyncio.wait_for(stream.event(), 2)
                except (EOFError, TimeoutError):
                    break
                cursor = id_
                heard.append((int(id_), json.loads(data)["hash"]))
                if heard[-1][0] == last():
                    return heard, cuts_made
        cuts_made += 1


def test_readers_that_are_cut_off_get_every_entry_exactly_once(
    place: tuple[str, int], told: None
) -> None:
    match = factories.match()
    end: list[int] = []

    def play() -> None:
        for _ in range(ACTS):
            factories.record(match)
        end.append(match.log.head_version)

    async def main() -> Any:
        last = lambda: end[0] if end else None  # noqa: E731
        reading = [read_all(place, entries_at(match), last, seed) for seed in range(READERS)]
        return await asyncio.gather(does(play), *reading)

    _, *heard = run(main())
    acts_told = Event.objects.filter(log=match.log, ordinal=0).order_by("version")
    expected = list(acts_told.values_list("version", "hash"))
    assert len(expected) == ACTS + 1
    for entries, _ in heard:
        assert entries == expected
    assert sum(cut for _, cut in heard) >= READERS


def test_an_entry_without_a_notification_is_found_at_the_next_look(place: tuple[str, int]) -> None:
    match = factories.match()

    async def main() -> str:
        async with Stream(place, entries_at(match), "1") as stream:
            await asyncio.sleep(0.5)
            await does(lambda: factories.record(match))
            return (await asyncio.wait_for(stream.event(), WITHIN))[0]

    assert run(main()) == "2"


def test_hidden_entries_are_streamed_once_released(place: tuple[str, int], told: None) -> None:
    match = factories.played(2)
    by = factories.opener_of(match)
    cuts.change(match, held=True)
    factories.record(match)

    async def main() -> list[str]:
        async with Stream(place, entries_at(match), "3") as stream:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(stream.event(), 2)
            await does(lambda: services.change_cut(by=by, match=match, held=False))
            id_, _, data = await asyncio.wait_for(stream.event(), WITHIN)
            return [id_, data]

    id_, data = run(main())
    assert id_ == "4"
    assert json.loads(data)["act"]


async def is_told_no_more(stream: Stream, match: Match) -> None:
    """Record twice, and hear nothing at the latest of the second.

    The first may be told where it was asked for under the older right; what follows upon it is
    asked for after that.
    """
    for _ in range(2):
        await does(lambda: factories.record(match))
        try:
            await asyncio.wait_for(stream.event(), 3)
        except (EOFError, TimeoutError):
            return
    pytest.fail("is told on and on")


def test_a_seat_gets_hidden_entries_until_its_link_is_replaced(
    place: tuple[str, int], told: None, client: Client
) -> None:
    match = factories.played(2)
    cuts.change(match, held=True)
    seat, by = match.seats.get(number=1), factories.opener_of(match)
    client.post(f"/j/{services.seat_link(seat)}/")
    cookie = f"{given.SESSION_COOKIE_NAME}={client.cookies[given.SESSION_COOKIE_NAME].value}"

    async def main() -> None:
        async with Stream(place, entries_at(match), "3", Cookie=cookie) as stream:
            await does(lambda: factories.record(match))
            assert (await asyncio.wait_for(stream.event(), WITHIN))[0] == "4"
            await does(lambda: services.replace_seat_link(by=by, seat=seat))
            await is_told_no_more(stream, match)

    run(main())


def test_a_withdrawn_match_is_no_longer_streamed(place: tuple[str, int], told: None) -> None:
    match = factories.played(2)

    async def main() -> None:
        async with Stream(place, entries_at(match), "3") as stream:
            await asyncio.sleep(0.5)
            await does(lambda: factories.record(match))
            assert (await asyncio.wait_for(stream.event(), WITHIN))[0] == "4"
            await does(lambda: cuts.change(match, visibility="table"))
            await is_told_no_more(stream, match)
        async with Stream(place, entries_at(match), "4") as again:
            assert again.status == 404

    run(main())


def test_the_stream_gives_the_page_what_a_poll_would(
    place: tuple[str, int], told: None, client: Client
) -> None:
    match = factories.played(2)
    path = f"/matches/{match.code}/stream/?after=3"

    async def main() -> tuple[str, str, str]:
        async with Stream(place, path) as stream:
            await does(lambda: factories.record(match))
            return await asyncio.wait_for(stream.event(), WITHIN)

    id_, kind, data = run(main())
    poll = client.get(f"/matches/{match.code}/?after=3").content.decode()
    assert (id_, kind) == ("4", "changes")
    told, polled = (RELEASE.sub("", text).strip() for text in (data, poll))
    assert told == polled


def test_a_reader_that_accepts_gzip_gets_the_same_compressed(
    place: tuple[str, int], told: None
) -> None:
    match = factories.played(2)
    path = f"/matches/{match.code}/stream/?after=1"

    async def told_to(headers: dict[str, str]) -> tuple[str, bytes]:
        async with Stream(place, path, **headers) as stream:
            return stream.head, await _until_flushed(stream.reader)

    async def main() -> tuple[str, bytes, str, bytes]:
        packed = await told_to({"Accept-Encoding": "br, gzip"})
        return *packed, *await told_to({"Accept-Encoding": "br, gzip;q=0"})

    head, packed, plain_head, plain = run(main())
    assert "content-encoding: gzip" in head
    assert "content-encoding" not in plain_head
    assert zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(packed) == plain
    assert b"event: changes" in plain
    assert len(packed) < len(plain) / 2


async def _until_flushed(reader: asyncio.StreamReader) -> bytes:
    """Return what the first chunks of a body hold, up to where an event ends."""
    body = b""
    while not re.search(rb"changes.*\n\n\Z", body, re.DOTALL) and body.count(b"\0\0\xff\xff") < 2:
        size = int(await asyncio.wait_for(reader.readline(), WITHIN), 16)
        body += (await reader.readexactly(size + 2))[:-2]
    return body


def test_the_page_of_a_table_is_only_told_to_poll(
    place: tuple[str, int], told: None, client: Client
) -> None:
    match = factories.played(2)
    user = factories.opener_of(match).user
    assert user is not None
    client.force_login(user)
    cookie = f"{given.SESSION_COOKIE_NAME}={client.cookies[given.SESSION_COOKIE_NAME].value}"

    async def main() -> tuple[str, str, str]:
        path = f"/matches/{match.code}/stream/?after=3"
        async with Stream(place, path, Cookie=cookie) as stream:
            await does(lambda: factories.record(match))
            return await asyncio.wait_for(stream.event(), WITHIN)

    assert run(main()) == ("4", "moved", "{}")


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/v1/matches/NOSUCH/stream/", 404, "no-such-match"),
        ("/matches/NOSUCH/stream/", 404, "no-such-match"),
        ("/api/v1/tournaments/NOSUCH/stream/", 404, "no-such-tournament"),
        ("/api/v1/matches/{code}/stream/?after=x", 400, "bad-cursor"),
        ("/api/v1/matches/{code}/stream/?after=-1", 400, "bad-cursor"),
        ("/api/v1/matches/{code}/stream/?after=1&after=2", 400, "duplicate-key"),
        ("/api/v1/matches/{code}/stream/?since=1", 400, "unknown-field"),
        ("/tournaments/%00/stream/", 404, "no-such-tournament"),
    ],
)
def test_a_request_without_a_stream_is_answered_with_a_problem(
    place: tuple[str, int], path: str, status: int, code: str
) -> None:
    path = path.replace("{code}", factories.match().code)
    with pytest.raises(urllib.error.HTTPError) as error:
        urllib.request.urlopen(f"http://localhost:{place[1]}{path}", timeout=WITHIN)
    with error.value as answer:
        assert answer.status == status
        assert json.load(answer)["code"] == code


def test_a_stream_is_only_read(place: tuple[str, int]) -> None:
    url = f"http://localhost:{place[1]}{entries_at(factories.match())}"
    with pytest.raises(urllib.error.HTTPError) as error:
        urllib.request.urlopen(url, b"{}", timeout=WITHIN)
    with error.value as answer:
        assert (answer.status, answer.headers["Allow"]) == (405, "GET")
        assert json.load(answer)["code"] == "method-not-allowed"


def test_an_invalid_key_is_refused(place: tuple[str, int]) -> None:
    match = factories.match()

    async def main() -> tuple[int, str]:
        wrong = {"Authorization": "Token nonsense"}
        async with Stream(place, entries_at(match), **wrong) as stream:
            return stream.status, stream.head

    status, head = run(main())
    assert status == 401
    assert "www-authenticate: token\r\n" in head


def test_guessing_keys_is_rate_limited(
    place: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[dict[str, Any]] = []

    def throttled(*_: object) -> Any:
        raise Throttled(7)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    monkeypatch.setattr(KeyAuthentication, "authenticate", throttled)
    path = entries_at(factories.match())
    scope: dict[str, Any] = {"type": "http", "method": "GET", "path": path, "query_string": b""}
    scope["headers"] = [(b"host", b"localhost")]
    streams = Streams(None, ["matches.streams.EntriesSource"])
    run(streams(scope, None, send))
    assert (sent[0]["status"], dict(sent[0]["headers"])[b"retry-after"]) == (429, b"7")


def test_the_link_of_a_seat_opens_the_stream_of_its_table(place: tuple[str, int]) -> None:
    match = factories.match(visibility="table")
    seat = {"X-Seat": links.seat_token(match.seats.all()[0])}

    async def main() -> tuple[int, tuple[str, str, str]]:
        async with Stream(place, entries_at(match)) as hidden:
            assert hidden.status == 404
        async with Stream(place, entries_at(match), **seat) as stream:
            return stream.status, await stream.event()

    status, (version, kind, _) = run(main())
    assert (status, version, kind) == (200, "1", "entry")


def test_readers_beyond_the_limit_are_told_to_poll(place: tuple[str, int]) -> None:
    match = factories.match()

    async def main() -> tuple[int, str]:
        async with AsyncExitStack() as open_:
            for _ in range(site.STREAM_LIMIT):
                await open_.enter_async_context(let_in(place, entries_at(match)))
            beyond = await open_.enter_async_context(Stream(place, entries_at(match)))
        async with let_in(place, entries_at(match)):
            return beyond.status, beyond.head

    status, head = run(main())
    assert status == 503
    assert "retry-after" in head


def test_an_invalid_cursor_begins_at_the_start(place: tuple[str, int]) -> None:
    match = factories.played(1)

    async def main() -> list[str]:
        found = []
        for cursor in ("x y", "-1", "9" * 80, "\u00b2"):
            async with Stream(place, entries_at(match), cursor) as stream:
                found.append((await asyncio.wait_for(stream.event(), WITHIN))[0])
        return found

    assert run(main()) == ["1"] * 4


def test_a_desk_tells_its_page_to_poll_and_streams_entries_to_programs(
    place: tuple[str, int], told: None
) -> None:
    tournament: Tournament = desks.tournament()

    async def main() -> tuple[list[str], str]:
        api = f"/api/v1/tournaments/{tournament.code}/stream/"
        async with (
            Stream(place, f"/tournaments/{tournament.code}/stream/") as page,
            Stream(place, api, str(tournament.log.head_version)) as program,
        ):
            first = await asyncio.wait_for(page.event(), WITHIN)
            await does(lambda: desks.entered(tournament, 1))
            second = await asyncio.wait_for(page.event(), WITHIN)
            entry = await asyncio.wait_for(program.event(), WITHIN)
        return [first[1], second[1], entry[1]], first[0] != second[0] and entry[0]

    kinds, number = run(main())
    assert kinds == ["moved", "moved", "entry"]
    assert int(number) == tournament.log.head_version
