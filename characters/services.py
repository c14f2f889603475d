"""What one can do with characters. Every writing route of pages and API ends here."""

from characters.books import (
    Offer,
    Recording,
    Told,
    accept,
    after_slag,
    correct,
    cover,
    decline,
    offer,
    record,
)
from characters.editing import (
    add_favour,
    add_goal,
    create,
    edit_goal,
    edit_section,
    move,
    remove_goal,
    rename,
    settle_favour,
    show_to,
)
from characters.pasting import Answers, paste, preview

__all__ = [
    "Answers",
    "Offer",
    "Recording",
    "Told",
    "accept",
    "add_favour",
    "add_goal",
    "after_slag",
    "correct",
    "cover",
    "create",
    "decline",
    "edit_goal",
    "edit_section",
    "move",
    "offer",
    "paste",
    "preview",
    "record",
    "remove_goal",
    "rename",
    "settle_favour",
    "show_to",
]
