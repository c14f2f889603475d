"""Tournaments as calendars: when one begins, and each round with where somebody sits."""

from datetime import datetime, timedelta

from icalendar import Calendar, Event

from league import desks, policy, selectors
from league.models import Tournament
from matches.models import Event as LogEvent
from matches.policy import Actor
from rules.desk.acts import RoundPublished
from rules.desk.state import Desk

PRODUCT = "-//ZGXL//Tournaments//EN"


def calendar_of(*, by: Actor, tournament: Tournament) -> bytes:
    """Return a tournament as an iCalendar file: of one who takes part with their own tables.

    It holds no round that is not published. Raises: NotFound.
    """
    policy.require_see(by, tournament)
    cut = desks.cut_for(by, tournament)
    desk = selectors.shown_desk(tournament, cut)
    found = Calendar()
    found.add("prodid", PRODUCT)
    found.add("version", "2.0")
    if tournament.starts_at:
        found.add_component(_begins(tournament))
    mine = desks.number_for(by, tournament, desk)
    for number, at in _published_at(tournament, cut.version).items():
        found.add_component(_round(tournament, desk, number, at, mine))
    data: bytes = found.to_ical()
    return data


def _event(uid: str, summary: str, starts: datetime, stamp: datetime, minutes: int) -> Event:
    event = Event()
    event.add("uid", uid)
    event.add("summary", summary)
    event.add("dtstamp", stamp)
    event.add("dtstart", starts)
    if minutes:
        event.add("dtend", starts + timedelta(minutes=minutes))
    return event


def _begins(tournament: Tournament) -> Event:
    starts = tournament.starts_at
    assert starts is not None
    event = _event(f"{tournament.pk}@zgxl", tournament.title, starts, tournament.created_at, 0)
    if tournament.venue:
        event.add("location", tournament.venue.name)
    return event


def _round(tournament: Tournament, desk: Desk, number: int, at: datetime, mine: int) -> Event:
    summary = f"{tournament.title}: round {number}"
    each = desk.rounds[number - 1]
    if mine in each.byes:
        summary += ", a bye"
    names = desks.names_of(tournament, desk) if mine else {}
    for table in each.tables:
        if mine in table.players:
            foes = ", ".join(names[player] for player in table.players if player != mine)
            summary += f", table {table.number} with {foes}"
    uid = f"{tournament.pk}-{number}@zgxl"
    return _event(uid, summary, at, at, tournament.round_minutes)


def _published_at(tournament: Tournament, version: int) -> dict[int, datetime]:
    """Return when each round that counts was published."""
    timeline = desks.timeline(tournament)
    acts = {
        act.round: each
        for each in timeline.effective(version)
        if isinstance(act := timeline.entries[each - 1].act, RoundPublished)
    }
    rows = LogEvent.objects.filter(log=tournament.pk, ordinal=0, version__in=acts.values())
    times = {row: at for row, at in rows.values_list("version", "recorded_at") if at}
    return {number: times[each] for number, each in acts.items() if each in times}
