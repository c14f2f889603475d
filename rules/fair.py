"""Fair draws: a seed committed to at the start, so that each draw can be checked at the end.

A log opens with a commitment, the SHA-256 of a secret seed. Draw *n* of a log, counted from 0 along
its effective history, is an HMAC of that seed over the log, *n* and the purpose. So a draw taken
back and made again has the same result, and once the seed is revealed each can be checked. The seed
is passed in; nothing here is random.
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
"""Size of the HMAC's output range, before reduction to `sides`."""


def commitment(seed: bytes) -> str:
    """Return the commitment a log opens with: the SHA-256 of its seed, as hex."""
    return hashlib.sha256(seed).hexdigest()


def seed_bytes(seed: str) -> bytes | None:
    """Return a revealed seed as bytes, or None if it is not hex."""
    try:
        return bytes.fromhex(seed)
    except ValueError:
        return None


def keeps(promise: str, seed: str) -> bool:
    """Tell whether a revealed seed, as hex, matches a commitment."""
    known = seed_bytes(seed)
    return known is not None and commitment(known) == promise


def draw(seed: bytes, log: str, n: int, purpose: str, sides: int) -> int:
    """Return draw `n` of a log: one of 0 … `sides` - 1, each equally likely.

    By rejection: numbers past the last whole multiple of `sides` are discarded and another one is
    computed, so that no result is favoured.
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
    """Return an act with its drawn fields filled in from the seed; `n` is the number of the first.

    A draw without values leaves its field unchanged: the ruleset refuses the act.
    """
    return msgspec.structs.replace(act, **fallen(draws, seed=seed, log=log, n=n))


def fallen(draws: Sequence[Draw], *, seed: bytes, log: str, n: int) -> dict[str, Plain]:
    """Return the drawn value of each field, as the seed gives them from draw `n` on."""
    return {
        each.field: each.values[draw(seed, log, n + i, each.purpose, len(each.values))]
        for i, each in enumerate(draws)
        if each.values
    }


@lru_cache(maxsize=1)
def _keyed(seed: bytes) -> hmac.HMAC:
    """Return an HMAC keyed with a seed, to be copied for each draw of its log."""
    return hmac.new(seed, digestmod="sha256")


@lru_cache(maxsize=1024)
def _prefixed(part: str) -> bytes:
    """Return a text prefixed with its length, so that joined lists of texts are unambiguous."""
    encoded = part.encode()
    return len(encoded).to_bytes(8) + encoded
