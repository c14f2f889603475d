"""Coming to a table: by a seat's signed link or its QR, or with a match's short code."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from matches import policy
from matches.forms import JoinForm
from matches.policy import actor_of


@require_safe
def join(request: HttpRequest) -> HttpResponse:
    """Ask for a short code, and go to its match."""
    form = JoinForm(request.GET or None)
    if form.is_valid():
        code = form.cleaned_data["code"]
        matches = policy.visible_matches(actor_of(request))
        if match := matches.filter(code=code).first():
            return redirect(match)
        form.add_error("code", f"No match you may see has the code {code}.")
    return render(request, "matches/join.html", {"form": form})
