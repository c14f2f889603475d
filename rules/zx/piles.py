"""A seat's piles: what may be in them, and cards that go in and out.

ZX-Z5  Deck, hand and life are hidden; resources, charge and trash are open.
ZX-D5  So is an extra deck here.
"""

from functools import cache

from rules.chaptered import kept
from rules.ruleset import Seat
from rules.zx.acts import Pile, ZxOpened
from rules.zx.state import (
    Board,
    Resource,
    Shown,
    State,
    events_of,
    in_dark,
    in_hand,
    left_with,
    out_of_hand,
    replace,
    side_of,
    to_charge,
    with_side,
    without,
)

OPEN_PILES: tuple[Pile, ...] = ("resources", "charge", "trash", "removed", "extra")
HIDDEN_PILES: tuple[Pile, ...] = ("hand", "deck", "life")
PILES: tuple[Pile, ...] = (*HIDDEN_PILES, *OPEN_PILES)


@kept
def piles_of(setup: ZxOpened) -> tuple[Pile, ...]:
    """Return the piles of a game; `extra` only if a seat has an extra deck."""
    extra = any(seat.deck and seat.deck.extra for seat in setup.seats)
    return PILES if extra else tuple(pile for pile in PILES if pile != "extra")


def count_in(state: State, seat: Seat, pile: Pile) -> int:
    """Count the cards of a pile, with the events that are on their way to the trash."""
    side = side_of(state, seat)
    match pile:
        case "hand":
            return side.hand
        case "deck":
            return side.deck
        case "trash":
            return len(side.trash) + len(events_of(state.board, seat))
    return len(getattr(side, pile))


def names_in(state: State, seat: Seat, pile: str) -> tuple[str, ...]:
    """Return the names that a card of a pile may have, in alphabetical order."""
    side = side_of(state, seat)
    match pile:
        case "hand":
            return tuple(sorted(in_hand(state, seat))) if side.hand else ()
        case "deck" | "life":
            there = side.deck if pile == "deck" else side.life
            return tuple(sorted(in_dark(state, seat))) if there else ()
        case "resources":
            return tuple(sorted({each.card for each in side.resources}))
        case "trash" if state.board.events:
            return tuple(sorted({*side.trash, *events_of(state.board, seat)}))
    return tuple(sorted(set(getattr(side, pile))))


@cache
def zones_from(pile: str, piles: tuple[Pile, ...]) -> tuple[Pile, ...]:
    """Return where a named card may go: a hidden card becomes public, or goes to hand."""
    barred = ("deck", "life") if pile in HIDDEN_PILES else ()
    return tuple(each for each in piles if each != pile and each not in barred)


# -- in and out ---------------------------------------------------------------------


def put(state: State, board: Board, seat: Seat, zone: str, *cards: str) -> Board:
    """Put cards of a seat into one of its piles; "" is a card nobody sees."""
    side = board.sides[seat - 1]
    match zone:
        case "charge":
            return to_charge(state, board, seat, *cards)
        case "deck":
            return with_side(board, seat, deck=side.deck + len(cards))
        case "life":
            first = max(side.life, default=0) + 1
            return with_side(board, seat, life=(*side.life, *range(first, first + len(cards))))
        case "hand":
            known = (*side.known, *(card for card in cards if card))
            return with_side(board, seat, hand=side.hand + len(cards), known=known)
        case "resources":
            more = tuple(Resource(card) for card in cards)
            return with_side(board, seat, resources=(*side.resources, *more))
    return with_side(board, seat, **{zone: (*getattr(side, zone), *cards)})


def take(board: Board, seat: Seat, pile: str, card: str) -> Board:
    """Take a card of a seat out of a pile; an event may still be on its way to the trash."""
    side = board.sides[seat - 1]
    match pile:
        case "hand":
            return with_side(board, seat, **out_of_hand(side, card))
        case "deck":
            return with_side(board, seat, deck=side.deck - 1)
        case "life":
            return with_side(board, seat, **left_with(side.life[:-1], side.hits, side.owes))
        case "resources":
            at = next(n for n, each in enumerate(side.resources) if each.card == card)
            resources = (*side.resources[:at], *side.resources[at + 1 :])
            return with_side(board, seat, resources=resources)
        case "trash" if card not in side.trash:
            return replace(board, events=without(board.events, Shown(seat, card)))
    return with_side(board, seat, **{pile: without(getattr(side, pile), card)})
