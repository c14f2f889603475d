"""The language of a response: the reader's on pages, English for programs."""

import re
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers
from rest_framework.permissions import SAFE_METHODS

from matches.pages import is_from_here

PROGRAMS = re.compile(r"^/api/|\.(?:xml|txt|ics|atom|ndjson)$")
"""Paths read by programs: the same for every client."""
FRAMED = re.compile(r"/embed/")
"""Paths embedded in other sites, where no cookie is sent."""


class Language(LocaleMiddleware):
    """Takes the language from the reader's cookie, else from `Accept-Language`."""

    async_capable = False  # as `Session`, further in, is not either

    def __call__(self, request: HttpRequest) -> Any:
        if not _of_a_program(request):
            return super().__call__(request)
        translation.activate(settings.LANGUAGE_CODE)
        request.LANGUAGE_CODE = settings.LANGUAGE_CODE
        response: Any = self.get_response(request)
        response.headers.setdefault("Content-Language", settings.LANGUAGE_CODE)
        return response

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        answer = super().process_response(request, response)
        if not FRAMED.search(request.path_info):
            patch_vary_headers(answer, ["Cookie"])
        return answer


def _of_a_program(request: HttpRequest) -> bool:
    """Tell whether a program reads the response; people read those to writes from our pages."""
    on_a_page = request.method not in SAFE_METHODS and is_from_here(request)
    return bool(PROGRAMS.search(request.path_info)) and not on_a_page
