"""Demo cards and decks, and the setups that bots play with."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from rules.fields import Plain
from rules.ruleset import Pick
from rules.zx.acts import Options, ZxOpened, ZxSeat
from rules.zx.cards import BLANK_DECK, Card, Deck

BOT_WEIGHTS: Mapping[str, int] = {
    "start-card-placed": 60,
    "first-decided": 300,
    "hand-kept": 400,
    "hand-redrawn": 60,
    "start-resources-placed": 900,
    "hand-noted": 12,
    "resource-placed": 900,
    "resource-passed": 40,
    "ignition-started": 260,
    "ignition-ended": 300,
    "top-card-revealed": 2000,
    "zx-played": 420,
    "event-played": 70,
    "startup-used": 12,
    "auto-triggered": 4,
    "battle-declared": 900,
    "battle-passed": 160,
    "both-passed": 1200,
    "battle-told": 2000,
    "life-revealed": 2000,
    "life-recovered": 2000,
    "life-recovery-declined": 200,
    "void-bringer-used": 2000,
    "void-bringer-declined": 200,
    "reload-paid": 2000,
    "hand-trimmed": 2000,
    "charge-trimmed": 2000,
    "turn-ended": 220,
    "effect-applied": 14,
    "special-won": 1,
    "conceded": 1,
    "time-called": 1,
    "life-called": 300,
    "won-called": 3,
    "draw-called": 2,
    "ruled": 1,
    "options-changed": 1,
}


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads((resources.files("rules.zx") / "cards.toml").read_text("utf-8"))


@cache
def decks() -> Mapping[str, Deck]:
    """Return the demo decks by name."""
    return {
        written["name"]: msgspec.convert({k: v for k, v in written.items() if k != "name"}, Deck)
        for written in _file()["decks"]
    }


@cache
def loose() -> tuple[Card, ...]:
    """Return the demo cards that are in no deck."""
    return msgspec.convert(_file()["loose"], tuple[Card, ...])


# -- setups for bots ------------------------------------------------------------------


def sample_setup(pick: Pick, options: Mapping[str, Any] | None = None) -> ZxOpened:
    """Return a playable setup, mostly with the demo decks."""
    names = list(decks())
    first = pick(2)
    return ZxOpened(
        ruleset="zx@1",
        options=msgspec.convert(_sample_options(pick) | dict(options or {}), Options),
        seats=tuple(
            ZxSeat(label=names[(first + n) % 2], deck=_sample_deck(pick, names[(first + n) % 2]))
            for n in range(2)
        ),
    )


VARIANTS: Mapping[str, tuple[str, ...]] = {
    "draw": ("1", "2"),
    "first_draw": ("0", "1"),
    "charge_limit": ("none", "4"),
    "overflow": ("bounce",),
    "reload_pick": ("self",),
    "life_zero": ("immediate",),
    "keywords": ("optional", "mandatory"),
    "compare": ("before",),
    "void": ("enemy_only",),
    "multi": ("all",),
    "haste": ("off",),
    "od": ("zx_only",),
    "guard": ("interrupts",),
    "track": ("square",),
    "end": ("seed",),
    "empty": ("loss",),
    "rps": ("chooses",),
    "redraw": ("simultaneous",),
    "copies": ("number",),
    "equal": ("draw",),
}
"""The values of each option other than its default. Rule: ZX 12."""


def _sample_options(pick: Pick) -> dict[str, Any]:
    varied = {name: values[pick(len(values))] for name, values in VARIANTS.items() if pick(6) == 0}
    profile = ("zx-seed", "zx-seed", "zx-official", "zx-2012")[pick(4)]
    return {"profile": profile, "depth": "score" if pick(10) == 0 else "full", **varied}


def _sample_deck(pick: Pick, name: str) -> Deck | None:
    kind = pick(10)
    if kind == 0:
        return None
    if kind == 1:
        return BLANK_DECK
    if kind == 3:
        return msgspec.structs.replace(decks()[name], extra=EXTRA)
    return _mixed_deck(pick) if kind == 2 else decks()[name]


EXTRA = (Card(name="Deep Harbour", power=9000, copies=2), Card(name="Tide Gate", type="event"))


def _mixed_deck(pick: Pick) -> Deck:
    """Return a deck of demo cards, some with two colours, a range, or unknown fields."""
    cards = [card for deck in decks().values() for card in deck.cards]
    chosen = [cards.pop(pick(len(cards))) for _ in range(13)]
    return Deck(cards=tuple(_changed(card, pick(8)) for card in chosen))


def _changed(card: Card, kind: int) -> Card:
    changes: dict[int, dict[str, Any]] = {
        0: {"colours": ("blue", "red")},
        1: {"keywords": (*card.keywords, "range-2")},
        2: {"cost": None, "power": None},
        3: {"icon": ""},
    }
    return msgspec.structs.replace(card, **changes.get(kind, {}))


def sample_value(shape: str, pick: Pick) -> Plain:
    """Return the hash of a text for `note`."""
    return f"{pick(2**60):064x}" if shape == "note" else ""
