"""What every game offers: the `Ruleset` protocol, and the few types all games share.

People record acts; a ruleset draws consequences. Both are events, folded into a state.
Everything here is plain data: no clock, no randomness, no input or output.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Literal, Protocol, runtime_checkable

import msgspec

Seat = int
"""A place in a match, from 1."""

Audience = int | Literal["officials", "public"]
"""Who looks: a seat, the officials, or the public."""

NoteHash = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^([0-9a-f]{64})?\Z",
        max_length=64,
        description="the hash of a note; its words are sent beside the act, as `note`",
    ),
]
"""The salted hash of a free text, which itself is kept outside every body; "" for none."""

Pick = Callable[[int], int]
"""Chance as an input: `pick(n)` gives one of 0 … n - 1."""

Page = Callable[[Mapping[str, Sequence[str]]], dict[str, Any]]
"""What a page shows, from the query of its address; what was wrong there is in `errors`."""


class Act(
    msgspec.Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
):
    """One thing that happened at the table and that a person recorded.

    Every subclass names its permanent kebab-case tag; a new field has a default.
    An act of one seat has a field `seat`.

    A default, here and in every state, is one that Python keeps a single object of: None, a
    bool, a small number, "", (), a word of a `Literal`. Others would be omitted at one time
    and written at another, because msgspec tells a default by identity.
    """


class Consequence(
    msgspec.Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
):
    """What the rules make of an act."""


Event = Act | Consequence


class Misused(ValueError):
    """What a tool can not work with: the field it came in, and what is wrong with it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def event_type(event: Event | type[Event]) -> str:
    """Return the permanent name of an event or of its class, such as `card-slagged`."""
    tag = event.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


Label = Annotated[str, msgspec.Meta(max_length=80)]


class SeatSetup(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One seat as it was set up. A ruleset's own class adds `deck` as plain card data.

    `label` names the side (never a person); `ref` is an opaque reference of the floor above.
    """

    label: Label
    ref: Label = ""


class Opened(Act, frozen=True, tag="opened"):
    """The first act of every log: the setup, which lets a log explain itself for ever.

    A ruleset's own subclass declares `options` and `seats` with their exact types.
    `log` and `commitment` are there when spins and draws may be made by the server:
    the id the draws are computed over, and the SHA-256 of their secret seed.
    """

    ruleset: str
    log: str = ""
    commitment: str = ""


class TakenBack(Act, frozen=True, tag="taken-back"):
    """The state as at version `to` is current again. `to` ahead in the past is a redo.

    `note` is the reason, where one is asked for.
    """

    to: int
    note: NoteHash = ""


class SeedRevealed(Act, frozen=True, tag="seed-revealed"):
    """The secret seed of the server's draws, as hex, once the match is over."""

    seed: Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{2})*\Z", max_length=64)]


# -- verdicts -------------------------------------------------------------------------


class Verdict(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What the rules say of an act, with a permanent code and the clause it rests on.

    `legal`; `irregular`: against the rules, but it has a meaning and may have stood;
    `impossible`: it can be given no meaning and is always refused.
    """

    call: Literal["legal", "irregular", "impossible"]
    code: str = ""
    clause: str = ""
    params: dict[str, int | str] = msgspec.field(default_factory=dict)


LEGAL = Verdict("legal")


def irregular(code: str, clause: str, **params: int | str) -> Verdict:
    return Verdict("irregular", code, clause, params)


def impossible(code: str, clause: str = "", **params: int | str) -> Verdict:
    return Verdict("impossible", code, clause, params)


class Problem(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing wrong with a deck."""

    code: str
    clause: str = ""
    params: dict[str, int | str] = msgspec.field(default_factory=dict)


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


LOST_BY_ALL = "by-nobody"
"""The `why` of an outcome, in any game, that left everybody a loser."""


class Outcome(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """How a match ended.

    `places`: the place of each seat, in seat order, equal numbers for ties.
    `winners`: the seats that won, none for a draw or when all lost.
    `why`: a permanent code, such as `last-standing`.
    """

    places: tuple[int, ...]
    winners: tuple[Seat, ...]
    why: str
    clause: str = ""


# -- offers ---------------------------------------------------------------------------

Plain = int | str | bool | None
Value = Plain | tuple[Plain, ...]


class Choice(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="choice"):
    """One of these values, each plain or a tuple of plain ones."""

    values: tuple[Any, ...]


class Range(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="range"):
    """A whole number from `low` to `high`, both included."""

    low: int
    high: int


class Subset(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="subset"):
    """From `least` to `most` of these values, in this order, none twice unless it `repeats`.

    A value that stands there several times, one after the other, may be chosen as often.
    """

    values: tuple[Plain, ...]
    most: int
    least: int = 0
    repeats: bool = False


class Ordered(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="ordered"):
    """From `least` to `most` of these values, in any order, none twice."""

    values: tuple[Plain, ...]
    most: int
    least: int = 0


class Row(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="row"):
    """From `least` to `most` whole numbers, each from `low` to `high`."""

    low: int
    high: int
    most: int
    least: int = 0


class Walk(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="walk"):
    """A way of 1 to `most` steps over a board, from `start` to one of the `ends`.

    `ways`: for each place a row with its name, then where one step may go from there. The
    value holds the places stepped on, in order, without the start.
    """

    start: str
    ways: tuple[tuple[str, ...], ...]
    ends: tuple[str, ...]
    most: int


class Free(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="free"):
    """Any well-formed value, but none that is empty when it is to be `filled`.

    `shape` tells a form what to ask for: `text`, `dots` …
    """

    shape: str = "text"
    filled: bool = False


Field = Choice | Range | Subset | Ordered | Row | Walk | Free


class Offer(msgspec.Struct, frozen=True, gc=False):
    """One kind of act that is legal now: its type, its seat, and what each field may hold.

    Fields are independent of one another; choices that depend on each other are offers of
    their own. A field not named keeps its default. `seat` is None for an act of the table.
    """

    type: str
    seat: Seat | None
    fields: dict[str, Field]


def admits(field: Field, value: Any) -> bool:
    """Tell whether a field's domain holds a value. `True` is not 1."""
    match field:
        case Choice(values):
            return any(value is v or (type(value) is type(v) and value == v) for v in values)
        case Range(low, high):
            return type(value) is int and low <= value <= high
        case Subset(values, most, least, repeats):
            chosen = list(value)
            in_order = [v for v in dict.fromkeys(values) for _ in range(chosen.count(v))]
            fits = least <= len(chosen) <= most and chosen == in_order
            return fits and (repeats or all(chosen.count(v) <= values.count(v) for v in chosen))
        case Ordered(values, most, least):
            once = len(set(value)) == len(value)
            return once and least <= len(value) <= most and all(each in values for each in value)
        case Row(low, high, most, least):
            fits = all(type(each) is int and low <= each <= high for each in value)
            return fits and least <= len(value) <= most
        case Walk(start, ways, ends, most):
            steps = {place: others for place, *others in ways}
            along = all(
                there in steps.get(here, ())
                for here, there in zip((start, *value), value, strict=False)
            )
            return along and 1 <= len(value) <= most and value[-1] in ends
        case Free(filled=filled):
            return bool(value) or not filled


@cache
def fields_of(kind: type[Act]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Return the fields of a type of act, worked out once: it takes longer than all else here."""
    return msgspec.structs.fields(kind)


def first_unfit(offer: Offer, act: Act) -> str | None:
    """Return the first field of an act that an offer does not let it have, None when all fit."""
    for field in fields_of(type(act)):
        name = field.name
        if name == "seat":
            continue
        value = getattr(act, name)
        if name in offer.fields:
            if not admits(offer.fields[name], value):
                return name
        elif field.required or value != field.default:
            return name
    return None


def covers(offer: Offer, act: Act) -> bool:
    """Tell whether an offer covers an act: same type and seat, every field within its domain."""
    same = offer.type == event_type(act) and offer.seat == getattr(act, "seat", None)
    return same and first_unfit(offer, act) is None


# -- draws ----------------------------------------------------------------------------


class Draw(msgspec.Struct, frozen=True, gc=False):
    """A spin or draw that an act asks of the server.

    `field`: the act's field that holds the result; `purpose`: what it was for;
    `values`: the equally likely results, in a fixed order.
    """

    field: str
    purpose: str
    values: tuple[Plain, ...]


# -- the protocol ---------------------------------------------------------------------


class Ruleset(Protocol):
    """One game in one version. Every method is pure; none may look at a clock or draw lots.

    A state is frozen, and points at the `setup` it started from.
    `acts` and `consequences` are the closed lists of event classes; `opened` is the setup's
    class, `options_type` and `deck_type` what its `options` and each seat's `deck` hold.
    """

    key: str
    version: int
    seats: range
    opened: type[Opened]
    options_type: type[msgspec.Struct]
    deck_type: Any
    acts: tuple[type[Act], ...]
    consequences: tuple[type[Consequence], ...]
    texts: Mapping[str, str]
    """Every text by code: verdicts, problems, events, outcomes (`{param}` filled in)."""
    tools: Mapping[str, Any]
    """Named pure functions the game adds to the API and the command line.

    Their parameters have types that msgspec converts plain data to (see `rules.tools`); the first
    line of their docstring says what they do. A value that means nothing is a ValueError.
    """
    pages: Mapping[str, Page]
    """Pages the game adds to the site; each has a template of its own."""
    rulings: tuple[type[Act], ...]
    """The acts that only an official may record."""
    secretive: bool
    """Whether there are states in which a seat knows what others may not."""
    bot_weights: Mapping[str, int]
    """How often a bot picks a type of act among those on offer: 100 when not named."""

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str:
        """What the game is called, in the language asked for where that differs."""

    def start(self, setup: Any) -> Any:
        """Return the first state. Raises `SetupError` for a setup that can be given no meaning."""

    def options(self, state: Any, seat: Seat | None = None) -> tuple[Offer, ...]:
        """Return what is legal now, in a fixed order; of one seat only when asked."""

    def judge(self, state: Any, act: Act) -> Verdict:
        """Say whether an act is legal, irregular or impossible. Never raises."""

    def decide(self, state: Any, act: Act) -> tuple[Consequence, ...]:
        """Return the consequences of an act that stands; total on legal and irregular acts."""

    def evolve(self, state: Any, event: Event) -> Any:
        """Return the state after one event; never refuses a stored event."""

    def outcome(self, state: Any) -> Outcome | None: ...

    def view(self, state: Any, audience: Audience) -> dict[str, Any]:
        """Return what an audience may know, as plain data; hidden means absent."""

    def secrets(self, state: Any) -> tuple[Seat, ...]:
        """Return the seats that know something now which others may not."""

    def hide(self, event: Event, audience: Audience) -> Event | None:
        """Return an event as an audience may see it; None when it may not see it at all."""

    def dump(self, state: Any) -> bytes:
        """Return canonical bytes of the state without its setup."""

    def load(self, setup: Any, data: bytes) -> Any: ...

    def check_deck(self, deck: Any, options: Any) -> Sequence[Problem]:
        """Return all problems of a deck at once; none when it is legal."""

    def draws(self, state: Any, act: Act) -> tuple[Draw, ...]:
        """Return the spins and draws that an act says the server made. Never raises.

        The fields named here are filled before the act is judged.
        """

    def tell(self, event: Event, state: Any, names: Mapping[Seat, str] | None = None) -> str:
        """Tell an event as a sentence with its reason; `state` is the one before it.

        `names` replaces the labels of the setup.
        """

    def headline(self, state: Any, names: Mapping[Seat, str] | None = None) -> str:
        """Tell the score in a line."""

    def sample_setup(
        self, pick: Pick, seats: int | None = None, options: Mapping[str, Any] | None = None
    ) -> Any:
        """Return a setup that could be played: every legal one may come out.

        `seats` and `options` are chosen by `pick` where not given.
        """

    def sample_value(self, shape: str, pick: Pick) -> Plain:
        """Return a value for a `Free` field of this shape, such as dots for `dots`."""

    def foretell(self, state: Any) -> dict[str, Any]:
        """Return what acts will come to, as plain data for a phone without a network.

        Empty where a game foretells nothing; then each act is judged when it arrives.
        """

    def write(self, act: Act) -> str:
        """Write an act as one line of notation."""

    def read(self, line: str) -> Act:
        """Read a line of notation. Raises `notation.NotationError` with the place."""


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


class SetupError(ValueError):
    """A setup that can be given no meaning: `problem` says what is wrong, and where."""

    def __init__(self, problem: Problem, text: str = "") -> None:
        super().__init__(text or problem.code)
        self.problem = problem
