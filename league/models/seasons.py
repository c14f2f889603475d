"""Seasons with their divisions, and circuits with their qualifiers."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext_lazy

from league.models.leagues import League
from matches.models import Player, uuid7


class Season(models.Model):
    """A dated run of a league. `previous` is the season it was rolled over from."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=80)
    starts_on = models.DateField()
    ends_on = models.DateField()
    about = models.TextField(max_length=4000, blank=True)
    previous = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="following"
    )

    class Meta:
        ordering = ["-starts_on", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["league", "name"], name="season_name"),
            models.CheckConstraint(
                condition=Q(ends_on__gte=models.F("starts_on")),
                name="season_dates",
                violation_error_message=gettext_lazy(
                    "A season ends on the day it begins, or later."
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:season-detail", args=[self.pk])


class Division(models.Model):
    """A level of a season; 1 is the highest. At its end `up` and `down` players move.

    `play_off`: this many above those who move down play for their places against as many below
    those who move up from the next level. The final order of the tournament `play_off_in` decides.
    """

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="divisions")
    level = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(max_length=80)
    up = models.PositiveSmallIntegerField(default=0)
    down = models.PositiveSmallIntegerField(default=0)
    play_off = models.PositiveSmallIntegerField(default=0)
    play_off_in = models.ForeignKey(
        "Tournament", null=True, blank=True, on_delete=models.SET_NULL, related_name="decides"
    )

    class Meta:
        ordering = ["season", "level"]
        constraints = [models.UniqueConstraint(fields=["season", "level"], name="division_level")]

    def __str__(self) -> str:
        return self.name


class DivisionPlayer(models.Model):
    """A player in a division. Those not `active` are skipped when players move up and down."""

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="divisions")
    seed = models.PositiveSmallIntegerField(default=0)  # place in the season before, to break ties
    active = models.BooleanField(default=True)

    class Meta:
        ordering = ["division", "seed", "id"]
        constraints = [
            models.UniqueConstraint(fields=["division", "player"], name="player_in_division")
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.division}"


class Adjustment(models.Model):
    """Points that organisers gave a player in a division or a circuit, or took, and why.

    Append-only: a wrong one is balanced by another.
    """

    division = models.ForeignKey(
        Division, null=True, blank=True, on_delete=models.CASCADE, related_name="adjustments"
    )
    circuit = models.ForeignKey(
        "Circuit", null=True, blank=True, on_delete=models.CASCADE, related_name="adjustments"
    )
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="adjustments")
    points = models.SmallIntegerField()
    reason = models.CharField(max_length=200)
    made_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    act_id = models.UUIDField(null=True, unique=True, editable=False)  # see `matches.once`

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(points=0),
                name="adjustment_points",
                violation_error_message=gettext_lazy("Some points are given or taken, not 0."),
            ),
            models.CheckConstraint(
                condition=Q(division__isnull=True) ^ Q(circuit__isnull=True),
                name="adjustment_within",
                violation_error_message=gettext_lazy(
                    "Points are given or taken in either a division or a circuit."
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.points:+}: {self.reason}"

    @property
    def within(self) -> "Division | Circuit":
        """Return where they count."""
        found = self.division or self.circuit
        assert found is not None  # the constraint `adjustment_within`
        return found


class Circuit(models.Model):
    """Tournaments whose points add up to a final.

    `points` are those for the first, second … place, as JSON: one list, or one per minimum number
    of players, `{"8": [5, 3], "16": [9, 6]}`. The best `best` tournaments count, 0 for all. Each
    qualifier gives `direct` places in the final, points give `by_ranking` more. The place of a
    player who is in already passes to the next in that tournament, or else to the ranking.
    """

    class PassDown(models.TextChoices):
        TOURNAMENT = "tournament", gettext_lazy("To the next of that tournament")
        RANKING = "ranking", gettext_lazy("To the ranking")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="circuits")
    name = models.CharField(max_length=80)
    about = models.TextField(max_length=2000, blank=True)
    points = models.JSONField(default=list)
    best = models.PositiveSmallIntegerField(default=0)
    direct = models.PositiveSmallIntegerField(default=0)
    by_ranking = models.PositiveSmallIntegerField(default=0)
    pass_down = models.CharField(max_length=12, choices=PassDown, default=PassDown.TOURNAMENT)
    final = models.OneToOneField(
        "Tournament", null=True, blank=True, on_delete=models.SET_NULL, related_name="final_of"
    )

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["season", "name"], name="circuit_name")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:circuit-detail", args=[self.pk])

    @property
    def has_sizes(self) -> bool:
        """Return whether its points depend on the number of players."""
        return isinstance(self.points, dict)

    @property
    def by_size(self) -> list[tuple[int, list[int]]]:
        """Return lists of points by the minimum number of players, smallest first."""
        tables = self.points if isinstance(self.points, dict) else {"0": self.points}
        return sorted((int(least), points) for least, points in tables.items())

    def points_in(self, field: int) -> list[int]:
        """Return the points of places in a field of a size, empty if it is too small."""
        held = [points for least, points in self.by_size if least <= field]
        return held[-1] if held else []


class Qualifier(models.Model):
    """A tournament of a circuit. `tier` multiplies its points.

    They are in the order in which they begin, or else were opened; at one time, as they were added
    (`order`).
    """

    circuit = models.ForeignKey(Circuit, on_delete=models.CASCADE, related_name="qualifiers")
    tournament = models.ForeignKey(
        "Tournament", on_delete=models.PROTECT, related_name="qualifiers"
    )
    order = models.PositiveSmallIntegerField(default=1)
    tier = models.PositiveSmallIntegerField(default=1)
    direct = models.PositiveSmallIntegerField(null=True, blank=True)  # None: the circuit's number

    class Meta:
        ordering = [
            "circuit",
            Coalesce("tournament__starts_at", "tournament__created_at"),
            *("order", "id"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["circuit", "tournament"], name="qualifier_once")
        ]

    def __str__(self) -> str:
        return f"{self.tournament} for {self.circuit}"


class Invitation(models.Model):
    """An answer about a place in a final. Append-only: a later answer supersedes it.

    A `replacement` takes the place of a player who declined, ahead of the ranking.
    """

    class Answer(models.TextChoices):
        ACCEPTED = "accepted", gettext_lazy("Comes")
        DECLINED = "declined", gettext_lazy("Does not come")

    circuit = models.ForeignKey(Circuit, on_delete=models.CASCADE, related_name="invitations")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="invitations")
    answer = models.CharField(max_length=10, choices=Answer)
    replacement = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    said_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    said_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_answer_display()}"
