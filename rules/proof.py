"""Prove stored entries from the bytes up: chain, bodies, decisions, digests and draws.

It takes nothing but the rules, and names the first entry that does not hold.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from rules import chain, checking, encoding, fair
from rules.chain import Record
from rules.replay import Entry, Timeline
from rules.ruleset import Opened, Ruleset


class Flaw(NamedTuple):
    """The first entry that does not hold, and why."""

    version: int
    problem: str
    detail: str


class Proof(NamedTuple):
    """A log as far as it holds, folded, and the first flaw if there is one."""

    timeline: Timeline
    flaw: Flaw | None
    seed: bytes | None


def prove(
    ruleset: Ruleset,
    log: str,
    records: Iterable[Record],
    secret: str = "",
    seen: Callable[[int], object] = lambda version: None,
) -> Proof:
    """Prove entries as stored or read from a file. `secret` is the seed, as hex.

    `seen` is called with the version of each entry that holds.
    """
    entries: list[Entry] = []
    flaw, previous = None, chain.GENESIS
    for record in records:
        flaw = _check_record(log, record, previous, len(entries) + 1)
        entry = None if flaw else encoding.entry_of(ruleset, record)
        if entry is None:
            flaw = flaw or Flaw(record.version, "body", "a body is not canonical, or not its row's")
            break
        entries.append(entry)
        previous = record.hash
    seed = _seed(entries, secret)
    if secret and seed is None:
        flaw = Flaw(1, "seed", "the seed kept here is not the one the log promised")
    timeline, divergence = checking.replayed(ruleset, entries, seed, seen)
    if divergence:
        flaw = Flaw(divergence.version, divergence.what, str(divergence))
    return Proof(timeline, flaw, seed)


def _check_record(log: str, record: Record, previous: str, version: int) -> Flaw | None:
    if record.version != version:
        return Flaw(version, "gap", f"entry {version} is missing")
    if not chain.holds(log, previous, record):
        return Flaw(version, "hash", f"entry {version} has not the hash its content gives")
    return None


def _seed(entries: Sequence[Entry], secret: str) -> bytes | None:
    """Return the seed the log committed to, from `secret` or from its own revelation."""
    opened = entries[0].act if entries else None
    if isinstance(opened, Opened) and fair.keeps(opened.commitment, secret):
        return fair.seed_bytes(secret)
    return checking.revealed_seed(entries)
