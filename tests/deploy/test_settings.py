"""Settings come from the environment; a bad value stops the start."""

import contextlib
import logging
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory
from django.urls import URLResolver, get_resolver

from deploy import log_lines
from deploy.clients import address
from deploy.log_lines import LogLine
from tests.site import ASYNC_UNSAFE

SETTINGS = Path(__file__).resolve().parents[2] / "deploy" / "settings.py"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEBUG", "maybe"),
        ("HTTPS", "2"),
        ("PROXIES", "-1"),
        ("SECRET_KEY", "short"),
        ("DATABASE_URL", "mysql://host/name"),
        ("DATABASE_URL", "zgxl.sqlite3"),
        ("CACHE_URL", "nonsense://x"),
        ("BROKER_URL", "localhost"),
        ("BROKER_URL", "redsi://localhost/0"),
        ("BROKER_URL", "redis://localhost:port/0"),
        ("DATABASE_URL", "postgres://host/"),
        ("EMAIL_URL", "smtp+tls://me:pass#word@host:587"),
        ("ALLOWED_HOSTS", "https://league.example"),
        ("ALLOWED_HOSTS", "localhost,league.example:8000"),
        ("CSRF_TRUSTED_ORIGINS", "league.example"),
        ("WEBHOOK_HOSTS", "http://hooks.example/"),
        ("LOG_LEVEL", "loud"),
        ("LOGIN_FAILURE_LIMIT", "0"),
        ("API_RATE_ANON", "often"),
        ("API_RATE_USER", "10/fortnight"),
        ("SITE_URL", "league.example"),
        ("SITE_URL", "https://league.example/under?a=b"),
        ("DATA", "/dev/null/data"),
        ("REPLICA_URL", "postgres://host/zgxl"),  # of a SQLite there is none
        ("REPLICA_LAG", "0"),
        ("API_RATE_HEAVY", "0/min"),
        ("HEADS_PUBLIC_KEY", "0" * 65),
    ],
)
def test_a_bad_value_stops_the_start_and_names_the_variable(load, name, value):
    with pytest.raises(ImproperlyConfigured, match=name):
        load(**{name: value})


def test_good_values_of_the_same_variables_are_taken(load):
    settings = load(
        ALLOWED_HOSTS=".league.example, [::1],*,",
        CSRF_TRUSTED_ORIGINS="https://*.league.example,http://localhost:8000",
        WEBHOOK_HOSTS="::1,hooks.example",
        BROKER_URL="sentinel://one:26379;sentinel://two:26379",
        EMAIL_URL="smtp+tls://me:pass%23word%2B@host:587",
        PROMETHEUS_MULTIPROC_DIR="",
    )

    assert settings["ALLOWED_HOSTS"] == [".league.example", "[::1]", "*"]
    assert load(BROKER_URL="redis+socket:///run/broker.sock")["CELERY_BROKER_URL"]
    assert settings["WEBHOOK_HOSTS"] == ["::1", "hooks.example"]
    assert settings["EMAIL_HOST_PASSWORD"] == "pass#word+"
    assert "PROMETHEUS_MULTIPROC_DIR" not in os.environ  # the library reads it itself


def test_a_bad_database_pool_stops_the_start(load):
    with pytest.raises(ImproperlyConfigured, match="DATABASE_POOL"):
        load(DATABASE_URL="postgres://localhost/zgxl", DATABASE_POOL="few")


def test_who_asks_while_postgresql_is_away_is_told_so_within_seconds(load):
    pool = load(DATABASE_URL="postgres://localhost/zgxl")["DATABASES"]["default"]["OPTIONS"]["pool"]
    assert (pool["timeout"], pool["reconnect_timeout"]) == (5, 5)


def test_a_postgresql_whose_machine_is_gone_counts_as_away_within_seconds(load):
    urls = dict.fromkeys(("DATABASE_URL", "REPLICA_URL"), "postgres://db/zgxl")
    for options in (each["OPTIONS"] for each in load(**urls)["DATABASES"].values()):
        assert options["tcp_user_timeout"] == 5000
        idle, interval = options["keepalives_idle"], options["keepalives_interval"]
        assert idle + interval * options["keepalives_count"] == 20

    settings = load(DATABASE_URL="postgres://db/zgxl?tcp_user_timeout=60000&connect_timeout=9")
    given = settings["DATABASES"]["default"]["OPTIONS"]
    assert [int(given[name]) for name in ("tcp_user_timeout", "connect_timeout")] == [60000, 9]


@pytest.mark.parametrize(("value", "threshold"), [(None, 5), ("1", 5), ("0", None)])
def test_postgresql_keeps_the_plans_of_what_is_asked_often_unless_told_not_to(
    load, value, threshold
):
    given = {} if value is None else {"DATABASE_PREPARE": value}
    options = load(DATABASE_URL="postgres://localhost/zgxl", **given)["DATABASES"]["default"][
        "OPTIONS"
    ]
    assert options["prepare_threshold"] == threshold
    assert options["server_side_binding"] is (threshold is not None)


def test_who_serves_is_not_who_owns_the_tables(load):
    urls = dict.fromkeys(("DATABASE_URL", "OWNER_DATABASE_URL"), "postgres://me@host/zgxl")
    with pytest.raises(ImproperlyConfigured, match="a role other than"):
        load(**urls)
    with pytest.raises(ImproperlyConfigured, match="OWNER_DATABASE_URL is set; it and"):
        load(**urls | {"OWNER_DATABASE_URL": "sqlite:///zgxl.sqlite3"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://me:hush@host/name"),
        ("CACHE_URL", "nonsense://me:hush@host"),
        ("BROKER_URL", "redsi://me:hush@host/0"),
        ("EMAIL_URL", "smtp+tls://me:hush#word@host:587"),
    ],
)
def test_a_password_in_a_bad_url_is_not_repeated(load, name, value):
    with pytest.raises(ImproperlyConfigured, match=name) as refusal:
        load(**{name: value})

    assert "hush" not in str(refusal.value)


def test_without_an_environment_nothing_is_open(load):
    settings = load()

    assert settings["DEBUG"] is False
    assert settings["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]
    assert (settings["PROXIES"], settings["STAFF_SECOND_FACTOR"]) == (0, False)


def test_the_secret_key_is_made_once_and_for_its_owner_alone(load, tmp_path):
    first = load()["SECRET_KEY"]

    assert load()["SECRET_KEY"] == first
    assert (tmp_path / "data" / "secret_key").stat().st_mode & 0o077 == 0


def test_under_https_cookies_are_secure_and_plain_http_is_redirected(load):
    settings = load(HTTPS="1")

    assert settings["SESSION_COOKIE_SECURE"]
    assert settings["CSRF_COOKIE_SECURE"]
    assert settings["SECURE_SSL_REDIRECT"]
    assert settings["SECURE_HSTS_SECONDS"] > 0
    assert (settings["PROXIES"], settings["STAFF_SECOND_FACTOR"]) == (1, True)


def test_a_connection_to_sqlite_is_kept(load):
    assert load()["DATABASES"]["default"]["CONN_MAX_AGE"] is None


def test_sqlite_waits_for_the_disk_and_leaves_nothing_that_was_deleted(load, tmp_path):
    options = load()["DATABASES"]["default"]["OPTIONS"]
    assert options["transaction_mode"] == "IMMEDIATE"
    with contextlib.closing(sqlite3.connect(tmp_path / "new.sqlite3")) as file:
        file.executescript(options["init_command"])
        found = {
            name: file.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "secure_delete")
        }
    assert found == {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1}


def test_postgresql_is_reached_through_a_pool(load):
    database = load(DATABASE_URL="postgres://me@/zgxl?host=/run/pg")["DATABASES"]["default"]

    assert database["CONN_MAX_AGE"] == 0
    assert database["OPTIONS"]["host"] == "/run/pg"
    assert database["OPTIONS"]["pool"]["max_size"] == 10


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        pytest.param(0, "198.51.100.9", "192.0.2.1", id="a header nobody vouches for"),
        pytest.param(1, "203.0.113.7, 198.51.100.9", "198.51.100.9", id="what our proxy added"),
        pytest.param(1, None, "192.0.2.1", id="no header"),
        pytest.param(2, "203.0.113.7, 198.51.100.9", "203.0.113.7", id="two proxies"),
        pytest.param(2, "198.51.100.9", "198.51.100.9", id="one of two was passed by"),
        pytest.param(1, "203.0.113.7, unknown", "192.0.2.1", id="a proxy that does not know"),
        pytest.param(1, "fe80::1%eth0", "fe80::1", id="an interface"),
        pytest.param(1, "::ffff:203.0.113.7", "203.0.113.7", id="IPv4 in IPv6"),
    ],
)
def test_the_clients_address_is_told_by_trusted_proxies_alone(settings, proxies, forwarded, client):
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": proxies}
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}

    assert address(RequestFactory().get("/", REMOTE_ADDR="192.0.2.1", headers=headers)) == client


@pytest.mark.parametrize("proxies", [0, 1])
@pytest.mark.parametrize("peer", [{"REMOTE_ADDR": ""}, {}], ids=["WSGI", "ASGI"])
def test_who_comes_through_a_unix_socket_is_on_this_machine(settings, proxies, peer):
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": proxies}
    request = RequestFactory().get("/")
    del request.META["REMOTE_ADDR"]
    request.META |= peer

    assert address(request) == "127.0.0.1"


@pytest.mark.parametrize(
    ("path", "blanked"),
    [
        ("/j/1:secret/", "/j/…/"),
        ("/api/v1/seats/1:secret/", "/api/v1/seats/…/"),
        ("/claim/secret/", "/claim/…/"),
        ("/api/v1/claims/secret/", "/api/v1/claims/…/"),
        ("/calendars/0f~1~secret.ics", "/calendars/…"),
        ("/letters/off/0f~secret/", "/letters/off/…/"),
        ("/confirm-email/MQ:1a:secret/", "/confirm-email/…/"),
        ("/password/reset/key/1-secret/", "/password/reset/key/…/"),
    ],
)
def test_the_log_hides_what_a_link_opens(path, blanked):
    record = logging.makeLogRecord({"msg": "Not Found: %s", "args": (path,)})

    assert LogLine("{message}", style="{").format(record) == f"Not Found: {blanked}"


def test_the_log_hides_the_secret_of_every_link_there_is():
    """Where a part of an address is a token, or a key that is not the name of a game."""
    routes = [*_routes(get_resolver().url_patterns)]
    secret = [each for each in routes if re.search(r":token>|P<key>", each)]
    assert len(secret) > 7
    for route in secret:
        path = re.sub(r"<str:token>|\(\?P<(key|uidb36)>.*?\)", "secret", f"/{route}")
        assert "secret" not in log_lines.blanked(path.replace("^", "")), route


def _routes(patterns, before=""):
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from _routes(each.url_patterns, before + str(each.pattern))
        else:
            yield before + str(each.pattern)


def test_a_strange_host_is_one_line_of_the_log(client, caplog):
    assert client.get("/", headers={"host": "strange.example"}).status_code == 400
    said = [each for each in caplog.records if each.name == "django.security.DisallowedHost"]
    assert [(each.levelname, each.exc_info) for each in said] == [("WARNING", None)]


def test_behind_https_django_finds_nothing_to_warn_of(monkeypatch, tmp_path):
    monkeypatch.delenv(ASYNC_UNSAFE, raising=False)
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
        "DATA": str(tmp_path),
        "HTTPS": "1",
    }
    checked = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=SETTINGS.parents[1],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert checked.returncode == 0, checked.stderr
