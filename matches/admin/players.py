"""Players, and the guests they claim."""

from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from matches import erasing, services
from matches.actors import actor_of
from matches.admin.base import (
    Excluding,
    Helped,
    ReadOnly,
    asked_first,
    is_superuser,
    link,
    tried,
)
from matches.models import Claim, Player


@admin.register(Player)
class PlayerAdmin(Helped):
    list_display = ["name", "user", "invited_by", "created_at", "page"]
    search_fields = ["name", "user__username"]
    actions = ["erase"]
    autocomplete_fields = ["user", "invited_by"]
    readonly_fields = ["claimed_by", "created_at", "page"]
    list_select_related = ["user", "invited_by"]
    list_filter = [("user", admin.EmptyFieldListFilter), "created_at"]
    help_texts = {
        "name": gettext_lazy(
            "As it is said at the table. It may change: logs know the player, not the name."
        ),
        "user": gettext_lazy("Who signs in as this player. Empty for a guest."),
        "invited_by": gettext_lazy("Whose guest it is, and who may give the guest away by a link."),
    }

    @admin.display(  # type: ignore[call-overload]  # a text that is looked up later is a text
        description=gettext_lazy("Page"), empty_value=gettext_lazy("Once it is saved")
    )
    def page(self, player: Player) -> SafeString | None:
        if player._state.adding:
            return None
        return link(player.get_absolute_url())

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # a log may name them

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Any:
        """Log a name's old and new value: the old one is stored nowhere else."""
        message: Any = super().construct_change_message(request, form, formsets, add)
        if "name" in form.changed_data and not add:
            was, now = form.initial["name"], form.cleaned_data["name"]
            fields = message[0]["changed"]["fields"]
            fields[form.changed_data.index("name")] += f" (“{was}” → “{now}”)"
        return message

    def has_erase_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request)

    @asked_first(
        gettext_lazy(
            "Names, accounts and notes go; what they played stays, without their names. There is "
            "no way back."
        ),
        template="admin/erase_people.html",
        row=erasing.extent_of,
    )
    @admin.action(description=gettext_lazy("Erase these people for good"), permissions=["erase"])
    def erase(self, request: HttpRequest, players: QuerySet[Player]) -> None:
        """Erase each player, and report those it could not."""
        for player in players:
            own = player.user_id == request.user.pk
            work = partial(services.erase, by=actor_of(request), player=player)
            done = gettext("{player} is erased.").format(player=player.pk)
            if tried(request, player, work, done) and not own:
                # one's own admin log is erased with the account
                self.log_change(request, player, "Erased for good.")


@admin.register(Claim)
class ClaimAdmin(ReadOnly, Excluding):
    """Claims of guests by accounts. A claim can be undone, never deleted."""

    list_display = [
        "guest",
        "made_by",
        "made_at",
        "expires_at",
        "taken_by",
        "taken_at",
        "undone_at",
    ]
    list_filter = [("taken_at", admin.EmptyFieldListFilter), "made_at"]
    list_select_related = ["guest", "made_by", "taken_by"]
    search_fields = ["guest__name", "taken_by__name", "taken_by__user__username"]
    exclude = ["link", "moved", "dropped"]
    actions = ["undo"]

    @admin.action(description=gettext_lazy("Undo: give the guest back"), permissions=["view"])
    def undo(self, request: HttpRequest, claims: QuerySet[Claim]) -> None:
        for each in claims.select_related("guest"):
            work = partial(services.undo_claim, by=actor_of(request), guest=each.guest)
            done = gettext("{guest} is a guest again.").format(guest=each.guest)
            tried(request, each, work, done)
