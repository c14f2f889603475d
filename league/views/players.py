"""A player's page, with leagues and tournaments, and two players compared."""

from uuid import UUID

from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from characters import career
from characters.selectors import characters_for
from league import policy, profile, search, versus
from league.views.leagues import lines
from matches.actors import actor_of
from matches.models import Player
from matches.views.matches import player_context, versus_context

SHOWN = 6


@require_safe
def player_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a player: ratings and their history, form, rivals, record, tournaments, matches."""
    actor = actor_of(request)
    theirs = Exists(characters_for(actor).filter(owner=OuterRef("pk")))
    known = Player.objects.select_related("claimed_by").annotate(has_characters=theirs)
    player = get_object_or_404(career.with_favourites(actor, known), pk=pk)
    policy.require_met(actor, player)
    if player.claimed_by is not None:
        return redirect(player.claimed_by)
    entered = list(profile.entered_by(actor, player))
    context = player_context(request, actor, player)
    context |= {
        "characters": career.favourites(player.characters_json),
        "cards": career.favourites(player.cards_json),
        "rated": profile.ratings_of(actor, player),
        "trophies": profile.trophies_among(entered),
        "tournaments": lines(actor, entered[:SHOWN]),
        "seasons": dict.fromkeys(each.season for each in entered if each.season),
    }
    return render(request, "league/player_detail.html", context)


@require_safe
def player_compare(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Find whom to compare a player with by `q`, a part of their name."""
    actor = actor_of(request)
    asked = get_object_or_404(Player.objects.select_related("claimed_by"), pk=pk)
    policy.require_met(actor, asked)
    player = asked.claimed_by or asked
    text = search.normalized(request.GET.get("q", ""))
    found = [hit for hit in search.find(actor, text, "player") if hit.id != str(player.pk)]
    if len(found) == 1:
        return redirect("league:player-versus", player.pk, found[0].id)
    short = 0 < len(text) < search.LEAST
    context = {"player": player, "q": text, "found": found, "short": short, "least": search.LEAST}
    return render(request, "league/player_compare.html", context)


@require_safe
def player_versus(request: HttpRequest, pk: UUID, other: UUID) -> HttpResponse:
    """Show two players side by side: their matches, ratings and tournaments; wins are of `pk`."""
    actor = actor_of(request)
    pair = versus.pair_for(actor, pk, other)
    if [each.pk for each in pair] != [pk, other]:
        return redirect("league:player-versus", *(each.pk for each in pair))
    context = versus_context(request, actor, *pair)
    context |= {
        "player": pair[0],
        "other": pair[1],
        "rated": versus.ratings_of(actor, *pair),
        "tournaments": versus.tournaments_of(actor, *pair),
        "shared": versus.SHARED,
    }
    return render(request, "league/player_versus.html", context)
