"""How often each side of a coin or card end came up: for whom, spun by whom, in which match."""

from collections import Counter
from itertools import groupby
from operator import itemgetter

from django.db.models import Case, F, QuerySet, When

from matches import cuts, policy
from matches import log as logs
from matches.actors import Actor
from matches.draws import Spin, Tally, alike, spins
from matches.followers import Follower
from matches.models import Log, Player, SpinTally, withdrawn
from rules.replay import Timeline

Key = tuple[int, str, str, str]
"""Seat (0 for the table), source, purpose, value."""


class SpinTallies(Follower):
    """Counts the spins of each match that anyone may see."""

    version = 2

    def stands(self, log: Log, timeline: Timeline, since: int) -> bool:
        """Only a spin changes the counts."""
        return log.public_version is None and not any(
            spins(timeline, log.head_version, "public", after=since)
        )

    def project(self, log: Log) -> None:
        timeline = logs.load(log)
        now = counts_at(timeline, log.head_version)
        last = cuts.public_version(log)
        public = now if last == log.head_version else counts_at(timeline, last)
        SpinTally.objects.filter(log=log).delete()
        SpinTally.objects.bulk_create(
            SpinTally(
                log=log,
                seat=key[0],
                source=key[1],
                purpose=key[2],
                value=key[3],
                count=now[key],
                public_count=public[key],
            )
            for key in sorted(now.keys() | public.keys())
        )


def counts_at(timeline: Timeline, version: int) -> Counter[Key]:
    """Return how often each result came up in what counts at a version and is public.

    Possible results that never came up are included with 0.
    """
    history = frozenset(timeline.effective(version) if version else ())
    kinds: dict[tuple[int, str, str], list[Spin]] = {}
    for spin in spins(timeline, version, "public"):
        if spin.version in history:
            kinds.setdefault((spin.seat, spin.source, spin.draw.purpose), []).append(spin)
    counts = Counter[Key]()
    for kind, found in kinds.items():
        if alike([spin.draw for spin in found]):
            counts.update({(*kind, str(value)): 0 for value in found[0].draw.values})
            counts.update((*kind, str(spin.draw.values[spin.index])) for spin in found)
    return counts


def tallies_of(actor: Actor, player: Player) -> list[Tally]:
    """Return the counts of a player's spins in matches, as far as an actor may see them."""
    own = SpinTally.objects.filter(
        log__match__seats__player=player, log__match__seats__number=F("seat")
    )
    return fallen(actor, own)


def fallen(actor: Actor, tallies: QuerySet[SpinTally]) -> list[Tally]:
    """Sum up counts of matches, as far as an actor may see them.

    Only spins with the same possible results are summed up. Counts too small to tell how even they
    are, such as of the last cards of a deck, are left out. Nothing is returned with results off.
    """
    if actor.results_off:
        return []
    known = Case(
        When(log__match__in=policy.whole_matches(actor), then="count"), default="public_count"
    )
    rows = (
        tallies.filter(log__match__in=policy.visible_matches(actor))
        .exclude(withdrawn())
        .annotate(known=known)
        .order_by("purpose", "source", "log", "seat", "value")
        .values_list("purpose", "source", "log", "seat", "value", "known")
    )
    found: dict[tuple[str, str, tuple[str, ...]], Counter[str]] = {}
    for (purpose, source, *_), group in groupby(rows, itemgetter(0, 1, 2, 3)):
        counts = {value: count for *_, value, count in group}
        if any(counts.values()):
            found.setdefault((purpose, source, tuple(counts)), Counter()).update(counts)
    results = [Tally(purpose, source, dict(each)) for (purpose, source, _), each in found.items()]
    return [each for each in results if each.as_uneven is not None]
