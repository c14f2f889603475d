"""Pages of matches that know tournaments too: the list, and where short codes are typed."""

from contextlib import suppress

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from league import selectors
from league.forms.matches import PlayedAtFilter
from matches.actors import actor_of
from matches.errors import NotFound
from matches.forms import JoinForm
from matches.views import join as seats
from matches.views import matches


@require_safe
def join(request: HttpRequest) -> HttpResponse:
    """Ask for a short code, and go to its tournament or match."""
    form = JoinForm(request.GET)
    if form.is_valid():
        with suppress(NotFound):
            return redirect(selectors.tournament_for(actor_of(request), form.cleaned_data["code"]))
    return seats.join(request)


@require_safe
def match_list(request: HttpRequest) -> HttpResponse:
    """List the matches one may see, newest first, narrowed by the filters."""
    return matches.match_list(request, PlayedAtFilter)
