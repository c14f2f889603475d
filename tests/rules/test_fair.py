"""Draws that nobody can influence and anybody can check."""

import hashlib
import hmac
from collections import Counter
from typing import Any

import msgspec
import pytest

from rules import checking, fair
from rules.fields import Choice
from rules.replay import Timeline, entry_after
from rules.ruleset import LEGAL, Act, Draw, Offer, Opened, TakenBack, Verdict, covers
from rules.score.acts import Options, ScoreOpened, ScoreSeat
from rules.score.ruleset import ScoreRuleset

SEED = bytes(range(32))


class Rolled(Act, frozen=True, tag="rolled"):
    seat: int
    face: int = 0


class Dice(ScoreRuleset):
    """Score with a die of the server's."""

    key = "dice"
    acts: tuple[type[Act], ...] = (Rolled,)

    def options(self, state: Any, seat: int | None = None) -> tuple[Offer, ...]:
        return (Offer("rolled", 1, {"face": Choice((1, 2, 3, 4, 5, 6))}),)

    def judge(self, state: Any, act: Act) -> Verdict:
        legal = any(covers(offer, act) for offer in self.options(state))
        return LEGAL if legal else super().judge(state, act)

    def draws(self, state: Any, act: Act) -> tuple[Draw, ...]:
        return (Draw("face", "die", (1, 2, 3, 4, 5, 6)),)


class TwoDice(Dice):
    """Score with two dice of the server's, of which the second counts."""

    def draws(self, state: Any, act: Act) -> tuple[Draw, ...]:
        return super().draws(state, act) * 2


def timeline_of(*acts: Act, ruleset: Dice | None = None) -> Timeline:
    """Record acts with their faces drawn from the seed."""
    ruleset = ruleset or Dice()
    timeline = Timeline(ruleset)
    setup: Opened = ScoreOpened(
        ruleset="dice@1",
        log="log 1",
        commitment=fair.commitment(SEED),
        options=Options(),
        seats=(ScoreSeat(label="Green"),),
    )
    for act in (setup, *acts):
        if isinstance(act, Rolled):
            head = timeline.head
            draws = ruleset.draws(head.state, act)
            act = fair.fill(draws, act, seed=SEED, log="log 1", n=head.draws)
        timeline.add(*entry_after(ruleset, timeline, act))
    return timeline


def faces(timeline: Timeline) -> list[int]:
    return [entry.act.face for entry in timeline.entries if isinstance(entry.act, Rolled)]


def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert fair.commitment(b"zgxl") == hashlib.sha256(b"zgxl").hexdigest()


def by_hand(n: bytes, attempt: bytes) -> int:
    """Work a number out: each part after its length in eight bytes, HMAC-SHA256."""
    parts = (b"log 1", n, b"spin", attempt)
    message = b"".join(bytes(7) + bytes([len(part)]) + part for part in parts)
    return int(hmac.new(SEED, message, hashlib.sha256).hexdigest(), 16)


def test_a_draw_is_fixed_for_ever() -> None:
    assert fair.draw(SEED, "log 1", 3, "spin", 1000) == by_hand(b"3", b"0") % 1000 == 961


def test_a_number_past_the_last_whole_multiple_is_thrown_away() -> None:
    sides = by_hand(b"3", b"0")  # the first number is the first one too large
    assert 2 * sides > fair.NUMBERS

    assert fair.draw(SEED, "log 1", 3, "spin", sides) == by_hand(b"3", b"1")


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 7, 60])
def test_every_side_is_as_likely_as_the_others(sides: int) -> None:
    count = 400 * sides
    seen = Counter(fair.draw(SEED, "log", n, "spin", sides) for n in range(count))

    assert set(seen) == set(range(sides))
    squares = sum((seen[side] - 400) ** 2 / 400 for side in range(sides))
    assert squares < sides + 5 * (2 * sides) ** 0.5 + 5  # chi squared, far in its tail


@pytest.mark.parametrize(
    "other",
    [
        pytest.param((SEED[::-1], "log 1", 0, "spin"), id="seed"),
        pytest.param((SEED, "log 10", 0, "spin"), id="log"),
        pytest.param((SEED, "log 1", 1, "spin"), id="number"),
        pytest.param((SEED, "log 1", 0, "draw"), id="purpose"),
        pytest.param((SEED, "log ", 10, "spin"), id="the same letters, parted elsewhere"),
    ],
)
def test_a_draw_depends_on_all_it_is_for(other: tuple[bytes, str, int, str]) -> None:
    assert fair.draw(*other, 2**64) != fair.draw(SEED, "log 1", 0, "spin", 2**64)


def test_a_die_without_sides_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one side"):
        fair.draw(SEED, "log", 0, "spin", 0)


@pytest.mark.parametrize("seed", ["", "xyz", SEED[:-1].hex()])
def test_only_the_seed_itself_keeps_a_promise(seed: str) -> None:
    assert fair.keeps(fair.commitment(SEED), SEED.hex())
    assert not fair.keeps(fair.commitment(SEED), seed)


def test_a_draw_from_nothing_is_left_alone() -> None:
    act = Rolled(seat=1)

    assert fair.fill((Draw("face", "die", ()),), act, seed=SEED, log="", n=0) == act


def test_each_draw_of_an_act_has_a_number_of_its_own() -> None:
    draws = [Draw(field, "spin", tuple(range(1000))) for field in ("one", "two")]

    assert fair.fallen(draws, seed=SEED, log="log 1", n=2) == {
        field: fair.draw(SEED, "log 1", n, "spin", 1000) for field, n in (("one", 2), ("two", 3))
    }


def test_draws_are_counted_along_the_log() -> None:
    timeline = timeline_of(Rolled(seat=1), Rolled(seat=1), Rolled(seat=1))

    assert timeline.head.draws == 3
    assert faces(timeline) == [1 + fair.draw(SEED, "log 1", n, "die", 6) for n in range(3)]


def test_every_draw_of_an_act_is_counted() -> None:
    timeline = timeline_of(Rolled(seat=1), Rolled(seat=1), ruleset=TwoDice())

    assert faces(timeline) == [1 + fair.draw(SEED, "log 1", n, "die", 6) for n in (1, 3)]
    assert checking.check(timeline.ruleset, timeline.entries, SEED) is None


def test_a_draw_taken_back_and_made_again_falls_the_same() -> None:
    timeline = timeline_of(
        Rolled(seat=1), Rolled(seat=1), TakenBack(to=1), Rolled(seat=1), Rolled(seat=1)
    )

    assert faces(timeline)[2:] == faces(timeline)[:2]


def test_a_draw_that_the_seed_does_not_bear_out_is_named() -> None:
    timeline = timeline_of(Rolled(seat=1), Rolled(seat=1), Rolled(seat=1))
    entries = list(timeline.entries)
    loaded = Rolled(seat=1, face=1 + entries[2].act.face % 6)
    entries[2] = msgspec.structs.replace(entries[2], act=loaded)

    assert checking.check(timeline.ruleset, entries) is None, "unknown while the seed is secret"
    found = checking.check(timeline.ruleset, entries, SEED)
    assert found is not None
    assert (found.version, found.what) == (3, "draw")
