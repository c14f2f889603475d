"""The layout of a bracket: where each match is drawn, its name, and where its lines lead."""

from collections.abc import Callable, Iterable
from typing import Literal

from django.utils.translation import gettext

from league.displays import Cell, Column, Region, RoundDisplay, TableDisplay, TableSide
from rules.desk import standings
from rules.desk.formats.bracket import Bracket, Slot
from rules.desk.state import Desk, Round, Stage


def laid_out(
    desk: Desk, index: int, rounds: Iterable[RoundDisplay], side_of: Callable[[int, int], TableSide]
) -> list[Region]:
    """Lay out the bracket of a stage by side, and by round within each side.

    `rounds` are the stage's; `side_of` makes a side from an entrant's number and a seat.
    """
    stage = desk.stages[index]
    whole, standing = standings.bracket_of(desk, index)
    tables = [one for each in rounds for one in each.tables]
    # A replayed match is drawn where it fits; if none fits, the one played last.
    seen = {one.table.slot: one for one in sorted(tables, key=lambda one: not one.stale)}
    found: dict[str, dict[str, list[Cell | None]]] = {}
    for slot, leads in zip(whole.slots, leads_of(whole), strict=True):
        side, title = region_of(slot, stage)
        cell = Cell(
            slot.name,
            slot_name(slot.name, stage),
            _sides(standing.players.get(slot.name), seen.get(slot.name), side_of),
            seen.get(slot.name),
            slot.name in standing.idle,
            leads,
        )
        cells = found.setdefault(side, {}).setdefault(title, [])
        if slot.room > 1 and not cells:
            cells += [None] * slot.room
        if slot.room > 1:
            cells[slot.number - 1] = cell
        else:
            cells.append(cell)
    return [
        Region(side, [Column(title, cells) for title, cells in columns.items()])
        for side, columns in found.items()
    ]


def _sides(
    players: tuple[int | None, int | None] | None,
    seen: TableDisplay | None,
    side_of: Callable[[int, int], TableSide],
) -> list[TableSide]:
    if seen is not None:
        return seen.sides
    return [
        side_of(player, seat) if player else TableSide(0, gettext("to be decided"), seat)
        for seat, player in enumerate(players or (None, None), 1)
    ]


def leads_of(bracket: Bracket) -> list[Literal["", "straight", "together"]]:
    """Return for each match how its winner's line leads into the next round, "" if it does not."""
    after = {
        source.number: slot
        for slot in bracket.slots
        for source in slot.takes
        if source.what == "winner" and not slot.reset
    }
    found: list[Literal["", "straight", "together"]] = []
    for index, slot in enumerate(bracket.slots):
        there = after.get(index)
        if there is None or _round_of(there) != (_round_of(slot)[0], _round_of(slot)[1] + 1):
            found.append("")
        else:
            found.append("straight" if there.room == slot.room else "together")
    return found


def _round_of(slot: Slot) -> tuple[str, int]:
    """Return the side of a match's bracket and the number of its round."""
    side = slot.name.partition(".")[0]
    return side[0], int(side[1:])


def region_of(slot: Slot, stage: Stage) -> tuple[str, str]:
    """Return the titles of the side of a bracket a match is on, and of its round there."""
    side, _, rest = slot.name.partition(".")
    kind, number = side[:1], side[1:] or rest
    if kind == "L":
        return gettext("Losers"), gettext("Losers {number}").format(number=number)
    if kind == "W" and stage.setup.format == "double-elimination":
        return gettext("Winners"), gettext("Winners {number}").format(number=number)
    if kind == "W":
        return gettext("Bracket"), _column(_matches_in(stage, int(number)))
    if kind == "P":
        return gettext("Third place"), gettext("Third place")
    return gettext("Finals"), gettext("Final")


def title_of(round_: Round, stage: Stage) -> str:
    """Return what a round of single elimination is called, "" if it has no one name."""
    if stage.setup.format != "single-elimination":
        return ""
    numbers = {
        int(number)
        for table in round_.tables
        if (number := table.slot.partition(".")[0].removeprefix("W")).isdecimal()
    }
    return _column(_matches_in(stage, numbers.pop())) if len(numbers) == 1 else ""


def _column(matches: int) -> str:
    """Name a round by its number of matches: its number at the desk is another one."""
    named = {1: gettext("Final"), 2: gettext("Semi-finals"), 4: gettext("Quarter-finals")}
    return named.get(matches) or gettext("Last {count}").format(count=2 * matches)


def slot_name(name: str, stage: Stage) -> str:
    """Return the name of a match of a bracket."""
    side, _, place = name.partition(".")
    kind, number = side[:1], side[1:]
    if kind == "F":
        return gettext("Final, once more") if number == "2" or place == "2" else gettext("Final")
    if kind == "P":
        return gettext("Match for third place")
    if stage.setup.format != "single-elimination":
        words = gettext("Losers") if kind == "L" else gettext("Winners")
        return f"{words} {number}.{place}"
    left = _matches_in(stage, int(number or 1))
    if left == 1:
        return gettext("Final")
    if named := {2: gettext("Semi-final"), 4: gettext("Quarter-final")}.get(left):
        return f"{named} {place}".strip()
    return gettext("Match {number}.{place}").format(number=number, place=place)


def _matches_in(stage: Stage, number: int) -> int:
    """Return how many matches a round of a bracket's winners has; the first is round 1."""
    depth = max(len(stage.players) - 1, 0).bit_length()
    return 1 << max(depth - number, 0)
