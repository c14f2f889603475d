"""Tables of three and more: places, opponents beaten, and seat fairness."""

from collections.abc import Sequence
from math import lcm

from rules.desk.tiebreaks.base import ScaledPart, ScaledTerm, Sheet
from rules.desk.tiebreaks.kinds import OwnNumber, PerRound, Share, Times


class Placed(Times, frozen=True):
    """How often a player came in a given place."""

    name = "Times in a place"
    clause = "as said"
    place: int = 1

    def counts(self, sheet: Sheet, part: ScaledPart) -> bool:
        return part.played and part.place == self.place


class ShareBeaten(Share, frozen=True):
    """Opponents beaten as a share of those faced, ties half; independent of table size."""

    name = "Share of opponents beaten"
    clause = "as said"

    def unit(self, sheet: Sheet) -> int:
        return sheet.shares

    def rounds(self, sheet: Sheet, player: int) -> Sequence[ScaledPart]:
        return sheet.met(player)

    def values(self, sheet: Sheet, parts: Sequence[ScaledPart]) -> list[int]:
        return [part.result * len(part.foes) for part in parts]

    def possible(self, sheet: Sheet, parts: Sequence[ScaledPart]) -> list[int]:
        return [sheet.shares * len(part.foes) for part in parts]


class NormalisedPlace(PerRound, frozen=True):
    """The mean of (k - place) / (k - 1) at tables of k."""

    name = "Normalised place"
    clause = "as said"
    how = "mean"

    def unit(self, sheet: Sheet) -> int:
        return lcm(*(size - 1 for size in sheet.sizes if size > 1))

    def rounds(self, sheet: Sheet, player: int) -> Sequence[ScaledPart]:
        return [part for part in sheet.met(player) if part.size > 1 and part.place]

    def values(self, sheet: Sheet, parts: Sequence[ScaledPart]) -> list[int]:
        unit = self.unit(sheet)
        return [(part.size - part.place) * unit // (part.size - 1) for part in parts]


class WinnersShare(PerRound, frozen=True):
    """The mean of the score as a share of the winner's."""

    name = "Share of the winner's score"
    clause = "as said"
    how = "mean"

    def unit(self, sheet: Sheet) -> int:
        return lcm(*sheet.bests)

    def rounds(self, sheet: Sheet, player: int) -> Sequence[ScaledPart]:
        return [part for part in sheet.met(player) if part.best > 0]

    def values(self, sheet: Sheet, parts: Sequence[ScaledPart]) -> list[int]:
        unit = self.unit(sheet)
        return [part.score * unit // part.best for part in parts]


class SeatBalance(OwnNumber, frozen=True):
    """How much more often a player had one seat than another. Less is better."""

    name = "Seat balance"
    clause = "as said"
    low_wins = True

    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        parts = [part for part in sheet.met(player) if part.seat]
        seats = [part.seat for part in parts]
        size = max((part.size for part in parts), default=0)
        had = [seats.count(seat) for seat in range(1, size + 1)]
        return [ScaledTerm(max(had), why="most"), ScaledTerm(-min(had), why="least")] if had else []


class SeatLean(PerRound, frozen=True):
    """How far to the back a player sat, over tables of any size: the mean of (seat - 1/2) / k."""

    name = "Relative seat"
    clause = "as said"
    how = "mean"

    def unit(self, sheet: Sheet) -> int:
        return 2 * lcm(*sheet.sizes)

    def rounds(self, sheet: Sheet, player: int) -> Sequence[ScaledPart]:
        return [part for part in sheet.met(player) if part.seat]

    def values(self, sheet: Sheet, parts: Sequence[ScaledPart]) -> list[int]:
        unit = self.unit(sheet)
        return [(2 * part.seat - 1) * unit // (2 * part.size) for part in parts]
