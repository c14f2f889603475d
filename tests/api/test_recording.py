"""Recording acts, one or many, and taking them back."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError

from matches import log, services
from matches.models import Event, Match, Note
from matches.services import SeatRequest
from tests import factories
from tests.api.client import Api, act, by_opener, problem

pytestmark = pytest.mark.django_db


def record(match: Match, data: Any) -> Any:
    return by_opener(match).post(f"matches/{match.code}/acts/", data)


# -- one act ----------------------------------------------------------------------------


def test_an_act_gets_a_receipt_its_consequences_and_the_head() -> None:
    match = factories.match()
    answer = record(match, act(act={"type": "game-won", "seat": 1}))
    told = answer.json()
    assert (answer.status_code, told["version"]) == (201, 2)
    assert told["act"] == {"type": "game-won", "seat": 1}
    assert [event["type"] for event in told["consequences"]] == ["game-ended", "match-ended"]
    assert told["head"]["version"] == 2
    assert told["head"]["hash"] == told["hash"]
    assert told["head"]["status"] == "ended"
    assert told["head"]["outcome"]["winners"] == [1]


def test_a_receipt_says_how_it_stands_in_the_words_of_the_match() -> None:
    match = factories.match(seats=[SeatRequest(label="Red", name="Ben"), SeatRequest(label="Blue")])
    told = record(match, act(act={"type": "points-scored", "seat": 1, "points": 2})).json()
    read = by_opener(match).get(f"matches/{match.code}/").json()
    assert told["head"]["headline"] == read["headline"] == "Ben 2, Blue 0"


@pytest.mark.parametrize(
    "shown", ["1970-01-01T00:03:12Z", "0001-01-01T00:00:00+02:00", "2199-12-31T23:59:59-12:00"]
)
def test_a_clock_that_is_off_by_years_stops_no_act(match: Match, shown: str) -> None:
    assert record(match, act(said_at=shown)).status_code == 201
    path = f"matches/{match.code}/events/"
    assert "said_at" not in Api().get(path, after=6).json()["entries"][0]


def test_who_says_as_whom_they_record_is_refused_in_another_name(match: Match) -> None:
    """Pages do, of every act; so an act that waits on a phone is sent by nobody else."""
    api, path = by_opener(match), f"matches/{match.code}/"
    own = {"X-Recorder": str(match.opener_id)}
    assert api.post(f"{path}acts/", act(), headers=own).status_code == 201
    for body, place in ((act(), "acts/"), (act(), "proposals/"), ({"over": None}, "scribe/")):
        answer = api.post(path + place, body, headers={"X-Recorder": str(uuid4())})
        problem(answer, 409, "another-recorder")
    nobody = Api().post(f"{path}acts/", act(), headers=own)
    problem(nobody, 401, "not-authenticated")


def test_the_same_act_again_gets_the_same_receipt_and_200(match: Match) -> None:
    request = act()
    first, second = record(match, request), record(match, request)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    assert Event.objects.filter(act_id=request["id"]).count() == 1


def test_an_id_names_one_act(match: Match) -> None:
    request = act()
    record(match, request)
    answer = record(match, {**request, "act": factories.points(2)})
    problem(answer, 409, "id-reused")


def test_an_act_may_name_the_version_it_follows(match: Match) -> None:
    assert record(match, act(after=6)).status_code == 201


def test_an_act_may_name_the_act_it_follows(match: Match) -> None:
    first = act()
    record(match, first)
    assert record(match, act(after=first["id"])).status_code == 201


def test_who_missed_something_is_told_what(match: Match) -> None:
    told = problem(record(match, act(after=4)), 409, "moved-on")
    assert told["head"] == 6
    assert [entry["version"] for entry in told["missed"]] == [5, 6]
    assert told["more"] is False


def test_who_missed_more_than_is_told_at_once_is_told_so(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "MAX_MISSED", 2)
    told = problem(record(match, act(after=2)), 409, "moved-on")
    assert [entry["version"] for entry in told["missed"]] == [3, 4]
    assert told["more"] is True
    read_on = Api().get(f"matches/{match.code}/events/", after=4).json()
    assert [entry["version"] for entry in read_on["entries"]] == [5, 6]


def test_against_the_rules_is_recorded_by_saying_that_it_stood() -> None:
    match = factories.match()
    closed = act(act={"type": "game-closed"})
    told = problem(record(match, closed), 409, "irregular")
    assert told["verdict"] == "nothing-scored"
    assert record(match, {**closed, "irregular": True}).status_code == 201
    entry = Api().get(f"matches/{match.code}/events/", after=1).json()["entries"][0]
    assert entry["irregular"] == "nothing-scored"


def test_a_seat_that_is_not_at_the_table_is_422(match: Match) -> None:
    told = problem(record(match, act(act=factories.points(3))), 422, "wrong-seat")
    assert [each["where"] for each in told["errors"]] == ["$.act.seat"]


def test_what_is_wrong_with_an_opening_or_a_correction_says_where(match: Match) -> None:
    api, one = by_opener(match), {"ruleset": "zg", "seats": [{"label": "Red"}]}
    correction = {"id": str(uuid4()), "act_id": str(uuid4()), "act": None}
    for path, sent, code, where in (
        ("matches/", one, "seat-count", "$.seats"),
        (f"matches/{match.code}/correct/", correction, "act-unknown", "$.act_id"),
    ):
        told = problem(api.post(path, sent), 422, code)
        assert [each["where"] for each in told["errors"]] == [where]


def test_a_reason_is_kept_beside_the_log(match: Match) -> None:
    ruling = {"type": "ruled", "result": "draw"}
    answer = record(match, act(act=ruling, note="They had to leave."))
    assert answer.status_code == 201
    assert "They had" not in answer.content.decode()
    assert Note.objects.get().text == "They had to leave."
    entry = Api().get(f"matches/{match.code}/events/", after=6).json()["entries"][0]
    assert entry["note"] == "They had to leave."


def test_a_stranger_records_nothing(match: Match) -> None:
    answer = Api(factories.user()).post(f"matches/{match.code}/acts/", act())
    problem(answer, 403, "not-allowed")


def test_an_official_rules_and_a_player_does_not(match: Match) -> None:
    player = factories.actor()
    match.seats.filter(number=1).update(player=player.player)
    ruling = act(act={"type": "ruled", "result": "draw"})
    path = f"matches/{match.code}/acts/"
    problem(Api(player).post(path, ruling), 403, "officials-only")
    official = factories.actor()
    assert official.player is not None
    match.officials.add(official.player)
    assert Api(official).post(path, ruling).status_code == 201


# -- a list -----------------------------------------------------------------------------


def test_a_list_is_answered_one_by_one(match: Match) -> None:
    good, again = act(), act(act=factories.points(2))
    wrong: list[Any] = [act(act={"type": "dance"}), 7, {}, act(act=factories.points(9)), good]
    answer = record(match, [good, *wrong, again])
    told = answer.json()["results"]
    assert answer.status_code == 200
    assert [part["status"] for part in told] == [201, 400, 400, 400, 422, 200, 201]
    assert [part["receipt"]["version"] for part in told if "receipt" in part] == [7, 7, 8]
    assert all(part["problem"]["code"] for part in told if "problem" in part)


def test_of_a_list_each_fault_says_where_in_it_it_is(match: Match) -> None:
    late, deep = act(said_at="2026-13-01T00:00:00Z"), act(act={**factories.points(), "seat": "1"})
    told = record(match, [late, deep, {"act": {}}]).json()["results"]
    places = [part["problem"]["errors"][0]["where"] for part in told]
    assert places == ["$[0].said_at", "$[1].act.seat", "$[2].id"]


def test_a_database_that_gives_up_within_a_list_is_the_answer_to_the_rest_of_it(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    able, recorded = services.record, []

    def locked_after_one(**asked: Any) -> Any:
        if recorded:
            raise OperationalError("database is locked")
        recorded.append(able(**asked))
        return recorded[-1]

    acts = [act(), act(), act()]
    monkeypatch.setattr(services, "record", locked_after_one)
    told = record(match, acts).json()["results"]
    assert [part["status"] for part in told] == [201, 503, 503]
    assert {part["problem"]["code"] for part in told[1:]} == {"busy"}
    problem(record(match, acts), 503, "busy")  # none was recorded before it
    monkeypatch.undo()
    assert [part["status"] for part in record(match, acts).json()["results"]] == [200, 201, 201]


def test_a_queue_names_each_act_before(match: Match) -> None:
    first, second = act(after=6), act(act=factories.points(2))
    second["after"] = first["id"]
    told = record(match, [first, second]).json()["results"]
    assert [part["status"] for part in told] == [201, 201]


def test_an_empty_list_is_an_empty_answer(match: Match) -> None:
    assert record(match, []).json() == {"results": []}


def test_a_list_too_long_is_413_and_records_nothing(match: Match) -> None:
    problem(record(match, [act() for _ in range(101)]), 413, "too-many")
    problem(record(match, [act(), *[{}] * 100]), 413, "too-many")
    match.log.refresh_from_db()
    assert match.log.head_version == 6


# -- taking back ------------------------------------------------------------------------


def back(to: int) -> dict[str, Any]:
    return {"id": str(uuid4()), "to": to}


def test_the_last_act_is_taken_back(match: Match) -> None:
    path = f"matches/{match.code}/"
    before = Api().get(f"{path}state/", at=5).json()
    answer = by_opener(match).post(f"{path}take-back/", back(5))
    after = Api().get(f"{path}state/").json()
    assert (answer.status_code, answer.json()["version"]) == (201, 7)
    assert (after["state"], after["digest"]) == (before["state"], before["digest"])


def test_the_same_taking_back_again_is_200(match: Match) -> None:
    path, request = f"matches/{match.code}/take-back/", back(5)
    first, second = (by_opener(match).post(path, request) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()


def test_older_acts_are_for_those_who_rule(match: Match) -> None:
    player = factories.actor()
    match.seats.filter(number=1).update(player=player.player)
    path = f"matches/{match.code}/take-back/"
    problem(Api(player).post(path, back(3)), 403, "officials-only")
    assert by_opener(match).post(path, back(3)).status_code == 201


def test_a_version_that_is_not_there_can_not_be_gone_back_to(match: Match) -> None:
    answer = by_opener(match).post(f"matches/{match.code}/take-back/", back(99))
    problem(answer, 422, "no-such-version")
