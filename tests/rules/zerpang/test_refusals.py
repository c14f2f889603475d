"""Illegal acts, each with its code; the worked examples are elsewhere."""

import pytest

from rules import texts
from rules.zerpang.state import State
from tests.rules.zerpang.table import HAND, RULESET, after, at, call, followed, read, start, verdict

IN = {"1-1": "Z1.0", "2-1": "Z3.0"}


def duel(**options: object) -> object:
    """Ninja 1-1 on X1 is attacked by Pirate 2-1 on Z1.1, a Robot looks on."""
    places = {"1-1": "X1", "1-2": "Z4.0", "2-1": "Z1.0", "2-2": "Z2.0", "3-1": "Z5.0"}
    state = at("ninja pirate robot", places, turn=2, **options)
    return after(state, "piece-moved 2 2-1 [Z1.1]")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("piece-entered 1 1-1 G1a", "not-at-home"),
        ("piece-entered 2 2-2 G2a", "not-your-turn"),
        ("piece-moved 1 1-1 []", "no-path"),
        ("piece-moved 1 1-1 [H1]", "not-adjacent"),
        ("piece-moved 1 2-1 [Z3.1]", "not-own-piece"),
        ("piece-moved 1 1-2 [G1a]", "not-on-board"),
        ("piece-moved 1 1-1 [Nowhere]", "no-such-space"),
        ("foreign-piece-moved 1 2-1 [Z3.1]", "other-class"),
        ("phase-replaced 1 salvage", "other-class"),
        ("linked-moved 1 [1-1,1-1] [1]", "pieces-out-of-order"),
        ("linked-moved 1 [1-1,2-1] [1]", "not-own-piece"),
        ("piece-uploaded 1 1-1", "other-class"),
        ("piece-ballooned 1 1-1 Z4.0", "other-class"),
        ("card-discarded 1 PT1", "no-discard-due"),
        ("points-paid 1 SP06 side=P", "card-side"),
        ("points-paid 1 SP06", "no-such-side"),
        ("points-paid 1 Ace", "no-such-card"),
        ("points-paid 1 cloud", "no-upload-point"),
        ("combat-passed 1", "no-combat"),
        ("combat-order-chosen 1 [1-1]", "no-order-asked"),
        ("assist-refused 1", "nothing-to-refuse"),
        ("special-negated 1 SP09 N", "nothing-to-negate"),
        ("special-negated 1 Ace N", "no-such-card"),
        ("special-negated 1 SP05 N", "no-effect"),
        ("special-played 1 SP02 N", "no-effect"),
        ("special-played 1 SP05 N piece=1-1", "special-unclear"),
        ("special-played 1 SP06 N", "not-in-combat"),
        ("special-played 1 SP09 P licence=SP02 foe=2", "nothing-drawn"),
        ("special-played 1 SP01 N piece=1-1 to=G1a", "not-defeated"),
        ("special-played 1 SP05 N licence=SP02", "licence-idle"),
        ("clock-read 5", "no-elf"),
        ("clock-read 500000", "too-long"),
        ("won-called 1 by-call", "other-depth"),
        ("first-seat-picked 1", "begun"),
        ("ruled place piece=1-1", "ruling-unclear"),
        ("conceded 9", "no-such-seat"),
        ("options-changed full", "depth-unchanged"),
        ("piece-released 1 2-1", "not-held"),
    ],
)
def test_in_a_turn(line: str, code: str) -> None:
    state = at("ninja pirate", IN)
    found = verdict(state, line)

    assert found == (code if code != "not-in-combat" else "no-combat")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("combat-played 1 card=PT1", "not-your-raise"),
        ("combat-played 3 card=PT1", "not-in-combat"),
        ("combat-played 2", "nothing-laid-down"),
        ("assist-played 2 agg card=PT1", "fights-itself"),
        ("assist-played 3 def card=Ace side=N special=true", "no-such-card"),
        ("assist-played 3 def card=SP05 side=N special=true", "no-effect"),
        ("piece-moved 2 2-2 [Z2.1]", "combat-pending"),
        ("cards-drawn 2 1", "combat-pending"),
        ("special-played 2 SP12 P piece=2-1", "connected-already"),
        ("special-played 2 SP07 P to=X2", "not-adjacent"),
        ("special-played 3 SP06 N", "not-in-combat"),
    ],
)
def test_in_a_combat(line: str, code: str) -> None:
    assert verdict(duel(), line) == code


def test_a_piece_moves_once_and_only_one() -> None:
    state = at("ninja pirate", {"1-1": "Z1.0", "1-2": "Z4.0"})
    moved = after(state, "piece-moved 1 1-1 [Z1.4]")

    assert verdict(moved, "piece-moved 1 1-2 [Z4.1]") == "one-piece-moves"
    second = at("pirate ninja", {"1-1": "Z1.0", "1-2": "Z4.0"})
    second = after(second, "special-played 1 SP08 P", "piece-moved 1 1-1 [Z1.4]")
    assert verdict(second, "piece-moved 1 1-1 [H1]") == "moved-already"
    assert verdict(second, "piece-moved 1 1-2 [Z4.1,X4]") == "second-steps"
    assert verdict(second, "piece-moved 1 1-2 [Z4.1]") == "legal"
    assert followed(second, "points-paid 1 PT1", "piece-moved! 1 1-2 [Z4.1,X4]") == []


def test_nothing_is_moved_through_unless_the_table_plays_so() -> None:
    places = {"1-1": "Z1.0", "1-2": "Z1.1", "2-1": "Z3.0"}
    path = "piece-moved 1 1-1 [Z1.1,X1]"

    assert verdict(after(at("ninja pirate", places), "points-paid 1 PT1"), path) == "way-blocked"
    through = at("ninja pirate", places, passing="own")
    assert verdict(after(through, "points-paid 1 PT1"), path) == "legal"
    assert verdict(through, "piece-moved 1 1-1 [Z1.1]") == "space-occupied"


@pytest.mark.parametrize(
    ("seat", "laid", "act", "expected"),
    [
        (2, ("PT2", "PT1"), "linked-moved 2 [2-1,2-2,2-3] [1,1]", "legal"),
        (2, ("SP02 side=N", "PT2"), "linked-moved 2 [2-1,2-2,2-3] [1,1,1]", "paid-together"),
        (2, ("PT1", "PT2", "PT1", "PT2"), "linked-moved 2 [2-1,2-2,2-3] [1,1,1]", "legal"),
        (3, ("SP10 side=P", "SP10 side=P"), "foreign-piece-moved 3 1-1 [Z2.1,X2]", "legal"),
        (
            3,
            ("SP10 side=P", "SP10 side=P"),
            "foreign-piece-moved 3 1-1 [Z2.1,X2,T]",
            "paid-together",
        ),
    ],
)
def test_each_step_is_paid_apart_where_the_table_plays_so(
    seat: int, laid: tuple[str, ...], act: str, expected: str
) -> None:
    places = {"1-1": "Z2.0", "2-1": "M4", "2-2": "Z4.1", "2-3": "Z3.6"}
    state = at("ninja robot pirate", places, turn=seat, pay="per_step")
    paid = after(state, *(f"points-paid {seat} {card}" for card in laid))

    assert verdict(paid, act) == expected


def test_a_seat_that_only_moved_on_may_salvage() -> None:
    state = at("pirate ninja", IN)

    for phase in ("movement", "combat", "draw"):
        gone_on = after(state, f"phase-entered 1 {phase}")
        assert verdict(gone_on, "phase-replaced 1 salvage") == "legal"
    salvaged = after(state, "phase-entered 1 draw", "phase-replaced 1 salvage")
    assert salvaged.table.turn.phase == "draw"
    acted = after(state, "phase-entered 1 movement", "points-paid 1 PT1")
    assert verdict(acted, "phase-replaced 1 salvage") == "phase-replaced"


def test_a_path_has_an_end() -> None:
    state = at("ninja pirate", IN, hands={1: 20})
    paid = after(state, *["points-paid 1 SP02 side=N"] * 4)
    back_and_forth = ",".join(["Z1.1", "Z1.0"] * 7)

    assert verdict(paid, f"piece-moved 1 1-1 [{back_and_forth}]") == "path-too-long"


def test_abilities_stay_where_they_are_of_use() -> None:
    ninja = after(at("ninja pirate", {"1-1": "G1a"}), "points-paid 1 PT2")
    alien = at("ninja alien pirate", {"1-1": "X1", "2-1": "M1"}, turn=2)
    tricked = after(at("pirate ninja", IN), "points-paid 1 PT2")

    assert verdict(ninja, "piece-leapt 1 1-1 G1a") == "stays"
    assert verdict(after(alien, "points-paid 2 PT2"), "piece-ballooned 2 2-1 M1") == "stays"
    assert verdict(tricked, "foreign-piece-moved 1 1-1 [Z1.1]") == "own-piece"


def test_linked_pieces_stay_on_the_board_and_together() -> None:
    state = at("ninja robot pirate", {"2-1": "H1", "2-2": "M4"}, turn=2)

    off = RULESET.judge(state, read("linked-moved 2 [2-1,2-2] [1]"))
    told = "The way to the right leads off the board. (ZP-R2)"
    assert (off.code, texts.of_finding(RULESET.texts, off, {})) == ("off-the-board", told)
    assert verdict(state, "linked-moved 2 [2-1,2-2] [4,5]") == "other-directions"
    carded = after(state, "points-paid 2 PT1", "special-played 2 SP05 P")
    assert verdict(carded, "linked-moved 2 [2-1,2-2] [4]") == "linked-with-cards"
    near = {"2-1": "M4", "2-2": "Z4.1", "2-3": "X5"}
    over = after(at("ninja robot pirate", near, turn=2), "points-paid 2 PT2")
    assert verdict(over, "linked-moved 2 [2-1,2-2] [1,1]") == "space-occupied"
    over = after(at("ninja robot pirate", near, turn=2, passing="own"), "points-paid 2 PT2")
    assert verdict(over, "linked-moved 2 [2-1,2-2] [1,1]") == "legal"
    assert verdict(over, "linked-moved 2 [2-1,2-2] [1]") == "space-occupied"
    shut = at("ninja robot pirate", {"2-1": "F1a", "2-2": "Z4.0", "1-1": "Z4.3"}, turn=2)
    assert call(shut, "linked-moved 2 [2-1,2-2] [3]") == "impossible space-occupied"
    second = after(state, "points-paid 2 PT1", "special-played 2 SP08 P")
    assert verdict(second, "linked-moved 2 [2-1,2-2] [4]") == "legal"


def test_one_piece_enters_for_points_and_others_by_cards() -> None:
    state = after(at("ninja pirate"), "piece-entered 1 1-1 G1a", "points-paid 1 PT2")

    assert verdict(state, "piece-entered 1 1-2 G1b") == "one-entrance"
    assert verdict(after(state, "special-played 1 SP04 N"), "piece-entered 1 1-2 G1b") == "legal"
    several = after(at("ninja pirate", entrance="any"), "piece-entered 1 1-1 G1a")
    assert verdict(after(several, "points-paid 1 PT2"), "piece-entered 1 1-2 G1b") == "legal"


def test_uploads_and_releases() -> None:
    robot = at("ninja robot pirate", {"2-1": "M4"}, turn=2)
    alien = at("ninja alien pirate", {"1-1": "@2", "3-1": "@2"}, turn=2)

    assert verdict(robot, "piece-uploaded 2 2-1") == "not-on-treasure"
    released = after(alien, "piece-released 2 1-1")
    assert verdict(released, "piece-released 2 3-1") == "one-release"
    assert released.table.sides[1].hand == HAND + 2
    many = at("ninja alien pirate", {"1-1": "@2", "3-1": "@2"}, turn=2, release="any")
    assert verdict(after(many, "piece-released 2 1-1"), "piece-released 2 3-1") == "legal"


def test_what_a_seat_told_of_its_hand_binds_it_alone() -> None:
    state = after(at("ninja pirate", hands={1: 1}), "card-seen 1 PT2")

    assert verdict(state, "points-paid 1 PT1") == "not-in-hand"
    assert verdict(state, "card-seen 1 PT1") == "hand-told"
    assert verdict(state, "points-paid 1 PT2") == "legal"


def test_nobody_else_learns_from_the_offers_what_a_seat_holds() -> None:
    one, two = (after(at("ninja pirate"), f"card-seen 1 {card}") for card in ("PT1", "PT2"))

    for eyes in (2, "public"):
        assert RULESET.offers_to(one, eyes) == RULESET.offers_to(two, eyes)
    assert {"cards-drawn", "conceded"} <= {
        offer.type for offer in RULESET.offers_to(one, "public") if offer.seat == 1
    }
    assert RULESET.offers_to(one, 1) == RULESET.options(one)


def test_a_registered_deck_has_so_many_copies() -> None:
    state = at("ninja pirate", hands={1: 20})
    spent = after(state, *["points-paid 1 SP06 side=N"] * 4)

    assert verdict(spent, "points-paid 1 SP06 side=N") == "no-such-card-left"
    unknown = at("ninja pirate", hands={1: 20}, deck="booklet")
    many = after(unknown, *["points-paid 1 killing-katana side=N"] * 6)
    assert verdict(many, "points-paid 1 killing-katana side=N") == "legal"


def test_the_clock_only_goes_forward() -> None:
    state = after(at("ninja elf pirate"), "clock-read 60")

    assert verdict(state, "clock-read 59") == "clock-went-back"


def test_an_order_names_the_pieces_there_are() -> None:
    state = at("ninja pirate", {"1-1": "X1", "2-1": "X4", "2-2": "X6"})
    asked = after(state, "piece-moved 1 1-1 [T]")

    assert verdict(asked, "combat-order-chosen 2 [2-1]") == "not-the-pieces"
    assert verdict(asked, "cards-drawn 1 1") == "combat-pending"


def test_the_combat_that_comes_first_is_that_of_the_piece_in_contact() -> None:
    entered = after(
        at("ninja pirate", {"2-1": "F1a"}, hands={1: 4}, entrance="any"),
        "piece-entered 1 1-1 G1a",
        "points-paid 1 PT1",
        "piece-entered 1 1-2 G1b",
    )
    found = RULESET.judge(entered, read("cards-drawn 1 1"))

    assert (found.code, found.params["piece"]) == ("combat-pending", "1-1")


def test_no_walk_on_offer_is_longer_than_an_entry_may_hold() -> None:
    state = after(at("ninja pirate", IN, hands={1: 20}), *["points-paid 1 SP02 side=N"] * 4)
    walks = [
        offer.fields["path"].most
        for offer in RULESET.options(state, 1)
        if offer.type == "piece-moved"
    ]

    assert walks == [12]


def test_nothing_is_linked_before_the_first_turn() -> None:
    assert verdict(start(2), "linked-moved 1 [1-1,1-2] [1]") == "not-begun"


def test_a_card_and_its_licence_are_two_cards() -> None:
    one, two = (at("ninja pirate", IN, hands={1: hand}) for hand in (1, 2))
    licensed = "special-played 1 SP05 N licence=SP02"

    assert verdict(one, licensed) == "hand-empty"
    assert verdict(two, licensed) == "licence-idle"


@pytest.mark.parametrize(
    ("state", "line", "told"),
    [
        (
            after(at("pirate ninja", {"2-1": "K1"}), "points-paid 1 PT2"),
            "foreign-piece-moved 1 2-1 [G1a]",
            "Gate G1a is closed to all but Ada. (ZP-T4)",
        ),
        (
            after(at("ninja pirate"), *["card-seen 1 SP05"] * 4),
            "card-seen 1 SP05",
            "Of the 4 copies of Tail Wind / Quick Sandals there are not enough left. (ZP 13)",
        ),
        (
            after(
                at("gunslinger ninja pirate", hands={1: 2}), "card-seen 1 SP05", "card-seen 1 PT1"
            ),
            "special-played 1 SP05 N",
            "Ada has recorded its whole hand, with too few copies of Tail Wind / Quick Sandals."
            " (ZP 13)",
        ),
        (
            after(at("pirate ninja"), "cards-drawn 1 1"),
            "special-played 1 SP10 P foe=1",
            "Ada cannot aim that at itself. (ZP 8 skip_turn)",
        ),
        (
            at("ninja pirate", {"1-1": "K3", "2-1": "Z3.5"}),
            "piece-moved 1 1-1 [Z3.5]",
            "2-1 stands on Z3.5. (ZP-AM3)",
        ),
        (
            after(at("ninja pirate"), "piece-entered 1 1-1 G1a"),
            "piece-entered 1 1-2 G1b",
            "Ada has brought in a piece this turn. (ZP-AM2)",
        ),
        (
            after(at("alien ninja pirate", {"2-1": "@1", "2-2": "@1"}), "piece-released 1 2-1"),
            "piece-released 1 2-2",
            "Ada has let a piece go this turn. (ZP-AM26)",
        ),
        (
            after(
                at("ninja alien pirate", {"1-1": "X1", "2-1": "Z1.0"}, turn=2),
                "piece-moved 2 2-1 [Z1.1]",
            ),
            "special-played 2 SP06 N",
            "For Ben specialties count only as points. (ZP-L1)",
        ),
        (
            after(at("pirate ninja", IN), "phase-replaced 1 salvage"),
            "cards-drawn 1 5",
            "Cards to draw: 2, not 5. (ZP-P3)",
        ),
        (
            at("ninja pirate zombie", depth="score"),
            "won-called 2 zombocalypse",
            "Ben cannot win like that. (ZP-W3)",
        ),
        (
            at("ninja pirate", IN),
            "piece-moved 1 1-1 [Z1.1,X1]",
            "That costs 1; laid down: 0. (ZP-A4)",
        ),
        (
            at("ninja pirate"),
            "phase-entered 1 entrance",
            "The turn is already at entrance; entrance does not come after that. (ZP-T1)",
        ),
    ],
)
def test_why_not_is_true_of_that_very_case(state: State, line: str, told: str) -> None:
    found = RULESET.judge(state, read(line))

    assert texts.of_finding(RULESET.texts, found, {1: "Ada", 2: "Ben"}) == told
