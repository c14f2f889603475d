"""Credentials without an account: the signed link of a seat, the signed id of a device."""

from uuid import UUID

from django.core import signing
from django.http import HttpRequest
from django.utils.translation import gettext

from matches.errors import BadInput, NotFound
from matches.models import Seat

_SALT = "matches.seat"
_KEPT = "seat_links"  # the session's key
_DEVICE_SALT = "matches.device"
DEVICE_COOKIE = "device"


def seat_token(seat: Seat) -> str:
    """Return the signed token that lets its holder sit here, until the link is replaced."""
    return signing.Signer(salt=_SALT).sign(seat.link.hex)


def seat_of(token: str, *, lock: bool = False) -> Seat:
    """Return the seat of a token; with `lock`, its row is locked until the transaction ends.

    Raises: NotFound for a token that is forged or revoked.
    """
    seats = Seat.objects.select_related("match__log", "player")
    if lock:
        seats = seats.select_for_update(of=("self",))
    try:
        return seats.get(link=UUID(signing.Signer(salt=_SALT).unsign(token)))
    except (signing.BadSignature, ValueError, Seat.DoesNotExist):
        raise NotFound(gettext("This link is not valid, or not any more."), "bad-link") from None


def keep_seat(request: HttpRequest, seat: Seat) -> None:
    """Keep a seat's link in the session of the client that followed it."""
    kept = [link for link in request.session.get(_KEPT, []) if link != seat.link.hex]
    request.session[_KEPT] = [*kept, seat.link.hex][-20:]


def linked_seats(request: HttpRequest) -> frozenset[tuple[UUID, int]]:
    """Return the seats whose links a session keeps, as match id and seat number."""
    session = getattr(request, "session", None)
    kept = session.get(_KEPT, []) if session is not None else []
    if not kept:
        return frozenset()
    return frozenset(Seat.objects.filter(link__in=kept).values_list("match_id", "number"))


# -- devices --------------------------------------------------------------------------------


def device_token(device: UUID) -> str:
    """Return the signed id of a device, for its cookie or for `X-Device`."""
    return signing.Signer(salt=_DEVICE_SALT).sign(device.hex)


def device_of(request: HttpRequest) -> UUID | None:
    """Return the id of the device named in `X-Device` or in the cookie. Raises: BadInput."""
    named = request.headers.get("X-Device")
    token = request.COOKIES.get(DEVICE_COOKIE) if named is None else named
    try:
        return UUID(signing.Signer(salt=_DEVICE_SALT).unsign(token)) if token else None
    except (signing.BadSignature, ValueError):
        if named is None:
            return None
        raise BadInput("bad-device", "`X-Device` is no name this site gave a device.") from None
