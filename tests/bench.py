"""`make bench`: what the core and the log do here, each beside a plain baseline of the same run.

Prints a table; `--write` puts it into docs/performance.md, `--only taps` measures one part of
`core desk catalogue appends results taps` and prints that. Medians of five. Databases are
durable: SQLite with synchronous FULL, PostgreSQL with fsync and synchronous commits.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPEATS = 5
ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "docs" / "performance.md"
MARKS = ("<!-- bench -->", "<!-- /bench -->")


@dataclass
class Figure:
    """One line of the table: a rate, and the baseline it is compared with."""

    name: str
    rate: float
    unit: str
    base: float = 0
    beside: str = ""

    def row(self) -> str:
        ratio = f"{self.rate / self.base:.2f} × {self.beside}" if self.base else ""
        return f"| {self.name} | {self.rate:,.0f} {self.unit} | {ratio} |"


def median_rate(work: Callable[[], int]) -> float:
    """Return the median of so many runs of `work`, which says how many things it did."""
    rates = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        done = work()
        rates.append(done / (time.perf_counter() - began))
    return statistics.median(rates)


# -- the core -------------------------------------------------------------------------


def core() -> Iterator[Figure]:
    """Replay from stored bodies with a digest per entry, beside a bare loop of `evolve`."""
    import rules
    from rules import bots

    for game in ("zg", "zx", "zerpang", "score"):
        ruleset = rules.get(game)
        options = {"depth": "full"} if game == "zg" else {}
        setups = [bots.sample_setup(ruleset, seed, seats=2, options=options) for seed in range(20)]
        logs = [bots.playout(ruleset, setup, seed) for seed, setup in enumerate(setups)]
        bare = median_rate(_bare_folds(logs))
        yield Figure(f"{game}: bare loop of `evolve`", bare, "events/s")
        replay = median_rate(_replays(logs))
        name = f"{game}: stored rows to state, a digest per entry"
        yield Figure(name, replay, "events/s", bare, "the bare loop")
        name = f"{game}: every rule asked again: verdicts, consequences, draws, digests"
        yield Figure(name, median_rate(_checks(logs)), "events/s", bare, "the bare loop")
        yield Figure(f"{game}: play-outs by bots", median_rate(_playouts(setups)), "matches/s")
    log = _long_match()
    events = sum(len(entry.events) for entry in log.entries)
    opened = median_rate(_replays([log], digests=False)) / events
    yield Figure(f"zg: open the last moment of a match of {events:,} events", 1e6 / opened, "µs")
    asked = median_rate(_odds())
    yield Figure("zg: odds of an end against a deck of nine, nothing remembered", 1e6 / asked, "µs")


def _bare_folds(logs: list[Any]) -> Callable[[], int]:
    """Fold the effective history of each log, decoded beforehand, and do nothing else."""
    from matches import canonical
    from rules.replay import of_log

    ruleset = logs[0].ruleset
    histories = []
    for log in logs:
        events: list[Any] = []
        for entry in (log.entries[version - 1] for version in log.effective()):
            if not of_log(type(entry.act)):
                bodies = map(canonical.body, entry.consequences)
                events.append(canonical.stored_act(ruleset, canonical.body(entry.act)))
                events += canonical.stored_consequences(ruleset, bodies)
        histories.append((log.moments[0].state, events))

    def fold() -> int:
        for state, events in histories:
            for event in events:
                state = ruleset.evolve(state, event)
        return sum(len(events) for _, events in histories)

    return fold


def _checks(logs: list[Any]) -> Callable[[], int]:
    """Judge and decide every act of each log again."""
    from rules import replay

    def check() -> int:
        for log in logs:
            if found := replay.check(log.ruleset, log.entries):
                raise AssertionError(str(found))
        return sum(1 + len(entry.consequences) for log in logs for entry in log.entries)

    return check


LONG = 1000  # events


def _long_match() -> Any:
    """Return a match by the whole rulebook of so many events or more."""
    import rules
    from rules import bots

    ruleset = rules.get("zg")
    for seed in range(100):
        setup = bots.sample_setup(ruleset, seed, seats=8, options={"depth": "full"})
        log = bots.playout(ruleset, setup, seed)
        if sum(len(entry.events) for entry in log.entries) >= LONG:
            return log
    raise AssertionError("no match is long enough")


def _odds() -> Callable[[], int]:
    """Ask for the odds of every end of one starter deck against another, nothing remembered."""
    from rules.zg import odds
    from rules.zg.damage import _compare_dots
    from rules.zg.ends import End
    from rules.zg.samples import starters

    one, two = list(starters().values())[:2]
    targets = [[End.parse(card.a), End.parse(card.b)] for card in two.cards]
    ends = [End.parse(dots) for card in one.cards for dots in (card.a, card.b)]

    def ask() -> int:
        for end in ends:
            odds.placed.cache_clear()
            _compare_dots.cache_clear()
            odds.odds(end, targets)
        return len(ends)

    return ask


def _replays(logs: list[Any], *, digests: bool = True) -> Callable[[], int]:
    """Fold each log from the bodies as they are stored, and check each entry's digest."""
    from matches import canonical
    from rules.replay import Entry, Timeline

    ruleset = logs[0].ruleset
    stored = [
        [
            (
                canonical.body(entry.act),
                [canonical.body(event) for event in entry.consequences],
                entry.on,
                entry.digest,
            )
            for entry in log.entries
        ]
        for log in logs
    ]

    def replay() -> int:
        count = 0
        for rows in stored:
            timeline = Timeline(ruleset)
            for version, (body, bodies, on, digest) in enumerate(rows, 1):
                act = canonical.stored_act(ruleset, body)
                drawn = canonical.stored_consequences(ruleset, bodies)
                moment = timeline.append(Entry(version, act, drawn, on))
                if digests and timeline.digest(moment.state) != digest:
                    raise AssertionError(f"entry {version} does not replay")
                count += 1 + len(bodies)
        return count

    return replay


def _playouts(setups: list[Any]) -> Callable[[], int]:
    import rules
    from rules import bots

    def play() -> int:
        for seed, setup in enumerate(setups):
            bots.playout(rules.get(setup.ruleset), setup, seed)
        return len(setups)

    return play


# -- the desk -------------------------------------------------------------------------

ROUNDS = 5
NEAR = 24


def desk() -> Iterator[Figure]:
    """Pairing beside a bare matching of the same players, standings, brackets, result entry."""
    from rules.desk.formats import pods, swiss

    for count in (64, 256, 1024, 4096):
        field = _swiss_field(count)
        bare = median_rate(_bare_matching(field))
        yield Figure(f"desk: bare matching of {count}, {NEAR} neighbours each", bare, "players/s")
        name = f"desk: Swiss round of {count}, exact, after {ROUNDS} rounds"
        rate = median_rate(lambda field=field: len(swiss.pair(field, 1).pairs) * 2)
        yield Figure(name, rate, "players/s", bare, "the bare matching")
    seated = [
        pods.Player(id=p.id, points=p.points, met=p.met, seats=(p.id % 2,)) for p in field.players
    ]
    for count in (16, 64):
        name = f"desk: pods of {count}, {'exact' if count <= pods.EXACT else 'bounded'}"
        some = seated[:count]
        rate = median_rate(lambda some=some: len(pods.seat(some, 1).pods) * 4)
        yield Figure(name, rate, "players/s")
    yield Figure(
        "desk: standings of 1,024, five tie-breaks, 10 rounds", median_rate(_standings()), "rows/s"
    )
    for count in (1024, 4096):
        name = f"desk: double elimination of {count:,}, laid out and played"
        yield Figure(name, median_rate(_bracket(count)), "results/s")
    name = "desk: safe, live or out of 1,024, one round to go"
    yield Figure(name, median_rate(_calls()), "players/s")
    yield Figure(
        "desk: result entry, 500 players, round 12, with its digest",
        median_rate(_result_entry()),
        "results/s",
    )


def _swiss_field(count: int) -> Any:
    """Return a field after some rounds won by chance."""
    import msgspec

    from rules.bots import Stream
    from rules.desk.formats import swiss

    pick = Stream(f"bench {count}")
    players = {i: swiss.Player(id=i) for i in range(1, count + 1)}
    for number in range(ROUNDS):
        drawn = swiss.pair(swiss.Field(tuple(players.values())), number)
        for pair in drawn.pairs:
            won = pick(2)
            for i, (one, two) in enumerate((pair.players, pair.players[::-1])):
                before = players[one]
                players[one] = msgspec.structs.replace(
                    before,
                    points=before.points + 3 * (i == won),
                    met=(*before.met, two),
                    floated=pair.floats[i],
                )
    return swiss.Field(tuple(players.values()))


def _bare_matching(field: Any) -> Callable[[], int]:
    """Match the same players by the squares of their differences alone."""
    from rules.desk.formats.matching import least_cost

    points = sorted((player.points for player in field.players), reverse=True)
    edges = [
        (one, two, (points[one] - points[two]) ** 2)
        for one in range(len(points))
        for two in range(one + 1, min(one + 1 + NEAR, len(points)))
    ]
    return lambda: len(least_cost(len(points), edges)) * 2


def _standings() -> Callable[[], int]:
    from fractions import Fraction

    from rules.bots import Stream
    from rules.desk.tiebreaks import HALF, Part, Sheet, rank

    pick = Stream("standings")
    parts: dict[int, list[Part]] = {player: [] for player in range(1024)}
    for number in range(1, 11):
        for one in range(1024):
            two = one ^ number
            if one > two:
                continue
            result = (Fraction(1), HALF, Fraction(0))[pick(3)]
            for player, foe, share in ((one, two, result), (two, one, 1 - result)):
                points = Fraction(3) if share == 1 else Fraction(share == HALF)
                games = (2, 0, 0) if share == 1 else (0, 2, 0)
                parts[player].append(
                    Part(round=number, points=points, result=share, foes=(foe,), games=games)
                )
    return lambda: len(rank(Sheet(parts), ["omw", "gw", "ogw", "bh-c1", "sb"]))


def _calls() -> Callable[[], int]:
    """Call everybody for a cut to 32 with the last round on the tables."""
    from rules.desk import clinch
    from rules.desk.acts import StageStarted
    from rules.desk.state import Desk, Person, Result, Round, Stage, Table

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
    return lambda: len(clinch.of_cut(desk, 0, 32))


def _bracket(count: int) -> Callable[[], int]:
    from rules.desk.formats import double_elimination
    from rules.desk.formats.bracket import resolve

    players = list(range(1, count + 1))

    def play() -> int:
        bracket = double_elimination.lay_out(len(players))
        winners: dict[str, int] = {}
        standing = resolve(bracket, players, winners)
        while standing.ready:
            for name in standing.ready:
                winners[name] = min(each for each in standing.players[name] if each)
            standing = resolve(bracket, players, winners)
        return len(winners)

    return play


def _result_entry() -> Callable[[], int]:
    """Judge, decide, fold and digest results of a round that is under way."""
    import rules
    from rules import replay
    from rules.desk.acts import ResultReported, StageStarted
    from rules.desk.state import Desk, Person, Result, Round, Stage, State, Table

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
    known = replay.setup_digest(setup)

    def enter() -> int:
        state = start
        for table in range(1, 51):
            act = ResultReported(round=12, table=table, scores=(1, 0))
            if ruleset.judge(state, act).call != "legal":
                raise AssertionError(f"table {table} is refused")
            for event in (act, *ruleset.decide(state, act)):
                state = ruleset.evolve(state, event)
            replay.state_digest(ruleset, state, known)
        return 50

    return enter


# -- the log --------------------------------------------------------------------------


def appends() -> Iterator[Figure]:
    """Acts through the service and through HTTP, beside a bare insert of the same rows."""
    from django.db import connection

    from tests import site

    engine = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.vendor]
    bare = median_rate(_bare_inserts())
    yield Figure(f"{engine}: bare insert of an act's row, one commit each", bare, "rows/s")
    through = median_rate(_through_service())
    yield Figure(f"{engine}: acts through the service", through, "acts/s", bare, "bare insert")
    with tempfile.TemporaryDirectory() as folder:
        server, url = site.web(Path(folder) / "web.log")
        try:
            rate = median_rate(_through_http(url))
        finally:
            server.stop()
    yield Figure(f"{engine}: acts through HTTP, one client", rate, "acts/s", through, "service")


ACTS = 300


def _bare_inserts() -> Callable[[], int]:
    """Insert rows with the same columns, indexes and durability, one commit a row."""
    import uuid

    from django.db import connection

    from matches.models import Event

    source = Event._meta.db_table
    columns = [field.column for field in Event._meta.concrete_fields if not field.primary_key]
    names = ", ".join(f'"{name}"' for name in columns)
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS bench_event")
        cursor.execute(f"CREATE TABLE bench_event AS SELECT {names} FROM {source} WHERE 1 = 0")
        for number, key in enumerate(
            (("log_id", "version", "ordinal"), ("log_id", "act_id"), ("position", "ordinal"))
        ):
            quoted = ", ".join(f'"{column}"' for column in key)
            cursor.execute(f"CREATE UNIQUE INDEX bench_event_{number} ON bench_event ({quoted})")
        cursor.execute(f"SELECT {names} FROM {source} WHERE act_id IS NOT NULL LIMIT 1")
        row = list(cursor.fetchone())
    places = ", ".join(["%s"] * len(columns))
    statement = f"INSERT INTO bench_event ({names}) VALUES ({places})"
    version, position, act = (columns.index(c) for c in ("version", "position", "act_id"))
    counter = iter(range(1, 10**9))

    def insert() -> int:
        for _ in range(ACTS):
            number = next(counter)
            row[version] = row[position] = number
            row[act] = uuid.uuid4().hex if connection.vendor == "sqlite" else uuid.uuid4()
            with connection.cursor() as cursor:
                cursor.execute(statement, row)
        return ACTS

    return insert


def _scribe() -> Any:
    import uuid

    from matches import policy, services

    user = services.sign_up(username=f"bench-{uuid.uuid4().hex[:8]}", password=uuid.uuid4().hex)
    return policy.actor_for(user)


def _match(by: Any) -> Any:
    from matches import services

    seats = [services.SeatRequest(name="One"), services.SeatRequest(name="Two")]
    return services.open_match(by=by, ruleset="score", options={"best_of": 1}, seats=seats)


def _act(number: int) -> dict[str, Any]:
    return {"type": "points-scored", "seat": 1 + number % 2, "points": number % 7}


def _through_service() -> Callable[[], int]:
    import uuid

    from matches import services

    by = _scribe()

    def record() -> int:
        match = _match(by)
        for number in range(ACTS):
            services.record(match=match, by=by, act_id=uuid.uuid4(), act=_act(number))
        return ACTS

    return record


def _through_http(url: str) -> Callable[[], int]:
    import http.client
    import uuid
    from urllib.parse import urlsplit

    from tests import factories

    by = _scribe()
    token = factories.key(by.user)
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}

    def post() -> int:
        match = _match(by)
        client = http.client.HTTPConnection(urlsplit(url).netloc)
        for number in range(ACTS):
            body = json.dumps({"id": str(uuid.uuid4()), "act": _act(number)})
            client.request("POST", f"/api/v1/matches/{match.code}/acts/", body, headers)
            answer = client.getresponse()
            answer.read()
            if answer.status != 201:
                raise AssertionError(f"act {number} was answered with {answer.status}")
        client.close()
        return ACTS

    return post


# -- a tournament under way ---------------------------------------------------------------

PLAYERS, LAST = 500, 12


def results() -> Iterator[Figure]:
    """A result sent to a real server until it answers, late in a large Swiss tournament."""
    from tests import site

    tournament = _under_way()
    with tempfile.TemporaryDirectory() as folder:
        server, url = site.web(Path(folder) / "web.log")
        try:
            times = _reported(url, tournament)
        finally:
            server.stop()
    times.sort()
    for share in (50, 95, 100):
        at = max(share * len(times) // 100 - 1, 0)
        name = f"SQLite: a result through HTTP, {PLAYERS} players, round {LAST}, p{share}"
        yield Figure(name, times[at] * 1000, f"ms ({len(times)} results)")


def _under_way() -> Any:
    """Return a tournament whose last round is on the tables, all through the services."""
    from tests.league import desks

    tournament = desks.tournament()
    desks.entered(tournament, PLAYERS)
    desks.start(tournament, rounds=LAST)
    for _ in range(LAST - 1):
        desks.paired(tournament)
        desks.play(tournament)
    desks.paired(tournament)
    return tournament


def _reported(url: str, tournament: Any) -> list[float]:
    """Report every table of the round under way; return how long each took, in seconds."""
    import http.client
    import uuid
    from urllib.parse import urlsplit

    from tests import factories
    from tests.league import desks

    by = desks.organiser(tournament)
    headers = {
        "Authorization": f"Token {factories.key(by.user)}",
        "Content-Type": "application/json",
    }
    client = http.client.HTTPConnection(urlsplit(url).netloc)
    path = f"/api/v1/tournaments/{tournament.code}/"
    client.request("GET", path, headers=headers)  # reads the log once, as the console does
    client.getresponse().read()
    times = []
    for table in desks.desk(tournament).rounds[-1].tables:
        act = {"type": "result-reported", "round": LAST, "table": table.number, "scores": [2, 1]}
        body = json.dumps({"id": str(uuid.uuid4()), "act": act})
        began = time.perf_counter()
        client.request("POST", f"{path}acts/", body, headers)
        answer = client.getresponse()
        answer.read()
        times.append(time.perf_counter() - began)
        if answer.status != 201:
            raise AssertionError(f"table {table.number} was answered with {answer.status}")
    client.close()
    return times


# -- the catalogue --------------------------------------------------------------------

CARDS = 5000
SEARCHES = (
    "",
    "tide",
    "type:gear colour=red dots>=5",
    "owner:me -blaze:ap cost<40",
    'set:sea is:shared "tide 49"',
    "nothing at all",
)


def catalogue() -> Iterator[Figure]:
    """A search of the catalogue at the database: how many there are, and the first page."""
    from django.db import connection

    from characters import search, selectors

    engine = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[connection.vendor]
    by = _scribe()
    _cards(by)
    for text in SEARCHES:

        def find(text: str = text) -> int:
            for _ in range(SEARCHED):
                found = selectors.cards_for(by, search.require(text, by))
                found.count()
                list(found[:30])
            return SEARCHED

        took = 1000 / median_rate(find)
        yield Figure(f"{engine}: search of {CARDS:,} cards for `{text}`", took, "ms")


SEARCHED = 20


def _cards(by: Any) -> None:
    """Fill the catalogue: half of it the asker's own, a tenth of the others' private."""
    from django.db import connection

    from characters.models import Card, CardSet

    other = _scribe()
    sets = {
        who: CardSet.objects.create(game="zg", name="Sea of Rains", owner=who.player)
        for who in (by, other)
    }
    slots = ("Helmet", "Frontgear", "Backgear", "Footgear", "Shield", "Claw", "Generator", "Ulster")
    Card.objects.bulk_create(
        (
            Card(
                card_set=sets[who],
                game="zg",
                owner=who.player,
                shared=number % 10 > 0,
                name=f"{('Tide', 'Rim', 'Ember')[number % 3]} {number}",
                slot=slots[number % 8],
                colour=("red", "green", "blue")[number % 3],
                quality="Basic",
                cost=number % 120,
                ends="R+ G B | G# Bo R" if number % 2 else "R G B",
                dots=6 if number % 2 else 3,
                blazes=3 if number % 2 else 0,
                face="{}",
            )
            for number in range(CARDS)
            for who in [by if number % 2 else other]
        ),
        batch_size=500,
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


# -- the phone ------------------------------------------------------------------------


def taps() -> Iterator[Figure]:
    """A tap in the logger until its answer is on the screen, on a slow phone."""
    from tests import taps

    names = {"armed": "half armed", "said": "act named in the strip"}
    for kind, times in taps.measure().items():
        for share in (50, 95):
            name = f"logger, processor {taps.SLOWER}× slower: {names[kind]}, p{share}"
            yield Figure(name, taps.percentile(times, share), f"ms ({len(times)} taps)")


# -- running it -----------------------------------------------------------------------


PARTS = {
    "core": core,
    "desk": desk,
    "catalogue": catalogue,
    "appends": appends,
    "results": results,
    "taps": taps,
}


def _child(part: str) -> None:
    """Measure one part in this process and print its figures as JSON."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    if part == "appends":
        _match(_scribe())  # one row to copy from
    print(json.dumps([vars(figure) for figure in PARTS[part]()]))


def _measure(part: str, **environment: str) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="zgxl-", dir="/tmp") as data:
        run = subprocess.run(
            [sys.executable, "-m", "tests.bench", "--part", part],
            env={
                **os.environ,
                "DJANGO_SETTINGS_MODULE": "deploy.settings",
                "DATA": data,
                "API_RATE_USER": "1000000/min",
                **environment,
            },
            cwd=ROOT,
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        )
    return [Figure(**figure) for figure in json.loads(run.stdout.splitlines()[-1])]


def main() -> None:
    if "--part" in sys.argv:
        _child(sys.argv[-1])
        return
    from tests import services

    if "--only" in sys.argv:
        figures = _measure(sys.argv[-1])
        if sys.argv[-1] == "catalogue":
            with services.postgres(durable=True) as url:
                figures += _measure("catalogue", DATABASE_URL=url)
        print("\n".join(figure.row() for figure in figures))
        return
    figures = [figure for part in PARTS for figure in _measure(part)]
    with services.postgres(durable=True) as url:
        for name in ("catalogue", "appends"):
            figures += _measure(name, DATABASE_URL=url)
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    table = "\n".join(["| what | median of 5 | beside |", "|---|---|---|"])
    table += "\n" + "\n".join(figure.row() for figure in figures)
    table += f"\n\n`make bench` at commit {commit}."
    print(table)
    if "--write" in sys.argv:
        before, _, rest = REPORT.read_text().partition(MARKS[0])
        after = rest.partition(MARKS[1])[2]
        REPORT.write_text(f"{before}{MARKS[0]}\n{table}\n{MARKS[1]}{after}")


if __name__ == "__main__":
    main()
