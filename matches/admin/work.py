"""Jobs of workers, and parked followers."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from matches import followers, verifications
from matches.admin.base import CutAdmin, ReadOnly
from matches.models import Checkpoint, FollowJob, Job


@admin.register(Job)
class JobAdmin(ReadOnly, CutAdmin):
    list_display = ["kind", "log", "created_at", "attempts", "done_at", "holds", "error"]
    list_filter = [
        "kind",
        ("done_at", admin.EmptyFieldListFilter),
        ("error", admin.EmptyFieldListFilter),
    ]
    list_select_related = ["log"]
    search_fields = ["log__id", "log__match__code"]

    @admin.display(description=gettext_lazy("Holds"), boolean=True)
    def holds(self, job: Job) -> bool | None:
        """Tell whether a verification found the log whole, None for any other or pending job.

        None too for a log that is `unverified`.
        """
        if job.kind != verifications.VERIFY or not job.result or job.result.get("unverified"):
            return None
        return bool(job.result["ok"])


class ParkedFilter(admin.SimpleListFilter):
    title = gettext_lazy("parked")
    parameter_name = "parked"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Parked"), ("no", "Going on")]

    def queryset(self, request: HttpRequest, marks: QuerySet[Checkpoint]) -> QuerySet[Checkpoint]:
        match self.value():
            case "yes":
                return marks.exclude(error="")
            case "no":
                return marks.filter(error="")
        return marks


@admin.register(Checkpoint)
class CheckpointAdmin(ReadOnly, CutAdmin):
    """Progress of followers; parked ones first."""

    list_display = ["follower", "log", "version", "code", "moved_at", "error"]
    list_filter = [ParkedFilter, "follower"]
    list_select_related = ["log"]
    search_fields = ["log__id", "log__match__code"]
    ordering = ["-error", "-moved_at"]
    actions = ["try_again"]

    @admin.action(description=gettext_lazy("Try again"), permissions=["view"])
    def try_again(self, request: HttpRequest, marks: QuerySet[Checkpoint]) -> None:
        for mark in marks:
            followers.try_again(mark)
        self.message_user(request, "A worker will try again.")


@admin.register(FollowJob)
class FollowJobAdmin(ReadOnly, CutAdmin):
    list_display = ["log", "asked", "attempts", "created_at"]
    list_select_related = ["log"]
    search_fields = ["log__id", "log__match__code"]
