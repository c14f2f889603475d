"""Powerups as printed, the windows of a turn, and decks with modes, arenas and krewes."""

from typing import Any

import msgspec
import pytest

from rules.ruleset import SetupError
from rules.zg.acts import Options
from rules.zg.cards import Card, Deck, ModeCard, mode_times
from rules.zg.powerups import Powerup, read
from tests.rules.zg.full import MOVERS, at, full
from tests.rules.zg.table import RULESET, consequence, followed, last, stand, verdict
from tests.rules.zg.test_terrain import AIRLOCK, CRATE, arena

TIMED = Deck(
    cards=(
        *MOVERS.cards,
        Card(
            name="Torch",
            slot="Claw",
            move=4,
            range=0,
            a="R G B",
            powerups=("Burst (Replace, Time 5)", "Flare (Extra, Time 3)", "Glide (Time 4)"),
        ),
        Card(name="Finish", slot="Claw", move=1, a="R G B", powerups=("Crush (Extra, Time 6)",)),
    ),
    modes=("Wits", ModeCard(name="Dawn", time=2), ModeCard(name="Eve", time=1)),
)


@pytest.mark.parametrize(
    ("printed", "powerup"),
    [
        ("Scan", Powerup("scan", "extra", None)),
        ("Zone", Powerup("zone", "", None)),
        ("Burst (Replace, Time 5)", Powerup("burst", "replace", 5)),
        ("Burst (extra)", Powerup("burst", "extra", None)),
        ("Deep Burst (Time 10)", Powerup("deep burst", "", 10)),
        ("Burst ()", None),
        ("Burst (Replace, )", None),
        ("Burst (, Time 5)", None),
        ("Burst (Time 11)", None),
        ("Burst (Sometimes)", None),
        ("", None),
    ],
)
def test_a_powerup_is_read_as_it_is_printed(printed: str, powerup: Powerup | None) -> None:
    assert read(printed) == powerup


def test_a_knockback_in_place_of_an_attack_is_for_the_players() -> None:
    hook = Card(name="Hook", slot="Claw", move=1, a="R G B", powerups=("Knockback (Replace)",))
    setup = full(Deck(cards=(*MOVERS.cards, hook)), MOVERS)
    instead = 'powerup-used 1 Hook "Knockback (Replace)"'

    assert verdict(at(setup=setup), f"{instead} instead=true") == "legal"
    assert verdict(at(setup=setup), instead) == "irregular is-replace"
    assert "knocked-back" not in followed("attacked 1 Hook a 2 Left a", setup=setup)
    called = at("test-called 1 Hook 2 Left 2", setup=setup)
    assert verdict(called, "knockdown-called 2 figure 1") == "irregular not-knocked-back"


def test_what_comes_in_place_of_an_attack_does_not_come_with_one() -> None:
    mine = at("impulse-won 1", setup=full(TIMED, TIMED))
    burst = 'powerup-used 1 Torch "Burst (Replace, Time 5)"'

    assert verdict(mine, burst) == "irregular is-replace"
    assert verdict(mine, f"{burst} instead=true") == "legal"


def test_a_powerup_works_in_its_step() -> None:
    setup = full(TIMED, TIMED)
    flare, glide = (
        f'powerup-used 1 Torch "{p}"' for p in ("Flare (Extra, Time 3)", "Glide (Time 4)")
    )
    crush = 'powerup-used 2 Finish "Crush (Extra, Time 6)"'
    begun, theirs = at("impulse-won 1", setup=setup), at("impulse-won 2", setup=setup)
    hit = at("attacked 1 Left a 2 Left a", setup=setup)

    assert verdict(at(setup=setup), flare) == "legal"
    assert verdict(begun, flare) == "irregular not-its-time"
    assert verdict(begun, glide) == "legal"
    assert verdict(theirs, glide) == "irregular not-its-time"
    assert verdict(begun, crush) == "irregular no-test-for-it"
    assert verdict(hit, crush) == "legal"


def test_a_mode_card_of_the_start_does_not_work_later() -> None:
    panel = at("mode-drawn 1 Dawn start", setup=full(TIMED, TIMED))
    later = at("mode-drawn 1 Dawn start", "moved 1", setup=full(TIMED, TIMED))

    assert verdict(panel, "mode-used 1 Dawn") == "legal"
    assert verdict(later, "mode-used 1 Dawn") == "irregular not-its-time"
    setup = at("mode-drawn 1 Eve start", setup=full(TIMED, TIMED))
    assert verdict(setup, "mode-used 1 Eve") == "legal"
    second = stand(setup, "turn-passed 1", "turn-passed 2")
    assert verdict(second, "mode-used 1 Eve") == "irregular not-its-time"


def test_two_mode_cards_of_one_name_are_two() -> None:
    deck = Deck(cards=(), modes=("Wits", "Wits", ModeCard(name="Wits", time=4)))

    assert mode_times(deck) == {"Wits": None, "Wits 2": None, "Wits 3": 4}


def test_a_split_move_rises_no_higher_than_one_move() -> None:
    split = ["travelled 1 Split cards=1 free=3", "attacked 1 Split a 2 Left a"]
    left = consequence(
        type(last(*split, setup=full()).consequences[-1]), last(*split, setup=full())
    )

    assert (left.cards, left.risen) == (4, 3)
    after = at(*split)
    assert verdict(after, "travelled 1 Split cards=1 free=2") == "legal"
    assert verdict(after, "travelled 1 Split cards=1 free=3") == "irregular too-high"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"modes": ("Wits ",)}, "bad-name"),
        ({"character": " Ada"}, "bad-name"),
        ({"modes": (ModeCard(name="Late", time=11),)}, "bad-time"),
        ({"cards": (*MOVERS.cards, Card(name="X", slot="Claw", powerups=("()",)))}, "bad-powerup"),
    ],
)
def test_what_is_wrong_with_modes_and_powerups_is_named(changes: Any, code: str) -> None:
    deck = msgspec.structs.replace(MOVERS, **changes)

    assert code in [problem.code for problem in RULESET.check_deck(deck, Options())]


def test_two_things_of_one_name_in_an_arena_are_refused() -> None:
    for twice in ({"terrain": [CRATE, CRATE]}, {"arenas": [AIRLOCK, AIRLOCK]}):
        setup = arena(**twice)

        assert [p.code for p in RULESET.check_deck(MOVERS, setup.options)] == ["named-twice"]
        with pytest.raises(SetupError, match="named-twice"):
            RULESET.start(setup)


def test_a_match_needs_two_krewes_or_none() -> None:
    with pytest.raises(SetupError, match="one-krewe"):
        RULESET.start(full(krewes=("Komets", "Komets")))
    assert RULESET.start(full(krewes=("Komets", "")))


def test_a_slagged_card_powers_nothing() -> None:
    lines = ("impulse-won 1", "attacked 1 Ram a 2 Torch a", "turn-passed 1")
    slagged = at(*lines, setup=full(TIMED, TIMED))

    assert (
        verdict(slagged, 'powerup-used 2 Torch "Flare (Extra, Time 3)"') == "irregular is-slagged"
    )
