"""Deck lists as players write them: every usual form, and all problems of one at once."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import texts
from rules.capabilities import DeckList, SupportsDeckLists
from rules.zx import samples
from rules.zx.acts import Options
from rules.zx.cards import Deck, size_of
from tests.rules.zx.table import RULESET, TIDE, replace


def read(text: str, **known: object) -> DeckList:
    return RULESET.read_list(text, known)


def codes(text: str) -> list[tuple[int, str]]:
    return [(line, problem.code) for line, problem in read(text).problems]


def deck_of(text: str) -> Deck:
    return msgspec.convert(read(text).deck, Deck)


@pytest.mark.parametrize(
    "line",
    [
        "4 Pier Sentry",
        "4x Pier Sentry",
        "4 x  pier  sentry",
        "x4 Pier Sentry",
        "4× D01-002 Pier Sentry",
        "4 Pier Sentry (D01-002)",
        "4x d01-002",
        "Pier Sentry x4",
        "- 4 Pier Sentry",
        "Pier Sentry (4)",
        "D01-002: Pier Sentry ×4",
        "4枚 Pier Sentry",
        "Pier Sentry　4枚",
    ],
)
def test_every_usual_form_of_a_line(line: str) -> None:
    found = read(line)
    (card,) = deck_of(line).cards

    assert found.problems == ()
    assert (card.name, card.no, card.copies, card.power) == ("Pier Sentry", "D01-002", 4, 3500)


@pytest.mark.parametrize("name", ["Tidewatch", "Cinderline"])
def test_a_deck_written_as_a_list_reads_back(name: str) -> None:
    deck = samples.decks()[name]
    nobodys = RULESET.write_list(msgspec.structs.replace(deck, player=""))

    assert nobodys.startswith("# ")
    back = deck_of(RULESET.write_list(deck))

    assert sorted(back.cards, key=str) == sorted(deck.cards, key=str)
    assert back.player == deck.player
    assert RULESET.check_deck(back, Options()) == []


def test_the_player_card_is_outside_and_the_start_card_is_one_of_the_fifty() -> None:
    text = RULESET.write_list(TIDE).replace("2 D01-001 Lantern Skipper", "1 Choir Warden")
    named = deck_of(f"Start: Lantern Skipper\n{text}")
    pointed = deck_of(f"Start card\nLantern Skipper\n{RULESET.write_list(TIDE)}")

    assert (named.start, named.player) == ("Lantern Skipper", "Ioan, Harbour Reeve")
    assert size_of(named) == size_of(pointed) == 50


def test_a_start_card_has_to_carry_the_text_and_to_be_there() -> None:
    wrong = msgspec.structs.replace(TIDE, start="Pier Sentry")
    gone = msgspec.structs.replace(TIDE, start="Stoker Apprentice")
    right = msgspec.structs.replace(TIDE, start="Lantern Skipper")

    assert [p.code for p in RULESET.check_deck(wrong, Options())] == ["deck-start"]
    assert [p.code for p in RULESET.check_deck(gone, Options())] == ["deck-start-missing"]
    assert RULESET.check_deck(right, Options()) == []


def test_all_that_is_wrong_is_said_at_once_with_its_line() -> None:
    text = "\n".join(
        [
            "My favourite cards",
            "0 Pier Sentry",
            "51 Undertow",
            "4 D01-002 Tide Mender",
            "Events (4)",
            "4 Choir Warden",
            "Player: Ioan, Harbour Reeve",
            "Player: Mirel of the Slag Road",
            "Start: Lantern Skipper",
            "Start: Lantern Skipper",
            "Extra deck:",
            "1 Something dynamic",
            "# a remark",
            f"4 {'x' * 81}",
        ]
    )

    assert codes(text) == [
        (1, "list-line"),
        (2, "list-copies"),
        (3, "list-copies"),
        (4, "list-other-card"),
        (6, "list-heading"),
        (8, "list-two-players"),
        (10, "list-two-starts"),
        (14, "list-name"),
    ]


def test_what_the_rules_say_is_told_at_the_line_of_its_card() -> None:
    text = RULESET.write_list(TIDE).replace("4 D01-012 Signal Runner", "3 D01-012 Signal Runner")
    found = read(f"{text}# No icon\n1 Pier Sentry\n")
    told = RULESET.check_deck(msgspec.convert(found.deck, Deck), Options())

    assert [(found.line_of(each) > 0, each.code) for each in told] == [
        (True, "deck-copies"),
        (False, "deck-icons"),
    ]


def test_an_extra_deck_is_registered_outside_the_fifty() -> None:
    text = RULESET.write_list(TIDE) + "\n# Extra deck\n3 E07-056 Deep Harbour\n14 Tide Gate\n"
    deck = deck_of(text)

    assert [(card.name, card.copies) for card in deck.extra] == [
        ("Deep Harbour", 3),
        ("Tide Gate", 14),
    ]
    assert deck.cards == TIDE.cards
    assert deck_of(RULESET.write_list(deck)) == deck
    for options, code in (
        (Options(), "deck-extra-unused"),
        (Options(profile="zx-official"), "deck-extra"),
    ):
        assert [each.code for each in RULESET.check_deck(deck, options)] == [code]
    fewer = replace(deck, extra=deck.extra[1:])
    assert RULESET.check_deck(fewer, Options(profile="zx-official")) == []


def test_of_a_card_nobody_entered_the_heading_is_what_is_known() -> None:
    found = read("# Life Recovery [4]\n4 B17-101 Foo\n== Events ==\n4 Bar\n# Z/X\n1 Baz")
    foo, bar, baz = deck_of(
        "# Life Recovery [4]\n4 B17-101 Foo\n== Events ==\n4 Bar\n# Z/X\n1 Baz"
    ).cards

    assert (foo.icon, foo.keywords, foo.no) == ("ignition", ("life-recovery",), "B17-101")
    assert (bar.type, baz.ignites) == ("event", None)
    assert [each.known for each in found.lines] == [False] * 3


def test_of_a_card_that_is_hardly_known_a_heading_is_believed() -> None:
    known = {"New One": {"name": "New One", "icon": "ignition"}}

    assert read("# Life Recovery\n2 New One", **known).problems == ()
    wrong = read("# Life Recovery\n2 New One", **{"New One": known["New One"] | {"cost": 3}})
    assert [problem.code for _, problem in wrong.problems] == ["list-heading"]


@pytest.mark.parametrize(
    ("text", "heading"),
    [("# without icon\n4 Signal Runner", "No icon"), ("LR\n4 Hollow Diver", "Life Recovery")],
)
def test_a_heading_is_named_as_players_write_it(text: str, heading: str) -> None:
    ((_, problem),) = read(text).problems

    told = texts.of_finding(RULESET.texts, problem, {})
    assert told.endswith(f"does not belong under “{heading}”. (ZX-C1)")


@pytest.mark.parametrize(
    ("heading", "keywords", "kind"),
    [
        ("# Life Recover", ("life-recovery",), "zx"),
        ("# Life Recoveries (4)", ("life-recovery",), "zx"),
        ("Void Bringers:", ("void-bringer",), "zx"),
        ("# Event Cards", (), "event"),
        ("# Cards I like", (), "zx"),
    ],
)
def test_a_card_stands_under_the_last_heading(
    heading: str, keywords: tuple[str, ...], kind: str
) -> None:
    before, under = deck_of(f"# Void Bringer\n4 Foo\n{heading}\n4 Bar").cards

    assert before.keywords == ("void-bringer",)
    assert (under.keywords, under.type) == (keywords, kind)


def test_what_is_known_of_a_card_may_come_from_outside() -> None:
    found = read("2 new one", **{"New One": {"name": "New One", "icon": "ignition", "cost": 2}})

    assert found.deck["cards"][0]["icon"] == "ignition"
    assert found.lines[0].known


def test_a_list_of_too_many_lines_says_so() -> None:
    found = read("\n".join(f"1 Card {number}" for number in range(120)))

    assert [(line, problem.code) for line, problem in found.problems] == [(100, "list-too-long")]
    assert len(found.deck["cards"]) == 99


def test_the_day_of_a_tournament_counts_unless_the_options_name_one() -> None:
    assert isinstance(RULESET, SupportsDeckLists)
    assert RULESET.options_on(Options(), "2026-02-01").bans == "2026-02-01"
    assert RULESET.options_on(Options(bans="2012-07-01"), "2026-02-01").bans == "2012-07-01"


@settings(max_examples=60)
@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from("4 x×Start:Player\n#()[]D01-002é \u202e")).map("".join)
)
def test_any_text_is_read_to_a_deck_that_can_be_told(text: str) -> None:
    found = read(text)

    deck = msgspec.convert(found.deck, Deck)
    for problem in [problem for _, problem in found.problems]:
        assert RULESET.texts[problem.code].format_map(problem.params)
    assert RULESET.read_list(RULESET.write_list(deck), {}) is not None
