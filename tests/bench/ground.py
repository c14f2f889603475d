"""What the parts share: an actor who records, a match by points and a card game."""

import uuid
from collections.abc import Callable
from typing import Any

import msgspec
from django.db import connection

import rules
from matches import actors, services
from matches.models import Match
from rules import bots
from rules.ruleset import SeedRevealed, TakenBack


def engine() -> str:
    """Return the name of the database engine."""
    return {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.vendor]


def scribe() -> Any:
    """Return a new actor who records."""
    user = services.sign_up(username=f"bench-{uuid.uuid4().hex[:8]}", password=uuid.uuid4().hex)
    return actors.actor_for(user)


def match_by_points(by: Any) -> Match:
    seats = [services.SeatRequest(name="One"), services.SeatRequest(name="Two")]
    return services.open_match(by=by, ruleset="score", options={"best_of": 1}, seats=seats)


def points(number: int) -> dict[str, Any]:
    """Return one act of a match by points."""
    return {"type": "points-scored", "seat": 1 + number % 2, "points": number % 7}


def record(match: Match, by: Any, act: Any) -> None:
    services.record(match=match, by=by, act_id=uuid.uuid4(), act=act)


def played_by_bots() -> Any:
    """Return a match by the full rulebook, played by bots, with its dots spun at the table."""
    ruleset = rules.get("zg")
    setup = bots.sample_setup(ruleset, 1, seats=2, options={"depth": "full"})
    return bots.playout(ruleset, setup, 1)


def record_all(by: Any, played: Any, opened: int = 0) -> Callable[[], int]:
    """Return a function that records a whole card game, act by act, and returns its acts' number.

    `opened`: how many matches to open beforehand, so that only recording is measured.
    """
    setup = played.setup
    seats = [
        services.SeatRequest(label=seat.label, deck=msgspec.to_builtins(seat.deck))
        for seat in setup.seats
    ]
    options = msgspec.to_builtins(setup.options)
    acts = [_at_table(entry.act) for entry in played.entries[1:]]
    acts = [act for act in acts if not isinstance(act, SeedRevealed)]

    def fresh() -> Match:
        return services.open_match(by=by, ruleset="zg", options=options, seats=seats)

    ready = [fresh() for _ in range(opened)]

    def play() -> int:
        match = ready.pop() if ready else fresh()
        for act in acts:
            record(match, by, act if isinstance(act, TakenBack) else msgspec.to_builtins(act))
        return len(acts)

    return play


def _at_table(act: Any) -> Any:
    """Return an act with the site's draws marked as drawn at the table."""
    return msgspec.structs.replace(act, spin="table") if hasattr(act, "spin") else act
