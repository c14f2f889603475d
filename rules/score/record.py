"""What may be recorded now, and why anything else may not."""

from collections.abc import Iterator
from functools import lru_cache

from rules.ruleset import (
    Act,
    Choice,
    Free,
    Offer,
    Range,
    Seat,
    Subset,
    Verdict,
    event_type,
    impossible,
    irregular,
)
from rules.score.acts import (
    Conceded,
    GameClosed,
    GameDrawn,
    GameWon,
    PointsScored,
    Ruled,
    SeatsPlaced,
)
from rules.score.state import Score, seats_in, unplaced

MOST_POINTS = 9999


def offers(score: Score) -> tuple[Offer, ...]:
    """Return what may be recorded in the game under way."""
    scored = any(tally.points for tally in score.tallies)
    return _offers(len(score.tallies), seats_in(score), unplaced(score), scored)


@lru_cache(1024)
def _offers(
    count: int, players: tuple[Seat, ...], left: tuple[Seat, ...], scored: bool
) -> tuple[Offer, ...]:
    """Return what may be recorded by how many seats, of whom who is in, has no place, and whether
    anybody has points: of all else it does not depend."""
    return (*_seat_offers(players), *_table_offers(count, players, left, scored))


def _seat_offers(players: tuple[Seat, ...]) -> Iterator[Offer]:
    points = Range(-MOST_POINTS, MOST_POINTS)
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
    winners = Subset(tuple(range(1, count + 1)), most=count, least=1)
    yield Offer("all-lost", None, {})
    yield Offer("ruled", None, {"result": Choice(("win",)), "winners": winners, "note": note})
    yield Offer("ruled", None, {"result": Choice(("draw", "all-lost")), "note": note})


def reason(score: Score, act: Act) -> Verdict:
    """Say why an act that no offer covers is not legal."""
    count = len(score.tallies)
    seat = getattr(act, "seat", None)
    if seat is not None and not 1 <= seat <= count:
        return impossible("no-such-seat", seat=seat, seats=count)
    match act:
        case PointsScored(points=points) if abs(points) > MOST_POINTS:
            return impossible("too-many-points", points=points, most=MOST_POINTS)
        case PointsScored(seat=seat):
            return irregular("has-conceded", "", seat=seat)
        case GameWon(seat=seat) | Conceded(seat=seat):
            return impossible("has-conceded", seat=seat)
        case GameClosed():
            return irregular("nothing-scored", "")
        case GameDrawn():
            return impossible("nobody-to-draw-with")
        case Ruled(result=result, winners=winners) if winners and result != "win":
            return impossible("winners-without-win", result=result)
        case Ruled(winners=winners):
            return _reason_of_seats(score, winners)
        case SeatsPlaced(seats=seats):
            return _reason_of_seats(score, seats)
    return impossible("no-such-act", act=event_type(act))


def _reason_of_seats(score: Score, seats: tuple[Seat, ...]) -> Verdict:
    count = len(score.tallies)
    if not seats:
        return impossible("nobody-named")
    for seat in seats:
        if not 1 <= seat <= count:
            return impossible("no-such-seat", seat=seat, seats=count)
    if list(seats) != sorted(set(seats)):
        return impossible("seats-out-of-order")
    taken = next(seat for seat in seats if seat not in unplaced(score))
    code = "has-conceded" if score.tallies[taken - 1].out else "already-placed"
    return impossible(code, seat=taken)
