"""Debates, wargames and brackets on the web: wins of opponents, scores, games."""

from rules.desk.tiebreaks.base import Item, OverFoes, OwnNumber, Sheet, cut
from rules.desk.tiebreaks.chess import Wins


class DrawStrength(OverFoes, frozen=True):
    """The sum of the wins of everybody faced."""

    name = "Draw strength"
    clause = "as debate leagues use it"

    def theirs(self) -> OwnNumber:
        return Wins()


class ShareWon(OwnNumber, frozen=True):
    """Games won over the board as a share of the rounds really played."""

    name = "Share of rounds won"
    clause = "as wargame leagues use it"
    how = "mean"

    def items(self, sheet: Sheet, player: int) -> list[Item]:
        return [Item(int(part.won), part.round) for part in sheet.met(player)]


class WinsStrength(OverFoes, frozen=True):
    """The mean share of rounds won of everybody faced."""

    name = "Wins strength of schedule"
    clause = "as wargame leagues use it"
    how = "mean"

    def theirs(self) -> OwnNumber:
        return ShareWon()


class BattlePoints(OwnNumber, frozen=True):
    """All that was scored at the tables."""

    name = "Battle points"
    clause = "as wargame leagues use it"

    def unit(self, sheet: Sheet) -> int:
        return sheet.unit

    def items(self, sheet: Sheet, player: int) -> list[Item]:
        return [Item(part.score, part.round) for part in sheet.wholes[player]]


class GameDifference(OwnNumber, frozen=True):
    """Games won, less games lost."""

    name = "Game difference"
    clause = "as said"

    def items(self, sheet: Sheet, player: int) -> list[Item]:
        return [Item(part.games[0] - part.games[1], part.round) for part in sheet.wholes[player]]


class MedianScore(OwnNumber, frozen=True):
    """The scores of everybody faced, without the best and the worst of them."""

    name = "Median of opponents' scores"
    clause = "as brackets on the web use it"

    def unit(self, sheet: Sheet) -> int:
        return sheet.unit

    def items(self, sheet: Sheet, player: int) -> list[Item]:
        parts = [part for part in sheet.met(player) for _ in part.foes]
        items = [Item(sheet.scores[foe], number, foe) for foe, number in sheet.foes[player]]
        return cut(items, parts, [item.value for item in items], 1, 1)
