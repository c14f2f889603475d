"""Live streams over ASGI: who asks, which stream is meant, and how it is sent or refused."""

import asyncio
import contextlib
import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils.module_loading import import_string
from rest_framework.exceptions import APIException, NotAuthenticated
from rest_framework.request import Request

from deploy import gzipped
from deploy.clients import address
from deploy.gzipped import Coding, Piece
from deploy.hub import Hub
from matches.api.auth import KeyAuthentication
from matches.api.problems import problem, problem_of
from matches.errors import BadInput, Refused
from matches.streams import Source

AWAY = (OperationalError, InterfaceError)

logger = logging.getLogger(__name__)
Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]


# -- who asks -------------------------------------------------------------------------------


def _no_answer(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


_SESSIONS = SessionMiddleware(_no_answer)
_ACCOUNTS = AuthenticationMiddleware(_no_answer)


def request_of(scope: dict[str, Any]) -> HttpRequest:
    """Return the authenticated request, by session or by an API key. Raises: APIException."""
    request = ASGIRequest(scope, BytesIO())
    request.get_host()
    _SESSIONS.process_request(request)
    _ACCOUNTS.process_request(request)
    if scope["path"].startswith("/api/"):
        signed_in = KeyAuthentication().authenticate(Request(request))
        if signed_in:
            request.user = signed_in[0]
    return request


class Asking:
    """Returns a stream's request, authenticated anew each time it is called.

    Raises: APIException, also once the sign-in it began with is over.
    """

    def __init__(self, scope: dict[str, Any]) -> None:
        self.scope = scope
        self.user: object = None

    def __call__(self) -> HttpRequest:
        request = request_of(self.scope)
        if self.user is not None and request.user.pk != self.user:
            raise NotAuthenticated("You are no longer signed in as who opened this stream.")
        self.user = request.user.pk
        return request


# -- the application ------------------------------------------------------------------------


class Streams:
    """Serves the paths of streams; all else goes to the site's application."""

    def __init__(self, site: Any, sources: Iterable[str]) -> None:
        self.site, self.hub = site, Hub()
        self.sources: list[Source] = [import_string(name)() for name in sources]

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await _lifespan(receive, send)
        if scope["type"] == "http":
            for source in self.sources:
                if found := source.path.fullmatch(scope["path"]):
                    if scope["method"] != "GET":
                        refusal = problem(405, "method-not-allowed", "A stream is only read.")
                        return await _refuse(send, refusal)
                    return await self._stream(scope, receive, send, source, found["code"])
        await self.site(scope, receive, send)
        return None

    async def _stream(
        self, scope: dict[str, Any], receive: Receive, send: Send, source: Source, code: str
    ) -> None:
        ask = Asking(scope)
        try:
            following = await self.hub.run(lambda: source.open(ask, code))
            client = address(ASGIRequest(scope, BytesIO()))
            with self.hub.reading(following, client, _cursor(scope)) as reader:
                self.hub.watch()
                coding = gzipped.coding_for(_header(scope, b"accept-encoding"))
                await self._send(receive, send, self.hub.pieces(reader), coding)
        except (Refused, APIException, DisallowedHost, *AWAY) as error:
            await _refuse(send, _problem_of(error), wait=getattr(error, "wait", None))

    async def _send(
        self, receive: Receive, send: Send, pieces: AsyncIterator[Piece], coding: Coding
    ) -> None:
        """Send until the client disconnects, or may read no more."""
        gone = asyncio.create_task(_until_gone(receive))
        sending = asyncio.create_task(_pass_on(send, pieces, coding))
        try:
            await asyncio.wait({gone, sending}, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            gone.cancel()
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await sending
            await pieces.aclose()  # type: ignore[attr-defined]  # it is a generator


async def _pass_on(send: Send, pieces: AsyncIterator[Piece], coding: Coding) -> None:
    """Send pieces; the response starts with the first one, once nothing was refused."""
    begun = False
    try:
        async for piece in pieces:
            if not begun:
                await send(_START | {"headers": [*_START["headers"], *coding.headers]})
                begun = True
            await send(_body(coding.sent(piece), more=True))
            del piece  # as in `Hub.pieces`
    except (Refused, APIException, *AWAY) as error:
        if not begun:
            raise
        await send(_body(coding.sent(_ending(_problem_of(error))), more=True))
    await send(_body(coding.end(), more=False))


def _ending(why: dict[str, Any]) -> Piece:
    """Return the event that ends a stream; without an id, so a reader resumes where it was."""
    return Piece(f"event: ended\ndata: {json.dumps(why, default=str)}\n\n".encode())


def _problem_of(error: Exception) -> dict[str, Any]:
    """Return why a stream cannot be opened, or go on."""
    match error:
        case Refused():
            return problem_of(error)
        case APIException():
            code = str(error.get_codes()).replace("_", "-")
            return problem(error.status_code, code, str(error.detail))
        case DisallowedHost():
            return problem(400, "bad-request", "The request is malformed.")
        case _:
            logger.warning("no stream can be opened, or go on: %s", error)
            return problem(503, "busy", "The database could not be reached in time; try again.")


_START: dict[str, Any] = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"vary", b"accept-encoding"),
        (b"x-accel-buffering", b"no"),
        (b"x-content-type-options", b"nosniff"),
    ],
}


def _body(sent: bytes, *, more: bool) -> dict[str, Any]:
    return {"type": "http.response.body", "body": sent, "more_body": more}


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _refuse(send: Send, body: dict[str, Any], wait: float | None = None) -> None:
    headers = [(b"content-type", b"application/problem+json"), (b"cache-control", b"no-store")]
    if body["status"] == 405:
        headers.append((b"allow", b"GET"))
    if body["status"] == 503:
        headers.append((b"retry-after", b"30"))
    if wait:
        headers.append((b"retry-after", f"{wait:.0f}".encode()))
    if body["status"] == 401:
        headers.append((b"www-authenticate", KeyAuthentication.keyword.encode()))
    await send({"type": "http.response.start", "status": body["status"], "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(body, default=str).encode()})


def _header(scope: dict[str, Any], name: bytes) -> bytes:
    """Return a header of a request, empty if it is missing."""
    found: bytes = dict(scope["headers"]).get(name, b"")
    return found


def _cursor(scope: dict[str, Any]) -> str:
    """Return the cursor to resume from: the last id received, else `after` of the query.

    An invalid last id starts from the beginning, as a browser sends it by itself. Raises: BadInput.
    """
    query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    after = query.pop("after", [""])
    if scope["path"].startswith("/api/"):
        _require_one(after, others=query)
    if last := _header(scope, b"last-event-id"):
        return _text(last)
    return _text(after[-1].encode())


def _require_one(after: list[str], others: Iterable[str]) -> None:
    """Require one `after` that is a version, and no other parameters. Raises: BadInput."""
    for name in others:
        detail = "There is no such parameter here, only after."
        raise BadInput("unknown-field", detail, f"$.{name[:40]}")
    if len(after) > 1:
        raise BadInput("duplicate-key", "A parameter is there twice.", "$.after")
    if not re.fullmatch(r"[0-9]{0,9}", after[0]):
        raise BadInput("bad-cursor", "This is no version of a log.", "$.after")


def _text(value: bytes) -> str:
    found = value.decode("latin-1")
    return found if re.fullmatch(r"[0-9a-z]{0,64}", found) else ""


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        event = (await receive())["type"]
        await send({"type": f"{event}.complete"})
        if event == "lifespan.shutdown":
            return
