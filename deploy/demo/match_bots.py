"""A match played by bots, from its seed."""

from uuid import uuid5

from deploy.demo import ownership
from matches import log as logs
from matches import services
from matches.actors import Actor
from matches.models import Match
from rules import bots
from rules.replay import Timeline, play_of
from rules.ruleset import Act, event_type

TRIES = 100
PATIENCE = 400
"""Acts after which a bot gives up: cards may be left of which none can slag another."""

NOT_PLAY = {
    *("ruled", "conceded", "options-changed", "won-called", "prime-called", "test-called"),
    *("end-shown", "countdown-started", "all-lost", "all-won", "seats-placed"),
    *("special-won", "time-called", "effect-applied", "auto-triggered", "startup-used"),
}


def play_out(match: Match, scribe: Actor, seed: int, upto: int | None = None) -> None:
    """Record what bots choose in a match from its seed, until it ends or `upto` acts are in.

    The ids of the acts are derived from the match's: a second run, even after an interrupted one,
    records only what is missing. A match in which people recorded is left alone.
    """
    if ownership.is_theirs(match):
        return
    pick = bots.Stream(f"demo {seed}")
    timeline = logs.load(match.log)
    while not upto or len(timeline) < upto:
        act = _act(timeline, pick, goes_on=bool(upto))
        if act is None:
            break
        act_id = uuid5(match.pk, str(len(timeline) + 1))
        services.record(match=match, by=scribe, act_id=act_id, act=act)
        timeline = logs.load(match.log)


def _act(timeline: Timeline, pick: bots.Stream, *, goes_on: bool) -> Act | None:
    """Return a bot's act of plain play; with `goes_on`, one that does not end the match.

    No rulings, no calls of what could be played, and no giving up before it loses `PATIENCE`.
    """
    ruleset = timeline.ruleset
    if len(timeline) >= PATIENCE:
        return _giving_up(timeline, pick)
    for _ in range(TRIES):
        act = bots.keen_act(ruleset, timeline.head.state, pick)
        if act is None or event_type(act) not in NOT_PLAY:
            ends = act is not None and goes_on and _ends(timeline, act)
            if not ends:
                return act
    return None


def _giving_up(timeline: Timeline, pick: bots.Stream) -> Act | None:
    ruleset, state = timeline.ruleset, timeline.head.state
    offers = [offer for offer in ruleset.options(state) if offer.type == "conceded"]
    return bots.act_of(ruleset, offers[0], pick) if offers else None


def _ends(timeline: Timeline, act: Act) -> bool:
    """Tell whether an act would end the match, with its draws as the bot chose them."""
    _, after = play_of(timeline.ruleset)(timeline.head.state, act)
    return timeline.ruleset.outcome(after) is not None
