"""Who may do what: the one policy module. What is not allowed here is denied.

A match is seen by everyone when it is public; otherwise by its table (opener, seats, holders
of a seat's link) and its officials. The table and the officials record. Officials rule, and
so does the opener of a match that is not sanctioned; a floor above may let others rule by
answering `user.has_perm("matches.rule", match)`, and says by `MATCH_RULERS` which matches those
are: they are to be found as well.
"""

from collections.abc import Callable
from functools import cache
from uuid import UUID

from django.conf import settings
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
from django.utils.module_loading import import_string
from django.utils.translation import gettext

from matches.actors import Actor, has_results_off, player_of, seats_of
from matches.among import Among
from matches.errors import NotAllowed, NotFound, NotSignedIn, ResultsOff
from matches.models import Key, Match, Player, Seat
from matches.spoilers import without_spoilers
from rules.ruleset import Audience

# -- rights -------------------------------------------------------------------------------


def is_official(actor: Actor, match: Match) -> bool:
    player = actor.player
    if player is None:
        return False
    if match.asked_by == player.pk:  # as by `with_part`
        return match.officiated
    prefetch_related_objects([match], "officials")  # once, and only where somebody asks
    return any(o.pk == player.pk for o in match.officials.all())


def foresee(actor: Actor, matches: list[Match]) -> None:
    """Ask at once for several matches what is then asked of each: whether an actor rules there.

    Of those that `with_part` read it is known whether they officiate.
    """
    if actor.player is None or not matches:
        return
    unknown = [match for match in matches if match.asked_by is None]
    prefetch_related_objects(unknown, "officials")
    actor.has_perm("matches.rule", matches)


def with_part(actor: Actor, matches: QuerySet[Match]) -> QuerySet[Match]:
    """Return matches that say whether an actor officiates at them, in no query more."""
    if actor.player is None:
        return matches
    asked_by = Value(actor.player.pk, output_field=UUIDField())
    matches = matches.annotate(asked_by=asked_by)  # type: ignore[no-redef]  # declared by Match
    return with_officiated(matches, actor.player.pk)


def with_officiated(matches: QuerySet[Match], player: UUID) -> QuerySet[Match]:
    """Return matches that say whether a player officiates at them."""
    mine = Match.officials.through.objects.filter(match=OuterRef("pk"), player=player)
    return matches.annotate(officiated=Exists(mine))  # type: ignore[no-redef]  # declared by Match


def is_opener(actor: Actor, match: Match) -> bool:
    return actor.player is not None and match.opener_id == actor.player.pk


def may_open(actor: Actor) -> bool:
    """Anyone signed in opens matches."""
    return actor.is_signed_in


def may_see(actor: Actor, match: Match) -> bool:
    if match.log.status == match.log.Status.WITHDRAWN:
        return may_manage(actor, match)
    return match.visibility == Match.Visibility.PUBLIC or may_record(actor, match)


def has_seat(actor: Actor, match: Match) -> bool:
    """Tell whether an actor is of the table: opened it, or sits there."""
    return is_opener(actor, match) or bool(seats_of(actor, match))


def may_record(actor: Actor, match: Match) -> bool:
    """The table and the officials record; any of them for any seat, as one scribe does."""
    return (
        has_seat(actor, match) or is_official(actor, match) or actor.has_perm("matches.rule", match)
    )


def may_always_record(actor: Actor, match: Match) -> bool:
    """Officials record whoever the scribe is."""
    return is_official(actor, match) or actor.has_perm("matches.rule", match)


def may_rule(actor: Actor, match: Match) -> bool:
    """Officials rule, the opener too unless it is sanctioned, and whom a floor above names."""
    return (
        is_official(actor, match)
        or (is_opener(actor, match) and not match.sanctioned)
        or actor.has_perm("matches.rule", match)
    )


def may_manage(actor: Actor, match: Match) -> bool:
    """Name officials, replace links, verify: the opener and the officials."""
    return is_opener(actor, match) or may_rule(actor, match)


def may_verify(actor: Actor, match: Match) -> bool:
    """Anyone signed in who sees it, and its table."""
    return may_see(actor, match) and (actor.is_signed_in or may_record(actor, match))


def audience(actor: Actor, match: Match) -> Audience:
    """Return whose eyes an actor has: the officials', one seat's, or the public's.

    One who holds several seats sees what everybody sees: it is never more than one hand. Who
    plays sees no other hand, official or not.
    """
    if not _plays(actor, match) and may_always_record(actor, match):
        return "officials"
    seats = [each for each in seats_of(actor, match) if not _is_anothers(actor, match, each)]
    return seats[0] if len(seats) == 1 else "public"


def _plays(actor: Actor, match: Match) -> bool:
    me = actor.player_id
    return me is not None and any(seat.player_id == me for seat in match.seats.all())


def _is_anothers(actor: Actor, match: Match, number: int) -> bool:
    """Tell whether somebody else's account sits at a seat: its link records, and shows no hand.

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
    shown = ~Q(log__status="withdrawn") & without_spoilers(actor)
    mine = Q(pk__in=[pk for pk, _ in actor.seats])
    kept = Q(pk__in=[])
    if actor.player is not None:
        mine |= _seated(actor.player)
        kept = Q(opener=actor.player) | _officiated(actor.player)
    kept |= _ruled(actor)
    return matches.filter((shown & (Q(visibility=Match.Visibility.PUBLIC) | mine)) | kept)


def whole_matches(actor: Actor) -> QuerySet[Match]:
    """Return the matches an actor sees to the head, whatever is held back from the public."""
    return Match.objects.order_by().filter(seen_whole(actor))


def seen_whole(actor: Actor) -> Q:
    """Return the condition of the matches that `whole_matches` are.

    They are those one records in: as superuser, opener, official, player or by a seat's link, and
    those a floor above lets one rule.
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
    """Return matches that say, as `ruled`, whether a floor above lets anybody at all rule them."""
    return matches.annotate(ruled=ExpressionWrapper(_ruled(None), output_field=BooleanField()))


Ruled = Callable[[Actor | None], Q | None]
"""What tells which matches a floor above lets an actor rule, None for none; `MATCH_RULERS`.

Without an actor: which it lets somebody rule.
"""


def _ruled(actor: Actor | None) -> Q:
    """Return the condition of the matches that floors above let an actor, or anybody, rule."""
    found = Q(pk__in=[])
    for ruled in _rulers(tuple(settings.MATCH_RULERS)):
        condition = ruled(actor)
        if condition is not None:
            found |= condition
    return found


@cache
def _rulers(paths: tuple[str, ...]) -> tuple[Ruled, ...]:
    return tuple(import_string(path) for path in paths)


# -- requirements ---------------------------------------------------------------------------


def require_scope(key: Key, scope: str) -> None:
    """Raises: NotAllowed where a key does not write what it is used for."""
    if scope not in key.scopes:
        raise NotAllowed(
            "key-scope", gettext("This key may read, but not write to {scope}.").format(scope=scope)
        )


def require_results(request: HttpRequest) -> None:
    """Raises: NotAllowed for a reader with results off."""
    if has_results_off(request):
        raise ResultsOff


def require_account(actor: Actor) -> None:
    """Raises: NotAllowed for who did not sign in."""
    if not actor.is_signed_in:
        raise NotSignedIn


def require_make(actor: Actor) -> Player:
    """Return the player of one signed in, who makes things of their own. Raises: NotAllowed."""
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
    """A person erases themself; anyone else is a superuser's to erase."""
    if actor.player is not None and actor.player.pk == player.pk:
        return True
    return actor.is_superuser


def require_erase(actor: Actor, player: Player) -> None:
    if not may_erase(actor, player):
        raise NotAllowed(
            "not-allowed", gettext("Only they themselves or a superuser may erase a person.")
        )


def may_invite(actor: Actor, guest: Player) -> bool:
    """Hand out the link by which an account takes a guest over.

    Only who made the guest may, those to whom that one gave the link of the guest's seat, whom a
    floor above names by `matches.invite`, and superusers. To have the guest sit at a match of
    one's own is not enough: anybody could.
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
            "not-allowed", gettext("Only who added a guest hands out the link to them.")
        )


def require_unclaim(actor: Actor, guest: Player, taker: Player | None) -> None:
    """Who took a guest over gives them back, and who may hand out the link takes them back."""
    mine = actor.player is not None and actor.player == taker
    if not mine and not may_invite(actor, guest):
        raise NotAllowed(
            "not-allowed", gettext("Only who added or who claimed a guest undoes a claim.")
        )


def require_verify(actor: Actor, match: Match) -> None:
    require_see(actor, match)
    if not may_verify(actor, match):
        raise NotSignedIn(gettext("Sign in to have a match verified."))
