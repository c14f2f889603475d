"""Spins and seats over a season."""

from datetime import date
from uuid import uuid4

import pytest
from django.test import Client

import rules
from league import desks as at_desk
from league import fairness, services
from league.models import Season, TableMatch
from matches import cuts, decks, followers
from matches.actors import NOBODY, Actor
from matches.draws import Tally
from matches.services import SeatRequest
from rules.desk.formats.pods import lean_of
from tests import factories
from tests.api.client import Api
from tests.league import desks

pytestmark = pytest.mark.django_db

PODS = {"format": "pods", "rounds": 1, "best_of": 1, "tiebreaks": [], "sizes": [4]}


def test_who_sat_first_in_one_tournament_of_a_season_sits_later_in_the_next() -> None:
    by = factories.actor()
    league = desks.league(by)
    season = services.open_season(
        by=by, league=league, name="Spring", starts_on=date(2026, 3, 1), ends_on=date(2026, 6, 1)
    )
    first, second, other = (
        desks.tournament(by, league=league, season=each) for each in (season, season, None)
    )
    entries = desks.entered(first, 4)
    desks.start(first, **PODS)
    desks.paired(first)
    followers.work(first.pk)
    order = at_desk.desk_of(first).rounds[0].tables[0].players
    for tournament in (second, other):
        for entry in entries:
            services.enter(tournament=tournament, by=by, act_id=uuid4(), player=entry.player)

    people = desks.desk(second).people
    assert {people[number - 1].seats.index(1) + 1 for number in order} == {1, 2, 3, 4}
    assert people[order[0] - 1].seats == (1,)
    assert people[order[0] - 1].lean == lean_of(1, 4)
    assert not any(person.seats for person in desks.desk(other).people)
    assert len(people) == 4
    retry = uuid4()
    fifth = services.enter(tournament=second, by=by, act_id=retry, player=by.player)
    assert services.enter(tournament=second, by=by, act_id=retry, player=by.player) == fifth
    desks.act(second, "dropped", entrant=5)
    desks.start(second, **PODS)
    desks.paired(second)
    again = desks.desk(second).rounds[0].tables[0].players
    assert all(one != two for one, two in zip(order, again, strict=True))


@pytest.mark.parametrize(
    ("absent", "sat"),
    [((), [(1,), (0, 1), (0, 0, 1), (0, 0, 0, 1)]), ((2,), [(1,), (0, 1), (), (0, 0, 1)])],
)
def test_who_did_not_come_had_no_seat_and_the_others_closed_up(
    absent: tuple[int, ...], sat: list[tuple[int, ...]]
) -> None:
    by = factories.actor()
    season = season_of(by)
    cups = [desks.tournament(by, league=season.league, season=season) for _ in range(2)]
    entries = desks.entered(cups[0], 4)
    desks.start(cups[0], **PODS)
    desks.paired(cups[0])
    order = at_desk.desk_of(cups[0]).rounds[0].tables[0].players
    scores, gone = [3, 2, 0, 1], [order[at] for at in absent]
    desks.act(cups[0], "result-reported", round=1, table=1, scores=scores, absent=gone)
    followers.work(cups[0].pk)
    had = [fairness.seats_so_far(cups[1], entries[number - 1].player) for number in order]
    assert had == [(seats, lean_of(len(seats), 4 - len(gone)) if seats else 0) for seats in sat]


def test_nobody_and_a_tournament_without_a_season_have_no_past() -> None:
    assert fairness.seats_so_far(desks.tournament(), None) == ((), 0)


def season_of(by: Actor) -> Season:
    return services.open_season(
        by=by,
        league=desks.league(by),
        name="Spring",
        starts_on=date(2026, 3, 1),
        ends_on=date(2026, 6, 1),
    )


def spun(by: Actor, season: Season, *ends: str, held: bool = False) -> None:
    """Play a match of a season in which the table spun these ends."""
    samples = list(decks.samples(rules.get("zg")).values())
    match = factories.match(game="zg", seats=[SeatRequest(deck=each) for each in samples[:2]])
    if held:
        cuts.change(match, held=True)
    for end in ends:
        attack = {"seat": 1, "card": "Ridge Helm", "end": "a", "foe": 2, "target": "Tide Shield"}
        factories.record(match, {"type": "attacked", **attack, "target_end": end}, irregular=True)
    followers.work(match.pk)
    cup = desks.tournament(by, season=season, league=season.league)
    TableMatch.objects.create(tournament=cup, round=1, table=1, players="1-2", match=match)


def test_spins_are_added_up_over_a_season(client: Client) -> None:
    by = factories.actor()
    season = season_of(by)
    spun(by, season, "a", "a", "b")
    spun(by, season, "a")
    spun(by, season, "b", held=True)
    assert fairness.spins_of(NOBODY, season) == [Tally("spin", "table", {"a": 3, "b": 1})]
    page = client.get(f"/seasons/{season.pk}/").content.decode()
    assert "of 100 fair runs, about 62 are at least this uneven" in page
    (told,) = Api().get(f"seasons/{season.pk}/").json()["spins"]
    assert (told["counts"], told["as_uneven"]) == ({"a": 3, "b": 1}, 62)
