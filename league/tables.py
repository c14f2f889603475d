"""Matches at tables: opened from a pairing, and kept as the desk has it.

A call of time reaches them, and they are as visible as their tournament and as its results. What
they report to the desk is in `reporting`.
"""

from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID, uuid5

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext

import rules
from characters import fielding
from league import desks, policy, registering, titles
from league.happenings import Happenings
from league.models import Entry, TableMatch, Tournament
from league.played import PlayedTable, key_of, played_at, seated
from league.publishing import Publications
from league.ratings import Ratings
from matches import cuts, followers, services
from matches import log as logs
from matches.actors import Actor
from matches.errors import Conflict, Impossible, NotAllowed, NotFound
from matches.log import Request
from matches.models import Event, Log, Match, Seat, uuid7
from rules.capabilities import SupportsFloorRules
from rules.desk.acts import TimeCalled
from rules.desk.state import Desk, open_round, round_at, table_of

# -- opening ------------------------------------------------------------------------------


def open_table(*, tournament: Tournament, by: Actor, number: int, table: int) -> Match:
    """Open the next match of a table, or return the one under way there.

    The table's entrants and officials may. If it is opened twice concurrently, one is kept. The
    match has no owner: whoever rules the tournament manages it. Raises: NotFound, NotAllowed,
    Conflict if the table is decided, by its matches too, or the game has no such number of seats.
    """
    policy.require_see(by, tournament)
    desk = desks.desk_of(tournament)
    found = table_of(desk, number, table)
    if found is None or not round_at(desk, number).published:
        raise NotFound(
            gettext("There is no table {table} in round {number}.").format(
                table=table, number=number
            ),
            "no-such-table",
        )
    mine = desks.number_for(by, tournament, desk)
    if mine not in found.players and not policy.is_official(by, tournament):
        raise NotAllowed(
            "not-allowed",
            gettext("Only those who sit at this table, and officials, can open its match."),
        )
    at = played_at(tournament, desk, number, found)
    if at.under_way is not None:
        return at.under_way
    if not at.goes_on:
        status = "settled" if at.result else found.status  # the desk may not know it yet
        raise Conflict(
            "settled-already",
            gettext("Table {table}: {status}.").format(table=table, status=titles.STATUS[status]),
        )
    seats = [_Seated(entry) for entry in _entries(at)]
    if not at.counting:  # between the games of a match nothing is mended
        for each in seats:
            each.require_fit(by)
    _require_seats(at)
    return _open(at, by, seats)


def _entries(at: PlayedTable) -> list[Entry]:
    """Return who sits at a table, in the order of the seats of its next game."""
    entries = desks.entries_by_number(at.tournament, at.desk)
    return [entries[each] for each in seated(at.table.players, at.next_game)]


def _require_seats(at: PlayedTable) -> None:
    """Raises: Conflict for a game that has no such number of seats."""
    ruleset, players = rules.get(at.tournament.ruleset), len(at.table.players)
    if players not in ruleset.seats:
        text = gettext("{name} does not seat {players}.")
        raise Conflict("no-such-match", text.format(name=ruleset.name, players=players))


def _open(at: PlayedTable, by: Actor, seats: Sequence["_Seated"]) -> Match:
    tournament, desk, number, table = at.tournament, at.desk, at.round, at.table
    venue = tournament.venue
    where = titles.PLACE.format(venue=venue.name, table=table.number) if venue else ""
    try:
        with transaction.atomic():
            visibility = _visibility(locked(tournament.pk))
            match = services.open_match(
                by=by,
                ruleset=tournament.ruleset,
                options=msgspec.json.decode(tournament.options),
                seats=[each.request(by) for each in seats],
                title=titles.TITLE.format(
                    tournament=tournament.title[:80], round=number, table=table.number
                ),
                place=where,
                sanctioned=True,
                visibility=visibility,
                held=0 < desk.held <= number,
                own=False,
            )
            for seat, each in zip(match.seats.order_by("number"), seats, strict=True):
                each.appear(seat)
            TableMatch.objects.create(
                tournament=tournament,
                round=number,
                table=table.number,
                players=key_of(tournament, desk, table.players),
                game=at.next_game,
                match=match,
            )
    except IntegrityError:  # opened concurrently by somebody else
        return played_at(tournament, desk, number, table).matches[-1].match
    tournament.log.refresh_from_db()
    _hold(match, desks.desk_of(tournament), number)  # results may have been held or shown meanwhile
    return match


def _visibility(tournament: Tournament) -> str:
    """Return who sees its matches: everyone only if everyone sees the tournament."""
    return "public" if policy.is_public(tournament) else "table"


class _Seated:
    """An entry at a seat of its table, with the gear that its character fields there, if any."""

    def __init__(self, entry: Entry) -> None:
        self.entry, self.fielded, self.ref = entry, registering.fielded(entry), uuid7()

    def request(self, by: Actor) -> services.SeatRequest:
        """Return the seat; without gear `ref` is the character's id.

        A krewe's seat is taken by whoever of it opens the match, otherwise by its captain.
        """
        entry = self.entry
        people = sorted(entry.people, key=lambda one: one.pk != by.player_id)
        player = people[0] if people else None
        ref = str(self.ref if self.fielded else entry.character_id or "")
        return services.SeatRequest(player=player, deck=registering.deck_for_table(entry), ref=ref)

    def require_fit(self, by: Actor) -> None:
        """Raises: Conflict for gear that may not be fielded; only its player is told which."""
        if self.fielded is None:
            return
        try:
            fielding.require_fit(self.fielded)
        except Impossible as refused:
            if by.player_id == self.entry.player_id:
                raise
            text = gettext(
                "{entry} cannot field its deck: gear in it is gone, or was slagged and is not "
                "mended yet."
            )
            raise Conflict("deck-unfit", text.format(entry=self.entry)) from refused

    def appear(self, seat: Seat) -> None:
        if self.fielded is not None:
            fielding.appear(seat, self.fielded, self.ref, self.entry.player)


# -- time is up -------------------------------------------------------------------------------


def call_time(tournament: Tournament) -> None:
    """Tell the matches of the open round that time was called, if their game has a rule for it.

    Only matches running at the time of the call. The act id is derived from the call, so this is
    idempotent; if interrupted, the follower finishes it. An act recorded meanwhile goes first.
    """
    ruleset, call = rules.get(tournament.ruleset), _call_of(tournament)
    if call is None or not isinstance(ruleset, SupportsFloorRules):
        return
    version, number = call
    called_at = Event.objects.filter(log=tournament.pk, version=version, ordinal=0)
    on = tournament.matches.filter(
        round=number,
        match__log__status=Log.Status.OPEN,
        match__started_at__lte=called_at.values("recorded_at"),
    )
    for each in on.select_related("match__log"):
        log = each.match.log
        act = ruleset.time_called(logs.load(log).head.state)
        if act is not None:
            with suppress(Conflict, Impossible):  # ended, or called at the table, meanwhile
                logs.append_by_itself(log, Request(uuid5(tournament.pk, str(version)), act, None))


def _call_of(tournament: Tournament) -> tuple[int, int] | None:
    """Return the version of the call of time and its round; None unless that round is open."""
    desk = desks.desk_of(tournament)
    number = open_round(desk)
    if not number or not round_at(desk, number).timed:
        return None
    history = desks.timeline(tournament).backwards(tournament.log.head_version)
    return next(each.version for each in history if isinstance(each.act, TimeCalled)), number


# -- seen or not --------------------------------------------------------------------------


def locked(pk: UUID) -> Tournament:
    """Return a tournament, locked so that its visibility cannot change until the transaction ends.

    Lock order: take it before the log of any match.
    """
    found = Tournament.objects.select_for_update(no_key=True, of=("self",))
    return found.select_related("log").get(pk=pk)


def show_as_it(tournament: Tournament) -> None:
    """Make its matches as visible as the tournament, and update ratings, webhooks and the feed.

    Runs in the caller's transaction, which has locked it. Hiding takes effect when the transaction
    commits; showing follows a moment later, one match at a time. If that is interrupted, the desk's
    follower, which is due from now on, shows the rest.
    """
    if policy.is_public(tournament):
        transaction.on_commit(lambda: open_up(tournament.pk), robust=True)
    else:
        cuts.keep_to_tables(tournament.matches.values_list("match", flat=True))
    followers.again(Ratings, [tournament.pk])
    followers.again(Happenings, [tournament.pk])
    followers.again(Publications, [tournament.pk])


def open_up(pk: UUID) -> None:
    """Show the matches of a tournament to everyone, if everyone sees it.

    Matches that an official keeps back by hand stay hidden. Each is changed in a transaction of its
    own, since that takes positions in the feed, for which everybody who records has to wait.
    """
    closed = TableMatch.objects.filter(
        tournament=pk, match__visibility=Match.Visibility.TABLE, match__kept_back=False
    )
    for each in closed.select_related("match__log"):
        with transaction.atomic():
            if not policy.is_public(locked(pk)):
                return
            cuts.change(each.match, visibility=Match.Visibility.PUBLIC, by_hand=False)


# -- results held back --------------------------------------------------------------------


def hold(tournament: Tournament) -> None:
    """Hold the matches of rounds whose results are held back, and release the others.

    Matches that an official holds by hand stay held.
    """
    desk = desks.desk_of(tournament)
    hidden = Q(round__gte=desk.held) if desk.held else Q(pk__in=[])
    amiss = (hidden & Q(match__log__held=False)) | (~hidden & Q(match__log__held=True))
    for each in tournament.matches.filter(amiss).select_related("match__log"):
        _hold(each.match, desk, each.round)


def _hold(match: Match, desk: Desk, number: int) -> None:
    wanted = 0 < desk.held <= number
    if match.log.held != wanted and (wanted or not match.kept_back):
        cuts.change(match, held=wanted, by_hand=False)
