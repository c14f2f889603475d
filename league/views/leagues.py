"""Pages of leagues, seasons, circuits and venues."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league import (
    circuits,
    desk_reads,
    divisions,
    fairness,
    lore,
    policy,
    races,
    ratings,
    selectors,
    services,
)
from league.forms.running import LeagueForm
from league.models import Circuit, Krewe, League, RatingPool, Season, Tournament, Venue
from league.outlooks import CircuitScene
from league.scene import parted_as
from matches import selectors as logged
from matches.actors import Actor, actor_of
from matches.errors import BadInput, Conflict, Refused
from matches.forms import form_status, posted, refusals_in
from matches.models import Log, Player
from matches.pages import act_id_in, number_in, of_results, page_of, uuid_in
from matches.views.matches import listed

PAGE, RATED, LAST = 30, 8, 12


def lines(actor: Actor, tournaments: Sequence[Tournament] | Any) -> list[dict[str, Any]]:
    """Return the lines of tournaments in a list, each as far as the actor may know."""
    found = list(tournaments)
    headlines = desk_reads.headlines(actor, found)
    return [
        {"tournament": t, "headline": text, "is_open": is_open}
        for t, (text, is_open) in zip(found, headlines, strict=True)
    ]


def lines_of(actor: Actor, *lists: Sequence[Tournament]) -> list[list[dict[str, Any]]]:
    """Return the lines of several lists of tournaments, read at once."""
    return parted_as(lists, lines(actor, [each for some in lists for each in some]))


def parted(headed: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the lines of tournaments that are still open, and those closed a moment ago."""
    return (
        [line for line in headed if line["is_open"]],
        [line for line in headed if not line["is_open"]],
    )


@require_safe
def league_list(request: HttpRequest) -> HttpResponse:
    """List the leagues and what is on in them."""
    found = League.objects.select_related("venue")
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    actor = actor_of(request)
    newest = lines(actor, selectors.tournaments_for(actor)[:6])
    return render(request, "league/league_list.html", {"page": page, "lines": newest})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def league_create(request: HttpRequest) -> HttpResponse:
    """Found a league, with the user as organiser."""
    form = LeagueForm(posted(request))
    if form.is_valid():
        with refusals_in(form):
            league = services.found_league(by=actor_of(request), **form.cleaned_data)
            messages.success(
                request,
                gettext("{league} is founded, and you are its organiser.").format(league=league),
            )
            return redirect(league)
    return render(request, "league/league_create.html", {"form": form}, status=form_status(request))


@require_safe
def league_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a league: its season, its circuit's leaders, its tournaments, its officials."""
    return _league(request, slug)


def _league(request: HttpRequest, slug: str, refused: Refused | None = None) -> HttpResponse:
    """Show a league's page; a krewe form that was `refused` keeps its input."""
    league, seasons = selectors.league_and_seasons(slug)
    actor = actor_of(request)
    officials = policy.staff_of(actor, league)
    season = selectors.season_of(seasons, timezone.localdate()) or next(iter(seasons), None)
    circuit, leaders = _leaders(actor, season)
    live = logged.of_status(logged.seen_by(actor), Log.Status.OPEN)
    live = live.filter(table__tournament__league=league).select_related("table__tournament")
    context = {
        "league": league,
        **_programme(actor, selectors.tournaments_for(actor).filter(league=league)),
        "live": still_open(listed(actor, live[:12])),
        "pools": {} if actor.results_off else ratings.best_of(league, RATED),
        "season": season,
        "seasons": seasons,
        "circuit": circuit,
        "leaders": leaders[:8],
        "officials": officials,
        "joined": policy.is_member(actor, league),
        "may_run": policy.may_run(actor, league),
        "may_discipline": policy.may_discipline(actor, league),
        "krewes": league.krewes.select_related("captain"),
        "krewe_name": request.POST.get("name", ""),
        "act_id": request.POST.get("act_id") or uuid4(),
    }
    return page_of(request, "league/league_detail.html", context, refused)


def _programme(actor: Actor, tournaments: QuerySet[Tournament]) -> dict[str, Any]:
    """Return the lines of tournaments under way, of those to come, and of the last played."""
    on, soon, played = lines_of(actor, *selectors.on_next_and_played(tournaments, LAST))
    under_way, ended = parted(on)
    to_come, off = parted(soon)
    return {"on": under_way, "soon": to_come, "lines": [*ended, *off, *played]}


def _leaders(
    actor: Actor, season: Season | None
) -> tuple[Circuit | None, list[circuits.RankingRow]]:
    """Return a season's first circuit and its table; no table with results off."""
    if season is None:
        return None, []
    return (season.circuits.first(), []) if actor.results_off else circuits.first_of(season, actor)


@require_safe
def rating_list(request: HttpRequest, slug: str, game: str) -> HttpResponse:
    """List everybody rated in a league at a game, best first; nobody with results off."""
    league = selectors.league_for(slug)
    get_object_or_404(RatingPool, league=league, game=game)
    found = ratings.best_first(game, league)
    rated = found.none() if actor_of(request).results_off else found
    page = Paginator(rated, PAGE).get_page(request.GET.get("page"))
    return render(
        request, "league/rating_list.html", {"league": league, "game": game, "page": page}
    )


def still_open(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out matches whose end has just become public."""
    return [line for line in listed if line["head"].status == Log.Status.OPEN]


@require_POST
@login_required
def league_join(request: HttpRequest, slug: str) -> HttpResponse:
    """Join a league as a player."""
    league = selectors.league_for(slug)
    services.join(by=actor_of(request), league=league)
    messages.success(request, gettext("You play in {name} now.").format(name=league.name))
    return redirect(league)


@require_POST
@login_required
def krewe_create(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a krewe in a league."""
    league = selectors.league_for(slug)
    name = request.POST.get("name", "").strip()
    try:
        act_id = act_id_in(request)
        krewe = services.make_krewe(by=actor_of(request), league=league, name=name, act_id=act_id)
    except (BadInput, Conflict) as refused:
        return _league(request, slug, refused)
    messages.success(
        request, gettext("You are captain of {krewe} now. Say who is in it.").format(krewe=krewe)
    )
    return redirect(krewe)


def _change_krewe(request: HttpRequest, actor: Actor, krewe: Krewe) -> Krewe | League:
    """Do what a krewe's form asks, and return what to show next. Raises: Refused."""
    if request.POST.get("do") == "remove":
        services.remove_krewe(by=actor, krewe=krewe)
        return krewe.league
    player = get_object_or_404(Player, pk=uuid_in(request, "player"))
    match request.POST.get("do"):
        case "leave":
            services.leave_krewe(by=actor, krewe=krewe, player=player)
        case "captain":
            services.edit_krewe(by=actor, krewe=krewe, captain=player)
        case _:
            services.add_to_krewe(by=actor, krewe=krewe, player=player)
    return krewe


@require_http_methods(["GET", "HEAD", "POST"])
def krewe_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a krewe; its captain and organisers manage it, and players can leave."""
    actor = actor_of(request)
    krewe = selectors.krewe_for(pk)
    refused = None
    if request.method == "POST":
        policy.require_make(actor)
        try:
            return redirect(_change_krewe(request, actor, krewe))
        except Refused as error:
            refused = error
    players = list(krewe.players.order_by("name", "pk"))
    others = Player.objects.filter(memberships__league=krewe.league).exclude(
        pk__in=[player.pk for player in players]
    )
    entered = selectors.tournaments_for(actor).filter(entries__krewe=krewe)
    may_lead = policy.may_lead(actor, krewe)
    context = {
        "krewe": krewe,
        "league": krewe.league,
        "players": players,
        "may_lead": may_lead,
        "may_remove": may_lead and not krewe.entries.exists(),
        "me": actor.player,
        "others": others.distinct().order_by("name", "pk"),
        "lines": lines(actor, entered[:12]),
    }
    return page_of(request, "league/krewe_detail.html", context, refused)


@require_safe
def season_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a season: its tournaments in order, divisions, circuits, and how its spins fell."""
    known = Season.objects.select_related("league", "previous", "following")
    season, actor = get_object_or_404(known, pk=pk), actor_of(request)
    played = selectors.tournaments_for(actor).filter(season=season)
    day = Coalesce("starts_at", "created_at")  # as the line of each says
    played = played.select_related("division").order_by(day, "pk")
    tables = [] if actor.results_off else divisions.division_tables(season, actor)
    deciding = [division.play_off_in for division, _ in tables if division.play_off_in]
    context = {
        "season": season,
        "following": getattr(season, "following", None),
        "lines": lines(actor, played),
        "divisions": tables,
        "deciding": [each for each in deciding if policy.may_see(actor, each)],
        "circuits": season.circuits.all(),
        "may_run": policy.may_run(actor, season.league),
        "tallies": fairness.spins_of(actor, season),
    }
    return render(request, "league/season_detail.html", context)


@require_safe
@of_results
def circuit_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a circuit's race, as of any of its tournaments, and who is in the final.

    `?race=all` draws everybody, not only the leaders. `?so_far=1` counts the tournament under way
    as it stands.
    """
    found = Circuit.objects.select_related("season__league", "final__log")
    found = found.prefetch_related("adjustments")
    circuit = get_object_or_404(found, pk=pk)
    actor = actor_of(request)
    after, so_far = number_in(request, "after"), request.GET.get("so_far") == "1"
    scene = CircuitScene(circuit, actor, after, so_far=so_far)
    shown = scene.qualifiers[: scene.after]
    everybody = request.GET.get("race") == "all"
    context = {
        "circuit": circuit,
        "rule": circuits.sentence(circuit),
        "qualifiers": scene.qualifiers,
        "after": scene.after,
        "rows": [
            (row, [row.of(each) for each in shown], scene.outlooks.get(row.player.pk))
            for row in scene.rows
        ],
        "ranking": scene.rows,
        "shown": shown,
        "race": races.of(circuit, scene.endings, everybody=everybody),
        "everybody": everybody,
        "qualified": scene.qualified,
        "outlook": scene.outlooks.get(actor.player.pk) if actor.player else None,
        "played": any(each.tournament.closed_at for each in scene.qualifiers),
        "settled": all(each.tournament.closed_at for each in scene.every),
        "mine": next((row for row in scene.rows if row.player == actor.player), None),
        "may_run": policy.may_run(actor, circuit.season.league),
        "final": scene.final,
        "next_up": scene.next_up,
        "on_now": scene.on_now,
        "so_far": scene.so_far,
        "asked_so_far": so_far and after is None,
    }
    return render(request, "league/circuit_detail.html", context)


@require_safe
def venue_list(request: HttpRequest) -> HttpResponse:
    """List the venues."""
    page = Paginator(Venue.objects.all(), PAGE).get_page(request.GET.get("page"))
    return render(request, "league/venue_list.html", {"page": page})


@require_safe
def venue_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a venue: its description, and what is, will be and was played there."""
    venue = selectors.venue_for(slug)
    actor = actor_of(request)
    context = {
        "venue": venue,
        "place": lore.place_of(venue),
        **_programme(actor, selectors.tournaments_for(actor).filter(venue=venue)),
        "leagues": venue.leagues.all(),
        "may_keep": policy.may_keep(actor, venue),
    }
    return render(request, "league/venue_detail.html", context)
