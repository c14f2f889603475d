"""What can be done with a character: its sheet, books, gear and trades, and fielding it.

Related services are in modules of their own: `campaigns`, `moving`, `cards`, `portraits`. Each
function takes the actor (`by`) and checks the policy.
"""

from characters.aftermath import answer
from characters.books import Circumstances, Recording, after_slag, correct, cover, record, win
from characters.editing import (
    add_favour,
    add_goal,
    create,
    edit,
    edit_favour,
    edit_goal,
    edit_section,
    remove_goal,
)
from characters.fielding import FieldedPlace, open_match
from characters.loadouts import change as change_loadout
from characters.loadouts import make as make_loadout
from characters.loadouts import outfit, print_as
from characters.loadouts import remove as remove_loadout
from characters.pasting import Answers, GearOrigin, paste, preview
from characters.trades import TradeOffer, accept, decline, offer

__all__ = [
    "Answers",
    "Circumstances",
    "FieldedPlace",
    "GearOrigin",
    "Recording",
    "TradeOffer",
    "accept",
    "add_favour",
    "add_goal",
    "after_slag",
    "answer",
    "change_loadout",
    "correct",
    "cover",
    "create",
    "decline",
    "edit",
    "edit_favour",
    "edit_goal",
    "edit_section",
    "make_loadout",
    "offer",
    "open_match",
    "outfit",
    "paste",
    "preview",
    "print_as",
    "record",
    "remove_goal",
    "remove_loadout",
    "win",
]
