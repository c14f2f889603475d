"""Fair draws: a seed promised at the start, a draw anyone can check at the end.

A log opens with a commitment, the SHA-256 of a secret seed. Draw *n* of a log, counted from 0
along its effective history, is an HMAC of that seed over the log, *n* and the purpose. So a
draw taken back and made again falls the same, and once the seed is out each can be checked.
The seed comes from outside; nothing here is random.
"""

import hashlib
import hmac
from collections.abc import Sequence
from functools import lru_cache
from itertools import count

import msgspec

from rules.fields import Plain
from rules.ruleset import Act, Draw

NUMBERS = 2**256
"""So many numbers a draw may give before it is brought down to its sides."""


def commitment(seed: bytes) -> str:
    """Return what a log opens with: the SHA-256 of its seed, as hex."""
    return hashlib.sha256(seed).hexdigest()


def seed_bytes(seed: str) -> bytes | None:
    """Return a revealed seed as bytes, None when it is not hex."""
    try:
        return bytes.fromhex(seed)
    except ValueError:
        return None


def keeps(promise: str, seed: str) -> bool:
    """Tell whether a revealed seed, as hex, is the one a commitment promised."""
    known = seed_bytes(seed)
    return known is not None and commitment(known) == promise


def draw(seed: bytes, log: str, n: int, purpose: str, sides: int) -> int:
    """Return draw `n` of a log: one of 0 … `sides` - 1, each equally likely.

    Numbers past the last whole multiple of `sides` are thrown away and the next one is
    taken, so that no result is favoured.
    """
    if sides < 1:
        raise ValueError(f"a draw needs at least one side, not {sides}")
    limit = NUMBERS - NUMBERS % sides
    for attempt in count():
        message = b"".join(map(_prefixed, (log, str(n), purpose, str(attempt))))
        keyed = _keyed(seed).copy()
        keyed.update(message)
        number = int.from_bytes(keyed.digest())
        if number < limit:
            return number % sides
    raise AssertionError("count() has no end")


def fill(draws: Sequence[Draw], act: Act, *, seed: bytes, log: str, n: int) -> Act:
    """Return an act with its drawn fields as the seed has them; `n` counts the draws before.

    A draw from nothing is left as it came: the ruleset refuses it.
    """
    return msgspec.structs.replace(act, **fallen(draws, seed=seed, log=log, n=n))


def fallen(draws: Sequence[Draw], *, seed: bytes, log: str, n: int) -> dict[str, Plain]:
    """Return by field what the seed has for draws; `n` counts those before."""
    return {
        each.field: each.values[draw(seed, log, n + i, each.purpose, len(each.values))]
        for i, each in enumerate(draws)
        if each.values
    }


@lru_cache(maxsize=1)
def _keyed(seed: bytes) -> hmac.HMAC:
    """Return an HMAC under a seed, which all draws of its log go on from."""
    return hmac.new(seed, digestmod="sha256")


@lru_cache(maxsize=1024)
def _prefixed(part: str) -> bytes:
    """Return a text with its length before it: no two lists of them joined give the same bytes."""
    encoded = part.encode()
    return len(encoded).to_bytes(8) + encoded
