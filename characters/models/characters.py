"""Campaigns and characters: the contents of a sheet, their audiences, and their history."""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy, gettext_noop

from matches.models import NameField, Player, uuid7


class Audience(models.TextChoices):
    """Who may know. The owner knows everything; each of the first three includes those below it."""

    PUBLIC = "public", gettext_lazy("Everyone")
    PLAYERS = "players", gettext_lazy("Players of the campaign")
    OFFICIALS = "officials", gettext_lazy("Officials of the campaign")
    OWNER = "owner", gettext_lazy("The owner alone")
    NAMED = "named", gettext_lazy("People by name")


# -- campaigns and characters ---------------------------------------------------------------


class Campaign(models.Model):
    """Characters that share a world, and its settings, made by its officials."""

    class AfterSlag(models.TextChoices):
        WHOLE = "whole", gettext_lazy("Whole again for the next match")
        REPAIR = "repair", gettext_lazy("Must be repaired")
        ROLL = "roll", gettext_lazy("Roll for it")
        LOST = "lost", gettext_lazy("Lost for good")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = NameField(max_length=80, erased=gettext_noop("Erased campaign"))
    game = models.CharField(max_length=40, default="zg")
    owner = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="campaigns")
    officials = models.ManyToManyField(Player, blank=True, related_name="officiated_campaigns")
    after_slag = models.CharField(max_length=10, choices=AfterSlag, default=AfterSlag.WHOLE)
    repair_price = models.PositiveIntegerField(default=10)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class Character(models.Model):
    """A character that a player plays: a sheet with a history."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="characters")
    campaign = models.ForeignKey(
        Campaign, null=True, blank=True, on_delete=models.SET_NULL, related_name="characters"
    )
    name = NameField(max_length=200, erased=gettext_noop("Erased character"))
    tagline = models.CharField(max_length=200, blank=True)
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.PUBLIC)
    named = models.ManyToManyField(Player, blank=True, related_name="shown_characters")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [models.Index(fields=["-created_at", "-id"], name="character_created")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("characters:character-detail", args=[self.pk])

    @property
    def after_slag(self) -> str:
        """What becomes of its gear after a slag: whole again if no campaign says otherwise."""
        return self.campaign.after_slag if self.campaign else Campaign.AfterSlag.WHOLE


class Portrait(models.Model):
    """A character's picture, re-encoded by us: no byte of the upload is kept."""

    character = models.OneToOneField(Character, on_delete=models.CASCADE, related_name="portrait")
    image = models.BinaryField()  # JPEG
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=16)  # of the image; part of its URL, which changes with it
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.PUBLIC)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(audience=Audience.NAMED), name="portrait_for_a_group"
            )
        ]

    def __str__(self) -> str:
        return f"{self.width} × {self.height}"


class Answerable(models.Model):
    """An offer that its other side accepts or declines, unless it is withdrawn before."""

    class Status(models.TextChoices):
        OFFERED = "offered", gettext_lazy("Offered")
        ACCEPTED = "accepted", gettext_lazy("Accepted")
        DECLINED = "declined", gettext_lazy("Declined")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")

    status = models.CharField(max_length=10, choices=Status, default=Status.OFFERED)
    offered_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


class Move(Answerable):
    """A pending or settled move of a character to another player or into a campaign."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="moves")
    by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    to = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.CASCADE, related_name="character_offers"
    )
    campaign = models.ForeignKey(
        Campaign, null=True, blank=True, on_delete=models.CASCADE, related_name="moves"
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(to__isnull=False, campaign__isnull=True)
                | Q(to__isnull=True, campaign__isnull=False),
                name="move_to_one",
            ),
            models.UniqueConstraint(
                fields=["character"],
                condition=Q(status="offered", campaign__isnull=True),
                name="move_to_player_once",
            ),
            models.UniqueConstraint(
                fields=["character"],
                condition=Q(status="offered", to__isnull=True),
                name="move_to_campaign_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.character} to {self.to or self.campaign}: {self.status}"


class Section(models.Model):
    """A part of a sheet and its audience.

    Goals, gear and money have rows of their own; their section holds only the audience. A mode deck
    is three lines (primary, secondary, tertiary); maneuvers are one per line.
    """

    class Kind(models.TextChoices):
        PUBLIC = "public", gettext_lazy("Public background (IC)")
        PRIVATE = "private", gettext_lazy("Private background (OOC)")
        MODE_DECK = "mode-deck", gettext_lazy("Mode deck")
        MANEUVERS = "maneuvers", gettext_lazy("Maneuvers")
        GOALS = "goals", gettext_lazy("Goals")
        GEAR = "gear", gettext_lazy("Gear")
        CURRENCY = "currency", gettext_lazy("Hard currency")
        POSSESSIONS = "possessions", gettext_lazy("Possessions")
        LODE = "lode", gettext_lazy("Lode and artifex")
        DIARY = "diary", gettext_lazy("Diary")
        NOTES = "notes", gettext_lazy("Notes")
        UNPARSED = "unparsed", gettext_lazy("Left over")

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="sections")
    kind = models.CharField(max_length=20, choices=Kind)
    text = models.TextField(blank=True)
    audience = models.CharField(max_length=10, choices=Audience)
    named = models.ManyToManyField(Player, blank=True, related_name="shown_sections")

    class Meta:
        ordering = ["character", "id"]
        constraints = [
            models.UniqueConstraint(fields=["character", "kind"], name="section_of_character")
        ]

    def __str__(self) -> str:
        return f"{self.character}: {self.get_kind_display()}"


class Goal(models.Model):
    """Something a character wants; at most one is the current one."""

    class Kind(models.TextChoices):
        CARD = "card", gettext_lazy("Gain a card")
        LODE = "lode", gettext_lazy("Gain a lode")
        SET = "set", gettext_lazy("Collect a set")
        FREE = "free", gettext_lazy("In their own words")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="goals")
    ordinal = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=200)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.FREE)
    current = models.BooleanField(default=False)
    reached_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["character", "ordinal"]
        constraints = [
            models.UniqueConstraint(
                fields=["character"], condition=Q(current=True), name="one_current_goal"
            )
        ]

    def __str__(self) -> str:
        return self.text


class Change(models.Model):
    """One change of a sheet: the text before and after, and who may know."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="changes")
    what = models.CharField(max_length=40)  # "name", or a kind of section
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    audience = models.CharField(max_length=10, choices=Audience)
    changed_at = models.DateTimeField(auto_now_add=True)
    changed_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.character}: {self.what}"
