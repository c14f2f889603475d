"""Players, shown only to those who may know them."""

from uuid import UUID

from league import policy
from matches.api import people
from matches.models import Player


class PlayerView(people.PlayerView):
    scope = "matches"

    def player(self, player_id: UUID) -> Player:
        player = super().player(player_id)
        policy.require_met(self.actor, player)
        return player
