"""The page for developers: requests to copy and paste, about public data of this very site."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league import selectors as leagues
from matches import selectors as matches
from matches.actors import NOBODY
from matches.models import Log

DOCS = Path(settings.BASE_DIR, "docs")


class Example(NamedTuple):
    """A request: what it does, its address and body. `keyed`: it needs a key."""

    id: str
    title: str
    path: str
    body: Any = None
    keyed: bool = False
    accept: str = ""

    def curl(self, site: str) -> str:
        """Return it as a curl command, one part per line."""
        parts = [f"curl -sS {shlex.quote(f'{site}/api/v1/{self.path}')}"]
        if self.keyed:
            parts.append('-H "Authorization: Token $KEY"')
        if self.accept:
            parts.append(f"-H 'Accept: {self.accept}'")
        if self.body is not None:
            sent = msgspec.json.encode(self.body).decode()
            parts += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(sent)}"]
        return " \\\n  ".join(parts)


@never_cache
@require_safe
def developers(request: HttpRequest) -> HttpResponse:
    """Show requests that work as they stand, with a placeholder where a key is needed."""
    shown = list(examples())
    site = settings.SITE_URL if settings.HTTPS else f"{request.scheme}://{request.get_host()}"
    context = {
        "reading": [(each, each.curl(site)) for each in shown if not each.keyed],
        "writing": [(each, each.curl(site)) for each in shown if each.keyed],
    }
    return render(request, "developers.html", context)


@require_safe
def document(request: HttpRequest, name: str) -> HttpResponse:
    """Serve a file of the documentation for programmers, as text."""
    return HttpResponse((DOCS / name).read_bytes(), content_type="text/plain; charset=utf-8")


def examples() -> Iterator[Example]:
    """Yield the requests; those about a match or a tournament only if there is a public one."""
    yield Example("feed", _("What was recorded, entry by entry, from the first"), "feed/?limit=2")
    ended = matches.of_status(matches.matches_for(NOBODY), Log.Status.ENDED).first()
    if ended is not None:
        log = f"matches/{ended.code}/events/"
        yield Example("match", _("A match, and how it stands"), f"matches/{ended.code}/")
        yield Example("entries", _("Its first entries"), f"{log}?limit=2")
        ndjson = "application/x-ndjson"
        yield Example("file", _("Its whole log as a file, a line an entry"), log, accept=ndjson)
        yield Example("notation", _("The same to be read by people"), log, accept="text/plain")
    cups = leagues.tournaments_for(NOBODY)
    cup = leagues.of_status(cups, Log.Status.ENDED).first() or cups.first()
    if cup is not None:
        yield Example(
            "standings", _("The standings of a tournament"), f"standings/?tournament={cup.code}"
        )
    ends = {"attack": "G* R+ B", "target": "G# R B"}
    yield Example("compare", _("Two cards, compared"), "games/zg/compare/", ends)
    yield Example("place", _("A place of the stories"), "places/terminus/")
    sides = [{"label": "Side 1", "name": "Red"}, {"label": "Side 2", "name": "Green"}]
    setup = {"id": str(uuid4()), "ruleset": "score", "title": "By a program", "seats": sides}
    yield Example("open", _("Open a match; the answer has its code"), "matches/", setup, keyed=True)
    won = {"id": str(uuid4()), "act": {"type": "game-won", "seat": 1}}
    yield Example(
        "record",
        _("Record an act: put the match's code in the place of CODE"),
        "matches/CODE/acts/",
        won,
        keyed=True,
    )
    entry = {"tournament": "CODE", "id": str(uuid4())}
    yield Example(
        "enter",
        _("Enter a tournament: put its code in the place of CODE"),
        "entries/",
        entry,
        keyed=True,
    )
    yield Example("webhooks", _("The webhooks of leagues that you run"), "webhooks/", keyed=True)
