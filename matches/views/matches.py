"""Finding matches: the list, a player's page, the shortcut to the logger."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from matches import cuts, policy, selectors
from matches.actors import Actor, actor_of
from matches.forms import MatchFilter
from matches.luck import luck_over
from matches.models import Match, Player
from matches.records import Known, games_of, known_among, once_each, records_of, sat_of
from matches.rivals import form_of, last_of, rivals_of
from matches.tallies import tallies_of

PAGE = 30


def listed(actor: Actor, matches: Iterable[Match]) -> list[dict[str, Any]]:
    """Return matches for a list, each with its `head` as far as the actor may know."""
    found = cuts.move_each(matches)
    selectors.look_ahead(actor, found)
    return [{"match": match, "head": selectors.head_shown(actor, match)} for match in found]


@require_safe
def match_list(request: HttpRequest, filters: type[MatchFilter] = MatchFilter) -> HttpResponse:
    """List the matches one may see, newest first, narrowed by the filters."""
    actor = actor_of(request)
    form = filters(request.GET or None)
    matches = form.narrow(selectors.matches_for(actor), actor)
    page = Paginator(matches, PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page": page, "lines": listed(actor, page)}
    return render(request, "matches/match_list.html", context)


@require_safe
def log(request: HttpRequest) -> HttpResponse:
    """Redirect to the newest open match one sits at, else to opening a new one."""
    if match := selectors.own_open(actor_of(request)).first():
        return redirect("matches:logger", match.code)
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    return redirect("matches:match-open")


@require_safe
def player_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a player, their results, and their matches that the actor may see."""
    player = get_object_or_404(Player.objects.select_related("claimed_by"), pk=pk)
    if player.claimed_by is not None:
        return redirect(player.claimed_by)
    context = player_context(request, actor_of(request), player)
    return render(request, "matches/player_detail.html", context)


def player_context(request: HttpRequest, actor: Actor, player: Player) -> dict[str, Any]:
    """Return the context of a player's matches, for pages of any floor."""
    sat = sat_of(actor, player)
    known = known_among(sat)
    page = _page_of(request, sat)
    matches = selectors.matches_at(actor, {*page, *(each.match for each in last_of(known))})
    selectors.look_ahead(actor, matches.values())
    form = form_of(known, matches)
    return {
        "player": player,
        "page": page,
        "lines": listed(actor, [matches[pk] for pk in page]),
        **_counted(page, known),
        "games": games_of(sat),
        "form": form,
        "rivals": rivals_of(known),
        "luck": luck_over(actor, player, [outing.match for outing in form]),
        "tallies": tallies_of(actor, player),
        "renames": policy.may_rename_guest(actor, player),
        "invites": player.user_id is None and policy.may_invite(actor, player),
    }


def versus_context(
    request: HttpRequest, actor: Actor, one: Player, other: Player
) -> dict[str, Any]:
    """Return the context of the matches of two players, counted for the first."""
    sat = sat_of(actor, one, beside=other)
    page = _page_of(request, sat)
    matches = selectors.matches_at(actor, page)
    return {
        "page": page,
        "lines": listed(actor, [matches[pk] for pk in page]),
        **_counted(page, once_each(known_among(sat))),
    }


def _page_of(request: HttpRequest, sat: Sequence[Known]) -> Page[UUID]:
    """Return the page of matches that a request asks for."""
    played = list(dict.fromkeys(each.match for each in sat))
    return Paginator(played, PAGE).get_page(request.GET.get("page"))


def _counted(page: Page[UUID], known: Sequence[Known]) -> dict[str, Any]:
    """Return the results of matches summed up, and how many of them have none."""
    uncounted = page.paginator.count - len({each.match for each in known})
    return {"records": records_of(known), "uncounted": uncounted}
