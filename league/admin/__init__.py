"""Admin pages that write through the same services as every other page.

Only what surrounds a desk is edited here. What happened at a desk is read-only and is recorded by
admin actions that call the services: nothing writes a projected row by hand.
"""

from league.admin.circuits import CircuitAdmin
from league.admin.discipline import PenaltyAdmin, SanctionAdmin
from league.admin.entries import EntryAdmin
from league.admin.events import DeskEventAdmin
from league.admin.leagues import KreweAdmin, LeagueAdmin
from league.admin.places import PlaceTextAdmin, VenueAdmin
from league.admin.rounds import (
    PairingAdmin,
    RatingAdmin,
    RoundAdmin,
    RoundDateAdmin,
    StandingAdmin,
)
from league.admin.seasons import AdjustmentAdmin, SeasonAdmin
from league.admin.telling import PairingLetterAdmin, ReminderAdmin
from league.admin.tournaments import TournamentAdmin
from league.admin.webhooks import DeliveryAdmin, WebhookAdmin
