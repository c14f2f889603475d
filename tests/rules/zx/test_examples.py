"""The worked examples of the rules digest, each by its number."""

import json
from typing import Any

import pytest

from rules import texts
from rules.fields import Choice
from rules.ruleset import Offer, Problem
from rules.zx import ignition
from rules.zx.acts import Options
from rules.zx.cards import Card, Deck
from rules.zx.state import Keyword, in_hand
from tests.rules.zx.invariants import broken
from tests.rules.zx.table import (
    CINDER,
    RULESET,
    TIDE,
    Mod,
    Position,
    log_of,
    opened,
    replace,
    resources,
    together,
    unit,
)


def changed(deck: Deck, **copies: int) -> Deck:
    """Return a deck with other numbers of copies, by name with underscores."""
    wanted = {name.replace("_", " "): n for name, n in copies.items()}
    cards = (
        replace(card, copies=wanted.get(card.name, card.copies))
        for card in deck.cards
        if wanted.get(card.name, 1)
    )
    return replace(deck, cards=tuple(cards))


def problems(deck: Deck, **options: Any) -> list[Problem]:
    return list(RULESET.check_deck(deck, Options(**options)))


def codes(deck: Deck, **options: Any) -> set[str]:
    return {problem.code for problem in problems(deck, **options)}


# -- decks ----------------------------------------------------------------------------


@pytest.mark.parametrize("deck", [TIDE, CINDER])
def test_e01_a_demo_deck_is_legal(deck: Deck) -> None:
    assert problems(deck) == []
    assert sum(card.copies or 0 for card in deck.cards) == 50
    assert sum(card.copies or 0 for card in deck.cards if card.icon == "ignition") == 20


def test_e02_a_fifth_copy_in_the_place_of_an_icon() -> None:
    deck = changed(TIDE, Signal_Runner=3, Pier_Sentry=5)

    assert {p.code: p.params for p in problems(deck)} == {
        "deck-copies": {"card": "Pier Sentry", "copies": 5, "most": 4},
        "deck-icons": {"icons": 19, "exactly": 20},
    }


def test_e03_one_card_too_many() -> None:
    assert codes(changed(TIDE, Bell_Archivist=2)) == {"deck-size"}


def test_e04_too_many_keywords() -> None:
    more = Card(name="Pier Nurse", icon="ignition", keywords=("life-recovery",))
    deck = replace(changed(TIDE, Signal_Runner=3), cards=())
    deck = replace(deck, cards=(*changed(TIDE, Signal_Runner=3).cards, more))

    assert codes(deck) == {"deck-life-recovery"}


# -- setup ----------------------------------------------------------------------------

OPENING = (
    'start-card-placed 1 "Lantern Skipper"',
    "first-decided 1 1",
    "hand-kept 1",
    "hand-kept 2",
    'start-resources-placed 1 ["Choir Warden","Pier Sentry"]',
    'start-resources-placed 2 ["Rail Marauder","Spark Lancer"]',
)


def test_e05_a_start_card_comes_out_of_the_fifty() -> None:
    board = log_of(*OPENING[:-1]).head.state.board
    one, two = board.sides

    assert (one.deck, one.hand, len(one.life), len(one.resources)) == (39, 4, 4, 2)
    assert board.squares[1].card == "Lantern Skipper"
    last = log_of(*OPENING).entries[-1]
    assert last.consequences[0].__struct_config__.tag == "game-started"
    after = log_of(*OPENING).head.state.board.sides[1]
    assert (after.deck, after.hand, len(after.life), len(after.resources)) == (40, 4, 4, 2)
    assert two.deck == 42 and board.squares[7] is None


def test_e06_one_whole_redraw() -> None:
    head = log_of("first-decided 1 1", "hand-redrawn 1").head.state

    again = RULESET.judge(head, RULESET.read("hand-redrawn 1"))
    part = RULESET.judge(head, RULESET.read("hand-redrawn 2 n=2"))
    assert (again.call, again.code) == ("irregular", "redraw-used")
    assert (part.call, part.code) == ("irregular", "redraw-partial")


# -- cost -----------------------------------------------------------------------------

PLAY = 'zx-played 1 "Hollow Diver" a2'
WHITE = ("Choir Warden", "Dawn Ringer")


def test_e07_one_resource_of_the_colour() -> None:
    table = Position(one={"resources": resources(*WHITE, "Pier Sentry")})

    table.play(f'{PLAY} colour=["Pier Sentry"] pays=["Choir Warden","Dawn Ringer"]')

    assert all(each.asleep for each in table.side(1).resources)
    assert table.at("a2").card == "Hollow Diver"


def test_e08_none_of_the_colour() -> None:
    tide = replace(TIDE, cards=(*TIDE.cards, CINDER.cards[1]))
    table = Position(decks=(tide, CINDER), one={"resources": resources(*WHITE, "Spark Lancer")})

    named = f'{PLAY} pays=["Choir Warden","Dawn Ringer","Spark Lancer"]'
    assert table.code(named) == "cost-colour"
    assert table.code(PLAY) == "cost-colour"


def test_e09_a_sleeping_resource_pays_nothing() -> None:
    table = Position(
        one={"resources": resources("Pier Sentry", "Gull Courier", asleep=["Storm Chartist"])}
    )

    asleep = f'{PLAY} colour=["Gull Courier"] pays=["Pier Sentry","Storm Chartist"]'
    assert table.code(asleep) == "cost-asleep"
    assert table.code(f'{PLAY} colour=["Gull Courier"] pays=["Pier Sentry"]') == "cost-count"
    assert table.code(PLAY) == "cost-count"


def test_e10_squares_that_are_barred() -> None:
    table = Position(
        {"b2": unit("Spark Lancer", 2)},
        one={"resources": resources("Pier Sentry", "Gull Courier", "Storm Chartist")},
    )

    assert table.code('zx-played 1 "Hollow Diver" b2') == "square-enemy"
    assert table.code('zx-played 1 "Hollow Diver" b3') == "square-enemy-player"
    assert table.code('zx-played 1 "Hollow Diver" a3') == ""


# -- phases ---------------------------------------------------------------------------


def test_e12_one_resource_a_turn() -> None:
    table = Position(one={"charge": ("Undertow",)}, board={"phase": "resource"})
    table.play('resource-placed 1 "Pier Sentry"')

    assert table.board.phase == "ignition"
    assert table.code('resource-placed 1 "Pier Sentry"') == "resource-done"


def test_e13_nothing_to_ignite() -> None:
    table = Position(board={"phase": "ignition"})

    assert table.code("ignition-started 1 Undertow") == "charge-empty"


def igniting() -> Position:
    table = Position(
        one={"charge": ("Pier Sentry", "Undertow", "Undertow")[1:]}, board={"phase": "ignition"}
    )
    table.play("ignition-started 1 Undertow")
    return table


def test_e14_overdrive() -> None:
    table = igniting()

    table.play('top-card-revealed 1 "Foam Stallion" played=c2')

    assert (len(table.side(1).charge), len(table.side(1).trash)) == (1, 1)
    assert not table.at("c2").asleep
    assert table.side(1).resources == ()


def test_an_overdrive_that_brings_new_charge_lets_ignition_go_on() -> None:
    stoker = Card(name="Stoker", icon="ignition", cost=2, power=2000, text="Auto: charge a card.")
    start: dict[str, Any] = {"charge": ("Undertow",), "trash": ("Pier Sentry",)}
    table = Position(decks=(together(stoker), CINDER), one=start, board={"phase": "ignition"})
    table.play("ignition-started 1 Undertow")
    assert "phase-entered" in Position(
        decks=(together(stoker), CINDER), one=start, board={"phase": "ignition"}
    ).play("ignition-started 1 Undertow", 'top-card-revealed 1 "Foam Stallion" played=c2')

    table.play("top-card-revealed 1 Stoker played=c2")
    assert table.waits == ("ignition", 1)
    assert [each.type for each in ignition.offers(table.state, 1)] == ["ignition-ended"]
    charged = 'effect-applied 1 to-zone card="Pier Sentry" pile=trash zone=charge source=Stoker'
    table.play(charged, 'ignition-started 1 "Pier Sentry"')
    assert table.play("top-card-revealed 1 Undertow") == ("ignition-missed", "phase-entered")


def test_e15_no_icon_no_overdrive() -> None:
    table = igniting()

    assert table.code('top-card-revealed 1 "Choir Warden" played=c2') == "no-icon"
    assert table.code("top-card-revealed 1 Undertow played=event") == "no-icon"
    assert table.play("top-card-revealed 1 Undertow") == ("ignition-missed",)
    assert table.events[0].why == "no-icon"
    assert table.side(1).trash == ("Undertow", "Undertow")


def test_an_ignition_makes_a_deck_anew_where_there_was_none() -> None:
    table = Position(
        one={"deck": 0, "charge": ("Undertow", "Undertow")}, board={"phase": "ignition"}
    )

    assert table.play("ignition-started 1 Undertow") == ("deck-reloaded",)
    table.play('reload-paid 1 1 "Pier Sentry"')
    assert table.waits == ("reveal", 1)
    assert table.play("top-card-revealed 1 Undertow") == ("ignition-missed", "deck-reloaded")


def test_where_nothing_is_left_to_reveal_the_ignition_goes_on() -> None:
    table = Position(
        one={"deck": 1, "charge": ("Undertow", "Undertow")}, board={"phase": "ignition"}
    )
    table.play(
        "ignition-started 1 Undertow",
        "effect-applied 1 to-zone card=Undertow pile=trash zone=removed",
        "effect-applied 1 draw amount=1",
    )
    assert table.waits == ("ignition", 1)
    table.play("ignition-ended 1", "effect-applied 1 discard card=Undertow")
    assert table.waits == ("reload", 1) and not table.board.igniting


# -- battle ---------------------------------------------------------------------------


def test_e17_a_sleeping_attacker() -> None:
    table = Position({"b2": unit("Foam Stallion", 1, asleep=True)})

    assert table.code("battle-declared 1 b2 player") == "attacker-asleep"


def test_e18_a_guarded_player() -> None:
    table = Position({"b2": unit("Foam Stallion", 1), "b3": unit("Spark Lancer", 2)})

    assert table.code("battle-declared 1 b2 player") == "target-guarded"
    assert table.code("battle-declared 1 b2 b3") == ""


def test_e19_equal_power_kills_the_attacked_only() -> None:
    table = Position(
        {"b2": unit("Choir Warden", 1), "b3": unit("Rail Marauder", 2, mods=(Mod(-500),))}
    )

    told = table.play("battle-declared 1 b2 b3", "battle-passed 1", "battle-passed 2")

    assert told == ("battle-damaged", "zx-destroyed", "battle-ended")
    assert table.at("b3") is None
    assert table.side(2).charge == ("Rail Marauder",)
    assert (table.at("b2").asleep, table.at("b2").damage) == (True, 0)


def test_no_power_at_all_destroys() -> None:
    zero = Card(name="Ghost", colours=("blue",), cost=0, power=0, icon="none", copies=4)
    table = Position(decks=(together(zero), CINDER))

    assert table.play("zx-played 1 Ghost a1") == ("zx-destroyed",)
    assert (table.events[0].cause, table.side(1).charge) == ("power", ("Ghost",))


@pytest.mark.parametrize("until", ["battle", "turn"])
def test_power_that_is_less_until_the_battle_ends_counts_in_it(until: str) -> None:
    table = Position({"b2": unit("Signal Runner", 1), "b3": unit("Spark Lancer", 2)})
    table.play(
        "battle-declared 1 b2 b3", f"effect-applied 1 power square=b3 amount=-1000 until={until}"
    )

    assert table.play("both-passed") == ("battle-damaged", "zx-destroyed", "battle-ended")
    assert table.board.battle is None


def test_power_that_is_more_until_the_battle_ends_is_gone_after_it() -> None:
    table = Position({"b2": unit("Choir Warden", 1), "b3": unit("Spark Lancer", 2)})
    table.play(
        "battle-declared 1 b2 b3", "effect-applied 2 power square=b3 amount=3000 until=battle"
    )

    assert table.play("both-passed") == ("battle-damaged", "battle-ended", "zx-destroyed")


def test_e21_less_power_under_damage() -> None:
    table = Position({"a2": unit("Foam Stallion", 1), "b3": unit("Rail Marauder", 2, damage=3000)})

    assert table.play("effect-applied 1 power square=b3 amount=-2000 until=turn") == ()
    told = table.play("effect-applied 1 power square=b3 amount=-500 until=turn")

    assert told == ("zx-destroyed",)
    assert table.side(2).charge == ("Rail Marauder",)


def test_e22_two_passes_in_a_row_close_the_window() -> None:
    table = Position(
        {"b2": unit("Choir Warden", 1), "b3": unit("Kiln Colossus", 2)},
        two={"resources": resources("Spark Lancer", "Spark Lancer")},
    )
    table.play("battle-declared 1 b2 b3")
    assert table.code("battle-passed 2") == "out-of-order-pass"

    assert table.play("battle-passed 1") == ()
    table.play("event-played 2 Flashover")
    assert table.play("battle-passed 1") == ("event-resolved",)
    assert table.play("battle-passed 2") == ("battle-damaged", "battle-ended")
    assert table.board.battle is None


def test_e23_no_event_in_the_other_main_phase() -> None:
    table = Position(two={"resources": resources("Spark Lancer", "Spark Lancer")})

    assert table.code("event-played 2 Flashover") == "wrong-window"


# -- life -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "reveals"),
    [
        ('top-card-revealed 1 "Foam Stallion"', True),
        ('life-revealed 2 3 "Spark Lancer"', True),
        ('reload-paid 2 3 "Spark Lancer"', True),
        ('effect-applied 1 reveal card="Spark Lancer" pile=deck', True),
        ("effect-applied 1 to-zone card=Undertow pile=deck zone=trash", True),
        ("effect-applied 1 to-zone card=Undertow pile=trash zone=deck", False),
        ("effect-applied 1 to-zone pile=life zone=hand", False),
        ('effect-applied 1 enter card="Pier Sentry" pile=life to=a1', True),
        ("effect-applied 1 draw amount=2", False),
        ('hand-noted 1 ["Undertow"]', False),
        ('resource-placed 1 "Undertow"', False),
    ],
)
def test_what_lay_hidden_from_all_is_turned_up_for_good(line: str, reveals: bool) -> None:
    assert RULESET.reveals(RULESET.read(line)) is reveals


def hit(one: dict[str, Any] | None = None, two: dict[str, Any] | None = None, **o: Any) -> Position:
    """Return a game in which seat 2 was just attacked."""
    table = Position({"b2": unit("Foam Stallion", 1)}, one=one, two=two, **o)
    assert table.play("battle-declared 1 b2 player", "both-passed") == ("player-damaged",)
    assert table.waits == ("life", 2)
    return table


def test_e25_a_life_card_without_icon() -> None:
    table = hit()

    assert table.play('life-revealed 2 3 "Spark Lancer"') == ("life-card-charged",)
    assert table.side(2).life == (1, 2, 4)
    assert table.side(2).charge == ("Spark Lancer",)


def test_e26_life_recovery() -> None:
    table = hit()

    told = table.play('life-revealed 2 3 "Ash Nurse" played=b3')
    assert told == ("life-card-played", "keyword-ready")
    table.play("life-recovered 2")

    assert (len(table.side(2).life), table.side(2).deck) == (4, 29)
    assert table.at("b3").card == "Ash Nurse"


def test_e28_void_bringer() -> None:
    table = hit()
    table.play('life-revealed 2 1 "Null Bailiff" played=b3')

    table.play("void-bringer-used 2 b2")

    assert table.at("b2") is None
    assert (table.side(1).trash, table.side(1).charge) == (("Foam Stallion",), ())


def test_e30_the_last_life() -> None:
    table = hit(two={"life": (1,)})

    told = table.play('life-revealed 2 1 "Spark Lancer"')

    assert told == ("life-card-charged", "game-ended")
    assert (table.outcome.winners, table.outcome.why) == ((1,), "by-life")


def test_e31_reload_in_the_middle_of_a_draw() -> None:
    trash = ("Pier Sentry",) * 4 + ("Gull Courier",) * 4 + ("Undertow",) * 4
    table = Position(one={"deck": 1, "trash": trash, "life": (1, 2)})

    assert table.play("effect-applied 1 draw amount=2") == ("cards-drawn", "deck-reloaded")
    assert table.events[1].n == 12
    assert table.play('reload-paid 1 2 "Tide Mender"') == ("cards-drawn",)

    side = table.side(1)
    assert (side.deck, side.trash, side.hand) == (11, (), 6)
    assert (side.charge, side.life) == (("Tide Mender",), (1,))


FLARE = Card(name="Flare", type="event", colours=("red",), cost=2, icon="ignition", copies=4)
TRASH = ("Pier Sentry",) * 4 + ("Gull Courier",) * 4 + ("Signal Runner",) * 4


def test_an_event_under_way_is_not_in_a_reload_of_its_own_making() -> None:
    paid = {"resources": resources("Choir Warden", "Choir Warden")}
    table = Position(one={"deck": 1, "trash": TRASH, **paid})
    assert table.play('event-played 1 "Salt Prayer"') == ("cost-paid",)

    assert table.play('effect-applied 1 draw amount=2 source="Salt Prayer"')[-1] == "deck-reloaded"
    assert table.events[-1].n == len(TRASH)
    hand = ["Dawn Ringer"] * 2 + ["Undertow"] * 3
    table.play('reload-paid 1 2 "Tide Mender"', f"hand-noted 1 {json.dumps(hand)}")
    assert RULESET.view(table.state, 1)["seats"][0]["resolving"] == ["Salt Prayer"]

    assert table.play("turn-ended 1")[0] == "event-resolved"
    assert table.side(1).trash == ("Salt Prayer",)


@pytest.mark.parametrize(
    "line",
    [
        'effect-applied 1 to-zone card="Salt Prayer" pile=trash zone=hand',
        'effect-applied 1 to-zone card="Salt Prayer" pile=trash zone=hand source="Dawn Ringer"',
        'effect-applied 1 to-zone card="Salt Prayer" pile=trash zone=charge source="Salt Prayer"',
        'effect-applied 1 tuck card="Salt Prayer" square=a1',
    ],
)
def test_an_event_under_way_may_be_taken_from_the_trash(line: str) -> None:
    paid = {"resources": resources("Choir Warden", "Choir Warden")}
    table = Position({"a1": unit("Pier Sentry", 1)}, one=paid)
    table.play('event-played 1 "Salt Prayer"', line)

    assert (table.side(1).trash, table.board.events) == ((), ())


def test_events_under_way_are_done_at_the_next_act_that_is_none_of_theirs() -> None:
    table = Position(
        one={"resources": resources("Choir Warden", "Choir Warden")},
        decks=(TIDE, replace(CINDER, cards=(*CINDER.cards, FLARE))),
    )
    table.play('event-played 1 "Salt Prayer"', "effect-applied 1 player-damage foe=2 amount=1")

    table.play("life-revealed 2 1 Flare played=event", "effect-applied 2 shuffle source=Flare")
    assert [each.card for each in table.board.events] == ["Salt Prayer", "Flare"]
    table.play("time-called", 'auto-triggered 2 "Ash Nurse"')
    assert (table.side(1).trash, table.side(2).trash) == (("Salt Prayer",), ("Flare",))


def test_e33_six_cards_at_the_end_of_a_turn() -> None:
    table = Position(one={"hand": 8})
    table.play("turn-ended 1")

    assert table.code("turn-ended 1") == "hand-over-limit"
    assert table.code('hand-trimmed 1 ["Undertow"]') == "hand-over-limit"
    table.play('hand-trimmed 1 ["Undertow","Undertow"]')
    assert table.side(1).hand == 6
    assert table.board.current == 2


@pytest.mark.parametrize(("profile", "first", "second"), [("zx-seed", 1, 1), ("zx-official", 0, 2)])
def test_e35_cards_drawn_by_the_profile(profile: str, first: int, second: int) -> None:
    timeline = log_of(*OPENING, "resource-passed 1", "turn-ended 1", setup=opened(profile=profile))

    one, two = timeline.head.state.board.sides
    assert one.hand == 4 + first
    assert two.hand == 4 + second


def test_the_end_of_a_turn_clears_damage_and_what_lasts_until_then() -> None:
    mods = (Mod(-1000), Mod(-500, "static"))
    table = Position({"b3": unit("Rail Marauder", 2, damage=3000, mods=mods)})
    table.play("turn-ended 1")

    assert (table.at("b3").damage, table.at("b3").mods) == (0, mods[1:])


def test_whose_phase_it_is_tells_the_parts_of_a_turn_apart() -> None:
    table = Position()
    assert (table.state.turn, table.state.pulse) == (3, (1, "main"))
    table.play("turn-ended 1")
    assert (table.state.turn, table.state.pulse) == (4, (2, "resource"))


def test_e36_anybody_may_concede_at_any_time() -> None:
    table = Position()

    table.play("conceded 2")

    assert (table.outcome.winners, table.outcome.why) == ((1,), "by-concession")
    assert table.outcome.places == (1, 2)
    table = Position()
    table.play("conceded 1")
    assert table.outcome.places == (2, 1)


# -- effects --------------------------------------------------------------------------


def test_a_card_may_reach_into_the_hand_of_the_other_side() -> None:
    table = Position({"b3": unit("Soot Whisperer", 2)})

    table.play('effect-applied 1 discard card=Undertow source="Soot Whisperer"')

    assert (table.side(1).trash, table.side(2).trash) == (("Undertow",), ())
    assert table.code('effect-applied 1 draw amount=1 source="Moss Ferrier"') == "no-such-card"


HARBOUR = (Card(name="Deep Harbour", power=9000, copies=2), Card(name="Tide Gate", type="event"))


def test_an_extra_deck_is_a_pile_of_its_own() -> None:
    setup = opened(replace(TIDE, extra=HARBOUR), CINDER, profile="zx-official")
    opening = ("Choir Warden", "Pier Sentry"), ("Rail Marauder", "Spark Lancer")
    placed = [f"start-resources-placed {n} {json.dumps(two)}" for n, two in enumerate(opening, 1)]
    state = log_of("first-decided 1 1", "hand-kept 1", "hand-kept 2", *placed, setup=setup)
    table = Position(decks=(replace(TIDE, extra=HARBOUR), CINDER))
    table.state = state.head.state
    assert table.side(1).extra == ("Deep Harbour", "Deep Harbour", "Tide Gate")
    assert "Deep Harbour" not in in_hand(table.state, 1)

    table.play(
        'effect-applied 1 enter card="Deep Harbour" pile=extra to=a1 source="Deep Harbour"',
        'auto-triggered 1 "Deep Harbour"',
        'effect-applied 1 draw amount=1 source="Tide Gate"',
        "effect-applied 1 to-zone square=a1 zone=extra",
    )
    assert sorted(table.side(1).extra) == ["Deep Harbour", "Deep Harbour", "Tide Gate"]
    assert broken(table.state) == []
    assert table.code('resource-placed 1 "Deep Harbour"') == "conservation"


def test_nobody_begins_with_a_card_of_the_extra_deck() -> None:
    state = log_of(setup=opened(replace(TIDE, extra=HARBOUR), CINDER)).head.state
    begins = RULESET.judge(state, RULESET.read('start-card-placed 1 "Deep Harbour"'))
    assert begins.code == "not-a-start-card"


def test_without_an_extra_deck_nothing_goes_there() -> None:
    table = Position({"a1": unit("Pier Sentry", 1)})
    assert table.code("effect-applied 1 to-zone square=a1 zone=extra") == "no-extra-deck"


@pytest.mark.parametrize(
    "line",
    [
        'auto-triggered 1 "Ioan, Harbour Reeve"',
        'special-won 1 "Ioan, Harbour Reeve"',
        'effect-applied 2 draw amount=1 source="Ioan, Harbour Reeve"',
    ],
)
def test_a_player_card_may_say_what_happens(line: str) -> None:
    assert Position().code(line) == ""
    assert Position().code(line.replace("Ioan", "Jon")) == "no-such-card"


# -- cards nobody entered -------------------------------------------------------------


def test_a_start_card_nobody_entered_may_begin() -> None:
    listed = Deck(cards=(Card(name="Real Starter"), *changed(TIDE, Bell_Archivist=0).cards))
    state = log_of(setup=opened(replace(listed, start="Real Starter"), CINDER)).head.state

    assert codes(replace(listed, start="Real Starter")) == set()
    assert RULESET.judge(state, RULESET.read('start-card-placed 1 "Real Starter"')).code == ""
    offered = [each for each in RULESET.options(state, 1) if each.type == "start-card-placed"]
    assert offered[0].fields["card"] == Choice(("Real Starter", "Lantern Skipper"))


def blank_from_life(**options: Any) -> Position:
    table = hit(decks=(TIDE, None), **options)
    assert table.play('life-revealed 2 1 "Icon Z/X" played=b3')[-1] == "keyword-ready"
    return table


@pytest.mark.parametrize(
    "line", ["life-recovered 2", "void-bringer-used 2 b2", "life-recovery-declined 2"]
)
def test_a_card_nobody_entered_may_have_either_keyword_or_none(line: str) -> None:
    table = blank_from_life(keywords="mandatory")

    assert table.play(line) == ()
    assert table.board.keyword is None
    assert table.waits == ("main", 1)


def test_who_has_no_life_left_may_recover_with_a_card_nobody_entered() -> None:
    for line, life in (("life-recovered 2", 1), ("void-bringer-declined 2", 0)):
        table = blank_from_life(two={"life": (1,)})
        told = RULESET.tell(RULESET.read("void-bringer-declined 2"), table.state)
        assert told == "Side 2 uses no keyword."
        table.play(line)
        assert (len(table.side(2).life), bool(table.outcome)) == (life, not life)


def test_a_card_nobody_entered_may_have_a_range() -> None:
    table = Position({"a1": unit("Z/X", 1), "c2": unit("Spark Lancer", 2)}, decks=(None, CINDER))
    assert table.code("battle-declared 1 a1 player") == ""

    table.play("battle-declared 1 a1 c2", "effect-applied 2 move square=c2 to=c3")
    assert table.play("both-passed") == ("battle-fizzled",), "so far it was not told to reach"


# -- telling --------------------------------------------------------------------------


def test_the_table_names_the_card_it_is_about() -> None:
    table = Position({"b2": unit("Choir Warden", 1), "b3": unit("Ash Nurse", 2, asleep=True)})
    offer = Offer("effect-applied", 1, {"square": Choice(("b2", "b3", "c1"))})
    called = [RULESET.called(table.state, offer, "square", at) for at in ("b2", "c1")]
    assert called == ["Choir Warden on b2", None]

    table.play("battle-declared 1 b2 b3")
    before = table.state
    table.play("both-passed")
    told = [RULESET.tell(event, before) for event in table.events]
    assert told[0] == "Ash Nurse on b3 takes 5000 damage."


@pytest.mark.parametrize(
    ("line", "english", "german"),
    [
        (
            "effect-applied 1 to-zone square=a2 zone=resources",
            "Pier Sentry on a2 goes to resources.",
            "Pier Sentry auf a2 geht nach „Ressourcen“.",
        ),
        (
            "effect-applied 1 to-zone card=Undertow pile=deck zone=trash",
            "Side 1 moves Undertow from deck to trash.",
            "Side 1 bringt Undertow aus „Deck“ nach „Trash“.",
        ),
    ],
)
def test_piles_have_their_names(
    line: str, english: str, german: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, act = Position({"a2": unit("Pier Sentry", 1)}).state, RULESET.read(line)
    assert RULESET.tell(act, state) == english

    monkeypatch.setattr(texts, "_language", lambda: "de")
    assert RULESET.tell(act, state) == german


@pytest.mark.parametrize(
    ("trash", "told"),
    [
        (("Undertow",) * 2, "Side 1’s deck has run out: 2 cards of the trash become the new one."),
        (("Undertow",), "Side 1’s deck has run out: a card of the trash becomes the new one."),
    ],
)
def test_a_deck_made_anew_is_counted(trash: tuple[str, ...], told: str) -> None:
    table = Position(one={"deck": 1, "trash": trash})
    table.play("effect-applied 1 draw amount=1")
    assert RULESET.tell(table.events[-1], table.state) == told


def test_the_keyword_that_waits_is_named() -> None:
    table = Position(board={"keyword": Keyword(2, "void-bringer")})
    assert RULESET.view(table.state, 1)["next"]["text"].startswith("Void Bringer: which Z/X")
