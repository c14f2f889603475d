"""Opening a match: choose the game, then who sits where with what."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from matches import policy, selectors, services
from matches.actors import actor_of
from matches.errors import Refused
from matches.forms import form_status, posted
from matches.forms.opening import GameForm, OpenForm
from matches.models import Match
from matches.pages import act_id_in


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def match_open(request: HttpRequest) -> HttpResponse:
    """Ask for the game and the number of seats, then for everything else on the same URL."""
    return opening(request, OpenForm, services.open_match)


def opening(
    request: HttpRequest, make_form: Callable[..., OpenForm], opens: Callable[..., Match]
) -> HttpResponse:
    """Answer the two steps of opening a match.

    A higher floor passes a form with more fields, and the service that takes what its `request`
    returns. `?after=` names an earlier match of the actor's of that game, to be played again.
    """
    chosen = {"game", "seats"} <= request.GET.keys()
    game_form = GameForm(request.GET if chosen else None, initial=request.GET.dict())
    if not game_form.is_valid():
        status = form_status(request)
        return render(request, "matches/match_open.html", {"form": game_form}, status=status)
    table = game_form.cleaned_data
    actor = actor_of(request)
    form = make_form(rules.get(table["game"]), table["seats"], actor, posted(request))
    if table["practice"]:
        form.practise()
    if "after" in request.GET and request.method != "POST":
        last = selectors.match_for(actor, request.GET["after"])
        if policy.is_opener(actor, last) and rules.get(last.log.ruleset).key == table["game"]:
            form.repeat(last)
    context: dict[str, Any] = {"form": form, "act_id": request.POST.get("act_id") or uuid4()}
    if form.is_valid():
        try:
            match = opens(by=actor, act_id=act_id_in(request), **form.request())
        except Refused as refused:
            context["refused"] = None if form.shows(refused) else refused
        else:
            messages.success(
                request,
                gettext("{match} is open. Its code is {code}.").format(match=match, code=match.code)
                if match.title
                else gettext("{match} is open.").format(match=match),
            )
            where = "logger" if form.is_practice else "seat-list"
            return redirect(f"matches:{where}", match.code)
    status = form_status(request)
    return render(request, "matches/match_open_table.html", context, status=status)
