"""The console: what it offers, what it accepts, and how it explains refusals."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone

from league import services
from league.forms.fields import ZoneField
from league.models import Role, Tournament
from league.views import console_context
from rules.desk.acts import Options
from tests import factories
from tests.html import squeezed
from tests.league import desks
from tests.league.consoles import Console, Form, swiss

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def pods(players: int = 3) -> Tournament:
    cup = desks.tournament(stages=[{"format": "pods"}])
    desks.entered(cup, players)
    desks.act(cup, "stage-started", format="pods", sizes=[3], seed=7)
    desks.paired(cup)
    return cup


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("-5", "greater than or equal to 0"),
        ("99999999999999999999", "less than or equal to 9999"),
        ("abc", "Enter a whole number"),
        ("", "Say what"),
    ],
)
def test_what_is_no_score_is_refused_at_its_field_and_stays_there(typed: str, says: str) -> None:
    cup = pods()
    console = Console(cup)
    correct = f"/tournaments/{cup.code}/rounds/1/tables/1/correct/"
    at_table = f"/tournaments/{cup.code}/rounds/1/tables/1/"
    form: Form = {"type": "result-reported", "score-1": typed, "score-2": "1", "score-3": "2"}

    in_console = console.post(400, round=1, table=1, **form)
    assert '<details class="table-row" open>' in in_console
    for page in (
        in_console,
        console.post(400, at_table, **form),
        console.client.get(correct, form).content.decode(),
    ):
        assert says in page
        assert 'value="2"' in page
        assert "This could not be taken yet" in page
    assert desks.desk(cup).rounds[0].tables[0].status == "open"


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


def test_a_minus_is_no_dash_between_two_scores() -> None:
    cup = desks.tournament()
    desks.entered(cup, 2)
    desks.start(cup)
    desks.paired(cup)
    report: Form = {"type": "result-reported", "round": 1, "table": 1}
    console = Console(cup)

    page = console.post(400, scores="-2-1", **report)
    assert page.count("is not a whole number from 0 to 9999.") == 1
    console.post(scores="2 – 1", **report)
    result = desks.desk(cup).rounds[0].tables[0].result
    assert result is not None
    assert result.scores == (2, 1)


def test_who_did_not_show_up_is_told_at_a_table_of_three() -> None:
    cup = pods()
    console = Console(cup)
    first, second, _ = desks.desk(cup).rounds[0].tables[0].players
    scores: Form = {"score-1": "", "absent-1": "on", "score-2": "4", "score-3": "2"}

    console.post(type="result-reported", round=1, table=1, **scores)
    table = desks.desk(cup).rounds[0].tables[0]
    assert table.result is not None
    assert (table.result.scores, table.result.absent) == ((0, 4, 2), (first,))

    correct = f"/tournaments/{cup.code}/rounds/1/tables/1/correct/"
    asked: Form = {"score-1": "3", "score-2": "", "absent-2": "on", "score-3": "2"}
    assert "What it moves" in console.client.get(correct, asked).content.decode()
    console.post(url=correct, scores="3-0-2", absent=second, note="The other one.")
    table = desks.desk(cup).rounds[0].tables[0]
    assert table.result is not None
    assert (table.result.scores, table.result.absent) == ((3, 0, 2), (second,))


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


def test_undoing_a_drop_moves_no_round_that_was_paired_before() -> None:
    cup = swiss(6, rounds=3)
    desks.play(cup)
    desks.paired(cup)
    desks.act(cup, "dropped", entrant=1)
    console = Console(cup)
    assert "checked in" not in console.page(), "nobody was asked to"
    assert "5 of 6 in<" in console.page()
    page = console.page(f"/tournaments/{cup.code}/undo/?to={cup.log.head_version - 1}")
    assert "Guest 1 drops." in page
    assert "would now be paired differently" not in page
    assert "It moves nothing else." in page


def test_undoing_a_correction_moves_no_round_that_fitted_before_it() -> None:
    cup = swiss(4, rounds=3)
    desks.play(cup)
    desks.paired(cup)
    first = desks.desk(cup).rounds[0].tables[0]
    scores = [0, 2] if first.result and first.result.scores == (2, 0) else [2, 0]
    where: Form = {"round": 1, "table": first.number}
    correct = f"/tournaments/{cup.code}/rounds/1/tables/{first.number}/correct/"
    console = Console(cup)
    asked = console.client.get(correct, {"scores": "-".join(map(str, scores))}).content.decode()
    assert "Round 2 would now be paired differently at 2 tables." in asked
    desks.act(cup, "result-corrected", **where, scores=scores, note="Upside down.")
    page = console.page(f"/tournaments/{cup.code}/undo/?to={cup.log.head_version - 1}")
    assert "Places that move" in page
    assert "would now be paired differently" not in page


def test_of_many_places_that_move_most_are_folded_away() -> None:
    moved = [(f"Player {at}", (at, at + 1), "Swiss") for at in range(1, 10)]
    shown, _, folded = render_to_string(
        "league/_blast.html", {"blast": {"moved": moved}}
    ).partition("<details>")
    assert "Player 6: 6 → 7" in shown
    assert "3 more" in folded
    assert "Player 9: 9 → 10" in folded


def test_after_a_tap_in_a_row_the_console_goes_on_there_or_at_what_is_due() -> None:
    cup = swiss(4)
    client, url = Client(), f"/tournaments/{cup.code}/console/"
    client.force_login(desks.organiser(cup).user)
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


@pytest.mark.parametrize("confirmed_only", [True, False])
def test_what_is_reported_counts_everywhere_or_nowhere(confirmed_only: bool) -> None:
    cup = desks.tournament(desk=Options(confirmed_only=confirmed_only), self_report=True)
    player = factories.actor()
    services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.entered(cup, 1)
    desks.start(cup)
    desks.paired(cup)
    told: Form = {"round": 1, "table": 1}
    services.record(
        tournament=cup,
        by=player,
        act_id=uuid4(),
        act={"type": "result-reported", "scores": [2, 0], "by": 1, **told},
    )
    console = Console(cup)
    page, table = console.page(), console.page(f"{cup.get_absolute_url()}standings/")
    if confirmed_only:
        assert "0 of 1 tables confirmed" in page
        assert "Waiting for table 1." in page
        assert ">1–0–0</td>" not in table
        page = console.post(type="result-confirmed", **told)
        assert "1 of 1 tables confirmed" in page
        assert "1 of 1 results are confirmed." in page
    else:
        assert "1 of 1 tables reported" in page
        assert "1 of 1 results are reported." in page
        assert '<td class="unbroken">1–0–0</td>' in table


FINAL: Form = {"format": "single-elimination", "cut": 8}


def test_a_stage_that_is_started_or_a_round_that_is_paired_by_a_double_tap_is_so_once() -> None:
    cup = desks.tournament(stages=[desks.SWISS, {"format": "single-elimination", "cut": 2}])
    desks.entered(cup, 4)
    console = Console(cup)

    def tap(**form: str) -> None:
        form |= {"act_id": str(uuid4())}
        console.post(**form)
        before = desks.desk(cup)
        console.post(**form)
        assert desks.desk(cup) == before

    tap(do="start", order="1")
    for _ in range(3):
        tap(do="pair")
        desks.act(cup, "round-published", round=len(desks.desk(cup).rounds))
        desks.play(cup)
    tap(do="start", order="2")
    tap(do="pair")
    assert len(desks.desk(cup).stages[-1].players) == 2


def test_a_cut_that_is_too_large_may_be_smaller() -> None:
    cup = desks.tournament(stages=[desks.SWISS, FINAL])
    desks.entered(cup, 3)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    console = Console(cup)

    page = console.page()
    assert "3 are left, too few for the best 8: choose how many play on." in page
    assert "<option>3</option><option>2</option>" in page
    assert "A cut to 8 is not possible: 3 are left." in console.post(409, do="start", order=2)
    console.post(409, do="start", order=2, cut=4)
    assert not desks.desk(cup).stages[-1].cut, "nothing is half done"
    console.post(do="start", order=2, cut=2)
    assert len(desks.desk(cup).stages[-1].players) == 2


def test_a_tournament_is_closed_without_a_cut_that_is_too_large() -> None:
    cup = desks.tournament(stages=[{"format": "round-robin"}, FINAL])
    desks.entered(cup, 2)
    desks.act(cup, "stage-started", format="round-robin", best_of=3, seed=7)
    desks.paired(cup)
    desks.play(cup)
    console = Console(cup)
    assert "Close the tournament without it" in console.page()
    console.post(type="tournament-closed")
    assert desks.desk(cup).closed


@pytest.mark.parametrize(
    ("stage", "players", "says", "instead", "sizes"),
    [
        (
            {"format": "multi-round-robin", "sizes": [4]},
            6,
            "needs 5, 7, 8, 13, 16 players, and 6 are there.",
            "multi-round-robin 3",
            (3,),
        ),
        (
            {"format": "pod-elimination"},
            5,
            "needs 4, 7, 10, 13, 16, 40 players, and 5 are there.",
            "pods 4",
            (4, 3),
        ),
    ],
)
def test_a_stage_that_so_many_do_not_play_names_the_numbers_and_a_way_on(
    stage: Form, players: int, says: str, instead: str, sizes: tuple[int, ...]
) -> None:
    cup = desks.tournament(stages=[stage])
    desks.entered(cup, players)
    console = Console(cup)

    chosen: Form = {"do": "replan", "order": 1}
    assert says in console.page()
    refused = console.post(422, do="start", order=1)
    assert f"entrants; there are {players}." in refused
    assert "does not hold" not in refused
    console.post(404, **chosen | {"as": "multi-round-robin 6"})
    page = console.post(**chosen | {"as": instead})
    assert f"{players} are in." in page
    console.post(do="start", order=1)
    assert desks.desk(cup).stages[0].setup.sizes == sizes


def test_a_pairing_is_said_to_be_as_good_as_can_be_and_why_it_is_so() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup)
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=7)
    console, round_page = Console(cup), f"{cup.get_absolute_url()}rounds/1/"
    page = console.page()
    assert "By the rules of the format no pairing is better." in page
    assert f'href="{round_page}#why"' in page
    assert 'id="why"' in console.page(round_page)


def test_a_place_that_a_lot_decided_is_marked_and_no_other() -> None:
    cup = desks.played_out(desks.tournament(), players=4, rounds=1)
    standings = f"{cup.get_absolute_url()}standings/"
    page = Console(cup).page(f"{standings}?why=1")
    assert page.count("by lot</span>") == 4
    assert "Level with another in everything that counts: decided by lot." in page
    assert ">lot</abbr>" not in page
    other = desks.played_out(desks.tournament(), players=2, rounds=1)
    assert "by lot" not in Console(other).page(f"{other.get_absolute_url()}standings/?why=1")


def test_a_large_field_is_summed_up_not_listed() -> None:
    cup = desks.tournament()
    desks.entered(cup, 18)
    desks.start(cup)
    console = Console(cup)
    assert "by lot</span>" not in console.page(f"{cup.get_absolute_url()}standings/")
    desks.paired(cup)
    assert "Waiting for 9 tables." in console.page()


def test_the_form_says_which_numbers_play_a_format() -> None:
    cup = desks.tournament()
    page = Console(cup).page("/tournaments/new/")
    assert "A pod cut needs 4, 7, 10, 13, 16, 40" in page
    assert "at tables of 4: 5, 7, 8, 13, 16" in page


def test_a_city_alone_names_a_time_zone() -> None:
    field = ZoneField()
    for said, zone in (
        ("berlin", "Europe/Berlin"),
        ("New York", "America/New_York"),
        ("utc", "UTC"),
        ("europe/paris", "Europe/Paris"),
        ("Louisville", "Louisville"),  # there are two
        ("Atlantis", "Atlantis"),
    ):
        assert field.clean(said) == zone


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


def test_a_swap_offers_the_seats_there_are() -> None:
    cup = desks.tournament()
    desks.entered(cup, 5)
    desks.start(cup)
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=7)
    console = Console(cup)
    page = console.page()
    offered = page.partition('id="swap-place"')[2].partition("</select>")[0]
    assert offered.count("<option") == 4
    (alone,) = desks.desk(cup).rounds[0].byes
    form: Form = {"type": "pairing-changed", "irregular": "1", "note": "Late.", "entrant": alone}
    console.post(place="1-2", **form)
    assert desks.desk(cup).rounds[0].tables[0].players[1] == alone
    assert "That is not possible here: seat." in console.post(422, place="1-6", **form)


def test_a_published_round_is_changed_at_tables_where_nothing_is_reported() -> None:
    cup = swiss()
    reported, still_open = desks.desk(cup).rounds[-1].tables[:2]
    desks.act(cup, "result-reported", round=1, table=1, by=0, scores=[2, 0], drawn=0)
    console = Console(cup)
    page = console.page()
    offered = page.partition('id="swap-place"')[2].partition("</select>")[0]
    assert offered.count("<option") == 2
    assert f'value="{still_open.number}-1"' in offered
    who = page.partition('id="swap-who"')[2].partition("</select>")[0]
    assert all(f'value="{player}"' not in who for player in reported.players)
    form: Form = {"type": "pairing-changed", "irregular": "1", "note": "Seats turned."}
    console.post(place=f"{still_open.number}-1", entrant=still_open.players[1], **form)
    assert desks.desk(cup).rounds[0].tables[1].players == still_open.players[::-1]


def test_a_german_refusal_names_no_field() -> None:
    cup = swiss()
    console = Console(cup)
    console.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    told = console.post(422, type="table-fixed", entrant=1, table=99999)
    assert "Das geht hier nicht: Tisch." in told


def test_a_dispute_is_due_and_who_rules_on_it_reads_what_was_said_there() -> None:
    cup = swiss()
    desks.act(cup, "result-reported", round=1, table=1, scores=[2, 1])
    desks.act(cup, "result-disputed", round=1, table=1, note="The last game did not count.")
    ruling = f"/tournaments/{cup.code}/rounds/1/tables/1/correct/"
    console = Console(cup)
    page = console.page(ruling)
    assert "<title>Rule on table 1" in page
    assert "The last game did not count." in page
    assert "In dispute, an official rules: table 1." in console.page()
    at = f"/tournaments/{cup.code}/rounds/1/tables/1/"
    due = desks.due(console.client, cup)
    assert ("Disputed" in due, f'href="{at}"' in due) == (True, True)
    sent = {"scores": "0-2", "note": "Counted.", "act_id": uuid4()}
    assert "It is ruled." in squeezed(console.client.post(f"{at}correct/", sent, follow=True))


def test_nobody_checks_in_for_a_cut_or_after_the_last_round() -> None:
    cut = {"format": "single-elimination", "cut": 2}
    cup = desks.tournament(desk=Options(check_in=True), stages=[desks.SWISS | {"rounds": 1}, cut])
    desks.entered(cup, 3)
    for number in (1, 2, 3):
        desks.act(cup, "checked-in", entrant=number)
    desks.start(cup, rounds=1)
    desks.entered(cup, 1)
    desks.paired(cup)
    desks.play(cup)
    cup.log.refresh_from_db()
    page = Console(cup).page()
    assert "with the best 2" in page
    assert "4 entered, 4 checked in" in page
    assert "Check everybody in" not in page and ">Here<" not in page


def test_no_line_breaks_within_a_score_and_a_note_stands_apart() -> None:
    cup = swiss()
    console = Console(cup)
    ruling = f"/tournaments/{cup.code}/rounds/1/tables/1/correct/"
    for page in (console.page(), console.page(ruling)):
        assert '<span class="unbroken">2–0</span>' in page
    desks.act(cup, "ruled", round=1, table=1, absent=[2], note="Waited.")
    assert ' <q class="soft">Waited.</q>' in console.page()


def test_who_left_a_pairing_is_marked_and_it_is_paired_again() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup)
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=7)
    desks.act(cup, "dropped", entrant=2)
    desks.entered(cup, 1)
    desks.act(cup, "announced", note="Lunch.")
    console = Console(cup)

    page = console.page()
    assert "Left since it was paired: Guest 2." in page
    assert page.count("has left") == 1
    assert "Publish it as it is" in page
    page = console.post(do="pair-again")
    desk = desks.desk(cup)
    seated = {player for table in desk.rounds[0].tables for player in table.players}
    assert seated == {1, 3, 4, 5}
    assert [person.status for person in desk.people] == ["in", "dropped", "in", "in", "in"]
    assert "Announced: “Lunch.”" in page
    assert "Publish Round 1" in page
    assert "There is no round to pair now." not in console.post(type="round-published", round=1)
    assert "There is no round to pair now." in console.post(409, do="pair-again")


BRACKET = {"format": "single-elimination", "best_of": 3, "tiebreaks": []}


@pytest.mark.parametrize(
    ("stages", "told"),
    [([desks.SWISS, BRACKET], True), ([BRACKET], False), ([], True)],
)
def test_byes_are_granted_while_not_only_results_decide_who_meets(
    stages: list[dict[str, Any]], told: bool
) -> None:
    cup = desks.tournament(stages=stages)
    desks.entered(cup, 2)
    assert ("A bye that was asked for" in Console(cup).page()) == told
    assert ("Two who are not to meet" in Console(cup).page()) == told


def test_a_round_is_closed_and_the_next_paired_in_one_step_or_not_at_all() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup, rounds=2)
    desks.paired(cup)
    console, act_id = Console(cup), str(uuid4())
    both: Form = {"do": "close-and-pair", "round": 1}
    assert "Results of round 1 are missing." in console.post(422, **both)
    desks.play(cup, tables=[1, 2])

    page = console.page()
    assert "Close round 1 and pair round 2" in page and "Only close it" in page
    assert "Call time" not in page  # nobody plays any more
    weekly = {"by": desks.organiser(cup), "tournament": cup, "number": 2}
    services.set_date(**weekly, pairs_at=timezone.now() + timedelta(days=1))
    assert ">Close Round 1<" in console.page()
    for _ in range(2):
        page = console.post(act_id=act_id, **both)
        assert [(each.closed, each.published) for each in desks.desk(cup).rounds] == [
            (True, True),
            (False, False),
        ]
    assert "Publish Round 2" in page and "is paired on" not in page
    assert "Round 1 is closed." in console.post(422, **both)

    desks.act(cup, "round-published", round=2)
    desks.play(cup, tables=[1, 2])
    page = console.page()
    assert ">Close Round 2<" in page and "Only close it" not in page
    refused = console.post(409, **both | {"round": 2})
    assert "There is no round to pair now. Round 2 is still open" in refused
    assert not desks.desk(cup).rounds[1].closed
    console.post(type="round-closed", round=2)
    assert "See the final order" in console.post(type="tournament-closed")


def test_who_comes_before_a_round_is_published_is_told_and_paired() -> None:
    cup = desks.tournament()
    desks.entered(cup, 7)
    desks.start(cup)
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=7)
    console = Console(cup)
    assert "Publish Round 1" in console.page()
    desks.entered(cup, 1)
    page = console.page()
    assert "Pair Round 1 again" in page
    assert "In the tournament but not in this round: Guest 1 (no. 8)." in page
    assert "Publish it as it is" in page
    page = console.post(do="pair-again")
    assert "Publish Round 1" in page
    first = desks.desk(cup).rounds[0]
    assert (len(first.tables), first.byes) == (4, ())
    desks.act(cup, "dropped", entrant=8)
    console.post(do="pair-again")
    console.post(type="returned", entrant=8)
    assert "In the tournament but not in this round: Guest 1 (no. 8)." in console.page()


def test_who_is_entered_late_is_here_and_who_missed_the_start_is_let_in() -> None:
    cup = desks.tournament(desk=Options(check_in=True))
    desks.entered(cup, 3)
    for number in (1, 2):
        desks.act(cup, "checked-in", entrant=number)
    desks.start(cup)
    desks.paired(cup)
    desks.entered(cup, 1)
    console = Console(cup)

    page = console.page()
    assert ">Here<" not in page
    assert "4 entered, 3 checked in" in page
    assert "Let in: Guest 3" in page
    assert page.count(">Let in<") == 1
    page = console.post(type="returned", entrant=3)
    assert "4 checked in" in page
    desks.play(cup)
    cup.log.refresh_from_db()
    desks.paired(cup)
    assert len(desks.desk(cup).rounds[1].tables) == 2


def test_who_leaves_a_published_round_is_marked_at_their_table_until_it_is_ruled() -> None:
    cup = swiss(5)
    table = desks.table_of(cup, 2)
    (alone,) = desks.desk(cup).rounds[0].byes
    for entrant in (2, alone):
        desks.act(cup, "dropped", entrant=entrant)
    console = Console(cup)
    page = console.page()
    assert page.count("has left") == 1  # whose bye it was has had it
    assert "Left since it was published: Guest 2. Rule that they did not show up." in page
    desks.act(cup, "ruled", round=1, table=table, absent=[2], note="Gone.")
    page = console.page()
    assert "has left" not in page
    assert "Left since" not in page


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


def test_at_ones_own_table_the_console_offers_no_result_that_it_would_refuse() -> None:
    by = factories.actor()
    cup = desks.tournament(by)
    services.enter(tournament=cup, by=by, act_id=uuid4())
    desks.entered(cup, 3)
    desks.start(cup)
    desks.paired(cup)
    console = Console(cup)
    assert console.page().count("Both lose") == 1
    assert "This is your own table" in console.page()
