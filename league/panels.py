"""Panels on the pages of lower floors: a match's table and clock, and what is on at home."""

from django.db.models import Q
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from characters.models import Character
from league import desks, selectors, timers
from league.due import describe_due
from league.models import TableMatch
from league.played import played_at, table_with
from league.scene import Scene, scenes_of
from league.views.leagues import lines_of, parted
from league.views.tables import may_compare, timer_at
from league.views.tournament import floor_rules
from matches.actors import actor_of
from matches.models import Log, Match
from rules.desk.state import Desk, Table

SHOWN = 4  # tournaments of a kind on the home page
ENTERED = 6  # tournaments on the record of a character


def at_table(request: HttpRequest, match: Match) -> SafeString:
    """Render the table that a match is played at, when time is up, and what happens then."""
    found = selectors.table_of(actor_of(request), match)
    if found is None:
        return SafeString()
    scene = Scene(actor_of(request), found.tournament)
    seen = scene.table(found.round, found.table)
    if seen is None or not _table_of(found, scene.desk):
        return SafeString()
    context = {
        "tournament": found.tournament,
        "seen": seen,
        "round": scene.round_at(seen.round),
        "timer": timer_at(scene, seen),
        "time_up": may_compare(scene, seen),
        "floor": floor_rules(found.tournament),
    }
    return render_to_string("league/_match_panel.html", context, request)


def clock(request: HttpRequest, match: Match) -> SafeString:
    """Render the clock of a match's table for its logger."""
    found = selectors.table_of(actor_of(request), match)
    if found is None or not found.tournament.round_minutes:
        return SafeString()
    tournament, desk = found.tournament, desks.desk_of(found.tournament)
    table = _table_of(found, desk)
    if table is None:
        return SafeString()
    timer = timers.timer_at(tournament, desk, tournament.log.head_version, found.round, table)
    if timer is None:
        return SafeString()
    context = {"tournament": tournament, "timer": timer}
    return render_to_string("league/_logger_timer.html", context, request)


def onward(request: HttpRequest, match: Match) -> SafeString:
    """Render where a match that is over leads to in its logger: the next game, or its table."""
    found = selectors.table_of(actor_of(request), match)
    if found is None or match.log.status == Log.Status.OPEN:
        return SafeString()
    tournament, desk = found.tournament, desks.desk_of(found.tournament)
    table = _table_of(found, desk)
    if table is None:
        return SafeString()
    plays_on = bool(played_at(tournament, desk, found.round, table).goes_on)
    context = {"tournament": tournament, "at": found, "plays_on": plays_on}
    return render_to_string("league/_logger_onward.html", context, request)


def entered_as(request: HttpRequest, character: Character) -> SafeString:
    """Render the newest tournaments that a character entered, with its final places."""
    actor = actor_of(request)
    shown = selectors.entered_as(selectors.tournaments_for(actor), character)
    entered = list(selectors.with_places(actor, shown, Q(character=character))[:ENTERED])
    if not entered:
        return SafeString()
    return render_to_string("league/_record_panel.html", {"tournaments": entered}, request)


def _table_of(found: TableMatch, desk: Desk) -> Table | None:
    """Return the table that a match was opened at, None if others sit there by now."""
    return table_with(found.tournament, desk, found.round, found.table, found.players)


def my_tables(request: HttpRequest) -> SafeString:
    """Render the reader's tables in open rounds, byes and check-ins, and what they run."""
    actor = actor_of(request)
    entered, organised = scenes_of(actor, *selectors.own_open(actor, SHOWN))
    context = {
        "scenes": [
            each for each in entered if each.my_table or each.my_bye or each.should_check_in
        ],
        "organised": [(each.tournament, describe_due(each)) for each in organised],
    }
    return render_to_string("league/_my_tables.html", context, request)


def on_and_next(request: HttpRequest) -> SafeString:
    """Render what is on and what comes next, with links to leagues and places."""
    actor = actor_of(request)
    on, soon = selectors.on_and_next(actor)
    (under_way, _), (to_come, _) = map(parted, lines_of(actor, on[:SHOWN], soon[:SHOWN]))
    context = {"on": under_way, "soon": to_come}
    return render_to_string("league/_on_and_next.html", context, request)
