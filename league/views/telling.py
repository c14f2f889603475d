"""How a player is notified: by letters, which one click switches off, and in a calendar."""

import hashlib

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from league import calendars, policy, telling
from matches.actors import actor_of
from matches.errors import BadInput


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def telling_edit(request: HttpRequest) -> HttpResponse:
    """Show how the player is notified, and change it."""
    player = policy.require_make(actor_of(request))
    if request.method == "POST":
        match request.POST.get("do", ""):
            case "letters":
                telling.set_letters(player, letters=True)
                messages.success(request, gettext("Letters are on."))
            case "no-letters":
                telling.set_letters(player, letters=False)
                messages.success(request, gettext("Letters are off."))
            case "calendar":
                calendars.renew(player)
                messages.success(request, gettext("Your calendar has a new address."))
            case "no-calendar":
                calendars.end(player)
                messages.success(request, gettext("The address of your calendar no longer works."))
            case other:
                raise BadInput(
                    "unknown-value",
                    gettext("There is nothing called {other!a}.").format(other=other[:20]),
                    "do",
                )
        return redirect("league:telling-edit")
    user = player.user
    token = calendars.token_of(player)
    address = telling.address_of("league:calendar", token) if token else ""
    context = {
        "telling": telling.telling_of(player),
        "mail": telling.confirmed([user.pk]).get(user.pk, "") if user else "",
        "address": address,
        "webcal": f"webcal{address.removeprefix('https').removeprefix('http')}",
    }
    return render(request, "league/telling_edit.html", context)


@never_cache
@csrf_exempt  # the link is the permission, and mail programs post to it directly
@require_http_methods(["GET", "HEAD", "POST"])
def letters_off(request: HttpRequest, token: str) -> HttpResponse:
    """Switch off the letters of the link's player, with one click and without signing in."""
    player = telling.player_of(token)
    if request.method == "POST":
        telling.set_letters(player, letters=False)
    context = {"off": not telling.telling_of(player).letters}
    return render(request, "league/letters_off.html", context)


@require_safe
def calendar(request: HttpRequest, token: str) -> HttpResponseBase:
    """Send a player's calendar to a calendar program; the address is the permission."""
    data = calendars.calendar_for(token)
    answer = HttpResponse(data, content_type="text/calendar; charset=utf-8")
    answer["Cache-Control"] = "private, max-age=300"
    answer["ETag"] = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    return get_conditional_response(request, etag=answer["ETag"], response=answer) or answer
