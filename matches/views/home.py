"""Home and the settings of one reader."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from itertools import compress
from typing import Any

import msgspec
from django.conf import settings
from django.db.models import OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language, gettext
from django.views.decorators.http import (
    conditional_page,
    require_http_methods,
    require_POST,
    require_safe,
)

from matches import actors, claiming, people, policy, selectors
from matches.actors import Actor, actor_of
from matches.conditional import not_modified
from matches.context import TEXT_COOKIE
from matches.errors import BadInput, Refused
from matches.forms import LookForm, form_status, posted
from matches.memory import load_all
from matches.models import Log, Match, Player
from matches.narration import Narrator
from matches.newest import LIVE, newest
from matches.pages import YEAR, of_our_pages
from matches.panels import panels
from matches.scene import Scene, scene_of
from matches.steps import COOKIE, FirstStep, Waiting, steps_for, what_may_wait
from matches.views.matches import listed

MAX_SHOWN = 20  # pages with shown results kept in a browser's cookie
OPTIONAL = {  # optional settings, and their cookies
    "text": TEXT_COOKIE,
    "language": settings.LANGUAGE_COOKIE_NAME,
    "results": actors.RESULTS_COOKIE,
}
URL_PATH = re.compile(r"/[\w./-]{0,119}", re.ASCII)


@require_safe
@conditional_page
def home(request: HttpRequest) -> HttpResponse:
    """Show live matches, recent results, and first steps; with `part` only what changes of it."""
    actor = actor_of(request)
    live, ended = newest(actor)
    policy.foresee(actor, [*live, *ended])
    load_all(match.log for match in live)
    part = "part" in request.GET
    tag = _tag(actor, live, ended)
    if part and (same := not_modified(request, tag)):
        return same
    context: dict[str, Any] = {
        "live": list(_minis(actor, live)),
        "under_way": selectors.count_open(actor) if len(live) == LIVE else len(live),
        "ended": listed(actor, ended),
        "tag": tag,
    }
    if part:
        answer = render(request, "matches/_air_part.html", context)
        answer["ETag"] = tag
    else:
        mine, waiting, steps = _own(request, actor)
        context |= {
            "mine": mine,
            "waiting": waiting,
            "steps": steps if ended else [],
            "free_seats": claiming.free_seats(actor),
            "own": panels("HOME_OWN_PANELS", request) if actor.player else [],
            "panels": panels("HOME_PANELS", request),
        }
        answer = render(request, "matches/home.html", context)
    patch_cache_control(answer, private=True, no_cache=True)
    patch_vary_headers(answer, ["Cookie"])
    return answer


def _own(request: HttpRequest, actor: Actor) -> tuple[str | None, list[Waiting], list[FirstStep]]:
    """Return the code of the newest open match one sits at, what waits, and steps not done."""
    if actor.player is None:
        here = selectors.own_open(actor).first() if actor.seats else None
        return here.code if here else None, [], []
    sat = Match.objects.filter(seats__player=OuterRef("pk"), log__status=Log.Status.OPEN)
    mine = Subquery(sat.order_by("-started_at", "-log_id").values("code")[:1])
    may_wait, steps = what_may_wait(), steps_for(request)
    conditions = (*(each.there for each in may_wait), *(step.done for step in steps))
    me = Player.objects.filter(pk=actor.player.pk)
    code, *holds = me.values_list(mine, *conditions).get()
    waiting = list(compress(may_wait, holds))
    return (
        code,
        waiting,
        [step for step, done in zip(steps, holds[len(may_wait) :], strict=True) if not done],
    )


def _tag(actor: Actor, *lists: list[Match]) -> str:
    """Return the ETag of home's matches, without reading their logs.

    A log only grows: how far it is shown, and to which audience, stands for all that was recorded.
    """
    seen = [[_seen(actor, match) for match in matches] for matches in lists]
    body = msgspec.json.encode([seen, get_language()])
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def _seen(actor: Actor, match: Match) -> list[Any]:
    at = selectors.shown_version(actor, match), policy.audience(actor, match), actor.results_off
    names = [seat.who for seat in match.seats.all()]
    return [match.code, match.title, match.place, match.log.held, *at, *names]


def _minis(actor: Actor, matches: Iterable[Match]) -> Iterator[dict[str, Any]]:
    for match in matches:
        try:
            yield _mini(scene_of(actor, match))
        except Refused:  # an unreadable log: its own page says why
            continue


def _mini(scene: Scene) -> dict[str, Any]:
    """Return the context of a live match at a glance; a game may draw its sides itself."""
    key = scene.ruleset.key
    return {
        "scene": scene,
        "line": Narrator(scene.timeline, scene.names, audience=scene.audience).line(scene.version),
        "sides": [f"rules/{key}/_sides.html", "matches/_sides.html"],
    }


@require_http_methods(["GET", "HEAD", "POST"])
def theme_set(request: HttpRequest) -> HttpResponse:
    """Store theme, text size, language and whether results are off in cookies.

    `show` names a page of this site whose results are shown all the same, until the browser is
    closed.
    """
    if request.method == "POST" and "show" in request.POST:
        return _show_results(request, request.POST["show"])
    kept = {field: request.COOKIES.get(cookie, "") for field, cookie in OPTIONAL.items()}
    kept["theme"] = request.COOKIES.get("theme", "auto")
    form = LookForm(posted(request), initial=kept)
    if not form.is_valid():
        status = form_status(request)
        return render(request, "matches/theme_set.html", {"form": form}, status=status)
    answer = redirect("matches:theme-set")
    answer.set_cookie("theme", form.cleaned_data["theme"], max_age=YEAR, samesite="Lax")
    for field, cookie in OPTIONAL.items():
        if field in form.data:
            _keep(answer, cookie, form.cleaned_data[field])
    if "language" in form.data and (player := actor_of(request).player):
        people.speak_to(player, form.cleaned_data["language"])
    return answer


@of_our_pages
@require_POST
def results_set(request: HttpRequest) -> HttpResponse:
    """Switch results off or on for one reader, and redirect to the page they came from.

    Switching them off also hides those of pages shown by exception. Raises: BadInput.
    """
    page, results = request.POST.get("back", ""), request.POST.get("results", "")
    _path_here(page, "back")
    if results not in ("off", "on"):
        raise BadInput("bad-choice", gettext("Results are off or on."), "results")
    answer = redirect(page)
    _keep(answer, actors.RESULTS_COOKIE, "off" if results == "off" else "")
    if results == "off":
        answer.delete_cookie(actors.SHOWN_COOKIE, samesite="Lax")
    return answer


@of_our_pages
@require_POST
def steps_end(request: HttpRequest) -> HttpResponse:
    """Dismiss the first steps for one reader."""
    answer = redirect("matches:home")
    _keep(answer, COOKIE, "off")
    return answer


@of_our_pages
@require_POST
def language_set(request: HttpRequest) -> HttpResponse:
    """Store one reader's language, and redirect to the page they came from.

    Raises: BadInput.
    """
    page, language = request.POST.get("back", ""), request.POST.get("language", "")
    _require_here(page, "back")
    if language not in dict(settings.LANGUAGES):
        raise BadInput("bad-choice", gettext("There is no such language here."), "language")
    answer = redirect(page)
    _keep(answer, settings.LANGUAGE_COOKIE_NAME, language)
    if player := actor_of(request).player:
        people.speak_to(player, language)
    return answer


def _keep(answer: HttpResponse, cookie: str, value: str) -> None:
    """Store a choice in a cookie; a default needs none."""
    answer.set_cookie(cookie, value, max_age=YEAR if value else 0, samesite="Lax")


def _path_here(page: str, field: str) -> str:
    """Return the path of a page of this site. Raises: BadInput."""
    _require_here(page, field)
    path = page.partition("?")[0]
    if not URL_PATH.fullmatch(path):
        raise BadInput("bad-path", gettext("That is no page of this site."), field)
    return path


def _require_here(page: str, field: str) -> None:
    """Require an address on this site. Raises: BadInput."""
    if not page.startswith("/") or not url_has_allowed_host_and_scheme(page, None):
        raise BadInput("bad-path", gettext("That is no page of this site."), field)


def _show_results(request: HttpRequest, page: str) -> HttpResponse:
    """Show the results of one page from now on, and redirect there. Raises: BadInput."""
    path = _path_here(page, "show")
    paths = [*dict.fromkeys([*actors.results_shown(request), path])][-MAX_SHOWN:]
    answer = redirect(page)
    answer.set_cookie(actors.SHOWN_COOKIE, actors.BETWEEN.join(paths), samesite="Lax")
    return answer
