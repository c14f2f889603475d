"""The core: replay and checks, compared with python-chess and a bare loop of `evolve`.

Measured in CPU time: everything is one thread that never waits.
"""

from collections.abc import Iterator
from time import process_time
from typing import Any

import chess

import rules
from rules import bots, checking, encoding
from rules.replay import Entry, Timeline, of_log
from rules.zg import odds
from rules.zg.damage import _compare_dots
from rules.zg.ends import End
from rules.zg.samples import starters
from tests.bench.figure import Figure, Work, median_rate, median_rates

GAMES = ("zg", "zx", "zerpang", "score")
PLIES = 190  # maximum per game of chess
MATCHES = {"score": 200}  # a game of short matches needs more for one timing


def figures() -> Iterator[Figure]:
    games = _chess_games()
    for game in GAMES:
        ruleset = rules.get(game)
        options = {"depth": "full"} if game == "zg" else {}
        seeds = range(MATCHES.get(game, 20))
        setups = [bots.sample_setup(ruleset, seed, seats=2, options=options) for seed in seeds]
        logs = [bots.playout(ruleset, setup, seed) for seed, setup in enumerate(setups)]
        works = _folds(logs), _folds(logs, judged=True), _replays(logs), _checks(logs)
        bare, judged, stored, check, play, push, legal = median_rates(
            *works,
            _playouts(setups),
            _pushes(games),
            _pushes(games, checked=True),
            clock=process_time,
        )
        name = f"{game}: decoded events to state, a bare loop of `evolve`"
        yield Figure(name, bare, "events/s", push, "python-chess `push`", least=1)
        beside = "python-chess `is_legal` + `push`"
        name = f"{game}: every act judged anew, then folded with what followed"
        yield Figure(name, judged, "events/s", legal, beside, least=1)
        name = f"{game}: proved: verdicts, consequences, draws and digests anew"
        yield Figure(name, check, "events/s", legal, beside, least=1)
        name = f"{game}: stored bodies to state, a digest per entry"
        goal = 0 if game == "score" else 1 / 3
        yield Figure(name, stored, "events/s", bare, "the bare loop", least=goal)
        yield Figure(f"{game}: play-outs by bots", play, "matches/s")
    log = _long_match()
    events = sum(len(entry.events) for entry in log.entries)
    opened = median_rate(_replays([log], digests=False), process_time) / events
    yield Figure(f"zg: open the last moment of a match of {events:,} events", 1e6 / opened, "µs")
    asked = median_rate(_odds(), process_time)
    yield Figure("zg: odds of an end against a deck of nine, nothing remembered", 1e6 / asked, "µs")


def _chess_games() -> list[Any]:
    """Return random games of chess, as moves."""
    games = []
    for seed in range(20):
        pick, board = bots.Stream(f"chess {seed}"), chess.Board()
        while len(board.move_stack) < PLIES and (moves := list(board.legal_moves)):
            board.push(pick.choice(moves))
        games.append(list(board.move_stack))
    return games


def _pushes(games: list[Any], *, checked: bool = False) -> Work:
    """Replay games of chess from their moves; `checked`: test that each move is legal."""

    def push() -> int:
        for moves in games:
            board = chess.Board()
            for move in moves:
                if checked and not board.is_legal(move):
                    raise AssertionError(f"{move} is not legal")
                board.push(move)
        return sum(map(len, games))

    return push


def _folds(logs: list[Any], *, judged: bool = False) -> Work:
    """Fold the effective history of each log, decoded beforehand; `judged`: judge each act first.

    An irregular act is judged as irregular again.
    """
    ruleset = logs[0].ruleset
    histories = []
    for log in logs:
        steps: list[Any] = []
        for entry in (log.entries[version - 1] for version in log.effective()):
            if not of_log(type(entry.act)):
                act = encoding.stored_act(ruleset, encoding.body(entry.act))
                bodies = map(encoding.body, entry.consequences)
                drawn = encoding.stored_consequences(ruleset, bodies)
                steps.append((act, drawn, entry.irregular))
        histories.append((log.moments[0].state, steps))
    count = sum(1 + len(drawn) for _, steps in histories for _, drawn, _ in steps)

    def fold() -> int:
        for state, steps in histories:
            for act, drawn, code in steps:
                if judged and ruleset.judge(state, act).code != code:
                    raise AssertionError(f"{act} is not judged as it was")
                state = ruleset.evolve(state, act)
                for event in drawn:
                    state = ruleset.evolve(state, event)
        return count

    return fold


def _checks(logs: list[Any]) -> Work:
    """Judge and decide every act of each log again."""

    def check() -> int:
        for log in logs:
            if found := checking.check(log.ruleset, log.entries):
                raise AssertionError(str(found))
        return sum(1 + len(entry.consequences) for log in logs for entry in log.entries)

    return check


LONG = 1000  # events


def _long_match() -> Any:
    """Return a match by the full rulebook with at least LONG events."""
    ruleset = rules.get("zg")
    for seed in range(100):
        setup = bots.sample_setup(ruleset, seed, seats=8, options={"depth": "full"})
        log = bots.playout(ruleset, setup, seed)
        if sum(len(entry.events) for entry in log.entries) >= LONG:
            return log
    raise AssertionError("no match is long enough")


def _odds() -> Work:
    """Compute the odds of every end of one starter deck against another, with nothing cached."""
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


def _replays(logs: list[Any], *, digests: bool = True) -> Work:
    """Fold each log from the stored bodies, and check each entry's digest."""
    ruleset = logs[0].ruleset
    stored = [
        [
            (
                encoding.body(entry.act),
                [encoding.body(event) for event in entry.consequences],
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
                act = encoding.stored_act(ruleset, body)
                drawn = encoding.stored_consequences(ruleset, bodies)
                moment = timeline.append(Entry(version, act, drawn, on))
                if digests and timeline.digest(moment.state) != digest:
                    raise AssertionError(f"entry {version} does not replay")
                count += 1 + len(bodies)
        return count

    return replay


def _playouts(setups: list[Any]) -> Work:
    def play() -> int:
        for seed, setup in enumerate(setups):
            bots.playout(rules.get(setup.ruleset), setup, seed)
        return len(setups)

    return play
