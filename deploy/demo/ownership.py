"""What belongs to the demo: recognised by the ids of acts, whatever its present name.

What somebody else recorded in is theirs as well, and the demo leaves it alone. What is the demo's
alone is withdrawn and made anew once a draft has changed and decides it otherwise.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import TypeVar
from uuid import UUID, uuid5

from django.db import transaction

import rules
from league import services as leagues
from league.models import Tournament
from matches import services, verify
from matches.actors import Actor
from matches.models import Event, Log, Match

_Found = TypeVar("_Found", Match, Tournament)

IN_A_CUP = ("season ", "time of round ")
IN_A_MATCH = ("", "told ")
"""Prefixes of the number in the ids of the demo's acts."""


def editions(namespace: UUID, name: str) -> Iterator[UUID]:
    """Yield the ids of the acts that open something: at first, and each time it is made anew."""
    yield uuid5(namespace, name)
    yield from (uuid5(namespace, f"{name} {edition}") for edition in count(2))


def cup(by: Actor, ids: Iterable[UUID], make: Callable[[UUID], Tournament]) -> Tournament:
    """Return the last edition of a tournament; `make` opens one if there is none, or anew."""
    last, following = _last(_cup, by, ids)
    return renewed(by, last, partial(make, following))


def match(by: Actor, ids: Iterable[UUID], make: Callable[[UUID], Match]) -> Match:
    """Return the last edition of a match; `make` opens one if there is none, or anew."""
    last, following = _last(_match, by, ids)
    return renewed(by, last, partial(make, following))


def renewed(by: Actor, last: _Found | None, make: Callable[[], _Found]) -> _Found:
    """Return what was made last, or make it: for the first time, or once it is outdated."""
    if last is not None and not is_outdated(last):
        return last
    with transaction.atomic():
        if isinstance(last, Tournament):
            leagues.withdraw(by=by, tournament=last)
        elif last is not None:
            services.withdraw(by=by, match=last)
        return make()


def last_cup(by: Actor, ids: Iterable[UUID]) -> Tournament | None:
    """Return the last edition of a tournament, None if it was never opened."""
    return _last(_cup, by, ids)[0]


def _match(by: Actor, act_id: UUID) -> Match | None:
    """Return the match that an actor opened by an act."""
    return Match.objects.select_related("log").filter(log__in=_opened(by, act_id)).first()


def _cup(by: Actor, act_id: UUID) -> Tournament | None:
    """Return the tournament that an actor opened by an act."""
    rows = Tournament.objects.select_related("log", "season__league")
    return rows.filter(log__in=_opened(by, act_id)).first()


def _last(
    find: Callable[[Actor, UUID], _Found | None], by: Actor, ids: Iterable[UUID]
) -> tuple[_Found | None, UUID]:
    """Return what was opened last under one of the ids, and the next of them, not used yet."""
    last = None
    for act_id in ids:
        found = find(by, act_id)
        if found is None:
            return last, act_id
        last = found
    raise AssertionError("editions do not end")


def _opened(by: Actor, act_id: UUID) -> list[UUID]:
    first = Event.objects.filter(
        version=1, ordinal=0, act_id=act_id, recorded_by=by.player_id, log__imported_version=0
    )
    return list(first.values_list("log_id", flat=True))


def is_theirs(found: Match | Tournament) -> bool:
    """Tell whether people recorded in a match, or at a tournament's desk or one of its tables."""
    words = IN_A_CUP if isinstance(found, Tournament) else IN_A_MATCH
    return _is_touched(found.log, words) or any(
        _is_touched(log, IN_A_MATCH) for log in _tables_of(found)
    )


def is_outdated(found: Match | Tournament) -> bool:
    """Tell whether changed rules decide otherwise what is the demo's alone."""
    return not is_theirs(found) and any(map(_is_decided_otherwise, [found.log, *_tables_of(found)]))


def _tables_of(found: Match | Tournament) -> list[Log]:
    if isinstance(found, Match):
        return []
    return [each.match.log for each in found.matches.select_related("match__log")]


def _is_decided_otherwise(log: Log) -> bool:
    """Prove a log by today's rules, unless they opened it or proved it before."""
    if log.rules_digest == rules.fingerprint():
        return False
    report = verify.verify(log)
    if report.ok:
        verify.remember_rules(log)
    return report.unverified


def _is_touched(log: Log, words: Sequence[str]) -> bool:
    """Tell whether anybody but the demo recorded in a log, or withdrew it.

    The demo's ids there are `uuid5(log, word + number)`; followers' acts have no author.
    """
    if log.is_withdrawn:
        return True
    numbers = range(log.head_version + 1)
    own = {uuid5(log.pk, f"{word}{number}") for word in words for number in numbers}
    since = max(log.imported_version, 1)
    recorded = log.events.filter(ordinal=0, version__gt=since).exclude(recorded_by=None)
    return any(act_id not in own for act_id in recorded.values_list("act_id", flat=True))
