"""A tournament's desk as recorded in its log: its state, its entrants, and what the public sees.

Only organisers and judges see a round before it is published: until then the public's cut ends with
the entry before it was paired. Entries about rounds that were never published stay hidden, and so
do results that are held back.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID, uuid5

import msgspec
from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.utils.translation import gettext

from league import policy
from league.models import Entry, Tournament
from matches import log as logs
from matches.actors import Actor
from matches.errors import BadInput
from matches.followers import Follower
from matches.models import Event, Log
from rules.chaptered import kept
from rules.desk.acts import (
    AppealRejected,
    CutMade,
    DeskOpened,
    Entered,
    Options,
    PairingChanged,
    ResultConfirmed,
    ResultCorrected,
    ResultDisputed,
    ResultReported,
    ResultsShown,
    RoundClosed,
    RoundPaired,
    RoundPublished,
    Ruled,
    RulingAppealed,
    StageStarted,
    TournamentClosed,
    Waitlisted,
)
from rules.desk.state import Desk, Round, State, Table, open_round, round_at, round_under_way
from rules.replay import Timeline
from rules.ruleset import Act, Audience, TakenBack

RESULTS: tuple[type[Act], ...] = (
    ResultReported,
    ResultConfirmed,
    ResultDisputed,
    Ruled,
    ResultCorrected,
    RulingAppealed,
    AppealRejected,
    RoundClosed,
)
SHOWS = (ResultsShown, RoundPublished, TakenBack)  # what may show the public what was hidden
WHO = ("player", "character", "krewe")


class DeskFollower(Follower):
    """Follows desks only; it stores nothing for a match's log."""

    def project(self, log: Log) -> None:
        tournament = Tournament.objects.filter(pk=log.pk).first()
        if tournament is not None:
            tournament.log = log
            self.project_desk(tournament)

    @abstractmethod
    def project_desk(self, tournament: Tournament) -> None:
        """Make the rows for a tournament equal to its log at its head, as `project` has it."""

    def stands(self, log: Log, timeline: Timeline, since: int) -> bool:
        return not isinstance(timeline.at(since).state, State)


def timeline(tournament: Tournament) -> Timeline:
    """Return the folded desk log. It may be ahead of the head in the tournament's row."""
    return logs.load(tournament.log)


def state_at(tournament: Tournament, version: int | None = None) -> State:
    """Return the state at a version, by default at the head."""
    at = tournament.log.head_version if version is None else version
    found: State = timeline(tournament).at(at).state
    return found


def desk_of(tournament: Tournament) -> Desk:
    """Return the desk at the head."""
    return state_at(tournament).desk


def setup_of(tournament: Tournament) -> DeskOpened:
    """Return the act that opened the desk: its options."""
    return state_at(tournament).setup


def uncounted(options: Options, each: Round) -> list[Table]:
    """Return the tables of a round that have no result that counts."""
    counted = ("settled",) if options.confirmed_only else ("settled", "reported")
    return [table for table in each.tables if table.status not in counted]


# -- who is who ---------------------------------------------------------------------------


def entries_by_number(tournament: Tournament, desk: Desk) -> dict[int, Entry]:
    """Return the entries by their numbers at the desk, with players, characters and krewes."""
    return numbered(tournament, desk, tournament.entries.select_related(*WHO))


def read_entries(tournaments: Sequence[Tournament]) -> None:
    """Prefetch the entries of several tournaments with players, characters and krewes."""
    who = Prefetch("entries", Entry.objects.select_related(*WHO))
    prefetch_related_objects(tournaments, who)


def numbered(tournament: Tournament, desk: Desk, rows: Iterable[Entry]) -> dict[int, Entry]:
    """Return a tournament's entries by number; an entrant without a row gets an unsaved one."""
    by_ref = {str(entry.pk): entry for entry in rows}
    found: dict[int, Entry] = {}
    for number, person in enumerate(desk.people, 1):
        pk = entry_id(tournament.pk, desk, number)
        entry = by_ref.get(str(pk)) or Entry(pk=pk, tournament=tournament, label=person.label)
        entry.number = number
        found[number] = entry
    return found


def entry_id(tournament: UUID, desk: Desk, number: int) -> UUID:
    """Return the id of an entrant's row: the log's `ref`, or a derived one if that is no UUID."""
    try:
        return UUID(desk.people[number - 1].ref)
    except ValueError:
        return uuid5(tournament, f"entrant {number}")


def entries_there(tournament: Tournament) -> QuerySet[Entry]:
    """Return the rows of all entrants at the desk, without entries that were taken back."""
    return tournament.entries.filter(pk__in=_numbers(desk_of(tournament), tournament.pk))


def require_stage(desk: Desk, number: int) -> None:
    """Raises: BadInput for a stage that has not started, or is none."""
    if not 1 <= number <= len(desk.stages):
        detail = gettext("There is no stage {stage}.").format(stage=number)
        raise BadInput("no-such-stage", detail, "$.stage")


def names_of(tournament: Tournament, desk: Desk) -> dict[int, str]:
    """Return the names of entrants by number."""
    return {n: entry.name for n, entry in entries_by_number(tournament, desk).items()}


def names_at(tournament: Tournament, version: int, rows: Iterable[Entry]) -> dict[int, str]:
    """Return the names of entrants by the numbers they had at a version.

    After that version was taken back, the same number may belong to somebody else.
    """
    found = numbered(tournament, state_at(tournament, version).desk, map(copy, rows))
    return {number: entry.name for number, entry in found.items()}


def describe_entry(folded: Timeline, version: int, names: Mapping[int, str]) -> str:
    """Describe an entry after the first in words, with the names as of its version."""
    act, before = folded.entries[version - 1].act, folded.at(version - 1).state
    if isinstance(act, Entered | Waitlisted):
        name = names.get(len(before.desk.people) + 1, act.label)
        act = msgspec.structs.replace(act, label=name)
    return str(folded.ruleset.tell(act, before, names))


class Entrant(NamedTuple):
    """An entrant of a tournament, by number at the desk."""

    tournament: Tournament
    desk: Desk
    number: int


def called(entrants: Sequence[Entrant]) -> list[str]:
    """Return the names of entrants, of one or several tournaments, in one query."""
    ids = [entry_id(each.tournament.pk, each.desk, each.number) for each in entrants]
    rows = Entry.objects.select_related(*WHO).in_bulk(ids) if ids else {}
    found = []
    for each, pk in zip(entrants, ids, strict=True):
        entry = rows.get(pk)
        if entry is None or entry.tournament_id != each.tournament.pk:
            entry = Entry(pk=pk, label=each.desk.people[each.number - 1].label)
        entry.number = each.number
        found.append(entry.name)
    return found


def first_refs(tournament: Tournament) -> dict[int, str]:
    """Return the `ref` of whoever first had each number, whether that entry still counts or not."""
    return _first_refs(tournament.log, tournament.log.head_hash)


@lru_cache(maxsize=256)
def _first_refs(log: Log, head_hash: str) -> dict[int, str]:
    """Rows of a log are equal; the hash of the head tells what is in it."""
    timeline = logs.load(log)
    found: dict[int, str] = {}
    for entry in timeline.entries[: log.head_version]:
        if isinstance(entry.act, Entered | Waitlisted):
            number = len(timeline.at(entry.version).state.desk.people)
            found.setdefault(number, entry.act.ref)
    return found


def number_of(desk: Desk, entry: Entry | None) -> int:
    """Return an entry's number at the desk, 0 for none."""
    if entry is None:
        return 0
    return _numbers(desk, entry.tournament_id).get(entry.pk, 0)


@kept
def _numbers(desk: Desk, tournament: UUID) -> dict[UUID, int]:
    """Return the numbers of all entrants by the ids of their rows."""
    backwards = range(len(desk.people), 0, -1)  # so that the first of duplicates counts
    return {entry_id(tournament, desk, number): number for number in backwards}


def counts(entry: Entry) -> bool:
    """Return whether an entry is at the desk; the row of one taken back remains."""
    return number_of(desk_of(entry.tournament), entry) > 0


def number_for(actor: Actor, tournament: Tournament, desk: Desk) -> int:
    """Return the actor's entrant number, 0 for none."""
    return number_of(desk, policy.entry_of(actor, tournament))


# -- the public's cut ---------------------------------------------------------------------


class Cut(NamedTuple):
    """How much of a log a reader is shown: up to a version, as an audience, without `hidden`."""

    version: int
    audience: Audience
    hidden: frozenset[int]


def cut_for(actor: Actor, tournament: Tournament, audience: Audience | None = None) -> Cut:
    """Return how much an actor is shown, as their own audience or as the one given."""
    head = tournament.log.head_version
    eyes = policy.audience(actor, tournament) if audience is None else audience
    if eyes == "officials":
        return Cut(head, eyes, frozenset())
    found = public_cut(tournament)
    if wants_no_results(actor, tournament):
        return found._replace(
            version=min(found.version, _before_results(timeline(tournament), head))
        )
    return found


def wants_no_results(actor: Actor, tournament: Tournament) -> bool:
    """Return whether an actor has results off and no part in a tournament."""
    return actor.results_off and not (
        policy.is_official(actor, tournament) or policy.entry_of(actor, tournament)
    )


def _before_results(found: Timeline, head: int) -> int:
    """Return the version before the first result, counting or not."""
    results = (e.version for e in found.entries[:head] if isinstance(e.act, RESULTS))
    return next(results, head + 1) - 1


def public_cut(tournament: Tournament) -> Cut:
    """Return how much of a tournament the public is shown."""
    return _public_cut(tournament.log, tournament.log.head_hash)


@lru_cache(maxsize=256)
def _public_cut(log: Log, head_hash: str) -> Cut:
    found, head = logs.load(log), log.head_version
    return Cut(_last_public(found, head), "public", _hidden(found, head))


def _last_public(found: Timeline, head: int) -> int:
    """Return the version before the open round's pairing if it is unpublished, else the head."""
    desk = found.at(head).state.desk
    number = open_round(desk)
    if not number or round_at(desk, number).published:
        return head
    return min(_since_pairing(found, head)) - 1


def _since_pairing(found: Timeline, version: int) -> Iterator[int]:
    """Yield the versions that a version's state extends, back to when its last round was paired."""
    for before in found.backwards(version):
        yield before
        if isinstance(found.entries[before - 1].act, RoundPaired):
            return


def keeps_pairing(found: Timeline, version: int, cut: Cut) -> bool:
    """Return whether the state at a version has a pairing that a cut does not show."""
    if all(each.published for each in found.at(version).state.desk.rounds):
        return False
    return any(v > cut.version or v in cut.hidden for v in _since_pairing(found, version))


def _hidden(found: Timeline, head: int) -> frozenset[int]:
    """Return the versions hidden from the public: rounds never published, and held results."""
    shown = _published(found, head)
    held = found.at(head).state.desk.held
    hidden = set()
    for entry in found.entries[:head]:
        act = entry.act
        if (isinstance(act, RoundPaired | PairingChanged) and entry.version not in shown) or (
            held and _last_told(found, entry.version) >= held
        ):
            hidden.add(entry.version)
    return frozenset(hidden)


def shown_since(tournament: Tournament, since: int, upto: int) -> frozenset[int]:
    """Return what readers of the log up to `since` were not shown of it, but are at `upto`.

    They read it at any head from there on whose public cut reaches so far. Heads before an act of
    `SHOWS` suffice, as only such an act ends what is hidden.
    """
    found = timeline(tournament)
    hidden: set[int] = set()
    for entry in found.entries[since:upto] if since else ():
        head = entry.version - 1
        if isinstance(entry.act, SHOWS) and _last_public(found, head) >= since:
            hidden |= {version for version in _hidden(found, head) if version <= since}
    return frozenset(hidden - _hidden(found, upto)) if hidden else frozenset()


def _last_told(found: Timeline, version: int) -> int:
    """Return the last round whose results an entry reveals, 0 for none.

    A cut, the closing, and a stage's explicit seeds reveal the results of all rounds before, since
    they show the order of the entrants.
    """
    act = found.entries[version - 1].act
    names_seeds = isinstance(act, StageStarted) and act.players
    if isinstance(act, CutMade | TournamentClosed) or names_seeds:
        return len(found.at(version).state.desk.rounds)
    return getattr(act, "round", 0) if isinstance(act, RESULTS) else 0


def _published(found: Timeline, head: int) -> set[int]:
    """Return the versions that paired or changed a round that was published then or later."""
    shown: set[int] = set()
    for entry in found.entries[:head]:
        if isinstance(entry.act, RoundPublished):
            shown.update(_since_pairing(found, entry.version))
        elif isinstance(entry.act, PairingChanged) and _is_under_way(found, entry.version):
            shown.add(entry.version)
    return shown


def _is_under_way(found: Timeline, version: int) -> bool:
    return round_under_way(found.at(version).state.desk) != 0


def published_at(tournament: Tournament, version: int) -> dict[int, datetime]:
    """Return when each round that counts at a version was published."""
    found = timeline(tournament)
    acts = {
        act.round: each
        for each in found.effective(version)
        if isinstance(act := found.entries[each - 1].act, RoundPublished)
    }
    times = recorded_at(tournament, acts.values())
    return {number: times[each] for number, each in acts.items() if each in times}


def recorded_at(tournament: Tournament, versions: Iterable[int]) -> dict[int, datetime]:
    """Return when entries were recorded, by version."""
    rows = Event.objects.filter(log=tournament.pk, ordinal=0, version__in=list(versions))
    return {version: at for version, at in rows.values_list("version", "recorded_at") if at}
