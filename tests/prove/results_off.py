"""Nobody outside a table learns what is hidden: compare every page and answer before and after.

A crawler requests every named URL, and what the responses link to, as each kind of outsider. Then
the match goes on to its end while hidden, and the crawl is repeated. The responses must be
identical to the byte, and contain none of the canaries recorded meanwhile.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any
from unittest.mock import patch
from urllib.parse import urljoin, urlsplit
from uuid import uuid4

from django.contrib import admin
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from matches import followers, jobs, services
from matches.models import Event, Log, Match, Note
from tests import factories
from tests.prove.experiment import Found, experiment, must_break, require

TEXT = "canary-of-a-note"
TITLE = "canary-of-a-title"
HREF = re.compile(rb'href="([^"#]+)')
CHANGING = re.compile(
    rb'name="csrfmiddlewaretoken" value="[^"]*"|name="\w*id" value="[0-9a-f-]{36}"'
    rb"|&quot;id&quot;: ?&quot;[0-9a-f-]{36}"
    rb'|"csrfToken": ?"[^"]*"|<script[^>]*data-csrf="[^"]*"|"exported_at":"[^"]*"'
)
QUERIES = ("", "?at=3", "?after=1", "?at=2&part=1", "?after=0", "?at=1", "?as=officials", "?as=1")
LISTS = ("?status=ended", "?status=open", f"?q={TITLE}", "?after=0&limit=500")
LISTED = ("matches:match-list", "api:matches", "api:feed")
NOT_ASKED = re.compile(r"^/(logout|admin/logout)|/static/|/jsi18n/|^/api/v1/(docs|schema)/|\.zip$")
FOREIGN = re.compile(r"/tournaments/[A-Z0-9]{6}/")
"""A tournament by the code of a match, which there is none of: asked with one code alone."""
KINDS = ("anonymous", "staff", "stranger")


@experiment(
    section="Hidden information",
    promise="What is held back, delayed, restricted to a table or withdrawn cannot be found by "
    "anybody else, not even that it exists.",
    full={"links": 1500, "queries": len(QUERIES), "kinds": len(KINDS)},
    short={"links": 10, "queries": 1, "kinds": 1},
    short_on="sqlite",
)
def results_off(*, links: int, queries: int, kinds: int) -> Found:
    stage = Stage(KINDS[:kinds])
    asked = compare(stage, links, QUERIES[:queries])
    stage = Stage(KINDS[:1])
    with patch("matches.cuts.public_version", lambda log: log.head_version):
        leak = must_break(lambda: compare(stage, 0, QUERIES[:1], "/matches/"))
    return Found(
        asked=f"every named URL and its links as {', '.join(KINDS[:kinds])}, before and after "
        "hidden matches were played to their end",
        found=f"{asked:,} responses: 0 leaks, the same bytes before and after",
        counts={"answers": asked},
        bite=f"With a cut that shows everything: {leak}.",
    )


class Stage:
    """Matches with something hidden, one that is open to all, and the outsiders who view them."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self.opener = factories.actor()
        people = [factories.actor() for _ in range(2)]
        seats = [factories.SeatRequest(player=who.player) for who in people]

        def opened(**details: Any) -> Match:
            match = factories.match(self.opener, seats=seats, **details)
            factories.record(match)
            return match

        self.hidden = [
            opened(held=True),
            opened(delay=86_400),
            opened(visibility="table", title=TITLE),
            opened(title=TITLE),
        ]
        services.withdraw(by=self.opener, match=self.hidden[3])
        self.open = opened()
        self.players = [who.player_id for who in people]
        self.shown = {m.pk: n for m, n in zip(self.hidden, (1, 1, 0, 0), strict=True)}
        for match in (*self.hidden[:3], self.open):
            services.request_verify(match=match, by=self.opener)
        self.settle()
        self.lookers = [self._looker(kind) for kind in kinds]

    def _looker(self, kind: str) -> tuple[str, Client, dict[str, str]]:
        client = Client(raise_request_exception=False, SERVER_NAME="localhost")
        if kind == "anonymous":
            return kind, client, {}
        user = factories.user()
        if kind == "staff":
            user.is_staff = True
            user.save()
            user.user_permissions.set(Permission.objects.filter(content_type__app_label="matches"))
        client.force_login(user)
        return kind, client, {"Authorization": f"Token {factories.key(user)}"}

    def settle(self) -> None:
        """Run all pending work of the worker."""
        for match in (*self.hidden, self.open):
            followers.work(match.pk)
        for job in list(jobs.Job.objects.filter(done_at=None)):
            jobs.do(job.pk)

    def go_on(self) -> None:
        """Play the hidden matches to their end, with acts taken back and a note."""
        for match in self.hidden[:3]:
            found = Match.objects.select_related("log").get(pk=match.pk)
            self._record(found, {"type": "points-scored", "seat": 2, "points": 77})
            self._record(found, {"type": "game-won", "seat": 1})
            self._record(found, {"type": "taken-back", "to": found.log.head_version - 1})
            self._record(found, {"type": "ruled", "result": "win", "winners": [2]}, note=TEXT)
        self.settle()

    def _record(self, match: Match, act: dict[str, Any], **more: Any) -> None:
        services.record(match=match, by=self.opener, act_id=uuid4(), act=act, **more)

    def canaries(self) -> dict[str, bytes]:
        """Return the byte strings that no response may contain, by what each would reveal."""
        found = {"a note": TEXT.encode(), "a title": TITLE.encode()}
        for match in self.hidden:
            for event in Event.objects.filter(log_id=match.pk, version__gt=self.shown[match.pk]):
                place = f"entry {event.version} of {match.code}"
                for mark in (event.act_id, event.hash[:16], event.salt):
                    if mark:
                        found[f"{place}: {str(mark)[:8]}"] = str(mark).encode()
        for match in self.hidden[2:]:
            found[f"the log {match.pk}"] = str(match.pk).encode()
        for log in Log.objects.filter(pk__in=self.shown):
            found[f"the seed of {log.pk}"] = log.seed.encode()
        require(Note.objects.filter(text=TEXT).exists(), "there is no note to be found")
        return found


def compare(stage: Stage, links: int, queries: Sequence[str], within: str = "") -> int:
    """Crawl, let the hidden matches go on, crawl again; return the number of responses."""
    urls = [url for url in addresses(stage, queries) if within in url]
    before = {kind: crawl(client, token, urls, links) for kind, client, token in stage.lookers}
    stage.go_on()
    canaries = stage.canaries()
    answers = 0
    for kind, client, token in stage.lookers:
        after = {key: ask(client, token, *key) for key in before[kind]}
        for (url, accept), answer in after.items():
            for what, mark in canaries.items():
                # A response may repeat what its URL asked for.
                require(mark not in answer or mark.decode() in url, f"{kind} {url}: {what}")
            same = answer == before[kind][url, accept]
            require(same, f"{kind} {url} {accept}: a different answer than before")
        answers += len(after)
    return answers


# -- crawling -------------------------------------------------------------------------------

Key = tuple[str, str]
ANYTHING, NDJSON, PLAIN = "*/*", "application/x-ndjson", "text/plain"


def crawl(client: Client, token: dict[str, str], urls: list[str], links: int) -> dict[Key, bytes]:
    """Request every URL, and up to `links` more that the responses link to."""
    answers: dict[Key, bytes] = {}
    linked: list[str] = []
    for url in urls:
        kinds = (ANYTHING, NDJSON, PLAIN) if url.endswith("/events/") else (ANYTHING,)
        for accept in kinds:
            answers[url, accept] = ask(client, token, url, accept)
            linked += links_of(url, answers[url, accept])
    while linked and links > 0:
        url = linked.pop(0)
        if (url, ANYTHING) not in answers:
            answers[url, ANYTHING] = ask(client, token, url, ANYTHING)
            linked += links_of(url, answers[url, ANYTHING])
            links -= 1
    return answers


def ask(client: Client, token: dict[str, str], url: str, accept: str) -> bytes:
    """Return status, headers and body of a response, without what differs every time."""
    cache.clear()  # rate limits are not under test
    client.cookies.pop("messages", None)  # messages of the previous page
    headers = {"Accept": accept, **(token if url.startswith("/api/") else {})}
    answer = client.get(url, headers=headers)
    require(answer.status_code < 500, f"{url} is answered {answer.status_code}")
    told = {name: value for name, value in answer.items() if name in ("ETag", "Location", "Link")}
    if CHANGING.search(answer.content):
        told.pop("ETag", None)
    body = CHANGING.sub(b"", answer.content)
    return f"{answer.status_code} {sorted(told.items())}\n".encode() + body


def links_of(url: str, answer: bytes) -> list[str]:
    """Return the URLs of this site that a response links to."""
    found = []
    for link in HREF.findall(answer):
        parts = urlsplit(urljoin(url, link.decode().replace("&amp;", "&")))
        if not parts.netloc and not NOT_ASKED.search(parts.path):
            found.append(parts.path + (f"?{parts.query}" if parts.query else ""))
    return found


# -- addresses ------------------------------------------------------------------------------


def addresses(stage: Stage, queries: Sequence[str]) -> Iterator[str]:
    """Yield every named URL of the site, for every match and player.

    Routes whose parameters name neither are left out: nothing exists here for them to show.
    """
    values = {
        "code": [match.code for match in stage.hidden],
        "pk": stage.players,
        "player_id": stage.players,
        "other": stage.players[1:],
        "other_id": stage.players[1:],
        "key": ["zg"],
        "tool": ["compare"],
        "page": ["bench"],
        "token": [stage.hidden[0].code],
        "number": [1],
        "act_id": [uuid4()],
        "app_label": ["matches"],
    }
    for name, parameters in routes():
        if parameters == ["object_id"]:
            if name.endswith("_change"):
                yield from admin_addresses(name, stage)
            continue
        if parameters and values.keys().isdisjoint(parameters):
            continue
        for chosen in product(*(values.get(each, [uuid4()]) for each in parameters)):
            try:
                url = reverse(name, kwargs=dict(zip(parameters, chosen, strict=True)))
            except NoReverseMatch:
                continue
            if NOT_ASKED.search(url) or FOREIGN.search(url.replace(values["code"][0], "")):
                continue
            yield from (url + query for query in (queries if "code" in parameters else ("",)))
            if name in LISTED:
                yield from (url + query for query in LISTS)


def admin_addresses(name: str, stage: Stage) -> Iterator[str]:
    """Yield the admin's pages about the hidden matches."""
    for model in admin.site._registry:
        if f"_{model._meta.model_name}_" not in name or model._meta.app_label != "matches":
            continue
        ids = [match.pk for match in stage.hidden]
        path = "pk__in" if model in (Match, Log) else "log__in"
        if path == "log__in" and not hasattr(model, "log_id"):
            continue
        for row in model._default_manager.filter(**{path: ids})[:3]:
            yield reverse(name, args=[row.pk])


def routes(
    resolver: URLResolver | None = None, space: str = "", given: Sequence[str] = ()
) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the parameters of every route."""
    for pattern in (resolver or get_resolver()).url_patterns:
        names = [*given, *pattern.pattern.converters]
        if isinstance(pattern, URLPattern):
            if pattern.name:
                yield space + pattern.name, names
        else:
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from routes(pattern, inner, names)
