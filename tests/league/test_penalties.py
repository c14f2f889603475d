"""Penalties at the console: what each does, once, and how they are told."""

from uuid import uuid4

import pytest
from django.test import Client

from league import followers, services
from league.models import Role
from matches.errors import Conflict
from tests import factories
from tests.league import desks
from tests.league.consoles import Console, Form, swiss

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def penalty(name: str, entrant: int) -> Form:
    told = {"infraction": "conduct", "penalty": name, "demerits": 2, "note": "Threw a table."}
    return {"do": "penalise", "type": "penalty-given", "entrant": entrant, **told}


@pytest.mark.parametrize("name", ["disqualification", "match-loss", "game-loss"])
def test_a_penalty_does_what_it_says(name: str) -> None:
    cup = swiss()
    console = Console(cup)
    first, second = desks.desk(cup).rounds[0].tables[0].players

    form = penalty(name, second)
    page = console.post(**form)
    desk = desks.desk(cup)
    assert desk.penalties[0].penalty == name
    out = name == "disqualification"
    assert desk.people[second - 1].status == ("disqualified" if out else "in")
    result = desk.rounds[0].tables[0].result
    lost = name != "game-loss"
    assert (result and result.scores) == ((2, 0) if lost else None)
    assert f"Guest {second} is disqualified." in page or not out
    assert ("A penalty: " in page) == lost
    assert "Threw a table" in page, "officials read why"
    public = Client().get(f"{cup.get_absolute_url()}rounds/1/tables/1/").content.decode()
    assert "Threw a table" not in public
    assert ("A penalty: " in public) == lost
    assert desk.people[first - 1].status == "in"


def test_a_penalty_sent_twice_is_given_once() -> None:
    cup = swiss()
    console = Console(cup)
    form = penalty("disqualification", 1) | {"act_id": str(uuid4())}
    console.post(**form)
    before = desks.desk(cup)
    console.post(**form)
    assert desks.desk(cup) == before


def test_a_penalty_that_changes_no_result_says_so() -> None:
    cup = swiss()
    desks.play(cup)
    page = Console(cup).post(**penalty("match-loss", 1))
    assert "No result changed: they have no open match at a table of two." in page


def test_a_penalty_is_withdrawn_and_whom_it_disqualified_is_back() -> None:
    host, keeper = factories.actor(), factories.actor()
    league = desks.league(host)
    assert keeper.player is not None
    services.name_member(by=host, league=league, player=keeper.player, role=Role.SCOREKEEPER)
    cup = desks.tournament(host, league=league)
    desks.entered(cup, 4)
    desks.start(cup)
    desks.paired(cup)
    console = Console(cup, host)
    for _ in range(2):  # by two zMarshals at once
        page = console.post(**penalty("disqualification", 1))
    assert page.count("given twice") == 2
    assert page.count("Threw a table") == 4, "in the log, and in the list to withdraw them from"
    assert "for one offence, withdraw one of them." in page
    assert "<summary>Give or withdraw a penalty</summary>" in page
    assert "Threw a table" not in Console(cup, keeper).page(), "scorekeepers see no penalties"

    def withdraw(number: int, status: int = 302) -> str:
        form = {"do": "withdraw", "number": number, "note": "It was Guest 2."}
        return console.post(status, type="penalty-withdrawn", **form)

    page = withdraw(1)
    assert "given twice" not in page
    assert "It is withdrawn. Guest 1 stays disqualified." in page
    assert desks.desk(cup).people[0].status == "disqualified", "the other penalty stands"
    assert "It is withdrawn. Guest 1 is back." in withdraw(2)
    assert desks.desk(cup).people[0].status == "in"
    assert "Penalty 2 is not on record." in withdraw(2, 422)
    cup.log.refresh_from_db()
    followers.Desks().project(cup.log)
    assert not cup.penalties.exists()


def test_a_penalty_is_withdrawn_though_the_stage_went_on_without_whom_it_disqualified() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup, format="round-robin", rounds=0)
    desks.paired(cup)
    console = Console(cup)
    console.post(**penalty("disqualification", 1))
    desks.act(cup, "results-annulled", entrant=1, note="Left in the first round.")
    page = console.post(do="withdraw", type="penalty-withdrawn", number=1, note="It was Guest 2.")
    assert "It is withdrawn. Guest 1 stays disqualified." in page
    assert desks.desk(cup).penalties[0].withdrawn
    assert desks.desk(cup).people[0].status == "disqualified"


def test_who_is_disqualified_by_hand_and_by_a_penalty_is_back_when_both_are_lifted() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup)
    desks.paired(cup)
    console = Console(cup)
    by_hand, by_penalty = 'aria-label="Back: Guest 1"', 'aria-label="Back: Guest 2"'

    def status() -> list[str]:
        return [person.status for person in desks.desk(cup).people[:2]]

    desks.act(cup, "disqualified", entrant=1)
    for entrant in (1, 2):
        page = console.post(**penalty("disqualification", entrant))
    assert by_hand not in page
    assert by_penalty not in page
    for entrant in (1, 2):
        with pytest.raises(Conflict, match=f"Penalty {entrant} disqualified them") as refused:
            desks.act(cup, "returned", entrant=entrant)
        assert refused.value.code == "penalty-stands"
    assert status() == ["disqualified", "disqualified"]

    lifted = {"do": "withdraw", "type": "penalty-withdrawn", "note": "It was Guest 3."}
    page = console.post(**lifted, number=1)
    assert "It is withdrawn. Guest 1 stays disqualified." in page
    assert by_hand in page
    page = console.post(**lifted, number=2)
    assert "It is withdrawn. Guest 2 is back." in page
    assert status() == ["disqualified", "in"]
    console.post(type="returned", entrant=1)
    assert status() == ["in", "in"]


@pytest.mark.parametrize("name", ["disqualification", "match-loss", "warning"])
def test_a_penalty_sent_twice_is_answered_alike(name: str) -> None:
    cup = swiss()
    console, act_id, said = Console(cup), str(uuid4()), []
    for _ in range(2):
        answer = console.client.post(
            console.url, {"act_id": act_id, **penalty(name, 3)}, follow=True
        )
        said.append([str(each) for each in answer.context["messages"]])
        cup.log.refresh_from_db()
    assert said[0] == said[1]
    assert ("rules" in said[0][0]) is (name != "warning")
    assert len(desks.desk(cup).penalties) == 1


def test_a_penalty_that_is_no_number_keeps_its_form_open() -> None:
    cup = swiss()
    page = Console(cup).post(400, **penalty("warning", 3) | {"demerits": "abc"})
    assert "&#x27;abc&#x27;" not in page
    form = page.partition('value="penalise"')[2].partition("</form>")[0]
    assert 'value="abc"' in form
    assert "Enter a whole number." in form
    assert '<option value="3" selected>' in form
    assert 'value="Threw a table."' in form
    assert page.count('<details class="panel" open>') == 1


@pytest.mark.parametrize(
    ("form", "says"),
    [
        (penalty("warning", 1) | {"entrant": ""}, "Choose who gets it."),
        (penalty("warning", 1) | {"demerits": "-1"}, "greater than or equal to 0"),
        ({"type": "results-held", "round": ""}, "Name a round from 1 to 31."),
        ({"type": "results-held", "round": "99"}, "Name a round from 1 to 31."),
    ],
)
def test_what_was_not_taken_is_said_once_at_its_field(form: Form, says: str) -> None:
    cup = swiss()
    page = Console(cup).post(400, **form)
    assert page.count(says) == 1
    assert not any(
        each in page for each in ("whole number from", "Object missing", "possible here")
    )
    assert not desks.desk(cup).penalties


def test_a_record_names_what_a_penalty_was_for() -> None:
    host = factories.actor()
    league = desks.league(host)
    cup = desks.tournament(host, league=league)
    desks.entered(cup, 2)
    console = Console(cup, host)
    console.post(**penalty("warning", 1) | {"infraction": "play"})
    cup.log.refresh_from_db()
    followers.Desks().project(cup.log)
    at = f"{league.get_absolute_url()}record/"
    assert ">mistake in play, warning" in console.page(at)
    console.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert ">Spielfehler, Verwarnung" in console.page(at)


def test_nobody_is_penalised_unless_they_are_chosen() -> None:
    form = Console(swiss()).page().partition('value="penalise"')[2].partition("</form>")[0]
    assert '<option value="" selected>Choose</option>' in form


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "an official rules that Guest 2 did not show up."),
        ("de", "Die Leitung entscheidet: Guest 2 nicht erschienen."),
    ],
)
def test_a_no_show_is_told_by_name(language: str, says: str) -> None:
    cup = swiss()
    table = desks.table_of(cup, 2)
    desks.act(cup, "ruled", round=1, table=table, absent=[2], note="Waited.")
    page = Console(cup).client.get(
        f"/tournaments/{cup.code}/console/", headers={"accept-language": language}
    )
    assert says in page.content.decode()


def test_namesakes_are_told_apart_where_one_of_them_gets_a_penalty() -> None:
    cup = desks.tournament()
    desks.entered(cup, 2)
    desks.entered(cup, 1)
    page = Console(cup).page()
    assert "Guest 1 (no. 1)</option>" in page and "Guest 1 (no. 3)</option>" in page
    assert ">Guest 2</option>" in page
    desks.start(cup)
    desks.paired(cup)
    pairings = f"/tournaments/{cup.code}/rounds/1/"
    for url in ("", pairings, f"{pairings}tables/1/", f"/tournaments/{cup.code}/entries/"):
        assert "Guest 1 (no. " in Console(cup).page(url), url
