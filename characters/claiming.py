"""What a guest brings along from this floor when an account takes them over."""

from collections.abc import Iterable

from matches.claiming import Claimer, Part, part
from matches.models import Player


class Characters(Claimer):
    """Characters go with their gear, their diary and their past; so do campaigns and cards."""

    def parts(self, guest: Player) -> Iterable[Part]:
        yield part("character", guest.characters.all())
        yield part("campaign", guest.campaigns.all())
        yield part("card of their own", guest.cards.all(), "cards of their own")
