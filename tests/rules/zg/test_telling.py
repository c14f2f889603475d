"""Sentences and the headline say what happened, to whom, and why."""

import msgspec
import pytest

from rules import texts
from rules.ruleset import event_type
from rules.zg.acts import Arena, Options, TerrainPiece, ZgOpened
from rules.zg.cards import Card, CharacterCard, Deck
from tests.rules.tables import judged
from tests.rules.zg.full import NUMBERED, full
from tests.rules.zg.table import (
    CARDS,
    DECK,
    MISS,
    MODES,
    RULESET,
    SAVER,
    attacks,
    opened,
    played,
    stand,
)

THREE = opened(DECK, DECK, DECK)
SAVERS = opened(DECK, SAVER)
SCORE = opened(options={"depth": "score"})


def story(*lines: str, setup: ZgOpened | None = None) -> list[str]:
    """Return the last line's entry told: the act, then what follows."""
    timeline = played(*lines[:-1], setup=setup)
    state = timeline.head.state
    stand(timeline, lines[-1])
    told = []
    for event in (timeline.entries[-1].act, *timeline.entries[-1].consequences):
        told.append(RULESET.tell(event, state))
        state = RULESET.evolve(state, event)
    return told


def test_an_attack_is_told_with_its_result_and_its_reasons() -> None:
    assert story("attacked 1 Three a 2 Frail b bolsters=[2]") == [
        "Side 1’s Three (end A) against Side 2’s Frail (end B): 3 matches, 0 strikes, blocked. "
        "Bolstered at 2.",
        "3 matches, 0 strikes, blocked. "
        "1: Same colour, but the armour blocks the strike. (ZG 6.3.2) "
        "2: Same colour, but the armour blocks the strike. (ZG 6.3.2) "
        "3: Same colour, but the armour blocks the strike. (ZG 6.3.2)",
    ]


FULL = opened(options={"depth": "full"})

ARENA = Options(
    depth="full",
    edges="fall",
    terrain=(TerrainPiece(name="Crate", length=1, height=1, width=1),),
    arenas=(Arena(name="Crane", ways=("swing",)),),
)
WILD = Deck(
    cards=(
        Card(name="Ram", slot="Claw", move=4, range=0, powerups=("Knockback",), a="R G B", b=MISS),
        Card(name="Wings", slot="Backgear", move=4, range=1, powerups=("Z-G", "Zone"), a="R G R"),
        *CARDS[:6],
    ),
    character=CharacterCard(name="Ada"),
)
TABLE = msgspec.structs.replace(opened(WILD, WILD), options=ARENA)
PANEL = msgspec.structs.replace(opened(MODES, MODES), options=ARENA)
KREWE = msgspec.structs.replace(
    TABLE,
    seats=(
        *(msgspec.structs.replace(seat, krewe="Komets") for seat in TABLE.seats),
        msgspec.structs.replace(TABLE.seats[0], label="Side 3"),
    ),
)

TOLD = [
    (["placed 1 gap=3"], TABLE, ["Side 1 places the figure, 3 cards from the nearest foe."]),
    (["placed 1"], TABLE, ["Side 1 places the figure."]),
    (
        ["fell 1 edge=true"],
        TABLE,
        ["Side 1 goes over the edge of the table.", "Side 1 is out: off the table.", None],
    ),
    (["fell 1 height=3 zg=true"], TABLE, ["Side 1 falls 3 cards; Z-G breaks the fall."]),
    (["fell 1 height=3"], TABLE, ["Side 1 falls 3 cards.", "Side 1’s figure lies on its back."]),
    (
        ["travelled 1 Ram cards=1", "landed 1 2 3 Ram a Shield a"],
        TABLE,
        [
            "Side 1 falls 3 cards onto Side 2: Ram (end A) against Shield (end A).",
            "The landing: 3 matches, 3 strikes.",
            "Side 2 is knocked back 3 cards.",
            "Side 1’s figure lies on its back.",
        ],
    ),
    (
        ["travelled 1 Ram cards=1", "landed 1 2 3 Ram a Shield a zg=true"],
        TABLE,
        ["Side 1 comes down softly on Side 2: Ram (end A) against Shield (end A).", None],
    ),
    (
        [
            "impulse-won 2",
            "travelled 2 Ram stance=kneel",
            "turn-passed 2",
            "attacked 1 Ram a 2 One a",
        ],
        TABLE,
        [
            None,
            None,
            "Side 1 may attack Side 2’s One again this turn.",
            "Side 2 kneels and is not knocked back.",
        ],
    ),
    (
        ["attacked 1 Ram a 2 Shield a", "knockdown-called 2 barrier 3"],
        TABLE,
        ["Side 2 is knocked into a barrier 3 cards away.", "Side 2’s figure lies on its back."],
    ),
    (
        ["attacked 1 Ram a 2 Shield a", "knockdown-called 2 ledge 1", "retested 2 attack b"],
        TABLE,
        [
            None,
            "Side 2 has Shield back.",
            "Side 2’s figure stands after all.",
            "Side 2 is not knocked back after all.",
            None,
        ],
    ),
    (
        ["attacked 1 Wings a 2 Shield a augments=[1] high-ground=true"],
        TABLE,
        [
            "Side 1’s Wings (end A) against Side 2’s Shield (end A): 2 matches, 2 strikes, "
            "slagged. Augmented at 1, from high ground.",
            "Side 1 attacks from high ground: augmented.",
            *(None, None, None),
        ],
    ),
    (
        ["fell 2 height=2", "attacked 1 Wings a 2 Shield a distance=1"],
        TABLE,
        [
            "Side 1’s Wings (end A) against Side 2’s Shield (end A): 2 matches, 2 strikes, "
            "slagged. At 1 card.",
            "Side 1 may test a figure on its back once more.",
            None,
            None,
            "Side 1 may still move 4 cards on Wings before the next pulse.",
        ],
    ),
    (
        ["terrain-attacked 1 Ram a Crate Shield a"],
        TABLE,
        [
            "Side 1’s Ram (end A) against Crate, drawing Shield (end A): 3 matches, 3 strikes.",
            "Crate: 3 strikes, 0 left.",
            "Crate is gone.",
        ],
    ),
    (["mode-drawn 1 Wits start"], PANEL, ["Side 1 begins with the Mode card Wits."]),
    (["mode-drawn 1 Wits start", "mode-used 1 Wits"], PANEL, ["Side 1 uses Wits."]),
    (
        ["arena-used 1 Crane swing"],
        PANEL,
        [
            "Side 1 interacts with Crane: swing.",
            "Side 1 earns a Mode card: a new way with the arena.",
        ],
    ),
    (
        ["arena-used 1 Crane swing", "mode-drawn 1 Wits earned"],
        PANEL,
        ["Side 1 draws the Mode card Wits."],
    ),
    (
        ["impulse-won 1", "powerup-used 1 Wings Zone"],
        TABLE,
        ["Side 1 uses Zone of Wings."],
    ),
    (
        ["powerup-used 1 Wings Zone instead=true"],
        TABLE,
        [
            "Side 1 uses Zone of Wings in place of an attack.",
            "Side 1 may still move 4 cards on Wings before the next pulse.",
        ],
    ),
    (
        ["attacked 1 One a 2 Shield a"],
        FULL,
        [
            None,
            None,
            None,
            "Side 1 may still move on One before the next pulse, as far as any Z-G on it allows.",
        ],
    ),
    (["character-used 1"], TABLE, ["Side 1 uses the character card."]),
    (
        ["won-called 1"],
        msgspec.structs.replace(KREWE, options=Options(depth="score")),
        ["Side 1 has won.", "Side 1 and Side 2 have won the match."],
    ),
    (
        ["flameout-called 1"],
        FULL,
        ["Side 1 calls a flameout: every card twice, and a foe has to fall this turn."],
    ),
    (['hand-taken 1 ["Miss","One","Two"]'], FULL, ["Side 1 takes a hand."]),
    (['impulse-called 1 "9-7-4"'], FULL, ["Side 1 calls 9-7-4."]),
    (
        ['impulse-called 1 "5-5-5"', 'impulse-called 2 "5-5-5"', "tie-drawn 1 Miss impulse=8"],
        FULL,
        ["Side 1 draws Miss for the tie.", "Side 1’s tie card has impulse 8."],
    ),
    (
        ["flameout-called 1", "turn-passed 1", "turn-passed 2"],
        FULL,
        [None, None, "Side 1 is out: no foe fell in the flameout.", None],
    ),
    (
        ["flameout-called 1", "flameout-called 2", "turn-passed 1", "turn-passed 2"],
        FULL,
        [None, None, None, None, "Nobody is left: everybody has lost."],
    ),
    (["impulse-won 1"], None, ["Side 1 plays next."]),
    (
        ["test-called 1 One 2 Shield 0"],
        None,
        ["Side 1’s One against Side 2’s Shield, as called: no strike.", "No strike (ZG 6.1)."],
    ),
    (
        ["attacked 1 Four a 2 Frail a", "ruled unstun foe=2"],
        None,
        [
            "The zMarshal rules: Side 2’s stun is over.",
            "Side 2’s figure is no longer stunned.",
        ],
    ),
    (
        ["attacked 1 One a 2 Shield a half-turn=true augments=[1,3] sneak=true high-ground=true"],
        None,
        [
            "Side 1’s One (end A) against Side 2’s Shield (end A): 1 match, 1 strike, targetlock. "
            "Half turn, augmented at 1 and 3, sneak attack, from high ground.",
            None,
            "Side 1 may attack Side 2’s Shield again this turn.",
        ],
    ),
    (
        [*attacks(1, 2, ("Miss", "Boots")), "attacked 1 One a 2 Shield a"],
        None,
        [
            None,
            None,
            None,
            "Side 1’s lock on Side 2’s Shield is over.",
            "Side 1 has played this turn.",
        ],
    ),
    (
        ["attacked 1 Four a 2 Frail a"],
        None,
        [
            None,
            None,
            "Side 2 takes Frail off the figure: slagged.",
            "Side 2’s figure is stunned.",
            "Side 1 attacks another card of Side 2 with Four.",
        ],
    ),
    (
        ["attacked 1 Four a 2 Frail a", "retested 2 target b"],
        None,
        [
            "Side 2 has the target spun again, end B: 3 matches, 0 strikes, blocked.",
            "Side 2 has Frail back.",
            "Side 2’s figure is no longer stunned.",
            None,
        ],
    ),
    (
        ["attacked 1 Two a 2 Shield a", "retested 1 attack b"],
        None,
        [
            "Side 1 has the attack card spun again, end B: 0 matches, 0 strikes, missed.",
            "Side 2 has Shield back.",
            None,
        ],
    ),
    (
        ["attacked 1 Two a 2 Shield a", "retested 1 both a target-end=b"],
        opened(options={"retest_full": True}),
        [
            "Side 1 has the test made again, end A against end B: 1 match, 1 strike, targetlock.",
            None,
            None,
            None,
        ],
    ),
    (
        ["test-called 1 Two 2 Shield 1"],
        None,
        [
            "Side 1’s Two against Side 2’s Shield, as called: 1 strike, targetlock.",
            "1 strike, targetlock (ZG DMG-3).",
            None,
        ],
    ),
    (["target-drawn 1 2 Boots"], None, ["Side 2 draws Boots against Side 1’s attack."]),
    (
        ["cover-called 1 Two b 2 Boots"],
        None,
        [
            "Side 1’s Two (end B) finds Side 2’s Boots behind cover.",
            "Side 2’s Boots cannot be seen: the attack fails.",
        ],
    ),
    (["moved 1 card=Boots"], None, ["Side 1 moves on Boots and attacks nobody."]),
    (["moved 1"], None, ["Side 1 moves and attacks nobody."]),
    (
        ['end-shown 1 Helmet b "R G# B"'],
        opened(None, None),
        ["Side 1’s Helmet, end B: R G# B."],
    ),
    (
        ["attacked 1 Two a 2 Shield a", "character-spent 2"],
        SAVERS,
        ["Side 2 gives up the character card.", "Side 2 has Shield back."],
    ),
    (
        ["attacked 1 Two a 2 Ulster a", "slag-accepted 2"],
        SAVERS,
        [
            "Side 2 keeps the character card and lets the card go.",
            "Side 2 is out: the Ulster is slagged.",
            "Side 1 has won the match.",
        ],
    ),
    (
        ["turn-passed 1", "turn-passed 2"],
        None,
        ["Side 2 gives up the pulses left this turn.", None, "Turn 2 begins."],
    ),
    (["countdown-started 2"], None, ["Side 2 has one minute."]),
    (
        ["moved 1", "moved 1", "countdown-started 1", "countdown-expired 1"],
        None,
        ["Side 1’s minute is over.", "Side 1 loses 1 pulse.", None],
    ),
    (["slag-called 1 2 Boots"], SCORE, ["Side 1 slags Side 2’s Boots.", None]),
    (["won-called 2"], SCORE, ["Side 2 has won.", "Side 2 has won the match."]),
    (
        ["prime-called 1 Two a 2 Shield a"],
        None,
        [
            "Rule of Prime: Side 1’s Two (end A) against Side 2’s Shield (end A).",
            "2 matches: Side 1 decides.",
        ],
    ),
    (["conceded 1"], THREE, ["Side 1 concedes.", "Side 1 is out."]),
    (
        ["ruled slag foe=2 target=Boots"],
        None,
        ["The zMarshal rules: Side 2’s Boots is slagged.", None],
    ),
    (
        ["attacked 1 Two a 2 Ulster a", "ruled restore foe=2 target=Ulster"],
        THREE,
        ["The zMarshal rules: Side 2 gets Ulster back.", None, "Side 2 is back in the match."],
    ),
    (
        ["attacked 1 Miss a 2 Boots a", "ruled strikes strikes=0"],
        None,
        ["The zMarshal rules: the last test counts 0 strikes.", None],
    ),
    (["ruled end-turn"], None, ["The zMarshal ends the turn.", None, None, None]),
    (
        ["ruled defeat foe=1"],
        THREE,
        ["The zMarshal rules: Side 1 is out.", "Side 1 is out, by ruling."],
    ),
    (["ruled award foe=1"], None, ["The zMarshal awards the match to Side 1.", None]),
    (
        ["options-changed score"],
        None,
        ["From here on is recorded: “What is slagged, and who won”."],
    ),
]


@pytest.mark.parametrize(
    ("lines", "setup", "expected"), TOLD, ids=[row[0][-1].split()[0] for row in TOLD]
)
def test_an_event_is_told(
    lines: list[str], setup: ZgOpened | None, expected: list[str | None]
) -> None:
    told = story(*lines, setup=setup)

    assert len(told) == len(expected)
    assert [here if want else None for here, want in zip(told, expected, strict=True)] == expected


def test_every_event_is_told_by_some_test() -> None:
    kinds = set()
    for lines, setup, _ in TOLD:
        entries = stand(played(*lines[:-1], setup=setup), lines[-1]).entries
        for entry in entries[1:]:
            kinds.update(event_type(event) for event in (entry.act, *entry.consequences))

    assert kinds == {event_type(kind) for kind in (*RULESET.acts, *RULESET.consequences)}


def test_too_little_gear_is_told_as_such() -> None:
    lost = [f"ruled slag foe=2 target={card}" for card in ("Miss", "One", "Two", "Three", "Four")]

    told = story(*lost, "ruled slag foe=2 target=Frail", "ruled slag foe=2 target=Boots")

    assert told[2] == "Side 2 is out: fewer than 3 cards are left."


def test_names_replace_labels() -> None:
    timeline = played()
    act = RULESET.read("impulse-won 1")

    assert RULESET.tell(act, timeline.head.state, {1: "Vega"}) == "Vega plays next."


# -- the headline ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "setup", "expected"),
    [
        (["attacked 1 Two a 2 Shield a"], None, "Side 1 9 – 8 Side 2 · turn 1"),
        (["attacked 1 Two a 2 Ulster a"], None, "Side 1 9 – 8 Side 2 · Side 1 won"),
        (["turn-passed 1"], THREE, "Side 1 9, Side 2 9, Side 3 9 · turn 1"),
        (["slag-called 1 2 Boots"], SCORE, "Side 1 9 – 8 Side 2"),
        (
            ["flameout-called 1", "flameout-called 2", "turn-passed 1", "turn-passed 2"],
            FULL,
            "Side 1 9 – 9 Side 2 · nobody won",
        ),
    ],
    ids=["two", "won", "three", "score", "lost"],
)
def test_the_headline_tells_the_score(
    lines: list[str], setup: ZgOpened | None, expected: str
) -> None:
    assert RULESET.headline(played(*lines, setup=setup).head.state) == expected


def test_the_headline_takes_names() -> None:
    assert RULESET.headline(played().head.state, {1: "Vega"}) == "Vega 9 – 9 Side 2 · turn 1"


# -- texts ----------------------------------------------------------------------------


def test_every_act_has_a_title_and_every_option_a_label() -> None:
    asked = [f"{event_type(act)}.title" for act in RULESET.acts]
    asked += [f"option-{name}" for name in RULESET.options_type.__struct_fields__]

    assert [code for code in asked if code not in RULESET.texts] == []


def test_no_title_and_no_label_is_left_over() -> None:
    tables = texts.tables("rules.zg")
    titles = {f"{event_type(act)}.title" for act in RULESET.acts}

    assert set(tables["titles"]) == titles


def test_a_seat_without_pulses_left_gives_none_up() -> None:
    lines = [*(f"moved 1 card={card}" for card in ("Left", "Odd")), "travelled 1 Suit cards=1"]

    assert story("turn-passed 1", setup=full())[0] == "Side 1 gives up the pulses left this turn."
    assert story(*lines, "turn-passed 1", setup=full())[0] == "Side 1 is done for this turn."


CRATE = (TerrainPiece(name="Crate", length=2, height=1, width=1),)
KNEELS = "travelled 1 Left stance=kneel"
CREEPS = (
    "travelled 1 Left stance=attack",
    "travelled 1 Split cards=1",
    "cover-called 1 Split a 2 Odd",
)
SAME = tuple(f'impulse-called {seat} "9-7-4"' for seat in (1, 2, 3))
LIMIT = "In {} stance Side 1 travels at most {} in cards a pulse, and nothing free upward. (ZG 10)"
REASONS: list[tuple[list[str], ZgOpened, str, str]] = [
    ([], full(), "prime-called 1 Ram a 1 Left a", "Side 1 cannot be its own foe. (ZG ATK-1)"),
    (
        [*SAME, "tie-drawn 1 Boots", "tie-drawn 2 Boots", "tie-drawn 3 Two"],
        full(NUMBERED, NUMBERED, NUMBERED),
        "moved 3",
        "Side 1 is ahead of Side 3 in impulse and plays first. (ZG IMP-1)",
    ),
    (
        ['hand-taken 1 ["Wings","Left","Odd"]'],
        full(terrain=CRATE),
        "terrain-attacked 1 Left a Crate Odd a",
        "Side 1’s Odd is in hand: draw from the deck. (ZG TER-3)",
    ),
    (
        [KNEELS],
        full(),
        "travelled 1 Wings jump=true",
        LIMIT.format("kneel", 0),
    ),
    (
        [*CREEPS],
        full(),
        "travelled 1 Split cards=1",
        LIMIT.format("attack", 1),
    ),
    (
        ["travelled 1 Odd cards=1", "travelled 1 Left cards=1"],
        full(),
        "landed 1 2 3 Odd a Left a",
        "Odd is not what Side 1 moved with last. (ZG CON-7)",
    ),
    (
        ["attacked 1 Ram a 2 Left a"],
        full(),
        "knockdown-called 2 ledge 0",
        "Not enough: 0 in cards, at least 1. (ZG TAC-5)",
    ),
    (
        [],
        opened(options={"strict_time_order": True}),
        "test-called 1 One 2 Shield 1 dot-matches=0",
        "More strikes than such a test can give: 1, at most 0. (ZG 6.5)",
    ),
    (
        ["fell 1 height=2"],
        full(),
        "travelled 1 Left cards=1",
        "Side 1’s figure lies on its back; to move it first gets up, for 3 Move. (ZG TAC-5)",
    ),
    (
        ["travelled 1 Left cards=1"],
        full(),
        "travelled 1 Left cards=1",
        "Side 1 has already moved with Left this pulse: it attacks now, or another card is played. "
        "(ZG MOV-2)",
    ),
    (
        ["moved 1"],
        None,
        "moved 2",
        "Side 1 is playing its pulses, not Side 2: they are played or given up first. (ZG IMP-1)",
    ),
    (
        ["attacked 1 One a 2 Frail b"],
        None,
        "retested 1 both a target-end=a",
        "In this match a retest is not of “both”: it spins one card again, or makes the whole test "
        "anew where that was agreed. (ZG CON-6)",
    ),
    (
        [],
        None,
        "travelled 1 Boots",
        "This match is recorded at depth “the tests”, where that is not recorded: first change "
        "what is.",
    ),
]


@pytest.mark.parametrize(
    ("lines", "setup", "line", "reason"), REASONS, ids=[row[2].split()[0] for row in REASONS]
)
def test_a_reason_is_true_where_it_is_given(
    lines: list[str], setup: ZgOpened | None, line: str, reason: str
) -> None:
    timeline = played(*lines, setup=setup)
    found = judged(RULESET, timeline.head.state, RULESET.read(line))

    assert texts.of_finding(RULESET.texts, found, texts.names_of(timeline.setup)) == reason
