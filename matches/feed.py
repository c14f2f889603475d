"""The feed: entries of all logs one may see, in the order they were recorded."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple
from uuid import UUID

import rules
from matches import policy, rows
from matches.chain import Record
from matches.models import Event, Match, Note
from matches.policy import Actor
from matches.selectors import Shown, shown, shown_version


class Stretch(NamedTuple):
    """Entries each with its match, the position to go on from, and whether there may be more."""

    entries: list[tuple[Match, Shown]]
    last: int
    more: bool


def feed(actor: Actor, after: int = 0, limit: int = 100) -> Stretch:
    """Return the entries after a position, at most `limit`.

    What becomes visible later is not told again here: its own log tells it whole.
    """
    acts = Event.objects.filter(
        ordinal=0, position__gt=after, log__match__in=policy.visible_matches(actor)
    )
    places = list(acts.order_by("position").values_list("position", "log_id")[:limit])
    if not places:
        return Stretch([], after, more=False)
    matches = Match.objects.select_related("log").prefetch_related("seats", "officials")
    seen = matches.in_bulk({log for _, log in places})
    texts = dict(Note.objects.filter(log__in=seen).values_list("digest", "text"))
    told = []
    for log, position, record in _records([position for position, _ in places]):
        match = seen[log]
        if record.version <= shown_version(actor, match):
            eyes = policy.audience(actor, match)
            ruleset = rules.get(match.log.ruleset)
            told.append((match, shown(match, ruleset, record, position, texts, eyes)))
    return Stretch(told, last=places[-1][0], more=len(places) == limit)


def _records(positions: list[int]) -> Iterator[tuple[UUID, int, Record]]:
    columns = ("log_id", *rows.COLUMNS)
    stored = Event.objects.filter(position__in=positions).order_by("position", "ordinal")
    for _, group in groupby(stored.values_list(*columns), itemgetter(columns.index("position"))):
        events = [dict(zip(columns, row, strict=True)) for row in group]
        yield events[0]["log_id"], events[0]["position"], rows.record_of(events)
