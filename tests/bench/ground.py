"""What the parts stand on: who records, and a match by points."""

import uuid
from typing import Any

from django.db import connection

from matches import policy, services
from matches.models import Match


def engine() -> str:
    """Return what the database is called."""
    return {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.vendor]


def scribe() -> Any:
    """Return somebody new who records."""
    user = services.sign_up(username=f"bench-{uuid.uuid4().hex[:8]}", password=uuid.uuid4().hex)
    return policy.actor_for(user)


def match_by_points(by: Any) -> Match:
    seats = [services.SeatRequest(name="One"), services.SeatRequest(name="Two")]
    return services.open_match(by=by, ruleset="score", options={"best_of": 1}, seats=seats)


def points(number: int) -> dict[str, Any]:
    """Return one act of a match by points."""
    return {"type": "points-scored", "seat": 1 + number % 2, "points": number % 7}


def record(match: Match, by: Any, act: Any) -> None:
    services.record(match=match, by=by, act_id=uuid.uuid4(), act=act)
