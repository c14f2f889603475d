"""Desks in the feed of all logs: which entries an actor gets, and at which position.

Actors who rule a tournament get its entries where they were recorded. All others get an entry where
it became public: a round's pairings when it is published, held results when they are shown,
everything when the tournament is opened to everyone.
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from uuid import UUID

from django.db.models import Q, QuerySet

from league import desk_cuts, desk_reads, desks, policy
from league.models import Tournament
from matches import cuts
from matches.actors import Actor
from matches.feed import LogKind, Teller
from matches.models import Publication


class Publications(desks.DeskFollower):
    """Gives each entry of a desk one position in the public's feed once it may be public.

    A position never changes. The checkpoint's lock serializes publishing within a log.
    """

    def project_desk(self, tournament: Tournament) -> None:
        if policy.is_public(tournament):
            for first, last in stretches(sorted(_unpublished(tournament))):
                cuts.publish(tournament.log, first - 1, last)


def _unpublished(tournament: Tournament) -> set[int]:
    """Return the versions that the public may know and that have no position yet."""
    cut = desk_cuts.public_cut(tournament)
    found = set(range(1, cut.version + 1)) - cut.hidden
    publications = Publication.objects.filter(log=tournament.pk)
    for first, last in publications.values_list("first", "last"):
        found.difference_update(range(first, last + 1))
    return found


def stretches(versions: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last of each gapless run of sorted versions."""
    for _, run in groupby(enumerate(versions), lambda each: each[1] - each[0]):
        found = [version for _, version in run]
        yield found[0], found[-1]


class Tournaments(LogKind):
    """Desks: rulers of a tournament get all of its log, others what has become public."""

    name = "tournament"

    def own(self, actor: Actor) -> Q:
        return Q(log__in=_logs(policy.ruled_tournaments(actor)))

    def late(self, actor: Actor) -> QuerySet[Publication]:
        public = Publication.objects.filter(log__in=_logs(policy.public_tournaments()))
        return public.exclude(log__in=_logs(policy.ruled_tournaments(actor)))

    def tellers(self, actor: Actor, logs: Collection[UUID]) -> dict[UUID, Teller]:
        found = Tournament.objects.select_related("log").in_bulk(logs)
        return {pk: _teller(actor, tournament) for pk, tournament in found.items()}


def _logs(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament, UUID]:
    return tournaments.order_by().values_list("pk", flat=True)


def _teller(actor: Actor, tournament: Tournament) -> Teller:
    cut = desk_cuts.cut_for(actor, tournament)
    return Teller(tournament.code, desk_reads.showing(tournament, cut))
