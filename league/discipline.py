"""Penalties and what they imply at a desk, and the disciplinary record of a league."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

from django.utils import timezone
from django.utils.translation import gettext

import rules
from league import policy, recording
from league.models import League, Penalty, Sanction, Tournament
from league.sanctions import sanctions_of
from matches import canonical
from matches import log as logs
from matches.actors import Actor
from matches.models import Player
from rules.desk.acts import Disqualified, PenaltyGiven, Ruled
from rules.desk.state import Desk, round_at, round_under_way
from rules.desk.worth import wins_needed
from rules.ruleset import Act

ENDING = ("match-loss", "disqualification")
"""Penalties that lose the open match."""


@dataclass(frozen=True)
class OnRecord:
    """A player's penalties, newest first, the sum of their demerits, and current sanctions."""

    player: Player
    demerits: int
    penalties: Sequence[Penalty]
    sanctions: Sequence[Sanction]


def record_for(actor: Actor, league: League | None) -> list[OnRecord] | None:
    """Return all players on record, most demerits first; None for those who may not see it."""
    if league is None or not policy.may_discipline(actor, league):
        return None
    players: dict[Player, tuple[list[Penalty], list[Sanction]]] = defaultdict(lambda: ([], []))
    given = Penalty.objects.filter(tournament__league=league).exclude(entry__player=None)
    for penalty in given.select_related("tournament", "entry__player"):
        if penalty.entry.player is not None:
            players[penalty.entry.player][0].append(penalty)
    today = timezone.localdate()
    for sanction in sanctions_of(league):
        if sanction.holds_on(today):
            players[sanction.player][1].append(sanction)
    found = [
        OnRecord(player, sum(each.demerits for each in penalties), penalties, sanctions)
        for player, (penalties, sanctions) in players.items()
    ]
    return sorted(found, key=lambda one: (-one.demerits, one.player.name, one.player.pk))


class Penalising(logs.Request):
    """A penalty with the acts it implies, written as one request."""

    def id_of(self, offset: int) -> UUID:
        """Return the act id of one of its entries: entry 0 is the penalty."""
        return uuid5(self.act_id, str(offset)) if offset else self.act_id


def penalise(
    *, tournament: Tournament, by: Actor, act_id: UUID, act: Mapping[str, Any], note: str = ""
) -> list[Act]:
    """Record a penalty and the acts it implies at once; return the implied acts.

    The note is for officials; that a match was lost by a penalty is public. Raises: as
    `recording.record`.
    """
    policy.require_see(by, tournament)
    penalty: PenaltyGiven = canonical.convert({"note": "", **act}, PenaltyGiven, "$.act")
    note = canonical.text_from(note, "$.note", canonical.MAX_NOTE, lines=True)
    by_whom = policy.require_make(by).pk
    request = Penalising(act_id, penalty, by_whom, note=note)

    def add(drafting: logs.Drafting) -> None:
        recording.require_may(by, tournament, penalty)
        recording.permit(drafting.timeline, by, tournament, penalty)
        drafting.add(request)
        does = _what_it_does(penalty, drafting.timeline.head.state.desk)
        for place, one in enumerate(does, 1):
            recording.require_may(by, tournament, one)
            recording.permit(drafting.timeline, by, tournament, one)
            why = _why(penalty) if isinstance(one, Ruled) else ""
            drafting.add(logs.Request(request.id_of(place), one, by_whom, note=why))

    _, *beside = logs.write_all(tournament.log, request, add)
    return [receipt.act for receipt in beside]


def _what_it_does(penalty: PenaltyGiven, desk: Desk) -> list[Act]:
    """Return the acts a penalty implies: a disqualification, a loss of the open match."""
    found: list[Act] = []
    out = desk.people[penalty.entrant - 1].status == "disqualified"
    if penalty.penalty == "disqualification" and not out:
        found.append(Disqualified(entrant=penalty.entrant))
    if penalty.penalty in ENDING:
        found += _lost(penalty.entrant, desk)
    return found


def _lost(entrant: int, desk: Desk) -> Iterator[Ruled]:
    """Yield the ruling that an entrant lost at their table, if they sit at an open table of two."""
    number = round_under_way(desk)
    if not number:
        return
    need = wins_needed(desk.stages[-1])
    for table in round_at(desk, number).tables:
        here = entrant in table.players and len(table.players) == 2
        if here and table.status != "settled":
            scores = tuple(0 if each == entrant else need for each in table.players)
            yield Ruled(round=number, table=table.number, note="", scores=scores)


def _why(penalty: PenaltyGiven) -> str:
    penalised = rules.get("desk").texts[f"value.penalty.{penalty.penalty}"]
    return gettext("A penalty: {told}.").format(told=penalised)
