"""What is forgotten of a person here when they are erased."""

from characters.models import LedgerWords
from league import titles
from league.models import (
    Entry,
    Krewe,
    Membership,
    PairingLetter,
    PlaceTextVersion,
    Reminder,
    RoleChange,
    RoundDate,
    Sanction,
    Telling,
    Tournament,
)
from matches.erasing import names_of, naming
from matches.models import Match, Player


def erase(player: Player) -> None:
    """Forget a person's roles, krewes and decks; places and pairings stay, without a name."""
    _forget_titles(player)
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
    for krewe in player.krewes.all():
        krewe.players.remove(player)
    Entry.objects.filter(player=player).update(
        deck="", deck_text="", deck_problems=[], deck_at=None
    )


def _forget_titles(player: Player) -> None:
    """Blank what names them of the tournaments they opened; a title gives way to the code."""
    named = naming(names_of(player))
    for tournament in Tournament.objects.filter(opener=player):
        if named.search(tournament.about):
            Tournament.objects.filter(pk=tournament.pk).update(about="")
        if named.search(tournament.title):
            _retitle(tournament, f"Tournament {tournament.code}")


def _retitle(tournament: Tournament, title: str) -> None:
    """Give a tournament another title, its tables' matches and the prizes it gave too."""
    old = tournament.title[:80]
    for table in tournament.matches.all():
        was, now = (
            titles.TITLE.format(tournament=name, round=table.round, table=table.table)
            for name in (old, title)
        )
        Match.objects.filter(pk=table.match_id, title=was).update(title=now)
    LedgerWords.objects.filter(party=old).update(party=title)
    Tournament.objects.filter(pk=tournament.pk).update(title=title)
