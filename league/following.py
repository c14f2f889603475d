"""Pages that update themselves: their live part has an ETag and is sent again when that changes."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from django.db.models import Count, prefetch_related_objects
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language

from league import desk_cuts, desks, policy
from league.models import WITHDRAWN, TableMatch, Tournament
from matches.actors import Actor
from matches.conditional import not_modified

PART = "live"


def tag_of(request: HttpRequest, actor: Actor, tournaments: Iterable[Tournament]) -> str:
    """Return the ETag of what an actor is shown of tournaments, revealing nothing hidden.

    A log only grows, so the version and audience of the actor's cut identify all that was recorded.
    Names, the dates of rounds and the number of matches are kept outside the log.
    """
    found = list(tournaments)
    prefetch_related_objects(found, "dates")
    if actor.results_off:
        policy.foresee(actor, found)
    played = TableMatch.objects.filter(tournament__in=found).order_by()
    rows = played.values_list("tournament").annotate(all=Count("pk"), gone=Count("pk", WITHDRAWN))
    counts = {pk: count for pk, *count in rows}
    desks.read_entries(found)
    seen = []
    for each in found:
        cut = desk_cuts.cut_for(actor, each)
        dates = [(d.round, d.pairs_at, d.weekly, d.deadline) for d in each.dates.all()]
        of_tables = counts.get(each.pk, [0, 0])
        names = sorted((str(entry.pk), entry.name) for entry in each.entries.all())
        shown = [each.title, names, of_tables, dates]
        seen.append([str(each.pk), cut.version, str(cut.audience), *shown])
    content = [seen, str(actor.player_id), request.GET.get("as", ""), get_language()]
    return f'"{hashlib.sha256(msgspec.json.encode(content)).hexdigest()[:32]}"'


def wants_part(request: HttpRequest) -> bool:
    """Return whether only the live part of a page is requested."""
    return request.GET.get("part") == PART


def answer(
    request: HttpRequest, page: str, part: str, tag: str, context: Callable[[], Mapping[str, Any]]
) -> HttpResponseBase:
    """Return a page, or only its live part with its ETag; 304 if that is asked for and unchanged.

    Then `context` is not computed.
    """
    if not wants_part(request):
        return render(request, page, context())
    if (same := not_modified(request, tag)) is not None:
        return same
    return _tagged(render(request, part, context()), tag)


def fresh(request: HttpRequest, part: str, context: Mapping[str, Any]) -> HttpResponseBase:
    """Return a small part of a page with an ETag of what it says; 304 if that is unchanged.

    For what moves more often than the log of the tournament, which `tag_of` stands for.
    """
    found = render(request, part, context)
    tag = f'"{hashlib.sha256(found.content).hexdigest()[:32]}"'
    return not_modified(request, tag) or _tagged(found, tag)


def _tagged(found: HttpResponse, tag: str) -> HttpResponse:
    found["ETag"] = tag
    patch_cache_control(found, private=True, no_cache=True)
    return found
