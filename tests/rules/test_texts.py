"""Texts by code, filled in with the names of seats."""

from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec
import pytest

import rules
from rules import texts
from rules.ruleset import Verdict, impossible, irregular
from rules.score.acts import PointsScored
from rules.zerpang import acts as zerpang
from rules.zerpang import effects, victory
from rules.zx import acts as zx
from rules.zx import cards

TEXTS = {
    "too-far": "{foe} is {distance} cards away, range is {reach}.",
    "placed": "Next: {seats}.",
    "won": "{winners} won.",
}


def test_a_finding_is_told_with_its_clause() -> None:
    verdict = irregular("too-far", "ZG ATK-7", foe=2, distance=4, reach=3)

    told = texts.of_finding(TEXTS, verdict, {2: "Vaugn"})

    assert told == "Vaugn is 4 cards away, range is 3. (ZG ATK-7)"


@pytest.mark.parametrize(
    ("seats", "told"),
    [
        pytest.param((), "Next: nobody.", id="nobody"),
        pytest.param((1,), "Next: Green.", id="one"),
        pytest.param((1, 2), "Next: Green and Red.", id="two"),
        pytest.param((1, 2, 3), "Next: Green, Red and seat 3.", id="three, one unknown"),
    ],
)
def test_seats_are_listed_by_their_names(seats: tuple[int, ...], told: str) -> None:
    assert texts.sentence(TEXTS, "placed", {"seats": seats}, {1: "Green", 2: "Red"}) == told


def test_a_name_written_from_right_to_left_is_isolated_in_a_sentence() -> None:
    names = {1: "\u05d0\u05d1\u05d9 7", 2: "Zoë", 3: "\u0645\u062d\u0645\u062f"}
    one, three = f"\u2068{names[1]}\u2069", f"\u2068{names[3]}\u2069"

    told = texts.sentence(TEXTS, "won", {"winners": (1, 2, 3)}, names)
    assert told == f"{one}, Zoë and {three} won."

    game = rules.get("score")
    seats = [{"label": "Red"}, {"label": "Blue"}, {"label": "Green"}]
    setup = msgspec.convert({"ruleset": "score@1", "options": {}, "seats": seats}, game.opened)
    state = game.start(setup)
    assert game.headline(state, names) == f"{one} 0, Zoë 0, {three} 0"
    told = game.tell(PointsScored(seat=1, points=2), state, names)
    assert told == f"{one}: 2 points."


@pytest.mark.parametrize(
    ("code", "params"),
    [
        pytest.param("too-near", {}, id="an unknown code"),
        pytest.param("too-far", {"foe": 1}, id="a parameter missing"),
    ],
)
def test_a_missing_text_is_an_error(code: str, params: dict[str, Any]) -> None:
    with pytest.raises(KeyError):
        texts.sentence(TEXTS, code, params, {})


def test_a_code_given_twice_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "twice_said"
    (package / "text").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "text" / "en.toml").write_text('[acts]\na = "A"\n[verdicts]\na = "B"\n')
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(ValueError, match="given twice: a"):
        texts.load("twice_said")


def test_a_given_name_goes_before_the_label() -> None:
    state = rules.get("score").start(rules.get("score").sample_setup(lambda n: 0, 2))

    assert texts.names_of(state.setup, {2: "Kleer"}) == {1: "Side 1", 2: "Kleer"}


@pytest.mark.parametrize(
    ("game", "field", "values"),
    [
        ("zerpang", "colour", zerpang.COLOURS),
        ("zerpang", "why", (*victory.WHY.values(), "by-call")),
        ("zx", "colour", get_args(cards.Colour)),
        ("zx", "op", get_args(zx.Op)),
        ("zx", "pile", get_args(zx.Pile)),
        ("zx", "played", ("event",)),
    ],
)
def test_every_word_to_choose_has_a_name_in_every_language(
    game: str, field: str, values: tuple[str, ...]
) -> None:
    for language in ("en", "de"):
        named = texts.read(f"rules.{game}", language)
        assert [each for each in values if f"value.{field}.{each}" not in named] == []


@pytest.mark.parametrize("game", ["zg", "zx", "zerpang", "score"])
def test_every_option_and_every_value_of_one_has_a_name_in_every_language(game: str) -> None:
    wanted = []
    for part in msgspec.structs.fields(rules.get(game).options_type):
        wanted.append(f"option-{part.encode_name}")
        words = get_args(part.type) if get_origin(part.type) is Literal else ()
        wanted += [f"option-{part.name}-{each}" for each in words if not str(each).isdigit()]
    for language in ("en", "de"):
        named = texts.read(f"rules.{game}", language)
        assert [each for each in wanted if each not in named] == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_specialty_that_is_played_for_its_effect_has_a_moment_in_words(language: str) -> None:
    named = texts.read("rules.zerpang", language)

    assert [key for key in effects.EFFECTS if f"value.key.{key}" not in named] == []


@pytest.mark.parametrize(
    ("game", "finding", "told"),
    [
        (
            "zx",
            irregular("wrong-phase", "", phase="main", what="resource"),
            "This is the main phase. That belongs to another: “Resource phase”.",
        ),
        (
            "zx",
            irregular("condition-false", "", seat=2, takes="charge"),
            "seat 2 may not: that takes more charge than may be held.",
        ),
        (
            "zerpang",
            irregular("special-timing", "ZP 8 skip_turn", seat=1, key="skip_turn"),
            "seat 1 cannot play that now: it is for the moment after one’s own draw."
            " (ZP 8 skip_turn)",
        ),
        (
            "zx",
            irregular("pending-choice", "", what="reload"),
            "Something else has to be settled first: “The life card a reload costs”.",
        ),
        (
            "zx",
            irregular("not-adjacent", "", square="a1", target="player"),
            "From a1, the player is out of reach.",
        ),
        (
            "zx",
            impossible("not-on-offer", act="zx-played"),
            "“Play a Z/X” cannot hold that now; cards are named in alphabetical order.",
        ),
        (
            "zerpang",
            irregular("wrong-phase", "", phase="entrance", now="draw"),
            "The turn is already at draw; entrance does not come after that.",
        ),
        ("zx", impossible("no-such-seat", seat=3, seats=2), "There is no seat 3 in a game of 2."),
        (
            "zerpang",
            irregular("other-class", "ZP-N2", seat=1, cls="ninja"),
            "Only the Ninja can do that. (ZP-N2)",
        ),
    ],
)
def test_why_not_is_told_in_the_words_for_values(game: str, finding: Verdict, told: str) -> None:
    assert texts.of_finding(rules.get(game).texts, finding, {}) == told
