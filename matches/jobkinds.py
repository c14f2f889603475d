"""Kinds of jobs, which floors register in `JOB_KINDS`, and the progress of a running job."""

from abc import ABC, abstractmethod
from time import monotonic
from typing import Any

from django.db.models import QuerySet

from matches.actors import Actor
from matches.configured import instances
from matches.models import Job

SLICE = 20.0  # seconds after which a job that can pauses for others
TELLS = 0.5  # seconds between two checks of a running job's row


class Paused(Exception):
    """The slice of a job is over; its work is kept, and it continues from there."""


class Taken(Exception):
    """A job is no longer this worker's: it was cancelled, or given to another."""


class Progress:
    """The progress of a job, written to its row now and then; it never goes back.

    `claim` is that row for as long as the job is this worker's.
    """

    def __init__(self, job: Job, claim: QuerySet[Job]) -> None:
        self.claim = claim
        self.most, self.total = job.done, job.total
        self.until = monotonic() + SLICE
        self.stored_at = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Report steps as done. Raises: Taken."""
        self.most, self.total = max(self.most, done), max(self.total, total)
        if monotonic() - self.stored_at >= TELLS or done >= total:
            self.tell()

    def tell(self) -> None:
        """Store the progress. Raises: Taken."""
        if not self.claim.update(done=self.most, total=self.total):
            raise Taken
        self.stored_at = monotonic()

    def may_pause(self) -> None:
        """End a slice that is over, where all work so far is kept. Raises: Paused, Taken."""
        if monotonic() >= self.until:
            self.tell()
            raise Paused


class JobKind(ABC):
    """A kind of job: who may ask for it, and how it is done.

    Jobs are idempotent. What `work` returns is the job's `result`, plain data; one that makes a
    file (`matches.parcels`) returns `{"file": its name, "bytes": its size}`.
    """

    name: str
    """Its name in rows and in the API."""

    @abstractmethod
    def title(self, job: Job) -> str:
        """Return a job's title in the active language. It names no person."""

    @abstractmethod
    def require(self, by: Actor, job: Job) -> None:
        """Require that an actor may ask for a job and have its result.

        Checked when it is asked for, when it is done, and when its file is fetched. Raises:
        NotFound, NotAllowed.
        """

    @abstractmethod
    def work(self, by: Actor, job: Job, progress: Progress) -> Any:
        """Do a job and return its result. Raises: Refused, Paused, Taken."""

    def result_for(self, by: Actor, job: Job) -> Any:
        """Return the result of a job as far as the actor may know it."""
        return job.result

    def page(self, job: Job) -> str:
        """Return the page that shows the result, if there is one."""
        return ""


def kind_of(job: Job) -> JobKind:
    """Return the kind of a job. Raises: KeyError for one that this site does not have."""
    kinds: dict[str, JobKind] = {kind.name: kind for kind in instances("JOB_KINDS", JobKind)}
    return kinds[job.kind]
