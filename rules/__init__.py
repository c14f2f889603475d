"""The rules core: pure Python, one package per game. The entry point is `get("zg")`."""

import hashlib
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path

from rules.desk.ruleset import DeskRuleset
from rules.ruleset import Ruleset, pinned_name
from rules.score.ruleset import ScoreRuleset
from rules.zerpang.ruleset import ZerpangRuleset
from rules.zg.ruleset import ZgRuleset
from rules.zx.ruleset import ZxRuleset

RULESETS: dict[str, Ruleset] = {
    "desk@1": DeskRuleset(),
    "score@1": ScoreRuleset(),
    "zerpang@1": ZerpangRuleset(),
    "zg@1": ZgRuleset(),
    "zx@1": ZxRuleset(),
}


def get(name: str) -> Ruleset:
    """Return a ruleset: `zg` is the newest version, `zg@1` a pinned one.

    Raises: KeyError for an unknown game or version.
    """
    if "@" in name:
        return RULESETS[name]
    versions = [ruleset for ruleset in RULESETS.values() if ruleset.key == name]
    if not versions:
        raise KeyError(name)
    return max(versions, key=lambda ruleset: ruleset.version)


def game(name: str) -> Ruleset:
    """Return the ruleset of a game that people sit down to play, so not the tournament desk.

    Raises: KeyError for any other name.
    """
    ruleset = get(name)
    if not any(ruleset.seats):
        raise KeyError(name)
    return ruleset


def keys() -> list[str]:
    """Return the keys of the games that people sit down to play, in alphabetical order."""
    return sorted({ruleset.key for ruleset in RULESETS.values() if any(ruleset.seats)})


@cache
def released() -> Mapping[str, Mapping[str, str]]:
    """Return the released rulesets, which can no longer change, with digests of their behaviour.

    All others are drafts.
    """
    lock = resources.files("rules") / "versions.lock"
    return tomllib.loads(lock.read_text("utf-8"))


def is_draft(ruleset: Ruleset) -> bool:
    """Tell whether a ruleset may still change."""
    return pinned_name(ruleset) not in released()


@cache
def fingerprint() -> str:
    """Return a digest of the rules' source: while it is the same, they decide the same."""
    found = hashlib.sha256()
    root = Path(str(resources.files("rules")))
    for path in sorted(each for kind in ("*.py", "*.toml") for each in root.rglob(kind)):
        if path.parent.name != "text":
            found.update(path.relative_to(root).as_posix().encode() + b"\0")
            found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:16]
