"""What waits for a person, in one answer."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from characters import moving, trades
from characters import services as characters
from league import finals, services
from league.models import Circuit, Tournament
from matches import memory, scribes
from matches import services as matches
from matches.actors import Actor
from matches.followers import work
from matches.models import Match
from matches.services import SeatRequest
from rules.desk.acts import Options
from tests import factories
from tests.api.client import Api, problem
from tests.factories import signed_in
from tests.html import text_of
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

NOTHING: dict[str, list[Any]] = {
    name: [] for name in ("matches", "playing", "running", "trades", "moves", "invitations")
}


def waits_for(who: Actor) -> dict[str, Any]:
    answer = Api(who).get("next/")
    assert answer.status_code == 200
    told: dict[str, Any] = answer.json()
    return told


def test_nothing_waits_for_a_new_account() -> None:
    assert waits_for(factories.actor()) == NOTHING


def test_open_matches_at_which_one_sits_wait_to_be_logged_newest_first() -> None:
    me, other = factories.actor(), factories.actor()
    seats = [SeatRequest(player=me.player), SeatRequest(name="Ben")]
    first, second, over = (factories.match(other, seats=seats) for _ in range(3))
    factories.match(other)
    factories.record(over, {"type": "conceded", "seat": 1})
    told = waits_for(me)["matches"]
    assert [each["match"]["code"] for each in told] == [second.code, first.code]
    assert [each["proposals"] for each in told] == [0, 0]


def test_proposals_wait_with_their_match() -> None:
    me, other = factories.actor(), factories.actor()
    seats = [SeatRequest(player=me.player), SeatRequest(player=other.player)]
    match = factories.match(me, seats=seats)
    scribes.take(match=match, by=me, over=None)
    sent: list[dict[str, Any]] = [{"act_id": uuid4(), "act": factories.points(2)} for _ in range(2)]
    for each in sent:
        matches.propose(match=match, by=other, **each)
    assert [each["proposals"] for each in waits_for(me)["matches"]] == [2]
    matches.accept_proposal(match=match, by=me, act_id=sent[0]["act_id"])
    assert [each["proposals"] for each in waits_for(other)["matches"]] == [1]


def test_the_next_table_waits_with_its_match_its_deadline_and_what_was_announced() -> None:
    cup, [one, _] = desks.playing()
    by, soon = desks.organiser(cup), timezone.now() + timedelta(days=3)
    services.set_date(by=by, tournament=cup, number=1, deadline=soon)
    desks.act(cup, "announced", note="Round 2 is after lunch.")
    match = services.open_table(tournament=cup, by=one, number=1, table=1)
    [told] = waits_for(one)["playing"]
    assert (told["tournament"], told["entrant"], told["bye"]) == (cup.code, 1, "")
    table = told["table"]
    assert (table["round"], table["table"], table["status"]) == (1, 1, "open")
    assert sorted(table["names"]) == sorted(entry.name for entry in cup.entries.all())
    assert table["matches"] == [match.code]
    assert told["deadline"].startswith(soon.strftime("%Y-%m-%dT%H:%M"))
    assert [said["text"] for said in told["announced"]] == ["Round 2 is after lunch."]
    [listed] = Api(one).get("pairings/", tournament=cup.code).json()["results"]
    assert listed == table


def test_who_is_to_check_in_is_asked_to_wherever_they_look_from_a_day_before() -> None:
    cup, one = desks.tournament(desk=Options(check_in=True)), factories.actor()
    services.enter(tournament=cup, by=one, act_id=uuid4())
    client, pages = signed_in(one.user), ("/", "/next/", cup.get_absolute_url())
    path = f"{cup.get_absolute_url()}me/"

    def asked() -> set[bool]:
        shown = {f'action="{path}"' in client.get(page).text for page in pages}
        return {*shown, waits_for(one)["playing"][0]["check_in"]}

    assert asked() == {True}
    Tournament.objects.filter(pk=cup.pk).update(starts_at=timezone.now() + timedelta(days=3))
    assert asked() == {False}
    Tournament.objects.filter(pk=cup.pk).update(starts_at=timezone.now() + timedelta(hours=3))
    assert asked() == {True}
    assert "UTC" in client.get("/").text.partition("I am here")[0].rpartition("<section")[2]
    client.post(path, {"type": "checked-in", "act_id": uuid4()})
    assert asked() == {False}


def test_a_bye_is_said_and_has_no_deadline() -> None:
    cup, players = desks.playing(3)
    soon = timezone.now() + timedelta(days=3)
    services.set_date(by=desks.organiser(cup), tournament=cup, number=1, deadline=soon)
    found = [waits_for(player)["playing"][0] for player in players]
    assert sorted((each["bye"], each["table"] is None) for each in found) == [
        ("", False),
        ("", False),
        ("bye", True),
    ]
    assert [each["deadline"] is None for each in found] == [each["bye"] == "bye" for each in found]


def test_what_one_runs_waits_with_what_is_due_as_on_the_page() -> None:
    by = factories.actor()
    cup = desks.tournament(by)
    desks.entered(cup, 2)
    [told] = waits_for(by)["running"]
    assert (told["tournament"], told["title"]) == (cup.code, "Cup")
    client = signed_in(by.user)
    assert told["due"] in text_of(client.get("/next/"))
    desks.start(cup, rounds=1)
    desks.paired(cup)
    desks.play(cup)
    desks.act(cup, "tournament-closed")
    assert waits_for(by) == NOTHING


def test_what_others_offer_waits_until_it_is_answered() -> None:
    me, other = factories.actor(), factories.actor()
    mine = characters.paste(by=me, text="Character: Ada\n\nc5 hard currency")
    theirs = characters.paste(by=other, text="Character: Ben\n\nc9 hard currency")
    mine.audience = theirs.audience = "public"
    mine.save()
    theirs.save()
    offer = characters.TradeOffer(pays=3, method="gift")
    trade = characters.offer(by=other, character=theirs, to=mine, what=offer, act_id=uuid4())
    move = moving.offer_to(by=other, character=theirs, to=me.player)
    told = waits_for(me)
    assert [each["id"] for each in told["trades"]] == [str(trade.pk)]
    assert [each["id"] for each in told["moves"]] == [str(move.pk)]
    assert waits_for(other) == NOTHING
    trades.decline(by=me, trade=trade)
    moving.decline(by=me, move=move)
    assert waits_for(me) == NOTHING


@pytest.fixture
def circuit() -> Circuit:
    """A circuit whose only tournament is over, and whose final is still to come."""
    by = factories.actor()
    league = desks.league(by)
    season = services.open_season(
        by=by,
        league=league,
        name="Spring",
        starts_on=timezone.now().date(),
        ends_on=timezone.now().date() + timedelta(days=90),
    )
    made = services.open_circuit(by=by, season=season, name="Ring", points=[3, 1], direct=1)
    cup, players = desks.tournament(by), [factories.actor() for _ in range(2)]
    services.add_qualifier(by=by, circuit=made, tournament=cup)
    for player in players:
        services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.start(cup, rounds=1)
    desks.paired(cup)
    final = desks.tournament(by, title="Final")
    services.name_final(by=by, circuit=made, tournament=final)
    return made


def winner_of(circuit: Circuit) -> Actor:
    """Finish the circuit's tournament, and return who won it."""
    cup = circuit.qualifiers.get().tournament
    desks.play(cup)
    desks.act(cup, "tournament-closed")
    work(cup.pk)
    return entrant(cup, 1)


def entrant(cup: Tournament, number: int) -> Actor:
    found = cup.entries.get(number=number).player
    assert found is not None
    return Actor(found.user, found)


def test_a_place_in_a_final_waits_once_all_tournaments_are_over(circuit: Circuit) -> None:
    cup = circuit.qualifiers.get().tournament
    work(cup.pk)
    assert waits_for(entrant(cup, 1))["invitations"] == []
    winner = winner_of(circuit)
    assert circuit.final is not None
    [told] = waits_for(winner)["invitations"]
    assert told["circuit"] == str(circuit.pk)
    assert told["final"] == circuit.final.code
    assert told["why"] == "place 1 at Cup"
    assert waits_for(entrant(cup, 2))["invitations"] == []


def test_a_place_in_a_final_is_answered_once(circuit: Circuit) -> None:
    winner = winner_of(circuit)
    path = f"circuits/{circuit.pk}/answers/"
    body = {"player": str(winner.player_id), "comes": True}
    assert Api(winner).post(path, body).status_code == 201
    assert waits_for(winner)["invitations"] == []


def test_a_place_in_a_final_that_has_begun_waits_for_nobody(circuit: Circuit) -> None:
    winner = winner_of(circuit)
    assert circuit.final is not None
    desks.entered(circuit.final, 2)
    desks.start(circuit.final)
    assert waits_for(winner)["invitations"] == []
    by, path = desks.organiser(circuit.final), f"circuits/{circuit.pk}/answers/"
    sent: dict[str, Any] = {"player": str(winner.player_id), "comes": False}
    for who in (winner, by):
        problem(Api(who).post(path, sent), 409, "final-begun")


def test_who_is_in_a_final_answers_for_themselves_and_an_organiser_names_who_comes_instead(
    circuit: Circuit,
) -> None:
    winner, path = winner_of(circuit), f"circuits/{circuit.pk}/answers/"
    other, by = factories.actor(), desks.organiser(circuit.qualifiers.get().tournament)
    declines = {"player": str(winner.player_id), "comes": False}
    named = declines | {"replacement": str(other.player_id)}
    problem(Api(other).post(path, declines), 403, "not-allowed")
    problem(Api(other).post(path, declines | {"player": str(other.player_id)}), 403, "not-invited")
    for who, sent in ((winner, named), (by, named | {"comes": True})):
        [error] = problem(Api(who).post(path, sent), 400, "bad-replacement")["errors"]
        assert error["where"] == "$.replacement"
    assert Api(by).post(path, named).status_code == 201
    [place] = finals.qualified(circuit)
    assert place.player == other.player
    assert str(winner.player) in place.why


def test_a_place_that_rests_on_what_one_may_not_see_is_not_told(circuit: Circuit) -> None:
    winner = winner_of(circuit)
    assert circuit.final is not None
    by = desks.organiser(circuit.final)
    hidden = desks.played_out(desks.tournament(by, visibility="entrants"))
    services.add_qualifier(by=by, circuit=circuit, tournament=hidden)
    assert waits_for(winner)["invitations"] == []


def test_places_in_more_finals_do_not_take_more_queries(circuit: Circuit) -> None:
    winner = winner_of(circuit)
    cup = circuit.qualifiers.get().tournament
    by = desks.organiser(cup)

    def asked() -> tuple[int, int]:
        with CaptureQueriesContext(connection) as queries:
            told = waits_for(winner)["invitations"]
        return len(told), len(queries)

    def named(final: Tournament, within: Circuit) -> None:
        services.name_final(by=by, circuit=within, tournament=final)
        memory.keep(memory.loaded(final.log))  # not cached before the commit otherwise

    named(desks.tournament(by), circuit)
    _, few = asked()
    for name in ("Two", "Three", "Four"):
        more = services.open_circuit(by=by, season=circuit.season, name=name, points=[3], direct=1)
        services.add_qualifier(by=by, circuit=more, tournament=cup)
        named(desks.tournament(by), more)
    assert asked() == (4, few)


@pytest.mark.django_db(transaction=True)  # logs stay in memory only once they are committed
def test_more_tournaments_do_not_take_more_queries() -> None:
    me = factories.actor()

    def enter() -> None:
        cup = desks.tournament()
        services.enter(tournament=cup, by=me, act_id=uuid4())
        desks.entered(cup, 1)
        desks.start(cup)
        desks.paired(cup)
        factories.match(me, seats=[SeatRequest(player=me.player), SeatRequest(name="Ben")])

    def asked() -> int:
        api = Api(me)
        api.get("next/")
        with CaptureQueriesContext(connection) as queries:
            api.get("next/")
        return len(queries)

    enter()
    few = asked()
    for _ in range(3):
        enter()
    assert asked() <= few


def test_the_proposals_of_all_matches_are_counted_in_one_query() -> None:
    me, other = factories.actor(), factories.actor()

    def propose() -> None:
        seats = [SeatRequest(player=me.player), SeatRequest(player=other.player)]
        match = factories.match(me, seats=seats)
        scribes.take(match=match, by=me, over=None)
        matches.propose(match=match, by=other, act_id=uuid4(), act=factories.points(2))
        memory.keep(memory.loaded(match.log))  # not cached before the commit otherwise

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            told = waits_for(me)["matches"]
        assert {each["proposals"] for each in told} == {1}
        return len(queries)

    propose()
    few = asked()
    for _ in range(3):
        propose()
    assert asked() == few
    for match in Match.objects.all():
        memory.forget(match.log)


def test_an_unchanged_answer_is_not_sent_twice() -> None:
    api = Api(factories.actor())
    tag = api.get("next/").headers["ETag"]
    assert api.get("next/", {"If-None-Match": tag}).status_code == 304


def test_what_waits_is_for_accounts() -> None:
    assert Api().get("next/").status_code == 401
