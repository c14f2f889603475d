"""The newest matches, live and ended, as home lists them.

Home is polled by everybody who has it open, and composing these queries took four fifths of such a
poll. So for the usual readers they are compiled once (ADR 0055).
"""

from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet

from matches import cuts
from matches.actors import NOBODY, Actor
from matches.models import Log, Match, Player
from matches.prepared import Prepared
from matches.seating import seat, with_json
from matches.selectors import begun_first, last_ended, of_status, seen_by

LIVE, ENDED = 6, 8  # as many as home shows


def newest(actor: Actor) -> tuple[list[Match], list[Match]]:
    """Return the newest live matches an actor may see, and those that ended last, with tables."""
    cuts.move_all()
    live, ended = _found(actor)
    for match in (*live, *ended):
        seat(match)
    return live, ended


def _found(actor: Actor) -> tuple[list[Match], list[Match]]:
    if actor.seats or actor.results_off or actor.is_superuser:
        return list(_live(actor)), list(_ended(actor))
    if actor.player is None:
        return _LIVE_OF_ALL(), _ENDED_OF_ALL()
    me = actor.player.pk
    return _LIVE_OF_PLAYER(player=me), _ENDED_OF_PLAYER(player=me)


def _live(actor: Actor) -> QuerySet[Match]:
    return begun_first(of_status(with_json(seen_by(actor)), Log.Status.OPEN))[:LIVE]


def _ended(actor: Actor) -> QuerySet[Match]:
    return last_ended(with_json(seen_by(actor)), ENDED)


def _player(pk: UUID) -> Actor:
    return Actor(User(), Player(pk=pk))


_SOMEBODY = UUID(int=1)
_LIVE_OF_ALL = Prepared(lambda: _live(NOBODY))
_ENDED_OF_ALL = Prepared(lambda: _ended(NOBODY))
_LIVE_OF_PLAYER = Prepared(lambda player: _live(_player(player)), player=_SOMEBODY)
_ENDED_OF_PLAYER = Prepared(lambda player: _ended(_player(player)), player=_SOMEBODY)
