"""The feed: entries of all logs an actor may see, in the order they became visible to them.

Floors register their kinds of logs in `FEED_LOGS`: a kind says who may see its logs, and at which
positions.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from matches import cuts, notify, policy, rows
from matches.actors import Actor
from matches.audiences import Shown, shown, texts_of, withholding
from matches.configured import instances
from matches.models import Event, Match, Publication
from matches.selectors import eyes, shown_version
from rules.chain import Record

Texts = dict[str, str]
"""The texts of notes, by digest."""


class Teller(NamedTuple):
    """How an actor is shown a log: its code, and a function from a record to what they may see."""

    code: str
    shown: Callable[[Record, int, Texts], Shown]


class LogKind(ABC):
    """One kind of logs. An actor is shown each of its entries at one position, or not at all."""

    name: str
    """The name of the field that holds the log's code, beside its entries."""

    def move(self) -> None:  # noqa: B027 (most are moved by whoever changes them)
        """Publish entries that have become public since, before a read."""

    @abstractmethod
    def own(self, actor: Actor) -> Q:
        """Return which acts (`Event`) an actor is shown where they were recorded."""

    @abstractmethod
    def late(self, actor: Actor) -> QuerySet[Publication]:
        """Return the publications an actor is shown."""

    @abstractmethod
    def tellers(self, actor: Actor, logs: Collection[UUID]) -> Mapping[UUID, Teller]:
        """Return how an actor is shown each of some logs."""


def kinds() -> tuple[LogKind, ...]:
    """Return the kinds of logs that the setting names. Raises: ImproperlyConfigured."""
    return instances("FEED_LOGS", LogKind)


# -- what is told -------------------------------------------------------------------------


class FeedEntry(NamedTuple):
    """An entry, with the kind of its log and the log's code."""

    kind: str
    code: str
    entry: Shown


class Stretch(NamedTuple):
    """Entries in order, the position to continue from, and whether there may be more."""

    entries: list[FeedEntry]
    last: int
    more: bool


class FeedPlace(NamedTuple):
    """A position of the feed: the log and version of the entry shown there."""

    position: int
    log: UUID
    version: int


def feed(actor: Actor, after: int = 0, limit: int = 100) -> Stretch:
    """Return the entries after a position, at most `limit`, each once.

    An entry that was held back from the actor when it was recorded is shown at the position at
    which it became public. Everything up to the feed's head is committed, so nothing can appear
    before it.
    """
    for kind in kinds():
        kind.move()
    head = notify.position()
    kind_at: dict[FeedPlace, LogKind] = {}
    for kind in kinds():
        kind_at |= dict.fromkeys(_own(kind.own(actor), after, head, limit), kind)
        kind_at |= dict.fromkeys(_published(kind.late(actor), after, head, limit), kind)
    places = sorted(kind_at)
    visible = places[:limit]
    if not visible:
        return Stretch([], min(after, head), more=False)
    entries = list(_entries(actor, {place: kind_at[place] for place in visible}))
    return Stretch(entries, last=visible[-1].position, more=len(places) >= limit)


def _own(which: Q, after: int, head: int, limit: int) -> Iterator[FeedPlace]:
    """Yield the entries shown where they were recorded."""
    acts = Event.objects.filter(which, ordinal=0, position__gt=after, position__lte=head)
    found = acts.order_by("position").values_list("position", "log_id", "version")[:limit]
    yield from map(FeedPlace._make, found)


def _published(
    which: QuerySet[Publication], after: int, head: int, limit: int
) -> Iterator[FeedPlace]:
    """Yield the entries shown where they became public, to actors who could not see them before."""
    stretches = which.filter(end__gt=after, position__lte=head)
    for stretch in stretches.order_by("end")[:limit]:  # none overlap
        start = max(after + 1, stretch.position)
        for position in range(start, min(stretch.end, start + limit - 1, head) + 1):
            yield FeedPlace(position, stretch.log_id, stretch.first + position - stretch.position)


def _entries(actor: Actor, places: Mapping[FeedPlace, LogKind]) -> Iterator[FeedEntry]:
    """Yield the entries at some positions of the feed, as an actor may see them."""
    logs: dict[LogKind, set[UUID]] = {}
    for place, kind in places.items():
        logs.setdefault(kind, set()).add(place.log)
    tellers = {kind: kind.tellers(actor, some) for kind, some in logs.items()}
    records = _records(list(places))
    texts = texts_of({place.log for place in places}, records.values())
    for (position, log, version), kind in places.items():
        teller = tellers[kind][log]
        yield FeedEntry(
            kind.name, teller.code, teller.shown(records[log, version], position, texts)
        )


def _records(places: list[FeedPlace]) -> dict[tuple[UUID, int], Record]:
    """Return the stored entries at some positions, by log and version."""
    wanted = Q(pk__in=[])
    for log, part in groupby(sorted(places, key=itemgetter(1, 2)), itemgetter(1)):
        wanted |= Q(log_id=log, version__in=[place.version for place in part])
    columns = ("log_id", *rows.COLUMNS)
    stored = Event.objects.filter(wanted).order_by("log_id", "version", "ordinal")
    found = {}
    for key, group in groupby(stored.values_list(*columns), itemgetter(0, 1)):
        found[key] = rows.record_of([dict(zip(columns, row, strict=True)) for row in group])
    return found


# -- matches ------------------------------------------------------------------------------


class Matches(LogKind):
    """Matches: the table sees entries where they were recorded, others where they became public."""

    name = "match"

    def move(self) -> None:
        cuts.move_all()

    def own(self, actor: Actor) -> Q:
        later = Publication.objects.filter(
            log=OuterRef("log"), first__lte=OuterRef("version"), last__gte=OuterRef("version")
        )
        public = Q(log__public_version=None) | Q(version__lte=F("log__public_version"))
        readable = Q(log__match__in=policy.whole_matches(actor)) | (public & ~Exists(later))
        return readable & Q(log__match__in=policy.visible_matches(actor))

    def late(self, actor: Actor) -> QuerySet[Publication]:
        visible = Publication.objects.filter(log__match__in=policy.visible_matches(actor))
        return visible.exclude(log__match__in=policy.whole_matches(actor))

    def tellers(self, actor: Actor, logs: Collection[UUID]) -> dict[UUID, Teller]:
        matches = Match.objects.select_related("log").prefetch_related("seats").in_bulk(logs)
        policy.foresee(actor, [*matches.values()])
        return {pk: _teller(actor, match) for pk, match in matches.items()}


def _teller(actor: Actor, match: Match) -> Teller:
    mine = eyes(actor, match, shown_version(actor, match))
    return Teller(
        match.code,
        partial(shown, match.log, as_=mine, withheld=withholding(match, mine)),
    )
