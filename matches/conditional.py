"""Conditional requests."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response


def not_modified(request: HttpRequest, tag: str) -> HttpResponse | None:
    """Return a 304 with the tag (RFC 9110, 15.4.5) if the client has that version, else None."""
    found = get_conditional_response(request, tag)
    if found is not None and found.status_code == HTTPStatus.NOT_MODIFIED:
        found.headers["ETag"] = tag
    return found
