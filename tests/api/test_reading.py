"""State, offers, entries, files and the feed of matches."""

from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.throttling import ScopedRateThrottle

import rules
from matches import audiences, links, selectors, transfer
from matches.models import Match, Player
from matches.services import SeatRequest
from rules import notation
from tests import factories
from tests.api.client import Api, by_opener, problem
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

NDJSON = {"Accept": "application/x-ndjson"}
TEXT = {"Accept": "text/plain"}


# -- state ------------------------------------------------------------------------------


def test_the_state_is_that_of_the_head(match: Match) -> None:
    told = Api().get(f"matches/{match.code}/state/").json()
    entry = selectors.timeline(match).entries[-1]
    assert (told["version"], told["digest"], told["audience"]) == (6, entry.digest, "public")
    assert told["state"] == audiences.state_view(match).state


def test_the_state_at_a_version_is_what_it_was_then(match: Match) -> None:
    then = Api().get(f"matches/{match.code}/state/").json()
    factories.record(match)
    assert Api().get(f"matches/{match.code}/state/", at=6).json() == then


@pytest.mark.parametrize("at", ["0", "7", "2147483647"])
def test_a_version_that_is_not_there_is_404(match: Match, at: str) -> None:
    problem(Api().get(f"matches/{match.code}/state/", at=at), 404, "no-such-entry")


@pytest.mark.parametrize("at", ["-1", "x", "1.5", "2147483648", "9" * 5000])
def test_a_version_that_is_no_version_is_400(match: Match, at: str) -> None:
    assert Api().get(f"matches/{match.code}/state/", at=at).status_code == 400


def test_an_official_looks_with_the_eyes_of_any_seat(match: Match) -> None:
    official = factories.actor()
    assert official.player is not None
    match.officials.add(official.player)
    told = Api(official).get(f"matches/{match.code}/state/", **{"as": "2"}).json()
    assert told["audience"] == 2


def test_others_do_not_look_with_the_eyes_of_a_seat(match: Match) -> None:
    answer = Api(factories.user()).get(f"matches/{match.code}/state/", **{"as": "1"})
    problem(answer, 403, "not-your-eyes")


def test_once_all_is_told_anybody_looks_with_the_eyes_of_a_seat(match: Match) -> None:
    factories.record(match, {"type": "conceded", "seat": 1})
    told = [
        Api().get(f"matches/{match.code}/state/", **query).json()["audience"]
        for query in ({}, {"as": "officials"}, {"as": "1"}, {"as": "public"})
    ]
    assert told == ["officials", "officials", 1, "public"]


def test_a_seat_that_is_not_there_has_no_eyes(match: Match) -> None:
    answer = by_opener(match).get(f"matches/{match.code}/state/", **{"as": "7"})
    problem(answer, 404, "no-such-seat")


# -- offers -----------------------------------------------------------------------------


def test_who_records_is_offered_what_is_legal(match: Match) -> None:
    told = by_opener(match).get(f"matches/{match.code}/options/", seat=2).json()
    assert told["version"] == 6
    assert {offer["seat"] for offer in told["offers"]} <= {2, None}
    points = next(offer for offer in told["offers"] if offer["type"] == "points-scored")
    assert points["fields"]["points"]["kind"] in ("range", "free")


def test_a_seat_that_is_not_at_the_table_is_offered_nothing(match: Match) -> None:
    answer = by_opener(match).get(f"matches/{match.code}/options/", seat=9)
    assert answer.status_code == 422


# -- entries ----------------------------------------------------------------------------


def test_entries_come_in_pages_by_version(match: Match) -> None:
    path, told, after = f"matches/{match.code}/events/", [], 0
    while True:
        page = Api().get(path, after=after, limit=4).json()
        told += page["entries"]
        after = page["last"]
        if not page["more"]:
            break
    assert [entry["version"] for entry in told] == [1, 2, 3, 4, 5, 6]
    assert told[0]["act"]["type"] == "opened"
    assert told[1]["act"] == factories.points(1)


def test_asking_after_the_head_tells_nothing_new(match: Match) -> None:
    told = Api().get(f"matches/{match.code}/events/", after=6).json()
    assert told == {"entries": [], "last": 6, "more": False}


def test_asking_after_more_than_there_is_leads_back_to_the_head(match: Match) -> None:
    cup = desks.tournament()
    for path, head in ((f"matches/{match.code}/", 6), (f"tournaments/{cup.code}/", 1)):
        told = Api().get(f"{path}events/", after=9).json()
        assert told == {"entries": [], "last": head, "more": False}


def test_an_entry_tells_all_that_its_hash_covers(match: Match) -> None:
    entry = Api().get(f"matches/{match.code}/events/", after=5).json()["entries"][0]
    assert entry.keys() >= {"act_id", "request_digest", "state_digest", "salt", "hash"}
    assert entry["recorded_by"] == str(match.opener_id)


def test_what_did_not_change_is_304(match: Match) -> None:
    path = f"matches/{match.code}/events/"
    etag = Api().get(path).headers["ETag"]
    unchanged = Api().get(path, {"If-None-Match": etag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    factories.record(match)
    assert Api().get(path, {"If-None-Match": etag}).status_code == 200


def test_the_head_of_an_answer_has_its_tag(match: Match) -> None:
    path = f"/api/v1/matches/{match.code}/events/"
    tag = Api().client.get(path)["ETag"]
    head = Api().client.head(path)
    assert (head.status_code, head["ETag"]) == (200, tag)
    assert Api().client.head(path, headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize("below", ["", "state/"])
def test_a_match_and_its_state_are_304_too(match: Match, below: str) -> None:
    path = f"matches/{match.code}/{below}"
    etag = Api().get(path).headers["ETag"]
    same = Api().get(path, {"If-None-Match": etag})
    assert (same.status_code, same["ETag"]) == (304, etag)


def test_a_state_asks_for_the_key_the_match_and_what_is_not_kept_in_memory(match: Match) -> None:
    """Nothing is kept before it is committed, so the entries are asked for here as well."""
    path, api = f"matches/{match.code}/state/", by_opener(match)
    with CaptureQueriesContext(connection) as asked:
        assert api.get(path).status_code == 200
    key, found, entries = [each["sql"] for each in asked]
    assert "matches_key" in key and "matches_seat" in found and "matches_event" in entries


def test_a_state_told_with_other_names_is_another() -> None:
    match = factories.match(seats=[SeatRequest(label="Red"), SeatRequest(label="Green")])
    path, token = f"matches/{match.code}/state/", links.seat_token(match.seats.get(number=1))
    tag = {"If-None-Match": Api().get(path).headers["ETag"]}
    Api().post(f"seats/{token}/", {"name": "Zoe"})
    fresh = Api().get(path, tag)
    assert fresh.json()["headline"] == "Zoe 0, Green 0"
    tag["If-None-Match"] = fresh.headers["ETag"]
    assert Api().get(path, tag).status_code == 304
    Player.objects.filter(name="Zoe").update(name="Zora")
    assert Api().get(path, tag).json()["headline"] == "Zora 0, Green 0"


def test_an_unchanged_state_is_told_in_two_queries(match: Match) -> None:
    path, api = f"matches/{match.code}/state/", by_opener(match)
    tag = {"If-None-Match": api.get(path).headers["ETag"]}
    with CaptureQueriesContext(connection) as asked:
        assert api.get(path, tag).status_code == 304
    assert len(asked) <= 2, asked.captured_queries  # the key, the head
    factories.record(match)
    assert api.get(path, tag).json()["version"] == 7


def test_a_state_that_another_reads_is_no_news_to_them_alone(match: Match) -> None:
    path = f"matches/{match.code}/state/"
    tag = {"If-None-Match": Api().get(path).headers["ETag"]}
    assert by_opener(match).get(path, tag).status_code == 200
    assert Api().get(path, tag, at=3).json()["version"] == 3


def test_an_answer_is_kept_by_nobody_else(match: Match) -> None:
    headers = Api().get(f"matches/{match.code}/").headers
    assert "private" in headers["Cache-Control"]
    assert {"Authorization", "Cookie", "X-Seat"} <= set(headers["Vary"].split(", "))


# -- files ------------------------------------------------------------------------------


def test_the_log_is_given_as_a_file(match: Match) -> None:
    answer = Api().get(f"matches/{match.code}/events/", NDJSON)
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    assert answer.content == transfer.export_ndjson(match)
    assert len(answer.content.splitlines()) == 1 + 6


def test_the_match_is_given_in_notation(match: Match) -> None:
    answer = Api().get(f"matches/{match.code}/events/", TEXT)
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode() == transfer.export_notation(match)


@pytest.mark.parametrize("headers", [NDJSON, TEXT])
def test_a_refusal_is_a_problem_whatever_was_accepted(headers: dict[str, str]) -> None:
    problem(Api().get("matches/ABCDEF/events/", headers), 404, "no-such-match")


def test_a_link_can_name_the_format(match: Match) -> None:
    answer = Api().get(f"matches/{match.code}/events/", format="ndjson")
    assert answer.headers["Content-Type"] == "application/x-ndjson"


# -- import -----------------------------------------------------------------------------


def carry(file: bytes, media: str) -> Any:
    return Api(factories.user()).post("matches/import/", file, content_type=media)


def emptied(match: Match) -> bytes:
    """Return a log's file under another id, so that it can be taken in beside it."""
    return transfer.export_notation(match).encode()


def test_notation_makes_a_new_log_with_the_same_digests(match: Match) -> None:
    answer = carry(emptied(match), "text/plain")
    told = answer.json()
    copy = Match.objects.get(code=told["code"])
    assert answer.status_code == 201
    assert told["log"] != str(match.pk)
    digests = [[entry.digest for entry in selectors.timeline(m).entries] for m in (match, copy)]
    assert digests[0] == digests[1]


def test_a_log_that_is_here_is_not_taken_in_again(match: Match) -> None:
    problem(carry(transfer.export_ndjson(match), "application/x-ndjson"), 409, "log-exists")


@pytest.mark.parametrize("media", ["application/x-ndjson", "text/plain"])
@pytest.mark.parametrize("file", [b"", b"\xff\xfe", b"{}\n{}", b"nonsense", b"[" * 50_000])
def test_a_file_that_is_no_log_is_400(file: bytes, media: str) -> None:
    answer = carry(file, media)
    assert answer.status_code == 400, answer.content
    assert not Match.objects.exists()


def test_a_file_beyond_the_limit_is_413() -> None:
    problem(carry(b" " * (5 * 1024 * 1024), "text/plain"), 413, "too-large")


def test_the_notation_read_back_is_the_match(match: Match) -> None:
    text = Api().get(f"matches/{match.code}/events/", TEXT).content.decode()
    timeline = notation.play(notation.read_match(text, rules.get))
    assert timeline.entries[-1].digest == selectors.timeline(match).entries[-1].digest


# -- proof ------------------------------------------------------------------------------


def test_a_log_is_proved_on_request(match: Match) -> None:
    told = Api(factories.user()).get(f"matches/{match.code}/verify/").json()
    assert (told["ok"], told["entries"], told["first_bad"]) == (True, 6, None)


# -- feed -------------------------------------------------------------------------------


def test_the_feed_tells_entries_of_all_matches_in_their_order() -> None:
    one, two = factories.match(), factories.match()
    for match in (one, two, one):
        factories.record(match)
    told = Api().get("feed/").json()
    assert [(entry["match"], entry["version"]) for entry in told["entries"]] == [
        (one.code, 1),
        (two.code, 1),
        (one.code, 2),
        (two.code, 2),
        (one.code, 3),
    ]
    positions = [entry["position"] for entry in told["entries"]]
    assert positions == sorted(positions)
    assert told["last"] == positions[-1]


def test_the_feed_goes_on_after_a_position() -> None:
    match = factories.played(5)
    first = Api().get("feed/", limit=4).json()
    rest = Api().get("feed/", after=first["last"]).json()
    assert first["more"] is True
    assert [entry["version"] for entry in rest["entries"]] == [5, 6]
    assert rest["more"] is False
    factories.record(match)
    assert len(Api().get("feed/", after=rest["last"]).json()["entries"]) == 1


def test_the_feed_hides_what_one_may_not_see() -> None:
    kept = factories.match(visibility="table")
    assert Api().get("feed/").json()["entries"] == []
    assert len(by_opener(kept).get("feed/").json()["entries"]) == 1


def test_the_feed_holds_back_what_the_public_may_not_see_yet() -> None:
    match = factories.played(3)
    match.log.public_version = 2
    match.log.save()
    path = f"matches/{match.code}/"
    for caller, last in ((Api(), 2), (by_opener(match), 4)):
        assert [entry["version"] for entry in caller.get("feed/").json()["entries"]][-1] == last
        assert caller.get(path).json()["version"] == last
        assert caller.get(f"{path}state/").json()["version"] == last
        assert caller.get(f"{path}events/").json()["last"] == last
        assert len(caller.get(f"{path}events/", NDJSON).content.splitlines()) == last + 1


def test_a_position_beyond_all_leads_back_to_the_newest(match: Match) -> None:
    newest = Api().get("feed/").json()["last"]
    told = Api().get("feed/", after=2**63 - 1).json()
    assert told == {"entries": [], "last": newest, "more": False}


# -- what it takes ------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [NDJSON, TEXT], ids=["ndjson", "text"])
def test_a_log_as_a_file_counts_as_what_takes_long(
    match: Match, headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    monkeypatch.setattr(ScopedRateThrottle, "THROTTLE_RATES", {"heavy": "1/min"})
    path = f"matches/{match.code}/events/"
    for status in (200, 429):
        assert Api().get(path, headers).status_code == status
    assert Api().get(path).status_code == 200
    cache.clear()
