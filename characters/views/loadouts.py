"""Pages of loadouts, and of new matches that field them."""

from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters import loadouts, policy, selectors, services, telling
from characters.forms.loadouts import (
    CardOfItemForm,
    FieldForm,
    LoadoutForm,
    draft_of,
)
from characters.loadouts import EvaluatedLoadout
from characters.models import Character, Loadout
from characters.views.edit import owned
from matches.actors import actor_of
from matches.errors import NotAllowed
from matches.forms import form_status, posted, refusals_in, taken
from matches.pages import HtmxRequest, next_page
from matches.views.opening import opening


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def match_open(request: HttpRequest) -> HttpResponse:
    """Open a match; the cards of a seat may be a character's loadout (`?loadout=`)."""
    make_form = partial(FieldForm, wanted=request.GET.get("loadout", ""))
    return opening(request, make_form, services.open_match)


@never_cache
@require_safe
def loadout_list(request: HttpRequest, pk: UUID) -> HttpResponse:
    """List the loadouts of a character that the reader may field."""
    actor = actor_of(request)
    character = selectors.character_for(actor, pk)
    found = loadouts.loadouts_of(actor, character)
    context = {
        "character": character,
        "loadouts": loadouts.evaluate_all_for(actor, character, found),
        "own": policy.may_edit(actor, character),
    }
    return render(request, "characters/loadout_list.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def loadout_create(request: HtmxRequest, pk: UUID) -> HttpResponse:
    """Pick gear for a new loadout."""
    character = owned(request, pk)
    form = LoadoutForm(posted(request), character=character, draft=_draft_in(request))
    return _picking(request, form, character, None)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def loadout_detail(request: HtmxRequest, pk: UUID) -> HttpResponse:
    """Show a loadout; its owner may change it."""
    actor = actor_of(request)
    loadout = loadouts.loadout_for(actor, pk)
    if not policy.may_edit(actor, loadout.character):
        if request.method == "POST":
            raise NotAllowed("not-allowed", gettext("Only its owner changes a character."))
        context = {"told": loadouts.evaluate_for(actor, loadout), "character": loadout.character}
        return render(request, "characters/loadout_detail.html", context)
    draft = _draft_in(request)
    form = LoadoutForm(posted(request), character=loadout.character, loadout=loadout, draft=draft)
    return _picking(request, form, loadout.character, loadout)


def _draft_in(request: HttpRequest) -> QueryDict | None:
    """Return what was entered before the form was left for the card of a piece."""
    return request.GET if "draft" in request.GET else None


def _picking(
    request: HtmxRequest, form: LoadoutForm, character: Character, loadout: Loadout | None
) -> HttpResponse:
    """Handle the form of a loadout: keep or `check` it, or go and ask which card a piece is."""
    by = actor_of(request)
    asked = form.gear.get(request.POST.get("card_of", ""))
    if asked and "items" not in form.errors:  # more would not fit into an address
        back = f"{request.path}?{draft_of(request.POST)}"
        page = reverse("characters:item-card", args=[asked.serial])
        return redirect(f"{page}?{urlencode({'next': back})}")
    evaluated = loadouts.evaluate(loadout) if loadout else None
    checked = False
    if form.is_valid():
        with refusals_in(form):
            if "check" in request.POST:
                evaluated, checked = _drafted(form, character), True
            else:
                kept = _keep(request, form, character, loadout)
                messages.success(request, gettext("{kept} is kept.").format(kept=kept))
                return redirect("characters:loadout-detail", kept.pk)
    context: dict[str, Any] = {
        "form": form,
        "character": character,
        "loadout": loadout,
        "told": evaluated,
        "own": policy.may_edit(by, character),
        "checked": checked,
    }
    if request.htmx and checked:
        return render(request, "characters/_loadout_sum.html", context)
    status = 200 if checked else form_status(request)
    return render(request, "characters/loadout_edit.html", context, status=status)


def _drafted(form: LoadoutForm, character: Character) -> EvaluatedLoadout:
    cleaned = form.cleaned_data
    return loadouts.draft(character, cleaned["items"], cleaned["game_class"], cleaned["with_modes"])


def _keep(
    request: HttpRequest, form: LoadoutForm, character: Character, loadout: Loadout | None
) -> Loadout:
    by = actor_of(request)
    if loadout is None:
        return services.make_loadout(by=by, character=character, **form.cleaned_data)
    return services.change_loadout(by=by, loadout=loadout, **form.cleaned_data)


@require_POST
def loadout_remove(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Remove a loadout. Matches it was fielded in are not affected."""
    actor = actor_of(request)
    loadout = loadouts.loadout_for(actor, pk)
    services.remove_loadout(by=actor, loadout=loadout)
    messages.success(
        request,
        gettext("{loadout} is removed. Matches keep what was fielded.").format(loadout=loadout),
    )
    return redirect("characters:loadout-list", loadout.character_id)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def item_card(request: HttpRequest, serial: str) -> HttpResponse:
    """Set which card of the catalogue a piece is."""
    actor = actor_of(request)
    life = telling.life_of(actor, serial)
    if life.holder is None or not policy.may_edit(actor, life.holder):
        raise NotAllowed(
            "not-allowed",
            gettext("Only the owner of the character that holds it can say which card it is."),
        )
    fitting = loadouts.cards_like(policy.visible_cards(actor), life.item)
    form = CardOfItemForm(posted(request), cards=fitting, item=life.item)
    back = next_page(request) or reverse("characters:item-detail", args=[life.item.serial])
    if request.method == "POST" and "card" not in request.POST:
        form.add_error("card", gettext("Choose a card, or none."))
    if taken(form, services.print_as, by=actor, item=life.item):
        messages.success(request, gettext("Kept."))
        return redirect(back)
    context = {
        "form": form,
        "item": life.item,
        "back": back,
        "character": life.holder,
        "face": life.item.card.data if life.item.card else {},
    }
    return render(request, "characters/item_card.html", context, status=form_status(request))
