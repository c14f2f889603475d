"""Search over the whole site, each kind under its own policy, so that hidden things are not found.

Only names are searched and shown: no result is ever part of a hit. There is one query per kind;
words may occur in any order and anywhere in a name, and names that begin with the search text come
first.
"""

from collections.abc import Callable, Iterator
from functools import reduce
from itertools import chain
from operator import and_
from typing import Any, NamedTuple

from django.db.models import Case, Q, QuerySet, Value, When
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from characters import policy as sheets
from league import lore, policy
from league.models import League, Venue
from matches import policy as tables
from matches.actors import Actor
from rules import RULESETS
from rules.cells import composed

LEAST, LIMIT = 2, 80
"""Minimum and maximum length of a search text."""
A_KIND = 6
"""Maximum hits per kind."""


class Hit(NamedTuple):
    """A search result: its kind, name, a short description, its page, and its code, slug or id."""

    kind: str
    name: str
    about: str
    url: str
    id: str


KINDS: dict[str, Any] = {
    "tournament": gettext_lazy("Tournaments"),
    "league": gettext_lazy("Leagues"),
    "player": gettext_lazy("Players"),
    "character": gettext_lazy("Characters"),
    "match": gettext_lazy("Matches"),
    "card": gettext_lazy("Cards"),
    "venue": gettext_lazy("Venues"),
    "place": gettext_lazy("The places"),
}


def normalized(text: str) -> str:
    """Normalize a search text: composed, one line, without characters that databases refuse."""
    return " ".join(composed(text).replace("\0", " ").split())[:LIMIT].strip()


def find(actor: Actor, text: str, kind: str = "") -> list[Hit]:
    """Return what an actor may find by a text, of one kind or of all in the order of `KINDS`."""
    if len(text) < LEAST:
        return []
    kinds = [kind] if kind else list(KINDS)
    hits = chain.from_iterable(FINDERS[each](actor, text) for each in kinds)
    return list(dict.fromkeys(hits))


def _named(rows: QuerySet[Any], field: str, text: str, *, coded: bool = False) -> QuerySet[Any]:
    """Return the rows whose name contains all words, first those that begin with the text.

    Of rows that are `coded`, the one whose code is the text comes first.
    """
    named = reduce(and_, (Q(**{f"{field}__icontains": word}) for word in text.split()))
    begins = When(**{f"{field}__istartswith": text}, then=Value(1))
    whens = [begins]
    if coded:
        named |= Q(code__iexact=text)
        whens = [When(code__iexact=text, then=Value(0)), begins]
    rows = rows.filter(named).annotate(_first=Case(*whens, default=Value(2)))
    found: QuerySet[Any] = rows.order_by("_first", field, "pk")[:A_KIND]
    return found


def _game(key: str) -> str:
    known = {ruleset.key: ruleset.name for ruleset in RULESETS.values()}
    return known.get(key.partition("@")[0], key)


def _tournaments(actor: Actor, text: str) -> Iterator[Hit]:
    rows = policy.visible_tournaments(actor).select_related("league")
    for one in _named(rows, "title", text, coded=True):
        about = one.league.name if one.league else _game(one.ruleset)
        yield Hit(
            "tournament", one.title, f"{about} · {one.code}", one.get_absolute_url(), one.code
        )


def _leagues(actor: Actor, text: str) -> Iterator[Hit]:
    for one in _named(League.objects.all(), "name", text):
        yield Hit("league", one.name, _game(one.game), one.get_absolute_url(), one.slug)


def _players(actor: Actor, text: str) -> Iterator[Hit]:
    for one in _named(policy.visible_players(actor), "name", text):
        yield Hit("player", one.name, "", one.get_absolute_url(), str(one.pk))


def _characters(actor: Actor, text: str) -> Iterator[Hit]:
    rows = sheets.visible_characters(actor).select_related("owner")
    of = gettext("of {player}")
    for one in _named(rows, "name", text):
        about = of.format(player=one.owner.name)
        yield Hit("character", one.name, about, one.get_absolute_url(), str(one.pk))


def _matches(actor: Actor, text: str) -> Iterator[Hit]:
    rows = tables.visible_matches(actor).select_related("log")
    for one in _named(rows, "title", text, coded=True):
        about = f"{_game(one.log.ruleset)} · {one.code}"
        yield Hit("match", str(one), about, one.get_absolute_url(), one.code)


def _cards(actor: Actor, text: str) -> Iterator[Hit]:
    for one in _named(sheets.visible_cards(actor).select_related("card_set"), "name", text):
        about = " ".join(filter(None, (one.colour, one.slot))) or _game(one.game)
        url = reverse("characters:card-detail", args=[one.pk])
        yield Hit("card", one.name, f"{about} · {one.card_set}", url, str(one.pk))


def _venues(actor: Actor, text: str) -> Iterator[Hit]:
    for one in _named(Venue.objects.all(), "name", text):
        yield Hit("venue", one.name, one.region, one.get_absolute_url(), one.slug)


def _places(actor: Actor, text: str) -> Iterator[Hit]:
    words = text.casefold().split()
    for one in lore.lore().places:
        if all(word in one.name.casefold() for word in words):
            yield Hit("place", one.name, one.where, one.get_absolute_url(), one.slug)
    known = {place.slug: place.name for place in lore.lore().places}
    rows = policy.visible_texts(actor).filter(place__in=known)
    for text_ in _named(rows, "title", text):
        yield Hit("place", text_.title, known[text_.place], text_.get_absolute_url(), text_.place)


FINDERS: dict[str, Callable[[Actor, str], Iterator[Hit]]] = {
    "tournament": _tournaments,
    "league": _leagues,
    "player": _players,
    "character": _characters,
    "match": _matches,
    "card": _cards,
    "venue": _venues,
    "place": _places,
}
