"""Defaults for rulesets: no secrets, no decks, no draws, no pages."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules import notation
from rules.fields import Plain
from rules.ruleset import Act, Audience, Draw, Event, Pick, Problem, Question, Seat


class Defaults:
    """A ruleset with no hidden information, in which the table makes all spins and draws.

    A game overrides whatever it has beyond that.
    """

    version = 1
    acts: tuple[type[Act], ...]
    deck_type: Any = None
    tools: Mapping[str, Any] = {}
    pages: Mapping[str, type[Question]] = {}
    rulings: tuple[type[Act], ...] = ()
    secretive = False
    results_only = False
    bot_weights: Mapping[str, int] = {}

    def secrets(self, state: Any) -> tuple[Seat, ...]:
        return ()

    def hide(self, event: Event, audience: Audience) -> Event | None:
        return event

    def check_deck(self, deck: Any, options: Any) -> Sequence[Problem]:
        return ()

    def draws(self, state: Any, act: Act) -> tuple[Draw, ...]:
        """No server draws: the table shuffles, draws and spins."""
        return ()

    def sample_value(self, shape: str, pick: Pick) -> Plain:
        return ""

    def foretell(self, state: Any) -> dict[str, Any]:
        return {}

    def write(self, act: Act) -> str:
        return notation.write(act)

    def read(self, line: str) -> Act:
        return notation.read(self.acts, line)
