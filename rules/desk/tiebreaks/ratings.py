"""Ratings of opponents, and the performance rating of a score against them.

Rule: C.07 10 · B.02 8.1.1 (FIDE, rating regulations).
"""

from collections.abc import Sequence
from fractions import Fraction

from rules.desk.tiebreaks.base import HALF, Ratio, ScaledPart, ScaledTerm, Sheet
from rules.desk.tiebreaks.kinds import Cut, OverFoes, OwnNumber


class RatingAverage(OwnNumber, frozen=True):
    """The mean rating of all rated opponents met over the board, the lowest left out by a cut."""

    name = "Average rating of opponents"
    clause = "C.07 10.1"
    how = "mean"
    low: int = 0

    def counted(self, sheet: Sheet, player: int) -> Sequence[int]:
        known = sheet.ratings.get
        ratings = [rating for foe in sheet.faced[player] if (rating := known(foe))]
        if not self.low:
            return ratings
        return Cut(self.low, 0).kept(_meetings(sheet, player), ratings, ratings)

    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        rated = [(foe, at) for foe, at in sheet.foes[player] if foe in sheet.ratings]
        items = [ScaledTerm(sheet.ratings[foe], at, foe) for foe, at in rated]
        by = [item.value for item in items]
        return Cut(self.low, 0).marked(_meetings(sheet, player), by, items)

    def total(self, counted: Sequence[int], unit: int) -> Ratio:
        return _rounded(super().total(counted, unit))


def _meetings(sheet: Sheet, player: int) -> list[ScaledPart]:
    """Return the round of each meeting with a rated opponent."""
    return [part for part in sheet.met(player) for foe in part.foes if foe in sheet.ratings]


class PerformanceRating(OwnNumber, frozen=True):
    """The average rating of opponents, plus what the score against them adds."""

    name = "Tournament performance rating"
    clause = "C.07 10.2; B.02 8.1.1"

    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        average = RatingAverage().column(sheet).numbers[player]
        if average is None:
            return []
        parts, known = sheet.met(player), sheet.ratings.get
        if not all(map(known, sheet.faced[player])):
            parts = [part for part in parts if any(map(known, part.foes))]
        share = Fraction(sum(part.result for part in parts), len(parts) * sheet.shares)
        return [ScaledTerm(average, why="average"), ScaledTerm(expected(share), why="score")]

    def total(self, counted: Sequence[int], unit: int) -> Ratio:
        return super().total(counted, unit) if counted else (None, 1)


class AveragePerformance(OverFoes, frozen=True):
    """The mean performance rating of all opponents met over the board."""

    name = "Average performance rating of opponents"
    clause = "C.07 10.3"
    how = "mean"

    def theirs(self) -> OwnNumber:
        return PerformanceRating()

    def total(self, counted: Sequence[int], unit: int) -> Ratio:
        return _rounded(super().total(counted, unit))


DIFFERENCES = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149,
    158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336,
    351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
)  # fmt: skip
"""The rating difference for each hundredth of a score above one half."""


def expected(share: Fraction) -> int:
    """Return the rating difference that corresponds to a share of the points. Rule: B.02 8.1.1."""
    hundredths = (share * 100 + HALF).__floor__()
    return DIFFERENCES[hundredths - 50] if hundredths >= 50 else -DIFFERENCES[50 - hundredths]


def _rounded(ratio: Ratio) -> Ratio:
    """Return the nearest whole number, a half rounded up."""
    above, below = ratio
    return (None, 1) if above is None else ((2 * above + below) // (2 * below), 1)
