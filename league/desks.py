"""A tournament's desk as recorded in its log: its state, its entrants, and times."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
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
from matches.canonical import uuid_from
from matches.errors import BadInput
from matches.followers import Follower
from matches.models import Event, Log
from rules.chaptered import kept
from rules.desk.acts import (
    DeskOpened,
    Entered,
    RoundPublished,
    Waitlisted,
)
from rules.desk.state import Desk, State
from rules.replay import Entry as LogEntry
from rules.replay import Timeline

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
    named = uuid_from(desk.people[number - 1].ref)
    return named or uuid5(tournament, f"entrant {number}")


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


def recorded_as(tournament: Tournament, act_id: UUID) -> LogEntry | None:
    """Return the entry of the log that an act was recorded as, None if it is not there."""
    version = logs.version_of(tournament.log, act_id)
    return None if version is None else timeline(tournament).entries[version - 1]


# -- when --------------------------------------------------------------------------------


def published_at(tournament: Tournament, version: int) -> dict[int, datetime]:
    """Return when each round that counts at a version was published."""
    acts = {
        each.act.round: each.version
        for each in timeline(tournament).history(version)
        if isinstance(each.act, RoundPublished)
    }
    times = recorded_at(tournament.pk, acts.values())
    return {number: times[each] for number, each in acts.items() if each in times}


def recorded_at(log: UUID, versions: Iterable[int]) -> dict[int, datetime]:
    """Return when entries of a log were recorded, by version."""
    rows = Event.objects.filter(log=log, ordinal=0, version__in=list(versions))
    return {version: at for version, at in rows.values_list("version", "recorded_at") if at}
