"""Setup: seats, their cards, and what may be wrong with a deck.

ZG GEN-1  Officially 2 to 4 players; 3 to 8 played well.
ZG SET-1  Each player has one figure and its cards.
ZG SET-3  A basic set has one Ulster.
ZG DMG-6  With fewer than 3 zGear cards a seat is defeated before it begins.
ZG CRE-1  Any combination of parts is allowed.
ZG CRE-2  Each card has a cost in credits.
ZG CRE-3  Classes: the starter figure's 300 credits; 600 with a Mode deck and no character card
          (LEA-2).
ZG MOD-2  A Mode deck and a character card exclude each other.
ZG GEN-7  A Mode card belongs to one of ten steps.
ZG POW-0  A powerup is Extra or Replace.
ZG LEA-7  A krewe fights another.
ZG ARN-2  What stands in the arena goes by a name of its own.
ZG 16 Card  Its name, ends and figures can be read.
"""

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from rules.chaptered import kept
from rules.ruleset import Problem, SetupError
from rules.zg import powerups
from rules.zg.acts import Options, ZgOpened
from rules.zg.cards import BLANK_DECK, EXCEPTIONS, SLOTS, Deck, gear_of, mode_cards
from rules.zg.ends import End, EndError
from rules.zg.state import ENDS, FEWEST, Board, Side, State

SEATS = range(2, 9)
CREDITS = {"starter": 300, "standard": 600}
_SLOTS = {slot.casefold() for slot in SLOTS}


@kept
def start(setup: ZgOpened) -> State:
    """Return the first state. Raises: SetupError."""
    if len(setup.seats) not in SEATS:
        raise SetupError(Problem("seat-count", "ZG GEN-1", {"seats": len(setup.seats)}))
    for number, seat in enumerate(setup.seats, 1):
        for problem in _unplayable(seat.deck or BLANK_DECK):
            params = {"seat": number, **problem.params}
            raise SetupError(Problem(problem.code, problem.clause, params))
    for problem in (*_one_krewe(setup), *_named_twice(setup.options)):
        raise SetupError(problem)
    sides = tuple(Side(krewe=krewe) for krewe in _krewes(setup))
    return state_of(setup, Board(sides, depth=setup.options.depth))


def state_of(setup: ZgOpened, board: Board) -> State:
    """Join a board with its setup."""
    gear = tuple(gear_of(seat.deck or BLANK_DECK) for seat in setup.seats)
    ulsters = tuple(tuple(n for n, card in each.items() if card.is_ulster) for each in gear)
    return State(setup, gear, board, ulsters)


def _one_krewe(setup: ZgOpened) -> Iterator[Problem]:
    """Yield a problem if there is nobody to fight."""
    krewes = {*_krewes(setup)}
    if len(krewes) == 1 and all(krewes):
        yield Problem("one-krewe", "ZG LEA-7", {"krewe": krewes.pop()})


def _krewes(setup: ZgOpened) -> list[str]:
    """Return the krewe of each seat, "" for none. Rule: ZG LEA-7."""
    two = ("A", "B") if setup.options.krewes else ("", "")
    return [seat.krewe or two[n % 2] for n, seat in enumerate(setup.seats)]


def _named_twice(options: Options) -> Iterator[Problem]:
    """Yield pieces and arenas whose names are not unique, so that acts could not name them."""
    pieces, arenas = ([each.name for each in some] for some in (options.terrain, options.arenas))
    for names in (pieces, arenas):
        for name in dict.fromkeys(name for name in names if names.count(name) > 1):
            params: dict[str, int | str] = {"name": name}
            yield Problem("named-twice", "ZG TER-2" if names is pieces else "ZG ARN-2", params)


# -- decks ----------------------------------------------------------------------------


def check_deck(deck: Deck | None, options: Options) -> list[Problem]:
    """Return all problems of a deck; none if it is legal. No deck means nine blanks."""
    if deck is None:
        return []
    return [
        *_unplayable(deck),
        *_unfit(deck),
        *_unfit_modes(deck),
        *_out_of_class(deck, options),
        *_named_twice(options),
    ]


def _unplayable(deck: Deck) -> Iterator[Problem]:
    """Yield the problems that make a match impossible."""
    if len(deck.cards) < FEWEST:
        params: dict[str, int | str] = {"cards": len(deck.cards), "least": FEWEST}
        yield Problem("too-few-cards", "ZG DMG-6", params)
    for card in deck.cards:
        for end in ENDS:
            dots = card.a if end == "a" else card.b
            if dots and (wrong := _wrong_end(dots)):
                yield Problem("bad-end", "ZG 16", {"card": card.name, "end": end, "problem": wrong})


@lru_cache(maxsize=8192)
def _wrong_end(dots: str) -> str:
    try:
        End.parse(dots)
    except EndError as error:
        return str(error)
    return ""


def _unfit(deck: Deck) -> Iterator[Problem]:
    """Yield the problems a deck has under the rules."""
    for card in deck.cards:
        yield from _bad_name(card.name)
        for printed in card.powerups:
            if powerups.read(printed) is None:
                yield Problem("bad-powerup", "ZG POW-0", {"card": card.name, "powerup": printed})
        for code in card.exceptions:
            if code not in EXCEPTIONS:
                yield Problem("unknown-exception", "ZG GEN-3", {"card": card.name, "code": code})
        if not card.slot:
            yield Problem("no-slot", "ZG CAR-1", {"card": card.name, "slots": ", ".join(SLOTS)})
        elif card.slot.casefold() not in _SLOTS:
            yield Problem(
                "unknown-slot",
                "ZG CAR-1",
                {"card": card.name, "slot": card.slot, "slots": ", ".join(SLOTS)},
            )
    ulsters = sum(card.is_ulster for card in deck.cards)
    if ulsters == 0:
        yield Problem("no-ulster", "ZG SET-3")
    if ulsters > 1:
        yield Problem("many-ulsters", "ZG SET-3", {"count": ulsters})
    if deck.character and deck.modes:
        yield Problem("character-and-modes", "ZG MOD-2")


def _bad_name(name: str) -> Iterator[Problem]:
    if name != name.strip() or not name.isprintable():
        yield Problem("bad-name", "ZG 16", {"card": name})


def _unfit_modes(deck: Deck) -> Iterator[Problem]:
    """Yield the problems of a character card or a Mode deck."""
    if deck.character:
        character = deck.character
        yield from _bad_name(character if isinstance(character, str) else character.name)
    for mode in mode_cards(deck):
        yield from _bad_name(mode.name)
        if mode.time is not None and mode.time not in powerups.STEPS:
            yield Problem("bad-time", "ZG GEN-7", {"card": mode.name, "time": mode.time})


class Cost(msgspec.Struct, frozen=True):
    """The known cost of a deck, how many cards have an unknown one, and the limit."""

    known: int
    unknown: int
    most: int | None


def cost_of(deck: Deck, options: Options) -> Cost:
    """Return a deck's cost against its class. Rule: ZG CRE-2, CRE-3."""
    bought = (*deck.cards, *deck.modes)
    costs = [None if isinstance(each, str) else each.cost for each in bought]
    known = sum(cost for cost in costs if cost is not None)
    return Cost(known, costs.count(None), CREDITS.get(options.deck_class))


def _out_of_class(deck: Deck, options: Options) -> Iterator[Problem]:
    """Yield what keeps a deck out of the class set in the options."""
    cost = cost_of(deck, options)
    if cost.most is None:
        return
    if cost.known > cost.most:
        yield Problem("too-costly", "ZG CRE-3", {"cost": cost.known, "most": cost.most})
    if cost.unknown:
        yield Problem("cost-unknown", "ZG CRE-2", {"count": cost.unknown})
    if options.deck_class == "standard":
        if deck.character:
            yield Problem("character-in-standard", "ZG CRE-3")
        if not deck.modes:
            yield Problem("no-mode-deck", "ZG CRE-3")
