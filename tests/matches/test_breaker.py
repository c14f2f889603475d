"""The circuit breaker: a failing service is left alone for a while; then one caller retries."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from matches import breaker
from matches.breaker import REST, Breaker

Ask = Callable[[bool], str]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    found = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(breaker, "time", SimpleNamespace(monotonic=lambda: found.now))
    return found


@pytest.fixture
def ask() -> Ask:
    """Ask a service that is there, or is not."""
    cut = Breaker("service", (OSError,))

    def answer(there: bool) -> str:
        if not there:
            raise OSError("nobody there")
        return "answered"

    return lambda there: cut.call(lambda: answer(there), otherwise=lambda: "without")


def test_a_service_that_answers_is_called_every_time(ask: Ask) -> None:
    assert [ask(True), ask(True)] == ["answered", "answered"]


def test_a_service_that_failed_is_retried_after_a_pause(clock: SimpleNamespace, ask: Ask) -> None:
    assert [ask(False), ask(True)] == ["without", "without"]
    clock.now += REST
    assert ask(False) == "without"
    clock.now += REST - 1
    assert ask(True) == "without"
    clock.now += 1
    assert [ask(True), ask(True)] == ["answered", "answered"]


def test_after_the_pause_only_one_caller_retries(clock: SimpleNamespace) -> None:
    cut = Breaker("service", (OSError,))
    told: list[str] = []

    def away() -> None:
        raise OSError

    def slow() -> str:
        told.append(cut.call(lambda: "asked too", otherwise=lambda: "did without"))
        return "asked"

    cut.call(away, otherwise=lambda: None)
    clock.now += REST
    assert cut.call(slow, otherwise=lambda: "did without") == "asked"
    assert told == ["did without"]


def test_our_own_errors_do_not_open_the_breaker() -> None:
    cut = Breaker("service", (OSError,))
    with pytest.raises(ZeroDivisionError):
        cut.call(lambda: 1 / 0, otherwise=lambda: 0.0)
    assert not cut.is_open()
