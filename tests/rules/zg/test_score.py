"""Depth `score`: what is slagged, and who won."""

from tests.rules.zg.full import full
from tests.rules.zg.table import (
    DECK,
    SAVER,
    followed,
    offered,
    opened,
    outcome,
    played,
    verdict,
    view,
)

SCORE = opened(options={"depth": "score"})
SAVERS = opened(DECK, SAVER, options={"depth": "score"})


def test_slags_are_called() -> None:
    assert followed("slag-called 1 2 Shield", setup=SCORE) == ["card-slagged"]
    assert view(played("slag-called 1 2 Shield", setup=SCORE))["seats"][1]["gear"] == 8


def test_a_slagged_ulster_decides_the_match() -> None:
    assert followed("slag-called 2 1 Ulster", setup=SCORE)[-1] == "match-won"


def test_the_winner_may_be_named() -> None:
    won = outcome("won-called 2", setup=SCORE)

    assert won is not None
    assert (won.winners, won.places, won.why) == ((2,), (2, 1), "by-call")


def test_the_character_card_saves_a_card_here_as_well() -> None:
    assert followed("slag-called 1 2 Ulster", "character-spent 2", setup=SAVERS) == [
        "card-restored"
    ]
    timeline = played("slag-called 1 2 Ulster", setup=SAVERS)
    assert view(timeline)["next"] == {"what": "save", "seat": 2}
    assert verdict(timeline, "slag-called 2 1 Shield") == "irregular save-to-decide"


def test_only_another_seats_card_in_play_is_slagged() -> None:
    timeline = played("slag-called 1 2 Shield", setup=SCORE)

    assert verdict(timeline, "slag-called 1 2 Shield") == "irregular is-slagged"
    assert verdict(timeline, "slag-called 1 1 Shield") == "impossible own-seat"
    assert verdict(timeline, "slag-called 1 2 Spear") == "impossible no-such-card"
    assert followed("slag-called 1 2 Shield", "slag-called! 1 2 Shield", setup=SCORE) == []


def test_a_mates_card_is_not_slagged() -> None:
    timeline = played(setup=full(DECK, DECK, DECK, krewes=("Komets", "", "Komets"), depth="score"))

    assert verdict(timeline, "slag-called 1 3 Shield") == "irregular own-krewe"
    assert verdict(timeline, "slag-called 1 2 Shield") == "legal"


def test_at_depth_score_nothing_of_the_turn_is_asked_for() -> None:
    kinds = {kind for kind, _ in offered(played(setup=SCORE))}

    assert kinds == {
        "slag-called",
        "won-called",
        "prime-called",
        "conceded",
        "ruled",
        "options-changed",
    }
    assert verdict(played(setup=SCORE), "impulse-won 1") == "irregular other-depth"
