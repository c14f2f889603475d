"""A tournament that was played elsewhere, replayed as acts of a desk.

Published results say who met whom and how it ended. `acts` turns them into what officials would
have recorded: who entered and when, who was gone in which round, every pairing by hand and every
result. `weigh` then compares the cost of each round with the least possible.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction

import msgspec

from rules.desk.acts import (
    ByeGranted,
    Dropped,
    Entered,
    Entrant,
    ResultReported,
    Returned,
    RoundClosed,
    RoundPaired,
    RoundPublished,
    Ruled,
    StageStarted,
    TournamentClosed,
    Worth,
)
from rules.desk.formats import swiss
from rules.desk.pairing import swiss_field
from rules.desk.standings import granted_to, rests, standings
from rules.desk.state import Desk, Result, rounds_of
from rules.desk.tiebreaks import Standing
from rules.desk.words import TEXTS
from rules.ruleset import Act


class Newcomer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player. `key` is their identifier in the source.

    A label goes into the log and is never a person's name; a name does not.
    """

    key: str
    name: str = ""
    label: str = ""
    ref: str = ""
    rating: int = 0


class Meeting(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table: the keys of its players in order, and the result."""

    players: tuple[str, ...]
    scores: tuple[int, ...] = ()
    drawn: int = 0
    absent: tuple[str, ...] = ()
    lost: bool = False


class RoundRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round. `byes` were given by the pairing, `granted` ones requested, with their worth."""

    tables: tuple[Meeting, ...]
    byes: tuple[str, ...] = ()
    granted: tuple[tuple[str, Worth], ...] = ()

    @property
    def there(self) -> set[str]:
        seated = {key for table in self.tables for key in table.players}
        return seated | {*self.byes} | {key for key, _ in self.granted}


class Retold(msgspec.Struct, frozen=True, omit_defaults=True):
    """One stage as it was published."""

    stage: StageStarted
    players: tuple[Newcomer, ...]
    rounds: tuple[RoundRecord, ...]
    title: str = ""


class PlannedAct(msgspec.Struct, frozen=True):
    """An act to record, and its `reason` if it needs one."""

    act: Act
    reason: str = ""


def acts(tournament: Retold) -> Iterator[PlannedAct]:
    """Yield everything to record after a desk was opened, in order.

    Pairings by hand and results beyond a stage's games are irregular and must be allowed to stand.
    A late player enters in their first round; one who is missing from a round drops before it.

    Raises: KeyError for somebody who plays but is not among the players.
    """
    numbers, first = numbered(tournament), first_rounds(tournament)
    in_order = sorted(tournament.players, key=lambda each: numbers[each.key])
    away: set[str] = set()
    for place, each in enumerate(tournament.rounds, 1):
        for one in in_order:
            if first[one.key] == place:
                yield PlannedAct(Entered(label=one.label, ref=one.ref, rating=one.rating))
        if place == 1:
            yield PlannedAct(tournament.stage)
        there = each.there
        known = [one.key for one in in_order if first[one.key] <= place]
        for key in known:
            if key not in there | away:
                yield PlannedAct(Dropped(entrant=numbers[key]))
            elif key in there & away:
                yield PlannedAct(Returned(entrant=numbers[key]))
        away = {key for key in known if key not in there}
        yield from _round(tournament, place, each, numbers)
    yield PlannedAct(TournamentClosed())


def first_rounds(tournament: Retold) -> dict[str, int]:
    """Return everybody's first round; 1 for those who never played."""
    first = dict.fromkeys((each.key for each in tournament.players), 1)
    for place, each in reversed([*enumerate(tournament.rounds, 1)]):
        first |= dict.fromkeys(each.there, place)
    return first


def numbered(tournament: Retold) -> dict[str, Entrant]:
    """Return everybody's number at the desk: by their first round, then as listed."""
    first = first_rounds(tournament)
    keys = sorted((each.key for each in tournament.players), key=first.__getitem__)
    return {key: number for number, key in enumerate(keys, 1)}


def _round(
    tournament: Retold, number: int, each: RoundRecord, numbers: Mapping[str, Entrant]
) -> Iterator[PlannedAct]:
    for key, worth in each.granted:
        yield PlannedAct(ByeGranted(entrant=numbers[key], round=number, worth=worth))
    yield PlannedAct(
        RoundPaired(
            method=tournament.stage.format,
            seed=tournament.stage.seed,
            pairings=tuple(tuple(numbers[key] for key in table.players) for table in each.tables),
            byes=tuple(numbers[key] for key in each.byes),
        ),
        "Paired elsewhere",
    )
    yield PlannedAct(RoundPublished(round=number))
    for table, meeting in enumerate(each.tables, 1):
        yield _result(number, table, meeting, numbers)
    yield PlannedAct(RoundClosed(round=number))


def _result(
    number: int, table: int, meeting: Meeting, numbers: Mapping[str, Entrant]
) -> PlannedAct:
    if meeting.lost:
        return PlannedAct(Ruled(round=number, table=table, note="", lost=True), "Lost by both")
    absent = tuple(sorted(numbers[key] for key in meeting.absent))
    in_order = [numbers[key] for key in meeting.players]
    return PlannedAct(
        ResultReported(
            round=number,
            table=table,
            scores=meeting.scores,
            drawn=meeting.drawn,
            absent=tuple(each for each in in_order if each in absent),
        )
    )


# -- exporting a desk --------------------------------------------------------------


def as_published(desk: Desk, index: int) -> Retold:
    """Return a stage with tables of two in the form of published results; keys are numbers.

    A rest in a round robin becomes a bye worth nothing.
    """
    stage = desk.stages[index]
    players = tuple(
        Newcomer(str(each), label=desk.people[each - 1].label, rating=desk.people[each - 1].rating)
        for each in sorted(stage.players)
    )
    rounds = []
    for number, each in rounds_of(desk, index):
        tables = tuple(
            _meeting(table.players, table.result) for table in each.tables if table.result
        )
        resting = rests(desk, number)
        placed = {*each.byes, *(player for table in each.tables for player in table.players)}
        granted: list[tuple[str, Worth]] = [
            (str(player), bye.worth)
            for player in stage.players
            if player not in placed and (bye := granted_to(desk, player, number))
        ]
        granted += [(str(player), "zero") for player in each.byes if player in resting]
        byes = tuple(str(player) for player in each.byes if player not in resting)
        rounds.append(RoundRecord(tables, byes, tuple(granted)))
    return Retold(stage.setup, players, tuple(rounds))


def _meeting(players: tuple[Entrant, ...], result: Result) -> Meeting:
    return Meeting(
        players=tuple(map(str, players)),
        scores=result.scores,
        drawn=result.drawn,
        absent=tuple(map(str, result.absent)),
        lost=result.lost,
    )


# -- the cost of a published round --------------------------------------------------


class Weighed(msgspec.Struct, frozen=True):
    """A Swiss round as it was paired, beside ours of the same players with the same bye."""

    round: int
    published: swiss.Cost
    ours: swiss.Cost


def weigh(before: Desk, after: Desk) -> Weighed:
    """Return the cost of the last round of `after`; `before` is the desk it was paired from."""
    last_round = after.rounds[-1]
    field = swiss_field(before)
    playing = tuple(player for player in field.players if player.id not in last_round.byes)
    field = msgspec.structs.replace(field, players=playing)
    pairs = [(table.players[0], table.players[1]) for table in last_round.tables]
    drawn = swiss.assess(field, pairs, None, last_round.seed)
    return Weighed(len(after.rounds), drawn.cost, swiss.pair(field, last_round.seed).cost)


# -- tables of results as organisers publish them -------------------------------------


class PublishedRow(msgspec.Struct, frozen=True, rename={"number": "rank", "key": "player"}):
    """A published row, `number` 0 if it has no place; shares are rounded as printed."""

    number: int
    key: str
    points: int | float
    omw: float | None = None
    gw: float | None = None
    ogw: float | None = None


class Rules(msgspec.Struct, frozen=True):
    own_gwp_floor: str = "none"


class Published(msgspec.Struct, frozen=True):
    """A Swiss event of a card game: rows of two players, games won by each, games drawn.

    An empty second player is a bye; with no game won it is an assigned loss.
    """

    rounds: tuple[tuple[tuple[str, str | None, int, int, int], ...], ...]
    expected_standings: tuple[PublishedRow, ...]
    title: str = ""
    rules: Rules = Rules()


def read_published(data: bytes) -> tuple[Retold, tuple[PublishedRow, ...]]:
    """Return a published event and the rows to compare with.

    Raises: msgspec.ValidationError, msgspec.DecodeError.
    """
    published = msgspec.json.decode(data, type=Published)
    own = "gw-third" if published.rules.own_gwp_floor == "1/3" else "gw"
    stage = StageStarted(
        format="swiss", rounds=len(published.rounds), best_of=3, tiebreaks=("omw", own, "ogw")
    )
    rounds = []
    for rows in published.rounds:
        tables = [Meeting((a, b), (x, y), drawn) for a, b, x, y, drawn in rows if b is not None]
        alone = [(a, x) for a, b, x, _, _ in rows if b is None]
        rounds.append(
            RoundRecord(
                tuple(tables),
                tuple(key for key, won in alone if won),
                tuple((key, "loss") for key, won in alone if not won),
            )
        )
    keys = sorted({key for each in rounds for key in each.there})
    keys += sorted({row.key for row in published.expected_standings} - {*keys})
    players = tuple(Newcomer(key, name=key) for key in keys)
    return Retold(stage, players, tuple(rounds), published.title), published.expected_standings


def differences(desk: Desk, tournament: Retold, rows: tuple[PublishedRow, ...]) -> list[str]:
    """Describe where our standings differ from the published ones, shares to six decimals.

    Players level in everything that was published may be in any order.
    """
    numbers = numbered(tournament)
    rows_of = {row.player: row for row in standings(desk, 0)}
    by_place = sorted(rows_of.values(), key=lambda each: each.place)
    called = {each.key: each.name or each.key for each in tournament.players}
    found = []
    for theirs in rows:
        mine, name = rows_of[numbers[theirs.key]], called[theirs.key]
        there = by_place[theirs.number - 1] if 0 < theirs.number <= len(by_place) else mine
        if (mine.points, _shown(mine)) != (there.points, _shown(there)):
            found.append(_differs("place", name, mine.place, theirs.number))
        if mine.points != theirs.points:
            points = f"{float(mine.points or 0):g}", f"{theirs.points:g}"
            found.append(_differs("points", name, *points))
        shares = theirs.omw, theirs.gw, theirs.ogw  # only by a stage that breaks ties by these
        for value, published in zip(_shown(mine), shares, strict=False):
            if value is not None and published is not None and not _alike(value, published):
                found.append(_differs("share", name, f"{float(value):.6f}", f"{published:.6f}"))
    return found


def _differs(what: str, name: str, mine: object, theirs: object) -> str:
    return TEXTS[f"word.other-{what}"].format(name=name, mine=mine, theirs=theirs)


def _shown(row: Standing) -> tuple[Fraction | None, ...]:
    """Return the numbers a row is ranked by after its points, except the lot."""
    return tuple(value.number for code, value in row.breaks.items() if code != "lot")


def _alike(number: Fraction, published: float) -> bool:
    """Tell whether two numbers agree to six decimals."""
    return abs(number - Fraction(str(published))) * 2 < Fraction(1, 10**6)
