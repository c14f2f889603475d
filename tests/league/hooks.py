"""A server for webhooks in tests: it keeps what it receives and answers as configured."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec

from league import webhooks
from league.happenings import EVENTS
from league.models import League, Webhook
from matches.actors import Actor


@dataclass
class Came:
    headers: dict[str, str]
    body: bytes

    @property
    def told(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.json.decode(self.body)
        return found

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


@dataclass
class Receiver:
    """What was received. `answers` holds the statuses of the next answers, 200 once it is empty.

    `arrived` is called with each request before it is answered.
    """

    url: str = ""
    came: list[Came] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    arrived: Callable[[Came], object] = lambda came: None

    @property
    def kinds(self) -> list[str]:
        return [each.told["type"] for each in self.came]


@contextmanager
def receiver() -> Iterator[Receiver]:
    """Run the server on a local port."""
    found = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            found.came.append(came := Came(headers, body))
            found.arrived(came)
            self.send_response(found.answers.pop(0) if found.answers else 200)
            for name, value in found.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    found.url = f"http://127.0.0.1:{server.server_port}/hook"
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def registered(
    by: Actor, league: League, url: str, events: list[str] | None = None
) -> tuple[Webhook, str]:
    return webhooks.register(by=by, league=league, url=url, events=events or list(EVENTS))
