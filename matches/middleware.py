"""Turns a `Refused` that reaches a page into a response with its status and reason."""

from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, QueryDict
from django.shortcuts import render, resolve_url
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils.http import url_has_allowed_host_and_scheme

from matches.errors import NotSignedIn, Refused


class RefusedPages:
    """Renders `Refused` as a page; what is hidden and what does not exist look the same."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed):
            response.content = render_to_string("405.html", {"page": _above(request.path)}, request)
        elif _is_to_sign_in(request, response):
            return self._refusal(request, NotSignedIn())
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return self._refusal(request, error) if isinstance(error, Refused) else None

    def _refusal(self, request: HttpRequest, error: Refused) -> HttpResponse:
        template = "404.html" if error.status == 404 else "refused.html"
        there = {
            "refused": error,
            "came_from": _came_from(request),
            "page": _way_back(request),
            "sign_in": isinstance(error, NotSignedIn),
        }
        return render(request, template, there, status=error.status)


def _way_back(request: HttpRequest) -> str:
    """Return the page to go back to: this one, or for an address that only takes forms, the form's.

    A form that does not say where it was counts as one of the nearest page above.
    """
    if request.method != "POST":
        return request.get_full_path()
    if page := _came_from(request):
        return urlsplit(page)._replace(scheme="", netloc="").geturl()
    return _above(request.path)


def _above(path: str) -> str:
    """Return the nearest page above a path."""
    above = path.rstrip("/").rpartition("/")[0] + "/"
    try:
        resolve(above)
    except Resolver404:
        return _above(above)
    return above


def _is_to_sign_in(request: HttpRequest, response: HttpResponse) -> bool:
    """Tell whether a request that writes is answered by asking its sender to sign in first.

    Whoever signs out in order to sign in as somebody else goes on to another page than this.
    """
    if request.method != "POST" or "Location" not in response.headers:
        return False
    target = urlsplit(response.headers["Location"])
    goes_on = QueryDict(target.query).get("next")
    return target.path == resolve_url(settings.LOGIN_URL) and goes_on == request.get_full_path()


def _came_from(request: HttpRequest) -> str:
    """Return the page of this site whose form or link led here, "" if there is none."""
    page = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(page, {request.get_host()}, request.is_secure())
    is_this = request.method == "GET" and page == request.build_absolute_uri()
    return page if is_ours and not is_this else ""
