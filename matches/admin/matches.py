"""Matches, and who sits at them."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from matches import cuts, followers, services
from matches.actors import actor_of
from matches.admin.base import CutAdmin, Helped, asked_first, link, tried
from matches.admin.logs import entries_of
from matches.models import Match, Seat
from matches.picking import Picking


class SeatInline(Picking, admin.TabularInline):
    model = Seat
    fields = ["number", "label", "player"]
    readonly_fields = ["number", "label"]
    autocomplete_fields = ["player"]
    extra = 0
    can_delete = False

    def formfield_for_foreignkey(self, db_field: Any, request: Any = None, **kwargs: Any) -> Any:
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None:
            field.widget.attrs["aria-label"] = "Player"  # the table's head is no label
        return field

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # the setup says how many there are


OPENED = ("code", "opener", "started_at", "ended_at")
PAGES = ("page", "seats_page", "cut_page", "correct_page")
LOG = ("log_page", "log_file", "verify_page")


@admin.register(Match)
class MatchAdmin(Helped, CutAdmin):
    list_display = ["code", "title", "game", "state", "opener", "started_at", "page"]
    list_filter = ["log__status", "log__ruleset", "visibility", "physical", "sanctioned"]
    list_select_related = ["log", "opener"]
    search_fields = ["code", "title", "place", "seats__player__name"]
    fields = [
        ("title", "place"),
        "physical",
        "sanctioned",
        "visibility",
        "officials",
        OPENED,
        PAGES,
        LOG,
    ]
    readonly_fields = [*OPENED, *PAGES, *LOG]
    autocomplete_fields = ["officials"]
    inlines = [SeatInline]
    actions = ["verify", "rebuild", "withdraw", "hold", "release"]
    help_texts = {
        "title": gettext_lazy("Shown above the match. Without one it is called by its code."),
        "place": gettext_lazy("Where the table stands, in words."),
        "physical": gettext_lazy("Cards lie on a table. Otherwise the site draws and spins."),
        "sanctioned": gettext_lazy("It counts for records that ask for an official match."),
        "visibility": gettext_lazy(
            "Who may watch. What everyone has seen already cannot be hidden again."
        ),
        "officials": gettext_lazy("They rule, confirm and correct at this match."),
    }

    @admin.display(description=gettext_lazy("Game"), ordering="log__ruleset")
    def game(self, match: Match) -> str:
        return match.log.ruleset

    @admin.display(description=gettext_lazy("State"), ordering="log__status")
    def state(self, match: Match) -> str:
        return match.log.get_status_display()

    @admin.display(description=gettext_lazy("Page"))
    def page(self, match: Match) -> SafeString:
        return link(match.get_absolute_url())

    @admin.display(description=gettext_lazy("Held back"))
    def cut_page(self, match: Match) -> SafeString:
        return link(reverse("matches:match-cut", args=[match.code]))

    @admin.display(description=gettext_lazy("Correct an act"))
    def correct_page(self, match: Match) -> SafeString:
        return link(f"{match.get_absolute_url()}#log", "From its line in the log")

    @admin.display(description=gettext_lazy("Seats and links"))
    def seats_page(self, match: Match) -> SafeString:
        return link(reverse("matches:seat-list", args=[match.code]))

    @admin.display(description=gettext_lazy("Log"))
    def log_page(self, match: Match) -> SafeString:
        return entries_of(match.pk, "Its entries")

    @admin.display(description=gettext_lazy("Log as a file"))
    def log_file(self, match: Match) -> SafeString:
        return format_html(
            "{} {}",
            link(reverse("matches:match-log-file", args=[match.code]), "NDJSON"),
            link(reverse("matches:match-notation", args=[match.code]), "Notation"),
        )

    @admin.display(description=gettext_lazy("Checks of the log"))
    def verify_page(self, match: Match) -> SafeString:
        return link(reverse("matches:match-verify", args=[match.code]))

    @admin.action(description=gettext_lazy("Verify the log"), permissions=["view"])
    def verify(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        message = gettext("{match}: a worker verifies its log.")
        self._each(request, matches, services.request_verify, message)

    @admin.action(
        description=gettext_lazy("Rebuild what is made from the log"), permissions=["change"]
    )
    def rebuild(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        for match in matches.select_related("log"):
            followers.anew(match.log)
            self.message_user(
                request, gettext("{what}: a worker makes it anew.").format(what=match)
            )

    @asked_first(
        gettext_lazy(
            "For matches that are not played on. Afterwards only those who manage them see them, "
            "nothing more is recorded, and they cannot be shown again."
        )
    )
    @admin.action(description=gettext_lazy("Withdraw from view"))
    def withdraw(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        message = gettext("{match} is withdrawn. Nothing of it was removed.")
        self._each(request, matches, services.withdraw, message)

    @admin.action(description=gettext_lazy("Hold results back from now on"))
    def hold(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        message = gettext("{match} is held back from now on.")
        self._each(request, matches, partial(services.change_cut, held=True), message)

    @asked_first(gettext_lazy("What everyone has seen cannot be hidden again."))
    @admin.action(description=gettext_lazy("Release: show everything"))
    def release(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        message = gettext("{match} shows everything.")
        self._each(request, matches, partial(services.change_cut, held=False, delay=0), message)

    def _each(
        self,
        request: HttpRequest,
        matches: QuerySet[Match],
        service: Callable[..., object],
        message: str,
    ) -> None:
        """Call a service for each match, and say that it is done, or why not."""
        for match in matches.select_related("log"):
            work = partial(service, by=actor_of(request), match=match)
            tried(request, match, work, message.format(match=match))

    def save_model(self, request: HttpRequest, match: Any, form: Any, change: bool) -> None:
        """Save, and change visibility in the way that keeps the feed whole."""
        wanted = match.visibility
        match.visibility = form.initial.get("visibility", wanted)
        super().save_model(request, match, form, change)
        if "visibility" in form.changed_data:
            cuts.change(match, visibility=wanted)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # opened on its own page, where the rules are asked

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # withdrawn, never removed
