"""Everybody in order: by points, then by a list of tie-breaks, then by lot."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from rules.desk.formats import chance
from rules.desk.tiebreaks.base import (
    QUARTER,
    THIRD,
    ZERO,
    Column,
    Item,
    OwnNumber,
    Sheet,
    TieBreak,
    Value,
)
from rules.desk.tiebreaks.cards import (
    ExtendedStrengthOfSchedule,
    GameWin,
    MatchWin,
    OpponentsGameWin,
    OpponentsMatchWin,
    OpponentsOpponentsMatchWin,
    PointsPerGame,
    PointsPerMatch,
    StrengthOfSchedule,
)
from rules.desk.tiebreaks.chess import (
    AverageBuchholz,
    BlackGames,
    BlackWins,
    Buchholz,
    ForeBuchholz,
    Koya,
    Progressive,
    SonnebornBerger,
    Wins,
    WinsPlayed,
)
from rules.desk.tiebreaks.encounters import DirectEncounter, WhoBeatWhom
from rules.desk.tiebreaks.leagues import (
    BattlePoints,
    DrawStrength,
    GameDifference,
    MedianScore,
    WinsStrength,
)
from rules.desk.tiebreaks.ratings import AveragePerformance, PerformanceRating, RatingAverage
from rules.desk.tiebreaks.tables import (
    NormalisedPlace,
    Placed,
    SeatBalance,
    SeatLean,
    ShareBeaten,
    WinnersShare,
)


class ByLot(OwnNumber, frozen=True):
    """A number drawn by the stored seed: the last word, and the same for ever."""

    name = "Drawn by lot"
    clause = "as said"

    def items(self, sheet: Sheet, player: int) -> list[Item]:
        return [Item(chance.number(sheet.seed, "lot", player), why="lot")]


TIEBREAKS: Mapping[str, TieBreak] = {
    "mw": MatchWin(),
    "mw-quarter": MatchWin(QUARTER),
    "mw-bare": MatchWin(ZERO),
    "mw-rounds": MatchWin(THIRD, by_rounds=True),
    "omw": OpponentsMatchWin(),
    "omw-quarter": OpponentsMatchWin(QUARTER),
    "omw-bare": OpponentsMatchWin(ZERO),
    "oomw": OpponentsOpponentsMatchWin(),
    "oomw-quarter": OpponentsOpponentsMatchWin(QUARTER),
    "gw": GameWin(),
    "gw-third": GameWin(THIRD),
    "ogw": OpponentsGameWin(),
    "sos": StrengthOfSchedule(),
    "xsos": ExtendedStrengthOfSchedule(),
    "ppm": PointsPerMatch(),
    "ppg": PointsPerGame(),
    "bh": Buchholz(),
    "bh-c1": Buchholz(low=1),
    "bh-c2": Buchholz(low=2),
    "bh-m1": Buchholz(low=1, high=1),
    "bh-m2": Buchholz(low=2, high=2),
    "aob": AverageBuchholz(),
    "fb": ForeBuchholz(),
    "sb": SonnebornBerger(),
    "sb-c1": SonnebornBerger(low=1),
    "bh@2024": Buchholz(edition=2024),
    "bh-c1@2024": Buchholz(low=1, edition=2024),
    "bh-c2@2024": Buchholz(low=2, edition=2024),
    "bh-m1@2024": Buchholz(low=1, high=1, edition=2024),
    "bh-m2@2024": Buchholz(low=2, high=2, edition=2024),
    "aob@2024": AverageBuchholz(2024),
    "fb@2024": ForeBuchholz(2024),
    "sb@2024": SonnebornBerger(edition=2024),
    "sb-c1@2024": SonnebornBerger(low=1, edition=2024),
    "ps": Progressive(),
    "ps-c1": Progressive(low=1),
    "win": Wins(),
    "won": WinsPlayed(),
    "bpg": BlackGames(),
    "bwg": BlackWins(),
    "ks": Koya(),
    "de": DirectEncounter(),
    "de-continue": DirectEncounter(restart=False),
    "wbw": WhoBeatWhom(),
    "aro": RatingAverage(),
    "aro-c1": RatingAverage(low=1),
    "tpr": PerformanceRating(),
    "apro": AveragePerformance(),
    "ds": DrawStrength(),
    "wins-sos": WinsStrength(),
    "battle": BattlePoints(),
    "games": GameDifference(),
    "median": MedianScore(),
    "firsts": Placed(),
    "seconds": Placed(place=2),
    "thirds": Placed(place=3),
    "beaten": ShareBeaten(),
    "place": NormalisedPlace(),
    "share": WinnersShare(),
    "seats": SeatBalance(),
    "lean": SeatLean(),
    "lot": ByLot(),
}
"""Every tie-break by its permanent code."""


class Standing(msgspec.Struct, frozen=True):
    """One row: a place (no two share one: the lot decides), points, and what broke the tie."""

    place: int
    player: int
    points: Fraction
    breaks: dict[str, Value]


def rank(sheet: Sheet, codes: Sequence[str], last: Iterable[int] = ()) -> tuple[Standing, ...]:
    """Return everybody in order; `last` come after all others (disqualified).

    Raises: KeyError for a code that is no tie-break.
    """
    behind = set(last)
    order = [*codes] if "lot" in codes else [*codes, "lot"]
    breaks = [Break(code, TIEBREAKS[code], _column(sheet, TIEBREAKS[code])) for code in order]
    groups: dict[tuple[bool, int], list[int]] = {}
    for player in sorted(sheet.parts):
        groups.setdefault((player in behind, -sheet.scores[player]), []).append(player)
    found: list[Standing] = []
    for key in sorted(groups):
        points = Fraction(-key[1], sheet.unit)
        for player, values in _broken(sheet, groups[key], breaks):
            found.append(Standing(len(found) + 1, player, points, values))
    return tuple(found)


class Break(NamedTuple):
    """A tie-break under its code, with its numbers where they are the same whoever is tied."""

    code: str
    tiebreak: TieBreak
    column: Column | None


def _column(sheet: Sheet, tiebreak: TieBreak) -> Column | None:
    return tiebreak.column(sheet) if isinstance(tiebreak, OwnNumber) else None


def _broken(
    sheet: Sheet, tied: Sequence[int], breaks: Sequence[Break]
) -> list[tuple[int, dict[str, Value]]]:
    """Return who is tied in order, each with the numbers that were looked at."""
    if not breaks:
        return [(player, {}) for player in tied]
    if len(tied) == 1:
        return [(tied[0], {each.code: _value(sheet, tied[0], tied, each) for each in breaks})]
    (code, tiebreak, own), rest = breaks[0], breaks[1:]
    column = own or tiebreak.among(sheet, tied)
    groups: dict[tuple[bool, int], list[int]] = {}
    for player in tied:
        number = column.numbers[player]
        key = (number is None, (number or 0) * (1 if tiebreak.low_wins else -1))
        groups.setdefault(key, []).append(player)
    return [
        (player, {code: Value(column.exact(player), tiebreak, sheet, player, tied), **values})
        for key in sorted(groups)
        for player, values in _broken(sheet, groups[key], rest)
    ]


def _value(sheet: Sheet, player: int, tied: Sequence[int], by: Break) -> Value:
    column = by.column or by.tiebreak.among(sheet, tied)
    return Value(column.exact(player), by.tiebreak, sheet, player, tied)
