"""Cached lines of a log: nobody gets a stale one, or one for another audience."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

import rules
from matches import actors, cuts, line_cache, services
from matches.models import Match, Note, Seat
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]  # no line depends on the engine
HIDDEN = "Something that is hidden for now."


@pytest.fixture(autouse=True)
def _nothing_written() -> None:
    line_cache._written.clear()


@pytest.fixture
def match() -> Match:
    return factories.played(acts=3)


def signed_in(user: Any, **cookies: str) -> Client:
    client = factories.signed_in(user)
    client.cookies.load(cookies)
    return client


def readers(match: Match) -> list[Client]:
    """Return a stranger, a German one, one with results off, the scribe and an official."""
    official = factories.actor()
    match.officials.add(actors.player_of(official))
    strangers = [Client(), Client(), Client()]
    strangers[1].cookies.load({"django_language": "de"})
    strangers[2].cookies.load({"results": "off"})
    return [
        *strangers,
        signed_in(factories.opener_of(match).user),
        signed_in(official.user),
    ]


def log_of(client: Client, match: Match, query: str = "") -> str:
    """Return the log of a page, without the addresses of the page around it."""
    page = client.get(f"/matches/{match.code}/{query}").content.decode()
    found = re.search(r'id="log-lines">(.*?)</div>\s*(?:<svg|</section>|<p><a)', page, re.S)
    assert found, page
    return found[1]


QUERIES = ("", "?at=2", "?happened=1", "?after=1", "?as=public")


def told_alike(match: Match, clients: list[Client]) -> None:
    """Compare each log with one written anew, all readers having looked before."""
    asked = [(client, query) for client in clients for query in QUERIES]
    shown = [log_of(client, match, query) for client, query in asked]
    again = [log_of(client, match, query) for client, query in asked]
    assert line_cache._written
    fresh = []
    for client, query in asked:
        line_cache._written.clear()
        fresh.append(log_of(client, match, query))
    assert shown == fresh
    assert again == fresh


def test_a_cached_line_equals_what_would_be_written_for_the_reader_now(match: Match) -> None:
    clients = readers(match)
    by = factories.opener_of(match)
    told_alike(match, clients)
    wrong = uuid4()
    receipt = factories.record(match, factories.points(2, 7), act_id=wrong)
    told_alike(match, clients)
    services.take_back(match=match, by=by, act_id=uuid4(), to=3)
    told_alike(match, clients)
    services.take_back(match=match, by=by, act_id=uuid4(), to=receipt.version)
    told_alike(match, clients)
    match.log.refresh_from_db()
    services.correct(
        match=match,
        by=by,
        correction_id=uuid4(),
        request=services.CorrectionRequest(wrong, factories.points(2, 6)),
    )
    told_alike(match, clients)
    match.log.refresh_from_db()
    cuts.change(match, held=True)
    factories.record(match, factories.points(1, 9))
    told_alike(match, clients)


def test_a_line_written_for_an_official_is_not_given_to_others(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hide(self: Any, event: Any, audience: Any) -> Any:
        return event if audience == "officials" else None

    monkeypatch.setattr(type(rules.get("score")), "hide", hide)
    stranger, *_, official = readers(match)
    for _ in range(2):
        assert HIDDEN not in log_of(official, match)
        for client, query in ((stranger, ""), (stranger, "?after=1"), (official, "?as=public")):
            seen = log_of(client, match, query)
            assert HIDDEN in seen
            assert "points" not in seen


def test_a_line_written_for_a_player_is_not_given_to_strangers(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hide(self: Any, event: Any, audience: Any) -> Any:
        return event if audience == 1 else None

    monkeypatch.setattr(type(rules.get("score")), "hide", hide)
    player = factories.actor()
    Seat.objects.filter(match=match, number=1).update(player=actors.player_of(player))
    assert log_of(signed_in(player.user), match).count(HIDDEN) == 0
    assert log_of(Client(), match).count(HIDDEN) == 3


def test_lines_of_one_moment_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    match = factories.match()
    for points in (3, 4, 5):
        factories.record(match, factories.points(1, points))
    for _ in range(2):
        found = re.findall(r"(\d) points", log_of(Client(), match))
        assert found == ["5", "4", "3"]


def test_a_line_held_back_is_not_given_though_it_was_written(match: Match) -> None:
    stranger, _, _, scribe, _ = readers(match)
    cuts.change(match, held=True)
    for seat in (1, 2):
        factories.record(match, factories.points(seat, 9))
    assert "9 points" in log_of(scribe, match)
    for query in ("", "?after=1", "?happened=1"):
        assert "9 points" not in log_of(stranger, match, query)


def test_a_line_names_who_sits_there_now(match: Match) -> None:
    client = Client()
    assert "Side 1" in log_of(client, match)
    name = actors.player_of(factories.actor("Yowuya"))
    Seat.objects.filter(match=match, number=1).update(player=name)
    seen = log_of(client, match)
    assert "Yowuya" in seen
    assert "Side 1" not in seen


def test_a_note_that_was_erased_is_told_no_more(match: Match) -> None:
    ruled = {"type": "ruled", "result": "win", "winners": [1]}
    factories.record(match, ruled, note="Went home early.")
    for to in (4, 5):  # back and forth again, so that it stands and is not the newest
        services.take_back(match=match, by=factories.opener_of(match), act_id=uuid4(), to=to)
    assert "Went home early." in log_of(Client(), match)
    Note.objects.update(text="", salt="", author=None, erased_at=timezone.now())
    assert "Went home early." not in log_of(Client(), match)


@pytest.mark.django_db(transaction=True)
def test_what_came_after_a_log_was_read_says_who_recorded_it_and_when() -> None:
    match = factories.match(by=factories.actor("Ostrel"))
    other = factories.actor("Yowuya")
    match.officials.add(actors.player_of(other))
    for by in (factories.opener_of(match), other):
        log_of(Client(), match)
        factories.record(match, by=by)
    rows = re.findall(r'<span class="by soft small">(\w+) <time datetime', log_of(Client(), match))
    assert rows == ["Yowuya", "Ostrel", "Ostrel"]


def test_only_so_many_lines_are_kept(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_cache, "MAX_LINES", 2)
    before = log_of(Client(), match)
    assert len(line_cache._written) == 2
    assert log_of(Client(), match) == before
