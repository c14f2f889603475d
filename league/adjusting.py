"""Adjustments: points that organisers give a player in a division or a circuit, or take."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext

from league import circuits, divisions, policy, removing, texts
from league.models import Adjustment, Circuit, Division
from matches import once
from matches.actors import Actor
from matches.errors import BadInput
from matches.models import Player

MAX_ADJUSTMENT = 1000


def adjust(
    *,
    by: Actor,
    within: Division | Circuit,
    player: Player,
    points: int,
    reason: str,
    act_id: UUID | None = None,
) -> Adjustment:
    """Give a player of a division or a circuit points, or take some, and say why.

    Idempotent per `act_id`. Raises: NotAllowed, BadInput, NotFound, IdReused.
    """
    policy.require_run(by, within.season.league)
    if not 1 <= abs(points) <= MAX_ADJUSTMENT:
        text = gettext("From {least} to {most} points are given, and not 0.")
        text = text.format(least=-MAX_ADJUSTMENT, most=MAX_ADJUSTMENT)
        raise BadInput("bad-points", text, "$.points")
    of: dict[str, Any] = {"division" if isinstance(within, Division) else "circuit": within}
    return once.make(
        Adjustment,
        policy.require_make(by).pk,
        act_id,
        keep=lambda made: _made(made, by),
        key="act_id",
        player=player,
        points=points,
        reason=texts.of_field(Adjustment, "reason", reason),
        **of,
    )


def players_of(within: Division | Circuit) -> list[Player]:
    """Return who may be given points: the players in the table of a division or a circuit."""
    if isinstance(within, Division):
        return [row.player for row in divisions.division_table(within)]
    return [row.player for row in circuits.table_of(within)]


def _made(adjustment: Adjustment, by: Actor) -> None:
    """Save a new adjustment. Raises: BadInput for a player who is not in the table."""
    player, within = adjustment.player, adjustment.within
    removing.lock(within)
    if player not in players_of(within):
        if isinstance(within, Division):
            text = gettext("{player} does not play in {division}.")
            text = text.format(player=player, division=within)
            raise BadInput("not-in-division", text, "$.player")
        text = gettext("{player} has no result in {circuit}.")
        raise BadInput("not-in-circuit", text.format(player=player, circuit=within), "$.player")
    adjustment.made_by = by.player
    adjustment.save(force_insert=True)
