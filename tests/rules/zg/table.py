"""Matches of Z-G for tests: decks whose cards are named after their results, lines of notation.

Against the plain target "Shield" (end a: `R G B`) each attack card makes this many strikes:

    Miss 0, One 1, Two 2, Three 3, Four 4 (its weak point is the target card "Frail")
"""

from collections.abc import Sequence
from typing import Any

import rules
from rules.replay import Entry, Timeline, entry_after
from rules.ruleset import Consequence, Outcome, event_type
from rules.zg.acts import Options, ZgOpened, ZgSeat
from rules.zg.cards import Card, Deck
from tests.rules import tables
from tests.rules.tables import verdict as verdict

RULESET = rules.get("zg@1")

MISS, ONE, TWO, THREE = "B R G", "R B G", "R G R", "R G B"

CARDS = (
    Card(name="Miss", slot="Helmet", a=MISS, b=THREE),
    Card(name="One", slot="Frontgear", a=ONE, b=THREE),
    Card(name="Two", slot="Backgear", a=TWO, b=MISS),
    Card(name="Three", slot="Claw", a=THREE, b=MISS),
    Card(name="Four", slot="Claw", a="R+ G B", b=MISS),
    Card(name="Shield", slot="Shield", a="R G B", b="G B R"),
    Card(name="Frail", slot="Generator", a="Ro G B", b="R## G## B##"),
    Card(name="Boots", slot="Footgear", a="R G B", b="R G B"),
    Card(name="Ulster", slot="Ulster", a="R G B", b="R G B"),
)
DECK = Deck(cards=CARDS)
SAVER = Deck(cards=CARDS, character="Ada")
MODES = Deck(cards=CARDS, character="Ada", modes=("Wits",))
BLANK_FACED = Deck(
    cards=(
        *CARDS[:-2],
        Card(name="Fog", slot="Footgear"),
        Card(name="Mist", slot="Ulster", a="R G B"),
    )
)


def opened(
    *decks: Deck | None, commitment: str = "", options: dict[str, Any] | None = None
) -> ZgOpened:
    """Return a setup, by default with two plain decks."""
    return ZgOpened(
        ruleset="zg@1",
        log="table" if commitment else "",
        commitment=commitment,
        options=Options(**(options or {})),
        seats=tuple(
            ZgSeat(label=f"Side {seat}", deck=deck)
            for seat, deck in enumerate(decks or (DECK, DECK), 1)
        ),
    )


def played(*lines: str, setup: ZgOpened | None = None) -> Timeline:
    """Record lines of notation; each has to be legal, or marked with `!` and irregular."""
    return tables.played(setup or opened(), *lines)


def last(*lines: str, setup: ZgOpened | None = None) -> Entry:
    """Return the entry of the last line."""
    return played(*lines, setup=setup).entries[-1]


def followed(*lines: str, setup: ZgOpened | None = None) -> list[str]:
    """Return the types of the last line's consequences."""
    return [event_type(event) for event in last(*lines, setup=setup).consequences]


def consequence(kind: type[Consequence], entry: Entry) -> Any:
    """Return an entry's only consequence of a kind."""
    (found,) = [event for event in entry.consequences if isinstance(event, kind)]
    return found


def offered(timeline: Timeline) -> list[tuple[str, int | None]]:
    """Return the types and seats of the offers."""
    return [(offer.type, offer.seat) for offer in RULESET.options(timeline.head.state)]


def view(timeline: Timeline) -> dict[str, Any]:
    return RULESET.view(timeline.head.state, "public")


def outcome(*lines: str, setup: ZgOpened | None = None) -> Outcome | None:
    return RULESET.outcome(played(*lines, setup=setup).head.state)


def stand(timeline: Timeline, *lines: str) -> Timeline:
    """Record more lines, legal or not."""
    for line in lines:
        act = RULESET.read(line)
        timeline.add(*entry_after(RULESET, timeline, act, irregular=True))
    return timeline


def attacks(seat: int, foe: int, cards: Sequence[str] = ("Miss", "One", "Boots")) -> list[str]:
    """Return three attacks of a seat without a hit, which take its whole turn."""
    return [f"attacked {seat} {card} a {foe} Frail b" for card in cards]
