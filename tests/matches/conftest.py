"""Fixtures of the log's tests."""

import pytest

import rules
from matches import tasks
from tests.matches.toy import Toy


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Toy:
    """The toy game, registered like any other."""
    game = Toy()
    monkeypatch.setitem(rules.RULESETS, "toy@1", game)
    return game


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The jobs that workers were woken for; no worker runs."""
    calls: list[str] = []
    monkeypatch.setattr(tasks.do_job, "delay", calls.append)
    return calls
