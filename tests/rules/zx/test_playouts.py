"""Complete games played by bots: the invariants after each event, and what must occur."""

from functools import cache
from typing import Any

import pytest

from rules import bots, checking
from rules.replay import Timeline
from rules.ruleset import TakenBack, event_type
from rules.zx import follow
from tests.rules.coverage import coverage
from tests.rules.zx.invariants import broken
from tests.rules.zx.table import RULESET

GAMES = 32
LIMIT = 60  # turns
FEW = 10


@cache
def games() -> list[Timeline]:
    return [bots.playout(RULESET, bots.sample_setup(RULESET, seed), seed) for seed in range(GAMES)]


def test_the_invariants_hold_after_each_event() -> None:
    checked = 0
    for game in games():
        for entry in game.entries[1:]:
            state: Any = game.at(entry.base).state
            if isinstance(entry.act, TakenBack) or event_type(entry.act) == "seed-revealed":
                continue
            if state.board.depth != "full":
                break
            for event in (entry.act, *entry.consequences):
                state = RULESET.evolve(state, event)
                assert broken(state) == [], f"{entry.version}, {event_type(event)}"
                checked += state.board.depth == "full"
    assert checked > 2000


def test_most_games_are_decided_within_the_turns(record_property: Any) -> None:
    decided = [
        game
        for game in games()
        if RULESET.outcome(game.head.state) and (game.head.state.turn or 0) < LIMIT
    ]
    figure = f"{len(decided)} of {GAMES} games decided before turn {LIMIT}"
    record_property("figure", figure)
    print(figure)

    assert len(decided) >= 0.8 * GAMES


def test_every_kind_of_act_and_event_comes_up() -> None:
    seen = coverage(games())

    told = {
        "life-recovery-declined",
        "draw-called",
        "options-changed",
        "ruled",
        "charge-trimmed",
        "won-called",
    }
    acts = {event_type(kind) for kind in RULESET.acts}
    assert acts - told <= set(seen["acts"])
    assert {"by-life", "by-concession", "by-card"} <= set(seen["outcomes"])


def test_prefixes_fold_again_to_the_same_digests() -> None:
    for game in games()[:FEW]:
        half = Timeline(RULESET, game.entries[: len(game) // 2])
        for entry in game.entries[len(game) // 2 :]:
            assert half.digest(half.append(entry).state) == entry.digest
        assert checking.check(RULESET, game.entries) is None


def test_rule_effects_looked_for_after_every_event_are_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(follow, "_is_quiet", lambda event: False)

    assert [checking.check(RULESET, game.entries) for game in games()[:FEW]] == [None] * FEW
