"""Hands, impulse, ties and flameouts: depth `full`."""

from typing import Any

import msgspec
import pytest

from rules.replay import Timeline
from rules.zg.acts import HandTaken, ImpulseCalled, ZgOpened
from rules.zg.cards import Card, Deck
from tests.rules.zg.full import NUMBERED, full
from tests.rules.zg.table import (
    BLANK_FACED,
    DECK,
    RULESET,
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

TIED = "5-5-5", "5-5-5"
TAKE = 'hand-taken {} ["Miss","One","Two"]'


def numbered(**options: Any) -> ZgOpened:
    return full(NUMBERED, NUMBERED, **options)


def at(*lines: str, setup: ZgOpened | None = None) -> Timeline:
    return played(*lines, setup=setup or numbered())


# -- the hand -------------------------------------------------------------------------


def test_a_hand_is_three_cards_taken_at_the_start_of_a_turn() -> None:
    assert verdict(at(), 'hand-taken 1 ["Miss","One","Two"]') == "legal"
    assert verdict(at(), 'hand-taken 1 ["Miss","One"]') == "irregular hand-of-other-size"
    assert verdict(at(), 'hand-taken 1 ["One","Miss","Two"]') == "impossible cards-out-of-order"
    assert verdict(at(), 'hand-taken 1 ["Miss","Miss","One"]') == "impossible cards-out-of-order"
    assert verdict(at(), 'hand-taken 1 ["Miss","One","Cloud"]') == "impossible no-such-card"
    assert verdict(at(TAKE.format(1)), TAKE.format(1)) == "irregular hand-is-taken"
    under_way = at("impulse-won 2")
    assert verdict(under_way, TAKE.format(1)) == "irregular turn-under-way"
    assert verdict(at('impulse-called 1 "9-7-4"'), TAKE.format(1)) == "irregular impulse-is-called"


def test_a_turn_is_not_under_way_because_the_clock_ran_out_on_a_seat_still_choosing() -> None:
    timeline = at("countdown-started 2", "countdown-expired 2", setup=full(*[NUMBERED] * 3))

    assert verdict(timeline, TAKE.format(3)) == "legal"
    assert verdict(timeline, "flameout-called 3") == "legal"
    assert verdict(timeline, "flameout-called 2") == "irregular no-pulse-left"
    assert verdict(timeline, 'impulse-called 1 "9-7-4"') == "legal"
    assert verdict(timeline, "placed 2") == "legal"
    begun = stand(timeline, "moved 1")
    assert verdict(begun, TAKE.format(3)) == "irregular turn-under-way"
    assert verdict(begun, "placed 2") == "irregular placing-is-over"
    again = stand(begun, "turn-passed 1", "turn-passed 3", "turn-passed 2")
    assert verdict(again, TAKE.format(1)) == "irregular turn-under-way"


def test_who_alone_is_left_by_the_clock_takes_a_hand_all_the_same() -> None:
    alone = at("countdown-started 2", "countdown-expired 2")

    assert view(alone)["current"] == 1
    for line in (TAKE.format(1), "flameout-called 1", 'impulse-called 1 "9-7-4"'):
        assert verdict(alone, line) == "legal"
    assert verdict(stand(alone, "moved 1"), TAKE.format(1)) == "irregular turn-under-way"


def test_an_impulse_has_two_digits_at_most_so_that_it_can_be_called() -> None:
    assert msgspec.convert({"name": "Odd", "impulse": 99}, Card).impulse == 99
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"name": "Odd", "impulse": 100}, Card)


def test_a_hand_that_is_known_binds_its_seat() -> None:
    told = at(TAKE.format(1))

    assert verdict(told, "attacked 1 Three a 2 Shield a") == "irregular not-in-hand"
    assert verdict(told, "moved 1 card=Boots") == "irregular not-in-hand"
    assert verdict(told, "attacked 1 One a 2 Shield a") == "legal"
    assert verdict(at(), "attacked 1 Three a 2 Shield a") == "legal"


def test_nobody_else_sees_a_hand() -> None:
    timeline = at(TAKE.format(1))
    act = timeline.entries[-1].act
    assert isinstance(act, HandTaken)

    def hand(audience: Any) -> Any:
        return RULESET.view(timeline.head.state, audience)["seats"][0]["hand"]

    assert hand(1) == hand("officials") == ["Miss", "One", "Two"]
    assert hand(2) is None and hand("public") is None
    assert RULESET.hide(act, 1) == RULESET.hide(act, "officials") == act
    assert RULESET.hide(act, 2) == RULESET.hide(act, "public") == HandTaken(seat=1, cards=())


def test_the_server_draws_for_nobody_whose_hand_that_would_tell() -> None:
    setup = msgspec.structs.replace(numbered(), commitment="c" * 64)
    fresh, taken = at(setup=setup), at(TAKE.format(1), setup=setup)
    draw = "target-drawn 2 1 Four spin=server"

    assert verdict(fresh, draw) == "legal"
    assert verdict(taken, draw) == "impossible hand-is-secret"
    assert verdict(taken, "target-drawn 2 1 Four") == "legal"


def test_with_no_deck_left_the_server_draws_from_the_hand() -> None:
    slags = [f"slag-called 2 1 {card}" for card in ("Three", "Four", "Shield", "Frail", "Boots")]
    scored = msgspec.structs.replace(numbered(depth="score"), commitment="c" * 64)
    timeline = played(*slags, "slag-called 2 1 Miss", "options-changed full", setup=scored)
    timeline = stand(timeline, 'hand-taken 1 ["One","Two","Ulster"]')

    (draw,) = RULESET.draws(timeline.head.state, RULESET.read("target-drawn 2 1 One spin=server"))
    assert draw.values == ("One", "Two", "Ulster")


# -- impulse --------------------------------------------------------------------------


def test_a_call_is_the_numbers_of_the_hand_from_high_to_low() -> None:
    told = at(TAKE.format(1))

    assert verdict(told, 'impulse-called 1 "9-7-4"') == "legal"
    assert verdict(told, 'impulse-called 1 "974"') == "legal"
    assert verdict(told, 'impulse-called 1 "9-7-5"') == "irregular impulse-miscalled"
    assert verdict(at(), 'impulse-called 1 "4-7-9"') == "legal"
    called = at('impulse-called 1 "4-7-9"')
    assert view(called)["seats"][0]["called"] == "9-7-4"
    assert view(at('impulse-called 1 "479"'))["seats"][0]["called"] == "9-7-4"
    assert verdict(called, 'impulse-called 1 "9-7-4"') == "irregular impulse-is-called"


@pytest.mark.parametrize("numbers", ["٩٧٤", "9-7-٤", "9747", "9--4", ""])
def test_a_call_of_anything_but_numbers_is_no_act(numbers: str) -> None:
    called = {"type": "impulse-called", "seat": 1, "numbers": numbers}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(called, ImpulseCalled)


@pytest.mark.parametrize(
    ("hands", "first"),
    [
        (("7-5-3", "4-9-7"), 2),
        (("6-6-1", "6-5-5"), 1),
        (("5-5-5", "9-0-0"), 2),
        (("10-2-1", "9-9-9"), 1),
    ],
)
def test_the_highest_call_plays_first(hands: tuple[str, str], first: int) -> None:
    timeline = at(*(f'impulse-called {seat} "{call}"' for seat, call in enumerate(hands, 1)))

    assert view(timeline)["current"] == first
    other = 3 - first
    assert verdict(timeline, f"moved {other}") == "irregular not-your-pulse"


def test_three_seats_play_in_the_order_called() -> None:
    setup = full(NUMBERED, NUMBERED, NUMBERED)
    called = ['impulse-called 1 "8-2-0"', 'impulse-called 2 "7-7-7"', 'impulse-called 3 "8-2-1"']
    third = at(*called, setup=setup)
    then = at(*called, *attacks(3, 1), setup=setup)

    assert view(third)["current"] == 3
    assert view(then)["current"] == 1


def test_a_tie_is_drawn_for_until_it_is_settled() -> None:
    tie = at('impulse-called 1 "7-5-3"', 'impulse-called 2 "3-7-5"')
    assert view(tie)["current"] is None
    assert verdict(tie, "moved 1") == "irregular impulse-is-tied"
    assert {("tie-drawn", 1), ("tie-drawn", 2)} <= set(offered(tie))
    assert verdict(tie, "impulse-won 2") == "legal"
    again = stand(tie, "tie-drawn 1 Shield", "tie-drawn 2 Frail")
    assert view(again)["current"] is None
    assert verdict(again, "tie-drawn 1 Ulster") == "legal"
    settled = stand(again, "tie-drawn 1 Ulster", "tie-drawn 2 Boots")
    assert view(settled)["current"] == 2
    assert verdict(settled, "tie-drawn 1 Boots") == "irregular no-tie"
    called = ('impulse-called 1 "7-5-3"', 'impulse-called 2 "3-7-5"')
    assert verdict(at(*called, "options-changed tests"), "moved 1") == "legal"


def test_a_tie_of_the_next_turn_is_drawn_for_anew() -> None:
    called = [f'impulse-called {seat} "7-5-3"' for seat in (1, 2)]
    first = at(*called, "tie-drawn 1 Three", "tie-drawn 2 Boots")
    assert view(first)["current"] == 2
    second = stand(first, *attacks(2, 1), *attacks(1, 2), *called)

    assert (view(second)["turn"], view(second)["current"]) == (2, None)
    assert verdict(second, "tie-drawn 1 Boots") == "legal"


def test_a_tied_seat_draws_once_before_the_other_has() -> None:
    once = at('impulse-called 1 "7-5-3"', 'impulse-called 2 "7-5-3"', "tie-drawn 1 Shield")

    assert verdict(once, "tie-drawn 1 Boots") == "irregular no-tie"
    assert verdict(once, "tie-drawn 2 Boots") == "legal"


def test_a_tie_for_second_place_is_drawn_for_before_the_first_has_played() -> None:
    called = [f'impulse-called {seat} "{call}"' for seat, call in enumerate(("9-9-9", *TIED), 1)]
    tie = at(*called, setup=full(NUMBERED, NUMBERED, NUMBERED))
    assert view(tie)["current"] == 1
    assert [seat for kind, seat in offered(tie) if kind == "tie-drawn"] == [2, 3]
    assert verdict(tie, "tie-drawn 1 Shield") == "irregular no-tie"
    again = stand(tie, "tie-drawn 2 Shield", "tie-drawn 3 Frail", "tie-drawn 2 One")
    assert verdict(again, "tie-drawn 2 Boots") == "irregular no-tie"
    settled = stand(again, "tie-drawn 3 Boots", *attacks(1, 2))
    assert view(settled)["current"] == 3


def test_of_three_tied_only_those_still_tied_draw_again() -> None:
    called = [f'impulse-called {seat} "5-5-5"' for seat in (1, 2, 3)]
    draws = ["tie-drawn 1 Shield", "tie-drawn 2 Boots"]
    setup = full(NUMBERED, NUMBERED, NUMBERED)
    waiting = at(*called, *draws, setup=setup)
    assert [seat for kind, seat in offered(waiting) if kind == "tie-drawn"] == [3]
    behind = at(*called, *draws, "tie-drawn 3 Frail", setup=setup)
    assert view(behind)["current"] == 2
    assert [seat for kind, seat in offered(behind) if kind == "tie-drawn"] == [1, 3]


def test_a_tie_card_comes_from_the_deck_and_shows_its_impulse() -> None:
    hands = at(
        *(TAKE.format(seat) for seat in (1, 2)),
        *(f'impulse-called {seat} "9-7-4"' for seat in (1, 2)),
    )
    assert verdict(hands, "tie-drawn 1 One") == "irregular is-in-hand"
    assert verdict(hands, "tie-drawn 1 Boots impulse=8") == "impossible impulse-known"
    assert followed(
        *(f'impulse-called {seat} "9-7-4"' for seat in (1, 2)),
        "tie-drawn 1 Boots",
        setup=numbered(),
    ) == ["tie-compared"]
    blank = at(
        'impulse-called 1 "5-5-5"', 'impulse-called 2 "5-5-5"', setup=full(BLANK_FACED, None)
    )
    assert verdict(blank, "tie-drawn 1 Fog") == "impossible impulse-unknown"
    assert verdict(blank, "tie-drawn 1 Fog impulse=4") == "legal"


def test_a_seat_that_called_lower_waits() -> None:
    called = [f'impulse-called {seat} "{seat}-{seat}-{seat}"' for seat in (1, 2, 3)]
    setup = full(NUMBERED, NUMBERED, NUMBERED)
    fallen = at(*called, "conceded 3", setup=setup)

    assert view(fallen)["current"] == 2
    ruled = at(*called, setup=setup)
    ruled = stand(ruled, "turn-passed 3", "moved 1")
    assert view(ruled)["current"] in (1, 2)


def test_who_called_lower_can_not_be_next() -> None:
    tied = ['impulse-called 1 "9-9-9"', 'impulse-called 2 "9-9-9"', 'impulse-called 3 "1-1-1"']
    timeline = at(*tied, setup=full(NUMBERED, NUMBERED, NUMBERED))

    assert verdict(timeline, "impulse-won 3") == "irregular impulse-is-lower"


# -- flameout -------------------------------------------------------------------------


def test_a_flameout_is_called_before_cards_are_chosen() -> None:
    assert verdict(at(), "flameout-called 1") == "legal"
    assert verdict(at(TAKE.format(1)), "flameout-called 1") == "irregular hand-is-taken"
    assert verdict(at("flameout-called 1"), "flameout-called 1") == "irregular flameout-is-called"
    assert verdict(at("impulse-won 1"), "flameout-called 1") == "irregular turn-under-way"


def test_every_card_is_played_twice_in_a_flameout() -> None:
    flames = ["flameout-called 1", *attacks(1, 2)]
    twice = at(*flames)

    assert view(twice)["pulses"] == 6
    assert view(twice)["pulse"] == 4
    more = at(*flames, "attacked 1 Miss a 2 Frail b")
    assert verdict(more, "attacked 1 Miss a 2 Frail b") == "irregular card-already-played"


def test_in_a_flameout_three_cards_played_are_the_hand() -> None:
    flames = ["flameout-called 1", *attacks(1, 2)]
    assert verdict(at(*flames), "moved 1 card=Shield") == "irregular not-in-hand"
    assert verdict(at(*flames), "moved 1 card=One") == "legal"
    unseen = ["flameout-called 1", *attacks(1, 2)[:2], "moved 1"]
    assert verdict(at(*unseen), "moved 1 card=Shield") == "legal"


def test_a_flameout_is_called_where_only_tests_are_recorded_too() -> None:
    assert ("flameout-called", 1) in offered(played())
    burnt = ["flameout-called 1", *attacks(1, 2), *attacks(1, 2), *attacks(2, 1)]
    assert outcome(*burnt).why == "by-flameout"
    score = played(setup=numbered(depth="score"))
    assert verdict(score, "flameout-called 1") == "irregular other-depth"


def test_a_second_flameout_has_every_card_twice_again() -> None:
    setup = full(NUMBERED, NUMBERED, NUMBERED)
    flames = [
        "flameout-called 1",
        *attacks(1, 3),
        *attacks(1, 3)[:2],
        "attacked 1 Boots a 2 Ulster a",
    ]
    burnt = at(*flames, *attacks(3, 1), setup=setup)
    assert view(burnt)["turn"] == 2
    again = stand(burnt, "flameout-called 1", *attacks(1, 3))

    assert verdict(again, "moved 1 card=Miss") == "legal"


def test_no_foe_fallen_by_the_end_of_the_turn_forfeits() -> None:
    lines = ["flameout-called 1", *attacks(1, 2), *attacks(1, 2), *attacks(2, 1)]
    assert followed(*lines, setup=numbered()) == [
        "card-tested",
        "move-left",
        "pulses-ended",
        "seat-defeated",
        "match-won",
    ]
    found = outcome(*lines, setup=numbered())
    assert found and (found.why, found.winners, found.clause) == ("by-flameout", (2,), "ZG TAC-7")


def test_one_foe_of_two_is_enough() -> None:
    setup = full(NUMBERED, NUMBERED, NUMBERED)
    others = attacks(1, 3, ("Miss", "One"))
    lines = ["flameout-called 1", "attacked 1 Two a 2 Ulster a", *others, "turn-passed 1"]

    assert "seat-defeated" not in followed(*lines, *attacks(3, 1), setup=setup)


def test_those_who_burn_out_in_one_turn_all_do() -> None:
    flames = [f"flameout-called {seat}" for seat in (1, 2)]
    passed = [f"turn-passed {seat}" for seat in (1, 2)]
    assert followed(*flames, *passed, setup=numbered())[-3:] == [
        "seat-defeated",
        "seat-defeated",
        "match-lost",
    ]
    found = outcome(*flames, *passed, setup=numbered())
    assert found and (found.why, found.winners, found.places) == ("by-nobody", (), (1, 1))

    three = full(NUMBERED, NUMBERED, NUMBERED)
    spared = outcome(*flames, *passed, "turn-passed 3", setup=three)
    assert spared and (spared.why, spared.places) == ("by-flameout", (2, 2, 1))
    earlier = outcome("conceded 3", *flames, *passed, setup=three)
    assert earlier and (earlier.why, earlier.places) == ("by-nobody", (1, 1, 3))


@pytest.mark.parametrize(
    ("flames", "attack", "retest", "places", "out"),
    [
        ((1,), "2 Ulster b", "retested! 1 attack a", (1, 2), ["", "ulster"]),
        ((1,), "2 Ulster b", "retested! 1 attack b", (2, 1), ["flameout", ""]),
        ((1,), "2 Ulster b", "ruled! strikes strikes=2", (1, 2), ["", "ulster"]),
        ((1, 2), "2 Ulster b", "retested! 1 attack a", (1, 2), ["", "ulster"]),
        ((1, 2), "2 Ulster b", "retested! 1 attack b", (1, 1), ["flameout", "flameout"]),
        ((1,), "2 Ulster a", "retested! 2 attack b", (2, 1), ["flameout", ""]),
        ((1,), "2 Ulster b", "retested 1 attack a", None, ["", "ulster", ""]),
        ((1,), "2 Ulster b", "retested 1 attack b", None, ["flameout", "", ""]),
        ((1,), "2 Ulster a", "retested 2 attack b", None, ["flameout", "", ""]),
        ((1, 2), "3 Ulster a", "retested 3 attack b", (2, 2, 1), ["flameout", "flameout", ""]),
        ((1, 2, 3), "3 Ulster a", "retested 3 attack b", (1, 1, 1), ["flameout"] * 3),
    ],
)
def test_a_retest_of_the_last_test_decides_a_flameout_anew(
    flames: tuple[int, ...],
    attack: str,
    retest: str,
    places: tuple[int, ...] | None,
    out: list[str],
) -> None:
    target, end = attack.rsplit(" ", 1)
    others = range(2, len(out) + 1)
    lines = [
        *(f"flameout-called {seat}" for seat in flames),
        *(f"turn-passed {seat}" for seat in others),
        *attacks(1, 2, ("Miss", "One", "Two", "Miss", "One")),
        f"attacked 1 Two {end} {target} a",
    ]
    state = played(*lines, retest, setup=opened(*[DECK] * len(out))).head.state

    assert [side.out for side in state.board.sides] == out
    found = RULESET.outcome(state)
    assert (found and found.places) == places


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("attacked 1 Three a 2 Ulster a", ["", "ulster"]),
        ("attacked 1 Three a 2 Frail b", ["flameout", ""]),
        ("cover-called 1 Three a 2 Frail", ["flameout", ""]),
        ("turn-passed 1", ["flameout", ""]),
        ("moved! 2", ["flameout", ""]),
    ],
)
def test_a_flameout_waits_for_the_follow_up_of_its_last_test(
    seats: int, line: str, out: list[str]
) -> None:
    lines = [
        "flameout-called 1",
        *(f"turn-passed {seat}" for seat in range(2, seats + 1)),
        *attacks(1, 2, ("Miss", "One", "Three", "Miss", "One")),
        "attacked 1 Three b 2 Shield a",
    ]
    setup = opened(*[DECK] * seats)
    late = stand(played(*lines, setup=setup), "retested 1 attack a")

    assert view(late)["next"] == {"what": "follow-up", "seat": 1}
    assert not late.head.state.board.fallen
    after = stand(late, line.replace("!", "")).head.state
    assert [side.out for side in after.board.sides[:2]] == out


def test_a_follow_up_of_the_turn_before_is_made_anew_with_its_flameout() -> None:
    setup = opened(DECK, DECK, DECK)
    lines = [
        *("flameout-called 1", "turn-passed 2", "turn-passed 3"),
        *attacks(1, 2, ("Miss", "One", "Three", "Miss", "One")),
        *("attacked 1 Three b 2 Shield a", "retested 1 attack a"),
    ]
    blocked = ["attacked 1 Three a 2 Frail b"]

    assert followed(*lines, *blocked, setup=setup)[-1] == "seat-defeated"
    locked = [*lines, "attacked 1 Three a 2 Boots a", "ruled strikes strikes=1"]
    assert followed(*locked, setup=setup)[-3:] == ["target-locked", "lock-lapsed", "seat-defeated"]
    again = stand(played(*lines, *blocked, setup=setup), "retested 1 target a")
    assert view(again)["next"] == {"what": "follow-up", "seat": 1}
    assert not again.head.state.board.fallen


def test_acts_of_depth_full_are_refused_at_other_depths() -> None:
    for line in (
        TAKE.format(1),
        'impulse-called 1 "1"',
        "tie-drawn 1 Miss impulse=4",
    ):
        assert verdict(played(), line) == "irregular other-depth"


def test_a_blank_card_has_no_place_in_a_call() -> None:
    card = Card(name="Blur", slot="Helmet")
    deck = Deck(cards=(card, *NUMBERED.cards[1:]))
    told = at('hand-taken 1 ["Blur","One","Two"]', setup=full(deck, NUMBERED))

    assert verdict(told, 'impulse-called 1 "8-7-4"') == "legal"
