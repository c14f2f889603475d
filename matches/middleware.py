"""Turn a refusal that reaches a page into an answer with its status and its reason."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme

from matches.errors import Refused


class RefusedPages:
    """Render `Refused` as a page; what is hidden and what is not there look the same."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, Refused):
            return None
        template = "404.html" if error.status == 404 else "refused.html"
        there = {"refused": error, "came_from": _came_from(request)}
        return render(request, template, there, status=error.status)


def _came_from(request: HttpRequest) -> str:
    """Return the page of this site whose form or link led here, empty when there is none."""
    page = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(page, {request.get_host()}, request.is_secure())
    is_this = request.method == "GET" and page == request.build_absolute_uri()
    return page if is_ours and not is_this else ""
