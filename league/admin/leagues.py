"""Leagues with their members, and krewes."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from league import services
from league.admin.base import Removed, as_kept, typed_anew
from league.models import Krewe, League, Membership, Role
from matches.actors import actor_of
from matches.admin import HelpedRows, link


class MembershipInline(HelpedRows):
    """Memberships are added and removed, each by its service, but never edited.

    Players are not listed: there may be more than a form can send.
    """

    model = Membership
    fk_name = "league"
    extra = 0
    fields = ["player", "role"]
    autocomplete_fields = ["player"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        rows: QuerySet[Membership] = super().get_queryset(request)
        return rows.exclude(role=Role.PLAYER).select_related("player")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(League)
class LeagueAdmin(Removed):
    """Leagues. Whoever founds one becomes its organiser; a league is never deleted."""

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
    fields = ["name", "game", "about", "house_rules", "venue", "is_open", "members_page"]
    readonly_fields = ["members_page"]
    autocomplete_fields = ["venue"]
    fixed = ("game",)
    inlines = [MembershipInline]

    @admin.display(  # type: ignore[call-overload]  # a text that is looked up later is a text
        description=gettext_lazy("All members"), empty_value=gettext_lazy("Once it is saved")
    )
    def members_page(self, league: League) -> SafeString | None:
        if league._state.adding:
            return None
        return link(reverse("league:role-list", args=[league.slug]))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: League, form: Any, change: bool) -> None:
        by = actor_of(request)
        if change:
            services.edit_league(by=by, league=as_kept(obj), **typed_anew(form))
        else:
            obj.pk = services.found_league(by=by, **form.cleaned_data).pk

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Give and take roles through the services."""
        by = actor_of(request)
        for member in formset.save(commit=False):
            services.name_member(
                by=by, league=member.league, player=member.player, role=member.role
            )
        for member in formset.deleted_objects:
            services.dismiss(by=by, member=member)


@admin.register(Krewe)
class KreweAdmin(Removed):
    list_display = ["name", "league", "captain"]
    list_filter = ["league"]
    search_fields = ["name", "captain__name", "players__name"]
    help_texts = {"captain": gettext_lazy("Enters the krewe and changes who is in it.")}
    list_select_related = ["league", "captain"]
    fields = ["league", "name", "captain", "players"]
    autocomplete_fields = ["league", "captain", "players"]
    fixed = ("league",)

    def save_model(self, request: HttpRequest, obj: Krewe, form: Any, change: bool) -> None:
        by = actor_of(request)
        if not change:
            obj.pk = services.make_krewe(by=by, **form.cleaned_data).pk
            return
        krewe, changed = as_kept(obj), typed_anew(form)
        named = set(changed.pop("players", krewe.players.all()))
        before = set(krewe.players.all())
        for player in named - before:
            services.add_to_krewe(by=by, krewe=krewe, player=player)
        services.edit_krewe(by=by, krewe=krewe, **changed)
        for player in before - named:
            services.leave_krewe(by=by, krewe=krewe, player=player)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Do nothing: the services have saved the players already."""
