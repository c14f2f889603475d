"""Terrain, modes, the arena, powerups, krewes: depth `full`."""

from typing import Any

import msgspec
import pytest

from rules.zg.acts import Options, TerrainPiece
from rules.zg.cards import Card, CharacterCard, Deck, ModeCard, mode_times
from rules.zg.terrain import mass
from tests.rules.zg.full import MOVERS, at, full
from tests.rules.zg.table import RULESET, followed, offered, outcome, stand, verdict, view

CRATE = {"name": "Crate", "length": 1, "height": 1, "width": 1}
RACK = {"name": "Pipe rack", "length": 4, "height": 2, "width": 1}
AIRLOCK = {"name": "Airlock", "ways": ["open", "vent"]}


def arena(*decks: Deck, krewes: tuple[str, ...] = (), **options: Any) -> Any:
    given = msgspec.convert(
        {"depth": "full", "terrain": [CRATE, RACK], "arenas": [AIRLOCK], **options}, Options
    )
    return msgspec.structs.replace(full(*decks, krewes=krewes), options=given)


# -- terrain --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sides", "added", "multiplied"), [((4, 2, 1), 6, 8), ((3, 2, 1), 5, 6), ((1, 1, 1), 2, 1)]
)
def test_mass_is_of_the_two_longest_sides(
    sides: tuple[int, int, int], added: int, multiplied: int
) -> None:
    length, height, width = sides
    piece = TerrainPiece(name="Wall", length=length, height=height, width=width)

    assert mass(piece) == added
    assert mass(piece, product=True) == multiplied


def test_strikes_on_terrain_add_up_until_it_is_gone() -> None:
    first = 'terrain-attacked 1 Left a "Pipe rack" Odd a'
    second = 'terrain-attacked 1 Wings a "Pipe rack" Odd a'

    assert followed(first, setup=arena()) == ["terrain-struck"]
    timeline = at(first, setup=arena())
    assert view(timeline)["terrain"] == [
        {"piece": "Crate", "left": 2},
        {"piece": "Pipe rack", "left": 3},
    ]
    assert followed(first, second, setup=arena())[:2] == ["terrain-struck", "terrain-removed"]
    gone = at(first, second, setup=arena())
    assert verdict(gone, 'terrain-attacked 1 Suit a "Pipe rack" Odd a') == (
        "irregular terrain-is-gone"
    )


def test_the_target_comes_from_the_attackers_own_deck() -> None:
    timeline = at(setup=arena())

    assert verdict(timeline, "terrain-attacked 1 Left a Crate Left a") == "impossible same-card"
    assert verdict(timeline, "terrain-attacked 1 Left a Moon Odd a") == "impossible no-such-terrain"
    hand = at('hand-taken 1 ["Wings","Left","Odd"]', setup=arena())
    assert verdict(hand, "terrain-attacked 1 Left a Crate Odd a") == "irregular is-in-hand"
    assert ("terrain-attacked", 1) in offered(timeline)
    assert ("terrain-attacked", 1) not in offered(at())


def test_with_no_deck_left_the_target_comes_from_the_hand() -> None:
    gone = [card.name for card in MOVERS.cards if card.name not in ("Left", "Odd", "Suit")]
    slagged = [f"ruled slag foe=1 target={card}" for card in gone]
    hand = [*slagged, 'hand-taken 1 ["Left","Odd","Suit"]']
    moved = at(*hand, "travelled 1 Left cards=1", setup=arena())

    assert verdict(moved, "terrain-attacked 1 Left a Crate Odd a") == "legal"
    back = at(*hand, "moved 1 card=Left", setup=arena())
    assert verdict(back, "terrain-attacked 1 Odd a Crate Left a") == "legal"
    assert verdict(back, "terrain-attacked 1 Odd a Crate Suit a") == "irregular is-in-hand"


def test_the_cards_of_a_flameout_that_are_all_known_are_not_drawn() -> None:
    shown = [f"moved 1 card={card}" for card in ("Left", "Odd", "Suit", "Suit")]
    burning = at("flameout-called 1", *shown, setup=arena())

    assert verdict(burning, "terrain-attacked 1 Left a Crate Odd a") == "irregular is-in-hand"
    assert verdict(burning, "terrain-attacked 1 Left a Crate Suit a") == "legal"


# -- modes ----------------------------------------------------------------------------

MODAL = msgspec.structs.replace(
    MOVERS, modes=("Ambition", ModeCard(name="Deadshot", time=6), "Wits")
)


def test_one_mode_card_is_there_from_the_start_and_others_are_earned() -> None:
    fresh = at(setup=arena(MODAL, MODAL))

    assert verdict(fresh, "mode-drawn 1 Ambition start") == "legal"
    assert verdict(fresh, "mode-drawn 1 Ambition other") == "irregular mode-not-first"
    assert verdict(fresh, "mode-drawn 1 Ambition earned") == "irregular no-mode-earned"
    assert verdict(fresh, "mode-drawn 1 Courage start") == "impossible no-such-mode"
    begun = at("mode-drawn 1 Ambition start", setup=arena(MODAL, MODAL))
    assert verdict(begun, "mode-drawn 1 Wits start") == "irregular mode-not-first"
    assert verdict(begun, "mode-drawn 1 Ambition other") == "irregular mode-in-panel"
    assert view(begun)["seats"][0]["panel"] == ["Ambition"]
    assert view(begun)["seats"][0]["mode_deck"] == 2


def test_a_new_way_with_the_arena_earns_a_mode_card_once() -> None:
    setup = arena(MODAL, MODAL)
    way = "arena-used 1 Airlock vent"

    assert followed(way, setup=setup) == ["mode-earned"]
    assert followed(way, way, setup=setup) == []
    assert followed(way, "arena-used 1 Airlock open", setup=setup) == ["mode-earned"]
    earned = at(way, "mode-drawn 1 Wits earned", setup=setup)
    assert view(earned)["seats"][0]["modes_earned"] == 0
    assert followed(way, setup=arena()) == []
    assert verdict(at(setup=setup), "arena-used 1 Airlock lick") == "impossible no-such-way"


def test_no_more_mode_cards_are_earned_than_the_mode_deck_has() -> None:
    deck = msgspec.structs.replace(MOVERS, modes=("Wits", "Heart"))
    lines = ["mode-drawn 1 Wits start", "arena-used 1 Airlock open"]
    sneak = "attacked 1 Odd a 2 Left a sneak=true"
    setup = arena(deck, deck, tactics_earn=True)

    assert followed(*lines, setup=setup) == ["mode-earned"]
    assert "mode-earned" not in followed(*lines, sneak, setup=setup)


def test_tactics_earn_mode_cards_where_the_table_plays_it_so() -> None:
    setup = arena(MODAL, MODAL, tactics_earn=True)
    sneak = "attacked 1 Odd a 2 Left a sneak=true high-ground=true"

    assert followed(sneak, setup=setup).count("mode-earned") == 2
    assert "mode-earned" in followed("travelled 1 Wings jump=true", setup=setup)
    assert "mode-earned" in followed("flameout-called 1", setup=setup)
    dash = ["moved 1 card=Left", "travelled 1 Right cards=1"]
    assert followed(*dash, setup=setup) == ["mode-earned"]
    landing = ["travelled 1 Left cards=4", "landed 1 2 3 Left a Left a"]
    assert followed(*landing, setup=setup)[0] == "mode-earned"
    down = ["attacked 1 Ram a 2 Left a", "knockdown-called 2 figure 1"]
    assert followed(*down, setup=setup) == ["figure-downed", "mode-earned"]
    assert view(at(*down, setup=setup))["seats"][0]["modes_earned"] == 1
    fallen = [*landing, "knockdown-called 2 ledge 1"]
    assert view(at(*fallen, setup=setup))["seats"][0]["modes_earned"] == 2
    assert "mode-earned" not in followed(sneak, setup=arena(MODAL, MODAL))


def test_a_mode_card_works_from_the_panel_and_in_its_step() -> None:
    setup = arena(MODAL, MODAL)
    panel = ["mode-drawn 1 Deadshot start"]

    assert verdict(at(setup=setup), "mode-used 1 Deadshot") == "irregular not-in-panel"
    assert verdict(at(*panel, setup=setup), "mode-used 1 Deadshot") == "irregular no-test-for-it"
    hit = at(*panel, "attacked 1 Odd a 2 Left a", setup=setup)
    miss = at(*panel, "attacked 1 Scope a 2 Left a", setup=setup)
    assert verdict(hit, "mode-used 1 Deadshot") == "legal"
    assert verdict(miss, "mode-used 1 Deadshot") == "irregular needs-a-match"
    plain = at("mode-drawn 1 Wits start", setup=setup)
    assert verdict(plain, "mode-used 1 Wits") == "legal"


def test_what_a_panel_held_before_it_was_recorded_nobody_knows() -> None:
    setup = full(MODAL, MODAL, depth="tests")
    timeline = at("options-changed full", setup=setup)
    for why in ("start", "other", "earned"):
        assert verdict(timeline, f"mode-drawn 1 Ambition {why}") == "legal"
    assert ("mode-used", 1) in offered(timeline)
    used = stand(timeline, "mode-used 1 Wits")
    assert view(used)["seats"][0]["panel"] == ["Wits"]
    assert verdict(used, "mode-drawn 1 Wits other") == "irregular mode-in-panel"
    begun = stand(used, "mode-drawn 1 Ambition start")
    assert verdict(begun, "mode-used 1 Deadshot") == "irregular not-in-panel"


def test_the_server_draws_from_the_mode_cards_left() -> None:
    setup = msgspec.structs.replace(arena(MODAL, MODAL), commitment="c" * 64)
    begun = at("mode-drawn 1 Wits start", setup=setup)
    (draw,) = RULESET.draws(
        begun.head.state, RULESET.read("mode-drawn 1 Ambition other spin=server")
    )

    assert draw.values == ("Ambition", "Deadshot")


# -- powerups and the character -------------------------------------------------------


def test_a_powerup_is_extra_or_takes_the_place_of_an_attack() -> None:
    mine = at("impulse-won 1")

    assert verdict(mine, "powerup-used 1 Scope Scan") == "legal"
    assert verdict(mine, "powerup-used 1 Scope Scan instead=true") == "irregular is-extra"
    assert verdict(mine, "powerup-used 1 Scope Zone instead=true") == "legal"
    assert verdict(mine, "powerup-used 1 Left Zone") == "impossible no-such-powerup"
    assert verdict(mine, "powerup-used 1 Wings Z-G") == "impossible no-such-powerup"
    assert verdict(mine, "powerup-used 1 Fog Scan") == "legal"
    assert verdict(mine, "powerup-used 2 Scope Scan") == "irregular not-your-move"
    answering = Card(name="Ward", slot="Shield", move=1, powerups=("Bolster (Extra)", "Retest"))
    theirs = at("impulse-won 1", setup=full(MOVERS, Deck(cards=(*MOVERS.cards, answering))))
    assert verdict(theirs, 'powerup-used 2 Ward "Bolster (Extra)"') == "legal"
    assert verdict(theirs, "powerup-used 2 Ward Retest") == "legal"
    assert verdict(at(), "powerup-used 1 Scope Scan") == "legal"
    third = ["moved 1", "moved 1", "attacked 1 Scope a 2 Left a"]
    assert verdict(at(*third), "powerup-used 1 Scope Scan") == "legal"
    assert verdict(at(*third, "moved 2"), "powerup-used 1 Scope Scan") == "irregular not-your-move"
    used = stand(mine, "powerup-used 1 Scope Zone instead=true")
    assert view(used)["seats"][0]["pulses"] == 1


def test_the_character_card_works_once_a_turn_until_it_is_given_up() -> None:
    ada = msgspec.structs.replace(MOVERS, character=CharacterCard(name="Ada"))
    setup = full(ada, ada)

    assert verdict(at(setup=setup), "character-used 1") == "legal"
    again = ["character-used 1", "turn-passed 1", "turn-passed 2"]
    assert verdict(at(again[0], setup=setup), "character-used 1") == "irregular character-was-used"
    assert verdict(at(*again, setup=setup), "character-used 1") == "legal"
    assert verdict(at(), "character-used 1") == "irregular no-character-card"
    modal = at(setup=arena(MODAL, MODAL))
    assert verdict(modal, "character-used 1") == "irregular mode-deck-instead"


# -- krewes ---------------------------------------------------------------------------

BOUT = full(MOVERS, MOVERS, MOVERS, MOVERS, krewes=("Komets", "Drifters", "Komets", "Drifters"))


def test_a_krewe_does_not_fight_itself_and_wins_together() -> None:
    assert verdict(at(setup=BOUT), "attacked 1 Odd a 3 Left a") == "irregular own-krewe"
    assert verdict(at(setup=BOUT), "target-drawn 1 3 Left") == "irregular own-krewe"
    found = outcome("conceded 3", "conceded 2", "conceded 4", setup=BOUT)

    assert found and (found.winners, found.places) == ((1, 3), (1, 3, 1, 3))
    assert RULESET.headline(at("conceded 2", "conceded 4", setup=BOUT).head.state).endswith(
        "Side 1 and Side 3 won"
    )


def test_an_option_parts_the_seats_in_two_krewes_by_turns() -> None:
    bout = full(MOVERS, MOVERS, MOVERS, MOVERS, krewes=("", "", "Komets", ""))
    bout = msgspec.structs.replace(bout, options=Options(depth="full", krewes=True))

    assert [side["krewe"] for side in view(at(setup=bout))["seats"]] == ["A", "B", "Komets", "B"]
    assert verdict(at(setup=bout), "attacked 2 Odd a 4 Left a") == "irregular own-krewe"


def test_a_flameout_needs_a_foe_not_a_mate_to_fall() -> None:
    burning = ["flameout-called 1", "conceded 3", *(f"turn-passed {seat}" for seat in (1, 2))]

    assert "seat-defeated" in followed(*burning, "turn-passed 4", setup=BOUT)


# -- decks ----------------------------------------------------------------------------


def test_an_exception_no_card_can_make_is_a_problem() -> None:
    card = Card(name="Cheat", slot="Helmet", exceptions=("match-over",))
    problems = RULESET.check_deck(Deck(cards=(card, *MOVERS.cards)), Options())

    assert [problem.code for problem in problems] == ["unknown-exception"]


def test_a_maneuver_named_without_its_step_is_known_by_name() -> None:
    deck = Deck(cards=(), modes=("Deadshot!!", "Wits", ModeCard(name="Trance", time=4)))

    assert mode_times(deck) == {"Deadshot!!": 6, "Wits": None, "Trance": 4}
