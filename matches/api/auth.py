"""Authentication of programs."""

from dataclasses import replace

from django.contrib.auth.models import User
from django.http import HttpRequest
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from matches import keys, links
from matches.actors import Actor, actor_of
from matches.models import Key


def actor_in(request: HttpRequest) -> Actor:
    """Return the actor. A program may send a seat link instead of a token, as `X-Seat`."""
    actor = actor_of(request)
    token = request.headers.get("X-Seat")
    if token is None:
        return actor
    seat = links.seat_of(token)
    return replace(actor, seats=actor.seats | {(seat.match_id, seat.number)})


class WrongKeys(SimpleRateThrottle):
    """Limits the rate of invalid keys from an address."""

    scope = "wrong-key"

    def get_cache_key(self, request: Request, view: object) -> str:
        return f"wrong-key_{self.get_ident(request)}"


class KeyAuthentication(TokenAuthentication):
    """Authenticates by a key, sent as `Authorization: Token …`.

    Guessing is throttled; a valid key always works, whoever else guesses from its address.
    """

    def authenticate(self, request: Request) -> tuple[User, Key] | None:
        try:
            signed_in: tuple[User, Key] | None = super().authenticate(request)
        except AuthenticationFailed:
            guesses = WrongKeys()
            if not guesses.allow_request(request, None):  # type: ignore[arg-type]  # no view yet
                raise Throttled(guesses.wait()) from None
            raise
        return signed_in

    def authenticate_credentials(self, key: str) -> tuple[User, Key]:
        found = keys.find(key)
        if found is None or not found.user.is_active:
            raise AuthenticationFailed("This token is not valid, or no longer.")
        return found.user, found
