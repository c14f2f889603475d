"""Rows of followers on matches, and the progress of each follower."""

from django.db import models
from django.utils.translation import gettext_lazy

from matches.models.base import Headlined
from matches.models.log import Log
from matches.models.matches import Seat


class Headline(Headlined):
    """The headline of a log for the public, while that is not its head. A follower's row."""

    log = models.OneToOneField(
        Log, primary_key=True, on_delete=models.CASCADE, related_name="public_line"
    )
    version = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Log.Status, default=Log.Status.OPEN)
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.headline


class SeatResult(models.Model):
    """The result of a match for a seat, at its head and as far as the public may know it.

    A follower's row, present once the match has ended for anyone.
    """

    class Result(models.TextChoices):
        WON = "won", gettext_lazy("Won")
        DRAWN = "drawn", gettext_lazy("Drawn")
        LOST = "lost", gettext_lazy("Lost")

    seat = models.OneToOneField(
        Seat, primary_key=True, on_delete=models.CASCADE, related_name="result"
    )
    result = models.CharField(max_length=10, choices=Result, blank=True)
    public_result = models.CharField(max_length=10, choices=Result, blank=True)

    def __str__(self) -> str:
        return f"{self.seat_id} {self.result}"


class SpinTally(models.Model):
    """How often a spin for one purpose had one result for a seat, in one match. A follower's row.

    `count` is at the log's head, `public_count` as far as the public may know. `source` is `site`
    or `table`; seat 0 is the table as a whole.
    """

    log = models.ForeignKey(Log, on_delete=models.CASCADE, related_name="spin_tallies")
    seat = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=10)
    purpose = models.CharField(max_length=80)
    value = models.CharField(max_length=80)
    count = models.PositiveIntegerField()
    public_count = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "spin tallies"
        constraints = [
            models.UniqueConstraint(
                fields=["log", "seat", "source", "purpose", "value"], name="spin_tally"
            )
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.value}: {self.count}"


class Checkpoint(models.Model):
    """The progress of a follower in a log."""

    follower = models.CharField(max_length=100)
    log = models.ForeignKey(Log, on_delete=models.CASCADE, related_name="checkpoints")
    version = models.PositiveIntegerField(default=0)
    public_version = models.PositiveIntegerField(null=True)  # the log's, as it was then
    code = models.PositiveIntegerField(default=0)  # the version of the follower's code
    error = models.TextField(blank=True)  # parked with this
    moved_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["follower", "log"], name="checkpoint_of")]

    def __str__(self) -> str:
        return f"{self.follower} at {self.version}"
