"""The scribe on pages: who records, taking over, proposals; works without a script."""

from typing import Any
from uuid import uuid4

import pytest

from matches import selectors
from matches.actors import Actor
from matches.links import DEVICE_COOKIE
from matches.models import Match, Proposal, ScribeLease
from matches.services import SeatRequest
from tests import factories
from tests.html import squeezed

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


class Phone:
    """A browser somebody is signed in with, at one match."""

    def __init__(self, actor: Actor, match: Match) -> None:
        self.client = factories.client_of(actor)
        self.path = f"/matches/{match.code}/"

    def page(self, tail: str) -> str:
        answer = self.client.get(self.path + tail)
        assert answer.status_code == 200
        return squeezed(answer)

    def post(self, tail: str, **form: Any) -> Any:
        return self.client.post(self.path + tail, form)

    def record(self, points: int = 1, tail: str = "table/", **form: Any) -> Any:
        act = {"act_id": uuid4(), "type": "points-scored", "seat": "1", "points": points}
        return self.post(tail, **{**act, **form})

    def take_over(self, **form: Any) -> Any:
        seen = self.client.get(self.path + "scribe/").context["scribe"].lease
        return self.post("scribe/", over=seen.pk if seen else "", **form)


class Table:
    def __init__(self) -> None:
        self.ann, self.ben = factories.actor("ann"), factories.actor("ben")
        seats = [SeatRequest(player=self.ann.player), SeatRequest(player=self.ben.player)]
        opened = factories.match(self.ann, seats=seats, sanctioned=True)
        self.match = selectors.match_for(self.ann, opened.code)
        self.first, self.second = Phone(self.ann, self.match), Phone(self.ben, self.match)

    def points(self) -> list[int]:
        match = selectors.match_for(self.ann, self.match.code)
        entries = selectors.timeline(match).entries[1:]
        return [entry.act.points for entry in entries]


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.mark.parametrize("tail", ["table/", "acts/"])
def test_who_records_first_is_the_scribe_and_the_other_is_told(table: Table, tail: str) -> None:
    table.first.page(tail)
    assert "Take over" not in table.second.page(tail)
    assert table.first.record(tail=tail).status_code == 302
    assert "Take over" not in table.first.page(tail)
    page = table.second.page(tail)
    assert "<strong>ann</strong> is the scribe" in page
    assert "Take over" in page
    refused = table.second.record(2, tail=tail)
    assert refused.status_code == 409
    assert "ann is the scribe now. Take over to record from here." in refused.content.decode()
    assert table.points() == [1]


def test_one_s_own_other_device_is_called_that(table: Table) -> None:
    table.first.page("table/")
    table.first.record()
    other = Phone(table.ann, table.match)
    assert "Your other device is the scribe" in other.page("table/")
    refused = other.record(2).content.decode()
    assert "Your other device is the scribe now." in refused


def test_one_tap_takes_over_and_leads_back_to_the_logger(table: Table) -> None:
    table.first.record()
    answer = table.second.take_over(back="logger")
    assert answer["Location"] == f"/matches/{table.match.code}/table/"
    assert table.second.record(2).status_code == 302
    assert table.points() == [1, 2]


def test_the_page_leads_back_to_nowhere_else(table: Table) -> None:
    answer = table.first.take_over(back="//elsewhere.example/")
    assert answer["Location"] == f"/matches/{table.match.code}/scribe/"


def test_who_saw_somebody_else_is_shown_who_it_is_now(table: Table) -> None:
    table.first.take_over()
    answer = table.second.post("scribe/", over="")
    assert answer.status_code == 409
    assert "ann was first. Look again." in answer.content.decode()


def test_a_former_scribe_s_act_is_kept_and_the_table_decides(table: Table) -> None:
    table.first.record(1)
    table.second.take_over()
    refused = table.first.record(2)
    assert refused.status_code == 409
    assert "kept as a proposal" in refused.content.decode()
    kept = Proposal.objects.get()
    assert "1 proposal" in table.second.page("table/")
    page = table.second.page("scribe/")
    assert f'id="proposal-{kept.act_id}"' in page
    assert table.second.post(f"proposals/{kept.act_id}/", decision="accept").status_code == 302
    assert table.points() == [1, 2]
    page = table.second.page("scribe/")
    assert f'id="proposal-{kept.act_id}"' not in page
    assert "accepted as" in page


def test_the_scribe_s_logger_hears_of_a_proposal_and_of_another_scribe(table: Table) -> None:
    def pen(phone: Phone) -> str:
        return str(phone.client.get(phone.path + "table/?part=beside").json()["pen"])

    table.first.record(1)
    table.second.take_over()
    before = pen(table.second)
    assert f'data-pen="{before}"' in table.second.page("table/")
    table.first.record(2)
    assert pen(table.second) != before
    waiting = pen(table.second)
    table.first.take_over()
    assert pen(table.second) not in (before, waiting)


def test_a_dismissed_proposal_stays_on_the_page(table: Table) -> None:
    table.first.take_over()
    table.second.take_over()
    table.first.record(2)
    kept = Proposal.objects.get()
    table.second.post(f"proposals/{kept.act_id}/", decision="dismiss")
    page = table.second.page("scribe/")
    assert "dismissed by ben" in page
    assert "Accept after all" in page


def test_the_same_act_on_two_phones_is_offered_as_one(table: Table) -> None:
    table.first.record(1)
    table.second.take_over()
    table.second.record(2)
    table.first.record(2, after=2)
    kept = Proposal.objects.get()
    assert "The same as entry 3" in table.second.page("scribe/")
    table.second.post(f"proposals/{kept.act_id}/", decision="merge", version=3)
    kept.refresh_from_db()
    assert (kept.state, kept.version, table.points()) == ("merged", 3, [1, 2])


def test_an_irregular_proposal_stands_when_the_table_says_so(table: Table) -> None:
    table.first.take_over()
    table.second.take_over()
    act_id = uuid4()
    table.first.post("table/", act_id=act_id, type="game-closed")
    refused = table.second.post(f"proposals/{act_id}/", decision="accept")
    assert refused.status_code == 409
    assert "It stood: accept it as irregular" in refused.content.decode()
    answer = table.second.post(f"proposals/{act_id}/", decision="accept", irregular="true")
    assert answer.status_code == 302


def test_giving_it_up_lets_anybody_record(table: Table) -> None:
    table.first.take_over()
    table.first.post("scribe/end/", id=ScribeLease.objects.get().pk)
    assert table.second.record().status_code == 302


def test_the_device_is_kept_over_signing_out_and_can_not_be_made_up(table: Table) -> None:
    table.first.record()
    cookie = table.first.client.cookies[DEVICE_COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    table.first.client.logout()
    table.first.client.force_login(table.ann.user)
    table.first.client.cookies[DEVICE_COOKIE] = cookie.value
    assert table.first.record().status_code == 302
    forged = f"{uuid4().hex}:{cookie.value.split(':')[1]}"
    table.first.client.cookies[DEVICE_COOKIE] = forged
    assert table.first.record().status_code == 409


def test_onlookers_are_shown_no_scribe_and_no_proposals(table: Table) -> None:
    table.first.record()
    stranger = Phone(factories.actor(), table.match)
    assert stranger.client.get(stranger.path + "scribe/").status_code == 403
    assert "scribe" not in stranger.page("").lower()
