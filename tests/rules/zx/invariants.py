"""The invariants after every event of a game, each a sentence of section 10 of the rules."""

from collections import Counter
from collections.abc import Iterator

from rules.zx.cards import BLANK_DECK, size_of
from rules.zx.field import HOMES, INDEX, other
from rules.zx.state import SEATS, State, events_of


def broken(state: State) -> list[str]:
    """Return the invariants that a state breaks; none at depths other than `full`."""
    if state.board.depth != "full" or state.options.depth != "full":
        return []
    return [why for why, holds in _checks(state) if not holds]


def _checks(state: State) -> Iterator[tuple[str, bool]]:
    board = state.board
    ids = [unit.id for unit in board.squares if unit]
    yield "a Z/X stands on one square", len(set(ids)) == len(ids)
    for seat in SEATS:
        side, deck = board.sides[seat - 1], state.setup.seats[seat - 1].deck or BLANK_DECK
        extra = sum(card.copies or 1 for card in deck.extra)
        yield "no card comes or goes", cards_of(state, seat) == size_of(deck) + extra
        yield "no deck, hand or damage below none", min(side.deck, side.hand, side.hits) >= 0
        yield "a life card has a slot of its own", len(set(side.life)) == len(side.life)
        yield "known cards are in the hand", len(side.known) <= side.hand
        home = board.squares[INDEX[HOMES[other(seat)]]]
        yield "no Z/X before the other player", home is None or home.seat != seat
        if board.stage == "running":
            library = state.cards[seat - 1]
            yield (
                "no more copies than the list has",
                all(
                    library[card].copies is None or n <= library[card].copies
                    for card, n in seen_cards(state, seat).items()
                ),
            )


def cards_of(state: State, seat: int) -> int:
    """Count a side's cards over all zones."""
    board, side = state.board, state.board.sides[seat - 1]
    on_field = sum(1 + len(u.under) for u in board.squares if u and u.seat == seat)
    piles = (side.life, side.resources, side.charge, side.trash, side.removed, side.extra)
    shown = board.shown is not None and board.shown.seat == seat
    under_way = len(events_of(board, seat))
    return side.deck + side.hand + sum(map(len, piles)) + on_field + shown + under_way


def seen_cards(state: State, seat: int) -> Counter[str]:
    """Count a side's face-up cards."""
    board, side = state.board, state.board.sides[seat - 1]
    seen = Counter(each.card for each in side.resources)
    seen.update((*side.charge, *side.trash, *side.removed, *side.extra, *events_of(board, seat)))
    for unit in board.squares:
        if unit and unit.seat == seat:
            seen.update((unit.card, *unit.under))
    return seen
