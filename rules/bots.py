"""Bots that know a game only by its offers, and whole matches played by them.

Their chance is data: a stream of numbers made from a seed, the same on every machine.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any, TypeVar

import msgspec

from rules import fair
from rules.capabilities import SupportsWorth
from rules.fields import Choice, Field, Free, Ordered, Plain, Range, RangeList, Subset, Value, Walk
from rules.replay import Moment, Timeline, entry_after
from rules.ruleset import Act, Offer, Pick, Ruleset, SeedRevealed, TakenBack, event_type, narrowed

T = TypeVar("T")

USUAL_WEIGHT = 100
THOUGHTS = 12
"""How many random acts of a type a keen bot evaluates."""

WALKED = 6
"""How many walk offers a keen bot evaluates fully."""

WHIM = 30
"""A keen bot plays a random act once in this many."""

RARE = 10  # a keen bot avoids types of lower weight while it has any alternative
SLIPS = 40  # one act in this many is taken back


class Stream:
    """An endless stream of pseudo-random numbers made from a seed. Calling it is a `Pick`."""

    def __init__(self, seed: str | int) -> None:
        self._seed = str(seed).encode()
        self._block = 0
        self._pool = 0
        self._left = 0

    def __call__(self, n: int) -> int:
        """Return one of 0 … n - 1. All are equally likely to within one part in 2**48."""
        if self._left == 0:
            block = self._seed + b":" + str(self._block).encode()
            self._pool = int.from_bytes(hashlib.sha512(block).digest())
            self._block += 1
            self._left = 8
        number = self._pool & 0xFFFFFFFFFFFFFFFF
        self._pool >>= 64
        self._left -= 1
        return number % n

    def choice(self, values: Sequence[T]) -> T:
        return values[self(len(values))]


def random_act(ruleset: Ruleset, state: Any, pick: Pick) -> Act | None:
    """Return a random act that the offers allow, or None if there are no offers.

    The type is picked first, by the ruleset's weights; then one of the offers of that type; then a
    value for each field.
    """
    kinds = _by_type(ruleset.options(state))
    return _random_of(ruleset, kinds, pick) if kinds else None


def _random_of(ruleset: Ruleset, kinds: Mapping[str, Sequence[Offer]], pick: Pick) -> Act:
    offers = kinds[_picked(ruleset, kinds, pick)]
    return act_of(ruleset, offers[pick(len(offers))], pick)


def _by_type(offers: Sequence[Offer]) -> dict[str, tuple[Offer, ...]]:
    """Group offers by their act type, types in alphabetical order."""
    ordered = sorted(offers, key=lambda offer: offer.type)
    return {kind: tuple(group) for kind, group in groupby(ordered, key=lambda offer: offer.type)}


def _picked(ruleset: Ruleset, kinds: Iterable[str], pick: Pick) -> str:
    weights = {kind: ruleset.bot_weights.get(kind, USUAL_WEIGHT) for kind in kinds}
    return _weighted(weights, pick)


def _thoughts(ruleset: Ruleset, offers: Sequence[Offer], pick: Pick) -> Iterator[Act]:
    """Yield the acts to evaluate: a few random ones, and the shortest walk to each possible end."""
    for _ in range(THOUGHTS):
        yield act_of(ruleset, offers[pick(len(offers))], pick)
    for offer in some_of(offers, WALKED, pick):
        for name, field in offer.fields.items():
            if isinstance(field, Walk):
                for way in shortest_walks(field).values():
                    yield act_of(ruleset, narrowed(offer, name, [way]), pick)


def some_of(values: Sequence[T], most: int, pick: Pick) -> list[T]:
    left = list(values)
    return [left.pop(pick(len(left))) for _ in range(min(most, len(left)))]


def keen_act(ruleset: Ruleset, state: Any, pick: Pick) -> Act | None:
    """Return an act played to win, or None if there are no offers.

    If the ruleset can value acts (`SupportsWorth`), this is the best of a few acts of one type; if
    all of them are better avoided, another type is tried. Otherwise, and once in `WHIM` acts, it is
    a random act, avoiding rare types.
    """
    return keen_choice(ruleset, state, ruleset.options(state), pick)


def keen_choice(ruleset: Ruleset, state: Any, offers: Sequence[Offer], pick: Pick) -> Act | None:
    """Return an act chosen from some offers as `keen_act` does."""
    kinds = _by_type(offers)
    if not kinds:
        return None
    usual = _usual(ruleset, kinds)
    if isinstance(ruleset, SupportsWorth) and (not usual or pick(WHIM)):
        left = dict(kinds)
        while left:
            kind = _picked(ruleset, left, pick)
            thoughts = dict.fromkeys(_thoughts(ruleset, left.pop(kind), pick))
            worths = {act: ruleset.worth(state, act) for act in thoughts}
            good = {act: worth for act, worth in worths.items() if worth is not None}
            if good:
                return max(good, key=good.__getitem__)
    return _random_of(ruleset, usual or kinds, pick)


def _usual(
    ruleset: Ruleset, kinds: Mapping[str, tuple[Offer, ...]]
) -> dict[str, tuple[Offer, ...]]:
    """Return the offers by type, without the rare types."""
    weights = ruleset.bot_weights
    return {
        kind: offers for kind, offers in kinds.items() if weights.get(kind, USUAL_WEIGHT) >= RARE
    }


def act_of(ruleset: Ruleset, offer: Offer, pick: Pick) -> Act:
    """Return an act covered by an offer, with every field picked from its domain."""
    plain: dict[str, Any] = {
        name: value_of(ruleset, field, pick) for name, field in offer.fields.items()
    }
    if offer.seat is not None:
        plain["seat"] = offer.seat
    return msgspec.convert(plain, _kinds(ruleset.acts)[offer.type])


@cache
def _kinds(acts: tuple[type[Act], ...]) -> Mapping[str, type[Act]]:
    return {event_type(act): act for act in acts}


def value_of(ruleset: Ruleset, field: Field, pick: Pick) -> Value | list[Plain]:
    """Return a random value from a field's domain."""
    match field:
        case Choice(values):
            return values[pick(len(values))]
        case Range(low, high):
            return _near(low, high, pick)
        case Subset():
            return _some(field, pick)
        case Ordered(values, most, least):
            size = least + min(pick(most - least + 1), pick(most - least + 1))
            return some_of(values, size, pick)
        case RangeList(low, high, most, least):
            size = least + pick(most - least + 1)
            return [_near(low, high, pick) for _ in range(size)]
        case Walk():
            return _walked(field, pick)
        case Free(shape):
            return ruleset.sample_value(shape, pick)


def _near(low: int, high: int, pick: Pick) -> int:
    """Pick from a range, favouring small numbers: a table scores 7 more often than 7,000."""
    nearest = max(low, min(high, 0))
    reach = (10, 100, high - low + 1)[min(pick(20) // 9, 2)]
    return min(high, nearest + pick(reach)) if pick(12) else max(low, nearest - pick(reach))


def _some(field: Subset, pick: Pick) -> list[Plain]:
    """Pick a subset in the order of the values, favouring small ones."""
    span = field.most - field.least + 1
    size = min(pick(span), pick(span), pick(span)) + field.least
    places = range(len(field.values))
    if field.repeats:
        chosen = [pick(len(places)) for _ in range(size)]
    else:
        chosen = some_of(places, size, pick)
    return [field.values[i] for i in sorted(chosen)]


WALKS = 8
"""How many random walks are tried before the shortest one is taken."""


def _walked(field: Walk, pick: Pick) -> list[Plain]:
    """Pick a walk that does not cross itself, favouring short ones; fall back to the shortest."""
    ways = {place: others for place, *others in field.ways}
    for _ in range(WALKS):
        walk = [field.start]
        for _ in range(1 + min(pick(field.most), pick(field.most))):
            if not (onward := [place for place in ways.get(walk[-1], ()) if place not in walk]):
                break
            walk.append(onward[pick(len(onward))])
        if len(walk) > 1 and walk[-1] in field.ends:
            return list(walk[1:])
    return list(next(iter(shortest_walks(field).values())))


def shortest_walks(field: Walk) -> dict[str, tuple[str, ...]]:
    """Return a shortest walk to each place where it may end, nearest first.

    One back to the start is among them only if there is no other.
    """
    ways = {place: others for place, *others in field.ways}
    found: dict[str, tuple[str, ...]] = {}
    last: list[tuple[str, ...]] = [()]
    for _ in range(field.most):
        onward: dict[str, tuple[str, ...]] = {}
        for walk in last:
            for place in ways.get(walk[-1] if walk else field.start, ()):
                if place not in found:
                    onward.setdefault(place, (*walk, place))
        found |= onward
        last = list(onward.values())
    walks = {place: walk for place, walk in found.items() if place in field.ends}
    if len(walks) > 1:
        walks.pop(field.start, None)
    return walks


def _weighted(weights: Mapping[str, int], pick: Pick) -> str:
    number = pick(sum(weights.values()))
    for name, weight in weights.items():
        number -= weight
        if number < 0:
            return name
    raise AssertionError("the weights add up")


# -- whole matches --------------------------------------------------------------------


def sample_setup(
    ruleset: Ruleset,
    seed: str | int,
    *,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> Any:
    """Return a playable setup, with a committed seed for server draws."""
    setup = ruleset.sample_setup(Stream(f"setup {seed}"), seats, options)
    secret = fair.commitment(secret_of(seed))
    return msgspec.structs.replace(setup, log=f"playout-{seed}", commitment=secret)


def secret_of(seed: str | int) -> bytes:
    """Return the seed of a play-out's server draws. Anyone can compute it, as only bots play."""
    return hashlib.sha256(f"secret {seed}".encode()).digest()


def playout(
    ruleset: Ruleset, setup: Any, seed: str | int, *, limit: int = 2000, keen: bool = False
) -> Timeline:
    """Play a match to its end, or for `limit` entries; `keen` bots play to win.

    Now and then an act is taken back, rarely several. If the setup was made by `sample_setup`,
    server draws come from its seed, which is revealed at the end.
    """
    pick = Stream(f"playout {seed}")
    secret = secret_of(seed)
    timeline = Timeline(ruleset)
    timeline.add(*entry_after(ruleset, timeline, setup))
    while len(timeline) < limit:
        chosen = keen_act if keen else random_act
        act = _slip(timeline, pick) or chosen(ruleset, timeline.head.state, pick)
        if act is None:
            break
        act = drawn(ruleset, timeline.head, act, secret)
        timeline.add(*entry_after(ruleset, timeline, act))
    if ruleset.outcome(timeline.head.state) and fair.keeps(setup.commitment, secret.hex()):
        reveal = SeedRevealed(seed=secret.hex())
        timeline.add(*entry_after(ruleset, timeline, reveal))
    return timeline


def drawn(ruleset: Ruleset, moment: Moment, act: Act, secret: bytes) -> Act:
    """Return an act with the server draws it asks for filled in."""
    if isinstance(act, TakenBack):
        return act
    draws = ruleset.draws(moment.state, act)
    return fair.fill(draws, act, seed=secret, log=moment.state.setup.log, n=moment.draws)


def _slip(timeline: Timeline, pick: Pick) -> TakenBack | None:
    """Occasionally return an act that takes back the last act, or a few."""
    if pick(SLIPS):
        return None
    history = timeline.effective()
    if len(history) < 2:
        return None
    back = 1 + (pick(min(5, len(history) - 1)) if pick(4) == 0 else 0)
    return TakenBack(to=history[-1 - back])
