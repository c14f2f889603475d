"""What tests of the log share."""

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
    """The jobs workers were woken for; none of them is there."""
    calls: list[str] = []
    monkeypatch.setattr(tasks.do_job, "delay", calls.append)
    return calls
