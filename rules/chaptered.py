"""What rulesets made of chapters have in common."""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from types import ModuleType
from typing import Any, Generic, TypeVar, TypeVarTuple

import msgspec

from rules.defaults import Defaults
from rules.ruleset import Act, Audience, Consequence, Event, Offer, Outcome, Seat, Verdict

K = TypeVar("K")
More = TypeVarTuple("More")
V = TypeVar("V")
S = TypeVar("S")
T = TypeVar("T")

ROOM = 1536  # bytes, enough for most states

_ENCODE_INTO = msgspec.json.Encoder().encode_into


def kept(work: Callable[[K, *More], V]) -> Callable[[K, *More], V]:
    """Cache a function's results for the most recent first argument.

    The first argument is compared by identity, which is safe because states are immutable. All
    other arguments must be hashable.
    """
    last: tuple[Any, dict[Any, V]] = object(), {}

    @wraps(work)
    def answer(of: K, *more: *More) -> V:
        nonlocal last
        known, answers = last
        if known is not of:
            last = of, answers = of, {}
        if more not in answers:
            answers[more] = work(of, *more)
        return answers[more]

    return answer


def packed(value: Any) -> bytes:
    """Return canonical JSON of a state. The buffer is preallocated so that it need not grow."""
    room = bytearray(ROOM)
    _ENCODE_INTO(value, room)
    return bytes(room)


def put_side(sides: tuple[V, ...], seat: Seat, side: V) -> tuple[V, ...]:
    """Return the sides with another one in the place of a seat's."""
    changed = list(sides)
    changed[seat - 1] = side
    return tuple(changed)


def outcome_data(outcome: Outcome | None, texts: Mapping[str, str]) -> dict[str, Any] | None:
    """Return how a match ended as plain data for its view, or None before; `texts` explain why."""
    if outcome is None:
        return None
    return {
        "places": list(outcome.places),
        "winners": list(outcome.winners),
        "why": outcome.why,
        "clause": outcome.clause,
        "text": texts[outcome.why],
    }


class Story(Generic[S]):
    """The consequences of an act as they are collected, and the state after the last of them."""

    __slots__ = ("_evolve", "events", "state")

    def __init__(self, state: S, evolve: Callable[[S, Event], S]) -> None:
        self.state = state
        self.events: list[Consequence] = []
        self._evolve = evolve

    def add(self, event: Consequence) -> None:
        self.events.append(event)
        self.state = self._evolve(self.state, event)


def accept(state: Any, act: Any) -> Verdict | None:
    """Object to nothing."""
    return None


def draw_nothing(story: Any, before: Any, act: Any) -> None:
    """Add no consequence."""


class Rule(msgspec.Struct, Generic[S, T], frozen=True, kw_only=True):
    """How one type of act is judged and what it does; a game adds how its state is folded.

    `cannot` returns why an act has no meaning, `may_not` why it is against the rules, or None;
    `decide` adds its consequences to a story, given the state before it. `depths`: how much of a
    match has to be recorded for the act to be. `running`: if the game has a setup, only after it.
    """

    cannot: Callable[[S, Any], Verdict | None] = accept
    may_not: Callable[[S, Any], Verdict | None] = accept
    decide: Callable[[T, S, Any], None] = draw_nothing
    depths: tuple[str, ...] = ("full",)
    running: bool = True


def joined(chapters: Iterable[ModuleType]) -> tuple[dict[type[Act], Any], dict[type[Event], Any]]:
    """Return the rules of a game's chapters by act, and its folds by act and by consequence.

    A chapter has `RULES`, or `FOLDS` of the consequences it is about, or both.
    """
    rules: dict[type[Act], Any] = {}
    folds: dict[type[Event], Any] = {}
    for chapter in chapters:
        rules |= getattr(chapter, "RULES", {})
        folds |= getattr(chapter, "FOLDS", {})
    return rules, folds | {kind: rule.fold for kind, rule in rules.items()}


class Chaptered(Defaults):
    """A ruleset with hidden hands that decides and folds an act in one go (`play`)."""

    secretive = True
    options: Callable[[Any], tuple[Offer, ...]]
    play: Callable[[Any, Act], tuple[tuple[Consequence, ...], Any]]
    veil: Callable[[Any, Audience], Any]

    def offers_to(self, state: Any, audience: Audience) -> tuple[Offer, ...]:
        """Return what would be legal if the hands of others had not been recorded."""
        return self.options(self.veil(state, audience))

    def decide(self, state: Any, act: Act) -> tuple[Consequence, ...]:
        return self.play(state, act)[0]
