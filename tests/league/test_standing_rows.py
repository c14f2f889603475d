"""Rows that followers leave unchanged equal those they would write afresh."""

from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from characters.models import Deed
from deploy.demo.match_bots import play_out
from league.happenings import STANDINGS
from league.models import Happening, Pairing, RatedTable, Round, Standing
from matches import cuts, followers
from matches.models import Headline, Log, SeatResult, SpinTally
from tests import factories
from tests.api.client import Api
from tests.characters.duels import attacked, duel
from tests.league import desks

pytestmark = pytest.mark.django_db

KEPT = (Headline, SeatResult, SpinTally, Deed, Happening, Standing, Pairing, RatedTable)
MADE_ANEW = ("id", "made_at", "at", "rated_at")  # of a row that says the same

Steps = Iterator[Log]


def rows() -> dict[str, list[str]]:
    """Return what all followers keep, but for when and under which id."""
    return {
        model.__name__: sorted(
            str({name: value for name, value in row.items() if name not in MADE_ANEW})
            for row in model._default_manager.values()
        )
        for model in KEPT
    }


def played_by_bots() -> Steps:
    match = factories.duel()
    changes: dict[int, dict[str, Any]] = {30: {"held": True}, 60: {"upto": 45}, 70: {"held": False}}
    for upto in range(10, 90, 5):
        with patch("rules.zg.attack.spins", lambda state, ends: ("table",)):  # no end by a draw
            play_out(match, factories.opener_of(match), 7, upto)
        assert match.log.head_version >= min(upto, 50)  # then bots leave it to people
        yield match.log
        if upto == 50:
            factories.record(match, {"type": "taken-back", "to": 40})
            yield match.log
        if upto in changes:
            cuts.change(match, **changes.pop(upto))
            yield match.log
    assert not changes


def fought_by_characters() -> Steps:
    fight = duel()
    for card, target in [("Helmet", "Shield"), ("Frontgear", "Helmet")]:
        fight.attack(1, card, target)
        yield fight.match.log
    last = fight.attack(1, "Backgear", "Shield")
    yield fight.match.log
    fight.correct(last, attacked(1, "Backgear", "Helmet"))
    yield fight.match.log
    fight.end()
    yield fight.match.log


def run_at_a_desk() -> Steps:
    organiser = factories.actor()
    cup = desks.tournament(organiser, league=desks.league(organiser))
    desks.entered(cup, 4)
    desks.start(cup)
    yield cup.log
    for _ in range(2):
        desks.paired(cup)
        yield cup.log
        desks.play(cup)
        yield cup.log
    scores = desks.result_at(cup, 1, 1).scores
    desks.act(cup, "result-corrected", round=1, table=1, scores=scores[::-1], note="Turned.")
    yield cup.log
    for number in (1, 2):  # by what is known now, not in the order at their close
        rows = Standing.objects.filter(round=number).order_by("place")
        points = [int(row.points) for row in rows]
        assert points == sorted(points, reverse=True)
        told = Happening.objects.get(round=number, kind=STANDINGS).data["rows"]
        assert [int(row["points"]) for row in told] == points


@pytest.mark.parametrize("steps", [played_by_bots, fought_by_characters, run_at_a_desk])
def test_rows_left_as_they_are_equal_those_made_anew(steps: Callable[[], Steps]) -> None:
    seen: set[str] = set()
    for log in steps():
        followers.follow(log.pk)
        followed = rows()
        Round.objects.update(digest="")  # else its rows are left as they are
        followers.follow(log.pk, anew=True)
        assert followed == rows()
        seen |= {name for name, kept in followed.items() if kept}
    assert seen  # something was kept at all


def test_an_act_of_a_match_at_no_table_asks_little() -> None:
    match = factories.played(3)
    followers.work(match.pk)
    factories.record(match)
    with CaptureQueriesContext(connection) as asked:
        followers.work(match.pk)
    assert len(asked) <= 14, "\n".join(each["sql"] for each in asked)


def test_the_points_of_a_closed_tournament_are_those_of_all_its_stages() -> None:
    """A Swiss of two rounds, in which 1 won both, then a final of two."""
    cup = desks.tournament(stages=[desks.SWISS, {"format": "single-elimination", "cut": 2}])
    desks.entered(cup, 4)
    desks.start(cup, rounds=2)
    for _ in range(2):
        desks.paired(cup)
        desks.play(cup)
    desks.act(cup, "cut-made", size=2)
    desks.act(cup, "stage-started", format="single-elimination", best_of=3, seed=1)
    desks.paired(cup)
    desks.play(cup)
    desks.act(cup, "tournament-closed")
    followers.work(cup.pk)

    final = Standing.objects.filter(tournament=cup, round=0).order_by("place")

    assert [row.points for row in final] == ["6", "3", "3", "0"]


def test_a_ladder_has_no_points_in_rows_messages_or_the_api() -> None:
    organiser = factories.actor()
    stages = [{"format": "ladder", "rounds": 1}]
    cup = desks.tournament(organiser, league=desks.league(organiser), stages=stages)
    desks.entered(cup, 4)
    desks.act(cup, "stage-started", format="ladder", rounds=1, best_of=3, seed=7)
    desks.paired(cup)
    desks.play(cup)
    desks.act(cup, "tournament-closed")
    followers.work(cup.pk)

    kept = Standing.objects.filter(tournament=cup)
    assert {row.round: (row.points, row.tiebreaks) for row in kept} == {0: ("", []), 1: ("", [])}
    told = Happening.objects.get(round=1, kind=STANDINGS).data["rows"]
    assert [row["points"] for row in told] == [None] * 4
    answer = Api().get("standings/", tournament=cup.code).json()["results"]
    assert [(row["points"], row["tiebreaks"]) for row in answer] == [("", [])] * 4
