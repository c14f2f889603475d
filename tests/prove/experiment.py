"""An experiment: a function that puts a promise to the proof, at two sizes.

    @experiment(
        section="Races",
        promise="Of many who write after the same entry, one wins.",
        full={"rounds": 1000},
        short={"rounds": 200},
    )
    def one_version(*, rounds: int) -> Found: ...

It runs in a Django that is set up, on a migrated database with nothing in it that is its own
to use and to spoil (`django.db.connection`; the URL for other processes is
`tests.site.database_url()`). It raises `Broken` when the promise does not hold, and when its
bite does not: the same experiment on a variant broken on purpose, which must fail.
"""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

SECTIONS = (
    "Crashes",
    "Races",
    "The feed",
    "Watching",
    "Offline",
    "Corrections",
    "The desk",
    "The books",
    "The rulebook",
    "Bad input",
    "Tampering",
    "Hidden information",
    "Restoring",
)
BOTH = ("sqlite", "postgresql")
HARNESS = ("__main__", "experiment", "report")


class Broken(AssertionError):
    """A promise does not hold; the message says which and how."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What came of an experiment, in plain words for the proof page; no timing decides it.

    `asked`: what was done, with its figures; `found`: what came of it; `counts`: figures of
    what was covered, by name; `bite`: what the broken variant did, empty where there is none.
    """

    asked: str
    found: str
    counts: dict[str, int] = {}
    bite: str = ""


@dataclass(frozen=True)
class Experiment:
    """One promise and how to prove it.

    `full` and `short` are the keyword arguments of `run` at either size. `apart`: it needs a
    process of its own also in its short form. `label`: what the proof calls the engine, where
    it starts others of its own. `short_on`: the one engine of the short form, where that is not
    `engines`: of what asks no database, the one whose tests are through sooner.
    """

    name: str
    section: str
    promise: str
    run: Callable[..., Found]
    full: dict[str, Any]
    short: dict[str, Any]
    engines: tuple[str, ...] = BOTH
    apart: bool = False
    label: str = ""
    short_on: str = ""

    def at(self, size: str) -> Found:
        """Run it at a size, `full` or `short`. Raises: Broken."""
        return self.run(**{"full": self.full, "short": self.short}[size])


_registry: dict[str, Experiment] = {}


def experiment(
    *,
    section: str,
    promise: str,
    full: dict[str, Any],
    short: dict[str, Any],
    engines: tuple[str, ...] = BOTH,
    apart: bool = False,
    label: str = "",
    short_on: str = "",
) -> Callable[[Callable[..., Found]], Callable[..., Found]]:
    """Register a function as an experiment; its name, in kebab-case, is the experiment's."""
    if section not in SECTIONS:
        raise ValueError(f"{section!r} is none of {', '.join(SECTIONS)}")

    def register(run: Callable[..., Found]) -> Callable[..., Found]:
        name = run.__name__.replace("_", "-")
        if name in _registry:
            raise ValueError(f"there are two experiments {name}")
        _registry[name] = Experiment(
            name, section, promise, run, full, short, engines, apart, label, short_on
        )
        return run

    return register


def registry() -> dict[str, Experiment]:
    """Return every experiment of this folder by name, in the order the proof tells them."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.name not in HARNESS and not module.name.startswith("test_"):
            importlib.import_module(f"tests.prove.{module.name}")
    order = {section: place for place, section in enumerate(SECTIONS)}
    ordered = sorted(_registry.values(), key=lambda each: (order[each.section], each.name))
    return {each.name: each for each in ordered}


# -- for experiments --------------------------------------------------------------------------


def require(holds: object, message: str) -> None:
    """Raise Broken unless something holds."""
    if not holds:
        raise Broken(message)


def must_break(run: Callable[[], object]) -> str:
    """Run what is broken on purpose and return how it broke.

    Raises: Broken if it did not, for then the experiment proves nothing.
    """
    try:
        run()
    except Broken as broken:
        return str(broken)
    raise Broken("the variant that is broken on purpose was not found out")


def engine() -> str:
    """Return the engine's name as people write it."""
    from django.db import connection

    return {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.vendor]


def plain(text: str) -> str:
    """Return a message on one line, fit for a table."""
    return re.sub(r"\s+", " ", text).replace("|", "/").strip()


def batches(total: int, most: int) -> Iterator[int]:
    """Split a total into parts of at most so many."""
    for start in range(0, total, most):
        yield min(most, total - start)
