"""Every ambiguity of the digest: the default reading, and the effect of each variant."""

from typing import Any

import pytest

from rules.ruleset import event_type
from rules.zx.acts import Options
from rules.zx.cards import Card, Deck
from rules.zx.consequences import KeywordReady
from rules.zx.samples import VARIANTS
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
from tests.rules.zx.test_examples import OPENING, hit


def test_every_option_of_the_digest_is_varied_by_bots() -> None:
    told = set(Options.__struct_fields__) - {"profile", "depth", "extra_turns", "format", "bans"}

    assert set(VARIANTS) == told


@pytest.mark.parametrize(
    ("options", "texts", "level"),
    [
        ({"extra_turns": 0, "equal": "draw"}, ("floor-time-0", "floor-level-draw"), "draw"),
        ({"extra_turns": 1, "equal": "lose"}, ("floor-time-1", "floor-level-lose"), "lost"),
        ({"extra_turns": 3, "equal": "lose"}, ("floor-time-2", "floor-level-lose"), "lost"),
    ],
)
def test_the_floor_says_what_time_does(
    options: dict[str, Any], texts: tuple[str, ...], level: str
) -> None:
    floor = RULESET.floor_rules(Options(**options))

    assert floor.texts == ("floor-round", *texts)
    assert floor.time_up == level


def test_am1_draws_can_be_set_apart_from_the_profile() -> None:
    setup = opened(draw="2", first_draw="0")
    sides = log_of(*OPENING, "resource-passed 1", "turn-ended 1", setup=setup)

    one, two = sides.head.state.board.sides
    assert (one.hand, two.hand) == (4, 6)


FULL = ("Undertow",) * 4


@pytest.mark.parametrize(
    ("options", "charge", "trash", "waits"),
    [
        ({}, 5, 0, "main"),
        ({"charge_limit": "4"}, 5, 0, "charge"),
        ({"profile": "zx-official"}, 5, 0, "charge"),
        ({"charge_limit": "4", "overflow": "bounce"}, 4, 1, "main"),
    ],
)
def test_am2_charge(options: dict[str, Any], charge: int, trash: int, waits: str) -> None:
    table = Position({"a2": unit("Pier Sentry", 1)}, one={"charge": FULL}, **options)

    assert table.play("effect-applied 1 destroy square=a2") == ("zx-destroyed",)

    side = table.side(1)
    assert (len(side.charge), len(side.trash)) == (charge, trash)
    assert table.waits == (waits, 1)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "effect-applied 1 destroy square=a2",
            "Side 1’s Pier Sentry on a2 is destroyed and goes to the trash: the charge is full.",
        ),
        ("effect-applied 1 to-zone square=a2 zone=charge", "Pier Sentry on a2 goes to trash."),
        (
            "effect-applied 1 to-zone card=Undertow pile=hand zone=charge",
            "Side 1 moves Undertow from hand to trash.",
        ),
    ],
)
def test_am2_what_bounces_is_told_where_it_comes(line: str, told: str) -> None:
    table = Position(
        {"a2": unit("Pier Sentry", 1)},
        one={"charge": ("Dawn Ringer",) * 4},
        charge_limit="4",
        overflow="bounce",
    )
    said = [RULESET.tell(RULESET.read(line), table.state)]
    before = table.state
    table.play(line)

    assert told in said + [RULESET.tell(event, before) for event in table.events]
    assert table.side(1).trash != ()


def test_am2_the_life_card_of_a_hit_and_of_a_reload_bounce_too() -> None:
    table = hit(two={"charge": ("Ash Nurse",) * 4}, charge_limit="4", overflow="bounce")
    act = RULESET.read('life-revealed 2 1 "Spark Lancer"')
    after = RULESET.evolve(table.state, act)

    told = [RULESET.tell(event, after) for event in RULESET.decide(table.state, act)]
    assert told == ["Spark Lancer goes to Side 2’s trash: the charge is full."]
    paid = RULESET.tell(RULESET.read('reload-paid 2 1 "Spark Lancer"'), table.state)
    assert paid.endswith("goes to the trash for the reload: the charge is full.")


def test_am2_charge_is_trimmed_by_choice() -> None:
    table = Position(one={"charge": (*FULL, "Salt Prayer")}, charge_limit="4")

    assert table.code("turn-ended 1") == "pending-choice"
    assert table.code('charge-trimmed 1 ["Salt Prayer","Undertow"]') == "charge-over-limit"
    assert table.code('charge-trimmed 1 ["Pier Sentry"]') == "not-in-charge"
    table.play('charge-trimmed 1 ["Salt Prayer"]')
    assert table.side(1).trash == ("Salt Prayer",)
    assert table.code('charge-trimmed 1 ["Undertow"]') == "condition-false"


@pytest.mark.parametrize(("pick", "by", "barred"), [("opponent", 2, 1), ("self", 1, 2)])
def test_am3_who_points_at_the_life_of_a_reload(pick: str, by: int, barred: int) -> None:
    table = Position(one={"deck": 1, "trash": FULL}, reload_pick=pick)
    table.play("effect-applied 1 draw amount=1")

    verdict = table.judge(f'reload-paid 1 2 "Pier Sentry" by={barred}')
    assert (verdict.code, verdict.clause) == ("other-picker", "ZX-AM3")
    table.play(f'reload-paid 1 2 "Pier Sentry" by={by}')


def test_am4_a_recovered_player_lives_on() -> None:
    table = hit(two={"life": (1,)})
    table.play('life-revealed 2 1 "Ash Nurse" played=b3', "life-recovered 2")
    assert table.side(2).life == (1,)
    assert table.outcome is None


def test_am4_further_damage_meets_the_life_that_was_recovered() -> None:
    table = Position(two={"life": (1,)})
    table.play("effect-applied 1 player-damage foe=2 amount=2")
    table.play('life-revealed 2 1 "Ash Nurse" played=b3', "life-recovered 2")
    assert (table.side(2).life, table.waits) == ((1,), ("life", 2))

    table.play("life-revealed 2 1 Flashover")
    assert (table.outcome.winners, table.outcome.why) == ((1,), "by-life")


def test_am4_or_has_lost_at_once() -> None:
    table = hit(two={"life": (1,)}, life_zero="immediate")

    verdict = table.judge('life-revealed 2 1 "Ash Nurse" played=b3')
    assert (verdict.code, verdict.clause) == ("last-life", "ZX-AM4")
    table.play('life-revealed 2 1 "Ash Nurse"')
    assert table.outcome.why == "by-life"


@pytest.mark.parametrize(("keywords", "code"), [("optional", ""), ("mandatory", "is-mandatory")])
def test_am5_keywords_may_or_have_to_be_used(keywords: str, code: str) -> None:
    table = hit(keywords=keywords)
    table.play('life-revealed 2 1 "Ash Nurse" played=b3')

    assert table.code("life-recovery-declined 2") == code


@pytest.mark.parametrize(
    ("card", "life", "keywords", "told"),
    [
        ("Ash Nurse", (1, 2), "optional", "Side 2 may use Life Recovery."),
        ("Ash Nurse", (1, 2), "mandatory", "Side 2 has to use Life Recovery."),
        ("Ash Nurse", (1,), "optional", "Side 2 may use Life Recovery."),
        ("Null Bailiff", (1,), "optional", "Void Bringer comes too late for Side 2."),
    ],
)
def test_am5_what_may_and_has_to_be_used_is_told_so(
    card: str, life: tuple[int, ...], keywords: str, told: str
) -> None:
    table = hit(two={"life": life}, keywords=keywords)
    table.play(f'life-revealed 2 1 "{card}" played=b3')

    [ready] = [event for event in table.events if isinstance(event, KeywordReady)]
    assert RULESET.tell(ready, table.state) == told


@pytest.mark.parametrize(
    ("card", "line"),
    [
        ("Ash Nurse", "life-recovery-declined 2"),
        ("Null Bailiff", "void-bringer-declined 2"),
    ],
)
def test_am5_a_keyword_that_has_to_be_used_is_cited_by_the_option(card: str, line: str) -> None:
    table = hit(keywords="mandatory")
    table.play(f'life-revealed 2 1 "{card}" played=b3')

    verdict = table.judge(line)
    assert (verdict.code, verdict.clause) == ("is-mandatory", "ZX-AM5")


@pytest.mark.parametrize(("compare", "ready"), [("after", True), ("before", False)])
def test_am6_when_life_is_compared(compare: str, ready: bool) -> None:
    table = hit(one={"life": (1, 2, 3)}, compare=compare)

    told = table.play('life-revealed 2 1 "Ash Nurse" played=b3')

    assert ("keyword-ready" in told) is ready
    if not ready:
        assert table.code("life-recovered 2") == "condition-false"


@pytest.mark.parametrize(("void", "code"), [("any", ""), ("enemy_only", "void-own")])
def test_am7_void_bringer_on_an_own_zx(void: str, code: str) -> None:
    table = hit(void=void)
    table.play('life-revealed 2 1 "Null Bailiff" played=b3')

    assert table.code("void-bringer-used 2 b3") == code
    assert table.code("void-bringer-used 2 a1") == "nothing-there"
    table.play("void-bringer-declined 2")


TWO = Card(name="Dusk Pilot", colours=("blue", "red"), cost=2, power=3000, icon="none", copies=4)
HEARTH = Card(name="Hearth", colours=("red",), cost=1, power=1000, icon="none", copies=4)


@pytest.mark.parametrize(
    ("multi", "paid_in", "code"),
    [
        ("any", ("Pier Sentry", "Salt Prayer"), ""),
        ("all", ("Pier Sentry", "Salt Prayer"), "cost-colour"),
        ("all", ("Hearth", "Pier Sentry"), ""),
        ("all", ("Dusk Pilot", "Salt Prayer"), ""),
    ],
)
def test_am8_a_card_of_two_colours(multi: str, paid_in: tuple[str, ...], code: str) -> None:
    table = Position(
        decks=(together(TWO, HEARTH), CINDER),
        one={"resources": resources(*paid_in)},
        multi=multi,
    )

    assert table.code('zx-played 1 "Dusk Pilot" a1') == code


@pytest.mark.parametrize(("haste", "code"), [("on", ""), ("off", "just-arrived")])
def test_am9_attacking_in_the_turn_of_arrival(haste: str, code: str) -> None:
    table = Position({"b2": unit("Pier Sentry", 1, since=3)}, haste=haste)

    assert table.code("battle-declared 1 b2 player") == code


@pytest.mark.parametrize(
    ("options", "line", "code", "clause"),
    [
        ({"void": "enemy_only"}, "void-bringer-used 2 b3", "void-own", "ZX-AM7"),
        ({"multi": "all"}, 'zx-played 1 "Dusk Pilot" a1', "cost-colour", "ZX-AM8"),
        ({"multi": "all"}, 'zx-played 1 "Pier Sentry" a1', "cost-colour", "ZX-A1"),
        ({"haste": "off"}, "battle-declared 1 c2 c3", "just-arrived", "ZX-AM9"),
        ({}, "hand-redrawn 2", "first-player-first", "ZX-AM17"),
    ],
)
def test_what_an_option_forbids_is_cited_by_the_question_it_answers(
    options: dict[str, Any], line: str, code: str, clause: str
) -> None:
    if code == "first-player-first":
        verdict = RULESET.judge(log_of("first-decided 1 1").head.state, RULESET.read(line))
    else:
        table = Position(
            {"c2": unit("Pier Sentry", 1, since=3), "c3": unit("Spark Lancer", 2)},
            decks=(together(TWO), CINDER),
            one={"resources": resources("Salt Prayer", "Salt Prayer")},
            **options,
        )
        if code == "void-own":
            table.play("effect-applied 1 player-damage foe=2 amount=1")
            table.play('life-revealed 2 1 "Null Bailiff" played=b3')
        verdict = table.judge(line)

    assert (verdict.code, verdict.clause) == (code, clause)


SIGNAL = Card(name="Flare", type="event", colours=("red",), cost=2, icon="ignition", copies=4)


@pytest.mark.parametrize(("od", "code"), [("any", ""), ("zx_only", "zx-only")])
def test_am10_an_event_with_an_icon(od: str, code: str) -> None:
    table = hit(decks=(TIDE, replace(CINDER, cards=(*CINDER.cards, SIGNAL))), od=od)

    assert table.code("life-revealed 2 1 Flare played=event") == code
    assert table.code("life-revealed 2 1 Flare played=b3") == "not-a-zx"
    assert table.code('life-revealed 2 1 "Ash Nurse" played=event') == "not-an-event"
    if not code:
        assert table.play("life-revealed 2 1 Flare played=event") == ("life-card-played",)
        assert [each.card for each in table.board.events] == ["Flare"]


def test_am10_what_may_not_be_played_free_is_cited_by_its_clause() -> None:
    decks = (TIDE, replace(CINDER, cards=(*CINDER.cards, SIGNAL)))
    life = hit(decks=decks, od="zx_only")
    ignition = Position(
        decks=decks,
        two={"charge": ("Flashover",) * 2},
        board={"current": 2, "phase": "ignition"},
        od="zx_only",
    )
    ignition.play("ignition-started 2 Flashover")

    for table, act, clause in (
        (life, "life-revealed 2 1", "ZX-B9"),
        (ignition, "top-card-revealed 2", "ZX-T5"),
    ):
        assert table.judge(f'{act} "Spark Lancer" played=b3').clause == clause
        assert table.judge(f"{act} Flare played=event").clause == "ZX-AM10"


def test_am10_an_event_that_may_not_be_played_lacks_no_square() -> None:
    table = Position(
        decks=(TIDE, replace(CINDER, cards=(*CINDER.cards, SIGNAL))),
        two={"charge": ("Flashover",) * 2},
        board={"current": 2, "phase": "ignition"},
        od="zx_only",
    )
    table.play("ignition-started 2 Flashover", "top-card-revealed 2 Flare")

    assert table.events[0].why == "declined"


def test_am10_no_square_left_is_not_played() -> None:
    walls = {square: unit("Pier Sentry", 1) for square in ("a1", "c1", "a2", "c2", "a3", "c3")}
    table = Position(
        walls | {"b2": unit("Pier Sentry", 1), "b3": unit("Spark Lancer", 2, asleep=True)},
        two={"charge": ("Flashover", "Flashover")},
        board={"current": 2, "phase": "ignition"},
    )
    table.play("ignition-started 2 Flashover")

    assert table.code('top-card-revealed 2 "Ash Nurse" played=b3') == "square-own-asleep"
    table.play('top-card-revealed 2 "Ash Nurse"')
    assert table.events[0].why == "no-square"


def test_am11_a_free_play_may_replace_an_own_upright_zx() -> None:
    table = hit()
    table.state = replace(table.state, board=table.state.board)
    table.play('effect-applied 2 enter card="Rail Marauder" pile=hand to=b3')

    told = table.play('life-revealed 2 1 "Ash Nurse" played=b3')

    assert "zx-replaced" in told
    assert table.side(2).trash == ("Rail Marauder",)


@pytest.mark.parametrize(
    ("guard", "told"), [("through", "player-damaged"), ("interrupts", "battle-fizzled")]
)
def test_am12_a_zx_that_comes_between(guard: str, told: str) -> None:
    table = Position({"b2": unit("Pier Sentry", 1)}, guard=guard)
    table.play("battle-declared 1 b2 player")
    table.play('effect-applied 2 enter card="Ash Nurse" pile=hand to=b3')

    assert table.play("both-passed") == (told,)


@pytest.mark.parametrize(
    ("track", "told"),
    [("card", ("battle-damaged", "battle-ended")), ("square", ("battle-fizzled",))],
)
def test_am13_a_target_that_moved_within_reach(track: str, told: tuple[str, ...]) -> None:
    table = Position({"b2": unit("Pier Sentry", 1), "b3": unit("Kiln Colossus", 2)}, track=track)
    table.play("battle-declared 1 b2 b3", "effect-applied 2 move square=b3 to=c2")

    assert table.play("both-passed") == told


@pytest.mark.parametrize("end", ["official", "seed"])
def test_am14_what_comes_first_in_the_end_phase(end: str) -> None:
    table = Position({"a1": unit("Pier Sentry", 1, mods=(Mod(500),))}, one={"hand": 7}, end=end)

    told = table.play("turn-ended 1")
    assert ("effects-ended" in told) is (end == "official")
    told = table.play('hand-trimmed 1 ["Undertow"]')
    assert ("effects-ended" in told) is (end == "seed")
    assert table.at("a1").mods == ()


@pytest.mark.parametrize("end", ["official", "seed"])
def test_am14_what_comes_while_the_hand_is_cut_ends_with_that_turn_too(end: str) -> None:
    table = Position({"c3": unit("Spark Lancer", 2)}, one={"hand": 7}, end=end)
    table.play(
        "turn-ended 1",
        "effect-applied 1 damage square=c3 amount=2000",
        "effect-applied 1 power square=c3 amount=500 until=turn",
    )
    assert (table.at("c3").damage, len(table.at("c3").mods)) == (2000, 1)

    told = table.play('hand-trimmed 1 ["Undertow"]')
    assert told[:3] == ("damage-cleared", "effects-ended", "turn-started")
    assert (table.at("c3").damage, table.at("c3").mods) == (0, ())


def test_am15_no_deck_and_no_trash() -> None:
    table = Position(one={"deck": 1})
    assert table.play("effect-applied 1 draw amount=2") == ("cards-drawn", "draws-lapsed")
    assert table.side(1).hand == 5

    table.play("effect-applied 1 discard card=Undertow")
    assert table.events[0] == table.events[0].__class__(seat=1, n=1)
    assert event_type(table.events[0]) == "deck-reloaded"


def test_am15_or_it_loses() -> None:
    table = Position(one={"deck": 1}, empty="loss")

    table.play("effect-applied 1 draw amount=1")

    assert (table.outcome.winners, table.outcome.why) == ((2,), "by-deck")
    assert table.outcome.clause == "ZX-AM15"


def test_am15_who_only_waits_wins_when_the_other_has_no_life_left() -> None:
    last = {"life": (1,), "deck": 1, "trash": ("Undertow",)}
    table = Position(one=last, two={"deck": 0})

    table.play("effect-applied 1 draw amount=1", "reload-paid 1 1 Undertow by=2")

    assert (table.outcome.winners, table.outcome.why) == ((2,), "by-life")


@pytest.mark.parametrize(("rps", "code"), [("starts", "winner-starts"), ("chooses", "")])
def test_am16_who_wins_the_toss(rps: str, code: str) -> None:
    state = RULESET.start(opened(rps=rps))

    assert RULESET.judge(state, RULESET.read("first-decided 1 2")).code == code


@pytest.mark.parametrize(
    ("redraw", "code"), [("in_turn", "first-player-first"), ("simultaneous", "")]
)
def test_am17_who_decides_on_a_redraw_first(redraw: str, code: str) -> None:
    state = log_of("first-decided 1 1", setup=opened(redraw=redraw)).head.state

    assert RULESET.judge(state, RULESET.read("hand-redrawn 2")).code == code


def test_am18_only_the_turn_player_trims() -> None:
    table = Position(two={"hand": 9})

    table.play("turn-ended 1")

    assert table.board.current == 2
    assert table.side(2).hand == 10


@pytest.mark.parametrize(("copies", "found"), [("name", {"deck-copies"}), ("number", set())])
def test_am20_copies_by_name_or_number(copies: str, found: set[str]) -> None:
    first, *rest = (card for card in TIDE.cards if card.name != "Choir Warden")
    reprint = [
        Card(name="Choir Warden", no=no, icon="none", copies=n)
        for no, n in (("D01-008", 4), ("D09-001", 1))
    ]
    without = [c for c in (first, *rest) if c.name != "Bell Archivist"]
    deck = Deck(cards=(*without, *reprint))

    assert {p.code for p in RULESET.check_deck(deck, Options(copies=copies))} == found


@pytest.mark.parametrize(
    ("equal", "life", "why", "winners", "clause"),
    [
        ("lose", (1, 2), "by-nobody", (), "ZX-X8"),
        ("draw", (1, 2), "by-draw", (), "ZX-X8"),
        ("lose", (1,), "by-time", (1,), "ZX-X3"),
    ],
)
def test_am22_time(
    equal: str, life: tuple[int, ...], why: str, winners: tuple[int, ...], clause: str
) -> None:
    table = Position(one={"life": (1, 2)}, two={"life": life}, equal=equal)
    table.play("time-called")
    assert table.code("time-called") == "time-is-called"
    table.play("turn-ended 1", "resource-passed 2")

    told = table.play("turn-ended 2")

    assert told[-2:] == ("life-compared", "game-ended")
    assert (table.outcome.why, table.outcome.winners) == (why, winners)
    assert table.outcome.clause == clause


def test_a_loss_for_both_by_ruling_in_the_last_turn_is_not_cited_as_one_on_time() -> None:
    table = Position(extra_turns=0)
    table.play("time-called", "ruled all-lost")

    assert (table.outcome.why, table.outcome.clause) == ("by-nobody", "ZX-X5")


@pytest.mark.parametrize(
    ("extra", "told"),
    [
        (0, "this turn is the last."),
        (1, "one more turn after this one."),
        (3, "3 more turns after this one."),
    ],
)
def test_how_many_turns_are_left_is_told_with_the_time(extra: int, told: str) -> None:
    table = Position(extra_turns=extra)
    said = RULESET.tell(RULESET.read("time-called"), table.state)

    assert said == f"Time is up: {told}"


def test_time_without_an_extra_turn() -> None:
    table = Position(one={"life": (1, 2)}, extra_turns=0)
    table.play("time-called")

    table.play("turn-ended 1")

    assert table.outcome.winners == (2,)
