"""The log: logs and their events, the people at the table, matches and seats.

Events are append-only, in the database too. What they hold names seats and opaque
references, never people: names live in `Player`, free text in `Note`.
"""

from matches.models.base import Headlined, NameField, uuid7
from matches.models.following import Checkpoint, Headline, SeatResult, SpinTally
from matches.models.jobs import FollowJob, Job
from matches.models.log import Event, FeedHead, Log, Note, Publication, withdrawn
from matches.models.matches import Match, Proposal, ScribeLease, Seat
from matches.models.people import Claim, Key, Player
