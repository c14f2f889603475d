"""Entering and checking in: waiting lists, returning players, bans."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from characters import services as characters
from characters.models import Character
from league import desks as cuts
from league import services
from league.models import (
    League,
    Sanction,
)
from matches.actors import Actor
from matches.errors import BadInput, Conflict, Impossible, NotAllowed
from matches.followers import work
from matches.models import Player
from rules.desk.acts import Options
from tests import factories
from tests.api.client import Api, problem
from tests.factories import signed_in
from tests.html import squeezed
from tests.league import desks

pytestmark = pytest.mark.django_db


def test_a_ref_is_of_one_entry_of_one_tournament() -> None:
    cup, other = desks.tournament(), desks.tournament()
    free, [taken], [elsewhere] = str(uuid4()), desks.entered(cup, 1), desks.entered(other, 1)
    first = {"ref": free, "act_id": uuid4()}
    for again in (False, True):
        assert desks.act(cup, "entered", **first).recorded != again
    for ref in (free, free.upper(), str(taken.pk), str(elsewhere.pk)):
        with pytest.raises(Conflict) as refused:
            desks.act(cup, "entered", ref=ref)
        assert refused.value.code == "ref-taken"
    with pytest.raises(Conflict, match="that of another entry"):  # though no worker came by
        desks.act(other, "entered", ref=free)
    for _ in range(2):  # it names no row
        desks.act(cup, "entered", ref="board-1")
    work(cup.pk)
    assert cup.entries.count() == 4


def test_an_id_is_the_same_however_it_is_written_and_who_has_none_is_found_too() -> None:
    cup = desks.tournament()
    refs = [uuid4() for _ in range(2)]
    for ref in (str(refs[0]).upper(), refs[1].hex, "board-1", ""):
        desks.act(cup, "entered", ref=ref)
    work(cup.pk)
    desk = desks.desk(cup)
    assert [person.ref for person in desk.people[:2]] == [str(ref) for ref in refs]
    assert {cuts.number_of(desk, entry) for entry in cup.entries.all()} == {1, 2, 3, 4}


def test_who_comes_late_waits_and_moves_up() -> None:
    cup = desks.tournament(desk=Options(cap=2))
    desks.entered(cup, 3)
    assert [person.status for person in desks.desk(cup).people] == ["in", "in", "waiting"]
    desks.act(cup, "dropped", entrant=1)
    assert [person.status for person in desks.desk(cup).people] == ["dropped", "in", "in"]


def test_who_dropped_already_is_named_where_it_is_said_again() -> None:
    cup = desks.tournament()
    desks.entered(cup, 1)
    desks.act(cup, "dropped", entrant=1)
    with pytest.raises(Impossible, match=r"^Guest 1 is dropped\.$") as refused:
        desks.act(cup, "dropped", entrant=1)
    assert refused.value.extra["params"] == {"entrant": 1, "status": "dropped"}
    with pytest.raises(Impossible, match=r"^There is no number 2: the last is 1\.$"):
        desks.act(cup, "dropped", entrant=2)


def test_entering_again_with_the_same_id_enters_once() -> None:
    cup = desks.tournament()
    me, act_id = factories.actor(), uuid4()
    first = services.enter(tournament=cup, by=me, act_id=act_id)
    assert services.enter(tournament=cup, by=me, act_id=act_id) == first
    with pytest.raises(Conflict, match="entered already"):
        services.enter(tournament=cup, by=me, act_id=uuid4())
    desks.act(cup, "dropped", by=me, entrant=1)
    with pytest.raises(Conflict, match="an organiser lets them back in"):
        services.enter(tournament=cup, by=me, act_id=uuid4())
    assert len(desks.desk(cup).people) == 1
    assert cup.entries.count() == 1


def test_whose_entry_was_taken_back_is_shown_no_more_of_what_is_kept_to_entrants() -> None:
    cup = desks.tournament(visibility="entrants")
    by, me = desks.organiser(cup), factories.actor()
    assert me.player is not None
    desks.entered(cup, 1)
    services.enter(tournament=cup, by=by, act_id=uuid4(), player=me.player)
    path = f"/tournaments/{cup.code}/"
    assert signed_in(me.user).get(path).status_code == 200
    services.take_back(tournament=cup, by=by, act_id=uuid4(), to=2)
    work(cup.pk)
    assert signed_in(me.user).get(path).status_code == 404
    assert Api(me).get(f"tournaments/{cup.code}/").status_code == 404
    services.enter(tournament=cup, by=by, act_id=uuid4(), player=me.player)
    assert signed_in(me.user).get(path).status_code == 200


def test_a_guest_whose_entry_is_refused_is_nobody() -> None:
    cup = desks.tournament()
    services.withdraw(by=desks.organiser(cup), tournament=cup)
    with pytest.raises(Conflict, match="This was withdrawn"):
        services.enter(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), name="Ghost")
    assert not Player.objects.filter(name="Ghost").exists()
    by = desks.organiser(cup)
    told = Api(by).get(f"tournaments/{cup.code}/").json()
    assert (told["status"], told["headline"]) == ("withdrawn", "Withdrawn")
    assert Api(by).get("tournaments/", status="open").json()["results"] == []
    assert "Withdrawn" in signed_in(by.user).get(f"/tournaments/{cup.code}/").content.decode()


def test_who_is_banned_does_not_enter() -> None:
    by = factories.actor()
    home = desks.league(by)
    cup = desks.tournament(by, league=home)
    me = factories.actor()
    assert me.player is not None
    held = services.sanction(
        by=by, league=home, player=me.player, kind="exile", reason="Threw dice."
    )
    with pytest.raises(Conflict, match="exiled"):
        services.enter(tournament=cup, by=me, act_id=uuid4())
    services.lift(by=by, sanction=held)
    services.enter(tournament=cup, by=me, act_id=uuid4())


def _banned(by: Actor, league: League, player: Actor, days: int) -> Sanction:
    assert player.player is not None
    until = timezone.localdate() + timedelta(days=days)
    about = {"kind": "ban", "reason": "Threw dice.", "ends_on": until}
    return services.sanction(by=by, league=league, player=player.player, **about)


def test_a_ban_counts_on_the_day_that_is_played() -> None:
    by, soon, later = (factories.actor() for _ in range(3))
    home = desks.league(by)
    starts_at = timezone.now() + timedelta(days=10)
    cup = desks.tournament(by, league=home, starts_at=starts_at)
    _banned(by, home, soon, days=5)
    _banned(by, home, later, days=15)
    services.enter(tournament=cup, by=soon, act_id=uuid4())
    with pytest.raises(Conflict, match="banned"):
        services.enter(tournament=cup, by=later, act_id=uuid4())


def test_who_was_banned_since_they_entered_is_told_and_does_not_check_in() -> None:
    by, me, mate, other = (factories.actor() for _ in range(4))
    home = desks.league(by)
    for player in (me, mate, other):
        services.join(by=player, league=home)
    krewe = services.make_krewe(by=me, league=home, name="Cinders")
    alone = desks.tournament(by, league=home, desk=Options(check_in=True))
    together = desks.tournament(by, league=home, desk=Options(check_in=True), enters="krewe")
    services.enter(tournament=alone, by=mate, act_id=uuid4())
    services.enter(tournament=alone, by=other, act_id=uuid4())
    services.enter(tournament=together, by=me, act_id=uuid4(), krewe=krewe)
    assert mate.player is not None
    held = _banned(by, home, mate, days=5)
    services.add_to_krewe(by=me, krewe=krewe, player=mate.player)

    for cup, player in ((alone, mate), (together, me), (alone, by)):
        with pytest.raises(Conflict, match=f"{mate.player} is banned"):
            desks.act(cup, "checked-in", by=player, entrant=1)
    desks.act(alone, "checked-in", by=other, entrant=2)
    for cup in (alone, together):
        page = signed_in(by.user).get(f"/tournaments/{cup.code}/console/").content.decode()
        assert "Entered, and kept out:" in page
    services.lift(by=by, sanction=held)
    desks.act(together, "checked-in", by=me, entrant=1)


@pytest.mark.parametrize("as_guest", [False, True])
def test_a_character_enters_with_its_own_player_alone(as_guest: bool) -> None:
    by, owner, other = (factories.actor() for _ in range(3))
    cup = desks.tournament(by, enters="character")
    una = characters.create(by=owner, name="Una")
    who = {"name": "Guest"} if as_guest else {"player": other.player}
    with pytest.raises(BadInput, match="together with its player"):
        services.enter(tournament=cup, by=by, act_id=uuid4(), character=una, **who)


def test_a_krewe_enters_only_where_krewes_do_and_nobody_enters_twice() -> None:
    by, captain, mate = (factories.actor() for _ in range(3))
    home = desks.league(by)
    for player in (captain, mate):
        services.join(by=player, league=home)
    assert mate.player is not None
    krewe = services.make_krewe(by=captain, league=home, name="Cinders")
    second = services.make_krewe(by=captain, league=home, name="Drift")
    third = services.make_krewe(by=mate, league=home, name="Embers")
    with pytest.raises(BadInput, match="Krewes do not enter here"):
        cup = desks.tournament(by, league=home)
        services.enter(tournament=cup, by=captain, act_id=uuid4(), krewe=krewe)

    cup, act_id = desks.tournament(by, league=home, enters="krewe"), uuid4()
    first = services.enter(tournament=cup, by=captain, act_id=act_id, krewe=krewe)
    assert services.enter(tournament=cup, by=captain, act_id=act_id, krewe=krewe) == first
    for organiser in (captain, by):
        with pytest.raises(Conflict, match="takes part already"):
            services.enter(tournament=cup, by=organiser, act_id=uuid4(), krewe=second)
    services.enter(tournament=cup, by=mate, act_id=uuid4(), krewe=third)
    with pytest.raises(Conflict, match="takes part in Cup already") as refused:
        services.add_to_krewe(by=captain, krewe=krewe, player=mate.player)
    [error] = refused.value.errors
    assert (error["code"], error["where"]) == ("entered-already", "$.add")
    services.take_back(tournament=cup, by=by, act_id=uuid4(), to=2)
    services.add_to_krewe(by=captain, krewe=krewe, player=mate.player)
    services.leave_krewe(by=captain, krewe=krewe, player=mate.player)
    services.enter(tournament=cup, by=mate, act_id=uuid4(), krewe=third)
    services.add_to_krewe(by=captain, krewe=second, player=mate.player)
    assert cup.entries.count() == 2


def test_what_may_not_enter_is_refused_by_its_field() -> None:
    by, me = factories.actor(), factories.actor()
    home, away = desks.league(by), desks.league(by, "Away")
    for league in (home, away):
        services.join(by=me, league=league)
    cup = desks.tournament(by, league=home, enters="krewe")
    elsewhere = services.make_krewe(by=me, league=away, name="Drift")
    own = characters.create(by=factories.actor(), name="Una")
    of_characters = desks.tournament(by, league=home, enters="character")
    plain = desks.tournament(by, league=home)
    for tournament, sent, status, code, where in (
        (cup, {}, 400, "missing-field", "$.krewe"),
        (cup, {"krewe": str(elsewhere.pk)}, 400, "other-league", "$.krewe"),
        (cup, {"krewe": str(uuid4())}, 400, "unknown-krewe", "$.krewe"),
        (plain, {"krewe": str(elsewhere.pk)}, 400, "no-krewes", "$.krewe"),
        (of_characters, {}, 400, "missing-field", "$.character"),
        (of_characters, {"character": str(own.pk)}, 400, "other-player", "$.character"),
    ):
        body = {"id": str(uuid4()), "tournament": tournament.code, **sent}
        [error] = problem(Api(me).post("entries/", body), status, code)["errors"]
        assert error["where"] == where
    for ref in ("board 1", "bürd", "board.1"):
        with pytest.raises(BadInput) as refused:
            desks.act(plain, "entered", ref=ref)
        assert (refused.value.code, refused.value.where) == ("bad-ref", "$.act.ref")


def test_one_signs_up_with_a_character_of_ones_own_and_no_deck_where_none_is_registered() -> None:
    me = factories.actor()
    cup = desks.tournament(ruleset="zg", enters="character", decks="none")
    theirs = characters.create(by=factories.actor(), name="Una")
    mine = characters.create(by=me, name="Ivo")
    client, page = signed_in(me.user), f"/tournaments/{cup.code}/entries/"
    sent = {"act_id": str(uuid4()), "character": str(theirs.pk)}
    assert client.post(page, sent).status_code == 404
    assert not cup.entries.exists()
    assert client.post(page, sent | {"character": str(mine.pk)}).status_code == 302
    entry = cup.entries.get()
    problem(Api(me).post(f"entries/{entry.pk}/deck/", {"text": "Claw"}), 409, "no-decks")


def test_an_entry_is_read_by_those_who_may_see_its_tournament() -> None:
    hidden = desks.tournament(visibility="entrants")
    [entry] = desks.entered(hidden, 1)
    assert Api(desks.organiser(hidden)).get(f"entries/{entry.pk}/").status_code == 200
    for pk in (entry.pk, uuid4()):
        problem(Api(factories.actor()).get(f"entries/{pk}/"), 404, "no-such-entrant")


def test_players_sign_up_while_they_may_and_nobody_but_themselves() -> None:
    shut, begun = desks.tournament(sign_up=False), desks.tournament()
    late = factories.actor()
    with pytest.raises(NotAllowed):
        services.enter(tournament=begun, by=late, act_id=uuid4(), player=factories.actor().player)
    desks.entered(begun, 2)
    desks.start(begun)
    for cup in (shut, begun):
        body = {"id": str(uuid4()), "tournament": cup.code}
        problem(Api(late).post("entries/", body), 409, "sign-up-closed")
        again = {"tournament": cup, "act_id": uuid4(), "player": late.player}
        assert services.enter(by=desks.organiser(cup), **again)


def test_nobody_says_how_they_are_rated_themselves() -> None:
    cup = desks.tournament()
    me = factories.actor()
    with pytest.raises(NotAllowed) as refused:
        services.enter(tournament=cup, by=me, act_id=uuid4(), rating=4000)
    assert refused.value.code == "rating-by-organiser"
    with pytest.raises(NotAllowed):
        desks.act(cup, "entered", by=me, label="", rating=4000)
    assert not cup.entries.exists()
    by = desks.organiser(cup)
    services.enter(tournament=cup, by=by, act_id=uuid4(), player=me.player, rating=1500)
    assert desks.desk(cup).people[0].rating == 1500


def test_who_waits_for_check_in_is_told_so() -> None:
    cup = desks.tournament(desk=Options(check_in=True))
    client = signed_in(desks.organiser(cup).user)

    assert "It takes two entrants" in desks.due(client, cup)
    desks.entered(cup, 3)
    assert "0 of 3 are" in desks.due(client, cup)
    desks.act(cup, "checked-in", entrant=1)
    assert "1 of 3 are" in desks.due(client, cup)
    desks.act(cup, "checked-in", entrant=3)
    assert "Start Swiss" in desks.due(client, cup)


def test_everybody_is_checked_in_at_once_and_only_once() -> None:
    cup = desks.tournament(desk=Options(check_in=True))
    desks.entered(cup, 3)
    desks.act(cup, "checked-in", entrant=2)
    client = signed_in(desks.organiser(cup).user)
    url, sent = f"/tournaments/{cup.code}/console/", {"do": "all-here", "act_id": uuid4()}

    assert "Check everybody in" in client.get(url).content.decode()
    told = [client.post(url, sent, follow=True).content.decode() for _ in range(2)]
    assert "2 checked in." in told[0]
    assert "Check everybody in" not in told[0]
    assert "0 checked in." in told[1]
    assert [person.here for person in desks.desk(cup).people] == [True] * 3
    client.force_login(factories.actor().user)
    assert client.post(url, sent).status_code == 403


def test_who_may_not_check_in_yet_is_named_and_the_others_are_in() -> None:
    cup = desks.tournament(desk=Options(check_in=True), ruleset="zx", decks="required")
    desks.entered(cup, 2)
    client = signed_in(desks.organiser(cup).user)

    page = client.post(
        f"/tournaments/{cup.code}/console/", {"do": "all-here", "act_id": uuid4()}, follow=True
    ).content.decode()
    assert "0 checked in." in page
    for number in (1, 2):
        assert f"Guest {number}: A deck has to be registered first." in page


def test_who_cannot_sign_up_is_told_who_enters_them() -> None:
    cup = desks.tournament(sign_up=False)
    desks.entered(cup, 2)
    path = f"/tournaments/{cup.code}/entries/"
    assert "Organisers enter everybody here." in squeezed(Client().get(path))
    desks.start(cup)
    assert "Organisers can still enter latecomers." in squeezed(Client().get(path))


def test_who_dropped_is_told_who_lets_them_back_in() -> None:
    cup, player = desks.tournament(), factories.actor("Ada")
    services.enter(tournament=cup, by=player, act_id=uuid4())
    client, path = signed_in(player.user), f"/tournaments/{cup.code}/entries/"
    assert "Only an organiser can let you back in." in squeezed(client.get(path))
    client.post(f"/tournaments/{cup.code}/me/", {"type": "dropped", "act_id": uuid4()})
    page = squeezed(client.get(path))
    assert "You entered as <b>Ada</b>: dropped. An organiser can let you back in." in page
    assert "You are in as" not in page


@pytest.mark.parametrize("enters", ["krewe", "character"])
def test_only_what_may_enter_is_offered(enters: str) -> None:
    """Neither a name at the console, nor signing up without a krewe or a character, was taken."""
    by = factories.actor()
    cup = desks.tournament(by, league=desks.league(by), enters=enters)
    client = signed_in(by.user)
    page = squeezed(client.get(f"/tournaments/{cup.code}/console/"))
    assert "A guest or player by name" not in page
    assert f"enter their {enters}s." in page
    page = squeezed(client.get(f"/tournaments/{cup.code}/entries/"))
    assert f"{enters.title()}s enter here" in page
    assert ">Enter<" not in page.replace("> ", ">").replace(" <", "<")


def test_an_organiser_enters_characters_of_those_known_to_the_league() -> None:
    by, ada, stranger = (factories.actor() for _ in range(3))
    cup = desks.tournament(by, league=desks.league(by), enters="character")
    assert cup.league is not None
    services.join(by=ada, league=cup.league)
    oriel, veiled, own, _ = (
        characters.create(by=who, name=name)
        for who, name in ((ada, "Oriel"), (ada, "Veiled"), (by, "Own"), (stranger, "Unknown"))
    )
    Character.objects.filter(name__in=("Veiled", "Own")).update(audience="owner")
    client, url = signed_in(by.user), f"/tournaments/{cup.code}/console/"
    page = squeezed(client.get(url))
    choices = page.partition('id="enter-character"')[2].partition("</select>")[0]
    assert re.findall(r">(\w+) \((\S+)\)<", choices) == [
        ("Oriel", ada.player.name), ("Own", by.player.name),
    ]  # fmt: skip
    sent = {"do": "enter", "act_id": str(uuid4()), "character": str(oriel.pk)}
    for _ in range(2):
        assert client.post(url, sent).status_code == 302
    entry = cup.entries.get()
    assert (entry.character, entry.player) == (oriel, ada.player)
    second = str(characters.create(by=ada, name="Second").pk)
    asked = {"id": str(uuid4()), "tournament": cup.code, "character": second}
    asked |= {"player": str(ada.player_id)}
    twice = problem(Api(by).post("entries/", asked), 409, "entered-already")
    assert twice["detail"] == f"{ada.player} is entered already."  # and Second is not
    page = squeezed(client.get(url))
    assert f'value="{own.pk}"' in page and f'value="{oriel.pk}"' not in page
    sent |= {"act_id": str(uuid4()), "character": str(veiled.pk)}
    assert client.post(url, sent).status_code == 404
    asked = {"id": str(uuid4()), "tournament": cup.code, "character": str(veiled.pk)}
    asked |= {"player": str(ada.player_id)}
    problem(Api(by).post("entries/", asked), 400, "no-such-character")
    sent |= {"act_id": str(uuid4()), "character": str(own.pk)}
    assert client.post(url, sent).status_code == 302


def test_where_no_cards_are_played_nothing_is_said_of_decks() -> None:
    by = factories.actor()
    cup = desks.tournament(by, decks="required", desk=Options(check_in=True))
    services.enter(tournament=cup, by=by, act_id=uuid4())
    client = signed_in(by.user)
    for name in ("rules", "entries", "edit"):
        page = client.get(f"/tournaments/{cup.code}/{name}/").content.decode()
        assert not re.search(r"\b[Dd]eck", page), name
    desks.act(cup, "checked-in", entrant=1)
