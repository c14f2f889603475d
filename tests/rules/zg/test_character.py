"""The character card saves a card once; a fatal slag waits for its owner's decision."""

import pytest

from rules.zg.cards import Deck
from tests.rules.zg.full import MOVERS, at, full
from tests.rules.zg.table import (
    DECK,
    MODES,
    SAVER,
    attacks,
    followed,
    offered,
    opened,
    outcome,
    played,
    stand,
    verdict,
    view,
)

SAVERS = opened(SAVER, SAVER)


def test_f11_the_character_card_given_up_keeps_the_card() -> None:
    lines = ["attacked 1 Two a 2 Shield a", "character-spent 2"]

    assert followed(*lines, setup=SAVERS) == ["card-restored"]
    seat = view(played(*lines, setup=SAVERS))["seats"][1]
    assert (seat["gear"], seat["character"], seat["character_spent"]) == (9, "Ada", True)


def test_a_character_card_is_given_up_once() -> None:
    lines = ["attacked 1 Two a 2 Shield a", "character-spent 2", "attacked 1 Three a 2 Boots a"]

    timeline = played(*lines, setup=SAVERS)

    assert verdict(timeline, "character-spent 2") == "irregular character-is-spent"


def test_a_character_card_saves_only_the_card_just_slagged() -> None:
    timeline = played("attacked 1 Two a 2 Shield a", "moved 1", setup=SAVERS)

    assert verdict(timeline, "character-spent 2") == "irregular nothing-to-save"
    assert verdict(timeline, "character-spent 1") == "irregular nothing-to-save"
    assert followed("attacked 1 Two a 2 Shield a", "character-spent! 1", setup=SAVERS) == []


def test_the_attacker_keeps_the_follow_up() -> None:
    timeline = played("attacked 1 Three a 2 Shield a", "character-spent 2", setup=SAVERS)

    assert view(timeline)["follow_up"]["card"] == "Three"
    assert verdict(timeline, "attacked 1 Three a 2 Shield a") == "legal"


def test_a_deck_without_a_character_card_saves_nothing() -> None:
    timeline = played("attacked 1 Two a 2 Shield a")

    assert verdict(timeline, "character-spent 2") == "irregular no-character-card"


def test_a_mode_deck_replaces_the_character_card() -> None:
    timeline = played("attacked 1 Two a 2 Shield a", setup=opened(SAVER, MODES))

    assert verdict(timeline, "character-spent 2") == "irregular mode-deck-instead"


def test_a_seat_can_not_be_named_that_is_not_there() -> None:
    assert verdict(played(setup=SAVERS), "character-spent 3") == "impossible no-such-seat"
    assert verdict(played(setup=SAVERS), "slag-accepted 3") == "impossible no-such-seat"


# -- the Ulster -----------------------------------------------------------------------

FATAL = "attacked 1 Two a 2 Ulster a"


def test_a_fatal_slag_waits_for_its_owners_word() -> None:
    timeline = played(FATAL, setup=SAVERS)

    assert view(timeline)["next"] == {"what": "save", "seat": 2}
    assert outcome(FATAL, setup=SAVERS) is None
    assert verdict(timeline, "attacked 1 One a 2 Boots a") == "irregular save-to-decide"
    assert verdict(timeline, "turn-passed 1") == "irregular save-to-decide"
    assert ("attacked", 1) not in offered(timeline)


def test_the_character_card_saves_the_ulster() -> None:
    assert followed(FATAL, "character-spent 2", setup=SAVERS) == ["card-restored"]


def test_a_seat_may_let_its_ulster_go() -> None:
    assert followed(FATAL, "slag-accepted 2", setup=SAVERS) == ["seat-defeated", "match-won"]


def test_playing_on_lets_it_go_as_well() -> None:
    assert followed(FATAL, "moved! 1", setup=SAVERS) == ["seat-defeated", "match-won"]


def test_without_a_character_card_the_match_is_over_at_once() -> None:
    assert followed(FATAL)[-2:] == ["seat-defeated", "match-won"]


def test_nobody_moves_before_it_is_said() -> None:
    setup = full(MOVERS, Deck(cards=MOVERS.cards, character="Ada"))
    timeline = at("attacked 1 Left a 2 Suit a", setup=setup)

    assert verdict(timeline, "travelled 1 Odd cards=1") == "irregular save-to-decide"


def test_there_is_nothing_to_accept_when_nothing_waits() -> None:
    timeline = played("attacked 1 Two a 2 Shield a", setup=SAVERS)

    assert verdict(timeline, "slag-accepted 2") == "irregular nothing-to-accept"
    assert verdict(played(FATAL, setup=SAVERS), "slag-accepted 1") == "irregular nothing-to-accept"


def test_a_fatal_slag_may_be_tested_again_first() -> None:
    lines = [FATAL, "retested 2 attack b"]

    assert followed(*lines, setup=SAVERS) == ["card-restored", "card-tested"]


def test_the_last_pulse_ends_once_the_card_is_saved() -> None:
    lines = [*attacks(1, 2, ("Miss", "Boots")), FATAL]

    assert followed(*lines, setup=SAVERS) == ["card-tested", "card-slagged"]
    assert followed(*lines, "character-spent 2", setup=SAVERS) == ["card-restored", "pulses-ended"]


def test_who_is_left_alone_wins_though_a_card_could_still_be_saved() -> None:
    assert followed(FATAL, "conceded 1", setup=SAVERS) == ["seat-defeated", "match-won"]
    won = outcome(FATAL, "conceded 1", setup=SAVERS)
    assert won is not None
    assert won.winners == (2,)


def test_a_card_saved_after_the_end_reopens_the_match_when_the_table_lets_it_stand() -> None:
    timeline = played(FATAL)

    assert verdict(timeline, "character-spent 2") == "irregular match-over"
    stand(timeline, "character-spent 2")
    assert view(timeline)["outcome"] is None
    assert verdict(timeline, "attacked 1 One a 2 Boots a") == "legal"


def test_a_third_seat_falls_without_ending_the_match() -> None:
    setup = opened(DECK, SAVER, DECK)

    assert followed(FATAL, "slag-accepted 2", setup=setup) == ["seat-defeated"]


@pytest.mark.parametrize("line", ["ruled slag foe=1 target=Boots", "ruled end-turn"])
def test_no_ruling_takes_the_word_from_who_may_still_save(line: str) -> None:
    timeline = played("attacked 1 Two a 2 Ulster a", setup=SAVERS)

    assert verdict(timeline, line) == "irregular save-to-decide"
