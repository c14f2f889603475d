"""Forms about characters, one module per subject; here is what several of them use."""

from characters.models import Audience
from matches.forms import player_by
from matches.models import Player

GROUPS = [choice for choice in Audience.choices if choice[0] != Audience.NAMED]


def players_by(names: str) -> list[Player]:
    """Return the players with these comma-separated usernames. Raises: ValidationError."""
    return [player_by(name) for name in listed(names)]


def listed(text: str) -> list[str]:
    """Return the comma-separated parts of a text."""
    return [part.strip() for part in text.split(",") if part.strip()]
