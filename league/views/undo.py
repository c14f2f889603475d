"""Undo at a desk, and correct results: the effects are shown before anything is recorded."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league import appeals, desks, journal, policy, recording, rulings, services
from league.displays import TableDisplay
from league.forms.console import act_at, scores_of
from league.scene import Scene
from league.views.console import anchor_in, official, to_console
from league.views.tables import may_compare, results_for, table_in
from league.views.tournament import shown
from matches.errors import BadInput, NotFound, Refused
from matches.pages import number_in, page_of, uuid_in
from rules.ruleset import Act, TakenBack

RESULT_INPUTS = frozenset(("scores", "score-1", "absent", "lost", "left"))
"""The inputs of a table's form, any of which says how it ended."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: HttpRequest, code: str) -> HttpResponse:
    """Show what going back to an entry (`?to=`), or before a `?round=`, would undo; do it."""
    actor, tournament = official(request, code)
    policy.require_rule(actor, tournament)
    to = number_in(request, "to")
    if to is None and (number := number_in(request, "round")):
        to = recording.before_round(desks.timeline(tournament), number)
    if to is None:
        raise NotFound(gettext("There is nothing to go back to."), "no-such-entry")
    refused = preview = None
    try:
        if request.method == "POST":
            services.take_back(
                tournament=tournament,
                by=actor,
                act_id=uuid_in(request, "act_id"),
                to=to,
                after=number_in(request, "after"),
                note=request.POST.get("note", ""),
            )
            messages.success(request, gettext("Taken back. That can be taken back too."))
            return to_console(code)
        preview = services.preview_take_back(tournament=tournament, by=actor, to=to)
    except Refused as error:
        refused = error
    scene, context = shown(request, code, live=True)
    folded = desks.timeline(tournament)
    context |= {
        "to": to,
        "preview": preview,
        "undone": [
            (version, _describe(scene, folded, version))
            for version in (preview.undone if preview else ())
        ],
        "blast": named_blast(scene, preview.blast) if preview else None,
    }
    return page_of(request, "league/undo.html", context, refused)


def _describe(scene: Scene, folded: Any, version: int) -> str:
    act = folded.entries[version - 1].act
    if version < 2 or isinstance(act, TakenBack):
        return gettext("Entry {version}").format(version=version)
    return desks.describe_entry(folded, version, scene.names_at(version))


def named_blast(scene: Scene, blast: Any) -> dict[str, Any]:
    """Return the effects of a change, with names."""
    names = scene.names
    return {
        "moved": [
            (names.get(each.entrant, ""), each.places, scene.stage_name(each.stage - 1))
            for each in blast.moved
        ],
        "stale": blast.stale,
        "into": [names.get(player, "") for _, player in blast.into],
        "out_of": [names.get(player, "") for _, player in blast.out_of],
        "redrawn": blast.redrawn,
        "nothing": not any((blast.moved, blast.stale, blast.into, blast.out_of, blast.redrawn)),
    }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def result_correct(request: HttpRequest, code: str, number: int, table: int) -> HttpResponse:
    """Correct or rule a table: choose the result, see the effects, record it with a reason.

    Afterwards its table is shown, or the console's section that `anchor` names.
    """
    actor, tournament = official(request, code)
    policy.require_rule(actor, tournament)
    scene, context = shown(request, code, live=True)
    seen = table_in(scene, number, table)
    form = (request.POST if request.method == "POST" else request.GET).copy()
    form["type"], form["table"] = "result-corrected", str(table)
    refused = preview = None
    result: dict[str, Any] = {}
    try:
        rulings.require_anothers(actor, tournament, scene.desk, number, table)
        appeals.require_another(desks.timeline(tournament), actor, tournament, number, table)
        if not RESULT_INPUTS.isdisjoint(form):
            act = act_at(form, seen)
            result = {k: act[k] for k in recording.RESULT_FIELDS if k in act}
            what = recording.correction_of(tournament, number, table, result)
            preview = recording.preview_of(tournament, what)
            if request.method == "POST":
                return _record(request, scene, seen, what)
        elif request.method == "POST":
            raise BadInput("missing-field", gettext("Say how it ended."), "scores")
    except Refused as error:
        refused = error
    context |= _context_of_result(scene, seen, form, result)
    context |= {
        "preview": preview,
        "blast": named_blast(scene, preview.blast) if preview else None,
    }
    return page_of(request, "league/result_correct.html", context, refused)


def _record(request: HttpRequest, scene: Scene, seen: TableDisplay, act: Act) -> HttpResponse:
    """Record a correction or ruling and go to where its form was opened. Raises: Refused."""
    code = scene.tournament.code
    services.record(
        tournament=scene.tournament,
        by=scene.actor,
        act_id=uuid_in(request, "act_id"),
        act=act,
        note=request.POST.get("note", ""),
    )
    if seen.table.status == "settled":
        messages.success(request, gettext("The result is corrected."))
    else:
        messages.success(request, gettext("It is ruled."))
    if anchor := anchor_in(request.POST):
        return to_console(code, anchor)
    return redirect("league:table-detail", code, seen.round, seen.table.number)


def _context_of_result(
    scene: Scene, seen: TableDisplay, form: QueryDict, result: dict[str, Any]
) -> dict[str, Any]:
    """Return the context of a table's form, with the result chosen so far."""
    return {
        "seen": seen,
        "scores": scores_of(seen, form),
        "round": scene.round_at(seen.round),
        "results": results_for(scene, seen),
        "may_compare": may_compare(scene, seen),
        "left": "-".join(map(str, result.get("left", ()))),
        "lost": result.get("lost", False),
        "chosen": "-".join(map(str, result.get("scores", ()))),
        "absent": result.get("absent", []),
        "anchor": anchor_in(form),
        "log": [] if scene.results_off else list(journal.table_lines(scene, seen)),
    }
