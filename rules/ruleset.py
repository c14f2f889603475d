"""What every game offers: the `Ruleset` protocol, and the few types all games share.

People record acts; a ruleset draws consequences. Both are events, folded into a state.
Everything here is plain data: no clock, no randomness, no input or output.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, Protocol

import msgspec

from rules.fields import Field, Plain, admits

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


class Offer(msgspec.Struct, frozen=True, gc=False):
    """One kind of act that is legal now: its type, its seat, and what each field may hold.

    Fields are independent of one another; choices that depend on each other are offers of
    their own. A field not named keeps its default. `seat` is None for an act of the table.
    """

    type: str
    seat: Seat | None
    fields: dict[str, Field]


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


class SetupError(ValueError):
    """A setup that can be given no meaning: `problem` says what is wrong, and where."""

    def __init__(self, problem: Problem, text: str = "") -> None:
        super().__init__(text or problem.code)
        self.problem = problem
