"""Cards that may be played free: those revealed by an ignition or by damage to life.

ZX-T5  With an ignition icon it may be played free; otherwise, or if declined, it goes away.
ZX-B9  The same of a life card, which goes to charge.
"""

from collections.abc import Iterator
from typing import Literal

from rules.fields import Choice, Field
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zx.acts import LifeRevealed, TopCardRevealed
from rules.zx.cards import Card
from rules.zx.consequences import LifeCardPlayed, OverdrivePlayed
from rules.zx.playing import resolving
from rules.zx.state import (
    Board,
    State,
    in_dark,
    may_choose,
    named,
    place,
    places_for,
    replace,
)
from rules.zx.waiting import asleep_there, barred, no_such_card


def offers_of(
    state: State, seat: Seat, act: str, fields: dict[str, Field], *, playable: bool = True
) -> Iterator[Offer]:
    """Yield offers for a revealed card, grouping cards that may be played in the same ways."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for name in named(state, seat, in_dark(state, seat)):
        ways = ways_of(state, seat, state.cards[seat - 1][name]) if playable else ("",)
        alike.setdefault(ways, []).append(name)
    for ways, cards in alike.items():
        yield Offer(act, seat, {**fields, "card": Choice(tuple(cards)), "played": Choice(ways)})


def ways_of(state: State, seat: Seat, card: Card) -> tuple[str, ...]:
    """Return what may be done with a revealed card."""
    if card.ignites is False:
        return ("",)
    if card.type == "event":
        return ("", "event") if state.options.od == "any" else ("",)
    return ("", *places_for(state.board, seat))


def cannot_show(state: State, act: TopCardRevealed | LifeRevealed) -> Verdict | None:
    """Refuse a card the deck does not hold, or one that could not be played like that."""
    if verdict := no_such_card(state, act.seat, act.card):
        return verdict
    is_event = state.cards[act.seat - 1][act.card].type == "event"
    if act.played == "event" and not is_event:
        return impossible("not-an-event", "ZX-D1", card=act.card)
    if act.played in ("", "event"):
        return None
    if is_event:
        return impossible("not-a-zx", "ZX-D1", card=act.card)
    return barred(state, act.seat, act.played)


def may_not_show(state: State, act: TopCardRevealed | LifeRevealed) -> Verdict | None:
    """Object to a card that cannot be revealed here, or may not be played."""
    card = state.cards[act.seat - 1][act.card]
    if not may_choose(state, act.seat, "dark", act.card):
        return irregular("conservation", "ZX-D2", seat=act.seat, card=act.card)
    clause = "ZX-B9" if isinstance(act, LifeRevealed) else "ZX-T5"
    if act.played and card.ignites is False:
        return irregular("no-icon", clause, card=act.card)
    if act.played == "event":
        any_ = state.options.od == "any"
        return None if any_ else irregular("zx-only", "ZX-AM10", card=act.card)
    return asleep_there(state, act.played) if act.played else None


def why_not(state: State, seat: Seat, card: Card) -> Literal["no-icon", "declined", "no-square"]:
    """Return why a card was not played."""
    if card.ignites is False:
        return "no-icon"
    if card.type == "event" or len(ways_of(state, seat, card)) > 1:
        return "declined"
    return "no-square"


def fold_free(state: State, event: OverdrivePlayed | LifeCardPlayed) -> Board:
    """Play a revealed card free: a Z/X onto its square, an event for its effects."""
    board = replace(state.board, shown=None)
    if event.square:
        return place(board, event.seat, event.card, event.square)
    return resolving(board, event.seat, event.card)
