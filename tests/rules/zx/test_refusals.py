"""Why an act is refused or irregular: a position for each reason the examples leave open."""

import json
from typing import Any

import pytest

from rules import texts
from rules.ruleset import event_type
from rules.zx.acts import FIELDS_OF, EffectApplied
from rules.zx.cards import Card
from tests.rules.zx.table import (
    CINDER,
    RULESET,
    Position,
    log_of,
    opened,
    resources,
    together,
    unit,
)
from tests.rules.zx.test_examples import hit

FIELD = {"a1": unit("Pier Sentry", 1), "c3": unit("Spark Lancer", 2, asleep=True)}
RICH = {"resources": resources(*["Pier Sentry"] * 4), "trash": ("Undertow",)}


@pytest.mark.parametrize(
    ("line", "call", "code"),
    [
        ("conceded 3", "impossible", "no-such-seat"),
        ("hand-kept 1", "impossible", "has-started"),
        ("first-decided 1 1", "impossible", "has-started"),
        ("first-decided 1 3", "impossible", "no-such-seat"),
        ('zx-played 1 "Rail Marauder" a2', "impossible", "no-such-card"),
        ("zx-played 1 Undertow a2", "impossible", "not-a-zx"),
        ('event-played 1 "Pier Sentry"', "impossible", "not-an-event"),
        ('zx-played 1 "Pier Sentry" a2 pays=["Choir Warden"]', "impossible", "no-such-resource"),
        ('zx-played 1 "Choir Warden" a2 colour=["Pier Sentry"]', "irregular", "cost-count"),
        ('zx-played 2 "Spark Lancer" b3', "irregular", "not-your-turn"),
        ('resource-placed 1 "Pier Sentry"', "irregular", "wrong-phase"),
        ("startup-used 1 c3", "impossible", "not-your-zx"),
        ("startup-used 2 c3", "irregular", "wrong-window"),
        ("battle-declared 1 c3 player", "impossible", "not-your-zx"),
        ("battle-declared 1 a1 a2", "impossible", "no-target"),
        ("battle-declared 1 a1 player", "irregular", "not-adjacent"),
        ("battle-passed 1", "impossible", "no-battle"),
        ("both-passed", "impossible", "no-battle"),
        ("battle-told true", "impossible", "no-battle"),
        ('life-revealed 2 9 "Ash Nurse"', "impossible", "no-such-life"),
        ('life-revealed 2 1 "Ash Nurse"', "irregular", "condition-false"),
        ('reload-paid 1 1 "Pier Sentry"', "irregular", "condition-false"),
        ("hand-trimmed 1 []", "irregular", "wrong-phase"),
        ('hand-noted 1 ["Undertow"]', "impossible", "hand-of-other-size"),
        ("void-bringer-declined 1", "irregular", "condition-false"),
        ("effect-applied 1 damage square=b2 amount=500", "impossible", "nothing-there"),
        ("effect-applied 1 damage square=a1 amount=0", "impossible", "effect-number"),
        ("effect-applied 1 draw amount=11", "impossible", "effect-number"),
        ("effect-applied 1 draw amount=1 square=a1", "impossible", "field-not-of-effect"),
        ("effect-applied 1 damage amount=500", "impossible", "effect-incomplete"),
        ("effect-applied 1 move square=a1 to=c3", "impossible", "square-enemy"),
        ("effect-applied 1 move square=a1 to=b3", "impossible", "square-enemy-player"),
        ("effect-applied 1 move square=a1 to=a1", "impossible", "square-taken"),
        ("effect-applied 1 sleep square=c3", "impossible", "is-so"),
        ('effect-applied 1 reboot card="Pier Sentry"', "impossible", "is-so"),
        ("effect-applied 1 reboot card=Undertow", "impossible", "no-such-resource"),
        ("effect-applied 1 tuck square=a1 card=Undertow", "legal", ""),
        ("effect-applied 2 tuck square=c3 card=Flashover", "impossible", "not-in-pile"),
        (
            "effect-applied 1 to-zone card=Undertow pile=charge zone=hand",
            "impossible",
            "pile-empty",
        ),
        ("life-called 1 3", "impossible", "other-depth"),
        ("ruled win", "impossible", "winner-of-a-win"),
        ("ruled win winner=1", "legal", ""),
    ],
)
def test_a_refused_act_has_its_code(line: str, call: str, code: str) -> None:
    verdict = Position(FIELD, one=RICH).judge(line)

    assert (verdict.call, verdict.code) == (call, code)


@pytest.mark.parametrize(
    ("one", "line", "code"),
    [
        ({"hand": 0}, "event-played 1 Undertow", "hand-empty"),
        ({"hand": 0}, "hand-noted 1 []", "hand-of-other-size"),
        ({"hand": 2}, 'hand-noted 1 ["Undertow","Pier Sentry"]', "not-on-offer"),
        ({"deck": 0}, "effect-applied 1 recover", "deck-empty"),
        ({"hits": 1, "known": ("Undertow",) * 4}, "life-revealed 1 1 Undertow", "conservation"),
        (
            {"hand": 1, "known": ("Pier Sentry",), "trash": ("Undertow",) * 4},
            "event-played 1 Undertow",
            "conservation",
        ),
        ({"trash": ("Undertow",) * 4}, "event-played 1 Undertow", "conservation"),
        ({"hand": 1, "known": ("Pier Sentry",)}, "event-played 1 Undertow", "not-in-hand"),
        (
            {"hand": 1, "known": ("Pier Sentry",)},
            "effect-applied 1 discard card=Undertow",
            "not-in-hand",
        ),
        (
            {"hand": 1, "known": ("Pier Sentry",)},
            "effect-applied 1 reveal card=Undertow pile=hand",
            "not-in-hand",
        ),
        (
            {"trash": ("Undertow",) * 4},
            "effect-applied 1 reveal card=Undertow pile=hand",
            "conservation",
        ),
        ({"life": ()}, 'life-revealed 1 1 "Tide Mender"', "no-life"),
        (
            {"resources": resources("Pier Sentry", asleep=["Undertow"])},
            'effect-applied 1 reboot card="Pier Sentry"',
            "is-so",
        ),
        (
            {"resources": resources("Pier Sentry", asleep=["Pier Sentry"])},
            'startup-used 1 a1 pays=["Pier Sentry","Pier Sentry"]',
            "cost-asleep",
        ),
    ],
)
def test_an_act_refused_for_its_cards_has_its_code(
    one: dict[str, Any], line: str, code: str
) -> None:
    assert Position(FIELD, one=one).code(line) == code


@pytest.mark.parametrize(
    ("lines", "line", "code"),
    [
        ((), "hand-kept 1", "not-started"),
        ((), "effect-applied 1 shuffle", "not-started"),
        ((), "charge-trimmed 1 []", "not-started"),
        ((), 'start-card-placed 1 "Pier Sentry"', "not-a-start-card"),
        ((), "start-card-placed 1 Undertow", "not-a-zx"),
        (
            ('start-card-placed 1 "Lantern Skipper"',),
            'start-card-placed 1 "Lantern Skipper"',
            "start-card-there",
        ),
        (("first-decided 1 1", "hand-kept 1"), "hand-kept 1", "hand-settled"),
        (
            ("first-decided 1 1", "hand-kept 1", "hand-kept 2"),
            'start-resources-placed 1 ["Undertow"]',
            "two-resources",
        ),
        (
            ("first-decided 1 1", "hand-kept 1", "hand-kept 2"),
            f"start-resources-placed 1 {json.dumps(['Undertow'] * 51)}",
            "deck-empty",
        ),
        (("options-changed score",), "options-changed score", "same-depth"),
        (("options-changed score",), "hand-kept 1", "other-depth"),
        (("options-changed score", "won-called 1"), "conceded 1", "game-over"),
        (
            ("first-decided 1 1", "hand-kept 1", "hand-kept 2"),
            'start-resources-placed 1 ["Undertow","Pier Sentry"]',
            "not-on-offer",
        ),
    ],
)
def test_an_act_refused_for_its_time_has_its_code(
    lines: tuple[str, ...], line: str, code: str
) -> None:
    state = log_of(*lines).head.state

    assert RULESET.judge(state, RULESET.read(line)).code == code


def test_the_end_of_a_match_is_cited_by_its_clause() -> None:
    for line, clause in (("conceded 1", "ZX-W4"), ("won-called 1 how=time", "ZX-X3")):
        state = log_of("options-changed score", line).head.state
        assert RULESET.judge(state, RULESET.read("conceded 2")).clause == clause


TWO = Card(name="Dusk Pilot", colours=("blue", "white"), cost=2, power=3000, icon="none")


@pytest.mark.parametrize(
    ("lines", "line", "told"),
    [
        (("first-decided 1 1",), "first-decided 1 1", "The game is past that part of the set-up."),
        (
            ("first-decided 1 1",),
            "hand-kept 2",
            "The first player decides first, Side 2 after that.",
        ),
        (
            ("battle-declared 1 b2 player",),
            "turn-ended 1",
            "A battle comes first: Side 1 is to play something in it, or to pass.",
        ),
        (
            (),
            'zx-played 1 "Dusk Pilot" a1',
            "Dusk Pilot needs a colour that no resource paying for it has.",
        ),
    ],
)
def test_what_an_act_is_refused_with_is_true(lines: tuple[str, ...], line: str, told: str) -> None:
    table = Position(
        {"b2": unit("Pier Sentry", 1)},
        one={"resources": resources("Pier Sentry", "Pier Sentry")},
        decks=(together(TWO), CINDER),
        multi="all",
    )
    if "first-decided 1 1" in lines:
        table.state = log_of(*lines).head.state
    else:
        table.play(*lines)

    said = texts.of_finding(RULESET.texts, table.judge(line), texts.names_of(table.state.setup))
    assert said.startswith(f"{told} (")


def test_a_sleeping_zx_is_not_turned_for_an_ability() -> None:
    table = Position(FIELD, two={"hand": 1}, board={"current": 2})

    assert table.code("startup-used 2 c3 sleep=true") == "is-asleep"
    assert table.code("startup-used 2 c3") == ""


def test_a_range_reaches_farther() -> None:
    archer = Card(name="Archer", colours=("blue",), cost=2, power=3000, keywords=("range-2",))
    table = Position(
        {"b1": unit("Archer", 1), "a1": unit("Pier Sentry", 1)}, decks=(together(archer), CINDER)
    )

    assert table.code("battle-declared 1 b1 player") == ""
    assert table.code("battle-declared 1 a1 player") == "not-adjacent"
    table.play("battle-declared 1 b1 player")
    assert table.play("both-passed") == ("player-damaged",)


@pytest.mark.parametrize(
    ("effect", "why"),
    [
        ("effect-applied 2 destroy square=b2", "attacker-gone"),
        ("effect-applied 2 move square=b2 to=a1", "not-adjacent"),
        ("effect-applied 2 to-zone square=b3 zone=hand", "target-gone"),
    ],
)
def test_a_battle_comes_to_nothing(effect: str, why: str) -> None:
    table = Position({"b2": unit("Pier Sentry", 1), "b3": unit("Spark Lancer", 2)})
    table.play("battle-declared 1 b2 b3", effect)

    table.play("both-passed")

    assert (event_type(table.events[0]), table.events[0].why) == ("battle-fizzled", why)


def test_a_battle_of_unknown_powers_is_told() -> None:
    table = Position({"b2": unit("Z/X", 1), "b3": unit("Spark Lancer", 2)}, decks=(None, CINDER))
    table.play("battle-declared 1 b2 b3")
    assert table.play("both-passed") == ()
    assert table.waits[0] == "told"
    said = RULESET.tell(RULESET.read("battle-told false"), table.state)
    assert said == "Spark Lancer on b3 withstands the attack."

    assert table.play("battle-told true") == ("zx-destroyed",)
    assert table.side(2).charge == ("Spark Lancer",)


def test_what_is_used_without_a_cost_costs_nothing() -> None:
    assert Position(FIELD, one=RICH).play("startup-used 1 a1") == ()


def test_both_without_life_is_a_draw() -> None:
    table = Position(one={"life": ()}, two={"life": ()})

    table.play("effect-applied 1 shuffle")

    assert (table.outcome.why, table.outcome.places) == ("by-draw", (1, 1))


@pytest.mark.parametrize(("depth", "lines"), [("score", ()), ("full", ("options-changed score",))])
def test_life_totals_alone_begin_with_what_everybody_starts_with(
    depth: str, lines: tuple[str, ...]
) -> None:
    state = log_of(*lines, setup=opened(depth=depth)).head.state

    assert RULESET.headline(state) == "Side 1 4 – 4 Side 2"
    state = log_of(*lines, "life-called 1 3", setup=opened(depth=depth)).head.state
    assert RULESET.headline(state) == "Side 1 3 – 4 Side 2"
    assert state.turn is None, "nothing is told of turns"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ((), "Side 1 – Side 2 · setting up"),
        (("first-decided 1 1",), "Side 1 – Side 2 · setting up"),
        (("conceded 2",), "Side 1 – Side 2 · Side 1 won"),
        (
            ("first-decided 1 1", "hand-kept 1", "hand-kept 2"),
            "Side 1 4 – 4 Side 2 · setting up",
        ),
    ],
)
def test_no_life_is_told_before_it_is_placed(lines: tuple[str, ...], told: str) -> None:
    assert RULESET.headline(log_of(*lines, setup=opened()).head.state) == told


def test_who_may_still_recover_has_no_life_when_totals_alone_are_recorded() -> None:
    table = hit(two={"life": (1,)})
    table.play('life-revealed 2 1 "Ash Nurse" played=b3', "options-changed score")

    assert RULESET.headline(table.state) == "Side 1 4 – 0 Side 2"


@pytest.mark.parametrize(
    ("line", "why", "winners"),
    [
        ("won-called 2 how=time", "by-time", (2,)),
        ("won-called 2 how=card", "by-card", (2,)),
        ("life-called 1 0", "by-life", (2,)),
        ("draw-called", "by-draw", ()),
        ("draw-called lost=true", "by-nobody", ()),
        ("ruled all-lost", "by-nobody", ()),
        ("ruled draw", "by-ruling", ()),
        ("ruled win winner=1", "by-ruling", (1,)),
    ],
)
def test_results_at_depth_score(line: str, why: str, winners: tuple[int, ...]) -> None:
    outcome = log_of("options-changed score", line).ruleset.outcome(
        log_of("options-changed score", line).head.state
    )

    assert (outcome.why, outcome.winners) == (why, winners)


def test_a_card_wins_by_what_it_says() -> None:
    table = Position()
    table.play("special-won 2 Flashover")
    assert table.outcome.why == "by-card"


def test_every_effect_says_which_fields_it_has() -> None:
    told = {name for fields in FIELDS_OF.values() for name in fields}

    assert told | {"seat", "op", "source"} == set(EffectApplied.__struct_fields__)


def test_a_hand_is_its_seats_own() -> None:
    table = Position(one={"hand": 2})
    table.play('hand-noted 1 ["Pier Sentry","Undertow"]')
    act = RULESET.read('hand-noted 1 ["Pier Sentry","Undertow"]')

    held = {
        eyes: RULESET.view(table.state, eyes)["seats"][0]["known"]
        for eyes in (1, 2, "public", "officials")
    }
    assert held == {
        1: ["Pier Sentry", "Undertow"],
        2: None,
        "public": None,
        "officials": ["Pier Sentry", "Undertow"],
    }
    assert RULESET.hide(act, 2).cards == ()
    assert RULESET.secrets(table.state) == (1,)


@pytest.mark.parametrize(
    ("lines", "irregular"),
    [
        (("effect-applied 1 to-zone pile=hand zone=deck",), False),
        (("effect-applied 1 draw amount=1", "effect-applied 1 to-zone pile=hand zone=life"), False),
        (('effect-applied 1 discard card="Gull Courier"',), True),
    ],
)
def test_a_noted_hand_is_not_held_against_its_seat_once_it_may_be_another(
    lines: tuple[str, ...], irregular: bool
) -> None:
    table = Position(one={"hand": 3}, board={"phase": "resource"})
    table.play('hand-noted 1 ["Pier Sentry","Salt Prayer","Undertow"]')
    assert table.code("resource-placed 1 Undertow") == ""
    assert table.code('resource-placed 1 "Gull Courier"') == "not-in-hand"
    table.play(*lines, irregular=irregular)
    assert table.code("resource-placed 1 Undertow") == ""
    assert table.code('resource-placed 1 "Tide Mender"') == ""


def test_nobody_else_learns_from_the_offers_what_a_hand_holds() -> None:
    one, two = (Position(one={"hand": 1}, board={"phase": "resource"}) for _ in range(2))
    one.play('hand-noted 1 ["Pier Sentry"]')
    two.play('hand-noted 1 ["Undertow"]')

    assert RULESET.options(one.state) != RULESET.options(two.state)
    for eyes in (2, "public"):
        assert RULESET.offers_to(one.state, eyes) == RULESET.offers_to(two.state, eyes)
    assert RULESET.offers_to(one.state, 1) == RULESET.options(one.state)


def test_an_end_of_turn_out_of_turn_ends_nothing() -> None:
    assert Position().play("turn-ended 2", irregular=True) == ()
    assert Position().play("turn-ended 1")[0] == "phase-entered"


def test_what_lies_under_a_card_that_goes_to_a_hand_goes_to_the_trash() -> None:
    table = Position({"a1": unit("Pier Sentry", 1, under=("Undertow",))})
    table.play("effect-applied 1 to-zone square=a1 zone=hand")

    assert (table.side(1).hand, table.side(1).trash) == (5, ("Undertow",))


def test_what_lies_under_a_destroyed_card_goes_to_the_trash() -> None:
    table = Position({"a1": unit("Pier Sentry", 1, under=("Undertow",))})
    table.play("effect-applied 1 destroy square=a1")

    assert (table.side(1).charge, table.side(1).trash) == (("Pier Sentry",), ("Undertow",))
