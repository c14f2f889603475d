"""The desk: random tournaments paired, corrected and finished, checked independently."""

from collections import Counter
from collections.abc import Callable
from unittest.mock import patch

from rules.bots import Stream
from rules.desk import folding
from rules.desk.acts import ResultCorrected
from rules.desk.formats import double_elimination, single_elimination, swiss
from rules.desk.formats.bracket import Bracket, Met, met, resolve
from tests.prove.experiment import Broken, Found, experiment, must_break
from tests.rules.desk import corrected, histories


@experiment(
    section="The desk",
    promise="No rematch, bye or difference of points in a Swiss round could have been avoided.",
    full={"tournaments": 10_000},
    short={"tournaments": 30},
    engines=("sqlite",),
)
def swiss_histories(*, tournaments: int) -> Found:
    seen = _histories(tournaments)

    def greedy() -> None:
        with patch.object(histories, "pair", _greedy):
            _histories(min(tournaments, 100))

    broke = must_break(greedy)
    return Found(
        asked=f"{tournaments:,} random tournaments of 2 to 64 players: {seen['rounds']:,} rounds, "
        f"{seen['drops']:,} drops, {seen['late entries']:,} late entries, "
        f"{seen['byes asked for']:,} requested byes",
        found=f"0 avoidable rematches ({seen['rounds with a rematch']:,} rounds had a forced one), "
        f"0 second byes while another player had fewer, each of {seen['byes']:,} byes in the "
        "lowest possible score group, every sum of squares minimal: an independent matching agreed "
        "each time",
        counts=dict(seen),
        bite=f"Paired greedily from the top: {broke}.",
    )


def _histories(tournaments: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in range(tournaments):
        try:
            seen += histories.run(f"history {seed}")
        except histories.Avoidable as avoidable:
            raise Broken(f"tournament {seed}: {avoidable}") from None
    return seen


def _greedy(field: swiss.Field, seed: int) -> swiss.Drawn:
    """Pair from the top, each with the next opponent not met yet; the last one has the bye."""
    left = sorted(field.players, key=lambda player: (-player.points, player.id))
    pairs = []
    while len(left) > 1:
        one = left.pop(0)
        two = next((other for other in left if other.id not in one.met), left[0])
        left.remove(two)
        pairs.append((one.id, two.id))
    return swiss.assess(field, pairs, left[0].id if left else None, seed)


@experiment(
    section="The desk",
    promise="Any bracket can be played out, with every place decided and nobody twice in a match.",
    full={"largest": 300, "times": 10},
    short={"largest": 24, "times": 1},
    engines=("sqlite",),
)
def brackets_played_out(*, largest: int, times: int) -> Found:
    matches = _brackets(largest, times)
    broke = must_break(lambda: _brackets(9, 1, drop_last=True))
    return Found(
        asked=f"single and double elimination, with and without third place and reset, of every "
        f"size from 2 to {largest}, each {times} × by random results: {matches:,} matches",
        found="in each of them every place was decided, tied places counting those before them",
        counts={"matches": matches},
        bite=f"With the last match left out: {broke}.",
    )


LAYOUTS: tuple[Callable[[int], Bracket], ...] = (
    single_elimination.lay_out,
    lambda count: single_elimination.lay_out(count, third_place=True),
    double_elimination.lay_out,
    lambda count: double_elimination.lay_out(count, reset=False),
)


def _brackets(largest: int, times: int, *, drop_last: bool = False) -> int:
    matches = 0
    for count in range(2, largest + 1):
        for number, lay_out in enumerate(LAYOUTS):
            bracket = lay_out(count)
            if drop_last:
                bracket = Bracket(bracket.seeds, bracket.slots[:-1])
            for time in range(times):
                matches += _played(bracket, Stream(f"bracket {count} {number} {time}"))
    return matches


def _played(bracket: Bracket, pick: Stream) -> int:
    """Play a bracket with random results; return the number of matches. Raises: Broken."""
    players = list(range(1, bracket.seeds + 1))
    winners: dict[Met, int] = {}
    standing = resolve(bracket, players, winners)
    while standing.ready:
        for name in standing.ready:
            one, two = standing.players[name]
            if one is None or two is None or one == two:
                raise Broken(f"{name} of {bracket.seeds} has {one} and {two}")
            winners[met(name, (one, two))] = pick.choice([one, two])
        standing = resolve(bracket, players, winners)
    shared = Counter(standing.places.values())
    better = 0
    for place in sorted(shared):
        if place != better + 1:
            raise Broken(f"of {bracket.seeds} somebody has place {place} after {better}")
        better += shared[place]
    if better != bracket.seeds:
        raise Broken(f"of {bracket.seeds} only {better} have a place")
    return len(winners)


@experiment(
    section="The desk",
    promise="A corrected tournament equals one with the right result in the first place; the "
    "preview is the difference, and undo restores every byte.",
    full={"tournaments": 1000},
    short={"tournaments": 10},
    engines=("sqlite",),
)
def corrected_tournaments(*, tournaments: int) -> Found:
    seen = _corrected(tournaments)

    def forgotten() -> None:
        with patch.dict(folding.CHANGES, {ResultCorrected: lambda state, event: state.desk}):
            _corrected(20)

    broke = must_break(forgotten)
    kinds = ", ".join(f"{seen[each['format']]} {each['format']}" for _, each in corrected.FORMATS)
    return Found(
        asked=f"{seen['corrections']:,} corrections at random points ({kinds}), with "
        f"{seen['acts after']:,} acts recorded after them",
        found="every order and every number of the standings as if it had been right from the "
        "start, every preview equal to the places that moved, every undo and redo byte-identical",
        counts=dict(seen),
        bite=f"With corrections forgotten: {broke}.",
    )


def _corrected(tournaments: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in range(tournaments):
        try:
            seen += corrected.run(f"corrected {seed}")
        except corrected.Differs as differs:
            raise Broken(f"tournament {seed}: {differs}") from None
    return seen
