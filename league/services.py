"""The services of leagues and desks.

Every call names its actor (`by`) and checks the policy. Imports, uploads, webhooks and starting a
stage have services in modules of their own: `importing`, `intake`, `webhooks`, `starting`.
"""

from league.adjusting import adjust
from league.chronicle import edit_text, write_text
from league.copying import open_like
from league.dates import set_date
from league.discipline import penalise, withdraw_penalty
from league.divisions import place, roll_over
from league.entering import enter, enter_all
from league.finals import answer, qualified
from league.founding import edit_league, edit_venue, found_league, open_venue
from league.krewes import add_to_krewe, edit_krewe, leave_krewe, make_krewe, remove_krewe
from league.opening import edit_tournament, open_tournament, withdraw
from league.pairing import close_and_pair, pair, pair_again, propose
from league.planning import plan_stages
from league.prizes import award, hand_over, promise_prize, put_right, unpromise_prize
from league.recording import (
    check_in_all,
    correct,
    preview_correction,
    preview_take_back,
    record,
    record_all,
    take_back,
)
from league.registering import register_deck, register_loadout
from league.removing import remove
from league.roles import dismiss, join, name_member
from league.sanctions import lift, sanction
from league.seasons import (
    add_division,
    add_qualifier,
    edit_circuit,
    edit_division,
    edit_qualifier,
    edit_season,
    name_final,
    open_circuit,
    open_season,
)
from league.tables import open_table

__all__ = [
    "add_division",
    "add_qualifier",
    "add_to_krewe",
    "adjust",
    "answer",
    "award",
    "check_in_all",
    "close_and_pair",
    "correct",
    "dismiss",
    "edit_circuit",
    "edit_division",
    "edit_krewe",
    "edit_league",
    "edit_qualifier",
    "edit_season",
    "edit_text",
    "edit_tournament",
    "edit_venue",
    "enter",
    "enter_all",
    "found_league",
    "hand_over",
    "join",
    "leave_krewe",
    "lift",
    "make_krewe",
    "name_final",
    "name_member",
    "open_circuit",
    "open_like",
    "open_season",
    "open_table",
    "open_tournament",
    "open_venue",
    "pair",
    "pair_again",
    "penalise",
    "place",
    "plan_stages",
    "preview_correction",
    "preview_take_back",
    "promise_prize",
    "propose",
    "put_right",
    "qualified",
    "record",
    "record_all",
    "register_deck",
    "register_loadout",
    "remove",
    "remove_krewe",
    "roll_over",
    "sanction",
    "set_date",
    "take_back",
    "unpromise_prize",
    "withdraw",
    "withdraw_penalty",
    "write_text",
]
