"""The setups that bots play with."""

from collections.abc import Mapping
from typing import Any

import msgspec

from rules.ruleset import Pick
from rules.zerpang.acts import Options, ZerpangOpened, ZerpangSeat
from rules.zerpang.setup import SEATS

BOT_WEIGHTS: Mapping[str, int] = {
    "class-taken": 300,
    "base-taken": 300,
    "first-seat-picked": 2000,
    "piece-entered": 500,
    "piece-moved": 700,
    "linked-moved": 300,
    "piece-leapt": 200,
    "piece-ballooned": 200,
    "foreign-piece-moved": 150,
    "points-paid": 160,
    "special-played": 120,
    "special-negated": 60,
    "phase-entered": 15,
    "phase-replaced": 20,
    "combat-order-chosen": 1000,
    "combat-played": 150,
    "combat-passed": 250,
    "combat-conceded": 10,
    "assist-played": 12,
    "assist-refused": 10,
    "piece-uploaded": 3000,
    "piece-released": 20,
    "cards-drawn": 300,
    "card-discarded": 1000,
    "card-seen": 9,
    "clock-read": 12,
    "won-called": 60,
    "conceded": 7,
    "ruled": 6,
    "options-changed": 1,
}


def sample_setup(
    pick: Pick, seats: int | None = None, options: Mapping[str, Any] | None = None
) -> ZerpangOpened:
    """Return a playable setup, now and then with another reading of the rules."""
    count = seats or SEATS[pick(len(SEATS))]
    chosen = _sample_options(pick) | dict(options or {})
    return ZerpangOpened(
        ruleset="zerpang@1",
        options=msgspec.convert(chosen, Options),
        seats=tuple(ZerpangSeat(label=f"Side {seat}") for seat in range(1, count + 1)),
    )


def _sample_options(pick: Pick) -> dict[str, Any]:
    readings = [
        part
        for part in msgspec.inspect.type_info(Options).fields  # type: ignore[attr-defined]
        if isinstance(part.type, msgspec.inspect.LiteralType) and part.name != "depth"
    ]
    found: dict[str, Any] = {"deck": ("demo-99", "demo-99", "demo-99", "booklet")[pick(4)]}
    for part in readings:
        values = [value for value in part.type.values if value != part.default]
        if pick(6) == 0:
            found[part.encode_name] = values[pick(len(values))]
    found["depth"] = "score" if pick(8) == 0 else "full"
    found["gunslinger_hand"] = 4 + (pick(4) == 0)
    return found
