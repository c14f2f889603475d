"""The worked examples ZP-E01 to ZP-E40, each with the code given there."""

import pytest

from rules.fields import Choice
from rules.zerpang.consequences import (
    CardsAdded,
    CardsTaken,
    CombatOrderAsked,
    CombatStarted,
    DiscardOwed,
    PointsSpent,
)
from rules.zerpang.entrance import cost
from rules.zerpang.maps import distances
from tests.rules.zerpang.table import (
    RULESET,
    after,
    at,
    call,
    consequence,
    followed,
    outcome,
    start,
    verdict,
    where,
)

PAY1, PAY2 = "PT1", "PT2"


def test_e01_two_seats_are_ninjas_and_pirates() -> None:
    state = after(start(2), "class-taken 1 ninja")

    assert verdict(state, "class-taken 2 robot") == "class-2p"
    assert verdict(state, "class-taken 2 ninja") == "legal"


def test_e02_somebody_is_ninja_or_pirate() -> None:
    state = after(start(3), "class-taken 1 zombie", "class-taken 2 robot")

    assert verdict(state, "class-taken 3 alien") == "class-needs-np"
    assert verdict(state, "class-taken 3 pirate") == "legal"


def test_e03_other_classes_are_there_once() -> None:
    taken = ("class-taken 1 ninja", "class-taken 2 pirate", "class-taken 3 zombie")
    state = after(start(4), *taken)

    assert verdict(state, "class-taken 4 zombie") == "class-duplicate"
    assert verdict(state, "class-taken 4 pirate") == "legal"


def test_a_base_and_a_colour_are_taken_once() -> None:
    state = after(start(2), "base-taken 1 B1 red")

    assert call(state, "base-taken 2 B1 blue") == "impossible base-taken"
    assert call(state, "base-taken 2 B2 red") == "impossible colour-taken"


def test_e04_the_first_piece_is_free() -> None:
    state = at("ninja pirate")

    assert verdict(state, "piece-entered 1 1-1 G1a") == "legal"
    assert where(after(state, "piece-entered 1 1-1 G1a"), "1-1") == "G1a"


def test_e05_each_piece_on_the_board_costs_a_point() -> None:
    state = at("ninja pirate", {"1-1": "G1a"})
    paid = after(state, f"points-paid 1 {PAY2}")

    spent = consequence(paid, PointsSpent, "piece-entered 1 1-2 G1b")
    assert (spent.need, spent.total, spent.lost) == (1, 2, 1)
    assert verdict(state, "piece-entered 1 1-2 G1b") == "underpaid"
    assert verdict(paid, "piece-entered 1 1-2 G2a") == "gate-not-own"


def test_e06_both_gates_are_occupied() -> None:
    state = at("ninja pirate", {"1-1": "G1a", "1-2": "G1b"})

    assert call(state, "piece-entered 1 1-3 G1a") == "impossible no-open-gate"


def test_e07_the_first_space_is_free_each_further_one_point() -> None:
    state = at("ninja pirate", {"1-1": "G1a"})
    move = "piece-moved 1 1-1 [K1,Z1.6,M1]"

    assert verdict(after(state, f"points-paid 1 {PAY2}"), move) == "legal"
    assert verdict(after(state, f"points-paid 1 {PAY1}"), move) == "underpaid"
    assert where(after(state, f"points-paid 1 {PAY2}", move), "1-1") == "M1"


def test_e08_gates_of_others_are_closed() -> None:
    state = at("ninja pirate", {"1-1": "K2"})

    assert verdict(state, "piece-moved 1 1-1 [G2a]") == "gate-closed"
    unused = at("ninja pirate", {"1-1": "K2"}, bases=(1, 4))
    assert verdict(unused, "piece-moved 1 1-1 [G2a]") == "legal"


def test_e10_the_chain_counts_and_who_stands_apart_does_not() -> None:
    state = at(
        "ninja pirate",
        {"1-1": "X1", "1-2": "X2", "2-1": "Z1.2", "2-2": "Z1.0", "2-3": "Z1.4", "2-4": "Z3.0"},
        turn=2,
    )
    begun = consequence(state, CombatStarted, "piece-moved 2 2-1 [Z1.1]")

    assert (begun.rating_a, begun.rating_d) == (3, 2)
    assert set(begun.chain_a) == {"2-2", "2-3"}


def test_e12_a_fighter_on_its_own_gate_adds_five() -> None:
    state = at("ninja pirate", {"1-1": "G1a", "2-1": "Z1.6"}, turn=2)
    begun = consequence(state, CombatStarted, "piece-moved 2 2-1 [K1]")

    assert (begun.rating_a, begun.rating_d) == (1, 6)


def test_e13_only_the_fighter_has_the_gate() -> None:
    state = at("ninja pirate", {"1-1": "Z1.5", "1-2": "G1a", "2-1": "H1"}, turn=2)
    begun = consequence(state, CombatStarted, "piece-moved 2 2-1 [Z1.4]")

    assert (begun.rating_a, begun.rating_d) == (1, 2)


def test_e14_one_card_and_one_for_each_zone() -> None:
    places = {"1-1": "Z1.0", "1-2": "Z1.5", "1-3": "Z3.0"}
    state = at("ninja pirate", places)

    assert verdict(state, "cards-drawn 1 3") == "legal"
    assert verdict(state, "cards-drawn 1 4") == "draw-count"
    pirate = at("pirate ninja", places)
    doubled = after(pirate, "special-played 1 SP11 P")
    assert verdict(doubled, "cards-drawn 1 5") == "legal"
    salvaged = after(pirate, "phase-replaced 1 salvage")
    assert verdict(salvaged, "cards-drawn 1 4") == "legal"
    assert verdict(salvaged, "piece-moved 1 1-1 [Z1.1]") in ("wrong-phase", "phase-replaced")


def test_e15_the_game_stops_before_a_combat_would_follow() -> None:
    places = {"1-1": "H1", "1-2": "H3", "1-3": "Z5.4"}
    three = at("ninja pirate pirate", {**places, "2-1": "F5a"}, bases=(1, 2, 4))
    won = after(three, "piece-moved 1 1-3 [H5]")

    assert "combat-started" not in followed(three, "piece-moved 1 1-3 [H5]")
    assert outcome(won).why == "dojo-domination"
    assert RULESET.ending(won, {1: "Ada"}) == "Ada won: pieces on the great houses H1, H3 and H5."
    assert call(won, "cards-drawn 1 1") == "impossible game-over"
    two = at("ninja pirate", {**places, "2-1": "F5a"})
    assert outcome(after(two, "piece-moved 1 1-3 [H5]")) is None
    assert "combat-started" in followed(two, "piece-moved 1 1-3 [H5]")


def test_e17_a_leap_goes_from_an_own_gate_to_anywhere_but_great_houses() -> None:
    state = after(at("ninja pirate", {"1-1": "G1a", "1-2": "K1"}), f"points-paid 1 {PAY2}")

    assert verdict(state, "piece-leapt 1 1-1 Z4.0") == "legal"
    assert verdict(state, "piece-leapt 1 1-2 Z4.0") == "gate-not-own"
    assert verdict(state, "piece-leapt 1 1-1 H4") == "great-house-forbidden"
    moved = after(state, "piece-moved 1 1-2 [Z1.6]")
    assert verdict(moved, "piece-leapt 1 1-1 Z4.0") == "phase-replaced"
    leapt = after(state, "piece-leapt 1 1-1 Z4.0")
    assert leapt.table.sides[0].dazed == 1
    back = after(leapt, "cards-drawn 1 2", "cards-drawn 2 1")
    assert back.table.sides[0].dazed == 0


def test_e18_who_was_not_here_has_played_no_card() -> None:
    state = at("pirate ninja", {"1-1": "Z1.0", "2-1": "X1"})
    fight = after(state, "piece-moved 1 1-1 [Z1.1]", "combat-passed 1")

    assert verdict(after(fight, f"combat-played 2 card={PAY1}"), "phase-replaced 2 not-here") == (
        "cards-already-played"
    )
    laid = after(fight, f"points-paid 2 {PAY1}")
    assert verdict(laid, "phase-replaced 2 not-here") == "cards-already-played"
    hooked = after(state, "piece-moved 1 1-1 [Z1.1]", "special-played 1 SP06 P")
    negated = after(hooked, "special-negated 2 SP09 N")
    assert verdict(negated, "phase-replaced 2 not-here") == "cards-already-played"
    back = after(negated, "special-negated 1 SP09 N licence=SP02")
    assert verdict(back, "phase-replaced 2 not-here") == "cards-already-played"
    gone = after(fight, "phase-replaced 2 not-here")
    assert where(gone, "2-1") == ""
    taken = consequence(fight, CardsTaken, "phase-replaced 2 not-here")
    assert (taken.seat, taken.foe, taken.n) == (2, 1, 1)
    assert verdict(gone, "special-played 2 SP01 N piece=2-1 to=G2a") == "legal"


def test_e19_a_scoundrel_pays_two_and_two_for_each_further_space() -> None:
    state = at("ninja pirate", {"1-1": "Z2.0", "1-2": "H1"}, turn=2)
    trick = "foreign-piece-moved 2 1-1 [Z2.1,X2,T]"
    four = after(state, f"points-paid 2 {PAY2}", f"points-paid 2 {PAY2}")
    six = after(four, f"points-paid 2 {PAY2}")

    assert verdict(four, trick) == "underpaid"
    assert consequence(six, PointsSpent, trick).need == 6
    assert consequence(four, PointsSpent, "foreign-piece-moved 2 1-1 [Z2.1]").need == 2
    assert verdict(six, "foreign-piece-moved 2 1-2 [F1a]") == "on-goal"
    tricks = [o for o in RULESET.options(six, 2) if o.type == "foreign-piece-moved"]
    assert [o.fields["piece"] for o in tricks] == [Choice(("1-1",))]
    round_later = after(six, trick, "cards-drawn 2 1", "cards-drawn 1 1", f"points-paid 2 {PAY2}")
    assert verdict(round_later, "foreign-piece-moved 2 1-1 [M1]") == "same-piece-again"


def test_a_piece_moved_by_a_scoundrel_is_the_aggressor_even_of_one_that_just_entered() -> None:
    entered = after(at("pirate ninja robot", {"2-1": "Z1.6"}), "piece-entered 1 1-1 G1a")
    begun = consequence(
        entered, CombatStarted, f"points-paid 1 {PAY2}", "foreign-piece-moved 1 2-1 [K1]"
    )

    assert (begun.agg, begun.defender) == ("2-1", "1-1")


def test_e20_zombies_win_ties_and_leave_a_ring() -> None:
    state = at("ninja pirate zombie", {"1-1": "Z2.1", "3-1": "Z2.4"}, turn=3)
    fight = after(state, "piece-moved 3 3-1 [Z2.0]", "combat-passed 3")
    over = after(fight, "combat-passed 1")

    assert (fight.table.fight.agg.rating, fight.table.fight.foe.rating) == (1, 1)
    assert where(over, "1-1") == ""
    assert over.table.ground == ("Z2.1",)


def test_e21_who_crosses_a_ring_takes_it() -> None:
    zombie = at("ninja pirate zombie", {"3-1": "Z2.0"}, turn=3, ground=("Z2.1",))
    taken = after(zombie, "piece-moved 3 3-1 [Z2.1]")

    assert taken.table.sides[2].rings == (1, 0, 0, 0, 0, 0)
    assert taken.table.ground == ()
    ninja = at("ninja pirate zombie", {"1-1": "Z2.0", "3-1": "X1"}, ground=("Z2.1",))
    begun = consequence(ninja, CombatStarted, "points-paid 1 PT1", "piece-moved 1 1-1 [Z2.1,X2]")
    assert (begun.rating_a, begun.rating_d) == (0, 1)


def test_a_ring_makes_a_zombie_worth_two() -> None:
    state = at("ninja pirate zombie", {"1-1": "X1", "3-1": "Z1.0"}, turn=3, rings={"3-1": 1})
    begun = consequence(state, CombatStarted, "piece-moved 3 3-1 [Z1.1]")

    assert (begun.rating_a, begun.rating_d) == (2, 1)


@pytest.mark.parametrize(
    ("rings", "path", "expected"),
    [
        (2, "Z1.1", "legal"),
        (2, "Z1.1,M1", "underpaid"),
        (3, "Z1.1,M1", "legal"),
        (3, "Z1.1,M1,X2", "underpaid"),
    ],
)
def test_a_third_ring_makes_a_second_space_free(rings: int, path: str, expected: str) -> None:
    state = at("ninja pirate zombie", {"3-1": "Z1.0"}, turn=3, rings={"3-1": rings})

    assert verdict(state, f"piece-moved 3 3-1 [{path}]") == expected


def test_e23_three_pieces_with_two_rings_win() -> None:
    state = at(
        "ninja pirate zombie",
        {"3-1": "Z2.0", "3-2": "Z5.0", "3-3": "Z4.0"},
        turn=3,
        rings={"3-1": 1, "3-2": 2, "3-3": 2},
        ground=("Z2.1",),
    )

    assert outcome(after(state, "piece-moved 3 3-1 [Z2.1]")).why == "zombocalypse"


def test_e24_linked_pieces_move_as_one() -> None:
    places = {"2-1": "M4", "2-2": "Z4.1", "2-3": "Z3.6"}
    state = at("ninja robot pirate", places, turn=2)
    linked = "linked-moved 2 [2-1,2-2,2-3] [1,1]"
    paid = after(state, f"points-paid 2 {PAY2}", f"points-paid 2 {PAY1}")

    assert verdict(state, linked) == "underpaid"
    assert consequence(paid, PointsSpent, linked).need == 3
    moved = after(paid, linked)
    assert [where(moved, piece) for piece in places] == ["X6", "T", "M2"]
    assert verdict(state, "linked-moved 2 [2-1,2-2,2-3] [1]") == "legal"
    blocked = at("ninja robot pirate", {**places, "1-1": "X4"}, turn=2)
    assert call(blocked, "linked-moved 2 [2-1,2-2,2-3] [1]") == "impossible space-occupied"


def test_e25_one_upload_a_round_and_a_point_for_each() -> None:
    state = at("ninja robot pirate", {"2-1": "T", "2-2": "M4"}, turn=2)
    up = after(state, "piece-uploaded 2 2-1")

    assert verdict(up, "piece-uploaded 2 2-2") == "already-uploaded"
    assert verdict(up, "piece-moved 2 2-2 [X4]") == "wrong-phase"
    assert verdict(after(up, "points-paid 2 PT1"), "piece-entered 2 2-3 G2a") == "wrong-phase"
    among = at("ninja robot pirate", {"2-1": "T", "2-2": "M4"}, turn=2, upload="movement")
    assert verdict(after(among, "piece-uploaded 2 2-1"), "piece-moved 2 2-2 [X4]") == "legal"
    later = at("ninja robot pirate", {"2-1": "*", "2-2": "M4", "2-3": "Z4.0"}, turn=1)
    turn = after(later, "cards-drawn 1 1")
    assert cost(turn, 2) == 3
    assert turn.table.sides[1].clouds == 1
    assert verdict(turn, "points-paid 2 cloud") == "legal"
    assert verdict(after(turn, "points-paid 2 cloud"), "points-paid 2 cloud") == "no-upload-point"


@pytest.mark.parametrize(
    ("laid", "expected"),
    [
        ([PAY2], "single-card"),
        ([PAY2, PAY2], (4, 3)),
        ([PAY1, PAY1, PAY1], (6, 5)),
        ([PAY1, PAY2, "SP07 side=P"], (12, 11)),
        ([PAY2, "SP07 side=P", "SP02 side=P"], (18, 17)),
        ([PAY1, "SP07 side=P"], "set-invalid"),
    ],
)
def test_e26_a_gunslinger_plays_sets(laid: list[str], expected: object) -> None:
    state = at("ninja gunslinger pirate", {"2-1": "G2a"}, turn=2)
    paid = after(state, *(f"points-paid 2 {card}" for card in laid))
    enter = "piece-entered 2 2-2 G2b"

    if isinstance(expected, str):
        assert verdict(paid, enter) == expected
    else:
        spent = consequence(paid, PointsSpent, enter)
        assert (spent.total, spent.lost) == expected


def test_e27_a_gunslinger_fills_up_or_discards() -> None:
    places = {"2-1": "Z1.0", "2-2": "Z3.0", "2-3": "M1"}
    three = at("ninja gunslinger pirate", places, turn=2, hands={2: 3})
    six = at("ninja gunslinger pirate", places, turn=2, hands={2: 6})

    assert after(three, "cards-drawn 2 3").table.sides[1].hand == 7
    assert consequence(six, DiscardOwed, "cards-drawn 2 3").n == 2
    owing = after(six, "cards-drawn 2 3")
    assert verdict(owing, "piece-moved 2 2-1 [Z1.1]") == "hand-over-limit"
    done = after(owing, "card-discarded 2 PT1", "card-discarded 2 PT1")
    assert (done.table.sides[1].hand, done.table.turn.seat) == (7, 3)
    by_cards = after(owing, "special-played 2 SP10 P foe=3")
    assert (by_cards.table.sides[1].hand, by_cards.table.turn.seat) == (7, 1)
    assert verdict(done, "special-played 2 SP10 P foe=3") == "legal"
    taken = after(owing, "special-played 3 SP09 P foe=2", "special-negated 2 SP09 N")
    assert (taken.table.sides[1].hand, taken.table.turn.owes) == (7, 0)
    early = after(at("ninja gunslinger pirate", hands={2: 9}), "cards-drawn! 2 1")
    assert (early.table.turn.seat, early.table.turn.owes) == (1, 0)
    eight = at("ninja gunslinger pirate", places, turn=2, hands={2: 6}, gunslinger_hand=5)
    assert consequence(eight, DiscardOwed, "cards-drawn 2 3").n == 1


def test_e29_an_aliens_base_holds_six() -> None:
    state = at(
        "ninja alien pirate",
        {"1-1": "X1", "2-1": "Z1.0", "2-2": "Z5.0", "1-2": "@2", "3-1": "@2"},
        turn=2,
    )
    fight = after(state, "piece-moved 2 2-1 [Z1.1]")
    kinds = followed(fight, "combat-conceded 1")
    assert "base-full" in kinds
    assert "piece-abducted" not in kinds
    assert where(after(fight, "combat-conceded 1"), "1-1") == ""


def test_a_piece_of_its_own_comes_home_to_a_full_base() -> None:
    places = {"2-1": "X1", "1-1": "Z1.0", "3-2": "@2"}
    fight = after(at("ninja alien pirate", places, turn=1), "piece-moved 1 1-1 [Z1.1]")
    kinds = followed(fight, "combat-conceded 2")
    assert kinds.index("pieces-released") < kinds.index("piece-sent-home")
    over = after(fight, "combat-conceded 2")
    assert (where(over, "2-1"), where(over, "3-2")) == ("", "")


def test_e30_every_opponent_has_to_be_abducted() -> None:
    held = {"1-1": "@4", "1-2": "@4", "2-1": "@4", "4-1": "Z1.0", "4-2": "Z3.0", "4-3": "Z5.0"}
    on_three = at("ninja pirate robot alien", {**held, "3-1": "@4"}, turn=4)
    on_two = at("ninja pirate robot alien", {**held, "1-3": "@4"}, turn=4)

    assert outcome(after(on_three, "piece-moved 4 4-1 [Z1.1]")).why == "all-your-base"
    assert outcome(after(on_two, "piece-moved 4 4-1 [Z1.1]")) is None
    of_six = {f"{seat}-1": "@6" for seat in range(1, 5)} | {
        f"6-{n}": f"Z{n}.0" for n in range(1, 5)
    }
    six = at("ninja pirate robot zombie gunslinger alien", of_six, turn=6)
    won = after(six, "piece-moved 6 6-1 [Z1.1]")
    assert RULESET.ending(won, {6: "Ada"}) == "Ada won: pieces of enough opponents abducted."


def test_e32_balloons_come_down_where_they_fight() -> None:
    state = at("ninja alien pirate", {"1-1": "X1", "2-1": "Z6.0"}, turn=2)
    paid = after(state, f"points-paid 2 {PAY2}")

    assert verdict(paid, "piece-ballooned 2 2-1 M1") == "legal"
    assert verdict(paid, "piece-ballooned 2 2-1 K5") == "no-contact"
    assert "combat-started" in followed(paid, "piece-ballooned 2 2-1 M1")


def test_e33_owners_of_the_abducted_do_not_help_against_the_alien() -> None:
    state = at("ninja alien pirate", {"1-1": "X1", "2-1": "Z1.0", "3-1": "@2"}, turn=2)
    fight = after(state, "piece-moved 2 2-1 [Z1.1]")

    assert verdict(fight, f"assist-played 3 def card={PAY1}") == "assist-barred"
    assert verdict(fight, f"assist-played 3 agg card={PAY1}") == "legal"


def test_e35_defenders_fight_clockwise_in_their_own_order() -> None:
    state = at(
        "ninja pirate robot pirate",
        {"1-1": "X1", "2-1": "X4", "2-2": "X6", "4-1": "X2"},
        bases=(1, 2, 3, 5),
    )
    asked = consequence(state, CombatOrderAsked, "piece-moved 1 1-1 [T]")
    assert (asked.seat, asked.pieces) == (2, ("2-1", "2-2"))
    first = after(state, "piece-moved 1 1-1 [T]", "combat-order-chosen 2 [2-2,2-1]")
    assert first.table.fight.foe.piece == "2-2"
    second = after(first, "combat-conceded 2")
    assert second.table.fight.foe.piece == "2-1"
    third = after(second, "combat-conceded 2")
    assert third.table.fight.foe.piece == "4-1"


def test_a_defender_is_asked_anew_where_another_aggressor_touches_others_of_its_pieces() -> None:
    places = {"1-1": "X1", "1-2": "X2", "1-3": "Z6.1", "2-1": "X4", "2-2": "X5"}
    state = at("ninja robot pirate", places, turn=2)
    first = after(state, "linked-moved 2 [2-1,2-2] [1]", "combat-order-chosen 1 [1-1,1-2]")
    asked = consequence(first, CombatOrderAsked, "combat-conceded 2")

    assert first.table.fight.foe.piece == "1-1"
    assert (asked.seat, asked.agg, asked.pieces) == (1, "2-2", ("1-1", "1-3"))


def test_a_defender_is_asked_anew_where_another_aggressor_touches_the_same_pieces() -> None:
    places = {"1-1": "X1", "1-2": "Z1.6", "2-1": "Z1.2", "2-2": "Z1.1"}
    state = at("ninja robot pirate", places, turn=2)
    first = after(state, "linked-moved 2 [2-1,2-2] [3]", "combat-order-chosen 1 [1-1,1-2]")
    asked = consequence(first, CombatOrderAsked, "combat-conceded 2")

    assert (asked.agg, asked.pieces) == ("2-2", ("1-1", "1-2"))
    chosen = after(first, "combat-conceded 2", "combat-order-chosen 1 [1-2,1-1]")
    assert chosen.table.fight.foe.piece == "1-2"


def test_e37_a_card_of_the_draw_phase_is_not_played_in_the_turn_it_was_drawn() -> None:
    state = at("ninja pirate", {}, hands={1: 1})
    drawn = after(state, "special-played 1 SP03 N")

    assert drawn.table.sides[0].hand == 2
    assert verdict(drawn, "special-played 1 SP03 N") == "fresh-card"
    pirate = after(at("pirate ninja", hands={1: 1}), "special-played 1 SP03 P", "cards-drawn 1 1")
    assert verdict(pirate, "special-played 1 SP10 P foe=2") == "fresh-card"
    one_old = after(at("pirate ninja", hands={1: 2}), "special-played 1 SP03 P", "cards-drawn 1 1")
    assert verdict(one_old, "special-played 1 SP10 P foe=2") == "legal"
    played = after(one_old, "special-played 1 SP10 P foe=2")
    assert verdict(played, "special-played 1 SP10 P foe=2") == "fresh-card"
    robot = at("ninja pirate robot", hands={3: 1}, turn=3)
    paid_by_the_new_one = after(robot, "cards-drawn 3 1", "points-paid 3 PT1")
    assert verdict(paid_by_the_new_one, "special-played 3 SP10 P foe=1") == "legal"


def test_a_card_of_the_draw_phase_is_not_new_because_the_seat_before_has_drawn() -> None:
    drawn = after(at("ninja pirate", hands={2: 1}), "cards-drawn 1 1")

    assert verdict(drawn, "special-played 2 SP03 P") == "legal"


def test_e38_a_licence_covers_one_card() -> None:
    state = at("ninja pirate", {"2-1": "Z1.0"}, turn=2)

    assert verdict(state, "special-played 2 SP05 N") == "no-licence"
    assert verdict(state, "special-played 2 SP05 N licence=SP02") == "legal"
    once = after(state, "special-played 2 SP05 N licence=SP02")
    assert verdict(once, "special-played 2 SP05 N") == "no-licence"


def test_e40_an_elf_never_enters_and_wins_by_time() -> None:
    state = at("ninja elf pirate", turn=2)

    assert call(state, "piece-entered 2 2-1 G2a") == "impossible class-has-no-entry"
    assert outcome(after(state, "clock-read 10799")) is None
    won = outcome(after(state, "clock-read 10799", "clock-read 10801"))
    assert (won.why, won.winners) == ("price-of-immortality", (2,))
    last = at("ninja elf pirate", hands={1: 33, 2: 33, 3: 32}, elf_win="deck_empty")
    used_up = after(last, "cards-drawn 1 1")
    assert RULESET.ending(used_up, {2: "Ada"}) == "Ada won: the game lasted long enough."


def test_distances_of_the_derived_board() -> None:
    state = start(2)

    assert [distances(state.board, "G1a")[to] for to in ("H1", "X1", "T")] == [2, 4, 5]
    assert distances(state.board, "H1")["H3"] == 10
    assert consequence(at("ninja pirate"), CardsAdded, "cards-drawn 1 1").n == 1
