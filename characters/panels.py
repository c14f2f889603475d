"""What this floor shows on the page of a match: who was fielded, and what is asked after it."""

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from characters import aftermath, career, policy
from matches import selectors
from matches.actors import actor_of
from matches.models import Match


def fielded(request: HttpRequest, match: Match) -> SafeString:
    """Show the characters one may know of at this table, and one's own questions after it."""
    if not any(seat.ref for seat in selectors.timeline(match).setup.seats):
        return SafeString()  # most tables have none: who may know of whom is asked of the others
    actor = actor_of(request)
    shown = policy.visible_characters(actor).values("pk")
    played = list(career.appearances(actor, seat__match=match, character__in=shown))
    if not played:
        return SafeString()
    mine = [each.character for each in played if policy.may_record(actor, each.character)]
    asked = [(who, aftermath.prompts_of(actor, who, match.code)) for who in mine]
    context = {
        "outings": sorted(career.outings(actor, played), key=lambda outing: outing.seat),
        "asked": [(who, prompts) for who, prompts in asked if prompts],
    }
    return render_to_string("characters/_match_panel.html", context, request)
