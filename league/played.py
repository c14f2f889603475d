"""What is played at a table: its matches, and the result they add up to."""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, Literal, NamedTuple
from uuid import UUID

import msgspec

from league import desks
from league.models import WITHDRAWN, TableMatch, Tournament
from matches import log as logs
from matches.memory import MAX_LOGS, load_all
from matches.models import Log, Match
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


class Played(NamedTuple):
    """The result of a table's matches; `match` is the last one, `at` the versions of all."""

    result: Result
    match: Match
    at: str


@dataclass(frozen=True)
class PlayedTable:
    """A table of a round, and the matches opened for its entrants, in order.

    Those withdrawn are among its `matches`; the others, `counting`, alone make up its result.
    """

    tournament: Tournament
    desk: Desk
    round: int
    table: Table
    matches: Sequence[TableMatch]

    @cached_property
    def counting(self) -> list[TableMatch]:
        return [each for each in self.matches if not each.match.log.is_withdrawn]

    @property
    def under_way(self) -> Match | None:
        """Return the match under way, None if there is none."""
        last = [each.match for each in self.counting[-1:]]
        return next((match for match in last if match.log.status == Log.Status.OPEN), None)

    @property
    def next_game(self) -> int:
        """Return an unused number for the next game.

        Its parity decides who sits where: seats alternate over the games that count.
        """
        last = max((each.game for each in self.matches), default=0)
        return last + 1 + (last + len(self.counting)) % 2

    @property
    def goes_on(self) -> Literal["", "first", "under-way", "next"]:
        """Say how it goes on: with its first or next game or the one under way; "" if decided."""
        if self.under_way:
            return "under-way"
        if self.is_settled or self.result:  # the desk may not know the result yet
            return ""
        return "next" if self.counting else "first"

    @property
    def is_reported(self) -> bool:
        """Return whether its result is one that its matches reported."""
        reported = [each.reported for each in self.matches if each.reported is not None]
        return self.table.result in [msgspec.convert(each, Result) for each in reported]

    @property
    def is_settled(self) -> bool:
        """Return whether it has a result that no further game may change.

        One that its games reported lasts only as long as they add up to it: a corrected game may
        make another necessary.
        """
        if self.table.status != "settled" or self.desk.closed:
            return self.table.status in ("settled", "disputed")
        return not (self.counting and self.is_reported)

    @cached_property
    def result(self) -> Played | None:
        """Return the result that its matches add up to, None while they go on.

        Who first has all the games it takes has won: after a correction the other may have as many,
        and neither gains by winning more. In a bracket somebody has to win: another game follows
        while both have won as many.
        """
        players, stage = self.table.players, stage_at(self.desk, self.round)
        needed, whole, many = wins_needed(stage), _is_whole(self.tournament), len(players) > 2
        one_game = needed == 1 and stage.setup.format not in BRACKETS
        wins = dict.fromkeys(players, 0)
        drawn, last, versions = 0, None, list[str]()
        for each in self.counting:
            outcome, won, version = _ended(each.match)
            if outcome is None:
                return None
            versions.append(str(version))
            last = Played(Result(), each.match, " ".join(versions))
            if outcome.why == LOST_BY_ALL and (many or one_game):
                return last._replace(result=Result(lost=True))
            if many:
                return last._replace(result=_of_many(outcome))
            order = seated(players, each.game)
            winner = order[outcome.winners[0] - 1] if len(outcome.winners) == 1 else 0
            if whole:
                wins |= _games(stage, dict(zip(order, won, strict=False)), winner)
            elif winner:
                beaten = needed in wins.values() and wins[winner] < needed
                wins[winner] = min(wins[winner] + 1, needed - beaten)
            drawn += not winner and sum(wins.values()) < stage.setup.best_of
        if last is None or not _is_decided(stage, list(wins.values()), drawn, whole):
            return None
        return last._replace(result=Result(scores=tuple(wins.values()), drawn=drawn))


def played_at(tournament: Tournament, desk: Desk, number: int, table: Table) -> PlayedTable:
    """Return a table of a round with the matches opened for its entrants."""
    key = key_of(tournament, desk, table.players)
    found = tournament.matches.filter(round=number, table=table.number, players=key)
    matches = list(found.select_related("match__log"))
    return PlayedTable(tournament, desk, number, table, matches)


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
