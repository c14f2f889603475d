"""Roles in a league or at a tournament, and the history of who gave and took them."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from league import policy
from league.models import League, Membership, Role, RoleChange, Tournament
from matches.actors import Actor
from matches.errors import BadInput, Conflict, NotFound
from matches.models import Player

MAX_CHANGES = 100


def join(*, by: Actor, league: League) -> Membership:
    """Join a league as a player. Raises: NotAllowed, Conflict if it takes no players."""
    player = policy.require_make(by)
    if not league.is_open:
        raise Conflict("closed", gettext("This league is not taking players at the moment."))
    return given(by, league=league, player=player, role=Role.PLAYER)


def name_member(
    *,
    by: Actor,
    player: Player,
    role: str,
    league: League | None = None,
    tournament: Tournament | None = None,
) -> Membership:
    """Give somebody a role in a league or at a tournament. Raises: NotAllowed, BadInput."""
    if role not in Role.values:
        raise BadInput(
            "unknown-value",
            gettext("A role is one of {values}.").format(values=", ".join(Role.values)),
            "$.role",
        )
    _require(by, tournament or league)
    of: dict[str, Any] = {"tournament": tournament} if tournament else {"league": league}
    return given(by, player=player, role=role, **of)


def dismiss(*, by: Actor, member: Membership) -> None:
    """End a role. Raises: NotAllowed, Conflict for the last organiser of a league."""
    own = member.player_id == by.player_id
    if member.tournament is not None or not own or member.role != Role.PLAYER:
        _require(by, member.tournament or member.league)
    with transaction.atomic():
        if member.league is not None and member.role == Role.ORGANISER:
            League.objects.select_for_update().get(pk=member.league.pk)
            others = Membership.objects.filter(league=member.league, role=Role.ORGANISER)
            if not others.exclude(pk=member.pk).exists():
                raise Conflict("last-organiser", gettext("Name another organiser first."))
        end(member, by.player)


def end(member: Membership, by: Player | None = None) -> None:
    """Delete a role and record who did so, None for the site itself."""
    if Membership.objects.filter(pk=member.pk).delete()[0]:
        of = {"league": member.league, "tournament": member.tournament}
        change = {"player": member.player, "role": member.role, "given": False}
        RoleChange.objects.create(by=by, **of, **change)


def was_taken(player: Player, member: Membership) -> bool:
    """Return whether a player once had another player's role and it was taken away from them."""
    of = {"league": member.league, "tournament": member.tournament}
    same: dict[str, Any] = {"player": player, "role": member.role, **of}
    if Membership.objects.filter(**same).exists():
        return False
    last = RoleChange.objects.filter(**same).order_by("-pk").first()
    return last is not None and not last.given


def given(by: Actor, *, player: Player, role: str, **of: Any) -> Membership:
    """Return somebody's role in a league or at a tournament, creating and recording it if new."""
    with transaction.atomic():
        found, new = Membership.objects.get_or_create(player=player, role=role, **of)
        if new:
            RoleChange.objects.create(by=by.player, player=player, role=role, given=True, **of)
    return found


def members_of(*, by: Actor, thing: League | Tournament) -> QuerySet[Membership]:
    """Return the roles in a league or at a tournament. Raises: NotAllowed, NotFound."""
    _require(by, thing)
    found = thing.members if isinstance(thing, League) else thing.staff
    return found.select_related("player__user", "league", "tournament")


def member(*, by: Actor, thing: League | Tournament, **wanted: object) -> Membership:
    """Return one of these roles. Raises: NotAllowed, NotFound."""
    found = members_of(by=by, thing=thing).filter(**wanted).first()
    if found is None:
        raise NotFound(gettext("Nobody has that role here."), "no-such-role")
    return found


def changes_of(*, by: Actor, thing: League | Tournament) -> QuerySet[RoleChange]:
    """Return the latest changes of roles, newest first. Raises: NotAllowed, NotFound."""
    _require(by, thing)
    return thing.role_changes.select_related("player", "by")[:MAX_CHANGES]


def _require(by: Actor, thing: League | Tournament | None) -> None:
    if isinstance(thing, Tournament):
        policy.require_organise(by, thing)
    else:
        policy.require_run(by, thing)
