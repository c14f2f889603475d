"""Make one short request to an address that a user chose, on the public internet only.

The name is resolved once, and the connection is made to the very address that was checked, so that
a name that resolves differently a moment later leads nowhere else. Redirects and proxies are not
followed, and anything slower than `DEADLINE` is cut off.
"""

import ipaddress
import re
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext, gettext_noop

from matches.errors import BadInput
from rules.texts import listed

PORTS = (443, 8443)
LIMIT = 400  # characters of a URL
TIMEOUT = 5.0  # seconds without any data
DEADLINE = 10.0  # seconds in total
MAX_READ = 16 * 1024  # bytes of an answer, which is discarded

_SLOW = gettext_noop("It took too long.")
_DOUBT = "Its certificate does not hold: "
_INTERNET = ipaddress.ip_network("2000::/3")
_LABEL = r"(?!-)[a-z0-9-]{1,63}(?<!-)"
_NAME = re.compile(rf"({_LABEL}\.)+(?=[a-z]){_LABEL}")  # 127.1 and 0x7f.1 are addresses, not names
_OWN = (".localhost", ".localdomain", ".local", ".internal", ".lan", ".home.arpa")


class Failed(Exception):
    """No answer came; the message, to be translated when it is shown, says why."""


class Answer(NamedTuple):
    """An answer. `wait`: seconds until the next request is allowed, 0 if not stated."""

    status: int
    wait: int


def require_address(url: str) -> str:
    """Return a URL that may be called. Raises: BadInput."""
    try:
        parts, port = urlsplit(url), urlsplit(url).port
    except ValueError:
        raise BadInput("bad-url", gettext("This is no address."), "$.url") from None
    host = parts.hostname or ""
    own = host in settings.WEBHOOK_HOSTS
    problem = ""
    if len(url) > LIMIT or not url.isascii() or not url.isprintable() or " " in url:
        text = gettext("An address has {most} characters at most, printable ASCII without spaces.")
        problem = text.format(most=LIMIT)
    elif parts.scheme != "https" and not (own and parts.scheme == "http"):
        problem = gettext("An address begins with https://.")
    elif parts.username is not None or parts.fragment:
        problem = gettext("An address has neither a user nor a part after #.")
    elif not own and port not in (None, *PORTS):
        problem = gettext("Ports are {ports}.").format(ports=listed([str(port) for port in PORTS]))
    elif not own and not _is_named(host):
        problem = gettext("Name a host on the public internet.")
    if problem:
        raise BadInput("bad-url", problem, "$.url")
    return url


def _is_named(host: str) -> bool:
    """Return whether a host looks like one on the public internet."""
    try:
        return is_public(host)
    except ValueError:
        return bool(_NAME.fullmatch(host)) and not host.endswith(_OWN)


def is_public(text: str) -> bool:
    """Return whether an IP address is public. Raises: ValueError if it is no IP address."""
    ip = ipaddress.ip_address(text)
    if isinstance(ip, ipaddress.IPv6Address):
        wrapped = ip.ipv4_mapped or ip.sixtofour or ip.teredo
        if wrapped or ip not in _INTERNET:
            return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Post a body and return the answer. Raises: Failed."""
    try:
        parts = urlsplit(require_address(url))
        connection = _connected(parts)
    except BadInput as refused:
        raise Failed(refused.detail) from None
    except (OSError, ValueError) as error:
        raise Failed(_reason(error)) from error
    guard = threading.Timer(DEADLINE, _cut_off, [connection.sock])
    # taken before the guard starts: whatever it cuts off took at least as long
    began = time.monotonic()
    guard.start()
    try:
        answer = _exchange(connection, parts, body, headers)
    except (OSError, HTTPException, ValueError) as error:
        raise Failed(_SLOW if _is_over(began) else _reason(error)) from error
    finally:
        guard.cancel()
        connection.close()
    if _is_over(began):  # the answer is incomplete
        raise Failed(_SLOW)
    return answer


def _is_over(began: float) -> bool:
    """Return whether the deadline has passed: then we broke the connection, whatever the error."""
    return time.monotonic() - began >= DEADLINE


def _exchange(
    connection: HTTPConnection, parts: SplitResult, body: bytes, headers: Mapping[str, str]
) -> Answer:
    target = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    connection.request("POST", target, body, dict(headers))
    response = connection.getresponse()
    response.read(MAX_READ)
    return Answer(response.status, _seconds(response.getheader("Retry-After", "")))


def _connected(parts: SplitResult) -> HTTPConnection:
    """Return a connection to a host at a checked address. Raises: OSError, Failed."""
    host = parts.hostname or ""
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    address: Any = found[0][4]
    if host not in settings.WEBHOOK_HOSTS and not all(is_public(str(each[4][0])) for each in found):
        raise Failed(gettext_noop("Its address is not one of the public internet."))
    made = HTTPSConnection(host, port) if secure else HTTPConnection(host, port)
    made.sock = socket.create_connection(address[:2], TIMEOUT)
    if secure:
        made.sock = _in_private(made.sock, host)
    return made


def _in_private(plain: socket.socket, host: str) -> ssl.SSLSocket:
    """Return the connection wrapped in TLS. Raises: OSError, also if it takes too long."""
    guard = threading.Timer(DEADLINE, _cut_off, [plain])
    guard.start()
    try:
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    except BaseException:
        plain.close()
        raise
    finally:
        guard.cancel()


def _cut_off(connection: socket.socket) -> None:
    """Shut a connection down below TLS, while another thread reads from it."""
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)


def _seconds(text: str) -> int:
    return min(int(text), 86_400) if text.isascii() and text.isdigit() and len(text) < 9 else 0


def _reason(error: Exception) -> str:
    """Describe why no answer came, without an address of ours."""
    match error:
        case socket.gaierror():
            return gettext_noop("There is no such host.")
        case TimeoutError():
            return _SLOW
        case ssl.SSLCertVerificationError():
            return f"{_DOUBT}{error.verify_message}."
        case ssl.SSLError():
            return gettext_noop("No TLS connection came about.")
        case ConnectionRefusedError():
            return gettext_noop("It takes no connections.")
        case HTTPException():
            return gettext_noop("It did not answer as HTTP has it.")
        case OSError():
            return gettext_noop("The connection broke.")
    return gettext_noop("This is no address that can be called.")


def told(reason: str) -> str:
    """Return why a request failed in the reader's language; what TLS said of it is quoted."""
    _, doubt, theirs = reason.partition(_DOUBT)
    if doubt:
        text = gettext("Its certificate does not hold: “{reason}”")
        return text.format(reason=theirs.rstrip("."))
    return gettext(reason) if reason else ""
