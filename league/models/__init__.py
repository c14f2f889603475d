"""Leagues, seasons, circuits, tournaments, venues, and what is projected from desks."""

from league.models.discipline import Penalty, Sanction
from league.models.leagues import Krewe, League, Membership, Role, RoleChange
from league.models.places import PlaceText, PlaceTextVersion, Venue, Wording, format_day
from league.models.ratings import RatedTable, Rating, RatingPool, RatingRevision, RatingStep
from league.models.seasons import Circuit, Division, DivisionPlayer, Invitation, Qualifier, Season
from league.models.telling import PairingLetter, Reminder, Telling
from league.models.tournaments import (
    FORMATS,
    MAX_HOURS,
    WITHDRAWN,
    Entry,
    Pairing,
    PairingSeat,
    Prize,
    PrizeShare,
    Round,
    RoundDate,
    StagePlan,
    Standing,
    TableMatch,
    Tournament,
)
from league.models.webhooks import Attempt, Delivery, Happening, Webhook

__all__ = [
    "FORMATS",
    "MAX_HOURS",
    "WITHDRAWN",
    "Attempt",
    "Circuit",
    "Delivery",
    "Division",
    "DivisionPlayer",
    "Entry",
    "Happening",
    "Invitation",
    "Krewe",
    "League",
    "Membership",
    "Pairing",
    "PairingLetter",
    "PairingSeat",
    "Penalty",
    "PlaceText",
    "PlaceTextVersion",
    "Prize",
    "PrizeShare",
    "Qualifier",
    "RatedTable",
    "Rating",
    "RatingPool",
    "RatingRevision",
    "RatingStep",
    "Reminder",
    "Role",
    "RoleChange",
    "Round",
    "RoundDate",
    "Sanction",
    "Season",
    "StagePlan",
    "Standing",
    "TableMatch",
    "Telling",
    "Tournament",
    "Venue",
    "Webhook",
    "Wording",
    "format_day",
]
