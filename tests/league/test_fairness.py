"""Seats over a season."""

from datetime import date
from uuid import uuid4

import pytest

from league import desks as at_desk
from league import fairness, services
from matches import followers
from rules.desk.formats.pods import lean_of
from tests import factories
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


def test_nobody_and_a_tournament_without_a_season_have_no_past() -> None:
    assert fairness.seats_so_far(desks.tournament(), None) == ((), 0)
