"""Pages of several cards chosen from the catalogue: side by side, and on paper."""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from characters import comparing, printing, selectors
from characters.forms.cards import label_of
from characters.models import Card
from matches import canonical
from matches.actors import Actor, actor_of

MAX_CHOSEN = 90  # ten pages of pocket cards


def chosen_in(request: HttpRequest, actor: Actor) -> list[Card]:
    """Return the cards that a query chooses, without those the actor may not see."""
    found = map(canonical.uuid_from, request.GET.getlist("card")[:MAX_CHOSEN])
    pks = [pk for pk in found if pk is not None]
    return selectors.cards_chosen(actor, pks) if pks else []


@require_safe
def card_compare(request: HttpRequest) -> HttpResponse:
    """Show up to four cards side by side, and what each would do to each other one."""
    chosen = chosen_in(request, actor_of(request))
    compared, left_out = chosen[: comparing.LIMIT], chosen[comparing.LIMIT :]
    context = {
        "cards": compared,
        "left_out": left_out,
        "columns": [(card, _choosing(compared, without=card)) for card in compared],
        "lines": [
            (label_of(line.name), line.values, line.drawn) for line in comparing.lines_of(compared)
        ],
        "matchups": list(zip(compared, comparing.matchups_of(compared), strict=False)),
    }
    return render(request, "characters/card_compare.html", context)


def _choosing(cards: Sequence[Card], *, without: Card) -> str:
    """Return the query that chooses all of some cards but one."""
    return urlencode([("card", card.pk) for card in cards if card != without])


@require_safe
def card_print(request: HttpRequest) -> HttpResponse:
    """Show cards to cut out as pocket cards, nine on a page."""
    paper = printing.paper_of(request.GET.get("paper", "a4"))
    chosen = chosen_in(request, actor_of(request))
    context = {
        "cards": chosen,
        "pages": printing.pages_of(chosen),
        "paper": paper,
        "papers": printing.PAPERS,
    }
    return render(request, "characters/card_print.html", context)
