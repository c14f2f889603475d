"""Home and the settings of one reader."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import conditional_page, require_http_methods, require_safe

from matches import selectors
from matches.errors import Refused
from matches.forms import ThemeForm, form_status, posted
from matches.models import Log, Match
from matches.narration import Narrator
from matches.panels import home_panels
from matches.policy import Actor, actor_of
from matches.scene import Scene, scene_of
from matches.views_matches import listed

YEAR = 365 * 24 * 3600  # seconds
LIVE, ENDED = 6, 8  # as many as home shows


@require_safe
@conditional_page
def home(request: HttpRequest) -> HttpResponse:
    """Show what is live, what just ended, and how to begin; with `part` what changes of it."""
    actor = actor_of(request)
    matches = selectors.matches_for(actor)
    live = selectors.of_status(matches, Log.Status.OPEN)
    context: dict[str, Any] = {
        "mine": selectors.matches_of(actor, actor.player)
        .filter(log__status=Log.Status.OPEN)
        .first()
        if actor.player
        else None,
        "live": list(_minis(actor, live[:LIVE])),
        "ended": listed(actor, selectors.last_ended(matches, ENDED)),
    }
    part = "part" in request.GET
    context["panels"] = [] if part else home_panels(request)
    answer = render(request, "matches/_air_part.html" if part else "matches/home.html", context)
    patch_cache_control(answer, private=True, no_cache=True)
    patch_vary_headers(answer, ["Cookie"])
    return answer


def _minis(actor: Actor, matches: Iterable[Match]) -> Iterator[dict[str, Any]]:
    for match in matches:
        try:
            yield _mini(scene_of(actor, match))
        except Refused:  # a log that can not be read: its own page says why, home goes on
            continue


def _mini(scene: Scene) -> dict[str, Any]:
    """Return a live match at a glance; a game may draw its sides in its own way."""
    key = scene.ruleset.key
    return {
        "scene": scene,
        "line": Narrator(scene.timeline, scene.names, audience=scene.audience).line(scene.version),
        "sides": [f"rules/{key}/_sides.html", "matches/_sides.html"],
    }


@require_http_methods(["GET", "HEAD", "POST"])
def theme_set(request: HttpRequest) -> HttpResponse:
    """Keep the theme in a cookie that the server reads."""
    form = ThemeForm(posted(request), initial={"theme": request.COOKIES.get("theme", "auto")})
    if not form.is_valid():
        status = form_status(request)
        return render(request, "matches/theme_set.html", {"form": form}, status=status)
    answer = redirect("matches:theme-set")
    answer.set_cookie("theme", form.cleaned_data["theme"], max_age=YEAR, samesite="Lax")
    return answer
