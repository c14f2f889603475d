"""Card games: match points and game points as shares of the maximum.

Rule: MTR C (Magic tournament rules, appendix C) and its descendants.
"""

from collections.abc import Sequence
from fractions import Fraction

from rules.desk.tiebreaks.base import THIRD, ZERO, Ratio, ScaledPart, Sheet
from rules.desk.tiebreaks.kinds import OverFoes, OwnNumber, PerRound, Share


class MatchWin(Share, frozen=True):
    """Match points as a share of the maximum, including byes, until a drop.

    Who has left has at most `cap`, if there is one.
    """

    name = "Match-win percentage"
    clause = "MTR C"
    floor: Fraction = THIRD
    by_rounds: bool = False
    cap: Fraction = ZERO

    def unit(self, sheet: Sheet) -> int:
        return sheet.unit

    def rounds(self, sheet: Sheet, player: int) -> Sequence[ScaledPart]:
        return sheet.wholes[player] if self.by_rounds else sheet.present(player)

    def values(self, sheet: Sheet, parts: Sequence[ScaledPart]) -> list[int]:
        return [part.points for part in parts]

    def possible(self, sheet: Sheet, parts: Sequence[ScaledPart]) -> list[int]:
        return [sheet.win] * len(parts)

    def _ratio(self, sheet: Sheet, player: int) -> Ratio:
        got, possible = super()._ratio(sheet, player)
        cap = self.lowered_to(sheet, player)
        if got is not None and cap and got * cap.denominator > cap.numerator * possible:
            return cap.numerator, cap.denominator
        return got, possible

    def lowered_to(self, sheet: Sheet, player: int) -> Fraction:
        return self.cap if self.cap and sheet.has_left(player) else ZERO


class OpponentsMatchWin(OverFoes, frozen=True):
    """The mean of the match-win percentages of all opponents faced; byes have no opponent."""

    name = "Opponents' match-win percentage"
    clause = "MTR C"
    how = "mean"
    floor: Fraction = THIRD
    by_rounds: bool = False
    cap: Fraction = ZERO

    def theirs(self) -> OwnNumber:
        return MatchWin(self.floor, self.by_rounds, self.cap)


class OpponentsOpponentsMatchWin(OverFoes, frozen=True):
    """The mean of the opponents' match-win percentages of all opponents faced."""

    name = "Opponents' opponents' match-win percentage"
    clause = "as used by several card games"
    how = "mean"
    floor: Fraction = THIRD
    cap: Fraction = ZERO

    def theirs(self) -> OwnNumber:
        return OpponentsMatchWin(self.floor, cap=self.cap)


class GameWin(Share, frozen=True):
    """Game points as a share of the maximum. The floor depends on the year."""

    name = "Game-win percentage"
    clause = "MTR C"

    def values(self, sheet: Sheet, parts: Sequence[ScaledPart]) -> list[int]:
        win, draw = sheet.game_win, sheet.game_draw
        return [won * win + drawn * draw for won, _, drawn in [part.games for part in parts]]

    def possible(self, sheet: Sheet, parts: Sequence[ScaledPart]) -> list[int]:
        return [sum(part.games) * sheet.game_win for part in parts]


class OpponentsGameWin(OverFoes, frozen=True):
    """The mean of the game-win percentages of all opponents faced, each at least the floor."""

    name = "Opponents' game-win percentage"
    clause = "MTR C"
    how = "mean"
    floor: Fraction = THIRD

    def theirs(self) -> OwnNumber:
        return GameWin(self.floor)


class PointsOfRounds(PerRound, frozen=True):
    """The mean of the points of some rounds."""

    how = "mean"

    def unit(self, sheet: Sheet) -> int:
        return sheet.unit

    def values(self, sheet: Sheet, parts: Sequence[ScaledPart]) -> list[int]:
        return [part.points for part in parts]


class StrengthOfSchedule(OverFoes, frozen=True):
    """The mean of the points per game of all opponents faced, without their byes."""

    name = "Strength of schedule"
    clause = "Netrunner and FFG tournament rules"
    how = "mean"

    def theirs(self) -> OwnNumber:
        return PointsPerGame()


class ExtendedStrengthOfSchedule(OverFoes, frozen=True):
    """The mean of the strength of schedule of all opponents faced."""

    name = "Extended strength of schedule"
    clause = "Netrunner and FFG tournament rules"
    how = "mean"

    def theirs(self) -> OwnNumber:
        return StrengthOfSchedule()


class PointsPerMatch(PointsOfRounds, frozen=True):
    """Points per match counted, including byes."""

    name = "Points per match"
    clause = "as said"

    def rounds(self, sheet: Sheet, player: int) -> Sequence[ScaledPart]:
        return sheet.present(player)


class PointsPerGame(PointsOfRounds, frozen=True):
    """Points per round really played."""

    name = "Points per game"
    clause = "as said"

    def rounds(self, sheet: Sheet, player: int) -> Sequence[ScaledPart]:
        return sheet.met(player)
