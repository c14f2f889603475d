"""A league as a parcel: all of it, for its organisers, whatever happens to the workers."""

import os
import signal
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from django.test import Client, TestCase
from django.utils import timezone, translation

from league import exporting, services
from league.models import League, TableMatch, Tournament
from league.parcels import LeagueParcel
from matches import errors, jobkinds, jobs, parcels, selectors, tasks, transfer
from matches import services as matched
from matches.actors import Actor, actor_for
from matches.models import Job, Match
from rules import certificate
from tests import factories
from tests.league import desks
from tests.matches.parcels import unpacked
from tests.waiting import eventually

MATCHES = 60


def seated(tournament: Tournament, by: Actor, game: int, **details: Any) -> Match:
    """Return a match that is played at the first table of a tournament."""
    match = factories.match(by, **details)
    TableMatch.objects.create(
        tournament=tournament, round=1, table=1, players="1-2", game=game, match=match
    )
    return match


@pytest.fixture
def by(db: None) -> Actor:
    return factories.actor()


@pytest.fixture
def league(by: Actor) -> League:
    found = desks.league(by)
    cup = desks.tournament(by, league=found)
    desks.entered(cup, 4)
    desks.start(cup)
    desks.paired(cup)
    desks.play(cup)
    return found


def ask(by: Actor, league: League) -> Job:
    return jobs.ask(LeagueParcel.name, about=league.pk, by=by)


def test_all_of_a_league_is_in_it(by: Actor, league: League, settings: Any, tmp_path: Path) -> None:
    settings.JOBS_DIR = tmp_path
    cup = league.tournaments.get()
    over, goes_on = seated(cup, by, 1, options={"best_of": 1}), seated(cup, by, 2)
    factories.record(over, {"type": "game-won", "seat": 1})
    days = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    season = services.open_season(by=by, league=league, name="One", divisions=["A"], **days)
    division = season.divisions.get()
    services.place(by=by, division=division, player=by.player)
    given = {"points": -2, "reason": "Late."}
    services.adjust(by=by, within=division, player=by.player, **given)
    ring = services.open_circuit(by=by, season=season, name="Ring", points=[3, 1])
    desks.stand(ring, [by.player])
    services.adjust(by=by, within=ring, player=by.player, **given)
    Tournament.objects.filter(pk=cup.pk).update(season=season)
    services.add_qualifier(by=by, circuit=ring, tournament=cup)
    job = ask(by, league)
    assert jobs.do(job.pk)
    told, files = unpacked(by, job)
    [kept] = told["seasons"]
    [[row], [belt]] = kept["divisions"][0]["table"], kept["circuits"]
    assert (row["name"], row["points"]) == (by.player.name, "-2")
    assert row["adjustments"][0].items() > given.items()
    assert (belt["name"], belt["points"], belt["final"]) == ("Ring", [3, 1], None)
    [first] = belt["table"]
    assert (first["name"], first["points"]) == (by.player.name, 1)
    assert first["adjustments"][0].items() > given.items()
    older, _ = belt["tournaments"]
    assert older == {"code": cup.code, "tier": 1, "direct": None}
    assert [match["left_out"] for match in told["matches"]] == [False, False]
    folder = f"tournaments/{cup.code}"
    assert set(files) == {
        *(f"{folder}/{name}" for name in ("tournament.json", "entries.csv", "results-1.csv")),
        f"{folder}/log.ndjson",
        f"matches/{over.code}.ndjson",
        f"matches/{over.code}.certificate.json",
        f"matches/{goes_on.code}.ndjson",
    }
    assert files[f"{folder}/tournament.json"] == exporting.export_whole(by=by, tournament=cup)
    assert files[f"matches/{over.code}.ndjson"] == transfer.export_ndjson(over)
    assert certificate.verify(
        certificate.read(files[f"matches/{over.code}.certificate.json"].decode())
    ).ok
    first, *entries = files[f"{folder}/log.ndjson"].splitlines()
    cup.log.refresh_from_db()
    assert msgspec.json.decode(first)["head_hash"] == cup.log.head_hash
    assert len(entries) == cup.log.head_version


def test_it_is_packed_in_as_many_slices_as_it_takes(
    by: Actor, league: League, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.JOBS_DIR = tmp_path
    monkeypatch.setattr(jobkinds, "SLICE", 0.0)
    for game in (1, 2):
        seated(league.tournaments.get(), by, game)
    job = ask(by, league)
    assert [jobs.do(job.pk) for _ in range(5)] == [False, False, False, False, True]
    assert len(unpacked(by, job)[0]["matches"]) == 2


@pytest.mark.parametrize("when", ["between two slices", "once all is read"])
def test_who_is_erased_while_it_is_packed_is_not_named_in_it(
    when: str,
    by: Actor,
    league: League,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    tmp_path: Path,
) -> None:
    settings.JOBS_DIR = tmp_path
    cup, yowuya = desks.tournament(by, league=league), factories.actor("yowuya")
    services.enter(tournament=cup, by=yowuya, act_id=uuid4())
    job, seal = ask(by, league), parcels.Parcel.seal

    def erase() -> None:
        parts = parcels.folder(job.pk)
        assert b"yowuya" in (parts / f"tournaments/{cup.code}/entries.csv").read_bytes()
        with TestCase.captureOnCommitCallbacks(execute=True):
            matched.erase(by=yowuya, player=yowuya.player)

    def erased_first(parcel: parcels.Parcel, name: str) -> Any:
        erase()
        return seal(parcel, name)

    if when == "once all is read":
        monkeypatch.setattr(parcels.Parcel, "seal", erased_first)
        assert not jobs.do(job.pk)
    else:
        monkeypatch.setattr(jobkinds, "SLICE", 0.0)
        assert [jobs.do(job.pk) for _ in league.tournaments.all()] == [False, False]
        erase()
        assert not jobs.do(job.pk)
    monkeypatch.undo()
    assert jobs.do(job.pk)
    _, files = unpacked(by, job)
    assert not [name for name, data in files.items() if b"yowuya" in data]
    assert b"Erased player" in files[f"tournaments/{cup.code}/entries.csv"]
    assert not list(tmp_path.glob("*.parts"))


def test_a_match_with_a_hidden_hand_is_left_out_and_said_to_be(
    by: Actor, league: League, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.JOBS_DIR = tmp_path
    match = seated(league.tournaments.get(), by, 1)

    def hidden(*args: object) -> int:
        raise errors.NotAllowed("hidden", "Entry 2 is hidden from you for now.")

    monkeypatch.setattr(selectors, "whole", hidden)
    job = ask(by, league)
    jobs.do(job.pk)
    told, files = unpacked(by, job)
    assert [(each["code"], each["left_out"]) for each in told["matches"]] == [(match.code, True)]
    assert not [name for name in files if name.startswith("matches/")]


def test_who_no_longer_organises_gets_nothing_of_it(
    by: Actor, league: League, settings: Any, tmp_path: Path
) -> None:
    settings.JOBS_DIR = tmp_path
    with pytest.raises(errors.NotAllowed):
        ask(factories.actor(), league)
    job, late = ask(by, league), factories.actor()
    jobs.do(job.pk)
    assert late.player is not None
    services.name_member(by=by, player=late.player, role="organiser", league=league)
    league.members.filter(player=by.player).delete()
    former = actor_for(by.user)
    with pytest.raises(errors.NotAllowed):
        jobs.open_file(former, job)
    with pytest.raises(errors.NotAllowed):
        jobs.ask_again(former, job)
    waiting = Job.objects.create(kind="league", about=league.pk, asked_by=by.player_id)
    jobs.do(waiting.pk)
    waiting.refresh_from_db()
    assert waiting.error == "not-allowed: This is for an organiser of the league."


@pytest.mark.django_db(transaction=True)
@pytest.mark.broker
@pytest.mark.postgresql
def test_what_a_killed_worker_was_packing_is_packed_by_the_next(
    league: League, by: Actor, worker: Callable[..., Any], broker_url: str
) -> None:
    """Nothing is lost, nothing is there twice, and its progress never falls."""
    cup = league.tournaments.get()
    codes = {seated(cup, by, game).code for game in range(1, MATCHES + 1)}
    first = worker(broker_url)
    job = ask(by, league)
    eventually(lambda: job.refresh_from_db() or job.total, "no worker began")
    folder = parcels.folder(job.pk)
    eventually(lambda: len(list(folder.glob("matches/*.ndjson"))) > 3, "nothing was packed")
    os.kill(first.process.pid, signal.SIGKILL)
    first.process.wait()
    assert 3 < len(list(folder.glob("matches/*.ndjson"))) < MATCHES
    job.refresh_from_db()
    assert (job.state, job.result) == ("working", None)
    seen = [job.done]

    worker(broker_url)
    Job.objects.update(started_at=timezone.now() - jobs.TOO_LONG - timedelta(seconds=1))
    tasks.sweep.delay()

    def over() -> bool:
        job.refresh_from_db()
        seen.append(job.done)
        return job.done_at is not None

    eventually(over, "no worker went on with it")
    assert (seen, job.state, job.done) == (sorted(seen), "done", job.total)
    told, files = unpacked(by, job)
    assert {name for name in files if name.startswith("matches/")} == {
        f"matches/{code}.ndjson" for code in codes
    }
    assert not any(match["left_out"] for match in told["matches"])
    for match in Match.objects.select_related("log"):
        assert files[f"matches/{match.code}.ndjson"] == transfer.export_ndjson(match)
    assert Job.objects.filter(kind="league").count() == 1
    assert not folder.exists()


def test_it_is_called_in_the_language_of_who_looks_even_when_the_league_is_gone(
    by: Actor, league: League, client: Client
) -> None:
    with translation.override("de"):
        job = ask(by, league)
    assert by.user is not None
    client.force_login(by.user)
    pages = ("/me/jobs/", job.get_absolute_url(), "/api/v1/jobs/")
    for page in pages:
        assert "All of Local league" in client.get(page).content.decode()
    Job.objects.filter(pk=job.pk).update(about=UUID(int=0))
    assert job.title in client.get("/me/jobs/").content.decode()


def test_who_is_refused_for_want_of_an_account_signs_in_to_the_page_of_the_league(
    league: League, client: Client
) -> None:
    refused = client.post(f"/leagues/{league.slug}/export/").content.decode()
    assert f'href="/login/?next=/leagues/{league.slug}/"' in refused
