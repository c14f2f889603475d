"""Matches that give away a result by who sits there: `MATCH_SPOILERS` names how to find them.

A function named there returns the condition of the matches that an actor wants to know nothing of,
or None. It is called only for actors with results off.
"""

from collections.abc import Callable

from django.db.models import Q

from matches.actors import Actor
from matches.configured import functions
from matches.models import Seat

Spoilers = Callable[[Actor], Q | None]


def without_spoilers(actor: Actor) -> Q:
    """Return the condition of matches that may be listed: all, unless results are off."""
    if not actor.results_off:
        return Q()
    spoilers = Q(pk__in=[])
    known: list[Spoilers] = functions("MATCH_SPOILERS")
    for knows in known:
        spoilers |= knows(actor) or Q(pk__in=[])
    own = Q(pk__in=[pk for pk, _ in actor.seats])
    if actor.player is not None:
        own |= Q(pk__in=Seat.objects.filter(player=actor.player).values("match"))
    return own | ~spoilers
