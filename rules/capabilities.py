"""What a ruleset may be able to do beyond what every one does: a small protocol each.

Whoever could use one asks whether a ruleset is an instance of it.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec

from rules.fields import Value
from rules.ruleset import Act, Audience, Consequence, Offer, Problem, Seat


@runtime_checkable
class Veils(Protocol):
    """A ruleset that can say what is legal as far as somebody may know.

    Without it nobody but a seat itself and the officials learn what that seat may do while it
    keeps a secret.
    """

    def offers_to(self, state: Any, audience: Audience) -> tuple[Offer, ...]:
        """Return what an audience knows of that may be legal, the same for any two states that
        differ only in what it may not see."""


@runtime_checkable
class Reveals(Protocol):
    """A ruleset with acts that turn up what lay hidden from all, such as the top of a deck.

    What was seen can not be unseen: nobody takes such an act back alone.
    """

    def reveals(self, act: Act) -> bool:
        """Tell whether an act turns up what lay hidden."""


class Chance(msgspec.Struct, frozen=True, gc=False):
    """What a seat was to expect of a draw, by exact odds, and what came, in the game's unit."""

    seat: Seat
    expected: Fraction
    came: int


@runtime_checkable
class Reckons(Protocol):
    """A ruleset that can say how lucky an act was."""

    def chance_of(self, state: Any, act: Act, consequences: Sequence[Consequence]) -> Chance | None:
        """Return what was to be expected of an act at a state; None where chance had no part."""


@runtime_checkable
class CountsMaterial(Protocol):
    """A ruleset in which what a side has left shows how it stands, and everybody sees how much.

    Its text `value.material.left` says what is counted.
    """

    def material(self, state: Any) -> tuple[int, ...]:
        """Return what each seat has left, in seat order."""


@runtime_checkable
class CallsValues(Protocol):
    """A ruleset with words of its own for what stands in its acts, such as the ids of cards."""

    def called(self, state: Any, offer: Offer, field: str, value: Value) -> str | None:
        """Return what people call a value of an offer's field: "" where it goes without saying,
        None where it is called as it is written."""


@runtime_checkable
class TellsEnding(Protocol):
    """A ruleset that says how a match ended by more than its outcome, such as what was held."""

    def ending(self, state: Any, names: Mapping[Seat, str]) -> str:
        """Say of a match that is over who won and how."""


@runtime_checkable
class Plays(Protocol):
    """A ruleset that knows the state after an act once it has decided it, so nobody folds twice."""

    def play(self, state: Any, act: Act) -> tuple[tuple[Consequence, ...], Any]:
        """Return what `decide` does, and the state after the act and those consequences."""


@runtime_checkable
class Weighs(Protocol):
    """A ruleset that can say what an act promises, so that bots play to win."""

    def worth(self, state: Any, act: Act) -> int | None:
        """Return what an act promises its seat, by what that seat may know; None for an act that
        a keen player leaves."""


class Listed(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a deck list: how many of which card, under which heading.

    `known` is false for a card that nobody has entered: what is on it nobody can check.
    """

    line: int
    copies: int
    card: str
    heading: str = ""
    known: bool = True


class DeckList(msgspec.Struct, frozen=True, omit_defaults=True):
    """A deck list as it was read: the deck as plain data, its lines, and by line what is wrong.

    What the rules say of the deck is not among `problems`; `check_deck` knows that.
    """

    deck: Any
    lines: tuple[Listed, ...]
    problems: tuple[tuple[int, Problem], ...] = ()

    def line_of(self, problem: Problem) -> int:
        """Return the first line about the card of a problem, 0 for the whole list."""
        named = problem.params.get("card")
        return next((each.line for each in self.lines if each.card == named), 0)


@runtime_checkable
class ReadsLists(Protocol):
    """A ruleset that reads decks as players write them: a card a line."""

    list_options: tuple[str, ...]
    """The options a deck is checked against."""

    def read_list(self, text: str, known: Mapping[str, Any]) -> DeckList:
        """Read a list with what is known of cards, by name, as plain data. Never raises."""

    def write_list(self, deck: Any) -> str:
        """Return a deck as a list."""

    def options_on(self, options: Any, day: str) -> Any:
        """Return options under which what holds from a day on is what holds on this one."""


class Floor(msgspec.Struct, frozen=True):
    """How a round of a game is run where a tournament says nothing else.

    `minutes` a round, `best_of` games, `tiebreaks` in order; `time_up`: what becomes of two who
    are level once time is up and what they have left is compared. `told`: codes of texts that say
    it to people, in order.
    """

    minutes: int
    best_of: int
    time_up: Literal["lost", "draw"]
    tiebreaks: tuple[str, ...]
    told: tuple[str, ...]


@runtime_checkable
class HasFloor(Protocol):
    """A ruleset with floor rules: rounds by the clock, and what happens when time is up."""

    def floor(self, options: Any) -> Floor:
        """Return how a round is run under options."""

    def time_called(self, state: Any) -> Act | None:
        """Return the act that tells a match that time is up, None where it is too late."""
