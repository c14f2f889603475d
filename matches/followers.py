"""Followers: projections of logs, kept up to date by a worker.

`LOG_FOLLOWERS` names them. Every append writes, in its own transaction, that its log's followers
are due (`FollowJob`); a worker then projects the log for each of them. The rows of a projection and
the `Checkpoint` that says how far it has come are committed together, under a lock of the
checkpoint: no two workers project the same log at once, and no projection goes back.

A log that makes a follower fail is parked for that follower alone, with the error, until it is
retried by hand, by `manage.py rebuild`, or by another version of the follower's code.
"""

import logging
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from uuid import UUID

import msgspec
from django.core.exceptions import ImproperlyConfigured
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from matches import jobs
from matches import log as logs
from matches.configured import instances
from matches.errors import Busy
from matches.models import Checkpoint, FollowJob, Log
from matches.prepared import Prepared
from rules.replay import Timeline
from rules.ruleset import TakenBack

MAX_ROUNDS = 100
MAX_STARTS = 20  # of a job, if each time its worker dies
OF_THE_MOMENT = (OperationalError, InterfaceError, Busy)  # transient faults
REST = timedelta(seconds=2)  # between projections of a log: acts come in bursts

logger = logging.getLogger(__name__)


class Follower(ABC):
    """A projection of logs. Another `version` of its code projects every log again.

    If the timeline is ahead of the head that the log's row names, the row's head counts.
    """

    version = 1

    @property
    def name(self) -> str:
        """The name in settings, checkpoints and commands."""
        return f"{type(self).__module__}.{type(self).__qualname__}"

    @abstractmethod
    def project(self, log: Log) -> None:
        """Make the rows for a log equal to its effective history at its head.

        Called in a transaction that also moves the checkpoint. May be called again at any time, and
        after any other version of the code: it replaces what is there.
        """

    def stands(self, log: Log, timeline: Timeline, since: int) -> bool:
        """Tell whether rows projected at version `since` of a log are still right at its head.

        Then they are not projected again. Asked only if nothing was taken back in between, and the
        public version is the same.
        """
        return False

    def preview(self, log: Log, before: Timeline, after: Timeline) -> Iterable[str]:
        """Say, a sentence each, what would change here if the log went from `before` to `after`."""
        return ()


class Reconciler(Follower):
    """A follower that also appends to other logs."""

    @abstractmethod
    def reconcile(self, log: Log) -> None:
        """Append to other logs what this one says, where they disagree.

        Called outside any transaction, after each projection and perhaps again: an act is recorded
        under `uuid5(source log, version)`, so it is idempotent.
        """


class Change(msgspec.Struct, frozen=True):
    """What a change of a log would do to a follower's rows, in words."""

    follower: str
    text: str


@dataclass
class Tally:
    """Counts of how following logs ended: projected, already current, or parked."""

    projected: int = 0
    current: int = 0
    parked: int = 0

    def __iadd__(self, other: "Tally") -> "Tally":
        self.projected += other.projected
        self.current += other.current
        self.parked += other.parked
        return self


# -- which there are --------------------------------------------------------------------------


def followers() -> tuple[Follower, ...]:
    """Return the followers that the setting names. Raises: ImproperlyConfigured."""
    made = instances("LOG_FOLLOWERS", Follower)
    names = Counter(follower.name for follower in made)
    if twice := sorted(name for name, count in names.items() if count > 1):
        raise ImproperlyConfigured(f"LOG_FOLLOWERS names {', '.join(twice)} twice")
    return made


def named(name: str) -> list[Follower]:
    """Return the followers with a dotted path, or with its last part."""
    return [each for each in followers() if name in (each.name, each.name.rpartition(".")[2])]


def preview(log: Log, before: Timeline, after: Timeline) -> list[Change]:
    """Return what every follower says a change would do; `before` is the log as it is."""
    return [
        Change(follower.name, text)
        for follower in followers()
        for text in _previewed(follower, log, before, after)
    ]


def _previewed(follower: Follower, log: Log, before: Timeline, after: Timeline) -> Iterable[str]:
    try:
        return list(follower.preview(log, before, after))
    except (InterfaceError, OperationalError):  # of the database, not of the follower
        raise
    except Exception:
        logger.exception("%s cannot preview log %s", follower.name, log.pk)
        return [gettext("What this would change here cannot be told.")]


# -- following a log --------------------------------------------------------------------------


_LOG = Prepared(lambda log: Log.objects.filter(pk=log).select_related("match"), log=UUID(int=0))
_MARKS = Prepared(lambda log: Checkpoint.objects.filter(log=log), log=UUID(int=0))
_JOB = Prepared(lambda log: FollowJob.objects.filter(log=log), log=UUID(int=0))
_LAST_OF_OPEN = Prepared(
    lambda log: (
        Checkpoint.objects.filter(log=log, log__status=Log.Status.OPEN, moved_at__isnull=False)
        .order_by("-moved_at")
        .only("moved_at")[:1]
    ),
    log=UUID(int=0),
)


def _log(pk: UUID) -> Log:
    """Return a log as it is now, with the match it is of. Raises: Log.DoesNotExist."""
    log = _LOG.first(log=pk)
    if log is None:
        raise Log.DoesNotExist
    return log


def follow(
    pk: UUID,
    which: Sequence[Follower] | None = None,
    *,
    anew: bool = False,
    on_progress: Callable[[], object] = lambda: None,
) -> Tally:
    """Bring followers (all by default) to a log's head. `anew`: also current and parked ones.

    `on_progress` is called after each projection.

    Raises: the database's errors when it is down or overloaded; nothing is parked for those.
    """
    tally = Tally()
    chosen = followers() if which is None else which
    standing = () if anew else _let_stand(pk, chosen)
    for follower in chosen:
        try:
            came = Tally(projected=1) if follower in standing else _project(follower, pk, anew=anew)
            if came.projected:
                on_progress()
            if not came.parked and isinstance(follower, Reconciler):
                follower.reconcile(_log(pk))
        except OF_THE_MOMENT:
            raise
        except Exception as error:
            logger.exception("%s is parked at log %s", follower.name, pk)
            _park(follower, pk, f"{type(error).__name__}: {error}")
            came = Tally(parked=1)
        tally += came
    return tally


def _let_stand(pk: UUID, which: Sequence[Follower]) -> Sequence[Follower]:
    """Move the checkpoints of followers whose rows are still right to the head, and return those.

    In one update, conditional on where they were found, so that one that moved meanwhile is not
    touched.
    """
    log = _log(pk)
    marks = {mark.follower: mark for mark in _MARKS(log=pk) if not mark.error}
    try:
        timeline = logs.load(log)
        standing = [
            each
            for each in which
            if each.name in marks and _stands(each, marks[each.name], timeline, log)
        ]
    except OF_THE_MOMENT:
        raise
    except Exception:
        logger.exception("what stands of log %s cannot be told: it is projected", pk)
        return ()
    places: dict[tuple[int, int], list[int]] = {}
    for mark in (marks[each.name] for each in standing):
        places.setdefault((mark.version, mark.code), []).append(mark.pk)
    found = Q(pk__in=[])
    for (version, code), pks in places.items():
        found |= Q(pk__in=pks, version=version, code=code)
    still = Checkpoint.objects.filter(found, public_version=log.public_version, error="")
    moved = still.update(version=log.head_version, moved_at=timezone.now()) if standing else 0
    return standing if moved == len(standing) else ()


def _stands(follower: Follower, mark: Checkpoint, timeline: Timeline, log: Log) -> bool:
    """Tell whether a follower's rows, as of its checkpoint, are right at a log's head."""
    current = mark.code == follower.version and mark.public_version == log.public_version
    if not (current and 0 < mark.version < log.head_version):
        return False
    since = timeline.entries[mark.version : log.head_version]
    if any(entry.on is not None or isinstance(entry.act, TakenBack) for entry in since):
        return False
    return follower.stands(log, timeline, mark.version)


def _project(follower: Follower, pk: UUID, *, anew: bool) -> Tally:
    """Project a log at its head unless that is done, or it is parked; return which as a tally.

    The log is folded before the lock is taken; if it has moved on by then, it is folded again.
    """
    for _ in range(MAX_ROUNDS):
        before = _log(pk)
        logs.load(before)
        with transaction.atomic():
            mark = _locked(follower, pk)
            log = _log(pk)
            if not anew and mark.code == follower.version:
                if mark.error:
                    return Tally(parked=1)
                if (mark.version, mark.public_version) == (log.head_version, log.public_version):
                    return Tally(current=1)
            if log.head_version == before.head_version:
                follower.project(log)
                mark.version, mark.public_version = log.head_version, log.public_version
                mark.code, mark.error, mark.moved_at = follower.version, "", timezone.now()
                mark.save()
                return Tally(projected=1)
    raise Busy("busy", f"Log {pk} goes on faster than it can be followed.")


def rest(pk: UUID) -> float:
    """Return for how many more seconds a log rests: acts recorded meanwhile are followed together.

    A log that has ended does not rest: people wait for its result. Nor does one that was followed
    in what is now the future: the clock was set back.
    """
    last = _LAST_OF_OPEN.first(log=pk)
    if last is None or last.moved_at is None:
        return 0
    left = last.moved_at + REST - timezone.now()
    return left.total_seconds() if left <= REST else 0


def _locked(follower: Follower, pk: UUID) -> Checkpoint:
    """Return a follower's checkpoint of a log, locked until the transaction ends.

    SQLite locks the whole database from the beginning of a transaction.
    """
    marks = Checkpoint.objects.select_for_update()
    return marks.get_or_create(follower=follower.name, log_id=pk)[0]


def _park(follower: Follower, pk: UUID, error: str) -> None:
    with transaction.atomic():
        mark = _locked(follower, pk)
        mark.code, mark.error, mark.moved_at = follower.version, error[:2000], timezone.now()
        mark.save()


# -- what is due ------------------------------------------------------------------------------


def work(pk: UUID) -> bool:
    """Follow a log until nothing is due for it; tell whether anything was.

    An act recorded meanwhile raises the job's count, or creates another job if a second worker has
    ended this one, so no job ends too early. If a worker dies, the sweep retries the job; after
    `MAX_STARTS` deaths without a projection in between the log is parked.
    """
    done = False
    while (job := _JOB.first(log=pk)) is not None:
        row = FollowJob.objects.filter(log_id=pk)
        row.update(attempts=F("attempts") + 1)
        if job.attempts < MAX_STARTS:
            _follow_alive(pk, row, retried=job.attempts > 0)
        else:
            for follower in followers():
                _park(follower, pk, "No worker came to the end of it.")
        ended, _ = row.filter(asked=job.asked, created_at=job.created_at).delete()
        if ended:  # later acts wake a worker themselves
            return True
        row.update(attempts=0)
        done = True
    return done


def _follow_alive(pk: UUID, row: QuerySet[FollowJob], *, retried: bool) -> None:
    """Follow a log.

    A database outage does not count as an attempt; after progress, nor do those that died before.
    """
    try:
        follow(pk, on_progress=partial(row.update, attempts=1) if retried else lambda: None)
    except OF_THE_MOMENT:
        row.filter(attempts__gt=0).update(attempts=F("attempts") - 1)
        raise


def behind() -> Iterable[UUID]:
    """Return the logs that some follower lags behind though no job is due for them.

    These are logs older than a follower, or than the version of its code.
    """
    current = [
        Exists(
            Checkpoint.objects.filter(
                ~Q(error="") | Q(version=OuterRef("head_version")),
                log=OuterRef("pk"),
                follower=follower.name,
                code=follower.version,
            )
        )
        for follower in followers()
    ]
    lagging = Q(pk__in=[])
    for there in current:
        lagging |= ~Q(there)
    found = Log.objects.filter(lagging, head_version__gt=0, follow_job=None)
    return found.order_by("pk").values_list("pk", flat=True)


def catch_up() -> int:
    """Create jobs for all logs that followers lag behind, and wake workers; return how many."""
    found = list(behind())
    for pk in found:
        with transaction.atomic():
            jobs.due(pk)
    return len(found)


def again(follower: type[Follower], pks: Iterable[UUID]) -> None:
    """Project logs again for one follower, as something it reads beside them has changed.

    In the caller's transaction.
    """
    for pk in pks:
        Checkpoint.objects.filter(follower=follower().name, log_id=pk).update(code=0)
        jobs.due(pk)


def try_again(mark: Checkpoint) -> None:
    """Unpark a log for a follower and wake a worker."""
    with transaction.atomic():
        Checkpoint.objects.filter(pk=mark.pk).update(error="", code=0)
        jobs.due(mark.log_id)


def anew(log: Log) -> None:
    """Project a log again for every follower, parked ones too, and wake a worker."""
    with transaction.atomic():
        Checkpoint.objects.filter(log=log).update(error="", code=0)
        jobs.due(log.pk)
