"""Seats of a match, read in the same query as the match and made into rows when needed.

Another query would cost nearly as much as reading the match; seats are few and short, so they come
along as one JSON text.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import (
    F,
    OuterRef,
    Prefetch,
    QuerySet,
    Subquery,
)
from django.db.models.functions import JSONArray

from matches.json_rows import JsonRows, unpacked
from matches.models import Match, Player, Seat

_OF_SEAT = [field for field in Seat._meta.concrete_fields if field.name != "match"]
_OF_PLAYER = [field for field in Player._meta.concrete_fields if field.name != "created_at"]
_COLUMNS = [
    *(field.attname for field in _OF_SEAT),
    *(f"player__{field.attname}" for field in _OF_PLAYER),
]
_AT_NUMBER = itemgetter(_COLUMNS.index("number"))
_LABEL, _NAME = _COLUMNS.index("label"), _COLUMNS.index("player__name")
_PLAYER = _COLUMNS.index("player_id")

as_read = Player._meta.get_field("name").to_python
"""Returns a player's name that was read past the model, as its reader reads it."""


def with_table(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Prefetch seats and players of matches, in one more query: for lists."""
    return matches.prefetch_related(_with_players())


def without_table(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Return matches without their seats."""
    return matches.prefetch_related(None)


def _with_players() -> "Prefetch[Any]":
    return Prefetch("seats", Seat.objects.select_related("player"))


def table_json() -> Subquery:
    """Return the subquery that reads the table of a match, to be annotated as `seats_json`."""
    seats = Seat.objects.order_by().filter(match=OuterRef("pk"))
    return JsonRows(seats.annotate(packed=JSONArray(*map(F, _COLUMNS))).values("packed"))


def with_json(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Read the tables of matches in the same query; each match is then given to `seat`."""
    return without_table(matches).annotate(  # type: ignore[no-redef]  # declared by Match
        seats_json=table_json()
    )


def seat(match: Match) -> None:
    """Give a match that was read with `table_json` its seats, as `with_table` does."""
    rows = msgspec.json.decode(match.seats_json or "[]")
    table = _Table(match, sorted(rows, key=_AT_NUMBER))
    match.cached_sides = [(row[_LABEL], as_read(row[_NAME])) for row in table.rows]
    match.cached_players = [UUID(row[_PLAYER]) if row[_PLAYER] else None for row in table.rows]
    match._prefetched_objects_cache = table  # type: ignore[attr-defined]  # as prefetched


class _Table(dict[str, Any]):
    """The prefetched objects of a match: `seats`, which become model instances when needed."""

    def __init__(self, match: Match, rows: Sequence[Any]) -> None:
        self.match, self.rows = match, rows

    def __contains__(self, name: object) -> bool:
        return name == "seats" or super().__contains__(name)

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default

    def __missing__(self, name: str) -> QuerySet[Seat]:
        if name != "seats":
            raise KeyError(name)
        match: Any = self.match
        match._prefetched_objects_cache = {}  # empty while the default manager is set up
        seats: QuerySet[Seat] = match.seats.all()
        match._prefetched_objects_cache = self
        seats._result_cache = [_seat(match, row) for row in self.rows]
        self[name] = seats
        return seats


def _seat(match: Match, row: Sequence[Any]) -> Seat:
    seat = unpacked(Seat, _OF_SEAT, row)
    seat.match = match
    if seat.player_id:
        seat.player = unpacked(Player, _OF_PLAYER, row[len(_OF_SEAT) :])
    return seat
