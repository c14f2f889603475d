"""The fairness page: the draws, and whether they agree with the seed."""

from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client

import rules
from matches import decks
from matches.actors import NOBODY
from matches.draws import Fairness, Tally, fairness
from matches.evenness import as_uneven, beyond
from matches.models import Match
from matches.scene import scene_of
from matches.services import SeatRequest
from tests import factories

ATTACK = {"type": "attacked", "seat": 1, "end": "a", "foe": 2, "target": "Tide Shield"}


@pytest.fixture
def match(db: None) -> Match:
    """A duel with a spin by the site and one at the table."""
    samples = list(decks.samples(rules.get("zg")).values())
    seats = [SeatRequest(name="Yow Ferrin", deck=samples[0]), SeatRequest(deck=samples[1])]
    opened = factories.match(game="zg", seats=seats)
    factories.record(opened, {"type": "impulse-won", "seat": 1})
    spin: dict[str, Any] = {"card": "Ridge Helm", "target_end": "a", "spin": "server"}
    factories.record(opened, ATTACK | spin, irregular=True)
    told: dict[str, Any] = {"card": "Fernlight Frontgear", "target_end": "b"}
    factories.record(opened, ATTACK | told, irregular=True)
    return opened


def concede(match: Match) -> None:
    factories.record(match, {"type": "conceded", "seat": 1})


def seen(match: Match) -> Fairness:
    return fairness(scene_of(NOBODY, match))


def test_a_spin_is_sealed_until_the_match_ends(match: Match) -> None:
    assert [(fall.n, fall.agrees) for fall in seen(match).falls] == [(0, None), (None, None)]


def test_every_draw_agrees_with_the_seed_that_came_out(match: Match) -> None:
    concede(match)
    found = seen(match)
    assert found.kept
    assert [fall.agrees for fall in found.drawn] == [True]


def test_spins_are_counted_by_who_spun(match: Match) -> None:
    site, table = sorted(seen(match).tallies, key=lambda tally: tally.source)
    assert (site.source, site.total) == ("site", 1)
    assert (table.source, table.counts) == ("table", {"a": 0, "b": 1})


@pytest.mark.parametrize(
    ("purpose", "source", "heading"),
    [
        ("spin", "site", "Spins by the site"),
        ("spin", "table", "Spins at the table"),
        ("mode", "site", "Drawn by the site: mode"),
        ("mode", "table", "Drawn at the table: mode"),
    ],
)
def test_a_tally_says_in_whole_words_what_was_drawn(
    purpose: str, source: str, heading: str
) -> None:
    tally = Tally(purpose, source, {"a": 3, "b": 6})
    assert heading in render_to_string("matches/_tally.html", {"tally": tally})
    assert "These 9 look" in render_to_string("matches/_even.html", {"tally": tally})


@pytest.mark.parametrize(
    ("counts", "share"),
    [
        ({"a": 1, "b": 1}, 100),
        ({"a": 0, "b": 1}, 100),
        ({"a": 0, "b": 5}, 6),
        ({"a": 9, "b": 1}, 2),
    ],
    ids=["even", "one", "five-alike", "nine-to-one"],
)
def test_unevenness_is_told_in_plain_numbers(counts: dict[str, int], share: int) -> None:
    assert Tally("spin", "site", counts).as_uneven == share


@pytest.mark.parametrize(
    ("counts", "share"),
    [((20, 20, 20), 100), ((30, 10, 20), 0), ((24, 16, 20), 44), ((4, 4, 4), None), ((9,), None)],
    ids=["even", "uneven", "as-chance-has-it", "too-few", "no-choice"],
)
def test_more_results_than_two_are_compared_by_chi_square(
    counts: tuple[int, ...], share: int | None
) -> None:
    assert as_uneven(counts) == share


@pytest.mark.parametrize(
    ("freedom", "critical"), [(1, 3.841), (2, 5.991), (3, 7.815), (4, 9.488), (5, 11.070)]
)
def test_chi_square_is_that_of_the_printed_tables(freedom: int, critical: float) -> None:
    assert round(beyond(critical, freedom), 4) == 0.05


def test_the_page_reads_without_a_script(match: Match, client: Client) -> None:
    concede(match)
    page = client.get(f"/matches/{match.code}/fair/").content.decode()
    assert "It agrees" in page
    assert page.count("data-n=") == 1


def test_a_match_without_spins_says_so(client: Client, db: None) -> None:
    quiet = factories.played(acts=2)
    page = client.get(f"/matches/{quiet.code}/fair/").content.decode()
    assert "Nothing has been spun" in page


def test_a_hidden_match_has_no_fairness_page_for_others(client: Client, db: None) -> None:
    hidden = factories.match(visibility="table")
    assert client.get(f"/matches/{hidden.code}/fair/").status_code == 404
