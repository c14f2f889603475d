"""A match judged under other options: what would have changed, act by act."""

from itertools import islice
from typing import Any

import msgspec
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from matches import selectors
from matches.actors import actor_of
from matches.errors import Refused
from matches.forms.opening import options_form, options_of
from matches.scene import scene_of
from matches.what_if import ChangedAct, WhatIf, may_be_asked, what_if

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
        "may_ask": may_be_asked(scene),
        "form": form,
        "share_url": reverse("matches:match-detail", args=[match.code]),
    }
    status = 200
    if request.GET and context["may_ask"]:
        if form.is_valid():
            changed = options_of(form)
            if "whole" not in request.GET:
                changed = {k: value for k, value in changed.items() if f"option-{k}" in request.GET}
                context["form"] = options_form(scene.ruleset, initial=own | changed)
            try:
                context["found"] = _found(what_if(scene, changed | _unknown(request, form)))
            except Refused as error:
                form.add_error(None, str(error))
                context["form"] = form
        status = 200 if form.is_valid() else 422
    return render(request, "matches/match_if.html", context, status=status)


def _unknown(request: HttpRequest, form: Form) -> dict[str, Any]:
    """Return the options of the query that the game does not have: they are refused by name."""
    asked = {name.removeprefix("option-") for name in request.GET if name.startswith("option-")}
    return dict.fromkeys(asked - set(form.fields))


def _found(found: WhatIf) -> dict[str, Any]:
    """Return what other options would have changed, in words."""
    return {
        "asked": found.asked,
        "many": len(found.changes),
        "changes": [_change_data(change) for change in islice(found.changes, LIMIT)],
        "was": found.before.headline,
        "now": found.after.headline,
    }


def _change_data(change: ChangedAct) -> dict[str, Any]:
    was, now = change.before.sentences, change.after.sentences
    return {
        "version": change.version,
        "text": change.told,
        "was": [text for text in was if text not in now],
        "now": [text for text in now if text not in was],
    }
