"""A character on paper: a one-page sheet, pocket cards, a piece's tag; and its portrait."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    condition,
    require_http_methods,
    require_safe,
)

from characters import loadouts, policy, portraits, printing, selectors, shown, telling
from characters.forms.sheets import PortraitForm
from characters.models import Portrait
from characters.views.characters import eyes_asked, looks_of
from characters.views.edit import owned
from matches.actors import actor_of
from matches.errors import NotFound
from matches.forms import form_status, posted, posted_files, refusals_in
from matches.pages import results_off
from matches.views.seats import qr


@never_cache
@require_safe
def character_print(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the visible sheet as one page of paper, optionally in the view of `?as=`."""
    return _printed(request, pk, "character_print.html")


@never_cache
@require_safe
def character_pocket(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a character and its gear as pocket cards, nine on a page."""
    return _printed(request, pk, "character_pocket.html")


def _printed(request: HttpRequest, pk: UUID, template: str) -> HttpResponse:
    actor = actor_of(request)
    character = selectors.character_for(actor, pk)
    paper = printing.paper_of(request.GET.get("paper", "a4"))
    eyes = eyes_asked(request, character)
    if not policy.knows_character(eyes, character):
        return render(request, "characters/character_unknown.html", {"character": character})
    sheet = shown.sheet_of(character, eyes)
    link = request.build_absolute_uri(character.get_absolute_url())
    context = {
        "character": character,
        "print": printing.page_of(sheet),
        "pages": printing.pocket_pages(sheet),
        "sheet": sheet,
        "portrait": portraits.portrait_for(character, eyes),
        "paper": paper,
        "today": timezone.localdate(),
        "papers": printing.PAPERS,
        "as": request.GET.get("as", ""),
        "looks": looks_of(policy.eyes_of(actor, character)),
        "link": link,
        "qr": qr(link, gettext("QR code of the public sheet")),
    }
    return render(request, f"characters/{template}", context)


@never_cache
@require_safe
def item_tag(request: HttpRequest, serial: str) -> HttpResponse:
    """Show an item as a tag to cut out: it names as its holder whom everybody may know as such."""
    actor = actor_of(request)
    paper = printing.paper_of(request.GET.get("paper", "a4"))
    life = telling.life_of(actor, serial)
    own = life.holder is not None and policy.may_edit(actor, life.holder)
    if actor.results_off and not own:
        return results_off(request)
    item = life.item
    link = request.build_absolute_uri(reverse("characters:item-detail", args=[item.serial]))
    context = {
        "item": item,
        "holder": life.holder,
        "public": telling.public_life_of(item.serial),
        "card": loadouts.printed(actor, item),
        "paper": paper,
        "papers": printing.PAPERS,
        "qr": qr(link, gettext("QR code of the page of this piece")),
    }
    return render(request, "characters/item_tag.html", context)


def _digest(request: HttpRequest, pk: UUID) -> str | None:
    actor = actor_of(request)
    character = selectors.character_for(actor, pk)
    portrait = portraits.portrait_for(character, policy.eyes_of(actor, character))
    return f'"{portrait.digest}"' if portrait else None


@require_safe
@condition(etag_func=_digest)
def character_portrait(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Serve a character's portrait to those who may see it."""
    actor = actor_of(request)
    character = selectors.character_for(actor, pk)
    portrait = portraits.portrait_for(character, policy.eyes_of(actor, character))
    if portrait is None:
        raise NotFound(gettext("There is no portrait."), "no-portrait")
    image = Portrait.objects.values_list("image", flat=True).get(pk=portrait.pk)
    headers = {"Cache-Control": "private, no-cache"}
    return HttpResponse(bytes(image), content_type="image/jpeg", headers=headers)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def portrait_edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Set a character's portrait, change who may see it, or remove it."""
    character, by = owned(request, pk), actor_of(request)
    portrait = Portrait.objects.defer("image").filter(character=character).first()
    initial = {"audience": portrait.audience} if portrait else {}
    form = PortraitForm(posted(request), posted_files(request), initial=initial)
    if form.is_valid():
        cleaned = form.cleaned_data
        with refusals_in(form):
            if cleaned["remove"]:
                portraits.remove(by=by, character=character)
            else:
                data = cleaned["image"].read() if cleaned["image"] else None
                portraits.put(by=by, character=character, data=data, audience=cleaned["audience"])
            messages.success(request, gettext("Kept."))
            return redirect(character)
    context = {"character": character, "form": form, "portrait": portrait}
    return render(request, "characters/portrait_edit.html", context, status=form_status(request))
