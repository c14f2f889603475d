"""Live streams of a desk: its entries for programs, and change notices for its page."""

import hashlib
import re
from collections.abc import Hashable
from dataclasses import dataclass
from uuid import UUID

import msgspec
from django.db.models import Count

from league import desk_cuts, desk_reads, policy, selectors
from league.desk_cuts import Cut
from league.models import WITHDRAWN, Tournament
from matches.actors import NOBODY, Actor
from matches.api.auth import actor_in
from matches.api.responses import entry_response
from matches.audiences import Shown
from matches.streams import MAX_ENTRIES, Ask, Following, Frame, News, number_of


@dataclass(frozen=True)
class _OfDesk:
    """A reader of a desk; readers with the public's view share one stream.

    `last` is the head version of its log when they connected.
    """

    ask: Ask
    code: str
    log: UUID
    last: int
    shared: bool
    key: Hashable

    def seen(self) -> tuple[Actor, Tournament]:
        actor = NOBODY if self.shared else actor_in(self.ask())
        return actor, selectors.tournament_for(actor, self.code)


class Entries(_OfDesk):
    """The entries of a desk, in the format of `events/`.

    Each comes once, and those that were hidden once more when they are shown: before what shows
    them, under the cursor itself, so that they come again after a lost connection.
    """

    def begin(self, cursor: str) -> str:
        return str(min(number_of(cursor), self.last))

    def news(self, cursor: str) -> News:
        actor, tournament = self.seen()
        cut = desk_cuts.cut_for(actor, tournament)
        after = min(number_of(cursor), tournament.log.head_version)
        shown = desk_reads.entries(tournament, cut, after, MAX_ENTRIES)
        reached = shown[-1].version if shown else after
        frames = [_frame(after, each) for each in _late(tournament, cut, after, reached)]
        frames += [_frame(each.version, each) for each in shown]
        return News(tuple(frames), str(reached), more=reached < cut.version)


def _late(tournament: Tournament, cut: Cut, after: int, reached: int) -> list[Shown]:
    """Return the entries up to `after` that were hidden there and are shown at `reached`."""
    late: frozenset[int] = frozenset()
    if cut.audience != "officials":
        late = desk_cuts.shown_since(tournament, after, reached) - cut.hidden
    if not late:
        return []
    first, last = min(late), max(late)
    found = desk_reads.entries(tournament, cut, first - 1, last - first + 1)
    return [each for each in found if each.version in late]


def _frame(cursor: int, entry: Shown) -> Frame:
    return Frame(str(cursor), "entry", msgspec.json.encode(entry_response(entry)).decode())


class Moves(_OfDesk):
    """Notices that a desk's page has changed, which the page then requests as usual."""

    def begin(self, cursor: str) -> str:
        return cursor if re.fullmatch("[0-9a-f]{16}", cursor) else ""

    def news(self, cursor: str) -> News:
        actor, tournament = self.seen()
        cut = desk_cuts.cut_for(actor, tournament)
        played = tournament.matches.aggregate(all=Count("pk"), gone=Count("pk", WITHDRAWN))
        hidden = sorted(version for version in cut.hidden if version <= cut.version)
        content = [cut.version, str(cut.audience), hidden, played]
        mark = hashlib.sha256(msgspec.json.encode(content)).hexdigest()[:16]
        return News(() if mark == cursor else (Frame(mark, "moved", "{}"),), mark)


class _Source:
    kind: type[Entries | Moves]

    def open(self, ask: Ask, code: str) -> Following:
        actor = actor_in(ask())
        tournament = selectors.tournament_for(actor, code)
        everybody = policy.audience(actor, tournament) == "public" and not actor.results_off
        shared = everybody and policy.may_see(NOBODY, tournament)
        key = (self.kind, tournament.pk) if shared else object()
        last = tournament.log.head_version
        return self.kind(ask, tournament.code, tournament.pk, last, shared, key)


class EntriesSource(_Source):
    path = re.compile(r"/api/v1/tournaments/(?P<code>[^/]{1,40})/stream/")
    kind = Entries


class PageSource(_Source):
    path = re.compile(r"/tournaments/(?P<code>[^/]{1,40})/stream/")
    kind = Moves
