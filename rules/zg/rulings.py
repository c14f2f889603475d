"""Disputes and rulings, and changes to how the match is recorded.

ZG GEN-4  Rule of Prime: both pick a card and an end and test them. Any match: the caller decides,
          else the foe. Or a zMarshal rules.
ZG LEA-3  The zMarshal is the rules official.
"""

from collections.abc import Iterator

from rules.fields import Choice, Field, Free, Range
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zg import checks
from rules.zg.acts import DEPTHS, OptionsChanged, PrimeCalled, Ruled
from rules.zg.attack import cannot_meet, resolve_attack
from rules.zg.consequences import CardRestored, PrimeDecided, SeatDefeated, StunLifted
from rules.zg.damage import most_strikes
from rules.zg.slag import deal_called, slag, undo
from rules.zg.state import (
    Board,
    Folds,
    Offers,
    Rule,
    Rules,
    State,
    Story,
    by_known_ends,
    fresh,
    keep,
    remaining,
    replace,
    seats_of,
    side_of,
    standing,
    with_nothing_open,
)
from rules.zg.victory import match_won, return_seats

NEEDS: dict[str, tuple[str, ...]] = {
    "slag": ("foe", "target"),
    "restore": ("foe", "target"),
    "strikes": ("strikes",),
    "unstun": ("foe",),
    "end-turn": (),
    "defeat": ("foe",),
    "award": ("foe",),
}
"""What each ruling has to name, and nothing else."""


# -- the Rule of Prime ----------------------------------------------------------------


def offers_of_prime(state: State, seat: Seat) -> Offers:
    own = by_known_ends(state, seat, remaining(state, seat))
    return [
        Offer(
            "prime-called",
            seat,
            {
                "card": Choice(cards),
                "end": Choice(ends),
                "foe": Choice((foe,)),
                "target": Choice(targets),
                "target_end": Choice(target_ends),
            },
        )
        for foe in standing(state.board)
        if foe != seat
        for cards, ends in own
        for targets, target_ends in by_known_ends(state, foe, remaining(state, foe))
    ]


def cannot_call(state: State, act: PrimeCalled) -> Verdict | None:
    return (
        cannot_meet(state, act)
        or checks.unknown_end(state, act.seat, act.card, (act.end,))
        or checks.unknown_end(state, act.foe, act.target, (act.target_end,))
    )


def may_not_call(state: State, act: PrimeCalled) -> Verdict | None:
    return checks.slagged(state, act.seat, act.card) or checks.slagged(state, act.foe, act.target)


def decide_call(story: Story, before: State, act: PrimeCalled) -> None:
    dot_matches = resolve_attack(before, act).dot_matches
    decides = act.seat if dot_matches else act.foe
    story.add(PrimeDecided(seat=decides, dot_matches=dot_matches))


# -- rulings --------------------------------------------------------------------------


def offers_of_rulings(state: State) -> Iterator[Offer]:
    """Yield the possible rulings of a zMarshal."""
    in_play, settled = standing(state.board), not checks.undecided(state)
    for foe in in_play:
        if settled and (left := remaining(state, foe)):
            yield _ruling("slag", foe=Choice((foe,)), target=Choice(left))
    for foe in seats_of(state):
        if heap := side_of(state, foe).slagged:
            yield _ruling("restore", foe=Choice((foe,)), target=Choice(heap))
    if state.board.check:
        yield _ruling("strikes", strikes=Range(0, most_strikes(state.options)))
    if stunned := [seat for seat in seats_of(state) if side_of(state, seat).stunned]:
        yield _ruling("unstun", foe=Choice(tuple(stunned)))
    if settled:
        yield _ruling("end-turn")
    yield _ruling("defeat", foe=Choice(tuple(in_play)))
    yield _ruling("award", foe=Choice(tuple(seats_of(state))))


def _ruling(what: str, **fields: Field) -> Offer:
    return Offer("ruled", None, {"what": Choice((what,)), **fields, "note": Free("note")})


def cannot_rule(state: State, act: Ruled) -> Verdict | None:
    given = {"foe": act.foe, "target": act.target or None, "strikes": act.strikes}
    if tuple(name for name, value in given.items() if value is not None) != NEEDS[act.what]:
        return impossible("ruling-unclear", "ZG LEA-3", what=act.what)
    if act.what in ("defeat", "end-turn") and state.board.outcome:
        return impossible("match-over", "ZG DMG-6")
    if act.what == "strikes" and state.board.check is None:
        return impossible("no-test-to-rule-on", "ZG LEA-3")
    if act.foe is None:
        return None
    if act.what in ("slag", "defeat"):
        verdict = checks.not_in_play(state, act.foe)
    else:
        verdict = checks.no_such_seat(state, act.foe)
    if verdict or not act.target:
        return verdict
    return checks.no_such_card(state, act.foe, act.target)


def may_not_rule(state: State, act: Ruled) -> Verdict | None:
    if act.what in ("slag", "end-turn") and (verdict := checks.undecided(state)):
        return verdict
    if act.what == "slag" and act.foe:
        return checks.slagged(state, act.foe, act.target)
    if act.what == "restore" and act.foe and act.target not in side_of(state, act.foe).slagged:
        return irregular("not-slagged", "ZG LEA-3", seat=act.foe, card=act.target)
    if act.what == "unstun" and act.foe and not side_of(state, act.foe).stunned:
        return irregular("not-stunned", "ZG LEA-3", seat=act.foe)
    if act.what == "strikes" and act.strikes is not None:
        most = most_strikes(state.options)
        if act.strikes > most:
            return irregular("too-many-strikes", "ZG 6.5", strikes=act.strikes, most=most)
    return None


def decide_ruling(story: Story, before: State, act: Ruled) -> None:
    check = story.state.board.check
    if act.what == "strikes" and check and act.strikes is not None:
        undo(story, check)
        return_seats(story, check)
        deal_called(story, act.strikes, check.dot_matches)
    if act.foe is None:
        return
    if act.what == "slag":
        slag(story, act.foe, act.target)
    elif act.what == "restore" and act.target in side_of(before, act.foe).slagged:
        story.add(CardRestored(seat=act.foe, card=act.target))
    elif act.what == "unstun" and side_of(before, act.foe).stunned:
        story.add(StunLifted(seat=act.foe))
    elif act.what == "defeat":
        story.add(SeatDefeated(seat=act.foe, why="ruling"))
    elif act.what == "award":
        story.add(match_won(story.state, act.foe, "by-award"))


def fold_ruling(board: Board, act: Ruled) -> Board:
    """Close what a ruling makes obsolete: the follow-up of a test that now counts differently."""
    if act.what == "strikes":
        return replace(board, follow_up=None)
    if act.what != "end-turn":
        return board
    sides = tuple(replace(side, pulses=side.most) for side in board.sides)
    return with_nothing_open(board, sides=sides, current=board.current)


# -- the depth ------------------------------------------------------------------------


def offers_of_depth(state: State) -> Iterator[Offer]:
    others = tuple(depth for depth in DEPTHS if depth != state.board.depth)
    yield Offer("options-changed", None, {"depth": Choice(others)})


def may_not_change(state: State, act: OptionsChanged) -> Verdict | None:
    if act.depth == state.board.depth:
        return irregular("depth-unchanged", "", depth=act.depth)
    return None


def fold_change(board: Board, act: OptionsChanged) -> Board:
    """Change the depth. What is open stays open, as far as both depths record it.

    What only the whole rulebook records is unknown when its recording starts again; so is how far
    a turn has come, after nothing but slags was recorded.
    """
    sides, current = board.sides, board.current
    if act.depth == "full" != board.depth:
        sides = tuple(replace(side, stance="unknown", down=None, unseen=True) for side in sides)
    if board.depth == "score":
        sides, current = tuple(fresh(side, last=()) for side in sides), 0
    if "score" in (board.depth, act.depth):
        board, loss = with_nothing_open(board, sides=sides, current=current), board.loss
        return replace(board, depth=act.depth, loss=loss)
    walk = None if board.walk and board.walk.attacked else board.walk
    return replace(board, depth=act.depth, sides=sides, walk=walk, blow=None)


FOLDS: Folds = {PrimeDecided: keep}
RULES: Rules = {
    PrimeCalled: Rule(cannot=cannot_call, may_not=may_not_call, decide=decide_call, depths=DEPTHS),
    Ruled: Rule(
        cannot=cannot_rule,
        may_not=may_not_rule,
        decide=decide_ruling,
        fold=fold_ruling,
        depths=DEPTHS,
    ),
    OptionsChanged: Rule(may_not=may_not_change, fold=fold_change, depths=DEPTHS),
}
