"""Bans and exiles: given and lifted by a league's organisers, and whom they keep out."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext

from league import policy
from league.models import Entry, Krewe, League, Sanction, Tournament
from league.registering import day_of
from league.texts import of_field
from matches import once
from matches.actors import Actor
from matches.errors import BadInput, Conflict
from matches.models import Player


def sanction(
    *,
    by: Actor,
    league: League,
    player: Player,
    kind: str = Sanction.Kind.BAN,
    ends_on: date | None = None,
    reason: str,
    act_id: UUID | None = None,
) -> Sanction:
    """Ban a player from a league's tournaments from today, or exile them.

    Idempotent per `act_id`. Raises: NotAllowed, BadInput, IdReused.
    """
    policy.require_run(by, league)
    if kind not in Sanction.Kind.values:
        raise BadInput("unknown-value", gettext("A player is banned or exiled."), "$.kind")
    if (kind == Sanction.Kind.BAN) != (ends_on is not None):
        raise BadInput("bad-date", gettext("A ban has an end, an exile has none."), "$.ends_on")
    today = timezone.localdate()
    if ends_on is not None and ends_on < today:
        raise BadInput("bad-date", gettext("A ban ends today or later."), "$.ends_on")
    return once.make(
        Sanction,
        policy.require_make(by).pk,
        act_id,
        keep=lambda made: _begins(made, today, by),
        key="act_id",
        league=league,
        player=player,
        kind=kind,
        ends_on=ends_on,
        reason=of_field(Sanction, "reason", reason),
    )


def _begins(sanction: Sanction, day: date, by: Actor) -> None:
    sanction.starts_on, sanction.given_by = day, by.player
    sanction.save(force_insert=True)


def lift(*, by: Actor, sanction: Sanction) -> None:
    """Lift a ban or an exile today. Raises: NotAllowed."""
    policy.require_run(by, sanction.league)
    if sanction.lifted_on is None:
        sanction.lifted_on = timezone.localdate()
        sanction.save(update_fields=["lifted_on"])


# -- whom they keep out -------------------------------------------------------------------


def require_not_kept_out(tournament: Tournament, entry: Entry) -> None:
    """Raises: Conflict for an entry that includes a banned or exiled player."""
    if held := kept_out(tournament, entry.people):
        raise Conflict(
            "kept-out",
            gettext("{player} is {lower} here.").format(
                player=held.player, lower=held.get_kind_display().lower()
            ),
        )


def kept_out(tournament: Tournament, people: Iterable[Player]) -> Sanction | None:
    """Return the sanction that keeps one of the people out for longest, None if there is none."""
    if tournament.league_id is None:
        return None
    found = Sanction.objects.filter(league=tournament.league_id, player__in=people)
    holding = _holding(tournament, found.select_related("player"))
    return max(holding, key=lambda each: each.ends_on or date.max, default=None)


def all_kept_out(
    tournament: Tournament, entries: Mapping[int, Entry]
) -> list[tuple[int, Entry, Sanction]]:
    """Return the entries that include a banned or exiled player, with number and sanction."""
    if tournament.league is None:
        return []
    sanctions = _holding(tournament, sanctions_of(tournament.league))
    if not sanctions:
        return []
    held = {each.player_id: each for each in reversed(sanctions)}
    krewes = [entry.krewe_id for entry in entries.values() if entry.krewe_id]
    members = Krewe.players.through.objects.filter(krewe__in=krewes, player__in=held)
    people: dict[UUID, list[UUID]] = defaultdict(list)
    for krewe, player in members.values_list("krewe", "player"):
        people[krewe].append(player)
    found = []
    for number, entry in entries.items():
        theirs = [entry.player_id]
        if entry.krewe is not None:
            theirs += [entry.krewe.captain_id, *people[entry.krewe.pk]]
        found += [(number, entry, held[one]) for one in dict.fromkeys(theirs) if one in held]
    return found


def sanctions_of(league: League) -> QuerySet[Sanction]:
    """Return all bans and exiles of a league with their players, cached on the league."""
    with_players = Sanction.objects.select_related("player")
    prefetch_related_objects([league], Prefetch("sanctions", with_players))
    return league.sanctions.all()


def _holding(tournament: Tournament, sanctions: QuerySet[Sanction]) -> list[Sanction]:
    """Return the sanctions in force on the day of the tournament, or today if that is later."""
    today = timezone.now().astimezone(ZoneInfo(tournament.timezone)).date()
    day = max(day_of(tournament), today)
    return [each for each in sanctions if each.holds_on(day)]
