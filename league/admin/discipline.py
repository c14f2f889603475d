"""The disciplinary record."""

from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from league import policy, services
from league.admin.base import OfTournament
from league.models import Penalty, Sanction, Tournament
from matches.actors import actor_of
from matches.admin import Helped, tried


@admin.register(Sanction)
class SanctionAdmin(Helped):
    """Bans and exiles, which can be lifted but never edited."""

    list_display = ["player", "league", "kind", "starts_on", "ends_on", "lifted_on"]
    search_fields = ["player__name"]
    help_texts = {
        "kind": gettext_lazy("A ban ends by itself; an exile when it is lifted."),
        "ends_on": gettext_lazy("The last day of a ban."),
        "reason": gettext_lazy("For the league's officials."),
    }
    list_filter = ["kind", "league"]
    list_select_related = ["player", "league"]
    autocomplete_fields = ["player", "league"]
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
            tried(request, each, partial(services.lift, by=actor_of(request), sanction=each))


@admin.register(Penalty)
class PenaltyAdmin(OfTournament):
    """Penalties given at tournaments, shown to those who may rule there."""

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
