"""What the site publishes: feeds, previews, sitemaps, embeds. None reveals a secret."""

import re
from typing import Any
from uuid import uuid4
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import Resolver404, resolve

from deploy import crawlers
from league import services
from matches import cuts
from matches import services as tables
from matches.actors import Actor
from matches.followers import work
from matches.models import Match
from tests import factories
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

ATOM = "{http://www.w3.org/2005/Atom}"
META = re.compile(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"')


def duel(by: Actor, title: str, **details: Any) -> Match:
    """Return a match that ended 1 to 0."""
    seats = [tables.SeatRequest(player=by.player), tables.SeatRequest(label="Side 2")]
    match = factories.match(by, "score", seats, title=title, options={"best_of": 1}, **details)
    for act in (factories.points(1), {"type": "game-closed"}):
        factories.record(match, act, by=by)
    return match


def titles(client: Client, path: str) -> list[str]:
    feed = ElementTree.fromstring(client.get(path).content)
    return [str(entry.findtext(f"{ATOM}title")) for entry in feed.findall(f"{ATOM}entry")]


def test_feeds_tell_what_ended_and_what_the_public_may_know(client: Client) -> None:
    by = factories.actor()
    duel(by, "Open duel")
    duel(by, "Closed duel", visibility="table")
    held = factories.match(
        by, "score", [tables.SeatRequest(player=by.player), tables.SeatRequest(label="B")],
        title="Held duel", options={"best_of": 1},
    )  # fmt: skip
    cuts.change(held, held=True)
    for act in (factories.points(1), {"type": "game-closed"}):
        factories.record(held, act, by=by)
    work(held.pk)
    client.force_login(by.user)  # a feed knows nobody
    assert titles(client, "/feed.atom") == ["Open duel"]
    assert by.player is not None
    assert titles(client, f"/players/{by.player.pk}/feed.atom") == ["Open duel"]
    cuts.change(held, held=False)
    assert titles(client, "/feed.atom") == ["Held duel", "Open duel"]


def test_a_name_in_a_feed_is_text_to_its_readers(client: Client) -> None:
    by = factories.actor()
    assert by.player is not None
    by.player.name = "<b>Vey</b>"
    by.player.save()
    duel(by, "A duel")
    feed = ElementTree.fromstring(client.get("/feed.atom").content)
    told = feed.find(f"{ATOM}entry/{ATOM}summary")
    assert told is not None
    assert str(told.text).startswith("&lt;b&gt;Vey&lt;/b&gt; v Side 2: ")


def test_a_stored_name_that_xml_can_not_carry_leaves_the_feeds_whole(client: Client) -> None:
    by = factories.actor()
    assert by.player is not None
    by.player.name = "Ve\vga"
    by.player.save()
    duel(by, "")
    assert titles(client, "/feed.atom") == ["Vega v Side 2"]
    assert titles(client, f"/players/{by.player.pk}/feed.atom") == ["Vega v Side 2"]


def test_a_league_and_its_tournament_have_feeds_of_their_own(client: Client) -> None:
    by = factories.actor()
    league = services.found_league(by=by, name="Rim league")
    cup = desks.tournament(by, title="Rim cup", league=league, visibility="public")
    duel(by, "Elsewhere")
    desks.entered(cup, 2)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    desks.act(cup, "results-held", round=1)
    desks.act(cup, "tournament-closed")
    work(cup.pk)
    assert titles(client, f"/leagues/{league.slug}/feed.atom") == []
    desks.act(cup, "results-shown")
    assert titles(client, f"/leagues/{league.slug}/feed.atom") == ["Rim cup"]
    assert titles(client, f"/tournaments/{cup.code}/feed.atom") == []
    hidden = desks.tournament(by, title="Hidden cup", league=league, visibility="entrants")
    assert client.get(f"/tournaments/{hidden.code}/feed.atom").status_code == 404


def test_a_preview_never_tells_a_result(client: Client) -> None:
    by = factories.actor()
    match = duel(by, "Last light", place="Luna")
    page = client.get(match.get_absolute_url()).content.decode()
    told = dict(META.findall(page))
    assert by.player is not None
    assert told["og:title"] == f"{by.player.name} v Side 2"
    assert "Last light" in told["og:description"]
    german = client.get(match.get_absolute_url(), headers={"Accept-Language": "de"})
    words = dict(META.findall(german.content.decode()))["og:description"]
    assert f"· {match.started_at.day}. " in words
    assert told["og:image"].startswith("http://testserver/static/preview")
    assert told["og:url"] == f"http://testserver{match.get_absolute_url()}"
    assert not re.search(r"won|\d ?[–-] ?\d", told["og:title"] + told["og:description"])
    cup = desks.tournament(by, title="Rim cup", ruleset="zg")
    told = dict(META.findall(client.get(cup.get_absolute_url()).content.decode()))
    assert (told["og:title"], told["og:description"]) == ("Rim cup", "Tournament · Z-G")


def test_a_link_to_a_part_of_a_tournament_is_previewed_by_its_name(client: Client) -> None:
    cup = desks.tournament(title="Rim cup", ruleset="zg")
    desks.entered(cup, 4)
    desks.start(cup)
    desks.paired(cup)
    for tail, what in {
        "rounds/1/": "Round 1",
        "rounds/1/names/": "Pairings by name",
        "rounds/1/tables/1/": "Round 1",
        "standings/": "Standings",
        "entries/": "Entries",
        "rules/": "Rules",
    }.items():
        page = client.get(f"{cup.get_absolute_url()}{tail}").content.decode()
        told = dict(META.findall(page))
        assert told["og:title"] == "Rim cup"
        assert told["og:description"].startswith(f"{what} · "), tail


def test_every_rule_for_crawlers_has_a_page_behind_it(client: Client) -> None:
    match, cup = factories.played(acts=2), desks.tournament()
    where = {
        "/admin/": "/admin/",
        "/api/": "/api/v1/",
        "/j/": "/j/",
        "/claim/": "/claim/token/",
        "/letters/": "/letters/off/token/",
        "/calendars/": "/calendars/token.ics",
        "/me/": "/me/",
        "/search/": "/search/",
        "/*/print/": f"/tournaments/{cup.code}/print/",
        "/*/compare/": "/cards/compare/",
        "/*/versus/": f"/players/{match.pk}/versus/",
        "/*/log.": f"/matches/{match.code}/log.ndjson",
        "/*/if/": f"/matches/{match.code}/if/",
        "/*?*at=": f"/matches/{match.code}/?at=1",
        "/characters/*?*on=": f"/characters/{match.pk}/?on=2026-05-01",
        "/*?*after=": f"/tournaments/{cup.code}/standings/?after=1",
    }
    assert where.keys() == crawlers.KEEP_OUT.keys()
    said = client.get("/robots.txt").content.decode()
    for rule, path in where.items():
        assert f"Disallow: {rule}\n" in said
        assert re.match(re.escape(rule).replace(r"\*", ".*"), path)
        try:
            resolve(path.partition("?")[0])
        except Resolver404:
            pytest.fail(f"{rule} leads nowhere")
    assert "Sitemap: http://testserver/sitemap.xml" in said


def test_the_map_holds_what_is_public_and_no_people(client: Client) -> None:
    by = factories.actor()
    shown, hidden = duel(by, "Open"), duel(by, "Closed", visibility="table")
    cup, secret = desks.tournament(by), desks.tournament(by, visibility="entrants")
    pages = "".join(
        client.get(path).content.decode()
        for path in re.findall(
            "<loc>http://testserver([^<]+)</loc>", client.get("/sitemap.xml").content.decode()
        )
    )
    assert f"/matches/{shown.code}/" in pages
    assert f"/tournaments/{cup.code}/" in pages
    assert "/lore/terminus/" in pages
    assert not re.search(f"{hidden.code}|{secret.code}|/players/|/characters/", pages)


def test_only_embeds_may_be_framed_and_they_set_no_cookie(client: Client) -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    desks.act(cup, "cut-made", size=2)
    desks.act(cup, "stage-started", format="single-elimination", best_of=3, seed=1)
    desks.paired(cup)
    client.force_login(desks.organiser(cup).user)
    for what, word in (("bracket", "Final"), ("standings", "Guest 1")):
        answer = client.get(f"/tournaments/{cup.code}/embed/{what}/")
        assert word in answer.content.decode()
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
        assert "script-src 'self'" in answer["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer
        assert not answer.cookies
        assert "Cookie" in answer["Vary"]  # results off, as far as a frame is told it
    page = client.get(cup.get_absolute_url())
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
    assert page["X-Frame-Options"] == "DENY"
    assert "&lt;iframe" in page.content.decode()


def test_an_embed_shows_an_organiser_no_more_than_the_public(client: Client) -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.act(cup, "stage-started", format="single-elimination", best_of=3, seed=1)
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=1)
    client.force_login(desks.organiser(cup).user)
    hidden = desks.tournament(desks.organiser(cup), visibility="entrants")
    assert client.get(f"/tournaments/{hidden.code}/embed/standings/").status_code == 404
    assert "No bracket yet" not in client.get(f"/tournaments/{cup.code}/").content.decode()
    told = client.get(f"/tournaments/{cup.code}/embed/bracket/").content.decode()
    assert "/rounds/1/tables/" not in told


def test_home_and_a_league_say_what_is_on_and_what_comes_next(client: Client) -> None:
    by = factories.actor()
    league = services.found_league(by=by, name="Rim league")
    on = desks.tournament(by, title="Cup under way", league=league)
    desks.entered(on, 2)
    desks.start(on, rounds=1)
    desks.paired(on)
    services.open_table(tournament=on, by=by, number=1, table=1)
    desks.tournament(by, title="Cup to come", league=league)
    desks.tournament(by, title="Cup of few", league=league, visibility="entrants")
    work(on.pk)
    for path in ("/", league.get_absolute_url()):
        page = client.get(path).content.decode()
        assert page.index("Cup under way") < page.index("Cup to come")
        assert "Cup of few" not in page
    assert "On the tables now" in page
