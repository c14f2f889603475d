"""The users of a load: bots that record at tables, and spectators that follow them.

A bot works as a phone does: it reads the log once, chooses from the offers of the rules, sends the
act, and folds the receipt. A spectator follows as pages and programs do, by streaming or polling.
"""

import asyncio
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import msgspec

import rules
from rules import bots, encoding
from rules.replay import Entry, Timeline
from rules.ruleset import Act
from rules.zg.samples import starters
from tests.load.client import Answer, Line, Lost, Place, Stream, address_of
from tests.load.figures import Asked

GAMES = ("zg", "score")
TRIES = 50  # to find an act that does not end the match
POLL_EVERY = 3.0  # seconds, as a page polls while there is news
AGAIN = 0.5  # seconds until a bot resends an act, or a stream reconnects
MAX_TRIES = 20

KINDS = (
    *("page stream", "page stream", "page stream", "entry stream"),
    *("page stream", "page stream", "page stream", "entry stream"),
    *("page poll", "cursor poll"),
)
"""What spectators are, in turn: six of ten follow a page's stream, two a program's, two ask."""


@dataclass
class Load:
    """The measurements of a load, by kind.

    `heard`: kind, match, version and time of arrival; `sent`: when a version of a match was sent
    for recording; `pages`: the ids of the requests for a match's page. Times are from
    `perf_counter`.
    """

    place: Place
    key: str
    kinds: dict[str, Asked] = field(default_factory=lambda: defaultdict(Asked))
    heard: list[tuple[str, str, int, float]] = field(default_factory=list)
    sent: dict[tuple[str, int], float] = field(default_factory=dict)
    pages: list[str] = field(default_factory=list)
    measuring: bool = False
    reconnects: int = 0

    @property
    def signed(self) -> dict[str, str]:
        return {"Authorization": f"Token {self.key}"}

    def note(self, kind: str, answer: Answer, *good: int) -> bool:
        """Count an answer while measuring, and an error always; return whether it is good."""
        if answer.status not in good:
            self.wrong(kind, f"{answer.status} {answer.body[:120]!r}")
            return False
        if self.measuring:
            self.kinds[kind].took.append(answer.took)
        return True

    def wrong(self, kind: str, what: str) -> None:
        self.kinds[kind].wrong[what] += 1

    def delivered(self) -> Iterator[tuple[str, float]]:
        """Yield the kind and the time of each delivery of an act, from its sending to a stream."""
        for kind, code, version, came in self.heard:
            began = self.sent.get((code, version))
            if began is not None:
                yield kind, came - began


# -- tables -------------------------------------------------------------------------------------


@dataclass
class Table:
    """A match that a bot records: its copy of the log, and the acknowledged acts."""

    code: str
    timeline: Timeline
    pick: bots.Stream
    acknowledged: list[str] = field(default_factory=list)
    sent_again: int = 0
    over: bool = False


async def open_table(load: Load, line: Line, number: int, game: str) -> Table:
    """Open a match and read its setup, from which the bot folds."""
    samples = list(starters().items()) if game == "zg" else [("Near", None), ("Far", None)]
    pairs = [samples[(number + place) % len(samples)] for place in range(2)]
    seats = [
        {"name": f"Guest {number}-{place}", "label": label, "deck": msgspec.to_builtins(deck)}
        for place, (label, deck) in enumerate(pairs)
    ]
    asked = {"ruleset": game, "seats": seats, "options": {"best_of": 1} if game == "score" else {}}
    answer = await line.ask("/api/v1/matches/", json.dumps(asked).encode(), load.signed)
    if not load.note("opening", answer, 201):
        raise Lost(f"no match: {answer.status} {answer.body!r}")
    code = json.loads(answer.body)["code"]
    told = await line.ask(f"/api/v1/matches/{code}/events/", headers=load.signed)
    timeline = Timeline(rules.get(game))
    for entry in json.loads(told.body)["entries"]:
        timeline.append(_entry(timeline, entry))
    return Table(code, timeline, bots.Stream(f"table {number}"))


def _entry(timeline: Timeline, told: dict[str, Any]) -> Entry:
    """Return the entry for an answer of the API."""
    ruleset = timeline.ruleset
    act = encoding.stored_act(ruleset, json.dumps(told["act"]))
    bodies = [json.dumps(each) for each in told.get("consequences", ())]
    return Entry(told["version"], act, encoding.stored_consequences(ruleset, bodies))


def choose(timeline: Timeline, pick: bots.Stream) -> Act | None:
    """Return a bot's act that does not end the match, or None if none is found."""
    ruleset, state = timeline.ruleset, timeline.head.state
    for _ in range(TRIES):
        act = bots.random_act(ruleset, state, pick)
        if act is None:
            return None
        after = ruleset.evolve(state, act)
        for consequence in ruleset.decide(state, act):
            after = ruleset.evolve(after, consequence)
        if ruleset.outcome(after) is None:
            return act
    return None


async def play(load: Load, table: Table, every: float, end: float) -> None:
    """Record an act every `every` seconds until `end`; delays are not caught up."""
    line = Line(load.place, headers=load.signed)
    due = time.perf_counter() + random.uniform(0, every)
    while (now := time.perf_counter()) < end:
        if due > now:
            await asyncio.sleep(due - now)
        due = max(due + every, time.perf_counter() - every)
        await play_one(load, line, table)
        if table.over:
            break
    line.close()


async def play_one(load: Load, line: Line, table: Table) -> None:
    """Record one act; the table is over if every act would end its match."""
    act = choose(table.timeline, table.pick)
    if act is None:
        table.over = True
        return
    act_id = str(uuid4())
    body = json.dumps({"id": act_id, "act": msgspec.to_builtins(act)}).encode()
    began = time.perf_counter()
    for _ in range(MAX_TRIES):
        try:
            answer = await line.ask(f"/api/v1/matches/{table.code}/acts/", body)
        except (OSError, TimeoutError) as error:
            load.wrong("append", repr(error))
        else:
            if load.note("append", answer, 200, 201):
                told = json.loads(answer.body)
                table.acknowledged.append(act_id)
                table.timeline.append(_entry(table.timeline, told))
                load.sent[table.code, told["version"]] = began
                return
        table.sent_again += 1
        await asyncio.sleep(AGAIN)


async def read_log(load: Load, code: str) -> list[str]:
    """Return the ids of a match's acts from the API, without the opening."""
    line, found, after, more = Line(load.place, headers=load.signed), list[str](), 0, True
    while more:
        answer = await line.ask(f"/api/v1/matches/{code}/events/?after={after}&limit=100")
        if answer.status != 200:
            raise Lost(f"the log of {code}: {answer.status}")
        told = json.loads(answer.body)
        found += [entry["act_id"] for entry in told["entries"]]
        after, more = told["last"], told["more"]
    line.close()
    return found[1:]


# -- spectators ---------------------------------------------------------------------------------


@dataclass
class Spectator:
    """A viewer of a match without an account."""

    load: Load
    number: int
    code: str
    kind: str
    last: int = 0
    tag: str = ""
    follows: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def address(self) -> str:
        return address_of(self.number)

    async def arrive(self, gate: asyncio.Semaphore) -> None:
        """Open the page, as all spectators do except programs."""
        async with gate:
            line = Line(self.load.place, self.address)
            if self.kind.startswith("page"):
                await self.look(line)
            line.close()

    async def look(self, line: Line) -> None:
        try:
            answer = await line.ask(f"/matches/{self.code}/")
        except (OSError, TimeoutError) as error:
            self.load.wrong("page", repr(error))
        else:
            if self.load.note("page", answer, 200) and self.load.measuring:
                self.load.pages.append(answer.headers["x-request-id"])

    async def follow(self, gate: asyncio.Semaphore) -> None:
        """Follow the match until cancelled."""
        if self.kind.endswith("stream"):
            await self._listen(gate)
        else:
            await self._ask()

    async def _listen(self, gate: asyncio.Semaphore) -> None:
        above = "" if self.kind == "page stream" else "/api/v1"
        path = f"{above}/matches/{self.code}/stream/"
        while True:
            try:
                async with gate:
                    last = {"Last-Event-ID": str(self.last)} if self.last else {}
                    stream = await Stream.open(
                        self.load.place, path, self._heard, self.address, last
                    )
            except (OSError, TimeoutError) as error:
                self.load.wrong(self.kind, repr(error))
            else:
                self.follows.set()
                try:
                    await stream.ended
                    self.load.reconnects += 1
                finally:
                    stream.close()
            await asyncio.sleep(AGAIN)

    def _heard(self, version: int, now: float) -> None:
        """Note every version up to `version`: a page gets several acts under the id of the last."""
        came = range(self.last + 1, version + 1) if self.last else [version]
        self.last = version
        if self.load.measuring:
            self.load.heard += [(self.kind, self.code, each, now) for each in came]

    async def _ask(self) -> None:
        line = Line(self.load.place, self.address)
        self.follows.set()
        await asyncio.sleep(random.uniform(0, POLL_EVERY))
        while True:
            due = time.perf_counter() + POLL_EVERY
            try:
                await (self._ask_page(line) if self.kind == "page poll" else self._ask_log(line))
            except (OSError, TimeoutError) as error:
                self.load.wrong(self.kind, repr(error))
            await asyncio.sleep(max(0.0, due - time.perf_counter()))

    async def _ask_page(self, line: Line) -> None:
        known = {"If-None-Match": self.tag} if self.tag else {}
        answer = await line.ask(f"/matches/{self.code}/?after={self.last}", headers=known)
        kind = "page poll, unchanged" if answer.status == 304 else "page poll, changed"
        if self.load.note(kind, answer, 200, 304) and answer.status == 200:
            self.tag = answer.headers["etag"]
            self.last = int(self.tag.lstrip('W/"').partition("-")[0])

    async def _ask_log(self, line: Line) -> None:
        answer = await line.ask(f"/api/v1/matches/{self.code}/events/?after={self.last}")
        if self.load.note(self.kind, answer, 200):
            self.last = json.loads(answer.body)["last"]


def spectators(load: Load, tables: list[Table], count: int) -> list[Spectator]:
    """Return spectators of every kind, equally many at each table."""
    found = []
    for number in range(count):
        row, at = divmod(number, len(tables))
        found.append(Spectator(load, number, tables[at].code, KINDS[(row + at) % len(KINDS)]))
    return found
