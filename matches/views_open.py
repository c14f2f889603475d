"""Opening a match: choose the game, then say who sits where with what."""

from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from matches import open_forms, services
from matches.errors import BadInput, Refused
from matches.forms import form_status
from matches.policy import actor_of


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def match_open(request: HttpRequest) -> HttpResponse:
    """Ask for the game and its seats by GET, for all the rest on the same URL after that."""
    game_form = open_forms.GameForm(request.GET if "game" in request.GET else None)
    if not game_form.is_valid():
        status = form_status(request)
        return render(request, "matches/match_open.html", {"form": game_form}, status=status)
    game = rules.get(game_form.cleaned_data["game"])
    seats = game_form.cleaned_data["seats"]
    posted: QueryDict | None = request.POST if request.method == "POST" else None
    actor = actor_of(request)
    forms = {
        "table": open_forms.TableForm(posted),
        "options": open_forms.options_form(game, posted),
        "seats": open_forms.seat_forms(game, seats, actor, posted),
    }
    refused = None
    every = (forms["table"], forms["options"], *forms["seats"])
    checked = [form.is_valid() for form in every]  # all of them, so that all errors show
    if posted and all(checked):
        try:
            match = services.open_match(
                by=actor,
                ruleset=game.key,
                options=open_forms.options_of(forms["options"]),
                seats=[form.request() for form in forms["seats"]],
                act_id=_act_id(posted),
                **forms["table"].cleaned_data,
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{match} is open. Its code is {match.code}.")
            return redirect("matches:seat-list", match.code)
    context = {
        **forms,
        "game": game,
        "act_id": posted.get("act_id") if posted else uuid4(),
        "refused": refused,
        "wrong": posted is not None,
        "columns": open_forms.columns(game),
    }
    return render(request, "matches/match_open_table.html", context, status=form_status(request))


def _act_id(posted: QueryDict) -> UUID | None:
    """Return the id that makes a form sent twice open one match. Raises: BadInput."""
    text = posted.get("act_id", "")
    try:
        return UUID(text) if text else None
    except ValueError:
        raise BadInput("wrong-type", "This form's id is no id; load it anew.", "act_id") from None
