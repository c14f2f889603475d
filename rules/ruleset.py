"""What every game offers: the `Ruleset` protocol, and the few types all games share.

People record acts, and a ruleset derives their consequences. Both are events; folding them gives a
state. Everything here is plain data: no clock, no randomness, no input or output.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, Protocol, Self

import msgspec

from rules.fields import Choice, Field, Plain, Value, admits

Seat = int
"""A place in a match, from 1."""

Audience = int | Literal["officials", "public"]
"""Whose view is meant: a seat's, the officials', or the public's."""

NoteHash = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^([0-9a-f]{64})?\Z",
        max_length=64,
        description="the hash of a note; its words are sent beside the act, as `note`",
    ),
]
"""The salted hash of a free text, "" for none. The text itself is never part of an entry."""

Pick = Callable[[int], int]
"""Randomness as an input: `pick(n)` returns a number from 0 to n - 1."""


class Act(
    msgspec.Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
):
    """Something that happened at the table and was recorded by a person.

    Every subclass has a permanent kebab-case tag, and any field added later has a default. An act
    of one seat has a field `seat`.

    Every default, here and in states, must be an object that exists only once in Python: None, a
    bool, a small number, "", (), or a word of a `Literal`. msgspec recognises defaults by identity,
    so any other would be omitted at one time and written at another.
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
    """What follows from an act under the rules."""


Event = Act | Consequence


class Misused(ValueError):
    """Input that a tool or a page cannot work with: its field, and what is wrong with it.

    `column`, counted from 1, says where in a text; 0 for all of it.
    """

    def __init__(self, field: str, message: str, column: int = 0) -> None:
        super().__init__(message)
        self.field = field
        self.column = column


def event_type(event: Event | type[Event]) -> str:
    """Return the permanent name of an event or of its class, such as `card-slagged`."""
    tag = event.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


Label = Annotated[str, msgspec.Meta(max_length=80)]


class SeatSetup(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """The setup of one seat; a ruleset's own subclass adds `deck` as plain card data.

    `label` names the side (never a person); `ref` is an opaque reference for the caller's own use.
    """

    label: Label
    ref: Label = ""


class Opened(Act, frozen=True, tag="opened"):
    """The first act of every log: the setup, so that a log can be understood by itself for ever.

    A ruleset's own subclass declares the exact types of `options` and `seats`. `log` and
    `commitment` are set if the server may make spins and draws: the id that the draws are computed
    from, and the SHA-256 of their secret seed.
    """

    ruleset: str
    log: str = ""
    commitment: str = ""


class TakenBack(Act, frozen=True, tag="taken-back"):
    """The state at version `to` becomes current again; after going back, a later `to` is a redo.

    `note` is the reason, if one is required.
    """

    to: int
    note: NoteHash = ""


class SeedRevealed(Act, frozen=True, tag="seed-revealed"):
    """The secret seed of the server's draws as hex, published when the match is over."""

    seed: Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{2})*\Z", max_length=64)]


# -- verdicts -------------------------------------------------------------------------


Call = Literal["legal", "irregular", "impossible"]


class Verdict(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What the rules say of an act, with a permanent code and the clause it is based on.

    `legal`; `irregular`: against the rules, but it has a meaning and may stand; `impossible`: it
    has no meaning and is always refused.
    """

    call: Call
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


LOST_BY_ALL = "by-nobody"
"""The `why` of an outcome in which everybody lost, in any game."""


class Outcome(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """How a match ended.

    `places`: the place of each seat, in seat order, with equal numbers for ties. `winners`: the
    seats that won; none for a draw or if all lost. A tournament has no seats: both are empty, and
    its standings have the places. `why`: a permanent code, such as `last-standing`.
    """

    places: tuple[int, ...]
    winners: tuple[Seat, ...]
    why: str
    clause: str = ""


# -- offers ---------------------------------------------------------------------------


class Offer(msgspec.Struct, frozen=True, gc=False):
    """One kind of act that is legal now: its type, its seat, and the allowed values of each field.

    Fields are independent of each other; if choices depend on each other, there is an offer for
    each combination. A field that is not named keeps its default. `seat` is None for an act of the
    table.
    """

    type: str
    seat: Seat | None
    fields: dict[str, Field]


@cache
def fields_of(kind: type[Act]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Return the fields of a type of act, cached because computing them is slow."""
    return msgspec.structs.fields(kind)


def first_unfit(offer: Offer, act: Act) -> str | None:
    """Return the first field of an act whose value an offer does not allow, None if all fit."""
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
    """Tell whether an offer covers an act: same type and seat, and every value is allowed."""
    same = offer.type == event_type(act) and offer.seat == getattr(act, "seat", None)
    return same and first_unfit(offer, act) is None


def narrowed(offer: Offer, name: str, values: Sequence[Value]) -> Offer:
    """Return an offer that leaves only these values of a field."""
    return Offer(offer.type, offer.seat, {**offer.fields, name: Choice(tuple(values))})


# -- draws ----------------------------------------------------------------------------


class Draw(msgspec.Struct, frozen=True, gc=False):
    """A spin or draw that the server must make for an act.

    `field`: the field of the act that holds the result; `purpose`: what it is for; `values`: the
    equally likely results, in a fixed order.
    """

    field: str
    purpose: str
    values: tuple[Plain, ...]


# -- pages ----------------------------------------------------------------------------


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What a page of a game answers, in the words of a person; what is not given is empty.

    Each field is a text, or a tuple of texts if it may be given more than once. The site reads them
    from a form and shows the answer with the game's template; both are unknown here.
    """

    @classmethod
    def choices(cls) -> dict[str, Any]:
        """Return what the fields may be chosen from, such as cards."""
        return {}

    def completed(self) -> Self:
        """Return the question with an example in place of what it needs and was not given."""
        return self

    def answer(self) -> dict[str, Any]:
        """Return the answer to the completed question. Raises: Misused."""
        raise NotImplementedError


# -- the protocol ---------------------------------------------------------------------


class Ruleset(Protocol):
    """One game in one version. All methods are pure: none may use a clock or randomness.

    A state is frozen and has its `setup`. `acts` and `consequences` are the complete lists of event
    classes; `opened` is the class of the setup, `options_type` that of its `options`, and
    `deck_type` that of each seat's `deck`.

    What only some games can do is a protocol of its own in `rules.capabilities`:
    `SupportsVeiledOffers` (what may be legal as far as others know), `SupportsReveals` (acts that
    reveal something hidden), `SupportsLuck`, `SupportsMaterial` (what each seat has left),
    `SupportsGames` (how many games each seat has won), `SupportsValueNames`, `SupportsEndings` (its
    own words for how a match ended), `SupportsPlay` (faster folding), `SupportsWorth` (for bots),
    `SupportsPractice` (a bot as an opponent), `SupportsDeckLists`, `SupportsCountdown` (a time
    limit for slow seats) and `SupportsFloorRules`.
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
    """All texts by code, with `{param}`s to fill in: verdicts, problems, events, outcomes."""
    tools: Mapping[str, Any]
    """Named pure functions that the game adds to the API and the command line.

    Their parameters have types into which msgspec converts plain data (see `rules.tools`). The
    first line of their docstring says what they do. Senseless values raise ValueError.
    """
    pages: Mapping[str, type[Question]]
    """Pages that the game adds to the site: what each answers. Each has a template of its own."""
    rulings: tuple[type[Act], ...]
    """The acts that only officials may record."""
    secretive: bool
    """Whether a seat may ever know something that others may not."""
    results_only: bool
    """Whether only results are recorded, and nothing of how a match was played."""
    bot_weights: Mapping[str, int]
    """How often a bot picks each type of act, among those offered; 100 if not named."""

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str:
        """The name of the game, in the current language if it differs there."""

    def start(self, setup: Any) -> Any:
        """Return the first state. Raises `SetupError` for a setup without a meaning."""

    def options(self, state: Any, seat: Seat | None = None) -> tuple[Offer, ...]:
        """Return what is legal now, in a fixed order; for one seat only if given."""

    def judge(self, state: Any, act: Act) -> Verdict:
        """Say whether an act is legal, irregular or impossible. Never raises."""

    def decide(self, state: Any, act: Act) -> tuple[Consequence, ...]:
        """Return the consequences of an act; never fails for a legal or irregular act."""

    def evolve(self, state: Any, event: Event) -> Any:
        """Return the state after one event; never refuses a stored event."""

    def outcome(self, state: Any) -> Outcome | None: ...

    def view(self, state: Any, audience: Audience) -> dict[str, Any]:
        """Return what an audience may know, as plain data; what is hidden is left out."""

    def secrets(self, state: Any) -> tuple[Seat, ...]:
        """Return the seats that now know something that others may not."""

    def hide(self, event: Event, audience: Audience) -> Event | None:
        """Return an event as an audience may see it, None if it may not see it at all."""

    def dump(self, state: Any) -> bytes:
        """Return the canonical bytes of a state, without its setup."""

    def load(self, setup: Any, data: bytes) -> Any: ...

    def check_deck(self, deck: Any, options: Any) -> Sequence[Problem]:
        """Return all problems of a deck at once, none if it is legal."""

    def draws(self, state: Any, act: Act) -> tuple[Draw, ...]:
        """Return the spins and draws that the server makes for an act. Never raises.

        Their fields are filled in before the act is judged.
        """

    def tell(self, event: Event, state: Any, names: Mapping[Seat, str] | None = None) -> str:
        """Describe an event and its reason in a sentence; `state` is the one before it.

        `names` replaces the labels of the setup.
        """

    def headline(self, state: Any, names: Mapping[Seat, str] | None = None) -> str:
        """Describe the score in one line."""

    def sample_setup(
        self, pick: Pick, seats: int | None = None, options: Mapping[str, Any] | None = None
    ) -> Any:
        """Return a playable setup; every legal setup is possible.

        `pick` chooses `seats` and `options` if they are not given.
        """

    def sample_value(self, shape: str, pick: Pick) -> Plain:
        """Return a value for a `Free` field of this shape, such as dots for `dots`."""

    def foretell(self, state: Any) -> dict[str, Any]:
        """Return what acts will lead to, as plain data, for a phone without a network.

        Empty if the game cannot predict anything: then each act is judged when it arrives.
        """

    def write(self, act: Act) -> str:
        """Return an act as one line of notation."""

    def read(self, line: str) -> Act:
        """Parse a line of notation. Raises `notation.NotationError` with the position."""


def pinned_name(ruleset: Ruleset) -> str:
    """Return the name of a game in one version, such as `zg@1`."""
    return f"{ruleset.key}@{ruleset.version}"


class SetupError(ValueError):
    """A setup without a meaning; `problem` says what is wrong, and where."""

    def __init__(self, problem: Problem, text: str = "") -> None:
        super().__init__(text or problem.code)
        self.problem = problem
