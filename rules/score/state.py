"""The score of a match under way, and how places follow from it."""

from collections.abc import Iterable, Sequence

import msgspec

from rules.ruleset import Outcome, Seat
from rules.score.acts import ScoreOpened


class Tally(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The tally of one seat.

    `points` and `place` are those of the current game, `total` the points of the games before it.
    """

    wins: int = 0
    points: int = 0
    place: int = 0
    total: int = 0
    out: bool = False


class Score(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """All that changes during a match.

    `game` is the number of the current one; `lost` and `won` count the games that all players still
    in lost or won.
    """

    tallies: tuple[Tally, ...]
    game: int = 1
    lost: int = 0
    won: int = 0
    outcome: Outcome | None = None


class State(msgspec.Struct, frozen=True, gc=False):
    setup: ScoreOpened
    score: Score


def seats_in(score: Score) -> tuple[Seat, ...]:
    """Return the seats that have not conceded."""
    return tuple(seat for seat, tally in enumerate(score.tallies, 1) if not tally.out)


def unplaced(score: Score) -> tuple[Seat, ...]:
    """Return the seats that have no place yet in the game under way."""
    return tuple(seat for seat in seats_in(score) if not score.tallies[seat - 1].place)


def ranked(values: Sequence[int], among: Iterable[Seat]) -> tuple[int, ...]:
    """Return every seat's place: most first, ties share one, those not `among` come last."""
    among = set(among)
    better = {
        seat: 1 + sum(values[other - 1] > values[seat - 1] for other in among) for seat in among
    }
    return tuple(better.get(seat, len(among) + 1) for seat in range(1, len(values) + 1))


def first(places: Sequence[int], among: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return who came first; nobody if all `among` share first place, unless there is only one."""
    winners = tuple(seat for seat in among if places[seat - 1] == 1)
    return () if len(among) > 1 and len(winners) == len(among) else winners


def placed(score: Score) -> int:
    """Return how many of the seats still in have a place in the current game."""
    return len(seats_in(score)) - len(unplaced(score))


def next_place(score: Score) -> int:
    """Return the place to be given next: the one below the last among the seats still in.

    A seat that conceded with a place leaves it empty; the seats after it do not move up.
    """
    places = [tally.place for tally in score.tallies if tally.place and not tally.out]
    last = max(places, default=1)
    return last + places.count(last)
