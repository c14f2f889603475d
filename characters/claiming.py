"""The characters, campaigns and cards of a guest that an account takes over."""

from collections.abc import Iterable

from matches.claiming import ClaimedPart, Claimer, part
from matches.models import Player


class Characters(Claimer):
    """Characters move with their gear, diary and history; so do campaigns and cards."""

    def parts(self, guest: Player) -> Iterable[ClaimedPart]:
        yield part("character", guest.characters.all())
        yield part("campaign", guest.campaigns.all())
        yield part("card of their own", guest.cards.all(), "cards of their own")
