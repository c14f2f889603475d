"""The demo's small tournaments: most tables are played, each at a match of its own.

Four fight Z-G duels in the season: their spins are the season's. Everybody plays an evening in a
division of it, by results alone. Six play Z/X by its floor rules with lists they registered; at one
table time is called. Six play Zerpang! in two pods. A match that is over reports to its table by
itself, as any does.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid5

from django.utils import timezone

import rules
from deploy.demo import desk_bots, ownership, season
from deploy.demo.match_bots import play_out
from league import services as leagues
from league.divisions import division_table
from league.models import Division, Season, Tournament
from matches import decks, followers, services
from matches import log as logs
from matches.actors import Actor
from matches.models import Match, Player
from rules import bots
from rules.desk.state import Table

NAMESPACE = UUID("8d0c4b0e-6a43-4b53-9c0e-3f2b7a1c5d21")
SEATED = slice(1, 7)  # the people who play; the first runs it
DUELLISTS = slice(4)  # of them
ACTS_BEFORE_TIME = 60
ACTS_BEFORE_CALL = 24
LIFE = 4


def load(people: Sequence[Actor]) -> None:
    """Create what is missing of them; the first of the people runs them."""
    by, players = people[0], people[SEATED]
    held = Season.objects.filter(league=season.league_of(by)).first()
    _duels(by, players[DUELLISTS], held)
    if held is not None:
        _evenings(by, people[1:], held)
    zx = rules.get("zx")
    lists = [decks.written(zx, deck) for deck in decks.samples(zx).values()]
    swiss = _cup(
        by, "Harbour Swiss", "zx", [{"format": "swiss", "name": "Swiss"}],
        decks="required", decks_shown=True,
    )  # fmt: skip
    _drive(by, swiss, players, lists=lists, play=_zx)
    pods = {"format": "pods", "name": "Pods", "rounds": 2, "sizes": [3]}
    six = _cup(by, "Six at the Treasure", "zerpang", [pods], options={"deck": "demo-99"})
    _drive(by, six, players, play=_zerpang)


def _duels(by: Actor, players: Sequence[Actor], held: Season | None) -> None:
    """Play a Swiss of Z-G in the demo's season, if there is one."""
    swiss = {"format": "swiss", "name": "Swiss", "rounds": 2}
    cup = _cup(by, "Cavern Duels", "zg", [swiss], decks="required", decks_shown=True, season=held)
    gear = list(decks.samples(rules.get("zg")).values())
    _drive(by, cup, players, gear=gear, play=_zg)


def _evenings(by: Actor, players: Sequence[Actor], held: Season) -> None:
    """Play a tournament of each division, with the first half of the players in the first."""
    half = (len(players) + 1) // 2
    divisions = held.divisions.filter(name__in=season.DIVISIONS).order_by("level")
    for division, those in zip(divisions, (players[:half], players[half:]), strict=False):
        within = {"options": {"best_of": 3}, "season": held, "division": division}
        cup = _cup(by, f"Evening of the {division}", "score", [season.SWISS], **within)
        _drive(by, cup, those)
        _thank(by, division, those[-1].player)


def _thank(by: Actor, division: Division, helper: Player | None) -> None:
    """Give a helper who still plays in a division a point, if no points were given there yet."""
    playing = [row.player for row in division_table(division)]
    if helper is not None and helper in playing and not division.adjustments.exists():
        reason = "Brought the prizes."
        leagues.adjust(by=by, within=division, player=helper, points=1, reason=reason)


def _drive(by: Actor, cup: Tournament, players: Sequence[Actor], **more: Any) -> None:
    """Drive a tournament; a match that ended in an interrupted run reports first."""
    for table in cup.matches.all():
        followers.work(table.match_id)
    desk_bots.drive(by, cup, players, **more)
    followers.work(cup.pk)


def _cup(by: Actor, title: str, game: str, stages: list[dict[str, Any]], **more: Any) -> Tournament:
    def make(act_id: UUID) -> Tournament:
        this_hour = timezone.now().replace(minute=0, second=0, microsecond=0)
        return leagues.open_tournament(
            by=by,
            title=title,
            ruleset=game,
            stages=stages,
            starts_at=this_hour - timedelta(hours=3),
            act_id=act_id,
            **more,
        )

    return ownership.cup(by, ownership.editions(NAMESPACE, title), make)


def _zg(by: Actor, cup: Tournament, number: int, table: Table) -> None:
    """Play a table to its end, some cards spun by the server."""
    match = leagues.open_table(tournament=cup, by=by, number=number, table=table.number)
    play_out(match, by, 30 + 10 * number + table.number)
    followers.work(match.pk)


def _zx(by: Actor, cup: Tournament, number: int, table: Table) -> None:
    """Play the first table in full until time is called, the others by life totals alone."""
    match = leagues.open_table(tournament=cup, by=by, number=number, table=table.number)
    if number == table.number == 1:
        play_out(match, by, 11, ACTS_BEFORE_TIME)
        called = uuid5(cup.pk, "time of round 1")
        act = {"type": "time-called", "round": 1}
        leagues.record(tournament=cup, by=by, act_id=called, act=act)
        match.log.refresh_from_db()
        play_out(match, by, 12)
    else:
        _by_life(match, by, bots.Stream(f"{cup.title} {number} {table.number}"))
    followers.work(match.pk)


def _by_life(match: Match, by: Actor, pick: bots.Stream) -> None:
    """Record life totals as they fall, until one side has none."""
    acts: list[dict[str, Any]] = [{"type": "options-changed", "depth": "score"}]
    left = [LIFE, LIFE]
    while all(left):
        side = pick(2)
        left[side] -= 1
        acts.append({"type": "life-called", "seat": side + 1, "life": left[side]})
    _record(match, by, acts)


def _zerpang(by: Actor, cup: Tournament, number: int, table: Table) -> None:
    """Play the beginning of a pod in full, then record a winner."""
    match = leagues.open_table(tournament=cup, by=by, number=number, table=table.number)
    play_out(match, by, 20 + number, ACTS_BEFORE_CALL)
    pick = bots.Stream(f"{cup.title} {number} {table.number}")
    winner = {"type": "won-called", "seat": 1 + pick(len(table.players)), "why": "by-call"}
    _record(match, by, [{"type": "options-changed", "depth": "score"}, winner])
    followers.work(match.pk)


def _record(match: Match, by: Actor, acts: Sequence[dict[str, Any]]) -> None:
    """Record acts one after another, each under an id that a second run derives again."""
    for place, act in enumerate(acts, 1):
        act_id = uuid5(match.pk, f"told {place}")
        if logs.version_of(match.log, act_id) is None:
            services.record(match=match, by=by, act_id=act_id, act=act)
            match.log.refresh_from_db()
