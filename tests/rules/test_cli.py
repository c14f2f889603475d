"""`python -m rules`: the rules without a site."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rules
from rules import __main__ as cli
from rules import bots

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "score-best-of-three.zgxl"
SETUP = {"options": {"best_of": 3}, "seats": [{"label": "Green"}, {"label": "Red"}]}


def run(*arguments: str) -> int:
    """Run a command; argparse ends the program for bad usage."""
    try:
        return cli.main(arguments)
    except SystemExit as stop:
        assert isinstance(stop.code, int)
        return stop.code


@pytest.fixture
def question(tmp_path: Path) -> Any:
    def write(**asked: Any) -> str:
        file = tmp_path / "question.json"
        file.write_text(json.dumps({"setup": SETUP, **asked}), "utf-8")
        return str(file)

    return write


def test_a_golden_match_verifies(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("replay", str(GOLDEN)) == 0
    assert "11 entries, 11 digests compared, all agree" in capsys.readouterr().out


def test_the_first_digest_that_differs_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "changed.txt"
    file.write_text(GOLDEN.read_text("utf-8").replace("points-scored 3 20", "points-scored 3 21"))

    assert run("replay", str(file)) == 1
    assert "line 15, column 1: digest is" in capsys.readouterr().err


def test_stamping_a_stamped_match_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("replay", "--stamp", str(GOLDEN)) == 0
    assert capsys.readouterr().out == GOLDEN.read_text("utf-8")


def test_stamping_renews_digests_but_no_other_expectation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "stale.txt"
    head = "ruleset score@1\nseat 1 label=Green\nseat 2 label=Red\n"
    file.write_text(head + 'game-won 1 {digest="000000000000" game=1}\n')
    assert run("replay", "--stamp", str(file)) == 0
    stamped = capsys.readouterr().out
    assert "000000000000" not in stamped
    file.write_text(stamped)
    assert run("replay", str(file)) == 0
    file.write_text(stamped.replace("game=1", "game=2"))
    assert run("replay", "--stamp", str(file)) != 0
    assert "line 4, column 1: game is 1, expected 2" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["score", "score@1"])
def test_a_playout_is_a_match_that_replays(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("playout", name, "--seed", "7", "--seats", "3", "--best-of", "5") == 0
    text = capsys.readouterr().out
    file = tmp_path / "playout.txt"
    file.write_text(text)

    assert "option best-of=5" in text
    assert text.count("\nseat ") == 3
    assert run("replay", str(file)) == 0


def test_judging_tells_verdict_and_consequences(
    question: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    acts = [{"type": "game-won", "seat": 2}, {"type": "taken-back", "to": 1}]
    file = question(acts=acts, act={"type": "game-won", "seat": 1})

    assert run("judge", "score", file) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["verdict"] == {"call": "legal"}
    assert answer["consequences"] == [
        {"type": "game-ended", "game": 1, "places": [1, 2], "winners": [1]}
    ]


def test_judging_an_impossible_act_has_no_consequences(
    question: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("judge", "score", question(act={"type": "game-won", "seat": 3})) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["verdict"]["code"] == "no-such-seat"
    assert answer["consequences"] == []


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        pytest.param({"act": {"type": "hit"}}, "Invalid value 'hit'", id="an unknown act"),
        pytest.param({}, "missing required field `act`", id="no act"),
        pytest.param({"act": {"type": "game-won"}}, "$.act", id="a field missing"),
        pytest.param(
            {"act": {"type": "game-drawn"}, "acts": [{"type": "game-won", "seat": 9}]},
            "no-such-seat",
            id="an impossible act before",
        ),
        pytest.param({"setup": [], "act": {"type": "game-drawn"}}, "$.setup", id="no setup"),
    ],
)
def test_an_unreadable_question_says_why(
    asked: dict[str, Any], says: str, question: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("judge", "score", question(**asked)) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b'{"a":NaN}', b"[" * 100_000, b"7", b'"\xed\xa0\x80"'],
    ids=["nothing", "a brace", "not UTF-8", "NaN", "brackets", "a number", "half a character"],
)
@pytest.mark.parametrize("command", [("judge", "score"), ("replay",)], ids=" ".join)
def test_a_broken_file_ends_with_a_message(
    command: tuple[str, ...],
    content: bytes,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "broken"
    file.write_bytes(content)

    assert run(*command, str(file)) == 2
    assert capsys.readouterr().err.startswith(f"python -m rules {command[0]}: {file}")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dance"],
        ["replay"],
        ["replay", "no-such-file"],
        ["replay", str(ROOT)],
        ["playout", "chess"],
        ["playout", "score", "--seats", "9"],
        ["playout", "score", "--seats", "0"],
        ["playout", "score", "--best-of", "0"],
        ["playout", "score", "--best-of", "many"],
        ["judge", "chess", "-"],
        ["conform", "os:path"],
        ["conform", "score", "--matches", "0"],
        ["sample-decks"],
    ],
    ids=" ".join,
)
def test_bad_usage_ends_with_a_message(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
    assert capsys.readouterr().err


@pytest.mark.parametrize("game", ["zg", "zx"])
def test_a_tool_that_several_games_have_is_asked_of_one(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("sample-decks", game, "--json") == 0

    decks = json.loads(capsys.readouterr().out)
    assert list(decks) == list(rules.get(game).tools["sample-decks"]())


def test_the_command_line_needs_no_site() -> None:
    code = (
        "import sys, rules.__main__ as cli; status = cli.main(['playout', 'score']);"
        "assert not any(name.partition('.')[0] == 'django' for name in sys.modules);"
        "sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    timeline = bots.playout(rules.get("score"), bots.sample_setup(rules.get("score"), 1), 1)
    assert timeline.entries[-1].digest in done.stdout


def test_who_stops_reading_sees_no_traceback() -> None:
    command = f"{sys.executable} -m rules playout score --seed 7 | head -1"
    done = subprocess.run(
        command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.stdout == "ruleset score@1\n"
    assert done.stderr == ""


DUEL = str(Path(__file__).parents[1] / "golden" / "zg-duel.zgxl")


def test_a_match_is_judged_again_under_another_reading(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", DUEL, "--strikes", "card_tests"]) == 0
    told = capsys.readouterr().out

    assert "now: card-tested, card-slagged, follow-up-earned" in told
    assert "of 32 acts would have gone otherwise" in told


def test_under_its_own_reading_nothing_changes(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", DUEL, "--strikes", "basic"]) == 0
    assert "0 of 32 acts" in capsys.readouterr().out


@pytest.mark.parametrize("flags", [["--strikes", "x"], ["--nonsense"], ["--terrain", "x"]])
def test_an_option_the_game_has_not_is_bad_input(flags: list[str]) -> None:
    try:
        status = cli.main(["replay", DUEL, *flags])
    except SystemExit as ended:
        status = int(str(ended.code))
    assert status == 2
