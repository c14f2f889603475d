"""Correcting an act: the form, the preview, the confirmation."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from matches import policy, scribes, selectors, services, undoing
from matches.actors import Actor
from matches.errors import Irregular, MovedOn, NotAllowed, NotFound, NotTheScribe, Refused
from matches.forms.acts import act_from_form, form_groups
from matches.models import Event, Match
from matches.pages import (
    act_fields_in,
    number_in,
    of_match,
    of_table,
    on_a_device,
    over_in,
    page_of,
    sender_of,
    uuid_in,
)
from matches.scene import Scene, scene_of
from matches.services import CorrectionRequest

SAYS_WHAT = {"type", "line", "strike"}


@never_cache
@on_a_device
@require_http_methods(["GET", "HEAD", "POST"])
def act_correct(request: HttpRequest, code: str, version: int) -> HttpResponse:
    """Show the form, or for a query with a correction its preview; record it on `POST`."""
    actor = sender_of(request)
    match = selectors.match_for(actor, code)
    policy.require_record(actor, match)
    target = _act_id(match, version)
    given = request.POST if request.method == "POST" else request.GET
    try:
        if request.method == "POST":
            return _correct(request, actor, match, target)
        _require_correctable(actor, match, version)
        if SAYS_WHAT.isdisjoint(given):
            return _form(request, actor, match, version, given)
        return _preview(request, actor, match, _correction_of(given, match, target), given)
    except (NotAllowed, NotFound):
        raise
    except Refused as refused:
        match.log.refresh_from_db()
        return _form(request, actor, match, version, given, refused)


def _correct(request: HttpRequest, actor: Actor, match: Match, target: UUID) -> HttpResponse:
    """Correct the act, `over` another scribe if asked; if refused, show the page again."""
    correction = _correction_of(request.POST, match, target)
    correction_id, after = uuid_in(request, "correction_id"), number_in(request, "after")
    try:
        if "over" in request.POST:
            scribes.take(match=match, by=actor, over=over_in(request))
        receipts = services.correct(
            match=match,
            by=actor,
            correction_id=correction_id,
            request=replace(correction, after=after),
        )
    except (MovedOn, NotTheScribe) as refused:
        match.log.refresh_from_db()
        return _preview(request, actor, match, correction, request.POST, refused)
    place = receipts[min(1, len(receipts) - 1)].version
    return redirect(reverse("matches:match-detail", args=[match.code]) + f"#entry-{place}")


def _act_id(match: Match, version: int) -> UUID:
    found = Event.objects.filter(log=match.log, version=version, ordinal=0).first()
    if found is None or found.act_id is None:
        raise NotFound(
            gettext("There is no entry {version}.").format(version=version), "no-such-entry"
        )
    return found.act_id


def _require_correctable(actor: Actor, match: Match, version: int) -> None:
    if version in undoing.correctable(actor, match):
        return
    if policy.may_rule(actor, match):
        raise NotFound(
            gettext("Entry {version} holds no act that counts.").format(version=version),
            "counts-no-more",
        )
    why = undoing.why_not_correct(selectors.timeline(match), match.log.head_version, version)
    raise NotAllowed(
        "officials-only", why or gettext("This was withdrawn; nothing more is recorded in it.")
    )


def _correction_of(given: QueryDict, match: Match, target: UUID) -> CorrectionRequest:
    """Return the correction of a form as `services.correct` and its preview take it."""
    struck = "strike" in given
    return CorrectionRequest(
        target,
        None if struck else act_from_form(rules.get(match.log.ruleset), given),
        reason=given.get("reason", ""),
        irregular="irregular" in given,
    )


def _form(
    request: HttpRequest,
    actor: Actor,
    match: Match,
    version: int,
    given: QueryDict,
    refused: Refused | None = None,
) -> HttpResponse:
    """Show the form for an act; after a refusal with the reason."""
    scene = scene_of(actor, match)
    act = scene.timeline.entries[version - 1].act
    before = scene.timeline.at(max(1, version - 1)).state
    barred = selectors.hidden_from(actor, match, before)
    is_barred = getattr(act, "seat", None) in barred
    is_known = not is_barred and scene.ruleset.hide(act, scene.audience) == act
    known = act if is_known else None
    offers = selectors.offers(scene.timeline, before, scene.audience)
    groups = form_groups(
        scene.ruleset,
        [offer for offer in offers if offer.seat not in barred],
        scene.names,
        like=known,
        rules=policy.may_rule(actor, match),
        state=before,
    )
    same = groups.pop(0) if groups and groups[0].forms[0].filled else None
    context = _context(actor, match, scene) | {
        "line": scene.narrator.line(version),
        "same": same,
        "groups": groups,
        "barred": is_barred,
        "written": given.get("line") or (scene.ruleset.write(known) if known else ""),
        "sent": act_fields_in(given),
        "stands": isinstance(refused, Irregular),
        "act_url": reverse("matches:act-correct", args=[match.code, version]),
    }
    return page_of(request, "matches/act_correct.html", context, refused)


def _preview(
    request: HttpRequest,
    actor: Actor,
    match: Match,
    correction: CorrectionRequest,
    given: QueryDict,
    refused: Refused | None = None,
) -> HttpResponse:
    """Show what a correction changes, to be confirmed."""
    preview = services.preview_correction(match=match, by=actor, request=correction)
    context = _context(actor, match, scene_of(actor, match)) | {
        "preview": preview,
        "sent": act_fields_in(given),
        "irregular": correction.irregular,
        "reason": correction.reason,
        "takes_over": not scribes.may_record(actor, match),
        "correction_id": uuid4(),
        "act_url": request.path,
    }
    return page_of(request, "matches/act_correct_preview.html", context, refused)


def _context(actor: Actor, match: Match, scene: Scene) -> dict[str, Any]:
    return of_match(actor, match, scene) | of_table(actor, match)
