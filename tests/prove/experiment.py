"""An experiment: a function that tests a promise, at two sizes.

    @experiment(
        section="Races",
        promise="Of many who write after the same entry, one wins.",
        full={"rounds": 1000},
        short={"rounds": 200},
    )
    def one_version(*, rounds: int) -> Found: ...

It runs with Django set up, on a migrated, empty database that it may use and corrupt at will
(`django.db.connection`; the URL for other processes is `tests.site.database_url()`). It raises
`Broken` if the promise does not hold, and if its bite fails: the same experiment run on a variant
that is broken on purpose must fail.
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
    """A promise does not hold; the message says which one and how."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of an experiment in plain words for the proof page; it never depends on timing.

    `asked`: what was done, with numbers; `found`: what resulted; `counts`: coverage figures by
    name; `bite`: what the broken variant did, empty if there is none.
    """

    asked: str
    found: str
    counts: dict[str, int] = {}
    bite: str = ""


@dataclass(frozen=True)
class Experiment:
    """One promise and how to test it.

    `full` and `short` are the keyword arguments of `run` at each size. `apart`: even its short
    form needs a process of its own. `label`: the engine's name in the proof, if the experiment
    starts servers of its own. `short_on`: the only engine of the short form if that is not
    `engines`; for an experiment without a database, the engine whose tests finish sooner.
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
    """Return every experiment of this folder by name, in the order of the proof."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.name not in HARNESS and not module.name.startswith("test_"):
            importlib.import_module(f"tests.prove.{module.name}")
    order = {section: place for place, section in enumerate(SECTIONS)}
    ordered = sorted(_registry.values(), key=lambda each: (order[each.section], each.name))
    return {each.name: each for each in ordered}


# -- for experiments --------------------------------------------------------------------------


def require(holds: object, message: str) -> None:
    """Raise Broken unless `holds` is true."""
    if not holds:
        raise Broken(message)


def must_break(run: Callable[[], object]) -> str:
    """Run a variant that is broken on purpose, and return how it failed.

    Raises: Broken if it did not fail, or by a mistake in the variant's own code, because then the
    experiment proves nothing.
    """
    try:
        run()
    except Broken as broken:
        if re.search(r"\b(Assertion|Attribute|Import|Name|Type)Error\b", str(broken)):
            raise Broken(f"the variant that is broken on purpose does not run: {broken}") from None
        return str(broken)
    raise Broken("the variant that is broken on purpose was not found out")


def engine() -> str:
    """Return the engine's name in its usual spelling."""
    from django.db import connection

    return {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.vendor]


def plain(text: str) -> str:
    """Return a message on one line and without `|`, fit for a table."""
    return re.sub(r"\s+", " ", text).replace("|", "/").strip()


def batches(total: int, most: int) -> Iterator[int]:
    """Split a total into batches of at most `most`."""
    for start in range(0, total, most):
        yield min(most, total - start)
