"""The web server: acts recorded and states read over HTTP, compared with a minimal DRF view.

One client with an API key on one keep-alive connection; the server as an operator starts it.
"""

import json
import re
import socket
import tempfile
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

import rules
from deploy import supervisor
from matches import services
from rules import bots
from tests import factories, site
from tests.bench.figure import REPEATS, Figure, Work, median_rates
from tests.bench.ground import engine, match_by_points, points, record, scribe

REQUESTS = 100
PLAIN = "tests.bench.plain:application"


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        server, url = site.web(Path(folder) / "web.log")
        plain, plain_url = _plain(Path(folder) / "plain.log")
        try:
            yield from _beside(Client(url), Client(plain_url))
        finally:
            server.stop()
            plain.stop()


def _beside(ours: "Client", plain: "Client") -> Iterator[Figure]:
    by = scribe()
    headers = {"Authorization": f"Token {factories.key(by.user)}"}
    played, cards = match_by_points(by), _of_cards(by)
    for number in range(100):
        record(played, by, points(number))
    opened = [match_by_points(by) for _ in range(REPEATS)]  # so that only acts are timed
    recorded, insert, by_points, of_cards, unchanged, followed, row = median_rates(
        lambda: ours.post(f"/api/v1/matches/{opened.pop().code}/acts/", _acts(), headers),
        lambda: plain.post("/rows/", map(_row, range(REQUESTS)), {}),
        ours.gets(f"/api/v1/matches/{played.code}/state/", headers),
        ours.gets(f"/api/v1/matches/{cards.code}/state/", headers),
        ours.gets(f"/api/v1/matches/{played.code}/state/", headers, unchanged=True),
        ours.gets(f"/matches/{played.code}/?after=1", {}, unchanged=True),
        plain.gets("/rows/1/", {}),
    )
    on = engine()
    yield Figure(f"{on}: one row by DRF, added", insert, "requests/s")
    yield Figure(f"{on}: one row by DRF, read", row, "requests/s")
    added, read = "a row added by DRF", "a row read by DRF"
    yield Figure(f"{on}: an act through HTTP", recorded, "acts/s", insert, added, least=0.5)
    for kind, rate in (("by points", by_points), ("of cards", of_cards)):
        name = f"{on}: the state of a match {kind} through HTTP"
        yield Figure(name, rate, "requests/s", row, read, least=0.5)
    name = f"{on}: an unchanged poll of a page that follows a match, 304"
    yield Figure(name, followed, "requests/s", row, read, least=0.8)
    name = f"{on}: an unchanged poll of a state by key, 304"
    yield Figure(name, unchanged, "requests/s", row, read, least=0.8)


def _acts() -> Iterator[object]:
    return ({"id": str(uuid.uuid4()), "act": points(number)} for number in range(REQUESTS))


def _row(number: int) -> object:
    return {"seat": 1 + number % 2, "points": number % 7}


def _of_cards(by: object) -> services.Match:
    """Open a match by the full rulebook, with two decks."""
    setup = bots.sample_setup(rules.get("zg"), 1, seats=2, options={"depth": "full"})
    seats = [
        services.SeatRequest(label=seat.label, deck=msgspec.to_builtins(seat.deck))
        for seat in setup.seats
    ]
    options = msgspec.to_builtins(setup.options)
    return services.open_match(by=by, ruleset="zg", options=options, seats=seats)


def _plain(log: Path) -> tuple[site.Running, str]:
    """Start the minimal DRF project in the same way as the site's own web server."""
    with supervisor.bind("127.0.0.1", 0) as listener:
        program = supervisor.web(listener)
        program.command.append(PLAIN)
        running = site.Running(program, log, DATABASE_URL=site.owner_url())  # it creates its table
        url = supervisor.url_of(listener).rstrip("/")
    site.wait_until_answered(f"{url}/rows/0/", running)
    return running, url


class Client:
    """Sends requests one after another on one connection, with as little overhead as possible."""

    def __init__(self, url: str) -> None:
        host, _, port = urlsplit(url).netloc.partition(":")
        self.address = host, int(port)

    def post(self, path: str, bodies: Iterable[object], headers: dict[str, str]) -> int:
        """POST the bodies one after another; return how many there were."""
        headers = {**headers, "Content-Type": "application/json"}
        sent = [json.dumps(body).encode() for body in bodies]
        return self._ask_all([_request("POST", path, headers, body) for body in sent], 201)

    def gets(self, path: str, headers: dict[str, str], *, unchanged: bool = False) -> Work:
        """Return work that GETs a page repeatedly: in full, or with `unchanged` as a 304."""
        if not unchanged:
            return lambda: self._ask_all([_request("GET", path, headers)] * REQUESTS, 200)
        with socket.create_connection(self.address) as connection:
            answer = _answer(connection, _request("GET", path, headers)).decode("latin-1")
        tag = re.search(r"(?i)etag: (.*)\r", answer)
        headers = {**headers, "If-None-Match": tag[1] if tag else ""}
        return lambda: self._ask_all([_request("GET", path, headers)] * REQUESTS, 304)

    def _ask_all(self, requests: list[bytes], status: int) -> int:
        with socket.create_connection(self.address) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for request in requests:
                answer = _answer(connection, request)
                if int(answer[9:12]) != status:
                    raise AssertionError(f"{request!r} was answered {answer!r}")
        return len(requests)


def _request(method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    told = {"Host": "127.0.0.1", **headers, "Content-Length": str(len(body))}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {told[name]}" for name in told), "", ""]
    return "\r\n".join(lines).encode() + body


def _answer(connection: socket.socket, request: bytes) -> bytes:
    connection.sendall(request)
    answer = b""
    while not _is_whole(answer):
        more = connection.recv(1 << 16)
        if not more:
            raise AssertionError(f"{request!r} was cut off after {answer!r}")
        answer += more
    return answer


def _is_whole(answer: bytes) -> bool:
    """Return whether an answer is complete, by its length or by a final empty chunk."""
    head, end, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    if not end:
        return False
    if length:
        return len(body) >= int(length[1])
    return b" 304 " in head or body.endswith(b"0\r\n\r\n")
