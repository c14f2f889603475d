"""What home lists is what its reader may see, whoever they are, compiled once or not."""

from dataclasses import replace
from typing import Any

import pytest

from league.models import Role, TableMatch
from matches import selectors, services
from matches.actors import NOBODY, Actor
from matches.models import Log, Match
from matches.newest import ENDED, LIVE, newest
from tests import factories
from tests.league import desks

pytestmark = pytest.mark.django_db

WON = {"type": "game-won", "seat": 2}


def ended(**details: Any) -> Match:
    """Return a match that has ended."""
    match = factories.match(**details)
    factories.record(match, WON)
    return match


@pytest.fixture
def readers() -> dict[str, Actor]:
    """Make a site with matches of every visibility, and return readers of every kind."""
    made = factories.cast(["somebody", "opener", "official", "judge", "site"])
    for build in (factories.played, ended):
        for details in ({}, {"held": True}, {"delay": 600}, {"visibility": "table"}):
            build(**details)
            build(by=made["opener"], **details)
            build(**details).officials.add(made["official"].player)
    services.withdraw(match=ended(), by=made["site"])
    tournament = desks.tournament()
    tournament.staff.create(player=made["judge"].player, role=Role.JUDGE)
    for number, match in enumerate([factories.match(visibility="table"), ended(held=True)]):
        TableMatch.objects.create(
            tournament=tournament, round=1, table=number, players=f"{number}-9", match=match
        )
    kept = Match.objects.filter(visibility="table").first()
    assert kept is not None
    return {
        "visitor": NOBODY,
        "an account without a player": Actor(made["somebody"].user),
        "a seat link": Actor(seats=frozenset([(kept.pk, 1)])),
        "results off": Actor(results_off=True),
        "player, results off": replace(made["opener"], results_off=True),
        **made,
    }


def test_everybody_is_listed_what_they_may_see(readers: dict[str, Actor]) -> None:
    told = {}
    for name, reader in readers.items():
        seen = selectors.matches_for(reader)
        live = selectors.begun_first(selectors.of_status(seen, Log.Status.OPEN))[:LIVE]
        last = selectors.last_ended(seen, ENDED)
        found = newest(reader)
        assert [[each.pk for each in each_list] for each_list in found] == [
            [each.pk for each in live],
            [each.pk for each in last],
        ], name
        assert [_shown(reader, each) for each in found] == [
            _shown(reader, list(live)),
            _shown(reader, list(last)),
        ], name
        told[name] = tuple(tuple(each.pk for each in each_list) for each_list in found)
    assert told["visitor"] == told["an account without a player"] == told["somebody"]
    others = {told[name] for name in ("opener", "official", "judge", "site", "a seat link")}
    assert len(others | {told["visitor"]}) == 6, "two of these readers are listed the same"


def _shown(reader: Actor, matches: list[Match]) -> list[Any]:
    return [(each.sides(), selectors.head_shown(reader, each)) for each in matches]


def test_a_match_is_listed_as_ended_once_its_delay_has_passed(later: Any) -> None:
    match = ended(delay=600)
    assert newest(NOBODY) == ([match], [])
    later(601)
    assert newest(NOBODY) == ([], [match])
