"""Turn a refusal that reaches a page into an answer with its status and its reason."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

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
        return render(request, template, {"refused": error}, status=error.status)
