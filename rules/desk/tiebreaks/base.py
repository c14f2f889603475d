"""The data all tie-breaks work on, and what they have in common.

A `Sheet` holds what everybody did, round by round. A tie-break computes a `Value` from it: an exact
fraction that opens into its terms.

Internally everything is counted in whole numbers: points and scores in units of the sheet,
everybody's numbers of one tie-break over one denominator. The terms are recomputed when they are
opened.
"""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from math import lcm
from typing import Any, ClassVar, Literal

import msgspec

HALF = Fraction(1, 2)
THIRD = Fraction(1, 3)
QUARTER = Fraction(1, 4)
ZERO = Fraction(0)

PartKind = Literal[
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

`bye`: given by the pairing; the next three were requested. `absent`: not in the tournament, before
a late entry or after a drop.
"""

ASKED_FOR: tuple[PartKind, ...] = ("half-bye", "zero-bye", "absent")
VOLUNTARY: tuple[PartKind, ...] = (*ASKED_FOR, "lost-by-forfeit")


class RoundPart(msgspec.Struct, frozen=True):
    """What one player did in one round.

    `points` were awarded for it. `result` is 1, 1/2 or 0; at a table of more than two, the share of
    the others that were beaten, ties half. `foes` are the opponents met, or the scheduled ones in a
    forfeit. `games` were won, lost and drawn. `seat` counts from 1. `score` and `best` are the own
    score at the table and its winner's. `place` among `size`.
    """

    round: int
    kind: PartKind = "played"
    points: Fraction = ZERO
    result: Fraction = ZERO
    foes: tuple[int, ...] = ()
    games: tuple[int, int, int] = (0, 0, 0)
    seat: int = 0
    score: Fraction = ZERO
    best: Fraction = ZERO
    place: int = 0
    size: int = 2


class ScaledPart(msgspec.Struct, frozen=True, gc=False):
    """A part in whole numbers: points and scores in units of its sheet, the result in shares.

    `won`: over the board; `by_choice`: left unplayed by choice.
    """

    round: int
    kind: PartKind
    points: int
    result: int
    foes: tuple[int, ...]
    games: tuple[int, int, int]
    seat: int
    score: int
    best: int
    place: int
    size: int
    played: bool
    won: bool
    by_choice: bool


class Term(msgspec.Struct, frozen=True, omit_defaults=True):
    """One term of a number: the player or round it comes from, and whether it counts.

    `of` is the maximum, where the number is a share. `why` says how it was modified: `as-draw`,
    `dummy`, `capped`, `raised`, `cut`.
    """

    value: Fraction
    who: int = 0
    round: int = 0
    of: Fraction = ZERO
    counted: bool = True
    why: str = ""


class ScaledTerm(msgspec.Struct, frozen=True, gc=False):
    """A term in whole numbers."""

    value: int
    round: int = 0
    who: int = 0
    of: int = 0
    counted: bool = True
    why: str = ""


How = Literal["sum", "mean", "share"]
"""How the counted terms make the number: their sum, their mean, or their share of the maximum."""


def opened(items: Iterable[ScaledTerm], unit: int) -> tuple[Term, ...]:
    """Return items, in whole numbers of 1 / `unit`, as terms."""
    return tuple(
        Term(Fraction(i.value, unit), i.who, i.round, Fraction(i.of, unit), i.counted, i.why)
        for i in items
    )


Ratio = tuple[int | None, int]
"""A number as numerator and denominator, not reduced; None over 1 if there is nothing to count."""


class Column:
    """Everybody's number of one tie-break, as whole numbers of 1 / `unit`; None for nothing."""

    def __init__(self, ratios: Mapping[int, Ratio]) -> None:
        self.unit = unit = lcm(*{below for _, below in ratios.values()})
        self.numbers = {
            player: None if above is None else above * (unit // below)
            for player, (above, below) in ratios.items()
        }
        self._exact: dict[int, Fraction] = {}

    def exact(self, player: int) -> Fraction | None:
        """Return a player's number as an exact fraction."""
        number = self.numbers[player]
        if number is None:
            return None
        if number not in self._exact:
            self._exact[number] = Fraction(number, self.unit)
        return self._exact[number]


class Sheet:
    """What everybody did. `parts` by player, in the order of rounds; one for every round.

    `win` and `draw` are the points for them, `game_win` and `game_draw` those for a game. `rounds`
    is how many were played so far. `seed` draws the lots.

    `wholes` are the parts in whole numbers: `unit` is one point, `shares` is one match won. `foes`
    are the opponents really met, each with the round, and `faced` the same without it.
    """

    def __init__(
        self,
        parts: Mapping[int, Sequence[RoundPart]],
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
        self.worth = Fraction(win), Fraction(draw)
        self.game_win, self.game_draw = game_win, game_draw
        self.ratings = dict(ratings or {})
        self.round_robin = round_robin
        self.seed = seed
        every = [part for each in self.parts.values() for part in each]
        self.rounds = max((part.round for part in every), default=0)
        numbers = (number for part in every for number in (part.points, part.score, part.best))
        self.unit = _unit((*self.worth, *numbers))
        self.shares = _unit((HALF, *(part.result for part in every)))
        self.sizes = {part.size for part in every}
        self.win, self.draw = (_whole(worth, self.unit) for worth in self.worth)
        self._take(
            {player: [self._counted(part) for part in each] for player, each in self.parts.items()}
        )

    def _take(self, wholes: Mapping[int, Sequence[ScaledPart]]) -> None:
        self.wholes = wholes
        self.scores = {
            player: sum([part.points for part in each]) for player, each in wholes.items()
        }
        self._met = {
            player: [part for part in each if part.played] for player, each in wholes.items()
        }
        self._present = {
            player: [part for part in each if part.kind != "absent"]
            for player, each in wholes.items()
        }
        self.foes = {
            player: [(foe, part.round) for part in each for foe in part.foes]
            for player, each in self._met.items()
        }
        self.faced = {player: [foe for foe, _ in each] for player, each in self.foes.items()}
        self.bests = {part.best for each in wholes.values() for part in each if part.best > 0}
        self._known: dict[Any, Any] = {}

    def _counted(self, part: RoundPart) -> ScaledPart:
        unit, result = self.unit, _whole(part.result, self.shares)
        played = part.kind == "played"
        return ScaledPart(
            part.round,
            part.kind,
            _whole(part.points, unit),
            result,
            part.foes,
            part.games,
            part.seat,
            _whole(part.score, unit),
            _whole(part.best, unit),
            part.place,
            part.size,
            played,
            played and result == self.shares,
            part.kind in VOLUNTARY,
        )

    def cached(self, key: Any, work: Callable[[], Any]) -> Any:
        """Return the cached result for a key, computing it if necessary."""
        if key not in self._known:
            self._known[key] = work()
        return self._known[key]

    def points(self, player: int) -> Fraction:
        return Fraction(self.scores[player], self.unit)

    def met(self, player: int) -> Sequence[ScaledPart]:
        """Return the rounds that a player really played."""
        return self._met[player]

    def meetings(self, player: int) -> Sequence[ScaledPart]:
        """Return the round of each meeting in `foes`."""
        return [part for part in self._met[player] for _ in part.foes]

    def has_left(self, player: int) -> bool:
        """Tell whether a player is no longer in the tournament."""
        parts = self.wholes[player]
        return bool(parts) and parts[-1].kind == "absent"

    def present(self, player: int) -> Sequence[ScaledPart]:
        """Return the rounds in which a player was present, played or not."""
        return self._present[player]

    def as_if(self, wholes: Mapping[int, Sequence[ScaledPart]]) -> "Sheet":
        """Return a copy of the sheet with other parts."""
        other = copy(self)
        other._take(wholes)
        return other

    def with_parts(self, parts: Mapping[int, Sequence[RoundPart]]) -> "Sheet":
        win, draw = self.worth
        return Sheet(
            parts,
            win=win,
            draw=draw,
            game_win=self.game_win,
            game_draw=self.game_draw,
            ratings=self.ratings,
            round_robin=self.round_robin,
            seed=self.seed,
        )


def _unit(numbers: Iterable[Fraction]) -> int:
    """Return the common denominator."""
    return lcm(*{number.as_integer_ratio()[1] for number in numbers})


def _whole(number: Fraction, unit: int) -> int:
    above, below = number.as_integer_ratio()
    return above * (unit // below)


class Abstract(msgspec.StructMeta, ABCMeta):
    """A metaclass for abstract structs."""


class TieBreak(msgspec.Struct, metaclass=Abstract, frozen=True, cache_hash=True):
    """A way to separate tied players. `low_wins`: less is better."""

    name: ClassVar[str] = ""
    clause: ClassVar[str] = ""
    how: ClassVar[How] = "sum"
    low_wins: ClassVar[bool] = False

    @abstractmethod
    def among(self, sheet: Sheet, tied: Sequence[int]) -> Column:
        """Return the numbers of at least the tied players."""

    @abstractmethod
    def terms(self, sheet: Sheet, player: int, tied: Sequence[int]) -> tuple[Term, ...]:
        """Return the terms of one player's number among those they are `tied` with."""

    def of(self, sheet: Sheet, player: int, tied: Sequence[int]) -> "Value":
        """Return one player's number among those they are `tied` with."""
        return Value(self.among(sheet, tied).exact(player), self, sheet, player, tied)

    def raised_to(self) -> Fraction:
        """Return the floor that a smaller number is raised to; 0 for none."""
        return ZERO

    def lowered_to(self, sheet: Sheet, player: int) -> Fraction:
        """Return the cap that a player's number is lowered to if it is larger; 0 for none."""
        return ZERO


class Value(msgspec.Struct, frozen=True, gc=False, eq=False):
    """A number and its derivation; None when there is nothing to count, which ranks last.

    Two values are equal if their derivations are, whatever else their sheets hold.
    """

    number: Fraction | None
    tiebreak: TieBreak
    sheet: Sheet
    player: int
    tied: Sequence[int]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and self._derivation() == other._derivation()

    def __hash__(self) -> int:
        return hash(self.number)

    def _derivation(self) -> tuple[object, ...]:
        return self.number, self.tiebreak, self.terms

    @property
    def how(self) -> How:
        return self.tiebreak.how

    @property
    def floor(self) -> Fraction:
        """The floor that a smaller share was raised to; 0 for none."""
        return self.tiebreak.raised_to()

    @property
    def cap(self) -> Fraction:
        """The cap that a larger share was lowered to; 0 for none."""
        return self.tiebreak.lowered_to(self.sheet, self.player)

    @property
    def terms(self) -> tuple[Term, ...]:
        return self.tiebreak.terms(self.sheet, self.player, self.tied)
