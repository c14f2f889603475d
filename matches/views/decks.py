"""Checking a pasted deck list: read card by card, with all problems at once."""

from typing import Any

import msgspec
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from matches import canonical, decks
from matches.actors import actor_of
from matches.errors import NotFound, Refused
from matches.forms import Lines, form_status, posted
from matches.forms.opening import options_form, options_of
from rules.capabilities import SupportsDeckLists
from rules.ruleset import Ruleset


class ListForm(forms.Form):
    """A deck list as players write it."""

    text = forms.CharField(
        label=gettext_lazy("Your list, a card a line"),
        max_length=decks.LIMIT,
        strip=False,
        widget=Lines(attrs={"rows": 14, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "<code>4 Card Name</code>, <code>4x CODE-001 Card Name</code> or <code>Card "
            "Name x4</code>; <code>Player:</code> and <code>Start:</code> before those "
            "two; headings such as <code># Life Recovery</code> tell of cards nobody has "
            "entered."
        ),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def deck_check(request: HttpRequest, key: str) -> HttpResponse:
    """Check a list that is sent, or a sample by its name (`?sample=`); nothing is stored."""
    ruleset = _game(key)
    assert isinstance(ruleset, SupportsDeckLists)
    samples, sent = decks.samples(ruleset), posted(request)
    sample = samples.get(request.GET.get("sample", ""))
    form, settings = ListForm(sent), _settings(ruleset, sent)
    if sent is None and sample is not None:
        form = ListForm({"text": decks.written(ruleset, sample)})
    context: dict[str, Any] = {
        "game": ruleset,
        "form": form,
        "settings": settings,
        "samples": list(samples),
        "checked_template": f"rules/{ruleset.key}/_deck.html",
    }
    status = form_status(request)
    if form.is_valid() and (sent is None or settings.is_valid()):
        chosen = options_of(settings) if sent is not None else _usual(ruleset)
        try:
            options = canonical.convert(chosen, ruleset.options_type, "$.options")
            text = form.cleaned_data["text"]
            context["checked"] = decks.check_list(ruleset, text, options, actor_of(request))
            status = 200
        except Refused as refused:
            context["refused"] = refused
    return render(request, "matches/deck_check.html", context, status=status)


def _usual(ruleset: Any) -> dict[str, Any]:
    """Return the default options, as of today."""
    today = timezone.localdate().isoformat()
    usual = ruleset.options_on(msgspec.convert({}, ruleset.options_type), today)
    return msgspec.structs.asdict(usual)


def _settings(ruleset: Any, data: Any) -> forms.Form:
    """Return a form of the options that a list is checked under."""
    form = options_form(ruleset, data, _usual(ruleset))
    for name in [name for name in form.fields if name not in ruleset.list_options]:
        del form.fields[name]
    return form


def _game(key: str) -> Ruleset:
    """Return a game that reads lists. Raises: NotFound."""
    try:
        ruleset = rules.get(key)
    except KeyError:
        raise NotFound(
            gettext("There is no game {key}.").format(key=key[:40]), "unknown-game"
        ) from None
    if not decks.reads_lists(ruleset):
        raise NotFound(gettext("{name} reads no deck lists.").format(name=ruleset.name), "no-lists")
    return ruleset
