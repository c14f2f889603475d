"""Public pages of tournaments, and the page of where one plays next."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import rules
from league import (
    due,
    finals,
    following,
    journal,
    policy,
    prizes,
    ranking,
    registering,
    selectors,
    tiebreaks,
    waiting,
)
from league.displays import (
    RoundDisplay,
    StageDisplay,
    TableDisplay,
    by_group,
    by_name,
    table_rows,
)
from league.forms.tournaments import TournamentFilter
from league.live_scores import live_scores
from league.models import StagePlan, Tournament
from league.scene import Scene
from league.views.leagues import PAGE, lines
from matches.actors import actor_of
from matches.errors import NotFound
from matches.pages import number_in
from matches.views.seats import qr
from rules.capabilities import SupportsFloorRules
from rules.desk.acts import StageStarted
from rules.desk.standings import final_places
from rules.texts import listed


@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    """List the tournaments the reader may see, open ones first."""
    actor = actor_of(request)
    form = TournamentFilter(request.GET or None)
    found = form.narrow(selectors.tournaments_for(actor), actor)
    page = Paginator(selectors.open_first(found), PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page": page, "lines": lines(actor, page)}
    return render(request, "league/tournament_list.html", context)


def shown(request: HttpRequest, code: str, *, live: bool = False) -> tuple[Scene, dict[str, Any]]:
    """Return a tournament as the reader may see it, and the context that all its pages share."""
    actor = actor_of(request)
    tournament = selectors.tournament_for(actor, code)
    scene = Scene(actor, tournament, None if live else number_in(request, "at"))
    context = {
        "tournament": tournament,
        "scene": scene,
        "may_organise": scene.may_organise,
        "may_rule": scene.may_rule,
        "is_official": scene.is_official,
        "streams": settings.STREAMS,
    }
    return scene, context


def followed(scene: Scene, tag: str) -> str:
    """Return the tag by which a page updates itself, "" where nothing is to come."""
    return "" if scene.past or scene.settled else tag


def updating_page(
    request: HttpRequest,
    scene: Scene,
    page: str,
    part: str,
    context: Callable[[], Mapping[str, Any]],
) -> HttpResponseBase:
    """Return a tournament's page that updates itself, or its live part."""
    tag = following.tag_of(request, scene.actor, [scene.tournament])
    tagged = {"tag": followed(scene, tag)}
    return following.answer(request, page, part, tag, lambda: {**context(), **tagged})


@require_safe
def tournament_detail(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show a tournament: the open round, the reader's own path, brackets and results.

    `?as=list` shows brackets as lists; `?part=live` returns the live part, 304 if unchanged.
    """
    scene, context = shown(request, code)
    pages = "league/tournament_detail.html", "league/_live.html"
    return updating_page(request, scene, *pages, lambda: context | _detail(request, scene))


def _detail(request: HttpRequest, scene: Scene) -> dict[str, Any]:
    url = request.build_absolute_uri(scene.tournament.get_absolute_url())
    return {
        "listed": request.GET.get("as") == "list",
        "embeds": _embeds(request, scene),
        "qr": qr(url, gettext("QR code of this page")),
        "final": [(place, scene.entries[n]) for n, place in final_places(scene.desk).items()],
        "announced": journal.announced(scene),
        "live_scores": live_scores(scene, scene.open_round.number) if scene.open_round else {},
        "timer": due.timer(scene),
        "prizes": scene.tournament.prizes.all(),
    }


def _embeds(request: HttpRequest, scene: Scene) -> list[tuple[str, str]]:
    """Return what can be embedded in other pages, with addresses; nothing if it is not public."""
    if scene.tournament.visibility != Tournament.Visibility.PUBLIC:
        return []
    kinds = [(gettext("Standings"), "league:embed-standings")]
    if any(stage.regions for stage in scene.stages):
        kinds.append((gettext("Bracket"), "league:embed-bracket"))
    code = scene.tournament.code
    return [(what, request.build_absolute_uri(reverse(name, args=[code]))) for what, name in kinds]


def round_in(scene: Scene, number: int) -> RoundDisplay:
    """Return a round as shown in a scene. Raises: NotFound."""
    _require_round(scene, number)
    return scene.round_at(number)


def _require_round(scene: Scene, number: int) -> None:
    if not 1 <= number <= len(scene.desk.rounds):
        raise NotFound(
            gettext("There is no round {number}.").format(number=number), "no-such-round"
        )


def stage_in(request: HttpRequest, scene: Scene) -> StageDisplay:
    """Return the stage that `?stage=` names, by default the last. Raises: NotFound."""
    stage = number_in(request, "stage") or len(scene.stages)
    if not 1 <= stage <= len(scene.stages):
        raise NotFound(gettext("There is no stage {stage}.").format(stage=stage), "no-such-stage")
    return scene.stages[stage - 1]


@require_safe
def round_detail(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """Show a round: its tables, its byes, and the reasons for its pairings.

    `?part=live` returns the live part, `?part=scores` how what is played stands; both 304 if
    unchanged.
    """
    scene, context = shown(request, code)
    if request.GET.get("part") == "scores":
        return following.fresh(request, "league/_scores.html", _scores(scene, number))
    pages = "league/round_detail.html", "league/_round_live.html"
    answer = updating_page(request, scene, *pages, lambda: context | _round(scene, number))
    if answer.status_code == 200 and not round_in(scene, number).published:
        add_never_cache_headers(answer)
    return answer


def _scores(scene: Scene, number: int) -> dict[str, Any]:
    _require_round(scene, number)
    return {"live_scores": live_scores(scene, number)}


def _round(scene: Scene, number: int) -> dict[str, Any]:
    found, why = round_in(scene, number), scene.why(number)
    return {
        "round": found,
        "live_scores": live_scores(scene, number),
        "why": why,
        "log": list(journal.by_hand_lines(scene, number)) if why.by_hand else [],
        "reasoned": [
            (seen, why.reasons[seen.table.number])
            for seen in found.tables
            if why.reasons.get(seen.table.number)
        ],
        "byes": [(side, why.byes.get(side.number, "")) for side in found.byes],
        "proposed": [
            listed([scene.names.get(player, "") for player in table]) for table in why.proposed
        ],
    }


@require_safe
def pairing_names(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show a round's pairings by name, for the wall and the printer."""
    scene, context = shown(request, code)
    found = round_in(scene, number)
    context |= {"round": found, "rows": by_name(found)}
    return render(request, "league/pairing_names.html", context)


@require_safe
def standing_list(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show a stage's standings as of any version; `?why=` explains the numbers of an entrant.

    `?tiebreaks=` shows what they would be by other tie-breaks, beside the actual places.
    `?part=live` returns the live part, 304 if unchanged.
    """
    scene, context = shown(request, code)
    pages = "league/standing_list.html", "league/_standing_live.html"
    return updating_page(request, scene, *pages, lambda: context | _standings(request, scene))


def _standings(request: HttpRequest, scene: Scene) -> dict[str, Any]:
    stage = stage_in(request, scene) if scene.stages else None
    after = number_in(request, "after")
    other = tiebreaks.order_in(request.GET.get("tiebreaks", ""))
    if stage and not stage.counts_points:  # where rounds won decide, nothing breaks ties
        other = ()
    rows = scene.standing_rows(stage, after, other) if stage else []
    shown_rows = table_rows(rows, scene.names, scene.stages)
    is_now = not (after or other or scene.past)
    size = due.cut_to_come(scene, stage.number) if stage and is_now else None
    calls = ranking.calls(scene.desk, stage.index, size) if stage and size else {}
    for each in shown_rows:
        each["call"] = calls.get(each["row"].entrant, "")
    if stage and other:
        actual = {row.entrant: row.place for row in scene.standing_rows(stage, after)}
        for each in shown_rows:
            each["actual"] = actual[each["row"].entrant]
    why = number_in(request, "why")
    opened = next((each for each in shown_rows if each["row"].entrant == why), None)
    return {
        "stage": stage,
        "after": after,
        "tables": by_group(shown_rows),
        "codes": shown_rows[0]["breaks"] if shown_rows else [],
        "opened": opened,
        "contested": _contested(scene, stage) if stage and not (after or other) else [],
        "other": ",".join(other),
        "orders": _orders(stage, other) if stage else {},
        "cut": size if calls else None,
        "path": _path(scene, stage, after, why) if stage and opened else [],
    }


def _orders(stage: StageDisplay, other: tuple[str, ...]) -> dict[str, str]:
    """Return other orders of tie-breaks that a page offers, the one shown in any case."""
    names = {",".join(other): ", ".join(map(tiebreaks.named, other))} if other else {}
    return names | dict(tiebreaks.orders(stage.setup.tiebreaks))


def _path(
    scene: Scene, stage: StageDisplay, after: int | None, entrant: int | None
) -> list[TableDisplay]:
    """Return the tables that somebody played at up to a stage, optionally up to a round."""
    return [
        seen
        for each in scene.rounds
        if each.round.stage <= stage.index and (after is None or each.number <= after)
        for seen in each.tables
        if any(side.number == entrant for side in seen.sides)
    ]


def _contested(scene: Scene, stage: StageDisplay) -> list[dict[str, Any]]:
    """Return the disputed tables of a stage, each with the places that depend on it."""
    return [
        {
            "seen": scene.table(each.round, each.table),
            "places": [(scene.names[n], *both) for n, *both in each.places],
        }
        for each in ranking.contested(scene.desk, stage.index)
    ]


@require_safe
def standing_changes(request: HttpRequest, code: str) -> HttpResponse:
    """Show what changed a stage's standings between two entries, act by act."""
    scene, context = shown(request, code, live=True)
    stage = stage_in(request, scene)
    upto = min(number_in(request, "upto") or scene.cut.version, scene.cut.version)
    since = min(number_in(request, "since") or max(upto - 50, 1), upto)
    context |= {
        "stage": stage,
        "since": since,
        "upto": upto,
        "causes": ranking.causes(scene.tournament, scene.cut, stage.index, since, upto),
    }
    return render(request, "league/standing_changes.html", context)


def prizes_of(scene: Scene) -> list[dict[str, Any]]:
    """Return what everybody wins by the final order and was given, as far as one may know."""
    given = {each.entrant: each for each in prizes.given(scene.tournament, scene.desk)}
    won = {each.entrant: each for each in prizes.won(scene.tournament, scene.desk)}
    return [
        {
            "name": scene.names[entrant],
            "place": each.place,
            "won": won.get(entrant),
            "given": given.get(entrant),
        }
        for entrant, each in sorted((given | won).items(), key=lambda each: each[1].place)
    ]


@require_safe
def tournament_rules(request: HttpRequest, code: str) -> HttpResponse:
    """Show how a tournament is run: stages, points, tie-breaks, house rules."""
    scene, context = shown(request, code)
    prefetch_related_objects([scene.tournament], "prizes")
    counting = scene.tournament.qualifiers.select_related("circuit__final__log")
    may_end = policy.may_end_counting(scene.actor, scene.tournament)
    context |= {
        "floor": floor_rules(scene.tournament),
        "plans": [_planned_stage(plan) for plan in scene.plans],
        "tiebreaks": [
            (stage, [(tb, tiebreaks.named(tb)) for tb in stage.setup.tiebreaks])
            for stage in scene.stages
        ],
        "prizes": scene.tournament.prizes.all(),
        "won": prizes_of(scene),
        "rated": policy.is_public(scene.tournament)
        and scene.tournament.enters != Tournament.Enters.KREWE,
        "counting": [(each, may_end and not finals.has_begun(each.circuit)) for each in counting],
        "officials": scene.tournament.staff.select_related("player"),
    }
    return render(request, "league/tournament_rules.html", context)


def _planned_stage(plan: StagePlan) -> dict[str, Any]:
    """Return the context of a planned stage on the rules page."""
    setup = msgspec.convert(plan.settings, type=StageStarted)
    return {
        "plan": plan,
        "setup": setup,
        "breaks": [(code, tiebreaks.named(code)) for code in setup.tiebreaks],
    }


def floor_rules(tournament: Tournament) -> list[str]:
    """Return the floor rules of a tournament's game in words; none if it has none."""
    ruleset = rules.get(tournament.ruleset)
    if not isinstance(ruleset, SupportsFloorRules):
        return []
    options = registering.game_options(tournament)
    return [ruleset.texts[code] for code in ruleset.floor_rules(options).texts]


@never_cache
@require_safe
@login_required
def my_next(request: HttpRequest) -> HttpResponseBase:
    """Show where the user plays next, in every open tournament they are in, and what they run.

    `?part=live` returns the live part, 304 if unchanged.
    """
    actor = actor_of(request)
    own = waiting.own_tournaments(actor)
    tag = following.tag_of(request, actor, own.every)

    def context() -> dict[str, Any]:
        playing, organised = waiting.at_tournaments(actor, own)
        leagues = selectors.leagues_of(actor)
        return {"playing": playing, "organised": organised, "leagues": leagues, "tag": tag}

    return following.answer(request, "league/my_next.html", "league/_my_live.html", tag, context)
