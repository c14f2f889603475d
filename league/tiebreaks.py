"""Tie-breaks on pages: their names, which the rules have in English, and orders to choose from."""

from collections.abc import Sequence

from django.utils.translation import gettext, gettext_noop

import rules
from matches.errors import BadInput
from rules.desk.stages import TIE_ORDER
from rules.desk.tiebreaks import TIEBREAKS
from rules.fields import admits

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


def choices() -> list[tuple[str, str]]:
    """Return the tie-breaks to choose from, sorted by name: none of a former edition, no lot."""
    known = [code for code in TIEBREAKS if "@" not in code and code != "lot"]
    by_name = sorted((f"{named(code)} ({code})", code) for code in known)
    return [(code, name) for name, code in by_name]


def orders(own: Sequence[str]) -> list[tuple[str, str]]:
    """Return other orders than a stage's own to choose from: each tie-break before its own."""
    found = [((code, *(each for each in own if each != code)), name) for code, name in choices()]
    return [
        (",".join(codes[: TIE_ORDER.most]), name) for codes, name in found if codes != tuple(own)
    ]


def order_in(text: str) -> tuple[str, ...]:
    """Return the tie-breaks that a query lists, in order. Raises: BadInput."""
    codes = tuple(text.split(",")) if text else ()
    if not admits(TIE_ORDER, codes):
        detail = gettext("Tie-breaks are at most {most} of these, none twice: {codes}.")
        listed = ", ".join(TIEBREAKS)
        raise BadInput(
            "out-of-range", detail.format(most=TIE_ORDER.most, codes=listed), "$.tiebreaks"
        )
    return codes
