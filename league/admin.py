"""Leagues by hand; desks through the same services as anybody.

What is typed here is what stands around a desk. What happened at one is only to be looked at, and
is recorded by actions that end in the services: nothing writes a projected row by hand.
"""

from typing import Any
from uuid import uuid4

from django import forms
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
    """Roles are given and taken, each by its service; none is changed into another."""

    model = Membership
    fk_name = "league"
    extra = 0
    fields = ["player", "role"]
    raw_id_fields = ["player"]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


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
    """What is promised stays promised."""

    model = Prize
    extra = 0
    fields = ["place", "amount", "line", "given_at"]
    readonly_fields = ["given_at"]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


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

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Give and take roles as everywhere."""
        by = actor_of(request)
        for member in formset.save(commit=False):
            services.name_member(
                by=by, league=member.league, player=member.player, role=member.role
            )
        for member in formset.deleted_objects:
            services.dismiss(by=by, member=member)
        formset.save_m2m()


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
    readonly_fields = ["starts_on", "given_by", "lifted_on"]
    actions = ["lift"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return self.readonly_fields
        return [field.name for field in Sanction._meta.fields]

    def save_model(self, request: HttpRequest, obj: Sanction, form: Any, change: bool) -> None:
        if not change:
            obj.pk = services.sanction(by=actor_of(request), **form.cleaned_data).pk

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

    def save_model(self, request: HttpRequest, obj: Tournament, form: Any, change: bool) -> None:
        changes = {name: form.cleaned_data[name] for name in form.changed_data}
        if changes:
            kept = Tournament.objects.select_related("log").get(pk=obj.pk)
            services.edit_tournament(by=actor_of(request), tournament=kept, **changes)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Promise prizes as everywhere."""
        for prize in formset.save(commit=False):
            services.promise_prize(
                by=actor_of(request),
                tournament=prize.tournament,
                place=prize.place,
                amount=prize.amount,
                line=prize.line,
            )

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


class EntryForm(forms.ModelForm):
    """Who enters: a player, with a character or not, a krewe, or a guest by name."""

    guest = forms.CharField(label="Or a guest by name", max_length=80, required=False)

    class Meta:
        model = Entry
        fields = ["tournament", "player", "character", "krewe"]

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or {}
        if sum(bool(said.get(name)) for name in ("player", "krewe", "guest")) != 1:
            raise forms.ValidationError("Name a player, a krewe or a guest.")
        return said


@admin.register(Entry)
class EntryAdmin(OfTournament):
    """Who takes part. Adding one and every action record at the desk."""

    raw_id_fields = ["tournament", "player", "character", "krewe"]

    list_display = ["__str__", "tournament", "number", "status", "checked_in", "place"]
    list_filter = ["status", "checked_in"]
    list_select_related = ["tournament", "player", "character", "krewe"]
    search_fields = ["player__name", "character__name", "tournament__title"]
    exclude = ["deck", "deck_text", "deck_problems"]
    actions = ["check_in", "drop", "bring_back"]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return (
            [*EntryForm.Meta.fields, "guest"] if obj is None else super().get_fields(request, obj)
        )

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        if obj is None:
            kwargs["form"] = EntryForm
        return super().get_form(request, obj, change, **kwargs)

    def save_model(self, request: HttpRequest, obj: Entry, form: Any, change: bool) -> None:
        said = dict(form.cleaned_data)
        name = said.pop("guest")
        entered = services.enter(by=actor_of(request), act_id=uuid4(), name=name, **said)
        obj.pk, obj.number = entered.pk, entered.number

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
