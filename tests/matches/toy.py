"""A minimal game with draws and rulings: toss a coin, three heads win."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from rules import notation, texts
from rules.fields import Choice, Plain
from rules.ruleset import (
    LEGAL,
    Act,
    Audience,
    Consequence,
    Draw,
    Event,
    NoteHash,
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

SIDES = ("heads", "tails")
NEEDED = 3


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    pass


class ToySeat(SeatSetup, frozen=True, kw_only=True, forbid_unknown_fields=True):
    deck: tuple[str, ...] = ()


class ToyOpened(Opened, frozen=True, kw_only=True, tag="opened"):
    options: Options
    seats: tuple[ToySeat, ...]


class Tossed(Act, frozen=True, tag="tossed"):
    seat: Seat
    side: Literal["", "heads", "tails"] = ""
    spin: Literal["table", "server"] = "table"


class Said(Act, frozen=True, tag="said"):
    seat: Seat
    note: NoteHash = ""


class Ruled(Act, frozen=True, tag="ruled"):
    winner: Seat
    note: NoteHash = ""


class PointWon(Consequence, frozen=True, tag="point-won"):
    seat: Seat


class MatchWon(Consequence, frozen=True, tag="match-won"):
    seat: Seat


class State(msgspec.Struct, frozen=True):
    setup: ToyOpened
    heads: tuple[int, ...]
    turn: Seat = 1
    winner: Seat = 0


class Toy:
    key = "toy"
    version = 1
    name = "Toss"
    seats = range(1, 5)
    opened: type[Opened] = ToyOpened
    options_type: type[msgspec.Struct] = Options
    deck_type = tuple[str, ...]
    acts: tuple[type[Act], ...] = (Tossed, Said, Ruled)
    consequences: tuple[type[Consequence], ...] = (PointWon, MatchWon)
    texts = {
        **texts.load("rules.score"),
        "out-of-turn": "It is not the turn of seat {seat}.",
        "no-side": "The coin shows no side.",
        "match-over": "The match is over.",
        "said": "Somebody says something.",
        "tossed": "{seat} tosses {side}.",
        "ruled": "{winner} is ruled the winner.",
        "point-won": "A point for {seat}.",
        "match-won": "{seat} wins the match.",
        "heads": "{winners} won by three heads.",
    }
    tools: Mapping[str, Any] = {}
    rulings: tuple[type[Act], ...] = (Ruled,)
    secretive = False
    bot_weights: Mapping[str, int] = {}

    def start(self, setup: ToyOpened) -> State:
        if len(setup.seats) not in self.seats:
            raise SetupError(Problem("seat-count", params={"seats": len(setup.seats)}))
        return State(setup, (0,) * len(setup.seats))

    def options(self, state: State, seat: Seat | None = None) -> tuple[Offer, ...]:
        fields = {"side": Choice(SIDES), "spin": Choice(("table", "server"))}
        return () if state.winner else (Offer("tossed", state.turn, fields),)

    def judge(self, state: State, act: Act) -> Verdict:
        if state.winner:
            return impossible("match-over", "TOY END-1")
        if isinstance(act, Tossed) and not act.side:
            return impossible("no-side", "TOY ACT-1")
        if isinstance(act, Tossed) and act.seat != state.turn:
            return irregular("out-of-turn", "TOY ACT-2", seat=act.seat)
        return LEGAL

    def decide(self, state: State, act: Act) -> tuple[Consequence, ...]:
        if isinstance(act, Ruled):
            return (MatchWon(seat=act.winner),)
        if isinstance(act, Tossed) and act.side == "heads":
            won = state.heads[act.seat - 1] + 1 == NEEDED
            return (PointWon(seat=act.seat), *((MatchWon(seat=act.seat),) if won else ()))
        return ()

    def evolve(self, state: State, event: Event) -> State:
        match event:
            case Tossed(seat=seat):
                turn = seat % len(state.heads) + 1
                return msgspec.structs.replace(state, turn=turn)
            case PointWon(seat=seat):
                heads = tuple(n + (i == seat) for i, n in enumerate(state.heads, 1))
                return msgspec.structs.replace(state, heads=heads)
            case MatchWon(seat=seat):
                return msgspec.structs.replace(state, winner=seat)
        return state

    def outcome(self, state: State) -> Outcome | None:
        if not state.winner:
            return None
        places = tuple(1 if seat == state.winner else 2 for seat in range(1, len(state.heads) + 1))
        return Outcome(places, (state.winner,), "heads")

    def view(self, state: State, audience: Audience) -> dict[str, Any]:
        return {"heads": list(state.heads), "turn": state.turn}

    def secrets(self, state: State) -> tuple[Seat, ...]:
        return ()

    def hide(self, event: Event, audience: Audience) -> Event | None:
        return event

    def dump(self, state: State) -> bytes:
        return msgspec.json.encode([state.heads, state.turn, state.winner])

    def load(self, setup: ToyOpened, data: bytes) -> State:
        heads, turn, winner = msgspec.json.decode(data)
        return State(setup, tuple(heads), turn, winner)

    def check_deck(self, deck: Any, options: Any) -> Sequence[Problem]:
        return ()

    def draws(self, state: State, act: Act) -> tuple[Draw, ...]:
        spun = isinstance(act, Tossed) and act.spin == "server"
        return (Draw("side", "toss", SIDES),) if spun else ()

    def tell(self, event: Event, state: State, names: Mapping[Seat, str] | None = None) -> str:
        return texts.of_event(self.texts, event, texts.names_of(state.setup, names))

    def headline(self, state: State, names: Mapping[Seat, str] | None = None) -> str:
        return "–".join(map(str, state.heads))

    def sample_setup(
        self, pick: Pick, seats: int | None = None, options: Mapping[str, Any] | None = None
    ) -> ToyOpened:
        count = seats or 2
        sides = tuple(ToySeat(label=f"Side {seat}") for seat in range(1, count + 1))
        return ToyOpened(ruleset="toy@1", options=Options(), seats=sides)

    def foretell(self, state: Any) -> dict[str, Any]:
        return {}

    def sample_value(self, shape: str, pick: Pick) -> Plain:
        return ""

    def write(self, act: Act) -> str:
        return notation.write(act)

    def read(self, line: str) -> Act:
        return notation.read(self.acts, line)
