"""Pages that games add."""

import secrets

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

import rules
from matches.forms.questions import answered
from matches.panels import panels


@require_safe
def game_page(request: HttpRequest, key: str, page: str) -> HttpResponse:
    """Show a page that a game adds, made from the query alone.

    A button named `draw:<field>` asks for a random one of its values, which are separated by
    spaces; the result becomes part of the address.
    """
    try:
        ruleset = rules.get(key)
        question = ruleset.pages[page]
    except KeyError:
        raise Http404(f"{key} has no page {page}") from None
    if any(name.startswith("draw:") for name in request.GET):
        return redirect(f"{request.path}?{_drawn(request)}")
    context = answered(question, dict(request.GET.lists()))
    context |= {
        "game": ruleset,
        "page_url": request.build_absolute_uri(),
        "panels": panels("GAME_PANELS", request, ruleset, context),
    }
    status = 400 if context.get("errors") else 200
    return render(request, f"rules/{ruleset.key}/{page}.html", context, status=status)


def _drawn(request: HttpRequest) -> str:
    """Return the query with every requested draw made."""
    query = {name: values for name, values in request.GET.lists() if values != [""]}
    for name in [name for name in query if name.startswith("draw:")]:
        values = query.pop(name)[-1].split()
        if values:
            query[name.removeprefix("draw:")] = [secrets.choice(values)]
    return urlencode(query, doseq=True)
