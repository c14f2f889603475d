"""Consequences that say no more than the act are left out."""

import pytest
from django.template.loader import render_to_string

from matches.narration import EventLine


@pytest.mark.parametrize("template", ["_last_act", "_logger_said", "_said"])
@pytest.mark.parametrize(("came", "times"), [(1, 0), (3, 1)])
def test_a_draw_is_told_again_only_where_more_came_of_it(
    template: str, came: int, times: int
) -> None:
    act = EventLine("cards-drawn", {"seat": 1, "n": 1}, "Vega draws.")
    ended = EventLine("draw-ended", {"seat": 1, "n": came}, "Vega drew.")
    line = {"act": act, "consequences": [ended]}
    said = render_to_string(f"rules/zerpang/{template}.html", {"line": line})
    assert (said.count("Vega draws."), said.count("Vega drew.")) == (1, times)
