"""Players call an official to their table, and the console says where."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league import services
from league.models import Role, Tournament
from matches.actors import Actor
from tests import factories
from tests.api.client import Api, problem
from tests.factories import signed_in
from tests.html import squeezed, text_of
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def begun() -> tuple[Tournament, list[Actor], str]:
    cup, players = desks.playing()
    return cup, players, f"/tournaments/{cup.code}/rounds/1/tables/1/"


def press(who: Actor, cup: Tournament, page: str, kind: str) -> None:
    by = desks.desks.number_for(who, cup, desks.desk(cup))
    sent = {"act_id": str(uuid4()), "type": kind, "by": str(by)}
    assert signed_in(who.user).post(page, sent).status_code == 302


def helper(cup: Tournament, role: Role) -> Actor:
    who = factories.actor()
    assert who.player is not None
    services.name_member(by=desks.organiser(cup), tournament=cup, player=who.player, role=role)
    return who


def test_a_player_calls_and_an_official_answers() -> None:
    cup, (one, _), page = begun()
    judge, host = helper(cup, Role.JUDGE), desks.organiser(cup)
    console = f"/tournaments/{cup.code}/console/"
    assert "Call an official" in squeezed(signed_in(one.user).get(page))
    assert "Call an official" not in squeezed(signed_in(judge.user).get(page))
    press(one, cup, page, "official-called")

    assert "No longer needed" in squeezed(signed_in(one.user).get(page))
    shown = signed_in(judge.user).get(console)
    assert re.search('class="marks"> ?<span class="chip alarm">called for<', squeezed(shown))
    told = text_of(shown)
    assert "Called for" in told
    assert "An official is called: table 1." in told
    assert "An official is called: table 1." in text_of(signed_in(host.user).get("/"))
    shown = squeezed(Client().get(page))
    assert "An official is called." in shown
    assert "Answer the call" not in shown

    press(judge, cup, page, "call-answered")
    assert "is called" not in text_of(signed_in(judge.user).get(console))
    assert "An official is called." not in squeezed(Client().get(page))


def test_who_called_needs_none_any_more() -> None:
    cup, (one, two), page = begun()
    press(one, cup, page, "official-called")
    press(two, cup, page, "call-answered")
    assert desks.desk(cup).rounds[0].tables[0].called == 0


def test_programs_call_and_read_calls_and_who_only_keeps_scores_answers_none() -> None:
    cup, (one, _), _ = begun()
    keeper = helper(cup, Role.SCOREKEEPER)
    number = desks.desks.number_for(one, cup, desks.desk(cup))

    def send(who: Actor, kind: str, **fields: Any) -> Any:
        act = {"type": kind, "round": 1, "table": 1, **fields}
        return Api(who).post(f"tournaments/{cup.code}/acts/", {"id": str(uuid4()), "act": act})

    def called() -> int:
        (table,) = Api(one).get(f"pairings/?tournament={cup.code}").json()["results"]
        return int(table["called"])

    assert send(one, "official-called", by=number).status_code == 201
    assert called() == number
    problem(send(keeper, "call-answered"), 403, "not-allowed")
    problem(send(factories.actor(), "call-answered"), 403, "not-allowed")
    assert send(desks.organiser(cup), "call-answered").status_code == 201
    assert called() == 0
