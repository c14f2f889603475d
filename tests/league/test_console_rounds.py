"""The console's rounds: paired, changed, published and closed, and who comes or leaves."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from league import services
from rules.desk.acts import Options
from tests import factories
from tests.api.client import Api, problem
from tests.league import desks
from tests.league.consoles import Console, Form, swiss

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def test_a_pairing_is_said_to_be_as_good_as_can_be_and_why_it_is_so() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup)
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=7)
    console, round_page = Console(cup), f"{cup.get_absolute_url()}rounds/1/"
    page = console.page()
    assert "By the rules of the format no pairing is better." in page
    assert f'href="{round_page}#why"' in page
    assert 'id="why"' in console.page(round_page)


def test_a_round_of_more_tables_than_the_venue_has_is_told_before_it_is_published() -> None:
    by = factories.actor()
    hall = services.open_venue(by=by, name="Pit", tables=2, house_rules="Crates hold a shot.")
    cup = desks.tournament(by, venue=hall)
    desks.entered(cup, 6)
    desks.start(cup)
    services.pair(tournament=cup, by=by, act_id=uuid4(), seed=7)
    console, said = Console(cup), "This round takes 3 tables, and Pit has 2."
    assert said in console.page()
    assert "Crates hold a shot." in console.page(f"{cup.get_absolute_url()}rules/")
    for tables in (3, None):
        services.edit_venue(by=by, venue=hall, tables=tables)
        assert "This round takes" not in console.page()
    services.edit_venue(by=by, venue=hall, tables=2)
    services.set_date(by=by, tournament=cup, number=1, deadline=timezone.now() + timedelta(days=6))
    assert "This round takes" not in console.page()  # they play when they agree to


def test_a_swap_offers_the_seats_there_are() -> None:
    cup = desks.tournament()
    desks.entered(cup, 5)
    desks.start(cup)
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=7)
    console = Console(cup)
    page = console.page()
    offered = page.partition('id="swap-place"')[2].partition("</select>")[0]
    assert offered.count("<option") == 4
    (alone,) = desks.desk(cup).rounds[0].byes
    form: Form = {"type": "pairing-changed", "irregular": "1", "note": "Late.", "entrant": alone}
    console.post(place="1-2", **form)
    assert desks.desk(cup).rounds[0].tables[0].players[1] == alone
    assert "That is not possible here: seat." in console.post(422, place="1-6", **form)


def test_a_published_round_is_changed_at_tables_where_nothing_is_reported() -> None:
    cup = swiss()
    reported, still_open = desks.desk(cup).rounds[-1].tables[:2]
    desks.act(cup, "result-reported", round=1, table=1, by=0, scores=[2, 0], drawn=0)
    console = Console(cup)
    assert "(being played)" not in console.page()
    services.open_table(tournament=cup, by=desks.organiser(cup), number=1, table=2)
    page = console.page()
    offered = page.partition('id="swap-place"')[2].partition("</select>")[0]
    assert offered.count("<option") == offered.count("(being played)") == 2
    assert f'value="{still_open.number}-1"' in offered
    who = page.partition('id="swap-who"')[2].partition("</select>")[0]
    assert all(f'value="{player}"' not in who for player in reported.players)
    form: Form = {"type": "pairing-changed", "irregular": "1", "note": "Seats turned."}
    console.post(place=f"{still_open.number}-1", entrant=still_open.players[1], **form)
    assert desks.desk(cup).rounds[0].tables[1].players == still_open.players[::-1]


def test_who_left_a_pairing_is_marked_and_it_is_paired_again() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup)
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=7)
    desks.act(cup, "dropped", entrant=2)
    desks.entered(cup, 1)
    desks.act(cup, "announced", note="Lunch.")
    console = Console(cup)

    page = console.page()
    assert "Left since it was paired: Guest 2." in page
    assert page.count("has left") == 1
    assert "Publish it as it is" in page
    page = console.post(do="pair-again")
    desk = desks.desk(cup)
    seated = {player for table in desk.rounds[0].tables for player in table.players}
    assert seated == {1, 3, 4, 5}
    assert [person.status for person in desk.people] == ["in", "dropped", "in", "in", "in"]
    assert "Announced: “Lunch.”" in page
    assert "Publish Round 1" in page
    assert "There is no round to pair now." not in console.post(type="round-published", round=1)
    assert "There is no round to pair now." in console.post(409, do="pair-again")


BRACKET = {"format": "single-elimination", "best_of": 3, "tiebreaks": []}


@pytest.mark.parametrize(
    ("stages", "told"),
    [([desks.SWISS, BRACKET], True), ([BRACKET], False), ([], True)],
)
def test_byes_are_granted_while_not_only_results_decide_who_meets(
    stages: list[dict[str, Any]], told: bool
) -> None:
    cup = desks.tournament(stages=stages)
    desks.entered(cup, 2)
    assert ("A bye that was asked for" in Console(cup).page()) == told
    assert ("Two who are not to meet" in Console(cup).page()) == told


def test_a_round_is_closed_and_the_next_paired_in_one_step_or_not_at_all() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup, rounds=2)
    desks.paired(cup)
    console, act_id = Console(cup), str(uuid4())
    both: Form = {"do": "close-and-pair", "round": 1}
    assert "Results of round 1 are missing." in console.post(422, **both)
    desks.play(cup, tables=[1, 2])

    page = console.page()
    assert "Close Round 1 and pair Round 2" in page and "Only close it" in page
    assert "Call time" not in page  # nobody plays any more
    weekly = {"by": desks.organiser(cup), "tournament": cup, "number": 2}
    services.set_date(**weekly, pairs_at=timezone.now() + timedelta(days=1))
    assert ">Close Round 1<" in console.page()
    for _ in range(2):
        page = console.post(act_id=act_id, **both)
        assert [(each.closed, each.published) for each in desks.desk(cup).rounds] == [
            (True, True),
            (False, False),
        ]
    assert "Publish Round 2" in page and "is paired on" not in page
    assert "Round 1 is closed." in console.post(422, **both)

    desks.act(cup, "round-published", round=2)
    desks.play(cup, tables=[1, 2])
    page = console.page()
    assert ">Close Round 2<" in page and "Only close it" not in page
    refused = console.post(409, **both | {"round": 2})
    assert "There is no round to pair now. Round 2 is still open" in refused
    assert not desks.desk(cup).rounds[1].closed
    console.post(type="round-closed", round=2)
    assert "See the final order" in console.post(type="tournament-closed")


def test_who_comes_before_a_round_is_published_is_told_and_paired() -> None:
    cup = desks.tournament()
    desks.entered(cup, 7)
    desks.start(cup)
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=7)
    console = Console(cup)
    assert "Publish Round 1" in console.page()
    desks.entered(cup, 1)
    page = console.page()
    assert "Pair Round 1 again" in page
    assert "In the tournament but not in this round: Guest 1 (no. 8)." in page
    assert "Publish it as it is" in page
    page = console.post(do="pair-again")
    assert "Publish Round 1" in page
    first = desks.desk(cup).rounds[0]
    assert (len(first.tables), first.byes) == (4, ())
    desks.act(cup, "dropped", entrant=8)
    console.post(do="pair-again")
    console.post(type="returned", entrant=8)
    assert "In the tournament but not in this round: Guest 1 (no. 8)." in console.page()


def test_who_is_entered_late_is_here_and_who_missed_the_start_is_let_in() -> None:
    cup = desks.tournament(desk=Options(check_in=True))
    desks.entered(cup, 3)
    for number in (1, 2):
        desks.act(cup, "checked-in", entrant=number)
    desks.start(cup)
    desks.paired(cup)
    desks.entered(cup, 1)
    console = Console(cup)

    page = console.page()
    assert ">Here<" not in page
    assert "4 entered, 3 checked in" in page
    assert "Let in: Guest 3" in page
    assert page.count(">Let in<") == 1
    page = console.post(type="returned", entrant=3)
    assert "4 checked in" in page
    desks.play(cup)
    cup.log.refresh_from_db()
    desks.paired(cup)
    assert len(desks.desk(cup).rounds[1].tables) == 2


def test_who_leaves_a_published_round_is_marked_at_their_table_until_it_is_ruled() -> None:
    cup = swiss(5)
    table = desks.table_of(cup, 2)
    (alone,) = desks.desk(cup).rounds[0].byes
    for entrant in (2, alone):
        desks.act(cup, "dropped", entrant=entrant)
    console = Console(cup)
    page = console.page()
    assert page.count("has left") == 1  # whose bye it was has had it
    assert "Left since it was published: Guest 2. Rule that they did not show up." in page
    desks.act(cup, "ruled", round=1, table=table, absent=[2], note="Gone.")
    page = console.page()
    assert "has left" not in page
    assert "Left since" not in page


def test_too_few_for_a_table_are_not_paired_and_it_is_said_why() -> None:
    cup = desks.tournament(stages=[{"format": "pods", "sizes": [4]}])
    desks.entered(cup, 5)
    desks.act(cup, "stage-started", format="pods", sizes=[4], seed=7)
    desks.paired(cup)
    desks.play(cup, tables=[1])
    for entrant in (1, 2):
        desks.act(cup, "dropped", entrant=entrant)
    told = (
        "Too few are there to play together, 3: a table takes 4. Let others in, or end the stage.",
        "Pair Round 2",
    )
    console = Console(cup)
    page = console.page()
    assert ">Close Round 1<" in page and "pair round 2" not in page
    refused = console.post(409, do="close-and-pair", round=1)
    assert f"{told[0]} Round 1 is still open" in refused

    page = console.post(type="round-closed", round=1)
    assert told[0] in page and told[1] not in page
    assert told[0] in console.post(409, do="pair")
    answer = Api(desks.organiser(cup)).post(f"tournaments/{cup.code}/propose/", {"seed": 7})
    assert problem(answer, 409, "too-few-there")["detail"] == told[0]

    desks.entered(cup, 1)
    page = console.page()
    assert told[0] not in page and told[1] in page
