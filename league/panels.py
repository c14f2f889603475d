"""What this floor shows on the page of a match: the table it is played at, and its clock."""

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from league import due, policy
from league.models import TableMatch
from league.scene import Scene
from league.views_tournament import floor_told, may_compare
from matches.models import Match
from matches.policy import actor_of


def at_table(request: HttpRequest, match: Match) -> SafeString:
    """Show whose table a match is played at, when time is up, and what happens then."""
    found = (
        TableMatch.objects.select_related("tournament__log", "tournament__league")
        .filter(match=match)
        .first()
    )
    actor = actor_of(request)
    if found is None or not policy.may_see(actor, found.tournament):
        return SafeString()
    scene = Scene(actor, found.tournament)
    seen = scene.table(found.round, found.table)
    if seen is None:
        return SafeString()
    context = {
        "tournament": found.tournament,
        "seen": seen,
        "round": scene.rounds[seen.round - 1],
        "ends_at": due.ends_at(scene) if seen.table.status == "open" else None,
        "time_up": may_compare(scene, seen),
        "floor": floor_told(found.tournament),
    }
    return render_to_string("league/_match_panel.html", context, request)
