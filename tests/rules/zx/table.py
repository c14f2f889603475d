"""Games of Z/X for tests: any position can be set up, and acts are lines of notation.

By default seat 1 plays Tidewatch and seat 2 Cinderline.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

import rules
from rules import notation
from rules.replay import Timeline, entry_after
from rules.ruleset import Consequence, Outcome, Seat, Verdict, event_type
from rules.zx import samples
from rules.zx.acts import Options, ZxOpened, ZxSeat
from rules.zx.cards import Card, Deck
from rules.zx.state import EMPTY, SEATS, Board, Mod, Resource, Side, State, Unit, with_unit
from tests.rules.tables import judged

RULESET = rules.get("zx@1")
TIDE, CINDER = samples.decks().values()
replace = msgspec.structs.replace


def opened(*decks: Deck | None, **options: Any) -> ZxOpened:
    return ZxOpened(
        ruleset="zx@1",
        options=Options(**options),
        seats=tuple(
            ZxSeat(label=f"Side {seat}", deck=deck)
            for seat, deck in enumerate(decks or (TIDE, CINDER), 1)
        ),
    )


def together(*cards: Card) -> Deck:
    """Return Tidewatch with further cards added."""
    return replace(TIDE, cards=(*TIDE.cards, *cards))


def unit(card: str, seat: Seat, **details: Any) -> Unit:
    return Unit(id=1, card=card, seat=seat, **details)


def resources(*cards: str, asleep: Sequence[str] = ()) -> tuple[Resource, ...]:
    return tuple(Resource(card) for card in cards) + tuple(Resource(c, True) for c in asleep)


class Position:
    """A position in a game, by default in the main phase of the first side.

    Acts are lines of notation; `judge` only judges, `play` records and keeps the consequences.
    """

    def __init__(
        self,
        units: dict[str, Unit] | None = None,
        *,
        decks: Sequence[Deck | None] = (),
        one: dict[str, Any] | None = None,
        two: dict[str, Any] | None = None,
        board: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        sides = [
            Side(**{"deck": 30, "hand": 4, "life": (1, 2, 3, 4), **(given or {})})
            for given in (one, two)
        ]
        field = Board(
            (sides[0], sides[1]),
            EMPTY,
            **{"stage": "running", "first": 1, "turn": 3, "current": 1, "phase": "main"}
            | (board or {}),
        )
        for number, (square, each) in enumerate((units or {}).items(), 1):
            field = with_unit(field, square, replace(each, id=number))
        field = replace(field, units=len(units or {}))
        self.state: State = replace(RULESET.start(opened(*decks, **options)), board=field)
        self.events: tuple[Consequence, ...] = ()

    def judge(self, line: str) -> Verdict:
        return judged(RULESET, self.state, RULESET.read(line))

    def code(self, line: str) -> str:
        """Return the code of an act's verdict, or "" if it is legal."""
        return self.judge(line).code

    def play(self, *lines: str, irregular: bool = False) -> tuple[str, ...]:
        """Play acts and return the types of the last one's consequences."""
        for line in lines:
            act = RULESET.read(line)
            verdict = judged(RULESET, self.state, act)
            assert verdict.call == "legal" or (irregular and verdict.call == "irregular"), verdict
            self.events = RULESET.decide(self.state, act)
            for event in (act, *self.events):
                self.state = RULESET.evolve(self.state, event)
        return tuple(event_type(event) for event in self.events)

    @property
    def board(self) -> Board:
        return self.state.board

    def side(self, seat: Seat) -> Side:
        return self.board.sides[seat - 1]

    def at(self, square: str) -> Unit | None:
        from rules.zx.state import unit_at

        return unit_at(self.board, square)

    @property
    def outcome(self) -> Outcome | None:
        return RULESET.outcome(self.state)

    @property
    def waits(self) -> tuple[str, Seat | None]:
        waits = RULESET.view(self.state, "officials")["next"]
        return waits["what"], waits["seat"]


def log_of(*lines: str, setup: ZxOpened | None = None) -> Timeline:
    """Return a log that begins with the setup; every line must be legal."""
    timeline = Timeline(RULESET)
    timeline.add(*entry_after(RULESET, timeline, setup or opened()))
    for line in lines:
        timeline.add(*entry_after(RULESET, timeline, notation.read(RULESET.acts, line)))
    return timeline


__all__ = ["CINDER", "RULESET", "SEATS", "TIDE", "Mod", "Position", "log_of", "opened"]
