"""A wire to the live site that a test can cut.

A browser that is told to be offline may still send what a page asks for while it loads, or what
its service worker asks for. Through a cut wire nothing comes.
"""

import contextlib
import socket
import socketserver
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

CHUNK = 65536  # bytes


class Wire(socketserver.ThreadingTCPServer):
    """Carries bytes to a site and back, until it is cut and once it is mended."""

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
    """Carry bytes one way until an end is closed, then close both."""
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
