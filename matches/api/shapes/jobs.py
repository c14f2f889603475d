"""Jobs of workers."""

from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from matches.api.shapes.base import Moment, Page


class JobFile(Struct):
    """A file that a job made, and until when it is kept.

    `bytes`: its size. `until`: how long it is kept. `url`: where it is fetched.
    """

    name: str
    bytes: int
    url: str
    until: Moment


class JobResponse(Struct):
    """A job of a worker: `done` of `total` steps, 0 of 0 before the first.

    `result` depends on its kind; `why` says in words why it failed.

    `asked_at`: when it was asked for. `done_at`: when it ended; null until then. `file`: what it
    made, null if nothing or not yet. `kind`: what is done, such as verify. `state`: how far it is.
    """

    id: UUID
    kind: str
    title: str
    state: Literal["waiting", "working", "done", "failed", "cancelled"]
    done: int
    total: int
    asked_at: Moment
    done_at: Moment | None
    why: str
    result: Any
    file: JobFile | None
    url: str


class Jobs(Page[JobResponse]):
    """One page: follow `next` until it is null."""
