"""A character's diary: favours and grudges, and those others have shared with it."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from characters import policy, selectors, services, shown
from characters.forms.books import FavourForm
from characters.views.edit import owned
from matches.actors import actor_of
from matches.errors import BadInput, NotFound
from matches.forms import form_status, posted, taken


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def favour_list(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show favours and grudges of one's own character, and enter one."""
    character, actor = owned(request, pk), actor_of(request)
    others = selectors.characters_for(actor).exclude(pk=character.pk)
    form = FavourForm(others, posted(request))
    if taken(form, services.add_favour, by=actor, character=character):
        messages.success(request, gettext("It is in the diary."))
        return redirect("characters:favour-list", character.pk)
    found = shown.favours_of(character, policy.eyes_of(actor, character))
    favours = found.select_related("about", "holder")
    context = {
        "character": character,
        "form": form,
        "own": [favour for favour in favours if favour.holder_id == character.pk],
        "told": [favour for favour in favours if favour.holder_id != character.pk],
    }
    return render(request, "characters/favour_list.html", context, status=form_status(request))


@require_POST
def favour_change(request: HttpRequest, pk: UUID, favour: UUID) -> HttpResponse:
    """Settle or reopen an entry, or change whether the other side knows of it."""
    character, by = owned(request, pk), actor_of(request)
    found = selectors.favour_for(by, favour)
    if found.holder_id != character.pk:
        raise NotFound(gettext("There is no such favour."), "no-such-favour")
    match request.POST.get("do"):
        case "settle":
            services.edit_favour(by=by, favour=found, settled=found.settled_at is None)
        case "tell":
            services.edit_favour(by=by, favour=found, told=not found.told)
        case _:
            raise BadInput("unknown-value", gettext("An entry is settled or told."), "do")
    return redirect("characters:favour-list", character.pk)
