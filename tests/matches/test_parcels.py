"""Parcels: packed by a worker in slices, only for the person who asked, kept for a week."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import connection
from django.test import Client
from django.utils import timezone

from matches import errors, exporting, jobkinds, jobs, parcels, services, transfer
from matches.actors import NOBODY
from matches.models import Job, Match
from tests import factories
from tests.api.client import Api, problem
from tests.matches.parcels import everything, player_of, unpacked

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("woken")]


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.JOBS_DIR = tmp_path / "jobs"
    return tmp_path / "jobs"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a slice of every step."""
    monkeypatch.setattr(jobkinds, "SLICE", 0.0)


def lies(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*"))


def test_a_packed_file_equals_the_immediate_download(folder: Path) -> None:
    by = player_of(3)
    job = everything(by)
    assert jobs.do(job.pk)
    told, files = unpacked(by, job)
    assert told["matches"] == [
        {**match, "started_at": told["matches"][n]["started_at"]}
        for n, match in enumerate(exporting.as_data(by=by)["matches"])
    ]
    assert files == {
        f"matches/{match.code}.ndjson": transfer.export_ndjson(match)
        for match in Match.objects.select_related("log")
    } | {name: data for name, data in files.items() if not name.startswith("matches/")}
    job.refresh_from_db()
    assert (job.state, job.done, job.total) == ("done", 5, 5)
    assert job.result == {
        "file": "everything.zip",
        "bytes": (folder / f"{job.pk}.zip").stat().st_size,
    }
    assert lies(folder) == [f"{job.pk}.zip"]
    assert (folder / f"{job.pk}.zip").stat().st_mode & 0o077 == 0


def test_a_job_too_large_for_a_slice_goes_on_behind_the_others(
    short: None, woken: list[str]
) -> None:
    """Nothing is made twice, its progress never falls, and its slices are no failures."""
    by = player_of(4)
    job = everything(by)
    seen = []
    while not jobs.do(job.pk):
        job.refresh_from_db()
        seen.append((job.done, job.total, job.started_at, job.attempts))
    assert seen == [(n, 6, None, 0) for n in range(1, 6)]
    assert woken == [str(job.pk)] * 5
    assert len(unpacked(by, job)[0]["matches"]) == 4


def test_a_finished_part_is_not_made_again(short: None, monkeypatch: pytest.MonkeyPatch) -> None:
    by, made = player_of(3), []
    export = transfer.export_ndjson
    monkeypatch.setattr(
        transfer, "export_ndjson", lambda match, upto: made.append(match.pk) or export(match, upto)
    )
    job = everything(by)
    while not jobs.do(job.pk):
        pass
    assert len(made) == len(set(made)) == 3


def test_progress_does_not_fall_when_a_worker_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    by = player_of(3)
    job = everything(by)
    Job.objects.filter(pk=job.pk).update(done=3, total=5)
    told: list[int] = []

    def tell(self: jobkinds.Progress) -> None:
        told.append(self.most)

    monkeypatch.setattr(jobkinds.Progress, "tell", tell)
    monkeypatch.setattr(jobkinds, "TELLS", 0.0)
    jobs.do(job.pk)
    assert told == sorted(told)
    assert (told[0], told[-1]) == (3, 5)


def test_asking_twice_gives_one_job_and_each_person_their_own() -> None:
    by, other = player_of(1), player_of(1)
    first = everything(by)
    assert everything(by) == first
    Job.objects.filter(pk=first.pk).update(started_at=timezone.now())
    assert everything(by) == first
    assert everything(other) != first
    Job.objects.filter(pk=first.pk).update(started_at=None)
    jobs.do(first.pk)
    assert everything(by) != first


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_who_asks_twice_at_once_gets_one_job(monkeypatch: pytest.MonkeyPatch) -> None:
    by, both, save = player_of(1), Barrier(2, timeout=1), Job.save

    def together(self: Job) -> None:
        """Write the job once the other is about to write one as well, or is not."""
        with suppress(BrokenBarrierError):
            both.wait()
        save(self)

    def ask(number: int) -> Job:
        try:
            return everything(by)
        finally:
            connection.close()

    monkeypatch.setattr(Job, "save", together)
    with ThreadPoolExecutor(2) as people:
        assert len({job.pk for job in people.map(ask, range(2))}) == 1
    assert Job.objects.count() == 1


def test_a_job_cancelled_while_waiting_is_not_started(short: None, folder: Path) -> None:
    by = player_of(2)
    job = everything(by)
    jobs.do(job.pk)
    assert lies(folder) == [f"{job.pk}.parts"]
    jobs.cancel(by, job)
    assert (job.state, jobs.do(job.pk), lies(folder)) == ("cancelled", False, [])


def test_a_worker_stops_when_its_job_is_cancelled(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by = player_of(3)
    job = everything(by)
    monkeypatch.setattr(jobkinds, "TELLS", 0.0)
    export = transfer.export_ndjson

    def cancelling(match: Match, upto: int) -> bytes:
        jobs.cancel(by, Job.objects.get(pk=job.pk))
        return export(match, upto)

    monkeypatch.setattr(transfer, "export_ndjson", cancelling)
    assert not jobs.do(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result, lies(folder)) == ("cancelled", None, [])


def test_one_cancelled_at_its_very_end_leaves_no_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by = player_of(1)
    job = everything(by)
    seal = parcels.Parcel.seal

    def late(self: parcels.Parcel, name: str) -> dict[str, Any]:
        sealed = seal(self, name)
        jobs.cancel(by, Job.objects.get(pk=job.pk))
        return sealed

    monkeypatch.setattr(parcels.Parcel, "seal", late)
    assert not jobs.do(job.pk)
    assert lies(folder) == []


def test_a_worker_whose_job_another_has_changes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by = player_of(2)
    job = everything(by)
    monkeypatch.setattr(jobkinds, "TELLS", 0.0)
    later, export = timezone.now() + timedelta(minutes=16), transfer.export_ndjson

    def slow(match: Match, upto: int) -> bytes:
        Job.objects.filter(pk=job.pk).update(started_at=later)
        return export(match, upto)

    monkeypatch.setattr(transfer, "export_ndjson", slow)
    assert not jobs.do(job.pk)
    job.refresh_from_db()
    assert (job.started_at, job.done_at) == (later, None)
    assert lies(folder) == [f"{job.pk}.parts"]  # the other goes on with it


def test_a_file_goes_after_a_week_and_is_said_to_be_gone(folder: Path) -> None:
    by = player_of(1)
    job = everything(by)
    jobs.do(job.pk)
    Job.objects.update(done_at=timezone.now() - timedelta(days=6, hours=23))
    jobs.sweep()
    assert len(unpacked(by, job)[0]["matches"]) == 1
    Job.objects.update(done_at=timezone.now() - timedelta(days=7))
    with pytest.raises(errors.Gone):
        jobs.open_file(by, job)
    age(folder)
    jobs.sweep()
    assert lies(folder) == []


def age(folder: Path) -> None:
    """Have all that lies there be written two hours ago."""
    then = (timezone.now() - timedelta(hours=2)).timestamp()
    for path in folder.glob("*"):
        os.utime(path, (then, then))


def test_the_sweep_takes_what_is_left_over_and_nothing_that_is_wanted(
    folder: Path, short: None
) -> None:
    by = player_of(2)
    begun = everything(by)
    jobs.do(begun.pk)
    (folder / "lost+found").mkdir()
    (folder / "01a1ffd3-91ce-70bb-a96c-60f02bc41ebb.parts").mkdir()
    jobs.sweep()
    assert len(lies(folder)) == 3
    age(folder)
    jobs.sweep()
    assert lies(folder) == [f"{begun.pk}.parts", "lost+found"]


def test_a_file_that_is_not_there_is_gone(folder: Path) -> None:
    by = player_of(1)
    job = everything(by)
    with pytest.raises(errors.Conflict):
        jobs.open_file(by, job)
    jobs.do(job.pk)
    (folder / f"{job.pk}.zip").unlink()
    with pytest.raises(errors.Gone):
        jobs.open_file(by, job)


def test_nobody_else_can_read_or_cancel_a_job() -> None:
    by, other = player_of(1), factories.actor()
    job = everything(by)
    jobs.do(job.pk)
    for who in (other, NOBODY):
        with pytest.raises(errors.NotFound):
            jobs.cancel(who, job)
        with pytest.raises(errors.NotFound):
            jobs.open_file(who, job)
    with pytest.raises(errors.NotAllowed):
        everything(NOBODY)
    assert list(jobs.jobs_of(NOBODY)) == []


def test_one_who_is_erased_leaves_no_parcel(
    folder: Path, django_capture_on_commit_callbacks: Any
) -> None:
    by = player_of(1)
    jobs.do(everything(by).pk)
    assert len(lies(folder)) == 1
    with django_capture_on_commit_callbacks(execute=True):
        services.erase(by=by, player=by.player)
    assert (lies(folder), Job.objects.count()) == ([], 0)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def fail(*args: object) -> None:
        raise SoftTimeLimitExceeded

    with monkeypatch.context() as patch:
        patch.setattr(exporting, "gather", fail)
        yield


def test_three_failures_and_a_job_is_given_up(failing: None, woken: list[str]) -> None:
    job = everything(player_of(1))
    for _ in range(jobs.MAX_ATTEMPTS):
        Job.objects.update(created_at=timezone.now() - timedelta(minutes=1))
        woken.clear()
        jobs.sweep()
        assert woken == [str(job.pk)]
        with pytest.raises(SoftTimeLimitExceeded):
            jobs.do(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", "fault: SoftTimeLimitExceeded()")
    assert jobs.why(job) == "Something went wrong here, not with what was asked."
    assert not jobs.do(job.pk)


def test_a_failed_job_says_why() -> None:
    by = player_of(1)
    job = everything(by)
    Job.objects.update(kind="league", about="0190a000-0000-7000-8000-000000000001")
    assert jobs.do(job.pk)
    job.refresh_from_db()
    assert (job.state, jobs.why(job)) == ("failed", "There is no such league.")


def test_verification_reports_progress_in_hundredths(monkeypatch: pytest.MonkeyPatch) -> None:
    match = factories.played(9)
    job = services.request_verify(match=match, by=factories.opener_of(match))
    told: list[tuple[int, int]] = []

    def tell(self: jobkinds.Progress) -> None:
        told.append((self.most, self.total))

    monkeypatch.setattr(jobkinds.Progress, "tell", tell)
    monkeypatch.setattr(jobkinds, "TELLS", 0.0)
    jobs.do(job.pk)
    assert told == [(n, 100) for n in range(10, 101, 10)]


# -- by page and by API -----------------------------------------------------------------------


def test_only_a_page_is_updated_by_htmx_until_the_end(client: Client) -> None:
    by = player_of(1)
    client.force_login(by.user)
    page = client.post("/me/jobs/").headers["Location"]
    job = Job.objects.get()
    assert page == job.get_absolute_url()
    part = client.get(page, headers={"HX-Request": "true"})
    assert (part.status_code, b"<html" in part.content) == (200, False)
    jobs.do(job.pk)
    part = client.get(page, headers={"HX-Request": "true"})
    assert (part.status_code, b"everything.zip" in part.content) == (286, True)
    whole = client.get(page)
    assert (whole.status_code, b"hx-trigger" in whole.content) == (200, False)
    file = client.get(f"{page}file/")
    assert file.headers["Content-Disposition"] == 'attachment; filename="everything.zip"'
    assert "private" in file.headers["Cache-Control"]
    assert b"".join(file.streaming_content).startswith(b"PK")


def test_a_file_that_is_gone_is_410_and_asked_for_again(client: Client) -> None:
    by = player_of(1)
    client.force_login(by.user)
    job = everything(by)
    assert client.get(f"{job.get_absolute_url()}file/").status_code == 409
    jobs.do(job.pk)
    Job.objects.update(done_at=timezone.now() - timedelta(days=8))
    assert client.get(f"{job.get_absolute_url()}file/").status_code == 410
    assert b"was kept for a week" in client.get(job.get_absolute_url()).content
    again = client.post(f"{job.get_absolute_url()}again/").headers["Location"]
    assert again != job.get_absolute_url()


def test_a_program_asks_looks_and_fetches() -> None:
    by = player_of(1)
    api = Api(by)
    asked = api.post("export/", {})
    assert (asked.status_code, asked.json()["state"]) == (202, "waiting")
    path = asked.headers["Location"].partition("/api/v1/")[2]
    assert api.post("export/", {}).headers["Location"] == asked.headers["Location"]
    jobs.do(Job.objects.get().pk)
    told = api.get(path).json()
    assert (told["state"], told["done"], told["total"]) == ("done", 3, 3)
    file = api.get(f"{path}file/", {"Accept": "application/zip"})
    assert len(b"".join(file.streaming_content)) == told["file"]["bytes"]
    problem(Api(factories.actor()).get(f"{path}file/"), 404, "no-such-job")
    assert [job["id"] for job in api.get("jobs/").json()["results"]] == [told["id"]]
    assert Api(factories.actor()).get("jobs/").json()["results"] == []


def test_a_program_cancels() -> None:
    api = Api(player_of(1))
    path = api.post("export/", {}).headers["Location"].partition("/api/v1/")[2]
    assert api.post(f"{path}cancel/", {}).json()["state"] == "cancelled"
    assert api.get(path).json()["state"] == "cancelled"


def test_a_check_does_not_reveal_how_much_is_hidden() -> None:
    match = factories.played(5)
    opener, other = factories.opener_of(match), factories.actor()
    services.change_cut(by=opener, match=match, held=True)
    whole, part = (Api(who).post(f"matches/{match.code}/verify/", {}) for who in (opener, other))
    for answer in (whole, part):
        jobs.do(Job.objects.get(pk=answer.json()["id"]).pk)
    paths = [answer.headers["Location"].partition("/api/v1/")[2] for answer in (whole, part)]
    assert Api(opener).get(paths[0]).json()["result"]["entries"] == 6
    assert Api(other).get(paths[1]).json()["result"] == {"ok": True, "unverified": False}
    assert Api(other).get(paths[1]).json()["total"] == 100
