"""Leagues, seasons, circuits, tournaments, venues, and what is projected from desks."""

from league.models.discipline import Penalty, Sanction
from league.models.leagues import Krewe, League, Membership, Role, RoleChange
from league.models.places import PlaceText, PlaceTextVersion, Venue, Wording, format_day
from league.models.ratings import RatedTable, Rating, RatingPool, RatingRevision, RatingStep
from league.models.seasons import (
    Adjustment,
    Circuit,
    Division,
    DivisionPlayer,
    Invitation,
    Qualifier,
    Season,
)
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
