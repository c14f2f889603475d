"""Circuits, their qualifiers, and their finals."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from league import services
from league.admin.base import Removed, as_kept, typed_anew
from league.forms.running import CircuitForm
from league.models import Circuit, Qualifier
from matches.actors import actor_of
from matches.admin import HelpedRows

QUALIFIER = ("tournament", "tier", "direct")


class QualifierForm(forms.ModelForm):
    """How much a tournament counts may change; which tournament it is may not."""

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


@admin.register(Circuit)
class CircuitAdmin(Removed):
    """A circuit with its qualifiers and its final."""

    list_display = ["name", "season", "best", "direct", "by_ranking", "final"]
    list_filter = ["season"]
    search_fields = ["name", "season__name"]
    help_texts = {
        "best": gettext_lazy("How many of a player's tournaments count; 0 for all."),
        "direct": gettext_lazy("Places in the final that a qualifier gives."),
        "by_ranking": gettext_lazy("Further places in the final, by points."),
        "pass_down": gettext_lazy("Where the place of a player who is in already goes."),
        "final": gettext_lazy("The tournament the qualified are invited to."),
    }
    list_select_related = ["season", "final"]
    fields = [
        *("season", "name", "about", "points", "best", "direct", "by_ranking"),
        *("pass_down", "final"),
    ]
    form = CircuitForm
    autocomplete_fields = ["season", "final"]
    fixed = ("season",)
    inlines = [QualifierInline]

    def save_model(self, request: HttpRequest, obj: Circuit, form: Any, change: bool) -> None:
        by = actor_of(request)
        cleaned = typed_anew(form) if change else dict(form.cleaned_data)
        final = cleaned.pop("final", None)
        if change:
            services.edit_circuit(by=by, circuit=as_kept(obj), **cleaned)
        else:
            obj.pk = services.open_circuit(by=by, **cleaned).pk
        if "final" in form.changed_data:
            services.name_final(by=by, circuit=as_kept(obj), tournament=final)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Add, change and remove qualifiers through the services."""
        by = actor_of(request)
        formset.save(commit=False)
        for gone in formset.deleted_objects:
            services.remove(by=by, thing=gone)
        for qualifier, fields in formset.changed_objects:
            changes = {name: getattr(qualifier, name) for name in fields}
            services.edit_qualifier(by=by, qualifier=as_kept(qualifier), **changes)
        for one in formset.new_objects:
            values = {name: getattr(one, name) for name in QUALIFIER}
            one.pk = services.add_qualifier(by=by, circuit=as_kept(form.instance), **values).pk
