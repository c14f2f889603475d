"""What the pages of a match share: their context, and reading their forms and queries."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django_htmx.middleware import HtmxDetails

from matches import actors, cuts, links, policy, proposals, scribes, undoing
from matches.actors import Actor
from matches.errors import BadInput, IdReused, Irregular, MovedOn, NotFound, Refused
from matches.models import Match
from matches.narration import EntryLine
from matches.scene import Scene
from rules.ruleset import Audience

SEATS = frozenset("12345678")
YEAR = 365 * 24 * 3600  # seconds
WRITTEN = 20  # characters of a text worth showing again
NOT_OF_THE_ACT = {
    *("csrfmiddlewaretoken", "act_id", "after", "recorder", "irregular", "armed"),
    *("correction_id", "reason", "over"),
}


class HtmxRequest(HttpRequest):
    """A request as the middleware of django-htmx leaves it."""

    htmx: HtmxDetails


View = Callable[..., HttpResponse]


def of_match(actor: Actor, match: Match, scene: Scene) -> dict[str, Any]:
    """Return the template context of every page of a match."""
    game = scene.ruleset.key
    parts = {
        part: [f"rules/{game}/_{part}.html", f"matches/_{part}.html"]
        for part in ("sides", "board", "last_act", "line", "track", "said")
    }
    return {
        "match": match,
        "scene": scene,
        "parts": parts,
        "may_record": policy.may_record(actor, match),
        "may_rule": policy.may_rule(actor, match),
        "may_manage": policy.may_manage(actor, match),
        "is_opener": policy.is_opener(actor, match),
        "recorder": actors.mark_of(actor, match),
        "correctable": set() if scene.past or scene.eyes else undoing.correctable(actor, match),
        "public_version": cuts.public_version(match.log),
        "may_look_as": policy.audience(actor, match) == "officials",
        "eyes": scene.query_suffix,
        "share_url": reverse("matches:match-detail", args=[match.code]),
    }


def sender_of(request: HttpRequest) -> Actor:
    """Return the actor of a request; a form says for whom its page was made."""
    actor = actors.actor_of(request)
    named = request.POST.get("recorder")
    return actor if named is None else replace(actor, recorder=named)


def of_table(actor: Actor, match: Match) -> dict[str, Any]:
    """Return the context of pages on which one records: the scribe, and waiting proposals."""
    return {
        "scribe": scribes.status_of(actor, match),
        "proposals_waiting": proposals.waiting(match),
    }


@dataclass(frozen=True)
class Step:
    """A step along the log: the line it is about, and the version it goes to."""

    line: EntryLine
    to: int


def steps_of(actor: Actor, scene: Scene) -> dict[str, Step | None]:
    """Return the `undo` and the `redo` that an actor may make now, each None if there is none."""
    moves = undoing.moves_for(actor, scene.match)._asdict()
    return {
        name: Step(scene.narrator.line(move.version), move.to) if move else None
        for name, move in moves.items()
    }


def number_in(request: HttpRequest, name: str) -> int | None:
    """Return an integer of the form or query, None if it is not given. Raises: NotFound."""
    value = request.POST.get(name) or request.GET.get(name)
    if not value:
        return None
    if not value.isascii() or not value.isdigit() or len(value) > 9:
        raise NotFound(
            gettext("“{value}” is no number of an entry.").format(value=value[:20]),
            "no-such-entry",
        )
    return int(value)


def eyes_in(request: HttpRequest) -> Audience | None:
    """Return whose view of the match a query asks for. Raises: NotFound."""
    match request.GET.get("as", ""):
        case "":
            return None
        case "public" | "officials" as group:
            return group
        case seat if seat in SEATS:
            return int(seat)
    raise NotFound(gettext("There is no such seat or audience to look as."), "no-such-seat")


def uuid_in(request: HttpRequest, name: str) -> UUID:
    """Return an id of the form. Raises: BadInput."""
    return _uuid(request.POST.get(name, ""), name)


def uuids_in(request: HttpRequest, name: str) -> list[UUID]:
    """Return the ids that are ticked in the form, in its order. Raises: BadInput."""
    return [_uuid(text, name) for text in request.POST.getlist(name)]


def _uuid(text: str, name: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise BadInput(
            "bad-id", gettext("The form lacks its {name}; load it again.").format(name=name), name
        ) from None


def back_to(request: HttpRequest) -> int:
    """Return the version to which a form takes a match back. Raises: BadInput."""
    to = number_in(request, "to")
    if to is None:
        raise BadInput("missing-field", gettext("Say which version to go back to."), "to")
    return to


def next_page(request: HttpRequest) -> str:
    """Return the page of this site that `next` of a form or an address names, else ""."""
    there = request.POST.get("next") or request.GET.get("next", "")
    fits = url_has_allowed_host_and_scheme(there, {request.get_host()}, request.is_secure())
    return there if fits and there.startswith("/") else ""


def retry_of(request: HttpRequest, refused: Refused | None) -> list[tuple[str, str]]:
    """Return the fields of a refused act, if it may be sent once more as it is."""
    if not isinstance(refused, IdReused | Irregular | MovedOn):
        return []
    return act_fields_in(request.POST)


def page_of(
    request: HttpRequest, template: str, context: dict[str, Any], refused: Refused | None
) -> HttpResponse:
    """Return a page; after a refusal with the reason, and its status."""
    status = refused.status if refused else 200
    return render(request, template, context | {"refused": refused}, status=status)


def act_fields_in(given: QueryDict) -> list[tuple[str, str]]:
    """Return the fields of a form that say the act, to be sent again."""
    lists = given.lists()
    return [(name, value) for name, many in lists if name not in NOT_OF_THE_ACT for value in many]


def over_in(request: HttpRequest) -> UUID | None:
    """Return the lease that a form takes over, None for none. Raises: BadInput."""
    return uuid_in(request, "over") if request.POST["over"] else None


def act_id_in(request: HttpRequest) -> UUID | None:
    """Return the id that makes a form idempotent. Raises: BadInput."""
    text = request.POST.get("act_id", "")
    try:
        return UUID(text) if text else None
    except ValueError:
        raise BadInput(
            "wrong-type",
            gettext("The form's id is not valid; load it again."),
            "act_id",
        ) from None


def of_our_pages(view: View) -> View:
    """Accept a form without a CSRF token from pages of this site, as the browser states itself.

    A token differs for each reader and needs a cookie, so pages with one could not be cached for
    all. A request that the browser does not state to be from here needs a token as usual.
    """
    guarded = csrf_protect(view)

    @csrf_exempt
    @wraps(view)
    def taken(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return (view if is_from_here(request) else guarded)(request, *args, **kwargs)

    return taken


def is_from_here(request: HttpRequest) -> bool:
    """Tell whether the browser states that a request comes from a page of this site."""
    if site := request.headers.get("Sec-Fetch-Site"):
        return site == "same-origin"
    origin = request.headers.get("Origin")
    return origin is not None and origin == f"{request.scheme}://{request.get_host()}"


def written_in(request: HttpRequest) -> list[str]:
    """Return the texts of several words that somebody wrote in a form of this site's pages.

    A page that refuses a form shows them, to be copied: going back may not bring them back. A form
    from elsewhere could put words into this site's mouth, so its texts are not shown.
    """
    if not is_from_here(request):
        return []
    texts = (str(text) for name, text in request.POST.items() if "password" not in name)
    return [text for text in texts if len(text) >= WRITTEN and len(text.split()) > 1]


def of_results(view: View) -> View:
    """Hide a page that shows only results from readers with results off, until they ask for it."""

    @wraps(view)
    def kept(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        off = actors.has_results_off(request)
        return results_off(request) if off else view(request, *args, **kwargs)

    return kept


def results_off(request: HttpRequest) -> HttpResponse:
    """Return the page that says that results are off, and how to see them here."""
    answer = render(request, "matches/results_off.html")
    patch_cache_control(answer, private=True, no_cache=True)
    return answer


def on_a_device(view: View) -> View:
    """Give the browser a signed device id in a cookie, by which it can be the scribe."""

    @wraps(view)
    def named(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if links.device_of(request) is not None:
            return view(request, *args, **kwargs)
        token = request.COOKIES[links.DEVICE_COOKIE] = links.device_token(uuid4())
        answer = view(request, *args, **kwargs)
        answer.set_cookie(
            links.DEVICE_COOKIE,
            token,
            max_age=YEAR,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )
        return answer

    return named
