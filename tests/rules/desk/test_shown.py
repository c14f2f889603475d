"""What the public sees of a desk: neither unpublished pairings nor hidden results."""

from typing import Any

from rules.ruleset import Audience, event_type
from tests.rules.desk.table import (
    KNOCKOUT,
    PAIR_KNOCKOUT,
    RULESET,
    SWISS,
    more,
    played,
)


def test_results_that_are_held_back_are_not_shown() -> None:
    desk = played("enter 4", f"{SWISS} rounds=2", "play 1", "results-held 2", "play 2")
    state = desk.head.state

    public, officials = RULESET.view(state, "public"), RULESET.view(state, "officials")
    assert "result" in public["rounds"][0]["tables"][0]
    assert "result" not in public["rounds"][1]["tables"][0]
    assert public["rounds"][1]["order"] == []
    assert officials["rounds"][1]["tables"][0]["result"]
    more(desk, "tournament-closed")
    assert RULESET.view(desk.head.state, "public")["order"] == []
    assert RULESET.view(desk.head.state, "officials")["order"]
    more(desk, "results-shown")
    assert RULESET.view(desk.head.state, "public")["rounds"] == officials["rounds"]


def test_seeds_are_not_shown_while_the_results_they_follow_from_are_held_back() -> None:
    desk = played("enter 4", f"{SWISS} rounds=2", "play 1", "play 1", "results-held 2")
    more(desk, "cut-made 3", f"{KNOCKOUT} players=[3,1,2]")

    def players(audience: Audience) -> Any:
        return RULESET.view(desk.head.state, audience)["stages"][1]["players"]

    assert (players("public"), players("officials")) == ([], [3, 1, 2])
    assert RULESET.view(desk.head.state, "public")["stages"][0]["cut"] == []
    more(desk, f"{PAIR_KNOCKOUT} 1")
    assert players("public") == []
    more(desk, "round-published 3")
    assert players("public") == [1, 2], "the round names no more, and who waits is the best"
    more(desk, "results-shown", "results-held 3")
    assert players("public") == [3, 1, 2]


def test_pairings_are_shown_once_they_are_published() -> None:
    desk = played("enter 4", SWISS, "round-paired swiss 1")

    assert RULESET.view(desk.head.state, "public")["rounds"] == []
    assert RULESET.view(desk.head.state, "officials")["rounds"]
    more(desk, "round-published 1")
    assert len(RULESET.view(desk.head.state, "public")["rounds"][0]["tables"]) == 2


def test_penalties_are_for_officials() -> None:
    desk = played("entered", "penalty-given 1 conduct warning demerits=2")
    act = desk.entries[-1].act

    assert "penalties" not in RULESET.view(desk.head.state, "public")
    assert RULESET.view(desk.head.state, "officials")["penalties"][0]["demerits"] == 2
    assert RULESET.hide(act, "public") is None
    more(desk, "penalty-withdrawn 1 NOTE")
    withdrawn = desk.entries[-1].act
    assert RULESET.view(desk.head.state, "officials")["penalties"][0]["withdrawn"]
    assert RULESET.hide(withdrawn, "public") is None
    assert event_type(withdrawn) == "penalty-withdrawn"
    told = RULESET.tell(withdrawn, desk.head.state)
    assert told == "Entrant 1: warning for conduct is withdrawn."
    assert RULESET.hide(act, "officials") == act
