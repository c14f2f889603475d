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
    return first[0] if len(first) == 1 else None


# -- one round of one player ----------------------------------------------------------


def parts_at(stage: Stage, number: int, table: Table, result: Result) -> dict[Entrant, RoundPart]:
    """Return the part of everybody at a table, for the tie-breaks."""
    return {
        player: _part_of(stage, number, table, result, seat)
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


def _part_of(stage: Stage, number: int, table: Table, result: Result, seat: int) -> RoundPart:
    player, two, there = table.players[seat], len(table.players) == 2, present(table)
    if player in result.absent or len(there) == 1:
        return _forfeit(stage, number, table, result, seat)
    scores, places = _scores(table, result), placing(table, result)
    return RoundPart(
        round=number,
        points=points_of(stage, _points_at(stage, places, seat, result)),
        result=ZERO if result.lost else _share(scores, seat),
        foes=tuple(each for each in there if each != player),
        games=_games(stage, result, scores, seat) if two else (0, 0, 0),
        seat=there.index(player) + 1,
        score=Fraction(scores[seat]),
        best=Fraction(max(scores.values())),
        place=places[seat],
        size=len(scores),
    )


def _forfeit(stage: Stage, number: int, table: Table, result: Result, seat: int) -> RoundPart:
    """Return the part of an absent player, or of one whose opponents are all absent."""
    player, need = table.players[seat], wins_needed(stage)
    won, two = player not in result.absent, len(table.players) == 2
    places = placing(table, result)
    points = _points_at(stage, places, seat, result) if won else stage.setup.loss
    return RoundPart(
        round=number,
        kind="won-by-forfeit" if won else "lost-by-forfeit",
        points=points_of(stage, points),
        result=Fraction(int(won)),
        foes=tuple(each for each in table.players if each != player),
        games=(need * won, need * (not won), 0) if two else (0, 0, 0),
    )


def _share(scores: Mapping[int, int], seat: int) -> Fraction:
    """Return the share of the others at a table whom a seat beat, ties half."""
    mine, others = scores[seat], len(scores) - 1
    twice = sum(1 + (mine > other) - (mine < other) for other in scores.values()) - 1
    return Fraction(twice, 2 * others) if others else Fraction(1)


def _games(
    stage: Stage, result: Result, scores: Mapping[int, int], seat: int
) -> tuple[int, int, int]:
    """Return the games that one of two won, lost and drew; a draw without any is one."""
    if result.lost:
        return (0, wins_needed(stage), 0)
    drawn = result.drawn if any(result.scores) or result.drawn else 1
    return (scores[seat], scores[1 - seat], drawn)


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


def part_of_bye(stage: Stage, number: int, absent: Entrant | None) -> RoundPart:
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
