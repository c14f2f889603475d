"""`score@1`: results only, for any game.

A match is one game or the best of several. A game is won, drawn, lost or won by all, decided by its
points, or by placing the seats from the first down. Conceding ends the match for one seat, a ruling
for everybody.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from rules import texts
from rules.defaults import Defaults
from rules.ruleset import (
    LEGAL,
    Act,
    Audience,
    Event,
    Offer,
    Opened,
    Outcome,
    Pick,
    Problem,
    Seat,
    SetupError,
    Verdict,
    event_type,
    impossible,
)
from rules.score.acts import (
    ACTS,
    CONSEQUENCES,
    GameEnded,
    MatchEnded,
    Options,
    PointsScored,
    Ruled,
    ScoreOpened,
    ScoreSeat,
)
from rules.score.record import objection, offers
from rules.score.results import count_game, evolve, game_end, match_end, series_end
from rules.score.state import Score, State, Tally


def counts_games(state: State) -> bool:
    """Tell whether the score is in games: for a single game only if it ended without points."""
    if state.setup.options.best_of > 1:
        return True
    scored = any(tally.total or tally.points for tally in state.score.tallies)
    return state.score.outcome is not None and not scored


def figures(state: State) -> list[int]:
    """Return the score as one number per seat."""
    if counts_games(state):
        return [tally.wins for tally in state.score.tallies]
    return [tally.total + tally.points for tally in state.score.tallies]


def _code_of(event: Event) -> str:
    """Return the code of an event's text; a single point or a game without winners has its own."""
    match event:
        case PointsScored(points=1 | -1):
            return "points-scored.one"
        case GameEnded(winners=(), lost=lost):
            return "game-ended.lost" if lost else "game-ended.drawn"
        case MatchEnded(winners=(), why=why):
            return "match-ended.by-draw" if why == "by-draw" else "match-ended.none"
    return event_type(event)


class ScoreRuleset(Defaults):
    key = "score"
    seats = range(1, 9)
    opened: type[Opened] = ScoreOpened
    options_type: type[msgspec.Struct] = Options
    results_only = True
    acts = ACTS
    consequences = CONSEQUENCES
    texts = texts.load("rules.score")
    rulings: tuple[type[Act], ...] = (Ruled,)
    bot_weights: Mapping[str, int] = {
        "points-scored": 600,
        "seats-placed": 30,
        "game-drawn": 10,
        "all-lost": 5,
        "all-won": 5,
        "conceded": 3,
        "ruled": 2,
    }

    @property
    def name(self) -> str:
        return self.texts["ruleset.name"]

    def start(self, setup: ScoreOpened) -> State:
        if len(setup.seats) not in self.seats:
            raise SetupError(Problem("seat-count", params={"seats": len(setup.seats)}))
        return State(setup, Score(tuple(Tally() for _ in setup.seats)))

    def options(self, state: State, seat: Seat | None = None) -> tuple[Offer, ...]:
        if state.score.outcome:
            return ()
        found = offers(state.score)
        return found if seat is None else tuple(offer for offer in found if offer.seat == seat)

    def judge(self, state: State, act: Act) -> Verdict:
        """Refuse an act without meaning, object to one against the rules."""
        if state.score.outcome:
            return impossible("match-over")
        return objection(state.score, act) or LEGAL

    def decide(self, state: State, act: Act) -> tuple[GameEnded | MatchEnded, ...]:
        score = evolve(state.score, act)
        ended = match_end(score, act) or game_end(score, act, state.setup.options)
        if isinstance(ended, GameEnded):
            after = count_game(score, ended)
            decided = series_end(after, ended, state.setup.options)
            return (ended, decided) if decided else (ended,)
        return (ended,) if ended else ()

    def evolve(self, state: State, event: Event) -> State:
        return State(state.setup, evolve(state.score, event))

    def outcome(self, state: State) -> Outcome | None:
        return state.score.outcome

    def games_won(self, state: State) -> tuple[int, ...]:
        return tuple(tally.wins for tally in state.score.tallies)

    def view(self, state: State, audience: Audience) -> dict[str, Any]:
        """Everybody sees everything."""
        score = state.score
        rows = zip(state.setup.seats, score.tallies, figures(state), strict=True)
        sides = [
            {
                "seat": seat,
                "label": side.label,
                **msgspec.structs.asdict(tally),
                "figure": figure,
            }
            for seat, (side, tally, figure) in enumerate(rows, 1)
        ]
        outcome = msgspec.to_builtins(score.outcome)
        return {
            "game": score.game,
            "best_of": state.setup.options.best_of,
            "counts": "games" if counts_games(state) else "points",
            "seats": sides,
            "outcome": outcome,
        }

    def dump(self, state: State) -> bytes:
        return msgspec.json.encode(state.score)

    def load(self, setup: ScoreOpened, data: bytes) -> State:
        return State(setup, msgspec.json.decode(data, type=Score))

    def tell(self, event: Event, state: State, names: Mapping[Seat, str] | None = None) -> str:
        called = texts.names_of(state.setup, names)
        params = msgspec.structs.asdict(event)
        return texts.sentence(self.texts, _code_of(event), params, called)

    def headline(self, state: State, names: Mapping[Seat, str] | None = None) -> str:
        """Return each side's score; of a series the games, and the points of the one under way."""
        called = texts.names_of(state.setup, names)
        told = ", ".join(f"{called[seat]} {score}" for seat, score in enumerate(figures(state), 1))
        points = [tally.points for tally in state.score.tallies]
        if state.score.outcome or not counts_games(state) or not any(points):
            return told
        scored = "\u00a0–\u00a0".join(map(str, points))
        game = self.texts["headline.game"].format(game=state.score.game, points=scored)
        return f"{told} · {game}"

    def sample_setup(
        self, pick: Pick, seats: int | None = None, options: Mapping[str, Any] | None = None
    ) -> ScoreOpened:
        chosen = {"best_of": 1 + 2 * pick(3), "low_wins": pick(4) == 0} | dict(options or {})
        count = seats or self.seats[pick(len(self.seats))]
        return ScoreOpened(
            ruleset="score@1",
            options=msgspec.convert(chosen, Options),
            seats=tuple(ScoreSeat(label=f"Side {seat}") for seat in range(1, count + 1)),
        )
