"""What belongs to the demo: recognised by the ids of acts, whatever its present name.

What somebody else recorded in is theirs as well, and the demo leaves it alone.
"""

from collections.abc import Sequence
from uuid import UUID, uuid5

from league.models import Tournament
from matches.actors import Actor
from matches.models import Event, Log, Match

IN_A_CUP = ("season ", "time of round ")
IN_A_MATCH = ("", "told ")
"""Prefixes of the number in the ids of the demo's acts."""


def cup(by: Actor, act_id: UUID) -> Tournament | None:
    """Return the tournament that an actor opened by an act."""
    rows = Tournament.objects.select_related("log", "season__league")
    return rows.filter(log__in=_opened(by, act_id)).first()


def match(by: Actor, act_id: UUID) -> Match | None:
    """Return the match that an actor opened by an act."""
    return Match.objects.select_related("log").filter(log__in=_opened(by, act_id)).first()


def _opened(by: Actor, act_id: UUID) -> list[UUID]:
    first = Event.objects.filter(
        version=1, ordinal=0, act_id=act_id, recorded_by=by.player_id, log__imported_version=0
    )
    return list(first.values_list("log_id", flat=True))


def is_touched(log: Log, words: Sequence[str]) -> bool:
    """Tell whether anybody but the demo recorded in a log, or withdrew it.

    The demo's ids there are `uuid5(log, word + number)`; followers' acts have no author.
    """
    if log.is_withdrawn:
        return True
    numbers = range(log.head_version + 1)
    own = {uuid5(log.pk, f"{word}{number}") for word in words for number in numbers}
    recorded = log.events.filter(ordinal=0, version__gt=1).exclude(recorded_by=None)
    return any(act_id not in own for act_id in recorded.values_list("act_id", flat=True))
