"""The sample cards are complete, marked as invented, and true to what a source attests."""

import tomllib
from importlib import resources

import pytest

from rules import bots
from rules.zg.acts import Options
from rules.zg.cards import SLOTS
from rules.zg.ends import End
from rules.zg.samples import Figure, catalogue, figures, sample_end, starters
from tests.rules.zg.table import RULESET


@pytest.mark.parametrize("figure", figures(), ids=lambda figure: figure.name)
def test_a_starter_figure_has_eight_parts_an_ulster_and_a_character_for_300_credits(
    figure: Figure,
) -> None:
    deck = starters()[figure.name]

    assert len(deck.cards) == 9
    assert sorted({card.slot for card in deck.cards}) == sorted(SLOTS)
    assert sum(card.cost or 0 for card in deck.cards) == 300
    assert deck.character is not None


def test_there_are_three_figures_of_three_colours_and_further_parts() -> None:
    starting = {name for figure in figures() for name in figure.cards}

    assert {figure.colour for figure in figures()} == {"green", "blue", "red"}
    assert len(catalogue()) - len(starting) >= 24


@pytest.mark.parametrize("name", list(catalogue()))
def test_a_sample_card_is_whole(name: str) -> None:
    card = catalogue()[name].card

    assert [str(End.parse(end)) for end in (card.a, card.b)] == [card.a, card.b]
    assert card.a != card.b
    assert card.cost is not None
    assert card.impulse is not None
    assert card.impulse <= 9
    assert card.move is not None
    assert card.quality in ("Basic", "Superior", "State of the Art")
    assert card.colour in ("red", "green", "blue")


# Section 17 of the rulebook: what the sources attest.
ATTESTED = {
    "Spacewing Backgear": {"slot": "Backgear", "quality": "Basic", "cost": 50},
    "Reflex Ulster": {"slot": "Ulster", "colour": "green", "quality": "Basic"},
    "Green Feet": {"slot": "Footgear", "colour": "green", "quality": "Basic"},
    "Blue Feet": {"slot": "Footgear", "colour": "blue", "quality": "Basic", "cost": 20},
    "Red Feet": {"slot": "Footgear", "colour": "red"},
    "Maneuvering Footgear": {"slot": "Footgear", "move": 4},
    "Firefight Frontgear": {"slot": "Frontgear"},
    "Magnetron Generator": {},
    "Reaction Armor Frontgear": {"slot": "Frontgear", "powerups": ("Knockback",)},
    "Loader Claw": {"slot": "Claw", "colour": "blue", "quality": "State of the Art"},
}


def test_nothing_else_is_marked_as_attested() -> None:
    assert {name for name, sample in catalogue().items() if sample.attested} == set(ATTESTED)


@pytest.mark.parametrize(("name", "facts"), ATTESTED.items(), ids=ATTESTED)
def test_what_is_marked_as_attested_is_what_the_source_has(
    name: str, facts: dict[str, object]
) -> None:
    sample = catalogue()[name]

    assert set(sample.attested) - {"name"} == set(facts)
    assert {field: getattr(sample.card, field) for field in facts} == facts


def test_the_file_says_that_its_cards_are_invented() -> None:
    text = (resources.files("rules.zg") / "cards.toml").read_text("utf-8")

    assert "INVENTED" in text.splitlines()[0]
    assert len(tomllib.loads(text)["cards"]) == len(catalogue())


def test_the_printed_example_is_in_the_box() -> None:
    assert catalogue()["Firefight Frontgear"].card.a == "G* R+ B"
    assert catalogue()["Magnetron Generator"].card.a == "G# R B"


# -- what bots play with --------------------------------------------------------------


def test_sample_setups_start_and_differ() -> None:
    setups = [bots.sample_setup(RULESET, seed) for seed in range(60)]

    for setup in setups:
        RULESET.start(setup)
    assert {len(setup.seats) for setup in setups} >= {2, 3, 4}
    assert len({setup.options for setup in setups}) > 10
    assert any(seat.deck is None for setup in setups for seat in setup.seats)


def test_a_sample_setup_is_as_asked() -> None:
    setup = bots.sample_setup(RULESET, 1, seats=8, options={"depth": "score", "strikes": "basic"})

    assert len(setup.seats) == 8
    assert len({seat.label for seat in setup.seats}) == 8
    assert (setup.options.depth, setup.options.strikes) == ("score", "basic")


def test_every_switch_is_played_under() -> None:
    pick = bots.Stream("switches")
    options = [RULESET.sample_setup(pick).options for _ in range(80)]

    for field in Options.__struct_fields__:
        if field != "deck_class":
            assert len({getattr(each, field) for each in options}) >= 2, field


def test_sample_ends_hold_every_blaze() -> None:
    pick = bots.Stream("ends")
    seen = "".join(str(sample_end(pick)) for _ in range(200))

    assert all(blaze in seen for blaze in ("+", "++", "*", "#", "##", "o"))


@pytest.mark.parametrize("depth", ["tests", "score"])
def test_bots_play_a_match_to_its_end(depth: str) -> None:
    for seed in range(4):
        setup = bots.sample_setup(RULESET, f"end {seed}", options={"depth": depth})
        timeline = bots.playout(RULESET, setup, f"end {seed}")
        assert RULESET.outcome(timeline.head.state) is not None, seed
