"""Redis may refuse or hang: requests to the site hardly notice."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache, caches
from django.test import Client

from deploy import caching, probes
from deploy.celery import app
from matches import breaker, jobs
from matches.breaker import Breaker
from tests import services

Load = Callable[..., dict[str, Any]]


class Silent:
    """A server that takes every connection and never answers; how many it took, it knows."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"redis://127.0.0.1:{self.listener.getsockname()[1]}"
        self.taken: list[socket.socket] = []
        self.thread = threading.Thread(target=self._take)
        self.thread.start()

    def _take(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self.taken.append(self.listener.accept()[0])

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        for each in (self.listener, *self.taken):
            each.close()


@pytest.fixture
def silent() -> Iterator[Silent]:
    with closing(Silent()) as server:
        yield server


@pytest.fixture
def refusing() -> str:
    """The URL of a Redis that is not there."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"redis://127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture
def behind(
    load: Load, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., None]]:
    """Have this process use the Redis at a URL, as its settings would have it."""
    before = {name: app.conf[name] for name in ("broker_url", "broker_transport_options")}

    monkeypatch.setattr(breaker, "REST", 600)  # seconds; longer than any test

    def use(url: str, cache_url: str = "") -> None:
        read = load(BROKER_URL=url, CACHE_URL=cache_url or f"{url}/1")
        settings.CACHES = read["CACHES"]
        caches["default"].own.clear()
        monkeypatch.setattr(jobs, "broker", Breaker("broker", jobs.broker.errors))
        monkeypatch.setattr(caching, "breaker", Breaker("cache", caching.breaker.errors))
        monkeypatch.setattr(probes, "_readiness", probes._Readiness())
        _send_through(
            broker_url=read["CELERY_BROKER_URL"],
            broker_transport_options=read["CELERY_BROKER_TRANSPORT_OPTIONS"],
        )

    yield use
    _send_through(**before)


def _send_through(**conf: Any) -> None:
    app.conf.update(conf)
    app._after_fork()  # forget the connections to the one before


def test_a_broker_that_never_answers_is_asked_once(
    behind: Callable[..., None], silent: Silent
) -> None:
    behind(silent.url)
    for _ in range(20):
        jobs.wake_followers(uuid4())
    assert (len(silent.taken), jobs.broker.is_open()) == (1, True)


def test_a_broker_that_refuses_is_left_alone(
    behind: Callable[..., None], refusing: str, caplog: pytest.LogCaptureFixture
) -> None:
    behind(refusing)
    for _ in range(20):
        jobs.wake(uuid4())
    assert [record.name for record in caplog.records] == ["matches.breaker"]


@pytest.mark.django_db
def test_without_a_cache_people_sign_in_and_programs_ask(
    behind: Callable[..., None], refusing: str, client: Client
) -> None:
    behind(refusing)
    given = {"login": "ada", "password": "wrong", "username": "ada", "password1": "wrong"}
    assert client.get("/api/v1/games/").status_code == 200
    assert [client.post(path, given).status_code for path in ("/login/", "/signup/")] == [400, 400]


@pytest.mark.django_db
def test_without_a_cache_each_process_counts_alone(
    behind: Callable[..., None], silent: Silent, client: Client, settings: Any
) -> None:
    behind(silent.url)
    asked = [client.post("/api/v1/token/", {}, content_type="application/json") for _ in range(21)]
    assert {answer.status_code for answer in asked[:20]} == {400}
    assert asked[20].status_code == 429
    assert len(silent.taken) == 1


@pytest.mark.broker
def test_a_cache_that_came_back_is_asked_again(
    behind: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with services.broker() as valkey:
        behind(valkey.url, valkey.cache_url)
        cache.set("kept", "there")
        valkey.kill()
        cache.set("kept", "here")
        assert (cache.get("kept"), caching.breaker.is_open()) == ("here", True)
        monkeypatch.setattr(caching.breaker, "_until", 1.0)  # long ago
        valkey.start()
        assert (cache.get("kept"), caching.breaker.is_open()) == (None, False)
