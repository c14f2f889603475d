"""Seasons with their divisions."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from league import services
from league.admin.base import Removed, as_kept, typed_anew
from league.forms.running import PLAY_OFF
from league.models import Division, Season
from matches.actors import actor_of
from matches.admin import HelpedRows

DIVISION = ("name", "level", "up", "down", "play_off", "play_off_in")


class DivisionInline(HelpedRows):
    model = Division
    extra = 0
    fields = DIVISION
    autocomplete_fields = ["play_off_in"]
    help_texts = {
        "level": gettext_lazy("1 is the highest."),
        "up": gettext_lazy("How many go up at the season's end."),
        "down": gettext_lazy("How many go down at the season's end."),
        "play_off": PLAY_OFF,
        "play_off_in": gettext_lazy("The tournament whose final order decides that."),
    }


@admin.register(Season)
class SeasonAdmin(Removed):
    """A season with its divisions. `previous` is set only by rolling a season over."""

    list_display = ["name", "league", "starts_on", "ends_on"]
    help_texts = {
        "previous": gettext_lazy(
            "The season this one was rolled over from, which decides who goes up and down."
        ),
    }
    list_filter = ["league"]
    list_select_related = ["league"]
    search_fields = ["name", "league__name"]
    fields = ["league", "name", "starts_on", "ends_on", "about", "previous"]
    readonly_fields = ["previous"]
    autocomplete_fields = ["league"]
    fixed = ("league",)
    inlines = [DivisionInline]

    def save_model(self, request: HttpRequest, obj: Season, form: Any, change: bool) -> None:
        by = actor_of(request)
        if change:
            services.edit_season(by=by, season=as_kept(obj), **typed_anew(form))
        else:
            obj.pk = services.open_season(by=by, **form.cleaned_data).pk

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Add, change and remove divisions through the services."""
        by = actor_of(request)
        formset.save(commit=False)
        for gone in formset.deleted_objects:
            services.remove(by=by, thing=gone)
        for division, fields in formset.changed_objects:
            changes = {name: getattr(division, name) for name in fields}
            services.edit_division(by=by, division=as_kept(division), **changes)
        for one in formset.new_objects:
            values = {name: getattr(one, name) for name in DIVISION}
            one.pk = services.add_division(by=by, season=as_kept(form.instance), **values).pk
