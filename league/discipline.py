"""Penalties and what they imply at a desk, and the disciplinary record of a league."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any
from uuid import UUID

import msgspec
from django.utils import timezone
from django.utils.translation import gettext

import rules
from league import policy, recording
from league.models import League, Penalty, Sanction, Tournament
from league.sanctions import sanctions_of
from matches import canonical, once
from matches import log as logs
from matches.actors import Actor
from matches.models import Player
from rules.desk.acts import Disqualified, PenaltyGiven, PenaltyWithdrawn, Returned, Ruled
from rules.desk.state import (
    OUT,
    Desk,
    State,
    disqualifying,
    is_disqualified,
    round_at,
    round_under_way,
)
from rules.desk.state import Penalty as PenaltyAtDesk
from rules.desk.worth import wins_needed
from rules.replay import Timeline
from rules.ruleset import LEGAL, Act

ENDING = ("match-loss", OUT)
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
    """A penalty, or its withdrawal, with the acts it implies, written as one request."""

    def id_of(self, offset: int) -> UUID:
        """Return the act id of one of its entries: entry 0 is the penalty or its withdrawal."""
        return once.nth_id(self.act_id, offset)


def penalise(
    *, tournament: Tournament, by: Actor, act_id: UUID, act: Mapping[str, Any], note: str
) -> list[Act]:
    """Record a penalty and the acts it implies at once; return the implied acts.

    The note is for officials; that a match was lost by a penalty is public. Raises: as
    `recording.record`.
    """
    policy.require_see(by, tournament)
    penalty: PenaltyGiven = canonical.convert({"note": "", **act}, PenaltyGiven, "$.act")
    note = canonical.text_from(note, "$.note", canonical.MAX_NOTE, lines=True)
    request = Penalising(act_id, penalty, policy.require_make(by).pk, note=note)
    return _write(tournament, by, request, partial(_done_by, penalty), _why(penalty))


def withdraw_penalty(
    *, tournament: Tournament, by: Actor, act_id: UUID, number: int, note: str
) -> list[Act]:
    """Take a penalty off the record, and return the acts recorded with it.

    Whom it alone disqualified is back, unless the stage went on without them; who was disqualified
    by hand too stays out until they are returned. A match lost by it stays lost until its result is
    corrected. Raises: as `recording.record`.
    """
    policy.require_see(by, tournament)
    act = PenaltyWithdrawn(number=number, note="")
    note = canonical.note_from(act, note)
    request = Penalising(act_id, act, policy.require_make(by).pk, note=note)
    return _write(tournament, by, request, partial(_undone_by, number))


def _write(
    tournament: Tournament,
    by: Actor,
    request: Penalising,
    implied: Callable[[Timeline], list[Act]],
    why: str = "",
) -> list[Act]:
    """Record a penalty or its withdrawal with the acts `implied` by it, rulings with a reason.

    Returns the implied acts.
    """

    def add(drafting: logs.Drafting) -> None:
        def record(one: logs.Request) -> None:
            recording.require_may(by, tournament, one.act)
            recording.permit(drafting.timeline, by, tournament, one.act)
            drafting.add(one)

        record(request)
        for place, one in enumerate(implied(drafting.timeline), 1):
            note = why if isinstance(one, Ruled) else ""
            record(logs.Request(request.id_of(place), one, request.by, note=note))

    _, *beside = logs.write_all(tournament.log, request, add)
    return [receipt.act for receipt in beside]


def _done_by(penalty: PenaltyGiven, timeline: Timeline) -> list[Act]:
    """Return what a penalty does: a disqualification, a loss of the open match."""
    desk: Desk = timeline.head.state.desk
    found: list[Act] = []
    if penalty.penalty == OUT and not is_disqualified(desk, penalty.entrant):
        found.append(Disqualified(entrant=penalty.entrant))
    if penalty.penalty in ENDING:
        found += _lost(penalty.entrant, desk)
    return found


def _undone_by(number: int, timeline: Timeline) -> list[Act]:
    """Return the return of an entrant whom nothing but the withdrawn penalty disqualified.

    Nobody returns to a stage that went on without them.
    """
    state: State = timeline.head.state
    desk = state.desk
    withdrawn = desk.penalties[number - 1]
    entrant = withdrawn.entrant
    if withdrawn.penalty != OUT or not is_disqualified(desk, entrant):
        return []
    if disqualifying(desk, entrant) or _by_hand(timeline, entrant):
        return []
    back = Returned(entrant=entrant)
    return [back] if rules.get("desk").judge(state, back) == LEGAL else []


def _by_hand(timeline: Timeline, entrant: int) -> bool:
    """Tell whether an entrant who is out was disqualified by hand: by no penalty just before."""
    for act, before in pairwise(entry.act for entry in timeline.backwards()):
        if isinstance(act, Disqualified) and act.entrant == entrant:
            match before:
                case PenaltyGiven(entrant=penalised, penalty="disqualification"):
                    return penalised != entrant
            return True
    return False


def on_record_at(desk: Desk) -> Iterator[tuple[int, PenaltyAtDesk]]:
    """Yield the penalties of a tournament that were not withdrawn, with their numbers."""
    return ((number, each) for number, each in enumerate(desk.penalties, 1) if not each.withdrawn)


def given_twice(desk: Desk) -> frozenset[int]:
    """Return the numbers of penalties on record that were given more than once in a round.

    Two officials who did so for one offence may have differed in the demerits.
    """
    alike: dict[PenaltyAtDesk, list[int]] = defaultdict(list)
    for number, each in on_record_at(desk):
        alike[msgspec.structs.replace(each, demerits=0)].append(number)
    return frozenset(number for some in alike.values() if len(some) > 1 for number in some)


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
