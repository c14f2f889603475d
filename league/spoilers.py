"""Matches that reveal earlier winners: those in a bracket after its first round."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from league import policy
from league.models import Entry, Membership, Pairing, Role, StagePlan, TableMatch, Tournament
from matches.actors import Actor
from matches.models import Player


def later_rounds(actor: Actor) -> Q | None:
    """Return the condition for matches of later bracket rounds at which an actor has no part.

    A table counts as outside a bracket only once it is projected as such.
    """
    if actor.is_superuser:
        return None
    at = {"round__tournament": OuterRef("tournament"), "round__number": OuterRef("round")}
    outside = Pairing.objects.order_by().filter(**at, table=OuterRef("table"), slot="")
    pods = StagePlan.objects.order_by().filter(
        tournament=OuterRef("tournament"), settings__format="pod-elimination"
    )
    found = TableMatch.objects.order_by().filter(round__gt=1)
    found = found.filter(~Exists(outside) | Exists(pods))
    if actor.player is not None:
        found = found.exclude(tournament__in=_with_a_part(actor.player))
    return Q(pk__in=found.values("match"))


def _with_a_part(player: Player) -> QuerySet[Tournament, Any]:
    """Return the tournaments a player takes part in or is an official of."""
    roles = Membership.objects.order_by().filter(player=player).exclude(role=Role.PLAYER)
    entered = Entry.objects.order_by().filter(policy.takes_part(player)).values("tournament")
    found = Q(opener=player) | policy.held_at(roles) | Q(pk__in=entered)
    return Tournament.objects.order_by().filter(found).values("pk")
