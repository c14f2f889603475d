"""Pages of the books: the ledger of a character, offers, and the life of an item."""

from collections.abc import Collection
from operator import itemgetter
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters import (
    audit,
    career,
    ledger,
    loadouts,
    policy,
    selectors,
    services,
    shown,
    telling,
)
from characters.forms.books import (
    BooksFilter,
    CoverForm,
    OfferForm,
    RecordForm,
)
from characters.models import Character
from characters.policy import Eyes
from characters.views.edit import owned
from matches.actors import actor_of
from matches.errors import BadInput
from matches.forms import form_status, posted, refusals_in
from matches.pages import results_off

A_PAGE = 50
FEW = 20  # of one's own offers, and of those one dealt with


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ledger_list(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a character's books as far as visible, and enter what happened."""
    actor = actor_of(request)
    character = selectors.character_for(actor, pk)
    keeps = policy.may_record(actor, character)
    if request.method == "POST":
        policy.require_record(actor, character)
    eyes = policy.eyes_of(actor, character)
    if eyes.results_off:
        return results_off(request)
    parts = shown.parts_of(character, eyes)
    held = shown.items_known(character, parts) if keeps else []
    form = RecordForm(held, posted(request), initial={"kind": request.GET.get("new", "")})
    if form.is_valid():
        with refusals_in(form):
            act_id = form.cleaned_data["act_id"] or uuid4()
            services.record(by=actor, character=character, act_id=act_id, what=form.recording())
            messages.success(request, gettext("Entered."))
            return redirect("characters:ledger-list", character.pk)
    context = {"balance": shown.balance_of(character, parts), "form": form if keeps else None}
    return _ledger(request, character, eyes, parts, context)


def _ledger(
    request: HttpRequest,
    character: Character,
    eyes: Eyes,
    parts: Collection[str],
    context: dict[str, Any],
) -> HttpResponse:
    narrowed = BooksFilter(request.GET)
    acts = telling.acts_of(character, eyes, narrowed.wanted(), parts)
    met = dict.fromkeys(line.party for act in acts for line in act.lines if line.party)
    context |= {
        "character": character,
        "parties": [*met][:FEW],
        "page": Paginator(acts, A_PAGE).get_page(request.GET.get("page")),
        "filter": narrowed,
        "keeps": context["form"] is not None,
        "flaws": audit.flaws_of(character) if eyes.own else None,
    }
    status = form_status(request)
    return render(request, "characters/ledger_list.html", context, status=status)


@require_POST
def entry_undo(request: HttpRequest, pk: UUID, entry: int) -> HttpResponse:
    """Undo an act of the books by counter-entries."""
    actor = actor_of(request)
    character = selectors.character_for(actor, pk)
    policy.require_record(actor, character)
    services.correct(by=actor, entry=selectors.entry_of(character, entry), act_id=uuid4())
    messages.success(request, gettext("Undone by a counter-entry. Nothing was removed."))
    return redirect("characters:ledger-list", character.pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entry_cover(request: HttpRequest, pk: UUID, entry: int) -> HttpResponse:
    """Write a cover story of how an item came, for those who do not know the true one."""
    character, actor = owned(request, pk), actor_of(request)
    found = selectors.entry_of(character, entry)
    form = CoverForm(posted(request))
    if form.is_valid():
        with refusals_in(form):
            services.cover(
                by=actor,
                entry=found,
                act_id=form.cleaned_data["act_id"] or uuid4(),
                method=form.cleaned_data["method"],
                circumstances=form.circumstances(),
            )
            messages.success(request, gettext("That is what they are told."))
            return redirect("characters:item-detail", found.item.serial if found.item else "")
    context = {
        "character": character,
        "form": form,
        "entry": found,
        "sentence": telling.sentence(found, character),
    }
    return render(request, "characters/entry_cover.html", context, status=form_status(request))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def offer_list(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the offers to a character and by it, and make an offer."""
    character, actor = owned(request, pk), actor_of(request)
    others = selectors.characters_for(actor).exclude(pk=character.pk).exclude(owner__user=None)
    items, begun = ledger.items_of(character), OfferForm.begun(request.GET, others)
    form = OfferForm(others, items, posted(request), initial=begun)
    if form.is_valid():
        to = form.cleaned_data["to"]
        with refusals_in(form):
            arguments = {"what": form.offer(), "act_id": form.cleaned_data["act_id"]}
            services.offer(by=actor, character=character, to=to, **arguments)
            messages.success(
                request,
                gettext("Offered to {name}. It happens when they take it.").format(name=to.name),
            )
            return redirect("characters:offer-list", character.pk)
    waiting = Paginator(selectors.offers_to(character), A_PAGE)
    context = {
        "character": character,
        "form": form,
        "page": waiting.get_page(request.GET.get("page")),
        "offers": selectors.offers_by(character)[:FEW],
    }
    return render(request, "characters/offer_list.html", context, status=form_status(request))


@require_POST
def offer_answer(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Accept or decline an offer, or withdraw one's own."""
    actor = actor_of(request)
    trade = selectors.trade_for(actor, pk)
    mine = trade.to if policy.may_answer(actor, trade) else trade.by
    match request.POST.get("answer"):
        case "accept":
            services.accept(by=actor, trade=trade)
            messages.success(request, gettext("Done: it has changed hands."))
        case "decline":
            services.decline(by=actor, trade=trade)
            messages.success(request, gettext("The offer is off."))
        case _:
            raise BadInput("unknown-value", gettext("An offer is accepted or declined."), "answer")
    return redirect("characters:offer-list", mine.pk)


@never_cache
@require_safe
def item_detail(request: HttpRequest, serial: str) -> HttpResponse:
    """Show the whole life of an item, from first line to last, as far as visible."""
    actor = actor_of(request)
    life = telling.life_of(actor, serial)
    own = life.holder is not None and policy.may_edit(actor, life.holder)
    if actor.results_off and not own:
        return results_off(request)
    hands = career.hands_of(actor, life.item)
    outings = career.outings_with(actor, life.item, hands)
    whole = len(outings) < career.LIMIT
    context = {
        "life": life,
        "card": loadouts.printed(actor, life.item),
        "lines": _lines(life, outings),
        "record": career.record_from(outings)
        if whole
        else career.record_of_item(actor, life.item, hands),
        "own_item": own,
        "askers": selectors.own_of(actor) if _may_answer(life) and not own else [],
    }
    return render(request, "characters/item_detail.html", context)


def _may_answer(life: telling.Life) -> bool:
    """Tell whether the holder of an item has a player who could answer an offer."""
    return life.holder is not None and life.holder.owner.user_id is not None


def _lines(life: telling.Life, outings: list[career.Outing]) -> list[dict[str, Any]]:
    """Return the chapters of an item's life and its matches as one story, oldest first."""
    lines: list[dict[str, Any]] = [
        {"at": chapter.entry.recorded_at, "chapter": chapter} for chapter in life.chapters
    ]
    lines += [{"at": outing.fielded_at, "outing": outing} for outing in outings]
    return sorted(lines, key=itemgetter("at"))
