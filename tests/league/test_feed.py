"""Tournaments in the feed of all logs: each entry once, when it becomes visible to the reader."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpRequest

from league import policy, services, streams
from league.models import Tournament
from matches import feed, followers
from matches import services as match_services
from matches.actors import NOBODY, Actor
from matches.feed import FeedEntry
from matches.policy import visible_matches, whole_matches
from tests import factories
from tests.api.client import Api
from tests.league import desks

pytestmark = pytest.mark.django_db


class Reader:
    """One who asks the feed again and again from where they were."""

    def __init__(self, actor: Actor = NOBODY, limit: int = 3) -> None:
        self.actor, self.limit, self.at = actor, limit, 0
        self.told: list[FeedEntry] = []

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


class Listener:
    """One who follows the stream of a desk and knows no more than it sent."""

    def __init__(self, cup: Tournament) -> None:
        self.stream = streams.Entries(HttpRequest, cup.code, cup.pk, 0, shared=True, key=cup.pk)
        self.at, self.known = "", dict[int, Any]()

    def read(self) -> list[int]:
        """Return the versions that came, in their order."""
        came: list[int] = []
        while True:
            news = self.stream.news(self.at)
            for frame in news.frames:
                assert int(self.at or 0) <= int(frame.id)
                entry = json.loads(frame.data)
                self.at, self.known[entry["version"]] = frame.id, "act" in entry
                came.append(entry["version"])
            if not news.more:
                return came


def test_a_stream_sends_what_it_hid_again_once_it_is_shown() -> None:
    cup = begun()
    listener = Listener(cup)
    listener.read()
    desks.act(cup, "results-held", round=1)
    drawn = pair(cup)
    services.take_back(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), to=drawn - 1)
    assert listener.read() == versions(cup, drawn - 2)
    services.take_back(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), to=drawn)
    assert listener.read() == []
    published = desks.act(cup, "round-published", round=1).version
    assert listener.read() == [drawn, published - 1, published]
    desks.play(settle(cup))
    results = versions(cup, published)
    assert listener.read() == results
    assert not any(listener.known[each] for each in results)
    shown = desks.act(cup, "results-shown").version
    assert listener.read() == [*results, shown]
    assert all(listener.known.values())
    assert Listener(cup).read() == versions(cup)


def test_who_is_cut_off_before_results_were_held_is_sent_them_once_they_are_shown() -> None:
    cup = begun()
    drawn = pair(cup)
    published = desks.act(cup, "round-published", round=1).version
    desks.play(settle(cup), tables=(1,))
    result = published + 1
    held = desks.act(cup, "results-held", round=1).version
    listener = Listener(cup)
    listener.read()
    assert not listener.known[result]
    shown = desks.act(cup, "results-shown").version
    listener.at = str(result)
    assert listener.read() == [result, held, shown]
    listener.at = str(drawn)
    assert listener.read() == [published, result, held, shown]


def test_a_page_hears_of_a_pairing_once_it_is_published() -> None:
    cup = begun()
    page = streams.Moves(HttpRequest, cup.code, cup.pk, 0, shared=True, key=cup.pk)
    before = page.news("").cursor
    pair(cup)
    assert page.news(before).frames == ()
    desks.act(cup, "round-published", round=1)
    assert page.news(before).frames


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


def of_match(by: Actor, code: str) -> tuple[set[str], set[str], set[str], list[int]]:
    """Return the matches somebody finds by list, by list of what has ended, and by search, and
    which entries of one the feed tells them."""
    api = Api(by)
    found = [
        {each["code"] for each in api.get(path).json()["results"]}
        for path in ("matches/", "matches/?status=ended")
    ]
    hits = api.get(f"search/?q={code}&kind=match").json()
    told = [each for each in api.get("feed/").json()["entries"] if each.get("match") == code]
    return (*found, {code} if code in json.dumps(hits) else set(), [e["version"] for e in told])


@pytest.mark.parametrize("role", ["organiser", "judge", "scorekeeper", "opener"])
@pytest.mark.parametrize("at", ["league", "tournament"])
@pytest.mark.parametrize("shown", ["entrants", "held"])
def test_who_rules_a_match_finds_it_as_they_read_it(role: str, at: str, shown: str) -> None:
    by = factories.actor("runner")
    league = desks.league(by)
    cup = desks.tournament(
        by, league=league, visibility="entrants" if shown == "entrants" else "public"
    )
    someone = by if role == "opener" else factories.actor("someone")
    if role != "opener":
        where = {"league": league} if at == "league" else {"tournament": cup}
        policy.Membership.objects.create(player=someone.player, role=role, **where)
    desks.entered(cup, 4)
    desks.start(cup)
    if shown == "held":
        desks.act(cup, "results-held", round=1)
    desks.paired(cup)
    match = services.open_table(tournament=cup, by=by, number=1, table=1)
    factories.record(match, {"type": "game-won", "seat": 1}, by=by)
    match.log.refresh_from_db()
    assert match.log.status == "ended"

    code, versions_of = match.code, list(range(1, match.log.head_version + 1))
    rules = role != "scorekeeper"
    read = Api(someone).get(f"matches/{code}/")
    if rules:
        assert (read.json()["version"], read.json()["status"]) == (versions_of[-1], "ended")
        assert of_match(someone, code) == ({code}, {code}, {code}, versions_of)
    elif shown == "held":
        assert (read.json()["version"], read.json()["status"]) == (1, "open")
        assert of_match(someone, code) == ({code}, set(), {code}, [1])
    else:
        assert read.status_code == 404
        assert of_match(someone, code) == (set(), set(), set(), [])
    assert code not in json.dumps(Api(factories.actor()).get("matches/?status=ended").json())


def test_a_judge_finds_a_withdrawn_match_unless_they_play_it() -> None:
    by = factories.actor("runner")
    cup = desks.tournament(by)
    players = [factories.actor() for _ in range(2)]
    for player in players:
        services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.start(cup)
    desks.paired(cup)
    match = services.open_table(tournament=cup, by=by, number=1, table=1)
    match_services.withdraw(by=by, match=match)
    judges = [factories.actor("judge"), players[0]]
    for judge, sees in zip(judges, (True, False), strict=True):
        policy.Membership.objects.create(player=judge.player, role="judge", tournament=cup)
        assert Api(judge).get(f"matches/{match.code}/").status_code == (200 if sees else 404)
        assert visible_matches(judge).filter(pk=match.pk).exists() is sees


def test_what_one_rules_is_part_of_the_question(django_assert_num_queries: Any) -> None:
    for actor in (factories.actor(), desks.organiser(desks.tournament())):
        with django_assert_num_queries(2):
            assert not visible_matches(actor).exists()
            assert not whole_matches(actor).exists()
    assert "tablematch" not in str(visible_matches(NOBODY).query)
