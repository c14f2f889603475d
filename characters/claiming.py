"""The characters, campaigns and cards of a guest that an account takes over."""

from collections.abc import Iterable

from django.utils.translation import ngettext_lazy

from matches.claiming import ClaimedPart, Claimer, part
from matches.models import Player


class Characters(Claimer):
    """Characters move with their gear, diary and history; so do campaigns and cards."""

    def parts(self, guest: Player) -> Iterable[ClaimedPart]:
        yield part(ngettext_lazy("character", "characters"), guest.characters.all())
        yield part(ngettext_lazy("campaign", "campaigns"), guest.campaigns.all())
        yield part(ngettext_lazy("card of their own", "cards of their own"), guest.cards.all())

    def prepare(self, guest: Player, player: Player) -> None:
        """Rename sets of cards whose names the player uses, too: each set keeps its cards."""
        for own in guest.card_sets.all():
            if player.card_sets.filter(game=own.game, name=own.name).exists():
                own.name = f"{own.name[:71]} {own.pk.hex[-8:]}"
                own.save(update_fields=["name"])
