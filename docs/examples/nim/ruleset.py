"""`nim@1`: two sides take stones from heaps in turn; who takes the last one wins."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from rules import texts
from rules.defaults import Defaults
from rules.fields import Choice, Range
from rules.ruleset import (
    LEGAL,
    Act,
    Audience,
    Consequence,
    Event,
    Offer,
    Opened,
    Outcome,
    Pick,
    Problem,
    Seat,
    SeatSetup,
    SetupError,
    Verdict,
    impossible,
    irregular,
)

# -- what people record, and the setup ------------------------------------------------


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`heaps`: the stones in each heap at the start; three heaps when none is named."""

    heaps: Annotated[tuple[int, ...], msgspec.Meta(max_length=9)] = ()


class Side(SeatSetup, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A seat."""

    deck: None = None


class NimOpened(Opened, frozen=True, kw_only=True, tag="opened"):
    options: Options
    seats: tuple[Side, ...]


class StonesTaken(Act, frozen=True, tag="stones-taken"):
    """A side takes stones from one heap; heaps are counted from 1."""

    seat: Seat
    heap: int
    stones: int


# -- what the rules make of it --------------------------------------------------------


class LastTaken(Consequence, frozen=True, tag="last-taken"):
    """The last stone is gone: who took it has won."""

    winner: Seat


# -- the state ------------------------------------------------------------------------


class Table(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that changes. `turn`: whose turn it is; `winner` is 0 until there is one."""

    heaps: tuple[int, ...]
    turn: Seat = 1
    winner: Seat = 0


class State(msgspec.Struct, frozen=True):
    setup: NimOpened
    table: Table


class Nim(Defaults):
    key = "nim"
    name = "Nim"
    seats = range(2, 3)
    opened: type[Opened] = NimOpened
    options_type: type[msgspec.Struct] = Options
    acts: tuple[type[Act], ...] = (StonesTaken,)
    consequences: tuple[type[Consequence], ...] = (LastTaken,)
    texts: Mapping[str, str] = texts.load("nim")

    def start(self, setup: NimOpened) -> State:
        heaps = setup.options.heaps or (3, 4, 5)
        if len(setup.seats) != 2 or min(heaps) < 1 or max(heaps) > 99:
            raise SetupError(Problem("no-such-table"))
        return State(setup, Table(heaps))

    def options(self, state: State, seat: Seat | None = None) -> tuple[Offer, ...]:
        table = state.table
        if table.winner or seat not in (None, table.turn):
            return ()
        return tuple(
            Offer("stones-taken", table.turn, {"heap": Choice((heap,)), "stones": Range(1, left)})
            for heap, left in enumerate(table.heaps, 1)
            if left
        )

    def judge(self, state: State, act: Act) -> Verdict:
        table = state.table
        if table.winner:
            return impossible("match-over")
        if not isinstance(act, StonesTaken):
            return impossible("no-such-act", act="")
        if not 1 <= act.seat <= 2 or not 1 <= act.heap <= len(table.heaps):
            return impossible("no-such-heap", seat=act.seat, heap=act.heap)
        left = table.heaps[act.heap - 1]
        if not 1 <= act.stones <= left:
            return impossible("not-so-many", stones=act.stones, left=left)
        if act.seat != table.turn:
            return irregular("not-your-turn", "NIM 1", seat=act.seat)
        return LEGAL

    def decide(self, state: State, act: Act) -> tuple[Consequence, ...]:
        assert isinstance(act, StonesTaken)
        return () if any(self.evolve(state, act).table.heaps) else (LastTaken(winner=act.seat),)

    def evolve(self, state: State, event: Event) -> State:
        table = state.table
        match event:
            case StonesTaken(seat, heap, stones):
                left = table.heaps[heap - 1] - stones
                heaps = (*table.heaps[: heap - 1], left, *table.heaps[heap:])
                table = msgspec.structs.replace(table, heaps=heaps, turn=3 - seat)
            case LastTaken(winner):
                table = msgspec.structs.replace(table, winner=winner)
        return State(state.setup, table)

    def outcome(self, state: State) -> Outcome | None:
        winner = state.table.winner
        if not winner:
            return None
        return Outcome((1, 2) if winner == 1 else (2, 1), (winner,), "by-last-stone", "NIM 2")

    def view(self, state: State, audience: Audience) -> dict[str, Any]:
        return {"seats": [{"seat": 1}, {"seat": 2}], **msgspec.structs.asdict(state.table)}

    def dump(self, state: State) -> bytes:
        return msgspec.json.encode(state.table)

    def load(self, setup: NimOpened, data: bytes) -> State:
        return State(setup, msgspec.json.decode(data, type=Table))

    def tell(self, event: Event, state: State, names: Mapping[Seat, str] | None = None) -> str:
        return texts.of_event(self.texts, event, texts.names_of(state.setup, names))

    def headline(self, state: State, names: Mapping[Seat, str] | None = None) -> str:
        return " – ".join(map(str, state.table.heaps))

    def sample_setup(
        self, pick: Pick, seats: int | None = None, options: Mapping[str, Any] | None = None
    ) -> NimOpened:
        given = {"heaps": tuple(1 + pick(7) for _ in range(1 + pick(4)))} | dict(options or {})
        return NimOpened(
            ruleset="nim@1",
            options=msgspec.convert(given, Options),
            seats=(Side(label="First"), Side(label="Second")),
        )
