"""Tournaments corrected at random points, compared with ones that had the right result at once."""

from collections import Counter
from typing import Any

import msgspec

from rules import bots
from rules.bots import Stream
from rules.desk.acts import (
    AppealRejected,
    CallAnswered,
    OfficialCalled,
    ResultConfirmed,
    ResultCorrected,
    ResultDisputed,
    ResultReported,
    RoundClosed,
    RoundDrawn,
    RoundPaired,
    Ruled,
    RulingAppealed,
    TimeProposed,
    TournamentClosed,
)
from rules.desk.standings import order_of, places_of, standings
from rules.desk.state import BRACKETS, Desk, State
from rules.replay import Timeline, entry_after
from rules.ruleset import Act, TakenBack
from tests.rules.desk.table import NOTE, RULESET, desk_of, opened, played_out, preview

FORMATS: list[tuple[int, dict[str, Any]]] = [
    (7, {"format": "swiss", "best_of": 3, "tiebreaks": ["omw", "gw", "bh-c1", "sb"]}),
    (6, {"format": "round-robin", "tiebreaks": ["de", "games"]}),
    (9, {"format": "pods", "rounds": 2, "table_points": [10, 6, 3, 1], "tiebreaks": ["beaten"]}),
    (7, {"format": "multi-round-robin", "sizes": [4], "tiebreaks": ["place", "share"]}),
    (5, {"format": "ladder", "rounds": 3}),
    (8, {"format": "single-elimination", "third_place": True}),
    (6, {"format": "double-elimination"}),
]
OF_A_TABLE = (
    *(ResultReported, ResultConfirmed, ResultDisputed, Ruled, ResultCorrected),
    *(RulingAppealed, AppealRejected, TimeProposed, OfficialCalled, CallAnswered),
)


class Differs(AssertionError):
    """A corrected tournament differs from one that had the right result at once."""


def run(seed: str) -> Counter[str]:
    """Correct one random tournament at a random point. Raises: Differs."""
    pick = Stream(seed)
    entrants, fields = FORMATS[pick(len(FORMATS))]
    whole = played_out(entrants, fields, seed)
    acts = [entry.act for entry in whole.entries if not isinstance(entry.act, TournamentClosed)]
    closings = [i for i, act in enumerate(acts) if isinstance(act, RoundClosed)]
    at = pick.choice(closings) + 1
    timeline = folded(whole, acts[:at])
    number = len(desk_of(timeline).rounds)
    if fields["format"] not in BRACKETS:
        number = 1 + pick(number)
    table = pick.choice(desk_of(timeline).rounds[number - 1].tables)
    act = right_result(timeline, number, table.number, pick)
    if act is None:
        return Counter()
    check_preview(timeline, act)
    timeline.add(*entry_after(RULESET, timeline, act))
    after = [] if fields["format"] in BRACKETS else acts[at:]
    for each in after:
        if not (isinstance(each, OF_A_TABLE) and _where(each) == (number, table.number)):
            _on(timeline, each, whole)
    at_once = replayed(whole, acts[:at] + list(after), act)
    same(desk_of(timeline), desk_of(at_once))
    check_undo(timeline, pick)
    return Counter({"corrections": 1, fields["format"]: 1, "acts after": len(after)})


def right_result(timeline: Timeline, number: int, table: int, pick: Stream) -> Act | None:
    """Return a correction that changes a result; it is chosen from the offers and so legal."""
    old = desk_of(timeline).rounds[number - 1].tables
    was = next(each.result for each in old if each.number == table)
    offers = [
        offer
        for offer in RULESET.options(timeline.head.state)
        if offer.type == "result-corrected"
        and offer.fields["round"].values == (number,)
        and offer.fields["table"].values == (table,)
        and "lost" not in offer.fields
    ]
    for _ in range(5):
        act = bots.act_of(RULESET, pick.choice(offers), pick)
        if (act.scores, act.drawn, act.absent) != (was.scores, was.drawn, was.absent):
            return act
    return None


def _where(act: Any) -> tuple[int, int]:
    return act.round, act.table


def folded(whole: Timeline, acts: list[Act]) -> Timeline:
    timeline = Timeline(RULESET)
    for act in acts:
        _on(timeline, act, whole)
    return timeline


def _on(timeline: Timeline, act: Act, whole: Timeline) -> None:
    """Record an act; rounds keep their published pairings, whatever the standings now."""
    if isinstance(act, RoundPaired) and desk_of(timeline).stages[-1].setup.format not in BRACKETS:
        drawn = next(
            consequence
            for entry in whole.entries
            if entry.act is act
            for consequence in entry.consequences
            if isinstance(consequence, RoundDrawn)
        )
        act = msgspec.structs.replace(act, pairings=drawn.pairings, byes=drawn.byes, note=NOTE)
    timeline.add(*entry_after(RULESET, timeline, act, irregular=True))


def replayed(whole: Timeline, acts: list[Act], right: ResultCorrected) -> Timeline:
    """Return the tournament as if the desk had reported the right result at once."""
    told = ResultReported(
        round=right.round,
        table=right.table,
        scores=right.scores,
        drawn=right.drawn,
        absent=right.absent,
    )
    timeline, said = Timeline(RULESET), False
    for act in acts:
        if isinstance(act, OF_A_TABLE) and _where(act) == _where(right):
            if not said:
                _on(timeline, told, whole)
            said = True
        else:
            _on(timeline, act, whole)
    return timeline


def same(one: Desk, two: Desk) -> None:
    for index, stage in enumerate(one.stages):
        if order_of(one, index) != order_of(two, index):
            raise Differs(f"the order of {stage.setup.format} differs")
        if stage.setup.format not in BRACKETS and standings(one, index) != standings(two, index):
            raise Differs(f"a number in the standings of {stage.setup.format} differs")
    if _shown(one) != _shown(two):
        raise Differs("what is shown of a stage differs")


def _shown(desk: Desk) -> Any:
    return RULESET.view(State(opened(), desk), "public")["stages"]


def check_preview(timeline: Timeline, act: Act) -> None:
    """Compare a preview with the standings before and after."""
    before = places_of(desk_of(timeline), 0)
    told = {row.entrant: row.places for row in preview(timeline, act).moved}
    trial = timeline.copy()
    trial.add(*entry_after(RULESET, trial, act))
    after = places_of(desk_of(trial), 0)
    real = {
        player: (before[player], place)
        for player, place in after.items()
        if before[player] != place
    }
    if told != real:
        raise Differs(f"the preview said {told}, it was {real}")


def check_undo(timeline: Timeline, pick: Stream) -> None:
    """Undo to a random version and redo: the state is the same byte for byte."""
    head = RULESET.dump(timeline.head.state)
    version = 1 + pick(len(timeline) - 1)
    timeline.add(*entry_after(RULESET, timeline, TakenBack(to=version)))
    if RULESET.dump(timeline.head.state) != RULESET.dump(timeline.at(version).state):
        raise Differs(f"undo to {version} is not the state it was")
    timeline.add(*entry_after(RULESET, timeline, TakenBack(to=len(timeline) - 1)))
    if RULESET.dump(timeline.head.state) != head:
        raise Differs("going forth again is not the state it was")
