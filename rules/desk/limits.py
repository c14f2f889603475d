"""Limits for the fields of the desk's acts, and the types of functions for offers and refusals."""

from collections.abc import Callable, Iterator
from typing import Any

from rules.desk.state import State
from rules.fields import Free, Range
from rules.ruleset import Act, Offer, Verdict

MAX_PEOPLE = 4096
MAX_RATING = 4000
MAX_POINTS = 100
MAX_SCORE = 9999
MAX_DRAWN = 9
MAX_LEFT = 99
MAX_LEAN = 10**6
MAX_APPEAL = 14 * 24 * 60  # minutes in which a ruling may be appealed
MAX_MINUTES = 240  # the most that may be added to a round or a table at once
MAX_TIME = 2**32 - 1  # seconds since 1970, in the year 2106
AHEAD = 30  # how many rounds in advance a bye may be requested
SEEDS = Range(0, 2**31 - 1)
REASON = Free("note", filled=True)
NOTE = Free("note")

Offers = Iterator[Offer]
Maker = Callable[[State, Act | None], Offers]
"""Yields the offers of one type of act; if an act is given, only those that might cover it."""

Reason = Callable[[State, Any], Verdict | None]
"""Returns why an act that no offer covers is refused, or None if a field is out of range."""
