"""How players are told where they play."""

from django.db import models
from django.utils.translation import gettext

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


class PairingLetter(models.Model):
    """What a player is to be told of a round by letter, and what of it was done.

    `wanted` and `settled` are digests, of where they sit now and of what they were last told;
    nothing is wanted of a round that is not published any more.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="letters")
    round = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="letters")
    wanted = models.CharField(max_length=64, blank=True)
    settled = models.CharField(max_length=64, blank=True)
    published_at = models.DateTimeField()
    due_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["-published_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round", "player"], name="letter_once")
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, round {self.round}: to {self.player}"
