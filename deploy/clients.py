"""Clients' addresses."""

from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle


def address(request: HttpRequest) -> str:
    """Return the client's address, behind as many proxies as the settings say."""
    return str(BaseThrottle().get_ident(request))  # type: ignore[arg-type]  # reads META alone
