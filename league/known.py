"""Players known to organisers, so that they enter as themselves and not as another guest."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from characters.models import Character
from characters.policy import visible_characters
from league import desks, policy
from league.models import DivisionPlayer, Entry, League, Membership, Tournament
from matches.actors import Actor
from matches.errors import NotFound
from matches.models import Player

MAX_NAMES = 300
MAX_ASKED = 6


def of_league(league: League) -> QuerySet[Player]:
    """Return the players with an entry, a role or a division in a league, by name."""
    there = Tournament.objects.filter(league=league).values("pk")
    found = Player.objects.filter(_in_league(league))
    return _with_last(found, there).order_by("name", "pk")


def names(actor: Actor, tournament: Tournament) -> list[str]:
    """Return the distinct names to suggest while an organiser types one."""
    found = _may_enter(tournament).filter(_known(actor, tournament)).order_by("name")
    return list(found.values_list("name", flat=True).distinct()[:MAX_NAMES])


def namesakes(actor: Actor, tournament: Tournament, name: str) -> list[Player]:
    """Return the players a name may mean: known guests first, then players with an account."""
    account = Q(user__is_active=True)
    found = _may_enter(tournament).filter(_known(actor, tournament) | account, name__iexact=name)
    seen = policy.visible_tournaments(actor).values("pk")
    first = F("user").asc(nulls_first=True), F("last_at").desc(nulls_last=True)
    return list(_with_last(found, seen).order_by(*first, "pk")[:MAX_ASKED])


def namesakes_of(
    actor: Actor, tournament: Tournament, names: Iterable[str]
) -> dict[str, list[Player]]:
    """Return the players each of many names may mean, if the league or the organiser knows them.

    Names without a match are left out; whoever played last comes first.
    """
    wanted = {*names}
    alike = Q(name__in=wanted) | Q(lower__in={name.lower() for name in wanted})
    known = _may_enter(tournament).filter(_known(actor, tournament)).annotate(lower=Lower("name"))
    seen = policy.visible_tournaments(actor).values("pk")
    rows = _with_last(known.filter(alike), seen).order_by(F("last_at").desc(nulls_last=True), "pk")
    by_name: dict[str, list[Player]] = defaultdict(list)
    for player in rows:
        by_name[player.name.casefold()].append(player)
    found = {name: by_name.get(name.casefold(), []) for name in wanted}
    return {name: players for name, players in found.items() if players}


def meant(known: Mapping[str, Sequence[Player]], name: str, pk: UUID) -> Player:
    """Return the one of `namesakes_of` whom a name and an id mean. Raises: NotFound."""
    for player in known.get(name, ()):
        if player.pk == pk:
            return player
    text = gettext("Nobody known here as {name} has that id.").format(name=name)
    raise NotFound(text, "no-such-player")


def characters(actor: Actor, tournament: Tournament) -> QuerySet[Character]:
    """Return the characters an organiser may enter: of players known here, and their own.

    None that the organiser may not see, and none if characters do not enter.
    """
    if tournament.enters != Tournament.Enters.CHARACTER:
        return Character.objects.none()
    players = _may_enter(tournament).filter(_known(actor, tournament) | Q(pk=actor.player_id))
    found = visible_characters(actor).filter(owner__in=players.values("pk"))
    return found.select_related("owner").order_by("name", "pk")


def is_here(tournament: Tournament, name: str) -> bool:
    """Return whether somebody with that name is entered already."""
    return desks.entries_there(tournament).filter(player__name__iexact=name).exists()


def describe(player: Player) -> str:
    """Describe a player of `of_league` or `namesakes`: name, account, last tournament.

    A guest of no tournament is told from namesakes by when they were added.
    """
    last = last_of(player)
    when = date_format(timezone.localtime(player.created_at), gettext("j M Y, H:i"))
    if player.user_id and last:
        text = gettext("{name}, with an account, at {last}")
    elif player.user_id:
        text = gettext("{name}, with an account")
    elif last:
        text = gettext("{name}, at {last}")
    else:
        text = gettext("{name} (added {when})")
    return text.format(name=player.name, last=last, when=when)


def last_of(player: Player) -> str:
    """Return the last tournament of a player from those querysets, "" if unknown."""
    return getattr(player, "last", None) or ""


def _in_league(league: League | None) -> Q:
    """Return the condition for players known to a league; for no league it matches nobody."""
    if league is None:
        return Q(pk__in=[])
    entered = Entry.objects.filter(tournament__league=league, player__isnull=False)
    members = Membership.objects.filter(league=league)
    placed = DivisionPlayer.objects.filter(division__season__league=league)
    there = (Q(pk__in=rows.values("player")) for rows in (entered, members, placed))
    return reduce(or_, there) & Q(claimed_by=None)


def _known(actor: Actor, tournament: Tournament) -> Q:
    """Return the condition for players known to the league, or guests made by the actor."""
    return _in_league(tournament.league) | Q(invited_by=actor.player, user=None)


def _may_enter(tournament: Tournament) -> QuerySet[Player]:
    """Return the players not entered yet, without claimed guests (their claimants stand for them).

    Players whose entry was taken back are among them.
    """
    found = Player.objects.filter(claimed_by=None)
    if not tournament.log.head_version:  # a draft: nobody is entered yet
        return found
    here = desks.entries_there(tournament).filter(player__isnull=False).values("player")
    return found.exclude(pk__in=here)


def _with_last(players: QuerySet[Player], among: Any) -> QuerySet[Player]:
    """Annotate players with title and time of the `last` tournament they entered `among` some."""
    entered = Entry.objects.filter(player=OuterRef("pk"), tournament__in=among)
    newest = entered.order_by("-tournament__created_at", "-pk")
    return players.annotate(
        last=Subquery(newest.values("tournament__title")[:1]),
        last_at=Subquery(newest.values("tournament__created_at")[:1]),
    )
