"""What makes the site an app on a phone: service workers, the offline page, the manifest."""

import hashlib
from collections.abc import Iterable

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

FILES = (
    "site.css",
    "shell.js",
    "mark.svg",
    "favicon.svg",
    "js/logger.js",
    "js/logger-acts.js",
    "js/logger-board.js",
    "js/logger-clock.js",
    "js/logger-drain.js",
    "js/logger-hex.js",
    "js/logger-keys.js",
    "js/logger-outbox.js",
    "js/logger-parts.js",
    "js/logger-phrases.js",
    "js/logger-review.js",
    "js/logger-watch.js",
    "js/logger-witness.js",
    "js/logger-zg-desk.js",
    "js/logger-zg.js",
    "js/words.js",
)
"""All static files of the logger's page, whatever the game."""


def release() -> str:
    """Return the mark of this release: it changes with any of those files."""
    return _digest(map(static, FILES))


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256(" ".join(texts).encode()).hexdigest()[:16]


@require_safe
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker of this release for one match's logger."""
    context = {"files": [static(name) for name in FILES], "release": release()}
    return render(request, "matches/logger_worker.js", context, content_type="text/javascript")


OFFLINE = (
    "site.css",
    "shell.js",
    "mark.svg",
    "favicon.svg",
    "js/offline.js",
    "js/words.js",
)
"""All static files of the offline page."""


@require_safe
@cache_control(private=True, no_cache=True)
def offline(request: HttpRequest) -> HttpResponse:
    """Show the offline page, without a name, as a device caches it."""
    return render(request, "matches/offline.html", {"user": AnonymousUser()})


@require_safe
@cache_control(no_cache=True)
def offline_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker of this release for every page but a match's logger."""
    files = [static(name) for name in OFFLINE]
    page = render_to_string("matches/offline.html")
    release = _digest([*files, page])
    context = {"files": files, "release": release, "page": reverse("matches:offline")}
    return render(request, "matches/offline_worker.js", context, content_type="text/javascript")


@require_safe
@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the web app manifest."""
    fields = {
        "id": "/",
        "name": "ZGXL",
        "short_name": "ZGXL",
        "description": "Log a match at the table, with or without a network.",
        "start_url": reverse("matches:log"),
        "scope": reverse("matches:home"),
        "display": "standalone",
        "background_color": "#0b0d10",
        "theme_color": "#0b0d10",
        "icons": [
            {"src": static("mark.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
        ],
    }
    return JsonResponse(fields, content_type="application/manifest+json")
