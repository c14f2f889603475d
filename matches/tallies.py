"""How often each side of a coin or card end came up: for whom, by whom spun, in which match."""

from collections import Counter
from typing import Any, NamedTuple

from django.db.models import Case, F, Sum, When

from matches import cuts, policy
from matches import log as logs
from matches.draws import MOST_VALUES, spins
from matches.followers import Follower
from matches.models import Log, Player, SpinTally
from matches.policy import Actor
from rules.replay import Timeline

Key = tuple[int, str, str, str]
"""Seat (0 for the table), source, purpose, value."""


class SpinTallies(Follower):
    """Keeps how the spins of each match fell that anyone may look at."""

    def project(self, log: Log) -> None:
        timeline = logs.load(log)
        now = counts_at(timeline, log.head_version)
        told = counts_at(timeline, cuts.public_version(log))
        SpinTally.objects.filter(log=log).delete()
        SpinTally.objects.bulk_create(
            SpinTally(
                log=log,
                seat=key[0],
                source=key[1],
                purpose=key[2],
                value=key[3],
                count=now[key],
                public_count=told[key],
            )
            for key in sorted(now.keys() | told.keys())
        )


def counts_at(timeline: Timeline, version: int) -> Counter[Key]:
    """Return how often each result fell among what counts at a version, and the public may see."""
    if not version:
        return Counter()
    history = frozenset(timeline.effective(version))
    return Counter(
        (spin.seat, spin.source, spin.draw.purpose, str(spin.draw.values[spin.index]))
        for spin in spins(timeline, version, "public")
        if spin.version in history and len(spin.draw.values) <= MOST_VALUES
    )


class Fallen(NamedTuple):
    """How a player's spins for one purpose fell, from one source, over all their matches."""

    purpose: str
    source: str
    counts: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def tallies_of(actor: Actor, player: Player) -> list[Fallen]:
    """Return how a player's spins fell, in the matches an actor may see, as far as they may."""
    known = Case(
        When(log__match__in=policy.whole_matches(actor), then="count"), default="public_count"
    )
    rows: Any = (
        SpinTally.objects.filter(log__match__in=policy.visible_matches(actor))
        .exclude(log__status=Log.Status.WITHDRAWN)
        .filter(log__match__seats__player=player, log__match__seats__number=F("seat"))
        .annotate(known=known)
        .order_by("purpose", "source", "value")
    )
    found: dict[tuple[str, str], dict[str, int]] = {}
    for row in rows.values("purpose", "source", "value").annotate(total=Sum("known")):
        if row["total"]:
            found.setdefault((row["purpose"], row["source"]), {})[row["value"]] = row["total"]
    return [Fallen(*kind, counts) for kind, counts in found.items()]
