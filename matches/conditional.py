"""Conditional requests."""

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response


def not_modified(request: HttpRequest, tag: str) -> HttpResponse | None:
    """Return a 304 with the tag (RFC 9110, 15.4.5) if the client has that version, else None."""
    kept = HttpResponse(headers={"ETag": tag})
    found = get_conditional_response(request, tag, response=kept)
    return None if found is kept else found
