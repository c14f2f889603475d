"""When a table is played: agreed by its players on its page, or set by an official."""

import re
from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from league import calendars, clocks, services
from league.models import Tournament
from matches.actors import Actor
from tests import factories
from tests.api.client import Api, problem
from tests.factories import signed_in
from tests.html import squeezed, text_of
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

MELBOURNE = "Australia/Melbourne"


def noon(days: int) -> datetime:
    """Return noon in Melbourne in so many days."""
    there = ZoneInfo(MELBOURNE)
    day = timezone.now().astimezone(there).date() + timedelta(days)
    return datetime.combine(day, time(12), there)


def typed(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M}"


def shown_as(at: datetime) -> str:
    return clocks.format_time(at, MELBOURNE)


def shown_as_utc(at: datetime) -> str:
    return clocks.format_time(at, "UTC")


def seconds(at: datetime) -> int:
    return int(at.timestamp())


SOON, LATER = noon(7), noon(8)


def begun(**details: Any) -> tuple[Tournament, list[Actor]]:
    """Return a tournament in Melbourne with one table, and who sits there."""
    cup = desks.tournament(timezone=MELBOURNE, **details)
    players = [factories.actor() for _ in range(2)]
    for player in players:
        services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.start(cup, rounds=1)
    desks.paired(cup)
    return cup, players


def page_of(cup: Tournament) -> str:
    return f"/tournaments/{cup.code}/rounds/1/tables/1/"


def number_of(cup: Tournament, player: Actor) -> int:
    return desks.desks.number_for(player, cup, desks.desk(cup))


def sent(cup: Tournament, player: Actor | None, **fields: Any) -> dict[str, str]:
    by = number_of(cup, player) if player else 0
    return {"act_id": str(uuid4()), "type": "time-proposed", "by": str(by), **fields}


def plain(answer: Any) -> str:
    """Return the text of a page, without isolates of names."""
    return re.sub("[\u2068\u2069]", "", text_of(answer)).replace(" .", ".")


def proposals(web: Client, cup: Tournament) -> str:
    return plain(web.get(page_of(cup)))


def test_one_proposes_in_local_time_and_the_other_accepts_with_a_tap() -> None:
    cup, (one, two) = begun()
    page = page_of(cup)
    ours, theirs = signed_in(one.user), signed_in(two.user)
    assert ours.post(page, sent(cup, one, when=typed(SOON))).status_code == 302
    table = desks.desk(cup).rounds[0].tables[0]
    assert table.proposed == ((number_of(cup, one), seconds(SOON)),)

    assert f"{one.player} proposes to play on {shown_as(SOON)}." in proposals(Client(), cup)
    assert f"Play on {shown_as(SOON)}" not in proposals(ours, cup)
    answer = theirs.get(page)
    assert f"Play on {shown_as(SOON)}" in text_of(answer)
    assert f'name="at" value="{seconds(SOON)}"' in squeezed(answer)

    theirs.post(page, sent(cup, two, at=str(seconds(SOON))))
    for web in (Client(), ours, theirs):
        shown = proposals(web, cup)
        assert f"To be played on {shown_as(SOON)}." in shown
        assert "proposes to play on" not in shown
    assert shown_as(SOON) in plain(Client().get(f"/tournaments/{cup.code}/rounds/1/"))
    assert f"To be played on {shown_as(SOON)}." in plain(ours.get("/next/"))
    assert f"To be played on {shown_as(SOON)}." in plain(ours.get("/"))


def test_what_was_agreed_stands_until_another_time_is_and_an_official_sets_it() -> None:
    cup, (one, _) = begun()
    page, staff = page_of(cup), signed_in(desks.organiser(cup).user)
    assert "Set when to play" in text_of(staff.get(page))
    staff.post(page, sent(cup, None, when=typed(SOON)))
    signed_in(one.user).post(page, sent(cup, one, when=typed(LATER)))
    shown = proposals(staff, cup)
    assert f"To be played on {shown_as(SOON)}." in shown
    assert f"{one.player} proposes to play on {shown_as(LATER)}." in shown
    assert f"the desk sets when to play: {shown_as(SOON)}." in shown
    staff.post(page, sent(cup, None, when=typed(LATER)))
    assert f"To be played on {shown_as(LATER)}." in proposals(staff, cup)

    desks.act(cup, "result-reported", round=1, table=1, scores=[2, 0])
    over = proposals(staff, cup)
    assert "To be played" not in over
    assert "when to play</summary>" not in squeezed(staff.get(page))


@pytest.mark.parametrize(
    ("when", "said"),
    [
        (typed(noon(-1)), "This time has passed."),
        (typed(noon(368)), "This is more than a year away."),
        ("soon", "Enter a valid date/time."),
        ("", "This field is required."),
    ],
)
def test_a_time_that_cannot_be_is_refused_beside_its_field(when: str, said: str) -> None:
    cup, (one, _) = begun()
    answer = signed_in(one.user).post(page_of(cup), sent(cup, one, when=when))
    assert answer.status_code == 400
    assert said in text_of(answer)
    if when:
        assert f'value="{when}"' in squeezed(answer)
    assert not desks.desk(cup).rounds[0].tables[0].proposed


def test_only_who_sits_there_and_officials_are_asked() -> None:
    cup, (one, _) = begun()
    stranger = factories.actor()
    for web in (Client(), signed_in(stranger.user)):
        assert "when to play" not in proposals(web, cup)
    assert "Propose when to play" in proposals(signed_in(one.user), cup)


def test_nobody_is_asked_at_a_table_that_is_being_played() -> None:
    clocked, (one, _) = begun(round_minutes=50)
    assert "when to play" not in proposals(signed_in(one.user), clocked)
    cup, (one, _) = begun()
    services.open_table(tournament=cup, by=one, number=1, table=1)
    assert "when to play" not in proposals(signed_in(one.user), cup)


def test_programs_propose_and_read_times() -> None:
    cup, (one, two) = begun()
    at, instant = seconds(SOON), f"{SOON.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    act = {"type": "time-proposed", "round": 1, "table": 1, "at": at}
    mine, other = number_of(cup, one), number_of(cup, two)

    def tell(who: Actor, by: int, **other: Any) -> Any:
        sent = {"id": str(uuid4()), "act": {**act, "by": by, **other}}
        return Api(who).post(f"tournaments/{cup.code}/acts/", sent)

    def table() -> Any:
        found = Api(two).get(f"pairings/?tournament={cup.code}&round=1").json()
        return found["results"][0]

    assert tell(one, mine).status_code == 201
    assert table()["proposed"] == [{"by": mine, "at": instant}]
    problem(tell(one, other), 403, "not-allowed")
    problem(tell(one, 0), 400, "missing-field")
    told = problem(tell(one, mine, at=0), 422, "out-of-range")
    assert [each["where"] for each in told["errors"]] == ["$.act.at"]
    assert tell(two, other).status_code == 201
    assert table()["plays_at"] == instant
    assert table()["proposed"] == []
    (waits,) = Api(one).get("next/").json()["playing"]
    assert waits["table"]["plays_at"] == instant


def test_the_calendar_of_who_plays_has_the_round_when_they_agreed_to() -> None:
    cup, (one, _) = begun(round_minutes=50)
    desks.act(cup, "time-proposed", round=1, table=1, at=seconds(SOON))
    assert one.player is not None
    calendars.renew(one.player)
    told = Client().get(reverse("league:calendar", args=[calendars.token_of(one.player)]))
    (round_one,) = (e for e in Calendar.from_ical(told.content).walk("VEVENT") if "url" in e)
    assert round_one.decoded("dtstart") == SOON
    assert round_one.decoded("dtend") == SOON + timedelta(minutes=50)


def test_while_results_are_held_back_nothing_is_asked_of_a_round_that_is_over() -> None:
    cup, players = desks.playing(4)
    desks.act(cup, "results-held", round=1)
    first = desks.desk(cup).rounds[0].tables[0]
    mine = next(each for each in players if number_of(cup, each) in first.players)
    desks.act(cup, "time-proposed", round=1, table=1, at=seconds(noon(-1)))
    page = signed_in(mine.user)
    assert "Call an official" in proposals(page, cup)
    assert "To be played on" not in proposals(page, cup)
    desks.act(cup, "time-proposed", round=1, table=1, at=seconds(SOON))
    assert f"To be played on {shown_as_utc(SOON)}." in proposals(page, cup)
    desks.play(cup)
    desks.paired(cup)
    over = proposals(page, cup)
    assert "Call an official" not in over
    assert "Propose when to play" not in over
