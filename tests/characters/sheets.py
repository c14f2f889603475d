"""A sheet in the format that players write, and twenty ways to mangle it."""

import re
from collections.abc import Callable

SHEET = """Character: Oriel Tamsin® – Daughter of the Quarry Guild

Background, Private/OOC:
Born on a supply barge, raised by the Guild's night school. Reads fast, sleeps little.

Missing week: nobody can say where she was.

Official advice:
Keep her from the officer track.

Background, Public/IC:
She is quick, polite and stubborn. Tall for the halls, and proud of her tools.

Mode Deck:
Primary Design Card: Guild
Secondary Design Card: Expert Digger
Tertiary Design Card: Pride


Goals:(* current goal)
Expert Climber
Nereid Lode
Orpheus Lode
State of the Art Green Gear (Feet, Front, Grapple, Shield, Ulster)

Basic Green Helmet (found, training match)
Superior Red Frontgear (stolen, Halder Voss Issue)
Superior Green Shield (c30 @ Pit Stop)
Basic Green Feet (c15 x 2 @ Pit Stop)

c12 hard Guild currency
Ledger / Book of debts
Quartz Lode - Basic Guild Artifex + Private Tutor Artifex
"""

BEFORE = """House rules

1. BEGIN: Place three cards. Everyone turns one over, and the highest goes first.

Character: The deck of cards and parts that makes you who you are. “Call them something.”

Mode Deck: All cards of this kind that are not yet on the table.

"""
AFTER = """

Quarry Town

Never was there a louder place than Quarry Town. Its halls were cut by hand, and nobody rules it.

The town is known for one thing: the match held there each year, which the whole belt watches.
"""


def _swapped(text: str) -> str:
    """Move the public part before the private one."""
    start, public = text.index("Background, Private"), text.index("Background, Public")
    end = text.index("Mode Deck:")
    return text[:start] + text[public:end] + text[start:public] + text[end:]


MANGLED: dict[str, Callable[[str], str]] = {
    "Windows lines": lambda text: text.replace("\n", "\r\n"),
    "a byte order mark": lambda text: "\ufeff" + text,
    "double spaced": lambda text: text.replace("\n", "\n\n"),
    "no blank lines": lambda text: re.sub(r"\n{2,}", "\n", text),
    "more blank lines": lambda text: text.replace("\n\n", "\n\n\n\n"),
    "indented": lambda text: re.sub(r"(?m)^(?=.)", "    ", text),
    "trailing spaces": lambda text: re.sub(r"(?m)$", "  \t", text),
    "hard spaces": lambda text: text.replace(" ", "\u00a0"),
    "plain dashes": lambda text: text.replace("–", "-"),
    "long dashes": lambda text: text.replace("–", "—").replace(" - ", " — "),
    "shouted headings": lambda text: re.sub(r"(?m)^[\w /,]+:", lambda m: m[0].upper(), text),
    "lower case gear": lambda text: re.sub(
        r"(?m)^(?:Basic|Superior).*", lambda m: m[0].lower(), text
    ),
    "other signs for money": lambda text: re.sub(r"\bc(?=\d)", "¢", text),
    "the proper times sign": lambda text: text.replace(" x ", "×"),
    "bold headings": lambda text: re.sub(r"(?m)^([\w /,]+:)", r"**\1**", text),
    "bullets": lambda text: re.sub(r"(?m)^(?=Expert C|Nereid|Orpheus|Basic|Superior)", "• ", text),
    "sections swapped": _swapped,
    "no name": lambda text: text.split("\n", 1)[1],
    "brackets left open": lambda text: text.replace("match)", "match"),
    "amid rules and lore": lambda text: BEFORE + text + AFTER,
    "no word for who it is": lambda text: text.removeprefix("Character: "),
    "cut off": lambda text: text[: text.index("c12")],
}


def tells(page: str, words: str) -> bool:
    """Return whether a page contains the words as whole words; ids may contain any letters."""
    return re.search(rf"\b{re.escape(words)}\b", page) is not None
