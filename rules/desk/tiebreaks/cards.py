"""Card games: match points and game points as shares of what could be had.

Rule: MTR C (Magic tournament rules, appendix C) and its descendants.
"""

from collections.abc import Sequence
from fractions import Fraction

from rules.desk.tiebreaks.base import THIRD, Item, OverFoes, OwnNumber, Ratio, Share, Sheet


class MatchWin(Share, frozen=True):
    """Match points as a share of those that could be had, byes and all until a drop."""

    name = "Match-win percentage"
    clause = "MTR C"
    floor: Fraction = THIRD
    by_rounds: bool = False

    def unit(self, sheet: Sheet) -> int:
        return sheet.unit

    def items(self, sheet: Sheet, player: int) -> list[Item]:
        return [
            Item(part.points, part.round, of=sheet.win)
            for part in sheet.wholes[player]
            if self.by_rounds or part.kind != "absent"
        ]


class OpponentsMatchWin(OverFoes, frozen=True):
    """The mean of the match-win percentages of everybody faced; byes face nobody."""

    name = "Opponents' match-win percentage"
    clause = "MTR C"
    how = "mean"
    floor: Fraction = THIRD

    def theirs(self) -> OwnNumber:
        return MatchWin(self.floor)


class OpponentsOpponentsMatchWin(OverFoes, frozen=True):
    """The mean of the opponents' match-win percentages of everybody faced."""

    name = "Opponents' opponents' match-win percentage"
    clause = "as used by several card games"
    how = "mean"
    floor: Fraction = THIRD

    def theirs(self) -> OwnNumber:
        return OpponentsMatchWin(self.floor)


class GameWin(Share, frozen=True):
    """Game points as a share of those that could be had. The floor depends on the year."""

    name = "Game-win percentage"
    clause = "MTR C"

    def items(self, sheet: Sheet, player: int) -> list[Item]:
        win, draw = sheet.game_win, sheet.game_draw
        items = []
        for part in sheet.wholes[player]:
            won, lost, drawn = part.games
            possible = (won + lost + drawn) * win
            items.append(Item(won * win + drawn * draw, part.round, of=possible))
        return items


class OpponentsGameWin(OverFoes, frozen=True):
    """The mean of the game-win percentages of everybody faced, each at least the floor."""

    name = "Opponents' game-win percentage"
    clause = "MTR C"
    how = "mean"
    floor: Fraction = THIRD

    def theirs(self) -> OwnNumber:
        return GameWin(self.floor)


class Strength(OwnNumber, frozen=True):
    """Points a round really played, byes on neither side. Its mean over opponents is SoS."""

    name = "Points a match, without byes"
    clause = "Netrunner and FFG tournament rules"
    how = "mean"

    def unit(self, sheet: Sheet) -> int:
        return sheet.unit

    def items(self, sheet: Sheet, player: int) -> list[Item]:
        return [Item(part.points, part.round) for part in sheet.met(player)]


class StrengthOfSchedule(OverFoes, frozen=True):
    """The mean of the points a match of everybody faced."""

    name = "Strength of schedule"
    clause = "Netrunner and FFG tournament rules"
    how = "mean"

    def theirs(self) -> OwnNumber:
        return Strength()


class ExtendedStrengthOfSchedule(OverFoes, frozen=True):
    """The mean of the strength of schedule of everybody faced."""

    name = "Extended strength of schedule"
    clause = "Netrunner and FFG tournament rules"
    how = "mean"

    def theirs(self) -> OwnNumber:
        return StrengthOfSchedule()


class PointsPerMatch(OwnNumber, frozen=True):
    """Points for each match counted, byes among them."""

    name = "Points per match"
    clause = "as said"
    how = "mean"

    def unit(self, sheet: Sheet) -> int:
        return sheet.unit

    def items(self, sheet: Sheet, player: int) -> list[Item]:
        counted = (part for part in sheet.wholes[player] if part.kind != "absent")
        return [Item(part.points, part.round) for part in counted]


class PointsPerGame(OwnNumber, frozen=True):
    """Points for each round really played; nothing before there were `least`."""

    name = "Points per game"
    clause = "as said"
    how = "mean"
    least: int = 1

    def unit(self, sheet: Sheet) -> int:
        return sheet.unit

    def items(self, sheet: Sheet, player: int) -> list[Item]:
        return [Item(part.points, part.round) for part in sheet.met(player)]

    def ratio(self, items: Sequence[Item], unit: int) -> Ratio:
        return super().ratio(items, unit) if len(items) >= self.least else (None, 1)
