"""Pages to run a league: its text, seasons with divisions, circuits, venues, bans."""

from copy import copy
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league import (
    adjusting,
    discipline,
    finals,
    known,
    policy,
    removing,
    seasons,
    selectors,
    services,
    texts,
)
from league.forms.running import (
    AdjustmentForm,
    CircuitEditForm,
    DivisionEditForm,
    DivisionForm,
    DivisionPlayerForm,
    LeagueEditForm,
    NewCircuitForm,
    NewSeasonForm,
    NewVenueForm,
    QualifierForm,
    SanctionForm,
    SeasonForm,
    VenueForm,
)
from league.models import Circuit, Division, League, Qualifier, Season, Venue
from matches.actors import Actor, actor_of
from matches.forms import form_status, posted, taken
from matches.models import Player


def _sent(request: HttpRequest, do: str) -> QueryDict | None:
    """Return the data sent to the one of a page's two forms that `do` names, else None."""
    return posted(request) if request.POST.get("do", "edit") == do else None


def _saved(request: HttpRequest, to: Any) -> HttpResponse:
    messages.success(request, gettext("Kept."))
    return redirect(to)


# -- the league ---------------------------------------------------------------------------


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def league_run(request: HttpRequest, slug: str) -> HttpResponse:
    """Show everything an organiser does for a league, and edit its description."""
    league, actor = selectors.league_for(slug), actor_of(request)
    policy.require_run(actor, league)
    form = LeagueEditForm(posted(request), instance=copy(league))
    if taken(form, services.edit_league, by=actor, league=copy(league)):
        return _saved(request, request.path)
    context = {
        "league": league,
        "form": form,
        "seasons": league.seasons.prefetch_related("circuits", "divisions"),
        "venues": policy.kept_by(actor),
    }
    return render(request, "league/league_run.html", context, status=form_status(request))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def record_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a league's disciplinary record to those who may see it; organisers can ban there."""
    league, actor = selectors.league_for(slug), actor_of(request)
    policy.require_discipline(actor, league)
    may_run = policy.may_run(actor, league)
    if request.method == "POST":
        policy.require_run(actor, league)
    players = known.of_league(league)
    form = SanctionForm(posted(request), players=players) if may_run else None
    if form and taken(form, services.sanction, by=actor, league=league):
        return _saved(request, request.path)
    context = {"league": league, "record": discipline.record_for(actor, league), "form": form}
    return render(request, "league/record_list.html", context, status=form_status(request))


@require_POST
def sanction_lift(request: HttpRequest, slug: str, sanction: int) -> HttpResponse:
    """Lift a ban or an exile."""
    league = selectors.league_for(slug)
    policy.require_run(actor_of(request), league)
    found = get_object_or_404(league.sanctions.select_related("league", "player"), pk=sanction)
    over, today = found.lifted_on is not None, timezone.localdate()
    services.lift(by=actor_of(request), sanction=found)
    if over:
        message = gettext("It was lifted already.")
    elif any(each.holds_on(today) for each in league.sanctions.filter(player=found.player)):
        message = gettext("It is lifted. {player} is still kept out by another.")
    else:
        message = gettext("{player} may enter again.")
    messages.success(request, message.format(player=found.player))
    return redirect("league:record-list", league.slug)


# -- seasons and divisions ----------------------------------------------------------------


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def season_create(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin a season of a league, on its own or following another (`?previous=`)."""
    league, actor = selectors.league_for(slug), actor_of(request)
    policy.require_run(actor, league)
    initial = {"previous": request.GET.get("previous")}
    form = NewSeasonForm(posted(request), league=league, initial=initial)
    if taken(form, _begin, by=actor, league=league):
        season = league.seasons.get(name=texts.name(form.cleaned_data["name"]))
        return _saved(request, season.get_absolute_url())
    return _form(request, form, gettext("Start a season"), league=league)


def _begin(
    *,
    by: Actor,
    league: League,
    divisions: list[str],
    previous: Season | None = None,
    **fields: Any,
) -> None:
    """Open a season, or roll another over into it. Raises: as those do."""
    if previous is None:
        services.open_season(by=by, league=league, divisions=divisions, **fields)
        return
    # idempotent already: a season has one successor
    about, _ = fields.pop("about"), fields.pop("act_id")
    season = services.roll_over(by=by, season=previous, **fields)
    services.edit_season(by=by, season=season, about=about)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def season_edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Edit a season, and add divisions to it."""
    season, actor = _season(pk), actor_of(request)
    policy.require_run(actor, season.league)
    form = SeasonForm(_sent(request, "edit"), instance=copy(season))
    free = seasons.free_level(season)
    adding = DivisionForm(_sent(request, "add"), prefix="new", initial={"level": free})
    if taken(form, services.edit_season, by=actor, season=copy(season)):
        return _saved(request, request.path)
    if taken(adding, services.add_division, by=actor, season=season):
        return _saved(request, request.path)
    context = {
        "season": season,
        "league": season.league,
        "form": form,
        "adding": adding,
        "divisions": season.divisions.order_by("level"),
        "circuits": season.circuits.all(),
        "may_remove": not removing.is_in_use(season),
    }
    return render(request, "league/season_edit.html", context, status=form_status(request))


def _season(pk: UUID) -> Season:
    return get_object_or_404(Season.objects.select_related("league"), pk=pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def division_edit(request: HttpRequest, division: int) -> HttpResponse:
    """Edit a division; say who plays there or has left; give points or take some."""
    kept = get_object_or_404(Division.objects.select_related("season__league"), pk=division)
    actor, season = actor_of(request), kept.season
    policy.require_run(actor, season.league)
    form = DivisionEditForm(_sent(request, "edit"), instance=copy(kept))
    players = known.of_league(season.league)
    placing = DivisionPlayerForm(_sent(request, "place"), players=players, prefix="new")
    giving = _adjustment_form(request, kept)
    if taken(form, services.edit_division, by=actor, division=copy(kept)):
        return _saved(request, _at("season", season))
    if taken(placing, services.place, by=actor, division=kept):
        return _saved(request, season)
    if giving and taken(giving, services.adjust, by=actor, within=kept):
        return _saved(request, season)
    about: dict[str, Any] = {
        "league": season.league,
        "season": season,
        "thing": kept,
        "kind": "division",
        "placing": placing,
        "giving": giving,
    }
    return _form(request, form, gettext("Change the division"), **about)


def _adjustment_form(request: HttpRequest, within: Division | Circuit) -> AdjustmentForm | None:
    """Return the form that gives points to somebody in the table or takes some, if anybody is."""
    there = [player.pk for player in adjusting.players_of(within)]
    players = Player.objects.filter(pk__in=there)
    form = AdjustmentForm(_sent(request, "adjust"), players=players, prefix="adjust")
    return form if there else None


# -- circuits -----------------------------------------------------------------------------


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def circuit_create(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Create a circuit in a season."""
    season, actor = _season(pk), actor_of(request)
    policy.require_run(actor, season.league)
    form = NewCircuitForm(posted(request))
    if taken(form, services.open_circuit, by=actor, season=season):
        made = season.circuits.get(name=texts.name(form.cleaned_data["name"]))
        return _saved(request, _at("circuit", made))
    about: dict[str, Any] = {"league": season.league, "season": season}
    return _form(request, form, gettext("Make a circuit"), **about)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def circuit_edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Edit how a circuit counts, and add qualifiers to it; give points or take some."""
    found = Circuit.objects.select_related("season__league", "final__log")
    circuit = get_object_or_404(found, pk=pk)
    actor, league = actor_of(request), circuit.season.league
    policy.require_run(actor, league)
    form = CircuitEditForm(_sent(request, "edit"), instance=copy(circuit))
    adding = QualifierForm(_sent(request, "add"), circuit=circuit, prefix="new")
    if taken(form, _change_circuit, by=actor, circuit=copy(circuit)):
        return _saved(request, request.path)
    giving = _adjustment_form(request, circuit)
    if taken(adding, services.add_qualifier, by=actor, circuit=circuit):
        return _saved(request, request.path)
    if giving and taken(giving, services.adjust, by=actor, within=circuit):
        return _saved(request, circuit)
    context = {
        "circuit": circuit,
        "season": circuit.season,
        "league": league,
        "form": form,
        "adding": adding,
        "giving": giving,
        "qualifiers": circuit.qualifiers.select_related("tournament"),
        "may_remove": not removing.is_in_use(circuit),
        "begun": finals.has_begun(circuit),
    }
    return render(request, "league/circuit_edit.html", context, status=form_status(request))


def _change_circuit(*, by: Actor, circuit: Circuit, final: Any, **fields: Any) -> None:
    with transaction.atomic():
        services.edit_circuit(by=by, circuit=circuit, **fields)
        services.name_final(by=by, circuit=circuit, tournament=final)


# -- venues -------------------------------------------------------------------------------


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def venue_create(request: HttpRequest) -> HttpResponse:
    """Open a venue, with the user as keeper."""
    form = NewVenueForm(posted(request))
    if taken(form, services.open_venue, by=actor_of(request)):
        return _saved(request, "league:venue-list")
    return _form(request, form, gettext("Add a venue"))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def venue_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Edit a venue's description."""
    venue, actor = selectors.venue_for(slug), actor_of(request)
    policy.require_keep(actor, venue)
    form = VenueForm(posted(request), instance=copy(venue))
    if taken(form, services.edit_venue, by=actor, venue=copy(venue)):
        return _saved(request, venue)
    return _form(request, form, gettext("Change the venue"), thing=venue, kind="venue")


# -- what they share ----------------------------------------------------------------------


def _form(
    request: HttpRequest,
    form: forms.BaseForm,
    title: str,
    *,
    thing: Venue | Division | None = None,
    **about: Any,
) -> HttpResponse:
    """Show a page with one form; a `thing` of some `kind` can be removed if nothing belongs to
    it."""
    context = {
        "form": form,
        "title": title,
        "thing": thing,
        "may_remove": thing is not None and not removing.is_in_use(thing),
        **about,
    }
    return render(request, "league/run_form.html", context, status=form_status(request))


def _at(kind: str, thing: Season | Circuit) -> str:
    return reverse(f"league:{kind}-edit", args=[thing.pk])


@require_POST
def thing_remove(request: HttpRequest, model: type[Any], **key: Any) -> HttpResponse:
    """Remove what was made by mistake, as long as nothing belongs to it."""
    thing, actor = get_object_or_404(model, **key), actor_of(request)
    above = _above(thing, actor)
    services.remove(by=actor, thing=thing)
    messages.success(request, gettext("{thing} is removed.").format(thing=thing))
    return redirect(above)


def _above(thing: Any, actor: Actor) -> str:
    """Return the address of the page from which an actor reaches a thing."""
    match thing:
        case Season():
            return reverse("league:league-run", args=[thing.league.slug])
        case Division() | Circuit():
            return _at("season", thing.season)
        case Qualifier() if policy.may_run(actor, thing.circuit.season.league):
            return _at("circuit", thing.circuit)
        case Qualifier():
            return reverse("league:tournament-rules", args=[thing.tournament.code])
    return reverse("league:venue-list")
