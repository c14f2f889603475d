"""Loadouts: gear chosen for a deck, its cost and problems, and that a match keeps a copy."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from characters import cards, importing, ledger, loadouts, moving, services
from characters.models import Appearance, Campaign, Card, Character, GearItem, Loadout
from characters.services import FieldedPlace, Recording, TradeOffer
from matches import log, selectors
from matches.actors import Actor
from matches.errors import BadInput, Impossible, NotAllowed
from matches.models import Match
from matches.services import SeatRequest
from tests import factories
from tests.api.client import Api, problem
from tests.characters.sheets import SHEET
from tests.characters.test_pages import count_queries
from tests.html import squeezed

pytestmark = pytest.mark.django_db


def gear(character: Character) -> list[GearItem]:
    return [item for item in ledger.items_of(character) if item.kind == "piece"]


def serials(character: Character) -> list[str]:
    return [item.serial for item in gear(character)]


def ulster(owner: Actor, character: Character) -> None:
    found = Recording("found", line="Basic Green Ulster")
    services.record(by=owner, character=character, act_id=uuid4(), what=found)


def printed(owner: Actor, item: GearItem, **face: Any) -> Card:
    """Give an item a card of the catalogue."""
    slot = "Footgear" if item.slot == "Feet" else item.slot
    card = cards.add(
        by=owner, game="zg", data={"name": f"Card of {item.serial}", "slot": slot, **face}
    )
    services.print_as(by=owner, item=item, card=card)
    return card


def made(owner: Actor, character: Character, **details: Any) -> Loadout:
    details.setdefault("items", serials(character))
    return services.make_loadout(by=owner, character=character, name="Duel", **details)


def codes(loadout: Loadout) -> dict[str, str]:
    return {flaw.code: flaw.clause for flaw in loadouts.evaluate(loadout).problems}


def test_a_loadout_names_every_problem_by_its_clause(owner: Actor, oriel: Character) -> None:
    loadout = made(owner, oriel)
    assert codes(loadout) == {"no-ulster": "ZG SET-3", "cost-unknown": "ZG CRE-2"}
    told = loadouts.evaluate(loadout)
    assert (told.cost, told.unknown, told.most) == (0, 8, 600)
    for item in gear(oriel):
        printed(owner, item, cost=140)
    ulster(owner, oriel)
    services.change_loadout(by=owner, loadout=loadout, items=serials(oriel), with_modes=False)
    assert codes(loadout) == {
        "too-costly": "ZG CRE-3",
        "cost-unknown": "ZG CRE-2",
        "no-mode-deck": "ZG CRE-3",
    }
    assert loadouts.evaluate(loadout).cost == 700
    services.change_loadout(by=owner, loadout=loadout, game_class="open")
    assert codes(loadout) == {}


def test_only_gear_in_hand_is_picked(owner: Actor, oriel: Character) -> None:
    other = factories.actor()
    theirs = services.paste(by=other, text="Character: Ben\nBasic Red Helmet (found, a yard)")
    with pytest.raises(Impossible, match="not in those hands"):
        made(owner, oriel, items=serials(theirs))
    [lode] = [item for item in ledger.items_of(oriel) if item.kind == "lode"]
    with pytest.raises(Impossible, match="no zGear"):
        made(owner, oriel, items=[lode.serial])
    with pytest.raises(BadInput):
        made(owner, oriel, game_class="heavy")
    with pytest.raises(BadInput):
        made(owner, oriel, game="score")
    assert not Loadout.objects.exists()


def test_who_has_given_a_character_away_removes_no_loadout_of_it(
    owner: Actor, oriel: Character
) -> None:
    loadout, heir = made(owner, oriel), factories.actor()
    seen = Loadout.objects.select_related("character").get()
    moving.accept(by=heir, move=moving.offer_to(by=owner, character=oriel, to=heir.player))
    with pytest.raises(NotAllowed):
        loadouts.remove(by=owner, loadout=seen)
    loadouts.remove(by=heir, loadout=loadout)
    assert not Loadout.objects.exists()


def test_a_character_has_so_many_loadouts_and_no_more(owner: Actor, oriel: Character) -> None:
    named = (Loadout(character=oriel, name=f"No. {number}") for number in range(49))
    Loadout.objects.bulk_create(named)
    sent = {"character": str(oriel.pk), "name": "Duel", "items": []}
    assert Api(owner).post("loadouts/", sent).status_code == 201
    problem(Api(owner).post("loadouts/", sent), 422, "too-many-loadouts")


def test_what_goes_is_named_and_is_not_fielded(owner: Actor, oriel: Character) -> None:
    loadout, first = made(owner, oriel), gear(oriel)[0]
    gone = Recording("gift", items=[first.serial], out=True)
    services.record(by=owner, character=oriel, act_id=uuid4(), what=gone)
    [flaw] = [one for one in loadouts.evaluate(loadout).problems if one.code == "not-held"]
    assert flaw.item == first.serial
    with pytest.raises(Impossible, match="no longer in"):
        fielded(owner, loadout)
    assert not Match.objects.exists()
    before = loadout.changed_at
    services.change_loadout(by=owner, loadout=loadout, items=serials(oriel))
    assert Loadout.objects.get().changed_at > before
    fielded(owner, loadout)


def fielded(by: Actor, *chosen: Loadout, **table: Any) -> Match:
    places = [FieldedPlace(loadout=loadout.pk) for loadout in chosen]
    while len(places) < 2:
        places.append(FieldedPlace(SeatRequest(name="Ezut")))
    match = services.open_match(by=by, ruleset="zg", seats=places, **table)
    return selectors.match_for(by, match.code)


def test_a_match_keeps_the_gear_as_it_was(owner: Actor, oriel: Character) -> None:
    printed_on = printed(owner, gear(oriel)[0], cost=30, a="R+ G B")
    loadout = made(owner, oriel)
    match = fielded(owner, loadout)
    then = log.load(match.log).setup
    appearance = Appearance.objects.get()
    assert then.seats[0].ref == str(appearance.pk)
    assert match.seats.get(number=1).player == owner.player
    names = dict(appearance.fielded.values_list("card", "item__serial"))
    assert set(names) == set(log.load(match.log).head.state.gear[0])
    assert set(names.values()) == set(serials(oriel))
    text = cards.table("zg", [printed_on]).replace(",30,", ",31,")
    assert importing.take_in(by=owner, game="zg", text=text, update=True, dry_run=False).kept
    costs = {card.get("cost") for card in loadouts.evaluate(loadout).deck["cards"]}
    assert 31 in costs and 30 not in costs, "a card that a file changed is the one in its decks"
    services.change_loadout(by=owner, loadout=loadout, items=serials(oriel)[:3])
    services.remove_loadout(by=owner, loadout=loadout)
    appearance.refresh_from_db()
    assert (appearance.loadout, appearance.fielded.count()) == (None, 5)
    again = log.load(Match.objects.get().log).setup
    assert again == then and {card.cost for card in again.seats[0].deck.cards} >= {30}
    assert len(again.seats[0].deck.cards) == 5


def test_a_card_that_is_shared_no_longer_is_played_as_a_blank(
    owner: Actor, oriel: Character
) -> None:
    designer, piece = factories.actor(), gear(oriel)[0]
    face = {"name": "Grip", "slot": "Helmet", "a": "R+ G B"}
    card = cards.add(by=designer, game="zg", data=face, shared=True)
    services.print_as(by=owner, item=piece, card=card)
    loadout = made(owner, oriel, items=[piece.serial])
    assert loadouts.evaluate(loadout).deck["cards"][0]["a"] == "R+ G B"
    cards.change(by=designer, card=card, shared=False)
    assert "a" not in loadouts.evaluate(loadout).deck["cards"][0]


def test_the_log_has_no_word_of_the_sheet(owner: Actor) -> None:
    text = SHEET.replace("Ambition", "Ilse") + "\nBasic Green Ilse's Wreck (found, Ilse's yard)"
    text = text.replace("Secondary Design Card: Expert Digger", "Secondary Design Card: Dear Ilse")
    ilse = services.paste(by=owner, text=text)
    match = fielded(owner, made(owner, ilse))
    bodies = "".join(match.log.events.values_list("body", flat=True))
    assert "Secondary design" in bodies
    for word in ("Ilse", "Oriel", "Duel", "Tamsin", str(ilse.pk), *serials(ilse)):
        assert word not in bodies


def test_the_same_request_fields_it_once_with_the_gear_of_the_first(
    owner: Actor, oriel: Character
) -> None:
    loadout, act_id = made(owner, oriel), uuid4()
    first = fielded(owner, loadout, act_id=act_id)
    printed(owner, gear(oriel)[0], cost=30, a="R+ G B")
    gone = Recording("gift", items=[serials(oriel)[-1]], out=True)
    services.record(by=owner, character=oriel, act_id=uuid4(), what=gone)
    assert fielded(owner, loadout, act_id=act_id) == first
    assert (Match.objects.count(), Appearance.objects.count()) == (1, 1)


def test_others_field_what_is_shared_with_gear_they_see(owner: Actor, oriel: Character) -> None:
    loadout, other = made(owner, oriel), factories.actor()
    with pytest.raises(BadInput, match="no such loadout"):
        fielded(other, loadout)
    services.change_loadout(by=owner, loadout=loadout, shared=True)
    match = fielded(other, loadout)
    assert match.seats.get(number=1).player == owner.player
    services.edit_section(by=owner, character=oriel, kind="gear", audience="owner", named=[])
    with pytest.raises(BadInput, match="no such loadout"):
        fielded(other, loadout)
    assert Api(other).get("loadouts/", character=str(oriel.pk)).json()["results"] == []


def test_a_character_sits_once_and_a_seat_has_one_deck(owner: Actor, oriel: Character) -> None:
    loadout = made(owner, oriel)
    with pytest.raises(Impossible, match="one seat"):
        fielded(owner, loadout, made(owner, oriel))
    both = [FieldedPlace(SeatRequest(deck={"cards": []}), loadout.pk), FieldedPlace()]
    with pytest.raises(BadInput, match="not both"):
        services.open_match(by=owner, ruleset="zg", seats=both)
    with pytest.raises(BadInput, match="another game"):
        services.open_match(
            by=owner, ruleset="score", seats=[FieldedPlace(loadout=loadout.pk), FieldedPlace()]
        )
    assert not Match.objects.exists()


def test_the_api_makes_changes_and_fields(owner: Actor, oriel: Character) -> None:
    api = Api(owner)
    sent = {"character": str(oriel.pk), "name": "Duel", "items": serials(oriel), "class": "open"}
    told = api.post("loadouts/", sent).json()
    assert [flaw["code"] for flaw in told["problems"]] == ["no-ulster"]
    assert (told["cost"], told["cost_unknown"], told["most"]) == (0, 8, None)
    assert api.post("games/zg/check-deck/", {"deck": told["deck"]}).json()["problems"][0][
        "code"
    ] == ("no-ulster")
    seats = [{"loadout": told["id"]}, {"name": "Ezut"}]
    answer = api.post("matches/", {"ruleset": "zg", "seats": seats})
    assert answer.status_code == 201
    assert answer.json()["seats"][0]["player"] == str(owner.player_id)
    problem(
        api.post("matches/", {"ruleset": "zg", "seats": [{"loadout": str(uuid4())}, {}]}),
        400,
        "no-such-loadout",
    )
    problem(Api().post("matches/", {"ruleset": "zg", "seats": seats}), 401, "not-authenticated")
    assert api.patch(f"loadouts/{told['id']}/", {"removed": True}).status_code == 204
    assert not Loadout.objects.exists()


def test_a_piece_is_a_card_its_owner_can_see(owner: Actor, oriel: Character) -> None:
    item, other = gear(oriel)[0], factories.actor()
    hidden = cards.add(by=other, game="zg", data={"name": "Grip", "slot": "Claw"})
    path = f"gear/{item.serial}/"
    problem(Api(owner).patch(path, {"card": str(hidden.pk)}), 400, "no-such-card")
    mine = printed(owner, item)
    assert Api(owner).get(path).json()["card"] == str(mine.pk)
    assert Api(other).get(path).json()["card"] is None
    problem(Api(other).patch(path, {"card": None}), 403, "not-allowed")
    assert Api(owner).patch(path, {"card": None}).json()["card"] is None
    [lode] = [each for each in ledger.items_of(oriel) if each.kind == "lode"]
    problem(Api(owner).patch(f"gear/{lode.serial}/", {"card": str(mine.pk)}), 422, "no-gear")


# -- pages ------------------------------------------------------------------------------------


@pytest.fixture
def member(client: Client, owner: Actor) -> Client:
    client.force_login(owner.user)
    return client


def test_gear_is_ticked_checked_and_kept_on_a_page(member: Client, oriel: Character) -> None:
    url = f"{oriel.get_absolute_url()}loadouts/new/"
    assert all(serial in member.get(url).content.decode() for serial in serials(oriel))
    said = {"name": "Duel", "game_class": "standard", "items": serials(oriel), "with_modes": "on"}
    checked = member.post(url, {**said, "check": "1"}).content.decode()
    assert "The deck has no Ulster." in checked
    assert not Loadout.objects.exists()
    nameless = {**said, "name": "", "check": "1"}
    part = member.post(url, nameless, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert "The deck has no Ulster." in part
    member.post(url, said)
    loadout = Loadout.objects.get()
    assert (loadout.items.count(), loadout.with_modes, loadout.shared) == (5, True, False)
    page = squeezed(member.get(f"{oriel.get_absolute_url()}loadouts/"))
    assert "2 problems" in page
    assert "5 pieces, 3 Mode cards; 8 without a known cost" in page
    member.post(f"/loadouts/{loadout.pk}/", {**said, "items": serials(oriel)[:2]})
    assert loadout.items.count() == 2
    member.post(f"/loadouts/{loadout.pk}/remove/")
    assert not Loadout.objects.exists()


def test_the_card_with_the_name_of_a_piece_is_chosen_at_first(
    member: Client, owner: Actor, oriel: Character
) -> None:
    item = next(each for each in gear(oriel) if each.slot == "Helmet")
    page = f"/items/{item.serial}/card/"
    for name, chosen in (("Another", False), (str(item), True)):
        card = cards.add(by=owner, game="zg", data={"name": name, "slot": item.slot})
        shown = squeezed(member.get(page))
        assert f'value="{card.pk}"' in shown
        assert (f'value="{card.pk}" selected' in shown) is chosen
    item.refresh_from_db()
    assert item.card is None


@pytest.mark.parametrize(("named", "here"), [("/me/", True), ("//elsewhere.example/", False)])
def test_a_card_is_set_on_the_way_from_a_loadout_and_back(
    member: Client, oriel: Character, named: str, here: bool
) -> None:
    item = gear(oriel)[0]
    page, own = f"/items/{item.serial}/card/", f"/items/{item.serial}/"
    address, back = f"{page}?next={named}", named if here else own
    assert f'href="{back}">Back' in squeezed(member.get(address))
    assert member.post(address, {"card": ""}).headers["Location"] == back


def test_what_is_ticked_stays_so_on_the_way_to_a_card_and_back(
    member: Client, owner: Actor, oriel: Character
) -> None:
    kept = services.make_loadout(by=owner, character=oriel, name="Kept", items=serials(oriel)[3:])
    for picking in (f"{oriel.get_absolute_url()}loadouts/new/", f"/loadouts/{kept.pk}/"):
        ticked = serials(oriel)[:2]
        said = {"name": "Dü & el", "game_class": "standard", "items": ticked, "shared": "on"}
        there = member.post(picking, {**said, "card_of": ticked[0]}).headers["Location"]
        assert there.startswith(f"/items/{ticked[0]}/card/?next=")
        back = member.post(there, {"card": ""}).headers["Location"]
        form = member.get(back).context["form"]
        rows = [row for _, rows in form.groups() for row in rows if row["ticked"]]
        assert {row["item"].serial for row in rows} == set(ticked)
        names = ("name", "game_class", "items", "shared", "with_modes")
        assert {name: form[name].value() for name in names} == {
            **said,
            "shared": True,
            "with_modes": False,
        }
    assert kept.items.count() == 2
    assert list(Loadout.objects.all()) == [kept]


def test_more_than_a_loadout_holds_do_not_go_along_to_a_card(
    member: Client, owner: Actor, oriel: Character
) -> None:
    many = Recording("found", line="50x Basic Green Ulster")
    services.record(by=owner, character=oriel, act_id=uuid4(), what=many)
    said = {"name": "All", "game_class": "standard", "items": serials(oriel)}
    picking = f"{oriel.get_absolute_url()}loadouts/new/"
    page = member.post(picking, {**said, "card_of": said["items"][0]})
    assert page.status_code == 400
    assert "At most 50 pieces." in squeezed(page)


def test_others_find_neither_page_nor_loadout(owner: Actor, oriel: Character) -> None:
    loadout, stranger = made(owner, oriel), Client()
    assert stranger.get(f"/loadouts/{loadout.pk}/").status_code == 404
    assert "Duel" not in stranger.get(f"{oriel.get_absolute_url()}loadouts/").content.decode()
    services.change_loadout(by=owner, loadout=loadout, shared=True)
    assert stranger.get(f"/loadouts/{loadout.pk}/").status_code == 200
    said = {"name": "Mine", "game_class": "open"}
    stranger.force_login(factories.user())
    assert stranger.post(f"/loadouts/{loadout.pk}/", said).status_code == 403
    assert stranger.post(f"/loadouts/{loadout.pk}/remove/").status_code == 403


def test_the_new_match_page_fields_a_loadout(
    member: Client, owner: Actor, oriel: Character
) -> None:
    loadout = made(owner, oriel)
    url = "/matches/new/?game=zg&seats=2"
    page = member.get(f"{url}&loadout={loadout.pk}").content.decode()
    assert f'value="loadout:{loadout.pk}" selected' in page
    other = factories.actor()
    theirs = services.paste(by=other, text=SHEET)
    shared = made(other, theirs, shared=True)
    said = {
        "act_id": str(uuid4()),
        "physical": "yes",
        "visibility": "public",
        "seat1-who": str(owner.player_id),
        "seat1-deck": f"loadout:{loadout.pk}",
        "seat2-who": "guest",
        "seat2-deck": f"loadout:{shared.pk}",
    }
    answer = member.post(url, said)
    assert answer.status_code == 302
    match = Match.objects.get()
    assert [seat.player for seat in match.seats.all()] == [owner.player, other.player]
    assert Appearance.objects.count() == 2
    private = made(other, theirs)
    refused = member.post(url, {**said, "seat2-deck": f"loadout:{private.pk}"})
    assert refused.status_code == 400
    bot = member.post(url, {**said, "act_id": str(uuid4()), "seat2-who": "bot"})
    assert "A bot brings no character" in bot.content.decode()
    assert Match.objects.count() == 1


def test_the_new_match_page_keeps_its_query_count(member: Client, owner: Actor) -> None:
    url, other = "/matches/new/?game=zg&seats=2", factories.actor()
    offered, counts = [], []
    for _ in range(3):
        theirs = services.paste(by=other, text="Character: Ben\nBasic Red Helmet (found, a yard)")
        offered += [
            made(other, theirs, shared=True),
            made(owner, services.create(by=owner, name="Me")),
        ]
        counts.append(count_queries(member, url))
    assert set(loadouts.fieldable(owner, "zg")) == set(offered)
    assert counts[0] == counts[1] == counts[2]


def test_a_list_of_loadouts_asks_as_much_for_many_as_for_one(
    member: Client, owner: Actor, oriel: Character
) -> None:
    printed(owner, gear(oriel)[0])
    paths = (f"{oriel.get_absolute_url()}loadouts/", f"/api/v1/loadouts/?character={oriel.pk}")
    readers, counts = (member, Client()), []
    for items in (serials(oriel)[:1], serials(oriel), serials(oriel)[1:]):
        made(owner, oriel, items=items, shared=True)
        counts.append([count_queries(each, path) for path in paths for each in readers])
    assert counts[0] == counts[1] == counts[2]
    [told, *_] = Api(owner).get("loadouts/", character=str(oriel.pk)).json()["results"]
    read = Api(owner).get(f"loadouts/{told['id']}/")
    assert read.json() == told


def test_officials_field_what_they_may_see(owner: Actor, oriel: Character) -> None:
    official = factories.actor()
    oriel.campaign = Campaign.objects.create(name="Belt", owner=official.player)
    oriel.save()
    loadout = made(owner, oriel)
    assert loadouts.fieldable(official, "zg") == [loadout]
    services.edit_section(by=owner, character=oriel, kind="gear", audience="owner", named=[])
    assert loadouts.fieldable(official, "zg") == []
    assert loadouts.fieldable(owner, "zg") == [loadout]


def test_a_traded_piece_is_fielded_by_who_has_it_now(owner: Actor, oriel: Character) -> None:
    other = factories.actor()
    theirs = services.paste(by=other, text="Character: Ben")
    loadout = made(owner, oriel)
    helmet = serials(oriel)[0]
    trade = services.offer(by=owner, character=oriel, to=theirs, what=TradeOffer(gives=[helmet]))
    services.accept(by=other, trade=trade)
    assert "not-held" in codes(loadout)
    assert codes(made(other, theirs, items=[helmet])).get("not-held") is None

    kept = serials(oriel)[0]
    api, mine = Api(owner), {"character": str(oriel.pk)}
    for path, said, where in (
        ("loadouts/", {"name": "Duel", "items": [kept, helmet]}, "$.items[1]"),
        ("trades/", {"to": str(theirs.pk), "gives": [kept, helmet]}, "$.gives[1]"),
        ("trades/", {"to": str(theirs.pk), "wants": [kept]}, "$.wants[0]"),
        ("ledger/", {"method": "lent", "items": [kept, helmet], "out": True}, "$.items[1]"),
        ("ledger/", {"method": "repaired", "items": [kept, helmet], "price": 1}, "$.items[1]"),
        ("ledger/", {"method": "found", "items": [helmet]}, "$.items[0]"),
    ):
        sent = mine | said | ({"id": str(uuid4())} if path == "ledger/" else {})
        [error] = problem(api.post(path, sent), 422, "not-held")["errors"]
        assert error["where"] == where
    seats = [{"label": "Left"}, {"label": "Right", "loadout": str(loadout.pk)}]
    opened = api.post("matches/", {"ruleset": "zg", "seats": seats})
    [error] = problem(opened, 422, "not-held")["errors"]
    assert error["where"] == "$.seats[1].loadout"
