"""Cards side by side: the data on each, and what each would do to each other one."""

from collections.abc import Sequence
from itertools import chain, product
from typing import Any, NamedTuple

from django.utils.translation import gettext

import rules
from characters import cards
from characters.models import Card

LIMIT = 4
DRAWN = ("a", "b")  # the ends of a card, which are drawn as dots
HEADED = ("name", "slot", "colour", "quality")  # what stands at the head of a card


class Line(NamedTuple):
    """The values of some cards in one field, "" for a card without a value."""

    name: str
    values: list[str]

    @property
    def drawn(self) -> bool:
        return self.name in DRAWN


class Matchup(NamedTuple):
    """A spin of one card against another: its better end and the odds."""

    game: str
    end: str
    dots: str  # on that end
    target: str  # the dots on one end of the other card
    odds: dict[str, Any]

    @property
    def template(self) -> str:
        return f"rules/{self.game}/_matchup.html"


def lines_of(chosen: Sequence[Card]) -> list[Line]:
    """Return the fields of some cards, their ends first; fields that all lack are left out."""
    games = [cards.game_of(card.game) for card in chosen]
    names = dict.fromkeys((*DRAWN, *chain.from_iterable(map(cards.columns, games))))
    lines = [Line(name, [written(card, name) for card in chosen]) for name in names]
    return [line for line in lines if line.name != "name" and any(line.values)]


def written(card: Card, name: str) -> str:
    """Return a field of a card as text; what a card with ends costs is credits."""
    value = card.data.get(name)
    if name == "cost" and value is not None and has_ends(card):
        return f"c{value}"
    if name == "range" and value == 0:
        return gettext("hand to hand")
    return cards.cell(value)


def facts_of(card: Card) -> list[tuple[str, str]]:
    """Return the fields of a card that are neither drawn nor at its head, with their values."""
    lines = lines_of([card])
    return [(line.name, line.values[0]) for line in lines if line.name not in (*DRAWN, *HEADED)]


def has_ends(card: Card) -> bool:
    """Tell whether cards of its game have ends."""
    return DRAWN[0] in cards.columns(cards.game_of(card.game))


def matchups_of(chosen: Sequence[Card]) -> list[list[Matchup | None]]:
    """Return a row per attacking card, with an entry per target; None where it cannot attack.

    Empty if none of the cards can attack another.
    """
    met = {pair: _matchup(*pair) for pair in product(chosen, repeat=2) if pair[0] != pair[1]}
    if not any(met.values()):
        return []
    return [[met.get((attack, target)) for target in chosen] for attack in chosen]


def _matchup(attack: Card, target: Card) -> Matchup | None:
    """Return the odds of a card against another of its game, None if ends of either are unknown."""
    tool = rules.get(attack.game).tools.get("best-end")
    if attack.game != target.game or tool is None:
        return None
    ours, theirs = attack.both, target.both
    try:
        found = tool(card=" / ".join(ours), deck=" / ".join(theirs))
    except ValueError:
        return None
    end = found["best"]
    return Matchup(attack.game, end, ours[end == "b"], theirs[0], found[end])
