"""A TCP proxy to the live site that a test can cut.

A browser set to offline may still send requests of a page that is loading or of its service worker.
Nothing passes through a proxy that is cut.
"""

import contextlib
import socket
import socketserver
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

CHUNK = 65536  # bytes


class Wire(socketserver.ThreadingTCPServer):
    """A proxy that carries bytes to a site and back, except while it is cut."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, site: str) -> None:
        super().__init__(("127.0.0.1", 0), _Call)
        far = urlsplit(site)
        self.far = (far.hostname, far.port)
        self.url = f"{far.scheme}://{far.hostname}:{self.server_address[1]}"
        self.whole = True
        self.calls: set[socket.socket] = set()

    def cut(self) -> None:
        self.whole = False
        for call in tuple(self.calls):
            _end(call)

    def mend(self) -> None:
        self.whole = True

    def verify_request(self, request: object, client_address: object) -> bool:
        return self.whole


class _Call(socketserver.BaseRequestHandler):
    server: Wire

    def handle(self) -> None:
        with contextlib.suppress(OSError), socket.create_connection(self.server.far) as far:
            ends = {self.request, far}
            self.server.calls |= ends
            if self.server.whole:
                back = threading.Thread(target=_carry, args=(far, self.request), daemon=True)
                back.start()
                _carry(self.request, far)
                back.join()
            self.server.calls -= ends


def _carry(source: socket.socket, to: socket.socket) -> None:
    """Carry bytes one way until either end is closed, then close both."""
    with contextlib.suppress(OSError):
        while data := source.recv(CHUNK):
            to.sendall(data)
    _end(source)
    _end(to)


def _end(call: socket.socket) -> None:
    with contextlib.suppress(OSError):
        call.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def wire(site: str) -> Iterator[Wire]:
    with Wire(site) as laid:
        thread = threading.Thread(target=laid.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield laid
        finally:
            laid.cut()
            laid.shutdown()
            thread.join()
