"""Pages of one match: its moments, recording, proofs."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import rules
from matches import (
    actors,
    certificates,
    heads,
    jobs,
    policy,
    replica,
    selectors,
    services,
    streams,
    transfer,
    verifications,
)
from matches.actors import Actor, actor_of
from matches.conditional import not_modified
from matches.errors import Irregular, Refused
from matches.forms.acts import act_from_form, form_groups
from matches.luck import luck_of
from matches.models import Job, Match
from matches.pages import (
    back_to,
    eyes_in,
    number_in,
    of_match,
    of_results,
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
from matches.went import went_of
from rules.capabilities import SupportsMaterial

LIKELY = 3  # types of act that are shown at once, the others are folded away
PROXY_KEEPS = 60  # seconds until a withdrawn match is gone there too
PAST = {"max_age": 3600, "immutable": True}  # not for ever: see ADR 72


@require_safe
def match_detail(request: HttpRequest, code: str) -> HttpResponse:
    """Show a match: now, or as it was believed at `?at=`; with `part`, that moment alone.

    `?happened=1` shows it as it happened, without what counts no more. `?after=` gives what came
    after a version, for a page that follows the match.
    """
    if "after" in request.GET:
        return _changes(request, code)
    actor = actor_of(request)
    match = selectors.match_for(actor, code)
    scene = scene_of(
        actor,
        match,
        number_in(request, "at"),
        eyes_in(request),
        happened="happened" in request.GET,
    )
    if "part" in request.GET:
        return _moment(request, of_match(actor, match, scene))
    context = of_match(actor, match, scene)
    now = not (scene.past or scene.happened or scene.eyes or scene.results_off)
    context |= {
        "job": _check_of(scene),
        "has_certificate": certificates.has_certificate(match),
        "luck": luck_of(scene) if now else None,
        "went": went_of(scene) if now and (scene.over or "went" in request.GET) else None,
        "may_ask_went": now and not scene.over and isinstance(scene.ruleset, SupportsMaterial),
        "lines": panels("MATCH_HEADS", request, match),
        "panels": panels("MATCH_PANELS", request, match) if now else [],
        "streams": settings.STREAMS,
    }
    return render(request, "matches/match_detail.html", context)


def _moment(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Return one moment without the page around it; a past one never changes."""
    answer = render(request, "matches/_moment.html", context)
    kept = context["scene"].past
    patch_cache_control(answer, private=True, **PAST if kept else {"no_cache": True})
    patch_vary_headers(answer, ["Cookie"])
    if kept and not request.COOKIES:
        answer["X-Accel-Expires"] = PROXY_KEEPS  # our proxy may cache it for anonymous readers
    return answer


def _changes(request: HttpRequest, code: str) -> HttpResponse:
    """Return what is new since `after`: 304, after one query, if nothing is."""
    tag = None if actors.has_results_off(request) else selectors.public_tag(code)
    if tag and (same := not_modified(request, tag)):
        return same
    after = number_in(request, "after") or 0
    actor = actor_of(request)
    match = selectors.match_for(actor, code)
    scene = scene_of(actor, match, as_=eyes_in(request))
    replica.require_known(after, scene.last)
    if same := not_modified(request, scene.tag):
        return same
    answer = render(request, streams.CHANGES, streams.changes_context(actor, scene, after))
    answer["ETag"] = scene.tag
    patch_cache_control(answer, private=True, no_cache=True)
    patch_vary_headers(answer, ["Cookie"])
    return answer


@never_cache
@on_a_device
@require_http_methods(["GET", "HEAD", "POST"])
def act_record(request: HttpRequest, code: str) -> HttpResponse:
    """Record an act, from the offers or as a line of notation; refused ones come back."""
    actor = sender_of(request)
    match = selectors.match_for(actor, code)
    policy.require_record(actor, match)
    if request.method != "POST":
        return _recording_page(request, actor, match)
    try:
        services.record(
            match=match,
            by=actor,
            act_id=uuid_in(request, "act_id"),
            act=act_from_form(rules.get(match.log.ruleset), request.POST),
            after=number_in(request, "after"),
            irregular="irregular" in request.POST,
            note=request.POST.get("note", ""),
        )
    except Refused as refused:
        return _recording_page(request, actor, match, refused, retry_of(request, refused))
    return redirect("matches:act-record", code)


def _recording_page(
    request: HttpRequest,
    actor: Actor,
    match: Match,
    refused: Refused | None = None,
    retry: Sequence[tuple[str, str]] = (),
) -> HttpResponse:
    """Show what can be recorded now; after a refusal with the reason, and the act to send again."""
    if refused:
        match.log.refresh_from_db()
    scene = scene_of(actor, match)
    may_rule = policy.may_rule(actor, match)
    groups = form_groups(
        scene.ruleset, scene.offers, scene.names, rules=may_rule, state=scene.state
    )
    context = of_match(actor, match, scene) | of_table(actor, match) | steps_of(actor, scene)
    context |= {
        "form_url": reverse("matches:act-record", args=[match.code]),
        "retry": retry,
        "stands": isinstance(refused, Irregular),
        "line": request.POST.get("line", ""),
        "likely": groups[:LIKELY],
        "rarer": groups[LIKELY:],
        "act_id": uuid4(),
        "undo_id": uuid4(),
        "redo_id": uuid4(),
    }
    return page_of(request, "matches/act_record.html", context, refused)


@require_POST
def act_take_back(request: HttpRequest, code: str) -> HttpResponse:
    """Undo or redo: make the state as at a version current."""
    actor = sender_of(request)
    match = selectors.match_for(actor, code)
    policy.require_record(actor, match)
    to, after = back_to(request), number_in(request, "after")
    try:
        services.take_back(
            match=match, by=actor, act_id=uuid_in(request, "act_id"), to=to, after=after
        )
    except Refused as refused:
        return _recording_page(request, actor, match, refused)
    return redirect("matches:act-record", code)


@require_http_methods(["GET", "HEAD", "POST"])
def match_verify(request: HttpRequest, code: str) -> HttpResponse:
    """Show the proofs of a match, and ask a worker to verify it."""
    actor = actor_of(request)
    match = selectors.match_for(actor, code)
    if request.method == "POST":
        services.request_verify(match=match, by=actor)
        return redirect("matches:match-verify", code)
    scene = scene_of(actor, match)
    job = _check_of(scene)
    context = of_match(actor, match, scene) | {
        "job": job,
        "why": jobs.why(job) if job else "",
        "may_verify": policy.may_verify(actor, match),
        "heads_key": heads.public_key(),
        "has_certificate": certificates.has_certificate(match),
    }
    return render(request, "matches/match_verify.html", context)


def _check_of(scene: Scene) -> Job | None:
    """Return the last verification of a log; if part is held back, without what tells how much."""
    job = verifications.last_of(scene.match.log)
    if job is not None and job.result and scene.held_back:
        job.result = verifications.in_short(job.result)
    return job


@require_safe
def match_log_file(request: HttpRequest, code: str) -> HttpResponse:
    """Download the whole log as a file, one row a line, with all that its chain rests on."""
    actor = actor_of(request)
    match = selectors.match_for(actor, code)
    content = transfer.export_ndjson(match, selectors.whole(actor, match))
    return _file(content, f"{match.code}.ndjson", "application/x-ndjson")


@require_safe
def match_notation(request: HttpRequest, code: str) -> HttpResponse:
    """Download the match in notation, to be read and replayed anywhere."""
    actor = actor_of(request)
    match = selectors.match_for(actor, code)
    content = transfer.export_notation(match, selectors.whole(actor, match))
    return _file(content, f"{match.code}.zgxl", "text/plain; charset=utf-8")


@require_safe
@of_results
def match_certificate(request: HttpRequest, code: str) -> HttpResponse:
    """Download the certificate of a match that is over and all public: it proves itself."""
    match = selectors.match_for(actor_of(request), code)
    content = msgspec.json.encode(certificates.certificate_of(match))
    return _file(content, f"{match.code}.certificate.json", "application/json")


def _file(content: bytes | str, name: str, content_type: str) -> HttpResponse:
    return HttpResponse(
        content,
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
