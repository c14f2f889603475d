"""Places in the games' stories: their texts, and the venues located there."""

import tomllib
from functools import cache
from pathlib import Path

import msgspec
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import get_language, gettext

from league.models import Venue
from matches.errors import NotFound

HERE = Path(__file__).parent


class Section(msgspec.Struct, frozen=True):
    title: str
    text: str

    @property
    def paragraphs(self) -> list[str]:
        return self.text.strip().split("\n\n")


class Place(msgspec.Struct, frozen=True):
    """A place: a line about it, facts as (what, which) pairs, and its story in sections.

    `dated`: what happened in which year, if known. `known_as`: its English name, by which venues
    and matches refer to it.
    """

    slug: str
    name: str
    game: str
    where: str
    line: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    dated: tuple[tuple[str, str], ...] = ()
    known_as: str = ""

    def get_absolute_url(self) -> str:
        return reverse("league:lore-detail", args=[self.slug])


class Lore(msgspec.Struct, frozen=True):
    """All places and `words`, in their order."""

    places: tuple[Place, ...]
    words: dict[str, str]


def lore() -> Lore:
    """Return the lore that ships with the site, in the reader's language if it is available."""
    return lore_in((get_language() or "en").partition("-")[0])


@cache
def lore_in(language: str) -> Lore:
    """Return the lore in a language, or else in English."""
    english = _read("lore.toml")
    if not (HERE / f"lore.{language}.toml").is_file():
        return english
    translated = _read(f"lore.{language}.toml")
    names = {place.slug: place.name for place in english.places}
    places = [msgspec.structs.replace(p, known_as=names[p.slug]) for p in translated.places]
    return msgspec.structs.replace(translated, places=tuple(places))


def _read(name: str) -> Lore:
    return msgspec.convert(tomllib.loads((HERE / name).read_text("utf-8")), Lore)


def place_for(slug: str) -> Place:
    """Return a place by its slug. Raises: NotFound."""
    found = next((place for place in lore().places if place.slug == slug), None)
    if found is None:
        raise NotFound(gettext("There is no such place."), "no-such-place")
    return found


def place_of(venue: Venue) -> Place | None:
    """Return the place of a venue: the one with its own slug, or with that of its region."""
    known = {place.slug: place for place in lore().places}
    return known.get(venue.slug) or known.get(slugify(venue.region))


def venues_at(place: Place) -> list[Venue]:
    """Return the venues at a place, by name."""
    near = Venue.objects.filter(region__iexact=place.known_as or place.name)
    return list((near | Venue.objects.filter(slug=place.slug)).order_by("name", "id"))
