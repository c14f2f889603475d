"""Tie-breaks: one small class each, as exact fractions that open into their terms.

One module per family. `rank` puts players in order by points and then by a list of tie-breaks,
named by their codes in `TIEBREAKS`; remaining ties are decided by lot, with a seed that is stored.

Rule: MTR C (Magic tournament rules, appendix C) · C.07 (FIDE, tie-break regulations; `@2024` is the
text of 1 August 2024, the others that of 1 March 2026) · or "as said" where there is none.
"""

from rules.desk.tiebreaks.base import HALF, PartKind, RoundPart, Sheet, Term, TieBreak, Value
from rules.desk.tiebreaks.cards import MatchWin, OpponentsMatchWin
from rules.desk.tiebreaks.points import placement_points
from rules.desk.tiebreaks.ranking import TIEBREAKS, Standing, leveled, rank
from rules.desk.tiebreaks.ratings import expected

__all__ = [
    "HALF",
    "TIEBREAKS",
    "MatchWin",
    "OpponentsMatchWin",
    "PartKind",
    "RoundPart",
    "Sheet",
    "Standing",
    "Term",
    "TieBreak",
    "Value",
    "expected",
    "leveled",
    "placement_points",
    "rank",
]
