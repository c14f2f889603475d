"""Whole games played by bots: what has to hold after each event, and what has to come up."""

from collections import Counter
from functools import cache
from typing import Any

from rules import bots, replay
from rules.replay import Timeline
from rules.ruleset import TakenBack, event_type
from rules.zx.cards import BLANK_DECK, size_of
from rules.zx.field import HOMES
from rules.zx.state import SEATS, State
from tests.rules.zx.table import RULESET

GAMES = 32
LIMIT = 60  # turns
FEW = 10


@cache
def games() -> list[Timeline]:
    return [bots.playout(RULESET, bots.sample_setup(RULESET, seed), seed) for seed in range(GAMES)]


def cards_of(state: State, seat: int) -> int:
    """Count a side's cards over all zones."""
    board, side = state.board, state.board.sides[seat - 1]
    on_field = sum(1 + len(u.under) for u in board.squares if u and u.seat == seat)
    piles = (side.life, side.resources, side.charge, side.trash, side.removed)
    shown = board.shown is not None and board.shown.seat == seat
    return side.deck + side.hand + sum(map(len, piles)) + on_field + shown


def seen_cards(state: State, seat: int) -> Counter[str]:
    board, side = state.board, state.board.sides[seat - 1]
    seen = Counter(each.card for each in side.resources)
    seen.update((*side.charge, *side.trash, *side.removed))
    for unit in board.squares:
        if unit and unit.seat == seat:
            seen.update((unit.card, *unit.under))
    return seen


def assert_sound(state: State) -> None:
    """Assert what has to hold of every state at depth `full`."""
    board = state.board
    for seat in SEATS:
        side, deck = board.sides[seat - 1], state.setup.seats[seat - 1].deck or BLANK_DECK
        assert cards_of(state, seat) == size_of(deck), "a card came or went"
        assert min(side.deck, side.hand, side.hits) >= 0
        assert len(set(side.life)) == len(side.life)
        assert len(side.known) <= side.hand
        home = board.squares[{1: 7, 2: 1}[seat]]
        assert home is None or home.seat != seat, "a Z/X stands before the other player"
        if state.options.depth == "full" and board.stage == "running":
            library = state.cards[seat - 1]
            for card, n in seen_cards(state, seat).items():
                assert library[card].copies is None or n <= library[card].copies
    ids = [unit.id for unit in board.squares if unit]
    assert len(set(ids)) == len(ids)
    assert set(HOMES.values()) == {"b1", "b3"}


def test_what_has_to_hold_does_after_each_event() -> None:
    checked = 0
    for game in games():
        for entry in game.entries[1:]:
            state: Any = game.at(entry.on or entry.version - 1).state
            if isinstance(entry.act, TakenBack) or event_type(entry.act) == "seed-revealed":
                continue
            if state.board.depth != "full":
                break
            for event in (entry.act, *entry.consequences):
                state = RULESET.evolve(state, event)
                if state.board.depth == "full":
                    assert_sound(state)
                    checked += 1
    assert checked > 2000


def test_most_games_are_decided_within_the_turns(record_property: Any) -> None:
    decided = [
        game
        for game in games()
        if RULESET.outcome(game.head.state) and game.head.state.turn < LIMIT
    ]
    figure = f"{len(decided)} of {GAMES} games decided before turn {LIMIT}"
    record_property("figure", figure)
    print(figure)

    assert len(decided) >= 0.8 * GAMES


def test_what_a_game_is_made_of_comes_up() -> None:
    seen = bots.coverage(games())

    told = {
        "life-recovery-declined",
        "draw-called",
        "options-changed",
        "charge-trimmed",
        "won-called",
    }
    acts = {event_type(kind) for kind in RULESET.acts}
    assert acts - told <= set(seen["acts"])
    assert {"by-life", "by-concession", "by-card"} <= set(seen["outcomes"])


def test_prefixes_fold_again_to_the_same_digests() -> None:
    for game in games()[:FEW]:
        half = Timeline(RULESET, game.entries[: len(game) // 2])
        for entry in game.entries[len(game) // 2 :]:
            assert half.digest(half.append(entry).state) == entry.digest
        assert replay.check(RULESET, game.entries) is None
