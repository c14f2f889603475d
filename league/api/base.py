"""What the endpoints of this package share."""

from typing import Any

import msgspec

from league import selectors
from league.models import League, Tournament
from matches.api.base import OpenEndpoint
from matches.errors import BadInput


def changed_fields(sent: msgspec.Struct) -> dict[str, Any]:
    """Return the fields that a change sets, without those that stay as they are.

    Those that null clears are UNSET by default. Raises: BadInput, if none is set.
    """
    found = {
        each.name: value
        for each in msgspec.structs.fields(sent)
        if (value := getattr(sent, each.name)) is not each.default
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
