"""Matches of every mix of classes: the invariants hold after each entry."""

from rules import checking
from tests.rules.zerpang.mixes import mixes, play, unsound
from tests.rules.zerpang.table import RULESET

FEW = 22  # entries of each mix
KEEN = (("ninja", "robot", "pirate"), ("pirate", "zombie", "alien"), ("ninja", "gunslinger", "elf"))


def test_every_mix_of_two_to_six_is_there() -> None:
    found = list(mixes())

    assert len(set(found)) == len(found)
    assert {len(mix) for mix in found} == {2, 3, 4, 5, 6}
    assert all({*mix} & {"ninja", "pirate"} for mix in found)


def test_the_invariants_hold_in_every_mix() -> None:
    for seed, mix in enumerate(mixes()):
        assert unsound(play(mix, seed, FEW, keen=False)) == [], mix


def test_the_invariants_hold_where_bots_play_to_win() -> None:
    for seed, mix in enumerate(KEEN):
        timeline = play(mix, seed, 250)

        assert unsound(timeline) == [], mix
        assert checking.check(RULESET, timeline.entries) is None
