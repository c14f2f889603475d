"""Pages of the places that the games' stories tell of."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league import lore, selectors
from league.views import lines
from matches import selectors as logged
from matches.policy import actor_of
from matches.views_matches import listed

SHOWN = 12


@require_safe
def lore_list(request: HttpRequest) -> HttpResponse:
    """Show the map, the places, and the words that are used of them."""
    told = lore.lore()
    return render(request, "league/lore_list.html", {"places": told.places, "words": told.words})


@require_safe
def lore_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Tell of a place: its facts, its story, and what was played there."""
    place, actor = lore.place_for(slug), actor_of(request)
    venues = lore.venues_at(place)
    played = selectors.tournaments_for(actor).filter(venue__in=venues)[:SHOWN]
    matches = logged.matches_for(actor).filter(place__icontains=place.known_as or place.name)[
        :SHOWN
    ]
    context = {
        "place": place,
        "venues": venues,
        "lines": lines(actor, played),
        "matches": listed(actor, matches),
        "others": [each for each in lore.lore().places if each != place],
    }
    return render(request, "league/lore_detail.html", context)
