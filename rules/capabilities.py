"""Optional capabilities of rulesets, each a small protocol.

Code that needs one tests with `isinstance` whether a ruleset supports it.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec

from rules.fields import Value
from rules.ruleset import Act, Audience, Consequence, Offer, Pick, Problem, Seat


@runtime_checkable
class SupportsVeiledOffers(Protocol):
    """A ruleset that can say what may be legal as far as an audience knows.

    Without it, only a seat itself and the officials see what that seat may do while it has a
    secret.
    """

    def offers_to(self, state: Any, audience: Audience) -> tuple[Offer, ...]:
        """Return the acts that may be legal as far as an audience knows.

        They are the same for any two states that differ only in what it may not see.
        """

    def veil(self, state: Any, audience: Audience) -> Any:
        """Return a state as if nothing that is hidden from an audience had been recorded.

        By it an act is judged for those who may not know why it is against the rules.
        """


@runtime_checkable
class SupportsReveals(Protocol):
    """A ruleset with acts that turn up what was hidden from everybody, such as the top of a deck.

    What was seen cannot be unseen, so no seat may take such an act back on its own.
    """

    def reveals(self, act: Act) -> bool:
        """Tell whether an act turns up something hidden."""


class Chance(msgspec.Struct, frozen=True, gc=False):
    """What a seat could expect from chance, by exact odds, and the result, in the game's unit."""

    seat: Seat
    expected: Fraction
    came: int


@runtime_checkable
class SupportsLuck(Protocol):
    """A ruleset that can compute how lucky an act was."""

    def chance_of(self, state: Any, act: Act, consequences: Sequence[Consequence]) -> Chance | None:
        """Return the expected and the actual result of an act, None if chance was not involved."""


@runtime_checkable
class SupportsMaterial(Protocol):
    """A ruleset in which the amount that each seat has left shows how it stands, and is public.

    Its text `value.material.left` says what is counted.
    """

    def material(self, state: Any) -> tuple[int, ...]:
        """Return what each seat has left, in seat order."""


@runtime_checkable
class SupportsGames(Protocol):
    """A ruleset in which one match may hold several games."""

    def games_won(self, state: Any) -> tuple[int, ...]:
        """Return how many games each seat has won, in seat order."""


@runtime_checkable
class SupportsValueNames(Protocol):
    """A ruleset with its own names for values in its acts, such as the ids of cards."""

    def called(self, state: Any, offer: Offer, field: str, value: Value) -> str | None:
        """Return what people call a value of an offer's field.

        "" if it needs no mention, None if it is called as it is written.
        """


@runtime_checkable
class SupportsEndings(Protocol):
    """A ruleset that describes a match's end by more than its outcome, such as what was held."""

    def ending(self, state: Any, names: Mapping[Seat, str]) -> str:
        """Return who won a finished match, and how, in words."""


@runtime_checkable
class SupportsPlay(Protocol):
    """A ruleset that knows the state after an act when it decides it: no second fold."""

    def play(self, state: Any, act: Act) -> tuple[tuple[Consequence, ...], Any]:
        """Return the consequences as `decide` does, and the state after the act and all of them."""


@runtime_checkable
class SupportsWorth(Protocol):
    """A ruleset that can value acts, so that bots can play to win."""

    def worth(self, state: Any, act: Act) -> int | None:
        """Return what an act is worth to its seat, by what that seat may know.

        None for an act better avoided.
        """


@runtime_checkable
class SupportsPractice(Protocol):
    """A ruleset in which a bot can play a seat against people."""

    answers: tuple[type[Act], ...]
    """The acts by which others may answer what a seat just did: a bot waits for them."""

    def choices(
        self, state: Any, seat: Seat, offers: Sequence[Offer], pick: Pick
    ) -> Sequence[Offer]:
        """Return those of a seat's offers that a bot chooses from now, to play on.

        None while the table waits for others, or for something that only people know. `state` and
        `offers` are as that seat knows them; `pick` deals it the cards that chance would.
        """


class Listed(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a deck list: how many of which card, under which heading.

    `known` is false for a card that nobody has entered, so that its data cannot be checked.
    """

    line: int
    copies: int
    card: str
    heading: str = ""
    known: bool = True


class DeckList(msgspec.Struct, frozen=True, omit_defaults=True):
    """A parsed deck list: the deck as plain data, its lines, and the problems by line.

    Problems with the deck under the rules are not among them; these are found by `check_deck`.
    """

    deck: Any
    lines: tuple[Listed, ...]
    problems: tuple[tuple[int, Problem], ...] = ()

    def line_of(self, problem: Problem) -> int:
        """Return the first line about the card of a problem, 0 for the whole list."""
        named = problem.params.get("card")
        return next((each.line for each in self.lines if each.card == named), 0)


@runtime_checkable
class SupportsDeckLists(Protocol):
    """A ruleset that parses deck lists as players write them: one card per line."""

    list_options: tuple[str, ...]
    """The options a deck is checked against."""

    def read_list(self, text: str, known: Mapping[str, Any]) -> DeckList:
        """Parse a list, given the known cards by name as plain data. Never raises."""

    def write_list(self, deck: Any) -> str:
        """Return a deck as a list."""

    def options_on(self, options: Any, day: str) -> Any:
        """Return options in which everything that depends on a date is as on the given day."""


class Countdown(msgspec.Struct, frozen=True):
    """A clock for slow seats: the acts that start it and say it is over, and how long it runs.

    Both are acts of one seat. `awaited`: the seat that the table waits for, None if for none or
    for several.
    """

    started: type[Act]
    expired: type[Act]
    seconds: int
    awaited: Seat | None


@runtime_checkable
class SupportsCountdown(Protocol):
    """A ruleset in which a slow seat can be given a time limit.

    The seconds pass at the table; the log knows only that a countdown was started and is over.
    """

    def countdown(self, state: Any) -> Countdown:
        """Return the countdown of a match, by nothing but what everybody sees."""


class FloorRules(msgspec.Struct, frozen=True):
    """The default floor rules of a game, for tournaments that say nothing else.

    `minutes` per round, `best_of` games, `tiebreaks` in order; `time_up`: what happens to two
    players who are level once time is up and what they have left is compared. `texts`: codes of the
    texts that explain this to people, in order.
    """

    minutes: int
    best_of: int
    time_up: Literal["lost", "draw"]
    tiebreaks: tuple[str, ...]
    texts: tuple[str, ...]


@runtime_checkable
class SupportsOptionChecks(Protocol):
    """A ruleset with options that their types do not prove good, such as the name of a file."""

    def check_options(self, options: Any) -> None:
        """Require options with which a match can be opened. Raises: SetupError."""


@runtime_checkable
class SupportsFloorRules(Protocol):
    """A ruleset with floor rules: timed rounds, and what happens when time is up."""

    def floor_rules(self, options: Any) -> FloorRules:
        """Return the floor rules under some options."""

    def time_called(self, state: Any) -> Act | None:
        """Return the act that records in a match that time is up, None if it is too late."""
