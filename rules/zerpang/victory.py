"""How a match ends.

ZP-W1  Ninja: own pieces on three great houses forming a triangle; with two players on all six.
ZP-W2  Pirate: own pieces on three Xs forming a triangle; with two players on all six.
ZP-W3  Zombie: three own pieces with 2 rings each.
ZP-W4  Robot: all six own pieces uploaded.
ZP-W5  Gunslinger: four own pieces on one line, both great houses and both Xs of it.
ZP-W6  Alien: four abducted pieces, every opponent among them; with six players four of the five.
ZP-W7  Elf: the game lasts longer than three hours.
ZP-T9  The game stops the moment a win condition is true, even before a combat would follow.
AM28   Two at once: the active player first, then clockwise.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from rules.fields import Choice, Range
from rules.ruleset import Offer, Outcome, Seat, Verdict, impossible, irregular
from rules.zerpang.acts import DEPTHS, PIECES, ClockRead, Conceded, Why, WonCalled
from rules.zerpang.consequences import GameEnded, PiecesReleased, SeatLeft
from rules.zerpang.defeat import ended
from rules.zerpang.maps import Board
from rules.zerpang.state import (
    HOME,
    Folds,
    Rule,
    Rules,
    Side,
    State,
    Story,
    Table,
    class_of,
    clockwise,
    fight_of,
    held_by,
    owner,
    playing,
    replace,
    seat_with,
    side_of,
    uploads,
    with_turn,
)

ELF_SECONDS = 3 * 3600
LONGEST = 100_000  # the most seconds that may be recorded
RINGED, RINGS_EACH = 3, 2
ABDUCTED, FULL_TABLE = 4, 6

WHY: Mapping[str, Why] = {
    "ninja": "dojo-domination",
    "pirate": "x-marks-the-spot",
    "zombie": "zombocalypse",
    "robot": "artificial-intelligence",
    "gunslinger": "into-the-sunset",
    "alien": "all-your-base",
    "elf": "price-of-immortality",
}
CLAUSES: Mapping[str, str] = {why: f"ZP-W{n}" for n, why in enumerate(WHY.values(), 1)}


# -- win conditions -------------------------------------------------------------------


def row_of(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the complete row of its class that a seat's pieces hold, empty if none."""
    sides = state.table.sides
    side = sides[seat - 1]
    if PIECES - side.at.count(HOME) < state.board.shortest:
        return ()
    return _row_of(state.board, side.cls, side.at, len(sides) == 2)


@lru_cache(maxsize=1024)
def _row_of(board: Board, cls: str, places: tuple[str, ...], duel: bool) -> tuple[str, ...]:
    return next(filter({*places}.issuperset, board.rows_of(cls, duel)), ())


def _zombie(state: State, seat: Seat) -> bool:
    rings = side_of(state, seat).rings
    return sum(each >= RINGS_EACH for each in rings) >= RINGED


def _robot(state: State, seat: Seat) -> bool:
    return uploads(state.table, seat) == PIECES


def _alien(state: State, seat: Seat) -> bool:
    held = [owner(piece) for piece in held_by(state.table, seat)]
    if len(held) < ABDUCTED:
        return False
    rivals = {
        other
        for other in playing(state)
        if other != seat
        and (class_of(state, other) != "elf" or state.options.alien_elf == "blocked")
    }
    if rivals <= {*held}:
        return True
    return len(state.table.sides) == FULL_TABLE and len({*held}) >= ABDUCTED


def _elf(state: State, seat: Seat) -> bool:
    if state.options.elf_win == "deck_empty":
        return state.table.deck == 0
    return state.table.seconds > ELF_SECONDS


CONDITIONS: Mapping[str, Callable[[State, Seat], object]] = {
    "ninja": row_of,
    "pirate": row_of,
    "zombie": _zombie,
    "robot": _robot,
    "gunslinger": row_of,
    "alien": _alien,
    "elf": _elf,
}


def end(state: State) -> GameEnded | None:
    """Return the end of the game: a win condition is true, or one seat is left. Rule: ZP-T9."""
    turn, sides = state.table.turn, state.table.sides
    left = [seat for seat, side in enumerate(sides, 1) if not side.out]
    if turn and (won := [seat for seat in left if CONDITIONS[sides[seat - 1].cls](state, seat)]):
        return _won_by(state, won, turn.seat)
    return alone(state, left)


def _won_by(state: State, winners: list[Seat], active: Seat) -> GameEnded:
    """Return the end of a game some have won; of two at once the active seat first. Rule: AM28."""
    if winners[1:] and state.options.tie == "draw":
        level = len(winners) == len(state.table.sides)
        return game_ended(state, () if level else tuple(winners), "by-tie")
    first = next(seat for seat in clockwise(state, active) if seat in winners)
    return game_ended(state, (first,), WHY[class_of(state, first)])


def game_ended(state: State, winners: tuple[Seat, ...], why: Why) -> GameEnded:
    count = len(state.table.sides)
    places = tuple(
        1 if seat in winners or not winners else 1 + len(winners) for seat in range(1, count + 1)
    )
    return GameEnded(winners=winners, places=places, why=why)


def alone(state: State, left: list[Seat]) -> GameEnded | None:
    """Return the end of the game when only one seat is left."""
    return None if left[1:] else game_ended(state, tuple(left), "by-concession")


def fold_game_ended(table: Table, event: GameEnded) -> Table:
    clause = CLAUSES.get(event.why, "")
    return replace(table, outcome=Outcome(event.places, event.winners, event.why, clause))


# -- the clock ------------------------------------------------------------------------


def offers_of_clock(state: State) -> Iterator[Offer]:
    if state.table.turn and seat_with(state, "elf") and state.table.seconds < LONGEST:
        yield Offer("clock-read", None, {"seconds": Range(state.table.seconds, LONGEST)})


def cannot_read(state: State, act: ClockRead) -> Verdict | None:
    if act.seconds > LONGEST:
        return impossible("too-long", "ZP-W7", n=act.seconds, most=LONGEST)
    return None


def may_not_read(state: State, act: ClockRead) -> Verdict | None:
    if not seat_with(state, "elf"):
        return irregular("no-elf", "ZP-W7")
    last = state.table.seconds
    if act.seconds < last or last >= LONGEST:
        return irregular("clock-went-back", "ZP-AM10", n=act.seconds, last=last)
    return None


def fold_clock(table: Table, act: ClockRead) -> Table:
    return replace(table, seconds=act.seconds)


def elf_at(state: State) -> int | None:
    """Return after how many seconds an Elf wins, None if none does by the clock."""
    by_time = state.options.elf_win == "time" and state.table.turn and seat_with(state, "elf")
    return ELF_SECONDS + 1 if by_time else None


# -- who won, called ------------------------------------------------------------------


def offers_of_call(state: State, seat: Seat) -> Iterator[Offer]:
    if not side_of(state, seat).out:
        yield Offer("won-called", seat, {"why": Choice(_ways(state, seat))})


def _ways(state: State, seat: Seat) -> tuple[Why, ...]:
    """Return how a seat may have won: by its class, or in a way not recorded."""
    cls = class_of(state, seat)
    return (WHY[cls], "by-call") if cls else (*WHY.values(), "by-call")


def may_not_call(state: State, act: WonCalled) -> Verdict | None:
    if act.why in _ways(state, act.seat):
        return None
    return irregular("other-win", CLAUSES.get(act.why, ""), seat=act.seat, why=act.why)


def decide_call(story: Story, before: State, act: WonCalled) -> None:
    story.add(game_ended(before, (act.seat,), act.why))


# -- conceding ------------------------------------------------------------------------


def offers_of_concession(state: State, seat: Seat) -> Iterator[Offer]:
    if not side_of(state, seat).out:
        yield Offer("conceded", seat, {})


def decide_concession(story: Story, before: State, act: Conceded) -> None:
    """Release what the seat holds of others, then take out the seat, and end its combat."""
    for seat in playing(before):
        held = tuple(p for p in held_by(before.table, act.seat) if owner(p) == seat)
        if held:
            story.add(PiecesReleased(seat=seat, foe=act.seat, pieces=held))
    story.add(SeatLeft(seat=act.seat))
    if fight_of(story.table, act.seat):
        ended(story)


def fold_left(table: Table, event: SeatLeft) -> Table:
    """Take a seat out: pieces off the board, hand to the discards, rings to the supply."""
    side = table.sides[event.seat - 1]
    gone = Side(cls=side.cls, base=side.base, colour=side.colour, at=(HOME,) * PIECES, out=True)
    sides = (*table.sides[: event.seat - 1], gone, *table.sides[event.seat :])
    table = replace(table, sides=sides, discard=table.discard + side.hand)
    turn = table.turn
    if turn is None:
        return table
    arrived = tuple(piece for piece in turn.arrived if owner(piece) != event.seat)
    return with_turn(table, arrived=arrived)


RULES: Rules = {
    ClockRead: Rule(cannot=cannot_read, may_not=may_not_read, fold=fold_clock),
    WonCalled: Rule(
        offers=offers_of_call,
        may_not=may_not_call,
        decide=decide_call,
        depths=("score",),
        running=False,
    ),
    Conceded: Rule(
        offers=offers_of_concession, decide=decide_concession, depths=DEPTHS, running=False
    ),
}
FOLDS: Folds = {GameEnded: fold_game_ended, SeatLeft: fold_left}
