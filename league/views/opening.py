"""Open a tournament, by itself or like another; edit what surrounds its desk; withdraw it."""

from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league import clocks, copying, policy, selectors, services
from league.forms.fields import ZoneField
from league.forms.tournaments import LikeForm, TournamentEditForm, TournamentForm
from league.models import Circuit, League, Season, Tournament, Venue
from league.views.console import official
from matches.actors import Actor, actor_of
from matches.forms import form_status, posted, refusals_in, taken
from matches.pages import number_in, uuid_in
from rules.texts import listed


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def tournament_create(request: HttpRequest) -> HttpResponse:
    """Open a tournament with one stage, or with a cut to a second one; `?like=` another."""
    actor = actor_of(request)
    if code := request.GET.get("like"):
        return _like(request, actor, selectors.tournament_for(actor, code))
    leagues = selectors.leagues_of(actor)
    named = _league_in(request, leagues)
    initial = {"league": named, "game": named.game} if named else {}
    initial |= {"division": number_in(request, "division")}
    initial |= {"circuits": request.GET.getlist("circuit")}
    form = TournamentForm(posted(request), leagues=leagues, initial=initial)
    zone = _zone_to_open_in(request)
    with timezone.override(zone):
        valid = form.is_valid()
    if valid:
        season = _season_of(form, zone)
        with refusals_in(form):
            tournament = services.open_tournament(by=actor, season=season, **form.arguments())
            _tell_circuits(request, tournament)
            return redirect("league:console", tournament.code)
    context = {"form": form}
    return render(request, "league/tournament_create.html", context, status=form_status(request))


def _league_in(request: HttpRequest, leagues: QuerySet[League]) -> League | None:
    """Return the league that an address names, or else the only one there is."""
    if slug := request.GET.get("league", "").replace("\0", ""):
        return leagues.filter(slug=slug).first()
    some = list(leagues[:2])
    return some[0] if len(some) == 1 else None


def _season_of(form: TournamentForm, zone: ZoneInfo) -> Season | None:
    """Return a new tournament's season: its division's, else its league's on the day it begins."""
    cleaned = form.cleaned_data
    if division := cleaned.get("division"):
        season: Season = division.season
        return season
    return selectors.season_in(cleaned["league"], timezone.localdate(cleaned["starts_at"], zone))


def _zone_to_open_in(request: HttpRequest) -> ZoneInfo:
    """Return the zone of a form's times: the one it names, else that of its venue, else UTC."""
    venue = uuid_in(request, "venue") if request.POST.get("venue") else None
    found = Venue.objects.filter(pk=venue).first() if venue else None
    return _zone_in(request, (found.timezone if found else "") or "UTC")


def _like(request: HttpRequest, actor: Actor, former: Tournament) -> HttpResponse:
    """Open a tournament like another, by default the next of a series."""
    policy.require_open_like(actor, former)
    with timezone.override(ZoneInfo(former.timezone)):
        form = LikeForm(posted(request), former=former)
        if form.is_valid():
            with refusals_in(form):
                tournament = services.open_like(by=actor, former=former, **form.arguments())
                _tell_circuits(request, tournament)
                _tell_left(request, former, tournament)
                return redirect("league:console", tournament.code)
        context = {"form": form, "former": former}
        page = "league/tournament_like.html"
        return render(request, page, context, status=form_status(request))


def _tell_circuits(request: HttpRequest, tournament: Tournament) -> None:
    """Say for which circuits a new tournament counts."""
    if joined := Circuit.objects.filter(qualifiers__tournament=tournament):
        text = gettext("It counts for {circuits}.")
        messages.success(request, text.format(circuits=listed([*map(str, joined)])))


def _tell_left(request: HttpRequest, former: Tournament, tournament: Tournament) -> None:
    """Say for which circuits a new tournament does not count, though a former one does."""
    if left := copying.circuits_left(former, tournament):
        text = gettext(
            "It does not count for {circuits}, as {former} does: that takes an organiser of the "
            "circuit, the same season, and a final that has not begun."
        )
        messages.warning(request, text.format(circuits=listed([*map(str, left)]), former=former))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_edit(request: HttpRequest, code: str) -> HttpResponse:
    """Edit the settings around a desk."""
    actor = actor_of(request)
    tournament = selectors.tournament_for(actor, code)
    policy.require_organise(actor, tournament)
    with timezone.override(_zone_in(request, tournament.timezone)):
        form = TournamentEditForm(posted(request), instance=tournament, by=actor)
        if taken(form, services.edit_tournament, by=actor, tournament=tournament):
            messages.success(request, gettext("Kept."))
            return redirect("league:console", code)
        context = {"form": form, "tournament": tournament}
        return render(request, "league/tournament_edit.html", context, status=form_status(request))


def _zone_in(request: HttpRequest, otherwise: str) -> ZoneInfo:
    """Return the time zone of a form's times: the one it names, else another."""
    named = ZoneField().to_python(request.POST.get("timezone"))
    return ZoneInfo(named if named in clocks.zones() else otherwise)


@require_POST
def withdraw(request: HttpRequest, code: str) -> HttpResponse:
    """Withdraw an abandoned tournament from view."""
    actor, tournament = official(request, code)
    services.withdraw(by=actor, tournament=tournament)
    messages.success(request, gettext("It is withdrawn from view."))
    return redirect("league:tournament-list")
