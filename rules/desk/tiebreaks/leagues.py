"""Debates, wargames and brackets on the web: wins of opponents, scores, games."""

from fractions import Fraction

from rules.desk.tiebreaks.base import ZERO, OwnNumber, Sheet, Term, Value, averaged, cut, summed
from rules.desk.tiebreaks.chess import Wins, WinsPlayed


class DrawStrength(OwnNumber, frozen=True):
    """The sum of the wins of everybody faced."""

    name = "Draw strength"
    clause = "as debate leagues use it"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return summed(Wins().over_foes(sheet, player))


class WinsStrength(OwnNumber, frozen=True):
    """The mean share of rounds won of everybody faced."""

    name = "Wins strength of schedule"
    clause = "as wargame leagues use it"

    def alone(self, sheet: Sheet, player: int) -> Value:
        terms = []
        for foe, number in sheet.foes(player):
            played = len(sheet.met(foe))
            won = WinsPlayed().number(sheet, foe) or ZERO
            terms.append(Term(won / played, who=foe, round=number))
        return averaged(terms)


class BattlePoints(OwnNumber, frozen=True):
    """All that was scored at the tables."""

    name = "Battle points"
    clause = "as wargame leagues use it"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return summed(Term(part.score, round=part.round) for part in sheet.parts[player])


class GameDifference(OwnNumber, frozen=True):
    """Games won, less games lost."""

    name = "Game difference"
    clause = "as said"

    def alone(self, sheet: Sheet, player: int) -> Value:
        return summed(
            Term(Fraction(part.games[0] - part.games[1]), round=part.round)
            for part in sheet.parts[player]
        )


class MedianScore(OwnNumber, frozen=True):
    """The scores of everybody faced, without the best and the worst of them."""

    name = "Median of opponents' scores"
    clause = "as brackets on the web use it"

    def alone(self, sheet: Sheet, player: int) -> Value:
        terms = []
        for part in sheet.met(player):
            for foe in part.foes:
                score = sheet.points(foe)
                terms.append((part, Term(score, who=foe, round=part.round), score))
        return summed(cut(terms, 1, 1))
