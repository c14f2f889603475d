"""Luck and other readings: the expected result of a finished match, and under other rules."""

import re
from fractions import Fraction
from itertools import product
from uuid import uuid4

import pytest
from django.test import Client

import rules
from matches import decks, followers, services
from matches.actors import NOBODY
from matches.luck import luck_of, luck_over
from matches.models import Match
from matches.scene import scene_of
from matches.selectors import match_for
from tests import factories
from tests.api.client import Api
from tests.html import text_of


@pytest.fixture
def match(db: None) -> Match:
    return factories.tested_duel()


@pytest.fixture
def ended(match: Match) -> Match:
    factories.record(match, {"type": "conceded", "seat": 2})
    return match


def test_luck_is_what_came_less_what_was_to_be_expected(ended: Match) -> None:
    found = luck_of(scene_of(NOBODY, ended))

    assert found is not None
    one, two = found.sides
    zg, decks_of = rules.get("zg"), decks.samples(rules.get("zg"))
    odds = zg.tools["odds"]("G B R+", list(decks_of)[1])
    assert one.expected == Fraction(odds["expected"])
    assert (one.draws, one.came, two.draws, two.luck) == (1, 2, 0, 0)
    assert one.path.count(",") == two.path.count(",") == 2


def test_nobody_is_told_of_luck_before_the_end(match: Match) -> None:
    assert luck_of(scene_of(NOBODY, match)) is None
    assert Api(None).get(f"matches/{match.code}/luck/").json() == {"seats": []}


def test_what_is_held_back_has_its_luck_once_its_end_is_shown(match: Match, client: Client) -> None:
    opener, player = factories.opener_of(match), match.seats.get(number=1).player
    services.change_cut(by=opener, match=match, held=True)
    factories.record(match, {"type": "conceded", "seat": 2})
    luck, question = f"matches/{match.code}/luck/", f"/matches/{match.code}/if/?option-depth=full"

    def told() -> tuple[int, bool, bool]:
        came = sum(side["came"] for side in Api(None).get(luck).json()["seats"])
        asked = "once the match is over" not in client.get(question).content.decode()
        assert player is not None
        return came, luck_over(NOBODY, player, [match_for(NOBODY, match.code)]) is not None, asked

    assert told() == (0, False, False)
    services.change_cut(by=opener, match=match, upto=3)
    assert told() == (2, True, True)


def test_a_game_without_odds_has_no_luck(db: None) -> None:
    scored = factories.match()
    factories.record(scored, {"type": "conceded", "seat": 2})

    assert luck_of(scene_of(NOBODY, scored)) is None


def test_luck_is_on_the_page_and_in_the_api(ended: Match, client: Client) -> None:
    page = client.get(f"/matches/{ended.code}/").content.decode()
    answer = Api(None).get(f"matches/{ended.code}/luck/").json()

    assert 'class="luck"' in page and "1 card test<" in page
    assert [side["came"] for side in answer["seats"]] == [2, 0]
    assert Fraction(answer["seats"][0]["expected"]) > 0


def test_a_players_page_tells_luck_in_card_tests(ended: Match, client: Client) -> None:
    player = ended.seats.get(number=1).player
    assert player is not None
    followers.work(ended.pk)
    page = text_of(client.get(player.get_absolute_url()))
    assert re.search(r"in 1 of them: \d\.\d strikes .* of 1 card test, and 2 came", page)


def test_another_reading_tells_act_by_act_what_it_would_have_changed(
    ended: Match, client: Client
) -> None:
    url = f"/matches/{ended.code}/if/"
    page = client.get(f"{url}?option-strikes=card_tests").content.decode()
    same = client.get(f"{url}?option-strikes=basic&whole=1").content.decode()

    assert "1 of 2 acts" in page
    assert "attacks another card" in page
    assert "Nothing would have gone otherwise" in same


def test_another_reading_is_for_matches_that_are_over(match: Match, client: Client) -> None:
    page = client.get(f"/matches/{match.code}/if/?option-strikes=card_tests").content.decode()

    assert "once the match is over" in page


@pytest.mark.parametrize("query", ["option-strikes=x", "option-terrain=Crate", "option-depth=%00"])
def test_options_that_can_not_be_read_are_named(ended: Match, client: Client, query: str) -> None:
    assert client.get(f"/matches/{ended.code}/if/?{query}").status_code == 422


def test_undoing_does_not_change_a_spin(match: Match) -> None:
    by, fallen = factories.opener_of(match), set()
    cards = "Ridge Helm", "Green Feet", "Thorn Claw"
    for card, half_turn in product(cards, (False, True)):
        spin = factories.HIT | {
            "card": card,
            "target": "Dock Claw",
            "target_end": "a",
            "spin": "server",
        }
        receipt = factories.record(match, spin | {"half_turn": half_turn})
        end = receipt.act.target_end
        fallen.add({"a": "b", "b": "a"}[end] if half_turn else end)
        services.take_back(match=match, by=by, act_id=uuid4(), to=2)

    assert len(fallen) == 1
