"""Panels of this app for other apps' pages: the characters in a match, and a test's record."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from characters import aftermath, career, meetings, policy
from characters.models import Appearance
from matches import selectors
from matches.actors import actor_of
from matches.models import Match
from rules.ruleset import Ruleset


def who_fights(request: HttpRequest, match: Match) -> SafeString:
    """Name the visible characters at this table, and who plays each, in its head."""
    if not _may_have(match):
        return SafeString()
    shown = policy.visible_characters(actor_of(request)).values("pk")
    played = Appearance.objects.filter(seat__match=match, character__in=shown)
    context = {"played": played.select_related("character", "seat__player").order_by("seat")}
    return render_to_string("characters/_match_names.html", context)


def fielded(request: HttpRequest, match: Match) -> SafeString:
    """Show the visible characters at this table, and the reader's own questions after it."""
    if not _may_have(match):
        return SafeString()
    actor = actor_of(request)
    shown = policy.visible_characters(actor).values("pk")
    played = list(career.appearances(actor, seat__match=match, character__in=shown))
    if not played:
        return SafeString()
    mine = [each.character for each in played if policy.may_record(actor, each.character)]
    prompts_of_each = [(who, aftermath.prompts_of(actor, who, match.code)) for who in mine]
    context = {
        "outings": sorted(career.outings(actor, played), key=lambda outing: outing.seat),
        "asked": [(who, prompts) for who, prompts in prompts_of_each if prompts],
    }
    return render_to_string("characters/_match_panel.html", context, request)


def _may_have(match: Match) -> bool:
    """Tell whether characters may sit at this table, without a query: at most tables none do."""
    return any(seat.ref for seat in selectors.timeline(match).setup.seats)


def in_logged_play(request: HttpRequest, game: Ruleset, shown: Mapping[str, Any]) -> SafeString:
    """Show the record in public matches of the attack of a page, if it names both cards."""
    attack, target = (shown.get(side, {}).get("name", "") for side in ("attack", "target"))
    if not (attack and target) or actor_of(request).results_off:
        return SafeString()
    met = meetings.between(game.key, attack, target)
    context = {"met": met, "attack": attack, "target": target}
    return render_to_string("characters/_in_logged_play.html", context, request)
