"""Circuits: their points and rankings, computed only from closed desks, never stored.

The same closed tournaments always give the same points, and the same places in the final
(`league/finals.py`).
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import JSONArray
from django.utils.translation import gettext, gettext_lazy, ngettext

from league import desks, policy
from league.models import (
    Adjustment,
    Circuit,
    Qualifier,
    Round,
    Season,
    StagePlan,
    Standing,
)
from matches.actors import Actor
from matches.json_rows import JsonRows, unpacked
from matches.models import Player, withdrawn
from rules.desk.stages import may_start
from rules.desk.standings import closed_now, final_places
from rules.desk.state import Desk, entrants


@dataclass(frozen=True)
class CircuitPoints:
    """What a tournament gave a player; `counted` if it is among their best.

    `number`: the tournament's among those of the circuit, from 1.
    """

    qualifier: Qualifier
    number: int
    place: int
    points: int
    counted: bool = True
    field: int = 0
    sharing: int = 1

    @property
    def terms(self) -> str:
        """What its points come from, in words."""
        of = self.qualifier.circuit.has_sizes
        placing = gettext("place {place} of {field}") if of else gettext("place {place}")
        parts = [placing.format(place=self.place, field=self.field)]
        if self.sharing > 1:
            parts.append(gettext("shared by {sharing}").format(sharing=self.sharing))
        if self.qualifier.tier > 1:
            parts.append(gettext("points times {tier}").format(tier=self.qualifier.tier))
        return ", ".join(parts)


BREAKS: dict[str, Any] = {
    "result": gettext_lazy("by the better single result"),
    "place": gettext_lazy("by the better best place"),
    "often": gettext_lazy("by reaching the best place more often"),
    "latest": gettext_lazy("by the later result"),
    "lot": gettext_lazy("by lot"),
}
"""The tie-breaks between equal points, in order."""


@dataclass(frozen=True)
class RankingRow:
    """A row of a circuit's table. No two share a place: ties are finally broken by lot.

    `points` are with the `adjustments`, oldest first; tie-breaks are not. `ahead_by`: the tie-break
    that puts it ahead of the next row with the same points. `moved`: places up since the tournament
    before, down if below 0, see `with_moves`.
    """

    place: int
    player: Player
    points: int
    got: tuple[CircuitPoints, ...]
    ahead_by: str = ""
    adjustments: tuple[Adjustment, ...] = ()
    moved: int = 0

    @property
    def adjusted(self) -> int:
        """Return the points given beside the results, below 0 if some were taken."""
        return sum(each.points for each in self.adjustments)

    @property
    def why(self) -> str:
        """Return in words what puts it ahead of the next row with the same points."""
        return str(BREAKS[self.ahead_by]) if self.ahead_by else ""

    def of(self, qualifier: Qualifier) -> CircuitPoints | None:
        return next((each for each in self.got if each.qualifier.pk == qualifier.pk), None)


def points_for(circuit: Circuit, place: int, field: int, tier: int = 1, sharing: int = 1) -> int:
    """Return the points of a place in a field of a size, 0 below the end of its list.

    Players who share a place split the points of the places they take, rounded down.
    """
    points = circuit.points_in(field)
    taken = points[place - 1 : place - 1 + sharing] if place else []
    return sum(map(int, taken)) * tier // max(sharing, 1)


def qualifiers_of(circuit: Circuit) -> list[Qualifier]:
    """Return a circuit's tournaments by day, see `counting`."""
    return list(counting(circuit.qualifiers.all()))


def counting(qualifiers: QuerySet[Qualifier]) -> QuerySet[Qualifier]:
    """Narrow tournaments to those that count, annotated with `begun`: a round was paired.

    One that was withdrawn, or called off, counts no more, and none waits for it.
    """
    begun = Exists(Round.objects.filter(tournament=OuterRef("tournament")))
    found = qualifiers.select_related("tournament__log", "tournament__venue")
    found = found.exclude(withdrawn("tournament__log__")).annotate(begun=begun)
    return found.filter(Q(begun=True) | Q(tournament__closed_at=None))


def shown_to(actor: Actor, qualifiers: Iterable[Qualifier]) -> list[Qualifier]:
    """Return the tournaments of a circuit that an actor may see; others do not count for them."""
    return [each for each in qualifiers if policy.may_see(actor, each.tournament)]


def first_of(season: Season, actor: Actor) -> tuple[Circuit | None, list[RankingRow]]:
    """Return a season's first circuit and its table, as an actor may see it, in two queries."""
    first = season.circuits.values("pk")[:1]
    rows = Qualifier.objects.filter(circuit=first).select_related("circuit", "tournament__log")
    rows = rows.annotate(packed=_packed_adjustments())
    qualifiers = list(rows.exclude(withdrawn("tournament__log__")))
    if not qualifiers:
        return season.circuits.first(), []
    circuit = qualifiers[0].circuit
    packed = msgspec.json.decode(qualifiers[0].packed or "[]")  # NULL for none on PostgreSQL
    adjustments = sorted((unpacked(Adjustment, _PACKED, row) for row in packed), key=_pk)
    endings = endings_of(shown_to(actor, qualifiers))
    table = table_from(circuit, endings, adjustments=adjustments)
    return circuit, with_moves(table, circuit, endings)


_PACKED = [
    field
    for field in Adjustment._meta.concrete_fields
    if field.name in ("id", "player", "points", "reason")
]
_pk = attrgetter("pk")


def _packed_adjustments() -> JsonRows:
    """Return the subquery that reads the adjustments of a qualifier's circuit."""
    rows = Adjustment.objects.order_by().filter(circuit=OuterRef("circuit"))
    return JsonRows(rows.annotate(packed=JSONArray(*(f.attname for f in _PACKED))).values("packed"))


def table_of(circuit: Circuit) -> list[RankingRow]:
    """Return the table of all of a circuit's tournaments."""
    return table_from(circuit, endings_of(qualifiers_of(circuit)))


def table_from(
    circuit: Circuit,
    endings: Sequence["Ending"],
    after: int | None = None,
    adjustments: Iterable[Adjustment] | None = None,
) -> list[RankingRow]:
    """Return the table of some of a circuit's tournaments, or the first `after` of them.

    `adjustments` are the circuit's, if known already. Order: points; best single result; best
    place; how often it was reached; the latest result; a lot derived from the circuit.
    """
    adjusted = adjustments_of(circuit, [] if after is None else endings[after:], adjustments)
    got: dict[UUID, list[CircuitPoints]] = {}
    players: dict[UUID, Player] = {}
    for number, (qualifier, rows, many) in enumerate(endings[:after], 1):
        for place, player, sharing in rows:
            players[player.pk] = player
            points = points_for(circuit, place, many, qualifier.tier, sharing)
            one = CircuitPoints(qualifier, number, place, points, field=many, sharing=sharing)
            got.setdefault(player.pk, []).append(one)
    counted = {pk: _counted(circuit, each) for pk, each in got.items()}
    extra = {pk: sum(each.points for each in made) for pk, made in adjusted.items()}
    ranks = {pk: _rank(circuit, pk, each, extra.get(pk, 0)) for pk, each in counted.items()}
    ranked = sorted(counted, key=ranks.__getitem__)
    return [
        RankingRow(
            place,
            players[pk],
            -ranks[pk][0],
            counted[pk],
            _ahead_by(ranks[pk], ranks.get(behind)),
            adjusted.get(pk, ()),
        )
        for place, (pk, behind) in enumerate(zip_longest(ranked, ranked[1:]), 1)
    ]


def with_moves(
    rows: Sequence[RankingRow], circuit: Circuit, endings: Sequence["Ending"]
) -> list[RankingRow]:
    """Return the rows of the table of `endings`, each with how far its player moved by the last.

    Who is new in the table has not moved.
    """
    ended = [each for each in endings if each.came]
    given = [one for row in rows for one in row.adjustments]
    was = {row.player.pk: row.place for row in table_from(circuit, ended[:-1], adjustments=given)}
    return [replace(row, moved=was.get(row.player.pk, row.place) - row.place) for row in rows]


def adjustments_of(
    circuit: Circuit,
    later: Iterable["Ending"] = (),
    adjustments: Iterable[Adjustment] | None = None,
) -> dict[UUID, tuple[Adjustment, ...]]:
    """Return each player's adjustments, only those made before any `later` tournament closed.

    Prefetch them to read several tables of a circuit, or give those that are known.
    """
    closes = [each.qualifier.tournament.closed_at for each in later]
    until = min((each for each in closes if each), default=None)
    found: dict[UUID, tuple[Adjustment, ...]] = {}
    for one in circuit.adjustments.all() if adjustments is None else adjustments:
        if until is None or one.made_at < until:
            found[one.player_id] = (*found.get(one.player_id, ()), one)
    return found


class Finisher(NamedTuple):
    """The place a player came in at in a tournament, and how many share it."""

    place: int
    player: Player
    sharing: int


class Ending(NamedTuple):
    """How a tournament of a circuit ended, best first; nobody `came` before its close.

    `field`: how many played in it, including those who left, were disqualified, or have no account.
    """

    qualifier: Qualifier
    came: Sequence[Finisher]
    field: int = 0


def endings_of(chosen: Iterable[Qualifier]) -> list[Ending]:
    """Return how some tournaments of a circuit ended, in one query."""
    wanted = list(chosen)
    rows = (
        Standing.objects.filter(tournament__in=[each.tournament_id for each in wanted], round=0)
        .select_related("entry__player")
        .order_by("place", "pk")
    )
    sharing = Counter((row.tournament_id, row.place) for row in rows)
    fields = Counter(row.tournament_id for row in rows)
    came: dict[UUID, list[Finisher]] = {}
    for row in rows:
        if row.entry.player is not None and row.entry.status != "disqualified":
            many = sharing[row.tournament_id, row.place]
            found = came.setdefault(row.tournament_id, [])
            found.append(Finisher(row.place, row.entry.player, many))
    return [
        Ending(each, came.get(each.tournament_id, []), fields[each.tournament_id])
        for each in wanted
    ]


def _counted(circuit: Circuit, got: Sequence[CircuitPoints]) -> tuple[CircuitPoints, ...]:
    """Return results with the best marked as counted, in the order they were played."""
    best = sorted(got, key=lambda each: (-each.points, each.number))
    kept = {id(each) for each in (best[: circuit.best] if circuit.best else best)}
    return tuple(replace(each, counted=id(each) in kept) for each in got)


_Rank = tuple[int, int, int, int, int, str]


def _rank(circuit: Circuit, pk: UUID, got: Sequence[CircuitPoints], extra: int) -> _Rank:
    counted = [each for each in got if each.counted]
    places = [each.place for each in got]
    best = min(places, default=0)
    return (
        -sum(each.points for each in counted) - extra,
        -max((each.points for each in counted), default=0),
        best,
        -places.count(best),
        -max((each.number for each in got), default=0),
        hashlib.sha256(f"{circuit.pk} {pk}".encode()).hexdigest(),
    )


def _ahead_by(rank: _Rank, after: _Rank | None) -> str:
    """Return the tie-break that put one row ahead of the next, "" if points did or none follows."""
    if after is None or rank[0] != after[0]:
        return ""
    decided = zip(BREAKS, rank[1:], after[1:], strict=True)
    return next(name for name, one, other in decided if one != other)


def sentence(circuit: Circuit) -> str:
    """Return the rules for points and places as a sentence."""
    counted = (
        ngettext(
            "the best tournament counts", "the best {best} tournaments count", circuit.best
        ).format(best=circuit.best)
        if circuit.best
        else gettext("all count")
    )
    parts = [_given(circuit), counted]
    if circuit.direct:
        parts.append(
            ngettext(
                "the winner of each qualifier is in the final",
                "the first {direct} of each qualifier are in the final",
                circuit.direct,
            ).format(direct=circuit.direct)
        )
    if circuit.by_ranking:
        parts.append(gettext("{more} more by points").format(more=circuit.by_ranking))
    return "; ".join(parts) + "."


def _given(circuit: Circuit) -> str:
    """Describe which points places give."""
    tables = [(least, ", ".join(map(str, points))) for least, points in circuit.by_size]
    if not circuit.has_sizes:
        points = tables[0][1]
        if not points:
            return gettext("Places give no points")
        return gettext("Places give {points} points").format(points=points)
    each = gettext("from {least} players {points}")
    text = gettext("Places give points by how many played: {tables}")
    return text.format(tables="; ".join(each.format(least=n, points=p) for n, p in tables))


def changes(log: UUID, before: Desk, after: Desk) -> Iterable[str]:
    """Describe what another order of a tournament would change in its circuits.

    If its close was undone, or it could be closed now: what closing it would write.
    """
    was, now = _both_final_places(before, after)
    if was == now or not (before.closed or after.closed or _is_last(log, after)):
        return
    fields = [(desk, places, _sharing(places)) for desk, places in ((before, was), (after, now))]
    for qualifier in Qualifier.objects.filter(tournament=log).select_related(
        "circuit", "tournament"
    ):
        circuit = qualifier.circuit
        entries = {
            number: entry
            for desk in (before, after)
            for number, entry in desks.entries_by_number(qualifier.tournament, desk).items()
            if entry.player_id is not None
        }
        for player in sorted(entries.keys() & (was.keys() | now.keys())):
            old, new = (
                points_for(
                    circuit, places.get(player, 0), len(places), qualifier.tier, sharing[player]
                )
                if player not in entrants(desk, "disqualified")
                else 0
                for desk, places, sharing in fields
            )
            if old != new:
                text = ngettext(
                    "{circuit}: {get} has {new} point here, not {old}.",
                    "{circuit}: {get} has {new} points here, not {old}.",
                    new,
                )
                yield text.format(circuit=circuit, get=entries[player].name, new=new, old=old)


def _both_final_places(before: Desk, after: Desk) -> tuple[dict[int, int], dict[int, int]]:
    """Return the final places of two states of a desk; none while it cannot be closed yet."""
    if before.closed or after.closed:
        return final_places(before), final_places(after)
    if not all(desk.stages and may_start(desk) for desk in (before, after)):
        return {}, {}
    return final_places(closed_now(before)), final_places(closed_now(after))


def _is_last(log: UUID, desk: Desk) -> bool:
    """Return whether no stage is planned after the open one."""
    return StagePlan.objects.filter(tournament=log).count() <= len(desk.stages)


def _sharing(places: Mapping[int, int]) -> Counter[int]:
    """Return for each entrant how many share their place."""
    many = Counter(places.values())
    return Counter({player: many[place] for player, place in places.items()})
