"""A player's page, with leagues and tournaments."""

from uuid import UUID

from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from characters.selectors import characters_for
from league import policy, profile, selectors
from league.views.leagues import lines
from matches.actors import actor_of
from matches.models import Player
from matches.views.matches import player_context

SHOWN = 6


@require_safe
def player_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a player: ratings and their history, form, rivals, record, tournaments, matches."""
    actor = actor_of(request)
    theirs = Exists(characters_for(actor).filter(owner=OuterRef("pk")))
    known = Player.objects.select_related("claimed_by").annotate(has_characters=theirs)
    player = get_object_or_404(known, pk=pk)
    policy.require_met(actor, player)
    if player.claimed_by is not None:
        return redirect(player.claimed_by)
    shown = selectors.entered_for(selectors.tournaments_for(actor), player)
    if not actor.results_off:
        shown = selectors.with_places(shown, policy.takes_part(player))
    entered = list(shown)
    context = player_context(request, actor, player)
    context |= {
        "rated": profile.ratings_of(actor, player),
        "tournaments": lines(actor, entered[:SHOWN]),
        "seasons": dict.fromkeys(each.season for each in entered if each.season),
    }
    return render(request, "league/player_detail.html", context)
