"""The planned stages of a tournament, editable by organisers until the first begins."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league import policy, services
from league.forms.stages import StagesForm, initial_of
from league.views.tournament import shown
from matches.errors import Conflict
from matches.forms import form_status, posted, refusals_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stage_list(request: HttpRequest, code: str) -> HttpResponse:
    """Show the planned stages, and plan them again before the first begins."""
    scene, context = shown(request, code, live=True)
    policy.require_organise(scene.actor, scene.tournament)
    form = StagesForm(posted(request), initial=initial_of(scene.plans))
    if form.is_valid():
        with refusals_in(form):
            if scene.desk.stages:
                text = gettext("The first stage has begun: stages are no longer planned here.")
                raise Conflict("stage-under-way", text)
            stages = form.stages(scene.tournament.ruleset)
            services.plan_stages(by=scene.actor, tournament=scene.tournament, stages=stages)
            messages.success(request, gettext("Planned anew."))
            return redirect("league:console", code)
    context |= {"form": form}
    return render(request, "league/stage_list.html", context, status=form_status(request))
