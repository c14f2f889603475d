"""Card games: match points and game points as shares of what could be had.

Rule: MTR C (Magic tournament rules, appendix C) and its descendants.
"""

from fractions import Fraction

import msgspec

from rules.desk.tiebreaks.base import THIRD, ZERO, OwnNumber, Sheet, Term, Value, averaged, shared


class MatchWin(OwnNumber, frozen=True):
    """Match points as a share of those that could be had, byes and all until a drop."""

    name = "Match-win percentage"
    clause = "MTR C"
    floor: Fraction = THIRD
    by_rounds: bool = False

    def alone(self, sheet: Sheet, player: int) -> Value:
        return shared(
            (
                Term(part.points, round=part.round, of=sheet.win)
                for part in sheet.parts[player]
                if self.by_rounds or part.kind != "absent"
            ),
            self.floor,
        )


class OpponentsMatchWin(OwnNumber, frozen=True):
    """The mean of the match-win percentages of everybody faced; byes face nobody."""

    name = "Opponents' match-win percentage"
    clause = "MTR C"
    floor: Fraction = THIRD

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(MatchWin(self.floor).over_foes(sheet, player))


class OpponentsOpponentsMatchWin(OwnNumber, frozen=True):
    """The mean of the opponents' match-win percentages of everybody faced."""

    name = "Opponents' opponents' match-win percentage"
    clause = "as used by several card games"
    floor: Fraction = THIRD

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(OpponentsMatchWin(self.floor).over_foes(sheet, player))


class GameWin(OwnNumber, frozen=True):
    """Game points as a share of those that could be had. The floor depends on the year."""

    name = "Game-win percentage"
    clause = "MTR C"
    floor: Fraction = ZERO

    def alone(self, sheet: Sheet, player: int) -> Value:
        terms = []
        for part in sheet.parts[player]:
            won, _, drawn = part.games
            points = won * sheet.game_win + drawn * sheet.game_draw
            possible = Fraction(sum(part.games) * sheet.game_win)
            terms.append(Term(Fraction(points), round=part.round, of=possible))
        return shared(terms, self.floor)


class OpponentsGameWin(OwnNumber, frozen=True):
    """The mean of the game-win percentages of everybody faced, each at least the floor."""

    name = "Opponents' game-win percentage"
    clause = "MTR C"
    floor: Fraction = THIRD

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(GameWin(self.floor).over_foes(sheet, player))


class Strength(OwnNumber, frozen=True):
    """Points a round really played, byes on neither side. Its mean over opponents is SoS."""

    name = "Points a match, without byes"
    clause = "Netrunner and FFG tournament rules"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(Term(part.points, round=part.round) for part in sheet.met(player))


class StrengthOfSchedule(OwnNumber, frozen=True):
    """The mean of the points a match of everybody faced."""

    name = "Strength of schedule"
    clause = "Netrunner and FFG tournament rules"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(Strength().over_foes(sheet, player))


class ExtendedStrengthOfSchedule(OwnNumber, frozen=True):
    """The mean of the strength of schedule of everybody faced."""

    name = "Extended strength of schedule"
    clause = "Netrunner and FFG tournament rules"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(StrengthOfSchedule().over_foes(sheet, player))


class PointsPerMatch(OwnNumber, frozen=True):
    """Points for each match counted, byes among them."""

    name = "Points per match"
    clause = "as said"

    def alone(self, sheet: Sheet, player: int) -> Value:
        counted = (part for part in sheet.parts[player] if part.kind != "absent")
        return averaged(Term(part.points, round=part.round) for part in counted)


class PointsPerGame(OwnNumber, frozen=True):
    """Points for each round really played; nothing before there were `least`."""

    name = "Points per game"
    clause = "as said"
    least: int = 1

    def alone(self, sheet: Sheet, player: int) -> Value:
        found = averaged(Term(part.points, round=part.round) for part in sheet.met(player))
        if len(found.terms) < self.least:
            return msgspec.structs.replace(found, number=None)
        return found
