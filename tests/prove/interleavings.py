"""A model checker: explores every interleaving of writers, readers and crashes.

The model follows the steps of `matches.log`: read the head and the ids; compare-and-set the head
(its row stays locked); take the next feed position (which locks the feed's row); commit; answer. A
crash loses what is not committed, and the client resends with the same id.
"""

from collections.abc import Iterator
from enum import IntEnum
from functools import partial
from typing import Any, NamedTuple

import msgspec

from tests.prove.experiment import Found, experiment, must_break, require

LOGS = "AAB"  # two writers share a log, the third has its own
FEED = "feed"


class At(IntEnum):
    """A writer's next step."""

    READ = 0
    MOVE = 1
    PLACE = 2
    COMMIT = 3
    ANSWER = 4
    DONE = 5


class Variant(NamedTuple):
    """The protocol, or a variant of it that is broken on purpose."""

    knows_ids: bool = True
    moves_the_head_it_read: bool = True
    locks_the_feed: bool = True
    commits_before_it_answers: bool = True
    locks_in_one_order: bool = True


class Writer(msgspec.Struct, frozen=True):
    """A writer with one act: its step, the head it read, its position, whether it was answered."""

    at: At = At.READ
    head: int = 0
    place: int = 0
    told: bool = False


class Entry(NamedTuple):
    position: int
    log: str
    version: int
    act: int


class State(msgspec.Struct, frozen=True):
    """The global state: what is committed, who holds which lock, and everybody's progress."""

    writers: tuple[Writer, ...]
    read: tuple[tuple[Entry, ...], ...]  # what each reader read, in order
    crashes: int
    stored: tuple[Entry, ...] = ()
    drawn: int = 0  # last number of the sequence, in the variant that has one
    locks: tuple[tuple[str, int], ...] = ()

    def holder(self, lock: str) -> int | None:
        return dict(self.locks).get(lock)

    def head(self, log: str) -> int:
        return sum(entry.log == log for entry in self.stored)


@experiment(
    section="Races",
    promise="However writers, readers and a crash interleave, each act is stored once, every "
    "acknowledged act is stored, no position is missing, and every reader gets all of it in order.",
    full={"writers": 3, "crashes": 2},
    short={"writers": 3, "crashes": 1},
    engines=("sqlite",),
    label="A model",
)
def interleavings(*, writers: int, crashes: int) -> Found:
    """Check every reachable state, and count the paths."""
    states, ways = explore(Variant(), writers, crashes)
    bites = {
        "Without the id check": (Variant(knows_ids=False), 1),
        "With a head that is not checked again": (Variant(moves_the_head_it_read=False), 0),
        "With a bare sequence for positions": (Variant(locks_the_feed=False), 0),
        "With the answer before the commit": (Variant(commits_before_it_answers=False), 1),
        "With locks taken in two orders": (Variant(locks_in_one_order=False), 0),
    }
    broke = [
        f"{what}: {must_break(partial(explore, variant, writers, hurt))}."
        for what, (variant, hurt) in bites.items()
    ]
    return Found(
        asked=f"every interleaving of {writers} writers, 2 readers and {crashes} crash"
        f"{'es' if crashes > 1 else ''} at any step, in a model of how an entry is stored",
        found=f"{ways:,} interleavings through {states:,} states: each ends with every act "
        "stored once",
        counts={"interleavings": ways, "states": states},
        bite=" ".join(broke),
    )


def explore(variant: Variant, writers: int, crashes: int) -> tuple[int, int]:
    """Return the numbers of reachable states and of paths to a final one. Raises: Broken."""
    first = State((Writer(),) * writers, ((), ()), crashes)
    ways: dict[State, int] = {}
    path = [(first, list(steps(first, variant)))]
    while path:
        state, after = path[-1]
        todo = next((each for each in after if each not in ways), None)
        if todo is not None:
            check(todo)
            path.append((todo, list(steps(todo, variant))))
            continue
        if not after:
            check_end(state)
        ways[state] = sum(ways[each] for each in after) or 1
        path.pop()
    return len(ways), ways[first]


def steps(state: State, variant: Variant) -> Iterator[State]:
    """Yield every state that one step leads to."""
    for number, writer in enumerate(state.writers):
        if writer.at != At.DONE:
            yield from step(state, number, writer, variant)
            if state.crashes and writer.at != At.READ:
                yield crashed(state, number, writer)
    for number, known in enumerate(state.read):
        news = tuple(entry for entry in state.stored if entry.position > cursor(known))
        if news:
            yield changed(state, read=put(state.read, number, known + news))


def step(state: State, number: int, writer: Writer, variant: Variant) -> Iterator[State]:
    """Yield the states after a writer's next step; none while it waits for a lock."""
    log = LOGS[number]
    crossed = number == 1 and not variant.locks_in_one_order
    match writer.at:
        case At.READ:
            is_there = any(entry.act == number for entry in state.stored)
            at = At.ANSWER if is_there and variant.knows_ids else At.PLACE if crossed else At.MOVE
            yield wrote(state, number, writer, at=at, head=state.head(log))
        case At.MOVE if state.holder(log) is None:
            if variant.moves_the_head_it_read and state.head(log) != writer.head:
                yield wrote(freed(state, number), number, writer, at=At.READ)
            else:
                at = At.COMMIT if crossed else At.PLACE
                yield wrote(locked(state, log, number), number, writer, at=at)
        case At.PLACE if not variant.locks_the_feed:
            drawn = changed(state, drawn=state.drawn + 1)
            yield wrote(drawn, number, writer, at=At.COMMIT, place=drawn.drawn)
        case At.PLACE if state.holder(FEED) is None:
            place, at = len(state.stored) + 1, At.MOVE if crossed else At.COMMIT
            yield wrote(locked(state, FEED, number), number, writer, at=at, place=place)
        case At.COMMIT if not variant.commits_before_it_answers and not writer.told:
            yield wrote(state, number, writer, told=True)
        case At.COMMIT:
            entry = Entry(writer.place, log, writer.head + 1, number)
            stored = changed(freed(state, number), stored=tuple(sorted((*state.stored, entry))))
            yield wrote(stored, number, writer, at=At.ANSWER)
        case At.ANSWER:
            yield wrote(state, number, writer, at=At.DONE, told=True)


def crashed(state: State, number: int, writer: Writer) -> State:
    """Return the state after a writer's process dies: a client without an answer resends."""
    left = changed(freed(state, number), crashes=state.crashes - 1)
    return wrote(left, number, Writer(told=writer.told), at=At.DONE if writer.told else At.READ)


def cursor(known: tuple[Entry, ...]) -> int:
    return known[-1].position if known else 0


changed: Any = msgspec.structs.replace


def put(parts: tuple[Any, ...], place: int, part: Any) -> tuple[Any, ...]:
    return (*parts[:place], part, *parts[place + 1 :])


def wrote(state: State, number: int, writer: Writer, **fields: Any) -> State:
    told: State = changed(state, writers=put(state.writers, number, changed(writer, **fields)))
    return told


def locked(state: State, lock: str, number: int) -> State:
    told: State = changed(state, locks=tuple(sorted((*state.locks, (lock, number)))))
    return told


def freed(state: State, number: int) -> State:
    told: State = changed(state, locks=tuple(lock for lock in state.locks if lock[1] != number))
    return told


# -- invariants -------------------------------------------------------------------------------


def check(state: State) -> None:
    """Check the invariants of every state. Raises: Broken."""
    acts = [entry.act for entry in state.stored]
    twice = next((act for act in acts if acts.count(act) > 1), None)
    require(twice is None, f"act {twice} is stored twice")
    for log in sorted(set(LOGS)):
        versions = [entry.version for entry in state.stored if entry.log == log]
        wanted = list(range(1, len(versions) + 1))
        require(sorted(versions) == wanted, f"log {log} has the versions {versions}")
    for known in state.read:
        missed = [
            entry.position
            for entry in state.stored
            if entry.position < cursor(known) and entry not in known
        ]
        require(not missed, f"a reader never got position {min(missed, default=0)}")


def check_end(state: State) -> None:
    """Check that in a final state every act is recorded and every reader has read it all."""
    waiting = [number for number, each in enumerate(state.writers) if each.at != At.DONE]
    require(not waiting, f"writers {waiting} wait for each other")
    acts = {entry.act for entry in state.stored}
    lost = [n for n, each in enumerate(state.writers) if each.told and n not in acts]
    require(not lost, f"act {min(lost, default=0)} was acknowledged and is not stored")
    places = [entry.position for entry in state.stored]
    require(places == list(range(1, len(places) + 1)), f"the positions are {places}")
    require(all(known == state.stored for known in state.read), "a reader was told otherwise")
