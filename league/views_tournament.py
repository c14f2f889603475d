"""Pages of a tournament that everybody may look at, and those of one's own table."""

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.db.models import QuerySet, prefetch_related_objects
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import rules
from characters.models import Character
from league import (
    due,
    entering,
    following,
    policy,
    prizes,
    rulings,
    selectors,
    services,
    tiebreaks,
)
from league.forms import TournamentForm
from league.forms_console import act_at, scores_of
from league.models import Entry, Krewe, League, Membership, Role, Tournament
from league.scene import Scene, scenes_of
from league.seen import RoundSeen, Seen, by_name, table_rows
from league.views import PAGE, lines
from matches import decks
from matches.errors import NotAllowed, NotFound, Refused
from matches.forms import form_status, posted
from matches.models import Player
from matches.pages import number_in, uuid_in
from matches.policy import actor_of, may_record
from matches.views_seats import qr
from rules.desk.acts import Options
from rules.desk.reporting import compares, score_rows
from rules.desk.standings import final_places
from rules.desk.state import BRACKETS
from rules.ruleset import HasFloor


@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    """List the tournaments one may see, newest first."""
    actor = actor_of(request)
    found = selectors.tournaments_for(actor)
    if word := request.GET.get("q", "").replace("\0", "")[:80]:
        found = found.filter(title__icontains=word)
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "lines": lines(actor, page), "q": word}
    return render(request, "league/tournament_list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def tournament_create(request: HttpRequest) -> HttpResponse:
    """Open a tournament with one stage, or with a cut after it."""
    actor = actor_of(request)
    mine = Membership.objects.filter(player=actor.player, role=Role.ORGANISER)
    leagues = League.objects.filter(pk__in=mine.values("league"))
    named = leagues.filter(slug=request.GET.get("league", "").replace("\0", "")).first()
    initial = {"league": named, "game": named.game} if named else {}
    form = TournamentForm(posted(request), leagues=leagues, initial=initial)
    if form.is_valid():
        said = form.cleaned_data
        try:
            tournament = services.open_tournament(
                by=actor,
                title=said["title"],
                ruleset=said["game"],
                league=said["league"],
                season=said["league"].seasons.first() if said["league"] else None,
                venue=said["venue"],
                starts_at=said["starts_at"],
                stages=form.stages(said["game"]),
                desk=Options(
                    cap=said["cap"],
                    check_in=said["check_in"],
                    confirmed_only=said["confirmed_only"],
                ),
                round_minutes=said["round_minutes"],
            )
        except Refused as refused:
            form.refuse(refused)
        else:
            return redirect("league:console", tournament.code)
    context = {"form": form}
    return render(request, "league/tournament_create.html", context, status=form_status(request))


def shown(request: HttpRequest, code: str, *, live: bool = False) -> tuple[Scene, dict[str, Any]]:
    """Return a tournament as one may see it, and what all its pages show."""
    actor = actor_of(request)
    tournament = selectors.tournament_for(actor, code)
    scene = Scene(actor, tournament, None if live else number_in(request, "at"))
    context = {
        "tournament": tournament,
        "scene": scene,
        "may_organise": Role.ORGANISER in scene.roles,
        "may_rule": not scene.roles.isdisjoint(policy.RULING),
        "is_official": bool(scene.roles),
        "streams": settings.STREAMS,
    }
    return scene, context


def _followed(scene: Scene, tag: str) -> str:
    """Return the tag by which a page is followed; none of what is past, or over."""
    return "" if scene.past or scene.desk.closed else tag


@require_safe
def tournament_detail(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show a tournament: the round under way, one's own path, brackets and results.

    `?as=list` shows brackets as lists; `?part=live` gives what changes, 304 when nothing did.
    """
    scene, context = shown(request, code)
    tag = following.tag_of(request, scene.actor, [scene.tournament])
    if (same := following.unchanged(request, tag)) is not None:
        return same
    url = request.build_absolute_uri(scene.tournament.get_absolute_url())
    listed = request.GET.get("as") == "list"
    context |= {
        "listed": listed,
        "embeds": _embeds(request, scene),
        "qr": qr(url, gettext("QR code of this page")),
        "final": [(place, scene.names[n]) for n, place in final_places(scene.desk).items()],
        "announced": due.announced(scene),
        "prizes": scene.tournament.prizes.all(),
        "tag": _followed(scene, tag),
    }
    pages = "league/tournament_detail.html", "league/_live.html"
    return following.answer(request, *pages, tag, context)


def _embeds(request: HttpRequest, scene: Scene) -> list[tuple[str, str]]:
    """Return what can be put into other pages, and from where; nothing of what is not public."""
    if scene.tournament.visibility != Tournament.Visibility.PUBLIC:
        return []
    kinds = [(gettext("Standings"), "league:embed-standings")]
    if any(stage.regions for stage in scene.stages):
        kinds.append((gettext("Bracket"), "league:embed-bracket"))
    code = scene.tournament.code
    return [(what, request.build_absolute_uri(reverse(name, args=[code]))) for what, name in kinds]


def round_in(scene: Scene, number: int) -> RoundSeen:
    if not 1 <= number <= len(scene.rounds):
        raise NotFound(
            gettext("There is no round {number}.").format(number=number), "no-such-round"
        )
    return scene.rounds[number - 1]


@require_safe
def round_detail(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """Show a round: its tables, who has a bye, and why it is paired so.

    `?part=live` gives what changes, 304 when nothing did.
    """
    scene, context = shown(request, code)
    tag = following.tag_of(request, scene.actor, [scene.tournament])
    if (same := following.unchanged(request, tag)) is not None:
        return same
    found = round_in(scene, number)
    why = scene.why(number)
    context |= {
        "round": found,
        "why": why,
        "tables": [(seen, why.reasons.get(seen.table.number, ())) for seen in found.tables],
        "byes": [(side, why.byes.get(side.number, "")) for side in found.byes],
        "proposed": [[scene.names.get(player, "") for player in table] for table in why.proposed],
        "tag": _followed(scene, tag),
    }
    pages = "league/round_detail.html", "league/_round_live.html"
    return following.answer(request, *pages, tag, context)


@require_safe
def pairing_names(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show a round's pairings by name, for the wall and the printer."""
    scene, context = shown(request, code)
    found = round_in(scene, number)
    context |= {"round": found, "rows": by_name(found)}
    return render(request, "league/pairing_names.html", context)


@require_safe
def standing_list(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show a stage's standings as of any moment; `?why=` opens the numbers of one entrant.

    `?part=live` gives what changes, 304 when nothing did.
    """
    scene, context = shown(request, code)
    tag = following.tag_of(request, scene.actor, [scene.tournament])
    if (same := following.unchanged(request, tag)) is not None:
        return same
    stage = number_in(request, "stage") or len(scene.stages)
    after = number_in(request, "after")
    if scene.stages and not 1 <= stage <= len(scene.stages):
        raise NotFound(gettext("There is no stage {stage}.").format(stage=stage), "no-such-stage")
    rows = selectors.table(scene.tournament, scene.cut, stage - 1, scene.at, after)
    told = table_rows(rows, scene.names)
    asked = number_in(request, "why")
    opened = next((each for each in told if each["row"].entrant == asked), None)
    context |= {
        "stage": scene.stages[stage - 1] if scene.stages else None,
        "after": after,
        "rows": told,
        "codes": told[0]["breaks"] if told else [],
        "opened": opened,
        "path": [
            seen
            for each in scene.rounds
            for seen in each.tables
            if any(side.number == asked for side in seen.sides)
        ],
        "tag": _followed(scene, tag),
    }
    pages = "league/standing_list.html", "league/_standing_live.html"
    return following.answer(request, *pages, tag, context)


@require_safe
def standing_changes(request: HttpRequest, code: str) -> HttpResponse:
    """Show what moved a stage's table between two entries, act by act."""
    scene, context = shown(request, code, live=True)
    stage = number_in(request, "stage") or len(scene.stages)
    if not 1 <= stage <= len(scene.stages):
        raise NotFound(gettext("There is no stage {stage}.").format(stage=stage), "no-such-stage")
    upto = min(number_in(request, "upto") or scene.cut.version, scene.cut.version)
    since = min(number_in(request, "since") or max(upto - 50, 1), upto)
    found = selectors.causes(scene.tournament, scene.cut, stage - 1, since, upto)
    context |= {
        "stage": scene.stages[stage - 1],
        "since": since,
        "upto": upto,
        "causes": found,
    }
    return render(request, "league/standing_changes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def entry_list(request: HttpRequest, code: str) -> HttpResponse:
    """Show who takes part; sign up, check in, drop."""
    refused = None
    if request.method == "POST":
        actor = actor_of(request)
        tournament = selectors.tournament_for(actor, code)
        try:
            services.enter(
                tournament=tournament,
                by=actor,
                act_id=uuid_in(request, "act_id"),
                character=_own_character(request),
                krewe=krewe_in(request, tournament),
                name=request.POST.get("name", ""),
                text=request.POST.get("deck", "").strip() or None,
            )
        except Refused as error:
            refused = error
        else:
            return redirect("league:entry-list", code)
    scene, context = shown(request, code, live=True)
    actor = scene.actor
    may_sign_up = _may_sign_up(scene)
    me = [actor.player] if may_sign_up and actor.player else []
    mine = scene.entries.get(scene.me)
    characters = Character.objects.filter(owner=actor.player) if actor.player else ()
    context |= {
        "refused": refused,
        "act_id": uuid4(),
        "people": [
            (scene.entries[number], person, number)
            for number, person in enumerate(scene.desk.people, 1)
        ],
        "mine": mine,
        "person": scene.desk.people[scene.me - 1] if scene.me else None,
        "may_sign_up": may_sign_up,
        "kept_out": entering.kept_out(scene.tournament, me) if me else None,
        "characters": characters,
        "krewes": krewes_to_enter(scene.tournament, actor.player) if actor.player else (),
        "takes_list": scene.tournament.decks != "none"
        and decks.reads_lists(rules.get(scene.tournament.ruleset)),
        "deck_text": request.POST.get("deck", ""),
        "game": rules.get(scene.tournament.ruleset),
        "shows_decks": entering.decks_public(scene.tournament),
        "forbidden": [[scene.names.get(one, "") for one in pair] for pair in scene.desk.forbidden],
    }
    status = refused.status if refused else 200
    return render(request, "league/entry_list.html", context, status=status)


@require_POST
@login_required
def self_act(request: HttpRequest, code: str) -> HttpResponse:
    """Check oneself in, or drop."""
    actor = actor_of(request)
    tournament = selectors.tournament_for(actor, code)
    number = Scene(actor, tournament).me
    kind = request.POST.get("type", "")
    if kind not in ("checked-in", "dropped") or not number:
        raise NotFound(gettext("You are not entered here."), "no-such-entrant")
    services.record(
        tournament=tournament,
        by=actor,
        act_id=uuid_in(request, "act_id"),
        act={"type": kind, "entrant": number},
    )
    return redirect("league:entry-list", code)


def _may_sign_up(scene: Scene) -> bool:
    open_ = scene.tournament.sign_up and not scene.desk.stages and not scene.desk.closed
    return open_ and not scene.me


def _own_character(request: HttpRequest) -> Character | None:
    wanted = request.POST.get("character", "")
    if not wanted:
        return None
    player = actor_of(request).player
    found = Character.objects.filter(pk=uuid_in(request, "character"), owner=player).first()
    if found is None:
        raise NotFound(gettext("There is no such character of yours."), "no-such-character")
    return found


def krewes_to_enter(tournament: Tournament, captain: Player | None = None) -> QuerySet[Krewe]:
    """Return the krewes of the league that are not entered, of a captain or all."""
    entered = tournament.entries.filter(krewe__isnull=False).values("krewe")
    found = Krewe.objects.filter(league=tournament.league_id).exclude(pk__in=entered)
    return found.filter(captain=captain) if captain else found


def krewe_in(request: HttpRequest, tournament: Tournament) -> Krewe | None:
    """Return the krewe a form names; who may enter it is the service's to say."""
    if not request.POST.get("krewe"):
        return None
    wanted = uuid_in(request, "krewe")
    found = Krewe.objects.filter(pk=wanted, league=tournament.league_id).first()
    if found is None:
        raise NotFound(gettext("There is no such krewe in this league."), "no-such-krewe")
    return found


def prizes_of(scene: Scene) -> list[dict[str, Any]]:
    """Return who wins what by the final order and was given of it, as far as one may know it."""
    given = {each.entrant: each for each in prizes.given(scene.tournament, scene.desk)}
    return [
        {"name": scene.names[each.entrant], "won": each, "given": given.get(each.entrant)}
        for each in prizes.won(scene.tournament, scene.desk)
    ]


@require_safe
def tournament_rules(request: HttpRequest, code: str) -> HttpResponse:
    """Show how a tournament is run: stages, points, tie-breaks, house rules."""
    scene, context = shown(request, code)
    prefetch_related_objects([scene.tournament], "prizes")
    context |= {
        "floor": floor_told(scene.tournament),
        "plans": scene.plans,
        "tiebreaks": [
            (stage, [(tb, tiebreaks.named(tb)) for tb in stage.stage.setup.tiebreaks])
            for stage in scene.stages
        ],
        "prizes": scene.tournament.prizes.all(),
        "won": prizes_of(scene),
        "officials": scene.tournament.staff.select_related("player"),
    }
    return render(request, "league/tournament_rules.html", context)


# -- a table ------------------------------------------------------------------------------


def table_in(scene: Scene, number: int, table: int) -> Seen:
    found = scene.table(number, table)
    if found is None:
        raise NotFound(
            gettext("There is no table {table} in round {number}.").format(
                table=table, number=number
            ),
            "no-such-table",
        )
    return found


def results_for(scene: Scene, seen: Seen) -> list[dict[str, Any]]:
    """Return the results two may have, the finished ones first; none for a table of more."""
    if len(seen.sides) != 2:
        return []
    stage = scene.desk.stages[scene.desk.rounds[seen.round - 1].stage]
    best_of, decided = stage.setup.best_of, stage.setup.format in BRACKETS
    need = best_of // 2 + 1
    rows = score_rows(best_of, decided)
    usual = [row for row in rows if max(row) == need or (row[0] == row[1] and best_of > 1)]
    if best_of == 1:
        usual = list(rows)
    found = []
    for one, two in sorted(usual, key=lambda row: (row[1] - row[0], row[1])):
        winner = None if one == two else seen.sides[0 if one > two else 1]
        found.append({"scores": f"{one}-{two}", "told": f"{one}–{two}", "winner": winner})
    return found


def may_compare(scene: Scene, seen: Seen) -> bool:
    """Tell whether time decides a table now: what both have left is compared."""
    each = scene.desk.rounds[seen.round - 1]
    return each.timed and compares(scene.desk.stages[each.stage], seen.table)


def floor_told(tournament: Tournament) -> list[str]:
    """Return the floor rules of a tournament's game in words, none where it has none."""
    ruleset = rules.get(tournament.ruleset)
    if not isinstance(ruleset, HasFloor):
        return []
    options = entering.game_options(tournament)
    return [ruleset.texts[code] for code in ruleset.floor(options).told]


def table_context(
    scene: Scene, seen: Seen, request: HttpRequest, sent: QueryDict | None
) -> dict[str, Any]:
    """Return what a table shows; a form that was `sent` and refused keeps what was typed."""
    tournament = scene.tournament
    address = reverse("league:table-detail", args=[tournament.code, seen.round, seen.table.number])
    by_me = scene.me if seen.mine else 0
    status = seen.table.status
    return {
        "seen": seen,
        "round": scene.rounds[seen.round - 1],
        "results": results_for(scene, seen),
        "scores": scores_of(seen, sent),
        "seated": by_me,
        "may_report": bool((by_me and tournament.self_report) or (scene.roles and not by_me))
        and status in ("open", "reported"),
        "may_confirm": status == "reported"
        and (by_me not in (0, seen.table.by) or bool(scene.roles and not by_me)),
        "may_dispute": status in ("reported", "settled")
        and bool(by_me or scene.roles)
        and not scene.rounds[seen.round - 1].round.closed,
        "qr": qr(request.build_absolute_uri(address), gettext("QR code of this table")),
        "act_id": uuid4(),
        "reporter": scene.names.get(seen.table.by, gettext("the desk")),
        "may_compare": may_compare(scene, seen),
        "floor": floor_told(tournament),
        "ruled": rulings.of_table(scene, seen),
        "log": [] if scene.results_off else list(due.told_of(scene, seen)),
    }


@require_http_methods(["GET", "HEAD", "POST"])
def table_detail(request: HttpRequest, code: str, number: int, table: int) -> HttpResponse:
    """Show a table: open its match, report a result in one tap, confirm it or dispute it."""
    refused = None
    sent = request.POST.copy() if request.method == "POST" else None
    if sent is not None:
        actor = actor_of(request)
        tournament = selectors.tournament_for(actor, code)
        sent["round"], sent["table"] = str(number), str(table)
        try:
            services.record(
                tournament=tournament,
                by=actor,
                act_id=uuid_in(request, "act_id"),
                act=act_at(sent, table_in(Scene(actor, tournament), number, table)),
                note=request.POST.get("note", ""),
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, gettext("Recorded."))
            return redirect("league:table-detail", code, number, table)
    scene, context = shown(request, code, live=True)
    context |= table_context(scene, table_in(scene, number, table), request, sent)
    context["refused"] = refused
    status = refused.status if refused else 200
    return render(request, "league/table_detail.html", context, status=status)


@require_POST
@login_required
def table_play(request: HttpRequest, code: str, number: int, table: int) -> HttpResponse:
    """Open the match of a table and go to it, or back to the table where one records no acts."""
    actor = actor_of(request)
    tournament = selectors.tournament_for(actor, code)
    match = services.open_table(tournament=tournament, by=actor, number=number, table=table)
    if not may_record(actor, match):
        return redirect("league:table-detail", tournament.code, number, table)
    return redirect("matches:logger", match.code)


@require_safe
@login_required
def my_next(request: HttpRequest) -> HttpResponseBase:
    """Show where one plays next, in every tournament under way that one is in, and what one runs.

    `?part=live` gives what changes, 304 when nothing did.
    """
    actor = actor_of(request)
    organised = list(selectors.organised_by(actor)[:PAGE])
    entered = list(selectors.entered_by(actor)[:PAGE])
    every = [*entered, *organised]
    tag = following.tag_of(request, actor, every)
    if (same := following.unchanged(request, tag)) is not None:
        return same
    scenes = scenes_of(actor, every)
    mine = scenes[: len(entered)]
    context = {
        "playing": list(zip(mine, due.announced_in(mine), strict=True)),
        "organised": [
            (scene.tournament, due.told_due(scene))
            for scene in scenes[len(entered) :]
            if not scene.desk.closed or prizes.are_due(scene.tournament, scene.desk)
        ],
        "leagues": selectors.leagues_of(actor),
        "tag": tag,
    }
    return following.answer(request, "league/my_next.html", "league/_my_live.html", tag, context)


@require_http_methods(["GET", "HEAD", "POST"])
def deck_register(request: HttpRequest, code: str) -> HttpResponse:
    """Register the deck one's entry brings, as text; `?entrant=` shows another's to whom may."""
    scene, context = shown(request, code, live=True)
    number = number_in(request, "entrant") or scene.me
    entry = scene.entries.get(number)
    if not request.user.is_authenticated and not (
        entry and entering.may_see_deck(scene.actor, entry)
    ):
        return redirect_to_login(request.get_full_path())
    if entry is None or (entry.player_id is None and entry.krewe_id is None):
        raise NotFound(gettext("You are not entered here."), "no-such-entrant")
    if not entering.may_see_deck(scene.actor, entry):
        raise NotAllowed("hidden", gettext("Decks are shown when an organiser publishes them."))
    refused = None
    text = request.POST.get("deck", "")
    if request.method == "POST":
        try:
            _register(scene, entry, text)
        except Refused as error:
            refused = error
        else:
            messages.success(
                request,
                gettext("The deck is registered.") if text.strip() else gettext("Taken back."),
            )
            here = redirect("league:deck-register", code)
            here["Location"] += f"?entrant={number}"
            return here
    ruleset = rules.get(scene.tournament.ruleset)
    organises = Role.ORGANISER in scene.roles
    context |= {
        "entry": entry,
        "own": number == scene.me,
        "deck": entering.deck_of(entry),
        "checked": entering.read_again(entry, scene.actor),
        "checked_template": f"rules/{ruleset.key}/_deck.html",
        "text": text or entry.deck_text or decks.written(ruleset, entering.deck_of(entry)),
        "reads_lists": decks.reads_lists(ruleset),
        "game": ruleset,
        "refused": refused,
        "may_register": organises or (number == scene.me and not scene.desk.stages),
        "locked": bool(scene.desk.stages),
        "day": entering.day_of(scene.tournament),
    }
    status = refused.status if refused else 200
    return render(request, "league/deck_register.html", context, status=status)


def _register(scene: Scene, entry: Entry, text: str) -> None:
    """Register what was typed: a list where the game reads lists, else JSON or a table."""
    ruleset = rules.get(scene.tournament.ruleset)
    if not text.strip():
        services.register_deck(by=scene.actor, entry=entry)
    elif decks.is_list(ruleset, text):
        services.register_deck(by=scene.actor, entry=entry, text=text)
    else:
        services.register_deck(by=scene.actor, entry=entry, deck=decks.read(ruleset, text))
