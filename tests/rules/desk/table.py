"""A desk driven by lines of notation, and tournaments played out from the offers."""

from collections.abc import Sequence
from typing import Any

import msgspec

import rules
from rules import bots, notation, texts
from rules.bots import Stream
from rules.desk.acts import DeskOpened, Options
from rules.desk.previews import Blast, difference
from rules.desk.state import Desk
from rules.replay import Timeline, entry_after
from rules.ruleset import Act, Offer, Verdict, event_type
from tests.rules import tables

RULESET = rules.get("desk@1")
NOTE = f"{7:064x}"
SWISS = "stage-started swiss"
KNOCKOUT = "stage-started single-elimination"
PAIR_KNOCKOUT = "round-paired single-elimination"


def opened(**options: Any) -> DeskOpened:
    return DeskOpened(ruleset="desk@1", options=msgspec.convert(options, Options), seats=())


def played(*lines: str, **options: Any) -> Timeline:
    """Record lines of notation, all of which must be legal. `NOTE` stands for a reason.

    `enter 4` enters four players; `won 1` lets the desk report a win of the first seat at every
    table of the current round, and closes the round.
    """
    timeline = Timeline(RULESET)
    timeline.add(*entry_after(RULESET, timeline, opened(**options)))
    return more(timeline, *lines)


def more(timeline: Timeline, *lines: str) -> Timeline:
    """Record further lines."""
    for line in lines:
        kind, _, rest = line.partition(" ")
        if kind == "enter":
            more(timeline, *["entered"] * int(rest))
        elif kind == "play":
            more(timeline, *_round(timeline, int(rest)))
        else:
            record(timeline, line)
    return timeline


def record(timeline: Timeline, line: str) -> None:
    kind, mark, rest = line.replace("NOTE", f'"{NOTE}"').partition("!")
    act = notation.read((*RULESET.acts, *notation.LOG_ACTS), kind + rest)
    timeline.add(*entry_after(RULESET, timeline, act, irregular=bool(mark)))


def _round(timeline: Timeline, seed: int) -> list[str]:
    """Return lines for a whole round in which the lower number always wins."""
    desk = desk_of(timeline)
    method = desk.stages[-1].setup.format
    record(timeline, f"round-paired {method} {seed}")
    number = len(desk_of(timeline).rounds)
    record(timeline, f"round-published {number}")
    lines = []
    for table in desk_of(timeline).rounds[-1].tables:
        ranks = sorted(table.players, reverse=True)
        scores = [ranks.index(player) for player in table.players]
        lines.append(f"result-reported {number} {table.number} scores={scores}".replace(" [", "["))
    return [line.replace(", ", ",") for line in lines] + [f"round-closed {number}"]


def desk_of(timeline: Timeline) -> Desk:
    found: Desk = timeline.head.state.desk
    return found


def verdict(timeline: Timeline, line: str) -> str:
    """Return the call and code of a line at the head."""
    found = judged(timeline, line)
    return f"{found.call} {found.code}".rstrip()


def reason(timeline: Timeline, line: str) -> str:
    """Return the message that says why a line at the head is not legal."""
    return texts.of_finding(RULESET.texts, judged(timeline, line), {})


def judged(timeline: Timeline, line: str) -> Verdict:
    act = RULESET.read(line.replace("NOTE", f'"{NOTE}"'))
    return tables.judged(RULESET, timeline.head.state, act)


def consequences(timeline: Timeline) -> list[str]:
    return [event_type(each) for each in timeline.entries[-1].consequences]


def preview(timeline: Timeline, act: Act) -> Blast:
    """Return what an act would change of what was computed before it."""
    after = timeline.copy()
    after.add(*entry_after(RULESET, after, act, irregular=True))
    return difference(timeline, after)


# -- from the offers to the close -----------------------------------------------------

STEPS = (
    "tournament-closed",
    "round-closed",
    "result-reported",
    "ruled",
    "round-published",
    "round-paired",
)


def played_out(entrants: int, fields: dict[str, Any], seed: str) -> Timeline:
    """Play one stage to its close using only offers; `fields` are those of its start."""
    timeline = played(f"enter {entrants}")
    pick = Stream(seed)
    act = msgspec.convert({"type": "stage-started", **fields}, type=_stage_started())
    timeline.add(*entry_after(RULESET, timeline, act))
    while RULESET.outcome(timeline.head.state) is None:
        assert len(timeline) < 5000, "it never ends"
        offer = _next(RULESET.options(timeline.head.state), pick)
        act = bots.act_of(RULESET, offer, pick)
        timeline.add(*entry_after(RULESET, timeline, act))
    return timeline


def _stage_started() -> Any:
    return next(act for act in RULESET.acts if event_type(act) == "stage-started")


def _next(offers: Sequence[Offer], pick: Stream) -> Offer:
    for kind in STEPS:
        mine = [offer for offer in offers if offer.type == kind]
        if mine:
            return pick.choice(mine)
    raise AssertionError("nothing leads to the close")
