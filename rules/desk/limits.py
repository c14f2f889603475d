"""How much acts of the desk may hold, and what makes the offers of one, or says why not."""

from collections.abc import Callable, Iterator
from typing import Any

from rules.desk.state import State
from rules.fields import Free, Range
from rules.ruleset import Act, Offer, Verdict

MOST_PEOPLE = 4096
MOST_RATING = 4000
MOST_POINTS = 100
MOST_SCORE = 9999
MOST_DRAWN = 9
MOST_LEFT = 99
MOST_LEAN = 10**6
MOST_APPEAL = 14 * 24 * 60  # minutes in which a ruling may be appealed
MOST_MINUTES = 240  # given to a round or a table at once
AHEAD = 30  # rounds a bye may be asked for in advance
SEEDS = Range(0, 2**31 - 1)
REASON = Free("note", filled=True)
NOTE = Free("note")

Offers = Iterator[Offer]
Maker = Callable[[State, Act | None], Offers]
"""Yields the offers of one kind of act; of those an act may be covered by where one is given."""

Reason = Callable[[State, Any], Verdict | None]
"""Says why one kind of act that no offer covers is refused; None where a field is out of range."""
