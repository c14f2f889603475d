"""Corrections, compared with an oracle that has no log, and through the services on a database."""

from collections import Counter
from dataclasses import replace
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import msgspec

import rules
from matches import audiences, selectors, services, undoing
from matches.errors import Refused
from matches.models import Event, Match
from matches.narration import names_of
from matches.verify import verify
from rules import bots, rebase
from rules.replay import ActRefusedError
from rules.ruleset import Act, Ruleset, TakenBack
from tests import factories
from tests.prove.experiment import Broken, Found, experiment, must_break, require
from tests.rules.histories import histories
from tests.rules.toys import Secrets

STORED = 10  # one in this many is also played on the database


@experiment(
    section="Corrections",
    promise="A corrected match equals one recorded correctly from the start: an oracle agrees, "
    "what was believed before is unchanged, and the preview equals the result.",
    full={"count": 5000},
    short={"count": 200},
)
def corrections(*, count: int) -> Found:
    """Compare with an oracle that replays an edited list of acts; it shares only the ruleset."""
    games: list[Ruleset] = [rules.get("zg"), rules.get("score"), Secrets()]
    covered: Counter[str] = Counter()
    for place, game in enumerate(games):
        covered += compared(game, count // len(games) + (place < count % len(games)))
    for number in range(count // STORED):
        covered += Stored(games[number % 2], f"stored {number}").run()
    broke = must_break(with_old_consequences)
    return Found(
        asked=f"{count:,} random histories with acts taken back, replaced and struck out, in "
        f"{', '.join(game.key for game in games)}; {count // STORED:,} more through the services",
        found="every effective history equals the oracle's, every log verifies and round-trips "
        "through notation, every earlier view is byte-identical, every preview matched the result",
        counts=dict(covered),
        bite=f"With the old consequences kept: {broke}.",
    )


def compared(game: Ruleset, count: int) -> Counter[str]:
    try:
        return histories(game, count, "proof")
    except (AssertionError, ActRefusedError) as wrong:
        how = f": {str(wrong)[:200]}" if str(wrong) else ""
        raise Broken(f"{game.key} differs from the oracle{how}") from wrong


def with_old_consequences() -> None:
    """Replay acts with their old consequences: the broken variant."""
    again = rebase._again

    def stale(fresh: Any, entry: Any) -> rebase.RebaseStep:
        step = again(fresh, entry)
        if step.after is not None:
            stored = fresh.entries.pop()
            fresh.moments.pop()
            fresh.append(msgspec.structs.replace(stored, consequences=entry.consequences))
        return step

    with patch.object(rebase, "_again", stale):
        compared(rules.get("score"), 100)


class Stored:
    """A match in the database, recorded and corrected by its opener."""

    def __init__(self, game: Ruleset, seed: str) -> None:
        self.pick = bots.Stream(seed)
        decks: list[Any] = [None, None]
        if game.deck_type:
            decks = list(game.tools["sample-decks"]().values())
        seats = [factories.SeatRequest(label=f"Side {n}", deck=decks[n]) for n in range(2)]
        self.match: Match = factories.match(game=game.key, seats=seats)
        self.by = factories.opener_of(self.match)
        self.game = game
        self.covered: Counter[str] = Counter()

    def run(self) -> Counter[str]:
        for _ in range(4 + self.pick(8)):
            if act := self._act(selectors.timeline(self.match).head.state):
                factories.record(self.match, act, by=self.by)
        for _ in range(1 + self.pick(2)):
            self.correct()
        report = verify(self.match.log)
        require(report.ok, f"the log does not verify: {report.problem} {report.detail}")
        self.covered["stored"] += 1
        return self.covered

    def correct(self) -> None:
        """Correct an act; compare with its preview, and check that older views are unchanged."""
        choices = sorted(undoing.correctable(self.by, self.match))
        if not choices:
            return
        version = self.pick.choice(choices)
        before = selectors.timeline(self.match).at(version - 1).state
        target: Any = Event.objects.get(log=self.match.log, version=version, ordinal=0).act_id
        asked = services.CorrectionRequest(
            target, self._act(before) if self.pick(2) else None, irregular=True
        )
        believed = self._believed()
        try:
            told = services.preview_correction(match=self.match, by=self.by, request=asked)
        except Refused as refused:
            revealed = selectors.timeline(self.match).head.revealed
            rightly = "nothing-changes", "seed-is-out" if revealed else "not-drawn"
            require(refused.code in rightly, f"a preview was refused: {refused.code}")
            return
        require(self._believed() == believed, "a preview left a trace")
        asked = replace(asked, reason="A proof.", after=told.head)
        done = services.correct(match=self.match, by=self.by, correction_id=uuid4(), request=asked)
        require(self._believed()[: len(believed)] == believed, "what was believed has changed")
        state = audiences.state_view(self.match)
        require(state.outcome == told.after.outcome, "another outcome than the preview's")
        head = selectors.timeline(self.match).head.state
        ending = self.game.headline(head, names_of(self.match))
        require(ending == told.after.headline, "another score than the preview's")
        lines = [told.corrected, *told.differing]
        count = 1 + told.same + sum(line.now is not None for line in lines)
        # For what this audience may not see only the number is compared, omitted or not.
        foretold = range(count, count + told.hidden + 1)
        require(len(done) in foretold, f"{len(done)} entries where {count} were foretold")
        self.covered["previews that were the result"] += 1
        self.covered["left out"] += len(told.left_out)

    def _believed(self) -> list[bytes]:
        """Return the public view after each entry, as it was at the time."""
        last = self.match.log.head_version
        views = [audiences.state_view(self.match, at) for at in range(1, last + 1)]
        return [msgspec.json.encode(view) for view in views]

    def _act(self, state: Any) -> Act | None:
        act = bots.random_act(self.game, state, self.pick)
        return None if act is None or isinstance(act, TakenBack) else act
