"""Fixtures of the log's tests."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

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


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let time pass: `later(60)` is a minute."""

    def pass_by(seconds: float) -> None:
        then = timezone.now() + timedelta(seconds=seconds)
        monkeypatch.setattr(timezone, "now", lambda: then)

    return pass_by
