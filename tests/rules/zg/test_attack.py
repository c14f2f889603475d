"""Attacks: targets, means, and the cards drawn for them."""

import hashlib

import pytest

from rules.zg.cards import Card, Deck
from rules.zg.consequences import CardTested
from tests.rules.zg.table import (
    CARDS,
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

PROMISED = opened(commitment=hashlib.sha256(b"seed").hexdigest())


def test_an_attack_compares_the_ends_that_face_each_other() -> None:
    tested = consequence(CardTested, last("attacked 1 Two a 2 Shield a"))

    assert (tested.dot_matches, tested.strikes, tested.result) == (2, 2, "slag")
    assert [dot.attack for dot in tested.dots] == ["R", "G", "R"]
    assert [dot.target for dot in tested.dots] == ["R", "G", "B"]


def test_the_end_that_faces_counts() -> None:
    tested = consequence(CardTested, last("attacked 1 Two a 2 Shield b"))

    assert (tested.dot_matches, tested.result) == (1, "targetlock")


def test_a_miss_and_a_block_do_nothing() -> None:
    assert followed("attacked 1 Miss a 2 Shield a") == ["card-tested"]
    assert followed("attacked 1 Three a 2 Frail b") == ["card-tested"]


def test_bolsters_and_augments_count() -> None:
    def result(*extras: str) -> str:
        line = " ".join(["attacked 1 Two a 2 Shield a", *extras])
        return str(consequence(CardTested, last(line)).result)

    assert result("bolsters=[1]") == "targetlock"
    assert result("bolsters=[1]", "augments=[1]") == "slag"
    assert result("bolsters=[1,1]", "augments=[1]") == "targetlock"
    assert verdict(played(), "attacked 1 Two a 2 Shield a bolsters=[2,1]") == (
        "impossible dots-out-of-order"
    )


def test_a_deck_written_as_read_with_its_end_on_top_faces_the_other_way() -> None:
    setup = opened(options={"mirror_alignment": True})

    tested = consequence(CardTested, last("attacked 1 Three a 2 Shield a", setup=setup))

    assert [(dot.attack, dot.target) for dot in tested.dots] == [("R", "B"), ("G", "G"), ("B", "R")]


def test_a_bolster_goes_on_the_dot_as_its_own_card_shows_it() -> None:
    setup = opened(options={"mirror_alignment": True})
    line = "attacked 1 Three a 2 Shield a bolsters=[1]"

    tested = consequence(CardTested, last(line, setup=setup))

    assert [dot.target for dot in tested.dots] == ["B", "G", "R#"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("attacked 1 Two a 1 Shield a", "impossible own-seat"),
        ("attacked 1 Two a 3 Shield a", "impossible no-such-seat"),
        ("attacked 1 Spear a 2 Shield a", "impossible no-such-card"),
        ("attacked 1 Two a 2 Spear a", "impossible no-such-card"),
        ("attacked 1 Two a 2 Shield a spin=server", "impossible no-server-draws"),
    ],
)
def test_nonsensical_input_is_refused(line: str, expected: str) -> None:
    assert verdict(played(), line) == expected


def test_a_defeated_seat_neither_attacks_nor_is_attacked() -> None:
    timeline = played("conceded 2", setup=opened(DECK, DECK, DECK))

    assert verdict(timeline, "attacked 1 Two a 2 Shield a") == "impossible seat-out"
    assert verdict(timeline, "attacked 2 Two a 1 Shield a") == "impossible seat-out"
    assert verdict(timeline, "attacked 1 Two a 3 Shield a") == "legal"


def test_a_slagged_card_is_no_target() -> None:
    timeline = played("attacked 1 Two a 2 Shield a")

    assert verdict(timeline, "attacked 1 One a 2 Shield a") == "irregular is-slagged"
    assert followed("attacked 1 Two a 2 Shield a", "attacked! 1 Three b 2 Shield b") == [
        "card-tested"
    ]


def test_strikes_on_a_card_that_is_gone_slag_nothing_more() -> None:
    lines = ["attacked 1 Two a 2 Shield a", "attacked! 1 Boots b 2 Shield a"]

    assert followed(*lines) == ["card-tested", "follow-up-earned"]


# -- cover ----------------------------------------------------------------------------


def test_f6_gear_behind_cover_makes_the_attack_fail_without_a_test() -> None:
    assert followed("cover-called 1 Two a 2 Shield") == ["attack-failed"]
    assert view(played("cover-called 1 Two a 2 Shield"))["pulse"] == 2


def test_a_follow_up_may_find_cover_as_well() -> None:
    lines = ["attacked 1 Three a 2 Shield a", "cover-called 1 Three a 2 Boots"]

    assert followed(*lines) == ["attack-failed"]
    assert view(played(*lines))["pulse"] == 2
    assert view(played(*lines))["follow_up"] is None


# -- a target drawn -------------------------------------------------------------------


def test_a_drawn_card_is_attacked_next() -> None:
    timeline = played("target-drawn 1 2 Shield")

    assert view(timeline)["next"] == {"what": "target", "seat": 1}
    assert verdict(timeline, "attacked 1 Two a 2 Shield a") == "legal"
    assert verdict(timeline, "attacked 1 Two a 2 Boots a") == "irregular card-is-drawn"
    assert verdict(timeline, "cover-called 1 Two a 2 Shield") == "legal"
    assert verdict(timeline, "moved 1") == "irregular card-is-drawn"
    assert verdict(timeline, "turn-passed 1") == "irregular card-is-drawn"
    assert verdict(timeline, "target-drawn 1 2 Boots") == "irregular card-is-drawn"
    assert ("target-drawn", 1) not in offered(timeline)


def test_the_attack_uses_up_the_drawn_card() -> None:
    assert view(played("target-drawn 1 2 Shield", "attacked 1 Two a 2 Shield a"))["drawn"] is None


def test_a_card_is_drawn_for_a_follow_up() -> None:
    lines = ["attacked 1 Three a 2 Shield a", "target-drawn 1 2 Boots"]

    assert verdict(played(*lines), "attacked 1 Three a 2 Boots a") == "legal"
    assert verdict(played(*lines), "attacked 1 Two a 2 Boots a") == "legal"


def test_drawing_needs_a_foe_a_card_and_a_pulse() -> None:
    timeline = played("attacked 1 Two a 2 Shield a")

    assert verdict(timeline, "target-drawn 1 1 Boots") == "impossible own-seat"
    assert verdict(timeline, "target-drawn 1 2 Spear") == "impossible no-such-card"
    assert verdict(timeline, "target-drawn 1 2 Shield") == "irregular is-slagged"
    assert verdict(timeline, "target-drawn 2 1 Shield") == "irregular not-your-pulse"


# -- the server draws and spins -------------------------------------------------------


def test_the_server_spins_only_when_it_promised_to() -> None:
    timeline = played(setup=PROMISED)

    assert verdict(timeline, "attacked 1 Two a 2 Shield a spin=server") == "legal"
    assert verdict(timeline, "target-drawn 1 2 Shield spin=server") == "legal"


def test_the_server_spins_only_a_card_whose_ends_are_known() -> None:
    half = Deck(cards=(*CARDS[:-1], Card(name="Ulster", slot="Ulster", a="R G B")))
    timeline = played(setup=opened(DECK, half, commitment=PROMISED.commitment))

    assert verdict(timeline, "attacked 1 Two a 2 Ulster a") == "legal"
    assert verdict(timeline, "attacked 1 Two a 2 Ulster a spin=server") == "impossible end-unknown"
