"""What the server sends: sizes, queries, fragments, and the cost of an unchanged answer.

Requests are made in this process, on the database of the demo's server.
"""

import gzip
import re
import statistics
import time
import urllib.request
from collections.abc import Iterator
from urllib.error import HTTPError

from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.audit.figure import Figure, PageMeasurement, Pages, most, none
from tests.screens import PAGES, SIGNED_OUT

POLLS = 50
REFUSED = {
    "not found": 404,
    "refused": 403,
    "league:letters-off": 404,
    "account_confirm_email": 404,
}
FRAGMENTS = {
    "home, live matches": ("/", "part=air"),
    "match, a new act": ("/matches/{live}/", "after={before}"),
    "tournament, its live part": ("{final}", "part=live"),
    "my next table": ("/next/", "part=live"),
}


def request_pages(places: dict[str, str], pages: Pages) -> None:
    """Request every page twice, and note its size and number of queries."""
    visitor, organiser = Client(SERVER_NAME="localhost"), Client(SERVER_NAME="localhost")
    organiser.force_login(User.objects.get(username="organiser"))
    for name, path in PAGES.items():
        client = visitor if name in SIGNED_OUT or "match-detail" in name else organiser
        page = pages.setdefault(name, PageMeasurement())
        page.path = path.format(**places)
        with CaptureQueriesContext(connection) as first:
            answer = client.get(page.path, follow=True)
        with CaptureQueriesContext(connection) as again:
            client.get(page.path, follow=True)
        page.status = answer.status_code
        page.html = len(gzip.compress(answer.content))
        page.queries, page.again = len(first), len(again)
        with CaptureQueriesContext(connection) as looked:
            answer = visitor.get(page.path)
        page.visitor = len(looked) if answer.status_code == 200 else 0


def weights(pages: Pages) -> Iterator[Figure]:
    sample = f"{len(pages)} page types"
    wrong = [
        f"{name}: {page.status}"
        for name, page in pages.items()
        if page.status != REFUSED.get(name, 200)
    ]
    yield none("Pages that return an unexpected status", wrong, sample)
    html = [(name, page.html) for name, page in pages.items()]
    yield most("HTML of a page, gzipped", "bytes", 40_000, html, sample)
    again = [(name, page.again) for name, page in pages.items()]
    yield most("Queries, any page", "queries", None, again, f"{sample}, repeated")
    public = [(name, page.visitor) for name, page in pages.items()]
    seen = sum(bool(number) for _, number in public)
    yield most("Queries, public pages", "queries", 12, public, f"{seen} page types, as a visitor")
    matches = [(name, pages[name].queries) for name in pages if "match-detail" in name]
    yield most(
        "Queries, match page", "queries", 12, matches, "its states as a visitor, first request"
    )
    tables = [(name, pages[name].queries) for name in pages if "standing-list" in name]
    yield most("Queries, standings", "queries", 15, tables, "Swiss and pods, first request")


def fragments(places: dict[str, str]) -> Iterator[Figure]:
    """Yield the sizes of fragments with news, and the times of answers without."""
    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.get(username="organiser"))
    page = client.get(f"/matches/{places['live']}/").content.decode()
    last = re.search(r'data-last="(\d+)"', page)
    assert last
    known = {**places, "before": str(int(last[1]) - 1)}
    sizes = []
    for name, (path, query) in FRAGMENTS.items():
        answer = client.get(f"{path.format(**known)}?{query.format(**known)}")
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
        sizes.append((name, len(gzip.compress(answer.content))))
    yield most("A fragment of a live page, gzipped", "bytes", 6_000, sizes, _n(sizes))


def _n(rows: list[tuple[str, int]]) -> str:
    return f"{len(rows)} kinds of fragments"


def polls(site: str, places: dict[str, str]) -> Iterator[Figure]:
    """Poll the real server repeatedly for what has not changed."""
    times = []
    for name, (path, query) in FRAGMENTS.items():
        if name == "my next table":
            continue  # asks for a login
        query = "after=1000000" if "after" in query else query
        url = f"{site}{path.format(**places)}?{query}"
        with urllib.request.urlopen(url, timeout=30) as answer:
            tag = answer.headers["ETag"]
        found = [_unchanged(url, tag) for _ in range(POLLS)]
        statuses = {status for status, _ in found}
        assert statuses == {304}, f"{url} answers {statuses}"
        times.append((name, 1000 * statistics.median(took for _, took in found)))
    yield most(
        "An unchanged poll (304), median over HTTP",
        "ms",
        15,
        times,
        f"{POLLS} polls of {len(times)} kinds, all 304",
        "{:.1f}".format,
    )


def _unchanged(url: str, tag: str) -> tuple[int, float]:
    request = urllib.request.Request(url, headers={"If-None-Match": tag})
    began = time.perf_counter()
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            status = answer.status
    except HTTPError as error:
        status = error.code
        error.close()
    return status, time.perf_counter() - began
