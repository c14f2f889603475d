"""The demo's small tournaments of the other games, played at their tables."""

import pytest

from deploy import demo, others
from league.models import Tournament
from tests import factories
from tests.league import desks

pytestmark = pytest.mark.django_db


def test_both_are_played_out_at_their_tables_and_a_second_run_adds_nothing() -> None:
    people = [factories.actor(name) for name in ("organiser", *"abcdef")]
    others.load(people, demo.play_out)
    swiss, six = (Tournament.objects.get(ruleset=f"{game}@1") for game in ("zx", "zerpang"))
    heads = [desks.desk(cup) and cup.log.head_version for cup in (swiss, six)]

    assert [len(each.tables) for each in desks.desk(swiss).rounds] == [3, 3, 3]
    assert [len(table.players) for table in desks.desk(six).rounds[0].tables] == [3, 3]
    assert desks.desk(swiss).closed
    assert desks.desk(six).closed
    assert (swiss.matches.count(), six.matches.count()) == (9, 4)
    timed = swiss.matches.get(round=1, table=1).match
    assert timed.log.events.filter(type="time-called").exists()
    assert timed.log.events.filter(type="life-compared").count() == 1
    assert all(not entry.deck_problems and entry.deck for entry in swiss.entries.all())

    others.load(people, demo.play_out)
    for cup in (swiss, six):
        cup.log.refresh_from_db()
    assert [cup.log.head_version for cup in (swiss, six)] == heads
