"""The disciplinary record of a league: who was penalised at which tournament, who is banned."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from league import policy
from league.models import League, Penalty, Sanction
from matches.models import Player
from matches.policy import Actor


@dataclass(frozen=True)
class OnRecord:
    """A player's penalties, newest first, with their demerits in all, and what keeps them out."""

    player: Player
    demerits: int
    penalties: Sequence[Penalty]
    sanctions: Sequence[Sanction]


def record_for(actor: Actor, league: League | None) -> list[OnRecord] | None:
    """Return everybody on record, most demerits first; None to those who do not discipline."""
    if league is None or not policy.may_discipline(actor, league):
        return None
    players: dict[Player, tuple[list[Penalty], list[Sanction]]] = defaultdict(lambda: ([], []))
    given = Penalty.objects.filter(tournament__league=league).exclude(entry__player=None)
    for penalty in given.select_related("tournament", "entry__player"):
        if penalty.entry.player is not None:
            players[penalty.entry.player][0].append(penalty)
    today = timezone.localdate()
    for sanction in league.sanctions.select_related("player"):
        if sanction.holds_on(today):
            players[sanction.player][1].append(sanction)
    found = [
        OnRecord(player, sum(each.demerits for each in penalties), penalties, sanctions)
        for player, (penalties, sanctions) in players.items()
    ]
    return sorted(found, key=lambda one: (-one.demerits, one.player.name, one.player.pk))
