"""Round robins at tables of three to six, in which every two players meet equally often.

They are block designs, which exist only for some numbers of players and seats; each has its seats
balanced. `designs.toml` holds them with their sources.
"""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources

import msgspec


class Design(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A perfect round robin of `players` at tables of `seats`.

    Every two players meet `meetings` times; nobody has one seat more than `spread` times more often
    than another. `tables` in the order they are played, seats in order; `together` is how many of
    them make a round in which everybody plays, 0 if the design has no rounds.
    """

    players: int
    seats: int
    meetings: int
    spread: int
    source: str
    tables: tuple[tuple[int, ...], ...]
    together: int = 0


class Round(msgspec.Struct, frozen=True, omit_defaults=True):
    """Tables played at once, seats in order, and who rests."""

    tables: tuple[tuple[int, ...], ...]
    rests: tuple[int, ...] = ()


@cache
def designs() -> tuple[Design, ...]:
    """Return all designs, ordered by players and seats."""
    text = (resources.files(__package__) / "designs.toml").read_text("utf-8")
    found = msgspec.convert(tomllib.loads(text)["design"], tuple[Design, ...])
    return tuple(sorted(found, key=lambda each: (each.players, each.seats)))


def design_for(players: int, seats: int) -> Design | None:
    """Return the design for these numbers, or None."""
    fitting = (each for each in designs() if (each.players, each.seats) == (players, seats))
    return next(fitting, None)


def rounds(players: Sequence[int], seats: int) -> tuple[Round, ...]:
    """Return the rounds in which every two of the players meet equally often.

    For a design without rounds, tables are played at once as long as nobody sits at two; players
    left over rest.

    Raises: ValueError if there is no design.
    """
    design = design_for(len(players), seats)
    if design is None:
        known = ", ".join(f"{each.players} at {each.seats}" for each in designs())
        raise ValueError(f"no design for {len(players)} players at {seats}; there are {known}")
    found = []
    for tables in _rounds(design):
        seated = tuple(tuple(players[number - 1] for number in table) for table in tables)
        busy = {player for table in seated for player in table}
        found.append(Round(seated, tuple(each for each in players if each not in busy)))
    return tuple(found)


def _rounds(design: Design) -> list[list[tuple[int, ...]]]:
    if design.together:
        step = design.together
        tables = list(design.tables)
        return [tables[i : i + step] for i in range(0, len(tables), step)]
    left = list(design.tables)
    found = []
    while left:
        busy: set[int] = set()
        chosen = []
        for table in left:
            if busy.isdisjoint(table):
                chosen.append(table)
                busy.update(table)
        left = [table for table in left if table not in chosen]
        found.append(chosen)
    return found
