"""Pages of moves and campaigns: giving a character away, joining, and a campaign's settings."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from characters import campaigns, market, moving, policy, selectors
from characters.fallen import fallen, losses_in
from characters.forms.campaigns import (
    ChangeCampaignForm,
    JoinCampaignForm,
    MoveForm,
    NewCampaignForm,
)
from characters.models import Campaign, Character, Move
from characters.views.edit import owned
from matches.actors import Actor, actor_of
from matches.errors import BadInput, NotAllowed, Refused
from matches.forms import form_status, posted, refusals_in, refuse, taken

A_PAGE = 30
FEW = 20  # moves of one character, losses of one campaign


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def move_list(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Offer one's own character to a player or a campaign, or take it out of one."""
    character, by = owned(request, pk), actor_of(request)
    sent, do = posted(request), request.POST.get("do", "")
    others = selectors.campaigns().exclude(characters=character)
    give = MoveForm(sent if do == "give" else None)
    asked = {"campaign": request.GET.get("campaign")}
    join = JoinCampaignForm(others, sent if do == "join" else None, initial=asked)
    form: MoveForm | JoinCampaignForm = join if do == "join" else give
    try:
        if message := _move(by, character, do, give, join):
            messages.success(request, message)
            return redirect("characters:move-list", pk)
    except Refused as refused:
        if not form.is_bound:
            raise
        refuse(form, refused)
    context = {
        "character": character,
        "give": give,
        "join": join,
        "form": form,
        "moves": selectors.moves_of(character)[:FEW],
    }
    return render(request, "characters/move_list.html", context, status=form_status(request))


def _move(by: Actor, character: Character, do: str, give: MoveForm, join: JoinCampaignForm) -> str:
    """Do what a form of the page asks and return what was done, "" for an invalid form or none.

    Raises: Refused.
    """
    match do:
        case "give" if give.is_valid():
            to = give.cleaned_data["to"]
            moving.offer_to(by=by, character=character, to=to)
            return gettext("Offered to {name}, who can now answer.").format(name=to.name)
        case "join" if join.is_valid():
            campaign = join.cleaned_data["campaign"]
            move = moving.ask_to_join(by=by, character=character, campaign=campaign)
            if move.status == Move.Status.ACCEPTED:
                return gettext("It is in {name}.").format(name=campaign.name)
            return gettext("Asked {name}.").format(name=campaign.name)
        case "leave":
            moving.leave(by=by, character=character)
            return gettext("It is in no campaign now.")
        case "give" | "join" | "":
            return ""
    raise BadInput("unknown-value", gettext("A character is given, joins or leaves."), "do")


@require_POST
def move_answer(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Accept or decline a character, or withdraw one's own offer."""
    actor = actor_of(request)
    move = selectors.move_for(actor, pk)
    mine = policy.is_owner(actor, move.character)
    match request.POST.get("answer"):
        case "accept":
            moving.accept(by=actor, move=move)
            messages.success(
                request, gettext("{name} is accepted.").format(name=move.character.name)
            )
            if move.to_id:
                return redirect(move.character)
        case "decline":
            moving.decline(by=actor, move=move)
            messages.success(request, gettext("The offer is off."))
        case _:
            raise BadInput("unknown-value", gettext("An offer is accepted or declined."), "answer")
    if mine:
        return redirect("characters:move-list", move.character_id)
    if move.campaign_id:
        return redirect("characters:campaign-detail", move.campaign_id)
    return redirect("characters:character-list")


# -- campaigns --------------------------------------------------------------------------------


@require_safe
def campaign_list(request: HttpRequest) -> HttpResponse:
    """List all campaigns."""
    page = Paginator(selectors.campaigns(), A_PAGE).get_page(request.GET.get("page"))
    return render(request, "characters/campaign_list.html", {"page": page})


@never_cache
@require_safe
def campaign_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a campaign, its visible characters, and who asks to join."""
    actor = actor_of(request)
    campaign = selectors.campaign_for(pk)
    runs = policy.may_run(actor, campaign)
    characters = selectors.characters_for(actor).filter(campaign=campaign)
    context = {
        "campaign": campaign,
        "runs": runs,
        "page": Paginator(characters, A_PAGE).get_page(request.GET.get("page")),
        "joiners": [one for one in selectors.own_of(actor) if not one.campaign_id],
        "asking": selectors.moves_into(campaign)[:A_PAGE] if runs else [],
        "fallen": [] if actor.results_off else [*map(fallen, losses_in(actor, campaign)[:FEW])],
    }
    return render(request, "characters/campaign_detail.html", context)


@never_cache
@require_safe
def campaign_prices(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what gear of a campaign was bought and sold for, and how much money there is."""
    campaign, actor = selectors.campaign_for(pk), actor_of(request)
    sales = market.sales_in(actor, campaign)
    page = Paginator(sales, A_PAGE).get_page(request.GET.get("page"))
    context = {
        "campaign": campaign,
        "page": page,
        "sales": [market.sale(entry) for entry in page],
        "prices": market.prices(sales, A_PAGE),
        "supply": None if actor.results_off else market.supply_in(actor, campaign),
    }
    return render(request, "characters/campaign_prices.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_create(request: HttpRequest) -> HttpResponse:
    """Create a campaign of one's own."""
    form = NewCampaignForm(posted(request), initial={"after_slag": "whole", "repair_price": 10})
    if form.is_valid():
        cleaned, by = dict(form.cleaned_data), actor_of(request)
        with refusals_in(form), transaction.atomic():
            act_id = cleaned.pop("act_id")
            campaign = campaigns.create(by=by, name=cleaned["name"], act_id=act_id)
            campaigns.change(by=by, campaign=campaign, **cleaned)
            return redirect("characters:campaign-detail", campaign.pk)
    context = {"form": form}
    return render(request, "characters/campaign_edit.html", context, status=form_status(request))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Change a campaign's settings, or remove a character from it."""
    actor = actor_of(request)
    campaign = selectors.campaign_for(pk)
    if not policy.may_run(actor, campaign):
        raise NotAllowed("not-allowed", gettext("Only the officials of a campaign change it."))
    form = ChangeCampaignForm(campaign, posted(request), initial=_initial(campaign))
    if not policy.may_name_officials(actor, campaign):
        del form.fields["officials"], form.fields["owner"]
    if taken(form, campaigns.change, by=actor, campaign=campaign):
        messages.success(request, gettext("Kept."))
        return redirect("characters:campaign-detail", campaign.pk)
    context = {"form": form, "campaign": campaign}
    return render(request, "characters/campaign_edit.html", context, status=form_status(request))


def _initial(campaign: Campaign) -> dict[str, Any]:
    users = (one.user for one in campaign.officials.select_related("user"))
    return {
        "name": campaign.name,
        "after_slag": campaign.after_slag,
        "repair_price": campaign.repair_price,
        "officials": ", ".join(user.get_username() for user in users if user),
    }
