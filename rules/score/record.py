"""What may be recorded now, and why anything else may not."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from rules.fields import Choice, Free, Range, Subset
from rules.ruleset import Act, Offer, Seat, Verdict, event_type, impossible, irregular
from rules.score.acts import (
    AllLost,
    AllWon,
    Conceded,
    GameClosed,
    GameDrawn,
    GameWon,
    PointsScored,
    Ruled,
    SeatsPlaced,
)
from rules.score.state import Score, seats_in, unplaced

MAX_POINTS = 9_999_999


def offers(score: Score) -> tuple[Offer, ...]:
    """Return what may be recorded in the current game."""
    scored = any(tally.points for tally in score.tallies)
    return _offers(len(score.tallies), seats_in(score), unplaced(score), scored)


@lru_cache(1024)
def _offers(
    count: int, players: tuple[Seat, ...], left: tuple[Seat, ...], scored: bool
) -> tuple[Offer, ...]:
    """Return the offers; cached, as they depend on nothing but these parameters.

    `players` are the seats still in, `left` those of them without a place, `scored` whether any
    seat has points.
    """
    return (*_seat_offers(players), *_table_offers(count, players, left, scored))


def _seat_offers(players: tuple[Seat, ...]) -> Iterator[Offer]:
    points = Range(-MAX_POINTS, MAX_POINTS)
    for seat in players:
        yield Offer("points-scored", seat, {"points": points})
        yield Offer("game-won", seat, {})
        yield Offer("conceded", seat, {})


def _table_offers(
    count: int, players: tuple[Seat, ...], left: tuple[Seat, ...], scored: bool
) -> Iterator[Offer]:
    note = Free("note")
    yield Offer("seats-placed", None, {"seats": Subset(left, most=len(left), least=1)})
    if scored:
        yield Offer("game-closed", None, {})
    if len(players) > 1:
        yield Offer("game-drawn", None, {})
        yield Offer("all-won", None, {})
    winners = Subset(tuple(range(1, count + 1)), most=count, least=1)
    yield Offer("all-lost", None, {})
    yield Offer("ruled", None, {"result": Choice(("win",)), "winners": winners, "note": note})
    yield Offer("ruled", None, {"result": Choice(("draw", "all-lost")), "note": note})


# -- judging --------------------------------------------------------------------------


def objection(score: Score, act: Act) -> Verdict | None:
    """Return why an act is not legal, or None if it is; then an offer covers it."""
    objects = _OBJECTIONS.get(type(act))
    if objects is None:
        return impossible("no-such-act", act=event_type(act))
    seat, count = getattr(act, "seat", None), len(score.tallies)
    if seat is not None and not 1 <= seat <= count:
        return impossible("no-such-seat", seat=seat, seats=count)
    return objects(score, act)


def _to_points(score: Score, act: PointsScored) -> Verdict | None:
    if abs(act.points) > MAX_POINTS:
        return impossible("too-many-points", points=act.points, most=MAX_POINTS)
    return irregular("has-conceded", "", seat=act.seat) if score.tallies[act.seat - 1].out else None


def _to_one_who_left(score: Score, act: GameWon | Conceded) -> Verdict | None:
    out = score.tallies[act.seat - 1].out
    return impossible("has-conceded", seat=act.seat) if out else None


def _to_closing(score: Score, act: GameClosed) -> Verdict | None:
    scored = any(tally.points for tally in score.tallies)
    return None if scored else irregular("nothing-scored", "")


def _to_a_draw(score: Score, act: GameDrawn) -> Verdict | None:
    return None if len(seats_in(score)) > 1 else impossible("nobody-to-draw-with")


def _to_all_winning(score: Score, act: AllWon) -> Verdict | None:
    return None if len(seats_in(score)) > 1 else impossible("nobody-to-win-with")


def _to_nothing(score: Score, act: AllLost) -> Verdict | None:
    return None


def _to_a_ruling(score: Score, act: Ruled) -> Verdict | None:
    if act.result == "win":
        return _misnamed(score, act.winners)
    return impossible("winners-without-win", result=act.result) if act.winners else None


def _to_placing(score: Score, act: SeatsPlaced) -> Verdict | None:
    if verdict := _misnamed(score, act.seats):
        return verdict
    for seat in act.seats:
        tally = score.tallies[seat - 1]
        if tally.out or tally.place:
            return impossible("has-conceded" if tally.out else "already-placed", seat=seat)
    return None


def _misnamed(score: Score, seats: tuple[Seat, ...]) -> Verdict | None:
    """Refuse an empty list, unknown seats, and any order but ascending."""
    count = len(score.tallies)
    if not seats:
        return impossible("nobody-named")
    for seat in seats:
        if not 1 <= seat <= count:
            return impossible("no-such-seat", seat=seat, seats=count)
    if list(seats) != sorted(set(seats)):
        return impossible("seats-out-of-order")
    return None


_OBJECTIONS: Mapping[type[Act], Callable[[Score, Any], Verdict | None]] = {
    PointsScored: _to_points,
    GameWon: _to_one_who_left,
    Conceded: _to_one_who_left,
    GameClosed: _to_closing,
    GameDrawn: _to_a_draw,
    AllLost: _to_nothing,
    AllWon: _to_all_winning,
    Ruled: _to_a_ruling,
    SeatsPlaced: _to_placing,
}
