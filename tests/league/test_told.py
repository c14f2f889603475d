"""Acts recorded at a desk, in words."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from characters import services as characters
from league import services
from league.models import Tournament
from matches.actors import Actor
from matches.errors import Impossible
from matches.followers import work
from tests import factories
from tests.factories import signed_in
from tests.html import squeezed
from tests.league import desks

pytestmark = pytest.mark.django_db


def _enter(cup: Tournament, name: str) -> None:
    services.enter(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), name=name)


def _at_desk(cup: Tournament) -> Client:
    return signed_in(desks.organiser(cup).user)


def _back(cup: Tournament, to: int) -> None:
    cup.log.refresh_from_db()
    more: dict[str, Any] = {"act_id": uuid4(), "to": to, "after": cup.log.head_version}
    services.take_back(tournament=cup, by=desks.organiser(cup), note="", **more)


def test_an_entry_that_was_taken_back_keeps_the_name_it_had() -> None:
    cup = desks.tournament()
    client = _at_desk(cup)
    _enter(cup, "Xaver")
    _enter(cup, "Yann")
    undo = client.get(f"/tournaments/{cup.code}/undo/?to=2").content.decode()
    assert "Yann enters." in undo
    _back(cup, 2)
    _enter(cup, "Zora")

    console = client.get(f"/tournaments/{cup.code}/console/").content.decode()

    assert '<span class="strike">Yann enters.</span>' in console
    assert console.count("Zora enters.") == 1


def test_a_list_says_one_thing_of_a_tournament_that_has_just_closed() -> None:
    cup = desks.tournament(by := factories.actor(), league=desks.league(by))
    desks.entered(cup, 2)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    work(cup.pk)
    assert cup.league is not None
    league, home = cup.league.get_absolute_url(), "/"
    is_open = '<span class="chip">open</span>'
    for page in (league, home):
        assert is_open in squeezed(Client().get(page))
    desks.act(cup, "tournament-closed")
    page = squeezed(Client().get(league))
    assert "Closed: Guest 1 won" in page.partition('id="played"')[2]
    assert is_open not in page and "Under way" not in page
    assert "Closed: Guest 1 won" not in squeezed(Client().get(home))
    work(cup.pk)
    assert squeezed(Client().get(league)).count("Closed: Guest 1 won") == 1


def test_what_moved_a_table_names_who_it_was_then() -> None:
    cup = desks.tournament()
    for name in ("Xaver", "Yann"):
        _enter(cup, name)
    desks.start(cup)
    _enter(cup, "Wim")
    cup.log.refresh_from_db()
    _back(cup, cup.log.head_version - 1)
    _enter(cup, "Zora")

    page = Client().get(f"/tournaments/{cup.code}/standings/changes/?since=3").content.decode()

    for name in ("Wim", "Zora"):
        assert f"{name} enters." in page
        assert f"{name} new → 3" in page


def test_results_held_of_a_closed_tournament_are_told_as_held_and_shown_afterwards() -> None:
    cup = desks.tournament(stages=[{"format": "single-elimination"}])
    desks.entered(cup, 4)
    desks.start(cup, format="single-elimination", rounds=0, best_of=1, tiebreaks=())
    desks.act(cup, "results-held", round=1)
    for number in (1, 2):
        desks.paired(cup)
        under_way = Client().get(f"/tournaments/{cup.code}/").content.decode()
        assert f"Round {number}: its results are held back" in under_way
        assert " reported" not in under_way
        desks.play(cup, lambda table: (1, 0))
        between = Client().get(f"/tournaments/{cup.code}/").content.decode()
        assert f"Round {number}: its results are held back" in between
        assert "still in" not in between
    desks.act(cup, "tournament-closed")

    held = Client().get(f"/tournaments/{cup.code}/?as=list").content.decode()
    assert held.count(">held back</span>") == 3
    assert "Closed: its results are held back" in held
    followed = ("?as=list", ' data-live="'), ("embed/standings/", ' data-every="')
    told = [(f"{cup.get_absolute_url()}{page}", mark) for page, mark in followed]
    assert all(mark in Client().get(page).content.decode() for page, mark in told)
    for wrong in ("no longer fits", "to be played", "Final order"):
        assert wrong not in held
    client = _at_desk(cup)
    console = client.get(f"/tournaments/{cup.code}/console/").content.decode()
    assert "Show the results held back" in console
    desks.act(cup, "results-shown")

    assert not any(mark in Client().get(page).content.decode() for page, mark in told)
    page = Client().get(f"/tournaments/{cup.code}/").content.decode()
    final = page.partition("Final order")[2]
    assert 'class="bracket"' in final  # who won stands before how
    players = [entry.player for entry in cup.entries.all()]
    assert all(f'<a href="{one.get_absolute_url()}">{one}</a>' in final for one in players if one)
    with pytest.raises(Impossible, match="closed"):
        desks.act(cup, "results-held", round=1)


def test_byes_stand_at_the_desk_in_the_draft_and_once_published() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup)
    desks.act(cup, "bye-granted", entrant=2, round=1, worth="half")
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4())
    client = _at_desk(cup)
    paths = [f"/tournaments/{cup.code}/{tail}" for tail in ("console/", "rounds/1/")]
    bye = '<span class="no">Bye</span> <span>'
    asked = f'{bye}Guest 2</span> <span class="chip">half</span>'

    draft = [squeezed(client.get(path)) for path in paths]
    desks.act(cup, "round-published", round=1)
    paths.append(f"/tournaments/{cup.code}/")
    published = [squeezed(client.get(path)) for path in paths]

    for page in [*draft, *published]:
        assert asked in page
        assert page.count(bye) == 2


def test_files_and_standings_of_each_stage_are_linked() -> None:
    cup = desks.tournament(stages=[desks.SWISS, {"format": "single-elimination", "cut": 2}])
    desks.entered(cup, 2)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    desks.start(cup, format="single-elimination", rounds=0, tiebreaks=())
    links = [
        *("kind=entries", "kind=results&amp;stage=1", "kind=results&amp;stage=2"),
        *("kind=trf&amp;stage=1", "kind=trf&amp;stage=2"),
    ]
    path = f"/tournaments/{cup.code}/"
    page = Client().get(path).content.decode()
    for link in links:
        assert f"/api/v1{path}file/?{link}" in page
    assert f'href="{path}#files"' in _at_desk(cup).get(f"{path}console/").content.decode()
    papers = Client().get(f"{path}print/").content.decode()
    for number in (1, 2):
        assert f"{path}print/standings/?stage={number}" in papers


def test_the_desk_sees_who_plays_a_character() -> None:
    cup = desks.tournament()
    desks.entered(cup, 1)
    player = factories.actor("Vega")
    hero = characters.create(by=player, name="Ketterin Vane")
    services.enter(tournament=cup, by=player, act_id=uuid4(), character=hero)
    client = _at_desk(cup)
    entries = f"/tournaments/{cup.code}/entries/"
    assert "(Vega)" in squeezed(client.get(entries))
    assert "(Vega)" not in squeezed(Client().get(entries))
    desks.start(cup)
    desks.paired(cup)

    console = squeezed(client.get(f"/tournaments/{cup.code}/console/"))

    assert "Ketterin Vane (Vega)" in console.partition('id="people"')[2]
    tables = console.partition('id="tables"')[2].partition('id="people"')[0]
    assert 'Ketterin Vane</bdi> <span class="soft small">(Vega)</span>' in tables
    assert "(Vega)" not in squeezed(Client().get(f"/tournaments/{cup.code}/"))


def test_one_demerit_and_one_point_are_told_as_one() -> None:
    cup = desks.tournament()
    desks.entered(cup, 2)
    desks.start(cup, win=1, draw=0)
    desks.paired(cup)
    desks.play(cup)
    said = {"entrant": 1, "infraction": "late", "penalty": "warning"}
    for demerits in (1, 2):
        desks.act(cup, "penalty-given", demerits=demerits, **said)
    console = _at_desk(cup).get(f"/tournaments/{cup.code}/console/").content.decode()
    assert "1 demerit." in console
    assert "2 demerits." in console
    assert (
        "1 point<" in Client().get(f"/tournaments/{cup.code}/wall/?show=standings").content.decode()
    )


def test_the_wall_says_against_whom_in_its_own_language() -> None:
    cup = desks.tournament()
    desks.entered(cup, 2)
    desks.start(cup)
    desks.paired(cup)
    for language, said in (("en", "<small>v Guest"), ("de", "<small>gegen Guest")):
        wall = Client(headers={"Accept-Language": language}).get(f"/tournaments/{cup.code}/wall/")
        assert said in wall.content.decode()


def test_a_feed_in_which_nothing_ended_is_as_old_as_its_tournament() -> None:
    cup = desks.tournament()
    feed = Client().get(f"/tournaments/{cup.code}/feed.atom").content.decode()
    assert f"<updated>{cup.created_at:%Y-%m-%dT%H:%M:%S}" in feed


def test_a_line_of_a_tournament_does_not_name_the_page_it_stands_on() -> None:
    organiser = factories.actor()
    league = desks.league(organiser)
    cup = desks.tournament(organiser, league=league)
    for path, named in ((league.get_absolute_url(), False), ("/tournaments/", True)):
        line = Client().get(path).content.decode().partition(f">{cup}</a>")[2].partition("</li>")[0]
        assert (f"<bdi>{league}</bdi> ·" in line) is named


def test_open_tournaments_come_first_and_programs_ask_for_them_alone() -> None:
    before, closed = desks.tournament(), desks.played_out(desks.tournament())
    Tournament.objects.filter(pk=closed.pk).update(closed_at=timezone.now())
    page = Client().get("/tournaments/").content.decode()
    assert page.index(before.code) < page.index(closed.code)
    for status, found in (("open", [before]), ("ended", [closed]), ("", [closed, before])):
        listed = Client().get(f"/api/v1/tournaments/?status={status}").json()["results"]
        assert [line["code"] for line in listed] == [each.code for each in found]


def test_a_list_of_tournaments_is_narrowed_by_game_league_state_and_whose_they_are() -> None:
    host, player = factories.actor(), factories.actor()
    rim = services.found_league(by=host, name="The Rim")
    duels = desks.tournament(host, title="Duels", ruleset="zg", league=rim)
    points = desks.tournament(title="Points")
    gone = desks.tournament(host, title="Gone")
    services.withdraw(by=host, tournament=gone)
    services.enter(tournament=points, by=player, act_id=uuid4(), player=player.player)
    Tournament.objects.filter(pk=points.pk).update(closed_at=timezone.now())

    def listed(by: Actor, query: str) -> list[str]:
        page = signed_in(by.user).get(f"/tournaments/?{query}").content.decode()
        return [each.title for each in (duels, points, gone) if f">{each}</a>" in page]

    everybody_finds = {
        "q=uel": ["Duels"],
        "game=zg": ["Duels"],
        "game=score": ["Points"],
        "game=chess": ["Duels", "Points"],  # an unknown value filters nothing
        "league=the-rim": ["Duels"],
        "league=the+rim": ["Duels"],
        "league=elsewhere": [],
        "status=open": ["Duels"],
        "status=ended": ["Points"],
        "game=zg&status=ended": [],
    }
    for query, found in everybody_finds.items():
        assert listed(player, query) == found, query
    assert listed(player, "whose=mine") == ["Points"]
    assert listed(host, "whose=mine") == ["Duels", "Gone"]
    assert listed(host, "status=open") == ["Duels"]  # what was withdrawn is open no more


def test_the_page_of_a_league_leads_to_all_its_tournaments_where_it_shows_the_last_ones() -> None:
    host = factories.actor()
    league = services.found_league(by=host, name="Rim")
    cup = desks.tournament(host, league=league)
    assert "All tournaments" not in Client().get(league.get_absolute_url()).content.decode()
    Tournament.objects.filter(pk=cup.pk).update(closed_at=timezone.now())
    page = Client().get(league.get_absolute_url()).content.decode()
    assert f'href="/tournaments/?league={league.slug}"' in page
