"""The places of the games' stories: what is told of each, and which venues are there."""

import tomllib
from functools import cache
from pathlib import Path

import msgspec
from django.urls import reverse
from django.utils.text import slugify

from league.models import Venue
from matches.errors import NotFound

FILE = Path(__file__).with_name("lore.toml")


class Section(msgspec.Struct, frozen=True):
    title: str
    text: str

    @property
    def paragraphs(self) -> list[str]:
        return self.text.strip().split("\n\n")


class Place(msgspec.Struct, frozen=True):
    """A place: one line on it, facts as what and which, and its story in sections."""

    slug: str
    name: str
    game: str
    where: str
    line: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]

    def get_absolute_url(self) -> str:
        return reverse("league:lore-detail", args=[self.slug])


class Lore(msgspec.Struct, frozen=True):
    """All that is told; `words` by word, in their order."""

    places: tuple[Place, ...]
    words: dict[str, str]


@cache
def lore() -> Lore:
    """Return what ships with the site."""
    return msgspec.convert(tomllib.loads(FILE.read_text("utf-8")), Lore)


def place_for(slug: str) -> Place:
    """Return a place by its slug. Raises: NotFound."""
    found = next((place for place in lore().places if place.slug == slug), None)
    if found is None:
        raise NotFound("Nothing is told of such a place.", "no-such-place")
    return found


def place_of(venue: Venue) -> Place | None:
    """Return the place a venue is at: that of its own name, or that of its region."""
    known = {place.slug: place for place in lore().places}
    return known.get(venue.slug) or known.get(slugify(venue.region))


def venues_at(place: Place) -> list[Venue]:
    """Return the venues at a place, by name."""
    near = Venue.objects.filter(region__iexact=place.name) | Venue.objects.filter(slug=place.slug)
    return list(near.order_by("name", "id"))
