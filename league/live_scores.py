"""How the matches being played at the tables of a round stand, as far as a reader may know."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from league.played import seated
from league.scene import Scene
from matches import cuts, selectors
from matches.models import Log, Match
from matches.seating import seat, with_json
from rules.desk.state import round_at

MINUTE = 60  # seconds


@dataclass(frozen=True)
class LiveScore:
    """How the match at a table stands: its headline, and for officials the time since its last act.

    `quiet` is in whole minutes, None for anybody else.
    """

    round: int
    table: int
    headline: str
    quiet: int | None

    @property
    def key(self) -> str:
        return f"{self.round}-{self.table}"


def live_scores(scene: Scene, number: int, table: int = 0) -> dict[tuple[int, int], LiveScore]:
    """Return how the matches at the tables of a round stand, or at one, by round and table.

    Nothing where results are held back, of a past version, and for who wants no results.
    """
    if scene.past or scene.results_off or scene.holds(number):
        return {}
    return {(number, each.table): each for each in _scores(scene, number, table)}


def _scores(scene: Scene, number: int, only: int) -> Iterator[LiveScore]:
    tables = [each for each in round_at(scene.desk, number).tables if each.status == "open"]
    at = {
        codes[-1]: table
        for table in tables
        if only in (0, table.number) and (codes := scene.codes_at(number, table.number))
    }
    for match in _matches(scene, list(at)):
        table = at[match.code]
        _name_entrants(scene, match, table.players)
        head = selectors.head_shown(scene.actor, match)
        if head.status == Log.Status.OPEN and head.headline:
            quiet = _minutes_since(match.last_act_at)
            yield LiveScore(number, table.number, head.headline, quiet)


def _name_entrants(scene: Scene, match: Match, entrants: Sequence[int]) -> None:
    """Let a match name its sides as its tournament does: krewes, characters, namesakes."""
    names = [scene.names[number] for number in seated(entrants, match.table.game)]
    match.cached_sides = [
        (label, name) for (label, _), name in zip(match.sides(), names, strict=True)
    ]


def _matches(scene: Scene, codes: Sequence[str]) -> list[Match]:
    """Return matches of a scene's tournament with what `head_shown` needs, in one query."""
    found = with_json(selectors.seen_by(scene.actor).filter(code__in=codes))
    found = selectors.with_last_act(found) if scene.is_official else found
    matches = cuts.move_each(found.select_related("log__public_line", "opener", "table"))
    for match in matches:
        seat(match)
        match.table.tournament = scene.tournament  # of which is asked who rules the match
    selectors.look_ahead(scene.actor, matches)
    return matches


def _minutes_since(at: datetime | None) -> int | None:
    return None if at is None else max(0, int((timezone.now() - at).total_seconds())) // MINUTE
