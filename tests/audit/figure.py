"""The results of an audit: a goal with its figure, and the sizes of every page."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil


@dataclass(frozen=True)
class Figure:
    """A goal, its target, what was measured over which sample; `met`: None if only reported."""

    goal: str
    target: str
    measured: str
    sample: str
    met: bool | None


@dataclass
class PageMeasurement:
    """The measurements of one page type; sizes in bytes as sent, with HTML gzipped."""

    path: str = ""
    status: int = 0
    html: int = 0
    css: int = 0
    js: int = 0
    queries: int = 0
    again: int = 0
    visitor: int = 0  # queries of a public page for a visitor, 0 if it is not public
    target: float = 0
    wrong: list[str] = field(default_factory=list)


class Pages(dict[str, PageMeasurement]):
    """The measurements of every page type, by name."""


def most(
    goal: str,
    unit: str,
    limit: float | None,
    values: Iterable[tuple[str, float]],
    sample: str,
    shown: Callable[[float], str] = "{:,.0f}".format,
) -> Figure:
    """Return the figure for the largest value, and which page it belongs to."""
    name, value = max(values, key=lambda each: each[1])
    measured = f"{shown(value)} {unit} ({name})"
    if limit is None:
        return Figure(goal, "no limit", measured, sample, None)
    return Figure(goal, f"≤ {shown(limit)} {unit}", measured, sample, value <= limit)


def none(goal: str, wrong: Sequence[str], sample: str) -> Figure:
    """Return the figure for a list of faults: none, or how many and the first."""
    measured = f"{len(wrong)}: {'; '.join(wrong[:3])}" if wrong else "0"
    return Figure(goal, "0", measured, sample, not wrong)


def share(values: Sequence[float], part: float) -> float:
    """Return a quantile: the value that the fraction `part` of the values does not exceed."""
    return sorted(values)[ceil(part * len(values)) - 1]
