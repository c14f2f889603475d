"""The entries of a tournament."""

from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from league import desks, services
from league.admin.base import OfTournament
from league.models import Entry
from matches.actors import actor_of
from matches.admin import tried
from matches.picking import Picking
from rules.desk.acts import CheckedIn, Dropped, Returned
from rules.ruleset import Act


class EntryForm(forms.ModelForm):
    """Who enters: a player (with or without a character), a krewe, or a guest by name."""

    guest = forms.CharField(label="Or a guest by name", max_length=80, required=False)

    class Meta:
        model = Entry
        fields = ["tournament", "player", "character", "krewe"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if sum(bool(cleaned.get(name)) for name in ("player", "krewe", "guest")) != 1:
            raise forms.ValidationError("Name a player, a krewe or a guest.")
        return cleaned


@admin.register(Entry)
class EntryAdmin(Picking, OfTournament):
    """Entries of tournaments; adding one, like every action, records an act at the desk."""

    autocomplete_fields = ["tournament", "player", "character", "krewe"]

    list_display = ["__str__", "tournament", "number", "status", "checked_in", "place"]
    list_filter = ["status", "checked_in"]
    list_select_related = ["tournament", "player", "character", "krewe"]
    search_fields = ["player__name", "character__name", "tournament__title"]
    exclude = ["deck", "deck_text", "deck_problems", "pieces"]
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
        cleaned = dict(form.cleaned_data)
        name = cleaned.pop("guest")
        entered = services.enter(by=actor_of(request), act_id=uuid4(), name=name, **cleaned)
        obj.pk, obj.number = entered.pk, entered.number

    def _each(self, request: HttpRequest, chosen: QuerySet[Entry], kind: type[Act]) -> None:
        for entry in chosen.select_related("tournament__log"):

            def work(entry: Entry = entry) -> None:
                number = desks.number_of(desks.desk_of(entry.tournament), entry) or entry.number
                act = kind(entrant=number or 0)
                services.record(
                    tournament=entry.tournament, by=actor_of(request), act_id=uuid4(), act=act
                )

            tried(request, entry, work)

    @admin.action(description=gettext_lazy("Check in"), permissions=["view"])
    def check_in(self, request: HttpRequest, chosen: QuerySet[Entry]) -> None:
        self._each(request, chosen, CheckedIn)

    @admin.action(description=gettext_lazy("Drop"), permissions=["view"])
    def drop(self, request: HttpRequest, chosen: QuerySet[Entry]) -> None:
        self._each(request, chosen, Dropped)

    @admin.action(description=gettext_lazy("Bring back"), permissions=["view"])
    def bring_back(self, request: HttpRequest, chosen: QuerySet[Entry]) -> None:
        self._each(request, chosen, Returned)
