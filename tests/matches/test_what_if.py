"""What a match would have been under other options, in words."""

from types import SimpleNamespace
from typing import Any

import pytest

from matches.what_if import WhatIf, what_if
from rules import texts
from rules.replay import Timeline
from tests.rules.playouts import play


def asked(timeline: Timeline, **options: str) -> WhatIf:
    """Ask what a match played by bots would have been, as its officials see it."""
    scene: Any = SimpleNamespace(
        over=True,
        results_off=False,
        state=timeline.head.state,
        ruleset=timeline.ruleset,
        timeline=timeline,
        version=len(timeline),
        names=texts.names_of(timeline.setup),
        audience="officials",
    )
    return what_if(scene, options)


@pytest.mark.parametrize(
    ("seed", "options", "told"),
    [
        (119, {"profile": "zx-2012"}, "may use Life Recovery"),
        (11, {"life_zero": "immediate"}, "Life Recovery comes too late"),
    ],
)
def test_what_would_follow_is_told_under_the_options_asked_and_as_of_when_it_would_happen(
    seed: int, options: dict[str, str], told: str
) -> None:
    changes = asked(play("zx", seed), **options).changes
    assert any(told in text for change in changes for text in change.after.told)
