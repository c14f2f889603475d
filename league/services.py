"""What one can do with leagues and at desks. Every route that writes ends here."""

from league.circuits import answer, qualified, roll_over
from league.entering import enter, register_deck
from league.opening import (
    add_division,
    add_qualifier,
    edit_league,
    edit_tournament,
    edit_venue,
    found_league,
    lift,
    make_krewe,
    name_final,
    open_circuit,
    open_season,
    open_tournament,
    open_venue,
    plan_stages,
    promise_prize,
    sanction,
    withdraw,
)
from league.prizes import award
from league.recording import (
    correct,
    pair,
    preview_correction,
    preview_take_back,
    propose,
    record,
    record_all,
    take_back,
)
from league.roles import dismiss, join, name_member
from league.tables import open_table

__all__ = [
    "add_division",
    "add_qualifier",
    "answer",
    "award",
    "correct",
    "dismiss",
    "edit_league",
    "edit_tournament",
    "edit_venue",
    "enter",
    "found_league",
    "join",
    "lift",
    "make_krewe",
    "name_final",
    "name_member",
    "open_circuit",
    "open_season",
    "open_table",
    "open_tournament",
    "open_venue",
    "pair",
    "plan_stages",
    "preview_correction",
    "preview_take_back",
    "promise_prize",
    "propose",
    "qualified",
    "record",
    "record_all",
    "register_deck",
    "roll_over",
    "sanction",
    "take_back",
    "withdraw",
]
