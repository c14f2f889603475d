"""Clients' addresses."""

from ipaddress import IPv6Address, ip_address

from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle

HERE = "127.0.0.1"


def address(request: HttpRequest) -> str:
    """Return the client's address, behind as many proxies as the settings say.

    Whoever comes through a unix socket is on this machine. If what a proxy says is no address, the
    client counts as the proxy.
    """
    told = BaseThrottle().get_ident(request)  # type: ignore[arg-type]  # reads META alone
    return _read(told) or _read(request.META.get("REMOTE_ADDR")) or HERE


def _read(text: str | None) -> str | None:
    """Return an address as a database takes it, or None if the text is none."""
    try:
        found = ip_address((text or "").partition("%")[0])  # what follows % names an interface
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return str(mapped or found)
