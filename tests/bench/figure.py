"""A line of the table, and how its rate is found."""

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

REPEATS = 5


@dataclass
class Figure:
    """What was measured: a rate, or how long something takes.

    `base` is the rate of the baseline that `beside` names. A goal is `least`, times the base, or
    `most`, in the unit of the figure. One that could not be taken has no rate, and tells why.
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
    """Return the median rate of so many runs of `work`."""
    return median_rates(work, clock=clock)[0]


def median_rates(
    *works: Work, clock: Callable[[], float] = time.perf_counter, repeats: int = REPEATS
) -> list[float]:
    """Return the median rate of each of these works, run in turn so many times.

    Garbage is collected between them and not within, as the web process does with requests.
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
