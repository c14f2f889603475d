"""The disciplinary record: penalties and sanctions."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy

from league.models.leagues import League
from league.models.tournaments import Entry, Tournament
from matches.models import Player


class Penalty(models.Model):
    """A penalty from a desk's log, kept for its league across tournaments. Projected."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="penalties")
    version = models.PositiveIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="penalties")
    infraction = models.CharField(max_length=20)
    penalty = models.CharField(max_length=20)
    demerits = models.PositiveSmallIntegerField(default=0)
    given_at = models.DateTimeField()

    class Meta:
        ordering = ["-given_at", "-id"]
        verbose_name_plural = "penalties"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "version"], name="penalty_once")
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.infraction}"


class Sanction(models.Model):
    """A player's ban or exile from a league's tournaments.

    A ban ends by itself; an exile only by being lifted.
    """

    class Kind(models.TextChoices):
        BAN = "ban", gettext_lazy("Banned")
        EXILE = "exile", gettext_lazy("Exiled")

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="sanctions")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="sanctions")
    kind = models.CharField(max_length=5, choices=Kind, default=Kind.BAN)
    starts_on = models.DateField()
    ends_on = models.DateField(null=True, blank=True)
    reason = models.TextField(max_length=2000)
    given_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    lifted_on = models.DateField(null=True, blank=True)
    act_id = models.UUIDField(null=True, unique=True, editable=False)  # see `matches.once`

    class Meta:
        ordering = ["-starts_on", "-id"]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_kind_display()}"

    def holds_on(self, day: Any) -> bool:
        """Return whether it keeps the player out on a day."""
        over = self.ends_on is not None and self.ends_on < day
        lifted = self.lifted_on is not None and self.lifted_on <= day
        return self.starts_on <= day and not over and not lifted
