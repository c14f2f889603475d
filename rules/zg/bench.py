"""The test bench: any end against any other, explained dot by dot. A page computed from its query.

ZG ATK-3   The foe draws a target card: its odds are those of every card it may be.
ZG ATK-4   The target card is spun; the attacker may ask for a half turn.
ZG ATK-11  Bolsters are placed first, then augments.
ZG ATK-13  With `mirror_alignment` a target card's dots are read from its other side.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from rules.zg import samples
from rules.zg.acts import MAX_BLAZES, Options
from rules.zg.cards import SLOTS, Card
from rules.zg.damage import CardTest, compare
from rules.zg.ends import End, EndError, across
from rules.zg.odds import Retest, Target, best_end, odds
from rules.zg.state import ENDS
from rules.zg.tools import explained, odds_data, targets_of

Query = Mapping[str, Sequence[str]]

EXAMPLE = {"attack": ["Firefight Frontgear"], "target": ["Magnetron Generator"]}
"""The cards of the only test described in print; each stands in for a side not given."""

READINGS = ("strikes", "strict_time_order", "ap_not_consumed", "mirror_alignment")
PLACES = ("1", "2", "3")
MAX_TYPED_BLAZES = 6
MAX_DOTS = 80  # characters


class Wrong(ValueError):
    """One field of the query is invalid."""

    def __init__(self, field: str, text: str, column: int = 0) -> None:
        super().__init__(text)
        self.field = field
        self.column = column


class Half(msgspec.Struct, frozen=True):
    """One side of a test: a card's ends and the chosen one, or a single typed end under ""."""

    name: str
    end: str
    ends: dict[str, End]


def bench(query: Query) -> dict[str, Any]:
    """Return what an attack would come to.

    Fields: `attack_card attack_end attack` and `target_card target_end target` (typed dots if no
    card is named), `half_turn`, `augments` and `bolsters` (dot numbers), options; for the odds
    `deck` (a sample deck instead of the target card) and `retest`.
    """
    given = {name: [value for value in values if value] for name, values in query.items()}
    asked = {name: values for name, values in given.items() if values}
    missing = [side for side in ("attack", "target") if not asked.keys() & {side, f"{side}_card"}]
    for side in missing:
        asked[f"{side}_card"] = EXAMPLE[side]
    example = len(missing) == 2
    page: dict[str, Any] = {
        "example": example,
        "shelves": _shelves(),
        "decks": list(samples.starters()),
        "asked": _form(asked),
    }
    try:
        return page | _result(asked)
    except Wrong as wrong:
        error = {"text": str(wrong), "column": wrong.column}
        return page | {"errors": {wrong.field: error}}


def _form(asked: Query) -> dict[str, Any]:
    """Return the form's values: each field as it was given."""
    many = {"augments", "bolsters"}
    return {
        name: list(values) if name in many else values[-1][:MAX_DOTS]
        for name, values in asked.items()
    }


def _result(asked: Query) -> dict[str, Any]:
    options = _options(asked)
    attack, target = _half(asked, "attack"), _half(asked, "target")
    turned = "half_turn" in asked and len(target.ends) == 2
    faces = _other(target.end) if turned else target.end
    augments, bolsters = _places(asked, "augments"), _places(asked, "bolsters")
    deck, holder = _deck(asked), _retest(asked)
    mirrored = options.mirror_alignment and target.name
    on_dots = across(bolsters) if mirrored else bolsters

    def faced(end: End) -> End:
        return end.mirrored() if mirrored else end

    targets: Sequence[Target] = (
        targets_of(deck, (), options) if deck else [[faced(end) for end in target.ends.values()]]
    )

    def test(end: str, target_end: str) -> CardTest:
        facing = faced(target.ends[target_end])
        return compare(attack.ends[end], facing, options, augments, on_dots)

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
            for best in (best_end(found),)
            for end, each in found.items()
        ],
    }


def _other(end: str) -> str:
    return "b" if end == "a" else "a"


# -- reading the query ----------------------------------------------------------------


def _one(asked: Query, name: str) -> str:
    return asked[name][-1] if name in asked else ""


def _half(asked: Query, side: str) -> Half:
    name = _one(asked, f"{side}_card")
    if not name:
        return Half("", "", {"": _typed(side, _one(asked, side))})
    end = _one(asked, f"{side}_end") or "a"
    if end not in ENDS:
        raise Wrong(f"{side}_end", f"A card has the ends a and b, not {end[:20]!r}.")
    if name not in _cards():
        raise Wrong(f"{side}_card", f"There is no sample card {name[:80]!r}.")
    card = _cards()[name]
    return Half(name, end, {"a": End.parse(card.a), "b": End.parse(card.b)})


def _typed(side: str, dots: str) -> End:
    if len(dots) > MAX_DOTS:
        raise Wrong(side, f"Three dots need fewer than {MAX_DOTS} characters.")
    try:
        return End.parse(dots)
    except EndError as error:
        raise Wrong(side, f"{side.capitalize()}, {error}.", error.column) from error


def _places(asked: Query, name: str) -> tuple[int, ...]:
    places = asked.get(name, ())
    if len(places) > MAX_TYPED_BLAZES:
        raise Wrong(name, f"At most {MAX_TYPED_BLAZES} blazes can be placed.")
    if wrong := [place for place in places if place not in PLACES]:
        raise Wrong(name, f"A blaze goes on dot 1, 2 or 3, not {wrong[0][:20]!r}.")
    return tuple(sorted(map(int, places)))


def _deck(asked: Query) -> str:
    name = _one(asked, "deck")
    if name and name not in samples.starters():
        raise Wrong("deck", f"There is no sample deck {name[:80]!r}.")
    return name


def _retest(asked: Query) -> Retest:
    holders: dict[str, Retest] = {"": "none", "attacker": "attacker", "foe": "foe"}
    holder = _one(asked, "retest")
    if holder not in holders:
        raise Wrong("retest", f"A retest is the attacker's or the foe's, not {holder[:20]!r}.")
    return holders[holder]


def _options(asked: Query) -> Options:
    given = {name: _one(asked, name) for name in READINGS if name in asked}
    try:
        return msgspec.convert(given, Options, strict=False)
    except msgspec.ValidationError as error:
        raise Wrong("readings", f"There is no such reading: {error}.") from error


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
