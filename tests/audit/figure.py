"""What an audit finds: one goal with its figure, and what every page weighs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil


@dataclass(frozen=True)
class Figure:
    """A goal, what was asked for, what was found and over what; `kept`: None where it is told."""

    goal: str
    asked: str
    found: str
    over: str
    kept: bool | None


@dataclass
class Told:
    """What is known of one page type; sizes in bytes as sent, HTML gzipped."""

    path: str = ""
    status: int = 0
    html: int = 0
    css: int = 0
    js: int = 0
    queries: int = 0
    again: int = 0
    visitor: int = 0  # queries of a public page as a visitor, 0 where it is none
    target: float = 0
    wrong: list[str] = field(default_factory=list)


class Pages(dict[str, Told]):
    """What is known of every page type, by its name."""


def most(
    goal: str,
    unit: str,
    limit: float,
    values: Iterable[tuple[str, float]],
    over: str,
    shown: Callable[[float], str] = "{:,.0f}".format,
) -> Figure:
    """Tell the largest of some values, and whose it is."""
    name, value = max(values, key=lambda each: each[1])
    found = f"{shown(value)} {unit} ({name})"
    return Figure(goal, f"≤ {shown(limit)} {unit}", found, over, value <= limit)


def none(goal: str, wrong: Sequence[str], over: str) -> Figure:
    """Tell that nothing was found wrong, or how much and where first."""
    found = f"{len(wrong)}: {'; '.join(wrong[:3])}" if wrong else "0"
    return Figure(goal, "0", found, over, not wrong)


def share(values: Sequence[float], part: float) -> float:
    """Return the value that so large a part of them does not go beyond."""
    return sorted(values)[ceil(part * len(values)) - 1]
