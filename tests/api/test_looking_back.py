"""Looking back at a match through the API: how it went, what if, and its log in words."""

from typing import Any

import pytest
from django.test import Client

from league import services as leagues
from matches import services
from matches.models import Match
from tests import factories
from tests.api.client import Api, problem
from tests.html import text_of
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

OTHER = {"options": {"strikes": "card_tests"}}
JSON = "application/json"


@pytest.fixture
def match() -> Match:
    return factories.tested_duel()


@pytest.fixture
def ended(match: Match) -> Match:
    factories.record(match, {"type": "conceded", "seat": 2})
    return match


# -- how it went --------------------------------------------------------------------------


def test_how_a_match_went_is_what_each_side_had_left_where_that_changed(match: Match) -> None:
    told = Api().get(f"matches/{match.code}/went/").json()
    full = told["seats"][0]["most"]
    assert told == {
        "seats": [
            {"seat": 1, "most": full, "now": full},
            {"seat": 2, "most": full, "now": full - 1},
        ],
        "leads": 0,
        "turnings": [
            {"version": 1, "left": [full, full]},
            {"version": 2, "left": [full, full - 1]},
        ],
    }


def test_nothing_went_where_nothing_is_counted_or_lost() -> None:
    for each in (factories.played(acts=3), factories.match(game="zg")):
        told = Api().get(f"matches/{each.code}/went/").json()
        assert told == {"seats": [], "leads": 0, "turnings": []}


def test_how_it_went_ends_where_the_public_is_held_back(match: Match) -> None:
    services.change_cut(by=factories.opener_of(match), match=match, held=True)
    lost = {"type": "slag-called", "seat": 2, "foe": 1, "target": "Ridge Helm"}
    factories.record(match, lost, irregular=True)
    path = f"matches/{match.code}/went/"
    seen = [Api(who).get(path).json() for who in (None, factories.opener_of(match))]
    assert [each["turnings"][-1]["version"] for each in seen] == [2, 3]
    services.change_cut(by=factories.opener_of(match), match=match, held=False)
    assert Api().get(path).json()["turnings"][-1]["version"] == 3
    assert factories.spared().get(f"/api/v1/{path}").json()["turnings"] == []


def test_how_it_went_is_not_sent_twice(match: Match) -> None:
    path = f"matches/{match.code}/went/"
    tag = Api().get(path).headers["ETag"]
    assert Api().get(path, {"If-None-Match": tag}).status_code == 304


# -- what if ------------------------------------------------------------------------------


def test_another_reading_says_act_by_act_what_it_would_have_changed(ended: Match) -> None:
    told = Api().post(f"matches/{ended.code}/what-if/", OTHER)
    assert told.status_code == 200
    assert told.json()["asked"] == 2
    [change] = told.json()["changes"]
    assert (change["version"], change["act"]["card"]) == (2, "Spacewing Backgear")
    strikes = [
        [each["strikes"] for each in change[when]["consequences"] if each["type"] == "card-tested"]
        for when in ("before", "after")
    ]
    assert strikes == [[2], [3]]
    for when in ("before", "after"):
        assert change[when]["call"] == "legal"
        assert len(change[when]["told_consequences"]) == len(change[when]["consequences"])
    assert told.json()["before"]["outcome"]["winners"] == [1]
    assert told.json()["after"]["outcome"]["winners"] == [1]
    assert ended.log.head_version == 3  # nothing was recorded


def test_the_page_and_the_api_say_the_same(ended: Match) -> None:
    page = text_of(Client().get(f"/matches/{ended.code}/if/?option-strikes=card_tests"))
    told = Api().post(f"matches/{ended.code}/what-if/", OTHER).json()
    assert f"{len(told['changes'])} of {told['asked']} acts" in page
    assert told["changes"][0]["told"] in page
    assert told["after"]["headline"] in page


def test_the_same_options_change_nothing(ended: Match) -> None:
    for options in ({}, {"strikes": "basic"}):
        told = Api().post(f"matches/{ended.code}/what-if/", {"options": options}).json()
        assert told["changes"] == []
        assert told["before"] == told["after"]


def test_what_if_is_for_matches_that_are_over(match: Match) -> None:
    problem(Api().post(f"matches/{match.code}/what-if/", OTHER), 409, "match-under-way")


def test_what_if_tells_no_end_that_is_held_back(match: Match) -> None:
    services.change_cut(by=factories.opener_of(match), match=match, held=True)
    factories.record(match, {"type": "conceded", "seat": 2})
    path = f"matches/{match.code}/what-if/"
    problem(Api().post(path, OTHER), 409, "match-under-way")
    services.change_cut(by=factories.opener_of(match), match=match, held=False)
    assert Api().post(path, OTHER).status_code == 200


def test_what_if_is_a_result(ended: Match) -> None:
    told = factories.spared().post(
        f"/api/v1/matches/{ended.code}/what-if/", OTHER, content_type=JSON
    )
    problem(told, 403, "results-off")


@pytest.mark.parametrize(
    ("options", "status", "code", "where"),
    [
        ({"strikes": "x"}, 400, "unknown-value", "$.options.strikes"),
        ({"colour": 1}, 400, "unknown-field", "$.options.colour"),
        ({"terrain": [{"name": "Crate"}]}, 400, "missing-field", "$.options.terrain[0].length"),
        ([], 400, "wrong-type", "$.options"),
    ],
)
def test_options_that_can_not_be_read_are_named(
    ended: Match, options: Any, status: int, code: str, where: str
) -> None:
    asked = Api().post(f"matches/{ended.code}/what-if/", {"options": options})
    assert problem(asked, status, code)["errors"][0]["where"] == where


def test_an_option_that_the_game_does_not_have_is_refused_with_those_it_has(ended: Match) -> None:
    asked = Api().post(f"matches/{ended.code}/what-if/", {"options": {"strike": "card_tests"}})
    told = problem(asked, 400, "unknown-field")["detail"].partition(" (at")[0]
    assert "no `strike` here" in told
    assert "strict_time_order, strikes, tactics_earn" in told
    page = Client().get(f"/matches/{ended.code}/if/", {"option-strike": "card_tests"})
    assert page.status_code == 422
    assert told in text_of(page)


def test_options_that_no_match_can_be_played_with_are_impossible_and_told_in_words(
    ended: Match,
) -> None:
    crate = {"name": "Crate", "length": 1, "height": 1, "width": 1}
    asked = Api().post(f"matches/{ended.code}/what-if/", {"options": {"terrain": [crate, crate]}})
    told = problem(asked, 422, "named-twice")
    assert told["clause"] == "ZG TER-2"
    assert told["errors"][0]["where"] == "$.options"
    page = Client().get(
        f"/matches/{ended.code}/if/", {"option-terrain": "Crate | 1 | 1 | 1\nCrate | 1 | 1 | 1"}
    )
    assert page.status_code == 422
    assert told["detail"].partition(" (at")[0] in text_of(page)


# -- in words -----------------------------------------------------------------------------


def test_a_log_is_told_in_words_if_asked_for(match: Match) -> None:
    path = f"matches/{match.code}/events/"
    [_, attacked] = Api().get(path, told="true").json()["entries"]
    assert attacked["told"].startswith(
        "Yow Ferrin’s Spacewing Backgear (end A) against Ezut Marr’s Tide Shield"
    )
    assert len(attacked["told_consequences"]) == len(attacked["consequences"]) > 0
    plain = Api().get(path).json()["entries"]
    assert [each for each in plain if "told" in each or "told_consequences" in each] == []


def test_what_is_told_of_a_match_is_what_its_page_tells(ended: Match) -> None:
    page = text_of(Client().get(ended.get_absolute_url()))
    for entry in Api().get(f"matches/{ended.code}/events/", told="true").json()["entries"][1:3]:
        assert entry["told"] in page


def test_a_desk_is_told_in_words_with_its_names_and_announcements() -> None:
    cup = desks.tournament()
    desks.entered(cup, 2)
    desks.act(cup, "announced", note="Lunch is at noon.")
    path = f"tournaments/{cup.code}/events/"
    told = [entry["told"] for entry in Api().get(path, told="true").json()["entries"]]
    assert told == [
        "The tournament was opened.",
        "Guest 1 enters.",
        "Guest 2 enters.",
        "Announced: “Lunch is at noon.”",
    ]
    assert "told" not in Api().get(path).json()["entries"][0]


def test_a_pairing_that_is_not_published_is_not_told() -> None:
    cup = desks.tournament()
    desks.entered(cup, 2)
    desks.start(cup)
    by = desks.organiser(cup)
    leagues.pair(tournament=cup, by=by, act_id=desks.uuid4(), seed=7)
    path = f"tournaments/{cup.code}/events/"
    public, own = (Api(who).get(path, told="true").json()["entries"] for who in (None, by))
    paired = "The next round is paired: Swiss."
    assert (len(public), len(own)) == (4, 5)
    assert own[-1]["told"] == paired
    assert paired not in [entry.get("told") for entry in public]
