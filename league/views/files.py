"""Upload pages: a file is checked first, showing all problems, and then imported or not."""

from collections.abc import Callable
from typing import Any, TypeVar
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league import files, importing, intake, known, policy, selectors
from league.forms.files import ListFileForm, TournamentFileForm
from league.importing import Imported
from league.intake import Taken
from league.parcels import LeagueParcel
from league.views.console import official
from matches import jobs
from matches.actors import actor_of
from matches.errors import Refused
from matches.forms import form_status, posted, posted_files
from matches.pages import uuid_in

Form = TournamentFileForm | ListFileForm
T = TypeVar("T")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_import(request: HttpRequest) -> HttpResponse:
    """Import a tournament that was played elsewhere."""
    actor = actor_of(request)
    leagues = selectors.leagues_of(actor)
    form = TournamentFileForm(posted(request), posted_files(request), leagues=leagues)

    def take(keeps: bool) -> Imported:
        cleaned = form.cleaned_data
        data = form.data_of_file()
        return importing.import_tournament(
            by=actor,
            data=data,
            kind=files.kind_of(form.name_of_file(), data),
            title=cleaned["title"],
            league=cleaned["league"],
            dry_run=not keeps,
        )

    kept, context = _tried(request, form, take)
    if kept is not None:
        messages.success(request, gettext("It is kept."))
        return redirect(kept.tournament)
    return _shown(request, "league/tournament_import.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def list_import(request: HttpRequest, code: str) -> HttpResponse:
    """Enter a list of guests, or report a list of results of the open round."""
    actor, tournament = official(request, code)
    may_enter = policy.is_organiser(actor, tournament)
    form = ListFileForm(posted(request), posted_files(request), may_enter=may_enter)

    def take(keeps: bool) -> Taken:
        return intake.take_in_list(
            by=actor,
            tournament=tournament,
            act_id=uuid_in(request, "act_id"),
            kind=form.cleaned_data["kind"],
            text=files.text_of(form.data_of_file()),
            chosen=_chosen(request) if keeps else None,
            dry_run=not keeps,
        )

    kept, context = _tried(request, form, take)
    if kept is not None:
        messages.success(
            request,
            ngettext("{rows} row recorded.", "{rows} rows recorded.", kept.rows).format(
                rows=kept.rows
            ),
        )
        return redirect("league:console", code)
    found = context["found"]
    context |= {
        "namesakes": [_question(each) for each in found.namesakes] if found else [],
        "tournament": tournament,
        "may_organise": may_enter,
        "act_id": request.POST.get("act_id") or uuid4(),
    }
    return _shown(request, "league/list_import.html", context)


WHO = "who-"
NEW = "new"
"""Prefix of the fields that say whom a name means, and their value for somebody new."""


def _chosen(request: HttpRequest) -> dict[str, UUID | None]:
    """Return whom the names in a list mean, None for somebody new. Raises: BadInput."""
    return {
        field.removeprefix(WHO): None if choice == NEW else uuid_in(request, field)
        for field, choice in request.POST.items()
        if field.startswith(WHO)
    }


def _question(each: intake.Namesakes) -> dict[str, Any]:
    """Return the question whom a name means: the players, and the preselected one.

    With several players none is preselected.
    """
    only = each.players[0].pk if len(each.players) == 1 else None
    return {
        "field": f"{WHO}{each.name}",
        "name": each.name,
        "row": each.row,
        "players": [(player.pk, known.describe(player)) for player in each.players],
        "first": each.chosen or only,
    }


def _tried(
    request: HttpRequest, form: Form, take: Callable[[bool], T]
) -> tuple[T | None, dict[str, Any]]:
    """Import a file, or check it; return what came of the import, if it was made, and the context.

    If it was not, the form holds the file's text, to be imported or edited there.
    """
    context: dict[str, Any] = {"form": form, "found": None}
    if request.method != "POST" or not form.is_valid():
        return None, context
    keeps = "keep" in request.POST
    try:
        found = take(keeps)
    except Refused as refused:
        return None, context | {"refused": refused, "form": form.with_text()}
    return (found if keeps else None), context | {"found": found, "form": form.with_text()}


def _shown(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    refused = context.get("refused")
    status = 200 if context["found"] else form_status(request)
    return render(request, template, context, status=refused.status if refused else status)


@require_POST
def league_export(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask a worker to pack a whole league for its organiser."""
    league = selectors.league_for(slug)
    return redirect(jobs.ask(LeagueParcel.name, about=league.pk, by=actor_of(request)))
