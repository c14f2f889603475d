"""Ratings and the tables they are computed from."""

from django.db import models
from django.db.models import Q

from league.models.leagues import League
from league.models.tournaments import Tournament
from matches.models import Player


class RatingPool(models.Model):
    """The players rated against one another: of a game in a league, or in no league."""

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
    """A rated table: who sat there, and their places. Projected.

    `result` is a JSON list of pairs of player id and place.
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
    """A player's strength in a pool, `mu`, and its uncertainty, `sigma`. Projected."""

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="ratings")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    shown = models.FloatField()  # mu - 3 sigma: a strength they almost surely have
    played = models.PositiveIntegerField()
    provisional = models.BooleanField(default=True)

    class Meta:
        ordering = ["pool", "-shown", "id"]
        constraints = [models.UniqueConstraint(fields=["pool", "player"], name="rating_once")]

    def __str__(self) -> str:
        return f"{self.player}: {self.shown:.1f}"


class RatingStep(models.Model):
    """A rating after a table. Projected."""

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
    """Ratings recomputed because the past changed: by which log, and who moved how far.

    `changes` is a JSON list of player, old and new `mu` and `sigma`; null where there is none.
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
