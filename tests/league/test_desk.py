"""A desk through the services: rounds played, corrected and shown."""

import re
from typing import Any, get_args
from uuid import UUID, uuid4, uuid5

import msgspec
import pytest
from django.db import transaction
from django.test import Client
from django.utils import translation

from league import circuits, followers, ranking, services, titles
from league.models import (
    Circuit,
    Pairing,
    Role,
    Round,
    Standing,
    Tournament,
)
from matches import memory
from matches import services as match_services
from matches.errors import Conflict, NotAllowed
from matches.followers import work
from matches.models import Event, Match
from matches.transfer import export_ndjson
from rules.desk.acts import ByeGranted, PenaltyGiven
from tests import database, factories
from tests.factories import signed_in
from tests.html import squeezed
from tests.league import desks
from tests.rules.desk.table import SWISS, desk_of, more, played

pytestmark = pytest.mark.django_db


def test_a_tournament_is_played_to_its_close() -> None:
    cup = desks.played_out(desks.tournament())
    assert desks.desk(cup).order == (1, 2, 3, 4)
    work(cup.pk)
    final = Standing.objects.filter(tournament=cup, round=0)
    assert [row.entry.number for row in final.order_by("place")] == [1, 2, 3, 4]
    assert Round.objects.filter(tournament=cup).count() == 2
    assert Pairing.objects.filter(round__tournament=cup).count() == 4
    cup.refresh_from_db()
    assert cup.closed_at is not None


def test_projected_again_the_rows_are_the_same() -> None:
    cup = desks.played_out(desks.tournament(), players=5)
    follower = followers.Desks()
    follower.project(cup.log)
    once = list(Standing.objects.values_list("round", "place", "entry", "points", "tiebreaks"))
    follower.project(cup.log)
    again = list(Standing.objects.values_list("round", "place", "entry", "points", "tiebreaks"))
    assert once == again
    assert len(once) == 15


def test_losing_semi_finalists_share_a_place_and_its_points() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup, format="single-elimination", rounds=0, tiebreaks=[])
    for _ in range(2):
        desks.paired(cup)
        desks.play(cup)
    desks.act(cup, "tournament-closed")
    work(cup.pk)
    final = Standing.objects.filter(tournament=cup, round=0).order_by("place", "pk")
    assert list(final.values_list("place", "entry__place")) == [(1, 1), (2, 2), (3, 3), (3, 3)]
    shown = ranking.rows_of(desks.desk(cup), 0)
    assert [row.place for row in shown] == [1, 2, 3, 3]
    circuit = Circuit(points=[10, 6, 4, 1])
    assert [circuits.points_for(circuit, place, 4) for place in (0, 1, 4, 5)] == [0, 10, 1, 0]
    assert circuits.points_for(circuit, 3, 4, tier=2, sharing=2) == 5
    sizes = Circuit(points={"16": [20, 12], "8": [9]})
    assert [circuits.points_for(sizes, 1, field) for field in (7, 8, 15, 16)] == [0, 9, 9, 20]


def test_who_moved_last_in_a_stage_stands_while_the_next_is_played() -> None:
    lines = [f"result-reported 2 {table} scores=[0,1]" for table in (1, 2)]
    rounds = ("play 1", "round-paired swiss 3", "round-published 2", *lines, "round-closed 2")
    timeline = played("enter 4", "stage-started swiss rounds=2", *rounds, "cut-made 2")
    moved = [row.moved for row in ranking.rows_of(desk_of(timeline), 0)]
    assert any(moved)
    for line in (SWISS, "round-paired swiss 1", "round-published 3"):
        more(timeline, line)
        assert [row.moved for row in ranking.rows_of(desk_of(timeline), 0)] == moved


def test_who_opens_a_table_does_not_manage_its_match() -> None:
    cup, players = desks.playing()
    desks.act(cup, "results-held", round=1)
    match = services.open_table(tournament=cup, by=players[0], number=1, table=1)
    friend = factories.actor().player
    assert friend is not None

    with pytest.raises(NotAllowed):
        match_services.change_cut(by=players[0], match=match, held=False)
    with pytest.raises(NotAllowed):
        match_services.name_official(by=players[0], match=match, player=friend)
    assert Match.objects.get(pk=match.pk).log.held
    match_services.name_official(by=desks.organiser(cup), match=match, player=friend)


def test_a_finished_match_reports_by_itself_and_a_correction_follows() -> None:
    cup = desks.tournament(options={"best_of": 3})
    players = [factories.actor() for _ in range(2)]
    for player in players:
        services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.start(cup)
    desks.paired(cup)
    match = services.open_table(tournament=cup, by=players[0], number=1, table=1)
    assert services.open_table(tournament=cup, by=players[1], number=1, table=1) == match
    assert [seat.player_id for seat in match.seats.all()] == [
        players[number - 1].player_id for number in desks.desk(cup).rounds[0].tables[0].players
    ]
    acts = [uuid4() for _ in range(3)]
    for act_id, seat in zip(acts, (1, 2, 1), strict=True):
        match_services.record(
            match=match, by=players[0], act_id=act_id, act={"type": "game-won", "seat": seat}
        )
    work(match.pk)
    table = desks.desk(cup).rounds[0].tables[0]
    assert (table.status, table.result.scores if table.result else None) == ("settled", (2, 1))
    judge = desks.organiser(cup)
    other = match_services.CorrectionRequest(
        acts[2], {"type": "conceded", "seat": 1}, reason="It was the other side."
    )
    match_services.correct(match=match, by=judge, correction_id=uuid4(), request=other)
    work(match.pk)
    table = desks.desk(cup).rounds[0].tables[0]
    assert (table.corrected, table.result.scores if table.result else None) == (1, (1, 2))


def test_a_report_is_not_kept_out_by_who_took_its_id() -> None:
    cup = desks.tournament(options={"best_of": 3})
    players = [factories.actor() for _ in range(4)]
    for player in players:
        services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.start(cup)
    desks.paired(cup)
    seated = desks.desk(cup).rounds[0].tables[0].players
    spoiler = min({1, 2, 3, 4} - {*seated})
    one, other = players[seated[0] - 1], players[spoiler - 1]
    match = services.open_table(tournament=cup, by=one, number=1, table=1)
    taken = uuid5(match.pk, "3")
    said = {"round": 1, "table": 2, "scores": [0, 2], "by": spoiler}
    services.record(tournament=cup, by=other, act_id=taken, act={"type": "result-reported", **said})
    for _ in range(2):
        won = {"type": "game-won", "seat": 1}
        match_services.record(match=match, by=one, act_id=uuid4(), act=won)

    work(match.pk)
    work(match.pk)

    table = desks.desk(cup).rounds[0].tables[0]
    assert (table.status, table.result.scores if table.result else None) == ("settled", (2, 0))


def test_why_a_table_opens_no_match_is_told_in_the_reader_s_words() -> None:
    cup = desks.tournament()
    desks.entered(cup, 2)
    desks.start(cup)
    desks.paired(cup)
    desks.play(cup, tables=[1])
    with translation.override("de"), pytest.raises(Conflict) as refused:
        services.open_table(tournament=cup, by=desks.organiser(cup), number=1, table=1)
    assert "steht fest" in refused.value.detail


def test_a_log_taken_in_does_not_become_the_match_of_a_table() -> None:
    cup, players = desks.playing()
    with transaction.atomic():  # what somebody makes who knows how ids were made
        match = services.open_table(tournament=cup, by=players[0], number=1, table=1)
        file = export_ndjson(match)
        transaction.set_rollback(True)
    taken_in = match_services.import_log(by=factories.actor(), data=file)

    assert services.open_table(tournament=cup, by=players[0], number=1, table=1) != taken_in


def test_a_correction_is_previewed_and_leaves_published_pairings() -> None:
    cup = desks.tournament()
    desks.entered(cup, 8)
    desks.start(cup)
    desks.paired(cup)
    desks.play(cup)
    desks.paired(cup)
    first = desks.desk(cup).rounds[0].tables[0]
    act_id = uuid4()
    pairings = [table.players for table in desks.desk(cup).rounds[1].tables]
    told = services.preview_correction(
        tournament=cup, by=desks.organiser(cup), act_id=_reported(cup, first.number),
        act={"scores": [0, 2]},
    )  # fmt: skip
    assert told.blast.moved
    assert told.blast.redrawn[0][0] == 2
    services.correct(
        tournament=cup, by=desks.organiser(cup), correction_id=act_id,
        act_id=_reported(cup, first.number), act={"scores": [0, 2]}, reason="Written upside down.",
    )  # fmt: skip
    after = desks.desk(cup)
    assert after.rounds[0].tables[0].corrected == 1
    assert [table.players for table in after.rounds[1].tables] == pairings
    client = Client()
    page = client.get(f"/tournaments/{cup.code}/rounds/1/tables/{first.number}/").content.decode()
    assert "the result is corrected to 0–2" in page
    assert "<q" in page and "Written upside down." in page
    client.force_login(desks.organiser(cup).user)
    assert (
        "Written upside down." in client.get(f"/tournaments/{cup.code}/console/").content.decode()
    )


def test_of_a_corrected_bracket_is_played_again_what_others_played() -> None:
    """Who lost but once by what is right now is not out, whoever beat somebody else there."""
    double = {"format": "double-elimination", "best_of": 3, "tiebreaks": []}
    cup = desks.tournament(stages=[double])
    desks.entered(cup, 4)
    desks.act(cup, "stage-started", seed=7, **double)
    for _ in range(2):  # 1 and 2 win, then 1 beats 2 and 3 beats 4
        desks.paired(cup)
        desks.play(cup)
    first = next(table.number for table in desks.desk(cup).rounds[0].tables if 1 in table.players)
    services.correct(
        tournament=cup, by=desks.organiser(cup), correction_id=uuid4(),
        act_id=_reported(cup, first), act={"scores": [0, 2]}, reason="Written upside down.",
    )  # fmt: skip
    desks.paired(cup)

    again = desks.desk(cup).rounds[2].tables
    assert {frozenset(table.players) for table in again} == {frozenset({4, 2}), frozenset({1, 3})}
    page = Client().get(f"/tournaments/{cup.code}/rounds/2/").content.decode()
    assert page.count("no longer fits") == 2
    assert "no longer fits" not in Client().get(f"/tournaments/{cup.code}/").content.decode()
    told = Client().get(f"/tournaments/{cup.code}/rounds/2/tables/1/").content.decode()
    assert "others would meet here now" in told


def test_a_german_console_offers_what_the_desk_takes() -> None:
    cup = desks.tournament()
    desks.entered(cup, 2)
    client = factories.signed_in(desks.organiser(cup).user, headers={"accept-language": "de"})
    page = client.get(f"/tournaments/{cup.code}/console/").content.decode()
    kinds = {"worth": ByeGranted, "infraction": PenaltyGiven, "penalty": PenaltyGiven}
    for name, kind in kinds.items():
        options = page.partition(f'name="{name}"')[2].partition("</select>")[0]
        offered = re.findall(r'<option value="([^"]*)">([^<]*)', options)
        field = next(f for f in msgspec.structs.fields(kind) if f.name == name)
        assert {value for value, _ in offered} <= set(get_args(field.type)), name
        assert len(offered) > 3, name
        assert all(value != told for value, told in offered), name


def _reported(cup: Tournament, table: int) -> UUID:
    """Return the id under which the result of a table of round 1 was reported."""
    told = Event.objects.filter(log=cup.log, type="result-reported", body__contains='"round":1,')
    found = told.filter(body__contains=f'"table":{table},').get().act_id
    assert found is not None
    return found


def test_a_round_of_a_later_stage_has_one_name() -> None:
    final = {"format": "single-elimination", "cut": 2}
    cup = desks.tournament(stages=[desks.SWISS, final])
    desks.entered(cup, 4)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    client = signed_in(desks.organiser(cup).user)

    told = desks.due(client, cup)
    assert "Start Final bracket with the best 2" in told
    assert re.search(r"These play on: Guest \d and Guest \d\.", told), told
    client.post(f"/tournaments/{cup.code}/console/", {"do": "start", "order": 2, "act_id": uuid4()})
    told = desks.due(client, cup)
    assert "Pair Round 2, Final bracket" in told
    assert "2 are in." in told, "who does not play on is not counted"
    cup.log.refresh_from_db()
    desks.paired(cup)
    page = client.get(f"/tournaments/{cup.code}/console/").content.decode()
    assert "Round 2: 0 of 1 tables reported" in page
    assert "The pairings of round 2 are published." in page
    assert "Round 2, Final</h2>" in client.get(cup.get_absolute_url()).content.decode()


def test_what_one_runs_is_listed_with_what_is_due() -> None:
    opener, other = factories.actor(), factories.actor()
    home = desks.league(opener, "Rim league")
    assert other.player is not None
    services.name_member(by=opener, league=home, player=other.player, role=Role.ORGANISER)
    cup = desks.tournament(opener, league=home, title="Rim cup")
    desks.tournament(title="Of others")
    desks.entered(cup, 2)

    def told(by: Any, where: str = "/next/") -> str:
        client = signed_in(by.user)
        return client.get(where).content.decode()

    for by in (opener, other):
        assert "Rim league" in told(by)
        for page in (told(by), told(by, "/")):
            assert f"/tournaments/{cup.code}/console/#due" in page
            assert "Start Swiss" in page
        assert "Of others" not in told(by)
    for where in ("/next/", "/"):
        assert "What you run" not in told(factories.actor(), where)
    services.promise_prize(by=opener, tournament=cup, place=1, amount=5)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    desks.act(cup, "tournament-closed")
    work(cup.pk)
    assert "Hand the prizes over." in told(opener)
    assert services.award(by=opener, tournament=cup) == []  # guests have no books
    assert "Hand the prizes over." in told(opener)
    services.hand_over(by=opener, tournament=cup, prize=cup.prizes.get().pk)
    assert "Rim cup" not in told(opener)


def test_the_match_of_a_table_is_called_in_the_language_of_who_looks(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    by = factories.actor()
    venue, league = services.open_venue(by=by, name="Rim Hall"), desks.league(by)
    cup = desks.tournament(by, league=league, venue=venue)
    desks.entered(cup, 2)
    desks.start(cup)
    desks.paired(cup)
    match = services.open_table(tournament=cup, by=by, number=1, table=1)
    assert str(match) == f"{cup.title}: round 1, table 1"
    german = {
        titles.TITLE: "{tournament}: Runde {round}, Tisch {table}",
        titles.PLACE: "{venue}, Tisch {table}",
    }
    monkeypatch.setattr(titles, "gettext", german.__getitem__)
    for page in (match.get_absolute_url(), league.get_absolute_url()):
        told = client.get(page).content.decode()
        assert f"{cup.title}: Runde 1, Tisch 1" in told
        assert "Rim Hall, Tisch 1" in told
        assert "round 1, table 1" not in told, "not in the page's preview either"
    assert titles.worded("Anna's kitchen") is None


def test_home_leads_who_is_signed_in_to_their_next_table_while_something_is_on() -> None:
    cup = desks.tournament()
    client = signed_in(desks.organiser(cup).user)
    assert 'href="/next/"' not in client.get("/").text
    desks.entered(cup, 2)
    desks.start(cup)
    desks.paired(cup)
    work(cup.pk)
    assert 'href="/next/"' in client.get("/").text
    assert 'href="/next/"' not in Client().get("/").text


def test_home_shows_a_player_their_table_and_the_way_to_its_logger() -> None:
    cup, (one, other) = desks.playing()
    client = signed_in(one.user)
    home = client.get("/")
    assert f'href="{cup.get_absolute_url()}rounds/1/tables/1/"' in home.text
    assert str(other.player) in squeezed(home).partition("Table 1: ")[2][:40]
    match = services.open_table(tournament=cup, by=one, number=1, table=1)
    assert client.get("/").text.count(f'href="/matches/{match.code}/table/"') == 2  # the last one's
    client.force_login(factories.user())
    assert "Table 1" not in client.get("/").text


def test_home_goes_on_without_a_desk_whose_log_can_not_be_read() -> None:
    """The page of the tournament itself says why."""
    cup, (one, _) = desks.playing()
    database.unprotect()
    Event.objects.filter(log=cup.log, version=2, ordinal=0).update(body="{}")
    memory.forget(cup.log)
    client = signed_in(one.user)
    home = client.get("/")
    assert home.status_code == 200
    assert "Table 1" not in home.text
    assert "Entry 2 cannot be read." in client.get(cup.get_absolute_url()).text
