"""Tournaments in the feed of all logs: each entry once, where it becomes known to one."""

from typing import Any
from uuid import uuid4

import pytest

from league import policy, services
from league.models import Tournament
from matches import feed, followers
from matches.feed import Told
from matches.policy import NOBODY, Actor
from tests import factories
from tests.api.client import Api
from tests.league import desks

pytestmark = pytest.mark.django_db


class Reader:
    """One who asks the feed again and again from where they were."""

    def __init__(self, actor: Actor = NOBODY, limit: int = 3) -> None:
        self.actor, self.limit, self.at = actor, limit, 0
        self.told: list[Told] = []

    def read(self) -> list[int]:
        """Return the versions that were new."""
        before = len(self.told)
        while True:
            stretch = feed.feed(self.actor, self.at, self.limit)
            self.told += stretch.entries
            self.at = stretch.last
            if not stretch.more:
                break
        positions = [each.entry.position for each in self.told]
        assert positions == sorted({*positions})
        return [each.entry.version for each in self.told[before:]]


def settle(cup: Tournament) -> Tournament:
    followers.follow(cup.pk, followers.named("league.publishing.Publications"))
    cup.log.refresh_from_db()
    return cup


def versions(cup: Tournament, after: int = 0) -> list[int]:
    cup.log.refresh_from_db()
    return list(range(after + 1, cup.log.head_version + 1))


def begun(**details: Any) -> Tournament:
    cup = desks.tournament(**details)
    desks.entered(cup, 4)
    desks.start(cup)
    return settle(cup)


def pair(cup: Tournament) -> int:
    by = desks.organiser(cup)
    return services.pair(tournament=cup, by=by, act_id=uuid4(), seed=7).version


def test_a_round_is_told_when_it_is_published_and_held_results_when_they_are_shown() -> None:
    cup = begun()
    early, organiser = Reader(), Reader(desks.organiser(cup))
    assert early.read() == organiser.read() == versions(cup)
    held = desks.act(cup, "results-held", round=1).version
    drawn = pair(cup)
    settle(cup)
    assert (early.read(), organiser.read()) == ([held], [held, drawn])
    published = desks.act(cup, "round-published", round=1).version
    settle(cup)
    assert early.read() == [drawn, published]
    desks.play(settle(cup))
    settle(cup)
    results = versions(cup, published)
    assert (early.read(), organiser.read()) == ([], [published, *results])
    again = pair(cup)
    desks.act(cup, "round-published", round=2)
    settle(cup)
    assert early.read() == [again, again + 1]
    shown = desks.act(cup, "results-shown").version
    settle(cup)
    assert early.read() == [*results, shown]
    assert all(each.entry.act for each in early.told)
    assert Reader(limit=1).read() == [each.entry.version for each in early.told]
    assert sorted(each.entry.version for each in early.told) == versions(cup)


def test_what_was_told_and_is_taken_back_keeps_its_place_and_says_no_more() -> None:
    cup = begun()
    drawn = pair(cup)
    desks.act(cup, "round-published", round=1)
    early = Reader()
    early.read()
    settle(cup)
    assert early.read() == [drawn, drawn + 1]
    by = desks.organiser(cup)
    services.take_back(tournament=cup, by=by, act_id=uuid4(), to=drawn)
    settle(cup)
    assert early.read() == []
    late = Reader()
    assert late.read() == [each.entry.version for each in early.told]
    assert [each.entry.act for each in late.told[-2:]] == [None, None]
    desks.act(cup, "round-published", round=1)
    settle(cup)
    assert early.read() == late.read() == [drawn + 2, drawn + 3]


def test_pairings_that_nobody_saw_are_told_to_nobody_but_who_rules() -> None:
    cup = begun()
    before = cup.log.head_version
    drawn = pair(cup)
    by = desks.organiser(cup)
    services.take_back(tournament=cup, by=by, act_id=uuid4(), to=before)
    settle(cup)
    assert Reader().read() == [each for each in versions(cup) if each != drawn]
    assert Reader(by).read() == versions(cup)


def test_a_tournament_opened_to_everyone_is_told_from_its_beginning() -> None:
    cup = begun(visibility="entrants")
    by, outsider = desks.organiser(cup), Reader()
    assert (outsider.read(), Reader(by).read()) == ([], versions(cup))
    for visibility in ("public", "entrants", "public"):
        before = len(outsider.told)
        services.edit_tournament(by=by, tournament=cup, visibility=visibility)
        desks.act(cup, "announced", note="Hello")
        settle(cup)
        assert bool(outsider.read()) is (visibility == "public")
        assert (len(outsider.told) > before) is (visibility == "public")
    assert [each.entry.version for each in outsider.told] == versions(cup)
    services.withdraw(by=by, tournament=cup)
    assert Reader().read() == []


def test_the_feed_names_the_tournament_and_costs_the_same_however_long_it_is(
    django_assert_max_num_queries: Any,
) -> None:
    cup, match = begun(), factories.played(1)
    told = Api().get("feed/").json()["entries"]
    assert {(each.get("tournament"), each.get("match")) for each in told} == {
        (cup.code, None),
        (None, match.code),
    }
    desks.paired(cup)
    desks.play(cup)
    settle(cup)
    with django_assert_max_num_queries(16):
        assert len(Api().get("feed/").json()["entries"]) > len(told)


@pytest.mark.parametrize("role", ["organiser", "judge", "scorekeeper", "player"])
@pytest.mark.parametrize("at", ["league", "tournament"])
def test_who_rules_is_told_all(role: str, at: str) -> None:
    by = factories.actor("runner")
    league = desks.league(by)
    cup, other = desks.tournament(by, league=league), desks.tournament()
    someone = factories.actor("someone")
    where = {"league": league} if at == "league" else {"tournament": cup}
    policy.Membership.objects.create(player=someone.player, role=role, **where)
    for withdrawn in (False, True):
        if withdrawn:
            services.withdraw(by=desks.organiser(cup), tournament=cup)
        rules = policy.may_see(someone, cup) and policy.may_rule(someone, cup)
        assert policy.ruled_tournaments(someone).contains(cup) is rules
        assert not policy.ruled_tournaments(someone).contains(other)
