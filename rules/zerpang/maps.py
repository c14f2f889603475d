"""The board, read from a data file: none of its geometry is in the code.

A corrected map is one more file in `boards/`, named in the options of a match. Its fingerprint is
part of every state, so that a log reveals when its map was changed.
"""

import hashlib
import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Literal

import msgspec

from rules.ruleset import Problem
from rules.zerpang import files

FORMAT = "zerpang-board/1"
USUAL = "derived-hex91"
"""The default board."""

FINGERPRINT = 16  # hex digits

Space = str

COUNTS = {"treasure": 1, "x": 6, "great_house": 6}
DIRECTIONS = 6
NUMBERED = tuple(str(n) for n in range(1, DIRECTIONS + 1))
ZONES, ZONE_SIZE, BASES, GATES = 6, 7, 6, 2


class Place(msgspec.Struct, frozen=True, array_like=True):
    """A space and where it is drawn, in axial coordinates."""

    id: str
    q: int = 0
    r: int = 0


class Zone(msgspec.Struct, frozen=True):
    spaces: tuple[Space, ...]
    colour: str | None = None


class Base(msgspec.Struct, frozen=True):
    id: str
    gates: tuple[Space, ...]


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board file as it is written.

    `adjacency`: "axial", or rows `[space, space]` or `[space, space, direction from 1]`.
    """

    format: str
    id: str
    status: str
    spaces: tuple[Place, ...]
    features: dict[str, tuple[Space, ...]]
    zones: dict[str, Zone]
    home_bases: tuple[Base, ...]
    triangles: dict[str, tuple[tuple[Space, ...], ...]]
    lines: tuple[tuple[Space, ...], ...]
    adjacency: Literal["axial"] | tuple[tuple[str | int, ...], ...] = "axial"
    extra_edges: tuple[tuple[str | int, ...], ...] = ()
    cut_edges: tuple[tuple[Space, Space], ...] = ()
    directions: tuple[tuple[int, int], ...] = ()
    coords: str = "axial"
    source: str = ""


class Spot(msgspec.Struct, frozen=True, gc=False):
    """A space as it is drawn: its centre, its kind, the number of its zone or 0.

    `kind`: treasure x house gate zone plain.
    """

    id: str
    x: int
    y: int
    kind: str
    zone: int = 0


class Board(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A board ready to play on. Each file is read once, so boards are compared by identity.

    `near`: the spaces that touch a space, in the order of the file; `ahead`: the space in each
    direction, "" for none; `gate_of`: whose base a gate belongs to; `zone_of`: a space's zones;
    `ways`: where each direction leads as drawn, or its number if that is unknown; `spots` and
    `frame`: how it is drawn, and the `viewBox` that holds all of it; `reach`: how wide and high the
    drawing must be, in pixels, for a finger to tap its spaces; `shortest`: how many spaces the
    shortest of its rows has. `warnings`: what is odd about it.
    """

    id: str
    fingerprint: str
    status: str
    places: dict[Space, Place]
    near: dict[Space, tuple[Space, ...]]
    ahead: dict[Space, tuple[Space, ...]]
    ways: tuple[str, ...]
    gates: dict[str, tuple[Space, ...]]
    gate_of: dict[Space, str]
    zone_of: dict[Space, tuple[str, ...]]
    treasure: tuple[Space, ...]
    xs: tuple[Space, ...]
    great_houses: tuple[Space, ...]
    triangles: dict[str, tuple[tuple[Space, ...], ...]]
    lines: tuple[tuple[Space, ...], ...]
    spots: tuple[Spot, ...]
    frame: str
    reach: tuple[int, int]
    shortest: int
    warnings: tuple[Problem, ...] = ()

    def touch(self, one: Space, other: Space) -> bool:
        return other in self.near[one]

    def rows_of(self, cls: str, duel: bool) -> tuple[tuple[Space, ...], ...]:
        """Return the rows of spaces, one of which a class must hold.

        In a duel, rows of great houses or of Xs are all six. Rule: ZP-W1, ZP-W2, ZP-W5.
        """
        match cls:
            case "ninja":
                return (self.great_houses,) if duel else self.triangles.get("great_house", ())
            case "pirate":
                return (self.xs,) if duel else self.triangles.get("x", ())
            case "gunslinger":
                return self.lines
        return ()


class BoardError(ValueError):
    """A board file that cannot be played on; `problems` are all its errors."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(", ".join(f"{each.code} {each.params}" for each in problems))
        self.problems = tuple(problems)


# -- loading --------------------------------------------------------------------------


@cache
def board(name: str) -> Board:
    """Return a board by its name. Raises: KeyError for an unknown one, BoardError."""
    return load(files.data("boards", name))


def load(data: Any) -> Board:
    """Return the board described by a file's data. Raises: BoardError with every problem."""
    try:
        file = msgspec.convert(data, File)
    except msgspec.ValidationError as error:
        raise BoardError([Problem("board-unreadable", params={"problem": str(error)})]) from error
    errors = list(_errors(file))
    if errors:
        raise BoardError(errors)
    found = _board(file, data)
    errors, warnings = list(_errors_of_graph(found)), _warnings(found)
    if file.status == "official":
        errors += warnings
    if errors:
        raise BoardError(errors)
    return msgspec.structs.replace(found, warnings=warnings)


def _warnings(found: Board) -> tuple[Problem, ...]:
    """Return problems that only an official board may not have."""
    return (*_warnings_of_shapes(found), *_warnings_of_directions(found))


def _board(file: File, data: Any) -> Board:
    ahead = _ahead(file)
    near = {space: tuple(dict.fromkeys(filter(None, ways))) for space, ways in ahead.items()}
    return Board(
        id=file.id,
        fingerprint=fingerprint(data),
        status=file.status,
        places={place.id: place for place in file.spaces},
        near=near,
        ahead=ahead,
        ways=tuple(_way(*step) for step in file.directions) or NUMBERED,
        gates={base.id: base.gates for base in file.home_bases},
        gate_of={gate: base.id for base in file.home_bases for gate in base.gates},
        zone_of=_zones(file),
        treasure=file.features["treasure"],
        xs=file.features["x"],
        great_houses=file.features["great_house"],
        triangles=file.triangles,
        lines=file.lines,
        spots=(spots := _spots(file)),
        frame=_frame(spots),
        reach=_reach(spots),
        shortest=min(map(len, (*file.lines, *chain(*file.triangles.values()))), default=0),
    )


WIDE, HIGH = 34, 30
"""The distance between the centres of two hexagons side by side, and of two rows."""

FINGER = 44
"""The least width of a touch target, in pixels."""


def _point(q: int, r: int) -> tuple[int, int]:
    """Return where axial coordinates are drawn."""
    return WIDE * q + WIDE * r // 2, HIGH * r


def _spots(file: File) -> tuple[Spot, ...]:
    """Return where and how each space is drawn."""
    kinds = {gate: "gate" for base in file.home_bases for gate in base.gates}
    kinds |= dict.fromkeys(file.features["great_house"], "house")
    kinds |= dict.fromkeys(file.features["x"], "x")
    kinds |= dict.fromkeys(file.features["treasure"], "treasure")
    zones = {s: n for n, zone in enumerate(file.zones.values(), 1) for s in zone.spaces}
    found = []
    for place in file.spaces:
        kind = kinds.get(place.id, "zone" if place.id in zones else "plain")
        found.append(Spot(place.id, *_point(place.q, place.r), kind, zones.get(place.id, 0)))
    return tuple(found)


def _way(q: int, r: int) -> str:
    """Return where a direction leads as drawn: right, lower-right, down …"""
    x, y = _point(q, r)
    across = "right" if x > 0 else "left" if x else ""
    if not y:
        return across
    if not across:
        return "down" if y > 0 else "up"
    return f"{'lower' if y > 0 else 'upper'}-{across}"


def _frame(spots: tuple[Spot, ...]) -> str:
    return " ".join(map(str, _box(spots)))


def _reach(spots: tuple[Spot, ...]) -> tuple[int, int]:
    _, _, wide, high = _box(spots)
    return -(-wide * FINGER // WIDE), -(-high * FINGER // WIDE)


def _box(spots: tuple[Spot, ...]) -> tuple[int, int, int, int]:
    """Return left, top, width and height of a drawing."""
    left, top = min(s.x for s in spots) - WIDE, min(s.y for s in spots) - HIGH
    right, low = max(s.x for s in spots) + WIDE, max(s.y for s in spots) + HIGH
    return left, top, right - left, low - top


def fingerprint(data: Any) -> str:
    """Return the first digits of the SHA-256 of a file's data, independent of its formatting."""
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":")).encode()
    return hashlib.sha256(canonical).hexdigest()[:FINGERPRINT]


def _zones(file: File) -> dict[Space, tuple[str, ...]]:
    found: dict[Space, tuple[str, ...]] = {}
    for name, zone in file.zones.items():
        for space in zone.spaces:
            found[space] = (*found.get(space, ()), name)
    return found


def _ahead(file: File) -> dict[Space, tuple[Space, ...]]:
    """Return the neighbours of each space by direction; those without one come last."""
    found: dict[Space, list[Space]] = {place.id: [""] * DIRECTIONS for place in file.spaces}
    if isinstance(file.adjacency, str):
        edges: list[tuple[str | int, ...]] = list(_axial(file))
    else:
        edges = list(file.adjacency)
    for edge in (*edges, *file.extra_edges):
        _join(found, edge)
    for one, other in file.cut_edges:
        for here, there in ((one, other), (other, one)):
            found[here] = ["" if space == there else space for space in found[here]]
    return {space: tuple(ways) for space, ways in found.items()}


def _axial(file: File) -> Iterator[tuple[str | int, ...]]:
    at = {(place.q, place.r): place.id for place in file.spaces}
    for place in file.spaces:
        for number, (dq, dr) in enumerate(file.directions, 1):
            if other := at.get((place.q + dq, place.r + dr)):
                yield place.id, other, number


def _join(found: dict[Space, list[Space]], edge: Sequence[str | int]) -> None:
    """Add an edge both ways; the way back is in the opposite direction."""
    one, other = str(edge[0]), str(edge[1])
    if len(edge) < 3:
        for here, there in ((one, other), (other, one)):
            if there not in found[here]:
                found[here].append(there)
        return
    way = int(edge[2]) - 1
    found[one][way] = other
    found[other][(way + DIRECTIONS // 2) % DIRECTIONS] = one


# -- errors in a file ------------------------------------------------------------------


def _errors(file: File) -> Iterator[Problem]:
    """Yield the errors that keep a file from being read as a board."""
    if file.format != FORMAT:
        yield Problem("board-format", params={"format": file.format, "expected": FORMAT})
    ids = [place.id for place in file.spaces]
    for space in _twice(ids):
        yield Problem("space-twice", params={"space": space})
    for base in _twice([base.id for base in file.home_bases]):
        yield Problem("base-twice", params={"base": base})
    for what, spaces in _groups(file):
        for space in _twice(spaces):
            yield Problem("named-twice", params={"what": what, "space": space})
    unknown = sorted({space for space in _named(file) if space not in set(ids)})
    for space in unknown:
        yield Problem("space-unknown", params={"space": space})
    yield from _wrong_counts(file)
    edges = () if isinstance(file.adjacency, str) else file.adjacency
    for edge in (*edges, *file.extra_edges):
        if len(edge) not in (2, 3):
            yield Problem("edge-ends", params={"edge": " ".join(map(str, edge))})
        elif len(edge) > 2 and not (isinstance(edge[2], int) and 1 <= edge[2] <= DIRECTIONS):
            yield Problem("edge-direction", params={"space": str(edge[0]), "to": str(edge[1])})


def _twice(names: Sequence[str]) -> list[str]:
    return sorted({each for each in names if names.count(each) > 1})


def _groups(file: File) -> Iterator[tuple[str, tuple[Space, ...]]]:
    """Yield each group of spaces in a file, by name."""
    yield from file.features.items()
    yield from ((name, zone.spaces) for name, zone in file.zones.items())
    yield from ((base.id, base.gates) for base in file.home_bases)


def _named(file: File) -> Iterator[Space]:
    """Yield every space a file names outside its list of spaces."""
    for _, spaces in _groups(file):
        yield from spaces
    for rows in (*file.triangles.values(), file.lines, file.cut_edges):
        for row in rows:
            yield from row
    edges = () if isinstance(file.adjacency, str) else file.adjacency
    for edge in (*edges, *file.extra_edges):
        yield from map(str, edge[:2])


def _wrong_counts(file: File) -> Iterator[Problem]:
    found = {name: len(file.features.get(name, ())) for name in COUNTS}
    wanted = dict(COUNTS)
    found |= {"zones": len(file.zones), "home_bases": len(file.home_bases)}
    wanted |= {"zones": ZONES, "home_bases": BASES}
    if file.directions:
        found["directions"], wanted["directions"] = len(file.directions), DIRECTIONS
    for name, zone in file.zones.items():
        found[f"spaces of {name}"], wanted[f"spaces of {name}"] = len(zone.spaces), ZONE_SIZE
    for base in file.home_bases:
        found[f"gates of {base.id}"], wanted[f"gates of {base.id}"] = len(base.gates), GATES
    for what, count in found.items():
        if count != wanted[what]:
            params: dict[str, int | str] = {"what": what, "count": count, "expected": wanted[what]}
            yield Problem("board-count", params=params)


def _errors_of_graph(found: Board) -> Iterator[Problem]:
    for space, others in found.near.items():
        for other in others:
            if space not in found.near[other]:
                yield Problem("edge-one-way", params={"space": space, "to": other})
    first = next(iter(found.near), "")
    if first and len(distances(found, first)) < len(found.near):
        yield Problem("board-apart")


def _warnings_of_shapes(found: Board) -> Iterator[Problem]:
    members = {"great_house": found.great_houses, "x": found.xs}
    for what, spaces in members.items():
        rows = found.triangles.get(what, ())
        if not rows or any(len(row) != 3 or not set(row) <= set(spaces) for row in rows):
            yield Problem("board-triangles", params={"what": what})
    for row in found.lines:
        houses = [space for space in row if space in found.great_houses]
        marks = [space for space in row if space in found.xs]
        if (len(row), len(houses), len(marks)) != (4, 2, 2):
            yield Problem("board-line", params={"line": " ".join(row)})


def _warnings_of_directions(found: Board) -> Iterator[Problem]:
    """Yield spaces with neighbours in no direction: a Robot cannot link moves there."""
    for space, ways in found.ahead.items():
        if any(ways[DIRECTIONS:]):
            yield Problem("edge-without-direction", params={"space": space})


# -- queries ---------------------------------------------------------------------------


@lru_cache(maxsize=16)
def beside(found: Board) -> Mapping[Space, frozenset[Space]]:
    """Return the spaces that touch each space, as sets."""
    return {space: frozenset(others) for space, others in found.near.items()}


def distances(found: Board, start: Space) -> dict[Space, int]:
    """Return how many steps every space is from a start, on an empty board."""
    steps, open_ = {start: 0}, deque([start])
    while open_:
        space = open_.popleft()
        for other in found.near[space]:
            if other not in steps:
                steps[other] = steps[space] + 1
                open_.append(other)
    return steps
