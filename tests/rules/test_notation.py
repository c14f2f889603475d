"""Matches as text: they round-trip, and errors say where and why."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules import notation
from rules.notation import NotationError, play, read_match, write_match
from rules.replay import Entry
from rules.ruleset import Act, Opened, SeatSetup, TakenBack
from rules.scanner import Scanner, word
from rules.score.ruleset import ScoreRuleset


class Struck(Act, frozen=True, kw_only=True, tag="struck"):
    seat: int
    card: str
    dots: tuple[str, ...]
    half_turn: bool = False
    note: str = ""


class Piece(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    at_range: int | None = None


class Deck(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    cards: tuple[Piece, ...] = ()
    character: Piece | None = None
    modes: tuple[str, ...] = ()


class DeckSeat(SeatSetup, frozen=True, kw_only=True):
    deck: Deck


class DeckOpened(Opened, frozen=True, kw_only=True, tag="opened"):
    options: dict[str, Any]
    seats: tuple[DeckSeat, ...]


class WithDecks(ScoreRuleset):
    key = "decks"
    opened = DeckOpened


class FreeSeat(SeatSetup, frozen=True, kw_only=True, omit_defaults=True):
    deck: Any = None


class FreeOpened(Opened, frozen=True, kw_only=True, tag="opened"):
    options: dict[str, Any]
    seats: tuple[FreeSeat, ...]


class WithFreeDecks(ScoreRuleset):
    key = "free"
    opened = FreeOpened


SCORE = rules.get("score@1")
HEADER = "ruleset score@1\nseat 1 label=Green\nseat 2 label=Red\n"


def plain_acts(text: str) -> list[dict[str, Any]]:
    lines = read_match(HEADER + text, rules.get).lines[1:]
    return [msgspec.to_builtins(line.act) for line in lines]


# -- values ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "written"),
    [
        pytest.param("a", "a", id="a word"),
        pytest.param("Ridge Helm", '"Ridge Helm"', id="two words"),
        pytest.param("R#", '"R#"', id="a comment's mark"),
        pytest.param("true", '"true"', id="a word that means something else"),
        pytest.param("7", '"7"', id="a number as a word"),
        pytest.param("", '""', id="an empty word"),
        pytest.param("déjà vu", '"déjà vu"', id="not ASCII"),
        pytest.param('say "a"\n', '"say \\"a\\"\\n"', id="quotes and a line's end"),
        pytest.param(-7, "-7", id="a number"),
        pytest.param(True, "true", id="true"),
        pytest.param(None, "null", id="nothing"),
        pytest.param([1, 2], "[1,2]", id="a list"),
        pytest.param({"a": "R+ G"}, '{"a":"R+ G"}', id="an object"),
    ],
)
def test_a_value_is_written_as_plainly_as_it_can_be(value: Any, written: str) -> None:
    assert word(value) == written
    assert Scanner(f"{written} # said").value("value") == value


plain_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.just("k"), inner, max_size=1),
    max_leaves=5,
)


@settings(deadline=None)
@given(plain_values)
def test_every_plain_value_reads_back(value: Any) -> None:
    scanner = Scanner(f"{word(value)} more")

    assert scanner.value("value") == value
    assert scanner.bare("more") == "more"


# -- one act --------------------------------------------------------------------------


def test_an_act_is_its_type_its_fields_in_order_and_the_rest_by_name() -> None:
    act = Struck(seat=1, card="Ridge Helm", dots=("R+", "G"), half_turn=True)

    assert notation.write(act) == 'struck 1 "Ridge Helm" ["R+","G"] half-turn=true'
    assert notation.read([Struck], notation.write(act)) == act


def test_spaces_and_comments_change_nothing() -> None:
    assert notation.read([Struck], "\t struck  1\tx [ ] half-turn=true #now").half_turn


def test_an_act_that_stood_against_the_rules_is_marked() -> None:
    line = read_match(HEADER + "game-closed!", rules.get).lines[1]

    assert line.irregular
    assert notation.write(line.act, irregular=True) == "game-closed!"


@pytest.mark.parametrize(
    ("line", "column", "says"),
    [
        pytest.param("", 1, "expected the type of an act", id="nothing"),
        pytest.param("  hit 1", 3, "hit is no act here", id="another act"),
        pytest.param("struck", 7, "expected seat", id="nothing more"),
        pytest.param("struck 1 x", 11, "expected dots", id="one field short"),
        pytest.param("struck one x []", 8, "Expected `int`, got `str`", id="another type"),
        pytest.param("struck true x []", 8, "Expected `int`, got `bool`", id="no number"),
        pytest.param("struck 1 2 []", 10, "Expected `str`, got `int`", id="a number for a name"),
        pytest.param("struck 1 x [1]", 12, "$.dots[0]", id="inside a list"),
        pytest.param("struck 1 x [] y", 15, "expected the end", id="one too many"),
        pytest.param("struck 1 x [] zone=2", 15, "no option zone", id="another option"),
        pytest.param(
            "struck 1 x [] note=a note=b", 22, "note is given twice", id="an option twice"
        ),
        pytest.param("struck 1 x [] note=", 20, "expected a value for note", id="no value"),
        pytest.param('struck 1 "x []', 10, "not JSON", id="an open quote"),
        pytest.param("struck 1 x [1,,2]", 15, "not JSON", id="broken JSON"),
        pytest.param("struck 1.5 x []", 8, "expected seat", id="a fraction"),
        pytest.param("struck 1 x [1.5]", 12, "1.5 is no whole number", id="one in JSON"),
        pytest.param("struck 1 x [NaN]", 12, "NaN is no whole number", id="NaN"),
        pytest.param("struck 9223372036854775808 x []", 8, "too large", id="64 bits and one"),
        pytest.param("struck 1 x [9223372036854775808]", 12, "too large", id="in JSON too"),
        pytest.param("struck 1 x " + "[" * 100_000, 12, "too deeply", id="100,000 brackets"),
        pytest.param("struck " + "9" * 5000 + " x []", 8, "too large", id="5,000 digits"),
        pytest.param('struck 1 "\\ud800" []', 10, "no text may hold", id="half a character"),
        pytest.param('struck 1 "\\u0000" []', 10, "no text may hold", id="NUL"),
        pytest.param('struck 1 x [{"a":1,"a":2}]', 12, "given twice", id="a name twice"),
        pytest.param(
            "struck 1 x [] zone=2", 15, "expected: half-turn, note", id="which options there are"
        ),
        pytest.param("struck 1 x [] card=y", 15, "no option card", id="a field by name"),
        pytest.param("struck~x 1 x []", 8, "expected the number of the entry", id="repeats what"),
        pytest.param("struck 1 x [] {digest", 16, "expected name=value or }", id="open braces"),
    ],
)
def test_a_line_that_can_not_be_read_says_where_and_why(line: str, column: int, says: str) -> None:
    with pytest.raises(NotationError) as caught:
        notation.read([Struck], line)

    assert says in caught.value.message
    assert caught.value.column == column


def test_an_act_without_options_has_none_and_one_by_itself_repeats_nothing() -> None:
    with pytest.raises(NotationError, match="has no option zone; expected: none"):
        notation.read(notation.LOG_ACTS, 'seed-revealed "07" zone=2')
    with pytest.raises(NotationError, match="by itself repeats nothing"):
        notation.read(notation.LOG_ACTS, "taken-back~2 3")


# -- a whole match --------------------------------------------------------------------


def test_a_header_lays_out_options_seats_and_decks() -> None:
    setup = DeckOpened(
        ruleset="decks@1",
        log="log 7",
        commitment="ab12",
        options={"best_of": 3},
        seats=(
            DeckSeat(
                label="Green side",
                deck=Deck(
                    cards=(Piece(name="Helm", at_range=3), Piece(name="Two Feet")),
                    character=Piece(name="Jett"),
                    modes=("Wits", "Force"),
                ),
            ),
            DeckSeat(label="Red", ref="r-1", deck=Deck()),
        ),
    )
    text = """\
ruleset decks@1
log "log 7"
commitment ab12
option best-of=3
seat 1 label="Green side"
  cards name=Helm at-range=3
  cards name="Two Feet"
  character {"name":"Jett"}
  modes ["Wits","Force"]
seat 2 label=Red ref=r-1 deck={}
"""
    assert write_match(WithDecks(), [Entry(version=1, act=setup)]) == text
    assert read_match(text, lambda name: WithDecks()).lines[0].act == setup


@pytest.mark.parametrize(
    ("deck", "written"),
    [
        pytest.param(None, "", id="none"),
        pytest.param([], " deck=[]", id="no object"),
        pytest.param({"Two words": 1}, ' deck={"Two words":1}', id="a part that is no name"),
        pytest.param({"modes": []}, "\n  modes []", id="an empty list"),
        pytest.param({"modes": 3}, "\n  modes 3", id="a number"),
        pytest.param({"modes": "Wits"}, "\n  modes Wits", id="a word"),
        pytest.param({"cards": [{"a": 1}, 2]}, '\n  cards [{"a":1},2]', id="a mixed list"),
        pytest.param({"cards": [{"A": 1}]}, '\n  cards [{"A":1}]', id="a card that is no pairs"),
        pytest.param({"cards": [{"a": 1}]}, "\n  cards a=1", id="cards"),
    ],
)
def test_a_deck_of_any_shape_is_written_so_that_it_reads_back(deck: Any, written: str) -> None:
    setup = FreeOpened(ruleset="free@1", options={}, seats=(FreeSeat(label="Red", deck=deck),))
    text = write_match(WithFreeDecks(), [Entry(version=1, act=setup)])

    assert text == f"ruleset free@1\nseat 1 label=Red{written}\n"
    assert read_match(text, lambda name: WithFreeDecks()).lines[0].act == setup


def test_digests_are_written_where_they_are_asked_for() -> None:
    entries = play(read_match(HEADER + "game-won 1", rules.get)).entries
    ruleset = rules.get("score@1")

    assert write_match(ruleset, entries).endswith("\n2 game-won 1\n")
    with_digests = write_match(ruleset, entries, digests=True)
    assert f'\n1 opened {{digest="{entries[0].digest}"}}\n' in with_digests
    assert f'{{digest="{entries[1].digest}"}}\n' in with_digests


def test_comments_tell_in_words_what_a_line_says() -> None:
    text = HEADER + "\n2 game-won 1\n3 taken-back 1\n"
    entries = play(read_match(text, rules.get)).entries

    assert write_match(SCORE, entries) == text
    assert write_match(SCORE, entries, comments=True) == text.replace(
        "2 game-won", "# Green takes the game.\n2 game-won"
    )


def test_versions_may_be_left_out() -> None:
    text = "game-won 1\n\n3 taken-back 1\ngame-won 2\n"

    assert [act["type"] for act in plain_acts(text)] == ["game-won", "taken-back", "game-won"]


def test_a_match_in_windows_lines_reads_the_same() -> None:
    text = HEADER + "game-won 1\n"

    typed = "\ufeff" + text.replace("\n", "\r\n")
    assert read_match(typed, rules.get) == read_match(text, rules.get)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        pytest.param("", 1, "expected a header", id="nothing"),
        pytest.param("game-won 1", 1, "expected a header", id="no header"),
        pytest.param("\n# none\ngame-won 1", 3, "expected a header", id="no header, further down"),
        pytest.param("ruleset chess@1", 1, "no ruleset chess@1", id="an unknown game"),
        pytest.param("ruleset 7", 1, "expected a header", id="no name"),
        pytest.param("ruleset score@1", 1, "seat-count", id="no seats"),
        pytest.param("ruleset score@1\nruleset score@1", 2, "given twice", id="twice"),
        pytest.param("ruleset score@1\nseat 2 label=x", 2, "expected seat 1", id="seat 2 first"),
        pytest.param("ruleset score@1\nseat 1 name=x", 1, "name", id="no label"),
        pytest.param("ruleset score@1\n  cards a=1", 2, "expected a line of", id="no seat's deck"),
        pytest.param(
            "ruleset score@1\nseat 1 label=x\n  cards 1\n  cards 2", 4, "already", id="part twice"
        ),
        pytest.param(
            "ruleset score@1\nseat 1 label=x\n  cards 1\n  cards a=2", 4, "already", id="mixed"
        ),
        pytest.param("\x0b", 1, "expected a header", id="a blank that is none"),
        pytest.param(
            "ruleset score@1\nseat 1 label=x deck=null\n  cards a=1", 3, "already", id="deck twice"
        ),
        pytest.param(f"ruleset score@1\nseat 1 label={'x' * 81}", 1, "length <= 80", id="long"),
        pytest.param("ruleset score@1\noption best-of=x\nseat 1 label=x", 1, "best_of", id="type"),
        pytest.param("ruleset score@1\noption speed=1\nseat 1 label=x", 1, "speed", id="option"),
        pytest.param(HEADER + "3 game-won 1", 4, "cannot follow entry 1", id="a gap"),
        pytest.param(HEADER + "2 game-won 1\n2 game-won 1", 5, "cannot follow", id="a version"),
        pytest.param(HEADER + "game-won 1\nseat 3 label=x", 5, "seat is no act", id="late seat"),
        pytest.param(HEADER + 'game-won 1 {digest="0123"}', 4, "digest is", id="another digest"),
        pytest.param(HEADER + "game-won 1 {digest=5}", 4, "digest is", id="a number as digest"),
        pytest.param(HEADER + "game-won 1 {game=2}", 4, "game is 1, expected 2", id="a number"),
        pytest.param(HEADER + "game-won 1 {lost=1}", 4, "lost is false", id="true is not 1"),
        pytest.param(HEADER + "game-won 1 {zone=2}", 4, "in no consequence", id="no such field"),
        pytest.param(HEADER + "game-won! 1", 4, "but it is legal", id="legal, but marked"),
        pytest.param(HEADER + "game-closed", 4, "Mark it with !", id="irregular, not marked"),
        pytest.param(
            HEADER + "game-won 3", 4, "no-such-seat. There is no seat 3 in", id="impossible"
        ),
        pytest.param(HEADER + '1 opened {digest="0123"}', 4, "digest is", id="the setup's digest"),
    ],
)
def test_a_match_that_can_not_be_recorded_says_where_and_why(
    text: str, line: int, says: str
) -> None:
    with pytest.raises(NotationError) as caught:
        play(read_match(text, rules.get))

    assert says in caught.value.message
    assert caught.value.line == line


def test_only_what_may_stand_is_told_to_be_marked() -> None:
    with pytest.raises(NotationError) as caught:
        play(read_match(HEADER + "game-won 3", rules.get))
    assert "Mark it" not in caught.value.message


@pytest.mark.parametrize("digits", [12, 64])
def test_a_digest_may_be_shortened(digits: int) -> None:
    digest = play(read_match(HEADER + "game-won 1", rules.get)).entries[1].digest[:digits]

    play(read_match(HEADER + f'game-won 1 {{digest="{digest}"}}', rules.get))


def test_a_digest_too_short_to_mean_anything_is_refused() -> None:
    digest = play(read_match(HEADER + "game-won 1", rules.get)).entries[1].digest[:11]

    with pytest.raises(NotationError):
        play(read_match(HEADER + f'game-won 1 {{digest="{digest}"}}', rules.get))


def test_stamping_adds_digests_and_leaves_the_rest() -> None:
    text = HEADER + "\n1 opened\n# first\ngame-won 1 {game=1}   # quick\ntaken-back 1\n"
    script = read_match(text, rules.get)
    timeline = play(script)

    stamped = notation.stamp(text, script, timeline.entries)

    short = [word(entry.digest[:12]) for entry in timeline.entries]
    assert stamped == (
        HEADER + f"\n1 opened {{digest={short[0]}}}\n# first\n"
        f"game-won 1 {{game=1 digest={short[1]}}} # quick\n"
        f"taken-back 1 {{digest={short[2]}}}\n"
    )
    assert play(read_match(stamped, rules.get)).entries == timeline.entries


def test_a_long_text_takes_time_in_proportion() -> None:
    text = HEADER.replace("seat 1", "option best-of=99\nseat 1") + "points-scored 1 1\n" * 20_000

    assert len(read_match(text, rules.get).lines) == 20_001


@given(st.text('agme-won 123{}[]"=#!\n\\:,', max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        play(read_match(HEADER + text, rules.get))
    except NotationError as error:
        assert error.line >= 1
        assert error.column >= 1


def test_log_acts_are_written_like_any_other() -> None:
    assert notation.write(TakenBack(to=3)) == "taken-back 3"
    assert notation.read(notation.LOG_ACTS, "taken-back 3") == TakenBack(to=3)


def test_the_example_in_the_documentation_holds() -> None:
    page = Path(__file__).parents[2] / "docs" / "notation.md"
    example = page.read_text("utf-8").split("```")[1]

    timeline = play(read_match(example, rules.get))

    assert timeline.entries[-1].irregular == "nothing-scored"
