"""Cards that nobody entered beforehand can be played all the same."""

from rules.zg.cards import Card, Deck
from rules.zg.consequences import CardTested, FollowUpEarned
from tests.rules.zg.table import (
    BLANK_FACED,
    DECK,
    consequence,
    followed,
    last,
    offered,
    opened,
    played,
    verdict,
    view,
)

BLANKS = opened(None, None)
FACES = opened(DECK, BLANK_FACED)


def test_a_seat_without_a_deck_plays_nine_blank_cards() -> None:
    names = [card["name"] for card in view(played(setup=BLANKS))["seats"][0]["cards"]]

    assert names == [
        "Helmet",
        "Frontgear",
        "Backgear",
        "Footgear",
        "Footgear 2",
        "Shield",
        "Claw",
        "Generator",
        "Ulster",
    ]


def test_an_attack_needs_ends_that_are_known() -> None:
    timeline = played(setup=FACES)

    assert verdict(timeline, "attacked 1 Two a 2 Fog a") == "impossible end-unknown"
    assert verdict(timeline, "attacked 2 Mist b 1 Two a") == "impossible end-unknown"
    assert verdict(timeline, "attacked 2 Mist a 1 Two a") == "legal"
    assert ("attacked", 1) not in offered(played(setup=BLANKS))


def test_an_end_typed_once_is_remembered() -> None:
    timeline = played('end-shown 2 Fog b "G##o* R B"', setup=FACES)

    assert verdict(timeline, "attacked 1 Two a 2 Fog b") == "legal"
    assert verdict(timeline, "attacked 1 Two a 2 Fog a") == "impossible end-unknown"
    fog = view(timeline)["seats"][1]["cards"][7]
    assert (fog["a"], fog["b"]) == ("", "G*##o R B")


def test_an_end_that_is_known_is_typed_again_only_by_way_of_correction() -> None:
    timeline = played('end-shown 2 Fog b "R R R"', setup=FACES)

    assert verdict(timeline, 'end-shown 2 Fog b "R R G"') == "irregular end-known"
    assert verdict(timeline, 'end-shown 1 Two a "R R G"') == "irregular end-known"
    corrected = played('end-shown 2 Fog b "R R R"', 'end-shown! 2 Fog b "R R G"', setup=FACES)
    assert view(corrected)["seats"][1]["cards"][7]["b"] == "R R G"


def test_ends_are_shown_of_cards_that_are_there() -> None:
    timeline = played(setup=FACES)

    assert verdict(timeline, 'end-shown 2 Lamp b "R R R"') == "impossible no-such-card"
    assert verdict(timeline, 'end-shown 3 Fog b "R R R"') == "impossible no-such-seat"


def test_what_is_still_to_be_shown_is_on_offer() -> None:
    assert offered(played(setup=FACES)).count(("end-shown", 2)) == 2
    assert ("end-shown", 1) not in offered(played(setup=FACES))


# -- called tests ---------------------------------------------------------------------


def test_a_test_is_called_by_its_strikes() -> None:
    tested = consequence(CardTested, last("test-called 1 Helmet 2 Claw 2", setup=BLANKS))

    assert (tested.strikes, tested.result, tested.dot_matches) == (2, "slag", None)
    assert tested.dots == ()
    assert followed("test-called 1 Helmet 2 Claw 2", setup=BLANKS) == [
        "card-tested",
        "card-slagged",
    ]


def test_matches_tell_a_block_from_a_miss() -> None:
    def result(line: str) -> str:
        return str(consequence(CardTested, last(line, setup=BLANKS)).result)

    assert result("test-called 1 Helmet 2 Claw 0") == "no-strike"
    assert result("test-called 1 Helmet 2 Claw 0 dot-matches=0") == "miss"
    assert result("test-called 1 Helmet 2 Claw 0 dot-matches=2") == "blocked"


def test_a_called_test_uses_up_a_pulse_and_its_card() -> None:
    timeline = played("test-called 1 Helmet 2 Claw 0", setup=BLANKS)

    assert view(timeline)["pulse"] == 2
    assert verdict(timeline, "test-called 1 Helmet 2 Claw 0") == "irregular card-already-played"


def test_a_called_test_may_earn_a_follow_up_with_either_end() -> None:
    earned = consequence(FollowUpEarned, last("test-called 1 Two 2 Fog 3", setup=FACES))

    assert earned.end == ""
    timeline = played("test-called 1 Two 2 Fog 3", setup=FACES)
    assert verdict(timeline, "attacked 1 Two a 2 Shield a") == "legal"
    assert verdict(timeline, "attacked 1 Two b 2 Shield a") == "legal"
    assert verdict(timeline, "test-called 1 Two 2 Shield 1") == "legal"
    assert (
        view(played("test-called 1 Two 2 Fog 3", "test-called 1 Two 2 Shield 1", setup=FACES))[
            "pulse"
        ]
        == 2
    )


def test_no_test_gives_more_strikes_than_the_reading_can() -> None:
    adding = opened(None, None, options={"strikes": "card_tests"})
    strict = opened(None, None, options={"strict_time_order": True})

    assert verdict(played(setup=BLANKS), "test-called 1 Helmet 2 Claw 6") == "legal"
    assert verdict(played(setup=BLANKS), "test-called 1 Helmet 2 Claw 7") == (
        "irregular too-many-strikes"
    )
    assert verdict(played(setup=adding), "test-called 1 Helmet 2 Claw 9") == "legal"
    without_match = "test-called 1 Helmet 2 Claw {} dot-matches=0"
    assert verdict(played(setup=BLANKS), without_match.format(3)) == "legal"
    assert verdict(played(setup=BLANKS), without_match.format(4)) == "irregular too-many-strikes"
    assert verdict(played(setup=strict), without_match.format(1)) == "irregular too-many-strikes"
    one, two = (f"test-called 1 Helmet 2 Claw {{}} dot-matches={matches}" for matches in (1, 2))
    bounds = (BLANKS, one, 4), (BLANKS, two, 5), (adding, two, 7), (strict, one, 4)
    for setup, line, most in bounds:
        assert verdict(played(setup=setup), line.format(most)) == "legal"
        assert verdict(played(setup=setup), line.format(most + 1)) == "irregular too-many-strikes"


def test_the_ulster_of_a_blank_deck_counts() -> None:
    assert followed("test-called 1 Helmet 2 Ulster 2", setup=BLANKS)[-1] == "match-won"


def test_a_second_card_of_a_name_gets_a_number() -> None:
    cards = [Card(name=name) for name in ("Feet", "Feet", "Feet 2", "Feet", "Helm")]
    setup = opened(Deck(cards=tuple(cards)), DECK)

    names = [card["name"] for card in view(played(setup=setup))["seats"][0]["cards"]]

    assert names == ["Feet", "Feet 3", "Feet 2", "Feet 4", "Helm"]
