"""Chess: sums of opponents' scores, and what an unplayed round brings to them.

Rule: C.07 (FIDE, tie-break regulations; an `edition` of 2024 is the text of 1 August 2024, else
that of 1 March 2026).
"""

from fractions import Fraction

import msgspec

from rules.desk.tiebreaks.base import (
    HALF,
    VOLUNTARY,
    ZERO,
    Counted,
    OwnNumber,
    Part,
    Sheet,
    Term,
    Value,
    averaged,
    cut,
    summed,
)


def category(sheet: Sheet, player: int, part: Part) -> int:
    """Return the category of an unplayed round, 0 for one that counts as played.

    1 a bye of the pairing or a full-point bye; 2 a win by forfeit; 3 a bye asked for, with a
    later round that is no voluntary absence; 4 a loss by forfeit; 5 a bye asked for with
    nothing after it but such absences, or in the last round.

    Rule: C.07 16.2.
    """
    match part.kind:
        case "played":
            return 0
        case "bye" | "full-bye":
            return 1
        case "won-by-forfeit":
            return 0 if sheet.round_robin else 2
        case "lost-by-forfeit":
            return 0 if sheet.round_robin else 4
    later = [each for each in sheet.parts[player] if each.round > part.round]
    return 3 if any(each.kind not in VOLUNTARY for each in later) else 5


class AdjustedScore(OwnNumber, frozen=True):
    """The score somebody counts with in the sums of others. Rule: C.07 16.3."""

    name = "Adjusted score"
    clause = "C.07 16.3"

    def alone(self, sheet: Sheet, player: int) -> Value:
        terms = []
        for part in sheet.parts[player]:
            if category(sheet, player, part) == 5 and not sheet.round_robin:
                terms.append(Term(sheet.draw, round=part.round, why="as-draw"))
            else:
                terms.append(Term(part.points, round=part.round))
        return summed(terms)


class _Contribution(msgspec.Struct, frozen=True):
    """What a round brings to a sum over opponents."""

    part: Part
    foe: int
    score: Fraction
    why: str = ""

    @property
    def term(self) -> Term:
        return Term(self.score, who=self.foe, round=self.part.round, why=self.why)


def _contributions(sheet: Sheet, player: int, edition: int) -> list[_Contribution]:
    """Return the score each opponent brings, an unplayed round by a dummy.

    The dummy has the player's own score; since 2026 no more than the scheduled opponent's
    adjusted one in a forfeit, and no more than a draw a round otherwise.

    Rule: C.07 16.4.
    """
    adjusted = AdjustedScore()
    found = []
    for part in sheet.parts[player]:
        if not category(sheet, player, part):
            found += [_Contribution(part, f, adjusted.number(sheet, f) or ZERO) for f in part.foes]
            continue
        own, cap = sheet.points(player), None
        if edition >= 2026:
            cap = sheet.draw * sheet.rounds
            if part.foes:
                cap = adjusted.number(sheet, part.foes[0])
        why = "dummy" if cap is None or own <= cap else "capped"
        score = own if cap is None else min(own, cap)
        found.append(_Contribution(part, 0, score, why))
    return found


class Buchholz(OwnNumber, frozen=True):
    """The sum of the opponents' scores, the `low` least and `high` greatest left out."""

    name = "Buchholz"
    clause = "C.07 8.1, 14, 16"
    low: int = 0
    high: int = 0
    edition: int = 2026

    def alone(self, sheet: Sheet, player: int) -> Value:
        found = _contributions(sheet, player, self.edition)
        return summed(cut([(c.part, c.term, c.score) for c in found], self.low, self.high))


class AverageBuchholz(OwnNumber, frozen=True):
    """The mean of the Buchholz of everybody met over the board."""

    name = "Average of opponents' Buchholz"
    clause = "C.07 8.2"
    edition: int = 2026

    def alone(self, sheet: Sheet, player: int) -> Value:
        return averaged(Buchholz(edition=self.edition).over_foes(sheet, player))


class ForeBuchholz(OwnNumber, frozen=True):
    """Buchholz as if every game paired in the last round were drawn."""

    name = "Fore Buchholz"
    clause = "C.07 8.3"
    edition: int = 2026

    def alone(self, sheet: Sheet, player: int) -> Value:
        before: Sheet = sheet.known("fore", lambda: self._drawn(sheet))
        return Buchholz(edition=self.edition).of(before, player, (player,))

    @staticmethod
    def _drawn(sheet: Sheet) -> Sheet:
        replace = msgspec.structs.replace
        return sheet.with_parts(
            {
                player: [
                    replace(part, kind="played", points=sheet.draw, result=HALF)
                    if part.round == sheet.rounds and part.foes
                    else part
                    for part in parts
                ]
                for player, parts in sheet.parts.items()
            }
        )


class SonnebornBerger(OwnNumber, frozen=True):
    """The opponents' scores, whole for those beaten and half for draws.

    A cut leaves out the lowest-scoring opponent, of several the one that brought least.
    """

    name = "Sonneborn-Berger"
    clause = "C.07 9.1, 14, 16"
    low: int = 0
    edition: int = 2026

    def alone(self, sheet: Sheet, player: int) -> Value:
        terms = []
        for each in _contributions(sheet, player, self.edition):
            raw = sheet.round_robin and each.foe
            score = sheet.points(each.foe) if raw else each.score
            term = msgspec.structs.replace(each.term, value=score * each.part.result)
            terms.append((each.part, term, score))
        return summed(cut(terms, self.low, 0))


class Progressive(OwnNumber, frozen=True):
    """The sum of the scores after each round; a cut leaves out the first rounds."""

    name = "Progressive score"
    clause = "C.07 7.5"
    low: int = 0

    def alone(self, sheet: Sheet, player: int) -> Value:
        terms, running = [], ZERO
        for number, part in enumerate(sheet.parts[player]):
            running += part.points
            cut = number < self.low
            terms.append(Term(running, round=part.round, counted=not cut, why="cut" if cut else ""))
        return summed(terms)


class Wins(Counted, frozen=True):
    """Rounds with the points of a win, forfeits and the pairing's byes among them."""

    name = "Number of wins"
    clause = "C.07 7.1"

    def counts(self, sheet: Sheet, part: Part) -> bool:
        won = part.kind in ("bye", "won-by-forfeit") or (part.played and part.result == 1)
        return won and part.points >= sheet.win


class WinsPlayed(Counted, frozen=True):
    """Games won over the board."""

    name = "Games won over the board"
    clause = "C.07 7.2"

    def counts(self, sheet: Sheet, part: Part) -> bool:
        return part.played and part.result == 1


class BlackGames(Counted, frozen=True):
    """Games played with black, the second seat."""

    name = "Games with black"
    clause = "C.07 7.3"

    def counts(self, sheet: Sheet, part: Part) -> bool:
        return part.played and part.seat == 2


class BlackWins(Counted, frozen=True):
    """Games won with black, the second seat."""

    name = "Wins with black"
    clause = "C.07 7.4"

    def counts(self, sheet: Sheet, part: Part) -> bool:
        return part.played and part.seat == 2 and part.result == 1


class Koya(OwnNumber, frozen=True):
    """Points against those who have at least half of the points there were."""

    name = "Koya"
    clause = "C.07 9.2"

    def alone(self, sheet: Sheet, player: int) -> Value:
        half = sheet.win * sheet.rounds / 2
        terms = []
        for part in sheet.parts[player]:
            if category(sheet, player, part):
                continue
            for foe in part.foes:
                strong = sheet.points(foe) >= half
                terms.append(Term(part.points, who=foe, round=part.round, counted=strong))
        return summed(terms)
