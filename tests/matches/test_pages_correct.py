"""Pages that correct an act: the prefilled form, the preview, and the log afterwards."""

import re
from html import escape, unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from matches import selectors, services
from matches.models import Match
from tests import factories
from tests.factories import client_of
from tests.html import text_of
from tests.matches.test_corrections import REASON, Tosses, tossed

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

HEADS = {"type": "tossed", "seat": 2, "side": "heads", "spin": "table"}


def url(match: Match, tail: str = "") -> str:
    return f"/matches/{match.code}/{tail}"


def correct(
    table: Tosses, version: int, by: Any = None, client: Client | None = None, **sent: Any
) -> Any:
    """Post a correction as the preview's form does."""
    table.match.log.refresh_from_db()
    fields = {"correction_id": uuid4(), "after": table.match.log.head_version, "reason": REASON}
    client = client or client_of(by or table.judge)
    return client.post(url(table.match, f"correct/{version}/"), fields | sent)


# -- what happened instead ------------------------------------------------------------------


def test_the_form_is_filled_with_the_act_as_it_was() -> None:
    table = tossed("heads", "tails")
    page = client_of(table.judge).get(url(table.match, "correct/3/"))
    form = page.context["same"].forms[0]
    chosen = {
        part.name: [option.value for option in part.options if option.chosen]
        for part in form.fields
    }
    assert chosen == {"side": ["tails"], "spin": ["table"]}
    assert re.search(r'value="tails" checked', page.content.decode())
    assert 'value="tossed 2 side=tails"' in page.content.decode()


def test_the_halves_of_an_attack_are_tiles_and_those_it_had_are_chosen() -> None:
    match = factories.duel()
    factories.record(match, {"type": "impulse-won", "seat": 1})
    test = {"card": "Ridge Helm", "end": "a", "foe": 2, "target": "Tide Shield", "target_end": "b"}
    factories.record(match, {"type": "attacked", "seat": 1} | test)
    client = client_of(factories.opener_of(match))
    page = client.get(url(match, "correct/3/")).content.decode()
    same = page.partition('id="same"')[2].partition('id="other"')[0]
    chosen = [unescape(value) for value in re.findall(r'value="([^"]*)"\s+required checked', same)]
    other = "foe=2&target=Tide%20Shield&target_end=a"
    assert chosen == ["card=Ridge%20Helm&end=a", "foe=2&target=Tide%20Shield&target_end=b"]
    assert f'value="{escape(other)}"' in same
    assert "<select" not in same
    sent = {"type": "attacked", "seat": 1, "with-attack": chosen[0], "with-target": other}
    preview = text_of(client.get(url(match, "correct/3/"), sent))
    assert "Tide Shield (end A)" in preview


def test_an_act_against_the_rules_is_filled_in_as_notation() -> None:
    table = tossed("heads")
    services.record(
        match=table.match,
        by=table.judge,
        act_id=uuid4(),
        act={"type": "tossed", "seat": 1, "side": "tails"},
        irregular=True,
    )
    page = client_of(table.judge).get(url(table.match, "correct/3/"))
    assert page.context["same"] is None
    assert 'value="tossed 1 side=tails"' in page.content.decode()


def test_a_preview_is_told_by_the_address_and_writes_nothing() -> None:
    table = tossed("heads", "tails", "heads")
    page = client_of(table.judge).get(url(table.match, "correct/2/?strike=1"))
    told = text_of(page)
    assert "Struck out." in told
    assert "now irregular" in told
    assert "1 later act stays as it is." in told
    assert "2–0" in told and "1–0" in told
    assert page.context["preview"].needs_reason
    assert table.heads == (2, 0)


def test_of_many_changes_a_preview_shows_the_first_and_folds_the_rest() -> None:
    table = tossed(*["tails"] * 8)
    ruling = {"type": "ruled", "winner": "2"}
    page = client_of(table.judge).get(url(table.match, "correct/2/"), ruling).content.decode()
    shown, _, folded = page.split('id="acts"')[1].partition("<details")
    assert [len(re.findall(r"Entry \d", part)) for part in (shown, folded)] == [6, 2]
    assert "2 later acts change, too" in folded and "7 left out in all" in folded


def test_the_preview_sends_on_what_it_was_asked() -> None:
    table = tossed("heads", "tails")
    page = client_of(table.judge).get(url(table.match, "correct/3/"), HEADS)
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.content.decode()))
    del fields["csrfmiddlewaretoken"]
    assert fields.items() >= {name: str(value) for name, value in HEADS.items()}.items()
    answer = client_of(table.judge).post(
        url(table.match, "correct/3/"), fields | {"reason": REASON}
    )
    assert answer.headers["Location"] == url(table.match, "#entry-5")
    assert table.heads == (1, 1)


def test_what_is_against_the_rules_is_asked_about() -> None:
    table = tossed("heads", "tails")
    asked = {"type": "tossed", "seat": 2, "side": "heads"}
    client = client_of(table.judge)
    page = client.get(url(table.match, "correct/2/"), asked)
    assert page.status_code == 409
    assert "It stood: see what it changes" in text_of(page)
    stood = client.get(url(table.match, "correct/2/"), asked | {"irregular": "true"})
    assert stood.status_code == 200
    assert "It is not the turn" in text_of(stood)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?type=dance", 400),
        ("?type=tossed", 400),
        ("?type=tossed&seat=9&side=heads", 422),
        ("?line=tossed", 400),
        ("?line=tossed~2 1", 400),
        ("?line=taken-back 1", 400),
        ("?type=tossed&seat=1&side=%00", 400),
        ("?type=tossed&seat=1&side=heads", 422),
        ("?strike=1&after=x", 200),
    ],
)
def test_an_impossible_correction_returns_the_form(query: str, status: int) -> None:
    table = tossed("heads", "tails")
    page = client_of(table.judge).get(url(table.match, f"correct/2/{query}"))
    assert page.status_code == status
    assert table.match.log.head_version == 3


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"correction_id": "x"}, 400),
        ({"after": "x"}, 404),
        ({"after": 99}, 409),
        ({"reason": ""}, 422),
        ({"reason": "x" * 2001}, 400),
        ({"reason": "a\0b"}, 400),
    ],
)
def test_a_bad_confirmation_writes_nothing(sent: dict[str, Any], status: int) -> None:
    table = tossed("heads", "tails")
    assert correct(table, 2, strike="1", **sent).status_code == status
    assert table.match.log.head_version == 3


def test_when_the_log_went_on_the_preview_is_shown_again() -> None:
    table = tossed("heads", "tails")
    answer = correct(table, 2, strike="1", after=2)
    assert answer.status_code == 409
    assert answer.context["preview"].head == 3
    assert REASON in answer.content.decode()
    assert table.match.log.head_version == 3


# -- who may --------------------------------------------------------------------------------


def test_who_is_not_the_scribe_takes_over_with_the_correction_and_keeps_the_reason() -> None:
    table = tossed("heads")
    one, other = client_of(table.one), client_of(table.two)
    other.post(url(table.match, "scribe/"), {"over": ""})
    page = correct(table, 2, client=one, strike="1")
    assert page.status_code == 409
    assert page.context["reason"] == REASON
    assert "Take over and correct it" in text_of(page)
    over = page.context["scribe"].lease.pk
    assert correct(table, 2, client=one, strike="1", over=over).status_code == 302
    assert table.heads == (0, 0)


def test_the_button_stands_at_every_act_for_officials_and_at_the_last_for_the_table() -> None:
    table = tossed("heads", "tails", "heads")

    def buttons(client: Client) -> list[str]:
        page = client.get(url(table.match)).content.decode()
        return re.findall(r'correct/(\d+)/"', page)

    assert buttons(client_of(table.judge)) == ["4", "3", "2"]
    assert buttons(client_of(table.one)) == ["4"]
    assert buttons(Client()) == []
    assert buttons(client_of(factories.actor())) == []


@pytest.mark.parametrize("version", [1, 5, 99, 10**30])
def test_an_act_that_does_not_count_has_no_correction_form(version: int) -> None:
    table = tossed("heads", "tails", "heads")
    table.take_back(2, table.judge)
    for query in ("", "?strike=1"):
        page = client_of(table.judge).get(url(table.match, f"correct/{version}/{query}"))
        assert page.status_code == 404


def test_an_older_act_is_no_players_to_correct() -> None:
    table = tossed("heads", "tails")
    for query in ("", "?strike=1"):
        page = client_of(table.one).get(url(table.match, f"correct/2/{query}"))
        assert page.status_code == 403
    assert correct(table, 2, table.one, strike="1").status_code == 403
    assert client_of(factories.actor()).get(url(table.match, "correct/2/")).status_code == 403
    assert Client().get(url(table.match, "correct/2/")).status_code == 403


# -- the log afterwards ---------------------------------------------------------------------


def line(page: Any, version: int) -> str:
    """Return what the log's line of an entry says, without its markup."""
    found = re.search(rf'<li id="entry-{version}".*?</li>', page.content.decode(), re.DOTALL)
    assert found is not None
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", found[0]))


def test_every_line_stays_and_tells_what_became_of_it() -> None:
    table = tossed("heads", "tails", "heads")
    correct(table, 2, type="tossed", seat=1, side="tails")
    page = Client().get(url(table.match))
    assert "corrected" in line(page, 2)
    assert "Corrected as entry 6" in line(page, 2)
    assert f"<q>{REASON}</q>" in page.content.decode()
    assert str(table.judge.player) in line(page, 2)
    assert "Recorded again as entry 7" in line(page, 3)
    assert "Corrected, and judged again what came after" in line(page, 5)
    assert "In place of entry 2" in line(page, 6)
    assert "Recorded again: entry 3" in line(page, 7)


def test_what_was_left_out_says_why() -> None:
    table = tossed("tails", "tails", "heads")
    table.correct(2, {"type": "ruled", "winner": 2})
    assert "Left out: The match is over." in line(Client().get(url(table.match)), 4)


def test_an_irregular_line_says_which_rule() -> None:
    table = tossed("heads", "tails")
    table.correct(2, None)
    told = line(Client().get(url(table.match)), 5)
    assert "irregular" in told
    assert "Against the rules: It is not the turn of" in told


def test_as_it_happened_only_what_counts_is_told() -> None:
    table = tossed("heads", "tails", "heads")
    table.correct(2, {"type": "tossed", "seat": 1, "side": "tails"})
    page = Client().get(url(table.match, "?happened=1"))
    assert re.findall(r'<li id="entry-(\d+)"', page.content.decode()) == ["8", "7", "6", "1"]
    assert "1–0" in text_of(page)


@pytest.mark.parametrize(("at", "shown"), [(1, 1), (2, 6), (3, 7), (4, 8), (5, 8), (7, 7)])
def test_as_it_happened_at_a_moment_is_what_counts_in_its_place(at: int, shown: int) -> None:
    table = tossed("heads", "tails", "heads")
    table.correct(2, {"type": "tossed", "seat": 1, "side": "tails"})
    page = Client().get(url(table.match, f"?at={at}&happened=1"))
    assert page.context["scene"].version == shown
    believed = Client().get(url(table.match, f"?at={at}"))
    assert believed.context["scene"].version == at


def test_a_past_moment_knows_nothing_of_later_corrections() -> None:
    table = tossed("heads", "tails", "heads")
    before = Client().get(url(table.match, "?at=3&part=moment")).content
    told = [line(Client().get(url(table.match, "?at=3")), version) for version in (1, 2, 3)]
    table.correct(2, None)
    assert Client().get(url(table.match, "?at=3&part=moment")).content == before
    page = Client().get(url(table.match, "?at=3"))
    assert [line(page, version) for version in (1, 2, 3)] == told


def test_a_moment_that_is_not_there_is_404_as_it_happened_too() -> None:
    table = tossed("heads")
    for at in ("0", "9", "x"):
        assert Client().get(url(table.match, f"?at={at}&happened=1")).status_code == 404


def test_redo_names_what_it_brings_back() -> None:
    table = tossed("heads", "tails")
    table.take_back(2, table.one)
    client = client_of(table.one)
    page = client.get(url(table.match, "acts/"))
    assert re.search(r"Redo: .* tosses tails", text_of(page))
    answer = client.post(url(table.match, "take-back/"), {"act_id": uuid4(), "to": 3})
    assert answer.status_code == 302
    assert selectors.timeline(table.match).effective() == (1, 2, 3)
    assert "Redo" not in text_of(client.get(url(table.match, "acts/")))
