"""Seasons with their divisions."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from league import services
from league.admin.base import Removed, as_kept, typed_anew
from league.forms.running import PLAY_OFF
from league.models import Adjustment, Division, Season
from matches.actors import actor_of
from matches.admin import Helped, HelpedRows

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


class OfSeasonField(forms.ModelChoiceField):
    """A division or a circuit, with its season and league."""

    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.season.league} – {obj.season}: {obj}"


@admin.register(Adjustment)
class AdjustmentAdmin(Helped):
    """Points given and taken in divisions and circuits.

    A wrong one is balanced by another, never edited.
    """

    list_display = ["player", "division", "circuit", "points", "reason", "made_at"]
    search_fields = ["player__name", "reason"]
    help_texts = {
        "points": gettext_lazy("Below 0 they are taken."),
        "reason": gettext_lazy("Everyone may read it."),
    }
    list_filter = ["division__season", "circuit__season"]
    list_select_related = ["player", "division", "circuit"]
    autocomplete_fields = ["player"]
    fields = ["division", "circuit", "player", "points", "reason", "made_by", "made_at"]
    readonly_fields = ["made_by", "made_at"]

    def formfield_for_foreignkey(self, db_field: Any, request: Any = None, **kwargs: Any) -> Any:
        if db_field.name in ("division", "circuit"):
            kwargs["form_class"] = OfSeasonField
            rows = db_field.related_model._default_manager
            kwargs["queryset"] = rows.select_related("season__league")
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: Adjustment, form: Any, change: bool) -> None:
        fields = dict(form.cleaned_data)
        division, circuit = fields.pop("division"), fields.pop("circuit")
        obj.pk = services.adjust(by=actor_of(request), within=division or circuit, **fields).pk

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


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
