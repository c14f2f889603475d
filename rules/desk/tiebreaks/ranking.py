"""Everybody in order: by points, then by a list of tie-breaks, then by lot."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from rules.desk.formats import chance
from rules.desk.tiebreaks.base import (
    QUARTER,
    THIRD,
    ZERO,
    Column,
    ScaledTerm,
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
    ModifiedMedian,
    Progressive,
    SonnebornBerger,
    Wins,
    WinsPlayed,
)
from rules.desk.tiebreaks.encounters import DirectEncounter, WhoBeatWhom
from rules.desk.tiebreaks.kinds import OwnNumber
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
    """A number drawn with the stored seed: the last resort, and always the same."""

    name = "Drawn by lot"
    clause = "as said"

    def items(self, sheet: Sheet, player: int) -> list[ScaledTerm]:
        return [ScaledTerm(chance.number(sheet.seed, "lot", player), why="lot")]


TIEBREAKS: Mapping[str, TieBreak] = {
    "mw": MatchWin(),
    "mw-quarter": MatchWin(QUARTER),
    "mw-bare": MatchWin(ZERO),
    "mw-rounds": MatchWin(THIRD, by_rounds=True),
    "mw-drops": MatchWin(QUARTER, cap=3 * QUARTER),
    "omw": OpponentsMatchWin(),
    "omw-quarter": OpponentsMatchWin(QUARTER),
    "omw-bare": OpponentsMatchWin(ZERO),
    "omw-rounds": OpponentsMatchWin(by_rounds=True),
    "omw-drops": OpponentsMatchWin(QUARTER, cap=3 * QUARTER),
    "oomw": OpponentsOpponentsMatchWin(),
    "oomw-quarter": OpponentsOpponentsMatchWin(QUARTER),
    "oomw-drops": OpponentsOpponentsMatchWin(QUARTER, 3 * QUARTER),
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
    "mm": ModifiedMedian(),
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
    "wbw-again": WhoBeatWhom(),
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


class Break(NamedTuple):
    """A tie-break under its code, with its numbers if they do not depend on who is tied."""

    code: str
    tiebreak: TieBreak
    column: Column | None

    def among(self, sheet: Sheet, tied: Sequence[int]) -> Column:
        """Return the numbers of at least the tied players."""
        return self.column or self.tiebreak.among(sheet, tied)


Place = tuple[int, Break]
"""A tie-break and its position among the breaks, counted from 0."""


class Looked(NamedTuple):
    """What was compared to separate the players who were `tied`."""

    column: Column
    tied: Sequence[int]


class Breaks(Mapping[str, Value]):
    """The numbers of one player by code, each made on access.

    `looked`: what was compared, break by break, until the player stood alone.
    """

    __slots__ = "_breaks", "_looked", "_player", "_sheet"

    def __init__(
        self, sheet: Sheet, player: int, breaks: Mapping[str, Place], looked: Sequence[Looked]
    ) -> None:
        self._sheet, self._player, self._breaks, self._looked = sheet, player, breaks, looked

    def __getitem__(self, code: str) -> Value:
        place, by = self._breaks[code]
        if place < len(self._looked):
            column, tied = self._looked[place]
        else:
            tied = (self._player,)
            column = by.among(self._sheet, tied)
        return Value(column.exact(self._player), by.tiebreak, self._sheet, self._player, tied)

    def __iter__(self) -> Iterator[str]:
        return iter(self._breaks)

    def __len__(self) -> int:
        return len(self._breaks)


class Standing(msgspec.Struct, frozen=True):
    """One row: a place (never shared, since the lot decides), points, and what broke the tie."""

    place: int
    player: int
    points: Fraction
    breaks: Mapping[str, Value]


def rank(
    sheet: Sheet,
    codes: Sequence[str],
    last: Mapping[int, int] | None = None,
    players: Iterable[int] | None = None,
) -> tuple[Standing, ...]:
    """Return everybody in order; `last` come after all others, those with a higher number later.

    With `players` only these are ranked, among themselves; the others are those whom they met.

    Raises: KeyError for a code that is not a tie-break.
    """
    behind = last or {}
    breaks = _breaks(sheet, codes)
    places = {each.code: (place, each) for place, each in enumerate(breaks)}
    groups: dict[tuple[int, int], list[int]] = {}
    for player in sorted(sheet.parts if players is None else players):
        key = behind.get(player, 0), -sheet.scores[player]
        groups.setdefault(key, []).append(player)
    found: list[Standing] = []
    for key in sorted(groups):
        points = Fraction(-key[1], sheet.unit)
        for player, looked in _broken(sheet, groups[key], breaks):
            numbers = Breaks(sheet, player, places, looked)
            found.append(Standing(len(found) + 1, player, points, numbers))
    return tuple(found)


def leveled(sheet: Sheet, codes: Sequence[str], tied: Sequence[int]) -> tuple[int, ...]:
    """Return some of a sheet's players in order by tie-breaks alone. Raises: as `rank`."""
    return tuple(player for player, _ in _broken(sheet, tied, _breaks(sheet, codes)))


def _breaks(sheet: Sheet, codes: Sequence[str]) -> list[Break]:
    order = [*codes] if "lot" in codes else [*codes, "lot"]
    return [Break(code, TIEBREAKS[code], _column(sheet, TIEBREAKS[code])) for code in order]


def _column(sheet: Sheet, tiebreak: TieBreak) -> Column | None:
    return tiebreak.column(sheet) if isinstance(tiebreak, OwnNumber) else None


def _broken(
    sheet: Sheet, tied: Sequence[int], breaks: Sequence[Break], looked: tuple[Looked, ...] = ()
) -> Iterator[tuple[int, tuple[Looked, ...]]]:
    """Yield the tied players in order, each with what was compared until they stood alone."""
    if len(tied) == 1 or len(looked) == len(breaks):
        for player in tied:
            yield player, looked
        return
    by = breaks[len(looked)]
    column = by.among(sheet, tied)
    groups: dict[tuple[bool, int], list[int]] = {}
    for player in tied:
        number = column.numbers[player]
        key = (number is None, (number or 0) * (1 if by.tiebreak.low_wins else -1))
        groups.setdefault(key, []).append(player)
    for key in sorted(groups):
        yield from _broken(sheet, groups[key], breaks, (*looked, Looked(column, tied)))
