"""Who stands where: pure functions of what was put in."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from rules.desk.acts import Entrant
from rules.desk.formats import bracket as brackets
from rules.desk.formats import (
    cuts,
    double_elimination,
    groups,
    ladder,
    multi_round_robin,
    round_robin,
    single_elimination,
)
from rules.desk.state import (
    BRACKETS,
    KNOCKOUTS,
    Desk,
    Granted,
    Result,
    Round,
    Stage,
    Table,
    entrants,
    rounds_of,
    sizes_of,
)
from rules.desk.tiebreaks import HALF, Kind, Part, Sheet, Standing, placement_points, rank

ZERO = Fraction(0)
WORTH: Mapping[str, Kind] = {
    "full": "full-bye",
    "half": "half-bye",
    "zero": "zero-bye",
    "loss": "zero-bye",
}


def counts(table: Table, *, confirmed_only: bool = False) -> Result | None:
    """Return the result of a table that counts, None where there is none."""
    if table.status == "settled" or (table.status == "reported" and not confirmed_only):
        return table.result
    return None


def wins_needed(stage: Stage) -> int:
    return stage.setup.best_of // 2 + 1


def placing(table: Table, result: Result) -> tuple[int, ...]:
    """Return the places at a table, in the order of its seats; who is absent shares the last.

    So does everybody at a table that was lost by all. Rule: ZX-X5.
    """
    if result.lost:
        return (len(table.players),) * len(table.players)
    present = [i for i, player in enumerate(table.players) if player not in result.absent]
    scores = _scores(table, result)
    return tuple(
        1 + sum(scores[other] > scores[i] for other in scores) if i in scores else len(present) + 1
        for i in range(len(table.players))
    )


def _scores(table: Table, result: Result) -> dict[int, int]:
    if not result.scores:
        return {i: 0 for i, player in enumerate(table.players) if player not in result.absent}
    return {
        i: result.scores[i] for i, player in enumerate(table.players) if player not in result.absent
    }


def winner_of(table: Table, result: Result | None) -> Entrant | None:
    """Return who won a table alone, None when nobody did."""
    if result is None or result.lost:
        return None
    places = placing(table, result)
    first = [player for player, place in zip(table.players, places, strict=True) if place == 1]
    return first[0] if len(first) == 1 and first[0] not in result.absent else None


# -- one round of one player ----------------------------------------------------------


def parts_at(stage: Stage, number: int, table: Table, result: Result) -> dict[Entrant, Part]:
    """Return what everybody at a table did, for the tie-breaks."""
    two = len(table.players) == 2
    work = _part_of_two if two else _part_of_more
    return {
        player: work(stage, number, table, result, seat)
        for seat, player in enumerate(table.players)
    }


def _points(stage: Stage, number: int | Fraction) -> Fraction:
    return Fraction(number) / (2 if stage.setup.halves else 1)


def _part_of_two(stage: Stage, number: int, table: Table, result: Result, seat: int) -> Part:
    player, foe = table.players[seat], table.players[1 - seat]
    setup, need = stage.setup, wins_needed(stage)
    if result.absent:
        won = player not in result.absent
        return Part(
            round=number,
            kind="won-by-forfeit" if won else "lost-by-forfeit",
            points=_points(stage, setup.win if won else setup.loss),
            result=Fraction(int(won)),
            foes=(foe,),
            games=(need, 0, 0) if won else (0, need, 0),
        )
    scores = _scores(table, result)
    if result.lost:
        points, outcome = setup.loss, ZERO
    elif scores[seat] == scores[1 - seat]:
        points, outcome = setup.draw, HALF
    else:
        won = scores[seat] > scores[1 - seat]
        points, outcome = (setup.win, Fraction(1)) if won else (setup.loss, ZERO)
    drawn = result.drawn if any(result.scores) or result.drawn else 1
    games = (scores[seat], scores[1 - seat], drawn)
    places = placing(table, result)
    return Part(
        round=number,
        points=_points(stage, points),
        result=outcome,
        foes=(foe,),
        games=(0, need, 0) if result.lost else games,
        seat=seat + 1,
        score=Fraction(scores[seat]),
        best=Fraction(max(scores.values())),
        place=places[seat],
    )


def _part_of_more(stage: Stage, number: int, table: Table, result: Result, seat: int) -> Part:
    player, setup = table.players[seat], stage.setup
    if player in result.absent:
        return Part(
            round=number,
            kind="lost-by-forfeit",
            points=_points(stage, setup.loss),
            foes=tuple(each for each in table.players if each != player),
        )
    scores = _scores(table, result)
    places = placing(table, result)
    foes = tuple(p for i, p in enumerate(table.players) if i in scores and i != seat)
    others = [score for i, score in scores.items() if i != seat]
    beaten = sum(score < scores[seat] for score in others)
    level = sum(score == scores[seat] for score in others)
    share = (beaten + level * HALF) / len(others) if others else Fraction(1)
    return Part(
        round=number,
        points=_points(stage, _table_points(stage, places, seat, result)),
        result=ZERO if result.lost else share,
        foes=foes,
        seat=seat + 1,
        score=Fraction(scores[seat]),
        best=Fraction(max(scores.values())),
        place=places[seat],
        size=len(scores),
    )


def _table_points(
    stage: Stage, places: tuple[int, ...], seat: int, result: Result
) -> int | Fraction:
    """Return points for a place: from the stage's list, or else for winning alone."""
    setup = stage.setup
    if result.lost:
        return setup.loss
    if setup.table_points:
        return placement_points(setup.table_points, places)[seat]
    if places[seat] > 1:
        return setup.loss
    return setup.win if places.count(1) == 1 else setup.draw


def _bye(stage: Stage, number: int) -> Part:
    need = wins_needed(stage)
    points = _points(stage, stage.setup.bye)
    return Part(round=number, kind="bye", points=points, result=Fraction(1), games=(need, 0, 0))


def _granted(stage: Stage, number: int, granted: Granted) -> Part:
    setup, need = stage.setup, wins_needed(stage)
    points = {"full": setup.win, "half": setup.draw, "zero": 0, "loss": setup.loss}[granted.worth]
    games = {"full": (need, 0, 0), "loss": (0, need, 0)}.get(granted.worth, (0, 0, 0))
    result = {"full": Fraction(1), "half": HALF}.get(granted.worth, ZERO)
    return Part(
        round=number,
        kind=WORTH[granted.worth],
        points=_points(stage, points),
        result=result,
        games=games,
    )


# -- a stage --------------------------------------------------------------------------


def sheet_of(desk: Desk, index: int, *, confirmed_only: bool = False, before: int = 0) -> Sheet:
    """Return what everybody did in a stage; in rounds `before` one when that is given.

    A round counts for whoever has a result in it; in a closed round everybody has one.
    """
    stage = desk.stages[index]
    parts: dict[Entrant, list[Part]] = {player: [] for player in stage.players}
    rounds = [(n, each) for n, each in rounds_of(desk, index) if not before or n < before]
    for place, (number, each) in enumerate(rounds, 1):
        done = _parts_of_round(desk, stage, place, number, each, confirmed_only)
        for player, part in done.items():
            if player in parts:
                parts[player].append(part)
    setup = stage.setup
    return Sheet(
        parts,
        win=_points(stage, setup.win),
        draw=_points(stage, setup.draw),
        ratings={n: person.rating for n, person in enumerate(desk.people, 1) if person.rating},
        round_robin=setup.format in ("round-robin", "multi-round-robin"),
        seed=setup.seed,
    )


def _parts_of_round(
    desk: Desk,
    stage: Stage,
    place: int,
    number: int,
    each: Round,
    confirmed_only: bool,
) -> dict[Entrant, Part]:
    """Return what everybody did in a round; who rests did nothing."""
    done: dict[Entrant, Part] = {}
    resting = rests(desk, number)
    seated = set(each.byes)
    for table in each.tables:
        seated.update(table.players)
        result = counts(table, confirmed_only=confirmed_only)
        if result is not None:
            done |= parts_at(stage, place, table, result)
    for player in each.byes:
        if player not in resting:
            done[player] = _bye(stage, place)
    for player in stage.players:
        if player in seated:
            continue
        granted = granted_to(desk, player, number)
        if granted:
            done[player] = _granted(stage, place, granted)
        elif each.closed:
            done[player] = Part(round=place, kind="absent")
    return done


def rests(desk: Desk, number: int) -> frozenset[Entrant]:
    """Return who of those without a table in a round has no bye: who rests, or waits on a ladder.

    A bye stands for a win; everybody rests or waits at some time, and that is worth nothing.
    """
    each = desk.rounds[number - 1]
    if not each.byes:
        return frozenset()
    if desk.stages[each.stage].setup.format == "ladder":
        return frozenset(each.byes)
    resting = _resting(desk, each.stage)
    place = sum(before.stage == each.stage for before in desk.rounds[:number])
    return resting[place - 1].intersection(each.byes) if place <= len(resting) else frozenset()


def _resting(desk: Desk, index: int) -> tuple[frozenset[Entrant], ...]:
    """Return whom each round of a round robin leaves out. Everybody is at some time: no point."""
    stage = desk.stages[index]
    if stage.setup.format == "round-robin":
        return _left_out(group_lists(desk, index), max(stage.setup.legs, 1))
    if stage.setup.format == "multi-round-robin":
        return _left_out_of_designs(stage.players, sizes_of(stage)[0])
    return ()


@lru_cache(maxsize=32)
def _left_out(fields: tuple[tuple[Entrant, ...], ...], legs: int) -> tuple[frozenset[Entrant], ...]:
    """Return who is in no pair of each round; a group that is through is in none."""
    drawn = [round_robin.rounds(field, legs) for field in fields]
    return tuple(
        frozenset(
            player
            for field, rounds in zip(fields, drawn, strict=True)
            for player in field
            if number >= len(rounds) or player == rounds[number].bye
        )
        for number in range(max(map(len, drawn), default=0))
    )


@lru_cache(maxsize=32)
def _left_out_of_designs(
    players: tuple[Entrant, ...], seats: int
) -> tuple[frozenset[Entrant], ...]:
    return tuple(frozenset(each.rests) for each in multi_round_robin.rounds(players, seats))


def granted_to(desk: Desk, player: Entrant, number: int) -> Granted | None:
    byes = desk.people[player - 1].byes
    return next((granted for granted in byes if granted.round == number), None)


def standings(
    desk: Desk, index: int, *, confirmed_only: bool = False, among: Iterable[Entrant] = ()
) -> tuple[Standing, ...]:
    """Return the table of a stage that counts points; of some of its players when asked."""
    sheet = sheet_of(desk, index, confirmed_only=confirmed_only)
    chosen = set(among)
    if chosen:
        some = {player: parts for player, parts in sheet.parts.items() if player in chosen}
        sheet = sheet.with_parts(some)
    out = [player for player in sheet.parts if player in entrants(desk, "disqualified")]
    return rank(sheet, desk.stages[index].setup.tiebreaks, last=out)


def group_lists(desk: Desk, index: int) -> tuple[tuple[Entrant, ...], ...]:
    """Return the groups of a stage: one of everybody when it has none."""
    stage = desk.stages[index]
    return groups.divide(stage.players, max(1, min(stage.setup.groups, len(stage.players) or 1)))


def order_of(desk: Desk, index: int, *, confirmed_only: bool = False) -> tuple[Entrant, ...]:
    """Return everybody in a stage, best first, whatever its format."""
    stage = desk.stages[index]
    if stage.setup.format in BRACKETS:
        return _order_of_bracket(desk, index)
    if stage.setup.format == "pod-elimination":
        return _order_of_pods(desk, index)
    if stage.setup.format == "ladder":
        return _order_of_ladder(desk, index)
    if stage.setup.groups > 1:
        tables = [
            [row.player for row in standings(desk, index, among=group)]
            for group in group_lists(desk, index)
            if group
        ]
        return groups.advance(tables, len(stage.players))
    return tuple(row.player for row in standings(desk, index, confirmed_only=confirmed_only))


def final_order(desk: Desk) -> tuple[Entrant, ...]:
    """Return everybody who ever played, best first: who went further stands higher."""
    found: dict[Entrant, None] = {}
    for index in range(len(desk.stages) - 1, -1, -1):
        found |= dict.fromkeys(order_of(desk, index))
    out = set(entrants(desk, "disqualified"))
    return tuple(sorted(found, key=lambda player: player in out))


def places_of(desk: Desk, index: int, order: Sequence[Entrant] = ()) -> dict[Entrant, int]:
    """Return the places of a stage's order, of its present one when none is given.

    Who left a knock-out in the same round shares a place: both losing semi-finalists are third.
    """
    return _shared(order or order_of(desk, index), _left_at(desk, index))


def final_places(desk: Desk) -> dict[Entrant, int]:
    """Return the places of the final order; the disqualified share none."""
    left: dict[Entrant, tuple[int, ...]] = {}
    for index, stage in enumerate(desk.stages):
        left = {player: at for player, at in left.items() if player not in stage.players}
        left |= {player: (index, *at) for player, at in _left_at(desk, index).items()}
    out = set(entrants(desk, "disqualified"))
    return _shared(desk.order, {player: at for player, at in left.items() if player not in out})


def _shared(
    order: Iterable[Entrant], left: Mapping[Entrant, tuple[int, ...]]
) -> dict[Entrant, int]:
    places: dict[Entrant, int] = {}
    at, place = None, 0
    for number, player in enumerate(order, 1):
        if player not in left or left[player] != at:
            at, place = left.get(player), number
        places[player] = place
    return places


def _left_at(desk: Desk, index: int) -> dict[Entrant, tuple[int, ...]]:
    """Return where those left a knock-out who are no longer in it."""
    kind = desk.stages[index].setup.format
    if kind in BRACKETS:
        decided = bracket_of(desk, index)[1].places
        return {player: (place,) for player, place in decided.items()}
    if kind == "pod-elimination":
        return {player: at for player, at in _reached(desk, index).items() if at[1]}
    return {}


# -- knock-outs -----------------------------------------------------------------------


@lru_cache(maxsize=32)
def _laid_out(name: str, count: int, third_place: bool, reset: bool) -> brackets.Bracket:
    if name == "single-elimination":
        return single_elimination.lay_out(count, third_place=third_place)
    return double_elimination.lay_out(count, reset=reset)


def bracket_of(desk: Desk, index: int) -> tuple[brackets.Bracket, brackets.Standing]:
    """Return the bracket of a stage and what became of it."""
    stage = desk.stages[index]
    setup = stage.setup
    laid_out = _laid_out(setup.format, len(stage.players), setup.third_place, not setup.no_reset)
    winners: dict[brackets.Met, int] = {}
    for _, each in rounds_of(desk, index):
        for table in each.tables:
            winner = winner_of(table, counts(table))
            if table.slot and winner is not None:
                winners[brackets.met(table.slot, table.players)] = winner
    out = [player for player in stage.players if desk.people[player - 1].status != "in"]
    return laid_out, brackets.resolve(laid_out, stage.players, winners, out)


def stale_tables(desk: Desk, index: int) -> tuple[tuple[int, int], ...]:
    """Return round and table of published pairings that the results before no longer give."""
    if desk.stages[index].setup.format not in BRACKETS:
        return ()
    seated = bracket_of(desk, index)[1].players
    return tuple(
        (number, table.number)
        for number, each in rounds_of(desk, index)
        for table in each.tables
        if table.slot and set(table.players) != set(seated.get(table.slot, ()))
    )


def _order_of_bracket(desk: Desk, index: int) -> tuple[Entrant, ...]:
    """Order by the place decided; who is still in comes before, by seed."""
    players = desk.stages[index].players
    places = bracket_of(desk, index)[1].places
    return tuple(sorted(players, key=lambda p: (places.get(p, 0), players.index(p))))


def pod_rounds(desk: Desk, index: int) -> list[cuts.PodRound]:
    """Return the rounds of a pod cut so far, and the next one when its players are known."""
    stage = desk.stages[index]
    players: tuple[Entrant, ...] = stage.players
    played = rounds_of(desk, index)
    found = []
    for place, (straight, pods) in enumerate(cuts.pod_plan(len(stage.players))):
        found.append(cuts.pod_round(players, straight, pods))
        if place >= len(played):
            break
        tables = played[place][1].tables
        winners = [_pod_winner(stage, table) for table in tables]
        players = cuts.next_players(stage.players, found[-1], winners)
    return found


def _pod_winner(stage: Stage, table: Table) -> Entrant:
    """Return who goes on from a pod: the winner, or of those level the better seed."""
    result = counts(table)
    places = placing(table, result) if result else (1,) * len(table.players)
    best = zip(places, map(stage.players.index, table.players), table.players, strict=True)
    return min(best)[2]


def _order_of_pods(desk: Desk, index: int) -> tuple[Entrant, ...]:
    players, reached = desk.stages[index].players, _reached(desk, index)
    return tuple(sorted(players, key=lambda p: (reached[p], players.index(p))))


def _reached(desk: Desk, index: int) -> dict[Entrant, tuple[int, int]]:
    """Return how deep everybody came in a pod cut, and at which place of a pod they left, or 0."""
    stage = desk.stages[index]
    reached: dict[Entrant, tuple[int, int]] = dict.fromkeys(stage.players, (0, 0))
    played = rounds_of(desk, index)
    for depth, each in enumerate(pod_rounds(desk, index)):
        reached |= dict.fromkeys(each.straight, (-depth - 1, 0))
        for place, pod in enumerate(each.pods):
            reached |= dict.fromkeys(pod, (-depth, 0))
            tables = played[depth][1].tables if depth < len(played) else ()
            result = counts(tables[place]) if tables else None
            if result:
                places = placing(tables[place], result)
                won = _pod_winner(stage, tables[place])
                for player, got in zip(tables[place].players, places, strict=True):
                    reached[player] = (-depth, got + (player != won))
                reached[won] = (-depth - 1, 0)
    return reached


def _order_of_ladder(desk: Desk, index: int) -> tuple[Entrant, ...]:
    order: tuple[Entrant, ...] = desk.stages[index].players
    for _, each in rounds_of(desk, index):
        for table in each.tables:
            challenger, defender = table.players[0], table.players[-1]
            won = winner_of(table, counts(table)) == challenger
            if {challenger, defender} <= set(order):
                order = ladder.after(order, challenger, defender, won=won)
    return order


def is_knockout(stage: Stage) -> bool:
    return stage.setup.format in KNOCKOUTS
