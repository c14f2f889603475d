"""Debates, wargames and brackets on the web: wins of opponents, scores, games."""

from collections.abc import Sequence

from rules.desk.tiebreaks.base import ScaledPart, ScaledTerm, Sheet
from rules.desk.tiebreaks.chess import Wins
from rules.desk.tiebreaks.kinds import Cut, OverFoes, OwnNumber, PerRound


class DrawStrength(OverFoes, frozen=True):
    """The sum of the wins of all opponents faced."""

    name = "Draw strength"
    clause = "as debate leagues use it"

    def theirs(self) -> OwnNumber:
        return Wins()


class ShareWon(PerRound, frozen=True):
    """Games won over the board as a share of the rounds really played."""

    name = "Share of rounds won"
    clause = "as wargame leagues use it"
    how = "mean"

    def rounds(self, sheet: Sheet, player: int) -> Sequence[ScaledPart]:
        return sheet.met(player)

    def values(self, sheet: Sheet, parts: Sequence[ScaledPart]) -> list[int]:
        return [int(part.won) for part in parts]


class WinsStrength(OverFoes, frozen=True):
    """The mean share of rounds won of all opponents faced."""

    name = "Wins strength of schedule"
    clause = "as wargame leagues use it"
    how = "mean"

    def theirs(self) -> OwnNumber:
        return ShareWon()


class BattlePoints(PerRound, frozen=True):
    """The total of the scores at the tables."""

    name = "Battle points"
    clause = "as wargame leagues use it"

    def unit(self, sheet: Sheet) -> int:
        return sheet.unit

    def values(self, sheet: Sheet, parts: Sequence[ScaledPart]) -> list[int]:
        return [part.score for part in parts]


class GameDifference(PerRound, frozen=True):
    """Games won, less games lost."""

    name = "Game difference"
    clause = "as said"

    def values(self, sheet: Sheet, parts: Sequence[ScaledPart]) -> list[int]:
        return [won - lost for won, lost, _ in [part.games for part in parts]]


MIDDLE = Cut(1, 1)


class MedianScore(OwnNumber, frozen=True):
    """The sum of the scores of all opponents faced, without the highest and the lowest."""

    name = "Median of opponents' scores"
    clause = "as brackets on the web use it"

    def unit(self, sheet: Sheet) -> int:
        return sheet.unit

    def counted(self, sheet: Sheet, player: int) -> Sequence[int]:
        scores = [sheet.scores[foe] for foe in sheet.faced[player]]
        return MIDDLE.kept(sheet.meetings(player), scores, scores)

    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        items = [ScaledTerm(sheet.scores[foe], number, foe) for foe, number in sheet.foes[player]]
        return MIDDLE.marked(sheet.meetings(player), [item.value for item in items], items)
