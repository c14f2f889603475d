"""Shadow pairing through the API: the next round by other ways, unrecorded."""

from typing import Any

import pytest

from tests.api.client import Api
from tests.league import desks

pytestmark = pytest.mark.django_db


def proposal(caller: Api, code: str, **asked: Any) -> Any:
    answer = caller.post(f"tournaments/{code}/propose/", {"seed": 7, **asked})
    assert answer.status_code == 200
    return answer.json()


def test_a_swiss_round_is_told_by_other_ways_with_what_they_cost() -> None:
    cup = desks.tournament()
    desks.entered(cup, 7)
    desks.start(cup)
    desks.paired(cup)
    desks.play(cup)
    caller = Api(desks.organiser(cup))
    before = desks.desk(cup)
    plain, told = proposal(caller, cup.code), proposal(caller, cup.code, shadows=True)
    assert plain["shadows"] == []
    assert {**told, "shadows": []} == plain
    assert [each["way"] for each in told["shadows"]] == ["neighbours", "halves"]
    ours = [part["cost"] for part in told["cost"]]
    for each in told["shadows"]:
        seated = sorted(player for pair in each["pairings"] for player in pair)
        assert sorted([*seated, *each["byes"]]) == [1, 2, 3, 4, 5, 6, 7]
        assert [part["least"] for part in each["cost"]] == ours
        assert [part["cost"] for part in each["cost"]] >= ours
    asked = caller.get(f"tournaments/{cup.code}/propose/", seed=7, shadows="true").json()
    assert asked == told
    assert desks.desk(cup) == before


def test_other_formats_have_no_shadows() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.act(cup, "stage-started", format="round-robin", seed=7, tiebreaks=["sb"])
    assert proposal(Api(desks.organiser(cup)), cup.code, shadows=True)["shadows"] == []
