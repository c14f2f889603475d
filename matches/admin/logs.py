"""Logs and what belongs to them, read-only."""

from functools import partial, reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from matches import canonical, followers, proposals
from matches.actors import actor_of
from matches.admin.base import CutAdmin, ReadOnly, link, moment, tried
from matches.models import Event, Log, Note, Proposal, ScribeLease


def entries_of(log: UUID, text: str = "Open") -> SafeString:
    """Return a link to the entries of a log."""
    return link(f"{reverse('admin:matches_event_changelist')}?log__id__exact={log}", text)


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
        return entries_of(log.pk)

    @admin.action(
        description=gettext_lazy("Rebuild what is made from the log"), permissions=["view"]
    )
    def rebuild(self, request: HttpRequest, logs: QuerySet[Log]) -> None:
        for log in logs:
            followers.anew(log)
            self.message_user(request, gettext("{what}: a worker makes it anew.").format(what=log))


class TypeFilter(admin.SimpleListFilter):
    """The types of events of one log; to find those of all logs, every event would be read."""

    title = gettext_lazy("type")
    parameter_name = "type"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        log = canonical.uuid_from(request.GET.get("log__id__exact", ""))
        if log is None:
            return []
        rows = model_admin.get_queryset(request).filter(log=log).order_by("type")
        return [(each, each) for each in rows.values_list("type", flat=True).distinct()]

    def queryset(self, request: HttpRequest, events: QuerySet[Event]) -> QuerySet[Event]:
        return events.filter(type=self.value()) if self.value() else events


@admin.register(Event)
class EventAdmin(ReadOnly, CutAdmin):
    """Entries, of which there may be millions: nothing here reads all of them."""

    raw = ("body", "state_digest", "request_digest", "salt")
    list_display = ["position", "at_moment", "type", "seat", "verdict", "recorded_at"]
    list_filter = [TypeFilter, "recorded_at"]
    list_select_related = ["log__match"]
    readonly_fields = ["at_moment"]
    search_fields = ["act_id"]
    search_help_text = gettext_lazy("The code of a match or tournament, or the id of an act.")
    ordering = ["-position", "ordinal"]
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    codes: tuple[str, ...] = ("match__code",)
    """The lookups from a log to its code."""

    def get_search_results(
        self, request: HttpRequest, events: QuerySet[Event], search_term: str
    ) -> tuple[QuerySet[Event], bool]:
        """Return the act of an id, or the entries of the log of a code."""
        term = search_term.strip()
        if not term:
            return events, False
        if act_id := canonical.uuid_from(term):
            return events.filter(act_id=act_id), False
        named = reduce(or_, (Q(**{code: term.upper()}) for code in self.codes))
        return events.filter(log__in=Log.objects.filter(named)), False

    @admin.display(description=gettext_lazy("Moment"))
    def at_moment(self, event: Event) -> SafeString | str:
        place = f"{event.version}.{event.ordinal}"
        match = getattr(event.log, "match", None)
        return moment(match, event.version, f"{match.code} {place}") if match else place


@admin.register(Note)
class NoteAdmin(ReadOnly, CutAdmin):
    raw = ("text",)
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
    raw = ("act", "note")
    list_display = ["act", "match", "player", "state", "kept_at", "decided_at", "decided_by"]
    list_filter = ["state"]
    list_select_related = ["match", "player", "decided_by"]
    search_fields = ["match__code", "act_id"]
    actions = ["dismiss"]

    @admin.action(description=gettext_lazy("Dismiss"))
    def dismiss(self, request: HttpRequest, rows: QuerySet[Proposal]) -> None:
        for kept in rows.select_related("match__log"):
            by, act_id = actor_of(request), kept.act_id
            work = partial(proposals.dismiss, match=kept.match, by=by, act_id=act_id)
            done = gettext("{act} is dismissed, and kept.").format(act=act_id)
            tried(request, kept, work, done)
