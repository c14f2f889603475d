"""A bot at a seat of a match against people: it knows what its seat may know, and plays keenly."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules import bots
from rules.capabilities import SupportsPractice, SupportsVeiledOffers
from rules.fields import Choice, Free, admits
from rules.ruleset import Act, Audience, Offer, Pick, Ruleset, Seat, event_type, narrowed

Kinds = tuple[type[Act], ...]
Plays = Mapping[str, tuple[Kinds, ...]]
"""What a bot plays, by what the table waits for: kinds of act, those it prefers first."""


def act_at(ruleset: Ruleset, state: Any, seat: Seat, pick: Pick) -> Act | None:
    """Return what a bot at a seat plays next, None while it has nothing to choose.

    It knows what its seat may know. The server makes every spin and draw that it can make.
    """
    if not isinstance(ruleset, SupportsPractice):
        return None
    known, offers = _as_known(ruleset, state, seat)
    own = [_spun(offer) for offer in offers if offer.seat == seat and not _asks_people(offer)]
    return bots.keen_choice(ruleset, known, ruleset.choices(known, seat, own, pick), pick)


def may_be_answered(ruleset: Ruleset, state: Any, seat: Seat) -> bool:
    """Tell whether, as far as everybody knows, another may answer what a seat just did."""
    if not isinstance(ruleset, SupportsPractice):
        return False
    _, offers = _as_known(ruleset, state, "public")
    return any(offer.seat != seat for offer in of_kinds(offers, ruleset.answers))


def of_kinds(offers: Iterable[Offer], kinds: Kinds) -> list[Offer]:
    """Return the offers of these kinds of act."""
    types = {event_type(kind) for kind in kinds}
    return [offer for offer in offers if offer.type in types]


def preferred(offers: Sequence[Offer], plays: Plays, waits: str) -> list[Offer]:
    """Return the offers of the kinds a bot prefers, by what the table waits for."""
    found = (of_kinds(offers, kinds) for kinds in plays.get(waits, ()))
    return next(filter(None, found), [])


def values_of(offer: Offer, name: str) -> tuple[Any, ...]:
    """Return the values of a field that is a choice."""
    field = offer.fields[name]
    assert isinstance(field, Choice)
    return field.values


def _as_known(ruleset: Ruleset, state: Any, audience: Audience) -> tuple[Any, Sequence[Offer]]:
    """Return a state and its offers as an audience knows them."""
    if isinstance(ruleset, SupportsVeiledOffers):
        return ruleset.veil(state, audience), ruleset.offers_to(state, audience)
    return state, ruleset.options(state)


def _spun(offer: Offer) -> Offer:
    spin = offer.fields.get("spin")
    return narrowed(offer, "spin", ["server"]) if spin and admits(spin, "server") else offer


def _asks_people(offer: Offer) -> bool:
    """Tell whether an act says in words or numbers of its own what only people know."""
    return any(isinstance(field, Free) for field in offer.fields.values())
