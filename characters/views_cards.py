"""Pages of the catalogue: finding a card, and the card itself."""

from uuid import UUID

import msgspec
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from characters import selectors
from characters.forms import CardFilter
from matches.policy import actor_of

A_PAGE = 30


@require_safe
def card_list(request: HttpRequest) -> HttpResponse:
    """List the cards one may see, by plain filters that stand in the URL."""
    form = CardFilter(request.GET or None)
    form.is_valid()
    wanted = form.cleaned_data if form.is_bound else {}
    found = selectors.cards_for(
        actor_of(request),
        wanted.get("q", ""),
        slot=wanted.get("slot", ""),
        colour=wanted.get("colour", ""),
        quality=wanted.get("quality", ""),
    )
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    shown = [(card, msgspec.json.decode(card.face)) for card in page]
    context = {"page": page, "cards": shown, "form": form}
    return render(request, "characters/card_list.html", context)


@require_safe
def card_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a card: both ends, drawn and in words, and all that is printed on it."""
    card = selectors.card_for(actor_of(request), pk)
    context = {"card": card, "face": msgspec.json.decode(card.face)}
    return render(request, "characters/card_detail.html", context)
