"""The organiser's console: one page of plain forms to run the day from."""

import re
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league import desks, entering, following, journal, known, policy, selectors
from league.models import Tournament
from league.scene import Scene
from league.views import deeds
from league.views.console_context import console_context
from league.views.tournament import followed, shown
from matches.actors import Actor, actor_of
from matches.errors import Refused
from matches.pages import number_in, uuid_in
from rules.cells import bare
from rules.desk.state import entrants, open_round, round_at
from rules.desk.worth import uncounted

ANCHOR = re.compile(r"due|pairing|tables|people|enter-name|decks|[pt]\d{1,4}")
"""Parts of the console, people as in `p3` and tables as in `t3`."""
MAX_NAME = 80


def official(request: HttpRequest, code: str) -> tuple[Actor, Tournament]:
    """Return the actor and a tournament they are an official of. Raises: NotFound, NotAllowed."""
    actor = actor_of(request)
    tournament = selectors.tournament_for(actor, code)
    policy.require_official(actor, tournament)
    return actor, tournament


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def console(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show what is due and every queue; record any act of the desk.

    `?part=live` returns the live part, 304 if it has not changed.
    """
    refused = None
    if request.method == "POST":
        actor, tournament = official(request, code)
        if question_url := _question_url(request, actor, tournament):
            return HttpResponseRedirect(question_url)
        try:
            deeds.do(request, actor, tournament)
        except Refused as error:
            refused = error
        else:
            return to_console(code, _next_part(request, tournament), _sought(request))
    scene, context = shown(request, code, live=True)
    policy.require_official(scene.actor, scene.tournament)
    if refused:  # input is kept until it is sent again
        context |= _console(request, scene, request.POST) | {"refused": refused}
        return render(request, "league/console.html", context, status=refused.status)
    over = scene.desk.closed and not following.wants_part(request)
    tag = "" if over else following.tag_of(request, scene.actor, [scene.tournament])
    context["tag"] = followed(scene, tag)
    pages = "league/console.html", "league/_console_live.html"
    return following.answer(request, *pages, tag, lambda: context | _console(request, scene))


def _console(request: HttpRequest, scene: Scene, sent: QueryDict | None = None) -> dict[str, Any]:
    context = console_context(scene, sent, _sought(request))
    return context | _guests(request, scene) | _log(request, scene)


def _log(request: HttpRequest, scene: Scene) -> dict[str, Any]:
    """Return a page of the log, the newest or the one `?before=` an entry."""
    before = number_in(request, "before")
    newest = journal.page_start(scene, before)
    older = newest - journal.PER_PAGE + 1 if newest > journal.PER_PAGE else 0
    return {
        "log": list(journal.log_lines(scene, before)),
        "older": older,
        "is_older": newest < scene.at,
    }


def _next_part(request: HttpRequest, tournament: Tournament) -> str:
    """Return the part of the console to go on at: what is due once no table is waited for."""
    anchor, state = anchor_in(request.POST) or "due", desks.state_at(tournament)
    number = open_round(state.desk)
    only = state.setup.options.confirmed_only
    waits = number and uncounted(round_at(state.desk, number), confirmed_only=only)
    return anchor if waits or not anchor.startswith("t") else "due"


def anchor_in(form: QueryDict) -> str:
    """Return the part of the console to go back to, "" if a form names none."""
    anchor = form.get("anchor", "")
    return anchor if ANCHOR.fullmatch(anchor) else ""


def to_console(code: str, anchor: str = "due", sought: str = "") -> HttpResponse:
    """Redirect to a part of the console, by default to what is due."""
    query = f"?{urlencode({'q': sought})}" if sought else ""
    return HttpResponseRedirect(f"{reverse('league:console', args=[code])}{query}#{anchor}")


def _sought(request: HttpRequest) -> str:
    """Return the name or number by which the console's lists are narrowed, "" if they are not."""
    return _typed(request.GET, "q")


def _typed(sent: QueryDict, field: str) -> str:
    """Return a name as it was typed, without what databases refuse."""
    return bare(sent.get(field, ""))[:MAX_NAME].replace("\0", "")


def _question_url(request: HttpRequest, actor: Actor, tournament: Tournament) -> str:
    """Return the address that asks whom a typed name means, "" if it means a new guest."""
    form = request.POST
    name = _typed(form, "name")
    if form.get("do") != "enter" or not name or form.get("player") or form.get("new"):
        return ""
    if not policy.is_organiser(actor, tournament):
        return ""
    if entering.was_entered(tournament, uuid_in(request, "act_id")):  # a repeated request
        return ""
    here = known.is_here(tournament, name)
    if not here and not known.namesakes(actor, tournament, name):
        return ""
    at = reverse("league:console", args=[tournament.code])
    return f"{at}?{urlencode({'name': name})}#people"


def _guests(request: HttpRequest, scene: Scene) -> dict[str, Any]:
    """Return the names to suggest, and for a typed name the players it may mean."""
    actor, tournament = scene.actor, scene.tournament
    if scene.desk.closed or not scene.may_organise:
        return {}
    name = _typed(request.GET, "name")
    if not name:
        return {"known": known.names(actor, tournament)}
    found = known.namesakes(actor, tournament, name)
    here = {n for n, entry in scene.entries.items() if entry.name.casefold() == name.casefold()}
    dropped = [n for n in entrants(scene.desk, "dropped") if n not in scene.annulled]
    return {
        "typed": name,
        "gone": [(number, scene.entries[number].name) for number in dropped if number in here],
        "namesakes": [(each.pk, known.describe(each)) for each in found],
        "is_here": bool(here),
    }
