"""The logger: a match recorded with one hand on a phone, each act in one or two taps.

One address for everything: `GET` shows what is awaited, with `?card=…&end=…` the half already
chosen; `POST` records. `?part=1` gives the page's inner part alone, for the script, `?part=beside`
what changes there without an act, and `?part=pocket` and `?part=shell` what it keeps for a time
without a network.
"""

import hashlib
from typing import Any
from urllib.parse import quote, urlencode
from uuid import uuid4

import msgspec
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from matches import policy, practice, selectors, services
from matches.actors import Actor
from matches.countdowns import countdown_of
from matches.errors import Irregular, NotFound, Refused
from matches.forms.acts import FormGroup, act_from_form, form_groups, title_of
from matches.log import Receipt
from matches.models import Match
from matches.pages import (
    back_to,
    number_in,
    of_match,
    of_table,
    on_a_device,
    page_of,
    retry_of,
    sender_of,
    steps_of,
    uuid_in,
)
from matches.panels import panels
from matches.scene import Scene, scene_of
from matches.views import phone
from rules.ruleset import Act, Ruleset, TakenBack, event_type

ASKED = ("card", "end", "foe", "target", "target_end", "seat")
"""What a query may choose beforehand; a template takes of it what the board holds."""


@never_cache
@on_a_device
@require_http_methods(["GET", "HEAD", "POST"])
def logger(request: HttpRequest, code: str) -> HttpResponse:
    """Show what the table waits for, or record it and show what it waits for next."""
    actor = sender_of(request)
    match = selectors.match_for(actor, code)
    policy.require_record(actor, match)
    if request.method != "POST":
        return _part(request, actor, match)
    try:
        _record(request, actor, match)
    except Refused as refused:
        match.log.refresh_from_db()
        return _logger_page(request, actor, match, refused)
    query = _query(QueryDict(request.POST.get("armed", "")))
    return redirect(reverse("matches:logger", args=[code]) + (f"?{query}" if query else ""))


def _part(request: HttpRequest, actor: Actor, match: Match) -> HttpResponse:
    match request.GET.get("part"):
        case "shell":
            return _shell(request, match)
        case "pocket":
            return _pocket(request, actor, match)
        case "beside":
            return _beside(request, actor, match)
    return _logger_page(request, actor, match)


def _query(given: QueryDict) -> str:
    """Return the parameters of a query that preselect parts of an act."""
    return urlencode({name: given[name] for name in ASKED if given.get(name)}, quote_via=quote)


def _record(request: HttpRequest, actor: Actor, match: Match) -> None:
    act_id, after = uuid_in(request, "act_id"), number_in(request, "after")
    if "bot" in request.POST:
        seat = number_in(request, "bot") or 0
        played = practice.let_play(match=match, by=actor, act_id=act_id, seat=seat, after=after)
        _tell_played(request, actor, match, played)
        return
    if request.POST.get("type") == event_type(TakenBack):
        to = back_to(request)
        services.take_back(match=match, by=actor, act_id=act_id, to=to, after=after)
        return
    services.record(
        match=match,
        by=actor,
        act_id=act_id,
        act=act_from_form(rules.get(match.log.ruleset), request.POST),
        after=after,
        irregular="irregular" in request.POST,
        note=request.POST.get("note", ""),
    )


def _tell_played(request: HttpRequest, actor: Actor, match: Match, played: list[Receipt]) -> None:
    """Tell how many acts a bot played, and which: the last is told by the page itself."""
    n = len(played)
    text = ngettext("The bot played {n} act.", "The bot played {n} acts.", n).format(n=n)
    narrator = scene_of(actor, match).narrator
    seen = [each for each in played[:-1] if selectors.sees(actor, match, each.act)]
    sentences = [text, *(narrator.text(receipt.version) for receipt in seen)]
    messages.success(request, " ".join(sentences), extra_tags="lg-played")


def _logger_page(
    request: HttpRequest, actor: Actor, match: Match, refused: Refused | None = None
) -> HttpResponse:
    context = _table(request, actor, match, refused)
    part = "_logger_inner" if "part" in request.GET else "logger"
    return page_of(request, f"matches/{part}.html", context, refused)


def _shell(request: HttpRequest, match: Match) -> HttpResponse:
    """Return the page without a match and without a name, for a phone to cache.

    Raises: NotFound for a phone that has the files of another release.
    """
    if request.GET.get("release", phone.release()) != phone.release():
        raise NotFound
    ruleset = rules.get(match.log.ruleset)
    context = {
        "match": match,
        "table_url": reverse("matches:logger", args=[match.code]),
        "share_url": reverse("matches:match-detail", args=[match.code]),
        "acts": act_fields(ruleset),
        "titles": _act_titles(ruleset),
        "script": _of_the_game(ruleset, "script"),
        "user": AnonymousUser(),
    }
    return render(request, "matches/logger.html", context)


def _beside(request: HttpRequest, actor: Actor, match: Match) -> JsonResponse:
    """Return what changed without an act: the scribe, and panels of higher floors, as a clock."""
    payload = {
        "pen": _pen(of_table(actor, match)),
        "panels": "".join(panels("LOGGER_PANELS", request, match)),
    }
    return JsonResponse(payload, headers={"Cache-Control": "private, no-store"})


def _pen(table: dict[str, Any]) -> str:
    """Return a mark that changes with the scribe and the number of open proposals."""
    lease = table["scribe"].lease
    return f"{lease.pk if lease else ''} {table['proposals_waiting']}"


def _pocket(request: HttpRequest, actor: Actor, match: Match) -> JsonResponse:
    """Give what a phone goes on with when it loses the network.

    `board` and `html`: the state and the desks made of it; `foretold`: what acts will come to,
    left out when the phone has that of the same `ends`.
    """
    context = _table(request, actor, match)
    scene: Scene = context["scene"]
    foretold = context["foretold"] = scene.ruleset.foretell(scene.state)
    ends = hashlib.sha256(msgspec.json.encode(foretold.get("ends"))).hexdigest()[:16]
    desks = _of_the_game(scene.ruleset, "pocket")
    payload = {
        "version": scene.version,
        "recorder": context["recorder"],
        "title": str(match),
        "board": scene.view,
        "html": render_to_string(desks, context, request),
        "score": render_to_string(context["desk"]["score"], context, request),
        "ends": ends,
    }
    if request.GET.get("ends") != ends:
        payload["foretold"] = foretold
    return JsonResponse(payload, headers={"Cache-Control": "private, no-store"})


def _table(
    request: HttpRequest, actor: Actor, match: Match, refused: Refused | None = None
) -> dict[str, Any]:
    """Return what the logger's templates show."""
    scene = scene_of(actor, match)
    may_rule = policy.may_rule(actor, match)
    groups = form_groups(
        scene.ruleset, scene.offers, scene.names, rules=may_rule, state=scene.state
    )
    table = of_table(actor, match)
    table_url = reverse("matches:logger", args=[match.code])
    return (
        of_match(actor, match, scene)
        | table
        | steps_of(actor, scene)
        | {
            "pen": _pen(table),
            "table_url": table_url,
            "form_url": table_url,
            "asked": {name: request.GET.get(name, "") for name in ASKED},
            "query": _query(request.GET),
            "groups": groups,
            "forms": _by_type(groups),
            "desk": {
                part: _of_the_game(scene.ruleset, part)
                for part in ("said", "desk", "name", "score")
            },
            "script": _of_the_game(scene.ruleset, "script"),
            "acts": act_fields(scene.ruleset),
            "titles": _act_titles(scene.ruleset),
            "release": phone.release(),
            "countdown": countdown_of(scene, groups),
            "panels": panels("LOGGER_PANELS", request, match),
            "bot_seat": practice.seat_awaited(match),
            "retry": retry_of(request, refused),
            "stands": isinstance(refused, Irregular),
            "act_id": uuid4(),
        }
    )


def _of_the_game(ruleset: Ruleset, part: str) -> list[str]:
    """Return the templates to try for a part of the page: the game's own, then the general one."""
    return [f"rules/{ruleset.key}/_logger_{part}.html", f"matches/_logger_{part}.html"]


def _by_type(groups: list[FormGroup]) -> dict[str, FormGroup]:
    """Return the groups by their type, written so that a template can name it."""
    return {group.type.replace("-", "_"): group for group in groups}


def act_fields(ruleset: Ruleset) -> dict[str, dict[str, str]]:
    """Return for each type of act its fields and of what kind: number flag numbers texts text.

    The script makes JSON of exact types from forms by it.
    """
    acts: tuple[type[Act], ...] = (*ruleset.acts, TakenBack)
    return {
        event_type(act): {part.name: _kind(part.type) for part in msgspec.structs.fields(act)}
        for act in acts
    }


def _act_titles(ruleset: Ruleset) -> dict[str, str]:
    """Return the title of each type of act, by which the script names what was tapped."""
    return {kind: title_of(ruleset, kind) for kind in map(event_type, ruleset.acts)}


def _kind(annotation: Any) -> str:
    shape = msgspec.inspect.type_info(annotation)
    if isinstance(shape, msgspec.inspect.UnionType):
        shape = next(s for s in shape.types if not isinstance(s, msgspec.inspect.NoneType))
    match shape:
        case msgspec.inspect.BoolType():
            return "flag"
        case _ if _is_number(shape):
            return "number"
        case (
            msgspec.inspect.VarTupleType(item_type=item) | msgspec.inspect.ListType(item_type=item)
        ):
            return "numbers" if _is_number(item) else "texts"
    return "text"


def _is_number(shape: msgspec.inspect.Type) -> bool:
    if isinstance(shape, msgspec.inspect.LiteralType):
        return all(isinstance(value, int) for value in shape.values)
    return isinstance(shape, msgspec.inspect.IntType)
