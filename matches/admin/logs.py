"""Logs and what belongs to them, read-only."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from matches import followers, proposals
from matches.actors import actor_of
from matches.admin.base import CutAdmin, ReadOnly, moment
from matches.errors import Refused
from matches.models import Event, Log, Note, Proposal, ScribeLease


@admin.register(Log)
class LogAdmin(ReadOnly, CutAdmin):
    to_log = ""
    list_display = ["id", "ruleset", "status", "headline", "head_version", "created_at"]
    list_filter = ["status", "ruleset"]
    search_fields = ["id", "match__code", "match__title"]
    exclude = ["seed"]
    readonly_fields = ["entries"]
    actions = ["rebuild"]

    @admin.display(description=gettext_lazy("Entries"))
    def entries(self, log: Log) -> SafeString:
        url = reverse("admin:matches_event_changelist")
        return format_html('<a href="{}?log__id__exact={}">Open</a>', url, log.pk)

    @admin.action(
        description=gettext_lazy("Rebuild what is made from the log"), permissions=["view"]
    )
    def rebuild(self, request: HttpRequest, logs: QuerySet[Log]) -> None:
        for log in logs:
            followers.anew(log)
            self.message_user(request, gettext("{what}: a worker makes it anew.").format(what=log))


@admin.register(Event)
class EventAdmin(ReadOnly, CutAdmin):
    list_display = ["position", "at_moment", "type", "seat", "verdict", "recorded_at"]
    list_filter = ["type", "recorded_at"]
    list_select_related = ["log__match"]
    readonly_fields = ["at_moment"]
    search_fields = ["act_id", "log__match__code"]
    ordering = ["-position", "ordinal"]
    show_full_result_count = False

    @admin.display(description=gettext_lazy("Moment"))
    def at_moment(self, event: Event) -> SafeString | str:
        place = f"{event.version}.{event.ordinal}"
        match = getattr(event.log, "match", None)
        return moment(match, event.version, f"{match.code} {place}") if match else place


@admin.register(Note)
class NoteAdmin(ReadOnly, CutAdmin):
    list_display = ["text", "log", "erased_at"]
    list_filter = [("erased_at", admin.EmptyFieldListFilter)]
    search_fields = ["log__match__code"]
    exclude = ["salt"]


@admin.register(ScribeLease)
class ScribeLeaseAdmin(ReadOnly, CutAdmin):
    to_log = "match__log__"
    list_display = ["match", "player", "seat", "taken_at", "used_at", "ended_at", "ended_by"]
    list_select_related = ["match", "player", "ended_by"]
    search_fields = ["match__code", "player__name"]


@admin.register(Proposal)
class ProposalAdmin(ReadOnly, CutAdmin):
    to_log = "match__log__"
    list_display = ["act", "match", "player", "state", "kept_at", "decided_at", "decided_by"]
    list_filter = ["state"]
    list_select_related = ["match", "player", "decided_by"]
    search_fields = ["match__code", "act_id"]
    actions = ["dismiss"]

    @admin.action(description=gettext_lazy("Dismiss"))
    def dismiss(self, request: HttpRequest, rows: QuerySet[Proposal]) -> None:
        for kept in rows.select_related("match__log"):
            try:
                proposals.dismiss(match=kept.match, by=actor_of(request), act_id=kept.act_id)
            except Refused as refused:
                self.message_user(request, f"{kept}: {refused.detail}", messages.ERROR)
            else:
                self.message_user(
                    request, gettext("{act} is dismissed, and kept.").format(act=kept.act_id)
                )
