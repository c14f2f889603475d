"""Tournaments for tests, created and run through the services, as by the site."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

from django.test import Client
from django.utils import timezone

from league import desks, services
from league.models import Circuit, Division, Entry, League, Round, Standing, Tournament
from matches.actors import Actor
from matches.log import Receipt
from matches.models import Player
from rules.desk.state import Desk, Result, Table
from tests import factories

SWISS = {"format": "swiss", "rounds": 3, "best_of": 3, "tiebreaks": ["omw", "gw", "ogw"]}

BESIDE = ("note", "act_id", "after", "irregular")
Scored = Callable[[Table], tuple[int, ...]]


def league(by: Actor | None = None, name: str = "Local league") -> League:
    return services.found_league(by=by or factories.actor(), name=name)


def tournament(by: Actor | None = None, **details: Any) -> Tournament:
    """Return a new tournament of the game `score`."""
    details = {"title": "Cup", "ruleset": "score", "stages": [SWISS], **details}
    return services.open_tournament(by=by or factories.actor(), **details)


def organiser(tournament: Tournament) -> Actor:
    assert tournament.opener is not None
    return Actor(tournament.opener.user, tournament.opener)


def entered(tournament: Tournament, count: int) -> list[Entry]:
    """Enter guests and return their entries."""
    by = organiser(tournament)
    return [
        services.enter(tournament=tournament, by=by, act_id=uuid4(), name=f"Guest {number}")
        for number in range(1, count + 1)
    ]


def act(tournament: Tournament, kind: str, by: Actor | None = None, **fields: Any) -> Receipt:
    """Record an act at a desk, as its organiser unless `by` is given."""
    beside = {name: fields.pop(name) for name in BESIDE if name in fields}
    beside.setdefault("act_id", uuid4())
    who = by or organiser(tournament)
    sent = {"type": kind, **fields}
    return services.record(tournament=tournament, by=who, act=sent, **beside)


def start(tournament: Tournament, **settings: Any) -> Receipt:
    return act(tournament, "stage-started", **{**SWISS, "seed": 7, **settings})


def paired(tournament: Tournament, seed: int = 7) -> Receipt:
    """Pair the next round and publish it."""
    receipt = services.pair(
        tournament=tournament, by=organiser(tournament), act_id=uuid4(), seed=seed
    )
    act(tournament, "round-published", round=len(desk(tournament).rounds))
    return receipt


def playing(count: int = 2) -> tuple[Tournament, list[Actor]]:
    """Return a tournament in its first round, and the actors who entered it themselves."""
    cup, players = tournament(), [factories.actor() for _ in range(count)]
    for player in players:
        services.enter(tournament=cup, by=player, act_id=uuid4())
    start(cup)
    paired(cup)
    return cup, players


def desk(tournament: Tournament) -> Desk:
    tournament.log.refresh_from_db()
    return desks.desk_of(tournament)


def table_of(tournament: Tournament, entrant: int) -> int:
    """Return the number of an entrant's table in the latest round."""
    tables = desk(tournament).rounds[-1].tables
    return next(table.number for table in tables if entrant in table.players)


def result_at(tournament: Tournament, number: int, table: int) -> Result:
    """Return the result of a table in a round, which must have one."""
    found = desk(tournament).rounds[number - 1].tables[table - 1].result
    assert found is not None
    return found


def first_wins(table: Table) -> tuple[int, ...]:
    """Return the result in which the lower number wins two games to none."""
    if len(table.players) == 2:
        return (2, 0) if table.players[0] < table.players[1] else (0, 2)
    return tuple(-player + max(table.players) for player in table.players)


def play(tournament: Tournament, result: Scored = first_wins, tables: Sequence[int] = ()) -> None:
    """Report the open round's tables at the desk and close it; with `tables` only report those."""
    number = len(desk(tournament).rounds)
    for table in desk(tournament).rounds[-1].tables:
        if table.status == "open" and (not tables or table.number in tables):
            scores = list(result(table))
            mine = desks.number_for(organiser(tournament), tournament, desk(tournament))
            by = {"by": mine} if mine in table.players else {}
            where = {"round": number, "table": table.number, "scores": scores}
            services.record(
                tournament=tournament,
                by=organiser(tournament),
                act_id=uuid4(),
                act={"type": "result-reported", **where, **by},
            )
    if not tables:
        act(tournament, "round-closed", round=number)


def played_out(tournament: Tournament, players: int = 4, rounds: int = 2) -> Tournament:
    """Play a Swiss tournament to its close, the lower number always winning."""
    entered(tournament, players)
    start(tournament, rounds=rounds)
    for _ in range(rounds):
        paired(tournament)
        play(tournament)
    act(tournament, "tournament-closed")
    return tournament


def stand(within: Division | Circuit | None, players: Sequence[Player]) -> Tournament:
    """Let players end a tournament in this order without playing it; it counts there, if given."""
    cup = tournament(title="Stood")
    rows = Tournament.objects.filter(pk=cup.pk)
    rows.update(closed_at=timezone.now())
    if isinstance(within, Division):
        rows.update(division=within)
    elif within:
        order = within.qualifiers.count() + 1
        within.qualifiers.create(tournament=cup, order=order)
        Round.objects.create(tournament=cup, number=1)
    for place, player in enumerate(players, 1):
        entry = Entry.objects.create(tournament=cup, player=player)
        Standing.objects.create(tournament=cup, entry=entry, round=0, place=place)
    cup.refresh_from_db()
    return cup


def due(client: Client, cup: Tournament) -> str:
    """Return what the tournament's console shows as due."""
    page = client.get(f"/tournaments/{cup.code}/console/").content.decode()
    return page.partition('id="due"')[2].partition("</section>")[0]
