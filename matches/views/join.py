"""Coming to a table: by a seat's signed link or its QR, or with a match's short code."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from matches import links, policy, selectors, services
from matches.actors import actor_of, seats_of
from matches.errors import NotFound
from matches.forms import JoinForm
from matches.models import Log


@require_safe
def join(request: HttpRequest) -> HttpResponse:
    """Ask for a short code, and go to its match."""
    form = JoinForm(request.GET or None)
    if form.is_valid():
        try:
            match = selectors.match_for(actor_of(request), form.cleaned_data["code"])
        except NotFound:
            form.add_error("code", gettext("Nothing you may see has this code."))
        else:
            return redirect("matches:seat-join", match.code)
    return render(request, "matches/join.html", {"form": form})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def seat_join(request: HttpRequest, token: str) -> HttpResponse:
    """Show which seat a link is for, and sit down there; or which seats a code's match has.

    A short code alone seats nobody: it is public, a seat's link is not.
    """
    actor = actor_of(request)
    if ":" not in token:
        return _seats(request, token)
    seat = links.seat_of(token)
    if request.method == "POST":
        services.take_seat(by=actor, token=token, name=request.POST.get("name", "").strip())
        links.keep_seat(request, seat)
        messages.success(request, gettext("You sit at seat {number}.").format(number=seat.number))
        over = seat.match.log.status != Log.Status.OPEN
        return redirect(seat.match) if over else redirect("matches:logger", seat.match.code)
    return render(request, "matches/seat_join.html", {"seat": seat, "match": seat.match})


def _seats(request: HttpRequest, code: str) -> HttpResponse:
    actor = actor_of(request)
    match = selectors.match_for(actor, code)
    seats, mine = match.seats.select_related("player"), seats_of(actor, match)
    held = [seat.player for seat in seats if seat.number in mine and seat.player]
    context = {
        "match": match,
        "seats": seats,
        "mine": mine,
        "guests": [
            each for each in held if each.user_id is None and policy.may_invite(actor, each)
        ],
        "manages": policy.may_manage(actor, match),
    }
    return render(request, "matches/seat_choose.html", context)
