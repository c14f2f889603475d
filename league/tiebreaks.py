"""The names of tie-breaks on pages; the rules name them in English."""

from django.utils.translation import gettext, gettext_noop

import rules
from rules.desk.tiebreaks import TIEBREAKS

NAMES = (
    gettext_noop("Match-win percentage"),
    gettext_noop("Opponents' match-win percentage"),
    gettext_noop("Opponents' opponents' match-win percentage"),
    gettext_noop("Game-win percentage"),
    gettext_noop("Opponents' game-win percentage"),
    gettext_noop("Strength of schedule"),
    gettext_noop("Extended strength of schedule"),
    gettext_noop("Points per match"),
    gettext_noop("Points per game"),
    gettext_noop("Buchholz"),
    gettext_noop("Modified median"),
    gettext_noop("Average of opponents' Buchholz"),
    gettext_noop("Fore Buchholz"),
    gettext_noop("Sonneborn-Berger"),
    gettext_noop("Progressive score"),
    gettext_noop("Number of wins"),
    gettext_noop("Games won over the board"),
    gettext_noop("Games with black"),
    gettext_noop("Wins with black"),
    gettext_noop("Koya"),
    gettext_noop("Direct encounter"),
    gettext_noop("Who beat whom"),
    gettext_noop("Average rating of opponents"),
    gettext_noop("Tournament performance rating"),
    gettext_noop("Average performance rating of opponents"),
    gettext_noop("Draw strength"),
    gettext_noop("Wins strength of schedule"),
    gettext_noop("Battle points"),
    gettext_noop("Game difference"),
    gettext_noop("Median of opponents' scores"),
    gettext_noop("Times in a place"),
    gettext_noop("Share of opponents beaten"),
    gettext_noop("Normalised place"),
    gettext_noop("Share of the winner's score"),
    gettext_noop("Seat balance"),
    gettext_noop("Relative seat"),
    gettext_noop("Drawn by lot"),
)


def named(code: str) -> str:
    """Return the name of a tie-break with its variant and edition; for unknown ones the code."""
    if code not in TIEBREAKS:
        return code
    texts = rules.get("desk").texts
    if own := texts.get(f"value.tiebreak.{code}"):
        return own
    plain, _, year = code.partition("@")
    variant = texts.get(f"value.variant.{plain.partition('-')[2]}", "")
    edition = texts["word.edition"].format(year=year) if year else ""
    return ", ".join(filter(None, (gettext(TIEBREAKS[code].name), variant, edition)))
