"""Leagues by hand; desks through the same services as anybody.

What is typed here is what stands around a desk. What happened at one is only to be looked at, and
is recorded by actions that end in the services: nothing writes a projected row by hand.
"""

from typing import Any
from uuid import uuid4

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from league import desks, notices, policy, services
from league.models import (
    Circuit,
    Division,
    Entry,
    Krewe,
    League,
    Membership,
    Pairing,
    PairingLetter,
    Penalty,
    Prize,
    Qualifier,
    Sanction,
    Season,
    StagePlan,
    Standing,
    Tournament,
    Venue,
)
from matches.admin import ReadOnly
from matches.errors import Refused
from matches.policy import actor_of
from rules.desk.acts import (
    CheckedIn,
    Dropped,
    ResultsHeld,
    ResultsShown,
    Returned,
    RoundClosed,
    RoundPublished,
    TimeCalled,
    TournamentClosed,
)
from rules.desk.state import open_round
from rules.ruleset import Act


class MembershipInline(admin.StackedInline):
    model = Membership
    fk_name = "league"
    extra = 0
    fields = ["player", "role"]
    raw_id_fields = ["player"]


class DivisionInline(admin.StackedInline):
    model = Division
    extra = 0


class QualifierInline(admin.StackedInline):
    model = Qualifier
    extra = 0
    raw_id_fields = ["tournament"]


class StagePlanInline(ReadOnly, admin.TabularInline):
    model = StagePlan
    extra = 0


class PrizeInline(admin.StackedInline):
    model = Prize
    extra = 0
    fields = ["place", "amount", "line", "given_at"]
    readonly_fields = ["given_at"]


@admin.register(Venue)
class VenueAdmin(admin.ModelAdmin):
    list_display = ["name", "region", "keeper"]
    search_fields = ["name", "region"]
    raw_id_fields = ["keeper"]


@admin.register(League)
class LeagueAdmin(admin.ModelAdmin):
    list_display = ["name", "game", "venue", "is_open", "created_at"]
    list_filter = ["game", "is_open"]
    search_fields = ["name"]
    list_select_related = ["venue"]
    inlines = [MembershipInline]


@admin.register(Season)
class SeasonAdmin(admin.ModelAdmin):
    list_display = ["name", "league", "starts_on", "ends_on"]
    list_filter = ["league"]
    list_select_related = ["league"]
    search_fields = ["name"]
    raw_id_fields = ["previous"]
    inlines = [DivisionInline]


@admin.register(Circuit)
class CircuitAdmin(admin.ModelAdmin):
    list_display = ["name", "season", "best", "direct", "by_ranking", "final"]
    list_select_related = ["season", "final"]
    raw_id_fields = ["final"]
    inlines = [QualifierInline]


@admin.register(Krewe)
class KreweAdmin(admin.ModelAdmin):
    list_display = ["name", "league", "captain"]
    list_select_related = ["league", "captain"]
    raw_id_fields = ["captain", "players"]


@admin.register(Sanction)
class SanctionAdmin(admin.ModelAdmin):
    """Bans and exiles. What was given is lifted, never edited away."""

    list_display = ["player", "league", "kind", "starts_on", "ends_on", "lifted_on"]
    list_filter = ["kind", "league"]
    list_select_related = ["player", "league"]
    raw_id_fields = ["player"]
    readonly_fields = ["given_by", "lifted_on"]
    actions = ["lift"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        if obj is None:
            return ["given_by", "lifted_on"]
        return [field.name for field in Sanction._meta.fields]

    def save_model(self, request: HttpRequest, obj: Sanction, form: Any, change: bool) -> None:
        obj.given_by = actor_of(request).player
        super().save_model(request, obj, form, change)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description="Lift", permissions=["change"])
    def lift(self, request: HttpRequest, sanctions: QuerySet[Sanction]) -> None:
        for each in sanctions:
            _tried(
                request,
                str(each),
                lambda each=each: services.lift(by=actor_of(request), sanction=each),
            )


def _tried(request: HttpRequest, what: str, work: Any) -> None:
    """Do something by a service and say what came of it."""
    try:
        work()
    except Refused as refused:
        messages.error(request, f"{what}: {refused.detail}")
    else:
        messages.success(request, f"{what}: done.")


@admin.register(Tournament)
class TournamentAdmin(admin.ModelAdmin):
    """What stands around a desk is edited; each action records an act at it."""

    list_display = ["title", "league", "starts_at", "closed_at", "page"]
    list_filter = ["league", "ruleset", "visibility"]
    list_select_related = ["league"]
    search_fields = ["title", "code"]
    fields = [
        *("title", "about", "venue", "cost_class", "timezone", "starts_at", "visibility"),
        *("decks", "decks_shown", "sign_up", "self_report", "round_minutes"),
        *("code", "league", "season", "division", "ruleset", "options", "enters", "opener"),
        *("created_at", "closed_at", "page"),
    ]
    readonly_fields = [
        *("code", "league", "season", "division", "ruleset", "options", "enters", "opener"),
        *("created_at", "closed_at", "page"),
    ]
    inlines = [StagePlanInline, PrizeInline]
    actions = ["pair", "publish", "call_time", "close_round", "hold", "show", "close", "award"]

    @admin.display(description="Page")
    def page(self, tournament: Tournament) -> SafeString:
        return format_html('<a href="{}">Open</a>', tournament.get_absolute_url())

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        shown = policy.visible_tournaments(actor_of(request))
        return super().get_queryset(request).filter(pk__in=shown.values("pk"))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # opened on its own page, where its log begins

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # its log stays

    def _each(self, request: HttpRequest, chosen: QuerySet[Tournament], act: Any) -> None:
        """Record an act at each desk; `act` makes it of the number of the open round."""
        for tournament in chosen.select_related("log"):

            def work(tournament: Tournament = tournament) -> None:
                number = open_round(desks.desk_of(tournament))
                services.record(
                    tournament=tournament, by=actor_of(request), act_id=uuid4(), act=act(number)
                )

            _tried(request, str(tournament), work)

    @admin.action(description="Pair the next round", permissions=["change"])
    def pair(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        for tournament in chosen.select_related("log"):

            def work(tournament: Tournament = tournament) -> None:
                services.pair(tournament=tournament, by=actor_of(request), act_id=uuid4())

            _tried(request, str(tournament), work)

    @admin.action(description="Publish the round", permissions=["change"])
    def publish(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._each(request, chosen, lambda number: RoundPublished(round=number))

    @admin.action(description="Call time", permissions=["change"])
    def call_time(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._each(request, chosen, lambda number: TimeCalled(round=number))

    @admin.action(description="Close the round", permissions=["change"])
    def close_round(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._each(request, chosen, lambda number: RoundClosed(round=number))

    @admin.action(description="Hold results back from this round on", permissions=["change"])
    def hold(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._each(request, chosen, lambda number: ResultsHeld(round=max(number, 1)))

    @admin.action(description="Show all results", permissions=["change"])
    def show(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._each(request, chosen, lambda number: ResultsShown())

    @admin.action(description="Close the tournament", permissions=["change"])
    def close(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._each(request, chosen, lambda number: TournamentClosed())

    @admin.action(description="Give the prizes", permissions=["change"])
    def award(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        for tournament in chosen.select_related("log"):

            def work(tournament: Tournament = tournament) -> None:
                services.award(by=actor_of(request), tournament=tournament)

            _tried(request, str(tournament), work)


class OfTournament(ReadOnly, admin.ModelAdmin):
    """Rows of the tournaments one may see, only to be looked at."""

    to_tournament = "tournament"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        shown = policy.visible_tournaments(actor_of(request)).values("pk")
        return super().get_queryset(request).filter(**{f"{self.to_tournament}__in": shown})


@admin.register(Entry)
class EntryAdmin(OfTournament):
    """Who takes part. Its actions record at the desk."""

    list_display = ["__str__", "tournament", "number", "status", "checked_in", "place"]
    list_filter = ["status", "checked_in"]
    list_select_related = ["tournament", "player", "character", "krewe"]
    search_fields = ["player__name", "character__name", "tournament__title"]
    exclude = ["deck", "deck_text", "deck_problems"]
    actions = ["check_in", "drop", "bring_back"]

    def _each(self, request: HttpRequest, chosen: QuerySet[Entry], kind: type[Act]) -> None:
        for entry in chosen.select_related("tournament__log"):

            def work(entry: Entry = entry) -> None:
                number = desks.number_of(desks.desk_of(entry.tournament), entry) or entry.number
                act = kind(entrant=number or 0)
                services.record(
                    tournament=entry.tournament, by=actor_of(request), act_id=uuid4(), act=act
                )

            _tried(request, str(entry), work)

    @admin.action(description="Check in", permissions=["view"])
    def check_in(self, request: HttpRequest, chosen: QuerySet[Entry]) -> None:
        self._each(request, chosen, CheckedIn)

    @admin.action(description="Drop", permissions=["view"])
    def drop(self, request: HttpRequest, chosen: QuerySet[Entry]) -> None:
        self._each(request, chosen, Dropped)

    @admin.action(description="Bring back", permissions=["view"])
    def bring_back(self, request: HttpRequest, chosen: QuerySet[Entry]) -> None:
        self._each(request, chosen, Returned)


@admin.register(Pairing)
class PairingAdmin(OfTournament):
    to_tournament = "round__tournament"
    list_display = ["__str__", "round", "status", "changed", "corrected"]
    list_filter = ["status"]
    list_select_related = ["round__tournament"]


@admin.register(Standing)
class StandingAdmin(OfTournament):
    list_display = ["tournament", "round", "place", "entry", "points"]
    list_select_related = [
        *("tournament", "entry__player", "entry__character", "entry__krewe"),
    ]


@admin.register(PairingLetter)
class PairingLetterAdmin(OfTournament):
    """Letters about pairings: what went out, and why the rest did not."""

    list_display = ["__str__", "sent", "sent_at", "attempts", "error"]
    list_select_related = ["tournament", "player"]
    exclude = ["wanted", "settled"]
    actions = ["try_again"]

    @admin.action(description="Try again", permissions=["view"])
    def try_again(self, request: HttpRequest, chosen: QuerySet[PairingLetter]) -> None:
        notices.try_again(chosen)
        messages.success(request, "They are sent within a minute.")


@admin.register(Penalty)
class PenaltyAdmin(OfTournament):
    """The disciplinary record, for those who discipline."""

    list_display = ["entry", "tournament", "infraction", "penalty", "demerits", "given_at"]
    list_filter = ["infraction", "penalty"]
    list_select_related = [
        *("tournament", "entry__player", "entry__character", "entry__krewe"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Penalty]:
        rows = super().get_queryset(request)
        actor = actor_of(request)
        known = {
            tournament.pk
            for tournament in Tournament.objects.filter(pk__in=rows.values("tournament"))
            if policy.may_rule(actor, tournament)
        }
        return rows.filter(tournament__in=known)
