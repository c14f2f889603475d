"""Depth `score`: only slags, and who has won.

ZG DMG-6  The slag heaps decide here as well.
"""

from rules.fields import Choice
from rules.ruleset import Offer, Seat, Verdict
from rules.zg import checks
from rules.zg.acts import SlagCalled, WonCalled
from rules.zg.slag import slag
from rules.zg.state import Board, Offers, Rule, Rules, State, Story, foes, remaining, replace
from rules.zg.victory import match_won


def offers(state: State, seat: Seat) -> Offers:
    slags = [
        Offer("slag-called", seat, {"foe": Choice((foe,)), "target": Choice(remaining(state, foe))})
        for foe in (() if checks.undecided(state) else foes(state.board, seat))
    ]
    return [*slags, Offer("won-called", seat, {})]


def cannot_slag(state: State, act: SlagCalled) -> Verdict | None:
    return checks.not_two_seats(state, act.seat, act.foe) or checks.no_such_card(
        state, act.foe, act.target
    )


def may_not_slag(state: State, act: SlagCalled) -> Verdict | None:
    return (
        checks.undecided(state)
        or checks.own_krewe(state, act.seat, act.foe)
        or checks.slagged(state, act.foe, act.target)
    )


def decide_slag(story: Story, before: State, act: SlagCalled) -> None:
    slag(story, act.foe, act.target)


def fold_slag(board: Board, act: SlagCalled) -> Board:
    return replace(board, check=None, follow_up=None, drawn=None, loss=None)


def decide_win(story: Story, before: State, act: WonCalled) -> None:
    story.add(match_won(story.state, act.seat, "by-call"))


RULES: Rules = {
    SlagCalled: Rule(
        cannot=cannot_slag,
        may_not=may_not_slag,
        decide=decide_slag,
        fold=fold_slag,
        depths=("score",),
    ),
    WonCalled: Rule(cannot=checks.actor_not_in_play, decide=decide_win, depths=("score",)),
}
