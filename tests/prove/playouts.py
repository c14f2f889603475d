"""Complete matches of every game, played by bots that know only the offers."""

import json
import os
import subprocess
import sys
from collections import Counter
from typing import Any

import msgspec

import rules
from deploy import processes
from matches import services
from matches.verify import verify
from rules import notation
from rules.replay import Timeline
from rules.ruleset import event_type
from rules.zerpang.victory import WHY
from tests import factories
from tests.prove.experiment import Broken, Found, experiment, must_break, require
from tests.rules import mischief
from tests.rules.playouts import COUNTED, GAMES, TURNS, folded, play
from tests.rules.zerpang.abilities import ABILITIES
from tests.rules.zerpang.mixes import MIXES

AGAIN = 10  # one in this many is repeated under another hash seed
DECIDED = 80  # in 100

TOLD = {
    "zg": {"slag-called", "won-called"},
    "zx": set[str](),
    "zerpang": {"class-taken", "base-taken", "first-seat-picked", "won-called"},
}
"""What no match here offers: acts of another depth, and those that sit a mix of classes down."""


@experiment(
    section="The rulebook",
    promise="Matches by the whole rulebook end, fold from every prefix to the same digests, and do "
    "not depend on the hash seed.",
    full={"count": 10_000},
    short={"count": 500},
    engines=("sqlite",),
    short_on="postgresql",
)
def playouts(*, count: int) -> Found:
    """Play Z-G; some matches are repeated under another hash seed."""
    found = _played("zg", count)
    broke = must_break(_forgetful)
    return _told(found, bite=f"With a state that loses a stance when it is serialised: {broke}.")


@experiment(
    section="The rulebook",
    promise="Matches of Z/X are decided within 60 turns, invariants hold after each event, matches "
    "fold from every prefix to the same digests, and do not depend on the hash seed.",
    full={"count": 10_000},
    short={"count": 500},
    engines=("sqlite",),
    short_on="postgresql",
)
def playouts_zx(*, count: int) -> Found:
    """Play Z/X; a card that appears from nowhere must be noticed."""
    broke = must_break(lambda: _one_card_more("zx"))
    bite = f"With an extra card in a hand: {broke}."
    return _told(_played("zx", count), bite)


@experiment(
    section="The rulebook",
    promise="Matches of Zerpang! with every mix of classes are decided within 300 turns, by every "
    "way to win and with every ability used; invariants hold after each event, matches fold from "
    "every prefix to the same digests, and do not depend on the hash seed.",
    full={"count": 10_000},
    short={"count": 500},
    engines=("sqlite",),
    short_on="postgresql",
)
def playouts_zerpang(*, count: int) -> Found:
    """Play Zerpang; only with a match for every mix must every rare ability and win occur."""
    broke = must_break(lambda: _one_card_more("zerpang"))
    found = _played("zerpang", count)
    told = _told(found, bite=f"With an extra card in a hand: {broke}.")
    missed = sorted(
        {*ABILITIES, *WHY.values()} - found["abilities"].keys() - found["outcomes"].keys()
    )
    require(not missed or count < len(MIXES), f"never seen: {', '.join(missed)}")
    abilities = ", ".join(f"{name} {found['abilities'][name]}" for name in ABILITIES)
    missing = f"; never seen: {', '.join(missed)}" if missed else ""
    return msgspec.structs.replace(told, found=f"{told.found}; abilities: {abilities}{missing}")


def _one_card_more(key: str) -> None:
    """Let a hand grow by itself, so that every later state breaks the invariants."""
    timeline = play(key, 0)
    ruleset = timeline.ruleset

    class Grows(type(ruleset)):
        def load(self, setup: Any, data: bytes) -> Any:
            return ruleset.load(setup, data.replace(b'"hand":4', b'"hand":5', 1))

    growing = Timeline(Grows())
    growing.entries, growing.moments = timeline.entries, timeline.moments
    try:
        folded(growing)
    except AssertionError as wrong:
        raise Broken(str(wrong)) from wrong


@experiment(
    section="The rulebook",
    promise="Every rule of Z-G that can be broken was broken, and the match continued.",
    full={"matches": 1000, "every": True},
    short={"matches": 40, "every": False},
    engines=("sqlite",),
    short_on="postgresql",
)
def rules_broken(*, matches: int, every: bool) -> Found:
    """Let bots try illegal acts, preferring rules not broken yet.

    Unless `every` rule is required, those that few matches give a chance to break may be missed.
    """
    codes, seen = mischief.irregular_codes(), Counter[str]()
    played = 0
    while played < matches and codes - seen.keys():
        mischief.play(played, seen)
        played += 1
    missed = sorted(codes - seen.keys())
    required = missed if every else [code for code in missed if code not in mischief.RARE]
    require(not required, f"never broken: {', '.join(required)}")
    require(codes >= mischief.RARE.keys(), "a rule is listed that is not there")
    rarest = ", ".join(
        f"{code} {seen[code]}" for code in sorted(codes, key=lambda code: (seen[code], code))[:8]
    )
    return Found(
        asked=f"{played} matches in which irregular acts stand",
        found=f"{len(codes) - len(missed)} of {len(codes)} codes occurred; least often {rarest}",
        counts={"irregular acts": seen.total(), "irregular codes": len(codes) - len(missed)},
    )


@experiment(
    section="The rulebook",
    promise="A match of any game has the same digests in this database as without one.",
    full={"count": 100},
    short={"count": 1},
)
def playouts_stored(*, count: int) -> Found:
    """Import each match as notation, which judges and stores every act again, and verify it."""
    by = factories.actor()
    entries = 0
    for key in GAMES:
        for seed in range(count):
            timeline = play(key, seed)
            text = notation.write_match(timeline.ruleset, timeline.entries, digests=True)
            match = services.import_log(by=by, data=text.encode(), content_type="text/plain")
            acts = match.log.events.filter(ordinal=0).order_by("version")
            digests = [digest for (digest,) in acts.values_list("state_digest")]
            same = digests == [entry.digest for entry in timeline.entries]
            require(same, f"{key}, seed {seed}: digests differ")
            require(verify(match.log).ok, f"{key}, seed {seed} does not verify")
            entries += len(timeline)
    return Found(
        asked=f"{count} matches each of {', '.join(GAMES)} imported as notation",
        found="every state has the digest it had without a database, and every log verifies",
        counts={"entries": entries},
    )


def _played(key: str, count: int) -> dict[str, Any]:
    """Play `count` matches in two processes with different hash seeds; a third repeats some."""
    half = count // 2
    runs = [_started(key, 0, half, 1, "1"), _started(key, half, count, 1, "2")]
    again = _answer(_started(key, 0, half, AGAIN, "3"))
    first, second = (_answer(run) for run in runs)
    require(
        again["digests"] == first["digests"][::AGAIN],
        "a match played under another hash seed has other digests",
    )
    found: dict[str, Any] = {name: Counter(first[name]) + Counter(second[name]) for name in COUNTED}
    found |= {name: first[name] + second[name] for name in ("entries", "events", "decided")}
    return found | {
        "key": key,
        "count": count,
        "longest": max(first["longest"], second["longest"]),
    }


def _told(found: dict[str, Any], bite: str = "") -> Found:
    """Check what must hold for any game's matches, and return what they covered."""
    key, count, decided = found["key"], found["count"], found["decided"]
    ruleset = rules.get(key)
    least = count if key == "zg" else count * DECIDED // 100
    require(decided >= least, f"{decided} of {count} were decided")
    offered = {event_type(act) for act in ruleset.acts} - TOLD[key]
    drawn = {event_type(kind) for kind in ruleset.consequences}
    on_offer = found["offers"].keys() | found["acts"].keys()  # what a bot did was on offer
    missed = {
        "offers": sorted(offered - on_offer),
        "consequences": sorted(drawn - found["consequences"].keys()),
    }
    if key == "zg":
        require(not missed["offers"], f"never offered: {', '.join(missed['offers'])}")
    left = "; ".join(
        f"{name} never reached: {', '.join(them)}" for name, them in missed.items() if them
    )
    ends = ", ".join(f"{why} {n}" for why, n in found["outcomes"].most_common())
    limit = f" within {TURNS[key]} turns" if key in TURNS else ""
    held = f"; invariants held after each of {found['events']:,} events" if limit else ""
    return Found(
        asked=f"{count:,} matches, one in {AGAIN} repeated under another hash seed",
        found=f"{decided:,} decided{limit}, the longest with {found['longest']} entries; from "
        f"every prefix the next entry led to its digest{held}; "
        f"{left or 'every offer and consequence was reached'}; outcomes: {ends}",
        counts={
            "entries": found["entries"],
            "offer types": len(offered & on_offer),
            "consequences": len(drawn & found["consequences"].keys()),
        },
        bite=bite,
    )


def _forgetful() -> None:
    """Drop the stances from every serialized state: some match must fold differently."""
    from rules.zg.ruleset import ZgRuleset

    class Forgets(ZgRuleset):
        def dump(self, state: Any) -> bytes:
            return super().dump(state).replace(b'"stance":"kneel",', b"")

    for seed in range(40):
        timeline = play("zg", seed)
        forgetful = Timeline(Forgets())
        forgetful.entries, forgetful.moments = timeline.entries, timeline.moments
        try:
            folded(forgetful)
        except AssertionError as wrong:
            raise Broken(f"seed {seed}: {wrong}") from wrong


def _started(key: str, first: int, last: int, step: int, hash_seed: str) -> subprocess.Popen[str]:
    numbers = (str(first), str(last), str(step))
    return processes.start(
        [sys.executable, "-m", "tests.rules.playouts", key, *numbers],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _answer(run: subprocess.Popen[str]) -> dict[str, Any]:
    said, wrong = run.communicate()
    if run.returncode:
        raise Broken(wrong.strip().splitlines()[-1] if wrong.strip() else "a process ended early")
    found: dict[str, Any] = json.loads(said)
    return found
