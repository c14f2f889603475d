"""Rulings of officials, and changes to how the match is recorded."""

from collections.abc import Iterator, Mapping

from rules.fields import Choice, Field, Free
from rules.ruleset import Offer, Verdict, impossible, irregular
from rules.zerpang import checks
from rules.zerpang.abilities import open_spaces
from rules.zerpang.acts import DEPTHS, OptionsChanged, Ruled
from rules.zerpang.consequences import PiecePut
from rules.zerpang.defeat import ended, send_home
from rules.zerpang.state import (
    Rule,
    Rules,
    State,
    Story,
    Table,
    owner,
    pieces_on_board,
    playing,
    replace,
)
from rules.zerpang.turns import end_turn
from rules.zerpang.victory import game_ended

NEEDS: Mapping[str, tuple[str, ...]] = {
    "award": ("foe",),
    "draw": (),
    "place": ("piece", "to"),
    "home": ("piece",),
    "end-turn": (),
}
"""What each ruling has to name, and nothing else."""


def offers_of_rulings(state: State) -> Iterator[Offer]:
    """Yield the possible rulings of an official."""
    note = Free("note")
    yield Offer(
        "ruled",
        None,
        {"what": Choice(("award",)), "foe": Choice(tuple(playing(state))), "note": note},
    )
    yield Offer("ruled", None, {"what": Choice(("draw",)), "note": note})
    if state.table.turn is None or state.table.depth == "score":
        return
    for seat in playing(state):
        if pieces := pieces_on_board(state.table, seat):
            about: dict[str, Field] = {"piece": Choice(pieces), "note": note}
            free = Choice(open_spaces(state, seat))
            yield Offer("ruled", None, {"what": Choice(("place",)), "to": free, **about})
            yield Offer("ruled", None, {"what": Choice(("home",)), **about})
    yield Offer("ruled", None, {"what": Choice(("end-turn",)), "note": note})


def cannot_rule(state: State, act: Ruled) -> Verdict | None:
    given = {"foe": act.foe is not None, "piece": bool(act.piece), "to": bool(act.to)}
    if tuple(name for name, is_given in given.items() if is_given) != NEEDS[act.what]:
        return impossible("ruling-unclear", "", what=act.what)
    if act.what not in ("award", "draw") and state.table.turn is None:
        return impossible("not-begun", "ZP-S6")
    if act.foe is not None:
        return checks.not_playing(state, act.foe)
    if not act.piece:
        return None
    verdict = checks.not_on_board(state, act.piece)
    if verdict or not act.to:
        return verdict
    return checks.no_such_space(state, act.to) or checks.occupied(state, act.to)


def may_not_rule(state: State, act: Ruled) -> Verdict | None:
    if act.what not in ("award", "draw") and state.table.depth == "score":
        return irregular("other-depth", "", depth=state.table.depth)
    return checks.closed(state, owner(act.piece), act.to) if act.to else None


def decide_ruling(story: Story, before: State, act: Ruled) -> None:
    if act.what == "award" and act.foe:
        story.add(game_ended(before, (act.foe,), "by-award"))
    elif act.what == "draw":
        story.add(game_ended(before, (), "by-ruled-draw"))
    elif act.what == "place":
        story.add(PiecePut(seat=owner(act.piece), piece=act.piece, to=act.to))
    elif act.what == "home":
        send_home(story, act.piece)
    elif act.what == "end-turn":
        if story.table.fight:
            ended(story)
        end_turn(story)


# -- the depth ------------------------------------------------------------------------


def offers_of_depth(state: State) -> Iterator[Offer]:
    others = [each for each in DEPTHS if not may_not_change(state, OptionsChanged(depth=each))]
    if others:
        yield Offer("options-changed", None, {"depth": Choice(tuple(others))})


def may_not_change(state: State, act: OptionsChanged) -> Verdict | None:
    """Object to recording a game again that went on without: nobody knows how it stands."""
    if act.depth == state.table.depth:
        return irregular("depth-unchanged", "", depth=act.depth)
    if act.depth == "full" and state.table.turn:
        return irregular("went-on-unrecorded", "")
    return None


def fold_change(table: Table, act: OptionsChanged) -> Table:
    return replace(table, depth=act.depth)


RULES: Rules = {
    Ruled: Rule(
        cannot=cannot_rule, may_not=may_not_rule, decide=decide_ruling, depths=DEPTHS, running=False
    ),
    OptionsChanged: Rule(may_not=may_not_change, fold=fold_change, depths=DEPTHS, running=False),
}
