"""What is played at a table: its matches, and the result they add up to."""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from league import desks
from league.models import WITHDRAWN, TableMatch, Tournament
from matches import log as logs
from matches.memory import MAX_LOGS, load_all
from matches.models import Match
from rules.capabilities import SupportsGames
from rules.desk.state import BRACKETS, Desk, Result, Stage, Table, stage_at, table_of
from rules.desk.worth import wins_needed
from rules.ruleset import LOST_BY_ALL, Outcome

MAX_ENDS = 10_000  # cached, a few MB per process


def key_of(tournament: Tournament, desk: Desk, players: Sequence[int]) -> str:
    """Return the entrants of a table as text, in seat order: by number, if these say who they are.

    After an entry was taken back its number may be somebody else's. Then a digest of who is meant
    is added, so that no match of the former entrants is taken for one of theirs.
    """
    numbers = "-".join(map(str, players))
    first = desks.first_refs(tournament)
    refs = [desk.people[number - 1].ref for number in players]
    if refs == [first.get(number) for number in players]:
        return numbers
    return f"{numbers} {hashlib.sha256(msgspec.json.encode(refs)).hexdigest()[:12]}"


def table_with(
    tournament: Tournament, desk: Desk, number: int, table: int, key: str
) -> Table | None:
    """Return a table of a round if the entrants of a key, see `key_of`, sit there; else None."""
    found = table_of(desk, number, table)
    return found if found and key_of(tournament, desk, found.players) == key else None


Codes = dict[tuple[int, int, str], list[str]]
"""The codes of matches not withdrawn, in order, by round, table and `key_of` its entrants."""


def codes_of(tournaments: Iterable[Tournament]) -> dict[UUID, Codes]:
    """Return the codes of the matches at the tables of tournaments, in one query."""
    found: dict[UUID, Codes] = {each.pk: {} for each in tournaments}
    rows = TableMatch.objects.filter(tournament__in=list(found)).exclude(WITHDRAWN)
    columns = ("tournament", "round", "table", "players", "match__code")
    for tournament, number, table, players, code in rows.values_list(*columns):
        found[tournament].setdefault((number, table, players), []).append(code)
    return found


def seated(players: Sequence[int], game: int) -> tuple[int, ...]:
    """Return the entrants in seat order for a game: two swap seats from game to game."""
    turned = len(players) == 2 and game % 2 == 0
    return tuple(reversed(players)) if turned else tuple(players)


def matches_of(tournament: Tournament, desk: Desk, number: int, table: Table) -> list[TableMatch]:
    """Return the matches opened for a table's entrants, in order, including withdrawn ones."""
    found = tournament.matches.select_related("match__log").filter(
        round=number, table=table.number, players=key_of(tournament, desk, table.players)
    )
    return list(found)


def counting(matches: Iterable[TableMatch]) -> list[TableMatch]:
    """Return the matches not withdrawn, which alone make up the result."""
    return [each for each in matches if not each.match.log.is_withdrawn]


def was_reported(table: Table, matches: Iterable[TableMatch]) -> bool:
    """Return whether the result of a table is one that its matches reported."""
    reported = [each.reported for each in matches if each.reported is not None]
    return table.result in [msgspec.convert(each, Result) for each in reported]


class Played(NamedTuple):
    """The result of a table's matches; `match` is the last one, `at` the versions of all."""

    result: Result
    match: Match
    at: str


def result_of_matches(
    tournament: Tournament, desk: Desk, number: int, table: Table, matches: Iterable[TableMatch]
) -> Played | None:
    """Return the result that a table's matches add up to, None while they go on.

    Who first has all the games it takes has won: after a correction the other may have as many, and
    neither gains by winning more. In a bracket somebody has to win: another game follows while both
    have won as many.
    """
    stage = stage_at(desk, number)
    needed = wins_needed(stage)
    one_game = needed == 1 and stage.setup.format not in BRACKETS
    wins = dict.fromkeys(table.players, 0)
    drawn, last, versions = 0, None, list[str]()
    for each in counting(matches):
        outcome, won, version = _ended(each.match)
        if outcome is None:
            return None
        versions.append(str(version))
        last = Played(Result(), each.match, " ".join(versions))
        order = seated(table.players, each.game)
        many = len(table.players) > 2
        if outcome.why == LOST_BY_ALL and (many or one_game):
            return last._replace(result=Result(lost=True))
        if many:
            return last._replace(result=_of_many(outcome))
        winner = order[outcome.winners[0] - 1] if len(outcome.winners) == 1 else 0
        if _is_whole(tournament):
            wins |= _games(stage, dict(zip(order, won, strict=False)), winner)
        elif winner:
            beaten = needed in wins.values() and wins[winner] < needed
            wins[winner] = min(wins[winner] + 1, needed - beaten)
        drawn += not winner and sum(wins.values()) < stage.setup.best_of
    if last is None or not _is_decided(stage, list(wins.values()), drawn, _is_whole(tournament)):
        return None
    return last._replace(result=Result(scores=tuple(wins.values()), drawn=drawn))


def _games(stage: Stage, won: dict[int, int], winner: int) -> dict[int, int]:
    """Return the games each entrant won in a whole match; who won it has as many as it takes."""
    needed = wins_needed(stage)
    games = {player: min(each, needed - 1) for player, each in won.items()}
    return {**games, winner: needed} if winner else games


End = tuple[Outcome | None, tuple[int, ...]]
"""The outcome of a match, and the games each seat won if it has several."""

_ends: OrderedDict[str, End] = OrderedDict()
"""How matches ended by the hashes of their heads, which cover the whole log."""
_lock = Lock()


def read_ends(matches: Iterable[Match]) -> None:
    """Cache how matches ended, each folded once: there may be more than stay in memory."""
    unread = [match for match in matches if match.log.head_hash not in _ends]
    for start in range(0, len(unread), MAX_LOGS):
        some = unread[start : start + MAX_LOGS]
        load_all(match.log for match in some)
        for match in some:
            _ended(match)


def _ended(match: Match) -> tuple[Outcome | None, tuple[int, ...], int]:
    at, hashed = match.log.head_version, match.log.head_hash
    with _lock:
        if hashed in _ends:
            _ends.move_to_end(hashed)
            return *_ends[hashed], at
    found = logs.load(match.log)
    game, state = found.ruleset, found.at(at).state
    end: End = game.outcome(state), game.games_won(state) if isinstance(game, SupportsGames) else ()
    with _lock:
        _ends[hashed] = end
        while len(_ends) > MAX_ENDS:
            _ends.popitem(last=False)
    return *end, at


def _is_whole(tournament: Tournament) -> bool:
    """Return whether one match holds all games of a table: its options say the best of how many."""
    options: dict[str, Any] = msgspec.json.decode(tournament.options)
    return int(options.get("best_of", 1)) > 1


def _is_decided(stage: Stage, wins: Sequence[int], drawn: int, whole: bool) -> bool:
    need, played = wins_needed(stage), sum(wins) + drawn
    if stage.setup.format in BRACKETS and min(wins) == max(wins):
        return False
    return max(wins) >= need or played >= stage.setup.best_of or (whole and played > 0)


def _of_many(outcome: Outcome) -> Result:
    """Return places as scores: a better place scores higher, equal places the same."""
    return Result(scores=tuple(len(outcome.places) - place for place in outcome.places))
