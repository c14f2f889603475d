"""What a field of an act may hold: a finite choice, a range, a bounded subset, a walk, or free."""

from typing import Any

import msgspec

Plain = int | str | bool | None
Value = Plain | tuple[Plain, ...]


class Choice(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="choice"):
    """One of these values, each plain or a tuple of plain ones."""

    values: tuple[Value, ...]


class Range(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="range"):
    """A whole number from `low` to `high`, both included."""

    low: int
    high: int


class Subset(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="subset"):
    """From `least` to `most` of these values, in this order.

    A value may be chosen as often as it is listed (adjacently), or any number of times if it
    `repeats`.

    `repeats`: any value may be chosen any number of times.
    """

    values: tuple[Plain, ...]
    most: int
    least: int = 0
    repeats: bool = False


class Ordered(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="ordered"):
    """From `least` to `most` of these values, in any order, without duplicates."""

    values: tuple[Plain, ...]
    most: int
    least: int = 0


class RangeList(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="row"):
    """From `least` to `most` whole numbers, each from `low` to `high`."""

    low: int
    high: int
    most: int
    least: int = 0


class Walk(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="walk"):
    """A walk of 1 to `most` steps over a board, from `start` to one of the `ends`.

    `ways`: for each place a row with its name, then the places one step away. The value holds the
    places stepped on, in order, without the start.
    """

    start: str
    ways: tuple[tuple[str, ...], ...]
    ends: tuple[str, ...]
    most: int


class Free(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="free"):
    """Any well-formed value, and a non-empty one if it must be `filled`.

    `filled`: it may not be empty. `shape` tells a form what to ask for: `text`, `dots` …
    """

    shape: str = "text"
    filled: bool = False


Field = Choice | Range | Subset | Ordered | RangeList | Walk | Free


def admits(field: Field, value: Any) -> bool:
    """Tell whether a value is in a field's domain. `True` is not 1."""
    match field:
        case Choice(values):
            return any(value is v or (type(value) is type(v) and value == v) for v in values)
        case Range(low, high):
            return type(value) is int and low <= value <= high
        case Subset(values, most, least, repeats):
            chosen = list(value)
            in_order = [v for v in dict.fromkeys(values) for _ in range(chosen.count(v))]
            fits = least <= len(chosen) <= most and chosen == in_order
            return fits and (repeats or all(chosen.count(v) <= values.count(v) for v in chosen))
        case Ordered(values, most, least):
            once = len(set(value)) == len(value)
            return once and least <= len(value) <= most and all(each in values for each in value)
        case RangeList(low, high, most, least):
            fits = all(type(each) is int and low <= each <= high for each in value)
            return fits and least <= len(value) <= most
        case Walk(start, ways, ends, most):
            steps = {place: others for place, *others in ways}
            along = all(
                there in steps.get(here, ())
                for here, there in zip((start, *value), value, strict=False)
            )
            return along and 1 <= len(value) <= most and value[-1] in ends
        case Free(filled=filled):
            return bool(value) or not filled
