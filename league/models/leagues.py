"""Leagues, who holds which role in them, and krewes."""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy

from league.models.places import Venue
from matches.models import Player, uuid7


class League(models.Model):
    """A group that plays a game together under the same house rules."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    game = models.CharField(max_length=40, default="zg")
    about = models.TextField(max_length=4000, blank=True)
    house_rules = models.TextField(max_length=4000, blank=True)
    venue = models.ForeignKey(
        Venue, null=True, blank=True, on_delete=models.SET_NULL, related_name="leagues"
    )
    is_open = models.BooleanField(default=True)  # anybody may join
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:league-detail", args=[self.slug])


class Role(models.TextChoices):
    """A role in a league, or at one tournament."""

    ORGANISER = "organiser", gettext_lazy("Organiser")
    JUDGE = "judge", gettext_lazy("zMarshal")
    SCOREKEEPER = "scorekeeper", gettext_lazy("Scorekeeper")
    PLAYER = "player", gettext_lazy("Player")


class Membership(models.Model):
    """A player's role in a league, or at a single tournament."""

    league = models.ForeignKey(
        League, null=True, blank=True, on_delete=models.CASCADE, related_name="members"
    )
    tournament = models.ForeignKey(
        "Tournament", null=True, blank=True, on_delete=models.CASCADE, related_name="staff"
    )
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role, default=Role.PLAYER)
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["role", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(league=None) ^ Q(tournament=None), name="membership_of_one"
            ),
            models.UniqueConstraint(
                fields=["league", "player", "role"],
                condition=Q(tournament=None),
                name="role_in_league",
                violation_error_message=gettext_lazy("They have this role here already."),
            ),
            models.UniqueConstraint(
                fields=["tournament", "player", "role"],
                condition=Q(league=None),
                name="role_at_tournament",
                violation_error_message=gettext_lazy("They have this role here already."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_role_display()}"


class RoleChange(models.Model):
    """A role that was given or taken away: by whom and when. Append-only."""

    league = models.ForeignKey(
        League, null=True, blank=True, on_delete=models.CASCADE, related_name="role_changes"
    )
    tournament = models.ForeignKey(
        "Tournament", null=True, blank=True, on_delete=models.CASCADE, related_name="role_changes"
    )
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="role_changes")
    role = models.CharField(max_length=12, choices=Role)
    given = models.BooleanField()
    by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_role_display()} {'given' if self.given else 'taken'}"


class Krewe(models.Model):
    """A team in a league, which enters tournaments as one."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="krewes")
    name = models.CharField(max_length=80)
    captain = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="captained")
    players = models.ManyToManyField(Player, blank=True, related_name="krewes")

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["league", "name"], name="krewe_name")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:krewe-detail", args=[self.pk])
