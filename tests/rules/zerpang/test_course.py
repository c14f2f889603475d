"""Each kind of act with its consequences, in order."""

import pytest

from rules import texts
from rules.fields import Choice
from rules.ruleset import Offer, event_type
from rules.zerpang.consequences import PhaseBegan
from rules.zerpang.state import State
from tests.rules.zerpang.invariants import broken
from tests.rules.zerpang.table import RULESET, after, at, call, events, followed, outcome, start

SET_UP = (
    "class-taken 1 ninja",
    "class-taken 2 pirate",
    "base-taken 1 B1 red",
    "base-taken 2 B2 blue",
)
DUEL = {"1-1": "X1", "2-1": "Z1.0", "3-1": "Z5.0"}


def duel() -> State:
    return after(at("ninja pirate robot", DUEL, turn=2), "piece-moved 2 2-1 [Z1.1]")


def kinds(state: State, *lines: str) -> list[str]:
    return followed(state, *lines)


def test_a_match_is_set_up_and_begins() -> None:
    begun, _ = events(after(start(2), *SET_UP), "first-seat-picked 1")
    assert [event_type(event) for event in begun] == [
        "first-seat-picked",
        "cards-dealt",
        "cards-dealt",
        "turn-started",
    ]
    assert call(start(2), "first-seat-picked 1") == "impossible not-set-up"
    assert call(start(2), "cards-drawn 1 1") == "impossible not-begun"
    taken = after(start(2), *SET_UP)
    assert event_type(events(start(2), SET_UP[0])[0][0]) == "class-taken"
    assert call(taken, "class-taken 1 pirate") == "irregular class-chosen"
    assert call(taken, "base-taken 1 B3 red") == "irregular base-chosen"
    assert call(start(2), "base-taken 1 B9 red") == "impossible no-such-base"
    assert outcome(after(start(2), "conceded 1")).why == "by-concession"


def test_a_turn_ends_with_its_draw() -> None:
    state = at("ninja pirate")

    assert kinds(state, "cards-drawn 1 1") == [
        "cards-added",
        "draw-ended",
        "turn-ended",
        "turn-started",
    ]


def test_points_are_laid_down_and_spent() -> None:
    state = at("ninja pirate", {"1-1": "Z1.0"})

    assert kinds(state, "points-paid 1 PT1") == ["card-spent"]
    assert kinds(state, "points-paid 1 PT1", "piece-moved 1 1-1 [Z1.1,X1]") == ["points-spent"]
    robot = after(at("ninja robot pirate", {"2-1": "*"}), "cards-drawn 1 1")
    assert kinds(robot, "points-paid 2 cloud") == ["upload-point-spent"]
    [offer] = [
        each for each in RULESET.options(robot, 2) if "cloud" in str(each.fields.get("card"))
    ]
    assert RULESET.called(robot, offer, "card", "cloud") == "1 point of an uploaded piece"
    later = at("ninja robot pirate", {"2-1": "*"})
    assert kinds(later, "cards-drawn 1 1")[-1] == "upload-points-gained"


@pytest.mark.parametrize(("cards", "told"), [(("SP01",), ""), (("SP01", "SP02"), None)])
def test_which_side_cards_are_laid_down_with_is_left_to_the_title_of_one(
    cards: tuple[str, ...], told: str | None
) -> None:
    """Who may use both sides has an offer for each, of the same cards: they looked the same."""
    offer = Offer("points-paid", 1, {"card": Choice(cards), "side": Choice(("N",))})
    assert RULESET.called(at("ninja pirate", {}), offer, "side", "N") == told


@pytest.mark.parametrize(
    ("cls", "line", "effect"),
    [
        ("ninja", "special-played 1 SP04 N", "entrance-gained"),
        ("ninja", "special-played 1 SP05 N", "steps-gained"),
        ("pirate", "special-played 1 SP08 P", "second-step-gained"),
        ("pirate", "special-played 1 SP11 P", "zones-doubled"),
        ("ninja", "special-played 1 SP03 N", "cards-added"),
        ("ninja", "special-played 1 SP08 N piece=1-2 to=Z1.1", "piece-put"),
    ],
)
def test_a_specialty_is_paid_opened_and_does_something(cls: str, line: str, effect: str) -> None:
    state = at(f"{cls} ninja", {"1-1": "Z1.0", "1-2": "Z4.0"})

    assert kinds(state, line) == ["card-spent", "special-opened", effect]


def test_a_free_entrance_is_used() -> None:
    state = at("ninja pirate", {"1-1": "Z1.0"})

    lines = ("special-played 1 SP04 N", "piece-entered 1 1-2 G1a")
    assert kinds(state, *lines) == ["free-entrance-used"]


def test_a_combat_from_blow_to_blow() -> None:
    state = duel()

    assert kinds(state, "combat-played 2 card=PT2") == ["card-spent", "rating-raised"]
    assert kinds(state, "combat-passed 2", "special-played 1 SP11 N")[-1] == "values-doubled"
    assert "piece-stepped-out" in kinds(state, "special-played 2 SP07 P to=Z1.0")
    assert kinds(state, "combat-conceded 1") == [
        "combat-ended",
        "piece-defeated",
        "piece-sent-home",
    ]
    saved = ("combat-conceded 1", "special-played 1 SP01 N piece=1-1 to=G1a")
    assert kinds(state, *saved)[-1] == "piece-to-gate"
    assert kinds(state, "assist-played 3 agg card=PT1")[-1] == "rating-raised"


def test_a_negation_is_opened_and_closed() -> None:
    state = after(duel(), "special-played 2 SP06 P")

    assert kinds(state, "special-negated 1 SP09 N") == [
        "card-spent",
        "special-undone",
        "negation-opened",
    ]
    paid = after(duel(), "points-paid 3 PT1")
    refused = ("assist-played 3 def card=SP06 side=N special=true", "assist-refused 1")
    assert kinds(paid, *refused) == ["special-undone"]


def test_a_defender_is_asked() -> None:
    state = at("ninja pirate", {"1-1": "X1", "2-1": "X4", "2-2": "X6"})

    assert kinds(state, "piece-moved 1 1-1 [T]") == ["combat-order-asked"]
    asked = ("piece-moved 1 1-1 [T]", "combat-order-chosen 2 [2-1,2-2]")
    assert kinds(state, *asked) == ["combat-started"]


def test_turns_are_skipped() -> None:
    state = after(at("pirate ninja robot"), "cards-drawn 1 1")

    assert kinds(state, "special-played 1 SP10 P foe=2") == [
        "card-spent",
        "special-opened",
        "turn-to-skip",
        "turn-skipped",
        "turn-started",
    ]


def test_drawn_cards_are_taken() -> None:
    state = after(at("ninja pirate"), "cards-drawn 1 1")

    assert kinds(state, "special-played 2 SP09 P foe=1")[-1] == "cards-taken"


def test_a_gunslinger_owes_discards() -> None:
    state = at("gunslinger ninja pirate")

    found = kinds(state, "cards-drawn 1 1")
    assert found == ["cards-added", "discard-owed", "draw-ended"]
    assert kinds(state, "cards-drawn 1 1", "card-discarded 1 PT1") == ["card-spent"]


def test_the_discards_become_the_deck() -> None:
    state = at("ninja pirate", hands={1: 49, 2: 50})
    spent = after(state, "points-paid 1 PT1", "points-paid 1 PT1")

    assert kinds(spent, "cards-drawn 1 1")[0] == "deck-reshuffled"


@pytest.mark.parametrize(
    ("classes", "places", "turn", "line", "why"),
    [
        (
            "ninja robot pirate",
            {"2-1": "T", **{f"2-{n}": "*" for n in range(2, 7)}},
            2,
            "piece-uploaded 2 2-1",
            "artificial-intelligence",
        ),
        (
            "ninja gunslinger pirate",
            {"2-1": "H1", "2-2": "X1", "2-3": "X4", "2-4": "Z4.4"},
            2,
            "piece-moved 2 2-4 [H4]",
            "into-the-sunset",
        ),
        (
            "ninja pirate robot",
            {"2-1": "X1", "2-2": "X3", "2-3": "Z5.1"},
            2,
            "piece-moved 2 2-3 [X5]",
            "x-marks-the-spot",
        ),
    ],
)
def test_a_goal_ends_the_game(
    classes: str, places: dict[str, str], turn: int, line: str, why: str
) -> None:
    state = at(classes, places, turn=turn)

    assert kinds(state, line)[-1] == "game-ended"
    assert outcome(after(state, line)).why == why


def test_a_seat_that_left_is_out() -> None:
    state = at("ninja pirate robot", DUEL)

    assert kinds(state, "conceded 1") == ["seat-left", "turn-started"]
    left = after(state, "conceded 1")
    assert call(left, "piece-entered 1 1-2 G1a") == "impossible seat-out"
    assert call(left, "ruled home piece=6-1") == "impossible no-such-piece"
    fighting = after(at("pirate ninja", {"1-1": "Z1.0", "2-1": "X1"}), *FIGHT)
    assert kinds(fighting, "conceded 2") == ["seat-left", "combat-ended", "game-ended"]


def test_a_hand_may_be_empty() -> None:
    state = at("ninja pirate", hands={1: 0})

    assert call(state, "points-paid 1 PT1") == "impossible hand-empty"


FIGHT = ("piece-moved 1 1-1 [Z1.1]",)
MEET = {"1-1": "Z1.0", "2-1": "X1", "3-1": "Z5.0"}
FIGHTERS = "pirate ninja robot"
HELP = (*FIGHT, "points-paid 3 PT1", "assist-played 3 def card=SP06 side=N special=true")
ACTS = {
    "piece-entered": ("ninja pirate", {}, ("piece-entered 1 1-1 G1a",)),
    "piece-moved": (FIGHTERS, MEET, FIGHT),
    "points-paid": ("ninja pirate", {}, ("points-paid 1 SP01 side=N",)),
    "special-played": (FIGHTERS, MEET, (*FIGHT, "special-played 1 SP06 P")),
    "special-negated": (
        FIGHTERS,
        MEET,
        (*FIGHT, "special-played 1 SP06 P", "special-negated 2 SP09 N"),
    ),
    "combat-played": (FIGHTERS, MEET, (*FIGHT, "combat-played 1 card=PT1")),
    "combat-passed": (FIGHTERS, MEET, (*FIGHT, "combat-passed 1")),
    "combat-conceded": (FIGHTERS, MEET, (*FIGHT, "combat-conceded 2")),
    "assist-played": (FIGHTERS, MEET, HELP),
    "assist-refused": (FIGHTERS, MEET, (*HELP, "assist-refused 2")),
    "combat-order-chosen": (
        "ninja pirate",
        {"1-1": "X1", "2-1": "X4", "2-2": "X6"},
        ("piece-moved 1 1-1 [T]", "combat-order-chosen 2 [2-1,2-2]"),
    ),
    "cards-drawn": ("ninja pirate", {}, ("cards-drawn 1 1",)),
    "card-discarded": (
        "gunslinger ninja pirate",
        {},
        ("cards-drawn 1 1", "card-discarded 1 PT1"),
    ),
    "conceded": ("ninja pirate robot", {}, ("conceded 1",)),
    "card-seen": ("ninja pirate", {}, ("card-seen 1 PT1",)),
    "phase-entered": ("ninja pirate", {}, ("phase-entered 1 combat",)),
    "piece-leapt": ("ninja pirate", {"1-1": "G1a"}, ("points-paid 1 PT2", "piece-leapt 1 1-1 K4")),
    "foreign-piece-moved": (
        "pirate ninja",
        {"2-1": "Z3.0"},
        ("points-paid 1 PT2", "foreign-piece-moved 1 2-1 [Z3.1]"),
    ),
    "linked-moved": (
        "robot ninja pirate",
        {"1-1": "Z1.0", "1-2": "Z4.0"},
        ("linked-moved 1 [1-1,1-2] [2]",),
    ),
    "piece-ballooned": (
        "alien ninja pirate",
        {"1-1": "Z1.0", "2-1": "Z4.0"},
        ("points-paid 1 PT2", "piece-ballooned 1 1-1 Z4.1"),
    ),
    "piece-uploaded": ("robot ninja pirate", {"1-1": "T"}, ("piece-uploaded 1 1-1",)),
    "piece-released": ("alien ninja pirate", {"2-1": "@1"}, ("piece-released 1 2-1",)),
    "clock-read": ("ninja elf pirate", {}, ("clock-read 60",)),
    "ruled": ("ninja pirate", {"1-1": "Z1.0"}, ("ruled place piece=1-1 to=T",)),
    "options-changed": ("ninja pirate", {}, ("options-changed score",)),
    "won-called": ("ninja pirate", {}, ("options-changed score", "won-called 1 by-call")),
}


@pytest.mark.parametrize("kind", ACTS)
def test_an_act_reads_back_and_is_told(kind: str) -> None:
    classes, places, lines = ACTS[kind]
    *before, last = lines
    state = after(at(classes, places), *before)
    (act, *_), now = events(state, last)

    assert event_type(act) == kind
    assert RULESET.read(RULESET.write(act)) == act
    assert RULESET.tell(act, state).endswith((".", "!"))
    assert now.table != state.table


def test_colours_and_phases_are_told_in_german(monkeypatch: pytest.MonkeyPatch) -> None:
    state = after(at("ninja pirate", {"1-1": "Z1.0"}))
    monkeypatch.setattr(texts, "_language", lambda: "de")

    taken = RULESET.tell(RULESET.read("base-taken 1 B1 red"), state)
    assert taken == "Side 1 nimmt Basis B1 und die Figuren der Farbe rot."
    assert RULESET.tell(PhaseBegan(seat=1, phase="combat"), state) == "Side 1 macht weiter: Kampf."


@pytest.mark.parametrize(
    ("line", "why", "winners"),
    [
        ("ruled award foe=2", "by-award", (2,)),
        ("ruled draw", "by-ruled-draw", ()),
    ],
)
def test_an_official_ends_the_match(line: str, why: str, winners: tuple[int, ...]) -> None:
    found = outcome(after(duel(), line))

    assert found is not None
    assert (found.why, found.winners) == (why, winners)


def test_linked_pieces_in_a_row_are_put_the_foremost_first() -> None:
    state = at("pirate robot alien", {"2-1": "G2a", "2-4": "G2b", "2-6": "Z2.5"}, turn=2)

    found, _ = events(state, "linked-moved 2 [2-1,2-4,2-6] [6]")

    for event in found:
        state = RULESET.evolve(state, event)
        assert broken(state) == []
