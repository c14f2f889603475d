"""The rules core: pure Python, one package a game. `get("zg")` is the way in."""

from rules.ruleset import Ruleset
from rules.score.ruleset import ScoreRuleset

RULESETS: dict[str, Ruleset] = {
    "score@1": ScoreRuleset(),
}


def get(name: str) -> Ruleset:
    """Return a ruleset: `zg` is the newest version, `zg@1` a pinned one.

    Raises: KeyError for a game or version that is not there.
    """
    if "@" in name:
        return RULESETS[name]
    versions = [ruleset for ruleset in RULESETS.values() if ruleset.key == name]
    if not versions:
        raise KeyError(name)
    return max(versions, key=lambda ruleset: ruleset.version)
