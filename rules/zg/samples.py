"""Sample cards and decks, and the setups that bots play with."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from rules.fields import Plain
from rules.ruleset import Pick
from rules.zg.acts import Options, ZgOpened, ZgSeat
from rules.zg.cards import BLANK_DECK, Card, CharacterCard, Deck
from rules.zg.ends import LIMIT, PALETTE, End

BOT_WEIGHTS: Mapping[str, int] = {
    "flameout-called": 10,
    "hand-taken": 2000,
    "impulse-called": 1500,
    "tie-drawn": 1500,
    "placed": 1800,
    "travelled": 300,
    "fell": 6,
    "landed": 10,
    "knockdown-called": 300,
    "attacked": 1000,
    "impulse-won": 900,
    "test-called": 25,
    "target-drawn": 40,
    "cover-called": 25,
    "terrain-attacked": 30,
    "mode-drawn": 60,
    "mode-used": 10,
    "arena-used": 15,
    "powerup-used": 10,
    "character-used": 10,
    "moved": 40,
    "end-shown": 150,
    "retested": 40,
    "character-spent": 60,
    "turn-passed": 4,
    "countdown-started": 3,
    "countdown-expired": 15,
    "won-called": 3,
    "prime-called": 4,
    "conceded": 1,
    "ruled": 4,
    "options-changed": 2,
}


TERRAIN = (
    {"name": "Crate", "length": 1, "height": 1, "width": 1},
    {"name": "Pipe rack", "length": 4, "height": 2, "width": 1},
)
ARENAS = ({"name": "Airlock", "ways": ("open", "vent")}, {"name": "Crane", "ways": ("swing",)})
"""The contents of an invented arena."""


class Sample(msgspec.Struct, frozen=True):
    """A card of the file, and its fields attested by the sources; the rest is invented."""

    card: Card
    attested: tuple[str, ...] = ()


class Figure(msgspec.Struct, frozen=True):
    """A starter figure: its cards by name, its character card."""

    name: str
    colour: str
    character: CharacterCard
    cards: tuple[str, ...]


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads((resources.files("rules.zg") / "cards.toml").read_text("utf-8"))


@cache
def catalogue() -> Mapping[str, Sample]:
    """Return every sample card by name, in the order of the file."""
    samples = {}
    for written in _file()["cards"]:
        printed = {key: value for key, value in written.items() if key != "attested"}
        card = msgspec.convert(printed, Card)
        samples[card.name] = Sample(card, tuple(written.get("attested", ())))
    return samples


@cache
def figures() -> tuple[Figure, ...]:
    """Return the starter figures."""
    return msgspec.convert(_file()["figures"], tuple[Figure, ...])


@cache
def starters() -> Mapping[str, Deck]:
    """Return a deck for each starter figure, by its name."""
    return {figure.name: deck_of(figure) for figure in figures()}


def deck_of(figure: Figure) -> Deck:
    cards = tuple(catalogue()[name].card for name in figure.cards)
    return Deck(cards=cards, character=figure.character)


# -- setups for bots ------------------------------------------------------------------


def sample_setup(
    pick: Pick, seats: int | None = None, options: Mapping[str, Any] | None = None
) -> ZgOpened:
    """Return a playable setup, mostly with two or three seats and whole decks."""
    count = seats or (2, 2, 2, 3, 3, 4, 2 + pick(7))[pick(7)]
    names = list(starters())
    first = pick(len(names))
    krewes = {"krewes": count >= 4 and not pick(3)}  # two of them, if four or more play
    given = {**krewes, **_sample_options(pick), **(options or {})}
    return ZgOpened(
        ruleset="zg@1",
        options=msgspec.convert(given, Options),
        seats=tuple(
            ZgSeat(
                label=_label(names, first, n),
                deck=_sample_deck(pick, names, first + n),
            )
            for n in range(count)
        ),
    )


def _label(names: Sequence[str], first: int, n: int) -> str:
    """Name a side after its figure, and number a second one of the same figure."""
    turns, place = divmod(n, len(names))
    name = names[(first + place) % len(names)]
    return f"{name} {turns + 1}" if turns else name


def _sample_options(pick: Pick) -> dict[str, Any]:
    switches = (
        "strict_time_order",
        "ap_not_consumed",
        "retest_full",
        "powerups_on_followup",
        "mirror_alignment",
        "safe_fall_played_card_only",
        "mass_product",
        "prone_errata",
        "tactics_earn",
    )
    return {
        "depth": ("score", "tests", "tests", "tests", "full", "full", "full", "full")[pick(8)],
        "strikes": "card_tests" if pick(4) == 0 else "basic",
        "knockback": "matches" if pick(4) == 0 else "strikes",
        "edges": "fall" if pick(3) == 0 else "wall",
        "terrain": TERRAIN if pick(3) == 0 else (),
        "arenas": ARENAS if pick(3) == 0 else (),
        **{name: pick(5) == 0 for name in switches},
    }


def _sample_deck(pick: Pick, names: Sequence[str], n: int) -> Deck | None:
    kind = pick(12)
    if kind == 0:
        return None
    if kind == 1:
        return BLANK_DECK
    if kind == 2:
        return _mixed_deck(pick)
    return starters()[names[n % len(names)]]


def _mixed_deck(pick: Pick) -> Deck:
    """Return a deck of any 3 to 12 sample cards, some with unknown fields."""
    known = [sample.card for sample in catalogue().values()]
    cards = [known[pick(len(known))] for _ in range(3 + pick(10))]
    return Deck(
        cards=tuple(_faded(card, pick(10)) for card in cards),
        character=("Somebody" if pick(2) else None),
        modes=("Ambition", "Expert Leader", "Deadshot!!") if pick(3) == 0 else (),
    )


def _faded(card: Card, kind: int) -> Card:
    changes: dict[int, dict[str, Any]] = {
        0: {"a": ""},
        1: {"b": ""},
        2: {"a": "", "b": ""},
        3: {"move": None, "impulse": None, "powerups": ()},
        4: {"exceptions": ("too-far", "sneak-card-used")},
        5: {"powerups": ("Burst (Replace, Time 5)", "Flare (Extra, Time 3)", "Z-G2 (Extra)")},
    }
    return msgspec.structs.replace(card, **changes.get(kind, {}))


def sample_value(shape: str, pick: Pick) -> Plain:
    """Return dots for `dots`, numbers for `impulse`, an empty text for anything else."""
    if shape == "impulse":
        return "-".join(
            str(number) for number in sorted((pick(10) for _ in range(3)), reverse=True)
        )
    return str(sample_end(pick)) if shape == "dots" else ""


def sample_end(pick: Pick) -> End:
    """Return an end: mostly plain dots, every blaze now and then."""
    return End.parse(" ".join(_sample_dot(pick) for _ in range(3)))


def _sample_dot(pick: Pick) -> str:
    colours = list(PALETTE)
    blazes = "".join(blaze * (1 + pick(most)) for blaze, most in LIMIT.items() if pick(4) == 0)
    return colours[pick(len(colours))] + blazes
