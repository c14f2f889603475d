"""Permissions that lower floors ask for: to rule a match, invite a guest, award a character."""

from functools import cache
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import (
    BooleanField,
    Exists,
    F,
    Func,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    prefetch_related_objects,
)
from django.db.models.sql.compiler import SQLCompiler

from characters.models import Character
from league.models import Role, TableMatch, Tournament
from league.policy import is_organiser, may_rule
from matches.actors import Actor
from matches.models import Log, Match, Player, Seat
from matches.prepared import Prepared
from matches.rows import adapted

TABLE = Prefetch(
    "table", TableMatch.objects.select_related("tournament__log", "tournament__league")
)
"""The table of a tournament that a match is played at, where there is one."""
_OF_ONE = Prepared(
    lambda match: TableMatch.objects.filter(match=match).select_related(
        "tournament__log", "tournament__league"
    ),
    match=UUID(int=0),
)


class LeagueBackend:
    """Lets judges rule a tournament's matches, and organisers invite guests and award prizes.

    Asked through Django: `user.has_perm("matches.rule", match)`, or its log; `"matches.invite",
    guest`; `"characters.award", character`. A list asks about several matches at once.
    """

    def authenticate(self, request: Any, **credentials: Any) -> None:
        return None

    def has_perm(self, user: Any, perm: str, obj: Any = None) -> bool:
        player = getattr(user, "player", None)
        if player is None or not isinstance(user, User):
            return False
        if perm == "matches.invite" and isinstance(obj, Player):
            return _invites(Actor(user, player), obj)
        if perm == "characters.award" and isinstance(obj, Character):
            entered = Tournament.objects.filter(entries__character=obj).select_related("log")
            return any(is_organiser(Actor(user, player), each) for each in entered)
        if perm != "matches.rule":
            return False
        objects = [_match_of(each) for each in (obj if isinstance(obj, list) else [obj])]
        return all(isinstance(each, Match) for each in objects) and _rules(user, player, objects)


def _match_of(thing: Any) -> Any:
    """Return the match of a log that has one, anything else as it is."""
    return getattr(thing, "match", thing) if isinstance(thing, Log) else thing


def _invites(actor: Actor, guest: Player) -> bool:
    """Return whether an actor organises a tournament with the guest that their inviter opened."""
    theirs = Tournament.objects.filter(entries__player=guest, opener=guest.invited_by_id)
    return any(is_organiser(actor, each) for each in theirs.select_related("log"))


def _rules(user: User, player: Player, matches: list[Match]) -> bool:
    """Return whether a player rules all the matches; cached on the user, match by match."""
    known: dict[UUID, bool] = user.__dict__.setdefault("_rules", {})
    unread = [match for match in matches if match.pk not in known]
    _read_tables(unread)
    judged = _judged(Actor(user, player), unread)
    known.update((match.pk, match.pk in judged) for match in unread)
    return all(known[match.pk] for match in matches)


def ruled_matches(actor: Actor | None) -> Q | None:
    """Return the condition for matches that `LeagueBackend` lets an actor, or anybody, rule.

    It is a subquery that starts from the actor's roles: for players without a role or an opened
    tournament an index answers, and no match is read.
    """
    if actor is None:
        return Q(Exists(TableMatch.objects.order_by().filter(match=OuterRef("pk"))))
    if actor.player is None or not isinstance(actor.user, User):
        return None
    return Q(_Ruled(F("pk"), me=actor.player.pk))


class _Ruled(Func):
    """Whether a match is among those that a player rules.

    On PostgreSQL the ruled matches are an array, which is computed once. Given a subselect, its
    planner assumes a new run per match and reads all matches to sort them.
    """

    output_field = BooleanField()

    def as_sql(self, compiler: SQLCompiler, connection: Any, *_: Any, **__: Any) -> tuple[str, Any]:
        match, own = compiler.compile(self.source_expressions[0])
        found, params = _ruled_sql()
        mark, me = adapted(_SOMEBODY), adapted(self.extra["me"])
        among = f"= ANY(ARRAY({found}))" if connection.vendor == "postgresql" else f"IN ({found})"
        return f"{match} {among}", [*own, *(me if each == mark else each for each in params)]


_SOMEBODY = UUID(int=1)


@cache
def _ruled_sql() -> tuple[str, tuple[Any, ...]]:
    """Return the SQL for `_SOMEBODY`, compiled once, since every list uses it (ADR 0055)."""
    seated = Seat.objects.filter(player=_SOMEBODY).values("match")
    opened = TableMatch.objects.order_by().filter(tournament__opener=_SOMEBODY)
    judged = [tables.exclude(match__in=seated) for tables in _tables_of(Role.JUDGE)]
    found = [each.values("match") for each in (opened, *_tables_of(Role.ORGANISER), *judged)]
    return found[0].union(*found[1:], all=True).query.sql_with_params()


def _tables_of(role: Role) -> list[QuerySet[TableMatch]]:
    """Return the matches of tournaments where `_SOMEBODY` has a role, there or in its league."""
    tables = TableMatch.objects.order_by()
    return [
        tables.filter(**{f"tournament__{at}__player": _SOMEBODY, f"tournament__{at}__role": role})
        for at in ("staff", "league__members")
    ]


def _judged(actor: Actor, matches: list[Match]) -> frozenset[UUID]:
    """Return the matches an actor rules; a judge does not rule a match they play in."""
    at = [(match, t) for match in matches if (t := getattr(match, "table", None)) is not None]
    organised = {match.pk for match, t in at if is_organiser(actor, t.tournament)}
    judged = [m for m, t in at if m.pk not in organised and may_rule(actor, t.tournament)]
    prefetch_related_objects(judged, "seats")
    plays = {m.pk for m in judged if any(s.player_id == actor.player_id for s in m.seats.all())}
    return frozenset(organised | {match.pk for match in judged} - plays)


def _read_tables(matches: list[Match]) -> None:
    """Prefetch `TABLE` where it is not loaded yet."""
    at = TableMatch._meta.get_field("match").remote_field
    if len(matches) == 1 and not at.is_cached(matches[0]):
        alone = matches[0].ruled is False  # the query annotated that there is no table
        at.set_cached_value(matches[0], None if alone else _OF_ONE.first(match=matches[0].pk))
    prefetch_related_objects(matches, TABLE)  # skips what is loaded already
