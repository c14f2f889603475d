"""A line of the table, and how its rate is measured."""

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

REPEATS = 5


@dataclass
class Figure:
    """A measurement: a rate, or a duration.

    `base` is the rate of the baseline named by `beside`. A goal is `least`, as a multiple of the
    base, or `most`, in the figure's unit. A figure that could not be measured has no rate, and a
    reason instead.
    """

    name: str
    rate: float = 0
    unit: str = ""
    base: float = 0
    beside: str = ""
    least: float = 0
    most: float = 0
    told: str = ""

    @property
    def has_goal(self) -> bool:
        return bool(self.least or self.most)

    @property
    def missed(self) -> bool:
        too_slow = self.rate < self.least * self.base
        return too_slow or bool(self.most and self.rate > self.most)

    def row(self) -> str:
        if not self.rate:
            return f"| {self.name} | not taken | {self.told} |"
        told = [
            f"{self.rate / self.base:.2f} × {self.beside}" if self.base else "",
            self.told,
            f"goal {self.least:.2g} ×" if self.least else "",
            f"goal {self.most:,.0f} {self.unit.split()[0]}" if self.most else "",
            "**missed**" if self.missed else "",
        ]
        return f"| {self.name} | {self.rate:,.0f} {self.unit} | {', '.join(filter(None, told))} |"


Work = Callable[[], int]
"""What is measured; it says how many things it did."""


def median_rate(work: Work, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the median rate of several runs of `work`."""
    return median_rates(work, clock=clock)[0]


def median_rates(
    *works: Work, clock: Callable[[], float] = time.perf_counter, repeats: int = REPEATS
) -> list[float]:
    """Return the median rate of each work, running them alternately.

    Garbage is collected between the runs and not within, as in the web process between requests.
    """
    rates: list[list[float]] = [[] for _ in works]
    gc.disable()
    try:
        for _ in range(repeats):
            for work, found in zip(works, rates, strict=True):
                gc.collect()
                began = clock()
                done = work()
                found.append(done / (clock() - began))
    finally:
        gc.enable()
    return [statistics.median(found) for found in rates]
