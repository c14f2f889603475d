"""Spins and draws by the server follow from its promised seed."""

import hashlib
from collections import Counter

from rules import bots, fair
from rules.checking import check
from rules.ruleset import Draw
from tests.rules.zg.table import DECK, RULESET, attacks, opened, played

SEED = b"a seed of the table"
PROMISED = opened(DECK, DECK, DECK, commitment=hashlib.sha256(SEED).hexdigest())


def draws(line: str, *before: str) -> tuple[Draw, ...]:
    timeline = played(*before, setup=PROMISED)
    return RULESET.draws(timeline.head.state, RULESET.read(line))


def test_the_table_spins_for_itself() -> None:
    assert draws("attacked 1 Two a 2 Shield a") == ()
    assert draws("moved 1") == ()


def test_a_spin_shows_either_end() -> None:
    assert draws("attacked 1 Two a 2 Shield a spin=server") == (
        Draw("target_end", "spin", ("a", "b")),
    )


def test_a_half_turn_shows_the_other_end_of_the_same_spin() -> None:
    assert draws("attacked 1 Two a 2 Shield a spin=server half-turn=true") == (
        Draw("target_end", "spin", ("b", "a")),
    )


def test_a_target_is_drawn_from_what_the_foe_has_left() -> None:
    (draw,) = draws("target-drawn 1 2 Shield spin=server", "attacked 1 Two a 2 Shield a")

    assert draw.field == "target"
    assert "Shield" not in draw.values
    assert len(draw.values) == 8


def test_a_retest_spins_the_card_it_names() -> None:
    attack = "attacked 1 Two a 2 Shield a"

    assert draws("retested 2 target b spin=server", attack) == (Draw("end", "spin", ("a", "b")),)
    assert draws("retested 2 attack b spin=server", attack) == (Draw("end", "spin", ("a", "b")),)
    assert draws("retested 2 both a target-end=b spin=server", attack) == (
        Draw("target_end", "spin", ("a", "b")),
    )


def test_a_draw_from_nobody_is_none() -> None:
    assert draws("target-drawn 1 9 Shield spin=server") == ()


def test_a_match_spun_by_the_server_is_checked_against_its_seed() -> None:
    setup = bots.sample_setup(RULESET, 3, seats=2, options={"depth": "tests"})
    timeline = bots.playout(RULESET, setup, 3)
    spun = [e for e in timeline.entries if getattr(e.act, "spin", "") == "server"]

    assert spun
    assert check(RULESET, timeline.entries) is None
    assert check(RULESET, timeline.entries, b"another seed") is not None


def test_a_fair_server_shows_both_ends_alike() -> None:
    act = RULESET.read("attacked 1 Two a 2 Shield a spin=server")
    state = played(*attacks(1, 2, ("Miss",)), setup=PROMISED).head.state
    found = RULESET.draws(state, act)

    ends = Counter(
        fair.fill(found, act, seed=SEED, log="table", n=n).target_end for n in range(2000)
    )

    assert 900 < ends["a"] < 1100
