"""The console's stages: how many play a format, cuts, and who is asked to check in."""

from uuid import uuid4

import pytest

from league import starting
from matches.errors import Refused
from rules.desk.acts import Options
from tests.league import desks
from tests.league.consoles import Console, Form

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


FINAL: Form = {"format": "single-elimination", "cut": 8}


def test_a_stage_that_is_started_or_a_round_that_is_paired_by_a_double_tap_is_so_once() -> None:
    cup = desks.tournament(stages=[desks.SWISS, {"format": "single-elimination", "cut": 2}])
    desks.entered(cup, 4)
    console = Console(cup)

    def tap(**form: str) -> None:
        form |= {"act_id": str(uuid4())}
        console.post(**form)
        before = desks.desk(cup)
        console.post(**form)
        assert desks.desk(cup) == before

    tap(do="start", order="1")
    for _ in range(3):
        tap(do="pair")
        desks.act(cup, "round-published", round=len(desks.desk(cup).rounds))
        desks.play(cup)
    tap(do="start", order="2")
    tap(do="pair")
    assert len(desks.desk(cup).stages[-1].players) == 2


def test_a_cut_that_is_too_large_may_be_smaller() -> None:
    cup = desks.tournament(stages=[desks.SWISS, FINAL])
    desks.entered(cup, 3)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    console = Console(cup)

    page = console.page()
    assert "3 are left, too few for the best 8: choose how many play on." in page
    assert "<option>3</option><option>2</option>" in page
    assert "A cut to 8 is not possible: 3 are left." in console.post(409, do="start", order=2)
    console.post(409, do="start", order=2, cut=4)
    for order, status, code in ((1, 409, "other-stage"), (3, 404, "no-such-stage")):
        with pytest.raises(Refused) as refused:
            starting.start(
                by=desks.organiser(cup), tournament=cup, act_id=uuid4(), order=order, cut=0
            )
        assert (refused.value.status, refused.value.code) == (status, code)
    assert not desks.desk(cup).stages[-1].cut, "nothing is half done"
    console.post(do="start", order=2, cut=2)
    assert len(desks.desk(cup).stages[-1].players) == 2


def test_a_tournament_is_closed_without_a_cut_that_is_too_large() -> None:
    cup = desks.tournament(stages=[{"format": "round-robin"}, FINAL])
    desks.entered(cup, 2)
    desks.act(cup, "stage-started", format="round-robin", best_of=3, seed=7)
    desks.paired(cup)
    desks.play(cup)
    console = Console(cup)
    assert "Close the tournament without it" in console.page()
    console.post(type="tournament-closed")
    assert desks.desk(cup).closed


@pytest.mark.parametrize(
    ("stage", "players", "says", "instead", "sizes"),
    [
        (
            {"format": "multi-round-robin", "sizes": [4]},
            6,
            "needs 5, 7, 8, 13, 16 players, and 6 are there.",
            "multi-round-robin 3",
            (3,),
        ),
        (
            {"format": "pod-elimination"},
            5,
            "needs 4, 7, 10, 13, 16, 40 players, and 5 are there.",
            "pods 4",
            (4, 3),
        ),
    ],
)
def test_a_stage_that_so_many_do_not_play_names_the_numbers_and_a_way_on(
    stage: Form, players: int, says: str, instead: str, sizes: tuple[int, ...]
) -> None:
    cup = desks.tournament(stages=[stage])
    desks.entered(cup, players)
    console = Console(cup)

    chosen: Form = {"do": "replan", "order": 1}
    assert says in console.page()
    refused = console.post(422, do="start", order=1)
    assert f"entrants; there are {players}." in refused
    assert "does not hold" not in refused
    console.post(404, **chosen | {"as": "multi-round-robin 6"})
    page = console.post(**chosen | {"as": instead})
    assert f"{players} are in." in page
    console.post(do="start", order=1)
    assert desks.desk(cup).stages[0].setup.sizes == sizes


def test_the_form_says_which_numbers_play_a_format() -> None:
    cup = desks.tournament()
    page = Console(cup).page("/tournaments/new/")
    assert "A pod cut needs 4, 7, 10, 13, 16, 40" in page
    assert "at tables of 4: 5, 7, 8, 13, 16" in page


def test_nobody_checks_in_for_a_cut_or_after_the_last_round() -> None:
    cut = {"format": "single-elimination", "cut": 2}
    cup = desks.tournament(desk=Options(check_in=True), stages=[desks.SWISS | {"rounds": 1}, cut])
    desks.entered(cup, 3)
    for number in (1, 2, 3):
        desks.act(cup, "checked-in", entrant=number)
    desks.start(cup, rounds=1)
    desks.entered(cup, 1)
    desks.paired(cup)
    desks.play(cup)
    cup.log.refresh_from_db()
    page = Console(cup).page()
    assert "with the best 2" in page
    assert "4 entered, 4 checked in" in page
    assert "Check everybody in" not in page and ">Here<" not in page
