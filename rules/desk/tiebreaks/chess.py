"""Chess: sums of opponents' scores, and what an unplayed round contributes to them.

Rule: C.07 (FIDE, tie-break regulations; an `edition` of 2024 is the text of 1 August 2024, else
that of 1 March 2026).
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec

from rules.desk.tiebreaks.base import VOLUNTARY, PartKind, ScaledPart, ScaledTerm, Sheet
from rules.desk.tiebreaks.kinds import Cut, OverFoes, OwnNumber, Times

GIVEN: tuple[PartKind, ...] = ("bye", "full-bye", "won-by-forfeit")


def category(sheet: Sheet, player: int, part: ScaledPart) -> int:
    """Return the category of an unplayed round, 0 for one that counts as played.

    1 a bye of the pairing or a full-point bye; 2 a win by forfeit; 3 a requested bye followed by a
    round that is not a voluntary absence; 4 a loss by forfeit; 5 a requested bye with only such
    absences after it, or in the last round.

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
    later = [each for each in sheet.wholes[player] if each.round > part.round]
    return 3 if any(each.kind not in VOLUNTARY for each in later) else 5


class AdjustedScore(OwnNumber, frozen=True):
    """The score a player counts with in the sums of others. Rule: C.07 16.3."""

    name = "Adjusted score"
    clause = "C.07 16.3"

    def unit(self, sheet: Sheet) -> int:
        return sheet.unit

    def counted(self, sheet: Sheet, player: int) -> Sequence[int]:
        return [
            sheet.draw if _is_as_drawn(sheet, player, part) else part.points
            for part in sheet.wholes[player]
        ]

    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        return [
            ScaledTerm(sheet.draw, part.round, why="as-draw")
            if _is_as_drawn(sheet, player, part)
            else ScaledTerm(part.points, part.round)
            for part in sheet.wholes[player]
        ]


def _is_as_drawn(sheet: Sheet, player: int, part: ScaledPart) -> bool:
    return not part.played and not sheet.round_robin and category(sheet, player, part) == 5


class Brought(NamedTuple):
    """Rounds, each with the score an opponent contributes, in units of the sheet, who and why."""

    parts: Sequence[ScaledPart]
    scores: Sequence[int]
    foes: Sequence[int]
    whys: Sequence[str]

    def items(self, values: Sequence[int]) -> list[ScaledTerm]:
        """Return the items with the points taken from each opponent."""
        return [
            ScaledTerm(value, part.round, foe, why=why)
            for value, part, foe, why in zip(values, self.parts, self.foes, self.whys, strict=True)
        ]


def _brought(sheet: Sheet, player: int, edition: int) -> Brought:
    """Return the score each opponent contributes, computed once for all sums over them."""
    found: dict[int, Brought] = sheet.cached(("brought", edition), lambda: _all(sheet, edition))
    return found[player]


def _all(sheet: Sheet, edition: int) -> dict[int, Brought]:
    scores = AdjustedScore().column(sheet)
    # Its unit is the sheet's, as it is a sum of points.
    adjusted = {player: score or 0 for player, score in scores.numbers.items()}
    return {player: _of_one(sheet, player, edition, adjusted) for player in sheet.parts}


def _of_one(sheet: Sheet, player: int, edition: int, adjusted: dict[int, int]) -> Brought:
    """Return each round with the score that an opponent contributes; a dummy for an unplayed one.

    The dummy has the player's own score; since 2026 at most the scheduled opponent's adjusted one
    in a forfeit, and at most a draw per round otherwise.

    Rule: C.07 16.4.
    """
    found: list[tuple[ScaledPart, int, int, str]] = []
    for part in sheet.wholes[player]:
        if part.played or not category(sheet, player, part):
            found += [(part, adjusted[foe], foe, "") for foe in part.foes]
            continue
        score, why = sheet.scores[player], "dummy"
        if edition >= 2026:
            cap = adjusted[part.foes[0]] if part.foes else sheet.draw * sheet.rounds
            if cap < score:
                score, why = cap, "capped"
        found.append((part, score, 0, why))
    return Brought(*zip(*found, strict=True)) if found else Brought((), (), (), ())


class Buchholz(OwnNumber, frozen=True):
    """The sum of the opponents' scores, without the `low` lowest and `high` highest."""

    name = "Buchholz"
    clause = "C.07 8.1, 14, 16"
    low: int = 0
    high: int = 0
    edition: int = 2026

    def unit(self, sheet: Sheet) -> int:
        return sheet.unit

    def cut(self, sheet: Sheet, player: int) -> Cut:
        return Cut(self.low, self.high)

    def counted(self, sheet: Sheet, player: int) -> Sequence[int]:
        brought = _brought(sheet, player, self.edition)
        return self.cut(sheet, player).kept(brought.parts, brought.scores, brought.scores)

    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        brought = _brought(sheet, player, self.edition)
        items = brought.items(brought.scores)
        return self.cut(sheet, player).marked(brought.parts, brought.scores, items)


class ModifiedMedian(Buchholz, frozen=True):
    """The sum of the opponents' scores without the lowest, the highest, or both.

    With more than half of the possible points it is the lowest, with less the highest.
    """

    name = "Modified median"
    clause = "as chess in the United States uses it; C.07 16"

    def cut(self, sheet: Sheet, player: int) -> Cut:
        score, half = 2 * sheet.scores[player], sheet.win * sheet.rounds
        return Cut(int(score >= half), int(score <= half))


class AverageBuchholz(OverFoes, frozen=True):
    """The mean of the Buchholz of all opponents met over the board."""

    name = "Average of opponents' Buchholz"
    clause = "C.07 8.2"
    how = "mean"
    edition: int = 2026

    def theirs(self) -> OwnNumber:
        return Buchholz(edition=self.edition)


class ForeBuchholz(OwnNumber, frozen=True):
    """Buchholz as if every game paired in the last round were drawn."""

    name = "Fore Buchholz"
    clause = "C.07 8.3"
    edition: int = 2026

    def unit(self, sheet: Sheet) -> int:
        return self._before(sheet).unit

    def counted(self, sheet: Sheet, player: int) -> Sequence[int]:
        return Buchholz(edition=self.edition).counted(self._before(sheet), player)

    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        return Buchholz(edition=self.edition).items(self._before(sheet), player)

    @staticmethod
    def _before(sheet: Sheet) -> Sheet:
        before: Sheet = sheet.cached("fore", lambda: _drawn(sheet))
        return before


def _drawn(sheet: Sheet) -> Sheet:
    """Return a sheet on which the games of the last round are drawn."""
    drawn: dict[str, Any] = {"points": sheet.draw, "result": sheet.shares // 2, "kind": "played"}
    drawn |= {"played": True, "won": False, "by_choice": False}
    last = sheet.rounds
    return sheet.as_if(
        {
            player: [
                msgspec.structs.replace(part, **drawn) if part.round == last and part.foes else part
                for part in parts
            ]
            for player, parts in sheet.wholes.items()
        }
    )


class SonnebornBerger(OwnNumber, frozen=True):
    """The opponents' scores, in full for those beaten and half for draws.

    A cut leaves out the lowest-scoring opponent; if there are several, the one that contributed
    least; or what a voluntarily unplayed round contributed, if that is no less.
    """

    name = "Sonneborn-Berger"
    clause = "C.07 9.1, 14, 16"
    low: int = 0
    edition: int = 2026

    def unit(self, sheet: Sheet) -> int:
        return sheet.unit * sheet.shares

    def counted(self, sheet: Sheet, player: int) -> Sequence[int]:
        brought = self._brought(sheet, player)
        return Cut(self.low, 0).kept(brought.parts, brought.scores, _taken(brought))

    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        brought = self._brought(sheet, player)
        items = brought.items(_taken(brought))
        return Cut(self.low, 0).marked(brought.parts, brought.scores, items)

    def _brought(self, sheet: Sheet, player: int) -> Brought:
        """Return the score that each opponent counts with; in a round robin the unadjusted one."""
        brought = _brought(sheet, player, self.edition)
        if not sheet.round_robin:
            return brought
        of = zip(brought.foes, brought.scores, strict=True)
        return brought._replace(scores=[sheet.scores[foe] if foe else s for foe, s in of])


def _taken(brought: Brought) -> list[int]:
    """Return the points taken from the score of each opponent."""
    of = zip(brought.scores, brought.parts, strict=True)
    return [score * part.result for score, part in of]


class Progressive(OwnNumber, frozen=True):
    """The sum of the scores after each round, played or not; a cut leaves out the first ones."""

    name = "Progressive score"
    clause = "C.07 7.5"
    low: int = 0

    def unit(self, sheet: Sheet) -> int:
        return sheet.unit

    def counted(self, sheet: Sheet, player: int) -> Sequence[int]:
        return _running(sheet, player)[self.low :]

    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        return [
            ScaledTerm(score, number)
            if number > self.low
            else ScaledTerm(score, number, counted=False, why="cut")
            for number, score in enumerate(_running(sheet, player), 1)
        ]


def _running(sheet: Sheet, player: int) -> list[int]:
    """Return a player's score after each round."""
    gained = [0] * sheet.rounds
    for part in sheet.wholes[player]:
        gained[part.round - 1] = part.points
    return [*accumulate(gained)]


class Wins(Times, frozen=True):
    """Rounds with the points of a win, played or not: by forfeit, by a bye too."""

    name = "Number of wins"
    clause = "C.07 7.1"

    def counts(self, sheet: Sheet, part: ScaledPart) -> bool:
        given = part.kind in GIVEN and part.points >= sheet.win
        return part.won or given


class WinsPlayed(Times, frozen=True):
    """Games won over the board."""

    name = "Games won over the board"
    clause = "C.07 7.2"

    def counts(self, sheet: Sheet, part: ScaledPart) -> bool:
        return part.won


class BlackGames(Times, frozen=True):
    """Games played with black, the second seat."""

    name = "Games with black"
    clause = "C.07 7.3"

    def counts(self, sheet: Sheet, part: ScaledPart) -> bool:
        return part.played and part.seat == 2


class BlackWins(Times, frozen=True):
    """Games won with black, the second seat."""

    name = "Wins with black"
    clause = "C.07 7.4"

    def counts(self, sheet: Sheet, part: ScaledPart) -> bool:
        return part.won and part.seat == 2


class Koya(OwnNumber, frozen=True):
    """Points against those who have at least half of the possible points."""

    name = "Koya"
    clause = "C.07 9.2"

    def unit(self, sheet: Sheet) -> int:
        return sheet.unit

    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        return [
            ScaledTerm(
                part.points, part.round, foe, counted=2 * sheet.scores[foe] >= _all_of(sheet, foe)
            )
            for part in sheet.wholes[player]
            if part.played or not category(sheet, player, part)
            for foe in part.foes
        ]


def _all_of(sheet: Sheet, player: int) -> int:
    """Return the points possible for a player; in a round robin none for a round of rest."""
    rounds = len(sheet.wholes[player]) if sheet.round_robin else sheet.rounds
    return sheet.win * rounds
