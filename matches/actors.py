"""The actor of a request: their user, player and seats, and whether they want to see results."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.http import HttpRequest

from matches.errors import NotSignedIn
from matches.links import device_of, linked_seats
from matches.models import Match, Player

T = TypeVar("T")

RESULTS_COOKIE = "results"
SHOWN_COOKIE = "results_shown"  # paths of the pages whose results were asked for
BETWEEN = "|"


@dataclass(frozen=True)
class Actor:
    """Who makes a request: a user and their player, and the seats whose links they hold.

    `seats` are pairs of match id and seat number; a guest with a link has no user. `device` is the
    id of the device they record on, if it has one. With `results_off` they want to see no results
    of matches they only watch. `recorder` is the mark (`mark_of`) under which the sender wrote what
    is sent, None if the request does not say.
    """

    user: AbstractBaseUser | AnonymousUser | None = None
    player: Player | None = None
    seats: frozenset[tuple[UUID, int]] = frozenset()
    device: UUID | None = None
    results_off: bool = False
    recorder: str | None = None

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
        """Ask Django's backends for a permission on a thing, on each of a list, or on nothing."""
        return isinstance(self.user, User) and self.user.has_perm(perm, thing)


NOBODY = Actor()


def actor_of(request: HttpRequest) -> Actor:
    """Return the actor of a request, from its session or token and its session's seat links."""
    user: Any = getattr(request, "user", None)
    if user is not None:
        reads = request.method in ("GET", "HEAD")
        user.known = vars(request).setdefault("_known", {}) if reads else None
    player: Player | None = getattr(user, "player", None)  # kept on the user, for the page's head
    seats, device = linked_seats(request), device_of(request)
    recorder = request.headers.get("X-Recorder")
    return Actor(user, player, seats, device, has_results_off(request), recorder)


def remembered(actor: Actor, what: Hashable, read: Callable[[], T]) -> T:
    """Return what `read` returns, cached for the length of a request that only reads."""
    known = getattr(actor.user, "known", None)
    if known is None:
        return read()
    if what not in known:
        known[what] = read()
    found: T = known[what]
    return found


def has_results_off(request: HttpRequest) -> bool:
    """Tell whether a reader has results off and did not ask for those of this very page.

    The stream that a page follows counts as that page.
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
    """Return the player of a signed-in actor, creating it if there is none yet."""
    if actor.player is not None:
        return actor.player
    if not isinstance(actor.user, User):
        raise NotSignedIn
    name = actor.user.get_full_name() or actor.user.get_username()
    return Player.objects.get_or_create(user=actor.user, defaults={"name": name[:80]})[0]


def seats_of(actor: Actor, match: Match) -> frozenset[int]:
    """Return the seats of a match that an actor holds, as their player or by link."""
    linked = {number for pk, number in actor.seats if pk == match.pk}
    if actor.player is not None:
        players = enumerate(match.seated_players(), 1)
        linked |= {number for number, player in players if player == actor.player.pk}
    return frozenset(linked)


def recorder(actor: Actor, match: Match) -> UUID | None:
    """Return the id under which an actor's acts are recorded.

    That of their player, else of the player whose seat they hold by link.
    """
    if actor.player is not None:
        return actor.player.pk
    numbers = seats_of(actor, match)
    players = [seat.player_id for seat in match.seats.all() if seat.number in numbers]
    return next((player for player in players if player), None)


def mark_of(actor: Actor, match: Match) -> str:
    """Return the mark by which a page knows whose acts it sends: `recorder`, as text."""
    return str(recorder(actor, match) or "nobody")


def is_another(actor: Actor, match: Match) -> bool:
    """Tell whether what is sent was written under another account, or at another's seat.

    One who is signed out by now is nobody else.
    """
    if actor.recorder is None or actor.recorder == mark_of(actor, match):
        return False
    return actor.is_signed_in or bool(seats_of(actor, match))
