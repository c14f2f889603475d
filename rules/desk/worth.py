"""What a result is worth: who won, the places, and each player's part in a round."""

from collections.abc import Mapping
from fractions import Fraction

from rules.desk.acts import Entrant
from rules.desk.state import Granted, Result, Round, Stage, Table, sizes_of
from rules.desk.tiebreaks import HALF, PartKind, RoundPart, placement_points

ZERO = Fraction(0)
WORTH: Mapping[str, PartKind] = {
    "full": "full-bye",
    "half": "half-bye",
    "zero": "zero-bye",
    "loss": "zero-bye",
}


def counts(table: Table, *, confirmed_only: bool = False) -> Result | None:
    """Return the result of a table if it has one that counts."""
    if table.status == "settled" or (table.status == "reported" and not confirmed_only):
        return table.result
    return None


def uncounted(each: Round, *, confirmed_only: bool) -> list[Table]:
    """Return the tables of a round without a result that counts."""
    return [table for table in each.tables if counts(table, confirmed_only=confirmed_only) is None]


def present(table: Table) -> tuple[Entrant, ...]:
    """Return who was there, in the order of the seats, which close up around an empty one."""
    gone = table.result.absent if table.result else ()
    return tuple(player for player in table.players if player not in gone)


def wins_needed(stage: Stage) -> int:
    return stage.setup.best_of // 2 + 1


def placing(table: Table, result: Result) -> tuple[int, ...]:
    """Return the places at a table, in the order of its seats; absent players share the last.

    So does everybody at a table that was lost by all, or that nobody came to. Rule: ZX-X5.
    """
    scores = _scores(table, result)
    if result.lost or not scores:
        return (len(table.players),) * len(table.players)
    return tuple(
        1 + sum(scores[other] > scores[i] for other in scores) if i in scores else len(scores) + 1
        for i in range(len(table.players))
    )


def _scores(table: Table, result: Result) -> dict[int, int]:
    if not result.scores:
        return {i: 0 for i, player in enumerate(table.players) if player not in result.absent}
    return {
        i: result.scores[i] for i, player in enumerate(table.players) if player not in result.absent
    }


def winner_of(table: Table, result: Result | None) -> Entrant | None:
    """Return the sole winner of a table, or None."""
    if result is None or result.lost:
        return None
    places = placing(table, result)
    first = [player for player, place in zip(table.players, places, strict=True) if place == 1]
    return first[0] if len(first) == 1 and first[0] not in result.absent else None


# -- one round of one player ----------------------------------------------------------


def parts_at(stage: Stage, number: int, table: Table, result: Result) -> dict[Entrant, RoundPart]:
    """Return the part of everybody at a table, for the tie-breaks."""
    two = len(table.players) == 2
    work = _part_of_two if two else _part_of_more
    return {
        player: work(stage, number, table, result, seat)
        for seat, player in enumerate(table.players)
    }


def win_of(stage: Stage) -> int:
    """Return the points of a win; at tables with points by place, those of first place."""
    setup = stage.setup
    firsts = setup.table_points[:1] and (*setup.table_points[:1], *setup.short_points[:1])
    return max(firsts, default=setup.win)


def points_of(stage: Stage, number: int | Fraction) -> Fraction:
    """Return points as a stage counts them."""
    return Fraction(number) / (2 if stage.setup.halves else 1)


def _part_of_two(stage: Stage, number: int, table: Table, result: Result, seat: int) -> RoundPart:
    player, foe = table.players[seat], table.players[1 - seat]
    need, places = wins_needed(stage), placing(table, result)
    points = _points_at(stage, places, seat, result)
    if result.absent:
        won = player not in result.absent
        return RoundPart(
            round=number,
            kind="won-by-forfeit" if won else "lost-by-forfeit",
            points=points_of(stage, points if won else stage.setup.loss),
            result=Fraction(int(won)),
            foes=(foe,),
            games=(need, 0, 0) if won else (0, need, 0),
        )
    scores = _scores(table, result)
    if result.lost:
        outcome = ZERO
    elif scores[seat] == scores[1 - seat]:
        outcome = HALF
    else:
        outcome = Fraction(int(scores[seat] > scores[1 - seat]))
    drawn = result.drawn if any(result.scores) or result.drawn else 1
    games = (scores[seat], scores[1 - seat], drawn)
    return RoundPart(
        round=number,
        points=points_of(stage, points),
        result=outcome,
        foes=(foe,),
        games=(0, need, 0) if result.lost else games,
        seat=seat + 1,
        score=Fraction(scores[seat]),
        best=Fraction(max(scores.values())),
        place=places[seat],
    )


def _part_of_more(stage: Stage, number: int, table: Table, result: Result, seat: int) -> RoundPart:
    player, setup = table.players[seat], stage.setup
    if player in result.absent:
        return RoundPart(
            round=number,
            kind="lost-by-forfeit",
            points=points_of(stage, setup.loss),
            foes=tuple(each for each in table.players if each != player),
        )
    scores = _scores(table, result)
    places = placing(table, result)
    there = present(table)
    others = [score for i, score in scores.items() if i != seat]
    beaten = sum(score < scores[seat] for score in others)
    level = sum(score == scores[seat] for score in others)
    share = (beaten + level * HALF) / len(others) if others else Fraction(1)
    return RoundPart(
        round=number,
        points=points_of(stage, _points_at(stage, places, seat, result)),
        result=ZERO if result.lost else share,
        foes=tuple(each for each in there if each != player),
        seat=there.index(player) + 1,
        score=Fraction(scores[seat]),
        best=Fraction(max(scores.values())),
        place=places[seat],
        size=len(scores),
    )


def _points_at(stage: Stage, places: tuple[int, ...], seat: int, result: Result) -> int | Fraction:
    """Return the points for a place: from the stage's list, or else for winning alone."""
    setup = stage.setup
    if result.lost:
        return setup.loss
    if table := table_points(stage, len(places)):
        return placement_points(table, places)[seat]
    if places[seat] > 1:
        return setup.loss
    return setup.win if places.count(1) == 1 else setup.draw


def table_points(stage: Stage, size: int) -> tuple[int, ...]:
    """Return the points of the places at a table of this size; none if only winning counts."""
    setup = stage.setup
    is_short = setup.table_points and size < max(sizes_of(stage))
    return (setup.short_points if is_short else ()) or setup.table_points


def part_of_bye(stage: Stage, number: int, absent: Entrant | None = None) -> RoundPart:
    """Return the part of a player with a bye in a round of a stage.

    Where a schedule names the opponent who is `absent`, it counts as a win by forfeit.
    """
    return RoundPart(
        round=number,
        kind="won-by-forfeit" if absent else "bye",
        points=points_of(stage, stage.setup.bye),
        result=Fraction(1),
        foes=(absent,) if absent else (),
        games=(wins_needed(stage), 0, 0),
    )


def part_of_granted(stage: Stage, number: int, granted: Granted) -> RoundPart:
    """Return the part of a player with a requested bye in a round of a stage."""
    setup, need = stage.setup, wins_needed(stage)
    worth = {"full": win_of(stage), "half": setup.draw, "zero": 0, "loss": setup.loss}
    games = {"full": (need, 0, 0), "loss": (0, need, 0)}.get(granted.worth, (0, 0, 0))
    result = {"full": Fraction(1), "half": HALF}.get(granted.worth, ZERO)
    return RoundPart(
        round=number,
        kind=WORTH[granted.worth],
        points=points_of(stage, worth[granted.worth]),
        result=result,
        games=games,
    )
