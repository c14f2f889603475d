"""How a game ends.

ZX-W1  A player with no life loses; judged once the damage is fully handled (AM4).
ZX-W4  Conceding is allowed at any moment.
ZX-W5  Both lost at the same check: a draw.
ZX-W6  Some cards state their own condition.
ZX-X1  One game a round, in 30 minutes.
ZX-X3  At time one extra turn after the current one is customary, then life is compared.
ZX-X4  Three points a win, then the opponents' match-win share, at least a third each; then a lot.
ZX-X5  Both may lose.
ZX-X8  Level when time is up, both lose, unless it is said that they draw.
"""

from collections.abc import Iterator

from rules.capabilities import FloorRules
from rules.fields import Choice, Free, Range
from rules.ruleset import LOST_BY_ALL, Offer, Outcome, Seat, Verdict, impossible, irregular
from rules.zx.acts import (
    DEPTHS,
    Conceded,
    DrawCalled,
    LifeCalled,
    Options,
    OptionsChanged,
    Ruled,
    SpecialWon,
    TimeCalled,
    WonCalled,
)
from rules.zx.consequences import GameEnded, LifeCompared, Why
from rules.zx.field import other
from rules.zx.state import (
    SEATS,
    Board,
    Folds,
    Rule,
    Rules,
    State,
    Story,
    keep,
    replace,
    side_of,
    voices_of,
    with_side,
)
from rules.zx.terms import LIFE
from rules.zx.waiting import no_such_voice

MAX_LIFE = 60
HOW: dict[str, Why] = {"life": "by-life", "time": "by-time", "card": "by-card"}
"""How a game may have been won at depth `score`."""

CLAUSES = {
    "by-life": "ZX-W1",
    "by-draw": "ZX-W5",
    "by-deck": "ZX-AM15",
    "by-card": "ZX-W6",
    "by-time": "ZX-X3",
    LOST_BY_ALL: "ZX-X5",
    "by-concession": "ZX-W4",
}


# -- offers ---------------------------------------------------------------------------


def offers(state: State, seat: Seat) -> Iterator[Offer]:
    if state.board.depth == "score":
        yield Offer("life-called", seat, {"life": Range(0, MAX_LIFE)})
        yield Offer("won-called", seat, {"how": Choice(tuple(HOW))})
    elif state.board.stage == "running":
        yield Offer("special-won", seat, {"card": Choice(voices_of(state.setup, seat))})
    yield Offer("conceded", seat, {})


def offers_of_table(state: State) -> Iterator[Offer]:
    board = state.board
    if board.depth == "score":
        yield Offer("draw-called", None, {"lost": Choice((False, True))})
    else:
        if board.stage == "running" and not board.closing:
            yield Offer("time-called", None, {})
        yield Offer("options-changed", None, {"depth": Choice(("score",))})
    note = Free("note")
    yield Offer("ruled", None, {"result": Choice(("win",)), "winner": Choice(SEATS), "note": note})
    yield Offer("ruled", None, {"result": Choice(("draw", "all-lost")), "note": note})


# -- judging --------------------------------------------------------------------------


def may_not_time(state: State, act: TimeCalled) -> Verdict | None:
    return irregular("time-is-called", "ZX-X3") if state.board.closing else None


def cannot_change(state: State, act: OptionsChanged) -> Verdict | None:
    return impossible("same-depth") if state.board.depth == act.depth else None


def cannot_rule(state: State, act: Ruled) -> Verdict | None:
    if (act.result == "win") != (act.winner in SEATS):
        return impossible("winner-of-a-win", result=act.result)
    return None


# -- floor rules ----------------------------------------------------------------------


def floor_rules(options: Options) -> FloorRules:
    return FloorRules(
        minutes=30,
        best_of=1,
        time_up="draw" if options.equal == "draw" else "lost",
        tiebreaks=("omw",),
        texts=(
            "floor-round",
            f"floor-time-{min(options.extra_turns, 2)}",
            f"floor-level-{options.equal}",
        ),
    )


def time_called(state: State) -> TimeCalled | None:
    board = state.board
    running = board.depth == "full" and board.stage == "running" and not board.outcome
    return TimeCalled() if running and not board.closing else None


# -- consequences ---------------------------------------------------------------------


def decide_special(story: Story, before: State, act: SpecialWon) -> None:
    story.add(GameEnded(why="by-card", winner=act.seat))


def decide_concession(story: Story, before: State, act: Conceded) -> None:
    story.add(GameEnded(why="by-concession", winner=other(act.seat)))


def decide_won(story: Story, before: State, act: WonCalled) -> None:
    story.add(GameEnded(why=HOW[act.how], winner=act.seat))


def decide_life(story: Story, before: State, act: LifeCalled) -> None:
    if not act.life:
        story.add(GameEnded(why="by-life", winner=other(act.seat)))


def decide_draw(story: Story, before: State, act: DrawCalled) -> None:
    story.add(GameEnded(why="by-nobody" if act.lost else "by-draw"))


def decide_ruling(story: Story, before: State, act: Ruled) -> None:
    if act.result == "all-lost":
        story.add(GameEnded(why="by-nobody"))
    else:
        story.add(GameEnded(why="by-ruling", winner=act.winner or None))


def next_loss(state: State) -> GameEnded | None:
    """Return the end of a game caused by a seat's life or deck."""
    sides = state.board.sides
    if sides[0].life and sides[1].life and state.setup.options.empty != "loss":
        return None
    one, two = has_lost(state, 1), has_lost(state, 2)
    if not one and not two:
        return None
    if one and two:
        return GameEnded(why="by-draw")
    loser = 1 if one else 2
    why: Why = "by-deck" if side_of(state, loser).life else "by-life"
    return GameEnded(why=why, winner=other(loser))


def has_lost(state: State, seat: Seat) -> bool:
    """Tell whether a seat has no life, or nothing left to draw if that loses."""
    side, keyword = side_of(state, seat), state.board.keyword
    if not side.life:
        waits = keyword is not None and keyword.seat == seat and keyword.kind != "void-bringer"
        return not waits or state.options.life_zero == "immediate"
    return state.options.empty == "loss" and not side.deck and not side.trash


def time_up(state: State) -> bool:
    """Tell whether the turn that is ending was the last one. Rule: ZX-X3."""
    return state.board.closing == 1


def decide_time_up(story: Story) -> None:
    """Compare life once time is up (AM22)."""
    one, two = (len(side.life) for side in story.state.board.sides)
    story.add(LifeCompared(one=one, two=two))
    if one != two:
        story.add(GameEnded(why="by-time", winner=1 if one > two else 2))
    elif story.state.options.equal == "draw":
        story.add(GameEnded(why="by-draw"))
    else:
        story.add(GameEnded(why="by-nobody"))


# -- folding --------------------------------------------------------------------------


def fold_time(state: State, act: TimeCalled) -> Board:
    return replace(state.board, closing=state.options.extra_turns + 1)


def fold_life(state: State, act: LifeCalled) -> Board:
    return with_side(state.board, act.seat, life=tuple(range(1, act.life + 1)))


def scored(board: Board) -> Board:
    """Go on with life totals only; before life is placed, both seats have the full amount."""
    left = replace(board, battle=None, keyword=None, shown=None, events=(), depth="score")
    if board.stage in ("resources", "running"):
        return left
    one, two = (replace(side, life=tuple(range(1, LIFE + 1))) for side in board.sides)
    return replace(left, sides=(one, two))


def fold_depth(state: State, act: OptionsChanged) -> Board:
    return scored(state.board)


def fold_end(state: State, event: GameEnded) -> Board:
    winners: tuple[Seat, ...]
    if event.winner is None:
        places, winners = (1, 1), ()
    else:
        places, winners = ((1, 2) if event.winner == 1 else (2, 1)), (event.winner,)
    outcome = Outcome(places, winners, event.why, _clause(state, event))
    return replace(state.board, outcome=outcome)


def _clause(state: State, event: GameEnded) -> str:
    """Return the clause of an end: one without a winner may be of level life at time (AM22)."""
    board = state.board
    one, two = (len(side.life) for side in board.sides)
    compared = board.phase == "end" or board.depth == "score"
    if event.why in ("by-draw", LOST_BY_ALL) and time_up(state) and compared and one == two > 0:
        return "ZX-X8"
    return CLAUSES.get(event.why, "")


RULES: Rules = {
    SpecialWon: Rule(cannot=no_such_voice, decide=decide_special),
    Conceded: Rule(decide=decide_concession, depths=DEPTHS, running=False),
    TimeCalled: Rule(may_not=may_not_time, fold=fold_time),
    LifeCalled: Rule(decide=decide_life, fold=fold_life, depths=("score",), running=False),
    WonCalled: Rule(decide=decide_won, depths=("score",), running=False),
    DrawCalled: Rule(decide=decide_draw, depths=("score",), running=False),
    Ruled: Rule(cannot=cannot_rule, decide=decide_ruling, depths=DEPTHS, running=False),
    OptionsChanged: Rule(cannot=cannot_change, fold=fold_depth, depths=DEPTHS, running=False),
}
FOLDS: Folds = {GameEnded: fold_end, LifeCompared: keep}
