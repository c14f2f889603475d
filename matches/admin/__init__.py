"""Players, matches and seats in the admin; the log itself is read-only.

A match is opened and recorded on its own pages, where the rules are asked. Only what stands around
a log is edited here: titles, places, who sits where. Nothing of a log is ever changed.
"""

from matches.admin.accounts import PlainGroupAdmin, PlainUserAdmin
from matches.admin.base import (
    CutAdmin,
    Excluding,
    Helped,
    HelpedRows,
    ReadOnly,
    asked_first,
    is_superuser,
    link,
    moment,
    tried,
)
from matches.admin.logs import EventAdmin, LogAdmin, NoteAdmin, ProposalAdmin, ScribeLeaseAdmin
from matches.admin.matches import MatchAdmin
from matches.admin.players import ClaimAdmin, PlayerAdmin
from matches.admin.work import CheckpointAdmin, FollowJobAdmin, JobAdmin
