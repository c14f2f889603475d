"""Tournaments and their prizes."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from league import desks, policy, services
from league.admin.base import typed_anew
from league.models import Prize, StagePlan, Tournament
from matches.actors import actor_of
from matches.admin import Helped, HelpedRows, ReadOnly, asked_first, link, tried
from rules.desk.acts import (
    ResultsHeld,
    ResultsShown,
    RoundClosed,
    RoundPublished,
    TimeCalled,
    TournamentClosed,
)
from rules.desk.state import open_round
from rules.ruleset import Act


class StagePlanInline(ReadOnly, admin.TabularInline):
    model = StagePlan
    extra = 0


class PrizeInline(HelpedRows):
    """Prizes, which cannot be changed or withdrawn once they are promised."""

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


@admin.register(Tournament)
class TournamentAdmin(Helped):
    """Edits what surrounds a desk; each action records an act at the desk."""

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
    autocomplete_fields = ["venue"]
    inlines = [StagePlanInline, PrizeInline]
    actions = ["pair", "publish", "call_time", "close_round", "hold", "show", "close", "award"]

    def save_model(self, request: HttpRequest, obj: Tournament, form: Any, change: bool) -> None:
        if changes := typed_anew(form):
            kept = Tournament.objects.select_related("log").get(pk=obj.pk)
            services.edit_tournament(by=actor_of(request), tournament=kept, **changes)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Promise prizes through the service."""
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
        return link(tournament.get_absolute_url())

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        shown = policy.visible_tournaments(actor_of(request))
        return super().get_queryset(request).filter(pk__in=shown.values("pk"))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # opened on its own page, where its log begins

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # its log stays

    def _each(
        self,
        request: HttpRequest,
        chosen: QuerySet[Tournament],
        work: Callable[[Tournament], object],
    ) -> None:
        for tournament in chosen.select_related("log"):
            tried(request, tournament, partial(work, tournament))

    def _record(
        self, request: HttpRequest, chosen: QuerySet[Tournament], act: Callable[[int], Act]
    ) -> None:
        """Record an act at each desk; `act` makes it from the number of the open round."""

        def record(tournament: Tournament) -> None:
            made = act(open_round(desks.desk_of(tournament)))
            services.record(tournament=tournament, by=actor_of(request), act_id=uuid4(), act=made)

        self._each(request, chosen, record)

    @admin.action(description=gettext_lazy("Pair the next round"), permissions=["change"])
    def pair(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        by = actor_of(request)
        self._each(request, chosen, lambda t: services.pair(tournament=t, by=by, act_id=uuid4()))

    @admin.action(description=gettext_lazy("Publish the round"), permissions=["change"])
    def publish(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._record(request, chosen, lambda number: RoundPublished(round=number))

    @admin.action(description=gettext_lazy("Call time"), permissions=["change"])
    def call_time(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._record(request, chosen, lambda number: TimeCalled(round=number))

    @admin.action(description=gettext_lazy("Close the round"), permissions=["change"])
    def close_round(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._record(request, chosen, lambda number: RoundClosed(round=number))

    @admin.action(
        description=gettext_lazy("Hold results back from this round on"), permissions=["change"]
    )
    def hold(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._record(request, chosen, lambda number: ResultsHeld(round=max(number, 1)))

    @asked_first(gettext_lazy("What everyone has seen cannot be hidden again."))
    @admin.action(description=gettext_lazy("Show all results"), permissions=["change"])
    def show(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._record(request, chosen, lambda number: ResultsShown())

    @admin.action(description=gettext_lazy("Close the tournament"), permissions=["change"])
    def close(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        self._record(request, chosen, lambda number: TournamentClosed())

    @admin.action(description=gettext_lazy("Give the prizes"), permissions=["change"])
    def award(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        by = actor_of(request)
        self._each(request, chosen, lambda t: services.award(by=by, tournament=t))
