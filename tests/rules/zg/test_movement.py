"""Placing, moving, standing, falling and landing: depth `full`."""

import pytest

from rules.fields import Choice
from rules.zg.acts import TerrainPiece, Travelled
from rules.zg.cards import Card, Deck
from tests.rules.zg.full import MOVERS, NUMBERED, UNBOUND, at, full
from tests.rules.zg.table import RULESET, followed, offered, outcome, stand, verdict, view

TIED = "9-9-9", "5-5-5", "5-5-5"
ATTACK = "attacked 1 {} a 2 Suit a"


# -- placing --------------------------------------------------------------------------


def test_figures_are_placed_once_before_the_first_pulse() -> None:
    assert verdict(at("placed 1"), "placed 1") == "irregular is-placed"
    assert verdict(at("moved 1"), "placed 1") == "irregular placing-is-over"
    assert verdict(at("turn-passed 1", "turn-passed 2"), "placed 1") == "irregular placing-is-over"


def test_all_but_the_first_stand_within_seven_cards_of_a_foe() -> None:
    assert verdict(at(), "placed 1 gap=40") == "legal"
    assert verdict(at("placed 1 gap=40"), "placed 2 gap=7") == "legal"
    assert verdict(at("placed 1 gap=40"), "placed 2 gap=8") == "irregular placed-too-far"
    assert verdict(at("placed 1"), "placed 2") == "legal"


def test_how_far_off_a_mate_stands_does_not_matter() -> None:
    krewes = full(MOVERS, MOVERS, MOVERS, krewes=("Komets", "", "Komets"))

    assert verdict(at("placed 1", setup=krewes), "placed 3 gap=20") == "legal"
    assert verdict(at("placed 1", "placed 2", setup=krewes), "placed 3 gap=20") == (
        "irregular placed-too-far"
    )


def test_the_highest_impulse_places_first() -> None:
    called = ['impulse-called 1 "5-5-5"', 'impulse-called 2 "9-9-9"']
    timeline = at(*called)

    assert verdict(timeline, "placed 1") == "irregular placed-out-of-order"
    assert verdict(at(*called, "placed 2"), "placed 1") == "legal"


def test_a_tie_is_drawn_for_before_the_tied_place() -> None:
    called = [f'impulse-called {seat} "{call}"' for seat, call in zip((1, 2, 3), TIED, strict=True)]
    setup = full(NUMBERED, NUMBERED, NUMBERED)
    first = at(*called, "placed 1", setup=setup)
    assert verdict(first, "placed 2") == "irregular impulse-is-tied"
    drawn = at(*called, "tie-drawn 2 Shield", "tie-drawn 3 Boots", "placed 1", setup=setup)
    assert verdict(drawn, "placed 2") == "irregular placed-out-of-order"
    assert verdict(drawn, "placed 3") == "legal"


def test_who_was_said_to_be_next_places_before_those_tied_with_it() -> None:
    called = [f'impulse-called {seat} "5-5-5"' for seat in (1, 2)]
    assert verdict(at(*called, setup=full(NUMBERED, NUMBERED)), "placed 2") == (
        "irregular impulse-is-tied"
    )
    said = at(*called, "impulse-won 1", setup=full(NUMBERED, NUMBERED))
    assert verdict(said, "placed 2") == "irregular placed-out-of-order"
    assert verdict(said, "placed 1") == "legal"
    assert verdict(stand(said, "placed 1"), "placed 2") == "legal"


# -- the move of a pulse --------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("travelled 1 Left cards=4", "legal"),
        ("travelled 1 Left cards=5", "irregular too-far"),
        ("travelled 1 Left cards=1 stance=kneel", "legal"),
        ("travelled 1 Left cards=2 stance=kneel", "irregular too-far"),
        ("travelled 1 Right stance=kneel", "irregular too-far"),
        ("travelled 1 Left stance=stand", "irregular stance-unchanged"),
        ("travelled 1 Left rise=true", "irregular stands-already"),
        ("travelled 1 Wings cards=3 free=3", "legal"),
        ("travelled 1 Wings cards=3 free=4", "irregular too-high"),
        ("travelled 1 Left free=1", "irregular no-zg"),
        ("travelled 1 Left jump=true", "irregular no-zg"),
        ("travelled 1 Wings cards=2 jump=true", "legal"),
        ("travelled 1 Fog cards=60 free=9 jump=true", "legal"),
    ],
)
def test_a_move_costs_no_more_than_its_card_has(line: str, said: str) -> None:
    assert verdict(at(), line) == said


def test_free_vertical_cards_and_jumps_rest_on_what_gives_them() -> None:
    cited = {
        line: RULESET.judge(at().head.state, RULESET.read(line)).clause
        for line in (
            "travelled 1 Wings free=4",
            "travelled 1 Left free=1",
            "travelled 1 Left jump=true",
        )
    }
    assert list(cited.values()) == ["ZG 11 Z-G", "ZG 11 Z-G", "ZG TAC-3"]


def test_a_move_and_its_attack_are_one_pulse() -> None:
    moved = at("travelled 1 Left cards=2")
    then = at("travelled 1 Left cards=2", "attacked 1 Left a 2 Odd a")

    assert view(moved)["seats"][0]["pulses"] == view(then)["seats"][0]["pulses"] == 1
    assert verdict(moved, "travelled 1 Left cards=1") == "irregular move-is-taken"
    assert verdict(then, "travelled 1 Left cards=1") == "irregular card-already-played"


def test_the_third_pulse_may_still_attack_after_its_move() -> None:
    lines = [*(f"moved 1 card={card}" for card in ("Left", "Odd")), "travelled 1 Suit cards=1"]
    third = at(*lines)

    assert view(third)["current"] == 1
    assert verdict(third, "moved 1 card=Wings") == "irregular no-pulse-left"
    attacks = [o for o in RULESET.options(third.head.state) if o.type == "attacked"]
    assert {o.fields["card"] for o in attacks} == {Choice(("Suit",))}
    assert followed(*lines, ATTACK.format("Suit"), setup=full())[-2:] == [
        "seat-defeated",
        "match-won",
    ]
    assert followed(*lines, "moved 1 card=Suit", setup=full()) == ["pulses-ended"]
    assert followed(*lines, "turn-passed 1", setup=full()) == ["pulses-ended"]


def test_the_second_footgear_of_one_colour_dashes() -> None:
    dashing = at("moved 1 card=Left")

    assert verdict(dashing, "travelled 1 Right cards=5") == "legal"
    assert verdict(dashing, "travelled 1 Right cards=6") == "irregular too-far"
    assert verdict(dashing, "travelled 1 Odd cards=3") == "irregular too-far"


def test_a_dash_is_possible_as_long_as_nobody_knows_better() -> None:
    assert verdict(at("moved 1"), "travelled 1 Odd cards=5") == "legal"
    assert verdict(at("moved 1"), "travelled 1 Odd cards=6") == "irregular too-far"
    assert verdict(at("moved 1"), "travelled 1 Suit cards=4") == "irregular too-far"
    plain, written = (
        Card(name="Plain", slot="Footgear", move=2),
        Card(name="Sheet", slot="Footgear", colour="Blue", move=2),
    )
    setup = full(Deck(cards=(*MOVERS.cards, plain, written)), MOVERS)
    dashing = at("moved 1 card=Left", setup=setup)
    assert verdict(dashing, "travelled 1 Plain cards=5") == "legal"
    assert verdict(dashing, "travelled 1 Sheet cards=5") == "legal"
    assert verdict(at(setup=setup), "travelled 1 Plain cards=3") == "irregular too-far"


# -- stances --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stance", "most"), [("kneel", 0), ("attack", 1), ("defense", 1), ("prone", 1)]
)
def test_a_stance_limits_how_far_a_figure_travels(stance: str, most: int) -> None:
    timeline = at(f"travelled 1 Left stance={stance}")

    assert view(timeline)["seats"][0]["stance"] == stance
    assert verdict(timeline, f"travelled 1 Split cards={most}") == "legal"
    assert verdict(timeline, f"travelled 1 Split cards={most + 1}") == "irregular stance-limits"
    assert verdict(timeline, "travelled 1 Split free=1") == "irregular stance-limits"
    jump = "legal" if most else "irregular stance-limits"
    assert verdict(timeline, "travelled 1 Split jump=true") == jump
    up = stand(timeline, "travelled 1 Split stance=stand")
    assert view(up)["seats"][0]["stance"] == ""


def test_lying_down_takes_three_to_get_up() -> None:
    down = at("fell 1 height=2")

    assert view(down)["seats"][0]["down"]
    assert verdict(down, "travelled 1 Left cards=1") == "irregular lies-down"
    assert verdict(down, "travelled 1 Left cards=1 rise=true") == "legal"
    assert verdict(down, "travelled 1 Left cards=2 rise=true") == "irregular too-far"
    assert not view(stand(down, "travelled 1 Left rise=true"))["seats"][0]["down"]


def test_a_figure_on_its_back_has_left_its_stance_and_gets_up_standing() -> None:
    down = at("travelled 1 Split stance=kneel", "fell 1 height=2")

    assert view(down)["seats"][0]["stance"] == ""
    assert verdict(down, "travelled 1 Left cards=1 rise=true") == "legal"
    assert verdict(down, "travelled 1 Left rise=true stance=stand") == "irregular stance-unchanged"
    up = stand(down, "travelled 1 Left rise=true")
    assert view(up)["seats"][0]["stance"] == ""
    assert verdict(up, "travelled 1 Odd cards=2") == "legal"


def test_who_was_placed_before_that_was_recorded_nobody_knows() -> None:
    called = ['impulse-called 1 "9-7-4"', 'impulse-called 2 "8-1-1"']
    away = ["options-changed tests", "options-changed full"]
    assert verdict(at(*called), "placed 2") == "irregular placed-out-of-order"
    assert verdict(at(*called, *away), "placed 2") == "legal"


def test_how_a_figure_stood_before_that_was_recorded_nobody_knows() -> None:
    timeline = at("options-changed full", setup=full(depth="tests"))
    side = view(timeline)["seats"][0]
    assert (side["stance"], side["down"]) == (None, None)
    for line in ("travelled 1 Left stance=stand", "travelled 1 Left rise=true", "travelled 1 Left"):
        assert verdict(timeline, line) == "legal"
    assert verdict(timeline, "travelled 1 Left cards=2 rise=true") == "irregular too-far"

    told = stand(timeline, "travelled 1 Left stance=stand", "travelled 1 Odd rise=true")
    assert verdict(told, "travelled 1 Suit stance=stand") == "irregular stance-unchanged"
    assert verdict(told, "travelled 1 Suit rise=true") == "irregular stands-already"


# -- Z-G ------------------------------------------------------------------------------


def test_with_zg_the_whole_move_may_come_after_the_attack() -> None:
    lines = ["attacked 1 Wings a 2 Left a"]

    assert "move-left" in followed(*lines, setup=full())
    assert verdict(at(*lines), "travelled 1 Wings cards=3") == "legal"
    assert verdict(at(*lines), "travelled 1 Wings cards=4") == "irregular too-far"
    after = at(*lines, "travelled 1 Wings cards=3")
    assert view(after)["seats"][0]["pulses"] == 1
    assert "move-left" not in followed("travelled 1 Wings cards=1", *lines, setup=full())


def test_zg2_splits_a_move() -> None:
    split = at("travelled 1 Split cards=2", "attacked 1 Split a 2 Left a")

    assert view(split)["walk"]["left"] == 3
    assert verdict(split, "travelled 1 Split cards=3") == "legal"
    assert verdict(split, "travelled 1 Split cards=4") == "irregular too-far"
    over = at("travelled! 1 Split cards=9", "attacked 1 Split a 2 Left a")
    assert view(over)["walk"] is None


def test_a_stance_limits_both_parts_of_a_split_move_together() -> None:
    split = ["travelled 1 Left stance=attack", "{}", "attacked 1 Split a 2 Left a"]
    for first, rest in (("travelled 1 Split cards=1", 0), ("travelled 1 Split", 1)):
        timeline = at(*(line.format(first) for line in split))
        assert verdict(timeline, f"travelled 1 Split cards={rest}") == "legal"
        assert verdict(timeline, f"travelled 1 Split cards={rest + 1}") == "irregular stance-limits"


def test_what_is_left_of_a_move_that_a_text_extends_nobody_knows() -> None:
    far = Card(name="Far", move=3, range=0, powerups=("Z-G2",), exceptions=("too-far",), a="R G B")
    setup = full(Deck(cards=(*MOVERS.cards, far)), MOVERS)
    for before in ([], ["travelled 1 Far cards=9"]):
        timeline = at(*before, "attacked 1 Far a 2 Left a", setup=setup)
        assert verdict(timeline, "travelled 1 Far cards=9") == "legal"


def test_zg_without_the_split_moves_before_its_attack_or_after_it() -> None:
    for before in ("travelled 1 Wings cards=1", "travelled 1 Wings free=3"):
        assert "move-left" not in followed(before, "attacked 1 Wings a 2 Left a", setup=full())


@pytest.mark.parametrize(("card", "cards"), [("Wings", 3), ("Split", 5)])
@pytest.mark.parametrize(
    "follow_up",
    ["attacked 1 {} a 2 Right a", "cover-called 1 {} a 2 Right", "test-called 1 {} 2 Right 1"],
)
def test_a_follow_up_gives_back_no_move_that_is_taken(
    card: str, cards: int, follow_up: str
) -> None:
    attack, again = f"attacked 1 {card} a 2 Left a", follow_up.format(card)
    moved = at(f"travelled 1 {card} cards={cards}", attack, again)
    assert view(moved)["walk"] is None
    assert verdict(moved, f"travelled 1 {card} cards=1") == "irregular card-already-played"
    assert view(at(attack, again))["walk"]["left"] == cards


@pytest.mark.parametrize(
    "attack",
    [
        "cover-called 1 Wings a 2 Left",
        "terrain-attacked 1 Wings a Wall Left a",
        'powerup-used 1 Jets "Burst (Replace)" instead=true',
    ],
)
def test_the_move_may_come_after_what_is_no_plain_test_too(attack: str) -> None:
    jets = Card(name="Jets", slot="Backgear", move=3, powerups=("Z-G", "Burst (Replace)"))
    setup = full(
        Deck(cards=(*MOVERS.cards, jets)), MOVERS, terrain=(TerrainPiece("Wall", 4, 2, 1),)
    )
    card = attack.split()[2]

    assert verdict(at(attack, setup=setup), f"travelled 1 {card} cards=3") == "legal"


def test_a_card_nobody_has_read_may_have_zg() -> None:
    blank = "cover-called 1 Fog a 2 Left"
    assert verdict(at(blank), "travelled 1 Fog cards=9 jump=true") == "legal"
    assert verdict(at(blank, "moved 1"), "travelled 1 Fog") == "irregular card-already-played"

    third = ["moved 1", "moved 1", blank]
    assert followed(*third, setup=full())[-1] == "pulses-ended"
    assert verdict(at(*third), "travelled 1 Fog cards=2") == "legal"
    assert verdict(at(*third), "moved 2") == "legal"

    jets = Card(name="Jets", slot="Backgear", powerups=("Z-G",), a="R G B")
    setup = full(Deck(cards=(*MOVERS.cards, jets)), MOVERS)
    assert verdict(at("attacked 1 Jets a 2 Left a", setup=setup), "travelled 1 Jets cards=9") == (
        "legal"
    )


def test_what_zg_leaves_is_lost_with_the_next_pulse() -> None:
    lines = ["attacked 1 Wings a 2 Left a", "moved 1 card=Odd"]

    assert verdict(at(*lines), "travelled 1 Wings cards=1") == "irregular card-already-played"


def test_a_third_pulse_waits_for_what_zg_leaves() -> None:
    lines = [*(f"moved 1 card={card}" for card in ("Left", "Odd")), "attacked 1 Wings a 2 Left a"]
    assert "pulses-ended" not in followed(*lines, setup=full())
    assert "pulses-ended" in followed(*lines, "travelled 1 Wings cards=1", setup=full())
    assert "pulses-ended" in followed(*lines, "turn-passed 1", setup=full())


# -- falls ----------------------------------------------------------------------------


def test_a_fall_of_more_than_a_card_knocks_down() -> None:
    assert followed("fell 1 height=1", setup=full()) == []
    assert followed("fell 1 height=2", setup=full()) == ["figure-downed"]
    assert followed("fell 1 height=9 zg=true", setup=full()) == []
    assert verdict(at(), "fell 1") == "impossible fall-unclear"
    assert verdict(at(), "fell 1 height=2 edge=true") == "impossible fall-unclear"


def test_a_hand_that_is_known_says_whether_zg_breaks_a_fall() -> None:
    with_zg = at('hand-taken 1 ["Wings","Left","Odd"]')
    without = at('hand-taken 1 ["Left","Right","Odd"]')

    assert verdict(with_zg, "fell 1 height=3 zg=true") == "legal"
    assert verdict(without, "fell 1 height=3 zg=true") == "irregular no-zg-in-hand"


def test_a_card_played_is_in_the_hand_only_while_it_is_under_way() -> None:
    hand = 'hand-taken 1 ["Wings","Left","Odd"]'
    cover = "cover-called 1 Wings a 2 Left"
    rest = "travelled 1 Wings cards=1"

    assert verdict(at(hand, "travelled 1 Wings"), "fell 1 height=4 zg=true") == "legal"
    assert verdict(at(hand, cover), "fell 1 height=4 zg=true") == "legal"
    assert verdict(at(hand, cover, rest), "fell 1 height=4 zg=true") == "irregular no-zg-in-hand"


def test_by_the_other_reading_only_the_card_played_breaks_a_fall() -> None:
    strict = full(safe_fall_played_card_only=True)

    assert verdict(at("travelled 1 Wings", setup=strict), "fell 1 height=3 zg=true") == "legal"
    walking = at("travelled 1 Left", setup=strict)
    assert verdict(walking, "fell 1 height=3 zg=true") == "irregular no-zg-in-hand"


def test_over_an_edge_that_is_a_fall_a_figure_is_out() -> None:
    cliff = full(edges="fall")
    found = outcome("fell 1 edge=true", setup=cliff)

    assert verdict(at(), "fell 1 edge=true") == "irregular edge-is-wall"
    assert found and (found.why, found.winners, found.clause) == ("by-edge", (2,), "ZG SET-5")


@pytest.mark.parametrize("depth", ["score", "tests"])
def test_over_the_edge_is_recorded_at_any_depth(depth: str) -> None:
    cliff = full(edges="fall", depth=depth)

    assert ("fell", 1) in offered(at(setup=cliff))
    assert outcome("fell 1 edge=true", setup=cliff).why == "by-edge"
    assert verdict(at(setup=cliff), "fell 1 height=2") == "irregular other-depth"
    assert ("fell", 1) not in offered(at(setup=full(depth=depth)))


# -- landings -------------------------------------------------------------------------


def test_landing_on_a_foe_only_knocks_it_back() -> None:
    lines = ["travelled 1 Left cards=4", "landed 1 2 3 Left a Left a"]

    assert followed(*lines, setup=full()) == ["landing-tested", "knocked-back", "figure-downed"]
    assert view(at(*lines))["blow"] == {"seat": 2, "cards": 3}
    soft = [lines[0], f"{lines[1]} zg=true"]
    assert followed(*soft, setup=full()) == ["landing-tested"]


def test_a_landing_is_made_with_the_card_that_moved() -> None:
    moving = at("travelled 1 Left cards=4")

    assert verdict(moving, "landed 1 2 3 Odd a Left a") == "irregular card-did-not-move"
    assert verdict(moving, "landed 2 1 3 Left a Left a") == "irregular not-your-move"
    assert verdict(moving, "landed 1 2 0 Left a Left a") == "impossible fall-unclear"
    assert ("landed", 1) in offered(moving)


# -- the Rule of Null -----------------------------------------------------------------


def test_the_text_of_a_card_may_override_a_rule() -> None:
    setup = full(Deck(cards=(UNBOUND, *MOVERS.cards)), NUMBERED)
    kneeling = at("travelled 1 Left stance=kneel", setup=setup)

    assert verdict(kneeling, "travelled 1 Unbound cards=9 jump=true") == "legal"
    assert verdict(kneeling, "travelled 1 Wings cards=1") == "irregular stance-limits"
    assert verdict(kneeling, "attacked 1 Unbound a 2 Shield a distance=9") == "legal"
    problems = RULESET.check_deck(Deck(cards=(UNBOUND, *MOVERS.cards)), setup.options)
    assert "unknown-exception" not in [problem.code for problem in problems]


def test_a_move_tells_what_was_done() -> None:
    state = at().head.state
    act = Travelled(seat=1, card="Left", cards=1, free=2, stance="prone", rise=True, jump=True)

    assert RULESET.tell(act, state) == (
        "Side 1 moves on Left: gets up, 1 card, 2 cards free upward, jumps, lies prone."
    )
    assert RULESET.tell(Travelled(seat=1, card="Left"), state) == "Side 1 moves on Left: stays."
