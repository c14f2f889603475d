"""Whole matches by the whole rulebook, played by bots that know only the offers."""

import json
import os
import subprocess
import sys
from collections import Counter
from typing import Any

import rules
from matches import services
from matches.verify import verify
from rules import notation
from rules.replay import Timeline
from rules.ruleset import event_type
from tests import factories, rulebook
from tests.prove.experiment import Broken, Found, experiment, must_break, require
from tests.rules.playouts import COUNTED, GAME, folded, play

AGAIN = 10  # one in so many is played once more under another hash seed


@experiment(
    section="The rulebook",
    promise="Matches by the whole rulebook end, fold again from every prefix to the same digests, "
    "and are the same under any hash seed.",
    full={"count": 10_000, "wild": 5},
    short={"count": 500, "wild": 50},
    engines=("sqlite",),
)
def playouts(*, count: int, wild: int) -> Found:
    """Two processes play, each under a hash seed of its own; a third plays some again."""
    half = count // 2
    runs = [_started(0, half, 1, wild, "1"), _started(half, count, 1, wild, "2")]
    again = _answer(_started(0, half, AGAIN, 0, "3"))
    first, second = (_answer(run) for run in runs)
    require(
        again["digests"] == first["digests"][::AGAIN],
        "a match played under another hash seed has other digests",
    )
    reached = {name: Counter(first[name]) + Counter(second[name]) for name in COUNTED}
    ruleset = rules.get(GAME)
    offered = {event_type(act) for act in ruleset.acts} - {"slag-called", "won-called"}
    drawn = {event_type(kind) for kind in ruleset.consequences}
    codes = rulebook.codes_of(GAME).items()
    irregular = {code for code, found in codes if "irregular" in found.calls}
    missed = {
        "offers": sorted(offered - reached["offers"].keys()),
        "consequences": sorted(drawn - reached["consequences"].keys()),
        "irregular codes": sorted(irregular - reached["irregular"].keys()),
    }
    require(not missed["offers"], f"never offered: {', '.join(missed['offers'])}")
    broke = must_break(_forgetful)
    left = "; ".join(
        f"{name} never reached: {', '.join(them)}" for name, them in missed.items() if them
    )
    return Found(
        asked=f"{count:,} matches at depth `full`, most of them duels, one in {wild} once more "
        f"with acts against the rules, one in {AGAIN} once more under another hash seed",
        found=f"all ended, at most after {max(first['longest'], second['longest'])} entries; "
        "from every prefix the next entry gave its digest"
        + (f"; {left}" if left else "; every offer, consequence and irregular code was reached"),
        counts={
            "entries": first["entries"] + second["entries"],
            "offer types": len(offered & reached["offers"].keys()),
            "consequences": len(drawn & reached["consequences"].keys()),
            "irregular codes": len(irregular & reached["irregular"].keys()),
        },
        bite=f"With a state that forgets a stance when it is written: {broke}.",
    )


@experiment(
    section="The rulebook",
    promise="A match by the whole rulebook has the same digests in this database as without one.",
    full={"count": 100},
    short={"count": 3},
)
def playouts_stored(*, count: int) -> Found:
    """Each is brought in as notation, where every act is judged and stored again, and verified."""
    ruleset, by = rules.get(GAME), factories.actor()
    entries = 0
    for seed in range(count):
        timeline = play(ruleset, seed)
        text = notation.write_match(ruleset, timeline.entries, digests=True)
        match = services.import_log(by=by, data=text.encode(), content_type="text/plain")
        stored = match.log.events.filter(ordinal=0).order_by("version").values_list("state_digest")
        digests = [digest for (digest,) in stored]
        require(digests == [entry.digest for entry in timeline.entries], f"seed {seed} differs")
        require(verify(match.log).ok, f"seed {seed} does not verify")
        entries += len(timeline)
    return Found(
        asked=f"{count} matches brought in as notation",
        found="every state has the digest it had without a database, and every log verifies",
        counts={"entries": entries},
    )


def _forgetful() -> None:
    """Write every state without stances: some match must fold otherwise."""
    from rules.zg.ruleset import ZgRuleset

    class Forgets(ZgRuleset):
        def dump(self, state: Any) -> bytes:
            return super().dump(state).replace(b'"stance":"kneel",', b"")

    for seed in range(40):
        timeline = play(rules.get(GAME), seed)
        forgetful = Timeline(Forgets())
        forgetful.entries, forgetful.moments = timeline.entries, timeline.moments
        try:
            folded(forgetful)
        except AssertionError as wrong:
            raise Broken(f"seed {seed}: {wrong}") from wrong


def _started(first: int, last: int, step: int, wild: int, hash_seed: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.rules.playouts", str(first), str(last), str(step), str(wild)],
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
