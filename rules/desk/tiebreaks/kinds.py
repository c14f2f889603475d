"""Base classes of tie-breaks whose numbers do not depend on who is tied."""

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction

import msgspec

from rules.desk.tiebreaks.base import (
    ZERO,
    Column,
    Ratio,
    ScaledPart,
    ScaledTerm,
    Sheet,
    Term,
    TieBreak,
    opened,
)


class OwnNumber(TieBreak, frozen=True):
    """A tie-break whose numbers do not depend on who is tied."""

    @abstractmethod
    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        """Return the items of one player's number, in whole numbers of 1 / `unit`."""

    def unit(self, sheet: Sheet) -> int:
        return 1

    def column(self, sheet: Sheet) -> Column:
        """Return everybody's number, computed once per sheet."""
        found: Column = sheet.cached(self, lambda: self._column(sheet))
        return found

    def _column(self, sheet: Sheet) -> Column:
        unit = self.unit(sheet)
        return Column(
            {player: self.total(self.counted(sheet, player), unit) for player in sheet.parts}
        )

    def counted(self, sheet: Sheet, player: int) -> Sequence[int]:
        """Return one player's counted values: those of `items`, which take longer to make."""
        return [item.value for item in self.items(sheet, player) if item.counted]

    def total(self, counted: Sequence[int], unit: int) -> Ratio:
        """Return the number made of the counted values."""
        if self.how == "sum":
            return sum(counted), unit
        return (sum(counted), unit * len(counted)) if counted else (None, 1)

    def among(self, sheet: Sheet, tied: Sequence[int]) -> Column:
        return self.column(sheet)

    def terms(self, sheet: Sheet, player: int, tied: Sequence[int] = ()) -> tuple[Term, ...]:
        return opened(self.items(sheet, player), self.unit(sheet))

    def number(self, sheet: Sheet, player: int) -> Fraction | None:
        return self.column(sheet).exact(player)


class PerRound(OwnNumber, frozen=True):
    """A value for each round, or for some of them."""

    def rounds(self, sheet: Sheet, player: int) -> Sequence[ScaledPart]:
        """Return the rounds of one player that have a value."""
        return sheet.wholes[player]

    @abstractmethod
    def values(self, sheet: Sheet, parts: Sequence[ScaledPart]) -> list[int]:
        """Return the value of each of these rounds, in whole numbers of 1 / `unit`."""

    def counted(self, sheet: Sheet, player: int) -> Sequence[int]:
        return self.values(sheet, self.rounds(sheet, player))

    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        parts = self.rounds(sheet, player)
        values = self.values(sheet, parts)
        return [ScaledTerm(value, part.round) for value, part in zip(values, parts, strict=True)]


class Share(PerRound, frozen=True):
    """A share of the maximum, raised to `floor`."""

    how = "share"
    floor: Fraction = ZERO

    @abstractmethod
    def possible(self, sheet: Sheet, parts: Sequence[ScaledPart]) -> list[int]:
        """Return the maximum of each of these rounds."""

    def _column(self, sheet: Sheet) -> Column:
        return Column({player: self._ratio(sheet, player) for player in sheet.parts})

    def _ratio(self, sheet: Sheet, player: int) -> Ratio:
        parts = self.rounds(sheet, player)
        got, possible = sum(self.values(sheet, parts)), sum(self.possible(sheet, parts))
        if not possible:
            return None, 1
        floor = self.floor
        if got * floor.denominator < floor.numerator * possible:
            return floor.numerator, floor.denominator
        return got, possible

    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        possible = self.possible(sheet, self.rounds(sheet, player))
        return [
            msgspec.structs.replace(item, of=of)
            for item, of in zip(super().items(sheet, player), possible, strict=True)
        ]

    def raised_to(self) -> Fraction:
        return self.floor


class OverFoes(OwnNumber, frozen=True):
    """The numbers of all opponents really faced, once for each meeting."""

    @abstractmethod
    def theirs(self) -> OwnNumber:
        """Return the tie-break of the opponents' numbers."""

    def unit(self, sheet: Sheet) -> int:
        return self.theirs().column(sheet).unit

    def _column(self, sheet: Sheet) -> Column:
        """Return everybody's number without making the `items`, which take longer."""
        theirs = self.theirs().column(sheet)
        numbers, unit = theirs.numbers, theirs.unit
        return Column(
            {
                player: self.total(
                    [number for foe in foes if (number := numbers[foe]) is not None], unit
                )
                for player, foes in sheet.faced.items()
            }
        )

    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        numbers = self.theirs().column(sheet).numbers
        return [
            ScaledTerm(theirs, number, foe)
            for foe, number in sheet.foes[player]
            if (theirs := numbers[foe]) is not None
        ]


class Times(OwnNumber, frozen=True):
    """How many rounds meet a condition."""

    @abstractmethod
    def counts(self, sheet: Sheet, part: ScaledPart) -> bool:
        """Tell whether a round meets the condition."""

    def counted(self, sheet: Sheet, player: int) -> Sequence[int]:
        counts = self.counts
        return [counts(sheet, part) for part in sheet.wholes[player]]

    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        return [
            ScaledTerm(1, part.round, part.foes[0] if part.foes else 0)
            for part in sheet.wholes[player]
            if self.counts(sheet, part)
        ]


class Cut(msgspec.Struct, frozen=True, gc=False):
    """The values left out of a sum: the `low` lowest and the `high` highest.

    They are compared `by` numbers first, then by value. The lowest value of a round that was left
    unplayed by choice is left out before any other, unless it is less than that of the lowest.
    Rule: C.07 14, 16.5.
    """

    low: int
    high: int

    def out(
        self, parts: Sequence[ScaledPart], by: Sequence[int], values: Sequence[int]
    ) -> list[int]:
        """Return the positions of the values left out."""
        if not self.low and not self.high:
            return []
        keys = [*zip(by, values, strict=True)]
        rest, out = sorted(range(len(values)), key=keys.__getitem__), list[int]()
        for _ in range(min(self.low, len(rest))):
            least, by_choice = rest[0], [place for place in rest if parts[place].by_choice]
            first = min(by_choice, key=values.__getitem__, default=least)
            out.append(first if values[first] >= values[least] else least)
            rest.remove(out[-1])
        if self.high:
            out += sorted(sorted(rest), key=keys.__getitem__, reverse=True)[: self.high]
        return out

    def kept(
        self, parts: Sequence[ScaledPart], by: Sequence[int], values: Sequence[int]
    ) -> list[int]:
        """Return the values that count."""
        left = [*values]
        for place in sorted(self.out(parts, by, values), reverse=True):
            del left[place]
        return left

    def marked(
        self, parts: Sequence[ScaledPart], by: Sequence[int], items: Sequence[ScaledTerm]
    ) -> list[ScaledTerm]:
        """Return the items, with those left out marked."""
        left = [*items]
        for place in self.out(parts, by, [item.value for item in items]):
            left[place] = msgspec.structs.replace(items[place], counted=False, why="cut")
        return left
