"""The demo's small tournaments that are played at their tables."""

from datetime import date

import pytest

from deploy.demo import small_tournaments
from deploy.demo.season import DIVISIONS, LEAGUE
from league import divisions, fairness
from league import services as leagues
from league.models import Tournament
from tests import factories
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]  # as the demo is

DAY = date(2026, 5, 1)


def test_all_are_played_out_at_their_tables_and_a_second_run_adds_nothing() -> None:
    people = [factories.actor(name) for name in ("organiser", *"abcdef")]
    league = leagues.found_league(by=people[0], name=LEAGUE)
    season = leagues.open_season(
        by=people[0], league=league, name="Season", starts_on=DAY, ends_on=DAY, divisions=DIVISIONS
    )
    season.divisions.update(up=1, down=1, play_off=1)
    small_tournaments.load(people)
    cups = [Tournament.objects.get(ruleset=f"{game}@1") for game in ("zg", "zx", "zerpang")]
    heads = [desks.desk(cup) and cup.log.head_version for cup in cups]
    swiss, six = cups[1:]

    assert [len(each.tables) for each in desks.desk(swiss).rounds] == [3, 3, 3]
    assert [len(table.players) for table in desks.desk(six).rounds[0].tables] == [3, 3]
    assert all(desks.desk(cup).closed for cup in cups)
    assert [cup.matches.count() for cup in cups] == [4, 9, 4]
    assert {each.source for each in fairness.spins_of(people[0], season)} == {"table", "site"}
    timed = swiss.matches.get(round=1, table=1).match
    assert timed.log.events.filter(type="time-called").exists()
    assert timed.log.events.filter(type="life-compared").count() == 1
    assert all(not entry.deck_problems and entry.deck for entry in swiss.entries.all())

    tables = divisions.division_tables(season)
    moves = [[row.moves for row in rows] for _, rows in tables]
    assert moves == [["", "plays-on", "down"], ["up", "plays-up", ""]]

    upper, lower = (division for division, _ in tables)
    divisions.place(by=people[0], division=lower, player=upper.adjustments.get().player)
    small_tournaments.load(people)
    assert [each.adjustments.count() for each in (upper, lower)] == [1, 1]
    for cup in cups:
        cup.log.refresh_from_db()
    assert [cup.log.head_version for cup in cups] == heads
