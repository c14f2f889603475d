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
from characters.pasting import Answers, paste, preview

__all__ = [
    "Answers",
    "Offer",
    "Recording",
    "Told",
    "accept",
    "after_slag",
    "correct",
    "cover",
    "decline",
    "offer",
    "paste",
    "preview",
    "record",
]
