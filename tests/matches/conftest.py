"""What tests of the log share."""

import pytest

import rules
from tests.matches.toy import Toy


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Toy:
    """The toy game, registered like any other."""
    game = Toy()
    monkeypatch.setitem(rules.RULESETS, "toy@1", game)
    return game
