"""Standings: pure functions of the recorded inputs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial

import msgspec

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
    Desk,
    Granted,
    Round,
    Stage,
    Table,
    after_round,
    entrants,
    is_annulled,
    open_round,
    round_at,
    rounds_of,
    sizes_of,
    stage_at,
)
from rules.desk.tiebreaks import RoundPart, Sheet, Standing, leveled, rank
from rules.desk.worth import (
    counts,
    part_of_bye,
    part_of_granted,
    parts_at,
    placing,
    points_of,
    win_of,
    winner_of,
)


def sheet_of(desk: Desk, index: int, *, confirmed_only: bool = False, before: int = 0) -> Sheet:
    """Return everybody's parts in a stage; only in rounds before `before` if that is given.

    A round counts for whoever has a result in it; in a closed round everybody has one.
    """
    stage = desk.stages[index]
    parts: dict[Entrant, list[RoundPart]] = {player: [] for player in stage.players}
    rounds = [(n, each) for n, each in rounds_of(desk, index) if not before or n < before]
    for place, (number, each) in enumerate(rounds, 1):
        done = _parts_of_round(desk, stage, place, number, each, confirmed_only)
        for player, part in done.items():
            if player in parts:
                parts[player].append(part)
    setup = stage.setup
    return Sheet(
        parts,
        win=points_of(stage, win_of(stage)),
        draw=points_of(stage, setup.draw),
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
) -> dict[Entrant, RoundPart]:
    """Return everybody's part in a round; those who rest have none."""
    done: dict[Entrant, RoundPart] = {}
    resting, free = rests(desk, number), annulled_at(desk, number)
    seated = set(each.byes)
    for table in each.tables:
        seated.update(table.players)
        result = counts(table, confirmed_only=confirmed_only)
        if result is not None and not is_annulled(stage, table.players):
            done |= parts_at(stage, place, table, result)
    scheduled = _scheduled(stage, place)
    for player in each.byes:
        if player not in resting:
            foe = scheduled.get(player, 0)
            is_there = not foe or foe in seated or granted_to(desk, foe, number)
            done[player] = part_of_bye(stage, place, None if is_there else foe)
    for player in stage.players:
        if player in seated or player in free:
            continue
        granted = granted_to(desk, player, number)
        if granted:
            done[player] = part_of_granted(stage, place, granted)
        elif each.closed:
            foe = scheduled.get(player, 0)
            missed = (foe,) if foe in each.byes else ()
            done[player] = RoundPart(round=place, kind="absent", foes=missed)
    return done


def rests(desk: Desk, number: int) -> frozenset[Entrant]:
    """Return those without a table in a round who have no bye: they rest, or wait on a ladder.

    A bye stands for a win; resting and waiting come to everybody at some time and are worth
    nothing. Whoever was to meet somebody whose results are annulled rests too.
    """
    this_round = round_at(desk, number)
    if not this_round.byes:
        return frozenset()
    if desk.stages[this_round.stage].setup.format == "ladder":
        return frozenset(this_round.byes)
    resting = _resting(desk, this_round.stage)
    place = _place_in_stage(desk, number)
    if place > len(resting):
        return frozenset()
    return (resting[place - 1] | annulled_at(desk, number)).intersection(this_round.byes)


def annulled_at(desk: Desk, number: int) -> frozenset[Entrant]:
    """Return those whose results are annulled, and who was to meet them in a round."""
    stage = stage_at(desk, number)
    if not stage.annulled:
        return frozenset()
    foes = _scheduled(stage, _place_in_stage(desk, number))
    return frozenset((*stage.annulled, *(foes[each] for each in stage.annulled if each in foes)))


def _place_in_stage(desk: Desk, number: int) -> int:
    """Return the number of a round counted from 1 in its stage."""
    index = round_at(desk, number).stage
    return sum(before.stage == index for before in desk.rounds[:number])


def _resting(desk: Desk, index: int) -> tuple[frozenset[Entrant], ...]:
    """Return whom each round of a round robin leaves out.

    Everybody is once, so it gives no points.
    """
    stage = desk.stages[index]
    if stage.setup.format == "round-robin":
        schedule = _schedule(groups_of(stage), max(stage.setup.legs, 1))
        return tuple(frozenset(stage.players).difference(foes) for foes in schedule)
    if stage.setup.format == "multi-round-robin":
        return _left_out_of_designs(stage.players, sizes_of(stage)[0])
    return ()


def _scheduled(stage: Stage, place: int) -> Mapping[Entrant, Entrant]:
    """Return whom everybody is to meet in a round of a round robin, counted from 1 in its stage."""
    if stage.setup.format != "round-robin":
        return {}
    schedule = _schedule(groups_of(stage), max(stage.setup.legs, 1))
    return schedule[place - 1] if place <= len(schedule) else {}


@lru_cache(maxsize=32)
def _schedule(
    fields: tuple[tuple[Entrant, ...], ...], legs: int
) -> tuple[Mapping[Entrant, Entrant], ...]:
    """Return whom everybody meets in each round; nobody of a group that has finished is in it."""
    drawn = [round_robin.rounds(field, legs) for field in fields]
    return tuple(
        {
            player: foe
            for rounds in drawn
            if number < len(rounds)
            for one, other in rounds[number].pairs
            for player, foe in ((one, other), (other, one))
        }
        for number in range(max(map(len, drawn), default=0))
    )


@lru_cache(maxsize=32)
def _left_out_of_designs(
    players: tuple[Entrant, ...], seats: int
) -> tuple[frozenset[Entrant], ...]:
    return tuple(frozenset(each.rests) for each in multi_round_robin.rounds(players, seats))


def granted_to(desk: Desk, player: Entrant, number: int) -> Granted | None:
    """Return somebody's requested bye in a round; none in place of results that are annulled."""
    if number <= len(desk.rounds) and player in annulled_at(desk, number):
        return None
    byes = desk.people[player - 1].byes
    return next((granted for granted in byes if granted.round == number), None)


def standings(desk: Desk, index: int, *, confirmed_only: bool = False) -> tuple[Standing, ...]:
    """Return the table of a stage that counts points, each of its groups ranked separately."""
    stage = desk.stages[index]
    sheet = sheet_of(desk, index, confirmed_only=confirmed_only)
    codes, annulled = stage.setup.tiebreaks, stage.annulled
    last = dict.fromkeys(annulled, 1) | dict.fromkeys(entrants(desk, "disqualified"), 2)
    fields = groups_of(stage)
    if len(fields) == 1:
        return rank(sheet, codes, last)
    tables = [rank(_sheet_among(sheet, field), codes, last, field) for field in fields]
    rows = {row.player: row for table in tables for row in table}
    counted = [[row.player for row in table if row.player not in annulled] for table in tables]
    order = groups.advance(counted, len(rows), partial(_across, sheet, codes, counted))
    order += tuple(player for player in rows if player in annulled)
    order = tuple(sorted(order, key=lambda player: last.get(player, 0)))
    return tuple(
        msgspec.structs.replace(rows[player], place=place) for place, player in enumerate(order, 1)
    )


def _sheet_among(sheet: Sheet, field: Iterable[Entrant]) -> Sheet:
    """Return the sheet of a group, with those of others whom it met at tables made by hand."""
    found = dict.fromkeys(field)
    ahead = [*found]
    while ahead:
        foes = {foe for part in sheet.parts[ahead.pop()] for foe in part.foes if foe not in found}
        found |= dict.fromkeys(sorted(foes))
        ahead += foes
    return sheet.with_parts({each: sheet.parts[each] for each in found})


def _across(
    sheet: Sheet,
    codes: Sequence[str],
    fields: Iterable[Sequence[Entrant]],
    level: Sequence[Entrant],
) -> Iterator[Entrant]:
    """Order those with the same place in their groups: by points per match, then by tie-breaks."""
    matches = {player: max(len(field) - 1, 1) for field in fields for player in field}
    tied: dict[Fraction, list[Entrant]] = {}
    for player in level:
        tied.setdefault(sheet.points(player) / matches[player], []).append(player)
    for points in sorted(tied, reverse=True):
        yield from leveled(sheet, codes, tied[points])


def groups_of(stage: Stage) -> tuple[tuple[Entrant, ...], ...]:
    """Return the groups of a stage: a single one of everybody if it has none."""
    return groups.divide(stage.players, max(1, min(stage.setup.groups, len(stage.players) or 1)))


def order_of(desk: Desk, index: int, *, confirmed_only: bool = False) -> tuple[Entrant, ...]:
    """Return everybody in a stage, best first, whatever its format; the disqualified come last."""
    stage = desk.stages[index]
    if stage.setup.format in BRACKETS:
        return _disqualified_last(desk, _order_of_bracket(desk, index))
    if stage.setup.format == "pod-elimination":
        return _disqualified_last(desk, _order_of_pods(desk, index))
    if stage.setup.format == "ladder":
        return _disqualified_last(desk, ladder_of(desk, index))
    return tuple(row.player for row in standings(desk, index, confirmed_only=confirmed_only))


def order_after(desk: Desk, number: int) -> tuple[Entrant, ...]:
    """Return the order after a round, as corrected since, of those who were in it at its close.

    Nobody was in that of an open round.
    """
    each = round_at(desk, number)
    there = set(each.order)
    if not there:
        return ()
    order = order_of(after_round(desk, number), each.stage)
    return tuple(player for player in order if player in there)


def _disqualified_last(desk: Desk, order: Iterable[Entrant]) -> tuple[Entrant, ...]:
    out = set(entrants(desk, "disqualified"))
    return tuple(sorted(order, key=lambda player: player in out))


def final_order(desk: Desk, *, confirmed_only: bool = False) -> tuple[Entrant, ...]:
    """Return everybody who ever played, best first: those who advanced further come first."""
    return _order_through(desk, len(desk.stages) - 1, confirmed_only=confirmed_only)


def closed_now(desk: Desk, *, confirmed_only: bool = False) -> Desk:
    """Return a desk as closing it now leaves it: a knock-out ends where it stands."""
    order = final_order(desk, confirmed_only=confirmed_only)
    return msgspec.structs.replace(desk, order=order, closed=True)


def _order_through(desk: Desk, index: int, *, confirmed_only: bool = False) -> tuple[Entrant, ...]:
    """Return everybody who played in a stage or one before it, best first."""
    found: dict[Entrant, None] = {}
    for each in range(index, -1, -1):
        found |= dict.fromkeys(order_of(desk, each, confirmed_only=confirmed_only))
    return _disqualified_last(desk, found)


def places_of(desk: Desk, index: int, order: Sequence[Entrant] = ()) -> dict[Entrant, int]:
    """Return the places of a stage's order (default: its present one).

    Players who left a knock-out in the same round share a place: both losing semi-finalists are
    third. The disqualified share none, and come after those who missed the cut.
    """
    places = _shared(desk, order or order_of(desk, index), left_at(desk, index))
    out = set(entrants(desk, "disqualified"))
    last = len(places.keys() - out)
    missed = sum(player not in out for player in _before(desk, index))
    return {p: at + missed * (p in out and at > last) for p, at in places.items()}


def final_places(desk: Desk) -> dict[Entrant, int]:
    """Return the places of the final order, shared as in `places_of`."""
    return _shared(desk, desk.order, _left_through(desk, len(desk.stages) - 1))


def winners_of(desk: Desk) -> tuple[Entrant, ...]:
    """Return who is first in the final order: several if the last match was not played."""
    return tuple(player for player, place in final_places(desk).items() if place == 1)


def places_below(desk: Desk, index: int) -> dict[Entrant, int]:
    """Return the places of those who played only before a stage: they follow all who play in it.

    Only the disqualified come after everybody.
    """
    before = _before(desk, index)
    whole = _disqualified_last(desk, [*desk.stages[index].players, *before])
    places = _shared(desk, whole, _left_through(desk, index - 1))
    return {player: places[player] for player in before}


def _before(desk: Desk, index: int) -> list[Entrant]:
    """Return those who played only before a stage, best first."""
    there = desk.stages[index].players
    return [player for player in _order_through(desk, index - 1) if player not in there]


def _left_through(desk: Desk, index: int) -> dict[Entrant, tuple[int, ...]]:
    """Return where those who played in no later stage left a knock-out, up to a stage."""
    left: dict[Entrant, tuple[int, ...]] = {}
    for each, stage in enumerate(desk.stages[: index + 1]):
        left = {player: at for player, at in left.items() if player not in stage.players}
        left |= {player: (each, *at) for player, at in left_at(desk, each).items()}
    return left


def _shared(
    desk: Desk, order: Iterable[Entrant], left: Mapping[Entrant, tuple[int, ...]]
) -> dict[Entrant, int]:
    out = set(entrants(desk, "disqualified"))
    left = {player: at for player, at in left.items() if player not in out}
    places: dict[Entrant, int] = {}
    at, place = None, 0
    for number, player in enumerate(order, 1):
        if player not in left or left[player] != at:
            at, place = left.get(player), number
        places[player] = place
    return places


def left_at(desk: Desk, index: int) -> dict[Entrant, tuple[int, ...]]:
    """Return where those no longer in a knock-out left it: all of them once no match follows."""
    stage = desk.stages[index]
    over = stage.ended or desk.closed
    if stage.setup.format in BRACKETS:
        decided = bracket_of(desk, index)[1].places
        return {
            player: (place,)
            for player, place in _best_places(desk, index).items()
            if over or player in decided
        }
    if stage.setup.format == "pod-elimination":
        reached = _reached(desk, index).items()
        return {player: at if at[1] else (0,) for player, at in reached if over or at[1]}
    return {}


def still_playing(desk: Desk) -> set[Entrant]:
    """Return who is playing: in the current round, else those left in the stage, else all in."""
    present = {*entrants(desk, "in")}
    if number := open_round(desk):
        current = round_at(desk, number)
        seated = {player for table in current.tables for player in table.players}
        return present & {*current.byes, *seated}
    if not desk.stages:
        return present
    stage = desk.stages[-1]
    left = left_at(desk, len(desk.stages) - 1)
    return (present & {*(stage.cut or stage.players)}) - left.keys()


# -- knock-outs -----------------------------------------------------------------------


@lru_cache(maxsize=32)
def _laid_out(name: str, count: int, third_place: bool, reset: bool) -> brackets.Bracket:
    if name == "single-elimination":
        return single_elimination.lay_out(count, third_place=third_place)
    return double_elimination.lay_out(count, reset=reset)


def bracket_of(desk: Desk, index: int) -> tuple[brackets.Bracket, brackets.Standing]:
    """Return the bracket of a stage and its progress."""
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
    """Return round and table of published pairings that no longer follow from earlier results."""
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
    """Order by places; those with matches left come by the best they can reach, then by seed."""
    places = _best_places(desk, index)
    return tuple(sorted(places, key=places.__getitem__))


def _best_places(desk: Desk, index: int) -> dict[Entrant, int]:
    """Return the best place that everybody in a bracket can reach, by seed."""
    laid_out, now = bracket_of(desk, index)
    return {
        player: brackets.reach(laid_out, now, player)[0] for player in desk.stages[index].players
    }


def pod_rounds(desk: Desk, index: int) -> list[cuts.PodRound]:
    """Return the rounds of a pod cut so far, and the next one if its players are known."""
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
    """Return who advances from a pod: the winner, or the better seed among those level."""
    result = counts(table)
    places = placing(table, result) if result else (1,) * len(table.players)
    best = zip(places, map(stage.players.index, table.players), table.players, strict=True)
    return min(best)[2]


def _order_of_pods(desk: Desk, index: int) -> tuple[Entrant, ...]:
    players, reached = desk.stages[index].players, _reached(desk, index)
    return tuple(sorted(players, key=lambda p: (reached[p], players.index(p))))


def _reached(desk: Desk, index: int) -> dict[Entrant, tuple[int, int]]:
    """Return how deep everybody got in a pod cut, and at which place of a pod they left, or 0."""
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
                    reached[player] = (-depth, got)
                reached[won] = (-depth - 1, 0)
    return reached


def ladder_of(desk: Desk, index: int) -> tuple[Entrant, ...]:
    """Return a ladder from the top, the disqualified on their rungs."""
    order: tuple[Entrant, ...] = desk.stages[index].players
    for _, each in rounds_of(desk, index):
        for table in each.tables:
            winner = winner_of(table, counts(table))
            if winner is not None and set(table.players) <= set(order):
                one, other = table.players
                order = ladder.after(order, winner, other if winner == one else one)
    return order
