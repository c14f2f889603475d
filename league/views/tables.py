"""Pages of a table: its match, and its result."""

from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

import rules
from league import decided, journal, reporting, selectors, services, timers
from league.displays import TableDisplay, TableSide
from league.forms.console import act_at, scores_of, time_of
from league.live_scores import live_scores
from league.played import played_at
from league.scene import Scene
from league.timers import Timer
from league.views.tournament import floor_rules, shown, updating_page
from matches.actors import actor_of
from matches.errors import NotFound, Refused
from matches.pages import page_of, uuid_in
from matches.policy import may_record
from matches.views.seats import qr
from rules.desk.reporting import compares, score_rows
from rules.desk.state import BRACKETS, round_at, stage_at
from rules.desk.worth import wins_needed


def table_in(scene: Scene, number: int, table: int) -> TableDisplay:
    """Return a table of a round as shown in a scene. Raises: NotFound."""
    found = scene.table(number, table)
    if found is None:
        raise NotFound(
            gettext("There is no table {table} in round {number}.").format(
                table=table, number=number
            ),
            "no-such-table",
        )
    return found


@dataclass(frozen=True)
class PossibleResult:
    """A result that one tap reports: `scores` as the form sends them, and as `text`.

    `winner` is None for a draw.
    """

    scores: str
    text: str
    winner: TableSide | None


def results_for(scene: Scene, seen: TableDisplay) -> list[PossibleResult]:
    """Return the possible results of a table of two; none for larger tables.

    Results of a match that was played out or drawn; once time is called, of any standing.
    """
    if len(seen.sides) != 2:
        return []
    stage = stage_at(scene.desk, seen.round)
    best_of, need = stage.setup.best_of, wins_needed(stage)
    rows = score_rows(best_of, stage.setup.format in BRACKETS)
    any_row = best_of == 1 or round_at(scene.desk, seen.round).timed
    usual = [row for row in rows if any_row or max(row) == need or row[0] == row[1]]
    found = []
    for one, two in sorted(usual, key=lambda row: (row[1] - row[0], row[1])):
        winner = None if one == two else seen.sides[0 if one > two else 1]
        found.append(PossibleResult(f"{one}-{two}", f"{one}–{two}", winner))
    return found


def may_compare(scene: Scene, seen: TableDisplay) -> bool:
    """Return whether time decides a table now: what both have left is compared."""
    timed = round_at(scene.desk, seen.round).timed
    return timed and compares(stage_at(scene.desk, seen.round), seen.table)


def timer_at(scene: Scene, seen: TableDisplay) -> Timer | None:
    """Return the clock of a table that is being played."""
    return timers.timer_at(scene.tournament, scene.desk, scene.at, seen.round, seen.table)


def _is_pending(scene: Scene, seen: TableDisplay) -> bool:
    """Return whether a match contradicts its table's result, for a reader at the head."""
    if scene.past or seen.table.status != "settled":
        return False
    at = {"round": seen.round, "table": seen.table.number}
    return any(reporting.differing(scene.tournament, scene.desk, **at))


def table_context(
    scene: Scene, seen: TableDisplay, request: HttpRequest, sent: QueryDict | None
) -> dict[str, Any]:
    """Return a table's context; a form that was `sent` and refused keeps its input."""
    tournament = scene.tournament
    address = reverse("league:table-detail", args=[tournament.code, seen.round, seen.table.number])
    by_me = scene.me if seen.mine else 0
    officiates = scene.is_official and not by_me
    status, appeal = seen.table.status, decided.appeal_at(scene, seen)
    timer = timer_at(scene, seen)
    under_way = seen.round == len(scene.desk.rounds) and not scene.past
    pending = _is_pending(scene, seen)
    may_play = (status == "open" or pending) and bool(by_me or officiates)
    at = played_at(tournament, scene.desk, seen.round, seen.table) if may_play else None
    goes_on = at.goes_on if at else ""
    may_report = status in ("open", "reported") and (
        officiates or bool(by_me and tournament.self_report)
    )
    results_only = rules.get(tournament.ruleset).results_only
    return {
        "seen": seen,
        "round": scene.round_at(seen.round),
        "results": results_for(scene, seen),
        "scores": scores_of(seen, sent),
        "time": time_of(sent),
        "may_propose": status == "open"
        and under_way
        and bool(by_me or officiates)
        and not (timer or seen.matches),
        "seated": by_me,
        "goes_on": goes_on,
        "live_scores": live_scores(scene, seen.round, seen.table.number),
        "results_first": results_only and may_report and goes_on == "first",
        "may_correct": scene.may_correct(seen) and not (appeal and appeal.is_anothers),
        "may_call": bool(by_me) and under_way and not scene.round_at(seen.round).round.closed,
        "may_report": may_report,
        "may_confirm": status == "reported" and (officiates or by_me not in (0, seen.table.by)),
        "may_dispute": status in ("reported", "settled")
        and bool(by_me or officiates)
        and not (seen.table.appeal or scene.round_at(seen.round).round.closed),
        "qr": qr(request.build_absolute_uri(address), gettext("QR code of this table")),
        "reporter": scene.names.get(seen.table.by, gettext("the desk")),
        "may_compare": may_compare(scene, seen),
        "timer": timer,
        "floor": floor_rules(tournament),
        "ruled": decided.ruling_at(scene, seen),
        "appeal": appeal,
        "pending": pending,
        "log": [] if scene.results_off else list(journal.table_lines(scene, seen)),
    }


@require_http_methods(["GET", "HEAD", "POST"])
def table_detail(request: HttpRequest, code: str, number: int, table: int) -> HttpResponseBase:
    """Show a table: open its match, report a result in one tap, confirm or dispute it.

    `?part=live` returns the live part, 304 if unchanged.
    """
    refused = None
    sent = request.POST.copy() if request.method == "POST" else None
    if sent is not None:
        actor = actor_of(request)
        tournament = selectors.tournament_for(actor, code)
        sent["round"], sent["table"] = str(number), str(table)
        seen = table_in(Scene(actor, tournament), number, table)
        try:
            with timezone.override(ZoneInfo(tournament.timezone)):
                act = act_at(sent, seen)
            services.record(
                tournament=tournament,
                by=actor,
                act_id=uuid_in(request, "act_id"),
                act=act,
                note=request.POST.get("note", ""),
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, gettext("Recorded."))
            return redirect("league:table-detail", code, number, table)
    scene, shared = shown(request, code, live=True)
    seen = table_in(scene, number, table)

    def context() -> dict[str, Any]:
        with timezone.override(ZoneInfo(scene.tournament.timezone)):
            return shared | table_context(scene, seen, request, sent)

    pages = "league/table_detail.html", "league/_table_live.html"
    if refused:  # what was sent stays, to be sent again
        return page_of(request, pages[0], context(), refused)
    return updating_page(request, scene, *pages, context)


@require_POST
@login_required
def table_play(request: HttpRequest, code: str, number: int, table: int) -> HttpResponse:
    """Open a table's match and go to it, or back to the table if the actor cannot record."""
    actor = actor_of(request)
    tournament = selectors.tournament_for(actor, code)
    match = services.open_table(tournament=tournament, by=actor, number=number, table=table)
    if not may_record(actor, match):
        return redirect("league:table-detail", tournament.code, number, table)
    return redirect("matches:logger", match.code)
