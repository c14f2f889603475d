"""A character's matches, and the questions after one."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from characters import aftermath, career, policy, selectors, services
from matches.actors import actor_of
from matches.errors import BadInput, Refused
from matches.pages import next_page, results_off, uuid_in
from matches.panels import panels

A_PAGE = 30


@never_cache
@require_safe
def career_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a character's matches as far as visible, and their sum."""
    actor = actor_of(request)
    character = selectors.character_for(actor, pk)
    if policy.eyes_of(actor, character).results_off:
        return results_off(request)
    record = career.record_of(actor, character)
    pages = Paginator(career.appearances(actor, character=character), A_PAGE)
    pages.count = record.matches
    page = pages.get_page(request.GET.get("page"))
    context = {
        "character": character,
        "page": page,
        "outings": career.outings(actor, list(page)),
        "record": record,
        "prompts": aftermath.prompts_of(actor, character),
        "own": policy.may_edit(actor, character),
        "panels": panels("RECORD_PANELS", request, character),
    }
    return render(request, "characters/career_detail.html", context)


@require_POST
def prompt_answer(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Answer a question after a match or put it aside, then return to the page it was asked on."""
    actor = actor_of(request)
    character = selectors.character_for(actor, pk)
    policy.require_record(actor, character)
    do = request.POST.get("do")
    if do not in ("take", "leave"):
        raise BadInput("unknown-value", gettext("A question is taken or put aside."), "do")
    appearance, roll = uuid_in(request, "appearance"), _roll(request)
    try:
        services.answer(
            by=actor,
            character=character,
            appearance=appearance,
            kind=request.POST.get("kind", ""),
            item=request.POST.get("item", ""),
            take=do == "take",
            roll=roll,
        )
    except Refused as refused:
        messages.error(request, refused.detail)
    else:
        messages.success(
            request, gettext("Done.") if do == "take" else gettext("Put aside; it is still there.")
        )
    return redirect(next_page(request) or character.get_absolute_url())


def _roll(request: HttpRequest) -> int | None:
    value = request.POST.get("roll", "")
    if value not in ("", *"123456"):
        raise BadInput("unknown-value", gettext("A die shows 1 to 6."), "roll")
    return int(value) if value else None
