"""What is fielded in matches, what it did there, and the answers given afterwards."""

from django.db import models
from django.utils.translation import gettext_lazy

from characters.models.catalogue import Card
from characters.models.characters import Campaign, Character, Goal
from characters.models.ledger import Favour, GearItem
from matches.models import Match, Player, Seat, uuid7


class Loadout(models.Model):
    """Gear picked for a deck. Its mode deck is the character's."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="loadouts")
    name = models.CharField(max_length=80)
    game = models.CharField(max_length=40, default="zg")
    game_class = models.CharField(max_length=20, default="standard")
    items = models.ManyToManyField(GearItem, blank=True, related_name="loadouts")
    with_modes = models.BooleanField(default=True)
    shared = models.BooleanField(default=False)  # others may field it
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class Appearance(models.Model):
    """A character at a seat of a match. Its id is that seat's `ref` in the log.

    What was fielded is in the log's setup and does not change; `FieldedItem` says which items those
    cards were.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="appearance")
    character = models.ForeignKey(Character, on_delete=models.PROTECT, related_name="appearances")
    loadout = models.ForeignKey(
        Loadout, null=True, on_delete=models.SET_NULL, related_name="appearances"
    )
    fielded_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    fielded_at = models.DateTimeField(auto_now_add=True)
    campaign = models.ForeignKey(  # whose rule for slags it was fielded under, if there was one
        Campaign, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["-fielded_at", "-id"]

    def __str__(self) -> str:
        return f"{self.character} in {self.seat.match_id}"


class FieldedItem(models.Model):
    """An item as it was fielded: `card` is its name in the match, `design` its card then."""

    appearance = models.ForeignKey(Appearance, on_delete=models.CASCADE, related_name="fielded")
    item = models.ForeignKey(GearItem, on_delete=models.PROTECT, related_name="fielded")
    card = models.CharField(max_length=90)
    design = models.ForeignKey(Card, null=True, on_delete=models.SET_NULL, related_name="fielded")

    class Meta:
        ordering = ["appearance_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["appearance", "card"], name="fielded_card"),
            models.UniqueConstraint(fields=["appearance", "item"], name="fielded_item"),
        ]

    def __str__(self) -> str:
        return self.card


class Deed(models.Model):
    """What a fielded card did or suffered in a match, from its own side.

    A follower's row: `at_head` in the log as it is now, `public` in its public version. `other_…`
    is the other side; a card that no character fielded has only its name.
    """

    class Kind(models.TextChoices):
        WEAPON = "weapon", gettext_lazy("Attacked with")
        TARGET = "target", gettext_lazy("Was attacked")
        TOOK = "took", gettext_lazy("Slagged another")
        LOST = "lost", gettext_lazy("Was slagged")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="deeds")
    version = models.PositiveIntegerField()
    turn = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    appearance = models.ForeignKey(Appearance, on_delete=models.CASCADE, related_name="deeds")
    item = models.ForeignKey(GearItem, null=True, on_delete=models.CASCADE, related_name="deeds")
    card = models.CharField(max_length=90, blank=True)
    other_seat = models.PositiveSmallIntegerField(null=True)
    other = models.ForeignKey(Appearance, null=True, on_delete=models.CASCADE, related_name="+")
    other_item = models.ForeignKey(GearItem, null=True, on_delete=models.CASCADE, related_name="+")
    other_card = models.CharField(max_length=90, blank=True)
    strikes = models.PositiveSmallIntegerField(default=0)
    blocked = models.PositiveSmallIntegerField(default=0)
    result = models.CharField(max_length=20, blank=True)
    at_head = models.BooleanField(default=False)
    public = models.BooleanField(default=False)

    class Meta:
        ordering = ["-match_id", "version", "id"]
        indexes = [models.Index(fields=["item", "kind"], name="deed_item_kind")]

    def __str__(self) -> str:
        return f"{self.card}: {self.get_kind_display()}"


class Aftermath(models.Model):
    """A person's answer to a question after a match; put aside unless `taken`.

    `act_id` is the resulting act of the ledger, `favour` the grudge.
    """

    class Kind(models.TextChoices):
        GRUDGE = "grudge"
        REPAIR = "repair"
        GOAL = "goal"

    appearance = models.ForeignKey(Appearance, on_delete=models.CASCADE, related_name="aftermath")
    kind = models.CharField(max_length=10, choices=Kind)
    item = models.ForeignKey(GearItem, null=True, on_delete=models.CASCADE, related_name="+")
    goal = models.ForeignKey(Goal, null=True, on_delete=models.CASCADE, related_name="+")
    taken = models.BooleanField(default=False)
    act_id = models.UUIDField(null=True)
    favour = models.ForeignKey(Favour, null=True, on_delete=models.SET_NULL, related_name="+")
    answered_at = models.DateTimeField(auto_now=True)
    answered_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["appearance_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["appearance", "kind", "item"], name="after_item"),
            models.UniqueConstraint(fields=["appearance", "kind", "goal"], name="after_goal"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {'taken' if self.taken else 'put aside'}"
