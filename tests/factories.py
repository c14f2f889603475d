"""Factories for test data, which call the same services as the site."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, TypeVar
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone

import rules
from matches import actors, decks, keys, memory, selectors, services
from matches.actors import NOBODY, Actor
from matches.log import Receipt
from matches.models import Log, Match
from matches.services import SeatRequest

PASSWORD = "a long and boring password"
_numbers = count(1)

T = TypeVar("T")


def user(name: str = "") -> User:
    """Return a new user with a player; a `name` that is given must be unique."""
    return services.sign_up(username=name or f"user-{next(_numbers)}", password=PASSWORD)


def signed_in(user: Any, **options: Any) -> Client:
    """Return a client in which a user is signed in."""
    client = Client(**options)
    client.force_login(user)
    return client


def client_of(actor: Actor | None = None, **options: Any) -> Client:
    """Return a client in which an actor is signed in, if any."""
    user = actor.user if actor else None
    return signed_in(user, **options) if user else Client(**options)


def spared() -> Client:
    """Return the client of a stranger who has results off."""
    client = Client()
    client.cookies[actors.RESULTS_COOKIE] = "off"
    return client


def key(user: User) -> str:
    """Return a new API key with all of its user's rights, already marked as used today."""
    today = timezone.now().date()
    return keys.issue(user, name="A test", scopes=[*keys.SCOPES], used_on=today)


def actor(name: str = "") -> Actor:
    """Return a new user as an actor."""
    return actors.actor_for(user(name))


def cast(names: Iterable[str]) -> dict[str, Any]:
    """Return an actor by each name: `visitor` is nobody signed in, `site` runs the site."""
    found: dict[str, Any] = {name: actor() for name in sorted(names)} | {"visitor": NOBODY}
    runs = found["site"].user
    runs.is_superuser = runs.is_staff = True
    runs.save()
    return found


def match(
    by: Actor | None = None,
    game: str = "score",
    seats: int | list[SeatRequest] = 2,
    **details: Any,
) -> Match:
    """Open a match and return it freshly loaded, as a request would load it."""
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


HIT = {"type": "attacked", "seat": 1, "card": "Spacewing Backgear", "end": "a", "foe": 2}


def tested_duel() -> Match:
    """Open a duel with one test: armour-piercing on a weak point, 2 strikes or 3 by the reading."""
    opened = duel()
    record(opened, HIT | {"target": "Tide Shield", "target_end": "b"})
    return opened


def opener_of(match: Match) -> Actor:
    """Return the opener of a match as an actor."""
    assert match.opener is not None
    return Actor(match.opener.user, match.opener)


def points(seat: int = 1, points: int = 1) -> dict[str, Any]:
    """Return a points act of the game `score`."""
    return {"type": "points-scored", "seat": seat, "points": points}


def record(match: Match, act: dict[str, Any] | None = None, **details: Any) -> Receipt:
    """Record an act as the match's opener; points for seat 1 by default."""
    by = details.pop("by", None) or opener_of(match)
    act_id = details.pop("act_id", None) or uuid4()
    return services.record(match=match, by=by, act_id=act_id, act=act or points(), **details)


def correct(match: Match, version: int, act: dict[str, Any] | None) -> list[Receipt]:
    """Correct an entry of a match as its opener: by another act, or strike it out."""
    target = memory.loaded(match.log).marks[version - 1].act_id
    request = services.CorrectionRequest(target, act, "It was read wrongly.")
    by = opener_of(match)
    return services.correct(match=match, by=by, correction_id=uuid4(), request=request)


def played(acts: int = 5, **details: Any) -> Match:
    """Return a match in which points were scored `acts` times."""
    opened = match(**details)
    for number in range(acts):
        record(opened, points(seat=1 + number % 2))
    return opened


@contextmanager
def built_once(build: Callable[[], T], blocker: Any) -> Iterator[T]:
    """Build something once for all tests of a module, with its logs cached, and roll it back."""
    with blocker.unblock(), transaction.atomic():
        found = build()
        logs = list(Log.objects.all())
        for log in logs:
            memory.keep(memory.loaded(log))  # not cached before the commit otherwise
        yield found
        for log in logs:
            memory.forget(log)
        transaction.set_rollback(True)
