"""Brackets: double elimination compared with brackets-manager, if Node is installed."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rules.desk.formats import double_elimination
from rules.desk.formats.bracket import Met, met, resolve
from tests.bench.figure import Figure, Work, median_rate

PLAYERS = 1024
PACKAGES = ("brackets-manager@1.11.1", "brackets-memory-db@1.0.6")
SCRIPT = Path(__file__).with_name("brackets.cjs")


def figures() -> Iterator[Figure]:
    theirs = _theirs()
    rate = median_rate(_ours(PLAYERS))
    name = f"double elimination of {PLAYERS:,}, laid out and reported, a wave at a time"
    beside = "brackets-manager, which takes each result alone" if theirs else ""
    yield Figure(name, rate, "results/s", theirs, beside, least=1 if theirs else 0)
    if not theirs:
        yield Figure("brackets-manager", told="node and npm are not here, or npm has no network")
    yield Figure(f"one result in it, and what can be played then, {PLAYERS:,}", _one(), "ms")
    rate = median_rate(_ours(4096))
    yield Figure("double elimination of 4,096, laid out and reported", rate, "results/s")


def _theirs() -> float:
    """Return the rate of brackets-manager in results per second; 0 if it is not available."""
    if not (shutil.which("node") and shutil.which("npm")):
        return 0
    with tempfile.TemporaryDirectory() as folder:
        install = ["npm", "install", "--silent", "--no-audit", "--no-fund", *PACKAGES]
        if subprocess.run(install, cwd=folder, stdout=subprocess.DEVNULL, check=False).returncode:
            return 0
        run = subprocess.run(
            ["node", shutil.copy(SCRIPT, folder), str(PLAYERS)],
            cwd=folder, stdout=subprocess.PIPE, check=True, text=True,
        )  # fmt: skip
    return float(json.loads(run.stdout))


def _ours(count: int) -> Work:
    players = list(range(1, count + 1))

    def play() -> int:
        bracket = double_elimination.lay_out(len(players))
        winners: dict[Met, int] = {}
        standing = resolve(bracket, players, winners)
        while standing.ready:
            for name in standing.ready:
                pair = standing.players[name]
                winners[met(name, pair)] = min(each for each in pair if each)
            standing = resolve(bracket, players, winners)
        return len(winners)

    return play


def _one() -> float:
    """Return how long computing the bracket after its first wave takes, in milliseconds."""
    players = list(range(1, PLAYERS + 1))
    bracket = double_elimination.lay_out(PLAYERS)
    pairs = {
        slot.name: (slot.takes[0].number, slot.takes[1].number)
        for slot in bracket.slots
        if slot.wave == 1
    }
    played = {met(name, pair): pair[0] for name, pair in pairs.items()}

    def resolved() -> int:
        for _ in range(10):
            resolve(bracket, players, played)
        return 10

    return 1000 / median_rate(resolved)
