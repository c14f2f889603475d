"""Describe a stage in sentences: its points, tables and pairing."""

from collections.abc import Iterator
from fractions import Fraction

import rules
from league import ranking
from rules.desk.acts import StageStarted
from rules.desk.state import SIZES, WITHOUT_POINTS


def describe(setup: StageStarted) -> str:
    """Describe a stage, apart from format, seed and tie-breaks."""
    texts = rules.get("desk").texts
    return " ".join(texts[code].format(**values) for code, values in _sentences(setup))


def _sentences(setup: StageStarted) -> Iterator[tuple[str, dict[str, object]]]:
    if setup.format == "pods":
        yield "stage.sizes", {"sizes": ", ".join(map(str, setup.sizes or SIZES))}
    if setup.groups > 1:
        yield "stage.groups", {"groups": setup.groups}
    if setup.legs > 1:
        yield "stage.legs", {"legs": setup.legs}
    if setup.format not in WITHOUT_POINTS:
        yield from _points(setup)
    if setup.third_place:
        yield "stage.third", {}
    if setup.no_reset:
        yield "stage.no-reset", {}
    if setup.no_rematches:
        yield "stage.no-rematches", {}
    if setup.accelerated:
        yield "stage.accelerated", {"rounds": setup.accelerated}


def _points(setup: StageStarted) -> Iterator[tuple[str, dict[str, object]]]:
    def worth(number: int) -> str:
        return ranking.points(Fraction(number, 2 if setup.halves else 1))

    if not setup.table_points:
        worths = {name: worth(getattr(setup, name)) for name in ("win", "draw", "loss", "bye")}
        yield "stage.points", dict(worths)
        return
    places = ", ".join(map(worth, setup.table_points))
    yield "stage.places", {"points": places, "bye": worth(setup.bye)}
    if setup.short_points:
        yield "stage.short", {"points": ", ".join(map(worth, setup.short_points))}
