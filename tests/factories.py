"""Data for tests, made through the services as the site makes it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, TypeVar
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

import rules
from matches import actors, decks, keys, memory, selectors, services
from matches.actors import Actor
from matches.log import Receipt
from matches.models import Log, Match
from matches.services import SeatRequest

PASSWORD = "a long and boring password"
_numbers = count(1)

T = TypeVar("T")


def user(name: str = "") -> User:
    """Return a new user with a player; names without a number are the caller's to keep unique."""
    return services.sign_up(username=name or f"user-{next(_numbers)}", password=PASSWORD)


def key(user: User) -> str:
    """Return a new key that may do all its user may, and was used today already."""
    today = timezone.now().date()
    return keys.issue(user, name="A test", scopes=[*keys.SCOPES], used_on=today)


def actor(name: str = "") -> Actor:
    """Return a new user as one who asks."""
    return actors.actor_for(user(name))


def match(
    by: Actor | None = None,
    game: str = "score",
    seats: int | list[SeatRequest] = 2,
    **details: Any,
) -> Match:
    """Open a match and return it as a request would find it."""
    opener = by or actor()
    if isinstance(seats, int):
        seats = [SeatRequest(label=f"Side {number}") for number in range(1, seats + 1)]
    opened = services.open_match(by=opener, ruleset=game, seats=seats, **details)
    return selectors.match_for(opener, opened.code)


def duel() -> Match:
    """Open a match of Z-G between two starter figures."""
    figures = zip(
        ("Yow Ferrin", "Ezut Marr"), decks.samples(rules.get("zg")).values(), strict=False
    )
    return match(game="zg", seats=[SeatRequest(name=name, deck=deck) for name, deck in figures])


def opener_of(match: Match) -> Actor:
    """Return who opened a match, as one who asks."""
    assert match.opener is not None
    return Actor(match.opener.user, match.opener)


def points(seat: int = 1, points: int = 1) -> dict[str, Any]:
    """Return an act of the game `score`."""
    return {"type": "points-scored", "seat": seat, "points": points}


def record(match: Match, act: dict[str, Any] | None = None, **details: Any) -> Receipt:
    """Record an act (points for seat 1 when none is given) by the match's opener."""
    by = details.pop("by", None) or opener_of(match)
    act_id = details.pop("act_id", None) or uuid4()
    return services.record(match=match, by=by, act_id=act_id, act=act or points(), **details)


def played(acts: int = 5, **details: Any) -> Match:
    """Return a match in which some points were scored."""
    opened = match(**details)
    for number in range(acts):
        record(opened, points(seat=1 + number % 2))
    return opened


@contextmanager
def built_once(build: Callable[[], T], blocker: Any) -> Iterator[T]:
    """Build something for all tests of a module, its logs in memory, and leave nothing of it."""
    with blocker.unblock(), transaction.atomic():
        found = build()
        logs = list(Log.objects.all())
        for log in logs:
            memory._keep(memory.loaded(log))  # what a transaction may undo is kept by nobody else
        yield found
        for log in logs:
            memory.forget(log)
        transaction.set_rollback(True)
