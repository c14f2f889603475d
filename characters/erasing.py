"""What of a person goes from sheets when they are erased: their words, not what was played."""

from django.db.models import Q

from characters.models import (
    Campaign,
    CardSet,
    Change,
    Character,
    Favour,
    Goal,
    LedgerEntry,
    LedgerWords,
    Loadout,
    Portrait,
    Section,
)
from matches.models import Player

NAMELESS = "Erased character"


def erase(player: Player) -> None:
    """Blank what a person wrote on their characters' sheets, and what they called things."""
    own = Character.objects.filter(owner=player)
    Section.objects.filter(character__in=own).update(text="")
    Portrait.objects.filter(character__in=own).delete()
    Change.objects.filter(character__in=own).update(before="", after="")
    Goal.objects.filter(character__in=own).update(text="")
    Favour.objects.filter(holder__in=own).update(who="", text="")
    entries = LedgerEntry.objects.filter(
        Q(giver__in=own) | Q(taker__in=own) | Q(recorded_by=player.pk)
    )
    LedgerWords.objects.filter(entry__in=entries).update(party="", place="", context="", raw="")
    Loadout.objects.filter(character__in=own).update(name="Erased loadout")
    CardSet.objects.filter(owner=player).update(about="")
    Campaign.objects.filter(owner=player).update(name="Erased campaign")
    own.update(name=NAMELESS, tagline="")
