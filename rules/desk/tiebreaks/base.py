"""What all tie-breaks work on, and what they have in common.

A `Sheet` holds what everybody did, round by round. A tie-break makes a `Value` of it: an exact
fraction that opens into its terms.
"""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Literal

import msgspec

HALF = Fraction(1, 2)
THIRD = Fraction(1, 3)
QUARTER = Fraction(1, 4)
ZERO = Fraction(0)

Kind = Literal[
    "played",
    "bye",
    "full-bye",
    "half-bye",
    "zero-bye",
    "won-by-forfeit",
    "lost-by-forfeit",
    "absent",
]
"""How a round went for one player.

`bye`: given by the pairing; the next three were asked for. `absent`: not in the tournament,
before a late entry or after a drop.
"""

ASKED_FOR: tuple[Kind, ...] = ("half-bye", "zero-bye", "absent")
VOLUNTARY: tuple[Kind, ...] = (*ASKED_FOR, "lost-by-forfeit")


class Part(msgspec.Struct, frozen=True):
    """What one player did in one round.

    `points` were awarded for it. `result` is 1, 1/2 or 0; at a table of more, the share of the
    others that were beaten, ties half. `foes` are those met, or those that were to be met in a
    forfeit. `games` were won, lost and drawn. `seat` counts from 1. `score` and `best` are
    what was scored at the table and what its winner scored. `place` among `size`.
    """

    round: int
    kind: Kind = "played"
    points: Fraction = ZERO
    result: Fraction = ZERO
    foes: tuple[int, ...] = ()
    games: tuple[int, int, int] = (0, 0, 0)
    seat: int = 0
    score: Fraction = ZERO
    best: Fraction = ZERO
    place: int = 0
    size: int = 2

    @property
    def played(self) -> bool:
        return self.kind == "played"


class Term(msgspec.Struct, frozen=True, omit_defaults=True):
    """One part of a number: whom or which round it comes from, and whether it counts.

    `of` is what could have been had, where the number is a share. `why` says what was done to
    it: `as-draw`, `dummy`, `capped`, `raised`, `cut`.
    """

    value: Fraction
    who: int = 0
    round: int = 0
    of: Fraction = ZERO
    counted: bool = True
    why: str = ""


class Value(msgspec.Struct, frozen=True, omit_defaults=True):
    """A number and how it came about; None when there is nothing to count, which ranks last.

    `how` the counted terms make it: their sum, their mean, or the share of what could be had.
    A share below `floor` was raised to it.
    """

    number: Fraction | None
    terms: tuple[Term, ...] = ()
    how: Literal["sum", "mean", "share"] = "sum"
    floor: Fraction = ZERO


def summed(terms: Iterable[Term]) -> Value:
    found = tuple(terms)
    return Value(sum((term.value for term in found if term.counted), ZERO), found)


def averaged(terms: Iterable[Term]) -> Value:
    found = tuple(terms)
    counted = [term.value for term in found if term.counted]
    return Value(sum(counted, ZERO) / len(counted) if counted else None, found, "mean")


def shared(terms: Iterable[Term], floor: Fraction = ZERO) -> Value:
    found = tuple(terms)
    possible = sum((term.of for term in found if term.counted), ZERO)
    if not possible:
        return Value(None, found, "share", floor)
    got = sum((term.value for term in found if term.counted), ZERO)
    return Value(max(floor, got / possible), found, "share", floor)


class Sheet:
    """What everybody did. `parts` by player, in the order of rounds; one for every round.

    `win` and `draw` are the points for them, `game_win` and `game_draw` those for a game.
    `rounds` is how many were played so far. `seed` draws the lots.
    """

    def __init__(
        self,
        parts: Mapping[int, Sequence[Part]],
        *,
        win: int | Fraction = 3,
        draw: int | Fraction = 1,
        game_win: int = 3,
        game_draw: int = 1,
        ratings: Mapping[int, int] | None = None,
        round_robin: bool = False,
        seed: int = 0,
    ) -> None:
        self.parts = {player: tuple(each) for player, each in parts.items()}
        self.win, self.draw = Fraction(win), Fraction(draw)
        self.game_win, self.game_draw = game_win, game_draw
        self.ratings = dict(ratings or {})
        self.round_robin = round_robin
        self.seed = seed
        self.rounds = max((part.round for each in self.parts.values() for part in each), default=0)
        self._known: dict[Any, Any] = {}

    def known(self, key: Any, work: Callable[[], Any]) -> Any:
        """Return what was worked out before under a key."""
        if key not in self._known:
            self._known[key] = work()
        return self._known[key]

    def points(self, player: int) -> Fraction:
        found: Fraction = self.known(
            ("points", player), lambda: sum((p.points for p in self.parts[player]), ZERO)
        )
        return found

    def met(self, player: int) -> list[Part]:
        """Return the rounds in which somebody really played."""
        return [part for part in self.parts[player] if part.played]

    def foes(self, player: int) -> list[tuple[int, int]]:
        """Return everybody really faced, once for each meeting, with the round."""
        return [(foe, part.round) for part in self.met(player) for foe in part.foes]

    def with_parts(self, parts: Mapping[int, Sequence[Part]]) -> "Sheet":
        return Sheet(
            parts,
            win=self.win,
            draw=self.draw,
            game_win=self.game_win,
            game_draw=self.game_draw,
            ratings=self.ratings,
            round_robin=self.round_robin,
            seed=self.seed,
        )


class Abstract(msgspec.StructMeta, ABCMeta):
    """Makes structs of which some can not be had until every method is there."""


class TieBreak(msgspec.Struct, metaclass=Abstract, frozen=True):
    """A way to tell apart who is equal. `low_wins`: less is better."""

    name: ClassVar[str] = ""
    clause: ClassVar[str] = ""
    low_wins: ClassVar[bool] = False

    @abstractmethod
    def of(self, sheet: Sheet, player: int, tied: Sequence[int]) -> Value:
        """Return the number of one player among those it is `tied` with."""


class OwnNumber(TieBreak, frozen=True):
    """A tie-break that is the same whoever is tied."""

    @abstractmethod
    def alone(self, sheet: Sheet, player: int) -> Value:
        """Return the number of one player; it is worked out once for each sheet."""

    def of(self, sheet: Sheet, player: int, tied: Sequence[int] = ()) -> Value:
        found: Value = sheet.known((self, player), lambda: self.alone(sheet, player))
        return found

    def number(self, sheet: Sheet, player: int) -> Fraction | None:
        return self.of(sheet, player).number

    def over_foes(self, sheet: Sheet, player: int) -> list[Term]:
        """Return the number of everybody really faced."""
        found = []
        for foe, number in sheet.foes(player):
            value = self.number(sheet, foe)
            if value is not None:
                found.append(Term(value, who=foe, round=number))
        return found


class Counted(OwnNumber, frozen=True):
    """How many rounds were so."""

    @abstractmethod
    def counts(self, sheet: Sheet, part: Part) -> bool:
        """Tell whether a round is one of them."""

    def alone(self, sheet: Sheet, player: int) -> Value:
        return summed(
            Term(Fraction(1), round=part.round, who=part.foes[0] if part.foes else 0)
            for part in sheet.parts[player]
            if self.counts(sheet, part)
        )


def cut(terms: Sequence[tuple[Part, Term, Fraction]], low: int, high: int) -> list[Term]:
    """Leave out the least and the greatest terms; each comes with what it is compared by.

    A round that was left unplayed by choice is cut before any other. Rule: C.07 14, 16.5.
    """
    out: set[int] = set()
    for _ in range(min(low, len(terms))):
        left = [i for i in range(len(terms)) if i not in out]
        by_choice = [i for i in left if terms[i][0].kind in VOLUNTARY]
        out.add(min(by_choice or left, key=lambda i: (terms[i][2], terms[i][1].value)))
    for _ in range(min(high, len(terms) - len(out))):
        left = [i for i in range(len(terms)) if i not in out]
        out.add(max(left, key=lambda i: (terms[i][2], terms[i][1].value)))
    return [
        msgspec.structs.replace(term, counted=False, why="cut") if i in out else term
        for i, (_, term, _) in enumerate(terms)
    ]
