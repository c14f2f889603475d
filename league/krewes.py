"""Krewes: their captains and players."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from league import desks, policy, removing, texts
from league.models import Entry, Krewe, League
from matches import once
from matches.actors import Actor
from matches.errors import BadInput, Conflict
from matches.models import Player


def make_krewe(
    *,
    by: Actor,
    league: League,
    name: str,
    players: Sequence[Player] = (),
    captain: Player | None = None,
    act_id: UUID | None = None,
) -> Krewe:
    """Make a krewe in a league, with the actor as captain; all its players must be in the league.

    An organiser may name another captain. Idempotent per `act_id`. Raises: NotAllowed, BadInput,
    Conflict.
    """
    maker = policy.require_play(by, league)
    others = list(players)
    if captain is not None and captain.pk != maker.pk:
        policy.require_run(by, league)
        others.append(captain)
    name = texts.name(name)
    for number, player in enumerate(others):
        _require_plays(player, league, f"$.players[{number}]")
    captain = captain or maker
    with _only_krewe_called(name):
        return once.make(
            Krewe,
            maker.pk,
            act_id,
            league=league,
            name=name,
            captain=captain,
            players={captain, *others},
        )


def edit_krewe(*, by: Actor, krewe: Krewe, **changes: Any) -> None:
    """Rename a krewe, or hand it to another of its players as captain.

    Raises: NotAllowed, BadInput, Conflict.
    """
    policy.require_lead(by, krewe)
    if "name" in changes:
        changes["name"] = texts.name(changes["name"])
    for field, value in changes.items():
        setattr(krewe, field, value)
    with _only_krewe_called(krewe.name):
        removing.lock(krewe)  # a captain who leaves meanwhile waits here
        if "captain" in changes and not krewe.players.filter(pk=changes["captain"].pk).exists():
            detail = gettext("The captain must be in the krewe.")
            raise BadInput("not-a-member", detail, "$.captain")
        krewe.save(update_fields=list(changes))


def _only_krewe_called(name: str) -> AbstractContextManager[None]:
    text = gettext("There is a krewe {name} already.").format(name=name)
    return once.only_one("name-taken", text, "$.name")


def add_to_krewe(*, by: Actor, krewe: Krewe, player: Player) -> None:
    """Add a player of the league to a krewe.

    Raises: NotAllowed, BadInput, Conflict if they have another entry in an open tournament of the
    krewe.
    """
    policy.require_lead(by, krewe)
    _require_plays(player, krewe.league, "$.add")
    under_way = krewe.entries.filter(tournament__closed_at=None).values("tournament")
    theirs = Entry.objects.filter(policy.names_one(player), tournament__in=under_way)
    others = theirs.exclude(krewe=krewe).select_related("tournament__log")
    if other := next(filter(desks.counts, others), None):
        text = gettext("{player} takes part in {tournament} already.")
        text = text.format(player=player, tournament=other.tournament)
        raise Conflict("entered-already", text, where="$.add")
    krewe.players.add(player)


def leave_krewe(*, by: Actor, krewe: Krewe, player: Player) -> None:
    """Leave a krewe, or remove a player. Raises: NotAllowed, NotFound, Conflict for its captain."""
    if by.player_id != player.pk:
        policy.require_lead(by, krewe)
    with transaction.atomic():
        if player.pk == removing.lock(krewe).captain_id:
            detail = gettext("The captain cannot leave the krewe: name another captain first.")
            raise Conflict("is-captain", detail)
        krewe.players.remove(player)


def remove_krewe(*, by: Actor, krewe: Krewe) -> None:
    """Delete a krewe that never entered a tournament. Raises: NotAllowed, NotFound, Conflict."""
    policy.require_lead(by, krewe)
    with transaction.atomic():
        removing.lock(krewe)
        if krewe.entries.exists():
            detail = gettext(
                "A krewe that has entered a tournament cannot be removed. "
                "Name another captain instead."
            )
            raise Conflict("has-entered", detail)
        krewe.delete()


def _require_plays(player: Player, league: League, where: str) -> None:
    if not league.members.filter(player=player).exists():
        raise BadInput(
            "not-a-member",
            gettext("{player} does not play in {league}.").format(player=player, league=league),
            where,
        )
