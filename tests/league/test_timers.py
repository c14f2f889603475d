"""The clock of a round: paused, resumed, extended for all or for one table."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from league import calendars, due, services, timers
from league.models import Tournament
from league.scene import Scene
from matches.actors import NOBODY
from matches.errors import NotAllowed
from rules.desk.acts import ClockPaused, ClockResumed, RoundPublished
from tests import factories
from tests.factories import signed_in
from tests.html import text_of
from tests.league import desks

MINUTE = timedelta(minutes=1)
NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)


def test_what_a_clock_was_paused_for_is_given_back() -> None:
    acts = [RoundPublished(1), ClockPaused(1), ClockResumed(1), ClockPaused(1)]
    times = {1: NOON, 2: NOON + 10 * MINUTE, 3: NOON + 25 * MINUTE, 4: NOON + 30 * MINUTE}
    numbered = list(enumerate(acts, 1))

    still = timers.timer_from(numbered, times, 50 * MINUTE)
    going = timers.timer_from(numbered[:3], times, 50 * MINUTE)

    assert going == timers.Timer(NOON + 65 * MINUTE)
    assert still is not None
    assert (still.paused, still.left, still.left_text) == (times[4], 35 * MINUTE, "35:00")


@pytest.fixture
def cup(db: Any) -> Tournament:
    made = desks.tournament(title="Rim cup", round_minutes=50)
    desks.entered(made, 4)
    desks.start(made)
    desks.paired(made)
    return made


def timer(cup: Tournament) -> timers.Timer:
    cup.log.refresh_from_db()
    found = due.timer(Scene(desks.organiser(cup), cup))
    assert found is not None
    return found


def test_a_clock_is_paused_goes_on_and_is_given_more_by_buttons_of_the_console(
    cup: Tournament,
) -> None:
    client = signed_in(desks.organiser(cup).user)
    at = f"/tournaments/{cup.code}/"

    def press(**sent: str) -> str:
        form = {"act_id": str(uuid4()), "round": "1", **sent}
        assert client.post(f"{at}console/", form).status_code == 302
        return client.get(f"{at}console/").content.decode()

    before = timer(cup)
    assert "Time is up at" in client.get(f"{at}console/").content.decode()
    assert "Let the clock go on" in press(type="clock-paused")
    for path in (at, f"{at}console/", f"{at}rounds/1/tables/1/"):
        page = client.get(path).content.decode()
        assert "The clock is paused, " in page, path
        assert "Time is up at" not in page, path
    wall = client.get(f"{at}wall/").content.decode()
    assert "paused" in wall
    assert "data-left" not in wall
    assert "Pause the clock" in press(type="clock-resumed")
    assert before.ends <= timer(cup).ends < before.ends + MINUTE
    assert "10 minutes were added." in press(type="time-extended", minutes="10", table="0")
    assert "Table 1 has 1 minute more." in press(type="time-extended", minutes="1", table="1")
    assert "Table 1 has 3 minutes more." in press(type="time-extended", minutes="2", table="1")
    log = text_of(client.get(f"{at}console/"))
    assert "table 1 has 1 minute more." in log
    assert timer(cup).ends >= before.ends + 10 * MINUTE
    refused = client.post(
        f"{at}console/",
        {"act_id": str(uuid4()), "type": "time-extended", "round": "1", "minutes": "0"},
    )
    assert refused.status_code == 400
    assert "Time is called." in press(type="time-called")


def test_the_api_tells_a_rounds_clock_and_players_do_not_touch_it(cup: Tournament) -> None:
    desks.act(cup, "time-extended", round=1, minutes=5, table=2)
    desks.act(cup, "clock-paused", round=1)
    [told] = Client().get("/api/v1/rounds/", {"tournament": cup.code}).json()["results"]
    clock = told["clock"]
    assert (clock["ends_at"], clock["paused"], clock["extra"]) == (None, True, 0)
    assert clock["tables"] == {"2": 5}
    assert 49 * 60 < clock["left"] <= 50 * 60
    act = {"type": "clock-resumed", "round": 1}
    with pytest.raises(NotAllowed):
        services.record(tournament=cup, by=factories.actor(), act_id=uuid4(), act=act)
    desks.act(cup, "time-called", round=1)
    [told] = Client().get("/api/v1/rounds/", {"tournament": cup.code}).json()["results"]
    assert told["clock"] is None


def test_a_calendar_follows_the_clock(cup: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    def lasts() -> int:
        file = Calendar.from_ical(calendars.calendar_of(by=NOBODY, tournament=cup))
        event = file.walk("VEVENT")[-1]
        return round((event["dtend"].dt - event["dtstart"].dt) / MINUTE)

    def later(minutes: int) -> None:
        monkeypatch.setattr(timezone, "now", lambda: began + minutes * MINUTE)

    began = timezone.now()
    assert lasts() == 50
    desks.act(cup, "time-extended", round=1, minutes=5)
    assert lasts() == 55
    desks.act(cup, "clock-paused", round=1)
    later(10)
    assert lasts() == 65
    desks.act(cup, "clock-resumed", round=1)
    later(20)
    assert lasts() == 65
    desks.act(cup, "clock-paused", round=1)
    later(25)
    desks.act(cup, "time-called", round=1)
    later(90)
    assert lasts() == 70


def test_a_clock_that_a_close_stopped_for_good_makes_no_round_longer(
    cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    desks.act(cup, "clock-paused", round=1)
    desks.act(cup, "tournament-closed", irregular=True)
    version, later = cup.log.head_version, timezone.now() + 90 * MINUTE
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert timers.waits(cup, version)[1] < MINUTE


def test_the_logger_of_a_match_tells_the_clock_of_its_table(cup: Tournament) -> None:
    by = desks.organiser(cup)
    match = services.open_table(tournament=cup, by=by, number=1, table=1)
    client = signed_in(by.user)

    def clock() -> str:
        at = f"/matches/{match.code}/table/"
        pages = [
            client.get(at, {"part": "1"}).text,
            client.get(at, {"part": "beside"}).json()["panels"],
        ]
        told, beside = (p.partition('<p class="lg-round">')[2].partition("</p>")[0] for p in pages)
        assert told == beside
        return told

    before = clock()
    assert "Time is up at" in before
    desks.act(cup, "time-extended", round=1, minutes=7, table=1)
    assert before != clock() != ""
    desks.act(cup, "clock-paused", round=1)
    assert "The clock is paused, 5" in clock()
    desks.act(cup, "time-called", round=1)
    assert clock() == ""
