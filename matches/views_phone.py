"""What makes the logger an app on a phone: its service worker and its manifest."""

import hashlib

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

FILES = (
    "site.css",
    "shell.js",
    "icons.svg",
    "mark.svg",
    "favicon.svg",
    "js/logger.js",
    "js/logger-acts.js",
    "js/logger-board.js",
    "js/logger-clock.js",
    "js/logger-desk.js",
    "js/logger-drain.js",
    "js/logger-keys.js",
    "js/logger-outbox.js",
    "js/logger-review.js",
)
"""All that the logger's page asks for."""


@require_safe
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """Give the service worker of this release; the page registers it for one match's logger."""
    files = [static(name) for name in FILES]
    release = "logger " + hashlib.sha256(" ".join(files).encode()).hexdigest()[:16]
    context = {"files": files, "release": release}
    return render(request, "matches/logger_worker.js", context, content_type="text/javascript")


@require_safe
@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> JsonResponse:
    """Say how the site looks as an app."""
    told = {
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
    return JsonResponse(told, content_type="application/manifest+json")
