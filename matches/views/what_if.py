"""A match judged under other options: what would have changed, act by act."""

from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from matches import selectors
from matches.actors import actor_of
from matches.forms.opening import options_form, options_of
from matches.scene import Scene, scene_of
from rules import otherwise, texts
from rules.otherwise import Otherwise
from rules.ruleset import SetupError, Verdict

LIMIT = 200  # changes shown on a page


@require_safe
def match_if(request: HttpRequest, code: str) -> HttpResponse:
    """Judge the acts of a match again under the options of the query; nothing is recorded.

    With `whole` the query is the whole form, in which a box that is not ticked is absent; otherwise
    options it does not name keep their values.
    """
    actor = actor_of(request)
    match = selectors.match_for(actor, code)
    scene = scene_of(actor, match)
    own = msgspec.to_builtins(scene.state.setup.options)
    form = options_form(scene.ruleset, request.GET or None, initial=own)
    context: dict[str, Any] = {
        "match": match,
        "scene": scene,
        "form": form,
        "share_url": reverse("matches:match-detail", args=[match.code]),
    }
    status = 200
    if request.GET and scene.over and not scene.results_off:
        if form.is_valid():
            changed = options_of(form)
            if "whole" not in request.GET:
                changed = {k: value for k, value in changed.items() if f"option-{k}" in request.GET}
                context["form"] = options_form(scene.ruleset, initial=own | changed)
            try:
                context["found"] = _found(scene, own, changed)
            except SetupError as error:
                form.add_error(None, str(error))
                context["form"] = form
        status = 200 if form.is_valid() else 422
    return render(request, "matches/match_if.html", context, status=status)


def _found(scene: Scene, own: dict[str, Any], changed: dict[str, Any]) -> dict[str, Any]:
    """Return what other options would have changed, in words. Raises: SetupError."""
    ruleset = scene.ruleset
    options = msgspec.convert(own | changed, ruleset.options_type)
    found = otherwise.readjudicate(scene.timeline, options, scene.version)
    return {
        "asked": found.asked,
        "many": len(found.changes),
        "changes": [_change_data(scene, change) for change in found.changes[:LIMIT]],
        "was": ruleset.headline(scene.state, scene.names),
        "now": ruleset.headline(found.state, scene.names),
    }


def _change_data(scene: Scene, change: Otherwise) -> dict[str, Any]:
    ruleset, names = scene.ruleset, scene.names
    entry = scene.timeline.entries[change.version - 1]
    before = scene.timeline.at(entry.on or change.version - 1).state

    def sentence(verdict: Verdict) -> list[str]:
        return [texts.of_finding(ruleset.texts, verdict, names)] if verdict.code else []

    was, now = (
        [*sentence(verdict), *(ruleset.tell(event, before, names) for event in events)]
        for verdict, events in zip(change.calls, change.events, strict=True)
    )
    return {
        "version": change.version,
        "text": ruleset.tell(change.act, before, names),
        "was": [text for text in was if text not in now],
        "now": [text for text in now if text not in was],
    }
