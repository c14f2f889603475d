"""Followers: rows equal the log and are committed with their checkpoint, whoever runs first."""

from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import InterfaceError, OperationalError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches import followers, jobs, log, memory, tasks
from matches.breaker import Breaker
from matches.errors import Busy
from matches.models import Checkpoint, FollowJob, Job, Match
from rules.ruleset import TakenBack
from tests import database, factories
from tests.matches import following

pytestmark = pytest.mark.django_db

HERE = "tests.matches.following."


@pytest.fixture(autouse=True)
def _followers(settings: Any) -> None:
    settings.LOG_FOLLOWERS = [f"{HERE}Seeing"]


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The logs workers were woken for; none of them is there."""
    calls: list[str] = []
    monkeypatch.setattr(tasks.follow, "delay", calls.append)
    return calls


def mark_of(match: Match, name: str = "Seeing") -> Checkpoint:
    return Checkpoint.objects.get(log_id=match.pk, follower=HERE + name)


# -- the setting ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "paths",
    [
        ["tests.matches.following.Nobody"],
        ["no.such.module"],
        ["plain"],
        [""],
        ["tests.matches.following.seen"],
        ["matches.models.Log"],
        [f"{HERE}Seeing", f"{HERE}Seeing"],
    ],
    ids=str,
)
def test_a_bad_setting_stops_the_start(settings: Any, paths: list[str]) -> None:
    settings.LOG_FOLLOWERS = paths
    with pytest.raises(ImproperlyConfigured, match="LOG_FOLLOWERS"):
        followers.followers()


# -- what is due ----------------------------------------------------------------------------


def test_every_append_marks_the_followers_as_due() -> None:
    match = factories.played(2)
    assert FollowJob.objects.get().pk == match.pk
    assert FollowJob.objects.get().asked == 3


@pytest.mark.django_db(transaction=True)  # or one statement would not store what is recorded
def test_without_followers_nothing_is_due(settings: Any) -> None:
    settings.LOG_FOLLOWERS = []
    factories.played(2)
    assert not FollowJob.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_nothing_is_due_after_a_rollback(woken: list[str]) -> None:
    match = factories.played(1)
    followers.work(match.pk)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        factories.record(match)
        1 / 0  # noqa: B018 - whatever goes wrong
    assert not FollowJob.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_worker_is_woken_once_for_several_entries_in_a_row(woken: list[str]) -> None:
    match = factories.played(4)
    assert woken == [str(match.pk)]
    followers.work(match.pk)
    factories.record(match)
    assert woken == [str(match.pk)] * 2


@pytest.mark.django_db(transaction=True)
def test_an_unreachable_broker_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(pk: str) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(jobs, "broker", Breaker("broker", jobs.broker.errors))
    monkeypatch.setattr(tasks.follow, "delay", away)
    assert factories.played(1).log.head_version == 2


def test_the_schedule_wakes_workers_for_overdue_logs(woken: list[str]) -> None:
    old, new = factories.played(1), factories.played(1)
    FollowJob.objects.filter(pk=old.pk).update(created_at=timezone.now() - 2 * jobs.OVERDUE)
    tasks.wake_overdue()
    assert woken == [str(old.pk)]
    assert FollowJob.objects.filter(pk=new.pk).exists()


def test_the_schedule_wakes_workers_for_logs_from_before_the_clock_was_set_back(
    woken: list[str],
) -> None:
    match = factories.played(1)
    FollowJob.objects.update(created_at=timezone.now() + timedelta(minutes=10))
    tasks.wake_overdue()
    assert woken == [str(match.pk)]


# -- projecting -----------------------------------------------------------------------------


def test_the_rows_and_the_checkpoint_come_to_the_head() -> None:
    match = factories.played(3)
    assert followers.work(match.pk)
    assert following.seen(match.log) == [4, "Side 1 2, Side 2 1"]
    assert (mark_of(match).version, FollowJob.objects.exists()) == (4, False)


def test_a_log_is_projected_once_for_several_entries_in_a_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = factories.played(3)
    calls: list[int] = []
    monkeypatch.setattr(following.Seeing, "project", lambda self, log: calls.append(1))
    assert [followers.work(match.pk) for _ in range(3)] == [True, False, False]
    assert followers.follow(match.pk) == followers.Tally(current=1)
    assert calls == [1]


def test_an_entry_recorded_during_a_projection_is_followed_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = factories.played(1)
    project = following.Seeing.project

    def slowly(self: following.Seeing, folded: Any) -> None:
        project(self, folded)
        if folded.head_version == 2:
            factories.record(match)

    monkeypatch.setattr(following.Seeing, "project", slowly)
    followers.work(match.pk)
    assert following.seen(match.log) == [3, "Side 1 2, Side 2 0"]
    assert not FollowJob.objects.exists()


def test_a_job_recreated_meanwhile_is_not_mistaken_for_the_finished_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = factories.match()
    follow, rounds = followers.follow, []

    def with_another_worker(pk: UUID, **options: Any) -> Any:
        rounds.append(match.log.head_version)
        if len(rounds) == 1:  # the other ends the job, and then the match goes on
            FollowJob.objects.filter(log_id=pk).delete()
            factories.record(match)
            return None
        return follow(pk, **options)

    monkeypatch.setattr(followers, "follow", with_another_worker)
    followers.work(match.pk)
    assert rounds == [1, 2]
    assert not FollowJob.objects.exists()


def test_an_act_taken_back_disappears_from_the_rows() -> None:
    match = factories.played(2)
    followers.work(match.pk)
    factories.record(match, {"type": "taken-back", "to": 2})
    followers.work(match.pk)
    assert following.seen(match.log) == [4, "Side 1 1, Side 2 0"]


def test_an_older_head_never_overwrites_a_newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """One reads the log, is overtaken by another who projects a newer head, and goes on."""
    match = factories.played(1)
    locked, overtaken = followers._locked, []

    def late(follower: followers.Follower, pk: Any) -> Checkpoint:
        if not overtaken:
            overtaken.append(True)
            factories.record(match)
            followers.follow(pk)
        return locked(follower, pk)

    monkeypatch.setattr(followers, "_locked", late)
    assert followers.follow(match.pk) == followers.Tally(current=1)
    assert following.seen(match.log) == [3, "Side 1 2, Side 2 0"]


# -- parking --------------------------------------------------------------------------------


def test_a_log_that_fails_is_parked_alone(settings: Any) -> None:
    settings.LOG_FOLLOWERS = [f"{HERE}Failing"]
    good, bad = factories.played(1), factories.played(2)
    for match in (bad, good):
        followers.work(match.pk)
    assert "three is too many" in mark_of(bad, "Failing").error
    assert (mark_of(bad, "Failing").version, following.seen(bad.log)) == (0, None)
    assert (mark_of(good, "Failing").error, following.seen(good.log)[0]) == ("", 2)
    assert not FollowJob.objects.exists()


def test_a_parked_log_keeps_its_last_rows_and_the_other_followers(settings: Any) -> None:
    settings.LOG_FOLLOWERS = [f"{HERE}Failing", f"{HERE}Answering"]
    match = factories.played(1)
    followers.work(match.pk)
    factories.record(match)
    followers.work(match.pk)
    assert mark_of(match, "Failing").version == 2
    assert mark_of(match, "Answering").version == 3
    assert followers.follow(match.pk) == followers.Tally(current=1, parked=1)


def test_a_retry_unparks(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LOG_FOLLOWERS = [f"{HERE}Failing"]
    match = factories.played(2)
    followers.work(match.pk)
    monkeypatch.setattr(following.Failing, "project", following.Seeing.project)
    assert followers.follow(match.pk) == followers.Tally(parked=1)
    followers.try_again(mark_of(match, "Failing"))
    followers.work(match.pk)
    assert (mark_of(match, "Failing").error, mark_of(match, "Failing").version) == ("", 3)


def test_another_version_of_the_code_projects_everything_anew(
    settings: Any, monkeypatch: pytest.MonkeyPatch, woken: list[str]
) -> None:
    settings.LOG_FOLLOWERS = [f"{HERE}Failing"]
    matches = [factories.played(1), factories.played(2)]
    for match in matches:
        followers.work(match.pk)
    assert list(followers.behind()) == []
    monkeypatch.setattr(following.Failing, "version", 2)
    monkeypatch.setattr(following.Failing, "project", following.Seeing.project)
    tasks.catch_up()
    assert {job.pk for job in FollowJob.objects.all()} == {match.pk for match in matches}
    for match in matches:
        followers.work(match.pk)
        assert (mark_of(match, "Failing").code, mark_of(match, "Failing").error) == (2, "")


def test_a_new_follower_sees_the_logs_that_were_there_before(settings: Any) -> None:
    settings.LOG_FOLLOWERS = []
    match = factories.played(1)
    settings.LOG_FOLLOWERS = [f"{HERE}Seeing"]
    assert list(followers.behind()) == [match.pk]


def test_a_log_that_can_not_be_read_is_parked() -> None:
    match = factories.played(2)
    database.unprotect()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM matches_event WHERE version = 2")
    memory.forget(match.log)
    followers.work(match.pk)
    assert mark_of(match).error


def test_a_log_whose_workers_keep_dying_is_parked() -> None:
    match = factories.played(1)
    FollowJob.objects.update(attempts=followers.MAX_STARTS)
    followers.work(match.pk)
    assert "No worker" in mark_of(match).error


def test_deaths_count_anew_after_each_projection(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """Ends a worker, as far as this process can be ended."""

    def killed(self: object, log: object) -> None:
        raise Killed

    settings.LOG_FOLLOWERS = [f"{HERE}Seeing", f"{HERE}Steady"]
    match = factories.played(1)
    FollowJob.objects.update(attempts=followers.MAX_STARTS - 1)
    with monkeypatch.context() as broken, pytest.raises(Killed):
        broken.setattr(following.Steady, "project", killed)
        followers.work(match.pk)
    assert FollowJob.objects.get().attempts == 1
    assert mark_of(match).version == 2


@pytest.mark.parametrize(
    "error",
    [OperationalError("the server is gone"), InterfaceError("closed"), Busy("busy", "Too many.")],
    ids=repr,
)
def test_a_database_that_is_away_parks_nothing_however_often(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def away(self: object, folded: object) -> None:
        raise error

    match = factories.played(1)
    with monkeypatch.context() as broken:
        broken.setattr(following.Seeing, "project", away)
        for _ in range(followers.MAX_STARTS + 2):
            with pytest.raises(type(error)):
                followers.work(match.pk)
    assert FollowJob.objects.get().attempts == 0
    followers.work(match.pk)
    assert (mark_of(match).error, mark_of(match).version) == ("", 2)


def test_rows_still_valid_are_rewritten_only_after_an_undo(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LOG_FOLLOWERS = [f"{HERE}Steady"]
    match = factories.played(2)
    followers.work(match.pk)
    made = following.seen(match.log)
    factories.record(match)
    followers.work(match.pk)
    assert following.seen(match.log) == made
    assert mark_of(match, "Steady").version == 4

    def with_newer_code() -> None:
        monkeypatch.setattr(following.Steady, "version", following.Steady.version + 1)
        factories.record(match)

    for change in (
        lambda: followers.follow(match.pk, anew=True),
        with_newer_code,
        lambda: _taken_back(match),
    ):
        change()
        followers.work(match.pk)
        match.log.refresh_from_db()
        now = following.seen(match.log)
        assert now is not None and now[0] == match.log.head_version


def _taken_back(match: Match) -> None:
    log.append(match.log, log.Request(uuid4(), TakenBack(to=2), None))


@pytest.mark.django_db(transaction=True)
def test_a_log_followed_a_moment_ago_is_followed_later(
    woken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    later: list[float] = []
    monkeypatch.setattr(
        tasks.follow, "apply_async", lambda args, countdown: later.append(countdown)
    )
    match = factories.played(1)
    tasks.follow(str(match.pk))
    assert not later
    factories.record(match)
    tasks.follow(str(match.pk))
    assert FollowJob.objects.filter(pk=match.pk).exists()
    assert len(later) == 1
    assert 0 < later[0] <= followers.REST.total_seconds()
    Checkpoint.objects.update(moved_at=timezone.now() - followers.REST)
    tasks.follow(str(match.pk))
    assert not FollowJob.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_log_does_not_rest_until_a_clock_that_was_set_back_has_caught_up(
    woken: list[str],
) -> None:
    match = factories.played(1)
    tasks.follow(str(match.pk))
    factories.record(match)
    Checkpoint.objects.update(moved_at=timezone.now() + timedelta(minutes=10))
    tasks.follow(str(match.pk))
    assert not FollowJob.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_log_that_has_ended_does_not_rest(woken: list[str]) -> None:
    match = factories.played(1)
    tasks.follow(str(match.pk))
    factories.record(match, {"type": "game-won", "seat": 1})
    tasks.follow(str(match.pk))
    assert not FollowJob.objects.exists()


# -- reconciling and previewing -------------------------------------------------------------


def test_reconciling_is_asked_for_after_every_projection_and_outside_it(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LOG_FOLLOWERS = [f"{HERE}Answering"]
    depths: list[int] = []
    reconcile = following.Answering.reconcile

    def noting(self: Any, folded: Any) -> None:
        depths.append(len(connection.savepoint_ids))
        reconcile(self, folded)

    monkeypatch.setattr(following.Answering, "reconcile", noting)
    outside = len(connection.savepoint_ids)
    match = factories.played(1)
    for _ in range(2):
        followers.follow(match.pk)
    assert depths == [outside, outside]
    assert Job.objects.filter(kind="reconciled").count() == 1


def test_a_preview_says_what_a_change_would_do_and_does_nothing(settings: Any) -> None:
    settings.LOG_FOLLOWERS = [f"{HERE}Seeing", f"{HERE}Blind"]
    match = factories.played(2)
    before = log.load(match.log)
    after = type(before)(before.ruleset, before.entries[:2])
    assert followers.preview(match.log, before, after) == [
        followers.Change(f"{HERE}Seeing", "3 entries would be 2."),
        followers.Change(f"{HERE}Blind", "What this would change here cannot be told."),
    ]
    assert not Checkpoint.objects.exists()


def test_a_preview_without_its_database_is_none(settings: Any) -> None:
    settings.LOG_FOLLOWERS = [f"{HERE}CutOff"]
    match = factories.played(1)
    before = log.load(match.log)
    with pytest.raises(OperationalError):
        followers.preview(match.log, before, before)


def test_a_log_that_is_not_there_is_no_harm() -> None:
    assert not followers.work(uuid4())


# -- for people -----------------------------------------------------------------------------


def rebuilt(*options: str) -> str:
    out = StringIO()
    call_command("rebuild", *options, stdout=out)
    return out.getvalue()


def test_rebuilding_makes_every_row_again() -> None:
    matches = [factories.played(1), factories.played(2)]
    assert "2 projections of 2 logs, 0 parked" in rebuilt()
    Job.objects.filter(kind=following.KIND).delete()
    assert "2 projections of 2 logs, 0 parked" in rebuilt()
    assert [following.seen(match.log)[0] for match in matches] == [2, 3]


def test_rebuilding_takes_one_follower_of_one_match(settings: Any) -> None:
    settings.LOG_FOLLOWERS = [f"{HERE}Seeing", f"{HERE}Answering"]
    one, other = factories.played(1), factories.played(1)
    rebuilt("--follower", "Seeing", "--match", one.code.lower())
    rebuilt("--follower", f"{HERE}Answering", "--log", str(other.pk))
    marks = Checkpoint.objects.values_list("follower", "log_id")
    assert set(marks) == {(f"{HERE}Seeing", one.pk), (f"{HERE}Answering", other.pk)}


def test_rebuilding_reports_parked_logs_and_fails(settings: Any) -> None:
    settings.LOG_FOLLOWERS = [f"{HERE}Failing"]
    factories.played(1), factories.played(2)
    with pytest.raises(CommandError, match="1 parked"):
        rebuilt()


@pytest.mark.parametrize(
    "options",
    [
        ["--follower", "Nobody"],
        ["--match", "ZZZZZZ"],
        ["--log", str(uuid4())],
        ["--log", "no-id"],
    ],
)
def test_rebuilding_something_unknown_fails(options: list[str]) -> None:
    with pytest.raises(CommandError):
        rebuilt(*options)


def test_the_admin_tells_what_is_parked_and_tries_again(settings: Any, client: Client) -> None:
    settings.LOG_FOLLOWERS = [f"{HERE}Failing"]
    match = factories.played(2)
    followers.work(match.pk)
    client.force_login(User.objects.create_superuser("staff"))
    url = reverse("admin:matches_checkpoint_changelist")
    assert "three is too many" in client.get(f"{url}?parked=yes").content.decode()
    assert "three is too many" not in client.get(f"{url}?parked=no").content.decode()
    chosen = {"action": "try_again", "_selected_action": [mark_of(match, "Failing").pk]}
    client.post(url, chosen)
    assert FollowJob.objects.filter(pk=match.pk).exists()
    assert mark_of(match, "Failing").error == ""
