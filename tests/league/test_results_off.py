"""A tournament that holds its results back says nothing of them on any page, file, feed or answer.

Everything is asked that there is of it, of its league and its people. Then its round is played,
told and corrected behind what is held, and all is asked again: every answer is the
same, but for how many tables are in.
"""

import re
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from league import services
from league.models import Tournament
from league.views.prints import KINDS
from matches import followers, jobs
from matches.models import Event, Log, Match, Note
from tests import factories
from tests.league import desks
from tests.prove.results_off import ANYTHING, NOT_ASKED, ask, links_of, routes

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

NOTE = "canary-of-a-ruling"
PROGRESS = re.compile(
    rb"\d+ of \d+ tables reported|As of log entry \d+|data-live=\S+|name=\"upto\"[^>]*"
    rb'|,?{"version":\d+,"position":\d+,"hash":"\w+","leaf":"\w+"}'
    rb'|"(version|last|head_version|entries|position)": ?\d+,?|"(hash|leaf|root|head)": ?"\w+",?'
    rb"|&quot;id&quot;:&quot;[-0-9a-f]{36}&quot;"  # of an example, new on each page
)
LINKS = 40  # that are followed beyond what routes lead to


class Cup:
    """A cup of four with accounts in a season's circuit; a match is played at its first table."""

    def __init__(self, *, held: bool = True) -> None:
        self.by = by = factories.actor("runner")
        venue = services.open_venue(by=by, name="Tycho hall")
        self.league = services.found_league(by=by, name="Rim league", venue=venue)
        self.season = services.open_season(
            by=by, league=self.league, name="Spring", starts_on="2026-01-01", ends_on="2026-12-31"
        )
        self.circuit = services.open_circuit(by=by, season=self.season, name="Ring", points=[5, 3])
        self.cup = desks.tournament(
            by,
            title="Rim cup",
            league=self.league,
            season=self.season,
            venue=venue,
            options={"best_of": 3},
        )
        services.add_qualifier(by=by, circuit=self.circuit, tournament=self.cup)
        self.people = [factories.actor(f"player-{number}") for number in range(1, 5)]
        for each in self.people:
            services.enter(tournament=self.cup, by=each, act_id=uuid4())
        desks.start(self.cup)
        if held:
            desks.act(self.cup, "results-held", round=1)
        desks.paired(self.cup)
        self.table = next(t for t in desks.desk(self.cup).rounds[0].tables if t.number == 1)
        self.match = services.open_table(tournament=self.cup, by=by, number=1, table=1)
        self.places = {
            f"/tournaments/{self.cup.code}/",
            f"/matches/{self.match.code}/",
            self.league.get_absolute_url(),
            venue.get_absolute_url(),
            f"/players/{self.people[0].player_id}/",
            f"/players/{self.people[1].player_id}/",
            self.season.get_absolute_url(),
            self.circuit.get_absolute_url(),
        }
        self.values = {
            "code": [self.cup.code, self.match.code],
            "slug": [self.league.slug, venue.slug],
            "pk": [self.people[0].player_id, self.season.pk, self.circuit.pk],
            "player_id": [self.people[0].player_id],
            "other": [self.people[1].player_id],
            "other_id": [self.people[1].player_id],
            "season_id": [self.season.pk],
            "circuit_id": [self.circuit.pk],
            "entry_id": [self.cup.entries.earliest("pk").pk],
            "section": ["tournaments", "matches"],
            "number": [1],
            "table": [1],
            "version": [2],
            "kind": [*KINDS],
        }

    def is_of_nothing(self, url: str) -> bool:
        """Tell whether an address names something elsewhere than in its place: nothing is there."""
        names = {place: place.split("/")[2] for place in self.places}
        return any(name in url and place not in url for place, name in names.items())

    def settle(self) -> None:
        for log in (self.match, self.cup):
            followers.work(log.pk)
        for job in list(jobs.Job.objects.filter(done_at=None)):
            jobs.do(job.pk)

    def go_on(self) -> None:
        """Play the table's match out, tell the other table and correct it."""
        self.match.log.refresh_from_db()
        for _ in range(2):
            factories.record(self.match, {"type": "game-won", "seat": 1}, by=self.by)
        self.settle()
        table = next(t for t in desks.desk(self.cup).rounds[0].tables if t.number == 2)
        for kind, scores, said in (
            ("result-reported", [2, 0], {}),
            ("result-corrected", [0, 2], {"note": NOTE}),
        ):
            desks.act(self.cup, kind, round=1, table=table.number, scores=scores, **said)
        self.settle()


def addresses(cup: Cup) -> Iterator[str]:
    """Yield every named URL about the cup, its match, league and people, and those about no one."""
    for name, parameters in routes():
        if name.startswith("admin:") or not {*parameters} <= cup.values.keys():
            continue
        for chosen in product(*(cup.values[each] for each in parameters)):
            try:
                url = reverse(name, kwargs=dict(zip(parameters, chosen, strict=True)))
            except NoReverseMatch:
                continue
            if not NOT_ASKED.search(url) and not cup.is_of_nothing(url):
                yield url
    yield from ("/search/?q=rim", "/api/v1/search/?q=player", f"/matches/?q={cup.match.code}")
    place = cup.cup.get_absolute_url()
    yield from (f"{place}{tail}" for tail in ("?part=live", "?as=list", "standings/?stage=1&why=1"))
    yield from (f"{place}wall/?screen={number}" for number in range(4))
    yield f"/api/v1/tournaments/{cup.cup.code}/events/?after=0&limit=500"
    yield from (
        f"/api/v1/tournaments/{cup.cup.code}/file/?kind={kind}"
        for kind in ("tournament", "trf", "results", "entries", "calendar")
    )


def crawled(urls: list[str], client: Client | None = None) -> dict[str, bytes]:
    client = client or reader()
    return {url: ask(client, {}, url, ANYTHING) for url in urls}


def reader() -> Client:
    return Client(raise_request_exception=False, SERVER_NAME="localhost")


def without_results() -> Client:
    """Return a reader who has results off."""
    client = reader()
    assert client.post("/theme/", {"theme": "auto", "results": "off"}).status_code == 302
    return client


def still(answer: bytes) -> list[bytes]:
    """Return an answer without what may be known: that so many tables are in, and entries came."""
    return [line for line in PROGRESS.sub(b"", answer).splitlines()[1:] if line.strip(b"{},] ")]


def test_nothing_of_held_results_is_told_anywhere() -> None:
    cup = Cup()
    cup.settle()
    before = crawled([*dict.fromkeys(addresses(cup))])
    linked = [link for url, answer in before.items() for link in links_of(url, answer)]
    before |= crawled([each for each in dict.fromkeys(linked) if each not in before][:LINKS])
    heads = {log.pk: log.head_version for log in (cup.cup.log, cup.match.log)}
    said = [url for url, answer in before.items() if answer.startswith(b"200")]
    assert {b"Rim cup" in before[url] for url in said} == {True, False}
    assert len(said) > 60

    cup.go_on()

    after = crawled([*before])
    marks = [NOTE]
    for pk, head in heads.items():
        events = Event.objects.filter(log_id=pk, version__gt=head)
        marks += [str(event.act_id) for event in events if event.act_id]
    assert Note.objects.filter(text=NOTE).exists()
    tables = desks.desk(Tournament.objects.get()).rounds[0].tables
    assert [table.status for table in tables] == ["settled", "settled"]
    told = {url: answer for url, answer in after.items() if answer.startswith(b"200")}
    wrong: list[Any] = [url for url in told if still(told[url]) != still(before[url])]
    wrong += [(url, mark) for url in after for mark in marks if mark.encode() in after[url]]
    assert not wrong, wrong

    desks.act(cup.cup, "results-shown")
    place = cup.cup.get_absolute_url()
    shown = crawled([place, f"{place}standings/", f"{place}rounds/1/"])
    assert all(still(answer) != still(before[url]) for url, answer in shown.items())


# -- off for one reader ---------------------------------------------------------------------


def told_of(cup: Cup, heads: dict[Any, int]) -> list[bytes]:
    """Return what tells a result: how the match ended, scores, and the acts that say so."""
    match = Match.objects.select_related("log").get(pk=cup.match.pk)
    marks = [match.named(match.log.headline).encode(), "2\N{EN DASH}0".encode(), b'"side won']
    for pk, head in heads.items():
        events = Event.objects.filter(log_id=pk, version__gt=head)
        marks += [str(event.act_id).encode() for event in events if event.act_id]
    return marks


def leaks(answers: dict[str, bytes], marks: list[bytes]) -> list[tuple[str, bytes]]:
    return [(url, mark) for url, page in answers.items() for mark in marks if mark in page]


def test_who_has_results_off_is_told_none_anywhere() -> None:
    cup = Cup(held=False)
    cup.settle()
    heads = dict(Log.objects.values_list("pk", "head_version"))
    cup.go_on()
    desks.act(cup.cup, "round-closed", round=1)
    cup.settle()
    urls = [*dict.fromkeys(addresses(cup))]
    shown = crawled(urls)
    linked = [link for url, answer in shown.items() for link in links_of(url, answer)]
    shown |= crawled([each for each in dict.fromkeys(linked) if each not in shown][:LINKS])
    marks = told_of(cup, heads)
    said = {url.partition("?")[0] for url, _ in leaks(shown, marks)}
    assert len(said) > 8, said

    off = crawled([*shown], without_results())

    assert not leaks(off, marks)
    assert sum(answer.startswith(b"200") for answer in off.values()) > 60


def test_a_frame_leaves_results_out_where_its_address_says_so() -> None:
    cup = Cup(held=False)
    place = f"{cup.cup.get_absolute_url()}embed/standings/"
    before = reader().get(f"{place}?results=off").content
    cup.go_on()
    after = reader().get(f"{place}?results=off").content
    assert before == after != reader().get(place).content
    assert "Results are left out here" in after.decode()


def test_results_of_one_page_are_shown_to_who_asks_there() -> None:
    cup = Cup(held=False)
    cup.go_on()
    client, match, place = (
        without_results(),
        f"/matches/{cup.match.code}/",
        f"{cup.cup.get_absolute_url()}standings/",
    )
    whole = reader().get(f"{match}?after=0")
    assert (
        client.get(f"{match}?after=0", headers={"If-None-Match": whole["ETag"]}).status_code == 200
    )
    assert b"player-1 won" not in client.get(match).content

    assert client.post("/theme/", {"show": match})["Location"] == match

    assert client.get(f"{match}?after=0").content == whole.content
    assert "Results are off" not in client.get(match).content.decode()
    for each in (place, f"{cup.cup.get_absolute_url()}rounds/1/tables/1/"):
        assert "Results are off" in client.get(each).content.decode()
    for elsewhere in ("//example.org/", "https://example.org/", "matches/", "/a|b/", ""):
        assert client.post("/theme/", {"show": elsewhere}).status_code == 400


def test_a_match_is_followed_act_by_act_without_its_results() -> None:
    cup = Cup(held=False)
    cup.go_on()
    cup.match.log.refresh_from_db()
    client, url = without_results(), f"/matches/{cup.match.code}/"
    for version in range(2, cup.match.log.head_version + 1):
        page = client.get(url).content.decode()
        assert page.count(f'href="?at={version}#part-score"') == 2  # and in the steps
        url = f"/matches/{cup.match.code}/?at={version}"
    assert "There is no further act" in client.get(url).content.decode()


def test_who_takes_part_sees_results_even_with_them_off() -> None:
    cup = Cup(held=False)
    cup.go_on()
    client = without_results()
    for who in (cup.by, cup.people[0]):
        client.force_login(who.user)
        assert "Results are off" not in client.get(cup.cup.get_absolute_url()).content.decode()
    client.force_login(cup.by.user)
    assert "Results are off" not in client.get(f"/matches/{cup.match.code}/").content.decode()


def test_who_reached_a_final_is_in_no_list_with_results_off() -> None:
    by = factories.actor("runner")
    stage = {"format": "single-elimination", "best_of": 3}
    cup = desks.tournament(by, title="Knock cup", stages=[stage])
    people = [factories.actor(f"player-{number}") for number in range(1, 5)]
    for each in people:
        services.enter(tournament=cup, by=each, act_id=uuid4())
    desks.act(cup, "stage-started", seed=1, **stage)
    desks.paired(cup)
    table = desks.desk(cup).rounds[0].tables[0].number
    first = services.open_table(tournament=cup, by=by, number=1, table=table)
    desks.play(cup)
    desks.paired(cup)
    final = services.open_table(
        tournament=cup, by=by, number=2, table=desks.desk(cup).rounds[1].tables[0].number
    )
    lists = ["/matches/", "/search/?q=knock", "/api/v1/matches/"]
    ids = [each.player_id for each in people]
    lists += [f"/players/{each}/" for each in ids]
    pairs = [f"players/{one}/versus/{other}/" for one, other in combinations(ids, 2)]
    lists += [f"{root}{pair}" for pair in pairs for root in ("/", "/api/v1/")]
    for settled in (False, True):
        if settled:
            followers.work(cup.pk)
        off = crawled(lists, without_results())
        assert not leaks(off, [final.code.encode()])
        assert leaks(off, [first.code.encode()])
        assert leaks(crawled(lists), [final.code.encode()])
    for who in (by, people[0]):
        client = without_results()
        client.force_login(who.user)
        assert leaks(crawled(lists, client), [final.code.encode()])
