"""What is held back of a match from the public: results off, a delay, who may watch."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from matches import cuts, services
from matches.actors import actor_of
from matches.forms import CutForm, form_status, posted
from matches.views.seats import managed


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def match_cut(request: HttpRequest, code: str) -> HttpResponse:
    """Show what is held back of a match, and change it."""
    match = managed(request, code)
    log = match.log
    form = CutForm(posted(request), match)
    if form.is_valid():
        if changes := form.changes:
            services.change_cut(by=actor_of(request), match=match, **changes)
        messages.success(request, gettext("This is how everyone else sees the match from now on."))
        return redirect("matches:match-cut", match.code)
    context = {"match": match, "form": form, "shown": cuts.public_version(log)}
    return render(request, "matches/match_cut.html", context, status=form_status(request))
