"""The consequences of an act: when a game ends, when the match does, and what each counts."""

import msgspec

from rules.ruleset import LOST_BY_ALL, Act, Event, Outcome, Seat
from rules.score.acts import (
    AllLost,
    AllWon,
    Conceded,
    GameClosed,
    GameDrawn,
    GameEnded,
    GameWon,
    MatchEnded,
    Options,
    PointsScored,
    Ruled,
    SeatsPlaced,
)
from rules.score.state import Score, Tally, first, next_place, placed, ranked, seats_in


def match_end(score: Score, act: Act) -> MatchEnded | None:
    """End the match at once, by a ruling or because no opponent is left."""
    if not isinstance(act, Ruled | Conceded):
        return None
    everyone = tuple(range(1, len(score.tallies) + 1))
    if isinstance(act, Ruled):
        places = ranked([int(seat in act.winners) for seat in everyone], everyone)
        why = LOST_BY_ALL if act.result == "all-lost" else "by-ruling"
        return MatchEnded(places=places, why=why, winners=act.winners)
    left = seats_in(score)
    if len(left) <= 1:
        places = ranked([0] * len(everyone), left)
        why = "by-concession" if left else LOST_BY_ALL
        return MatchEnded(places=places, why=why, winners=left)
    return None


def game_end(score: Score, act: Act, options: Options) -> GameEnded | None:
    """End the current game if this act ended it; scoring points does not."""
    if isinstance(act, PointsScored):
        return None
    players = seats_in(score)
    tallies = score.tallies
    match act:
        case GameWon(seat=seat):
            values = [int(other == seat) for other in range(1, len(tallies) + 1)]
        case GameDrawn() | AllLost() | AllWon():
            values = [0] * len(tallies)
        case GameClosed():
            sign = -1 if options.low_wins else 1
            values = [sign * tally.points for tally in tallies]
        case SeatsPlaced() | Conceded() if placed(score) >= len(players) - 1:
            values = [-(tally.place or len(tallies)) for tally in tallies]
        case _:
            return None
    places = ranked(values, players)
    lost = isinstance(act, AllLost)
    winners = players if isinstance(act, AllWon) else () if lost else first(places, players)
    return GameEnded(game=score.game, places=places, winners=winners, lost=lost)


def series_end(score: Score, last: GameEnded, options: Options) -> MatchEnded | None:
    """End the match if its games decide it; `score` already counts the last game."""
    wins = [tally.wins for tally in score.tallies]
    played = score.game - 1
    if played < options.best_of and max(wins) <= options.best_of // 2:
        return None
    players = seats_in(score)
    places = last.places if options.best_of == 1 else ranked(wins, players)
    if score.won == max(wins):  # no game was won by some seats only
        if score.won > score.lost:
            return MatchEnded(places=places, why="by-games", winners=players)
        if score.lost == played or 0 < score.won < score.lost:
            return MatchEnded(places=places, why=LOST_BY_ALL)
    winners = first(places, players)
    return MatchEnded(places=places, why="by-games" if winners else "by-draw", winners=winners)


def evolve(score: Score, event: Event) -> Score:
    replace = msgspec.structs.replace
    match event:
        case PointsScored(seat=seat, points=points):
            tally = score.tallies[seat - 1]
            return _with(score, seat, replace(tally, points=tally.points + points))
        case Conceded(seat=seat):
            return _with(score, seat, replace(score.tallies[seat - 1], out=True))
        case SeatsPlaced(seats=seats):
            place = next_place(score)
            for seat in seats:
                score = _with(score, seat, replace(score.tallies[seat - 1], place=place))
            return score
        case GameEnded():
            return count_game(score, event)
        case MatchEnded(places=places, winners=winners, why=why):
            return replace(score, outcome=Outcome(places, winners, why))
    return score


def _with(score: Score, seat: Seat, tally: Tally) -> Score:
    tallies = (*score.tallies[: seat - 1], tally, *score.tallies[seat:])
    return msgspec.structs.replace(score, tallies=tallies)


def count_game(score: Score, ended: GameEnded) -> Score:
    tallies = tuple(
        msgspec.structs.replace(
            tally,
            wins=tally.wins + (seat in ended.winners),
            total=tally.total + tally.points,
            points=0,
            place=0,
        )
        for seat, tally in enumerate(score.tallies, 1)
    )
    won = score.won + (ended.winners == seats_in(score))
    return Score(tallies, score.game + 1, score.lost + ended.lost, won, score.outcome)
