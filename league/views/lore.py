"""Pages of places in the games' stories."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league import chronicle, lore, policy, services
from league.forms.places import PlaceTextForm
from league.views.leagues import lines
from matches.actors import Actor, actor_of
from matches.forms import form_status, posted, refusals_in
from matches.views.matches import listed


@require_safe
def lore_list(request: HttpRequest) -> HttpResponse:
    """Show the map, the places, and the words used for them."""
    shipped = lore.lore()
    return render(
        request, "league/lore_list.html", {"places": shipped.places, "words": shipped.words}
    )


@require_safe
def lore_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a place: its facts, its story, and what happened there."""
    place, actor = lore.place_for(slug), actor_of(request)
    added = list(chronicle.texts_for(actor, place.slug))
    venues = lore.venues_at(place)
    context = {
        "place": place,
        "venues": venues,
        "added": [each for each in added if not each.when],
        "story": chronicle.story_of(place, added),
        "happened": _drawn(actor, chronicle.happened_at(actor, place, venues, added)),
        "may_write": policy.may_write(actor),
        "mine": {each.pk for each in added if policy.may_run(actor, each.league)},
        "others": [each for each in lore.lore().places if each != place],
    }
    return render(request, "league/lore_detail.html", context)


def _drawn(actor: Actor, happened: list[chronicle.Happened]) -> list[tuple[str, Any]]:
    """Return what happened, each with the data of its line in the list."""
    played = [each.what for each in happened if each.kind == "tournament"]
    matches = [each.what for each in happened if each.kind == "match"]
    drawn = {"tournament": iter(lines(actor, played)), "match": iter(listed(actor, matches))}
    return [
        (each.kind, next(drawn[each.kind]) if each.kind in drawn else each.what)
        for each in happened
    ]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def lore_write(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a text to a place, in the name of a league."""
    place, actor = lore.place_for(slug), actor_of(request)
    policy.require_write(actor)
    form = PlaceTextForm(posted(request), by=actor)
    if form.is_valid():
        with refusals_in(form):
            made = services.write_text(by=actor, place=place.slug, **form.cleaned_data)
            messages.success(request, gettext("It is kept."))
            return redirect(made)
    context = {"place": place, "form": form}
    return render(request, "league/lore_edit.html", context, status=form_status(request))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def lore_edit(request: HttpRequest, slug: str, pk: UUID) -> HttpResponse:
    """Edit a text about a place; if two do so at once, show both versions and overwrite neither."""
    place, actor = lore.place_for(slug), actor_of(request)
    found = chronicle.text_for(actor, place.slug, pk)
    policy.require_run(actor, found.league)
    form, clash, status = PlaceTextForm(posted(request), of=found), None, form_status(request)
    if form.is_valid():
        gone = request.POST.get("do") == "remove"
        with refusals_in(form):
            try:
                kept = services.edit_text(by=actor, of=found, is_removed=gone, **form.cleaned_data)
            except chronicle.EditClash as error:
                clash, status = error, error.status
                form = form.over(error.kept)
            else:
                messages.success(
                    request, gettext("It is taken away.") if gone else gettext("It is kept.")
                )
                return redirect(place if gone else kept)
    context = {
        "place": place,
        "form": form,
        "text": found,
        "clash": clash,
        "versions": chronicle.versions_of(actor, found),
    }
    return render(request, "league/lore_edit.html", context, status=status)
