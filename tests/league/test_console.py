"""The console: what it shows to whom, where it goes on, and how it explains refusals."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.template import Context, Template

from league import services
from league.models import Role, Tournament
from league.views import console_context
from rules.desk.acts import Options
from tests import factories
from tests.factories import signed_in
from tests.league import desks
from tests.league.consoles import Console, Form, swiss

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def test_a_form_sends_unseen_what_it_is_for_and_nothing_else() -> None:
    written = Template('{% load desks %}{% act type="time-called" round=1 %}')

    found = written.render(Context({"act_id": '"><b>', "csrf_token": "t"}))
    assert found == (
        '<input type="hidden" name="csrfmiddlewaretoken" value="t">'
        '<input type="hidden" name="act_id" value="&quot;&gt;&lt;b&gt;">'
        '<input type="hidden" name="type" value="time-called">'
        '<input type="hidden" name="round" value="1">'
    )


def test_two_forms_sent_before_either_is_answered_are_two_acts_and_a_double_tap_is_one() -> None:
    cup = desks.tournament(desk=Options(check_in=True))
    desks.entered(cup, 2)
    console = Console(cup)
    of_row = re.compile(r'name="act_id" value="([^"]+)"><input type="hidden" name="entrant"')
    ids = of_row.findall(console.page())
    for act_id, number in (*zip(ids, (1, 2), strict=True), (ids[0], 1)):
        console.post(act_id=act_id, type="checked-in", entrant=number)
    assert [each.here for each in desks.desk(cup).people] == [True, True]


def test_a_long_console_is_narrowed_by_name_or_number_and_goes_on_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(console_context, "LONG", 3)
    cup = desks.tournament()
    for name in ("Ann", "Ben", "Cid", "Dot"):
        services.enter(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), name=name)
    desks.start(cup)
    desks.paired(cup)
    console = Console(cup)
    page = console.page()
    assert all(f'<a href="#{part}">' in page for part in ("due", "tables", "people"))
    assert "<summary>All who entered</summary>" in page
    one, other = (f'<li id="t{table}"' for table in (1, 2))
    second = console.page(f"{console.url}?q=2")
    assert (one in second, other in second) == (False, True)
    assert '<li id="p1"' not in second
    assert '<li id="p2"' in second
    assert "All who entered" not in second  # what is found is shown
    named = console.page(f"{console.url}?q=aNN")
    assert (one in named) != (other in named)
    assert "Nobody is called that" in console.page(f"{console.url}?q=nobody")
    result: Form = {"type": "result-reported", "round": 1, "table": 2, "scores": "2-0"}
    sent = {"act_id": str(uuid4()), "anchor": "t2", **result}
    answer = console.client.post(f"{console.url}?q=2", sent)
    assert answer["Location"] == f"{console.url}?q=2#t2"


def test_after_a_tap_in_a_row_the_console_goes_on_there_or_at_what_is_due() -> None:
    cup = swiss(4)
    client, url = signed_in(desks.organiser(cup).user), f"/tournaments/{cup.code}/console/"
    told = {"type": "result-reported", "round": 1, "scores": "2-0"}
    for sent, part in (
        ({"type": "dropped", "entrant": 3, "anchor": "p3"}, "p3"),
        ({"do": "enter", "name": "Ida", "anchor": "enter-name"}, "enter-name"),  # the next name
        ({**told, "table": 1, "anchor": "t1"}, "t1"),
        ({"type": "returned", "entrant": 3, "anchor": "elsewhere"}, "due"),
        ({**told, "table": 2, "anchor": "t2"}, "due"),  # the last one waited for
    ):
        answer = client.post(url, {**sent, "act_id": str(uuid4())})
        assert answer.headers["Location"] == f"{url}#{part}"
    assert 'id="p3"' in (page := client.get(url).content.decode())
    assert 'name="anchor" value="t2"' not in page  # it is settled


def test_a_large_field_is_summed_up_not_listed() -> None:
    cup = desks.tournament()
    desks.entered(cup, 18)
    desks.start(cup)
    console = Console(cup)
    assert "by lot</span>" not in console.page(f"{cup.get_absolute_url()}standings/")
    desks.paired(cup)
    assert "Waiting for 9 tables." in console.page()


def official(cup: Tournament, role: str) -> Any:
    actor = factories.actor()
    assert actor.player is not None
    services.name_member(
        by=desks.organiser(cup), tournament=cup, player=actor.player, role=Role(role)
    )
    return actor


@pytest.mark.parametrize(
    ("role", "there", "gone"),
    [
        (
            "scorekeeper",
            ["2–1"],
            ["Call time", ">Here<", "Check everybody in", "list of entries"],
        ),
        ("judge", ["Call time", ">Here<", "Check everybody in"], ["list of entries"]),
        ("organiser", ["Call time", ">Here<", "list of entries"], []),
    ],
)
def test_nobody_is_offered_what_is_not_theirs(role: str, there: list[str], gone: list[str]) -> None:
    cup = desks.tournament(desk=Options(check_in=True))
    desks.entered(cup, 3)
    by = desks.organiser(cup) if role == "organiser" else official(cup, role)
    desks.act(cup, "checked-in", entrant=1)
    desks.act(cup, "checked-in", entrant=2)
    waiting = Console(cup, by).page()
    assert ("That is for an organiser." in waiting) == (role != "organiser")
    assert ('value="start"' in waiting) == (role == "organiser")
    desks.start(cup)
    desks.paired(cup)
    console = Console(cup, by)
    pages = waiting + console.page()
    assert [text for text in there if text not in pages] == []
    assert [text for text in gone if text in pages] == []
    listed = console.page(f"/tournaments/{cup.code}/import/")
    assert ('value="entries"' in listed) == (role == "organiser")
    if role == "scorekeeper":
        refused = console.post(403, type="time-called", round=1)
        assert "That is not for you to record at this tournament." in refused
        assert "time-called`" not in refused


def test_a_german_key_is_named_by_the_words_it_shows() -> None:
    """Or nobody can say it to a program that listens."""
    cup = swiss()
    console = Console(cup)
    console.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    named = re.findall(r'<button[^>]* aria-label="([^"]+)">\s*([^<>]+?)\s*<', console.page())
    assert len(named) > 2
    assert [words for label, words in named if words.lower() not in label.lower()] == []


def test_a_german_refusal_names_no_field() -> None:
    cup = swiss()
    console = Console(cup)
    console.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    told = console.post(422, type="table-fixed", entrant=1, table=99999)
    assert "Das geht hier nicht: Tisch." in told


def test_a_console_is_followed_while_the_tournament_is_played() -> None:
    cup = swiss()
    console = Console(cup)
    page = console.page()
    answer = console.client.get(f"{console.url}?part=live")
    tag = answer["ETag"]
    assert f'data-live="{tag.replace(chr(34), "&quot;")}"' in page
    assert b"<html" not in answer.content

    def again() -> Any:
        return console.client.get(f"{console.url}?part=live", headers={"If-None-Match": tag})

    assert again().status_code == 304
    desks.play(cup)
    answer = again()
    assert answer.status_code == 200
    assert "Pair Round 2" in answer.content.decode()
    refused = console.post(422, type="table-fixed", entrant=1, table=99999)
    assert "data-live" not in refused
    console.post(type="tournament-closed", irregular="1")
    assert "data-live" not in console.page()


def test_all_that_was_recorded_can_be_read() -> None:
    cup = desks.tournament()
    desks.entered(cup, 25)
    console = Console(cup)
    page = console.page()
    assert '<span class="no num">7</span>' in page
    assert '<span class="no num">6</span>' not in page
    assert 'href="?before=7#log"' in page
    page = console.page(f"{console.url}?before=7")
    assert '<span class="no num">6</span>' in page
    assert '<span class="no num">7</span>' not in page
    assert "The tournament was opened." in page
    assert ">Newest<" in page
    assert ">Older<" not in page
