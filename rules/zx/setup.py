"""Setup: two seats, their cards, and what may be wrong with a deck.

ZX-S1  Two players.
ZX-S3  A card that carries the Start Card text may begin in play; it is one of the 50.
ZX-D1  Exactly 50 cards.
ZX-D2  At most 4 of one name, unless the card says otherwise.
ZX-D3  Exactly 20 with the ignition icon.
ZX-D4  At most 4 with Life Recovery, at most 4 with Void Bringer.
ZX-D5  An extra deck is outside the 50; by the official rules it has up to 16 cards.
ZX-D6  Of the list of the day, sealed cards may not be used, legends once.
ZX-D7  Limited decks have 40 cards and none of these limits; an extra deck up to 8.
ZX-D8  At launch exactly 4 with Life Recovery.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import resources
from operator import methodcaller

import msgspec

from rules.chaptered import kept
from rules.ruleset import Problem, SetupError
from rules.zx.acts import Options, ZxOpened
from rules.zx.cards import (
    BLANK_DECK,
    DECK_SIZE,
    KEYWORDS,
    LIFE_RECOVERY,
    START_CARD,
    Card,
    Deck,
    extra_of,
    library_of,
    size_of,
)
from rules.zx.ending import scored
from rules.zx.state import EMPTY, Board, Side, State
from rules.zx.terms import LIFE, OPEN_HAND, START_RESOURCES, terms_of

PLAYERS = range(2, 3)
LIMITED_SIZE, ICONS, COPIES, OF_KEYWORD = 40, 20, 4, 4
EXTRA, LIMITED_EXTRA = 16, 8
FEWEST = OPEN_HAND + LIFE + START_RESOURCES + 1
"""The cards needed to begin, plus one to draw."""


@kept
def start(setup: ZxOpened) -> State:
    """Return the first state. Raises: SetupError."""
    if len(setup.seats) not in PLAYERS:
        raise SetupError(Problem("seat-count", "ZX-S1", {"seats": len(setup.seats)}))
    for seat, each in enumerate(setup.seats, 1):
        cards = size_of(each.deck or BLANK_DECK, _prescribed(setup.options))
        if cards < FEWEST:
            params: dict[str, int | str] = {"seat": seat, "cards": cards, "least": FEWEST}
            raise SetupError(Problem("too-few-cards", "ZX-S9", params))
    one, two = (_side(each.deck or BLANK_DECK, setup.options) for each in setup.seats)
    board = Board((one, two), EMPTY)
    return state_of(setup, scored(board) if setup.options.depth == "score" else board)


def _side(deck: Deck, options: Options) -> Side:
    extra = (card.name for card in extra_of(deck) for _ in range(card.copies or 1))
    return Side(deck=size_of(deck, _prescribed(options)), extra=tuple(extra))


def _prescribed(options: Options) -> int:
    """Return how many cards a deck has to hold. Rule: ZX-D1, ZX-D7."""
    return DECK_SIZE if options.format == "constructed" else LIMITED_SIZE


def state_of(setup: ZxOpened, board: Board) -> State:
    """Join a board with its setup."""
    decks = (each.deck or BLANK_DECK for each in setup.seats)
    one, two = (library_of((*deck.cards, *extra_of(deck))) for deck in decks)
    return State(setup, (one, two), terms_of(setup.options), board)


# -- decks ----------------------------------------------------------------------------


def check_deck(deck: Deck | None, options: Options) -> list[Problem]:
    """Return all problems of a deck; none if it is legal. No deck means blanks only."""
    if deck is None:
        return []
    return [problem for check in CHECKS[options.format] for problem in check(deck, options)]


def _size(deck: Deck, options: Options) -> Iterator[Problem]:
    size = _prescribed(options)
    cards = size_of(deck, size)
    clause = "ZX-D1" if options.format == "constructed" else "ZX-D7"
    if cards != size:
        yield Problem("deck-size", clause, {"cards": cards, "size": size})
    if deck.player and any(card.name == deck.player for card in deck.cards):
        yield Problem("deck-type", "ZX-D5", {"card": deck.player})


def _start(deck: Deck, options: Options) -> Iterator[Problem]:
    if not deck.start:
        return
    card = library_of(deck.cards).get(deck.start)
    if card is None:
        yield Problem("deck-start-missing", "ZX-S3", {"card": deck.start})
    elif card.has(START_CARD) is False:
        yield Problem("deck-start", "ZX-S3", {"card": deck.start})


def _extra(deck: Deck, options: Options) -> Iterator[Problem]:
    """Yield the problem of an extra deck that is too large, or that the profile lacks.

    Rule: ZX 0.1.
    """
    cards = sum(card.copies or 0 for card in extra_of(deck))
    most = EXTRA if options.format == "constructed" else LIMITED_EXTRA
    if cards and options.profile != "zx-official":
        yield Problem("deck-extra-unused", "ZX-D5", {"cards": cards})
    elif cards > most:
        clause = "ZX-D5" if options.format == "constructed" else "ZX-D7"
        yield Problem("deck-extra", clause, {"cards": cards, "most": most})


def _copies(deck: Deck, options: Options) -> Iterator[Problem]:
    by_number = options.copies == "number"
    counts: dict[str, int] = {}
    limits: dict[str, int] = {}
    for card in deck.cards:
        key = card.no if by_number and card.no else card.name
        counts[key] = counts.get(key, 0) + (card.copies or 0)
        limits[key] = max(limits.get(key, 0), card.limit or COPIES)
    for name, copies in counts.items():
        most = limits[name]
        if copies > most:
            params: dict[str, int | str] = {"card": name, "copies": copies, "most": most}
            yield Problem("deck-copies", "ZX-D2", params)


def _number(deck: Deck, wanted: Callable[[Card], bool | None]) -> tuple[int, int]:
    """Return how many cards of a deck certainly match, and how many may match."""
    sure = sum(card.copies or 0 for card in deck.cards if wanted(card))
    maybe = sum(card.copies or 0 for card in deck.cards if wanted(card) is not False)
    return sure, DECK_SIZE if any(card.copies is None for card in deck.cards) else maybe


def _icons(deck: Deck, options: Options) -> Iterator[Problem]:
    sure, maybe = _number(deck, lambda card: card.ignites)
    if not sure <= ICONS <= maybe:
        icons = sure if sure > ICONS else maybe
        yield Problem("deck-icons", "ZX-D3", {"icons": icons, "exactly": ICONS})


def _keywords(deck: Deck, options: Options) -> Iterator[Problem]:
    for keyword in KEYWORDS:
        sure, maybe = _number(deck, methodcaller("has", keyword))
        if sure > OF_KEYWORD:
            yield Problem(f"deck-{keyword}", "ZX-D4", {"cards": sure, "most": OF_KEYWORD})
        elif keyword == LIFE_RECOVERY and options.profile == "zx-2012" and maybe < OF_KEYWORD:
            yield Problem("deck-life-recovery-at-launch", "ZX-D8", {"cards": maybe})


class Restricted(msgspec.Struct, frozen=True):
    """The restricted cards from a day on."""

    since: str
    sealed: tuple[str, ...] = ()
    legend: tuple[str, ...] = ()


@cache
def restrictions() -> tuple[Restricted, ...]:
    """Return all lists, the oldest first."""
    text = (resources.files("rules.zx") / "bans.toml").read_text("utf-8")
    lists = msgspec.convert(tomllib.loads(text)["lists"], tuple[Restricted, ...])
    return tuple(sorted(lists, key=lambda each: each.since))


def restricted_on(day: str) -> Restricted:
    """Return the list that applies on a day, an empty one before the first."""
    before = [each for each in restrictions() if each.since <= day]
    return before[-1] if before else Restricted(since="")


def _banned(deck: Deck, options: Options) -> Iterator[Problem]:
    if not options.bans:
        return
    now = restricted_on(options.bans)
    copies = {n: card.copies for n, card in library_of((*deck.cards, *deck.extra)).items()}
    for name in dict.fromkeys((*copies, deck.player)):
        if name in now.sealed:
            yield Problem("deck-banned", "ZX-D6", {"card": name, "since": now.since})
        elif name in now.legend and (copies.get(name) or 0) > 1:
            yield Problem("deck-legend", "ZX-D6", {"card": name, "since": now.since})


Check = Callable[[Deck, Options], Iterator[Problem]]
CHECKS: Mapping[str, tuple[Check, ...]] = {
    "constructed": (_size, _start, _copies, _icons, _keywords, _extra, _banned),
    "limited": (_size, _start, _extra, _banned),
}
"""What is checked of a deck in each format. Rule: ZX-D7."""
