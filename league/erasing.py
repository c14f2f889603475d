"""What is forgotten of a person here when they are erased."""

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
)
from matches.models import Player


def erase(player: Player) -> None:
    """Forget a person's roles, krewes and decks; places and pairings stay, without a name."""
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
