"""The catalogue: a search in the database, its count and its first page."""

from collections.abc import Iterator
from typing import Any

from django.db import connection

from characters import search, selectors
from characters.models import Card, CardSet
from tests.bench.figure import Figure, median_rate
from tests.bench.ground import engine, scribe

CARDS = 5000
SEARCHED = 20
SEARCHES = (
    "",
    "tide",
    "type:gear colour=red dots>=5",
    "owner:me -blaze:ap cost<40",
    'set:sea is:shared "tide 49"',
    "nothing at all",
)


def figures() -> Iterator[Figure]:
    by = scribe()
    _cards(by)
    for text in SEARCHES:

        def find(text: str = text) -> int:
            for _ in range(SEARCHED):
                found = selectors.cards_for(by, search.require(text, by))
                found.count()
                list(found[:30])
            return SEARCHED

        took = 1000 / median_rate(find)
        yield Figure(f"{engine()}: search of {CARDS:,} cards for `{text}`", took, "ms")


def _cards(by: Any) -> None:
    """Fill the catalogue: half the cards are the searcher's own, a tenth of the rest private."""
    other = scribe()
    sets = {
        who: CardSet.objects.create(game="zg", name="Sea of Rains", owner=who.player)
        for who in (by, other)
    }
    slots = ("Helmet", "Frontgear", "Backgear", "Footgear", "Shield", "Claw", "Generator", "Ulster")
    Card.objects.bulk_create(
        (
            Card(
                card_set=sets[who],
                game="zg",
                owner=who.player,
                shared=number % 10 > 0,
                name=f"{('Tide', 'Rim', 'Ember')[number % 3]} {number}",
                slot=slots[number % 8],
                colour=("red", "green", "blue")[number % 3],
                quality="Basic",
                cost=number % 120,
                ends="R+ G B | G# Bo R" if number % 2 else "R G B",
                dots=6 if number % 2 else 3,
                blazes=3 if number % 2 else 0,
                face="{}",
            )
            for number in range(CARDS)
            for who in [by if number % 2 else other]
        ),
        batch_size=500,
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
