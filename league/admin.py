"""Leagues by hand; desks through the same services as anybody.

What is typed here is what stands around a desk. What happened at one is only to be looked at, and
is recorded by actions that end in the services: nothing writes a projected row by hand.
"""

from typing import Any, TypeVar
from uuid import uuid4

from django import forms
from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from league import delivering, desks, policy, post, services, webhooks
from league.forms_running import CircuitForm
from league.models import (
    Attempt,
    Circuit,
    Delivery,
    Division,
    Entry,
    Krewe,
    League,
    Membership,
    Pairing,
    PairingLetter,
    Penalty,
    PlaceText,
    PlaceTextVersion,
    Prize,
    Qualifier,
    Reminder,
    RoundDate,
    Sanction,
    Season,
    StagePlan,
    Standing,
    Tournament,
    Venue,
    Webhook,
)
from league.removing import belonging
from matches.admin import EventAdmin, Helped, HelpedRows, ReadOnly
from matches.errors import Refused
from matches.models import Event
from matches.picking import Picking
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

Row = TypeVar("Row", bound=Model)
VENUE = ("name", "region", "about", "lore")
DIVISION = ("name", "level", "up", "down")
QUALIFIER = ("tournament", "tier", "direct")


class MembershipInline(HelpedRows):
    """Roles are given and taken, each by its service; none is changed into another."""

    model = Membership
    fk_name = "league"
    extra = 0
    fields = ["player", "role"]
    autocomplete_fields = ["player"]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class DivisionInline(HelpedRows):
    model = Division
    extra = 0
    fields = DIVISION
    help_texts = {
        "level": gettext_lazy("1 is the highest."),
        "up": gettext_lazy("So many go up at the season's end."),
        "down": gettext_lazy("So many go down at the season's end."),
    }


class QualifierForm(forms.ModelForm):
    """What a tournament counts may change; which one it is does not."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["tournament"].disabled = self.instance.pk is not None


class QualifierInline(HelpedRows):
    model = Qualifier
    form = QualifierForm
    extra = 0
    fields = QUALIFIER
    autocomplete_fields = ["tournament"]
    help_texts = {
        "tier": gettext_lazy("Its points are multiplied by this."),
        "direct": gettext_lazy("Places it gives in the final; empty for the circuit's own number."),
    }


class StagePlanInline(ReadOnly, admin.TabularInline):
    model = StagePlan
    extra = 0


class PrizeInline(HelpedRows):
    """What is promised stays promised."""

    model = Prize
    extra = 0
    fields = ["place", "amount", "line", "given_at"]
    readonly_fields = ["given_at"]
    help_texts = {
        "amount": gettext_lazy("In hard currency, to the winner's character."),
        "line": gettext_lazy("A piece of gear as a sheet has it: Superior Green Frontgear."),
    }

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class Removed(Helped):
    """What was made by mistake is removed by the service, as long as nothing belongs to it.

    What does is listed in the way of removing it. `fixed` are the fields said when one is made,
    and never after.
    """

    fixed: tuple[str, ...] = ()

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [*self.readonly_fields, *(self.fixed if obj else ())]

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Return what would go with some rows, and as protected all that belongs to them."""
        listed, counts, lacking, protected = super().get_deleted_objects(objs, request)
        held = [str(each) for one in objs for each in belonging(one)]
        return listed, counts, lacking, [*protected, *held]

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        services.remove(by=actor_of(request), thing=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        with transaction.atomic():
            for each in queryset:
                self.delete_model(request, each)


def _kept(obj: Row) -> Row:
    """Return a row as it is kept, without what was typed."""
    return type(obj)._default_manager.get(pk=obj.pk)


def _changes(form: Any) -> dict[str, Any]:
    """Return what was typed anew, by field."""
    return {name: form.cleaned_data[name] for name in form.changed_data}


@admin.register(Venue)
class VenueAdmin(Removed):
    """Who opens a venue keeps it, and may hand it to another keeper."""

    list_display = ["name", "region", "keeper"]
    search_fields = ["name", "region"]
    help_texts = {
        "region": gettext_lazy("Where it lies, in words: Luna, the far side."),
        "lore": gettext_lazy("What the worlds tell of it, in the game's own time."),
        "keeper": gettext_lazy("A player who may edit its page."),
    }
    autocomplete_fields = ["keeper"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return [*VENUE, "keeper"] if obj else VENUE

    def save_model(self, request: HttpRequest, obj: Venue, form: Any, change: bool) -> None:
        by = actor_of(request)
        if change:
            services.edit_venue(by=by, venue=_kept(obj), **_changes(form))
        else:
            obj.pk = services.open_venue(by=by, **form.cleaned_data).pk


class PlaceTextVersionInline(ReadOnly, admin.StackedInline):
    model = PlaceTextVersion
    fk_name = "of"
    extra = 0
    fields = [
        *("version", "at", "by", "title", "text", "when", "calendar", "audience", "is_removed"),
    ]
    readonly_fields = ["at"]


@admin.register(PlaceText)
class PlaceTextAdmin(ReadOnly, admin.ModelAdmin):
    """Texts about places with all they ever said; on the place's page they are changed."""

    list_display = ["title", "place", "league", "audience", "when", "is_removed"]
    list_filter = ["place", "audience", "is_removed", "league"]
    search_fields = ["title", "league__name"]
    list_select_related = ["league"]
    inlines = [PlaceTextVersionInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[PlaceText]:
        """Return those that one may change, with what they said before."""
        actor, rows = actor_of(request), super().get_queryset(request)
        if policy.is_superuser(actor):
            return rows
        return rows.filter(league__in=policy.runs(actor).values("pk"))


@admin.register(League)
class LeagueAdmin(Removed):
    """Who founds a league organises it. It stays, with its record and its roles."""

    list_display = ["name", "game", "venue", "is_open", "created_at"]
    help_texts = {
        "game": gettext_lazy("The short name of its game: zg, zx, zerpang or score."),
        "house_rules": gettext_lazy(
            "What is agreed on beyond the rulebook; every tournament shows it."
        ),
        "venue": gettext_lazy("Where it plays when nothing else is said."),
        "is_open": gettext_lazy("Anybody may join. Otherwise its organisers name players."),
    }
    list_filter = ["game", "is_open"]
    search_fields = ["name"]
    list_select_related = ["venue"]
    fields = ["name", "game", "about", "house_rules", "venue", "is_open"]
    fixed = ("game",)
    inlines = [MembershipInline]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: League, form: Any, change: bool) -> None:
        by = actor_of(request)
        if change:
            services.edit_league(by=by, league=_kept(obj), **_changes(form))
        else:
            obj.pk = services.found_league(by=by, **form.cleaned_data).pk

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Give and take roles as everywhere."""
        by = actor_of(request)
        for member in formset.save(commit=False):
            services.name_member(
                by=by, league=member.league, player=member.player, role=member.role
            )
        for member in formset.deleted_objects:
            services.dismiss(by=by, member=member)


@admin.register(Season)
class SeasonAdmin(Removed):
    """A season with its divisions. It follows another one by being rolled over from it."""

    list_display = ["name", "league", "starts_on", "ends_on"]
    help_texts = {
        "previous": gettext_lazy(
            "The season this one was rolled over from, for who goes up and down."
        ),
    }
    list_filter = ["league"]
    list_select_related = ["league"]
    search_fields = ["name"]
    fields = ["league", "name", "starts_on", "ends_on", "about", "previous"]
    readonly_fields = ["previous"]
    fixed = ("league",)
    inlines = [DivisionInline]

    def save_model(self, request: HttpRequest, obj: Season, form: Any, change: bool) -> None:
        by = actor_of(request)
        if change:
            services.edit_season(by=by, season=_kept(obj), **_changes(form))
        else:
            obj.pk = services.open_season(by=by, **form.cleaned_data).pk

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Add, change and remove divisions by the services."""
        by = actor_of(request)
        formset.save(commit=False)
        for gone in formset.deleted_objects:
            services.remove(by=by, thing=gone)
        for division, fields in formset.changed_objects:
            changes = {name: getattr(division, name) for name in fields}
            services.edit_division(by=by, division=_kept(division), **changes)
        for one in formset.new_objects:
            said = {name: getattr(one, name) for name in DIVISION}
            one.pk = services.add_division(by=by, season=_kept(form.instance), **said).pk


@admin.register(Circuit)
class CircuitAdmin(Removed):
    """A circuit, what counts for it, and its final."""

    list_display = ["name", "season", "best", "direct", "by_ranking", "final"]
    list_filter = ["season"]
    search_fields = ["name", "season__name"]
    help_texts = {
        "best": gettext_lazy("So many of a player's tournaments count; 0 for all."),
        "direct": gettext_lazy("Places in the final that a qualifier gives."),
        "by_ranking": gettext_lazy("Further places in the final, by points."),
        "pass_down": gettext_lazy("Where the place of one who is in already goes."),
        "final": gettext_lazy("The tournament the qualified are invited to."),
    }
    list_select_related = ["season", "final"]
    fields = [
        *("season", "name", "about", "points", "best", "direct", "by_ranking"),
        *("pass_down", "final"),
    ]
    form = CircuitForm
    autocomplete_fields = ["final"]
    fixed = ("season",)
    inlines = [QualifierInline]

    def save_model(self, request: HttpRequest, obj: Circuit, form: Any, change: bool) -> None:
        by = actor_of(request)
        said = _changes(form) if change else dict(form.cleaned_data)
        final = said.pop("final", None)
        if change:
            services.edit_circuit(by=by, circuit=_kept(obj), **said)
        else:
            obj.pk = services.open_circuit(by=by, **said).pk
        if "final" in form.changed_data:
            services.name_final(by=by, circuit=_kept(obj), tournament=final)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Let tournaments count, count otherwise, or count no more, by the services."""
        by = actor_of(request)
        formset.save(commit=False)
        for gone in formset.deleted_objects:
            services.remove(by=by, thing=gone)
        for qualifier, fields in formset.changed_objects:
            changes = {name: getattr(qualifier, name) for name in fields}
            services.edit_qualifier(by=by, qualifier=_kept(qualifier), **changes)
        for one in formset.new_objects:
            said = {name: getattr(one, name) for name in QUALIFIER}
            one.pk = services.add_qualifier(by=by, circuit=_kept(form.instance), **said).pk


@admin.register(Krewe)
class KreweAdmin(Removed):
    list_display = ["name", "league", "captain"]
    list_filter = ["league"]
    search_fields = ["name", "captain__name", "players__name"]
    help_texts = {"captain": gettext_lazy("Enters the krewe and changes who is in it.")}
    list_select_related = ["league", "captain"]
    fields = ["league", "name", "captain", "players"]
    autocomplete_fields = ["captain", "players"]
    fixed = ("league",)

    def save_model(self, request: HttpRequest, obj: Krewe, form: Any, change: bool) -> None:
        by = actor_of(request)
        if not change:
            obj.pk = services.make_krewe(by=by, **form.cleaned_data).pk
            return
        krewe, said = _kept(obj), _changes(form)
        named = set(said.pop("players", krewe.players.all()))
        before = set(krewe.players.all())
        for player in named - before:
            services.add_to_krewe(by=by, krewe=krewe, player=player)
        services.edit_krewe(by=by, krewe=krewe, **said)
        for player in before - named:
            services.leave_krewe(by=by, krewe=krewe, player=player)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Leave who is in it to the services, which have said so."""


@admin.register(Sanction)
class SanctionAdmin(Helped):
    """Bans and exiles. What was given is lifted, never edited away."""

    list_display = ["player", "league", "kind", "starts_on", "ends_on", "lifted_on"]
    search_fields = ["player__name"]
    help_texts = {
        "kind": gettext_lazy("A ban ends by itself; an exile when it is lifted."),
        "ends_on": gettext_lazy("The last day of a ban."),
        "reason": gettext_lazy("For the league's officials."),
    }
    list_filter = ["kind", "league"]
    list_select_related = ["player", "league"]
    autocomplete_fields = ["player"]
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

    @admin.action(description=gettext_lazy("Lift"), permissions=["change"])
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
        messages.success(request, gettext("{what}: done.").format(what=what))


@admin.register(Tournament)
class TournamentAdmin(Helped):
    """What stands around a desk is edited; each action records an act at it."""

    list_display = ["title", "league", "starts_at", "closed_at", "page"]
    help_texts = {
        "cost_class": gettext_lazy("The class of character or deck, in words: up to 400."),
        "timezone": gettext_lazy(
            "Of the venue: Europe/Berlin. Everybody is shown their own time beside it."
        ),
        "visibility": gettext_lazy("Who may look on."),
        "decks": gettext_lazy("Whether a list is asked for when somebody enters."),
        "decks_shown": gettext_lazy(
            "Everybody may read the lists. Until then only officials and their owners."
        ),
        "sign_up": gettext_lazy("Players enter themselves. Otherwise an organiser enters them."),
        "self_report": gettext_lazy("Players report their own tables."),
        "round_minutes": gettext_lazy("How long a round lasts; 0 for no timer."),
        "remind_hours": gettext_lazy(
            "How long before it begins, and before a round ends, players get a letter; 0 for none."
        ),
    }
    list_filter = ["league", "ruleset", "visibility"]
    list_select_related = ["league"]
    search_fields = ["title", "code"]
    fields = [
        *("title", "about", "venue", "cost_class", "timezone", "starts_at", "visibility"),
        *("decks", "decks_shown", "sign_up", "self_report", "round_minutes", "remind_hours"),
        *("shared_prizes",),
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

    @admin.display(description=gettext_lazy("Page"))
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

    @admin.action(description=gettext_lazy("Pair the next round"), permissions=["change"])
    def pair(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        for tournament in chosen.select_related("log"):

            def work(tournament: Tournament = tournament) -> None:
                services.pair(tournament=tournament, by=actor_of(request), act_id=uuid4())

            _tried(request, str(tournament), work)

    @admin.action(description=gettext_lazy("Publish the round"), permissions=["change"])
    def publish(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._each(request, chosen, lambda number: RoundPublished(round=number))

    @admin.action(description=gettext_lazy("Call time"), permissions=["change"])
    def call_time(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._each(request, chosen, lambda number: TimeCalled(round=number))

    @admin.action(description=gettext_lazy("Close the round"), permissions=["change"])
    def close_round(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._each(request, chosen, lambda number: RoundClosed(round=number))

    @admin.action(
        description=gettext_lazy("Hold results back from this round on"), permissions=["change"]
    )
    def hold(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._each(request, chosen, lambda number: ResultsHeld(round=max(number, 1)))

    @admin.action(description=gettext_lazy("Show all results"), permissions=["change"])
    def show(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._each(request, chosen, lambda number: ResultsShown())

    @admin.action(description=gettext_lazy("Close the tournament"), permissions=["change"])
    def close(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._each(request, chosen, lambda number: TournamentClosed())

    @admin.action(description=gettext_lazy("Give the prizes"), permissions=["change"])
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
class EntryAdmin(Picking, OfTournament):
    """Who takes part. Adding one and every action record at the desk."""

    autocomplete_fields = ["tournament", "player", "character", "krewe"]

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

    @admin.action(description=gettext_lazy("Check in"), permissions=["view"])
    def check_in(self, request: HttpRequest, chosen: QuerySet[Entry]) -> None:
        self._each(request, chosen, CheckedIn)

    @admin.action(description=gettext_lazy("Drop"), permissions=["view"])
    def drop(self, request: HttpRequest, chosen: QuerySet[Entry]) -> None:
        self._each(request, chosen, Dropped)

    @admin.action(description=gettext_lazy("Bring back"), permissions=["view"])
    def bring_back(self, request: HttpRequest, chosen: QuerySet[Entry]) -> None:
        self._each(request, chosen, Returned)


@admin.register(Pairing)
class PairingAdmin(OfTournament):
    to_tournament = "round__tournament"
    list_display = ["__str__", "round", "status", "changed", "corrected"]
    list_filter = ["status"]
    search_fields = ["round__tournament__title", "round__tournament__code"]
    list_select_related = ["round__tournament"]


@admin.register(Standing)
class StandingAdmin(OfTournament):
    list_display = ["tournament", "round", "place", "entry", "points"]
    search_fields = ["tournament__title", "entry__player__name"]
    list_select_related = [
        *("tournament", "entry__player", "entry__character", "entry__krewe"),
    ]


@admin.register(PairingLetter)
class PairingLetterAdmin(OfTournament):
    """Letters about pairings: what went out, and why the rest did not."""

    list_display = ["__str__", "sent", "sent_at", "attempts", "error"]
    list_filter = ["sent"]
    search_fields = ["tournament__title", "player__name"]
    list_select_related = ["tournament", "player"]
    exclude = ["wanted", "settled"]
    actions = ["try_again"]

    @admin.action(description=gettext_lazy("Try again"), permissions=["view"])
    def try_again(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        post.try_again(chosen)
        messages.success(request, gettext("They are sent within a minute."))


@admin.register(Reminder)
class ReminderAdmin(PairingLetterAdmin):
    """Letters that remind players: what went out, and why the rest did not."""

    list_display = ["__str__", "at", "sent", "sent_at", "attempts", "error"]
    list_filter = ["kind", "sent"]


@admin.register(RoundDate)
class RoundDateAdmin(OfTournament):
    """When rounds are paired by themselves; set on the tournament's own page."""

    list_display = ["__str__", "pairs_at", "weekly", "deadline", "set_by"]
    list_filter = ["weekly"]
    search_fields = ["tournament__title", "tournament__code"]
    list_select_related = ["tournament", "set_by"]


class AttemptInline(ReadOnly, admin.TabularInline):
    model = Attempt
    extra = 0
    fields = ["began_at", "status", "error", "milliseconds"]


@admin.register(Webhook)
class WebhookAdmin(ReadOnly, admin.ModelAdmin):
    """Webhooks of the leagues one runs; they are named and changed on the league's pages."""

    list_display = ["url", "league", "is_on", "created_at"]
    list_filter = ["is_on", "league"]
    search_fields = ["url", "league__name"]
    list_select_related = ["league"]
    exclude = ["secret", "previous"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Webhook]:
        mine = webhooks.webhooks_of(actor_of(request)).values("pk")
        return super().get_queryset(request).filter(pk__in=mine)


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly, admin.ModelAdmin):
    """Messages to webhooks: what went out, what came of it, and sending it again."""

    list_display = ["kind", "webhook", "status", "at", "attempts", "next_try_at"]
    list_filter = ["status", "kind"]
    search_fields = ["webhook__url", "webhook__league__name"]
    list_select_related = ["webhook"]
    inlines = [AttemptInline]
    actions = ["send_again"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Delivery]:
        mine = webhooks.webhooks_of(actor_of(request)).values("pk")
        return super().get_queryset(request).filter(webhook__in=mine)

    @admin.action(description=gettext_lazy("Send again"), permissions=["view"])
    def send_again(self, request: HttpRequest, chosen: QuerySet[Delivery]) -> None:
        count = delivering.send_again(chosen)
        messages.success(
            request, gettext("{count} are sent again, under the ids they had.").format(count=count)
        )


@admin.register(Penalty)
class PenaltyAdmin(OfTournament):
    """The disciplinary record, for those who discipline."""

    list_display = ["entry", "tournament", "infraction", "penalty", "demerits", "given_at"]
    search_fields = ["tournament__title", "entry__player__name"]
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


admin.site.unregister(Event)


@admin.register(Event)
class DeskEventAdmin(EventAdmin):
    """Entries of matches lead to their moment, those of desks to their tournament."""

    list_select_related = ["log__match", "log__tournament"]
    search_fields = [*EventAdmin.search_fields, "log__tournament__code"]

    @admin.display(description=gettext_lazy("Moment"))
    def at_moment(self, event: Event) -> SafeString | str:
        tournament = getattr(event.log, "tournament", None)
        if tournament is None:
            return super().at_moment(event)
        place = f"{tournament.code} {event.version}.{event.ordinal}"
        return format_html('<a href="{}">{}</a>', tournament.get_absolute_url(), place)
