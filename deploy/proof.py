"""The proof: how each promise of the log was tested, and the results.

`make prove` writes them into `proof.json` here, which is shipped; the page at /proof/ shows it.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

DATA = Path(__file__).with_name("proof.json")


class Row(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of one experiment on one engine.

    `size` is `full` or `short`; `broken` says why the promise does not hold, if it does not.
    """

    engine: str
    date: str
    commit: str
    size: str
    asked: str = ""
    found: str = ""
    bite: str = ""
    counts: dict[str, int] = {}
    broken: str = ""

    @property
    def result(self) -> str:
        return f"Broken: {self.broken}" if self.broken else self.found


class Promise(msgspec.Struct, frozen=True, kw_only=True):
    """A promise, and its result on each engine it was tested on."""

    name: str
    section: str
    promise: str
    rows: tuple[Row, ...] = ()

    @property
    def holds(self) -> bool:
        return not any(row.broken for row in self.rows)

    @property
    def asked(self) -> list[tuple[str, str]]:
        return list(self._by_engine("asked"))

    @property
    def found(self) -> list[tuple[str, str]]:
        return list(self._by_engine("result"))

    @property
    def bites(self) -> list[tuple[str, str]]:
        return list(self._by_engine("bite"))

    def _by_engine(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield each text once, with the engine it is for, or "" if it is for all."""
        texts = {row.engine: getattr(row, name) for row in self.rows}
        if len(set(texts.values())) == 1:
            yield "", next(iter(texts.values()))
        else:
            yield from texts.items()


def read() -> list[Promise]:
    """Return the last results, section by section; empty if there are none."""
    if not DATA.exists():
        return []
    return msgspec.json.decode(DATA.read_bytes(), type=list[Promise])


@require_safe
def proof(request: HttpRequest) -> HttpResponse:
    """Show the figures."""
    promises = [promise for promise in read() if promise.rows]
    found = [row for promise in promises for row in promise.rows]
    scene = {
        "sections": [
            (title, list(group)) for title, group in groupby(promises, lambda each: each.section)
        ],
        "promises": len(promises),
        "broken": sum(not promise.holds for promise in promises),
        "short": sum(row.size == "short" for row in found),
        "latest": max((row.date for row in found), default=""),
    }
    return render(request, "proof.html", scene)
