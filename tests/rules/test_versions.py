"""A released ruleset behaves for ever as it did when it was locked."""

from collections.abc import Mapping

import rules
from rules.ruleset import Ruleset
from tests.rules.toys import Secrets
from tests.rules.versions import PLAYOUTS, behaviour


def changed(
    lock: Mapping[str, Mapping[str, str]],
    rulesets: Mapping[str, Ruleset] = rules.RULESETS,
    playouts: int = PLAYOUTS,
) -> list[str]:
    """Return the locked rulesets that are gone or do something else by now."""
    return [
        name
        for name, locked in lock.items()
        if name not in rulesets or behaviour(rulesets[name], playouts) != locked
    ]


def test_a_released_ruleset_has_not_changed() -> None:
    assert changed(rules.released()) == []


def test_a_change_of_a_locked_ruleset_is_noticed() -> None:
    class Kinder(Secrets):
        def evolve(self, state, event):
            after = super().evolve(state, event)
            return state if type(event).__name__ == "Shown" else after

    lock = {"secrets@1": behaviour(Secrets(), 3)}
    assert changed(lock, {"secrets@1": Secrets()}, 3) == []
    assert changed(lock, {"secrets@1": Kinder()}, 3) == ["secrets@1"]
    assert changed(lock, {}, 3) == ["secrets@1"]
    assert changed({"score@1": {"golden": "", "playouts": ""}}, playouts=3) == ["score@1"]
