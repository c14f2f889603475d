"""Rounds paired by schedule: once, with concurrent or killed workers; a reason if not paired."""

import os
import signal
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import Any
from unittest import mock
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, transaction
from django.utils import timezone

from league import clocks, dates, scheduling, services, tasks
from league import desks as at_desk
from league.models import Role, RoundDate, Tournament
from matches import log as logs
from matches.actors import Actor
from matches.errors import BadInput, Conflict, NotAllowed
from matches.followers import work as follow
from matches.models import Event, Log
from rules.desk.acts import RoundClosed, RoundPaired, RoundPublished
from tests import factories
from tests.database import waiting_sessions
from tests.league import desks
from tests.prove import crowd
from tests.prove.crowd import WRITERS
from tests.waiting import eventually

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def cup(players: int = 4, **details: Any) -> Tournament:
    """Return a tournament that waits for its first round."""
    made = desks.tournament(**details)
    desks.entered(made, players)
    desks.start(made)
    return made


def scheduled(made: Tournament, by: Actor | None = None, **said: Any) -> RoundDate:
    """Have the next round paired in an hour."""
    number = len(desks.desk(made).rounds) + 1
    said = {"pairs_at": timezone.now() + HOUR, **said}
    services.set_date(by=by or desks.organiser(made), tournament=made, number=number, **said)
    return made.dates.get(round=number)


def come(date: RoundDate) -> None:
    """Let a date come, and do what a worker does of all that are due."""
    past = timezone.now() - timedelta(seconds=1)
    RoundDate.objects.filter(pk=date.pk).exclude(pairs_at=None).update(pairs_at=past)
    look()


def look() -> None:
    for pk in scheduling.due().values_list("pk", flat=True):
        scheduling.pair(pk)


def acts(made: Tournament, *kinds: type) -> list[str]:
    """Return who recorded acts of some kinds, in order, with what each is."""
    found = at_desk.timeline(made).entries
    desks.desk(made)
    rows = Event.objects.filter(log=made.pk, ordinal=0).order_by("version")
    by = dict(rows.values_list("version", "recorded_by"))
    opener = made.opener_id
    return [
        f"{type(each.act).__name__} by {'opener' if by[each.version] == opener else 'other'}"
        for each in found
        if isinstance(each.act, kinds)
    ]


def test_a_round_is_paired_and_published_when_its_time_comes_and_only_then() -> None:
    made = cup()
    date = scheduled(made)
    look()
    assert desks.desk(made).rounds == ()
    come(date)
    (one,) = desks.desk(made).rounds
    assert one.published and not one.by_hand
    assert acts(made, RoundPaired, RoundPublished) == [
        "RoundPaired by opener",
        "RoundPublished by opener",
    ]
    date.refresh_from_db()
    assert date.pairs_at is None
    come(date)
    assert len(desks.desk(made).rounds) == 1


def test_nothing_is_paired_once_it_is_closed_while_its_results_are_held_back() -> None:
    made = cup()
    desks.paired(made)
    desks.play(made)
    date = scheduled(made)
    desks.act(made, "results-held", round=1)
    desks.act(made, "tournament-closed", irregular=True)
    follow(made.pk)
    come(date)
    date.refresh_from_db()
    assert not date.refused_at


def test_what_is_missing_is_said_nothing_is_recorded_and_the_last_result_brings_the_round() -> None:
    made = cup()
    desks.paired(made)
    date = scheduled(made)
    desks.play(made, tables=[1])
    before = desks.desk(made)
    come(date)
    assert desks.desk(made) == before
    assert scheduling.obstacle(made.dates.get()) == "Results are missing: table 2."
    assert not scheduling.due().exists()  # until the log goes on
    desks.play(made, tables=[2])
    look()
    assert len(desks.desk(made).rounds) == 2
    assert len(acts(made, RoundClosed, RoundPaired, RoundPublished)) == 5


def test_every_obstacle_has_its_words() -> None:
    unstarted = desks.tournament()
    desks.entered(unstarted, 2)
    assert scheduling.obstacle(scheduled(unstarted)) == "No stage has started."
    unpublished = cup()
    services.pair(tournament=unpublished, by=desks.organiser(unpublished), act_id=uuid4())
    assert scheduling.obstacle(scheduled(unpublished)) == "Round 1 is not published."
    undone = cup()
    date = scheduled(undone)
    RoundDate.objects.update(round=2)
    date.refresh_from_db()
    assert scheduling.obstacle(date) == "Round 1 comes first."
    lonely = cup(2)
    desks.act(lonely, "dropped", entrant=1)
    assert scheduling.obstacle(scheduled(lonely)) == (
        "Too few are there to play together, 1: a table takes 2. Let others in, or end the stage."
    )
    over = cup(2)
    for _ in range(2):
        desks.paired(over)
        desks.play(over)
    date = scheduled(over)
    desks.paired(over)
    desks.play(over)
    date.round = 4
    assert scheduling.obstacle(date) == "There is no round to pair now."


def test_who_does_not_run_it_any_more_pairs_nothing() -> None:
    made = cup()
    helper = factories.actor()
    assert helper.player is not None
    role: dict[str, Any] = {"player": helper.player, "role": Role.ORGANISER, "tournament": made}
    services.name_member(by=desks.organiser(made), **role)
    date = scheduled(made, helper)
    member = helper.player.memberships.get()
    services.dismiss(by=desks.organiser(made), member=member)
    come(date)
    assert desks.desk(made).rounds == ()
    assert "no longer runs" in scheduling.obstacle(made.dates.get())
    assert made.dates.get().refused_at

    services.name_member(by=desks.organiser(made), **role)
    look()
    assert len(desks.desk(made).rounds) == 1


def test_whose_clock_is_paused_is_called_nothing_as_a_date_comes() -> None:
    made = cup()
    services.edit_tournament(by=desks.organiser(made), tournament=made, round_minutes=1)
    desks.paired(made)
    date = scheduled(made)
    desks.act(made, "clock-paused", round=1)
    match = services.open_table(tournament=made, by=desks.organiser(made), number=1, table=1)
    heads = Log.objects.filter(pk__in=[made.pk, match.pk])
    before = set(heads.values_list("pk", "head_version"))
    late = timezone.now() + 2 * HOUR
    with mock.patch.object(timezone, "now", lambda: late):
        come(date)
        for pk in (made.pk, match.pk):
            follow(pk)
    assert set(heads.values_list("pk", "head_version")) == before
    assert "Results are missing" in scheduling.obstacle(made.dates.get())


def test_a_round_paired_by_hand_meanwhile_settles_its_date() -> None:
    made = cup()
    date = scheduled(made, weekly=True)
    desks.paired(made)
    desks.play(made)
    come(date)
    assert len(desks.desk(made).rounds) == 1
    following = made.dates.get(round=2)
    assert following.pairs_at is not None and following.weekly
    assert made.dates.get(round=1).pairs_at is None


def test_a_weekly_round_comes_at_the_same_time_by_the_clock_of_the_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = cup(timezone="Europe/Berlin")
    berlin = ZoneInfo("Europe/Berlin")
    tuesday = datetime(2026, 10, 20, 19, tzinfo=berlin)  # clocks go back on the 25th
    with monkeypatch.context() as then:
        then.setattr(timezone, "now", lambda: tuesday - HOUR)
        date = scheduled(made, pairs_at=tuesday, deadline=tuesday + 4 * 24 * HOUR, weekly=True)
    with monkeypatch.context() as then:
        then.setattr(timezone, "now", lambda: tuesday + 8 * 24 * HOUR)  # a week was missed
        assert scheduling.pair(date.pk)
    following = made.dates.get(round=2)
    assert following.pairs_at == datetime(2026, 11, 3, 19, tzinfo=berlin)
    assert following.pairs_at.astimezone(UTC).hour == 18
    assert following.deadline == datetime(2026, 11, 7, 19, tzinfo=berlin)
    date.refresh_from_db()
    assert date.deadline == datetime(2026, 10, 31, 19, tzinfo=berlin)  # not before it was paired


@pytest.mark.parametrize(
    ("zone", "first", "on_the_day", "after"),
    [
        ("Europe/Berlin", "2026-03-22 02:30", "2026-03-29 01:30", "2026-04-05 02:30"),  # skipped
        ("America/Santiago", "2026-08-30 00:00", "2026-09-06 04:00", "2026-09-13 00:00"),
        ("Europe/Berlin", "2026-10-18 02:30", "2026-10-25 00:30", "2026-11-01 02:30"),  # twice
    ],
)
def test_a_weekly_round_in_the_hour_the_clocks_change_is_itself_again_a_week_later(
    zone: str, first: str, on_the_day: str, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the day it comes as much later as the clocks skip, or at the first of two such times."""
    made, there = cup(timezone=zone), ZoneInfo(zone)
    starts = datetime.fromisoformat(first).replace(tzinfo=there)
    now = starts - HOUR
    monkeypatch.setattr(timezone, "now", lambda: now)
    date, found = scheduled(made, pairs_at=starts, weekly=True), []
    for _ in range(2):
        assert date.pairs_at is not None
        now = date.pairs_at
        assert scheduling.pair(date.pk)
        desks.play(made)
        date = made.dates.exclude(pairs_at=None).get()
        found.append(date.pairs_at)
    assert found[0] == datetime.fromisoformat(on_the_day).replace(tzinfo=UTC)
    assert found[1] == datetime.fromisoformat(after).replace(tzinfo=there)


def test_nothing_follows_the_last_round() -> None:
    made = cup(2)
    for _ in range(2):
        desks.paired(made)
        desks.play(made)
    come(scheduled(made, weekly=True))
    assert len(desks.desk(made).rounds) == 3
    assert not made.dates.exclude(pairs_at=None).exists()


def test_each_round_is_a_task_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = cup(), cup()
    dates = [scheduled(each) for each in (first, second)]
    RoundDate.objects.update(pairs_at=timezone.now() - HOUR)
    asked = []
    monkeypatch.setattr(tasks.pair_scheduled, "delay", asked.append)
    tasks.pair_all_scheduled()
    assert sorted(asked) == sorted(date.pk for date in dates)  # one that fails stops no other


def test_dates_that_make_no_sense_are_refused_where_they_stand() -> None:
    made, now = cup(), timezone.now()
    by = desks.organiser(made)
    for said, where, code in (
        ({"pairs_at": now - HOUR}, "$.pairs_at", "in-the-past"),
        ({"deadline": now - HOUR}, "$.deadline", "in-the-past"),
        ({"pairs_at": now + 400 * 24 * HOUR}, "$.pairs_at", "too-far"),
        ({"pairs_at": now + 2 * HOUR, "deadline": now + HOUR}, "$.deadline", "before-pairing"),
        ({"weekly": True}, "$.pairs_at", "missing-field"),
        ({"number": 2}, "$.round", "no-such-round"),
    ):
        with pytest.raises(BadInput) as refused:
            services.set_date(by=by, tournament=made, **{"number": 1, **said})
        assert (refused.value.where, refused.value.code) == (where, code)
    desks.paired(made)
    with pytest.raises(BadInput) as refused:
        services.set_date(by=by, tournament=made, number=1, pairs_at=now + HOUR)
    assert (refused.value.where, refused.value.code) == ("$.pairs_at", "paired-already")
    with pytest.raises(NotAllowed):
        services.set_date(by=factories.actor(), tournament=made, number=1, deadline=now + HOUR)
    closed = desks.played_out(desks.tournament())
    with pytest.raises(Conflict):
        services.set_date(by=desks.organiser(closed), tournament=closed, number=3)


def test_a_date_is_moved_and_taken_away() -> None:
    made = cup()
    date = scheduled(made, weekly=True)
    later = timezone.now() + 2 * HOUR
    scheduled(made, pairs_at=later)
    date.refresh_from_db()
    assert (date.pairs_at, date.weekly) == (later, False)
    services.set_date(by=desks.organiser(made), tournament=made, number=1)
    assert not made.dates.exists()


@pytest.mark.django_db(transaction=True)
def test_sixteen_workers_at_once_pair_a_round_once() -> None:
    made = cup(8)
    date = scheduled(made, weekly=True)
    RoundDate.objects.update(pairs_at=timezone.now() - HOUR)

    def work(round_: int, writer: int) -> bool:
        return scheduling.pair(date.pk)

    (answers,) = crowd.rounds(work, 1)
    assert sorted(answers, key=repr) == [False] * (WRITERS - 1) + [True]
    made.log.refresh_from_db()
    assert len(desks.desk(made).rounds) == 1
    assert made.dates.count() == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_a_date_set_while_another_is_settled_waits_for_it_and_does_not_block_it() -> None:
    made = cup()
    date = scheduled(made, weekly=True)
    later = timezone.now() + 2 * HOUR

    def set_date() -> None:
        scheduled(made, pairs_at=later)
        connection.close()

    setting = Thread(target=set_date)
    with transaction.atomic():
        assert RoundDate.objects.select_for_update().filter(pk=date.pk).first()
        setting.start()
        eventually(waiting_sessions, "nobody came to the date")
        dates._set_next(date, 2, made.timezone)  # what a weekly date goes on with
    setting.join()
    assert list(made.dates.values_list("round", "pairs_at")) == [(1, later)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.broker
@pytest.mark.postgresql
def test_a_worker_killed_between_taking_a_date_and_pairing_leaves_it_to_the_next(
    worker: Callable[..., Any], broker_url: str
) -> None:
    first = worker(broker_url)
    made = cup()
    date = scheduled(made)
    RoundDate.objects.update(pairs_at=timezone.now() - HOUR)
    with transaction.atomic():
        Log.objects.select_for_update(no_key=True).get(pk=made.pk)  # nobody stores meanwhile
        tasks.pair_all_scheduled.delay()
        eventually(waiting_sessions, "no worker came to the log")
        assert _is_taken()
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait()
    eventually(lambda: not _is_taken(), "the killed worker's transaction did not end")
    date.refresh_from_db()
    assert date.pairs_at is not None
    assert desks.desk(made).rounds == ()

    worker(broker_url)
    for _ in range(2):
        tasks.pair_all_scheduled.delay()
    eventually(lambda: not RoundDate.objects.exclude(pairs_at=None).exists(), "nobody paired it")
    assert acts(made, RoundPaired, RoundPublished) == [
        "RoundPaired by opener",
        "RoundPublished by opener",
    ]


def _is_taken() -> bool:
    """Tell whether another session holds the date."""
    with transaction.atomic():
        return not RoundDate.objects.select_for_update(skip_locked=True).exists()


def times(made: Tournament) -> dates.Timetable:
    """Return the dates as pages and the API tell them."""
    return dates.timetable(made, desks.desk(made))


def test_a_series_goes_on_at_once_when_its_round_is_paired_by_hand_and_can_be_ended() -> None:
    made = cup()
    date = scheduled(made, weekly=True)
    desks.paired(made)
    (following,) = times(made).to_come
    assert (following.round, following.weekly) == (2, True)
    assert following.pairs_at == clocks.later(date.pairs_at, made.timezone, timedelta(weeks=1))
    date.refresh_from_db()
    assert (date.pairs_at, date.weekly) == (None, False)
    services.set_date(by=desks.organiser(made), tournament=made, number=2)
    come(date)
    assert times(made).dates == []


def test_the_date_of_a_round_that_a_web_process_paired_and_died_is_settled_by_the_worker() -> None:
    made = cup()
    date = scheduled(made, weekly=True)
    logs.append(made.log, logs.Request(uuid4(), RoundPaired(method="swiss", seed=7)))
    follow(made.pk)
    date.refresh_from_db()
    assert (date.pairs_at, date.weekly) == (None, False)
    assert made.dates.get(round=2).weekly


def test_what_is_taken_back_leaves_the_series_in_sight_to_be_ended() -> None:
    made = cup()
    scheduled(made, weekly=True)
    before = made.log.head_version
    desks.paired(made)
    by = desks.organiser(made)
    services.take_back(tournament=made, by=by, act_id=uuid4(), to=before)
    assert [each.round for each in times(made).to_come] == [2]
    services.set_date(by=by, tournament=made, number=2)
    assert times(made).dates == []

    scheduled(made, weekly=True)
    taken_back = made.log.head_version
    desks.paired(made)
    services.take_back(tournament=made, by=by, act_id=uuid4(), to=taken_back)
    scheduled(made, pairs_at=timezone.now() + 2 * HOUR)
    assert [each.round for each in times(made).to_come] == [1]  # one stands at a time
    services.take_back(tournament=made, by=by, act_id=uuid4(), to=taken_back + 2)
    assert len(desks.desk(made).rounds) == 1
    assert times(made).dates == []
    assert not RoundDate.objects.exclude(pairs_at=None).exists()


def test_a_deadline_alone_is_told_of_the_round_to_come() -> None:
    made = cup()
    deadline = timezone.now() + HOUR
    services.set_date(by=desks.organiser(made), tournament=made, number=1, deadline=deadline)
    assert [(each.round, each.deadline) for each in times(made).dates] == [(1, deadline)]


def test_what_can_never_come_is_refused() -> None:
    unplanned, over, said = desks.tournament(stages=[]), cup(2), {"deadline": timezone.now() + HOUR}
    for _ in range(3):
        desks.paired(over)
        desks.play(over)
    for made, number in ((unplanned, 1), (over, 4)):
        with pytest.raises(BadInput, match="no further stage is planned") as refused:
            services.set_date(by=desks.organiser(made), tournament=made, number=number, **said)
        assert (refused.value.where, refused.value.code) == ("$.round", "never-comes")
        services.set_date(by=desks.organiser(made), tournament=made, number=number)  # ends nothing


def test_a_round_of_a_stage_to_come_can_be_set_before_it_begins() -> None:
    cut = {"format": "single-elimination", "cut": 2}
    made = cup(4, stages=[desks.SWISS, cut])
    for _ in range(3):
        desks.paired(made)
        desks.play(made)
    assert scheduled(made).round == 4


def test_a_series_is_told_while_a_round_follows() -> None:
    made = cup(2)
    for number in (1, 2):
        scheduled(made, weekly=True)
        assert times(made).weekly == number
        desks.paired(made)
        desks.play(made)
    assert [(each.round, each.weekly) for each in times(made).to_come] == [(3, True)]
    assert times(made).weekly == 0
