"""Matches of Z-G in which bots try illegal acts until every rule has been broken.

`python -m tests.rules.mischief MATCHES` prints how often each code of an irregular act stood.
"""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

import rules
from rules import bots
from rules.conformance.generator import made, mutated, words_of
from rules.replay import Timeline, entry_after, judge
from rules.ruleset import Act, Offer, event_type
from rules.zg.acts import ZgOpened
from rules.zg.cards import Deck, ModeCard, Name
from rules.zg.samples import ARENAS, TERRAIN
from tests import rulebook

RULESET = rules.get("zg")
LONGEST = 40  # entries
TEMPTATIONS = 32  # acts thought of before each entry
SELDOM = 10  # a rule broken before is broken again in one entry of so many
LATELY = 12  # so far back an act is thought of again
FIRST = ("hand-taken", "impulse-called")
"""What a table does before all else on offer, so that the order of play is known."""

MODES: tuple[ModeCard | Name, ...] = (
    "Ambition",
    "Deadshot!!",
    ModeCard(name="Wits", time=2),
    ModeCard(name="Nerve", time=4),
)


RARE = {
    "countdown-runs": "a clock has to be started twice",
    "follow-up-same-end": "a follow-up is earned by three strikes, and soon over",
    "impulse-is-tied": "it takes a tie that somebody plays on without drawing",
    "impulse-is-lower": "it takes a tie of two and a third who goes first",
    "is-in-hand": "it takes a recorded hand, and a card of it drawn for a tie or at terrain",
    "is-replace": "few cards have such a powerup",
    "out-of-range": "it takes a distance that was told, and a card whose range is known",
    "own-krewe": "few matches have krewes",
    "placed-too-far": "figures are placed once",
    "test-decided": "it is the retest of the last blow of all",
    "too-high": "few cards carry Z-G",
}
"""Rules that few matches give a chance to break: not to be asked of some dozen of them."""


def irregular_codes() -> set[str]:
    """Return every code that the rules of Z-G give an irregular act."""
    codes = rulebook.codes_of(RULESET.key).items()
    return {code for code, found in codes if "irregular" in found.calls}


def broken_rules(matches: int) -> Counter[str]:
    """Play `matches` matches and count the codes of the irregular acts that stood."""
    seen = Counter[str]()
    for seed in range(matches):
        play(seed, seen)
    return seen


def play(seed: int, seen: Counter[str]) -> Timeline:
    """Play a match in which rules are broken now and then, preferring ones not `seen` yet."""
    pick, secret = bots.Stream(f"mischief {seed}"), bots.secret_of(seed)
    timeline = Timeline(RULESET)
    timeline.add(*entry_after(RULESET, timeline, _setup(seed)))
    words = words_of(timeline.setup)
    while len(timeline) < LONGEST:
        state = timeline.head.state
        offers = RULESET.options(state)
        act = _tempted(timeline, offers, words, seen, pick) or _orderly(timeline, offers, pick)
        if act is None:
            break
        act = bots.drawn(RULESET, timeline.head, act, secret)
        if judge(RULESET, timeline, act).call == "impossible":
            continue
        entry, moment = entry_after(RULESET, timeline, act, irregular=True)
        timeline.add(entry, moment)
        seen.update([entry.irregular] if entry.irregular else [])
    return timeline


def _setup(seed: int) -> ZgOpened:
    """Return a setup at depth `full`, mostly with a complete arena, often with modes."""
    options: dict[str, Any] = {"depth": "full"}
    if seed % 4:
        options |= {"terrain": TERRAIN, "arenas": ARENAS, "tactics_earn": True}
    setup: ZgOpened = bots.sample_setup(
        RULESET, seed, seats=(3, 2, None)[seed % 3], options=options
    )
    seats = [
        msgspec.structs.replace(seat, deck=_changed(seat.deck, seed, number))
        for number, seat in enumerate(setup.seats)
    ]
    return msgspec.structs.replace(setup, seats=tuple(seats))


def _changed(deck: Deck | None, seed: int, number: int) -> Deck | None:
    """Return a deck with modes, or one that ties with all others but the third's."""
    if deck is None or seed % 3 == 1:
        return deck
    if seed % 6:
        return msgspec.structs.replace(deck, character=None, modes=MODES)
    impulse = 3 if number == 2 else 5
    cards = [msgspec.structs.replace(card, impulse=impulse) for card in deck.cards]
    return msgspec.structs.replace(deck, cards=tuple(cards))


def _orderly(timeline: Timeline, offers: Sequence[Offer], pick: bots.Stream) -> Act | None:
    """Return an offered act, mostly of the least frequent kind so far, or None without offers."""
    if not offers:
        return None
    usual = [each for each in offers if not _ends_it(each)] or offers
    if not pick(3):
        return bots.act_of(RULESET, pick.choice(usual), pick)
    done = Counter(event_type(entry.act) for entry in timeline.entries)
    kinds = _by_kind(usual)
    kind = min(kinds, key=lambda kind: (kind not in FIRST, done[kind], kind))
    return bots.act_of(RULESET, pick.choice(kinds[kind]), pick)


def _ends_it(offer: Offer) -> bool:
    return RULESET.bot_weights.get(offer.type, bots.USUAL_WEIGHT) < bots.RARE


def _by_kind(offers: Sequence[Offer]) -> dict[str, list[Offer]]:
    kinds: dict[str, list[Offer]] = {}
    for offer in offers:
        kinds.setdefault(offer.type, []).append(offer)
    return kinds


def _tempted(
    timeline: Timeline,
    offers: Sequence[Offer],
    words: Sequence[str],
    seen: Mapping[str, int],
    pick: bots.Stream,
) -> Act | None:
    """Return among a few irregular acts the one whose rule was broken least, or None."""
    state, kinds = timeline.head.state, _by_kind(offers)
    found: list[tuple[int, Act]] = []
    for _ in range(TEMPTATIONS):
        act = _thought_of(timeline, kinds, words, pick)
        verdict = RULESET.judge(state, act)
        if verdict.call == "irregular":
            found.append((seen.get(verdict.code, 0), act))
    if not found:
        return None
    times, act = min(found, key=lambda each: each[0])
    over = RULESET.outcome(state) is not None
    return act if not times or (not over and not pick(SELDOM)) else None


def _thought_of(
    timeline: Timeline,
    kinds: Mapping[str, Sequence[Offer]],
    words: Sequence[str],
    pick: bots.Stream,
) -> Act:
    """Return an act that may be illegal now: an offered one that is changed or out of turn, an
    earlier one repeated, or a random one."""
    before = timeline.entries[1:][-1 - pick(LATELY) :]
    way = pick(7)
    if way < 3 and kinds:
        offered = bots.act_of(RULESET, pick.choice(kinds[pick.choice(list(kinds))]), pick)
        return mutated(offered, words, pick) if way else _out_of_turn(timeline, offered, pick)
    if way < 5 and before:
        return before[0].act if way == 3 else mutated(before[0].act, words, pick)
    return _out_of_turn(timeline, made(pick.choice(RULESET.acts), words, pick), pick)


def _out_of_turn(timeline: Timeline, act: Act, pick: bots.Stream) -> Act:
    """Return an act as if another seat made it."""
    if not hasattr(act, "seat"):
        return act
    seat = 1 + pick(len(timeline.setup.seats))
    other: Act = msgspec.structs.replace(act, seat=seat)
    return other


if __name__ == "__main__":
    stood = broken_rules(int(sys.argv[1]))
    print("\n".join(f"{code} {stood[code]}" for code in sorted(irregular_codes())))
