"""What endpoints of this floor share."""

from typing import Any
from uuid import UUID

import msgspec

from league import selectors
from league.models import League, Tournament
from matches.api.base import OpenEndpoint
from matches.errors import BadInput
from matches.models import Player


def player_by(pk: UUID | None, where: str = "$.player") -> Player:
    """Return a player by id, for a claimed guest whoever claimed them. Raises: BadInput."""
    if pk is None:
        raise BadInput("missing-field", "Say which player.", where)
    found = Player.objects.select_related("claimed_by").filter(pk=pk).first()
    if found is None:
        raise BadInput("unknown-player", f"There is no player {pk}.", where)
    return found.claimed_by or found


def said(sent: msgspec.Struct) -> dict[str, Any]:
    """Return what a change names; what is not there stays. Raises: BadInput for nothing."""
    found = {
        name: value for name, value in msgspec.structs.asdict(sent).items() if value is not None
    }
    if not found:
        raise BadInput("missing-field", "Say what changes.")
    return found


class OfLeague(OpenEndpoint):
    @property
    def league(self) -> League:
        return selectors.league_for(self.kwargs["slug"])


class AtDesk(OpenEndpoint):
    """An endpoint under one tournament, which is 404 for those who may not see it."""

    @property
    def tournament(self) -> Tournament:
        return selectors.tournament_for(self.actor, self.kwargs["code"])
