"""Opening, finding and reading matches."""

import base64
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches import links
from matches.models import Match
from tests import factories
from tests.api.client import Api, act, by_opener, opening, problem

pytestmark = pytest.mark.django_db


# -- opening ----------------------------------------------------------------------------


def test_opening_answers_201_with_the_code_and_where_it_is() -> None:
    answer = Api(factories.user()).post("matches/", opening(title="Final", place="Hall 2"))
    told = answer.json()
    assert answer.status_code == 201
    assert answer.headers["Location"] == told["url"]
    assert told["url"].endswith(f"/api/v1/matches/{told['code']}/")
    assert (told["ruleset"], told["title"], told["place"]) == ("score@1", "Final", "Hall 2")
    assert (told["version"], told["status"]) == (1, "open")
    assert told["may"] == {"record": True, "rule": True, "manage": True}


def test_seats_are_taken_by_guests_and_players() -> None:
    ada = factories.actor("ada")
    seats = [{"player": str(ada.player_id), "label": "Left"}, {"name": "Ben"}, {"label": "Right"}]
    told = Api(factories.user()).post("matches/", opening(seats=seats)).json()
    assert [(seat["label"], seat["name"]) for seat in told["seats"]] == [
        ("Left", "ada"),
        ("Seat 2", "Ben"),
        ("Right", ""),
    ]


def test_opening_twice_under_one_id_opens_once() -> None:
    caller = Api(factories.user())
    request = opening(id=str(uuid4()))
    first, second = (caller.post("matches/", request) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["code"] == second.json()["code"]
    assert Match.objects.count() == 1


def test_an_id_names_one_opening() -> None:
    caller = Api(factories.user())
    request = opening(id=str(uuid4()))
    caller.post("matches/", request)
    answer = caller.post("matches/", {**request, "options": {"best_of": 3}})
    problem(answer, 409, "id-reused")


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        ({"ruleset": "chess"}, 400, "unknown-ruleset"),
        ({"options": {"best_of": 0}}, 400, "out-of-range"),
        ({"options": {"colour": 1}}, 400, "unknown-field"),
        ({"seats": []}, 400, "bad-length"),
        ({"seats": [{"player": str(UUID(int=7))}]}, 400, "unknown-player"),
        ({"title": "x" * 121}, 400, "bad-length"),
        ({"visibility": "secret"}, 400, "unknown-value"),
        ({"stake": 5}, 400, "unknown-field"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_setup_opens_nothing(wrong: dict[str, Any], status: int, code: str) -> None:
    problem(Api(factories.user()).post("matches/", opening(**wrong)), status, code)
    assert not Match.objects.exists()


# -- finding ----------------------------------------------------------------------------


def test_matches_are_listed_newest_first() -> None:
    codes = [factories.match().code for _ in range(3)]
    told = Api().get("matches/").json()
    assert [row["code"] for row in told["results"]] == codes[::-1]


def test_a_long_list_comes_in_pages_that_miss_and_double_nothing() -> None:
    opener = factories.actor()
    codes = {factories.match(opener).code for _ in range(52)}
    caller = Api()
    first = caller.get("matches/").json()
    second = caller.client.get(first["next"]).json()
    back = caller.client.get(second["previous"]).json()
    assert (len(first["results"]), len(second["results"]), second["next"]) == (50, 2, None)
    assert {row["code"] for row in first["results"] + second["results"]} == codes
    assert back["results"] == first["results"]


BEFORE_TIME = base64.b64encode(b"p=0001-01-01T00:00:00%2B23:59").decode()
FAR_ZONE = base64.b64encode(b"p=2026-01-01T00:00:00%2B23:59").decode()


@pytest.mark.parametrize(
    "cursor",
    ["x", "cD1ub3cAAA%3D%3D", "cD1ub25zZW5zZQ==", "bz0tMQ==", "%00", BEFORE_TIME, FAR_ZONE],
)
def test_a_forged_cursor_is_400_or_the_first_page(cursor: str) -> None:
    factories.match()
    assert Api().get("matches/", cursor=cursor).status_code in (200, 400)


def test_a_list_is_narrowed_by_ruleset_status_and_player() -> None:
    ada = factories.actor()
    seats = [factories.SeatRequest(player=ada.player), factories.SeatRequest()]
    mine = factories.match(ada, seats=seats)
    other = factories.match()
    factories.record(other, {"type": "conceded", "seat": 1})

    def codes(**query: Any) -> list[str]:
        return [row["code"] for row in Api().get("matches/", **query).json()["results"]]

    assert codes(player=str(ada.player_id)) == [mine.code]
    assert codes(status="ended") == [other.code]
    assert codes(status="open") == [mine.code]
    assert codes(ruleset="score") == codes(ruleset="score@1") == [other.code, mine.code]
    assert codes(ruleset="zg") == []


@pytest.mark.parametrize(
    ("path", "query", "code"),
    [
        ("matches/", {"ruleset": "chess"}, "unknown-ruleset"),
        ("matches/", {"ruleset": "zg@99"}, "unknown-ruleset"),
        ("tournaments/", {"ruleset": "desk"}, "unknown-ruleset"),
        ("ratings/", {"game": "chess"}, "unknown-ruleset"),
        ("ratings/revisions/", {"game": "chess"}, "unknown-ruleset"),
        ("cards/", {"game": "chess"}, "unknown-ruleset"),
    ],
)
def test_a_game_that_is_none_narrows_no_list(path: str, query: dict[str, str], code: str) -> None:
    told = problem(Api().get(path, **query), 400, code)
    assert told["errors"][0]["where"] == f"$.{next(iter(query))}"


def test_a_match_kept_to_its_table_is_listed_for_its_table_alone() -> None:
    kept = factories.match(visibility="table")
    assert Api().get("matches/").json()["results"] == []
    assert [row["code"] for row in by_opener(kept).get("matches/").json()["results"]] == [kept.code]


# -- reading ----------------------------------------------------------------------------


def test_a_match_tells_its_head_and_its_table(match: Match) -> None:
    told = Api().get(f"matches/{match.code}/").json()
    match.log.refresh_from_db()
    assert (told["version"], told["hash"]) == (6, match.log.head_hash)
    assert (told["log"], told["opener"]) == (str(match.pk), str(match.opener_id))
    assert told["may"] == {"record": False, "rule": False, "manage": False}
    assert set(told["links"]) == {
        *("state", "options", "events", "acts", "bot", "take-back", "correct", "cut", "verify"),
        *("scribe", "proposals", "seats", "officials", "certificate", "luck", "went", "what-if"),
    }


def test_a_match_held_back_tells_the_hash_of_what_is_shown() -> None:
    kept = factories.match(held=True)
    shown = kept.log.head_hash
    factories.record(kept)
    told = Api().get(f"matches/{kept.code}/").json()
    assert (told["version"], told["hash"]) == (1, shown)


def test_a_code_is_found_in_small_letters_too(match: Match) -> None:
    assert Api().get(f"matches/{match.code.lower()}/").json()["code"] == match.code


@pytest.mark.parametrize("below", ["", "state/", "options/", "events/", "verify/"])
def test_a_match_one_may_not_see_is_not_there(below: str) -> None:
    kept = factories.match(visibility="table")
    hidden = Api(factories.user()).get(f"matches/{kept.code}/{below}")
    absent = Api(factories.user()).get(f"matches/ABCDEF/{below}")
    told = problem(hidden, 404, "no-such-match")
    assert {**told, "detail": ""} == {**absent.json(), "detail": ""}


def test_a_seat_link_lets_a_program_sit_down(match: Match) -> None:
    token = links.seat_token(match.seats.get(number=2))
    caller = Api(x_seat=token)
    assert caller.get(f"matches/{match.code}/").json()["may"]["record"] is True
    assert caller.post(f"matches/{match.code}/acts/", act()).status_code == 201


def test_a_forged_seat_link_is_404(match: Match) -> None:
    problem(Api(x_seat="forged").get(f"matches/{match.code}/"), 404, "bad-link")


# -- costs ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("matches/", 6),
        ("matches/{}/", 6),
        ("matches/{}/state/", 7),
        ("matches/{}/events/", 8),
        ("feed/", 14),
        ("players/", 3),
    ],
)
def test_reading_costs_the_same_however_much_there_is(path: str, most: int) -> None:
    few = factories.played(2)
    path = path.format(few.code)
    caller = Api(factories.user())
    caller.get(path)  # the log is held in memory from here on

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert caller.get(path).status_code == 200
        return len(captured)

    before = queries()
    for number in range(5):
        factories.played(2, seats=2 + number)
        factories.record(few)
    assert queries() == before <= most


def test_a_deck_that_cannot_be_played_is_named_by_its_seat() -> None:
    seats = [{"label": "Red"}, {"label": "Blue", "deck": {"cards": []}}]
    answer = Api(factories.user()).post("matches/", {"ruleset": "zg", "seats": seats})
    told = problem(answer, 422, "too-few-cards")
    assert [each["where"] for each in told["errors"]] == ["$.seats[1]"]
