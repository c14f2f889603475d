"""The course of a match: what each side had left after every entry, as a chart and in numbers."""

import re
from itertools import pairwise

import pytest
from django.test import Client

import rules
from matches import decks
from matches.actors import NOBODY
from matches.models import Match
from matches.scene import scene_of
from matches.services import SeatRequest
from matches.went import Turning, turnings_of, went_of
from rules import bots
from rules.capabilities import SupportsMaterial
from tests import factories
from tests.html import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def match() -> Match:
    """A duel in which seat 2 takes the lead, loses it, and is level in the end."""
    samples = list(decks.samples(rules.get("zg")).values())
    seats = [SeatRequest(name=name, deck=samples[0]) for name in ("Yow", "Ezut")]
    opened = factories.match(game="zg", seats=seats)
    names = [card["name"] for card in samples[0]["cards"]]
    for seat, card in ((1, 0), (2, 0), (2, 1), (1, 1)):
        slagged = {"type": "slag-called", "seat": 3 - seat, "foe": seat, "target": names[card]}
        factories.record(opened, slagged, irregular=True)
    return opened


def end(match: Match) -> None:
    factories.record(match, {"type": "conceded", "seat": 2})


def test_the_material_of_each_side_is_shown_entry_by_entry(match: Match) -> None:
    end(match)
    found = went_of(scene_of(NOBODY, match))
    assert found is not None
    full = found.sides[0].most
    left = [(full, full), (full - 1, full), (full - 1, full - 1), (full - 1, full - 2)]
    wanted = [Turning(at, each) for at, each in enumerate([*left, (full - 2, full - 2)], 1)]
    assert found.turnings == wanted
    assert (found.leads, found.sides[1].now) == (1, full - 2)
    for side in found.sides:
        points = [tuple(map(float, point.split(","))) for point in side.path.split()]
        assert (points[0], points[-1][0]) == ((0.0, 4.0), 320.0)
        assert points == sorted(points)  # it goes on, and down the page
        assert all(one[0] == two[0] or one[1] == two[1] for one, two in pairwise(points))


def test_who_asks_before_anything_is_lost_is_told_so() -> None:
    url = factories.duel().get_absolute_url()
    assert "Nobody has lost anything yet." in text_of(Client().get(url, {"went": "1"}))
    assert "Nobody has lost anything yet." not in text_of(Client().get(url))


def test_it_is_on_the_page_of_a_match_that_is_over_and_asked_for_before(match: Match) -> None:
    url, off = match.get_absolute_url(), factories.spared()
    live = Client().get(url)
    assert 'href="?went=1#went"' in live.content.decode()
    assert "The lead" not in text_of(live)
    assert "The lead changed hands once." in text_of(Client().get(url, {"went": "1"}))
    end(match)
    page = text_of(Client().get(url))
    assert re.search(r"Ezut: (\d+) of (\d+) The lead changed hands once. Gear left, entry", page)
    assert "The lead" not in text_of(off.get(url))
    assert "The lead" not in text_of(Client().get(url, {"at": "2"}))


def test_nothing_is_told_where_no_material_is_counted_or_none_was_lost() -> None:
    scored = factories.played(acts=3)
    begun = factories.match(game="zg")
    for each in (scored, begun):
        assert went_of(scene_of(NOBODY, each)) is None
    assert "went=1" not in Client().get(scored.get_absolute_url()).content.decode()


def test_the_course_begins_once_every_side_has_material() -> None:
    counted = [(0, 0), (0, 4), (4, 4), (4, 4), (4, 0), (4, 0)]
    assert turnings_of(counted) == [Turning(3, (4, 4)), Turning(5, (4, 0))]


def test_games_that_count_material_say_what_it_is_and_count_it_for_every_seat() -> None:
    games = [each for each in rules.RULESETS.values() if isinstance(each, SupportsMaterial)]
    assert {game.key for game in games} == {"zg", "zx"}
    for game in games:
        state = game.start(game.sample_setup(bots.Stream("went")))
        assert len(game.material(state)) == len(state.setup.seats)
        assert game.texts["value.material.left"]
