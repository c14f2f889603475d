"""A character moves to another player or campaign when both agree; diary and stories."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import translation

from characters import campaigns, moving, policy, selectors, services, shown
from characters.models import Campaign, Change, Character, Move, Trade
from characters.services import TradeOffer
from matches import services as people
from matches.actors import Actor
from matches.erasing import erase_everything
from matches.errors import BadInput, Conflict, Impossible, NotAllowed
from matches.models import Player
from tests import factories
from tests.api.client import Api, problem
from tests.database import waiting_sessions
from tests.factories import client_of
from tests.html import squeezed, text_of
from tests.waiting import PATIENCE, eventually

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> Actor:
    return factories.actor("ada")


@pytest.fixture
def ben() -> Actor:
    return factories.actor("ben")


def test_a_character_goes_to_another_player_when_both_agree(
    owner: Actor, ben: Actor, oriel: Character
) -> None:
    url = f"{oriel.get_absolute_url()}moves/"
    given = client_of(owner).post(url, {"do": "give", "to": "BEN"})
    assert given.status_code == 302
    move = Move.objects.get()
    assert "Oriel Tamsin" in client_of(ben).get("/characters/").content.decode()
    assert client_of(owner).post(f"/moves/{move.pk}/", {"answer": "accept"}).status_code == 403
    assert client_of(factories.actor()).post(f"/moves/{move.pk}/").status_code == 404
    for _ in range(2):
        taken = client_of(ben).post(f"/moves/{move.pk}/", {"answer": "accept"})
        assert taken.headers["Location"] == oriel.get_absolute_url()
    oriel.refresh_from_db()
    assert oriel.owner == ben.player
    assert [(c.what, c.before, c.after) for c in Change.objects.all()] == [("owner", "ada", "ben")]
    assert "Born on a supply" in client_of(ben).get(oriel.get_absolute_url()).content.decode()
    assert "Born on a" not in client_of(owner).get(oriel.get_absolute_url()).content.decode()


def test_an_offer_is_taken_back_or_turned_down(owner: Actor, ben: Actor, oriel: Character) -> None:
    move = moving.offer_to(by=owner, character=oriel, to=ben.player)
    with pytest.raises(Conflict):
        moving.offer_to(by=owner, character=oriel, to=ben.player)
    assert moving.decline(by=owner, move=move).status == "withdrawn"
    with pytest.raises(Conflict):
        moving.accept(by=ben, move=move)
    again = moving.offer_to(by=owner, character=oriel, to=ben.player)
    with pytest.raises(NotAllowed):
        moving.decline(by=factories.actor(), move=again)
    assert moving.decline(by=ben, move=again).status == "declined"
    for wrong in (owner.player, None):
        with pytest.raises(BadInput):
            moving.offer_to(by=owner, character=oriel, to=wrong)
    with pytest.raises(NotAllowed):
        moving.offer_to(by=ben, character=oriel, to=ben.player)


def test_what_was_asked_for_one_owner_does_not_hold_for_the_next(
    owner: Actor, ben: Actor, oriel: Character
) -> None:
    belt = campaigns.create(by=factories.actor(), name="Belt")
    asked = moving.ask_to_join(by=owner, character=oriel, campaign=belt)
    moving.accept(by=ben, move=moving.offer_to(by=owner, character=oriel, to=ben.player))
    asked.refresh_from_db()
    assert asked.status == "withdrawn"
    Move.objects.filter(pk=asked.pk).update(status="offered", settled_at=None)  # as once
    admits = Api(Actor(belt.owner.user, belt.owner))
    problem(admits.post(f"moves/{asked.pk}/", {"decision": "accept"}), 409, "another-owner")
    oriel.refresh_from_db()
    assert oriel.campaign is None


def test_a_trade_that_waits_goes_when_one_of_its_sides_is_given_away(
    owner: Actor, ben: Actor, oriel: Character
) -> None:
    hand, other = (services.create(by=owner, name=name) for name in ("Hand", "Other"))
    asked = TradeOffer(asks=1)
    by_it = services.offer(by=owner, character=oriel, to=hand, what=asked)
    to_it = services.offer(by=owner, character=other, to=oriel, what=asked)
    beside = services.offer(by=owner, character=other, to=hand, what=asked)
    moving.accept(by=ben, move=moving.offer_to(by=owner, character=oriel, to=ben.player))
    beside.refresh_from_db()
    assert (beside.status, beside.settled_at) == ("offered", None)
    for trade in (by_it, to_it):
        trade.refresh_from_db()
        assert (trade.status, trade.settled_at is None) == ("withdrawn", False)


def test_an_erasure_withdraws_what_awaits_an_answer(owner: Actor, ben: Actor) -> None:
    hand, other, given, kept = (
        services.create(by=by, name="One") for by in (owner, ben, owner, ben)
    )
    asked = TradeOffer(asks=1)
    offers = [
        services.offer(by=owner, character=hand, to=other, what=asked),
        services.offer(by=ben, character=other, to=hand, what=asked),
        moving.offer_to(by=owner, character=given, to=ben.player),
        moving.offer_to(by=ben, character=kept, to=owner.player),
    ]
    beside = services.offer(by=ben, character=other, to=kept, what=asked)
    assert owner.player is not None
    erase_everything(owner.player)
    for each in (*offers, beside):
        each.refresh_from_db()
    assert [each.status for each in offers] == ["withdrawn"] * 4
    assert beside.status == "offered"
    hand.refresh_from_db()
    with pytest.raises(Impossible, match="Nobody who could answer plays Erased character"):
        services.offer(by=ben, character=other, to=hand, what=asked)


def test_what_was_offered_before_it_was_given_away_is_not_taken_from_its_new_owner(
    owner: Actor, ben: Actor, oriel: Character
) -> None:
    mule = services.create(by=owner, name="Mule")
    before = shown.balance_of(oriel, ["currency"])
    gift = TradeOffer(pays=1, method="gift")
    trade = services.offer(by=owner, character=oriel, to=mule, what=gift)
    moving.accept(by=ben, move=moving.offer_to(by=owner, character=oriel, to=ben.player))
    with pytest.raises(Conflict, match="was withdrawn"):
        services.accept(by=owner, trade=trade)
    Trade.objects.update(status="offered", settled_at=None)  # as offers stayed once
    with pytest.raises(Conflict, match="another player"):
        services.accept(by=owner, trade=trade)
    assert shown.balance_of(oriel, ["currency"]) == before
    with pytest.raises(NotAllowed):  # by one who saw it before it was given away
        services.offer(by=owner, character=_as_it_was(oriel, owner), to=mule, what=gift)


def _as_it_was(character: Character, owner: Actor) -> Character:
    assert owner.player is not None
    return Character(pk=character.pk, name=character.name, owner=owner.player)


def test_a_refusal_says_in_the_readers_language_what_became_of_an_offer(
    owner: Actor, ben: Actor, oriel: Character
) -> None:
    move = moving.offer_to(by=owner, character=oriel, to=ben.player)
    moving.decline(by=ben, move=move)
    trade = services.offer(
        by=owner, character=oriel, to=services.create(by=ben, name="Ben"), what=TradeOffer(pays=1)
    )
    services.decline(by=owner, trade=trade)
    with translation.override("de"):
        with pytest.raises(Conflict, match="abgelehnt"):
            moving.accept(by=ben, move=move)
        with pytest.raises(Conflict, match="zurückgezogen"):
            services.accept(by=ben, trade=trade)


def test_a_campaign_takes_a_character_in_and_its_players_see_more(
    owner: Actor, ben: Actor, oriel: Character
) -> None:
    run = client_of(ben)
    said = {"name": "Belt", "after_slag": "repair", "repair_price": "7", "officials": ""}
    assert run.post("/campaigns/new/", said).status_code == 302
    belt = Campaign.objects.get()
    assert (belt.after_slag, belt.repair_price, belt.owner) == ("repair", 7, ben.player)
    services.edit_section(by=owner, character=oriel, kind="private", audience="officials")
    assert "Born on a" not in run.get(oriel.get_absolute_url()).content.decode()
    url = f"{oriel.get_absolute_url()}moves/"
    link = f"{url}?campaign={belt.pk}"
    assert f'href="{link}#join">Join with Oriel Tamsin</a>' in squeezed(
        client_of(owner).get(f"/campaigns/{belt.pk}/")
    )
    assert f'value="{belt.pk}" selected' in client_of(owner).get(link).content.decode()
    assert client_of(owner).post(url, {"do": "join", "campaign": belt.pk}).status_code == 302
    page = run.get(f"/campaigns/{belt.pk}/").content.decode()
    assert "Ask to join" in page
    assert "of ada, asks to join Belt" in squeezed(run.get("/characters/"))
    assert "A character waits" in squeezed(run.get("/"))
    assert [one["campaign"] for one in Api(ben).get("moves/").json()["results"]] == [str(belt.pk)]
    assert "Ask to join" not in client_of(owner).get(f"/campaigns/{belt.pk}/").content.decode()
    run.post(f"/moves/{Move.objects.get().pk}/", {"answer": "accept"})
    assert "Born on a" in run.get(oriel.get_absolute_url()).content.decode()
    issue = {"way": "issued", "line": "Basic Red Helmet", "act_id": str(uuid4())}
    books = f"{oriel.get_absolute_url()}ledger/"
    assert run.post(books, issue).status_code == 302
    for who, told in ((owner, 1), (ben, 1), (factories.actor(), 0)):
        assert text_of(client_of(who).get(books)).count(f"entered by {ben.player}") == told
    assert "Oriel Tamsin" in Client().get(f"/campaigns/{belt.pk}/").content.decode()
    assert client_of(owner).post(url, {"do": "leave"}).status_code == 302
    assert "Born on a" not in run.get(oriel.get_absolute_url()).content.decode()
    assert client_of(owner).post(url, {"do": "leave"}).status_code == 400
    assert client_of(owner).post(url, {"do": "give", "to": "nobody"}).status_code == 400
    heir = factories.actor()
    moving.accept(by=heir, move=moving.offer_to(by=owner, character=oriel, to=heir.player))
    assert text_of(client_of(heir).get(books)).count("entered by") == 1  # not by who played it


def test_ones_own_campaign_takes_a_character_at_once(owner: Actor, oriel: Character) -> None:
    belt = campaigns.create(by=owner, name="Belt")
    assert moving.ask_to_join(by=owner, character=oriel, campaign=belt).status == "accepted"
    with pytest.raises(BadInput):
        moving.ask_to_join(by=owner, character=oriel, campaign=belt)


def test_an_official_takes_a_character_out_of_no_campaign_it_has_joined_since(
    owner: Actor, ben: Actor, oriel: Character
) -> None:
    rim, belt = (campaigns.create(by=by, name="One") for by in (ben, owner))
    moving.accept(by=ben, move=moving.ask_to_join(by=owner, character=oriel, campaign=rim))
    seen = Character.objects.select_related("campaign").get()
    moving.ask_to_join(by=owner, character=oriel, campaign=belt)
    with pytest.raises(NotAllowed):
        moving.leave(by=ben, character=seen)


def test_only_its_owner_names_the_officials_of_a_campaign(owner: Actor, ben: Actor) -> None:
    belt = campaigns.create(by=owner, name="Belt")
    edit = f"/campaigns/{belt.pk}/edit/"
    said = {"name": "Belt", "after_slag": "lost", "repair_price": "0"}
    assert client_of(ben).post(edit, said).status_code == 403
    assert client_of(owner).post(edit, {**said, "officials": "ben"}).status_code == 302
    assert client_of(ben).post(edit, {**said, "name": "Rim"}).status_code == 302
    told = Api(ben).get(f"campaigns/{belt.pk}/").json()
    assert (told["name"], told["officials"]) == ("Rim", [str(ben.player_id)])
    api = Api(ben)
    problem(api.patch(f"campaigns/{belt.pk}/", {"officials": []}), 403, "not-allowed")
    problem(api.patch(f"campaigns/{belt.pk}/", {"name": "a\nb"}), 400, "not-a-line")
    lost: dict[str, Any] = {"officials": [str(uuid4())]}
    problem(Api(owner).patch(f"campaigns/{belt.pk}/", lost), 400, "unknown-player")


def test_what_a_campaign_is_set_to_is_refused_by_its_field(owner: Actor, ben: Actor) -> None:
    belt = campaigns.create(by=owner, name="Belt")
    url = f"campaigns/{belt.pk}/"
    problem(Api(ben).patch(url, {"name": "Rim"}), 403, "not-allowed")
    problem(Api(ben).get("moves/", campaign=str(belt.pk)), 403, "not-allowed")
    assert Api(owner).get("moves/", campaign=str(belt.pk)).json()["results"] == []
    guest = Player.objects.create(name="Guest")
    crowd = Player.objects.bulk_create(
        Player(name=f"No. {number}", user=User.objects.create(username=f"no-{number}"))
        for number in range(campaigns.MAX_OFFICIALS + 1)
    )
    campaigns.change(by=owner, campaign=belt, officials=crowd[:-1], repair_price=0)
    campaigns.change(by=owner, campaign=belt, repair_price=campaigns.MAX_PRICE)
    wrong: list[tuple[dict[str, Any], str, str]] = [
        ({"after_slag": "eaten"}, "unknown-value", "$.after_slag"),
        ({"repair_price": -1}, "bad-price", "$.repair_price"),
        ({"repair_price": campaigns.MAX_PRICE + 1}, "bad-price", "$.repair_price"),
        ({"officials": [guest]}, "bad-officials", "$.officials"),
        ({"officials": crowd}, "bad-officials", "$.officials"),
    ]
    for change, code, where in wrong:
        with pytest.raises(BadInput) as refused:
            campaigns.change(by=owner, campaign=belt, **change)
        assert (refused.value.code, refused.value.where) == (code, where)


def test_a_campaign_goes_on_without_who_ran_it(owner: Actor, ben: Actor) -> None:
    belt, cid = campaigns.create(by=owner, name="Belt"), factories.actor("cid")
    url, edit = f"campaigns/{belt.pk}/", f"/campaigns/{belt.pk}/edit/"
    said = {"name": "Belt", "after_slag": "lost", "repair_price": "0", "officials": "ben, cid"}
    problem(Api(owner).patch(url, {"owner": str(ben.player_id)}), 400, "no-official")
    assert client_of(owner).post(edit, said).status_code == 302
    problem(Api(ben).patch(url, {"owner": str(ben.player_id)}), 403, "not-allowed")
    assert client_of(owner).post(edit, {**said, "owner": ben.player_id}).status_code == 302
    told = Api(ben).get(url).json()
    assert told["owner"] == str(ben.player_id)
    assert set(told["officials"]) == {str(owner.player_id), str(cid.player_id)}
    assert ben.player is not None
    erase_everything(ben.player)
    told = Api(cid).patch(url, {"owner": str(cid.player_id), "name": "Belt"}).json()
    assert (told["owner"], told["officials"]) == (str(cid.player_id), [str(owner.player_id)])


def test_a_move_by_api(owner: Actor, ben: Actor, oriel: Character) -> None:
    sent = {"character": str(oriel.pk), "to": str(ben.player_id)}
    problem(Api(owner).post("moves/", {"character": str(oriel.pk)}), 400, "one-of-both")
    problem(Api(owner).post("moves/", {**sent, "to": str(uuid4())}), 400, "no-account")
    move = Api(owner).post("moves/", sent).json()
    assert Api(ben).get("moves/").json()["results"] == [move]
    problem(Api(ben).get("moves/", character=str(oriel.pk)), 403, "not-allowed")
    taken = Api(ben).post(f"moves/{move['id']}/", {"decision": "accept"}).json()
    assert taken["status"] == "accepted"
    history = Api(ben).get(f"characters/{oriel.pk}/history/").json()["results"]
    assert [(one["what"], one["after"]) for one in history] == [("owner", "ben")]


def test_the_admin_moves_through_the_same_service(owner: Actor, oriel: Character) -> None:
    belt = campaigns.create(by=owner, name="Belt")
    client = factories.signed_in(User.objects.create_superuser("staff"))
    url = f"/admin/characters/character/{oriel.pk}/change/"
    assert client.post(url, {"campaign": belt.pk}).status_code == 302
    oriel.refresh_from_db()
    assert oriel.campaign == belt
    assert Change.objects.get().after == "Belt"
    with pytest.raises(NotAllowed):
        moving.place(by=owner, character=oriel, campaign=None)


# -- the diary and cover stories --------------------------------------------------------------


def test_a_grudge_stands_in_both_diaries_as_far_as_each_may_know(
    owner: Actor, ben: Actor, oriel: Character
) -> None:
    marr = services.paste(by=ben, text="Character: Ezut Marr")
    url = f"{oriel.get_absolute_url()}diary/"
    said = {"kind": "grudge", "text": "Broke my shield", "about": marr.pk, "audience": "named"}
    assert client_of(owner).post(url, said).status_code == 302
    theirs = f"{marr.get_absolute_url()}diary/"
    assert "Broke my shield" not in client_of(ben).get(theirs).content.decode()
    grudge = oriel.favours.get()
    client_of(owner).post(f"{url}{grudge.pk}/", {"do": "tell"})
    assert "Broke my shield" in client_of(ben).get(theirs).content.decode()
    assert "Broke my shield" not in Client().get(marr.get_absolute_url()).content.decode()
    assert client_of(ben).post(f"{theirs}{grudge.pk}/", {"do": "settle"}).status_code == 404
    client_of(owner).post(f"{url}{grudge.pk}/", {"do": "settle"})
    assert "settled" in client_of(owner).get(url).content.decode()
    assert [change.after for change in Change.objects.filter(what="favours")] == [
        "grudge: Broke my shield (told, settled)",
        "grudge: Broke my shield (told)",
        "grudge: Broke my shield",
    ]
    assert client_of(owner).post(url, {**said, "match": "a/b"}).status_code == 400
    erase_everything(owner.player)
    assert not shown.favours_of(marr, policy.eyes_of(ben, marr)).exists()  # no words, no line


def test_a_favour_is_for_fewer_than_the_diary(owner: Actor, oriel: Character) -> None:
    services.edit_section(by=owner, character=oriel, kind="diary", audience="public")
    for text, audience in (("For all", "named"), ("For me", "owner")):
        services.add_favour(by=owner, character=oriel, kind="favour", text=text, audience=audience)
    seen = Client().get(oriel.get_absolute_url()).content.decode()
    assert "For all" in seen
    assert "For me" not in seen


def test_each_audience_is_told_its_own_story(owner: Actor, ben: Actor, oriel: Character) -> None:
    belt = campaigns.create(by=factories.actor("eve"), name="Belt")
    official = Actor(belt.owner.user, belt.owner)
    moving.accept(by=official, move=moving.ask_to_join(by=owner, character=oriel, campaign=belt))
    marr = services.paste(by=ben, text="Character: Ezut Marr")
    moving.accept(by=official, move=moving.ask_to_join(by=ben, character=marr, campaign=belt))
    stolen = selectors.ledger_of(oriel).get(method="stolen", item__isnull=False)
    url = f"{oriel.get_absolute_url()}ledger/{stolen.pk}/cover/"
    assert "Stole Superior Red Frontgear" in client_of(owner).get(url).content.decode()
    for audience, party in (("public", "an aunt"), ("players", "a friend"), ("public", "a shop")):
        said = {"act_id": str(uuid4()), "method": "gift", "party": party, "audience": audience}
        assert client_of(owner).post(url, said).status_code == 302
    assert stolen.item is not None
    for page in (
        oriel.get_absolute_url(),
        f"{oriel.get_absolute_url()}ledger/",
        f"/items/{stolen.item.serial}/",
    ):
        told = {
            who: Client().get(page) if who == "anyone" else client_of(by).get(page)
            for who, by in (("anyone", ben), ("player", ben), ("official", official))
        }
        stories = {
            who: [s for s in ("an aunt", "a friend", "a shop", "Halder") if s in seen]
            for who, seen in ((who, answer.content.decode()) for who, answer in told.items())
        }
        assert stories == {
            "anyone": ["a shop"],
            "player": ["a friend"],
            "official": ["a friend"],
        }, page
    mine = client_of(owner).get(f"/items/{stolen.item.serial}/").content.decode()
    for word in ("Halder", "a shop", "a friend", "told to: Players", "Tell another story"):
        assert word in mine
    assert client_of(ben).get(url).status_code == 403
    api = {"id": str(uuid4()), "character": str(oriel.pk), "method": "won", "party": "a bet"}
    problem(Api(owner).post("ledger/999999999999/cover/", api), 404, "no-such-entry")
    assert Api(owner).post(f"ledger/{stolen.pk}/cover/", api).json()["covers"] == stolen.pk


def test_a_thing_lent_comes_back_on_the_page(owner: Actor, oriel: Character) -> None:
    [item, *_] = shown.sheet_of(oriel, policy.Eyes("owner")).gear
    url = f"{oriel.get_absolute_url()}ledger/"
    lent = {"act_id": str(uuid4()), "way": "out:lent", "item": item.serial, "party": "a neighbour"}
    assert client_of(owner).post(url, lent).status_code == 302
    back = {
        "act_id": str(uuid4()),
        "way": "returned",
        "tags": item.serial.lower(),
        "place": "Ceres",
    }
    assert client_of(owner).post(url, back).status_code == 302
    page = client_of(owner).get(url).content.decode()
    assert "Got back Basic Green Helmet, Ceres" in page


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql  # on SQLite one transaction writes at a time
def test_who_is_erased_while_they_accept_a_character_waits_for_neither(
    owner: Actor, ben: Actor, oriel: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both want the character's move and its trades, so they have to lock them in one order."""
    marr = services.paste(by=ben, text="Character: Ezut Marr")
    offered = services.TradeOffer(asks=1)
    trade = services.offer(by=ben, character=marr, to=oriel, what=offered)
    move = moving.offer_to(by=owner, character=oriel, to=ben.player)
    holds_the_move = moving.require_open

    def erase() -> None:
        with closing(connection):
            people.erase(by=ben, player=ben.player)

    with ThreadPoolExecutor(1) as other:
        erased = []

        def meanwhile(offer: Move) -> None:
            holds_the_move(offer)
            erased.append(other.submit(erase))
            eventually(waiting_sessions, "the erasure never came to the move")

        monkeypatch.setattr(moving, "require_open", meanwhile)
        moving.accept(by=ben, move=move)
        erased[0].result(PATIENCE)
    for row in (oriel, trade, move):
        row.refresh_from_db()
    assert (oriel.owner, oriel.name) == (ben.player, "Erased character")
    assert (trade.status, move.status) == ("withdrawn", "accepted")
