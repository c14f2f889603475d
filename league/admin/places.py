"""Venues, and texts by organisers about places in the games' stories."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from league import policy, services
from league.admin.base import Removed, as_kept, typed_anew
from league.models import PlaceText, PlaceTextVersion, Venue
from matches.actors import actor_of
from matches.admin import ReadOnly

VENUE = ("name", "region", "timezone", "tables", "about", "house_rules", "lore")


@admin.register(Venue)
class VenueAdmin(Removed):
    """Venues. Whoever opens one is its keeper, and may hand it to another player."""

    list_display = ["name", "region", "keeper"]
    list_select_related = ["keeper"]
    search_fields = ["name", "region"]
    help_texts = {
        "region": gettext_lazy("Where it lies, in words: Luna, the far side."),
        "timezone": gettext_lazy("As Europe/Berlin: what is opened here goes by its clock."),
        "tables": gettext_lazy("How many it has: the console says when a round needs more."),
        "house_rules": gettext_lazy("Of its terrain, too: what stands on the tables."),
        "lore": gettext_lazy("What the worlds tell of it, in the game's own time."),
        "keeper": gettext_lazy("A player who may edit its page."),
    }
    autocomplete_fields = ["keeper"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return [*VENUE, "keeper"] if obj else VENUE

    def save_model(self, request: HttpRequest, obj: Venue, form: Any, change: bool) -> None:
        by = actor_of(request)
        if change:
            services.edit_venue(by=by, venue=as_kept(obj), **typed_anew(form))
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
    """Texts about places with all their versions, read-only: the place's page edits them."""

    list_display = ["title", "place", "league", "audience", "when", "is_removed"]
    list_filter = ["place", "audience", "is_removed", "league"]
    search_fields = ["title", "league__name"]
    list_select_related = ["league"]
    inlines = [PlaceTextVersionInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[PlaceText]:
        """Return the texts the user may change, with their versions."""
        actor, rows = actor_of(request), super().get_queryset(request)
        if actor.is_superuser:
            return rows
        return rows.filter(league__in=policy.run_by(actor).values("pk"))
