"""Dates of rounds: set in the venue's time, and shown wherever rounds are."""

import re
from datetime import UTC, datetime, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from league import calendars, scheduling, services
from league.models import RoundDate, Tournament
from matches.actors import NOBODY
from tests import factories
from tests.api.client import Api, problem
from tests.factories import signed_in
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]  # both engines ask the same

HOUR = timedelta(hours=1)
BERLIN = ZoneInfo("Europe/Berlin")


def cup() -> Tournament:
    """Return a tournament in Berlin whose first round is played."""
    made = desks.tournament(title="Cup", timezone="Europe/Berlin")
    desks.entered(made, 4)
    desks.start(made)
    desks.paired(made)
    return made


def evening(days: int = 1) -> datetime:
    """Return seven in the evening, by the clock of Berlin, of a day to come."""
    there = timezone.now().astimezone(BERLIN) + timedelta(days=days)
    return there.replace(hour=19, minute=0, second=0, microsecond=0)


def client_of(made: Tournament) -> Client:
    return signed_in(desks.organiser(made).user)


def test_dates_are_typed_by_the_clock_of_the_place_and_told_to_everybody() -> None:
    made, at, end = cup(), evening(), evening(6)
    page, path = client_of(made), f"/tournaments/{made.code}/dates/"
    form = {
        "round": "2",
        "round-2-pairs_at": f"{at:%Y-%m-%dT%H:%M}",
        "round-2-deadline": f"{end:%Y-%m-%dT%H:%M}",
        "round-2-weekly": "on",
    }
    assert page.post(path, form).status_code == 302
    deadline = f"{at - HOUR:%Y-%m-%dT%H:%M}"
    assert page.post(path, {"round": "1", "round-1-deadline": deadline}).status_code == 302
    assert made.dates.get(round=2).pairs_at == at
    assert made.dates.get(round=2).weekly
    text = page.get(path).content.decode()
    assert f'value="{at:%Y-%m-%dT%H:%M}"' in text
    assert f'value="{deadline}"' in text

    told = Client().get(made.get_absolute_url()).content.decode()
    assert f'Round 2 is paired on <time datetime="{at.isoformat()}"' in told
    assert "Then one every week. Round 2 is to be played by" in told
    assert f'Round 1 is to be played by <time datetime="{(at - HOUR).isoformat()}"' in told
    assert "is to be played by" in Client().get(f"{made.get_absolute_url()}rounds/1/").text

    file = calendars.calendar_of(by=NOBODY, tournament=made)
    assert f"UID:{made.pk}-2@zgxl".encode() in file
    assert f"DTSTART:{at.astimezone(UTC):%Y%m%dT%H%M%SZ}".encode() in file
    assert file.count(b"is to be played by now") == 2

    gone = {"round": "2", "round-2-pairs_at": "", "round-2-deadline": "", "round-2-weekly": "on"}
    assert page.post(path, gone).status_code == 302
    assert not made.dates.filter(round=2).exists()


def test_who_plays_is_told_by_when_beside_their_table() -> None:
    made, end = desks.tournament(timezone="Europe/Berlin"), evening()
    by = desks.organiser(made)
    for player in (by.player, factories.actor().player):
        services.enter(tournament=made, by=by, act_id=uuid4(), player=player)
    desks.start(made)
    desks.paired(made)
    services.set_date(by=by, tournament=made, number=1, deadline=end)
    told = client_of(made).get("/next/").text
    assert f'Round 1 is to be played by <time datetime="{end.isoformat()}"' in told


def test_the_page_names_the_place_where_its_clock_is_changed() -> None:
    made = cup()
    page = client_of(made)
    (path,) = re.findall(
        r'href="([^"]*)#id_timezone"', page.get(f"/tournaments/{made.code}/dates/").text
    )
    assert 'id="id_timezone"' in page.get(path).text


def test_a_deadline_alone_is_shown_wherever_dates_are() -> None:
    made, end = cup(), evening()
    page, path = client_of(made), f"/tournaments/{made.code}/dates/"
    typed = f"{end:%Y-%m-%dT%H:%M}"
    assert page.post(path, {"round": "2", "round-2-deadline": typed}).status_code == 302
    assert f'value="{typed}"' in page.get(path).text
    told = Client().get(made.get_absolute_url()).text
    assert f'Round 2 is to be played by <time datetime="{end.isoformat()}"' in told
    (one,) = Api().get(f"tournaments/{made.code}/dates/").json()["results"]
    assert (one["round"], one["pairs_at"]) == (2, None)
    assert datetime.fromisoformat(one["deadline"]) == end


def test_a_date_that_is_late_can_be_changed_beside_its_time() -> None:
    made, end = cup(), evening()
    page, path = client_of(made), f"/tournaments/{made.code}/dates/"
    services.set_date(
        by=desks.organiser(made), tournament=made, number=2, pairs_at=evening(), weekly=True
    )
    late = timezone.now() - HOUR  # with seconds, which the field does not show
    made.dates.update(pairs_at=late)
    typed = f"{late.astimezone(BERLIN):%Y-%m-%dT%H:%M}"
    form = {"round": "2", "round-2-pairs_at": typed, "round-2-deadline": f"{end:%Y-%m-%dT%H:%M}"}
    assert page.post(path, form).status_code == 302
    kept = made.dates.get()
    assert (kept.pairs_at, kept.weekly, kept.deadline) == (late, False, end)
    form["round-2-pairs_at"] = f"{late.astimezone(BERLIN) - HOUR:%Y-%m-%dT%H:%M}"
    assert "This time has passed." in page.post(path, form).text


def test_what_can_not_be_is_said_at_its_field() -> None:
    made = cup()
    page, path = client_of(made), f"/tournaments/{made.code}/dates/"
    for form, field, said in (
        ({"round-2-pairs_at": "2020-01-01T10:00"}, "pairs_at", "This time has passed."),
        ({"round-2-deadline": "soon"}, "deadline", "Enter a valid date/time."),
    ):
        answer = page.post(path, {"round": "2", **form})
        assert answer.status_code == 400
        (errors,) = [each.errors for each in answer.context["forms"] if each.errors]
        assert said in str(errors[field])
    assert page.post(path, {"round": "7"}).status_code == 404
    stranger = signed_in(factories.user())
    assert stranger.get(path).status_code == 403
    assert not RoundDate.objects.exists()


def test_the_api_tells_and_sets_them() -> None:
    made, at = cup(), evening()
    by, path = desks.organiser(made), f"tournaments/{made.code}/dates/"
    told = Api(by).post(path, {"round": 2, "pairs_at": at.isoformat()}).json()
    (one,) = told["results"]
    assert (one["round"], datetime.fromisoformat(one["pairs_at"])) == (2, at)
    assert (one["weekly"], one["deadline"], one["obstacle"]) == (False, None, "")
    past = Api(by).post(path, {"round": 2, "pairs_at": "2020-01-01T10:00:00Z"})
    assert problem(past, 400, "in-the-past")["errors"][0]["where"] == "$.pairs_at"
    problem(Api(by).post(path, {"round": 2, "pairs_at": "soon"}), 400, "wrong-type")
    far = Api(by).post(path, {"round": 2, "pairs_at": "9999-12-31T00:00:00Z"})
    assert "2000 to 2199" in problem(far, 400, "bad-time")["detail"]
    RoundDate.objects.update(pairs_at=timezone.now() - HOUR)
    scheduling.pair(RoundDate.objects.get().pk)
    missing = "Results are missing: table 1, table 2."
    assert Api(by).get(path).json()["results"][0]["obstacle"] == missing
    assert Api().get(path).json()["results"][0]["obstacle"] == ""
    assert Api(by).post(path, {"round": 2}).json() == {"results": []}
    changed = Api(by).patch(f"tournaments/{made.code}/", {"remind_hours": 48}).json()
    assert changed["remind_hours"] == 48
    for moment in ("2031-06-01T20:00:00Z", None):
        changed = Api(by).patch(f"tournaments/{made.code}/", {"starts_at": moment}).json()
        assert changed["starts_at"] == moment
    problem(Api(by).patch(f"tournaments/{made.code}/", {"remind_hours": 999}), 400, "out-of-range")


def test_the_api_tells_of_a_settled_round_what_it_takes() -> None:
    made, at, end = cup(), evening(), evening(2)
    by, path = desks.organiser(made), f"tournaments/{made.code}/dates/"
    services.set_date(by=by, tournament=made, number=2, pairs_at=at, weekly=True, deadline=end)
    desks.play(made)
    desks.paired(made)
    RoundDate.objects.filter(round=2).update(weekly=True)  # as it was kept once
    settled, following = Api(by).get(path).json()["results"]
    assert (settled["round"], settled["pairs_at"], settled["weekly"]) == (2, None, False)
    assert (following["round"], following["weekly"]) == (3, True)
    again = {name: settled[name] for name in ("round", "pairs_at", "weekly", "deadline")}
    assert Api(by).post(path, again).status_code == 200


def test_the_console_says_what_keeps_a_round_and_who_is_overdue() -> None:
    made = cup()
    by = desks.organiser(made)
    services.set_date(by=by, tournament=made, number=1, deadline=evening())
    services.set_date(by=by, tournament=made, number=2, pairs_at=evening())
    desks.play(made, tables=[1])
    RoundDate.objects.filter(round=1).update(deadline=timezone.now() - HOUR)
    RoundDate.objects.filter(round=2).update(pairs_at=timezone.now() - HOUR)
    text = client_of(made).get(f"/tournaments/{made.code}/console/").content.decode()
    assert "but was not: Results are missing: table 2." in " ".join(text.split())
    overdue = text.partition("Overdue:")[2].partition("</p>")[0]
    assert "Table 2: " in overdue and "Table 1: " not in overdue
    assert "as soon as possible" in Client().get(made.get_absolute_url()).content.decode()


def test_a_page_that_is_followed_changes_with_the_dates() -> None:
    made = cup()
    path = f"{made.get_absolute_url()}?part=live"
    tag = Client().get(path)["ETag"]
    assert Client().get(path, headers={"If-None-Match": tag}).status_code == 304
    by = desks.organiser(made)
    for weekly in (False, True):
        services.set_date(by=by, tournament=made, number=2, pairs_at=evening(), weekly=weekly)
        answer = Client().get(path, headers={"If-None-Match": tag})
        assert answer.status_code == 200
        tag = answer["ETag"]


def test_when_a_tournament_begins_is_typed_by_the_clock_of_its_place() -> None:
    made = cup()
    page, path = client_of(made), f"/tournaments/{made.code}/edit/"
    form = {
        "title": "Cup",
        "timezone": "berlin",
        "visibility": "public",
        "decks": "none",
        "round_minutes": "0",
        "remind_hours": "24",
        "shared_prizes": "split",
        "starts_at": "2031-01-07T19:00",
    }
    assert page.post(path, form).status_code == 302
    for skipped_or_twice in ("2031-03-30T02:30", "2031-10-26T02:30"):
        answer = page.post(path, form | {"starts_at": skipped_or_twice})
        said = answer.context["form"].errors["starts_at"]
        assert said == ["The clocks change in that hour: choose a time before or after it."]
    made.refresh_from_db()
    assert made.starts_at == datetime(2031, 1, 7, 18, tzinfo=UTC)
    assert 'value="2031-01-07T19:00"' in page.get(path).content.decode()
