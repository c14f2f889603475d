"""What is erased in leagues and tournaments when a person is erased."""

import re

from django.db.models import Q, Value
from django.db.models.functions import Concat, Substr
from django.utils.text import slugify

from characters.ledger import Method
from characters.models import LedgerWords
from league import titles
from league.models import (
    Adjustment,
    Circuit,
    Division,
    Entry,
    Krewe,
    League,
    Membership,
    PairingLetter,
    PlaceText,
    PlaceTextVersion,
    Prize,
    Reminder,
    Role,
    RoleChange,
    RoundDate,
    Sanction,
    Season,
    StagePlan,
    Telling,
    Tournament,
    Venue,
)
from matches.erasing import blank, names_of, naming, naming_in_full
from matches.models import Log, Match, Player

UNTITLED = "Erased text"


def run_alone(player: Player) -> list[str]:
    """Return the names of leagues and open tournaments that nobody else can run."""
    organise = Membership.objects.filter(role=Role.ORGANISER, player__user__isnull=False)
    mine, others = organise.filter(player=player), organise.exclude(player=player)
    leagues = League.objects.filter(members__in=mine).exclude(members__in=others)
    tournaments = (
        Tournament.objects.filter(
            Q(opener=player) | Q(staff__in=mine) | Q(league__members__in=mine)
        )
        .filter(log__status=Log.Status.OPEN)
        .exclude(Q(staff__in=others) | Q(league__members__in=others))
        .exclude(~Q(opener=player) & Q(opener__user__isnull=False))
    )
    return [each.name for each in leagues.distinct()] + [
        each.title for each in tournaments.distinct()
    ]


def erase(player: Player) -> None:
    """Erase a person's roles, krewes and decks; places and pairings stay, without a name."""
    named = naming(names_of(player))
    _forget_titles(player, named)
    _forget_leagues(player)
    _forget_venues(player, named)
    _forget_texts(player, named)
    blank(Sanction.objects.filter(given_by=player), "reason", named)
    own = Q(player=player) | Q(made_by=player)
    blank(Adjustment.objects.filter(own), "reason", named, "Erased")
    Adjustment.objects.filter(made_by=player).update(made_by=None)
    Membership.objects.filter(player=player).delete()
    RoleChange.objects.filter(player=player).delete()
    RoleChange.objects.filter(by=player).update(by=None)
    PlaceTextVersion.objects.filter(by=player).update(by=None)
    Sanction.objects.filter(player=player).delete()
    Telling.objects.filter(player=player).delete()
    PairingLetter.objects.filter(player=player).delete()
    Reminder.objects.filter(player=player).delete()
    RoundDate.objects.filter(set_by=player).update(set_by=None)
    Sanction.objects.filter(given_by=player).update(given_by=None)
    for krewe in Krewe.objects.filter(captain=player):
        Krewe.objects.filter(pk=krewe.pk).update(name=f"Krewe {krewe.pk}"[:80])
    player.krewes.clear()
    Entry.pieces.through.objects.filter(entry__player=player).delete()
    Entry.objects.filter(player=player).update(
        deck="", deck_text="", deck_problems=[], deck_at=None
    )


def _forget_titles(player: Player, named: re.Pattern[str]) -> None:
    """Blank the person's name in tournaments they opened; a title is replaced by the code."""
    opened = Tournament.objects.filter(opener=player)
    for field in ("about", "cost_class"):
        blank(opened, field, named)
    blank(StagePlan.objects.filter(tournament__in=opened), "name", named)
    blank(Prize.objects.filter(tournament__in=opened), "line", named, "Prize")
    for tournament in opened:
        if named.search(tournament.title):
            _retitle(tournament, f"Tournament {tournament.code}")


def _forget_leagues(player: Player) -> None:
    """Blank the person's name in leagues they founded.

    Founders gave themselves the first role. In leagues that others go on running, names stay unless
    they contain the person's full name.
    """
    names = names_of(player)
    first = RoleChange.objects.filter(player=player, by=player, role=Role.ORGANISER, given=True)
    founded = League.objects.filter(pk__in=first.values("league"))
    organisers = Membership.objects.filter(role=Role.ORGANISER).exclude(player=player)
    for league in founded:
        others = organisers.filter(league=league).exists()
        _forget_league(league, naming_in_full(names) if others else naming(names))


def _forget_league(league: League, named: re.Pattern[str]) -> None:
    of_it = League.objects.filter(pk=league.pk)
    for rows, kind in (
        (of_it, "League"),
        (Season.objects.filter(league=league), "Season"),
        (Circuit.objects.filter(season__league=league), "Circuit"),
    ):
        blank(rows, "about", named)
        for row in rows:
            _rename(row, kind, named)
    blank(of_it, "house_rules", named)
    for division in Division.objects.filter(season__league=league):
        blank(Division.objects.filter(pk=division.pk), "name", named, f"Division {division.level}")


def _forget_venues(player: Player, named: re.Pattern[str]) -> None:
    """Blank the person's name in venues they keep, also as the place of matches played there."""
    kept = Venue.objects.filter(keeper=player)
    for field in ("region", "about", "house_rules", "lore"):
        blank(kept, field, named)
    for venue in kept:
        old = venue.name
        _rename(venue, "Venue", named)
        at = Match.objects.filter(table__tournament__venue=venue, place__startswith=f"{old}, ")
        rest = Concat(Value(venue.name), Substr("place", len(old) + 1))
        Match.objects.filter(pk__in=at.values("pk")).update(place=rest)


def _rename(row: League | Season | Circuit | Venue, kind: str, named: re.Pattern[str]) -> None:
    """Replace a name that contains the person's by a neutral one, with a matching slug."""
    if not named.search(row.name):
        return
    row.name = f"{kind} {row.pk.hex[-8:]}"
    if isinstance(row, League | Venue):
        row.slug = slugify(row.name)
    row.save()


def _forget_texts(player: Player, named: re.Pattern[str]) -> None:
    """Blank the person's name in their texts about places, in all versions."""
    versions = PlaceTextVersion.objects.filter(by=player)
    for rows in (PlaceText.objects.filter(versions__in=versions), versions):
        blank(rows, "title", named, UNTITLED)
        blank(rows, "text", named)


def _retitle(tournament: Tournament, title: str) -> None:
    """Replace a tournament's title, also in its tables' matches and the prizes it gave."""
    old = tournament.title[:80]
    for table in tournament.matches.all():
        was, now = (
            titles.TITLE.format(tournament=name, round=table.round, table=table.table)
            for name in (old, title)
        )
        Match.objects.filter(pk=table.match_id, title=was).update(title=now)
    LedgerWords.objects.filter(entry__method=Method.WON, party=old).update(party=title)
    Tournament.objects.filter(pk=tournament.pk).update(title=title)
