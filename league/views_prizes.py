"""Prizes of a tournament: promised by its organisers, listed with who was given what."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league import policy, prizes, services
from league.forms import PrizeForm
from league.scene import Scene
from league.views_tournament import prizes_of, shown
from matches.errors import Refused
from matches.forms import form_status, posted, refuse


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def prize_list(request: HttpRequest, code: str) -> HttpResponse:
    """List what is promised and what was given, and promise more."""
    scene, context = shown(request, code, live=True)
    policy.require_organise(scene.actor, scene.tournament)
    promised = _promised(scene)
    form = PrizeForm(posted(request), known=len(promised))
    if form.is_valid():
        try:
            services.promise_prize(by=scene.actor, tournament=scene.tournament, **form.said())
        except Refused as refused:
            refuse(form, refused)
        else:
            messages.success(request, gettext("Promised: everybody reads it with the rules."))
            return redirect("league:prize-list", code)
    context |= {
        "form": form,
        "promised": promised,
        "won": prizes_of(scene),
        "due": prizes.are_due(scene.tournament, scene.desk),
    }
    return render(request, "league/prize_list.html", context, status=form_status(request))


def _promised(scene: Scene) -> list[dict[str, Any]]:
    """Return every prize with who was given what of it, by name."""
    names = {entry.pk: entry.name for entry in scene.entries.values()}
    return [
        {
            "prize": prize,
            "shares": [(names.get(share.entry_id, ""), share) for share in prize.shares.all()],
        }
        for prize in scene.tournament.prizes.prefetch_related("shares").order_by("place", "pk")
    ]
