"""Who may do what: the one policy module. What is not allowed here is denied.

A public match is seen by everyone; any other by its table (opener, seats, holders of a seat link)
and its officials. The table and the officials record. Officials rule, and so does the opener of a
match that is not sanctioned. A higher floor may let others rule by answering
`user.has_perm("matches.rule", match)`, and names in `MATCH_RULERS` a query of those matches, so
that lists find them as well.
"""

from collections.abc import Callable
from uuid import UUID

from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    OuterRef,
    Q,
    QuerySet,
    UUIDField,
    Value,
    prefetch_related_objects,
)
from django.http import HttpRequest
from django.utils.translation import gettext

from matches.actors import Actor, has_results_off, is_another, player_of, seats_of
from matches.among import Among
from matches.configured import functions
from matches.errors import AnotherRecorder, NotAllowed, NotFound, NotSignedIn, ResultsOff
from matches.models import Key, Match, Player, Seat, withdrawn
from matches.spoilers import without_spoilers
from rules.ruleset import Audience

# -- rights -------------------------------------------------------------------------------


def is_official(actor: Actor, match: Match) -> bool:
    player = actor.player
    if player is None:
        return False
    if match.asked_by == player.pk:  # as by `with_part`
        return match.officiated
    prefetch_related_objects([match], "officials")  # cached on the match
    return any(o.pk == player.pk for o in match.officials.all())


def foresee(actor: Actor, matches: list[Match]) -> None:
    """Prefetch for several matches whether an actor is an official or rules there.

    Matches read by `with_part` know already whether the actor officiates.
    """
    if actor.player is None or not matches:
        return
    unknown = [match for match in matches if match.asked_by is None]
    prefetch_related_objects(unknown, "officials")
    actor.has_perm("matches.rule", matches)


def with_part(actor: Actor, matches: QuerySet[Match]) -> QuerySet[Match]:
    """Annotate matches with whether an actor officiates at them."""
    if actor.player is None:
        return matches
    asked_by = Value(actor.player.pk, output_field=UUIDField())
    matches = matches.annotate(asked_by=asked_by)  # type: ignore[no-redef]  # declared by Match
    return with_officiated(matches, actor.player.pk)


def with_officiated(matches: QuerySet[Match], player: UUID) -> QuerySet[Match]:
    """Annotate matches with whether a player officiates at them."""
    mine = Match.officials.through.objects.filter(match=OuterRef("pk"), player=player)
    return matches.annotate(officiated=Exists(mine))  # type: ignore[no-redef]  # declared by Match


def is_opener(actor: Actor, match: Match) -> bool:
    return actor.player is not None and match.opener_id == actor.player.pk


def may_open(actor: Actor) -> bool:
    """Anyone signed in may open matches."""
    return actor.is_signed_in


def may_see(actor: Actor, match: Match) -> bool:
    if match.log.is_withdrawn:
        return may_manage(actor, match)
    return match.visibility == Match.Visibility.PUBLIC or may_record(actor, match)


def has_seat(actor: Actor, match: Match) -> bool:
    """Tell whether an actor is of the table: opened the match, or has a seat."""
    return is_opener(actor, match) or bool(seats_of(actor, match))


def may_record(actor: Actor, match: Match) -> bool:
    """The table and the officials may record, any of them for any seat, as one scribe does."""
    return has_seat(actor, match) or may_always_record(actor, match)


def may_always_record(actor: Actor, match: Match) -> bool:
    """Officials may record whoever the scribe is."""
    return is_official(actor, match) or actor.has_perm("matches.rule", match)


def may_rule(actor: Actor, match: Match) -> bool:
    """Officials may rule, the opener too unless sanctioned, and those a higher floor names."""
    return (
        is_official(actor, match)
        or (is_opener(actor, match) and not match.sanctioned)
        or actor.has_perm("matches.rule", match)
    )


def may_manage(actor: Actor, match: Match) -> bool:
    """The opener and the officials may name officials, replace links and verify."""
    return is_opener(actor, match) or may_rule(actor, match)


def counts(match: Match) -> bool:
    """Tell whether a match counts for anything beyond itself: officially, or on a higher floor."""
    return match.sanctioned or match.ruled is None or match.ruled


def may_verify(actor: Actor, match: Match) -> bool:
    """Anyone signed in who may see it, and its table, may verify."""
    return may_see(actor, match) and (actor.is_signed_in or may_record(actor, match))


def audience(actor: Actor, match: Match) -> Audience:
    """Return as which audience an actor sees a match: the officials, one seat, or the public.

    A holder of several seats sees what everybody sees: never more than one hand. A player sees no
    other hand, even as an official.
    """
    if not _plays(actor, match) and may_always_record(actor, match):
        return "officials"
    seats = [each for each in seats_of(actor, match) if not _is_anothers(actor, match, each)]
    return seats[0] if len(seats) == 1 else "public"


def _plays(actor: Actor, match: Match) -> bool:
    me = actor.player_id
    return me is not None and me in match.seated_players()


def _is_anothers(actor: Actor, match: Match, number: int) -> bool:
    """Tell whether somebody else's account has a seat: then its link records, but shows no hand.

    Whoever manages the match has the links of all its seats.
    """
    if (match.pk, number) not in actor.seats:
        return False
    player = next(seat.player for seat in match.seats.all() if seat.number == number)
    return player is not None and player.user_id is not None and player != actor.player


# -- conditions -----------------------------------------------------------------------------


def visible_matches(actor: Actor) -> QuerySet[Match]:
    """Return the matches an actor may see."""
    matches = Match.objects.all()
    if actor.is_superuser:
        return matches
    shown = ~withdrawn() & without_spoilers(actor)
    mine = Q(pk__in=[pk for pk, _ in actor.seats])
    kept = Q(pk__in=[])
    if actor.player is not None:
        mine |= _seated(actor.player)
        kept = Q(opener=actor.player) | _officiated(actor.player)
    kept |= _ruled(actor)
    return matches.filter((shown & (Q(visibility=Match.Visibility.PUBLIC) | mine)) | kept)


def whole_matches(actor: Actor) -> QuerySet[Match]:
    """Return the matches an actor sees up to the head, whatever is held back from the public."""
    return Match.objects.order_by().filter(seen_whole(actor))


def seen_whole(actor: Actor) -> Q:
    """Return `whole_matches` as a condition.

    These are the matches one may record in: as superuser, opener, official, player or by a seat
    link, and those a higher floor lets one rule.
    """
    if actor.is_superuser:
        return Q(pk__isnull=False)
    mine = Q(pk__in=[pk for pk, _ in actor.seats])
    if actor.player is not None:
        mine |= Q(opener=actor.player) | _seated(actor.player) | _officiated(actor.player)
    return mine | _ruled(actor)


def _seated(player: Player) -> Q:
    """Return the condition of the matches a player sits at."""
    return Q(Among("pk", Seat.objects.order_by().filter(player=player).values("match")))


def _officiated(player: Player) -> Q:
    """Return the condition of the matches a player officiates at."""
    officials = Match.officials.through.objects
    return Q(Among("pk", officials.filter(player=player).values("match")))


def with_ruled(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Annotate matches with `ruled`: whether a higher floor lets anybody at all rule them."""
    ruled = ExpressionWrapper(_ruled(None), output_field=BooleanField())
    return matches.annotate(ruled=ruled)  # type: ignore[no-redef]  # declared by Match


Ruled = Callable[[Actor | None], Q | None]
"""A callable named in `MATCH_RULERS`: returns a `Q` of the matches this actor may rule, or None;
for no actor, of all that anyone may rule through it. Nothing of an actor but user and player may
decide which: for players the query is compiled once (`matches.newest`).
"""


def _ruled(actor: Actor | None) -> Q:
    """Return the condition of the matches that higher floors let an actor, or anybody, rule."""
    found = Q(pk__in=[])
    rulers: list[Ruled] = functions("MATCH_RULERS")
    for ruled in rulers:
        condition = ruled(actor)
        if condition is not None:
            found |= condition
    return found


# -- requirements ---------------------------------------------------------------------------


def require_scope(key: Key, scope: str) -> None:
    """Require an API key to have a scope. Raises: NotAllowed."""
    if scope not in key.scopes:
        raise NotAllowed(
            "key-scope", gettext("This key may read, but not write to {scope}.").format(scope=scope)
        )


def require_results(request: HttpRequest) -> None:
    """Require a reader without results off. Raises: ResultsOff."""
    if has_results_off(request):
        raise ResultsOff


def require_account(actor: Actor) -> None:
    """Require a signed-in actor. Raises: NotSignedIn."""
    if not actor.is_signed_in:
        raise NotSignedIn


def require_make(actor: Actor) -> Player:
    """Return a signed-in actor's player, who may create things. Raises: NotSignedIn."""
    require_account(actor)
    return player_of(actor)


def require_open(actor: Actor) -> None:
    if not may_open(actor):
        raise NotSignedIn(gettext("Sign in to open a match."))


def require_see(actor: Actor, match: Match) -> None:
    if not may_see(actor, match):
        raise NotFound(gettext("There is no such match."))


def require_record(actor: Actor, match: Match) -> None:
    require_see(actor, match)
    if is_another(actor, match):
        raise AnotherRecorder
    if not may_record(actor, match):
        raise NotAllowed(
            "not-allowed", gettext("Only the table and its officials record this match.")
        )


def require_rule(actor: Actor, match: Match) -> None:
    require_record(actor, match)
    if not may_rule(actor, match):
        raise NotAllowed("officials-only", gettext("This is for an official of the match."))


def require_manage(actor: Actor, match: Match) -> None:
    require_see(actor, match)
    if not may_manage(actor, match):
        raise NotAllowed("not-allowed", gettext("Only the opener and the officials may do this."))


def may_erase(actor: Actor, player: Player) -> bool:
    """People may erase themselves; superusers may erase anyone."""
    return actor.player_id == player.pk or actor.is_superuser


def require_erase(actor: Actor, player: Player) -> None:
    if not may_erase(actor, player):
        raise NotAllowed(
            "not-allowed", gettext("Only they themselves or a superuser may erase a person.")
        )


def may_rename_guest(actor: Actor, guest: Player) -> bool:
    """Only the person who added a guest may; who has an account names themselves."""
    if actor.player is None or guest.user_id is not None:
        return False
    return guest.invited_by_id == actor.player.pk


def require_rename_guest(actor: Actor, guest: Player) -> None:
    if not may_rename_guest(actor, guest):
        raise NotAllowed("not-allowed", gettext("This is not your name to change."))


def may_invite(actor: Actor, guest: Player) -> bool:
    """Tell whether an actor may hand out the link by which an account claims a guest.

    Allowed: the person who added the guest, holders of the guest's seat link from that person,
    anyone with the `matches.invite` permission, superusers. Opening a match with the guest in it is
    not enough, since anyone can.
    """
    if actor.is_superuser:
        return True
    if guest.invited_by_id is None:
        return False
    if actor.player_id == guest.invited_by_id:
        return True
    theirs = guest.seats.filter(match__opener=guest.invited_by_id)
    seats = set(theirs.values_list("match_id", "number")) if actor.seats else set()
    return bool(actor.seats & seats) or actor.has_perm("matches.invite", guest)


def require_invite(actor: Actor, guest: Player) -> None:
    if not may_invite(actor, guest):
        raise NotAllowed(
            "not-allowed",
            gettext("Only the person who added a guest may hand out their link."),
        )


def require_unclaim(actor: Actor, guest: Player, taker: Player | None) -> None:
    """Require the account that claimed a guest, or an actor who may hand out the claim link.

    Raises: NotAllowed.
    """
    mine = actor.player is not None and actor.player == taker
    if not mine and not may_invite(actor, guest):
        raise NotAllowed(
            "not-allowed", gettext("Only the person who added or claimed a guest may undo a claim.")
        )


def require_verify(actor: Actor, match: Match) -> None:
    require_see(actor, match)
    if not may_verify(actor, match):
        raise NotSignedIn(gettext("Sign in to have a match verified."))
