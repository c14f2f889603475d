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
from django.utils.translation import gettext
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from league import ranking, selectors
from league.scene import Scene
from league.seen import table_rows
from matches.actors import NOBODY, has_results_off
from matches.errors import NotFound
from matches.pages import number_in

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
        "every": 0 if scene.desk.closed else 2 * FRESH,
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
    return _embed(request, scene, "bracket", {"stages": stages, "embedded": True})


@framed
def embed_standings(request: HttpRequest, code: str) -> HttpResponse:
    """Show the standings of a stage, by default the last; `?stage=` selects another."""
    scene = _scene(request, code)
    number = number_in(request, "stage") or len(scene.stages)
    if scene.stages and not 1 <= number <= len(scene.stages):
        raise NotFound(
            gettext("There is no stage {number}.").format(number=number), "no-such-stage"
        )
    asked_for = scene.tournament, scene.cut, number - 1, scene.at
    rows = [*ranking.table(*asked_for), *ranking.below(*asked_for)]
    stage = scene.stages[number - 1] if scene.stages else None
    table = table_rows(rows, scene.names, scene.stages)
    return _embed(request, scene, "standings", {"stage": stage, "rows": table})
