"""The middleware that pages alone need: requests of programs go past it.

A program sends no cookie. Then it has no session, no account of one and no messages, and to find
that out took a twentieth of the processor time of a short response (ADR 0073).
"""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxMiddleware


class ForPages:
    """Mixed into a middleware class, has it left out for programs."""

    get_response: Callable[[HttpRequest], Any]

    def __call__(self, request: HttpRequest) -> Any:
        if _is_of_program(request):
            return self.get_response(request)
        return super().__call__(request)  # type: ignore[misc]  # of the middleware mixed with


def _is_to_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")


def _is_of_program(request: HttpRequest) -> bool:
    return _is_to_api(request) and not request.META.get("HTTP_COOKIE")


class Session(ForPages, SessionMiddleware):
    """The session; what the API responds depends on whether there is one."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = super().__call__(request)
        if _is_to_api(request):
            patch_vary_headers(response, ["Cookie"])
        return response


class Authentication(ForPages, AuthenticationMiddleware):
    """The account of the session."""


class Messages(ForPages, MessageMiddleware):
    """What a page tells on the next one."""


class Htmx(ForPages, HtmxMiddleware):
    """Which part of a page was asked for."""
