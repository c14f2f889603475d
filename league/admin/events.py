"""Entries of logs, each linked to the page that shows it."""

from django.contrib import admin
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from matches.admin import EventAdmin
from matches.models import Event

admin.site.unregister(Event)


@admin.register(Event)
class DeskEventAdmin(EventAdmin):
    """Events of matches link to their moment, those of desks to their tournament."""

    list_select_related = ["log__match", "log__tournament"]
    codes = (*EventAdmin.codes, "tournament__code")

    @admin.display(description=gettext_lazy("Moment"))
    def at_moment(self, event: Event) -> SafeString | str:
        tournament = getattr(event.log, "tournament", None)
        if tournament is None:
            return super().at_moment(event)
        place = f"{tournament.code} {event.version}.{event.ordinal}"
        return format_html('<a href="{}">{}</a>', tournament.get_absolute_url(), place)
