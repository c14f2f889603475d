"""The catalogue: cards, and the sets they belong to."""

from typing import Any

import msgspec
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from matches.models import Player, uuid7


class CardSet(models.Model):
    """Cards that belong together. One without an owner is the site's."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    game = models.CharField(max_length=40)  # "zg"
    name = models.CharField(max_length=80)
    owner = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.CASCADE, related_name="card_sets"
    )
    about = models.TextField(blank=True, max_length=2000)

    class Meta:
        ordering = ["game", "name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["game", "name", "owner"], name="card_set_of_owner"),
            models.UniqueConstraint(
                fields=["game", "name"],
                condition=Q(owner=None),
                name="card_set_of_site",
                violation_error_message=gettext_lazy("There is a set of this name already."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Card(models.Model):
    """A design: what is printed on a card, as its game's ruleset parses it.

    `face` is the card as canonical JSON; searchable fields have columns of their own.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    card_set = models.ForeignKey(CardSet, on_delete=models.CASCADE, related_name="cards")
    game = models.CharField(max_length=40)
    owner = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.CASCADE, related_name="cards"
    )
    shared = models.BooleanField(default=True)
    name = models.CharField(max_length=80)
    slot = models.CharField(max_length=80, blank=True)
    colour = models.CharField(max_length=80, blank=True)
    quality = models.CharField(max_length=80, blank=True)
    cost = models.PositiveIntegerField(null=True, blank=True)
    impulse = models.PositiveIntegerField(null=True, blank=True)
    move = models.PositiveIntegerField(null=True, blank=True)
    range = models.PositiveIntegerField(null=True, blank=True)
    ends = models.CharField(max_length=170, blank=True)  # "R+ G B | G Bo R#"
    dots = models.PositiveSmallIntegerField(default=0)  # known ones, on both ends
    blazes = models.PositiveSmallIntegerField(default=0)
    face = models.TextField()
    invented = models.BooleanField(default=False)  # not attested by any source
    revision = models.PositiveIntegerField(default=1)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["card_set", "name", "colour"], name="card_in_set")
        ]
        indexes = [
            models.Index(fields=["game", "slot", "colour"], name="card_slot_colour"),
            models.Index(fields=["game", "name"], name="card_name"),
            models.Index(fields=["name", "id"], name="card_order"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def both(self) -> list[str]:
        """The dots of both ends; empty if unknown."""
        return self.ends.split(" | ") if self.ends else []

    @property
    def data(self) -> dict[str, Any]:
        """Its face as plain data."""
        found: dict[str, Any] = msgspec.json.decode(self.face)
        return found
