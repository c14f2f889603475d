"""How players are told where they play."""

from django.db import models
from django.utils.translation import gettext, gettext_lazy

from league.models.tournaments import Tournament
from matches.models import Player


class Telling(models.Model):
    """How a player is told of their pairings. `calendar` numbers their calendar's address.

    Another number makes the address before it void; there is none at 0 or below.
    """

    player = models.OneToOneField(
        Player, primary_key=True, on_delete=models.CASCADE, related_name="telling"
    )
    letters = models.BooleanField(default=True)
    calendar = models.IntegerField(default=0)

    def __str__(self) -> str:
        return gettext("How {player} is told").format(player=self.player)


class Letter(models.Model):
    """What a player is to be told by letter, and what was done of it.

    `wanted` and `settled` stand for what they are to be told and what they were last told; they
    are to be told nothing where the first is empty.
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
    """Where a player sits in a round; nothing of one that is not published any more.

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
    """Of what a player is reminded: a moment, `at`, which `wanted` and `settled` name too."""

    class Kind(models.TextChoices):
        BEGINS = "begins", gettext_lazy("The tournament begins")
        UNPLAYED = "unplayed", gettext_lazy("A match is not reported")
        NOT_PAIRED = "not-paired", gettext_lazy("A round could not be paired")

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
