"""The effects of specialties by key; negating, refusing, and the readings of the rules."""

from typing import Any

import pytest

from rules.ruleset import event_type
from rules.zerpang.consequences import (
    CardSpent,
    CardsTaken,
    CombatStarted,
    FighterChanged,
    PieceConnected,
)
from rules.zerpang.entrance import cost
from rules.zerpang.ratings import chain_of
from rules.zerpang.state import State
from tests.rules.zerpang.table import (
    HAND,
    RULESET,
    after,
    at,
    call,
    consequence,
    events,
    followed,
    outcome,
    read,
    start,
    verdict,
    where,
)

PLACES = {"1-1": "X1", "1-2": "Z4.0", "2-1": "Z1.0", "2-2": "Z2.0"}


def duel(**options: Any) -> State:
    """Pirate 2-1 on Z1.1 has attacked Ninja 1-1 on X1; a Robot looks on."""
    state = at("ninja pirate robot", PLACES, turn=2, **options)
    return after(state, "piece-moved 2 2-1 [Z1.1]")


def ratings(state: State) -> tuple[int, int]:
    fight = state.table.fight
    assert fight is not None
    return fight.agg.rating, fight.foe.rating


def test_rating_adds_what_the_side_says() -> None:
    state = after(duel(), "special-played 2 SP06 P", "special-played 1 SP06 N")

    assert ratings(state) == (3, 4)


def test_connect_any_counts_a_piece_from_anywhere() -> None:
    connected = consequence(duel(), PieceConnected, "special-played 2 SP12 P piece=2-2")

    assert (connected.role, connected.rating) == ("agg", 2)
    assert "piece-connected" in followed(duel(), "special-played 2 SP12 P piece=2-2")


def test_double_values_counts_ninjutsu_cards_twice_also_earlier_ones() -> None:
    state = after(
        duel(),
        "combat-passed 2",
        "combat-played 1 card=SP07 side=N",
        "combat-passed 2",
        "special-played 1 SP11 N",
        "combat-passed 2",
        "combat-played 1 card=PT2",
    )

    assert ratings(state) == (1, 1 + 2 * 3 + 2)
    played = after(duel(), "combat-passed 2")
    assert consequence(played, CardSpent, "combat-played 1 card=SP07 side=N").side == "N"


def test_double_values_counts_ninjutsu_cards_that_were_laid_down_twice_too() -> None:
    laid = after(duel(), "combat-passed 2", "points-paid 1 SP07 side=N", "points-paid 1 PT2")
    added = after(laid, "combat-played 1")
    assert ratings(added) == (1, 1 + 3 + 2)
    assert ratings(after(added, "combat-passed 2", "special-played 1 SP11 N")) == (1, 1 + 2 * 3 + 2)
    before = after(duel(), "combat-passed 2", "special-played 1 SP11 N", "combat-passed 2")
    later = after(before, "points-paid 1 SP07 side=N", "combat-played 1")
    assert ratings(later) == (1, 1 + 2 * 3)


def test_duel_only_leaves_the_fighters_alone() -> None:
    places = {**PLACES, "2-2": "Z1.2", "1-3": "X2"}
    state = after(at("ninja pirate robot", places, turn=2), "piece-moved 2 2-1 [Z1.1]")
    assert ratings(state) == (2, 2)
    alone = after(state, "combat-passed 2", "special-played 1 SP12 N")

    assert ratings(alone) == (1, 1)
    assert verdict(alone, "assist-played 3 agg card=PT1") == "duel-only"
    assert "duel-declared" in followed(state, "combat-passed 2", "special-played 1 SP12 N")


def test_step_out_ends_the_combat_once_the_fighters_are_apart() -> None:
    state = after(duel(), "special-played 2 SP07 P to=Z1.0")

    assert state.table.fight is None
    assert after(duel(), "special-played 2 SP07 P to=M1").table.fight is not None
    assert where(state, "2-1") == "Z1.0"
    near = at("ninja pirate robot", {**PLACES, "3-1": "X3"}, turn=2)
    near = after(near, "piece-moved 2 2-1 [Z1.1]", "combat-passed 2")
    assert verdict(near, "special-played 1 SP07 N to=X2") == "retreat-contact"
    assert verdict(near, "special-played 1 SP07 N to=M6") == "retreat-contact"


@pytest.mark.parametrize(
    ("beside", "expected"), [({}, "legal"), ({"3-1": "Z2.1"}, "retreat-contact")]
)
def test_who_steps_out_may_still_touch_its_foe_but_nobody_else(
    beside: dict[str, str], expected: str
) -> None:
    fight = after(at("ninja pirate robot", PLACES | beside, turn=2), "piece-moved 2 2-1 [Z1.1]")
    assert verdict(fight, "special-played 2 SP07 P to=M1") == expected


def test_nobody_steps_out_onto_a_gate_of_others_or_where_a_piece_stands() -> None:
    places = {"1-1": "K2", "1-2": "Z2.6", "2-1": "Z3.0"}
    fight = after(at("ninja pirate", places, turn=2), "piece-moved 2 2-1 [Z3.3]", "combat-passed 2")
    found = RULESET.judge(fight, read("special-played 1 SP07 N to=G2a"))
    assert (found.code, found.params["foe"]) == ("gate-closed", 2)
    offers = [offer.fields for offer in RULESET.options(fight, 1) if "to" in offer.fields]
    own, licensed = ("Z2.5",), ("Z2.5", "Z3.2")
    assert [fields["to"].values for fields in offers] == [own, licensed]


def test_a_chain_may_fight_on_for_who_stepped_out() -> None:
    places = {"1-1": "M6", "1-2": "X6", "2-1": "Z6.2"}
    state = at("pirate ninja robot", places, turn=2, retreat="continues_with_chain")
    asked = after(state, "piece-moved 2 2-1 [Z6.1]", "combat-order-chosen 1 [1-2,1-1]")
    passed = after(asked, "combat-passed 2")
    changed = consequence(passed, FighterChanged, "special-played 1 SP07 P to=T")

    assert changed.piece == "1-1"
    assert "fighter-changed" in followed(passed, "special-played 1 SP07 P to=T")


def test_mutual_defeat_takes_the_attacker_and_all_it_touches() -> None:
    places = {"1-1": "Z1.0", "1-2": "Z1.2", "2-1": "X1", "3-1": "Z4.0"}
    state = after(at("ninja pirate robot", places), "piece-moved 1 1-1 [Z1.1]")
    gone = after(state, "special-played 1 SP10 N")

    assert [where(gone, piece) for piece in places] == ["", "", "", "Z4.0"]
    assert gone.table.fight is None


def test_a_defeated_piece_may_go_to_a_gate() -> None:
    state = after(duel(), "combat-conceded 1")

    assert where(state, "1-1") == ""
    saved = after(state, "special-played 1 SP01 N piece=1-1 to=G1b")
    assert where(saved, "1-1") == "G1b"
    late = after(state, "cards-drawn 2 3")
    assert call(late, "special-played 1 SP01 N piece=1-1 to=G1b") == "impossible not-defeated"


@pytest.mark.parametrize(
    ("turn", "move", "gate"), [(1, "1 1-1 [Z1.5]", "G1a"), (2, "2 2-1 [K1]", "G1b")]
)
def test_who_goes_to_a_gate_and_touches_its_enemy_fights_again(
    turn: int, move: str, gate: str
) -> None:
    places = {1: {"1-1": "Z1.0", "2-1": "K1"}, 2: {"1-1": "G1a", "2-1": "Z1.6"}}
    beaten = after(
        at("ninja pirate robot", places[turn], turn=turn),
        f"piece-moved {move}",
        "combat-conceded 1",
    )
    again = after(beaten, f"special-played 1 SP01 N piece=1-1 to={gate}")
    assert again.table.fight.agg.piece == "1-1"
    assert ratings(again) == (6, 1)
    assert verdict(again, f"cards-drawn {turn} 1") == "combat-pending"


def test_extra_steps_are_free_and_more_of_them_cost_a_point() -> None:
    state = at("ninja pirate", {"1-1": "Z1.0"})
    far = "piece-moved 1 1-1 [Z1.1,X1,T]"

    assert verdict(state, far) == "underpaid"
    assert verdict(after(state, "special-played 1 SP05 N"), far) == "legal"
    assert "points-spent" not in followed(
        state, "points-paid 1 PT1", "special-played 1 SP05 N", far
    )
    assert verdict(state, "special-played 1 SP05 N more=true") == "underpaid"
    more = after(state, "points-paid 1 PT1", "special-played 1 SP05 N more=true")
    assert more.table.turn.steps == 4


def test_a_robots_two_points_pay_fee_and_option() -> None:
    state = at("ninja robot pirate", {"2-1": "Z1.0"}, turn=2)

    assert verdict(state, "special-played 2 SP05 N") == "underpaid"
    assert (
        verdict(after(state, "points-paid 2 PT2"), "special-played 2 SP05 N more=true") == "legal"
    )


def test_second_adjacent_puts_a_piece_beside_another() -> None:
    state = at("ninja pirate", {"1-1": "Z1.0", "1-2": "Z4.0", "2-1": "Z3.0"})
    put = after(state, "special-played 1 SP08 N piece=1-2 to=Z1.1")

    assert where(put, "1-2") == "Z1.1"
    for alone in ("Z5.0", "Z4.1"):
        assert verdict(state, f"special-played 1 SP08 N piece=1-2 to={alone}") == "not-beside"
    assert verdict(state, "special-played 1 SP08 N piece=1-2 to=Z3.1") == "retreat-contact"


def test_nobody_enters_after_a_card_of_movement() -> None:
    state = after(
        at("ninja pirate", {"1-1": "Z1.0"}), "special-played 1 SP05 N", "points-paid 1 PT1"
    )

    assert verdict(state, "piece-entered 1 1-2 G1a") == "wrong-phase"


MET = {"1-1": "Z4.0", "1-2": "X3", "1-3": "Z3.0", "2-1": "X1"}
"""1-1 may go over X4 to T, where it touches 2-1 and stands by 1-2."""

TO_T = ("points-paid 1 PT2", "piece-moved 1 1-1 [Z4.1,X4,T]")


def test_cards_of_movement_put_off_a_combat_that_nobody_touched_yet() -> None:
    met = after(at("ninja pirate robot", MET), *TO_T)
    put = "special-played 1 SP08 N piece=1-3 to=X4"
    assert ratings(met) == (2, 1)
    joined = after(met, put)
    assert ratings(joined) == (3, 1)
    assert verdict(joined, "special-played 1 SP08 N piece=1-2 to=M4") == "legal"
    assert ratings(after(joined, "special-negated 2 SP09 N licence=SP02")) == (2, 1)
    for line in ("combat-passed 1", "assist-played 3 def card=PT1"):
        assert verdict(after(met, line), put) == "special-timing"
    over = after(met, "special-played 1 SP07 N to=X5")
    assert verdict(over, put) == "special-timing"


def test_a_combat_once_gone_on_to_is_not_put_off() -> None:
    entered = after(at("ninja pirate", {"2-1": "K1"}), "piece-entered 1 1-1 G1a")
    gone_on = after(entered, "phase-entered 1 combat")
    assert verdict(gone_on, "special-played 1 SP08 N piece=1-1 to=F1a") == "special-timing"


def test_a_second_piece_moves_before_a_combat_that_is_put_off() -> None:
    met = after(at("pirate ninja robot", MET), *TO_T)
    carded = after(met, "special-played 1 SP08 P")
    assert carded.table.fight is None
    moved = after(carded, "piece-moved 1 1-3 [Z3.1]")
    assert ratings(moved) == (3, 1)
    further = after(moved, "special-played 1 SP08 P")
    assert verdict(further, "piece-moved 1 1-2 [X2]") == "other-second"
    assert ratings(after(further, "piece-moved 1 1-3 [Z3.0]")) == (2, 1)
    assert ratings(after(further, "phase-entered 1 combat")) == (3, 1)


def test_a_combat_is_put_off_before_a_defender_says_its_order() -> None:
    places = {**MET, "2-2": "X6"}
    asked = after(at("ninja pirate", places), *TO_T)
    again = after(asked, "special-played 1 SP08 N piece=1-3 to=X4")
    assert again.table.turn.asked == 2
    assert ratings(after(again, "combat-order-chosen 2 [2-1,2-2]")) == (3, 2)


def test_drawn_cards_are_taken_and_turns_skipped() -> None:
    state = after(at("ninja pirate robot", {"1-1": "Z1.0"}), "cards-drawn 1 2")
    taken = consequence(state, CardsTaken, "special-played 2 SP09 P foe=1")

    assert (taken.seat, taken.foe, taken.n) == (2, 1, 2)
    assert verdict(state, "special-played 2 SP09 P foe=2") == "aimed-at-itself"
    assert verdict(state, "special-played 2 SP09 P foe=3") == "no-drawer"
    pirate = after(at("pirate ninja robot"), "cards-drawn 1 1")
    skipped = after(pirate, "special-played 1 SP10 P foe=2")
    assert skipped.table.turn.seat == 3
    twice = after(pirate, "special-played 1 SP10 P foe=3")
    assert verdict(twice, "special-played 1 SP10 P foe=3") == "skip-pending"


def test_a_salvaging_pirates_cards_are_not_taken() -> None:
    state = after(at("pirate pirate"), "phase-replaced 1 salvage", "cards-drawn 1 1")

    assert verdict(state, "special-played 2 SP09 P foe=1") == "special-timing"


def test_a_negation_takes_back_what_was_done_and_can_be_negated() -> None:
    played = after(duel(), "special-played 2 SP06 P")
    negated = after(played, "special-negated 1 SP09 N")

    assert ratings(played) == (3, 1)
    assert ratings(negated) == (1, 1)
    assert negated.table.sides[1].hand == HAND - 1
    assert verdict(played, "special-negated 2 SP09 N licence=SP02") == "own-special"
    assert verdict(negated, "special-negated 2 SP09 N") == "no-licence"
    again = after(negated, "special-negated 2 SP09 N licence=SP02")
    assert ratings(again) == (3, 1)
    assert [side.hand for side in again.table.sides] == [HAND - 1, HAND - 3, HAND]
    third = after(again, "special-negated 1 SP09 N")
    assert ratings(third) == (1, 1)
    assert ratings(after(third, "special-negated 2 SP09 N licence=SP02")) == (3, 1)
    assert [side.hand for side in third.table.sides] == [HAND - 2, HAND - 3, HAND]


def test_a_card_that_was_taken_negates_nothing_that_brings_the_taking_back() -> None:
    drawn = after(at("ninja pirate ninja", hands={3: 0}, turn=3), "cards-drawn 3 1")
    taken = after(drawn, "special-played 2 SP09 P foe=3", "special-negated 1 SP09 N")
    assert [side.hand for side in taken.table.sides] == [HAND - 1, HAND - 1, 1]
    again = after(taken, "special-negated 3 SP09 N")
    assert [side.hand for side in again.table.sides] == [HAND - 1, HAND - 1, 0]


def test_help_counts_and_a_specialty_may_be_refused() -> None:
    helped = after(duel(), "assist-played 3 def card=PT2")
    assert ratings(helped) == (1, 3)
    paid = after(duel(), "points-paid 3 PT1")
    special = after(paid, "assist-played 3 def card=SP06 side=N special=true")

    assert ratings(special) == (1, 4)
    refused = after(special, "assist-refused 1")
    assert ratings(refused) == (1, 1)
    assert verdict(refused, "special-negated 3 SP09 N") == "nothing-to-negate"
    assert "special-undone" in followed(special, "assist-refused 1")
    assert call(special, "assist-refused 2") == "impossible nothing-to-refuse"


def test_who_helps_gives_both_fighters_another_turn() -> None:
    helped = after(duel(), "combat-passed 2", "assist-played 3 def card=PT2", "combat-passed 1")
    assert helped.table.fight is not None
    assert after(helped, "combat-passed 2").table.fight is None


def test_a_specialty_is_negated_before_the_next_act_or_never() -> None:
    moved = after(at("ninja pirate", PLACES), "special-played 1 SP05 N", "piece-moved 1 1-1 [X2]")
    assert verdict(moved, "special-negated 2 SP09 N licence=SP02") == "nothing-to-negate"


def test_what_was_drawn_or_defeated_is_answered_before_another_specialty_or_never() -> None:
    drawn = after(at("ninja pirate pirate"), "cards-drawn 1 1", "special-played 2 SP05 P")
    assert verdict(drawn, "special-played 3 SP09 P foe=1") == "nothing-drawn"
    places = {"1-1": "X1", "2-1": "X4", "2-2": "X6"}
    asked = after(at("ninja pirate", places), "piece-moved 1 1-1 [T]")
    beaten = after(asked, "combat-order-chosen 2 [2-1,2-2]", "combat-conceded 2")
    saved = "special-played 2 SP01 P piece=2-1 to=G2a"
    assert verdict(beaten, saved) == "legal"
    assert verdict(after(beaten, "special-played 1 SP06 N"), saved) == "not-defeated"


def test_specialties_of_zombies_and_aliens_are_points() -> None:
    state = at("ninja zombie alien", {"1-1": "X1", "2-1": "Z1.0"}, turn=2)
    fight = after(state, "piece-moved 2 2-1 [Z1.1]")

    assert verdict(fight, "special-played 2 SP06 N") == "special-forbidden"
    assert verdict(fight, "combat-played 2 card=SP06 side=N") == "legal"


def test_losing_to_the_owner_sets_all_its_abducted_free() -> None:
    places = {"1-1": "X1", "1-2": "@2", "2-1": "Z1.0", "2-2": "Z5.0"}
    state = after(at("ninja alien pirate", places, turn=2), "piece-moved 2 2-1 [Z1.1]")

    assert "pieces-released" in followed(state, "combat-conceded 2")
    assert where(after(state, "combat-conceded 2"), "1-2") == ""
    assert where(after(state, "combat-conceded 1"), "1-1") == "@2"


def test_the_winners_pieces_make_room_in_a_full_base_of_the_alien_it_beat() -> None:
    held = {"1-2": "@2", "3-1": "@2", "3-2": "@2"}
    places = {"2-1": "X1", "2-2": "Z5.0", "2-3": "Z4.0", "1-1": "Z1.0", **held}
    fight = after(at("ninja alien pirate", places), "piece-moved 1 1-1 [Z1.1]")

    beaten = after(fight, "combat-conceded 2")
    assert [where(beaten, piece) for piece in held] == ["", "@2", "@2"]


def test_rings_are_left_lost_and_taken() -> None:
    places = {"1-1": "Z2.1", "3-1": "Z2.4"}
    state = at("ninja pirate zombie", places, turn=3, rings={"1-1": 1})
    fight = after(state, "piece-moved 3 3-1 [Z2.0]", "combat-passed 3")

    assert followed(fight, "combat-passed 1")[1:5] == [
        "piece-defeated",
        "ring-lost",
        "piece-sent-home",
        "ring-left",
    ]
    over = after(fight, "combat-passed 1", "cards-drawn 3 2", "cards-drawn 1 1", "cards-drawn 2 1")
    assert "ring-taken" in followed(over, "piece-moved 3 3-1 [Z2.1]")


@pytest.mark.parametrize(("reading", "left"), [("any", True), ("zombie_only", False)])
def test_who_carries_a_ring_leaves_one_without_a_zombie_too(reading: str, left: bool) -> None:
    places = {"1-1": "Z2.1", "2-1": "Z2.4"}
    state = at("ninja pirate zombie", places, turn=2, rings={"1-1": 1}, rings_from=reading)
    fight = after(state, "piece-moved 2 2-1 [Z2.0]")

    assert ("ring-left" in followed(fight, "combat-conceded 2")) is left


def test_a_piece_moved_by_a_pirate_takes_the_rings_on_its_way() -> None:
    state = at("pirate ninja zombie", {"2-1": "Z2.0"}, ground=("Z2.1",))
    paid = after(state, "points-paid 1 PT2")

    assert "ring-taken" in followed(paid, "foreign-piece-moved 1 2-1 [Z2.1]")


def test_points_of_uploads_come_back_once_a_round_also_when_its_first_seat_left() -> None:
    places = {"2-1": "*", "3-1": "Z1.0"}
    state = at("ninja robot pirate", places, upload_points="per_game_round")
    gone = after(state, "conceded 1")
    assert gone.table.sides[1].clouds == 1
    later = after(state, "cards-drawn 1 1", "cards-drawn 2 1", "cards-drawn 3 2")
    assert [s.table.sides[1].clouds for s in (after(state, "cards-drawn 1 1"), later)] == [0, 1]


def test_the_alien_draws_along() -> None:
    state = at("ninja alien pirate", {"1-1": "@2", "1-2": "@2"})

    assert after(state, "cards-drawn 1 1").table.sides[1].hand == HAND + 1
    each = at("ninja alien pirate", {"1-1": "@2", "1-2": "@2"}, probe="per_piece")
    assert after(each, "cards-drawn 1 1").table.sides[1].hand == HAND + 2
    idle = at("pirate alien ninja", {"1-1": "@2"}, salvage="pieces_only")
    idle = after(idle, "phase-replaced 1 salvage", "cards-drawn 1 0")
    assert idle.table.sides[1].hand == HAND


def test_the_trailing_side_acts_where_the_table_plays_so() -> None:
    state = duel(combat="trailing_side_acts")

    assert "combat-ended" in followed(state, "combat-passed 2")
    assert "combat-ended" not in followed(duel(), "combat-passed 2")
    gate = at("ninja pirate", {"1-1": "G1a", "2-1": "Z1.6"}, turn=2, combat="trailing_side_acts")
    raised = after(gate, "piece-moved 2 2-1 [K1]", "combat-played 2 card=PT2")
    assert ratings(raised) == (3, 6)
    assert verdict(raised, "combat-passed 1") == "not-your-raise"
    assert verdict(raised, "combat-played 2 card=PT2") == "legal"
    assert RULESET.view(raised, "public")["next"] == {"what": "combat", "seat": 2}


def test_entering_next_to_an_enemy_is_a_combat_unless_the_table_plays_otherwise() -> None:
    state = after(at("ninja pirate", {"2-1": "K1"}), "piece-entered 1 1-1 G1a")

    assert verdict(state, "cards-drawn 1 1") == "combat-pending"
    assert "combat-started" in followed(state, "phase-entered 1 combat")
    calm = at("ninja pirate", {"2-1": "K1"}, entry_combat="off")
    assert verdict(after(calm, "piece-entered 1 1-1 G1a"), "cards-drawn 1 1") == "legal"
    places = {"1-1": "X1", "2-1": "Z1.2", "2-2": "F1a"}
    beaten = ("piece-moved 1 1-1 [Z1.1]", "combat-conceded 1")
    for reading in ("on", "off"):
        moved = after(at("ninja pirate", places, entry_combat=reading), *beaten)
        back = after(moved, "special-played 1 SP01 N piece=1-1 to=G1a")
        assert bool(back.table.fight) == (reading == "on")


def test_a_piece_saved_to_a_gate_counts_in_the_combat_that_follows() -> None:
    state = at("ninja pirate robot", {"1-1": "Z1.5", "1-2": "Z2.3", "2-1": "Z2.2"}, turn=2)
    state = after(state, "piece-moved 2 2-1 [K1]", "combat-order-chosen 1 [1-1,1-2]")
    beaten = after(state, "combat-conceded 1")
    assert ratings(beaten) == (1, 1)

    saved = consequence(beaten, CombatStarted, "special-played 1 SP01 N piece=1-1 to=G1b")
    assert (saved.agg, saved.defender, saved.rating_d) == ("2-1", "1-2", 2)
    begun = after(beaten, "assist-played 3 agg card=PT1")
    assert ratings(after(begun, "special-played 1 SP01 N piece=1-1 to=G1b")) == (2, 1)


def test_a_combat_of_others_goes_on_when_the_active_player_leaves() -> None:
    places = {"1-1": "Z3.0", "2-1": "Z1.4", "3-1": "Z1.0", "3-2": "Z1.6"}
    state = after(at("pirate alien ninja", places), "points-paid 1 PT2")
    asked = after(state, "foreign-piece-moved 1 2-1 [Z1.5]", "conceded 1")
    assert RULESET.view(asked, "public")["next"] == {"what": "order", "seat": 3}

    fight = after(asked, "combat-order-chosen 3 [3-1,3-2]")
    again = after(fight, "combat-conceded 3")
    assert [ratings(fight), ratings(again)] == [(1, 2), (1, 1)]
    assert followed(again, "combat-conceded 3")[-1] == "turn-started"
    assert after(again, "combat-conceded 3").table.turn.seat == 2


def test_nobody_fights_on_an_elfs_gate() -> None:
    places = {"1-1": "K2", "3-1": "Z2.5"}
    state = at("ninja elf pirate", places)
    there = after(state, "piece-moved 1 1-1 [G2a]")

    assert "combat-started" not in followed(state, "piece-moved 1 1-1 [G2a]")
    assert there.table.fight is None
    shut = at("ninja elf pirate", places, elf_gates="closed")
    assert verdict(shut, "piece-moved 1 1-1 [G2a]") == "gate-closed"


def test_two_who_win_at_once_are_told_apart_by_the_turn_or_share_it() -> None:
    places = {"1-1": "H1", "1-2": "H3", "1-3": "H5", "2-1": "X1", "2-2": "X3", "2-3": "Z5.1"}
    first = at("ninja pirate robot", places, turn=2)
    shared = at("ninja pirate robot", places, turn=2, tie="draw")

    assert outcome(after(first, "piece-moved 2 2-3 [X5]")).winners == (2,)
    both = outcome(after(shared, "piece-moved 2 2-3 [X5]"))
    assert (both.why, both.winners) == ("by-tie", (1, 2))
    two = {f"1-{n}": f"H{n}" for n in range(1, 7)} | {f"2-{n}": f"X{n}" for n in range(1, 6)}
    state = at("ninja pirate", {**two, "2-6": "M5"}, turn=2, tie="draw")
    drawn = after(state, "piece-moved 2 2-6 [X6]")
    assert outcome(drawn).winners == ()
    assert RULESET.ending(drawn, {}) == RULESET.texts["by-tie.none"]


def test_a_question_about_an_order_is_dropped_with_its_pieces() -> None:
    state = at("ninja pirate", {"1-1": "X1", "2-1": "X4", "2-2": "X6"})
    asked = after(state, "piece-moved 1 1-1 [T]")
    found, now = events(asked, "ruled home piece=2-1")

    assert "phase-began" in {event_type(event) for event in found}
    assert now.table.fight.foe.piece == "2-2"


def test_a_seat_that_leaves_takes_its_pieces_along() -> None:
    state = after(at("ninja pirate robot", PLACES, turn=2), "conceded 2")

    assert where(state, "2-1") == ""
    assert (state.table.turn.seat, state.table.discard) == (3, HAND)
    assert verdict(state, "piece-moved 3 2-1 [Z1.1]") == "not-own-piece"
    assert outcome(after(state, "conceded 1")).winners == (3,)


def test_at_depth_score_who_won_is_called() -> None:
    state = at("ninja pirate robot", depth="score")

    assert verdict(state, "won-called 1 zombocalypse") == "other-win"
    assert verdict(state, "options-changed full") == "went-on-unrecorded"
    assert verdict(start(3, depth="score"), "options-changed full") == "legal"
    assert verdict(state, "cards-drawn 1 1") == "other-depth"
    assert outcome(after(state, "won-called 1 dojo-domination")).winners == (1,)


@pytest.mark.parametrize(
    ("reading", "chain"), [("through", ["3-1", "3-2"]), ("adjacent_only", ["3-1"])]
)
def test_a_chain_of_zombies_runs_through_rings_or_ends_there(
    reading: str, chain: list[str]
) -> None:
    places = {"3-1": "Z2.1", "3-2": "Z2.4"}
    state = at("ninja pirate zombie", places, ground=("Z2.0",), rings_in_chain=reading)

    assert chain_of(state, "3-1") == (chain, ["Z2.0"])


@pytest.mark.parametrize(("reading", "costs"), [("zombies", (1, 1)), ("all", (0, 1))])
def test_rings_in_play_make_an_entrance_cheaper(reading: str, costs: tuple[int, int]) -> None:
    places = {"1-1": "X1", "3-1": "Z2.1", "3-2": "Z2.4", "3-3": "Z2.0"}
    state = at("ninja pirate zombie", places, ground=("Z1.0",), rings={"3-1": 1}, outbreak=reading)

    assert (cost(state, 1), cost(state, 3)) == costs


def test_what_was_laid_down_and_not_used_is_lost_with_the_combat() -> None:
    laid = after(duel(), "points-paid 2 PT1", "combat-passed 2")
    assert laid.table.sides[1].purse == (1,)
    over = after(laid, "combat-passed 1")
    assert over.table.fight is None
    assert over.table.sides[1].purse == ()


# -- what everybody sees --------------------------------------------------------------


def seen(state: State) -> dict[str, Any]:
    found: dict[str, Any] = RULESET.view(state, "public")
    return found


def test_a_combat_is_seen_with_both_its_forces() -> None:
    fight = seen(after(duel(), "special-played 2 SP06 P"))["fight"]

    assert (fight["to_act"], fight["passes"], fight["duel"]) == ("def", 0, False)
    assert [
        (f["piece"], f["space"], f["base"], f["rating"]) for f in (fight["agg"], fight["def"])
    ] == [
        ("2-1", "Z1.1", 1, 3),
        ("1-1", "X1", 1, 1),
    ]
    assert seen(at("ninja pirate", PLACES))["fight"] is None
    assert seen(start(2))["seats"][0]["entrance_cost"] is None


def test_who_leapt_is_seen_dazed_and_alone() -> None:
    state = after(at("ninja pirate", {"1-1": "G1a", "1-2": "K1"}), "points-paid 1 PT2")
    leapt = after(state, "piece-leapt 1 1-1 Z4.0")

    pieces = seen(leapt)["seats"][0]["pieces"]
    assert [piece["piece"] for piece in pieces if piece["dazed"]] == ["1-1"]


def test_a_turn_that_owes_cards_is_seen_to_be_in_its_drawing() -> None:
    state = at("gunslinger pirate", {"1-1": "X1"}, hands={1: 12})
    drawn = seen(after(state, "cards-drawn 1 1"))

    assert (drawn["phase"], drawn["next"]) == ("draw", {"what": "discard", "seat": 1})
