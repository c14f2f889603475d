"""Who may do what: the one policy module. What is not allowed here is denied.

A match is seen by everyone when it is public; otherwise by its table (opener, seats, holders
of a seat's link) and its officials. The table and the officials record. Officials rule, and
so does the opener of a match that is not sanctioned; a floor above may let others rule by
answering `user.has_perm("matches.rule", match)`, and says by `MATCH_RULERS` which matches those
are: they are to be found as well.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.core import signing
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

from matches.among import Among
from matches.errors import BadInput, NotAllowed, NotFound, NotSignedIn, ResultsOff
from matches.models import Key, Match, Player, Seat
from matches.spoilers import without_spoilers
from rules.ruleset import Audience

T = TypeVar("T")

_SALT = "matches.seat"
_HELD = "seat_links"  # the session's key
_DEVICE_SALT = "matches.device"
DEVICE_COOKIE = "device"
RESULTS_COOKIE = "results"
SHOWN_COOKIE = "results_shown"  # the paths of pages whose results one asked for
BETWEEN = "|"


@dataclass(frozen=True)
class Actor:
    """Who asks: a user and their player, and the seats whose links they hold.

    `seats` are (match id, number); a guest with a link has no user. `device` is what they
    hold in their hand, where it has a name. With `results_off` they want to know no result of
    what they only look on at.
    """

    user: AbstractBaseUser | AnonymousUser | None = None
    player: Player | None = None
    seats: frozenset[tuple[UUID, int]] = frozenset()
    device: UUID | None = None
    results_off: bool = False

    @property
    def player_id(self) -> UUID | None:
        return self.player.pk if self.player else None

    @property
    def is_signed_in(self) -> bool:
        return self.user is not None and self.user.is_authenticated

    @property
    def is_superuser(self) -> bool:
        user = self.user
        return isinstance(user, User) and user.is_active and user.is_superuser

    def has_perm(self, perm: str, thing: Any = None) -> bool:
        """Ask Django's backends, of a thing, of a list of them, or of none."""
        return isinstance(self.user, User) and self.user.has_perm(perm, thing)


NOBODY = Actor()


def actor_of(request: HttpRequest) -> Actor:
    """Return who asks: the user of session or token, and the seats linked to the session."""
    user: Any = getattr(request, "user", None)
    if user is not None:
        reads = request.method in ("GET", "HEAD")
        user.known = vars(request).setdefault("_known", {}) if reads else None
    player: Player | None = getattr(user, "player", None)  # kept on the user, for the page's head
    return Actor(user, player, seats_held(request), device_of(request), has_results_off(request))


def once(actor: Actor, what: Hashable, read: Callable[[], T]) -> T:
    """Return what is read of an actor: once in a request that only reads, else each time."""
    known = getattr(actor.user, "known", None)
    if known is None:
        return read()
    if what not in known:
        known[what] = read()
    found: T = known[what]
    return found


def has_results_off(request: HttpRequest) -> bool:
    """Tell whether a reader has results off, and did not ask for those of this very page.

    What a page follows, its stream, is part of it.
    """
    if request.COOKIES.get(RESULTS_COOKIE) != "off":
        return False
    return request.path.removesuffix("stream/") not in results_shown(request)


def results_shown(request: HttpRequest) -> list[str]:
    """Return the paths of the pages whose results a reader asked for, newest last."""
    return [path for path in request.COOKIES.get(SHOWN_COOKIE, "").split(BETWEEN) if path]


def actor_for(user: User) -> Actor:
    """Return a user as an actor, outside any request."""
    return Actor(user, Player.objects.filter(user=user).first())


def player_of(actor: Actor) -> Player:
    """Return the player of one signed in; who was made without one gets one here."""
    if actor.player is not None:
        return actor.player
    if not isinstance(actor.user, User):
        raise NotSignedIn
    name = actor.user.get_full_name() or actor.user.get_username()
    return Player.objects.get_or_create(user=actor.user, defaults={"name": name[:80]})[0]


def recorder(actor: Actor, match: Match) -> UUID | None:
    """Return under whom an actor records: their player, else the player of the seat they hold."""
    if actor.player is not None:
        return actor.player.pk
    numbers = seats_of(actor, match)
    players = [seat.player_id for seat in match.seats.all() if seat.number in numbers]
    return next((player for player in players if player), None)


# -- links to a seat ----------------------------------------------------------------------


def seat_token(seat: Seat) -> str:
    """Return the signed token that lets its holder sit here, until the link is replaced."""
    return signing.Signer(salt=_SALT).sign(seat.link.hex)


def seat_of(token: str) -> Seat:
    """Return the seat of a token. Raises: NotFound for one forged or revoked."""
    try:
        link = UUID(signing.Signer(salt=_SALT).unsign(token))
        return Seat.objects.select_related("match__log", "player").get(link=link)
    except (signing.BadSignature, ValueError, Seat.DoesNotExist):
        raise NotFound(gettext("This link is not valid, or no longer."), "bad-link") from None


def hold_seat(request: HttpRequest, seat: Seat) -> None:
    """Keep a seat's link in the session of one who followed it."""
    held = [link for link in request.session.get(_HELD, []) if link != seat.link.hex]
    request.session[_HELD] = [*held, seat.link.hex][-20:]


def seats_held(request: HttpRequest) -> frozenset[tuple[UUID, int]]:
    """Return the seats whose links the session of a request holds."""
    session = getattr(request, "session", None)
    held = session.get(_HELD, []) if session is not None else []
    if not held:
        return frozenset()
    seats = Seat.objects.filter(link__in=held).values_list("match_id", "number")
    return frozenset(seats)


# -- devices --------------------------------------------------------------------------------


def device_token(device: UUID) -> str:
    """Return the signed name of a device, for its cookie or for `X-Device`."""
    return signing.Signer(salt=_DEVICE_SALT).sign(device.hex)


def device_of(request: HttpRequest) -> UUID | None:
    """Return the device a request names in `X-Device` or in its cookie. Raises: BadInput."""
    named = request.headers.get("X-Device")
    token = request.COOKIES.get(DEVICE_COOKIE) if named is None else named
    try:
        return UUID(signing.Signer(salt=_DEVICE_SALT).unsign(token)) if token else None
    except (signing.BadSignature, ValueError):
        if named is None:
            return None
        raise BadInput("bad-device", "`X-Device` is no name this site gave a device.") from None


# -- rights -------------------------------------------------------------------------------


def seats_of(actor: Actor, match: Match) -> frozenset[int]:
    """Return the seats of a match that an actor holds, as their player or by link."""
    linked = {number for pk, number in actor.seats if pk == match.pk}
    if actor.player is not None:
        linked |= {s.number for s in match.seats.all() if s.player_id == actor.player.pk}
    return frozenset(linked)


def is_official(actor: Actor, match: Match) -> bool:
    player = actor.player
    if player is None:
        return False
    if getattr(match, "asked_by", None) == player.pk:
        return bool(match.officiated)  # type: ignore[attr-defined]  # by `with_part`
    prefetch_related_objects([match], "officials")  # once, and only where somebody asks
    return any(o.pk == player.pk for o in match.officials.all())


def foresee(actor: Actor, matches: list[Match]) -> None:
    """Ask at once for several matches what is then asked of each: whether an actor rules there.

    Of those that `with_part` read it is known whether they officiate.
    """
    if actor.player is None or not matches:
        return
    unknown = [match for match in matches if not hasattr(match, "asked_by")]
    prefetch_related_objects(unknown, "officials")
    actor.has_perm("matches.rule", matches)


def with_part(actor: Actor, matches: QuerySet[Match]) -> QuerySet[Match]:
    """Return matches that say whether an actor officiates at them, in no query more."""
    if actor.player is None:
        return matches
    asked_by = Value(actor.player.pk, output_field=UUIDField())
    return with_officiated(matches.annotate(asked_by=asked_by), actor.player.pk)


def with_officiated(matches: QuerySet[Match], player: UUID) -> QuerySet[Match]:
    """Return matches that say whether a player officiates at them."""
    mine = Match.officials.through.objects.filter(match=OuterRef("pk"), player=player)
    return matches.annotate(officiated=Exists(mine))


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


# -- requirements ---------------------------------------------------------------------------


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
