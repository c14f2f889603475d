"""How players are notified of where they play."""

from django.db import models
from django.utils.translation import gettext, gettext_lazy

from league.models.tournaments import Tournament
from matches.models import Player


class Telling(models.Model):
    """How a player is notified of pairings.

    `calendar` is the serial number of their calendar's address. Increasing it invalidates the
    previous address; at 0 or below there is none.
    """

    player = models.OneToOneField(
        Player, primary_key=True, on_delete=models.CASCADE, related_name="telling"
    )
    letters = models.BooleanField(default=True)
    calendar = models.IntegerField(default=0)

    def __str__(self) -> str:
        return gettext("How {player} is told").format(player=self.player)


class Letter(models.Model):
    """A notice to send to a player by letter, and its delivery.

    `wanted` identifies what to say and `settled` what was last said; with an empty `wanted` there
    is nothing to say.
    """

    wanted = models.CharField(max_length=64, blank=True)
    settled = models.CharField(max_length=64, blank=True)
    due_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=500, blank=True)

    class Meta:
        abstract = True


class PairingLetter(Letter):
    """Where a player sits in a round; nothing to say once the round is no longer published.

    `wanted` and `settled` are digests of it.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="letters")
    round = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="letters")
    published_at = models.DateTimeField()

    class Meta:
        ordering = ["-published_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round", "player"], name="letter_once")
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, round {self.round}: to {self.player}"


class Reminder(Letter):
    """A reminder to a player of a moment, `at`, which `wanted` and `settled` contain too."""

    class Kind(models.TextChoices):
        BEGINS = "begins", gettext_lazy("The tournament begins")
        UNPLAYED = "unplayed", gettext_lazy("A match is not reported")
        NOT_PAIRED = "not-paired", gettext_lazy("A round could not be paired")
        PROPOSED = "proposed", gettext_lazy("A time to play is proposed")
        AGREED = "agreed", gettext_lazy("A time to play is agreed")
        PLAYS = "plays", gettext_lazy("A match is to be played")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="reminders")
    kind = models.CharField(max_length=12, choices=Kind)
    round = models.PositiveSmallIntegerField(default=0)  # 0: of the whole tournament
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="reminders")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "kind", "round", "player"], name="reminder_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, {self.get_kind_display()}: to {self.player}"
