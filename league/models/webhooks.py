"""Webhooks, the facts they report, and their deliveries."""

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy

from league.models.leagues import League
from league.outgoing import told
from matches.models import Log, uuid7


class Webhook(models.Model):
    """An address that is sent what happens in a league; `events` are the kinds it wants.

    `secret` is encrypted, like `previous`, which also signs until `previous_until`. An address that
    failed or was slow is not tried again before `resting_until`.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=400)
    events = models.JSONField(default=list)
    secret = models.TextField()
    previous = models.TextField(blank=True)
    previous_until = models.DateTimeField(null=True, blank=True)
    is_on = models.BooleanField(default=True)
    off_why = models.CharField(max_length=200, blank=True)
    resting_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["league", "id"]

    def __str__(self) -> str:
        return self.url

    def get_absolute_url(self) -> str:
        return reverse("league:webhook-detail", args=[self.pk])


class Happening(models.Model):
    """A public fact about a log, as webhooks report it. Projected.

    A fact that changes, or is no longer true (`stands`), gets another `serial`. `data` holds no
    names.
    """

    log = models.ForeignKey(Log, on_delete=models.CASCADE, related_name="happenings")
    kind = models.CharField(max_length=40)
    round = models.PositiveSmallIntegerField(default=0)
    table = models.PositiveSmallIntegerField(default=0)
    serial = models.PositiveIntegerField(default=1)
    stands = models.BooleanField(default=True)
    digest = models.CharField(max_length=64)
    data = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["log_id", "round", "table", "kind"]
        constraints = [
            models.UniqueConstraint(fields=["log", "kind", "round", "table"], name="happening_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.serial}"

    @property
    def what(self) -> tuple[str, int, int]:
        """Return what it is about: its kind, round and table."""
        return self.kind, self.round, self.table


class Delivery(models.Model):
    """A message to a webhook, which keeps its `id` however often it is sent."""

    class Status(models.TextChoices):
        WAITING = "waiting", gettext_lazy("Waiting")
        DELIVERED = "delivered", gettext_lazy("Delivered")
        HELD = "held", gettext_lazy("Held back")  # not public at the moment
        REPLACED = "replaced", gettext_lazy("No longer so")  # a newer message says how it is now
        DEAD = "dead", gettext_lazy("Given up")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    happening = models.ForeignKey(
        Happening, null=True, blank=True, on_delete=models.CASCADE, related_name="deliveries"
    )
    serial = models.PositiveIntegerField(default=1)  # of the happening
    kind = models.CharField(max_length=40)
    data = models.JSONField()
    at = models.DateTimeField()  # when the last entry it knows of was recorded
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(fields=["due_at"], condition=Q(status="waiting"), name="delivery_waiting")
        ]
        constraints = [
            models.UniqueConstraint(fields=["webhook", "happening", "serial"], name="delivery_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.webhook}"

    @property
    def next_try_at(self) -> datetime:
        """Return the earliest time of the next attempt: once due and its webhook is not resting."""
        return max(self.due_at, self.webhook.resting_until or self.due_at)


class Attempt(models.Model):
    """An attempt to deliver: the HTTP status of the answer if known, or why there was none."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="tries")
    began_at = models.DateTimeField()
    milliseconds = models.PositiveIntegerField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    error = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.began_at:%Y-%m-%d %H:%M:%S}: {self.status or self.error}"

    @property
    def why(self) -> str:
        """Return why there was no answer, in the reader's language."""
        return told(self.error)
