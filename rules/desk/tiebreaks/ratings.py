"""Ratings of opponents, and the performance a score against them stands for.

Rule: C.07 10 · B.02 8.1.1 (FIDE, rating regulations).
"""

from fractions import Fraction

import msgspec

from rules.desk.tiebreaks.base import (
    HALF,
    ZERO,
    OwnNumber,
    Sheet,
    Term,
    Value,
    averaged,
    cut,
    summed,
)


class RatingAverage(OwnNumber, frozen=True):
    """The mean rating of everybody met over the board, the lowest left out by a cut."""

    name = "Average rating of opponents"
    clause = "C.07 10.1"
    low: int = 0

    def alone(self, sheet: Sheet, player: int) -> Value:
        parts = [(part, foe) for part in sheet.met(player) for foe in part.foes]
        ratings = [(p, Fraction(sheet.ratings.get(foe, 0)), foe) for p, foe in parts]
        terms = [(p, Term(r, who=foe, round=p.round), r) for p, r, foe in ratings]
        found = averaged(cut(terms, self.low, 0))
        rounded = None if found.number is None else _rounded(found.number)
        return msgspec.structs.replace(found, number=rounded)


class PerformanceRating(OwnNumber, frozen=True):
    """The average rating of opponents, and what the score against them adds."""

    name = "Tournament performance rating"
    clause = "C.07 10.2; B.02 8.1.1"

    def alone(self, sheet: Sheet, player: int) -> Value:
        average = RatingAverage().number(sheet, player)
        parts = sheet.met(player)
        if average is None:
            return Value(None)
        share = sum((part.result for part in parts), ZERO) / len(parts)
        return summed((Term(average, why="average"), Term(Fraction(expected(share)), why="score")))


class AveragePerformance(OwnNumber, frozen=True):
    """The mean performance rating of everybody met over the board."""

    name = "Average performance rating of opponents"
    clause = "C.07 10.3"

    def alone(self, sheet: Sheet, player: int) -> Value:
        found = averaged(PerformanceRating().over_foes(sheet, player))
        rounded = None if found.number is None else _rounded(found.number)
        return msgspec.structs.replace(found, number=rounded)


DIFFERENCES = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149,
    158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336,
    351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
)  # fmt: skip
"""The rating difference that each hundredth of a score above one half stands for."""


def expected(share: Fraction) -> int:
    """Return the rating difference that a share of the points stands for. Rule: B.02 8.1.1."""
    hundredths = int(_rounded(share * 100))
    return DIFFERENCES[hundredths - 50] if hundredths >= 50 else -DIFFERENCES[50 - hundredths]


def _rounded(number: Fraction) -> Fraction:
    """Return the nearest whole number, a half upwards."""
    return Fraction((number + HALF).__floor__())
