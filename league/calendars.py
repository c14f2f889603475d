"""Tournaments as calendars: their start, their rounds, and at which table the reader sits.

A player's own calendar is fetched by programs that cannot sign in, so its address holds a signed
token, which the player can renew or end. Times are in UTC. Words are in the language of the reader,
as in letters.
"""

from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext
from icalendar import Calendar, Event

from league import clocks, dates, desk_cuts, desk_reads, desks, policy, timers
from league.models import Entry, Telling, Tournament
from league.telling import address_of, telling_of
from matches.actors import Actor
from matches.errors import NotFound
from matches.models import Player
from rules.desk.state import Desk, round_at

PRODUCT = "-//ZGXL//Tournaments//EN"
LIMIT = 100  # tournaments per player, newest first
KEPT = timedelta(days=365)  # after a tournament's close
REFRESH = timedelta(minutes=15)
_SALT = "league.calendar"


def calendar_of(*, by: Actor, tournament: Tournament) -> bytes:
    """Return a tournament as an iCalendar file, for an entrant with their own tables.

    Rounds appear once they are published. Raises: NotFound.
    """
    policy.require_see(by, tournament)
    found = _empty()
    with _in_language_of(by.player):
        _add(found, by, tournament)
    data: bytes = found.to_ical()
    return data


# -- a player's own -------------------------------------------------------------------------


def calendar_for(token: str) -> bytes:
    """Return all tournaments of a player, with their tables, as one iCalendar file.

    Raises: NotFound for a token that is forged, renewed since, or ended.
    """
    player = _player_of(token)
    by = Actor(player.user, player)
    found = _empty()
    found.add("name", "ZGXL")
    found.add("x-wr-calname", "ZGXL")
    found.add("refresh-interval", REFRESH, {"VALUE": "DURATION"})
    with _in_language_of(player):
        for tournament in _tournaments_of(player):
            if policy.may_see(by, tournament):
                _add(found, by, tournament)
    data: bytes = found.to_ical()
    return data


def token_of(player: Player) -> str:
    """Return the token of a player's calendar, "" if they have none."""
    telling = telling_of(player)
    if telling.calendar < 1:
        return ""
    return signing.Signer(salt=_SALT, sep="~").sign(f"{player.pk.hex}~{telling.calendar}")


def renew(player: Player) -> None:
    """Give a player a calendar at a new address; the previous address stops working."""
    telling, _ = Telling.objects.get_or_create(player=player)
    telling.calendar = abs(telling.calendar) + 1
    telling.save(update_fields=["calendar"])


def end(player: Player) -> None:
    """End a player's calendar: its address never works again."""
    telling, _ = Telling.objects.get_or_create(player=player)
    telling.calendar = -abs(telling.calendar)
    telling.save(update_fields=["calendar"])


def _player_of(token: str) -> Player:
    try:
        pk, _, number = signing.Signer(salt=_SALT, sep="~").unsign(token).partition("~")
        telling = Telling.objects.select_related("player__user").get(
            player=UUID(pk), calendar=int(number), player__user__is_active=True
        )
    except (signing.BadSignature, ValueError, Telling.DoesNotExist):
        raise NotFound(gettext("This calendar is gone."), "no-such-calendar") from None
    return telling.player


def _tournaments_of(player: Player) -> QuerySet[Tournament]:
    entered = Entry.objects.filter(policy.takes_part(player)).values("tournament")
    found = Tournament.objects.select_related("log", "venue").filter(pk__in=entered)
    recent = Q(closed_at=None) | Q(closed_at__gt=timezone.now() - KEPT)
    return found.filter(recent).order_by("-created_at", "-pk")[:LIMIT]


# -- what stands in one ---------------------------------------------------------------------


def _in_language_of(player: Player | None) -> AbstractContextManager[None]:
    return translation.override((player and player.language) or settings.LANGUAGE_CODE)


def _empty() -> Calendar:
    found = Calendar()
    found.add("prodid", PRODUCT)
    found.add("version", "2.0")
    return found


def _add(found: Calendar, by: Actor, tournament: Tournament) -> None:
    """Add a tournament: its start, and its rounds as far as `by` may see them."""
    cut = desk_cuts.cut_for(by, tournament)
    desk = desk_reads.shown_desk(tournament, cut)
    if tournament.starts_at:
        found.add_component(_event(tournament, "", tournament.title, tournament.starts_at))
    mine = desks.number_for(by, tournament, desk)
    waits = timers.waits(tournament, cut.version) if tournament.round_minutes else {}
    for number, at in desks.published_at(tournament, cut.version).items():
        waited = waits.get(number, timedelta())
        found.add_component(_round(tournament, desk, number, at, waited, mine))
    times = dates.timetable(tournament, desk)
    for each in times.dates:
        if each.pairs_at:
            found.add_component(_to_come(tournament, each.round, each.pairs_at))
        if each.deadline:
            found.add_component(_deadline(tournament, each.round, each.deadline))


def _event(
    tournament: Tournament,
    uid: str,
    summary: str,
    starts: datetime,
    *,
    stamp: datetime | None = None,
    lasts: timedelta = timedelta(),
    url: str = "",
) -> Event:
    """Return an event of a tournament; by default it is as old as that, and leads to its page.

    `uid` is what follows the tournament's own.
    """
    event = Event()
    event.add("uid", f"{tournament.pk}{uid}@zgxl")
    event.add("summary", summary)
    event.add("dtstamp", stamp or tournament.created_at)
    event.add("dtstart", starts)
    if lasts:
        event.add("dtend", starts + lasts)
    if tournament.venue:
        event.add("location", tournament.venue.where)
    event.add("url", url or address_of("league:tournament-detail", tournament.code))
    return event


def _round(
    tournament: Tournament, desk: Desk, number: int, at: datetime, waited: timedelta, mine: int
) -> Event:
    """Return a round as a calendar event; `mine` is the reader's entrant number, 0 for none.

    It is when the reader's table agreed to play, if it did, else when the round began. Pauses of
    its clock (`waited`) and extra minutes make it longer.
    """
    where = ""
    url = address_of("league:round-detail", tournament.code, number)
    this_round = round_at(desk, number)
    extra, starts = this_round.extra, dates.begins_at(tournament, at)
    if mine in this_round.byes:
        where = gettext("no match")
    names = desks.names_of(tournament, desk) if mine else {}
    for table in this_round.tables:
        if mine in table.players:
            foes = ", ".join(names[player] for player in table.players if player != mine)
            where = gettext("table {table} with {foes}").format(table=table.number, foes=foes)
            url = address_of("league:table-detail", tournament.code, number, table.number)
            extra += table.extra
            starts = clocks.moment(table.plays_at) if table.plays_at else starts
    minutes = tournament.round_minutes
    lasts = timedelta(minutes=minutes + extra) + waited if minutes else timedelta()
    uid, summary = f"-{number}", _round_called(tournament, number, where)
    return _event(tournament, uid, summary, starts, stamp=at, lasts=lasts, url=url)


def _round_called(tournament: Tournament, number: int, where: str = "") -> str:
    if not where:
        return gettext("{tournament}: round {round}").format(tournament=tournament, round=number)
    return gettext("{tournament}: round {round}, {where}").format(
        tournament=tournament, round=number, where=where
    )


def _to_come(tournament: Tournament, number: int, at: datetime) -> Event:
    """Return an automatically paired round as the event it will have once it is published."""
    lasts = timedelta(minutes=tournament.round_minutes)
    return _event(tournament, f"-{number}", _round_called(tournament, number), at, lasts=lasts)


def _deadline(tournament: Tournament, number: int, at: datetime) -> Event:
    """Return the deadline of a round as a calendar event."""
    summary = gettext("{tournament}: round {round} is to be played by now").format(
        tournament=tournament, round=number
    )
    return _event(tournament, f"-{number}-deadline", summary, at)
