"""Golden matches replay to the digests and the hand-computed numbers they carry."""

from pathlib import Path

import pytest

import rules
from rules import checking, notation

GOLDEN = sorted((Path(__file__).parents[1] / "golden").rglob("*.zgxl"))


def script_of(file: Path) -> notation.Script:
    return notation.read_match(file.read_text("utf-8"), rules.get)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_golden_match_replays_to_its_digests(file: Path) -> None:
    script = script_of(file)

    assert all("digest" in line.expected for line in script.lines), "an entry has no digest"
    timeline = notation.play(script)
    assert checking.check(script.ruleset, timeline.entries) is None


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_golden_match_is_read_back_from_its_canonical_text(file: Path) -> None:
    timeline = notation.play(script_of(file))

    text = notation.write_match(timeline.ruleset, timeline.entries, digests=True, comments=True)

    again = notation.play(notation.read_match(text, rules.get))
    assert again.entries == timeline.entries


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_golden_match_comes_to_an_end(file: Path) -> None:
    timeline = notation.play(script_of(file))

    assert timeline.ruleset.outcome(timeline.head.state) is not None


def test_every_ruleset_has_a_golden_match() -> None:
    played = {f"{script_of(file).ruleset.key}" for file in GOLDEN}

    assert played == {ruleset.key for ruleset in rules.RULESETS.values()}
