"""The desk: standings, ratings, clinched places, and a result late in a tournament.

Measured in CPU time: everything is one thread that never waits.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from time import process_time

from openskill.models import PlackettLuce

import rules
from league.ratings import rated
from rules import replay
from rules.bots import Stream
from rules.desk import clinch
from rules.desk.acts import ResultReported, StageStarted
from rules.desk.state import Desk, Person, Result, Round, Stage, State, Table
from rules.desk.tiebreaks import HALF, TIEBREAKS, RoundPart, Sheet, rank
from tests.bench.figure import Figure, Work, median_rate, median_rates


def figures() -> Iterator[Figure]:
    name = "standings of 1,024, five tie-breaks, 10 rounds"
    yield Figure(name, median_rate(_standings(), process_time), "rows/s")
    every = [code for code in TIEBREAKS if "@" not in code]
    rate = median_rate(_standings(4096, 12, every), process_time)
    name = f"standings of 4,096, all {len(every)} tie-breaks, 12 rounds"
    yield Figure(name, 4096 / rate * 1000, "ms", most=1000)
    library, ours = median_rates(*_rating(), repeats=3, clock=process_time)
    name = f"{RATED:,} matches rated as ratings are"
    told = f"{library / ours:.2f} × its time, goal 1.5 ×"
    yield Figure(name, ours, "matches/s", library, "openskill alone", least=0.667, told=told)
    name = "safe, live or out of 1,024, one round to go"
    yield Figure(name, median_rate(_calls(), process_time), "players/s")
    name = "result entry, 500 players, round 12, with its digest"
    yield Figure(name, median_rate(_result_entry(), process_time), "results/s")


FIVE = ("omw", "gw", "ogw", "bh-c1", "sb")


def _standings(players: int = 1024, rounds: int = 10, codes: Sequence[str] = FIVE) -> Work:
    pick = Stream("standings")
    parts: dict[int, list[RoundPart]] = {player: [] for player in range(players)}
    for number in range(1, rounds + 1):
        for one in range(players):
            two = one ^ number
            if one > two:
                continue
            result = (Fraction(1), HALF, Fraction(0))[pick(3)]
            seats = ((one, two, result), (two, one, 1 - result))
            for seat, (player, foe, share) in enumerate(seats, 1):
                points = Fraction(3) if share == 1 else Fraction(share == HALF)
                won = int(2 * share)
                parts[player].append(
                    RoundPart(
                        round=number,
                        points=points,
                        result=share,
                        foes=(foe,),
                        games=(won, 2 - won, 0),
                        seat=seat,
                        score=Fraction(won),
                        best=Fraction(max(won, 2 - won)),
                        place=1 + (share < HALF),
                    )
                )
    ratings = {player: 1200 + player % 900 for player in range(players)}
    return lambda: len(rank(Sheet(parts, ratings=ratings), codes))


RATED, RATERS = 100_000, 500


def _rating() -> tuple[Work, Work]:
    """Return two works that rate the same matches from scratch: the bare library, and ours."""
    pick = Stream("ratings")
    played = []
    for _ in range(RATED):
        one = pick(RATERS)
        played.append((one, (one + 1 + pick(RATERS - 1)) % RATERS))

    def alone() -> int:
        model = PlackettLuce()
        now = {player: model.rating() for player in range(RATERS)}
        for one, two in played:
            [now[one]], [now[two]] = model.rate([[now[one]], [now[two]]], ranks=[1.0, 2.0])
        return RATED

    tables = [((str(one), 1), (str(two), 2)) for one, two in played]
    return alone, lambda: sum(1 for _ in rated(tables, {}))


def _calls() -> Work:
    """Decide for everybody whether a cut to 32 is clinched, during the last round."""
    people = tuple(Person() for _ in range(1024))
    stage = Stage(StageStarted(format="swiss", rounds=11), tuple(range(1, 1025)))
    rounds = []
    for number in range(11):
        pairs = [(one + 1, (one ^ number + 1) + 1) for one in range(1024)]
        pairs = [pair for pair in pairs if pair[0] < pair[1]]
        done = Result((1, 0)) if number < 10 else None
        status = "settled" if done else "open"
        tables = tuple(Table(i, pair, "", status, done) for i, pair in enumerate(pairs, 1))
        rounds.append(Round(0, 1, tables, published=True, closed=done is not None))
    desk = Desk(people, (stage,), tuple(rounds))
    return lambda: len([each.call(32) for each in clinch.reach(desk, 0)])


def _result_entry() -> Work:
    """Judge, decide, fold and digest results of the current round."""
    ruleset = rules.get("desk")
    setup = ruleset.sample_setup(lambda n: 0)
    people = tuple(Person(label=f"Side {i}", here=True) for i in range(500))
    stage = Stage(StageStarted(format="swiss", rounds=12), tuple(range(1, 501)))
    pairs = [(2 * i + 1, 2 * i + 2) for i in range(250)]
    done = tuple(
        Table(i, pair, status="settled", result=Result((2, 1))) for i, pair in enumerate(pairs, 1)
    )
    fresh = tuple(Table(i, pair) for i, pair in enumerate(pairs, 1))
    rounds = [Round(0, 1, done, published=True, closed=True)] * 11
    desk = Desk(people, (stage,), (*rounds, Round(0, 1, fresh, published=True)))
    start = State(setup, desk)
    timeline = replay.Timeline(ruleset)

    def enter() -> int:
        state = start
        for table in range(1, 51):
            act = ResultReported(round=12, table=table, scores=(1, 0))
            if ruleset.judge(state, act).call != "legal":
                raise AssertionError(f"table {table} is refused")
            for event in (act, *ruleset.decide(state, act)):
                state = ruleset.evolve(state, event)
            timeline.digest(state)
        return 50

    return enter
