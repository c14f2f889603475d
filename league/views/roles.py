"""Roles in a league or at a tournament, given and ended by its organisers."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league import roles, selectors
from league.forms.roles import RoleForm
from league.models import League, Tournament
from matches.actors import actor_of
from matches.forms import form_status, posted, refusals_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def role_list(request: HttpRequest, slug: str) -> HttpResponse:
    """List the roles of a league, and give one."""
    return _roles(request, selectors.league_for(slug))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def staff_list(request: HttpRequest, code: str) -> HttpResponse:
    """List the roles at a tournament, and give one."""
    return _roles(request, selectors.tournament_for(actor_of(request), code))


@require_POST
def role_end(request: HttpRequest, slug: str, member: int) -> HttpResponse:
    """End a role in a league."""
    return _end(request, selectors.league_for(slug), member)


@require_POST
def staff_end(request: HttpRequest, code: str, member: int) -> HttpResponse:
    """End a role at a tournament."""
    return _end(request, selectors.tournament_for(actor_of(request), code), member)


def _roles(request: HttpRequest, thing: League | Tournament) -> HttpResponse:
    actor = actor_of(request)
    members = roles.members_of(by=actor, thing=thing)
    form = RoleForm(posted(request), of=thing)
    if form.is_valid():
        with refusals_in(form):
            named = roles.name_member(by=actor, player=form.player, **form.arguments())
            messages.success(
                request,
                gettext("{player} is {get_role_display} now.").format(
                    player=named.player, get_role_display=named.get_role_display()
                ),
            )
            return redirect(request.path)
    context: dict[str, Any] = {
        "thing": thing,
        "league": thing if isinstance(thing, League) else None,
        "tournament": thing if isinstance(thing, Tournament) else None,
        "members": members,
        "changes": roles.changes_of(by=actor, thing=thing),
        "form": form,
    }
    return render(request, "league/role_list.html", context, status=form_status(request))


def _end(request: HttpRequest, thing: League | Tournament, pk: int) -> HttpResponse:
    actor = actor_of(request)
    found = roles.member(by=actor, thing=thing, pk=pk)
    roles.dismiss(by=actor, member=found)
    messages.success(
        request,
        gettext("{player} is no longer {get_role_display}.").format(
            player=found.player, get_role_display=found.get_role_display()
        ),
    )
    if isinstance(thing, League):
        return redirect("league:role-list", thing.slug)
    return redirect("league:staff-list", thing.code)
