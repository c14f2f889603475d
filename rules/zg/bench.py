"""The test bench: any end against any other, explained dot by dot, and the odds of it.

ZG ATK-3   The foe draws a target card: its odds are those of every card it may be.
ZG ATK-4   The target card is spun; the attacker may ask for a half turn.
ZG ATK-11  Bolsters are placed first, then augments.
ZG ATK-13  With `mirror_alignment` a target card's dots are read from its other side.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, Self

import msgspec

from rules.ruleset import Misused, Question
from rules.zg import samples
from rules.zg.acts import BASIC, MAX_BLAZES, Options
from rules.zg.cards import SLOTS, Card
from rules.zg.damage import CardTest, compare, facing, facing_places
from rules.zg.ends import End, EndError
from rules.zg.odds import Retest, Target, best_end, odds
from rules.zg.state import ENDS
from rules.zg.tools import explained, odds_data, targets_of

Side = Literal["attack", "target"]

EXAMPLE: dict[Side, str] = {"attack": "Firefight Frontgear", "target": "Magnetron Generator"}
"""The cards of the only test described in print; each stands in for a side not given."""

READINGS = ("strikes", "strict_time_order", "ap_not_consumed", "mirror_alignment")
PLACES = ("1", "2", "3")
MAX_TYPED_BLAZES = 6
MAX_DOTS = 80  # characters


class Half(msgspec.Struct, frozen=True):
    """One side of a test: a card's ends and the chosen one, or a single typed end under ""."""

    name: str
    end: str
    ends: dict[str, End]


class Bench(Question, frozen=True, kw_only=True):
    """What an attack would come to.

    A side is a sample card with its end, or typed dots if no card is named. `half_turn`: not empty
    if the attacker asks for it. `augments` and `bolsters`: dot numbers. For the odds: `deck`, a
    sample deck instead of the target card, and `retest`, who holds one. The others are options.
    """

    attack_card: str = ""
    attack_end: str = ""
    attack: str = ""
    target_card: str = ""
    target_end: str = ""
    target: str = ""
    half_turn: str = ""
    augments: tuple[str, ...] = ()
    bolsters: tuple[str, ...] = ()
    deck: str = ""
    retest: str = ""
    strikes: str = ""
    strict_time_order: str = ""
    ap_not_consumed: str = ""
    mirror_alignment: str = ""

    @classmethod
    def choices(cls) -> dict[str, Any]:
        """Return the sample cards by slot, and the names of the sample decks."""
        return {"shelves": _shelves(), "decks": list(samples.starters())}

    def completed(self) -> Self:
        cards = {f"{side}_card": EXAMPLE[side] for side in self._missing()}
        return msgspec.structs.replace(self, **cards)

    def answer(self) -> dict[str, Any]:
        return {"example": len(self._missing()) == 2, **_answer(self.completed())}

    def _missing(self) -> list[Side]:
        given: dict[Side, str] = {
            "attack": self.attack_card or self.attack,
            "target": self.target_card or self.target,
        }
        return [side for side, text in given.items() if not text]


def _answer(asked: Bench) -> dict[str, Any]:
    options = _options(asked)
    attack = _half("attack", asked.attack_card, asked.attack_end, asked.attack)
    target = _half("target", asked.target_card, asked.target_end, asked.target)
    turned = bool(asked.half_turn) and len(target.ends) == 2
    faces = _other(target.end) if turned else target.end
    augments = _places("augments", asked.augments)
    bolsters = _places("bolsters", asked.bolsters)
    deck, holder = _deck(asked.deck), _retest(asked.retest)
    held = options if target.name else BASIC  # dots are typed as they face the attack
    faced = {end: facing(dots, held) for end, dots in target.ends.items()}
    on_dots = facing_places(bolsters, held)
    targets: Sequence[Target] = targets_of(deck, (), options) if deck else [[*faced.values()]]

    def test(end: str, target_end: str) -> CardTest:
        return compare(attack.ends[end], faced[target_end], options, augments, on_dots)

    found = {
        end: odds(
            dots,
            targets,
            options,
            augments=min(len(augments), MAX_BLAZES),
            bolsters=min(len(bolsters), MAX_BLAZES),
            retest=holder,
        )
        for end, dots in attack.ends.items()
    }
    best = best_end(found)
    return {
        "attack": {"name": attack.name, "end": attack.end},
        "target": {"name": target.name, "end": faces, "spun": target.end},
        "target_ends": [{"end": end, "dots": str(dots)} for end, dots in target.ends.items()],
        "half_turn": turned,
        "test": explained(test(attack.end, faces)),
        "table": [
            {"end": end, "dots": str(dots), "tests": [test(end, other) for other in target.ends]}
            for end, dots in attack.ends.items()
        ],
        "against": deck or target.name,
        "odds": [
            {"end": end, "dots": str(attack.ends[end]), "best": end == best, **odds_data(each)}
            for end, each in found.items()
        ],
    }


def _other(end: str) -> str:
    return "b" if end == "a" else "a"


# -- reading a question ----------------------------------------------------------------


def _half(side: Side, name: str, end: str, dots: str) -> Half:
    if not name:
        return Half("", "", {"": _typed(side, dots)})
    end = end or "a"
    if end not in ENDS:
        raise Misused(f"{side}_end", f"A card has the ends a and b, not {end[:20]!r}.")
    if name not in _cards():
        raise Misused(f"{side}_card", f"There is no sample card {name[:80]!r}.")
    card = _cards()[name]
    return Half(name, end, {"a": End.parse(card.a), "b": End.parse(card.b)})


def _typed(side: Side, dots: str) -> End:
    if len(dots) > MAX_DOTS:
        raise Misused(side, f"Three dots need fewer than {MAX_DOTS} characters.")
    try:
        return End.parse(dots)
    except EndError as error:
        raise Misused(side, f"{side.capitalize()}, {error}.", error.column) from error


def _places(field: str, places: Sequence[str]) -> tuple[int, ...]:
    if len(places) > MAX_TYPED_BLAZES:
        raise Misused(field, f"At most {MAX_TYPED_BLAZES} blazes can be placed.")
    if wrong := [place for place in places if place not in PLACES]:
        raise Misused(field, f"A blaze goes on dot 1, 2 or 3, not {wrong[0][:20]!r}.")
    return tuple(sorted(map(int, places)))


def _deck(name: str) -> str:
    if name and name not in samples.starters():
        raise Misused("deck", f"There is no sample deck {name[:80]!r}.")
    return name


def _retest(holder: str) -> Retest:
    holders: dict[str, Retest] = {"": "none", "attacker": "attacker", "foe": "foe"}
    if holder not in holders:
        raise Misused("retest", f"A retest is the attacker's or the foe's, not {holder[:20]!r}.")
    return holders[holder]


def _options(asked: Bench) -> Options:
    given = {name: text for name in READINGS if (text := getattr(asked, name))}
    try:
        return msgspec.convert(given, Options, strict=False)
    except msgspec.ValidationError as error:
        raise Misused("readings", f"There is no such reading: {error}.") from error


# -- sample cards ----------------------------------------------------------------------


@cache
def _cards() -> dict[str, Card]:
    return {name: sample.card for name, sample in samples.catalogue().items()}


@cache
def _shelves() -> list[dict[str, Any]]:
    """Return the sample cards by slot."""
    return [
        {"slot": slot, "cards": [name for name, card in _cards().items() if card.slot == slot]}
        for slot in SLOTS
    ]
