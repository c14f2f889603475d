"""The search page; with `part` its results only, for the search dialog."""

from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from league import search
from matches.actors import actor_of


@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    """Show what is found by `q`, kind by kind, or only one `kind`."""
    text = search.normalized(request.GET.get("q", ""))
    kind = request.GET.get("kind", "")
    kind = kind if kind in search.KINDS else ""
    hits = search.find(actor_of(request), text, kind)
    groups = [
        (search.KINDS[name], list(found)) for name, found in groupby(hits, lambda hit: hit.kind)
    ]
    context = {
        "q": text,
        "kind": kind,
        "kinds": search.KINDS,
        "groups": groups,
        "count": len(hits),
        "short": 0 < len(text) < search.LEAST,
        "least": search.LEAST,
    }
    template = "league/_found.html" if "part" in request.GET else "league/search.html"
    answer = render(request, template, context)
    patch_cache_control(answer, private=True, no_cache=True)
    patch_vary_headers(answer, ["Cookie"])
    return answer
