"""Circuits and divisions as different people see them."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from league import circuits, divisions, finals, races, recording, removing, services
from league.models import (
    Adjustment,
    Circuit,
    DivisionPlayer,
    Entry,
    League,
    Round,
    Season,
    Standing,
    Tournament,
)
from league.outlooks import CircuitScene, Outlook
from matches.actors import NOBODY, Actor
from matches.errors import BadInput, Conflict, NotAllowed
from matches.followers import work
from matches.models import Player
from rules.desk.acts import Disqualified, Options, ResultCorrected
from tests import factories
from tests.api.client import Api, problem
from tests.factories import signed_in
from tests.html import squeezed, text_of
from tests.league import desks

pytestmark = pytest.mark.django_db


def test_a_circuit_tells_nobody_of_a_tournament_they_may_not_see() -> None:
    by = factories.actor()
    league = services.found_league(by=by, name="Drift")
    days = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    season = services.open_season(by=by, league=league, name="One", **days)
    circuit = services.open_circuit(by=by, season=season, name="Dust", points=[10, 6])
    for title, visibility in (("Open Cup", "public"), ("Secret Cup", "entrants")):
        cup = desks.tournament(by, league=league, season=season, title=title, visibility=visibility)
        desks.played_out(cup)
        services.add_qualifier(by=by, circuit=circuit, tournament=cup)
        work(cup.pk)

    def told(who: Actor | None) -> tuple[list[str], int]:
        answer = Api(who).get(f"circuits/{circuit.pk}/").json()
        return [each["title"] for each in answer["qualifiers"]], len(answer["table"])

    assert told(None) == (["Open Cup"], 4)
    assert told(by) == (["Open Cup", "Secret Cup"], 8)
    for path in (f"/circuits/{circuit.pk}/", f"/seasons/{season.pk}/", f"/leagues/{league.slug}/"):
        assert b"Secret Cup" not in Client().get(path).content
    Circuit.objects.filter(pk=circuit.pk).update(by_ranking=1)
    for who, places in ((None, 0), (by, 1)):
        answer = Api(who).get(f"circuits/{circuit.pk}/").json()
        assert len(answer["qualified"]) == places, "it may rest on what one may not see"
        assert all(bool(row["outlook"]) == bool(places) for row in answer["table"])
    final = desks.tournament(by, league=league, title="Secret Final", visibility="entrants")
    services.name_final(by=by, circuit=circuit, tournament=final)
    assert b"Secret Final" not in Client().get(f"/circuits/{circuit.pk}/").content
    assert b"Secret Final" in signed_in(by.user).get(f"/circuits/{circuit.pk}/").content


def test_a_season_lists_its_tournaments_by_the_day_that_it_shows_of_each() -> None:
    circuit = _circuit(2)
    by, season = desks.organiser(circuits.qualifiers_of(circuit)[0].tournament), circuit.season
    for title, days in (("To come", 3), ("Long ago", -300)):
        at = timezone.now() + timedelta(days=days)
        desks.tournament(by, league=season.league, season=season, title=title, starts_at=at)
    page = Client().get(season.get_absolute_url()).text.partition('id="timeline"')[2]
    titles = re.findall(r'<a class="who"[^>]*>(.*?)</a>', page)
    assert titles == ["Long ago", "Cup 1", "Cup 2", "To come"]


def _seasons(by: Actor, league: League) -> list[Circuit]:
    """Return a circuit of this season, one whose final has begun, and one of the next season."""
    now = timezone.localdate()
    this, following = (
        services.open_season(
            by=by, league=league, name=name,
            starts_on=now + timedelta(first), ends_on=now + timedelta(first + 59),
        )
        for name, first in (("This", -30), ("Next", 30))
    )  # fmt: skip
    races, over, later = (
        services.open_circuit(by=by, season=season, name=name, points=[3, 1])
        for season, name in ((this, "Races"), (this, "Over"), (following, "Later"))
    )
    final = desks.tournament(by, league=league, season=this, title="Final")
    services.name_final(by=by, circuit=over, tournament=final)
    desks.entered(final, 2)
    desks.start(final)
    return [races, over, later]


def test_a_tournament_is_opened_to_count_for_circuits_of_its_season() -> None:
    by = factories.actor()
    league, other = (desks.league(by, name=name) for name in ("Drift", "Other"))
    desks.league(name="Of somebody else")
    races, over, later = _seasons(by, league)
    elsewhere, _, _ = _seasons(by, other)
    client = signed_in(by.user)
    path = f"/tournaments/new/?league={league.slug}"
    offered = re.findall('name="circuits" value="([^"]+)"', client.get(path).text)
    assert offered == [str(races.pk), str(later.pk)]
    leads = squeezed(client.get(f"/circuits/{races.pk}/edit/"))
    assert f"{path}&amp;circuit={races.pk}" in leads
    ticked = re.findall('name="circuits" value="([^"]+)"[^>]* checked', client.get(
        f"{path}&circuit={races.pk}").text)  # fmt: skip
    assert ticked == [str(races.pk)]

    form = {"title": "Cup 1", "game": "score", "format": "swiss", "rounds": "0", "best_of": "1"}
    form |= {"cut": "0", "cap": "0", "league": str(league.pk), "act_id": str(uuid4())}
    for wrong, text in (
        ({"circuits": [races.pk, later.pk]}, "Later is of the season Next; the tournament is not."),
        ({"circuits": [elsewhere.pk]}, "Races is a circuit of another league."),
        ({"circuits": [races.pk], "enters": "krewe"}, "rank players"),
        ({"circuits": [over.pk]}, "is not one of the available choices"),
    ):
        answer = client.post("/tournaments/new/", form | wrong)
        assert answer.status_code == 400
        assert text in str(answer.context["form"].errors["circuits"])
    assert not races.qualifiers.exists()

    for _ in range(2):
        answer = client.post(path, form | {"circuits": [races.pk]}, follow=True)
        assert "It counts for Races." in text_of(answer)
    cup = races.qualifiers.get().tournament
    assert (cup.title, cup.season) == ("Cup 1", races.season)


def test_a_program_opens_a_tournament_to_count_for_circuits_of_its_season() -> None:
    by = factories.actor()
    league = desks.league(by)
    races, over, later = _seasons(by, league)
    sent = {"title": "Cup", "ruleset": "score", "season": str(races.season.pk)}
    api = Api(by)

    def refused(status: int, code: str, *circuits: Any, **fields: Any) -> str:
        body = {**sent, "circuits": [str(each) for each in circuits], **fields}
        [error] = problem(api.post("tournaments/", body), status, code)["errors"]
        return str(error["where"])

    assert refused(400, "no-such-circuit", races.pk, uuid4()) == "$.circuits[1]"
    assert refused(400, "other-season", races.pk, later.pk) == "$.circuits[1]"
    mine = {"season": None, "league": desks.league(by, "Mine").slug}
    assert refused(400, "other-league", races.pk, **mine) == "$.circuits[0]"
    assert refused(400, "other-season", races.pk, later.pk, season=None) == "$.circuits[1]"
    assert refused(409, "final-begun", over.pk) == "$.circuits[0]"
    assert refused(400, "enters-krewes", races.pk, enters="krewe") == "$.circuits"
    [error] = problem(
        api.post("tournaments/", sent | {"league": mine["league"]}), 400, "other-league"
    )["errors"]
    assert error["where"] == "$.season"
    with pytest.raises(BadInput) as unknown:
        services.edit_circuit(by=by, circuit=races, pass_down="nobody")
    assert (unknown.value.code, unknown.value.where) == ("unknown-value", "$.pass_down")
    races.refresh_from_db()
    assert not races.qualifiers.exists()

    twice = sent | {"id": str(uuid4()), "circuits": [str(races.pk), str(races.pk)]}
    told = [api.post("tournaments/", twice) for _ in range(2)]
    assert [each.status_code for each in told] == [201, 200]
    assert [each.json()["circuits"] for each in told] == [[str(races.pk)]] * 2
    alone = {"title": "Cup", "ruleset": "score", "circuits": [str(races.pk)]}
    seasonless = api.post("tournaments/", alone).json()  # its season follows from the circuit
    assert (seasonless["league"], seasonless["season"]) == (league.slug, sent["season"])
    problem(Api(factories.actor()).post("tournaments/", alone), 403, "not-allowed")
    problem(api.post("tournaments/", twice | {"circuits": []}), 409, "id-reused")

    like = {"title": "Next", "like": told[0].json()["code"]}
    for said, counts in (({}, [str(races.pk)]), ({"circuits": []}, [])):
        assert api.post("tournaments/", like | said).json()["circuits"] == counts


def test_a_tournament_counts_later_as_one_that_is_opened_to_count() -> None:
    by = factories.actor()
    league = desks.league(by)
    races, over, later = _seasons(by, league)
    this = {"league": league, "season": races.season}
    cup, final = (desks.tournament(by, title=title, **this) for title in ("Cup", "Last"))
    services.name_final(by=by, circuit=races, tournament=final)
    for circuit, tournament, status, code in (
        (later, cup, 400, "other-season"),
        (over, cup, 409, "final-begun"),
        (races, final, 409, "is-the-final"),
    ):
        path, sent = f"circuits/{circuit.pk}/tournaments/", {"tournament": tournament.code}
        [error] = problem(Api(by).post(path, sent), status, code)["errors"]
        assert error["where"] == "$.tournament"
    edit = f"/circuits/{later.pk}/edit/"
    offered = signed_in(by.user).get(edit).context["adding"].fields["tournament"].queryset
    assert cup not in offered
    seasonless = desks.tournament(by, league=league)
    assert {*offered.all()} == {seasonless}
    services.add_qualifier(by=by, circuit=later, tournament=seasonless)
    path = f"circuits/{races.pk}/tournaments/"
    assert Api(by).post(path, {"tournament": cup.code}).status_code == 201
    final_of_it = {"tournament": cup.code, "final": True}
    problem(Api(by).post(path, final_of_it), 409, "is-a-qualifier")
    problem(
        Api(by).post(
            f"circuits/{later.pk}/tournaments/", {"tournament": final.code, "final": True}
        ),
        409,
        "is-a-final",
    )


def test_points_are_given_in_a_division_or_in_a_circuit() -> None:
    circuit = _circuit(2)
    by = desks.organiser(circuits.qualifiers_of(circuit)[0].tournament)
    division = services.add_division(by=by, season=circuit.season, name="A")
    player = circuits.table_of(circuit)[0].player
    given: dict[str, Any] = {"player": player, "points": 1, "reason": "Why."}
    services.adjust(by=by, within=circuit, **given)
    assert circuits.table_of(circuit)[0].points == 71
    where: list[dict[str, Any]] = [{}, {"division": division, "circuit": circuit}]
    for each in where:
        with pytest.raises(IntegrityError), transaction.atomic():
            Adjustment.objects.create(**given, **each)


def test_what_a_correction_changes_in_a_circuit_is_told_though_the_close_was_taken_back() -> None:
    circuit = _circuit(4)
    cup = circuits.qualifiers_of(circuit)[0].tournament
    by = desks.organiser(cup)
    last = next(t for t in desks.desk(cup).rounds[-1].tables if 1 in t.players)
    assert last.result is not None
    wrong = {"round": 2, "table": last.number, "scores": last.result.scores[::-1], "note": ""}
    first = circuits.table_of(circuit)[0].player
    services.adjust(by=by, within=circuit, player=first, points=-5, reason="Why.")
    services.take_back(
        tournament=cup, by=by, act_id=uuid4(), to=cup.log.head_version - 1, note="Wrong."
    )
    cup.log.refresh_from_db()

    told = recording.preview_of(cup, ResultCorrected(**wrong))

    lines = [change.text for change in told.followers]
    assert [line for line in lines if "points here" in line] == [
        "Dust: Guest 1 has 60 points here, not 70.",
        "Dust: Guest 2 has 70 points here, not 60.",
    ]
    Entry.objects.filter(tournament=cup, number__in=(2, 3)).update(player=None)  # as of krewes
    told = recording.preview_of(cup, Disqualified(entrant=1, note=""))
    assert [change.text for change in told.followers if "points here" in change.text] == [
        "Dust: Guest 1 has 0 points here, not 70.",
        "Dust: Guest 4 has 50 points here, not 40.",
    ]


def test_the_rules_of_circuits_go_on_in_the_season_that_follows() -> None:
    circuit = _circuit(2)
    Circuit.objects.filter(pk=circuit.pk).update(best=3, direct=1, by_ranking=2)
    season = circuit.season
    by = desks.organiser(circuits.qualifiers_of(circuit)[0].tournament)

    fresh = services.roll_over(
        by=by, season=season, name="Two", starts_on=date(2027, 1, 1), ends_on=date(2027, 12, 31)
    )

    names = ("name", "points", "best", "direct", "by_ranking", "pass_down", "about")
    assert list(fresh.circuits.values(*names)) == list(season.circuits.values(*names))
    assert not circuits.qualifiers_of(fresh.circuits.get())
    assert circuits.qualifiers_of(circuit)


def test_who_is_placed_while_a_season_is_rolled_over_plays_in_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by, late = factories.actor(), factories.actor().player
    league = services.found_league(by=by, name="Drift")
    days = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    season = services.open_season(by=by, league=league, name="One", divisions=["A"], **days)
    lock = removing.lock

    def placed_first(thing: Season) -> None:
        monkeypatch.setattr(removing, "lock", lock)
        services.place(by=by, division=season.divisions.get(), player=late)
        lock(thing)

    monkeypatch.setattr(removing, "lock", placed_first)
    fresh = services.roll_over(by=by, season=season, name="Two", **days)
    assert [each.player for each in fresh.divisions.get().members.all()] == [late]


def test_nobody_goes_up_from_the_first_level_nor_down_from_the_lowest() -> None:
    by = factories.actor()
    league = services.found_league(by=by, name="Drift")
    days = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    season = services.open_season(by=by, league=league, name="One", divisions=["A", "B"], **days)
    for division in season.divisions.all():
        services.edit_division(by=by, division=division, up=1, down=1)
        for seed in range(1, 4):
            player = factories.actor().player
            DivisionPlayer.objects.create(division=division, player=player, seed=seed)
    for division in season.divisions.all():
        tables = divisions.division_tables(season)
        assert not any(row.moves for _, rows in tables for row in rows)
        desks.stand(division, [each.player for each in division.members.all()])

    tables = divisions.division_tables(season)

    assert [[row.moves for row in rows] for _, rows in tables] == [["", "", "down"], ["up", "", ""]]
    for division, rows in tables:
        assert divisions.division_table(division) == rows
    best = tables[1][1][0].player
    Standing.objects.filter(entry__player=best).update(points="9")
    Entry.objects.filter(player=best).update(status="disqualified")
    assert divisions.division_table(tables[1][0])[-1].player == best
    page = squeezed(Client().get(f"/seasons/{season.pk}/", headers={"accept-language": "de"}))
    assert [page.count(told) for told in (">hinab<", ">hinauf<")] == [1, 1]
    Entry.objects.filter(tournament__division=tables[1][0]).update(player=None)  # as of krewes
    tables = divisions.division_tables(season)
    assert not any(row.moves for _, rows in tables for row in rows)


@pytest.mark.sqlite
def test_a_level_without_a_division_swallows_nobody_and_what_was_withdrawn_moves_nobody() -> None:
    by = factories.actor()
    league = services.found_league(by=by, name="Drift")
    days = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    season = services.open_season(by=by, league=league, name="One", divisions=["A", "B"], **days)
    for division in season.divisions.all():
        services.edit_division(by=by, division=division, up=1, down=1, level=division.level * 10)
        players = [factories.actor().player for _ in range(3)]
        for seed, player in enumerate(players, 1):
            DivisionPlayer.objects.create(division=division, player=player, seed=seed)
        desks.stand(division, players)

    moves = [(move.was, move.level) for move in divisions.plan_rollover(season)]
    assert moves == [(10, 10), (10, 10), (20, 10), (10, 20), (20, 20), (20, 20)]

    cup = season.divisions.get(level=20).tournaments.get()
    services.withdraw(by=desks.organiser(cup), tournament=cup)
    for who in (None, desks.organiser(cup)):
        tables = divisions.division_tables(season, who)
        assert not any(row.moves for _, rows in tables for row in rows)


def test_without_points_the_better_place_stands_first_and_the_page_says_why() -> None:
    circuit = _circuit(8)
    Circuit.objects.filter(pk=circuit.pk).update(points=[10, 7], by_ranking=2)
    circuit.refresh_from_db()
    rows = finals.finalists_of(circuit).table
    assert [row.got[0].place for row in rows] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [row.ahead_by for row in rows] == ["", "", *["place"] * 5, ""]
    told = Api(None).get(f"circuits/{circuit.pk}/").json()["table"]
    assert [row["ahead_by"] for row in told] == [row.ahead_by for row in rows]
    page = Client().get(f"/circuits/{circuit.pk}/").content.decode()
    assert page.count("by the better best place") == 5
    Circuit.objects.filter(pk=circuit.pk).update(best=1)
    best = squeezed(Client().get(f"/circuits/{circuit.pk}/"))
    assert '<th scope="col" class="num brief">Best 1</th>' in best
    assert "In the final as it stands" in page


def test_a_circuit_whose_only_tournament_holds_its_results_back_says_so() -> None:
    circuit = _circuit(2, held=True)
    answer = Client().get(f"/circuits/{circuit.pk}/")
    page = squeezed(answer)
    assert "The tournaments played so far hold their results back." in page
    assert "No tournament of it is closed yet." not in page
    assert text_of(answer).count("Places give") == 1, "its rule is told once"


def test_one_is_told_where_one_stands_in_a_circuit() -> None:
    circuit = _circuit(2)
    first = finals.finalists_of(circuit).table[0].player
    client = Client()
    user = factories.user()
    Player.objects.filter(user=user).update(user=None)
    Player.objects.filter(pk=first.pk).update(user=user)
    client.force_login(user)
    said = squeezed(client.get(f"/circuits/{circuit.pk}/"))
    assert "You stand at place 1 with 70 points." in said
    Circuit.objects.update(points=[1])
    assert ">1 point<" in squeezed(client.get(circuit.season.league.get_absolute_url()))


@pytest.mark.parametrize(
    ("pass_down", "why"),
    [("tournament", "place 2 at Cup 1"), ("ranking", "60 points, place 2 of the ranking")],
)
def test_the_place_of_who_declines_goes_where_the_circuit_says(pass_down: str, why: str) -> None:
    circuit = _circuit(4)
    Circuit.objects.filter(pk=circuit.pk).update(direct=1, pass_down=pass_down)
    circuit.refresh_from_db()
    [first] = finals.qualified(circuit)
    assert first.why == "place 1 at Cup 1"
    services.answer(by=Actor(None, first.player), circuit=circuit, player=first.player, comes=False)
    assert [place.why for place in finals.qualified(circuit)] == [why]


def test_tournaments_count_in_the_order_of_their_days_not_as_they_were_added() -> None:
    by, one, other = factories.actor(), *(factories.actor().player for _ in range(2))
    days = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    season = services.open_season(by=by, league=desks.league(by), name="One", **days)
    circuit = services.open_circuit(by=by, season=season, name="Dust", points=[10])
    late, early = desks.stand(circuit, [one]), desks.stand(circuit, [other])
    assert _told(circuit) == [(other, "latest"), (one, "")]
    for cup, ago in ((late, 1), (early, 2)):
        at = timezone.now() - timedelta(days=ago)
        Tournament.objects.filter(pk=cup.pk).update(starts_at=at)
    assert _told(circuit) == [(one, "latest"), (other, "")]
    answer = Api().get(f"circuits/{circuit.pk}/?after=1").json()
    assert [row["player"] for row in answer["table"]] == [str(other.pk)]


def _told(circuit: Circuit) -> list[tuple[Player, str]]:
    return [(row.player, row.ahead_by) for row in circuits.table_of(circuit)]


def test_of_those_who_share_the_last_direct_place_the_first_in_the_final_order_is_in() -> None:
    circuit = _circuit(4)
    first = circuit.qualifiers.get(order=1).tournament
    ended = Standing.objects.filter(tournament=first, round=0).order_by("pk")
    order = [row.entry.player for row in ended.select_related("entry__player")]
    ended.filter(place=4).update(place=3)  # as both who lost a semi-final
    Circuit.objects.filter(pk=circuit.pk).update(direct=3)
    circuit.refresh_from_db()
    for _ in range(2):
        places = finals.qualified(circuit)
        assert [place.player for place in places] == order[:3]
    assert [place.why for place in places] == [
        "place 1 at Cup 1",
        "place 2 at Cup 1",
        "place 3 at Cup 1, shared and first in its final order",
    ]
    Circuit.objects.filter(pk=circuit.pk).update(direct=4)
    circuit.refresh_from_db()
    assert [place.why for place in finals.qualified(circuit)][2:] == ["place 3 at Cup 1"] * 2


def test_a_circuit_page_is_told_in_the_language_of_who_looks() -> None:
    circuit = _circuit(4)
    Circuit.objects.filter(pk=circuit.pk).update(by_ranking=1)
    circuit.refresh_from_db()
    with patch("league.finals.ngettext", lambda one, many, n: "{points} P., {place}."):
        assert [place.why for place in finals.qualified(circuit)] == ["70 P., 1."]
    Circuit.objects.filter(pk=circuit.pk).update(by_ranking=0, direct=1)
    circuit.refresh_from_db()
    with patch("league.finals.gettext", lambda said: "Platz {place} bei {tournament}"):
        assert [place.why for place in finals.qualified(circuit)] == ["Platz 1 bei Cup 1"]


def _circuit(players: int, *, held: bool = False) -> Circuit:
    """Return a circuit of one tournament that was played, and one that is to come.

    `held`: the results of the one are held back.
    """
    by = factories.actor()
    league = services.found_league(by=by, name="Drift")
    days: dict[str, Any] = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    season = services.open_season(by=by, league=league, name="One", **days)
    points = list(range(70, 0, -10))
    circuit = services.open_circuit(by=by, season=season, name="Dust", points=points)
    cups = [desks.tournament(by, league=league, season=season, title=f"Cup {n}") for n in (1, 2)]
    if held:
        desks.act(cups[0], "results-held", round=1)
    desks.played_out(cups[0], players, rounds=1 if held else 2)
    for cup in cups:
        services.add_qualifier(by=by, circuit=circuit, tournament=cup)
        work(cup.pk)
    return circuit


def test_who_is_in_the_final_says_whether_they_come_and_may_change_their_mind() -> None:
    circuit = _circuit(4)
    Circuit.objects.filter(pk=circuit.pk).update(by_ranking=1)
    circuit.refresh_from_db()
    first = finals.qualified(circuit)[0].player
    for comes in (False, True):
        services.answer(by=Actor(None, first), circuit=circuit, player=first, comes=comes)
    assert finals.qualified(circuit)[0].player == first
    stranger = factories.actor()
    assert stranger.player is not None
    with pytest.raises(NotAllowed, match="Only players in the final"):
        services.answer(by=stranger, circuit=circuit, player=stranger.player, comes=True)


def test_points_by_how_many_played_are_told_with_their_terms() -> None:
    circuit = _circuit(4)
    by = desks.organiser(circuits.qualifiers_of(circuit)[0].tournament)
    sizes = {"3": [6, 4], "4": [9, 5, 2], "8": [20]}
    services.edit_circuit(by=by, circuit=circuit, points=sizes)
    circuit.qualifiers.filter(order=1).update(tier=2)

    told = Api(None).get(f"circuits/{circuit.pk}/").json()

    assert told["points"] == sizes
    assert [row["points"] for row in told["table"]] == [18, 10, 4, 0]
    assert [(row["got"][0]["field"], row["got"][0]["sharing"]) for row in told["table"]] == [
        *([(4, 1)] * 4),
    ]
    page = squeezed(Client().get(f"/circuits/{circuit.pk}/"))
    assert "from 3 players 6, 4; from 4 players 9, 5, 2; from 8 players 20" in page
    assert "(place 1 of 4, points times 2)" in page


@pytest.mark.parametrize(
    "points",
    [{}, {"0": [1]}, {"8": []}, {"8": [1, -1]}, {"x": [1]}, {str(n): [1] for n in range(1, 18)}],
)
def test_points_by_how_many_play_are_whole_numbers_of_a_few_sizes(points: dict[str, Any]) -> None:
    circuit = _circuit(2)
    api = Api(desks.organiser(circuits.qualifiers_of(circuit)[0].tournament))
    assert api.patch(f"circuits/{circuit.pk}/", {"points": points}).status_code == 400
    by = desks.organiser(circuits.qualifiers_of(circuit)[0].tournament)
    with pytest.raises(BadInput):
        services.edit_circuit(by=by, circuit=circuit, points=points)


def test_a_tournament_with_a_round_is_not_to_come() -> None:
    circuit = _circuit(4)
    path = f"/circuits/{circuit.pk}/"
    assert [text in squeezed(Client().get(path)) for text in ("on now", "to come")] == [False, True]
    coming = circuits.qualifiers_of(circuit)[1].tournament
    desks.entered(coming, 4)
    desks.start(coming)
    desks.paired(coming)
    work(coming.pk)
    assert [text in squeezed(Client().get(path)) for text in ("on now", "to come")] == [True, False]


def test_the_table_says_who_moved_by_the_last_tournament_and_the_page_which_comes_next() -> None:
    circuit = _circuit(3)
    first, second, third = [row.player for row in circuits.table_of(circuit)]
    cup_2 = circuit.qualifiers.get(order=2).tournament
    Tournament.objects.filter(pk=cup_2.pk).update(starts_at=datetime(2030, 1, 2, 18, tzinfo=UTC))
    page = squeezed(Client().get(f"/circuits/{circuit.pk}/"))
    assert ">Next: Cup 2<" in page and "2 Jan 2030, 18:00 UTC" in page
    assert ">up " not in page  # all are new in it
    desks.stand(circuit, [third, first, second])
    path = f"circuits/{circuit.pk}/"

    def moved(query: str = "") -> dict[str, int]:
        return {row["name"]: row["moved"] for row in Api(None).get(path + query).json()["table"]}

    assert moved() == {first.name: 0, third.name: 1, second.name: -1}
    assert moved("?after=1") == {first.name: 0, second.name: 0, third.name: 0}
    Round.objects.create(tournament=cup_2, number=1)
    assert ">On now: Cup 2<" in squeezed(Client().get(f"/{path}"))
    for url in (f"/{path}", circuit.season.league.get_absolute_url()):
        shown = squeezed(Client().get(url))
        assert ">up 1<" in shown and ">down 1<" in shown
    assert Api(None).get(path).json()["qualifiers"][2]["starts_at"] == "2030-01-02T18:00:00Z"
    cup_1 = circuit.qualifiers.get(order=1).tournament
    Tournament.objects.filter(pk=cup_1.pk).update(closed_at=None)
    Round.objects.filter(tournament=cup_1).delete()
    assert ">On now: Cup 2<" in squeezed(Client().get(f"/{path}")), "though another comes first"


def _under_way(**settings: Any) -> tuple[Circuit, Tournament]:
    """Return a circuit whose second tournament is in its first round, four players entered."""
    circuit = _circuit(4)
    cup = circuits.qualifiers_of(circuit)[1].tournament
    for row in circuits.table_of(circuit):
        by = desks.organiser(cup)
        services.enter(tournament=cup, by=by, act_id=uuid4(), player=row.player)
    desks.act(cup, "stage-started", seed=7, **settings)
    desks.paired(cup)
    return circuit, cup


def _stands(circuit: Circuit) -> list[tuple[str, int]]:
    table = Api(None).get(f"circuits/{circuit.pk}/?so_far=true").json()["table"]
    return sorted((row["name"], row["points"]) for row in table)


def test_who_is_left_in_a_bracket_shares_the_places_to_come_as_if_it_ended_now() -> None:
    circuit, cup = _under_way(format="single-elimination")
    desks.play(cup, lambda table: (1, 0) if table.players[0] < table.players[1] else (0, 1))
    work(cup.pk)
    so_far = _stands(circuit)
    assert so_far == [("Guest 1", 135), ("Guest 2", 125), ("Guest 3", 95), ("Guest 4", 85)]
    desks.act(cup, "tournament-closed", irregular=True)
    work(cup.pk)
    assert _stands(circuit) == so_far


def test_a_result_that_has_to_be_confirmed_does_not_count_before() -> None:
    circuit = _circuit(4)
    by = desks.organiser(circuits.qualifiers_of(circuit)[0].tournament)
    cup = desks.tournament(by, title="Cup 3", desk=Options(confirmed_only=True))
    circuit.qualifiers.filter(order=2).update(tournament=cup)
    names = ("Ada", "Bo")
    entrants = [factories.actor(name) for name in names]
    for player in entrants:
        services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.start(cup)
    desks.paired(cup)
    first = desks.desk(cup).rounds[0].tables[0].players[0]
    act = {"type": "result-reported", "round": 1, "table": 1, "scores": [2, 0], "by": first}
    services.record(tournament=cup, by=entrants[first - 1], act_id=uuid4(), act=act)
    work(cup.pk)
    counted = Api(None).get(f"circuits/{circuit.pk}/?so_far=true").json()["so_far"]
    assert counted == "", "nobody confirmed it yet"
    desks.act(cup, "result-confirmed", round=1, table=1)
    work(cup.pk)
    assert dict(_stands(circuit))[names[first - 1]] == 70


def test_a_tournament_under_way_is_counted_as_it_stands_when_asked() -> None:
    circuit = _circuit(4)
    cup = circuits.qualifiers_of(circuit)[1].tournament
    path, api = f"/circuits/{circuit.pk}/", f"circuits/{circuit.pk}/?so_far=true"

    def now() -> tuple[str, dict[str, int]]:
        answer = Api(None).get(api).json()
        return answer["so_far"], {row["name"]: row["points"] for row in answer["table"]}

    closed = {"Guest 1": 70, "Guest 2": 60, "Guest 3": 50, "Guest 4": 40}
    assert "As it stands now" not in squeezed(Client().get(path)), "it has not begun"
    assert now() == ("", closed)
    first, second = (row.player for row in circuits.table_of(circuit)[:2])
    by = desks.organiser(cup)
    for player in (second, first):  # the second of the one before wins this
        services.enter(tournament=cup, by=by, act_id=uuid4(), player=player)
    desks.start(cup, rounds=2)
    desks.paired(cup)
    work(cup.pk)
    assert '<a class="btn" href="?so_far=1">As it stands now</a>' in squeezed(Client().get(path))
    none_yet = "No result of the tournament under way is shown yet."
    assert none_yet in squeezed(Client().get(f"{path}?so_far=1"))
    assert none_yet not in squeezed(Client().get(f"{path}?so_far=1&after=1")), "not asked there"
    assert now() == ("", closed)
    desks.play(cup)
    so_far = closed | {second.name: 60 + 70, first.name: 70 + 60}
    assert now() == (cup.code, so_far)
    on = circuits.qualifiers_of(circuit)[1]
    for who, counted in ((NOBODY, on), (replace(NOBODY, results_off=True), None)):
        assert CircuitScene(circuit, who, so_far=True).so_far == counted
    asked = squeezed(Client().get(f"{path}?so_far=1"))
    assert "Provisional: as if Cup 2 ended as it stands." in asked
    assert asked.count('<span class="chip">so far</span>') == 1
    Circuit.objects.filter(pk=circuit.pk).update(by_ranking=1)
    for sure, tail in ((False, "so_far=true"), (False, "after=1"), (True, "after=9"), (True, "")):
        table = Api(None).get(f"circuits/{circuit.pk}/?{tail}").json()["table"]
        assert all(bool(row["outlook"]) == sure for row in table), tail
    Circuit.objects.filter(pk=circuit.pk).update(by_ranking=0)
    desks.act(cup, "disqualified", entrant=1, note="Why.")
    assert now() == (cup.code, so_far | {second.name: 60, first.name: 70 + 70})
    cup.log.refresh_from_db()
    services.take_back(tournament=cup, by=by, act_id=uuid4(), to=cup.log.head_version - 1)
    assert Api(None).get(f"circuits/{circuit.pk}/?so_far=true&after=1").json()["so_far"] == ""
    assert Api(None).get(f"circuits/{circuit.pk}/").json()["so_far"] == ""
    assert all("so far" not in squeezed(Client().get(path + tail)) for tail in ("", "?after=2"))
    desks.paired(cup)
    desks.act(cup, "results-held", round=1)
    work(cup.pk)
    assert now() == ("", closed), "what is held back counts for nobody"
    desks.act(cup, "results-shown")
    desks.play(cup)
    desks.act(cup, "tournament-closed")
    work(cup.pk)
    assert none_yet not in squeezed(Client().get(f"{path}?so_far=1")), "none is under way any more"


def test_a_race_says_who_is_not_drawn_and_draws_everybody_when_asked() -> None:
    circuit = _circuit(7)
    path = f"/circuits/{circuit.pk}/"
    last = finals.finalists_of(circuit).table[-1].player
    leaders, whole = (squeezed(Client().get(f"{path}{tail}")) for tail in ("", "?race=all"))
    assert f"The first 6 are drawn. Not drawn: {last}." in leaders
    assert (leaders.count("<polyline"), whole.count("<polyline")) == (2 * 6, 2 * 7)
    assert "Everybody is drawn." in whole
    assert "Not drawn" not in squeezed(Client().get(f"/circuits/{_circuit(4).pk}/"))


def test_a_race_has_axes_and_ends_with_what_was_played() -> None:
    circuit = _circuit(7)
    found = races.of(circuit, circuits.endings_of(circuits.qualifiers_of(circuit)))
    assert found is not None
    assert [tick.number for tick in found.across] == [0, 1]
    assert [tick.number for tick in found.up] == [0, 20, 40, 60]
    assert found.lines[0].totals == (0, 70)
    assert [line.style for line in found.lines] == [1, 2, 3, 4, 5, 6]
    for x, y in (mark for line in found.lines for mark in line.marks):
        assert found.left <= x <= found.right
        assert found.top <= y <= found.foot


def test_nobody_races_before_there_are_points() -> None:
    assert races.of(Circuit(points=[5]), []) is None


def _outlooks(circuit: Circuit) -> list[tuple[str, str, int | None]]:
    """Return of everybody in the table whether they are in, what is sure and what they need."""
    told = Api(None).get(f"circuits/{circuit.pk}/").json()["table"]
    found = [row["outlook"] for row in told]
    return [(each["status"], each["call"], each["needs"]) for each in found]


def test_who_is_in_by_points_is_sure_once_nobody_can_pass_and_others_hear_what_they_need() -> None:
    circuit = _circuit(4)
    Circuit.objects.filter(pk=circuit.pk).update(points=[30, 10, 2, 1], by_ranking=2)
    assert _outlooks(circuit) == [
        *(("in", "safe", None), ("in", "live", 30)),
        *(("waiting", "live", 30), ("waiting", "live", 30)),
    ]
    coming = circuits.qualifiers_of(circuit)[1].tournament
    by = desks.organiser(coming)
    final = desks.tournament(by, league=circuit.season.league)
    services.name_final(by=by, circuit=circuit, tournament=final)
    console = squeezed(signed_in(by.user).get(f"/tournaments/{final.code}/console/"))
    assert f"In the final of {circuit}" in console
    assert f'closed: <a href="{coming.get_absolute_url()}">' in console
    leading = finals.finalists_of(circuit).table
    assert [f'value="{row.player.pk}" checked' in console for row in leading] == [
        *(True, True),
        *(False, False),
    ]
    desks.played_out(coming)
    work(coming.pk)
    assert {call for status, call, _ in _outlooks(circuit) if status == "in"} == {"safe"}


@pytest.mark.sqlite
def test_nobody_waits_for_a_tournament_that_was_called_off_or_withdrawn() -> None:
    circuit = _circuit(4)
    Circuit.objects.filter(pk=circuit.pk).update(points=[30, 10, 2, 1], by_ranking=2)
    coming = circuits.qualifiers_of(circuit)[1].tournament
    by = desks.organiser(coming)
    closed = desks.act(coming, "tournament-closed", irregular=True)
    work(coming.pk)
    assert [call for _, call, _ in _outlooks(circuit)[:2]] == ["safe", "safe"]
    assert coming.title not in squeezed(Client().get(f"/circuits/{circuit.pk}/"))
    services.take_back(
        tournament=coming, by=by, act_id=uuid4(), to=closed.version - 1, note="It is on."
    )
    work(coming.pk)
    assert [call for _, call, _ in _outlooks(circuit)[:2]] == ["safe", "live"]
    services.withdraw(by=by, tournament=coming)
    for who in (None, by):
        told = Api(who).get(f"circuits/{circuit.pk}/").json()
        assert len(told["qualified"]) == 2
        assert {row["outlook"]["call"] for row in told["table"][:2]} == {"safe"}
    assert by.user is not None
    page = signed_in(by.user).get(f"/circuits/{circuit.pk}/edit/").content.decode()
    assert coming.title in page, "there it can be taken out"


def test_nobody_is_out_while_a_tournament_to_come_gives_places_itself() -> None:
    circuit = _circuit(4)
    Circuit.objects.filter(pk=circuit.pk).update(points=[30, 20, 1, 0], by_ranking=1)
    circuit.qualifiers.filter(order=2).update(tier=0)
    assert _outlooks(circuit)[2] == ("waiting", "out", None)
    circuit.qualifiers.filter(order=2).update(direct=1)
    assert _outlooks(circuit)[2] == ("waiting", "live", None)
    circuit.qualifiers.filter(order=1).update(direct=1)
    assert _outlooks(circuit)[0] == ("in", "safe", None)
    Circuit.objects.filter(pk=circuit.pk).update(by_ranking=0)
    assert [status for status, _, _ in _outlooks(circuit)] == ["in", *["waiting"] * 3]


@pytest.mark.parametrize(
    ("outlook", "brief", "sentence"),
    [
        (("in", "first", "safe"), "in for sure", "You are in the final, whatever happens: first."),
        (("in", "last"), "in as it stands", "You are in the final as it stands: last."),
        (("waiting", "next"), "", "You are not in the final as it stands: next."),
        (("waiting", "next", "out"), "out", "You can no longer get into the final."),
        (("declined", ""), "does not come", "You said that you do not come to the final."),
    ],
)
def test_an_outlook_is_put_into_words(outlook: tuple[Any, ...], brief: str, sentence: str) -> None:
    told = Outlook(*outlook)
    assert (told.brief, told.sentence) == (brief, sentence)


def test_one_is_told_why_one_is_in_or_what_is_needed_for_it() -> None:
    circuit = _circuit(4)
    Circuit.objects.filter(pk=circuit.pk).update(direct=1, by_ranking=1, points=[30, 10, 2, 1])
    circuit.qualifiers.filter(order=2).update(direct=0)
    client, user = Client(), factories.user()
    Player.objects.filter(user=user).update(user=None)
    client.force_login(user)
    rows = finals.finalists_of(circuit).table
    said = []
    for row in (rows[0], rows[1], rows[3]):
        Player.objects.filter(user=user).update(user=None)
        Player.objects.filter(pk=row.player.pk).update(user=user)
        said.append(squeezed(client.get(f"/circuits/{circuit.pk}/")))
    assert "You are in the final, whatever happens: place 1 at Cup 1." in said[0]
    assert "You are in the final as it stands: 10 points, place 2 of the ranking." in said[1]
    assert "number 2 by points of those without a place" in said[2]
    assert "With 30 points at one tournament to come it is sure" in said[2]
    assert "as it stands" in said[0].partition('id="points"')[2]
    circuit.refresh_from_db()
    first = rows[0].player
    services.answer(by=Actor(None, first), circuit=circuit, player=first, comes=False)
    assert _outlooks(circuit)[0][0] == "declined"
    Circuit.objects.filter(pk=circuit.pk).update(direct=0, by_ranking=0)
    circuit.qualifiers.update(direct=None)
    assert Api(None).get(f"circuits/{circuit.pk}/").json()["table"][0]["outlook"] is None


@pytest.mark.parametrize(
    ("best", "says"), [(1, "the best tournament counts"), (2, "the best 2 tournaments count")]
)
def test_how_many_tournaments_count_is_said(best: int, says: str) -> None:
    assert says in circuits.sentence(Circuit(best=best))


def test_who_is_in_a_final_that_has_begun_no_longer_changes() -> None:
    by = factories.actor()
    league = desks.league(by)
    races, over, _ = _seasons(by, league)
    this = {"league": league, "season": races.season}
    cup, other = (desks.tournament(by, title=title, **this) for title in ("Cup", "Other"))
    final = over.final
    assert final is not None
    qualifier = over.qualifiers.create(tournament=cup, order=1)
    api, path = Api(by), f"circuits/{over.pk}/"
    told = (
        "The final of Over has begun, so who is in it no longer changes. "
        "First undo the start of Final on its console."
    )
    for changes in (
        {"points": [9]}, {"best": 2}, {"direct": 1}, {"by_ranking": 1}, {"pass_down": "ranking"},
        {"final": other.code}, {"final": ""}, {"about": "New", "best": 2},
    ):  # fmt: skip
        assert problem(api.patch(path, changes), 409, "final-begun")["detail"] == told, changes
    named = {"tournament": other.code, "final": True}
    problem(api.post(f"{path}tournaments/", named), 409, "final-begun")
    problem(api.post(f"{path}tournaments/end/", {"tournament": cup.code}), 409, "final-begun")
    with pytest.raises(Conflict, match="no longer changes"):
        services.edit_qualifier(by=by, qualifier=qualifier, tier=2)
    same = {"name": "Done", "points": over.points, "best": over.best, "final": final.code}
    assert api.patch(path, same).json()["name"] == "Done"

    client, edit = signed_in(by.user), f"/circuits/{over.pk}/edit/"
    page = squeezed(client.get(edit))
    assert "first undo the start of Final" in page
    assert "Take out" not in page and "Let a tournament count" not in page
    assert "Stop counting it for" not in squeezed(client.get(f"{cup.get_absolute_url()}rules/"))
    form = {"do": "edit", "name": "Else", "points": "3, 1", "best": "1", "direct": "0"}
    form |= {"by_ranking": "0", "pass_down": over.pass_down, "final": str(final.pk)}
    refused = client.post(edit, form)
    assert (refused.status_code, "no longer changes" in text_of(refused)) == (400, True)
    assert client.post(f"/qualifiers/{qualifier.pk}/remove/").status_code == 409
    assert client.post(edit, form | {"best": "0", "final": ""}).status_code == 400
    over.refresh_from_db()
    assert (over.name, over.final, over.best) == ("Done", final, 0)
    assert client.post(edit, form | {"best": "0"}).status_code == 302

    services.withdraw(tournament=final, by=by)
    assert "Stop counting it for" in squeezed(client.get(f"{cup.get_absolute_url()}rules/"))
    services.name_final(by=by, circuit=Circuit.objects.get(pk=over.pk), tournament=other)
