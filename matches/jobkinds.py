"""Kinds of jobs, which floors register in `JOB_KINDS`, and how far a job at work has come."""

from abc import ABC, abstractmethod
from functools import cache
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from matches.actors import Actor
from matches.models import Job

SLICE = 20.0  # seconds after which a job that can makes room for others
TELLS = 0.5  # seconds between two looks at the row of a job at work


class Paused(Exception):
    """The slice of a job is over; what it made is kept, and it goes on from there."""


class Taken(Exception):
    """A job is no more this worker's to do: it was cancelled, or given to another."""


class Progress:
    """How far a job has come: told to its row now and then, never less than before.

    `claim` is that row as long as it is this worker's to do.
    """

    def __init__(self, job: Job, claim: QuerySet[Job]) -> None:
        self.claim = claim
        self.most, self.total = job.done, job.total
        self.until = monotonic() + SLICE
        self.told = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Tell that so many steps are made. Raises: Taken."""
        self.most, self.total = max(self.most, done), max(self.total, total)
        if monotonic() - self.told >= TELLS or done >= total:
            self.tell()

    def tell(self) -> None:
        """Write down how far it has come. Raises: Taken."""
        if not self.claim.update(done=self.most, total=self.total):
            raise Taken
        self.told = monotonic()

    def may_pause(self) -> None:
        """End a slice that is over, where all made so far is kept. Raises: Paused, Taken."""
        if monotonic() >= self.until:
            self.tell()
            raise Paused


class JobKind(ABC):
    """A kind of work for a worker: who may have it done, and how it is done.

    Doing it twice does it once. What it returns is the job's `result`, plain data; one that makes
    a file (`matches.parcels`) returns `{"file": what it is called, "bytes": its size}`.
    """

    name: str
    """What rows and programs call it."""

    @abstractmethod
    def title(self, job: Job) -> str:
        """Return what people call a job, in the language that is on. It names no person."""

    @abstractmethod
    def require(self, by: Actor, job: Job) -> None:
        """Raises: NotFound, NotAllowed for who may not ask for a job or have what comes of it.

        Asked when it is asked for, when it is done, and when its file is fetched.
        """

    @abstractmethod
    def work(self, by: Actor, job: Job, progress: Progress) -> Any:
        """Do a job and return its result. Raises: Refused, Paused, Taken."""

    def told(self, by: Actor, job: Job) -> Any:
        """Return the result of a job as far as who asked may know it."""
        return job.result

    def page(self, job: Job) -> str:
        """Return the page on which the result is shown, where there is one."""
        return ""


def kind_of(job: Job) -> JobKind:
    """Return the kind of a job. Raises: KeyError for one that this site does not know."""
    return _made(tuple(settings.JOB_KINDS))[job.kind]


@cache
def _made(paths: tuple[str, ...]) -> dict[str, JobKind]:
    found = tuple(import_string(path) for path in paths)
    for path, kind in zip(paths, found, strict=True):
        if not (isinstance(kind, type) and issubclass(kind, JobKind)):
            raise ImproperlyConfigured(f"JOB_KINDS names {path!r}, which is no JobKind")
    return {kind.name: kind() for kind in found}
