"""The outboxes: what is due and to be done by workers."""

from typing import Any

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy

from matches.models.base import uuid7
from matches.models.log import Log


class FollowJob(models.Model):
    """The outbox of appends: a log whose followers are due. One row per log, however much comes."""

    log = models.OneToOneField(
        Log, primary_key=True, on_delete=models.CASCADE, related_name="follow_job"
    )
    asked = models.PositiveBigIntegerField(default=1)  # incremented by every append
    attempts = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"due {self.log_id}"


class Job(models.Model):
    """The outbox of other work. This row is the truth, the broker only a wake-up.

    `about` is the id of what its kind works on, if that is not a log; `title` is its title at the
    time it was asked for. `done` of `total` steps are made, 0 of 0 before the first. From `done_at`
    it is over: done, failed or cancelled.
    """

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("Waiting")
        WORKING = "working", gettext_lazy("At work")
        DONE = "done", gettext_lazy("Done")
        FAILED = "failed", gettext_lazy("Failed")
        CANCELLED = "cancelled", gettext_lazy("Cancelled")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    kind = models.CharField(max_length=40)
    log = models.ForeignKey(Log, null=True, on_delete=models.CASCADE, related_name="jobs")
    about = models.UUIDField(null=True)
    title = models.CharField(max_length=200, blank=True, default="", db_default="")
    created_at = models.DateTimeField(auto_now_add=True)
    asked_by = models.UUIDField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(null=True)
    done = models.PositiveIntegerField(default=0, db_default=0)
    total = models.PositiveIntegerField(default=0, db_default=0)
    done_at = models.DateTimeField(null=True)
    is_cancelled = models.BooleanField(default=False, db_default=False)
    result: Any = models.JSONField(null=True)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["done_at", "created_at"]),
            models.Index(fields=["asked_by", "-id"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"

    def get_absolute_url(self) -> str:
        return reverse("matches:job-detail", args=[self.pk])

    @property
    def state(self) -> State:
        if self.done_at is None:
            begun = self.started_at is not None or self.total
            return self.State.WORKING if begun else self.State.WAITING
        if self.is_cancelled:
            return self.State.CANCELLED
        return self.State.FAILED if self.error and self.result is None else self.State.DONE
