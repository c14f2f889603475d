"""Brackets and standings to embed in other sites' pages, with what the public may know.

They may be framed anywhere, set no cookie, read no session, and link back in a window of their own;
all other pages refuse to be framed. Results are left out if the frame's address says so
(`?results=off`), or if the reader has them off and the browser sends that cookie to the frame,
which it does only on this site.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from league import selectors
from league.displays import table_rows
from league.scene import Scene
from league.views.tournament import stage_in
from matches.actors import NOBODY, has_results_off

ANYWHERE = {"frame-ancestors": ["*"]}
FRESH = 30  # seconds
THEMES = ("light", "dark")


View = Callable[..., HttpResponseBase]


def framed(view: View) -> View:
    """Allow a view to be framed anywhere."""
    return xframe_options_exempt(csp_replace(ANYWHERE)(require_safe(view)))


def _scene(request: HttpRequest, code: str) -> Scene:
    off = request.GET.get("results") == "off" or has_results_off(request)
    anybody = replace(NOBODY, results_off=off)
    return Scene(anybody, selectors.tournament_for(anybody, code))


def _embed(request: HttpRequest, scene: Scene, what: str, context: dict[str, Any]) -> HttpResponse:
    theme = request.GET.get("theme", "")
    shown = {
        "tournament": scene.tournament,
        "scene": scene,
        "what": what,
        "look": theme if theme in THEMES else "",
        "every": 0 if scene.settled else 2 * FRESH,
        **context,
    }
    answer = render(request, f"league/embed_{what}.html", shown)
    patch_cache_control(answer, public=True, max_age=FRESH)
    patch_vary_headers(answer, ["Cookie"])
    return answer


@framed
def embed_bracket(request: HttpRequest, code: str) -> HttpResponse:
    """Show a tournament's brackets, the newest stage first."""
    scene = _scene(request, code)
    stages = [stage for stage in reversed(scene.stages) if stage.regions]
    return _embed(request, scene, "bracket", {"stages": stages})


@framed
def embed_standings(request: HttpRequest, code: str) -> HttpResponse:
    """Show the standings of a stage, by default the last; `?stage=` selects another."""
    scene = _scene(request, code)
    stage = stage_in(request, scene) if scene.stages else None
    rows = scene.standing_rows(stage) if stage else []
    table = table_rows(rows, scene.names, scene.stages)
    return _embed(request, scene, "standings", {"stage": stage, "rows": table})
