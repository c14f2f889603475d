"""What the machine proposes for the next round, from the state alone."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm

import msgspec

from rules.desk.acts import Entrant, RematchForced
from rules.desk.formats import cuts, ladder, multi_round_robin, pods, round_robin, swiss
from rules.desk.standings import (
    bracket_of,
    granted_to,
    groups_of,
    order_of,
    pod_rounds,
    sheet_of,
)
from rules.desk.state import BRACKETS, KNOCKOUTS, Desk, Stage, is_in, rounds_of, sizes_of
from rules.desk.worth import present

POD_ROUNDS = 3


class Proposal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round as the machine pairs it: see `RoundDrawn`. `forced` proves what was unavoidable."""

    pairings: tuple[tuple[Entrant, ...], ...]
    byes: tuple[Entrant, ...] = ()
    slots: tuple[str, ...] = ()
    cost: tuple[int, ...] = ()
    least: tuple[int, ...] = ()
    breaches: tuple[tuple[Entrant, ...], ...] = ()
    forced: RematchForced | None = None


def propose(desk: Desk, seed: int) -> Proposal:
    """Return the machine's pairing of the last stage's next round."""
    index = len(desk.stages) - 1
    stage = desk.stages[index]
    match stage.setup.format:
        case "swiss":
            return _of_swiss(swiss_round(swiss_field(desk), seed))
        case "pods":
            return _of_pods(seat_pods(pod_players(desk), seed, sizes_of(stage)))
        case "round-robin":
            return _of_round_robin(desk, index)
        case "multi-round-robin":
            return _of_designs(desk, index)
        case "ladder":
            order = [each for each in order_of(desk, index) if _plays(desk, each)]
            pairs, byes = ladder.neighbours(order, len(rounds_of(desk, index)) + 1)
            return Proposal(pairs, byes)
        case "pod-elimination":
            rounds = pod_rounds(desk, index)
            return Proposal(rounds[-1].pods)
    return _of_bracket(desk, index)


def assess(
    desk: Desk, seed: int, pairings: Iterable[Sequence[Entrant]], byes: Sequence[Entrant]
) -> tuple[tuple[int, ...], Proposal]:
    """Return the cost of a round made by hand, and what the machine proposes.

    Only some formats weigh pairings; for others the cost is empty.
    """
    proposal = propose(desk, seed)
    tables = [tuple(each) for each in pairings]
    stage = desk.stages[-1]
    if stage.setup.format == "swiss" and all(len(each) == 2 for each in tables):
        field = swiss_field(desk)
        known = {player.id for player in field.players}
        mine = [(a, b) for a, b in tables if {a, b} <= known]
        bye = next((each for each in byes if each in known), None)
        odd = len(field.players) % 2
        drawn = swiss.assess(field, mine, bye if odd else None, seed)
        return msgspec.structs.astuple(drawn.cost), proposal
    if stage.setup.format == "pods":
        players = {player.id: player for player in pod_players(desk)}
        made = [[players[p] for p in each if p in players] for each in tables]
        total = sum((pod.cost for pod in pods.assess(made)), pods.Cost())
        return msgspec.structs.astuple(total), proposal
    return (), proposal


def left_out(desk: Desk, pairings: Iterable[Sequence[Entrant]], proposal: Proposal) -> int:
    """Return how many more players a round made by hand leaves out than the machine's."""
    seated = {player for table in pairings for player in table}
    return max(len({*_players(desk)} - seated) - len(proposal.byes), 0)


def planned_rounds(stage: Stage) -> int:
    """Return how many rounds a stage has, 0 if that depends on its results."""
    setup, count = stage.setup, len(stage.players)
    match setup.format:
        case "single-elimination" | "double-elimination":
            return 0
        case "pod-elimination":
            return len(cuts.pod_plan(count))
        case "round-robin":
            size = max(len(group) for group in groups_of(stage))
            return max(size + size % 2 - 1, 0) * max(setup.legs, 1)
        case "multi-round-robin":
            return len(multi_round_robin.rounds(stage.players, sizes_of(stage)[0]))
    if setup.rounds:
        return setup.rounds
    if setup.format == "swiss":
        return max(1, (count - 1).bit_length())
    return POD_ROUNDS


def counts_for(kind: str, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of players a format can have; empty if it takes any."""
    if kind == "pod-elimination":
        return cuts.POD_CUTS
    if kind == "multi-round-robin" and sizes:
        return tuple(d.players for d in multi_round_robin.designs() if d.seats == sizes[0])
    return ()


def is_over(desk: Desk) -> bool:
    """Tell whether the last stage has no further round."""
    index = len(desk.stages) - 1
    stage = desk.stages[index]
    if stage.ended:
        return True
    if stage.setup.format in BRACKETS:
        return not bracket_of(desk, index)[1].ready
    return len(rounds_of(desk, index)) >= planned_rounds(stage)


def lacking(desk: Desk) -> tuple[int, int]:
    """Return how many are there to play together, and how many one of their tables takes.

    In groups, those of the fullest. A knock-out goes by its results alone, whoever is there: nobody
    is lacking.
    """
    stage = desk.stages[-1]
    if stage.setup.format in KNOCKOUTS:
        return 0, 0
    there = max(sum(_plays(desk, each) for each in group) for group in groups_of(stage))
    return there, min(sizes_of(stage)) if stage.setup.format == "pods" else 2


def _plays(desk: Desk, player: Entrant) -> bool:
    """Tell whether a player takes part in the next round."""
    return is_in(desk, player) and not granted_to(desk, player, len(desk.rounds) + 1)


def _players(desk: Desk) -> list[Entrant]:
    return [player for player in desk.stages[-1].players if _plays(desk, player)]


# -- Swiss ----------------------------------------------------------------------------


@lru_cache(maxsize=64)
def swiss_round(field: swiss.Field, seed: int) -> swiss.Drawn:
    """Pair a field; cached, since the same one is often requested again."""
    return swiss.pair(field, seed)


def swiss_field(desk: Desk) -> swiss.Field:
    """Return the field to be paired: points in this stage, meetings and byes of all stages."""
    players = _players(desk)
    met, byes = _history(desk)
    points, floated, firsts = _swiss_history(desk)
    known = set(players)
    return swiss.Field(
        players=tuple(
            swiss.Player(
                id=each,
                points=points.get(each, 0),
                met=tuple(met.get(each, ())),
                byes=byes.get(each, 0),
                floated=floated.get(each, 0),
                firsts=firsts.get(each, 0),
            )
            for each in players
        ),
        forbidden=tuple((a, b) for a, b in desk.forbidden if {a, b} <= known),
        no_rematches=desk.stages[-1].setup.no_rematches,
    )


def _history(desk: Desk) -> tuple[dict[Entrant, list[Entrant]], dict[Entrant, int]]:
    """Return everybody's meetings, except at tables not played, and their byes."""
    met: dict[Entrant, list[Entrant]] = {}
    byes: dict[Entrant, int] = {}
    for each in desk.rounds:
        for table in each.tables:
            there = present(table)
            for player in there:
                met.setdefault(player, []).extend(p for p in there if p != player)
            if len(there) == 1:
                byes[there[0]] = byes.get(there[0], 0) + 1
        for player in each.byes:
            byes[player] = byes.get(player, 0) + 1
    return met, byes


def _swiss_history(
    desk: Desk,
) -> tuple[dict[Entrant, int], dict[Entrant, int], dict[Entrant, int]]:
    """Return points as they count for pairing, floats of the last round, and first seats."""
    index = len(desk.stages) - 1
    rounds = rounds_of(desk, index)
    stage = desk.stages[index]
    points = _whole_points(desk, index, ahead_of(stage, len(rounds) + 1))
    firsts: dict[Entrant, int] = {}
    for _, each in rounds:
        for table in each.tables:
            for seat, player in enumerate(table.players):
                firsts[player] = firsts.get(player, 0) + (1 if seat == 0 else -1)
    floated: dict[Entrant, int] = {}
    if rounds:
        number, last = rounds[-1]
        earlier = sheet_of(desk, index, before=number)
        ahead = ahead_of(stage, len(rounds))
        had = {p: earlier.points(p) + ahead.get(p, 0) for p in earlier.parts}
        for table in last.tables:
            if len(table.players) == 2 and set(table.players) <= had.keys():
                one, two = table.players
                floated[one] = (had[one] > had[two]) - (had[one] < had[two])
                floated[two] = -floated[one]
        floated |= dict.fromkeys(last.byes, 1)
    return points, floated, firsts


def _whole_points(
    desk: Desk, index: int, ahead: Mapping[Entrant, Fraction] | None = None
) -> dict[Entrant, int]:
    """Return points in the largest unit in which all are whole numbers, `ahead` added."""
    sheet = sheet_of(desk, index)
    points = {p: sheet.points(p) + (ahead or {}).get(p, 0) for p in sheet.parts}
    unit = lcm(*(each.denominator for each in points.values()))
    return {player: int(each * unit) for player, each in points.items()}


def ahead_of(stage: Stage, number: int) -> dict[Entrant, Fraction]:
    """Return the virtual points of the better half of the seeds in an accelerated Swiss round.

    In the first half of the accelerated rounds they are those of a win, then those of a draw. They
    count for pairing only. The better half has an even number, which late entries do not change.

    Rule: FIDE C.04, approved accelerated systems (Baku).
    """
    setup = stage.setup
    if number > setup.accelerated:
        return {}
    worth = setup.win if 2 * number <= setup.accelerated + 1 else setup.draw
    half = 2 * -(-(len(stage.players) - stage.late) // 4)
    points = Fraction(worth, 2 if setup.halves else 1)
    return dict.fromkeys(stage.players[:half], points)


def _of_swiss(drawn: swiss.Drawn) -> Proposal:
    breaches = tuple(each.players for each in drawn.pairs if each.cost.breaches)
    proof = drawn.no_round or drawn.forced
    return Proposal(
        pairings=tuple(each.players for each in drawn.pairs),
        byes=() if drawn.bye is None else (drawn.bye,),
        cost=msgspec.structs.astuple(drawn.cost),
        least=msgspec.structs.astuple(drawn.least),
        breaches=breaches,
        forced=RematchForced(proof.few, proof.groups, proof.pairs) if proof else None,
    )


# -- tables of more than two ---------------------------------------------------------


@lru_cache(maxsize=64)
def seat_pods(players: tuple[pods.Player, ...], seed: int, sizes: tuple[int, ...]) -> pods.Drawn:
    return pods.seat(players, seed, sizes)


def pod_players(desk: Desk) -> tuple[pods.Player, ...]:
    """Return the players to be seated, with the seats they had in all stages, and in the season."""
    index = len(desk.stages) - 1
    points = _whole_points(desk, index)
    met, byes = _history(desk)
    seats: dict[Entrant, list[int]] = {}
    leans: dict[Entrant, int] = {}
    for player, person in enumerate(desk.people, 1):
        leans[player] = person.lean
        if person.seats:
            seats[player] = [*person.seats, *[0] * 6][:6]
    for each in desk.rounds:
        for table in each.tables:
            there = present(table)
            for seat, player in enumerate(there if len(there) > 1 else (), 1):
                had = seats.setdefault(player, [0] * 6)
                had[min(seat, 6) - 1] += 1
                leans[player] = leans.get(player, 0) + pods.lean_of(seat, len(there))
    return tuple(
        pods.Player(
            id=player,
            points=points.get(player, 0),
            met=tuple(met.get(player, ())),
            byes=byes.get(player, 0),
            seats=tuple(seats.get(player, ())),
            lean=leans.get(player, 0),
        )
        for player in _players(desk)
    )


def _of_pods(drawn: pods.Drawn) -> Proposal:
    return Proposal(
        pairings=tuple(pod.players for pod in drawn.pods),
        byes=drawn.byes,
        cost=msgspec.structs.astuple(drawn.cost),
        least=msgspec.structs.astuple(drawn.bound),
    )


def _of_designs(desk: Desk, index: int) -> Proposal:
    stage = desk.stages[index]
    rounds = multi_round_robin.rounds(stage.players, sizes_of(stage)[0])
    design = rounds[len(rounds_of(desk, index))]
    tables = [tuple(p for p in table if _plays(desk, p)) for table in design.tables]
    alone = [table[0] for table in tables if len(table) == 1]
    resting = [player for player in design.rests if _plays(desk, player)]
    played = tuple(table for table in tables if len(table) > 1)
    return Proposal(played, tuple(sorted([*alone, *resting])))


def _of_round_robin(desk: Desk, index: int) -> Proposal:
    """Pair the next round of every group; a player whose opponent is gone has the bye."""
    stage = desk.stages[index]
    number = len(rounds_of(desk, index))
    pairs: list[tuple[Entrant, ...]] = []
    byes: list[Entrant] = []
    for group in groups_of(stage):
        rounds = round_robin.rounds(group, max(stage.setup.legs, 1))
        if number >= len(rounds):
            byes += [player for player in group if _plays(desk, player)]
            continue
        this_round = rounds[number]
        for pair in this_round.pairs:
            there = tuple(player for player in pair if _plays(desk, player))
            if len(there) == 2:
                pairs.append(there)
            else:
                byes += there
        if this_round.bye is not None and _plays(desk, this_round.bye):
            byes.append(this_round.bye)
    return Proposal(tuple(pairs), tuple(byes))


def _of_bracket(desk: Desk, index: int) -> Proposal:
    """Pair the matches of the earliest wave that can be played."""
    laid_out, standing = bracket_of(desk, index)
    waves = {name: laid_out.named(name).wave for name in standing.ready}
    first = min(waves.values(), default=0)
    names = tuple(name for name in standing.ready if waves[name] == first)
    pairs = tuple(
        tuple(player for player in standing.players[name] if player is not None) for name in names
    )
    return Proposal(pairs, slots=names)


def tables_for(desk: Desk, pairings: Sequence[Sequence[Entrant]]) -> tuple[int, ...]:
    """Return a number for each table: a player's fixed one if there is any, else the next."""
    wanted: dict[int, int] = {}
    for i, players in enumerate(pairings):
        fixed = [desk.people[p - 1].table for p in players if desk.people[p - 1].table]
        free = next((table for table in fixed if table not in wanted.values()), 0)
        if free:
            wanted[i] = free
    others = (n for n in range(1, 2 * len(pairings) + 1) if n not in wanted.values())
    return tuple(wanted[i] if i in wanted else next(others) for i in range(len(pairings)))
