"""Tables of three and more: places, who was beaten, and how fair the seats were."""

from math import lcm

from rules.desk.tiebreaks.base import Item, OwnNumber, Share, Sheet, Times, Whole


class Placed(Times, frozen=True):
    """How often somebody came in a place."""

    name = "Times in a place"
    clause = "as said"
    place: int = 1

    def counts(self, sheet: Sheet, part: Whole) -> bool:
        return part.played and part.place == self.place


class ShareBeaten(Share, frozen=True):
    """Opponents beaten as a share of those faced, ties half; the same at any size of table."""

    name = "Share of opponents beaten"
    clause = "as said"

    def unit(self, sheet: Sheet) -> int:
        return sheet.shares

    def items(self, sheet: Sheet, player: int) -> list[Item]:
        return [
            Item(part.result * len(part.foes), part.round, of=sheet.shares * len(part.foes))
            for part in sheet.met(player)
        ]


class NormalisedPlace(OwnNumber, frozen=True):
    """The mean of (k - place) / (k - 1) at tables of k."""

    name = "Normalised place"
    clause = "as said"
    how = "mean"

    def unit(self, sheet: Sheet) -> int:
        return lcm(*(size - 1 for size in sheet.sizes if size > 1))

    def items(self, sheet: Sheet, player: int) -> list[Item]:
        unit = self.unit(sheet)
        return [
            Item((part.size - part.place) * unit // (part.size - 1), part.round)
            for part in sheet.met(player)
            if part.size > 1 and part.place
        ]


class WinnersShare(OwnNumber, frozen=True):
    """The mean of the score as a share of the winner's."""

    name = "Share of the winner's score"
    clause = "as said"
    how = "mean"

    def unit(self, sheet: Sheet) -> int:
        return lcm(*sheet.bests)

    def items(self, sheet: Sheet, player: int) -> list[Item]:
        unit = self.unit(sheet)
        return [
            Item(part.score * unit // part.best, part.round)
            for part in sheet.met(player)
            if part.best > 0
        ]


class SeatBalance(OwnNumber, frozen=True):
    """How much oftener somebody had one seat than another. Less is better."""

    name = "Seat balance"
    clause = "as said"
    low_wins = True

    def items(self, sheet: Sheet, player: int) -> list[Item]:
        parts = [part for part in sheet.met(player) if part.seat]
        seats = [part.seat for part in parts]
        size = max((part.size for part in parts), default=0)
        had = [seats.count(seat) for seat in range(1, size + 1)]
        return [Item(max(had), why="most"), Item(-min(had), why="least")] if had else []


class SeatLean(OwnNumber, frozen=True):
    """How far to the back somebody sat, over tables of any size: the mean of (seat - 1/2) / k."""

    name = "Relative seat"
    clause = "as said"
    how = "mean"

    def unit(self, sheet: Sheet) -> int:
        return 2 * lcm(*sheet.sizes)

    def items(self, sheet: Sheet, player: int) -> list[Item]:
        unit = self.unit(sheet)
        return [
            Item((2 * part.seat - 1) * unit // (2 * part.size), part.round)
            for part in sheet.met(player)
            if part.seat
        ]
