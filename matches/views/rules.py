"""The rulebooks: the text of each clause that is cited anywhere."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext
from django.views.decorators.http import conditional_page, require_safe

import rules
from matches.errors import NotFound
from rules import clauses


@require_safe
@conditional_page
def rulebook_list(request: HttpRequest) -> HttpResponse:
    """Show the games that have a rulebook."""
    return _rulebook(request, "")


@require_safe
@conditional_page
def rulebook(request: HttpRequest, key: str) -> HttpResponse:
    """Show the clauses of a game, chapter by chapter. Raises: NotFound."""
    if key not in clauses.GAMES:
        raise NotFound(gettext("There is no rulebook of {key}.").format(key=key[:40]), "no-rules")
    return _rulebook(request, key)


def _rulebook(request: HttpRequest, key: str) -> HttpResponse:
    games = [rules.get(each) for each in clauses.GAMES]
    context = {
        "games": games,
        "game": next((each for each in games if each.key == key), None),
        "chapters": clauses.chapters_of(key),
    }
    answer = render(request, "matches/rulebook.html", context)
    patch_cache_control(answer, private=True, no_cache=True)
    return answer
