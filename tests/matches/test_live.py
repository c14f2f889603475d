"""Following a match: cursors, 304s, moments as parts."""

import random
import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from matches import selectors, services
from matches.actors import NOBODY
from matches.links import seat_token
from matches.models import Log, Match
from matches.services import SeatRequest
from tests import factories

pytestmark = pytest.mark.django_db

LINE = re.compile(r'<li id="entry-(\d+)"[^>]*?(class="undone")?>')
RECONNECTS = 100


@pytest.fixture
def match() -> Match:
    return factories.played(acts=3)


def url(match: Match, query: str = "") -> str:
    return f"/matches/{match.code}/{query}"


def lines(answer: Any) -> list[tuple[str, str]]:
    """The lines of a log as an answer has them: number, and whether it was taken back."""
    found: list[tuple[str, str]] = LINE.findall(answer.content.decode())
    return found


def take_back(match: Match, to: int) -> None:
    services.take_back(match=match, by=factories.opener_of(match), act_id=uuid4(), to=to)


def test_a_follower_gets_the_lines_it_lacks(match: Match, client: Client) -> None:
    answer = client.get(url(match, "?after=2"))
    assert [number for number, _ in lines(answer)] == ["4", "3"]
    assert b"<html" not in answer.content


def test_an_unchanged_page_is_a_304(match: Match, client: Client) -> None:
    tag = client.get(url(match, "?after=4"))["ETag"]
    answer = client.get(url(match, "?after=4"), headers={"If-None-Match": tag})
    assert (answer.status_code, answer["ETag"], answer.content) == (304, tag, b"")


def test_another_name_at_the_table_is_something_new(client: Client) -> None:
    match = factories.match(seats=[SeatRequest(label="Red"), SeatRequest(label="Green")])
    tag = client.get(url(match, "?after=1"))["ETag"]
    services.take_seat(by=NOBODY, token=seat_token(match.seats.all()[0]), name="Zoe")
    answer = client.get(url(match, "?after=1"), headers={"If-None-Match": tag})
    assert (answer.status_code, b"Zoe" in answer.content) == (200, True)


def test_the_page_brings_the_tag_of_its_first_question(match: Match, client: Client) -> None:
    page = client.get(url(match)).content.decode()
    tag = client.get(url(match, "?after=4"))["ETag"]
    assert f'data-tag="{tag.replace(chr(34), "&quot;")}"' in page


@pytest.mark.parametrize("who", ["visitor", "opener"])
def test_an_unchanged_match_costs_one_query(
    match: Match, client: Client, django_assert_num_queries: Any, who: str
) -> None:
    if who == "opener":
        client = factories.client_of(factories.opener_of(match))
    tag = client.get(url(match, "?after=4"))["ETag"]
    with django_assert_num_queries(1):
        answer = client.get(url(match, "?after=4"), headers={"If-None-Match": tag})
    assert answer.status_code == 304


def test_a_new_entry_has_a_new_tag(match: Match, client: Client) -> None:
    tag = client.get(url(match, "?after=4"))["ETag"]
    factories.record(match)
    answer = client.get(url(match, "?after=4"), headers={"If-None-Match": tag})
    assert [number for number, _ in lines(answer)] == ["5"]


def test_lines_taken_back_come_again(match: Match, client: Client) -> None:
    take_back(match, 2)
    answer = client.get(url(match, "?after=4"))
    assert dict(lines(answer)) == {
        "5": 'class="undone"',
        "4": 'class="undone"',
        "3": 'class="undone"',
    }


def test_a_match_of_the_table_is_followed_by_the_table_alone(client: Client) -> None:
    hidden = factories.match(visibility="table")
    assert client.get(url(hidden, "?after=1"), headers={"If-None-Match": "*"}).status_code == 404
    client = factories.client_of(factories.opener_of(hidden))
    tag = client.get(url(hidden, "?after=1"))["ETag"]
    answer = client.get(url(hidden, "?after=1"), headers={"If-None-Match": tag})
    assert answer.status_code == 304


def test_an_etag_does_not_reveal_hidden_entries(match: Match, client: Client) -> None:
    Log.objects.filter(pk=match.log_id).update(public_version=3)
    before = client.get(url(match, "?after=1"))
    factories.record(match)
    after = client.get(url(match, "?after=1"))
    assert [number for number, _ in lines(after)] == ["3", "2"]
    assert before["ETag"] == after["ETag"]


@pytest.mark.parametrize("after", ["-1", "x", "9" * 30, "1.5", "1\0"])
def test_a_cursor_that_is_no_number_is_not_found(match: Match, client: Client, after: str) -> None:
    assert client.get(url(match), {"after": after}).status_code == 404


def test_the_cursor_before_the_first_entry_gets_all(match: Match, client: Client) -> None:
    assert len(lines(client.get(url(match, "?after=0")))) == 4


def test_a_cursor_ahead_of_the_log_gets_no_lines(match: Match, client: Client) -> None:
    assert lines(client.get(url(match, "?after=99"))) == []


def test_a_past_moment_is_a_part_to_keep(match: Match, client: Client) -> None:
    answer = client.get(url(match, "?at=2&part=moment"))
    assert "Side 1 1, Side 2 0" in answer.content.decode()
    assert "immutable" in answer["Cache-Control"]
    assert b"<html" not in answer.content


def test_the_newest_moment_is_not_kept(match: Match, client: Client) -> None:
    answer = client.get(url(match, "?at=4&part=moment"))
    assert "immutable" not in answer["Cache-Control"]


def as_it_is(match: Match) -> dict[str, str]:
    """The lines of a log: which count, which do not."""
    timeline = selectors.timeline(match)
    counts = timeline.effective()
    return {
        str(entry.version): "" if entry.version in counts else 'class="undone"'
        for entry in timeline.entries
    }


def test_reconnecting_readers_get_every_entry_once(match: Match, client: Client) -> None:
    """Followers that come back at any cursor end with the log as it is."""
    pick = random.Random(7)
    logs = {4: dict(lines(client.get(url(match))))}
    for _ in range(RECONNECTS):
        if len(logs) < 100 and pick.random() < 0.5:
            head = match.log.head_version
            if pick.random() < 0.2:
                take_back(match, head - 2)
            else:
                factories.record(match, factories.points(seat=pick.choice([1, 2])))
        cursor = pick.choice(list(logs))
        fresh = lines(client.get(url(match, f"?after={cursor}")))
        assert len(fresh) == len(dict(fresh)), "a line came twice"
        logs[match.log.head_version] = known = logs[cursor] | dict(fresh)
        assert known == as_it_is(match)
