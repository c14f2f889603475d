"""Logs and their entries, notes beside them, and their publication."""

from django.db import models

from matches.models.base import Headlined, uuid7
from rules import fingerprint


class Log(Headlined):
    """The entries of one match or one tournament: what a ruleset folds."""

    class Status(models.TextChoices):
        OPEN = "open"
        ENDED = "ended"
        WITHDRAWN = "withdrawn"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    ruleset = models.CharField(max_length=40)  # pinned: "zg@1"
    options = models.TextField(default="{}")  # as opened, canonical JSON
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    rules_digest = models.CharField(  # of the rules that opened it, or last proved it
        max_length=16, default=fingerprint, db_default=""
    )
    head_version = models.PositiveIntegerField(default=0)
    head_hash = models.CharField(max_length=64, blank=True)
    public_version = models.PositiveIntegerField(null=True, blank=True)  # None: all is public
    imported_version = models.PositiveIntegerField(default=0, db_default=0)  # came in a file
    held = models.BooleanField(default=False)  # results off, until released
    delay = models.PositiveIntegerField(default=0)  # seconds until an entry is public
    seed = models.CharField(max_length=64, blank=True)  # the draws' secret, until revealed
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["id"], condition=models.Q(delay__gt=0), name="log_delayed"),
            models.Index(
                fields=["id"],
                condition=models.Q(status="open") | models.Q(public_version__isnull=False),
                name="log_unsettled",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.id}"

    @property
    def is_withdrawn(self) -> bool:
        """Whether it was abandoned: hidden from view, and nothing more is recorded in it."""
        return self.status == Log.Status.WITHDRAWN


def withdrawn(to_log: str = "log__") -> models.Q:
    """Return the condition of rows whose log was withdrawn; `to_log`: the lookup of its fields."""
    return models.Q(**{f"{to_log}status": Log.Status.WITHDRAWN})


class Event(models.Model):
    """One act (ordinal 0) or one of its consequences. Append-only; written by `log` alone."""

    log = models.ForeignKey(Log, on_delete=models.PROTECT, related_name="events")
    version = models.PositiveIntegerField()
    ordinal = models.PositiveSmallIntegerField()
    position = models.PositiveBigIntegerField()  # of the entry, in the feed of all logs
    type = models.CharField(max_length=40)
    seat = models.PositiveSmallIntegerField(null=True)
    body = models.TextField()  # canonical JSON
    # The act's row alone:
    act_id = models.UUIDField(null=True)
    request_digest = models.CharField(max_length=64, blank=True)
    verdict = models.CharField(max_length=80, blank=True)  # "legal", "irregular too-far"
    on = models.PositiveIntegerField(null=True)
    repeats = models.PositiveIntegerField(null=True)
    state_digest = models.CharField(max_length=64, blank=True)
    salt = models.CharField(max_length=32, blank=True)
    hash = models.CharField(max_length=64, blank=True)
    recorded_at = models.DateTimeField(null=True)
    recorded_by = models.UUIDField(null=True)  # opaque: an imported log stays whole
    said_at = models.DateTimeField(null=True)  # the phone's clock, never used for order

    class Meta:
        ordering = ["log_id", "version", "ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["log", "version", "ordinal"], name="event_place"),
            models.UniqueConstraint(fields=["log", "act_id"], name="event_act_id"),
            models.UniqueConstraint(fields=["position", "ordinal"], name="event_position"),
        ]

    def __str__(self) -> str:
        return f"{self.version}.{self.ordinal} {self.type}"


class Note(models.Model):
    """Free text of an act. The body holds its salted hash, so the text can be erased."""

    log = models.ForeignKey(Log, on_delete=models.PROTECT, related_name="notes")
    digest = models.CharField(max_length=64)
    salt = models.CharField(max_length=32, blank=True)
    text = models.TextField(blank=True)
    author = models.UUIDField(null=True)
    erased_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["log", "digest"], name="note_digest")]

    def __str__(self) -> str:
        return self.digest[:12]


class FeedHead(models.Model):
    """One row: the last position taken. Locked last in every append, so positions have no gap."""

    position = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.position)


class Publication(models.Model):
    """Entries `first` to `last` of a log became public after they were recorded.

    The public's feed has them at `position` to `end`, which are taken from the feed head too.
    """

    log = models.ForeignKey(Log, on_delete=models.PROTECT, related_name="publications")
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    position = models.PositiveBigIntegerField(unique=True)
    end = models.PositiveBigIntegerField(unique=True)

    class Meta:
        indexes = [models.Index(fields=["log", "first"])]

    def __str__(self) -> str:
        return f"{self.log_id} {self.first}–{self.last}"
