"""Decks: limits by format, restricted lists by date, and cards that cannot be played at all."""

from typing import Any

import pytest

import rules
from rules.ruleset import SetupError
from rules.zx import samples
from rules.zx.acts import Options
from rules.zx.cards import BLANK_DECK, Card, Deck, size_of
from rules.zx.setup import restricted_on
from tests.rules.zx.table import RULESET, TIDE, opened, replace
from tests.rules.zx.test_examples import changed, codes


def test_a_limited_deck_has_forty_cards_and_no_other_limit() -> None:
    deck = Deck(cards=(Card(name="Pier Sentry", copies=40),))

    assert codes(deck, format="limited") == set()
    assert codes(TIDE, format="limited") == {"deck-size"}


def test_a_limited_deck_nobody_counted_has_forty_cards() -> None:
    sides = RULESET.start(opened(None, BLANK_DECK, format="limited")).board.sides

    assert [side.deck for side in sides] == [40, 40]
    assert codes(BLANK_DECK, format="limited") == set()


def test_an_extra_card_nobody_counted_counts_as_one() -> None:
    extra = tuple(Card(name=f"Gate {n}", copies=None) for n in range(17))

    assert codes(replace(TIDE, extra=extra), profile="zx-official") == {"deck-extra"}
    assert codes(replace(TIDE, extra=extra[1:]), profile="zx-official") == set()
    assert codes(replace(TIDE, extra=extra[:1])) == {"deck-extra-unused"}


def test_at_launch_life_recovery_was_asked_for() -> None:
    less = changed(TIDE, Tide_Mender=3)

    assert "deck-life-recovery-at-launch" in codes(less, profile="zx-2012")
    assert codes(less) == {"deck-size", "deck-icons"}


def test_an_unknown_card_may_carry_life_recovery() -> None:
    unknown = Deck(cards=tuple(Card(name=f"Card {n}", copies=4) for n in range(12)))
    without = replace(unknown, cards=tuple(replace(card, cost=2) for card in unknown.cards))

    launch = "deck-life-recovery-at-launch"
    assert codes(BLANK_DECK, profile="zx-2012") == set()
    assert launch not in codes(unknown, profile="zx-2012")
    assert launch in codes(without, profile="zx-2012")


def test_too_many_void_bringers() -> None:
    more = Card(name="Null", icon="ignition", keywords=("void-bringer",))
    fewer = changed(TIDE, Signal_Runner=3)

    assert codes(replace(fewer, cards=(*fewer.cards, more))) == {"deck-void-bringer"}


@pytest.mark.parametrize("keyword", ["life_recovery", "Life Recovery", "Life Recover"])
def test_a_keyword_is_known_however_it_is_written(keyword: str) -> None:
    card = Card(name="U", cost=3, icon="ignition", keywords=(keyword,), copies=5)

    assert "deck-life-recovery" in codes(Deck(cards=(card,)))
    assert card.has("life-recovery") and not card.has("void-bringer")
    assert Card(name="U", cost=3, keywords=("Range 2",)).may_reach == 2


@pytest.mark.parametrize("where", [{"player": "Moss Ferrier"}, {"extra": samples.loose()[:1]}])
def test_a_sealed_card_is_sealed_outside_the_fifty_too(where: dict[str, Any]) -> None:
    sealed = replace(TIDE, **where)

    assert codes(sealed, bans="2026-02-01", profile="zx-official") >= {"deck-banned"}
    assert "deck-banned" not in codes(sealed, bans="2025-02-01", profile="zx-official")


@pytest.mark.parametrize(
    ("limit", "found"), [(None, {"deck-copies"}), (20, set()), (19, {"deck-copies"})]
)
def test_a_card_may_say_how_many_copies_there_may_be(limit: int | None, found: set[str]) -> None:
    swarm = Card(name="Swarm", icon="none", copies=20, limit=limit)

    assert codes(Deck(cards=(swarm,))) & {"deck-copies"} == found


def test_the_player_card_is_not_in_the_deck() -> None:
    assert codes(replace(TIDE, player="Pier Sentry")) == {"deck-type"}


@pytest.mark.parametrize(
    ("day", "found"),
    [("", set()), ("2012-01-01", set()), ("2025-12-31", set()), ("2026-01-01", {"deck-banned"})],
)
def test_a_sealed_card_counts_from_its_day(day: str, found: set[str]) -> None:
    fewer = changed(TIDE, Pier_Sentry=3)
    deck = replace(fewer, cards=(*fewer.cards, replace(samples.loose()[0], copies=1)))

    assert codes(deck, bans=day) == found


def test_of_a_legend_one_copy_is_allowed() -> None:
    two = changed(TIDE, Bell_Archivist=2, Pier_Sentry=3)

    assert codes(two, bans="2026-02-01") == {"deck-legend"}
    assert codes(TIDE, bans="2026-02-01") == set()


def test_the_lists_are_asked_by_day() -> None:
    assert restricted_on("1999-01-01").sealed == ()
    assert RULESET.tools["restrictions"]("2026-01-01")["legend"] == ("Bell Archivist",)


def test_a_deck_of_blank_cards_is_complete() -> None:
    assert size_of(BLANK_DECK) == 50
    assert list(RULESET.check_deck(None, Options())) == []
    assert codes(BLANK_DECK) == set()


def test_a_deck_too_small_to_begin_is_no_setup() -> None:
    with pytest.raises(SetupError) as refused:
        RULESET.start(opened(Deck(cards=(Card(name="Pier Sentry", copies=10),)), TIDE))

    assert refused.value.problem.code == "too-few-cards"


def test_two_play() -> None:
    with pytest.raises(SetupError) as refused:
        RULESET.start(opened(TIDE, TIDE, TIDE))

    assert refused.value.problem.code == "seat-count"
    assert rules.get("zx").seats == range(2, 3)
