"""Venues, and organisers' texts about places in the games' stories."""

from datetime import date

from django.db import models
from django.urls import reverse
from django.utils.dateformat import format as date_format
from django.utils.translation import gettext, gettext_lazy

from characters.models import Audience as CharacterAudience
from matches.models import Player, uuid7


def format_day(when: str) -> str:
    """Format a day, month or year such as `2110-05-31` in words; anything else stays as it is."""
    try:
        day = date.fromisoformat((when + "-01-01")[:10])
    except ValueError:
        return when
    return date_format(day, {4: "Y", 7: "F Y"}.get(len(when), gettext("j F Y")))


class Venue(models.Model):
    """A place where tournaments are played; `about` is the first text on its page, for all to read.

    Tournaments there use its `timezone` unless they say otherwise. `house_rules` are the venue's
    own, of its terrain too. `tables`: how many it has; None if that is not told.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    region = models.CharField(max_length=80, blank=True)
    timezone = models.CharField("time zone", max_length=40, blank=True)
    tables = models.PositiveSmallIntegerField(null=True, blank=True)
    about = models.TextField(max_length=4000, blank=True)
    house_rules = models.TextField(max_length=4000, blank=True)
    lore = models.TextField(max_length=4000, blank=True)
    keeper = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="venues"
    )

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:venue-detail", args=[self.slug])

    @property
    def where(self) -> str:
        """Its name and where it lies, as letters and calendars tell it."""
        return ", ".join(part for part in (self.name, self.region) if part)


class Wording(models.Model):
    """The words of a text about a place. With `when` it describes an event."""

    class Audience(models.TextChoices):
        PUBLIC = CharacterAudience.PUBLIC.value, gettext_lazy("Everyone")
        PLAYERS = CharacterAudience.PLAYERS.value, gettext_lazy("Players")
        ORGANISERS = "organisers", gettext_lazy("Organisers")

    class Calendar(models.TextChoices):
        STORY = "story", gettext_lazy("The story's")
        REAL = "real", gettext_lazy("Ours")

    title = models.CharField(max_length=120)
    text = models.TextField(max_length=4000)
    audience = models.CharField(max_length=10, choices=Audience, default=Audience.PUBLIC)
    when = models.CharField(max_length=10, blank=True)  # "2110", "2110-05" or "2110-05-31"
    calendar = models.CharField(max_length=5, choices=Calendar, default=Calendar.STORY)
    version = models.PositiveIntegerField(default=1)
    is_removed = models.BooleanField("taken away", default=False)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.title

    @property
    def day(self) -> str:
        """Return when it happened, in words: 31 May 2110."""
        return format_day(self.when)


class PlaceText(Wording):
    """A text about a place in the stories, by a league's organisers or (league None) the site."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    place = models.SlugField(max_length=60)
    league = models.ForeignKey(
        "League", null=True, blank=True, on_delete=models.CASCADE, related_name="place_texts"
    )

    class Meta:
        ordering = ["place", "id"]

    def get_absolute_url(self) -> str:
        return f"{reverse('league:lore-detail', args=[self.place])}#text-{self.pk}"


class PlaceTextVersion(Wording):
    """A version of a text about a place: by whom and when. Append-only."""

    of = models.ForeignKey(PlaceText, on_delete=models.CASCADE, related_name="versions")
    by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-version"]
        constraints = [models.UniqueConstraint(fields=["of", "version"], name="text_version")]
