"""A bot at one seat of a match: it plays in turn, and by what its seat may know."""

from typing import Any

import msgspec
import pytest

import rules
from rules import bots, practice
from rules.replay import Timeline, entry_after
from rules.ruleset import Act, Ruleset, Seat, event_type
from rules.zx.acts import HandNoted
from rules.zx.state import Unit
from tests.rules.zerpang import table as zerpang
from tests.rules.zg import full
from tests.rules.zg import table as zg
from tests.rules.zx.table import RULESET, Position, resources, unit

replace = msgspec.structs.replace
BOT = 2
BESIDE_PLAY = {"conceded", "ruled", "options-changed", "won-called", "special-won", "time-called"}


def plays(name: str, state: Any, seat: Seat = BOT, seed: str = "") -> Act | None:
    return practice.act_at(rules.get(name), state, seat, bots.Stream(seed))


def all_of(name: str, state: Any, seat: Seat = BOT) -> list[Any]:
    """Return the acts that a bot chooses from many seeds."""
    return [plays(name, state, seat, str(n)) for n in range(60)]


def types(name: str, state: Any, seat: Seat = BOT) -> set[str]:
    """Return the types of the acts that a bot chooses from many seeds, "" for none."""
    return {event_type(act) if act else "" for act in all_of(name, state, seat)}


def a_persons(ruleset: Ruleset, state: Any, pick: bots.Stream) -> Act:
    while True:
        act = bots.keen_act(ruleset, state, pick)
        assert act
        if event_type(act) not in BESIDE_PLAY:
            return act


def against_a_person(name: str, seed: int, depth: str) -> tuple[Timeline, list[Act]]:
    """Return a match of a bot, and its acts; whatever it leaves to people is picked for them."""
    ruleset, pick = rules.get(name), bots.Stream(f"person {seed}")
    setup = bots.sample_setup(ruleset, seed, seats=2, options={"depth": depth})
    timeline, own = Timeline(ruleset), list[Act]()
    timeline.add(*entry_after(ruleset, timeline, setup))
    while not ruleset.outcome(timeline.head.state) and len(timeline) < 1500:
        act = plays(name, timeline.head.state, seed=f"{seed} {len(timeline)}")
        if act:
            own.append(act)
        else:
            act = a_persons(ruleset, timeline.head.state, pick)
        drawn = bots.drawn(ruleset, timeline.head, act, bots.secret_of(seed))
        timeline.add(*entry_after(ruleset, timeline, drawn))
    return timeline, own


@pytest.mark.parametrize(
    ("name", "depth", "seed"),
    [("zg", "tests", 1), ("zg", "full", 0), ("zx", "full", 3), ("zerpang", "full", 6)],
)
def test_a_bot_plays_a_match_to_its_end_within_the_rules(name: str, depth: str, seed: int) -> None:
    timeline, own = against_a_person(name, seed, depth)

    assert timeline.ruleset.outcome(timeline.head.state)
    assert not any(entry.irregular for entry in timeline.entries)
    assert len(own) > 5
    assert {getattr(act, "seat", None) for act in own} == {BOT}
    assert BESIDE_PLAY.isdisjoint(map(event_type, own))
    assert {getattr(act, "spin", "server") for act in own} == {"server"}


@pytest.mark.parametrize("name", ["score", "desk"])
def test_there_is_no_bot_where_nothing_is_played(name: str) -> None:
    ruleset = rules.get(name)
    timeline = Timeline(ruleset)
    timeline.add(*entry_after(ruleset, timeline, bots.sample_setup(ruleset, 1)))

    assert plays(name, timeline.head.state, 1) is None
    assert not practice.may_be_answered(ruleset, timeline.head.state, 1)


# -- Z-G ------------------------------------------------------------------------------------


PROMISE = "c" * 64
SPUN = zg.opened(commitment=PROMISE)
NUMBERED = replace(full.full(full.NUMBERED, full.NUMBERED), commitment=PROMISE)


def test_who_plays_next_is_for_people_to_say_unless_it_was_called() -> None:
    assert plays("zg", zg.played(setup=SPUN).head.state) is None
    assert plays("zg", zg.played("impulse-won 1", setup=SPUN).head.state) is None
    assert types("zg", zg.played("impulse-won 2", setup=SPUN).head.state) == {"attacked"}


def test_an_attack_claims_nothing_that_only_people_see() -> None:
    state = full.at("impulse-won 2", setup=NUMBERED).head.state
    told = {"type", "seat", "card", "end", "foe", "target", "target_end", "spin"}

    assert all(msgspec.to_builtins(act).keys() == told for act in all_of("zg", state))


def test_a_bot_takes_a_hand_and_calls_its_numbers_but_waits_for_those_of_others() -> None:
    taken = full.at('hand-taken 2 ["Miss","One","Two"]', setup=NUMBERED)
    called = full.at(
        'hand-taken 2 ["Miss","One","Two"]', 'impulse-called 2 "9-7-4"', setup=NUMBERED
    )

    assert types("zg", full.at(setup=NUMBERED).head.state) == {"hand-taken"}
    assert types("zg", taken.head.state) == {"impulse-called"}
    assert types("zg", called.head.state) == {""}


def test_a_card_whose_ends_nobody_knows_is_drawn_and_left_to_people() -> None:
    blank = zg.opened(None, zg.DECK, commitment=PROMISE)
    drawn = zg.played("impulse-won 2", "target-drawn 2 1 Shield", setup=blank)

    assert types("zg", zg.played("impulse-won 2", setup=blank).head.state) == {"target-drawn"}
    assert types("zg", drawn.head.state) == {""}


def test_others_may_answer_an_attack() -> None:
    begun = zg.played("impulse-won 2")
    hit = zg.played("impulse-won 2", "attacked 2 Two a 1 Shield a")

    assert not practice.may_be_answered(zg.RULESET, begun.head.state, 2)
    assert practice.may_be_answered(zg.RULESET, hit.head.state, 2)


# -- Z/X ------------------------------------------------------------------------------------

STALLION = ("Foam Stallion",)


def test_chance_deals_a_bot_its_hand_and_it_keeps_to_it() -> None:
    table = Position(one={"hand": 4, "known": STALLION}, board={"phase": "resource"})
    dealt = Position(one={"hand": 1, "known": STALLION}, board={"phase": "resource"})

    hands = {act.cards for act in all_of("zx", table.state, 1) if isinstance(act, HandNoted)}
    assert len(hands) > 40
    assert all(len(hand) == 4 and "Foam Stallion" in hand for hand in hands)
    assert plays("zx", dealt.state, 1) == RULESET.read('resource-placed 1 "Foam Stallion"')


def test_a_bot_plays_what_it_can_then_attacks_what_it_beats_then_ends_its_turn() -> None:
    paid = {"hand": 1, "known": STALLION, "resources": resources(*STALLION * 4)}
    field = {
        "b2": unit("Choir Warden", 1),
        "a2": unit("Boiler Duelist", 2),
        "b3": unit("Spark Lancer", 2),
    }
    wounded = {**field, "a2": unit("Boiler Duelist", 2, damage=1500)}
    sleeping = {**field, "b2": unit("Choir Warden", 1, asleep=True)}

    def acts(units: dict[str, Unit], **side: Any) -> list[Any]:
        return all_of("zx", Position(units, one={"hand": 0, **side}).state, 1)

    assert {act.square for act in acts(field, **paid)} == {"a1", "b1", "c1", "c2", "a3", "c3"}
    assert {act.target for act in acts(field)} == {"b3"}
    assert {act.target for act in acts(wounded)} == {"a2", "b3"}
    assert {act.target for act in acts({"b2": field["b2"]})} == {"player"}
    assert {event_type(act) for act in acts(sleeping)} == {"turn-ended"}


def test_a_bot_destroys_no_card_of_its_own() -> None:
    field = {"b2": unit("Foam Stallion", 1), "c3": unit("Ember Widow", 2)}
    table = Position(field, two={"hand": 0})
    table.play("battle-declared 1 b2 player", "both-passed")
    table.play('life-revealed 2 1 "Null Bailiff" played=b3')

    assert plays("zx", table.state) == RULESET.read("void-bringer-used 2 b2")


def test_a_bot_passes_in_a_battle_and_leaves_the_others_turn_alone() -> None:
    fought = Position({"b2": unit("Foam Stallion", 1)}, two={"hand": 0})
    assert plays("zx", fought.state) is None
    fought.play("battle-declared 1 b2 player", "battle-passed 1")
    assert types("zx", fought.state) == {"battle-passed"}
    fought.play("battle-passed 2")
    assert types("zx", fought.state) == {"life-revealed"}


# -- Zerpang! -------------------------------------------------------------------------------


def test_a_bot_is_dealt_only_cards_of_which_copies_are_left() -> None:
    state = zerpang.at("ninja pirate", turn=2, hands={2: 1})
    every = [name for name in state.deck.cards if name != "SP01"]
    spent = {name: state.deck.cards[name].copies for name in every}
    left = zerpang.with_table(state, replace(state.table, spent=spent))

    assert len({act.card for act in all_of("zerpang", state)}) > 8
    assert plays("zerpang", left) == zerpang.read("card-seen 2 SP01")


def test_a_bot_takes_class_and_base_but_says_not_who_begins() -> None:
    state = zerpang.start(2)
    assert types("zerpang", state) == {"class-taken"}
    state = zerpang.after(state, "class-taken 2 ninja")
    assert types("zerpang", state) == {"base-taken"}
    state = zerpang.after(
        state, "base-taken 2 B1 red", "class-taken 1 pirate", "base-taken 1 B2 blue"
    )
    assert types("zerpang", state) == {""}
