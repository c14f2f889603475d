"""The game of docs/adding-a-game.md is real, and the test kit finds its mistakes."""

import re
from pathlib import Path
from typing import Any

import pytest

from rules import bots, conformance, notation
from rules.__main__ import main
from rules.conformance import laws
from tests.rules import toys

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "adding-a-game.md").read_text("utf-8")


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(DOCS / "examples")
    from nim.ruleset import Nim

    return Nim()


def test_the_example_keeps_every_law(nim: Any) -> None:
    cases = conformance.cases_for(nim)

    assert [finding for finding in conformance.conform(nim, cases) if finding.broken] == []
    assert conformance.unreached(cases) == ["no-such-table"]
    laws.the_same_everywhere("nim.ruleset:Nim", seeds=1)


def test_a_match_of_the_example_reads_back(nim: Any) -> None:
    timeline = bots.playout(nim, bots.sample_setup(nim, 1), 1)
    text = notation.write_match(nim, timeline.entries, digests=True)

    again = notation.play(notation.read_match(text, lambda name: nim))
    assert again.entries == timeline.entries


def test_the_page_quotes_the_example() -> None:
    source = (DOCS / "examples" / "nim" / "ruleset.py").read_text("utf-8")
    quoted = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)

    assert len(quoted) >= 6
    assert [code for code in quoted if code not in source and "conform" not in code] == []


def test_the_command_tells_what_is_kept(nim: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "nim.ruleset:Nim", "--matches", "2"]) == 0
    told = capsys.readouterr().out

    assert told.count("kept  ") == len(laws.LAWS) + 1
    assert "never reached: " in told


@pytest.mark.parametrize("broken", ["TooLenient", "Raises"])
def test_the_command_tells_what_is_broken(broken: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", f"tests.rules.toys:{broken}"]) == 1
    assert "BROKEN" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["chess", "nowhere.ruleset:Chess", "tests.rules.toys:Chess"])
def test_the_command_knows_what_is_not_there(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", name]) == 2
    assert "there is no ruleset" in capsys.readouterr().err


def test_a_game_with_secrets_that_come_up_too_seldom_is_not_proved() -> None:
    secrets = toys.Secrets()
    few = conformance.cases_for(secrets, matches=1, wild=1)

    (hidden,) = [f for f in conformance.conform(secrets, few) if f.law.startswith("nobody")]
    assert "only" in hidden.broken
