"""Gear, the ledger of how it came, and favours between characters."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from characters.models.catalogue import Card
from characters.models.characters import Answerable, Audience, Character
from matches.models import uuid7


class GearItem(models.Model):
    """One item with its own identity. Its holder is determined by the ledger."""

    class Kind(models.TextChoices):
        PIECE = "piece", gettext_lazy("zGear")
        POSSESSION = "possession", gettext_lazy("Possession")
        LODE = "lode", gettext_lazy("Lode")
        ARTIFEX = "artifex", gettext_lazy("Artifex")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    serial = models.CharField(max_length=10, unique=True)  # "ZG-7K2P9Q"
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.PIECE)
    name = models.CharField(max_length=200)  # "Helmet", "Ego Lode", "A book of debts"
    quality = models.CharField(max_length=40, blank=True)
    colour = models.CharField(max_length=40, blank=True)
    slot = models.CharField(max_length=80, blank=True)
    card = models.ForeignKey(
        Card, null=True, blank=True, on_delete=models.SET_NULL, related_name="items"
    )
    inside = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="contents"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return " ".join(word for word in (self.quality, self.colour, self.name) if word)


# -- the ledger -----------------------------------------------------------------------------


class LedgerEntry(models.Model):
    """One line of the books: an item or some money goes from one hand to another.

    Append-only; written by `ledger` alone. An act may have several lines, numbered by `ordinal`. An
    empty hand is the outside world: a shop, the ground, the scrap heap. If both hands are the same,
    nothing moves (a repair). `covers` makes it a cover story: its audience reads it instead of the
    line it covers, and it moves nothing.
    """

    class Method(models.TextChoices):
        ISSUED = "issued"
        BOUGHT = "bought"
        FOUND = "found"
        STOLEN = "stolen"
        WON = "won"
        GIFT = "gift"
        TRADED = "traded"
        LENT = "lent"
        RETURNED = "returned"
        REPAIRED = "repaired"
        SALVAGED = "salvaged"
        CONFISCATED = "confiscated"
        DESTROYED = "destroyed"
        CORRECTED = "corrected"

    class Certainty(models.TextChoices):
        CERTAIN = "certain", gettext_lazy("Certain")
        PROBABLE = "probable", gettext_lazy("Probable")
        CLAIMED = "claimed", gettext_lazy("Claimed")
        DISPUTED = "disputed", gettext_lazy("Disputed")

    act_id = models.UUIDField()
    ordinal = models.PositiveSmallIntegerField()
    method = models.CharField(max_length=12, choices=Method)
    item = models.ForeignKey(GearItem, null=True, on_delete=models.PROTECT, related_name="entries")
    amount = models.PositiveIntegerField(null=True)  # of money that moves
    giver = models.ForeignKey(Character, null=True, on_delete=models.PROTECT, related_name="given")
    taker = models.ForeignKey(Character, null=True, on_delete=models.PROTECT, related_name="taken")
    price = models.PositiveIntegerField(null=True)  # of the item; the money has its own line
    certainty = models.CharField(max_length=10, choices=Certainty, default=Certainty.CERTAIN)
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.PUBLIC)
    corrects = models.ForeignKey(
        "self", null=True, on_delete=models.PROTECT, related_name="corrections"
    )
    covers = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="covered")
    happened_on = models.DateField(null=True)
    recorded_at = models.DateTimeField()
    recorded_by = models.UUIDField(null=True)
    request_digest = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "ledger entries"
        constraints = [
            models.UniqueConstraint(fields=["act_id", "ordinal"], name="ledger_act"),
            models.UniqueConstraint(fields=["corrects"], name="ledger_corrected_once"),
            models.CheckConstraint(
                condition=Q(item__isnull=False, amount__isnull=True)
                | Q(item__isnull=True, amount__isnull=False, amount__gt=0),
                name="ledger_item_or_money",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.method}: {self.item or f'c{self.amount}'}"


class LedgerWords(models.Model):
    """The words of an entry; blanked if they must be erased."""

    entry = models.OneToOneField(
        LedgerEntry, primary_key=True, on_delete=models.PROTECT, related_name="words"
    )
    party = models.CharField(max_length=200, blank=True)  # a shop, a person without a sheet
    place = models.CharField(max_length=200, blank=True)
    context = models.CharField(max_length=200, blank=True)
    raw = models.CharField(max_length=200, blank=True)  # the line as typed

    def __str__(self) -> str:
        return self.raw or self.party


class Trade(Answerable):
    """An offer by one character to another; its lines go to the ledger when it is accepted."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    by = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="offers")
    to = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="offered")
    method = models.CharField(
        max_length=12, choices=LedgerEntry.Method, default=LedgerEntry.Method.TRADED
    )
    gives = models.ManyToManyField(GearItem, blank=True, related_name="offered_in")
    wants = models.ManyToManyField(GearItem, blank=True, related_name="wanted_in")
    pays = models.PositiveIntegerField(default=0)
    asks = models.PositiveIntegerField(default=0)
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.PUBLIC)

    class Meta:
        ordering = ["-offered_at", "-id"]

    def __str__(self) -> str:
        return f"{self.by} to {self.to}: {self.status}"


class Favour(models.Model):
    """A favour owed or a grudge borne, in the diaries of both sides.

    Visible to those who may read the holder's diary and belong to its `audience`; `named` means all
    who may read the diary.
    """

    class Kind(models.TextChoices):
        FAVOUR = "favour", gettext_lazy("Favour owed")
        GRUDGE = "grudge", gettext_lazy("Grudge")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    kind = models.CharField(max_length=10, choices=Kind)
    holder = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="favours")
    about = models.ForeignKey(
        Character, null=True, blank=True, on_delete=models.SET_NULL, related_name="favours_about"
    )
    who = models.CharField(max_length=200, blank=True)  # somebody without a sheet
    text = models.CharField(max_length=500)
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.OWNER)
    told = models.BooleanField(default=False)  # the other side may know
    match = models.CharField(max_length=8, blank=True)  # the code of the match it came from
    since = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-since", "-id"]

    def __str__(self) -> str:
        return self.text[:60]
