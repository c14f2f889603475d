"""A returning guest is the same player; a second one of the same name is told apart."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from characters.models import Character
from league import services
from league.models import Entry, Tournament
from matches.errors import BadInput, Conflict
from matches.models import Player
from tests import factories
from tests.factories import signed_in
from tests.league import desks

pytestmark = pytest.mark.django_db


class Console:
    """The console of a tournament, at which guests are entered by name."""

    def __init__(self, cup: Tournament, client: Client) -> None:
        self.cup, self.client = cup, client
        self.at = f"/tournaments/{cup.code}/console/"

    def enters(self, **form: Any) -> str:
        """Enter somebody, and return the console as it is then."""
        sent = {"act_id": str(uuid4()), "do": "enter", "anchor": "people", **form}
        answer = self.client.post(self.at, sent)
        assert answer.status_code == 302, answer.content.decode()[-2000:]
        return self.client.get(answer.url).content.decode()

    @property
    def players(self) -> list[Player]:
        """Who is entered, in the order of the log: nobody has projected their numbers."""
        entries = {str(entry.pk): entry for entry in Entry.objects.filter(tournament=self.cup)}
        found = [entries[person.ref].player for person in desks.desk(self.cup).people]
        return [player for player in found if player]


@pytest.fixture
def consoles() -> list[Console]:
    host = factories.actor()
    league, client = desks.league(host), signed_in(host.user)
    return [
        Console(desks.tournament(host, title=title, league=league), client)
        for title in ("Tycho open", "Luna cup")
    ]


def test_a_guest_of_a_league_is_offered_again_and_entered_by_one_tap(
    consoles: list[Console],
) -> None:
    first, second = consoles
    first.enters(name="Ada")
    [ada] = first.players
    assert '<option value="Ada">' in second.client.get(second.at).content.decode()
    asked = second.enters(name="ada")
    assert second.players == []
    assert "The same Ada, at Tycho open" in asked
    second.enters(player=str(ada.pk))
    assert second.players == [ada]
    assert Player.objects.filter(name="Ada").count() == 1


def test_a_second_of_one_name_gets_a_hint_and_may_be_somebody_new(consoles: list[Console]) -> None:
    first, second = consoles
    act_id = str(uuid4())
    for _ in range(2):  # a form sent twice asks nothing and enters once
        assert "Which Anna?" not in first.enters(name="Anna", act_id=act_id)
    asked = first.enters(name="Anna")
    assert "Anna is entered here already" in asked
    first.enters(name="Anna B", new="1")
    assert [each.name for each in first.players] == ["Anna", "Anna B"]
    second.enters(name="Anna", new="1")
    assert second.players[0] not in first.players


def test_players_with_an_account_are_found_by_name_and_strangers_guests_are_not(
    consoles: list[Console],
) -> None:
    console = consoles[0]
    bo = factories.user("Bo").player
    elsewhere = Console(other := desks.tournament(), signed_in(desks.organiser(other).user))
    elsewhere.enters(name="Cy")
    assert "The same Bo, with an account" in console.enters(name="Bo")
    console.enters(player=str(bo.pk))
    console.enters(name="Cy")
    assert console.players[0] == bo
    assert console.players[1] not in elsewhere.players


def test_guests_of_one_name_without_a_tournament_are_told_apart_by_when_they_were_added(
    consoles: list[Console],
) -> None:
    console = consoles[0]
    by = desks.organiser(console.cup)
    for day in (1, 2):
        guest = Player.objects.create(name="Ben", invited_by=by.player)
        Player.objects.filter(pk=guest.pk).update(created_at=f"2026-05-0{day}T12:00Z")
    asked = console.enters(name="Ben")
    for day in (1, 2):
        assert f"The same Ben (added {day} May 2026, 12:00)" in asked


def test_an_empty_name_enters_nobody(consoles: list[Console]) -> None:
    console = consoles[0]
    sent = {"act_id": str(uuid4()), "do": "enter", "name": " "}
    answer = console.client.post(console.at, sent)
    assert (answer.status_code, console.players) == (400, [])
    assert "Say who enters." in answer.content.decode()


def test_only_organisers_are_told_who_is_known_and_enter_them(consoles: list[Console]) -> None:
    first, second = consoles
    first.enters(name="Ada")
    keeper = factories.actor()
    assert keeper.player is not None
    host = desks.organiser(second.cup)
    services.name_member(by=host, player=keeper.player, role="scorekeeper", tournament=second.cup)
    client = signed_in(keeper.user)
    page = client.get(f"{second.at}?name=Ada").content.decode()
    assert "Ada" not in page[: page.index("<footer")]
    for who in ({"name": "Ada"}, {"player": str(first.players[0].pk)}):
        sent = {"act_id": str(uuid4()), "do": "enter", **who}
        assert client.post(second.at, sent).status_code in (403, 409)
    gone = {"act_id": str(uuid4()), "do": "enter", "player": str(uuid4())}
    assert second.client.post(second.at, gone).status_code == 404
    assert second.players == []


def test_a_console_asks_the_same_however_many_are_known(consoles: list[Console]) -> None:
    first, second = consoles
    counts: dict[str, set[int]] = {"": set(), "?name=Ada": set()}
    for _ in range(2):
        first.enters(name="Ada", new="1")
        first.enters(name=f"Bo {uuid4()}")
        for query, found in counts.items():
            second.client.get(second.at)
            with CaptureQueriesContext(connection) as asked:
                assert second.client.get(f"{second.at}{query}").status_code == 200
            found.add(len(asked))
    assert all(len(found) == 1 for found in counts.values())


def test_who_invited_a_guest_renames_them(consoles: list[Console]) -> None:
    console = consoles[0]
    console.enters(name="Ada")
    [ada] = console.players
    at = f"/players/{ada.pk}/name/"
    assert at in console.client.get(ada.get_absolute_url()).content.decode()
    assert console.client.post(at, {"name": ""}).status_code == 400
    stranger = signed_in(factories.user())
    assert stranger.get(at).status_code == 403
    assert stranger.post(at, {"name": "Mine"}).status_code == 403
    assert console.client.post(at, {"name": "Ada K."}).status_code == 302
    ada.refresh_from_db()
    assert ada.name == "Ada K."
    assert "Ada K." in console.client.get(console.at).content.decode()


def test_whose_entry_was_taken_back_is_offered_by_name_and_enters_as_the_same(
    consoles: list[Console],
) -> None:
    console = consoles[0]
    console.enters(name="Ada")
    [ada] = console.players
    row = Entry.objects.get(player=ada)
    host = desks.organiser(console.cup)
    services.take_back(tournament=console.cup, by=host, act_id=uuid4(), to=1)
    asked = console.enters(name="ada")
    assert "The same Ada" in asked
    assert "entered here already" not in asked
    act_id = str(uuid4())
    for _ in range(2):  # sent twice it enters once
        console.enters(player=str(ada.pk), act_id=act_id)
    desk = desks.desk(console.cup)
    assert [person.ref for person in desk.people] == [str(row.pk)]
    assert Player.objects.filter(name="Ada").count() == 1
    with pytest.raises(Conflict, match="Ada is entered already"):
        services.enter(tournament=console.cup, by=host, act_id=uuid4(), player=ada)


def test_who_signed_up_and_was_taken_back_signs_up_again_with_what_they_bring_now() -> None:
    cup, player = desks.tournament(), factories.actor()
    first = services.enter(tournament=cup, by=player, act_id=uuid4())
    services.take_back(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), to=1)
    cup.log.refresh_from_db()
    character = Character.objects.create(owner=player.player, name="Rook")
    again = services.enter(tournament=cup, by=player, act_id=uuid4(), character=character)
    assert (again.pk, again.name) == (first.pk, "Rook")


def test_who_dropped_is_let_back_in_where_their_name_is_typed(consoles: list[Console]) -> None:
    console = consoles[0]
    console.enters(name="Ada")
    desks.act(console.cup, "dropped", entrant=1)
    assert "Ada, number 1, who dropped, is back" in console.enters(name="ada")


def test_a_guest_whose_entry_is_refused_is_not_there() -> None:
    cup, act_id = desks.tournament(enters="character"), uuid4()
    by = desks.organiser(cup)
    with pytest.raises(BadInput, match="Name the character"):
        services.enter(tournament=cup, by=by, act_id=act_id, name="Ada")
    assert not Player.objects.filter(name="Ada").exists()
    cup.enters = "player"
    cup.save(update_fields=["enters"])
    entry = services.enter(tournament=cup, by=by, act_id=act_id, name="Ben")
    assert str(entry.player) == "Ben"
