"""Fairness of a match's draws: the commitment, the seed, and every draw computed again."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from matches import selectors
from matches.actors import actor_of
from matches.draws import fairness
from matches.scene import scene_of


@require_safe
def match_fair(request: HttpRequest, code: str) -> HttpResponse:
    """Show every draw of a match so that anyone, including the browser, can compute it."""
    actor = actor_of(request)
    match = selectors.match_for(actor, code)
    scene = scene_of(actor, match)
    context = {
        "match": match,
        "scene": scene,
        "fair": fairness(scene),
        "share_url": reverse("matches:match-detail", args=[match.code]),
    }
    return render(request, "matches/fairness.html", context)
