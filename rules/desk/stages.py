"""Stages: which may start, their settings, what ends them; and refusals."""

from collections.abc import Iterator

import msgspec

from rules.desk.acts import CutMade, Format, StageStarted
from rules.desk.formats import cuts, multi_round_robin
from rules.desk.limits import AHEAD, MAX_POINTS, REASON, SEEDS, Offers
from rules.desk.pairing import counts_for, is_over
from rules.desk.state import KNOCKOUTS, Desk, State, available, is_in, open_appeals, open_round
from rules.desk.tiebreaks import TIEBREAKS
from rules.fields import Choice, Field, Ordered, Range, RangeList, admits
from rules.ruleset import Act, Offer, Verdict, impossible, irregular

TIE_ORDER = Ordered(tuple(TIEBREAKS), most=8)
POINTS = Range(0, MAX_POINTS)
YES_NO = Choice((False, True))
COMMON: dict[str, Field] = {
    "seeding": Choice(("entered", "rating", "standing", "drawn")),
    "seed": SEEDS,
}
BY_GAMES: dict[str, Field] = {"best_of": Range(1, 9)}
BY_CLOCK: dict[str, Field] = {"time_up": Choice(("", "lost", "draw"))}
BY_POINTS: dict[str, Field] = {
    "win": POINTS,
    "draw": POINTS,
    "loss": POINTS,
    "bye": POINTS,
    "halves": YES_NO,
    "tiebreaks": TIE_ORDER,
}
BY_PLACES: dict[str, Field] = {
    "table_points": RangeList(0, MAX_POINTS, most=6),
    "short_points": RangeList(0, MAX_POINTS, most=5),
}
ROUNDS: dict[str, Field] = {"rounds": Range(0, AHEAD)}
STAGES: dict[Format, dict[str, Field]] = {
    "swiss": ROUNDS
    | BY_GAMES
    | BY_POINTS
    | BY_CLOCK
    | {"no_rematches": YES_NO, "accelerated": Range(0, AHEAD)}
    | COMMON,
    "round-robin": BY_GAMES
    | BY_POINTS
    | BY_CLOCK
    | {"legs": Range(1, 4), "groups": Range(1, 16)}
    | COMMON,
    "single-elimination": BY_GAMES | {"third_place": YES_NO} | COMMON,
    "double-elimination": BY_GAMES | {"no_reset": YES_NO} | COMMON,
    "ladder": ROUNDS | BY_GAMES | BY_CLOCK | COMMON,
    "pods": ROUNDS | BY_POINTS | BY_PLACES | {"sizes": Ordered((3, 4, 5, 6), most=4)} | COMMON,
}
"""The settings of a stage, for formats that any number can play."""


def between_rounds(desk: Desk) -> bool:
    return not open_round(desk)


def may_start(desk: Desk) -> bool:
    """Tell whether a stage may start: the one before is over."""
    return between_rounds(desk) and (not desk.stages or is_over(desk))


def may_pair(desk: Desk) -> bool:
    """Tell whether the current stage has a further round, and none is open."""
    return bool(desk.stages) and between_rounds(desk) and not is_over(desk)


def started(state: State, act: Act | None) -> Offers:
    if not may_start(state.desk):
        return
    chosen = available(state)
    if len(chosen) > 1:
        for name, fields in STAGES.items():
            yield _stage(name, fields | {"players": Ordered(chosen, most=len(chosen))})
    yield from _sized_stages(chosen)


def _stage(name: str, fields: dict[str, Field]) -> Offer:
    return Offer("stage-started", None, {"format": Choice((name,)), **fields})


def _sized_stages(chosen: tuple[int, ...]) -> Offers:
    """Yield the formats with fixed numbers of players, for all who are available or fewer."""
    for size in cuts.POD_CUTS:
        for players in _exactly(chosen, size):
            yield _stage("pod-elimination", COMMON | players)
    for design in multi_round_robin.designs():
        for players in _exactly(chosen, design.players):
            yield _stage("multi-round-robin", _of_seats(design.seats) | players)


def _of_seats(*seats: int) -> dict[str, Field]:
    sizes = {"sizes": Choice(tuple((each,) for each in seats))}
    return BY_POINTS | BY_PLACES | sizes | COMMON


def planned(setup: StageStarted) -> Iterator[tuple[str, Field | None]]:
    """Yield the fields of a planned stage that are invalid for its format, whoever plays it.

    Each comes with its allowed values, or None if the format does not have the field.
    """
    match setup.format:
        case "pod-elimination":
            fields = COMMON
        case "multi-round-robin":
            fields = _of_seats(*sorted({each.seats for each in multi_round_robin.designs()}))
        case _:
            fields = STAGES[setup.format]
    for field in msgspec.structs.fields(setup):
        value = getattr(setup, field.name)
        if field.name in fields:
            if not admits(fields[field.name], value):
                yield field.name, fields[field.name]
        elif value != field.default and field.name not in ("format", "players"):
            yield field.name, None


def _exactly(chosen: tuple[int, ...], size: int) -> Iterator[dict[str, Field]]:
    if len(chosen) == size:
        yield {}
    if len(chosen) >= size:
        yield {"players": Ordered(chosen, most=size, least=size)}


def ended(state: State, act: Act | None) -> Offers:
    if may_pair(state.desk):
        yield Offer("stage-ended", None, {"note": REASON})


def cut_made(state: State, act: Act | None) -> Offers:
    desk = state.desk
    if not desk.stages or not may_start(desk):
        return
    stage = desk.stages[-1]
    still_in = [player for player in stage.players if is_in(desk, player)]
    most = min(len(still_in), cuts.CUTS[-1])
    if stage.setup.format not in KNOCKOUTS and most > 1:
        yield Offer("cut-made", None, {"size": Range(2, most)})


def tournament_closed(state: State, act: Act | None) -> Offers:
    if state.desk.stages and may_start(state.desk) and not open_appeals(state.desk):
        yield Offer("tournament-closed", None, {})


# -- refusals -----------------------------------------------------------------------


def not_started(state: State, act: StageStarted) -> Verdict | None:
    if not may_start(state.desk):
        return impossible("stage-under-way")
    there = len(available(state))
    if there < 2:
        return impossible("too-few", entrants=there)
    return _wrong_count(act, len(act.players) or there)


def _wrong_count(act: StageStarted, there: int) -> Verdict | None:
    """Return which numbers can play a format, if the available number cannot."""
    counts = counts_for(act.format, act.sizes)
    if not counts or there in counts:
        return None
    listed = ", ".join(map(str, counts))
    if act.format == "pod-elimination":
        return impossible("no-pod-cut", counts=listed, entrants=there)
    return impossible("no-design", counts=listed, seats=act.sizes[0], entrants=there)


def not_ended(state: State, act: Act) -> Verdict:
    return impossible("nothing-to-pair")


def not_cut(state: State, act: CutMade) -> Verdict:
    if not state.desk.stages or not may_start(state.desk):
        return impossible("stage-under-way")
    return impossible("no-such-cut", size=act.size)


def not_played_out(state: State, act: Act) -> Verdict:
    if open_appeals(state.desk):
        return irregular("appeal-open", "")
    return irregular("not-played-out", "")
