"""A circuit as shown to an actor; who is in its final and why, who is not, and what is certain.

What is certain assumes that nobody else declines or is named as a replacement, no tournament is
added, and organisers give or take no further points. A place awarded by a tournament cannot be
lost; places by points are bounded by `qualify`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any, Literal
from uuid import UUID

from django.utils.translation import gettext, ngettext

from league import finals, policy
from league.circuits import (
    Ending,
    Finisher,
    adjustments_of,
    endings_of,
    qualifiers_of,
    shown_to,
    table_from,
    with_moves,
)
from league.finals import Finalists, InvitedPlace
from league.models import Circuit, Qualifier, Tournament
from league.scene import Scene
from matches.actors import Actor
from rules.desk import qualify
from rules.desk.standings import closed_now, final_places
from rules.desk.worth import counts

Status = Literal["in", "waiting", "declined"]


@dataclass(frozen=True)
class Outlook:
    """A player's chance. `needs`: the points at one remaining tournament that guarantee a place."""

    status: Status
    why: str
    call: Literal["safe", "out", "live"] = "live"
    needs: int | None = None

    @property
    def brief(self) -> str:
        """Describe it in a few words, for the table."""
        if self.status == "declined":
            return gettext("does not come")
        if self.status == "in":
            return gettext("in for sure") if self.call == "safe" else gettext("in as it stands")
        return gettext("out") if self.call == "out" else ""

    @property
    def need(self) -> str:
        """Describe what guarantees a place, "" if that is unknown or they are safe."""
        if self.needs is None:
            return ""
        return ngettext(
            "With {needs} point at one tournament to come it is sure, whatever others do.",
            "With {needs} points at one tournament to come it is sure, whatever others do.",
            self.needs,
        ).format(needs=self.needs)

    @property
    def sentence(self) -> str:
        """Describe it to the player."""
        sentence = {
            ("in", "safe"): gettext("You are in the final, whatever happens: {why}."),
            ("in", "live"): gettext("You are in the final as it stands: {why}."),
            ("declined", "live"): gettext("You said that you do not come to the final."),
            ("waiting", "out"): gettext("You can no longer get into the final."),
        }.get((self.status, self.call), gettext("You are not in the final as it stands: {why}."))
        return f"{sentence.format(why=self.why)} {self.need}".strip()


class CircuitScene:
    """What an actor is shown of a circuit: its table after so many of the tournaments they may see.

    `so_far`: as if the one under way ended as it stands, which is then the scene's `so_far`. Who is
    in the final is told only to those who may see all of its tournaments.
    """

    def __init__(
        self, circuit: Circuit, actor: Actor, after: int | None = None, *, so_far: bool = False
    ) -> None:
        self.circuit, self.actor = circuit, actor
        self.every = qualifiers_of(circuit)
        self.qualifiers = shown_to(actor, self.every)
        self.endings = endings_of(self.qualifiers)
        self.so_far: Qualifier | None = None
        if so_far and after is None:
            self._count_so_far()
        count = len(self.qualifiers)
        self.after = count if after is None else min(after, count)
        rows = table_from(circuit, self.endings, self.after)
        self.rows = with_moves(rows, circuit, self.endings[: self.after])
        self.is_whole = count == len(self.every)

    def _count_so_far(self) -> None:
        on = self.on_now
        stands = _so_far(self.actor, on) if on else None
        if stands:
            self.endings = [stands if each.qualifier == on else each for each in self.endings]
            self.so_far = on

    @property
    def on_now(self) -> Qualifier | None:
        """Return the tournament that is under way, if there is one."""
        found: Any = self.next_up
        return found if found is not None and found.begun else None

    @cached_property
    def outlooks(self) -> dict[UUID, Outlook]:
        """Return the outlooks by player; none in a table of the past, or of what is not certain."""
        is_now = self.after == len(self.endings) and not self.so_far
        return outlooks(self.circuit, self.endings) if self.is_whole and is_now else {}

    @property
    def qualified(self) -> list[InvitedPlace]:
        return finals.qualified(self.circuit, self.endings) if self.is_whole else []

    @property
    def next_up(self) -> Qualifier | None:
        """Return the tournament that is on, else the next one to come, if there is any."""
        open_: list[Any] = [each for each in self.qualifiers if each.tournament.closed_at is None]
        return min(open_, key=lambda each: not each.begun, default=None)

    @property
    def final(self) -> Tournament | None:
        """Return the final, if there is one that the actor may see."""
        found = self.circuit.final
        return found if found is not None and policy.may_see(self.actor, found) else None


def _so_far(actor: Actor, qualifier: Qualifier) -> Ending | None:
    """Return how a tournament would end as it stands for an actor, None before its first result."""
    scene = Scene(actor, qualifier.tournament)
    desk, only = scene.desk, scene.options.confirmed_only
    tables = [table for each in desk.rounds for table in each.tables]
    if not any(counts(table, confirmed_only=only) for table in tables):
        return None
    places = final_places(closed_now(desk, confirmed_only=only))
    sharing = Counter(places.values())
    came = [
        Finisher(place, player, sharing[place])
        for number, place in sorted(places.items(), key=itemgetter(1))
        if (player := scene.entries[number].player) and number not in scene.disqualified
    ]
    return Ending(qualifier, came, len(places))


def outlooks(circuit: Circuit, endings: Sequence[Ending]) -> dict[UUID, Outlook]:
    """Return the outlook of every player with points or a place; none if there is no final.

    `endings` are those of all tournaments of the circuit.
    """
    finalists = finals.finalists_of(circuit, endings)
    gives = any(finals.direct_of(each.qualifier, circuit) for each in endings)
    if not (circuit.by_ranking or gives):
        return {}
    bounds = _Bounds(finalists, endings)
    found = {place.player.pk: bounds.of_place(place) for place in finalists.places}
    line = 0
    for row in finalists.table:
        if row.player.pk in finalists.out:
            found[row.player.pk] = Outlook("declined", "")
        elif row.player.pk not in found:
            line += 1
            found[row.player.pk] = bounds.of_waiting(row.player.pk, line)
    return found


class _Bounds:
    """Bounds of the places by points, among the players without a place from a tournament."""

    def __init__(self, finalists: Finalists, endings: Sequence[Ending]) -> None:
        circuit, self.size = finalists.circuit, finalists.by_ranking
        self.to_come = [each.qualifier for each in endings if not each.field]
        given = {place.player.pk for place in finalists.places if place.direct}
        named = {pk for pk in finalists.out if finalists.answers[pk].replacement_id}
        rivals = [
            row
            for row in finalists.table
            if row.player.pk not in given and (row.player.pk not in finalists.out - named)
        ]
        self.numbers = {row.player.pk: number for number, row in enumerate(rivals)}
        events = [
            [[points * each.tier for points in table] for _, table in circuit.by_size]
            for each in self.to_come
        ]
        results = {n: [got.points for got in row.got] for n, row in enumerate(rivals)}
        adjusted = {n: row.adjusted for n, row in enumerate(rivals)}
        ranked = {row.player.pk for row in finalists.table}
        joining = [
            sum(each.points for each in adjustments)
            for pk, adjustments in adjustments_of(circuit).items()
            if pk not in ranked | given | (finalists.out - named)
        ]  # of players whose only result was undone since: they count again with the next
        adjusted |= dict(enumerate(joining, len(rivals)))
        self.season = qualify.Season(results, events, circuit.best, adjusted)
        self.reach = {each.entrant: each for each in self.season.reach()}
        direct = any(finals.direct_of(each, circuit) for each in self.to_come)
        self.may_be_out = not (named or direct)

    def of_place(self, place: finals.InvitedPlace) -> Outlook:
        if place.direct or not self.to_come:
            return Outlook("in", place.why, "safe")
        return self._bounded("in", place.why, place.player.pk)

    def of_waiting(self, player: UUID, line: int) -> Outlook:
        why = gettext("number {line} by points of those without a place").format(line=line)
        if self.to_come:
            return self._bounded("waiting", why, player)
        return Outlook("waiting", why)

    def _bounded(self, status: Status, why: str, player: UUID) -> Outlook:
        number = self.numbers.get(player)
        if number is None:
            return Outlook(status, why)
        call = self.reach[number].call(self.size)
        if call == "safe":
            return Outlook(status, why, "safe" if status == "in" else "live")
        if call == "out":
            return Outlook(status, why, "out" if self.may_be_out else "live")
        return Outlook(status, why, needs=self.season.needed(number, self.size))
