"""Finding matches: the list, the short way to the logger, a player's page."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from matches import selectors
from matches.forms import MatchFilter
from matches.models import Log, Player
from matches.policy import actor_of, player_of

PAGE = 30


@require_safe
def match_list(request: HttpRequest) -> HttpResponse:
    """List the matches one may see, newest first, narrowed by the filters."""
    actor = actor_of(request)
    form = MatchFilter(request.GET or None)
    matches = form.narrow(selectors.matches_for(actor), actor)
    page = Paginator(matches, PAGE).get_page(request.GET.get("page"))
    return render(request, "matches/match_list.html", {"form": form, "page": page})


@require_safe
@login_required
def log(request: HttpRequest) -> HttpResponse:
    """Go where one logs: to the newest open match one sits at, else to a new one."""
    actor = actor_of(request)
    mine = selectors.matches_of(actor, player_of(actor)).filter(log__status=Log.Status.OPEN)
    if match := mine.first():
        return redirect("matches:logger", match.code)
    return redirect("matches:match-open")


@require_safe
def player_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a player and the matches of theirs that one may see."""
    player = get_object_or_404(Player, pk=pk)
    matches = selectors.matches_of(actor_of(request), player)
    page = Paginator(matches, PAGE).get_page(request.GET.get("page"))
    return render(request, "matches/player_detail.html", {"player": player, "page": page})
