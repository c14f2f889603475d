"""The dates of a tournament's rounds, which organisers set in local time."""

from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league import dates, due, policy, services
from league.forms.dates import DateForm
from league.scene import Scene
from league.views.tournament import shown
from matches.errors import NotFound
from matches.forms import form_status, taken
from matches.pages import number_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def date_list(request: HttpRequest, code: str) -> HttpResponse:
    """Show the dates of the open round and of the next, and set those of one."""
    scene, context = shown(request, code, live=True)
    policy.require_organise(scene.actor, scene.tournament)
    with timezone.override(ZoneInfo(scene.tournament.timezone)):
        forms = _forms(request, scene)
        for form in forms:
            numbered = {"tournament": scene.tournament, "number": form.number}
            if taken(form, services.set_date, by=scene.actor, **numbered):
                messages.success(request, gettext("Kept."))
                return redirect("league:date-list", code)
        context |= {"forms": forms, "obstacle": due.obstacle(scene)}
        status = form_status(request)
        return render(request, "league/date_list.html", context, status=status)


def _forms(request: HttpRequest, scene: Scene) -> list[DateForm]:
    """Return a form for each round that may have dates now, one of them bound to what was sent."""
    if scene.desk.closed:
        return []
    numbers = dates.settable(scene.tournament, scene.desk)
    kept = {each.round: each for each in scene.timetable.dates}
    sent = number_in(request, "round") if request.method == "POST" else None
    if request.method == "POST" and sent not in numbers:
        raise NotFound(gettext("No dates can be set for this round now."), "no-such-round")
    return [
        DateForm(
            request.POST if number == sent else None,
            number=number,
            kept=kept.get(number),
            is_paired=number <= len(scene.desk.rounds),
        )
        for number in numbers
    ]
