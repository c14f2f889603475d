"""Matches at the tables of a tournament: their totals after some were withdrawn."""

import re
from threading import Event, Thread
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import OperationalError, connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from league import due, played, reporting, services, tables
from league.models import TableMatch, Tournament
from league.scene import Scene
from matches import cuts, feed, memory, selectors
from matches import services as match_services
from matches.actors import NOBODY
from matches.errors import Conflict
from matches.followers import work
from matches.models import Log, Match
from matches.policy import visible_matches
from rules.desk.state import Result
from tests import factories
from tests.api.client import Api, by_opener, problem
from tests.factories import signed_in
from tests.league import desks
from tests.waiting import PATIENCE

pytestmark = pytest.mark.django_db


def _at_table(best_of: int, **stage: Any) -> Tournament:
    cup = desks.tournament()
    desks.entered(cup, 2)
    desks.start(cup, **{"rounds": 2, "best_of": best_of, **stage})
    desks.paired(cup)
    return cup


def _opened(cup: Tournament) -> Match:
    by = desks.organiser(cup)
    return services.open_table(tournament=cup, by=by, number=1, table=1)


def _won(cup: Tournament, match: Match, seat: int) -> UUID:
    by, act_id = desks.organiser(cup), uuid4()
    act = {"type": "game-won", "seat": seat}
    match_services.record(match=match, by=by, act_id=act_id, act=act)
    work(match.pk)
    return act_id


def _withdrawn(cup: Tournament, match: Match) -> None:
    by = desks.organiser(cup)
    match_services.withdraw(by=by, match=selectors.match_for(by, match.code))


def _players(match: Match) -> list[UUID | None]:
    return [seat.player_id for seat in match.seats.order_by("number")]


def _queue(cup: Tournament, title: str) -> list[int]:
    """Return the tables of a queue of a desk's console."""
    found = due.queues(Scene(desks.organiser(cup), Tournament.objects.get(pk=cup.pk)))
    [queue] = [each for each in found if each.title == title]
    return [seen.table.number for seen in queue.tables]


def test_no_bot_plays_at_a_table() -> None:
    match = factories.match(game="zg")
    factories.record(match, {"type": "impulse-won", "seat": 2})
    request = {"id": str(uuid4()), "seat": 2}
    TableMatch.objects.create(
        tournament=desks.tournament(), round=1, table=1, players="1-2", match=match
    )
    problem(by_opener(match).post(f"matches/{match.code}/bot/", request), 409, "match-counts")
    TableMatch.objects.all().delete()
    played = by_opener(match).post(f"matches/{match.code}/bot/", request)
    assert played.status_code == 201


def test_a_match_withdrawn_unfinished_is_replaced_and_tells_nothing() -> None:
    cup = _at_table(best_of=1)
    first = _opened(cup)
    _withdrawn(cup, first)
    assert _queue(cup, "To start") == [1]
    second = _opened(cup)
    assert second != first
    assert _players(second) == _players(first)
    assert _opened(cup) == second
    _won(cup, second, 1)
    table = desks.desk(cup).rounds[0].tables[0]
    assert (table.status, table.result.scores if table.result else None) == ("settled", (1, 0))
    assert not list(reporting.differing(cup, desks.desk(cup)))
    with pytest.raises(Conflict):
        _opened(cup)
    told = Api().get("pairings/", tournament=cup.code, round=1).json()
    assert told["results"][0]["matches"] == [second.code]


def test_no_match_is_opened_at_a_table_that_its_matches_decided_before_the_desk_knew() -> None:
    cup = _at_table(best_of=3)
    for seat in (1, 2):  # they swap seats for the second game
        match, act = _opened(cup), {"type": "game-won", "seat": seat}
        match_services.record(match=match, by=desks.organiser(cup), act_id=uuid4(), act=act)
    assert desks.desk(cup).rounds[0].tables[0].status == "open"
    with pytest.raises(Conflict, match="settled"):
        _opened(cup)
    work(match.pk)
    assert desks.desk(cup).rounds[0].tables[0].result == Result(scores=(2, 0))


def test_the_logger_of_a_game_that_is_over_leads_to_the_next_one_and_at_last_to_the_table() -> None:
    cup = _at_table(best_of=3)
    client = signed_in(desks.organiser(cup).user)
    place, play = f"/tournaments/{cup.code}/rounds/1/tables/1/", "1/tables/1/play/"

    def shown(path: str) -> str:
        return client.get(path).content.decode()

    before = shown(place)  # only results are recorded, so they come first
    assert before.index('id="report"') < before.index("Play it here")
    for game, onward in ((1, "Next game"), (2, "To table 1")):
        match = _opened(cup)
        going_on = shown(place)
        assert going_on.index("Go on with the match") < going_on.index('id="report"')
        assert f"See game {game}" in going_on if game > 1 else "See the match" in going_on
        assert "lg-onward" not in shown(f"/matches/{match.code}/table/")
        _won(cup, match, 1 if game == 1 else 2)  # seats turn
        logger = shown(f"/matches/{match.code}/table/").partition('class="lg-onward"')[2]
        assert onward in logger and (play in logger) is (game == 1)
        assert ("Next game" in shown(place)) is (game == 1)


def test_a_match_is_opened_at_a_table_that_everybody_sees_and_that_its_game_seats() -> None:
    cup = desks.tournament(ruleset="zx", stages=[{"format": "pods"}])
    desks.entered(cup, 3)
    desks.act(cup, "stage-started", format="pods", sizes=[3], seed=7)
    services.pair(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), seed=7)
    api = Api(desks.organiser(cup))
    path = f"tournaments/{cup.code}/rounds/{{}}/tables/{{}}/match/"
    for number, table in ((1, 1), (1, 2), (2, 1)):  # the first is not published yet
        problem(api.post(path.format(number, table), {}), 404, "no-such-table")
    desks.act(cup, "round-published", round=1)
    problem(api.post(path.format(1, 1), {}), 409, "no-such-match")
    at = f"/tournaments/{cup.code}/"
    for page, status in (
        ("rounds/1/tables/1/", 200),
        ("rounds/1/tables/2/", 404),
        ("standings/?stage=1", 200),
        ("standings/?stage=2", 404),
    ):
        assert Client().get(f"{at}{page}").status_code == status
    assert not TableMatch.objects.exists()


def test_a_table_of_three_that_all_lost_is_told_so() -> None:
    cup = desks.tournament(stages=[{"format": "pods"}])
    desks.entered(cup, 3)
    desks.act(cup, "stage-started", format="pods", sizes=[3], seed=7)
    desks.paired(cup)
    match = _opened(cup)
    ruled = {"type": "ruled", "result": "all-lost"}
    match_services.record(match=match, by=desks.organiser(cup), act_id=uuid4(), act=ruled)
    work(match.pk)
    assert desks.desk(cup).rounds[0].tables[0].result == Result(lost=True)


def test_once_time_is_called_a_table_may_have_what_stood_then() -> None:
    cup = _at_table(best_of=3)
    client = signed_in(desks.organiser(cup).user)
    path = f"/tournaments/{cup.code}/rounds/1/tables/1/"

    def offered() -> list[str]:
        return re.findall(r'name="scores" value="([^"]+)"', client.get(path).content.decode())

    played_out = ["2-0", "2-1", "0-0", "1-1", "1-2", "0-2"]
    assert offered() == played_out
    desks.act(cup, "time-called", round=1)
    assert offered() == ["2-0", "1-0", "2-1", "0-0", "1-1", "0-1", "1-2", "0-2"]


def test_a_game_withdrawn_does_not_count_and_seats_turn_by_those_that_do() -> None:
    cup = _at_table(best_of=3)
    first = _opened(cup)
    _won(cup, first, 1)
    _withdrawn(cup, first)
    second = _opened(cup)
    assert _players(second) == _players(first)
    _won(cup, second, 1)
    assert desks.desk(cup).rounds[0].tables[0].status == "open"
    third = _opened(cup)
    assert _players(third) == _players(first)[::-1]
    _won(cup, third, 1)
    fourth = _opened(cup)
    assert _players(fourth) == _players(first)
    _won(cup, fourth, 2)
    result = desks.desk(cup).rounds[0].tables[0].result
    assert result is not None
    assert result.scores == (1, 2)
    assert not list(reporting.differing(cup, desks.desk(cup)))


def test_a_game_withdrawn_after_the_table_was_reported_corrects_it() -> None:
    cup = _at_table(best_of=3)
    games = []
    for who in (1, 1, 1):  # seats alternate: each game is won by another player than the one before
        games.append(_opened(cup))
        _won(cup, games[-1], who)
    assert desks.result_at(cup, 1, 1).scores == (2, 1)
    _withdrawn(cup, games[1])
    work(games[1].pk)
    assert desks.result_at(cup, 1, 1).scores == (2, 0)
    assert not list(reporting.differing(cup, desks.desk(cup)))


def test_whoever_of_a_krewe_opens_its_match_records_it() -> None:
    captain, mate = factories.actor(), factories.actor()
    home = desks.league(captain)
    services.join(by=mate, league=home)
    assert mate.player is not None
    krewe = services.make_krewe(by=captain, league=home, name="Cinders", players=[mate.player])
    cup = desks.tournament(captain, league=home, enters="krewe")
    services.enter(tournament=cup, by=captain, act_id=uuid4(), krewe=krewe)
    desks.act(cup, "entered", label="Red")
    desks.start(cup)
    desks.paired(cup)

    match = services.open_table(tournament=cup, by=mate, number=1, table=1)

    won = {"type": "game-won", "seat": 1}
    match_services.record(match=match, by=mate, act_id=uuid4(), act=won)
    assert mate.player_id in _players(match) and captain.player_id not in _players(match)


@pytest.mark.sqlite
def test_a_console_reads_no_match_again_that_has_not_moved() -> None:
    """As many matches as a weekend has do not stay in memory."""
    cup = _at_table(best_of=1)
    match = _opened(cup)
    _won(cup, match, 1)
    desk, queries = desks.desk(cup), []
    assert not list(reporting.differing(cup, desk))  # what the public sees is known from now on
    played._ends.clear()
    for _ in range(2):
        memory.forget(match.log)
        with CaptureQueriesContext(connection) as asked:
            assert not list(reporting.differing(cup, desk))
        queries.append(len(asked))
    assert queries[1] == queries[0] - 1


def test_a_match_says_nothing_of_a_pairing_that_took_its_place() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup, rounds=2, best_of=1)
    before = cup.log.head_version
    desks.paired(cup)
    were = desks.desk(cup).rounds[0].tables[0].players
    match = _opened(cup)
    services.take_back(
        tournament=cup, by=desks.organiser(cup), act_id=uuid4(), to=before, note="Too early."
    )
    desks.paired(cup, seed=8)
    assert desks.desk(cup).rounds[0].tables[0].players != were
    desks.act(cup, "result-reported", round=1, table=1, scores=[0, 1])
    _won(cup, match, 1)
    assert desks.result_at(cup, 1, 1).scores == (0, 1)
    assert not list(reporting.differing(cup, desks.desk(cup)))


@pytest.mark.sqlite
@pytest.mark.parametrize("is_over", [True, False])
def test_a_match_says_nothing_of_entrants_who_got_the_numbers_of_others(is_over: bool) -> None:
    by = factories.actor()
    cup, matches = desks.tournament(by), []
    for entry in ("first", "second"):
        two = [factories.actor().player for _ in range(2)]
        for player in two:
            services.enter(tournament=cup, by=by, act_id=uuid4(), player=player)
        desks.start(cup, rounds=2, best_of=1)
        desks.paired(cup)
        matches.append(_opened(cup))
        assert {seat.player for seat in matches[-1].seats.all()} == {*two}, entry
        if entry == "first":
            if is_over:
                factories.record(matches[0], {"type": "game-won", "seat": 1}, by=by)
            services.take_back(tournament=cup, by=by, act_id=uuid4(), to=1, note="Others.")
            cup.log.refresh_from_db()
    for match in matches:
        work(match.pk)
    work(cup.pk)
    assert desks.desk(cup).rounds[0].tables[0].status == "open"
    seen = Scene(by, Tournament.objects.get(pk=cup.pk)).table(1, 1)
    assert seen is not None
    (told,) = Api(by).get(f"pairings/?tournament={cup.code}").json()["results"]
    assert seen.matches == told["matches"] == [matches[1].code]
    there = f"/tournaments/{cup.code}/rounds/1/tables/1/"
    pages = [Client().get(match.get_absolute_url()).content.decode() for match in matches]
    assert [there in page for page in pages] == [False, True]
    _won(cup, matches[1], 2)
    assert desks.desk(cup).rounds[0].tables[0].status == "settled"
    assert not list(reporting.differing(cup, desks.desk(cup)))


@pytest.mark.parametrize(("third", "reported", "now"), [(1, (2, 1), (1, 2)), (2, (1, 2), (0, 2))])
def test_a_game_before_the_last_that_is_corrected_corrects_the_table(
    third: int, reported: tuple[int, int], now: tuple[int, int]
) -> None:
    cup = _at_table(best_of=3)
    first = _opened(cup)
    wrong = _won(cup, first, 1)
    for seat in (1, third):
        _won(cup, _opened(cup), seat)
    assert desks.result_at(cup, 1, 1).scores == reported
    other = match_services.CorrectionRequest(
        wrong, {"type": "game-won", "seat": 2}, reason="It was the other side."
    )
    by = desks.organiser(cup)
    match_services.correct(match=first, by=by, correction_id=uuid4(), request=other)
    work(first.pk)
    assert desks.result_at(cup, 1, 1).scores == now
    assert desks.desk(cup).rounds[0].tables[0].corrected == 1
    assert not list(reporting.differing(cup, desks.desk(cup)))


def test_a_table_whose_games_do_not_decide_it_any_more_goes_on(client: Client) -> None:
    cup = _at_table(best_of=3)
    _won(cup, _opened(cup), 1)
    second = _opened(cup)
    wrong = _won(cup, second, 2)
    assert desks.result_at(cup, 1, 1).scores == (2, 0)
    by = desks.organiser(cup)
    request = match_services.CorrectionRequest(
        wrong, {"type": "game-won", "seat": 1}, reason="It was the other side."
    )
    match_services.correct(match=second, by=by, correction_id=uuid4(), request=request)
    work(second.pk)

    assert desks.result_at(cup, 1, 1).scores == (2, 0)
    assert _queue(cup, "The match says otherwise") == [1]
    client.force_login(by.user)
    shown = client.get(f"/tournaments/{cup.code}/rounds/1/tables/1/").content.decode()
    assert "correction pending" in shown
    assert "Next game" in shown

    _won(cup, _opened(cup), 1)
    assert desks.result_at(cup, 1, 1).scores == (2, 1)
    assert _queue(cup, "The match says otherwise") == []
    with pytest.raises(Conflict, match="settled"):
        _opened(cup)


@pytest.mark.parametrize("act", [{"type": "game-drawn"}, {"type": "all-lost"}])
@pytest.mark.parametrize("best_of", [1, 3])
def test_a_bracket_goes_on_with_another_game_until_somebody_has_won_more(
    act: dict[str, Any], best_of: int
) -> None:
    cup = _at_table(best_of, format="single-elimination", rounds=0, tiebreaks=[])
    by = desks.organiser(cup)
    for _ in range(best_of):
        match = _opened(cup)
        match_services.record(match=match, by=by, act_id=uuid4(), act=act)
        work(match.pk)
    assert desks.desk(cup).rounds[0].tables[0].status == "open"

    last = _opened(cup)
    _won(cup, last, 1)
    result = desks.result_at(cup, 1, 1)
    assert (sum(result.scores), result.drawn, result.lost) == (1, best_of, False)


def test_the_first_game_of_a_bracket_that_was_not_drawn_after_all_decides_its_table() -> None:
    cup = _at_table(best_of=1, format="single-elimination", rounds=0, tiebreaks=[])
    first, by, wrong = _opened(cup), desks.organiser(cup), uuid4()
    drawn = {"type": "game-drawn"}
    match_services.record(match=first, by=by, act_id=wrong, act=drawn)
    work(first.pk)
    _won(cup, _opened(cup), 1)
    assert desks.result_at(cup, 1, 1).scores == (0, 1)
    other = match_services.CorrectionRequest(
        wrong, {"type": "game-won", "seat": 1}, reason="It was won."
    )
    match_services.correct(match=first, by=by, correction_id=uuid4(), request=other)
    work(first.pk)
    assert desks.result_at(cup, 1, 1).scores == (1, 0)
    with pytest.raises(Conflict, match="settled"):
        _opened(cup)


def test_a_match_withdrawn_after_it_told_its_result_is_for_an_official_to_look_at() -> None:
    cup = _at_table(best_of=1)
    first = _opened(cup)
    _won(cup, first, 1)
    assert _queue(cup, "The match says otherwise") == []
    _withdrawn(cup, first)
    assert _queue(cup, "The match says otherwise") == [1]
    desks.act(cup, "result-corrected", round=1, table=1, scores=[0, 1], note="It was the other.")
    assert _queue(cup, "The match says otherwise") == []


def test_between_rounds_and_after_the_close_the_console_names_a_table_whose_match_says_otherwise(
    client: Client,
) -> None:
    cup = _at_table(best_of=1)
    first = _opened(cup)
    _won(cup, first, 1)
    desks.act(cup, "round-closed", round=1)
    table = f"/tournaments/{cup.code}/rounds/1/tables/1/"
    assert "correction pending" not in client.get(table).content.decode()
    _withdrawn(cup, first)
    assert "correction pending" in client.get(table).content.decode()
    client.force_login(desks.organiser(cup).user)

    for close in (False, True):
        if close:
            desks.act(cup, "tournament-closed", irregular=True)
        due = desks.due(client, cup)
        assert "The match says otherwise" in due
        assert f'href="{table}"' in due


def test_a_match_that_ended_while_its_round_was_taken_back_is_told_as_that_comes_again() -> None:
    cup = _at_table(best_of=1)
    match = _opened(cup)
    by, published = desks.organiser(cup), cup.log.head_version
    services.take_back(tournament=cup, by=by, act_id=uuid4(), to=published - 1)
    _won(cup, match, 1)
    work(cup.pk)
    assert desks.desk(cup).rounds[0].tables[0].status == "open"
    desks.act(cup, "round-published", round=1)
    work(cup.pk)
    assert desks.desk(cup).rounds[0].tables[0].status == "settled"


def test_a_match_is_told_again_with_its_round_and_not_when_its_report_alone_was_undone() -> None:
    cup = _at_table(best_of=1)
    by, published = desks.organiser(cup), cup.log.head_version
    _won(cup, _opened(cup), 1)
    services.take_back(tournament=cup, by=by, act_id=uuid4(), to=published)
    work(cup.pk)
    assert desks.desk(cup).rounds[0].tables[0].status == "open"
    for _ in range(2):
        services.take_back(tournament=cup, by=by, act_id=uuid4(), to=published - 2)
        desks.paired(cup)
        work(cup.pk)
        assert desks.result_at(cup, 1, 1).scores == (1, 0)
        assert desks.desk(cup).rounds[0].tables[0].status == "settled"


def test_a_match_of_who_was_swapped_and_is_back_is_told() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup, best_of=1)
    desks.paired(cup)
    match = _opened(cup)
    one, two = (table.players[0] for table in desks.desk(cup).rounds[0].tables)
    seat: dict[str, Any] = {"table": 1, "seat_number": 1, "note": "Wrong table."}
    desks.act(cup, "pairing-changed", entrant=two, **seat)
    _won(cup, match, 1)
    assert desks.desk(cup).rounds[0].tables[0].status == "open"
    desks.act(cup, "pairing-changed", entrant=one, **seat)
    work(cup.pk)
    assert desks.desk(cup).rounds[0].tables[0].status == "settled"


def _shown(*matches: Match) -> list[bool]:
    return [visible_matches(NOBODY).filter(pk=match.pk).exists() for match in matches]


@pytest.fixture
def wide() -> tuple[Tournament, list[Match]]:
    """A tournament for those who take part, with the matches of its first round."""
    cup = desks.tournament(visibility="entrants")
    desks.entered(cup, 6)
    desks.start(cup, best_of=1)
    desks.paired(cup)
    by = desks.organiser(cup)
    opened = [services.open_table(tournament=cup, by=by, number=1, table=n) for n in (1, 2, 3)]
    return cup, opened


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql  # on SQLite one transaction writes at a time
def test_nobody_waits_while_a_tournament_is_opened_to_everyone(
    wide: tuple[Tournament, list[Match]], monkeypatch: pytest.MonkeyPatch
) -> None:
    cup, matches = wide
    by = desks.organiser(cup)
    last = selectors.match_for(by, matches[2].code)
    real, shown, recorded = cuts.change, Event(), Event()
    went_on: list[bool] = []

    def slow(match: Match, **how: Any) -> None:
        if match == matches[1]:  # one is public by now
            shown.set()
            went_on.append(recorded.wait(PATIENCE))  # as where there are many tables
        real(match, **how)

    def record() -> None:
        shown.wait(PATIENCE)
        try:
            factories.record(last, {"type": "game-won", "seat": 1}, by=by)
            recorded.set()
        finally:
            connections.close_all()

    other = Thread(target=record)
    other.start()
    monkeypatch.setattr(cuts, "change", slow)
    services.edit_tournament(by=by, tournament=cup, visibility="public")
    other.join()
    assert went_on == [True]
    assert _shown(*matches) == [True] * 3
    told = [(each.code, each.entry.version) for each in feed.feed(NOBODY, 0, 200).entries]
    entries = {
        match.code: range(1, Log.objects.get(pk=match.pk).head_version + 1) for match in matches
    }
    wanted = [(code, version) for code, versions in entries.items() for version in versions]
    assert sorted(each for each in told if each[0] in entries) == sorted(wanted)


def test_what_a_killed_process_left_to_its_tables_is_opened_by_a_worker(
    wide: tuple[Tournament, list[Match]], django_capture_on_commit_callbacks: Any
) -> None:
    cup, matches = wide
    by = desks.organiser(cup)
    work(cup.pk)
    with django_capture_on_commit_callbacks():  # none of them is called
        services.edit_tournament(by=by, tournament=cup, visibility="public")
    cuts.change(matches[0], visibility="public")  # it came as far as this
    assert _shown(*matches) == [True, False, False]
    assert work(cup.pk)
    assert _shown(*matches) == [True] * 3


@pytest.mark.parametrize("how", [{"held": True}, {"visibility": "table"}])
def test_what_an_official_keeps_back_by_hand_no_act_at_the_desk_shows(how: dict[str, Any]) -> None:
    cup = _at_table(best_of=1)
    by, match = desks.organiser(cup), _opened(cup)
    match_services.change_cut(by=by, match=match, **how)
    desks.act(cup, "results-held", round=1)
    desks.act(cup, "results-shown")
    assert work(cup.pk)
    now = selectors.match_for(by, match.code)
    assert {"held": now.log.held, "visibility": now.visibility}.items() >= how.items()
    match_services.change_cut(by=by, match=now, held=False, visibility="public")
    desks.act(cup, "results-held", round=1)
    desks.act(cup, "results-shown")
    assert not selectors.match_for(by, match.code).log.held


@pytest.mark.parametrize("on_page", [True, False])
def test_a_match_that_the_desk_holds_can_be_held_by_hand_too(on_page: bool) -> None:
    cup = _at_table(best_of=1)
    by, match = desks.organiser(cup), _opened(cup)
    desks.act(cup, "results-held", round=1)
    client, path = signed_in(by.user), f"/matches/{match.code}/cut/"
    as_it_is = {"held": "on", "delay": "0", "visibility": match.visibility}
    client.post(path, {**as_it_is, "delay": "60"})
    assert not selectors.match_for(by, match.code).kept_back, "only the delay was changed"
    assert "Go on holding them by hand" in client.get(path).text
    if on_page:
        client.post(path, {**as_it_is, "delay": "60", "by_hand": "on"})
    else:
        match_services.change_cut(by=by, match=match, held=True)
    assert "Go on holding them by hand" not in client.get(path).text
    desks.act(cup, "results-shown")
    now = selectors.match_for(by, match.code)
    assert now.log.held, "both have to release it"
    match_services.change_cut(by=by, match=now, held=False)
    assert not selectors.match_for(by, match.code).log.held


def test_what_is_held_back_of_a_match_by_hand_alone_says_that_its_table_shows_the_result() -> None:
    cup = _at_table(best_of=1)
    by, match = desks.organiser(cup), _opened(cup)
    match_services.change_cut(by=by, match=match, held=True)
    _won(cup, match, 1)
    assert Api().get(f"matches/{match.code}/state/").json()["outcome"] is None
    assert Api().get("pairings/", tournament=cup.code).json()["results"][0]["scores"] == [1, 0]
    page = signed_in(by.user).get(f"/matches/{match.code}/cut/").content.decode()
    assert "the result still shows at its table there" in page


@pytest.mark.parametrize(
    ("before", "now"), [(None, "results-held"), ("results-held", "results-shown")]
)
def test_a_table_opened_while_results_are_held_or_shown_is_held_or_shown(
    before: str | None, now: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = _at_table(best_of=1)
    if before:
        desks.act(cup, before, round=1)
    real, other = tables.locked, Tournament.objects.get(pk=cup.pk)

    def locked(pk: UUID) -> Tournament:
        desks.act(other, now, **({"round": 1} if now == "results-held" else {}))
        return real(pk)

    monkeypatch.setattr(tables, "locked", locked)
    match = _opened(cup)
    assert Log.objects.get(pk=match.pk).held == (now == "results-held")


@pytest.mark.parametrize("narrow", ["entrants", "withdrawn"])
def test_who_may_see_a_tournament_no_more_sees_none_of_its_matches_as_it_is_said(
    wide: tuple[Tournament, list[Match]],
    narrow: str,
    django_capture_on_commit_callbacks: Any,
) -> None:
    cup, matches = wide
    by = desks.organiser(cup)
    with django_capture_on_commit_callbacks(execute=True):
        services.edit_tournament(by=by, tournament=cup, visibility="public")
    assert _shown(*matches) == [True] * 3
    heads = [Log.objects.get(pk=match.pk).head_version for match in matches]
    with django_capture_on_commit_callbacks() as later:
        if narrow == "entrants":
            services.edit_tournament(by=by, tournament=cup, visibility="entrants")
        else:
            services.withdraw(by=by, tournament=cup)
        assert _shown(*matches) == [False] * 3
        logs = [Log.objects.get(pk=match.pk) for match in matches]
        assert [log.public_version for log in logs] == heads
    tables.open_up(cup.pk)  # one that was on its way as it was narrowed
    for callback in later:
        callback()
    assert _shown(*matches) == [False] * 3


@pytest.mark.django_db(transaction=True)
def test_a_tournament_is_shown_to_all_though_opening_its_matches_breaks_off(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The worker comes to the end of it; who showed it is told of no fault."""

    def busy(pk: UUID) -> None:
        raise OperationalError("database is locked")

    cup = desks.tournament(visibility="entrants")
    monkeypatch.setattr(tables, "open_up", busy)
    services.edit_tournament(by=desks.organiser(cup), tournament=cup, visibility="public")
    assert Tournament.objects.get(pk=cup.pk).visibility == "public"
    assert "database is locked" in caplog.text


def test_the_page_of_a_table_that_is_left_open_shows_what_an_official_ruled_meanwhile() -> None:
    cup, (one, _) = desks.playing()
    client, path = signed_in(one.user), f"{cup.get_absolute_url()}rounds/1/tables/1/"
    page = client.get(path).text
    live = client.get(path, {"part": "live"})
    assert f'data-live="{escape(live["ETag"])}"' in page
    assert all('value="result-reported"' in each for each in (page, live.text))
    followed = {"query_params": {"part": "live"}, "headers": {"If-None-Match": live["ETag"]}}
    assert client.get(path, **followed).status_code == 304
    desks.act(cup, "ruled", round=1, table=1, scores=[0, 2], note="Left early.")
    answer = client.get(path, **followed)
    assert answer.status_code == 200
    assert "0–2" in answer.text and 'value="result-reported"' not in answer.text
