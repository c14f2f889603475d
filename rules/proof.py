"""Prove stored entries from the bytes up: chain, bodies, decisions, digests and draws.

It takes nothing but the rules, and names the first entry that does not hold.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from rules import chain, checking, encoding, fair
from rules.chain import Record
from rules.replay import Entry, Timeline
from rules.ruleset import Opened, Ruleset

OF_RULES = frozenset({"body", "verdict", "consequences", "digest"})
"""Problems of an entry whose chain holds that a change of the rules explains."""


class Flaw(NamedTuple):
    """The first entry that does not hold, and why."""

    version: int
    problem: str
    detail: str


class Proof(NamedTuple):
    """A log as far as it holds, folded, and the first flaw if there is one.

    `of_rules`: the whole chain holds, and the flaw is only that the rules decide otherwise.
    """

    timeline: Timeline
    flaw: Flaw | None
    seed: bytes | None
    of_rules: bool = False


def prove(
    ruleset: Ruleset,
    log: str,
    records: Iterable[Record],
    secret: str = "",
    seen: Callable[[int], object] | None = None,
) -> Proof:
    """Prove entries as stored or read from a file. `secret` is the seed, as hex.

    `seen` is called with the version of each entry that holds.
    """
    entries: list[Entry] = []
    broken, unread, previous = None, None, chain.GENESIS
    for version, record in enumerate(records, 1):
        if broken := _check_record(log, record, previous, version):
            break
        previous = record.hash
        entry = None if unread else encoding.entry_of(ruleset, record)
        if entry:
            entries.append(entry)
        else:
            unread = unread or Flaw(version, "body", "a body is not canonical, or not its row's")
    seed = _seed(entries, secret)
    if entries and secret and seed is None:
        broken = Flaw(1, "seed", "the seed kept here is not the one the log promised")
    timeline, divergence = checking.replayed(ruleset, entries, seed, seen)
    judged = unread
    if divergence:
        judged = Flaw(divergence.version, divergence.what, str(divergence))
    flaw = judged if divergence else first(unread, broken)
    of_rules = judged is not None and judged.problem in OF_RULES
    return Proof(timeline, flaw, seed, of_rules and not broken)


def first(flaw: Flaw | None, other: Flaw | None) -> Flaw | None:
    """Return the flaw of the earlier entry; of the same entry, the first."""
    if flaw is None or other is None:
        return flaw or other
    return min(flaw, other, key=lambda each: each.version)


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
