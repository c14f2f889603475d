"""Seats and officials of a match: links, QR codes, naming officials."""

import segno
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from matches import policy, selectors, services
from matches.actors import actor_of
from matches.errors import NotFound, Refused
from matches.forms import OfficialForm, form_status, posted
from matches.models import Match, Seat


def qr(text: str, title: str) -> SafeString:
    """Return a QR code as SVG, black on white."""
    return mark_safe(
        segno.make(text, error="m", micro=False).svg_inline(
            scale=4, border=2, title=title, svgclass="qr", lineclass=None, omitsize=True
        )
    )


def managed(request: HttpRequest, code: str) -> Match:
    """Return a match that one may manage. Raises: NotFound, NotAllowed."""
    actor = actor_of(request)
    match = selectors.match_for(actor, code)
    policy.require_manage(actor, match)
    return match


def _described(request: HttpRequest, seat: Seat) -> dict[str, object]:
    """Return a seat with its link, and whether one may hand out a link to claim its guest."""
    token = services.seat_link(seat)
    link = request.build_absolute_uri(reverse("matches:seat-join", args=[token]))
    guest = seat.player if seat.player and seat.player.user_id is None else None
    return {
        "seat": seat,
        "link": link,
        "qr": qr(link, gettext("QR code of seat {number}").format(number=seat.number)),
        "invites": guest is not None and policy.may_invite(actor_of(request), guest),
    }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def seat_list(request: HttpRequest, code: str) -> HttpResponse:
    """Show a match's seats with their links, and name officials."""
    match = managed(request, code)
    form = OfficialForm(posted(request))
    if form.is_valid():
        try:
            services.name_official(by=actor_of(request), match=match, player=form.player)
        except Refused as refused:
            form.add_error("username", refused.detail)
        else:
            messages.success(
                request,
                gettext("{name} is an official of this match.").format(name=form.player.name),
            )
            return redirect("matches:seat-list", match.code)
    watch = request.build_absolute_uri(match.get_absolute_url())
    seats = list(match.seats.select_related("player"))
    me = actor_of(request).player_id
    seats.sort(key=lambda seat: seat.player_id == me)  # the others scan theirs first
    context = {
        "match": match,
        "seats": [_described(request, each) for each in seats],
        "officials": match.officials.all(),
        "watch_qr": qr(watch, gettext("QR code of the match")),
        "form": form,
    }
    return render(request, "matches/seat_list.html", context, status=form_status(request))


@require_POST
def seat_renew(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Replace a seat's link; the old one stops working."""
    match = managed(request, code)
    seat = match.seats.filter(number=number).first()
    if seat is None:
        raise NotFound(gettext("There is no seat {number} at this match.").format(number=number))
    services.replace_seat_link(by=actor_of(request), seat=seat)
    messages.success(
        request,
        gettext("Seat {number} has a new link. The old one is worth nothing now.").format(
            number=number
        ),
    )
    return redirect("matches:seat-list", match.code)
