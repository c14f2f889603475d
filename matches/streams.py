"""Live updates: server-sent events, resumed from a cursor.

A *source* lists the paths of its streams and opens one for a request; a *following* is one reader's
stream, which returns what is new after a cursor. Both are plain synchronous code without
connections, which `deploy.hub` holds. Floors register sources in `STREAM_SOURCES`.

Everything sent goes through the same cut as a poll: the actor, what is held back, what is hidden.
"""

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import NamedTuple, Protocol
from uuid import UUID

import msgspec
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import translation

from matches import actors, audiences, policy, selectors
from matches.actors import NOBODY, Actor
from matches.api.auth import actor_in
from matches.api.responses import entry_response
from matches.models import Match
from matches.pages import eyes_in, of_match
from matches.scene import Scene, scene_of
from rules.ruleset import Audience

MAX_ENTRIES = 100  # per batch
CHANGES = "matches/_changes.html"

Ask = Callable[[], HttpRequest]
"""Returns the reader's request with their present rights."""


class Frame(NamedTuple):
    """One event of a stream; its `id` is the cursor to resume from."""

    id: str
    event: str
    data: str

    def encoded(self) -> bytes:
        lines = re.split(r"\r\n|\r|\n", self.data)
        data = "".join(f"data: {line}\n" for line in lines)
        return f"id: {self.id}\nevent: {self.event}\n{data}\n".encode()


class News(NamedTuple):
    """The frames after a cursor, the cursor to continue from, and whether there are more."""

    frames: tuple[Frame, ...]
    cursor: str
    more: bool = False


class Following(Protocol):
    """One reader's stream. Readers with equal keys get the same frames after the same cursor."""

    @property
    def log(self) -> UUID: ...

    @property
    def key(self) -> Hashable: ...

    def begin(self, cursor: str) -> str:
        """Return the cursor to start at for the one a reader sends, which may be any text."""

    def news(self, cursor: str) -> News:
        """Return what is new. Raises: Refused if the actor may no longer see it."""


class Source(Protocol):
    path: re.Pattern[str]

    def open(self, ask: Ask, code: str) -> Following:
        """Return a stream for who asks. Raises: Refused."""


def number_of(cursor: str) -> int:
    """Return a cursor that is a version as a number, 0 for anything else."""
    return int(cursor) if cursor.isascii() and cursor.isdigit() and len(cursor) <= 9 else 0


# -- matches ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _OfMatch:
    """A reader of a match.

    Spectators without a part in it share their frames. A reader with a part in it is authenticated
    again each time, as a link may have been revoked. `last` is the newest version they were shown
    when they came.
    """

    ask: Ask
    code: str
    log: UUID
    last: int
    shared: bool
    key: Hashable

    def begin(self, cursor: str) -> str:
        return str(min(number_of(cursor), self.last))

    def seen(self) -> tuple[Actor, Match]:
        actor = NOBODY if self.shared else actor_in(self.ask())
        return actor, selectors.match_for(actor, self.code)


def _is_public(actor: Actor, match: Match) -> bool:
    """Tell whether an actor is shown a match exactly as an anonymous reader is."""
    if actor.results_off:
        return False
    no_part = not (policy.may_record(actor, match) or policy.may_manage(actor, match))
    return no_part and policy.audience(actor, match) == "public" and policy.may_see(NOBODY, match)


class Entries(_OfMatch):
    """The entries of a match, each once, as `events/` returns them."""

    def news(self, cursor: str) -> News:
        actor, match = self.seen()
        last, audience = selectors.cut(actor, match)
        after = min(number_of(cursor), last)
        entries = audiences.entries(match, after, MAX_ENTRIES, last, audience)
        frames = [
            Frame(str(each.version), "entry", msgspec.json.encode(entry_response(each)).decode())
            for each in entries
        ]
        reached = entries[-1].version if entries else after
        return News(tuple(frames), str(reached), more=reached < last)


class EntriesSource:
    """The stream for programs."""

    path = re.compile(r"/api/v1/matches/(?P<code>[^/]{1,40})/stream/")

    def open(self, ask: Ask, code: str) -> Following:
        actor = actor_in(ask())
        match = selectors.match_for(actor, code)
        last, _ = selectors.cut(actor, match)
        shared = _is_public(actor, match)
        key = ("entries", match.pk) if shared else object()
        return Entries(ask, match.code, match.pk, last, shared, key)


@dataclass(frozen=True)
class Changes(_OfMatch):
    """Fragments for a match's page; for readers with a part in it, only a signal to fetch them."""

    eyes: Audience | None
    language: str

    def news(self, cursor: str) -> News:
        actor, match = self.seen()
        scene = scene_of(actor, match, as_=self.eyes)
        after = min(number_of(cursor), scene.last)
        if scene.last == after:
            return News((), str(after))
        event, data = ("changes", self._data(scene, after)) if self.shared else ("moved", "{}")
        return News((Frame(str(scene.last), event, data),), str(scene.last))

    def _data(self, scene: Scene, after: int) -> str:
        with translation.override(self.language):
            return render_to_string(CHANGES, changes_context(NOBODY, scene, after))


def changes_context(actor: Actor, scene: Scene, after: int) -> dict[str, object]:
    """Return the context of `CHANGES`: what is new of a match's page since a version."""
    whole = scene.since > after + 1
    return of_match(actor, scene.match, scene) | {
        "whole": whole,
        "chapters": scene.chapters if whole else scene.changes(after),
    }


class PageSource:
    """The stream for a match's page."""

    path = re.compile(r"/matches/(?P<code>[^/]{1,40})/stream/")

    def open(self, ask: Ask, code: str) -> Following:
        request = ask()
        actor = actors.actor_of(request)
        match = selectors.match_for(actor, code)
        eyes = eyes_in(request)
        last = scene_of(actor, match, as_=eyes).last
        shared = eyes is None and _is_public(actor, match)
        language = translation.get_language_from_request(request)
        key = ("page", match.pk, language) if shared else object()
        return Changes(ask, match.code, match.pk, last, shared, key, eyes, language)
