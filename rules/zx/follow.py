"""Automatic consequences: the rules that apply without a player's action.

ZX-W7  Simultaneous rule effects come in an order: reload, excess charge, lethal damage, loss, then
       damage to a player.
ZX-A9  They are handled after each action, before the next.
"""

from rules.ruleset import Consequence
from rules.zx import battle, ending, life, opening, turn
from rules.zx.consequences import CardsRebooted, DamageCleared, PhaseEntered, TurnStarted
from rules.zx.state import State, Story
from rules.zx.waiting import due

QUIET = frozenset((TurnStarted, CardsRebooted, DamageCleared))


def follow(story: Story) -> None:
    """Add all automatic consequences, until the table has to act."""
    quiet = False
    while not story.state.board.outcome and story.state.board.depth == "full":
        event = _goes_on(story.state) if quiet else next_event(story)
        if event is None:
            return
        if ending.time_up(story.state) and isinstance(event, TurnStarted):
            ending.decide_time_up(story)
            return
        story.add(event)
        quiet = _is_quiet(event)


def _is_quiet(event: Consequence) -> bool:
    """Tell whether an automatic event cannot cause further rule effects."""
    return type(event) in QUIET or (type(event) is PhaseEntered and not event.draws)


def next_event(story: Story) -> Consequence | None:
    state = story.state
    if state.board.stage != "running":
        return opening.next_event(state)
    if reload := life.next_reload(state):
        return reload
    waits = due(state)
    if waits and waits[0] in ("reload", "charge"):
        return None
    event = (
        battle.next_destroyed(state, story.events)
        or ending.next_loss(state)
        or turn.next_draw(state)
    )
    return event if event or waits else _goes_on(state)


def _goes_on(state: State) -> Consequence | None:
    """Return how the battle or the turn continues, None while a seat is awaited."""
    if state.board.battle:
        return battle.next_of_battle(state)
    return turn.next_phase(state)
