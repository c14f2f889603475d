"""Tables of three and more: places, who was beaten, and how fair the seats were."""

from fractions import Fraction

from rules.desk.tiebreaks.base import (
    HALF,
    Counted,
    OwnNumber,
    Part,
    Sheet,
    Term,
    Value,
    averaged,
    shared,
    summed,
)


class Placed(Counted, frozen=True):
    """How often somebody came in a place."""

    name = "Times in a place"
    clause = "as said"
    place: int = 1

    def counts(self, sheet: Sheet, part: Part) -> bool:
        return part.played and part.place == self.place


class ShareBeaten(OwnNumber, frozen=True):
    """Opponents beaten as a share of those faced, ties half; the same at any size of table."""

    name = "Share of opponents beaten"
    clause = "as said"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return shared(
            Term(part.result * len(part.foes), round=part.round, of=Fraction(len(part.foes)))
            for part in sheet.met(player)
        )


class NormalisedPlace(OwnNumber, frozen=True):
    """The mean of (k - place) / (k - 1) at tables of k."""

    name = "Normalised place"
    clause = "as said"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(
            Term(Fraction(part.size - part.place, part.size - 1), round=part.round)
            for part in sheet.met(player)
            if part.size > 1 and part.place
        )


class WinnersShare(OwnNumber, frozen=True):
    """The mean of the score as a share of the winner's."""

    name = "Share of the winner's score"
    clause = "as said"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(
            Term(part.score / part.best, round=part.round)
            for part in sheet.met(player)
            if part.best > 0
        )


class SeatBalance(OwnNumber, frozen=True):
    """How much oftener somebody had one seat than another. Less is better."""

    name = "Seat balance"
    clause = "as said"
    low_wins = True

    def alone(self, sheet: Sheet, player: int) -> Value:
        parts = [part for part in sheet.met(player) if part.seat]
        size = max((part.size for part in parts), default=0)
        had = [sum(part.seat == seat for part in parts) for seat in range(1, size + 1)]
        if not had:
            return summed(())
        return summed(
            (Term(Fraction(max(had)), why="most"), Term(Fraction(-min(had)), why="least"))
        )


class SeatLean(OwnNumber, frozen=True):
    """How far to the back somebody sat, over tables of any size: the mean of (seat - 1/2) / k."""

    name = "Relative seat"
    clause = "as said"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(
            Term((part.seat - HALF) / part.size, round=part.round)
            for part in sheet.met(player)
            if part.seat
        )
