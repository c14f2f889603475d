"""What a desk hides: rounds before they are published, results that are withheld."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from league import desk_cuts, desk_reads, ranking, services
from league.models import Role
from matches.actors import NOBODY
from tests import factories
from tests.api.client import Api
from tests.factories import signed_in
from tests.html import text_of
from tests.league import desks
from tests.league.consoles import Console, swiss

pytestmark = pytest.mark.django_db


def test_a_round_is_hidden_until_it_is_published() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup)
    before = desks.desk(cup)
    assert not before.rounds
    version = cup.log.head_version
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=1)
    assert desk_cuts.cut_for(NOBODY, cup).version == version
    assert desk_cuts.cut_for(desks.organiser(cup), cup).version == version + 1
    desks.act(cup, "round-published", round=1)
    assert desk_cuts.cut_for(NOBODY, cup).version == version + 2
    assert not desk_cuts.cut_for(NOBODY, cup).hidden


def test_a_round_undone_before_it_was_published_stays_hidden() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup)
    version = cup.log.head_version
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=1)
    services.take_back(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), to=version)
    assert desk_cuts.cut_for(NOBODY, cup) == (version + 2, "public", {version + 1})
    desks.paired(cup, seed=2)
    assert desk_cuts.cut_for(NOBODY, cup).hidden == {version + 1}


def test_results_held_back_are_hidden_with_the_matches_they_come_from() -> None:
    cup, players = desks.playing()
    match = services.open_table(tournament=cup, by=players[0], number=1, table=1)
    desks.act(cup, "results-held", round=1)
    match.log.refresh_from_db()
    assert match.log.held
    receipt = desks.act(cup, "result-reported", round=1, table=1, scores=[2, 0])
    assert receipt.version in desk_cuts.cut_for(NOBODY, cup).hidden
    phone, user = Client(), players[0].user
    assert isinstance(user, User)
    phone.force_login(user)
    for client, is_told in ((phone, True), (Client(), False)):
        page = text_of(client.get(f"/tournaments/{cup.code}/rounds/1/tables/1/"))
        assert "Held back." in page and ("goes to the desk" in page) is is_told
    desks.act(cup, "results-shown")
    match.log.refresh_from_db()
    assert not match.log.held
    assert not desk_cuts.cut_for(NOBODY, cup).hidden


def test_a_scorekeeper_is_told_which_results_held_back_are_in() -> None:
    cup, keeper = swiss(), factories.actor()
    assert keeper.player is not None
    services.name_member(
        by=desks.organiser(cup), tournament=cup, player=keeper.player, role=Role.SCOREKEEPER
    )
    desks.act(cup, "results-held", round=1)
    console = Console(cup, keeper)
    assert "To start 2" in console.page()
    form = {"type": "result-reported", "round": 1, "table": 2, "scores": "0-2"}
    page = console.post(**form)
    assert "To start 1" in page
    assert page.count("Its result is in, and held back.") == 1
    assert "Its result is in" not in text_of(Client().get(f"/tournaments/{cup.code}/"))


def test_what_is_held_back_is_not_told_as_it_stood_before_either() -> None:
    tournament = desks.tournament()
    desks.entered(tournament, 4)
    desks.start(tournament)
    desks.paired(tournament)
    desks.play(tournament)
    tournament.log.refresh_from_db()
    before = tournament.log.head_version
    desks.act(tournament, "results-held", round=1)
    tournament.log.refresh_from_db()

    found, at = desk_reads.cut(NOBODY, tournament, before)

    (first,) = desk_reads.shown_desk(tournament, found, at).rounds
    assert [table.result for table in first.tables] == [None, None]
    assert {row.points for row in ranking.table(tournament, found, 0, at)} == {0}
    told = desk_reads.state_view(tournament, found, at)
    assert "scores" not in str(told.state)
    assert told.digest == ""
    own = desk_cuts.cut_for(desks.organiser(tournament), tournament)
    assert desk_reads.shown_desk(tournament, own, at).rounds[0].tables[0].result is not None


def test_a_cut_and_the_close_tell_no_order_while_results_are_held_back() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    desks.act(cup, "results-held", round=1)
    acts = [("cut-made", {"size": 2}), ("tournament-closed", {})]
    versions = [desks.act(cup, kind, **fields).version for kind, fields in acts]

    def told() -> list[Any]:
        shown = Api().get(f"tournaments/{cup.code}/events/", limit=500).json()["entries"]
        return [shown[version - 1].get("act") for version in versions]

    assert told() == [None, None]
    desks.act(cup, "results-shown")
    assert [act["type"] for act in told()] == [kind for kind, _ in acts]


def test_a_stage_shows_no_seeds_while_the_results_they_follow_from_are_held_back() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup, lambda table: (0, 2) if table.players[0] < table.players[1] else (2, 0))
    desks.act(cup, "results-held", round=1)
    desks.act(cup, "cut-made", size=3)
    seeds = list(desks.desk(cup).stages[0].cut)
    bracket = {"format": "single-elimination", "rounds": 0, "best_of": 1, "tiebreaks": ()}
    version = desks.start(cup, **bracket, players=seeds).version
    desks.paired(cup)
    playing = sorted(seeds[1:])
    page = cup.get_absolute_url()

    def told() -> list[Any]:
        api, code = Api(), cup.code
        rows = api.get("standings/", tournament=code, stage=2).json()
        clinch = api.get(f"tournaments/{code}/clinch/", size=2).json()
        return [
            api.get(f"tournaments/{code}/state/").json()["state"]["stages"][1]["players"],
            [row["entrant"] for row in (*rows["results"], *rows["below"])],
            [each["entrant"] for each in clinch["results"]],
            api.get(f"tournaments/{code}/events/").json()["entries"][version - 1].get("act"),
            "bout-card" in Client().get(page).content.decode(),
            "?stage=2&amp;why=" in Client().get(f"{page}standings/").content.decode(),
        ]

    assert told() == [playing, [], [], None, False, False]
    desks.act(cup, "results-shown")
    players, ranked, clinched, act, *drawn = told()
    assert players == act["players"] == seeds
    assert (len(ranked), len(clinched), drawn) == (4, 3, [True, True])


def test_a_page_that_is_followed_is_sent_again_only_when_something_came() -> None:
    player = factories.actor()
    cup = desks.tournament()
    services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.entered(cup, 3)
    desks.start(cup)
    client = signed_in(player.user)

    def ask(path: str, tag: str = "", by: Client = client) -> Any:
        headers = {"If-None-Match": tag} if tag else {}
        return by.get(path, {"part": "live"}, headers=headers)

    home = cup.get_absolute_url()
    pages = (home, f"{home}standings/", "/next/")
    tags = {path: ask(path)["ETag"] for path in pages}
    for path, tag in tags.items():
        assert tag.strip('"') in client.get(path).content.decode()
        assert ask(path, tag).status_code == 304
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4())
    for path, tag in tags.items():
        assert ask(path, tag).status_code == 304, "nobody is told of a round before it is published"
    desks.act(cup, "round-published", round=1)
    for path, tag in tags.items():
        answer = ask(path, tag)
        assert answer.status_code == 200
        assert answer["ETag"] != tag
        assert "<html" not in answer.content.decode()
        if "standings" not in path:
            assert "Table" in answer.content.decode()
    seen = f"{home}rounds/1/"
    tags = {path: ask(path)["ETag"] for path in (seen, f"{home}standings/")}
    desks.act(cup, "result-reported", round=1, table=1, scores=[2, 0])
    for path, tag in tags.items():
        answer = ask(path, tag)
        assert answer["ETag"] != tag
        assert ask(path, answer["ETag"]).status_code == 304
    assert "Round 1: 1" in ask(seen).content.decode()
    assert ask(pages[0], by=Client())["ETag"] != ask(pages[0])["ETag"]
