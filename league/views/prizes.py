"""Prizes of a tournament, promised by its organisers, and who was given what."""

from typing import Any

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league import policy, prizes, services
from league.forms.prizes import PrizeForm
from league.scene import Scene
from league.views.tournament import prizes_of, shown
from matches.errors import Refused
from matches.forms import form_status, posted, taken
from matches.pages import number_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def prize_list(request: HttpRequest, code: str) -> HttpResponse:
    """List promised and given prizes, and promise more."""
    scene, context = shown(request, code, live=True)
    policy.require_organise(scene.actor, scene.tournament)
    if request.method == "POST" and "do" in request.POST:
        _do(request, scene)
        return redirect("league:prize-list", code)
    form = PrizeForm(posted(request))
    if taken(form, services.promise_prize, by=scene.actor, tournament=scene.tournament):
        messages.success(request, gettext("Promised. Everybody can read it on the rules page."))
        _warn(request, scene, form.cleaned_data["place"])
        return redirect("league:prize-list", code)
    prefetch_related_objects([scene.tournament], "prizes__shares")
    context |= {
        "form": form,
        "promised": _promised(scene),
        "won": prizes_of(scene),
        "to_give": prizes.go_to_books(scene.tournament, scene.desk, scene.entries),
    }
    return render(request, "league/prize_list.html", context, status=form_status(request))


def _do(request: HttpRequest, scene: Scene) -> None:
    """Withdraw a prize, or record one as handed over or put right; show the outcome."""
    prize, what = number_in(request, "prize") or 0, request.POST["do"]
    do, done = services.unpromise_prize, gettext("The promise is withdrawn.")
    if what in ("hand-over", "put-right"):
        do = services.hand_over if what == "hand-over" else services.put_right
        done = gettext("It is on record as handed over.")
    try:
        do(by=scene.actor, tournament=scene.tournament, prize=prize)
    except Refused as refused:
        messages.error(request, refused.detail)
    else:
        messages.success(request, done)


def _warn(request: HttpRequest, scene: Scene, place: int) -> None:
    """Warn if a prize is promised to a place that nobody can take with the current entries."""
    if 0 < scene.playing < place:
        text = gettext("Only {playing} are entered: as it stands, nobody can take place {place}.")
        messages.warning(request, text.format(playing=scene.playing, place=place))


def _promised(scene: Scene) -> list[dict[str, Any]]:
    """Return every prize with its shares, by name.

    `by_hand`: it was won, but by nobody with a character; `wrong`: it was given to others than its
    current winners.
    """
    entries = {entry.pk: entry for entry in scene.entries.values()}
    misgiven = prizes.misgiven(scene.tournament, scene.desk, scene.entries)
    wrong = {each.prize.pk: each for each in misgiven}
    won = prizes.shares_of(scene.tournament, scene.desk, scene.entries)
    return [
        {
            "prize": prize,
            "shares": [
                (entries[share.entry_id], share)
                for share in prize.shares.all()
                if share.entry_id in entries
            ],
            "wrong": wrong.get(prize.pk),
            "by_hand": prize.pk in won and not any(entry.character for entry, _ in won[prize.pk]),
        }
        for prize in scene.tournament.prizes.all()
    ]
