"""The feed: entries of all logs one may see, in the order they became known to one."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q

from matches import cuts, policy, rows
from matches.chain import Record
from matches.models import Event, FeedHead, Match, Note, Publication
from matches.policy import Actor
from matches.selectors import Shown, eyes, shown, shown_version, withholding


class Stretch(NamedTuple):
    """Entries each with its match, the position to go on from, and whether there may be more."""

    entries: list[tuple[Match, Shown]]
    last: int
    more: bool


def feed(actor: Actor, after: int = 0, limit: int = 100) -> Stretch:
    """Return the entries after a position, at most `limit`, each told once.

    What was held back from the actor when it was recorded is told at the position at which it
    became public. All up to the feed's head is committed, so nothing can appear before it.
    """
    cuts.move_all()
    head = FeedHead.objects.values_list("position", flat=True).get()
    places = sorted({*_own(actor, after, head, limit), *_published(actor, after, head, limit)})
    told = places[:limit]
    if not told:
        return Stretch([], after, more=False)
    entries = list(_entries(actor, told))
    return Stretch(entries, last=told[-1].position, more=len(places) >= limit)


class Place(NamedTuple):
    """Where the feed tells an entry."""

    position: int
    log: UUID
    version: int


def _own(actor: Actor, after: int, head: int, limit: int) -> Iterator[Place]:
    """Yield the entries told where they were recorded."""
    visible, whole = policy.visible_matches(actor), policy.whole_matches(actor)
    later = Publication.objects.filter(
        log=OuterRef("log"), first__lte=OuterRef("version"), last__gte=OuterRef("version")
    )
    shown = Q(log__public_version=None) | Q(version__lte=F("log__public_version"))
    acts = Event.objects.filter(
        Q(log__match__in=whole) | (shown & ~Exists(later)),
        ordinal=0,
        position__gt=after,
        position__lte=head,
        log__match__in=visible,
    )
    found = acts.order_by("position").values_list("position", "log_id", "version")[:limit]
    yield from map(Place._make, found)


def _published(actor: Actor, after: int, head: int, limit: int) -> Iterator[Place]:
    """Yield the entries told where they became public, to those who had not seen them before."""
    stretches = Publication.objects.filter(
        end__gt=after, position__lte=head, log__match__in=policy.visible_matches(actor)
    ).exclude(log__match__in=policy.whole_matches(actor))
    for stretch in stretches.order_by("position")[:limit]:
        start = max(after + 1, stretch.position)
        for position in range(start, min(stretch.end, start + limit - 1, head) + 1):
            yield Place(position, stretch.log_id, stretch.first + position - stretch.position)


def _entries(actor: Actor, places: list[Place]) -> Iterator[tuple[Match, Shown]]:
    """Yield the entries of places in the feed, as an actor may see them."""
    matches = Match.objects.select_related("log").prefetch_related("seats", "officials")
    seen = matches.in_bulk({place.log for place in places})
    texts = dict(Note.objects.filter(log__in=seen).values_list("digest", "text"))
    records = _records(places)
    eyes_of = {pk: eyes(actor, match, shown_version(actor, match)) for pk, match in seen.items()}
    withheld = {pk: withholding(match, eyes_of[pk]) for pk, match in seen.items()}
    for position, log, version in places:
        match, record = seen[log], records[log, version]
        yield match, shown(match.log, record, position, texts, eyes_of[log], withheld[log])


def _records(places: list[Place]) -> dict[tuple[UUID, int], Record]:
    """Return the entries of places as they are stored, by log and version."""
    wanted = Q(pk__in=[])
    for log, part in groupby(sorted(places, key=itemgetter(1, 2)), itemgetter(1)):
        wanted |= Q(log_id=log, version__in=[place.version for place in part])
    columns = ("log_id", *rows.COLUMNS)
    stored = Event.objects.filter(wanted).order_by("log_id", "version", "ordinal")
    found = {}
    for key, group in groupby(stored.values_list(*columns), itemgetter(0, 1)):
        found[key] = rows.record_of([dict(zip(columns, row, strict=True)) for row in group])
    return found
