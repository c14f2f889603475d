"""Health checks, metrics and logs of a process."""

import ast
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.conf import settings
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from prometheus_client import REGISTRY, CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector

from deploy import probes, storage
from deploy.log_lines import JsonLine
from deploy.request_log import Observed
from league import post
from league.delivering import TEST
from league.models import Delivery, PairingLetter, Reminder, Webhook
from matches import triggers
from matches.errors import Conflict, Refused
from matches.models import Checkpoint, FollowJob, Job
from tests import factories, site
from tests.database import as_owner
from tests.league import desks
from tests.league.hooks import registered

ROOT = Path(__file__).resolve().parents[2]
STRANGE = {"HTTP_HOST": "10.0.0.7"}  # a load balancer asks by address


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "_readiness", probes._Readiness())
    monkeypatch.setattr(probes, "PATIENCE", 120)  # seconds; how fast, is not what is tested


def count(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


# -- alive and ready ------------------------------------------------------------------------


def test_a_process_that_answers_is_alive_without_asking_anything(client: Client) -> None:
    answer = client.get("/healthz", **STRANGE)
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert answer["Cache-Control"] == "no-store"


def test_probes_are_answered_where_all_else_is_led_to_https(client: Client, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/healthz", **STRANGE).status_code == 200


@pytest.mark.django_db
def test_what_can_serve_is_ready(client: Client) -> None:
    answer = client.get("/readyz", **STRANGE)
    assert answer.status_code == 200
    assert answer.json() == {"ready": True, "parts": dict.fromkeys(probes.PARTS, "ok")}


@pytest.mark.django_db(transaction=True)
def test_a_missing_trigger_is_named(client: Client) -> None:
    with as_owner():
        triggers.drop()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["parts"]["triggers"]) == (503, "failing")


@pytest.mark.django_db
def test_a_migration_that_is_not_applied_is_named(client: Client) -> None:
    applied = "django.db.migrations.recorder.MigrationRecorder.applied_migrations"
    with mock.patch(applied, return_value={}):
        answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["parts"]["migrations"]) == (503, "failing")


def hashed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have this process read its static files from a folder, as it does on a server."""
    monkeypatch.setattr(storage, "staticfiles_storage", storage.HashedFiles(folder, "/static/"))


@pytest.mark.django_db
def test_static_files_that_were_not_collected_are_named_and_no_page_is_promised(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    hashed(tmp_path, monkeypatch)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["parts"]["static"]) == (503, "failing")
    assert "manage.py collectstatic" in caplog.text


@pytest.mark.django_db
def test_a_static_file_that_is_gone_is_named_where_all_others_are_there(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    site.collect_static()
    shutil.copytree(settings.DATA / "static", tmp_path / "static")
    hashed(tmp_path / "static", monkeypatch)
    assert client.get("/readyz").json()["parts"]["static"] == "ok"
    (gone,) = tmp_path.glob("static/shell.????????????.js")
    gone.unlink()
    monkeypatch.setattr(probes, "_readiness", probes._Readiness())
    assert client.get("/readyz").json()["parts"]["static"] == "failing"
    assert "shell.js" in caplog.text


@pytest.mark.parametrize(
    ("failing", "status"),
    [
        ("", 200),
        ("broker cache", 200),
        *((f"broker {part}", 503) for part in ("database", "migrations", "triggers", "static")),
    ],
)
def test_a_site_serves_without_a_broker_or_a_cache_and_nothing_else(
    client: Client, monkeypatch: pytest.MonkeyPatch, failing: str, status: int
) -> None:
    monkeypatch.setattr(probes, "_readiness", mock.Mock(failing=lambda: {*failing.split()}))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"]) == (status, status == 200)


def test_without_its_cache_a_process_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert probes.PARTS["cache"]()
    monkeypatch.setattr(probes.caching.breaker, "is_open", lambda: True)
    assert not probes.PARTS["cache"]()


@pytest.mark.django_db
def test_without_a_broker_all_is_served_and_it_is_named(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    monkeypatch.setitem(probes.PARTS, "broker", mock.Mock(side_effect=OSError("redis://me:hush@h")))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["parts"]["broker"]) == (200, "failing")
    assert b"hush" not in answer.content


@pytest.mark.django_db
def test_a_part_that_hangs_is_named_and_not_asked_again_before_it_answers(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = threading.Event()
    asked = mock.Mock(side_effect=ended.wait)
    monkeypatch.setitem(probes.PARTS, "broker", asked)
    monkeypatch.setattr(probes, "FRESH", -1)  # seconds; nothing is remembered
    monkeypatch.setattr(probes, "PATIENCE", 0.1)
    try:
        told = [client.get("/readyz").json()["parts"]["broker"] for _ in range(2)]
        assert (told, asked.call_count) == (["failing"] * 2, 1)
    finally:
        ended.set()


# -- counts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("header", ["", "Bearer ", "Bearer wrong", "Token s3cret", "Bearer s3crét"])
def test_counts_are_for_who_brings_the_token(client: Client, settings: Any, header: str) -> None:
    settings.METRICS_TOKEN = "s3cret"
    assert client.get("/metrics", headers={"Authorization": header}).status_code == 404


def test_without_a_token_there_are_no_counts(client: Client) -> None:
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.django_db
def test_counts_tell_of_outboxes_and_requests(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = "s3cret"
    match = factories.match()
    FollowJob.objects.all().delete()
    FollowJob.objects.create(log=match.log, created_at="2026-01-01T00:00Z")
    Checkpoint.objects.create(follower="any", log=match.log, error="it broke")
    Job.objects.create(kind="verify", log=match.log)  # asked for by nobody
    Job.objects.create(kind="verify", log=match.log, asked_by=match.opener_id)
    Job.objects.create(
        kind="verify", log=match.log, done_at="2026-01-01T00:00Z", result={"ok": False}
    )
    client.get(f"/matches/{match.code}/")
    client.get("/matches/NOSUCH/")
    told = client.get("/metrics", headers={"Authorization": "Bearer s3cret"}).content.decode()
    assert 'zgxl_outbox_depth{outbox="followers"} 1.0' in told
    assert 'zgxl_outbox_depth{outbox="jobs"} 1.0' in told
    assert 'zgxl_outbox_depth{outbox="nightly"} 1.0' in told
    assert "zgxl_followers_parked 1.0" in told
    assert "zgxl_logs_broken 1.0" in told
    oldest = re.search(r'zgxl_outbox_oldest_seconds{outbox="followers"} (\S+)', told)
    assert oldest and float(oldest[1]) > 1000
    route = 'method="GET",route="matches/<str:code>/",status='
    assert f'zgxl_request_seconds_count{{{route}"200"}}' in told
    assert f'zgxl_request_seconds_count{{{route}"404"}}' in told
    assert match.code not in told


@pytest.mark.django_db
@pytest.mark.parametrize("part", ["database", "outboxes"])
def test_counts_are_told_without_a_database_too(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    settings.METRICS_TOKEN = "s3cret"
    asked = {"headers": {"Authorization": "Bearer s3cret"}}
    assert b"\nzgxl_database_reached 1.0\n" in client.get("/metrics", **asked).content
    away = mock.Mock(side_effect=OperationalError("it is away"))
    if part == "database":
        monkeypatch.setitem(probes.PARTS, "database", away)
        monkeypatch.setattr(probes, "_readiness", probes._Readiness())
    else:
        monkeypatch.setattr(probes.Outboxes, "collect", away)
    answer = client.get("/metrics", **asked)
    assert answer.status_code == 200
    assert b"\nzgxl_database_reached 0.0\n" in answer.content
    assert b"\nzgxl_request_seconds_count{" in answer.content
    assert b"zgxl_outbox" not in answer.content


def outbox(metric: str, name: str) -> float:
    found = re.search(
        rf'^zgxl_outbox_{metric}{{outbox="{name}"}} (\S+)',
        probes.exposition().decode(),
        re.MULTILINE,
    )
    assert found is not None
    return float(found[1])


@pytest.mark.django_db
def test_messages_to_webhooks_wait_once_their_webhook_rested() -> None:
    now = timezone.now()
    by = factories.actor()
    hook, _ = registered(by, desks.league(by), "https://hooks.example.org/")
    about = {"kind": TEST, "data": {}, "at": now}
    for hours, status in ((-2, "waiting"), (-2, "dead"), (-2, "held"), (2, "waiting")):
        due_at = now + timedelta(hours=hours)
        Delivery.objects.create(webhook=hook, status=status, due_at=due_at, **about)
    assert (outbox("depth", "webhooks"), outbox("given_up", "webhooks")) == (1, 1)
    assert outbox("oldest_seconds", "webhooks") >= 7200
    Webhook.objects.update(resting_until=now - timedelta(hours=1))
    assert 3600 <= outbox("oldest_seconds", "webhooks") < 7200
    Webhook.objects.update(resting_until=now + timedelta(hours=1))
    assert (outbox("depth", "webhooks"), outbox("oldest_seconds", "webhooks")) == (0, 0)


@pytest.mark.django_db
def test_letters_wait_until_they_are_told_or_given_up() -> None:
    by, now = factories.actor(), timezone.now()
    cup, ago = desks.tournament(by), now - timedelta(hours=1)
    about = {"tournament": cup, "player": by.player, "due_at": ago, "wanted": "this"}
    tries = ((1, 0, ""), (2, post.MAX_ATTEMPTS, ""), (3, 0, "this"))
    for number, attempts, settled in tries:
        more = {"attempts": attempts, "settled": settled, **about}
        PairingLetter.objects.create(round=number, published_at=ago, **more)
        at = now + timedelta(hours=1)
        Reminder.objects.create(kind=Reminder.Kind.BEGINS, round=number, at=at, **more)
    for name in ("letters", "reminders"):
        assert (outbox("depth", name), outbox("given_up", name)) == (1, 1)
        assert outbox("oldest_seconds", name) >= 3600


@pytest.mark.django_db(transaction=True)
def test_entries_are_counted_when_they_are_committed_and_refusals_by_their_code() -> None:
    match = factories.match()
    entries = count("zgxl_entries_appended_total", ruleset=match.log.ruleset)
    refused = count("zgxl_acts_refused_total", code="moved-on")
    factories.record(match)
    with pytest.raises(Refused) as refusal:
        factories.record(match, after=0)
    assert refusal.value.code == "moved-on"
    assert count("zgxl_entries_appended_total", ruleset=match.log.ruleset) == entries + 1
    assert count("zgxl_acts_refused_total", code="moved-on") == refused + 1


COUNTING = """
import time
from prometheus_client import Gauge
Gauge("zgxl_streams_open", "", multiprocess_mode="livesum").set(500)
print("ready", flush=True)
time.sleep(600)
"""


@pytest.fixture
def counting(tmp_path: Path) -> Iterator[Callable[[], "subprocess.Popen[bytes]"]]:
    """Start processes that count 500 readers each in `tmp_path`."""
    started: list[subprocess.Popen[bytes]] = []

    def start() -> "subprocess.Popen[bytes]":
        given = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
        command = [sys.executable, "-c", COUNTING]
        started.append(subprocess.Popen(command, env=given, stdout=subprocess.PIPE))
        assert started[-1].stdout and started[-1].stdout.readline() == b"ready\n"
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def readers_in(path: Path) -> float | None:
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(path))
    return registry.get_sample_value("zgxl_streams_open")


def test_readers_of_killed_processes_are_counted_no_more(
    counting: Callable[[], "subprocess.Popen[bytes]"], tmp_path: Path, settings: Any
) -> None:
    """Also where another process has the number of one that was killed, as this one here."""
    settings.METRICS_DIR = str(tmp_path)
    alive, killed = counting(), counting()
    killed.kill()
    killed.wait()
    left = tmp_path / f"gauge_livesum_{killed.pid}.db"
    shutil.copy(left, tmp_path / f"gauge_livesum_{os.getpid()}.db")
    assert readers_in(tmp_path) == 1500

    probes.forget_dead()
    assert readers_in(tmp_path) == 500
    assert [each.name for each in tmp_path.iterdir()] == [f"gauge_livesum_{alive.pid}.db"]


@pytest.mark.django_db(transaction=True)
def test_a_stream_process_begins_with_no_readers(
    counting: Callable[[], "subprocess.Popen[bytes]"], tmp_path: Path
) -> None:
    killed = counting()
    killed.kill()
    killed.wait()
    done = site.started(*site.SERVERS["asgi"], PROMETHEUS_MULTIPROC_DIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert readers_in(tmp_path) == 0


def test_a_method_that_is_none_is_counted_as_another() -> None:
    told = {"route": "(nowhere)", "method": "other", "status": "200"}
    before = count("zgxl_request_seconds_count", **told)
    Observed(lambda request: HttpResponse())(RequestFactory().generic("BREW", "/"))
    assert count("zgxl_request_seconds_count", **told) == before + 1


# -- logs -----------------------------------------------------------------------------------


def line_of(record: logging.LogRecord) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(JsonLine().format(record))
    return found


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "route"), {"/": "/", "/healthz": "/healthz", "/no/such": "/(nowhere)"}.items()
)
def test_a_probe_and_what_is_nowhere_are_not_home(
    path: str, route: str, client: Client, caplog: Any
) -> None:
    with caplog.at_level("INFO", logger="zgxl.requests"):
        client.get(path)
    (record,) = [each for each in caplog.records if each.name == "zgxl.requests"]
    assert line_of(record)["route"] == route


@pytest.mark.django_db
def test_a_request_is_logged_in_one_line_without_a_name(client: Client, caplog: Any) -> None:
    user = factories.user("mallory")
    client.force_login(user)
    match = factories.match()
    with caplog.at_level("INFO", logger="zgxl.requests"):
        answer = client.get(f"/matches/{match.code}/?as=public", headers={"X-Request-ID": "a" * 20})
    (record,) = [each for each in caplog.records if each.name == "zgxl.requests"]
    line = line_of(record)
    assert line["route"] == "/matches/<str:code>/"
    assert (line["method"], line["status"], line["user"]) == ("GET", 200, user.pk)
    assert line["ms"] > 0
    assert match.code not in json.dumps(line)
    assert "mallory" not in json.dumps(line)
    assert re.fullmatch("[0-9a-f]{32}", answer["X-Request-ID"])  # nobody vouches for the one sent
    assert answer["X-Request-ID"] != "a" * 20


@pytest.mark.django_db
def test_a_request_with_a_key_is_logged_as_its_owner_s_whoever_is_signed_in(
    client: Client, caplog: Any
) -> None:
    client.force_login(factories.user("mallory"))
    owner = factories.user("trent")
    with caplog.at_level("INFO", logger="zgxl.requests"):
        client.get("/api/v1/players/", headers={"Authorization": f"Token {factories.key(owner)}"})
    (record,) = [each for each in caplog.records if each.name == "zgxl.requests"]
    assert line_of(record)["user"] == owner.pk


def test_the_id_a_proxy_gives_is_kept_when_it_is_one(client: Client, settings: Any) -> None:
    settings.PROXIES = 1
    given = client.get("/healthz", headers={"X-Request-ID": "1234-abcd-5678"})
    assert given["X-Request-ID"] == "1234-abcd-5678"
    forged = client.get("/healthz", headers={"X-Request-ID": 'x"} evil{"'})
    assert "evil" not in forged["X-Request-ID"]


def test_a_line_blanks_links_and_keeps_the_trace_on_it() -> None:
    try:
        raise Conflict("broken", "at /j/1:secret/")
    except Conflict:
        record = logging.getLogger("x").makeRecord(
            "x", logging.ERROR, "f", 1, "no /j/1:secret/", (), exc_info=sys.exc_info()
        )
    text = JsonLine().format(record)
    assert "\n" not in text
    assert "secret" not in text
    assert "Conflict" in json.loads(text)["trace"]


# -- the environment ------------------------------------------------------------------------


def read_names() -> set[str]:
    """Every variable that the code reads, found in the code; Python's own are not ours."""
    found = set()
    files = [*(ROOT / "deploy").glob("*.py"), *(ROOT / "deploy/management").rglob("*.py")]
    for path in files:
        for call in ast.walk(ast.parse(path.read_text())):
            if not isinstance(call, ast.Call) or not call.args:
                continue
            asked = ast.unparse(call.func)
            name = call.args[0]
            reads = asked.startswith("env.") or asked == "os.environ.get"
            if reads and isinstance(name, ast.Constant) and isinstance(name.value, str):
                found.add(name.value)
    return found - {"PYTHONPATH"}


def test_every_variable_is_documented_and_none_that_is_not_read() -> None:
    guide = (ROOT / "docs/deploying.md").read_text().partition("## The environment")[2]
    table = guide.partition("\n## ")[0]
    told = re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE)
    assert len(told) == len(set(told))
    assert set(told) == read_names()
