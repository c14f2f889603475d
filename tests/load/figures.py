"""Figures of a load: percentiles, lost acts, and CPU time by part of the site."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path


def percentile(values: Sequence[float], share: int) -> float:
    """Return a percentile: the least value that `share` percent of the values do not exceed."""
    return sorted(values)[max(1, ceil(share * len(values) / 100)) - 1]


@dataclass
class Asked:
    """Requests of one kind: the times of good answers in seconds, and the errors."""

    took: list[float] = field(default_factory=list)
    wrong: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Compared:
    """What became of acts: `lost` were acknowledged but not stored, `doubled` are stored twice.

    `unasked` are stored but were never acknowledged: only their answer was lost.
    """

    lost: int
    doubled: int
    unasked: int


def compare(acknowledged: Iterable[str], there: Sequence[str]) -> Compared:
    """Compare the ids of acknowledged acts with those in a log."""
    known, found = set(acknowledged), Counter(there)
    return Compared(
        lost=len(known - found.keys()),
        doubled=sum(count - 1 for count in found.values()),
        unasked=len(found.keys() - known),
    )


# -- CPU time by part ---------------------------------------------------------------------------

PARTS = {
    "gunicorn": "web processes",
    "uvicorn": "stream process",
    "celery": "workers and beat",
    "postgres": "PostgreSQL",
    "nginx": "nginx",
    "valkey": "broker",
}
TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Used:
    """CPU seconds so far: by part of the site, idle, and of the whole machine."""

    parts: Mapping[str, float]
    idle: float
    machine: float

    def since(self, before: "Used") -> dict[str, float]:
        """Return each part's share of the machine's CPU time since `before`, idle, and the rest."""
        whole = max(self.machine - before.machine, 1e-9)
        found = {name: (self.parts[name] - before.parts[name]) / whole for name in self.parts}
        found["idle"] = (self.idle - before.idle) / whole
        found["others on this machine"] = max(0.0, 1 - sum(found.values()))
        return found


def used() -> Used:
    """Return the CPU time of the site's parts, children of this process, and of the load itself."""
    parts = dict.fromkeys(["load generator", *PARTS.values()], 0.0)
    parts["load generator"] = sum(os.times()[:2])
    for child in _children(os.getpid()):
        command = Path(f"/proc/{child}/cmdline").read_bytes().decode(errors="replace")
        name = next((PARTS[word] for word in PARTS if word in command), "")
        if name:
            parts[name] += tree_seconds(child)
    first, *_ = Path("/proc/stat").read_text().splitlines()
    ticks = [int(each) for each in first.split()[1:9]]
    return Used(parts, (ticks[3] + ticks[4]) / TICK, sum(ticks) / TICK)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, children.read_text().split())
        except OSError:  # that thread has ended
            continue
    return found


def tree_seconds(pid: int) -> float:
    """Return the CPU seconds of a process and all its children, including finished ones."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        below = _children(pid)
    except OSError:  # it has ended
        return 0.0
    return sum(map(int, told[11:15])) / TICK + sum(map(tree_seconds, below))


def memory(pid: int) -> float:
    """Return the proportional set size (PSS) of a process in KiB."""
    told = Path(f"/proc/{pid}/smaps_rollup").read_text()
    (line,) = [line for line in told.splitlines() if line.startswith("Pss:")]
    return float(line.split()[1])
