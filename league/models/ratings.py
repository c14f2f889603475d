"""Ratings, as they were counted."""

from django.db import models
from django.db.models import Q

from league.models.leagues import League
from league.models.tournaments import Tournament
from matches.models import Player


class RatingPool(models.Model):
    """Those rated against one another: a game in a league, or in no league."""

    league = models.ForeignKey(
        League, null=True, blank=True, on_delete=models.CASCADE, related_name="rating_pools"
    )
    game = models.CharField(max_length=40)

    class Meta:
        ordering = ["game", "id"]
        constraints = [
            models.UniqueConstraint(fields=["league", "game"], name="pool_of_league"),
            models.UniqueConstraint(
                fields=["game"], condition=Q(league=None), name="pool_of_no_league"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league or 'No league'}: {self.game}"


class RatedTable(models.Model):
    """A table that is rated: who sat there, and their places. Projected.

    `result` is a list of a player's id and a place, as JSON.
    """

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="tables")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rated")
    round = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField()
    played_at = models.DateTimeField()
    result = models.JSONField()

    class Meta:
        ordering = ["played_at", "tournament", "round", "table"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "round", "table"], name="rated_once")
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: round {self.round}, table {self.table}"


class Rating(models.Model):
    """How strong somebody is in a pool: `mu`, and how unsure that is, `sigma`. Projected."""

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="ratings")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    shown = models.FloatField()  # mu - 3 sigma: what somebody is worth almost surely
    played = models.PositiveIntegerField()
    provisional = models.BooleanField(default=True)

    class Meta:
        ordering = ["pool", "-shown", "id"]
        constraints = [models.UniqueConstraint(fields=["pool", "player"], name="rating_once")]

    def __str__(self) -> str:
        return f"{self.player}: {self.shown:.1f}"


class RatingStep(models.Model):
    """What a rating was after a table. Projected."""

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="steps")
    table = models.ForeignKey(RatedTable, on_delete=models.CASCADE, related_name="steps")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="rating_steps")
    place = models.PositiveSmallIntegerField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        ordering = ["table", "place", "id"]
        constraints = [models.UniqueConstraint(fields=["table", "player"], name="step_once")]

    def __str__(self) -> str:
        return f"{self.player} after {self.table}"


class RatingRevision(models.Model):
    """Ratings computed anew because the past changed: by which log, and who moved how far.

    `changes` is a list of player, old and new `mu` and `sigma`, as JSON; None for none.
    """

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="revisions")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="rating_revisions"
    )
    version = models.PositiveIntegerField()  # of the tournament's log
    tables = models.PositiveIntegerField()  # rated again
    changes = models.JSONField()
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.tournament} at {self.version}"
