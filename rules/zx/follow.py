"""What follows by itself: the rules that wait for nobody.

ZX-W7  Simultaneous rule effects come in an order: reload, excess charge, lethal damage, loss,
       then damage to a player.
ZX-A9  They are handled after each action, before the next.
"""

from rules.ruleset import Consequence
from rules.zx import battle, ending, life, opening, turn
from rules.zx.consequences import BattleDamaged, TurnStarted
from rules.zx.state import State, Story
from rules.zx.waiting import awaited


def follow(story: Story) -> None:
    """Add all that follows by itself, until the table has to say something."""
    while not story.state.board.outcome and story.state.board.depth == "full":
        event = next_event(story)
        if event is None:
            return
        if isinstance(event, TurnStarted) and ending.time_up(story.state):
            ending.decide_time_up(story)
            return
        story.add(event)


def next_event(story: Story) -> Consequence | None:
    state = story.state
    if state.board.stage != "running":
        return opening.next_event(state)
    if reload := life.next_reload(state):
        return reload
    waits, _ = awaited(state)
    if waits in ("reload", "charge"):
        return None
    in_battle = bool(story.events) and isinstance(story.events[-1], BattleDamaged)
    return (
        battle.next_destroyed(state, in_battle=in_battle)
        or ending.next_loss(state)
        or turn.next_draw(state)
        or _goes_on(state, waits)
    )


def _goes_on(state: State, waits: str) -> Consequence | None:
    """Return how the battle or the turn goes on, None while somebody is awaited."""
    if waits in ("keyword", "life", "reveal"):
        return None
    if state.board.battle:
        return battle.next_of_battle(state)
    return turn.next_phase(state)
