"""Labels of sides in a log: words that can never be a person's name.

A label is stored in the first entry and stays for ever, so it comes from a closed choice.
"""

from django.utils.translation import gettext

from matches import decks
from matches.errors import Impossible
from rules.ruleset import Ruleset

COLOURS = ("Red", "Green", "Blue", "Yellow", "White", "Black", "Grey", "Purple", "Orange")
PLACES = ("Home", "Guests", "Near", "Far", "Left", "Right", "North", "South", "East", "West")
NOUNS = ("seat", "side", "team", "table", "bot")
_WORDS = {word.lower() for word in (*COLOURS, *PLACES, *NOUNS)}


def is_neutral(label: str, ruleset: Ruleset) -> bool:
    """Tell whether a label consists of our words, numbers and single letters, or names a sample."""
    sample, _, letter = label.rpartition(" ")
    samples = decks.samples(ruleset)
    named = label in samples or (sample in samples and len(letter) == 1)
    return named or all(
        word.lower() in _WORDS or word.isdecimal() or (len(word) == 1 and word.isascii())
        for word in label.split()
    )


def require_neutral(label: str, ruleset: Ruleset, where: str = "") -> None:
    """Require a label that cannot name a person. Raises: Impossible, with the path `where`."""
    if not is_neutral(label, ruleset):
        detail = gettext(
            "A side cannot be called {label!r}: its label stays in the log for ever, so "
            "it is a colour, a place (home, left, near …) or seat, side, team, table or bot, "
            "with a number or letter if you like. Names go with the players."
        ).format(label=label)
        raise Impossible("label-not-neutral", detail, where=where)


def choices(ruleset: Ruleset, number: int) -> list[tuple[str, str]]:
    """Return the labels a form offers for a seat, first that of its number."""
    places = [f"{place} side" for place in PLACES if place not in ("Home", "Guests")]
    offered = [*COLOURS, "Home", "Guests", *places, *decks.samples(ruleset)]
    seat = gettext("Seat {number}").format(number=number)
    return [("", seat), *((label, label) for label in dict.fromkeys(offered))]
