"""What may be recorded now, and why anything else may not."""

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


def seat_offers(score: Score) -> list[Offer]:
    points = Range(-MOST_POINTS, MOST_POINTS)
    return [
        offer
        for seat in seats_in(score)
        for offer in (
            Offer("points-scored", seat, {"points": points}),
            Offer("game-won", seat, {}),
            Offer("conceded", seat, {}),
        )
    ]


def table_offers(score: Score) -> list[Offer]:
    seats = tuple(range(1, len(score.tallies) + 1))
    left = unplaced(score)
    note = Free("note")
    offers = [Offer("seats-placed", None, {"seats": Subset(left, most=len(left), least=1)})]
    if any(tally.points for tally in score.tallies):
        offers.append(Offer("game-closed", None, {}))
    if len(seats_in(score)) > 1:
        offers.append(Offer("game-drawn", None, {}))
    winners = Subset(seats, most=len(seats), least=1)
    return [
        *offers,
        Offer("all-lost", None, {}),
        Offer("ruled", None, {"result": Choice(("win",)), "winners": winners, "note": note}),
        Offer("ruled", None, {"result": Choice(("draw", "all-lost")), "note": note}),
    ]


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
