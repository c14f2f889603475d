"""Letters to players about pairings, and reminders."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from league import post
from league.admin.base import OfTournament
from league.models import PairingLetter, Reminder


@admin.register(PairingLetter)
class PairingLetterAdmin(OfTournament):
    """Letters about pairings, with errors of those that could not be sent."""

    list_display = ["__str__", "sent", "sent_at", "attempts", "error"]
    list_filter = ["sent"]
    search_fields = ["tournament__title", "player__name"]
    list_select_related = ["tournament", "player"]
    exclude = ["wanted", "settled"]
    actions = ["try_again"]

    @admin.action(description=gettext_lazy("Try again"), permissions=["view"])
    def try_again(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        post.try_again(chosen)
        messages.success(request, gettext("They are sent within a minute."))


@admin.register(Reminder)
class ReminderAdmin(PairingLetterAdmin):
    """Reminders to players, with errors of those that could not be sent."""

    list_display = ["__str__", "at", "sent", "sent_at", "attempts", "error"]
    list_filter = ["kind", "sent"]
