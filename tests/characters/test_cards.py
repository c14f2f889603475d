"""The catalogue: cards as their game defines them, own and shared ones, import and export."""

import csv
import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission, User
from django.db import DatabaseError
from django.test import Client

import rules
from characters import cards, importing, selectors
from characters.models import Card, CardSet
from matches import actors, decks
from matches.actors import NOBODY, Actor
from matches.errors import BadInput, Conflict, NotAllowed
from matches.models import Player
from tests import factories
from tests.api.client import Api, problem
from tests.html import squeezed, text_of

pytestmark = pytest.mark.django_db

CLAW = {
    "name": "Grip Claw",
    "slot": "Claw",
    "colour": "blue",
    "quality": "Basic",
    "cost": 40,
    "range": 0,
    "powerups": ["Z-G"],
    "a": "R+ G B",
    "b": "G# Bo R",
}


def add(owner: Actor, **fields: Any) -> Card:
    shared = fields.pop("shared", False)
    return cards.add(by=owner, game="zg", data={**CLAW, **fields}, shared=shared)


def take_in(**sent: Any) -> tuple[int, list[str]]:
    """Import a file; return how many cards it has, and the codes of its problems."""
    taken = importing.take_in(**{"game": "zg", "dry_run": False, **sent})
    assert taken.kept != bool(taken.problems)
    return taken.cards, [flaw.code for flaw in taken.problems]


def test_a_card_is_typed_once_and_is_ones_own_until_it_is_shared(owner: Actor) -> None:
    card = add(owner)
    assert (card.name, card.slot, card.cost, card.range) == ("Grip Claw", "Claw", 40, 0)
    assert card.ends == "R+ G B | G# Bo R"
    assert list(selectors.cards_for(owner)) == [card]
    assert not selectors.cards_for(NOBODY)
    cards.change(by=owner, card=card, shared=True)
    assert list(selectors.cards_for(NOBODY)) == [card]
    with pytest.raises(Conflict):
        add(owner)
    with pytest.raises(NotAllowed):
        cards.change(by=factories.actor(), card=card, shared=False)
    with pytest.raises(NotAllowed):
        add(NOBODY)


def test_a_face_that_changes_is_a_new_revision(owner: Actor) -> None:
    card = add(owner)
    assert cards.change(by=owner, card=card, data=CLAW).revision == 1
    changed = cards.change(by=owner, card=card, data={**CLAW, "cost": 45})
    assert (changed.revision, changed.cost) == (2, 45)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"a": "R+ G"}, "bad-end"),
        ({"b": "X G B"}, "bad-end"),
        ({"cost": "much"}, "wrong-type"),
        ({"cost": -1}, "out-of-range"),
        ({"sound": "loud"}, "unknown-field"),
        ({"name": ""}, "bad-length"),
        ({"slot": "Tail"}, "unknown-slot"),
        ({"colour": "blue\n=1+1"}, "not-a-line"),
        ({"powerups": ["Z-G", "go\u202eld"]}, "control-character"),
        ({"powerups": ["Z-G", "Up, up"]}, "comma"),
    ],
)
def test_a_face_the_game_does_not_take(owner: Actor, change: dict[str, Any], code: str) -> None:
    with pytest.raises(BadInput) as refused:
        add(owner, **change)
    assert refused.value.code == code
    assert not Card.objects.exists()


def test_cards_are_found_by_plain_filters(owner: Actor) -> None:
    add(owner, shared=True)
    add(owner, name="Tide Shield", slot="Shield", shared=True)
    found = [
        [card["card"]["name"] for card in Api().get("cards/", **query).json()["results"]]
        for query in ({}, {"slot": "shield"}, {"q": "grip", "colour": "Blue"}, {"game": "score"})
    ]
    assert found == [["Grip Claw", "Tide Shield"], ["Tide Shield"], ["Grip Claw"], []]


def test_the_filters_offer_what_the_cards_that_one_may_see_have(owner: Actor) -> None:
    add(owner)
    add(owner, name="Tide Shield", slot="Shield", colour="", shared=True)

    def offered(client: Client) -> dict[str, list[str]]:
        parts = client.get("/cards/").text.split('<datalist id="known-')[1:]
        lists = [part.partition("</datalist>")[0] for part in parts]
        return {each.partition('"')[0]: re.findall('option value="(.*?)"', each) for each in lists}

    assert offered(Client()) == {"slot": ["Shield"], "colour": [], "quality": ["Basic"]}
    assert offered(factories.client_of(owner)) == {
        "slot": ["Claw", "Shield"],
        "colour": ["blue"],
        "quality": ["Basic"],
    }


def test_the_pages_show_cards_to_those_who_may_see_them(owner: Actor) -> None:
    card = add(owner)
    mine, others = factories.client_of(owner), Client()
    for url in ("/cards/", f"/cards/{card.pk}/"):
        assert "Grip Claw" in mine.get(url).content.decode()
        assert "Grip Claw" not in others.get(url).content.decode()
    assert others.get(f"/cards/{card.pk}/").status_code == 404
    assert "Grip Claw" in mine.get("/cards/?slot=claw&colour=BLUE").content.decode()
    assert "No card matches" in mine.get("/cards/?slot=tail").content.decode()
    assert "No card yet." in others.get("/cards/").content.decode()
    assert mine.get("/cards/?slot=%00").status_code == 200


def test_an_import_changes_only_what_differs_as_the_page_does(owner: Actor) -> None:
    card = cards.add(by=owner, game="zg", data=CLAW, card_set="Tides")
    same = cards.add(by=owner, game="zg", data={**CLAW, "name": "Same"}, card_set="Tides")
    others = cards.add(by=factories.actor(), game="zg", data=CLAW, card_set="Tides", shared=True)
    before = cards.table("zg", selectors.cards_for(owner, None).filter(owner=owner.player))
    rows = before.replace(",40,", ",45,", 1).replace(",no", ",yes", 1).splitlines()
    text = "\r\n".join([*rows, "gRIP claw,Claw,red,,,,,,,,,,Reef,"]).replace(",", ";")
    sent: dict[str, Any] = {"game": "zg", "text": f"\ufeff{text}"}
    assert take_in(by=owner, **sent)[1] == ["card-exists"], "without being told, it changes none"
    told = Api(owner).post("cards/import/", {**sent, "update": True}).json()
    assert [(each["line"], each["outcome"]) for each in told["lines"]] == [
        (2, "changed"),
        (3, "unchanged"),
        (4, "new"),
    ]
    assert told["lines"][0]["changes"] == [
        {"field": "cost", "before": 40, "after": 45},
        {"field": "shared", "before": False, "after": True},
    ]
    zero = {"new": 0, "changed": 0, "unchanged": 0, "refused": 0}
    assert told["sets"] == [
        {"name": "Tides", "exists": True, **zero, "changed": 1, "unchanged": 1},
        {"name": "Reef", "exists": False, **zero, "new": 1},
    ]
    keep = {**sent, "update": True, "dry_run": False}
    cards.change(by=owner, card=card, data={**CLAW, "cost": 41})
    stale = Api(owner).post("cards/import/", {**keep, "tried": told["tried"]})
    problem(stale, 409, "changed-meanwhile")
    answers = [Api(owner).post("cards/import/", keep) for _ in range(2)]
    assert [each.status_code for each in answers] == [201, 200]
    assert [each.json()["kept"] for each in answers] == [True, True]
    changed, kept, theirs = (Card.objects.get(pk=each.pk) for each in (card, same, others))
    assert (changed.cost, changed.shared, changed.revision) == (45, True, 3)
    assert (kept.revision, kept.changed_at) == (1, same.changed_at)
    assert (theirs.cost, theirs.revision) == (40, 1)
    assert Card.objects.count() == 4


def _exported(who: Actor) -> list[dict[str, Any]]:
    """Return somebody's own cards as a file for editing has them."""
    found = cards.listed(selectors.cards_for(who, None).filter(owner=who.player).order_by("pk"))
    listed: list[dict[str, Any]] = found["cards"]
    return listed


def test_a_card_with_its_id_is_renamed_and_moved_by_a_file(owner: Actor) -> None:
    card, other = (
        cards.add(by=owner, game="zg", data={**CLAW, "name": name}, card_set="Tides", shared=True)
        for name in ("Grip Claw", "Other")
    )
    table = cards.table("zg", selectors.cards_for(owner, None)).replace("Grip Claw", "Hold Claw")
    sent = {"game": "zg", "update": True, "dry_run": False}
    for kept in (201, 200):
        assert Api(owner).post("cards/import/", {**sent, "text": table}).status_code == kept
    card.refresh_from_db()
    assert (card.name, card.revision, Card.objects.count()) == ("Hold Claw", 2, 2)

    first, second = _exported(owner)
    moved = {**first, "set": "Reef"}
    told = Api(owner).post("cards/import/", {**sent, "text": json.dumps([moved, second])}).json()
    assert told["lines"][0]["changes"] == [{"field": "set", "before": "Tides", "after": "Reef"}]
    card.refresh_from_db()
    assert (card.card_set.name, card.card_set.owner, card.revision) == ("Reef", owner.player, 2)
    no_set = {name: value for name, value in moved.items() if name != "set"}
    found = importing.take_in(by=owner, game="zg", text=json.dumps([no_set]), update=True)
    assert [line.outcome for line in found.lines] == ["unchanged"], "it stays in its set"

    stranger = factories.actor()
    text = json.dumps([moved, second])
    assert Api(stranger).post("cards/import/", {**sent, "text": text}).status_code == 201
    assert Card.objects.filter(owner=stranger.player).count() == 2, "copies: the ids are another's"
    other.refresh_from_db()
    assert (other.owner, other.revision) == (owner.player, 1)


def test_a_file_does_not_mean_one_card_twice_nor_two_by_one_name(owner: Actor) -> None:
    for name in ("Grip", "Other"):
        cards.add(by=owner, game="zg", data={**CLAW, "name": name})
    grip, other = _exported(owner)
    plain = {name: value for name, value in grip.items() if name != "id"}
    for rows, code in (
        ([{**grip, "name": "Other"}], "card-exists"),
        ([{**grip, "name": "Hold"}, {**grip, "name": "Keep"}], "card-exists"),
        ([{**grip, "name": "Hold"}, plain], "card-exists"),
        ([{**grip, "name": "Hold"}, {**other, "name": "Hold"}], "card-exists"),
        ([{**grip, "id": "12"}], "unknown-value"),
        ([{**grip, "id": 12}], "unknown-value"),
    ):
        sent = {"game": "zg", "text": json.dumps(rows), "update": True, "dry_run": False}
        answer = Api(owner).post("cards/import/", sent)
        told = [each["code"] for each in answer.json()["problems"]]
        assert (told, answer.status_code) == ([code], 200), rows
    assert sorted(Card.objects.values_list("name", flat=True)) == ["Grip", "Other"]


def test_who_keeps_the_sites_sets_changes_their_cards_by_a_file(owner: Actor) -> None:
    site = CardSet.objects.create(game="zg", name="Basics")
    face = json.dumps(CLAW)
    card = Card.objects.create(game="zg", card_set=site, name="Grip Claw", face=face, shared=True)
    staff = Actor(User.objects.create_superuser("staff"), factories.actor().player)
    [row] = cards.listed([card])["cards"]
    sent = {"game": "zg", "update": True, "dry_run": False}
    named = {**sent, "text": json.dumps([{**row, "name": "Hold Claw"}])}

    importing.take_in(by=staff, **named)
    card.refresh_from_db()
    assert (card.name, card.owner, card.card_set) == ("Hold Claw", None, site)
    away = importing.take_in(by=staff, **{**sent, "text": json.dumps([{**row, "set": "Mine"}])})
    assert [flaw.code for flaw in away.problems] == ["site-set"]
    importing.take_in(by=owner, **{**sent, "text": json.dumps([row])})
    copy = Card.objects.get(owner=owner.player)
    assert (copy.name, copy.card_set.name) == ("Grip Claw", "Basics")
    card.refresh_from_db()
    assert card.name == "Hold Claw", "others get a card of their own"


def test_who_keeps_sets_but_no_cards_changes_no_card_of_the_site(owner: Actor) -> None:
    tides = CardSet.objects.create(game="zg", name="Tides")
    card = add(owner)
    Card.objects.filter(pk=card.pk).update(owner=None, card_set=tides)
    table = cards.table("zg", [Card.objects.get()])
    assert ",40," in table
    keeps = Permission.objects.get(codename="change_cardset")
    owner.user.user_permissions.add(keeps)
    keeper = actors.actor_for(User.objects.get(pk=owner.user.pk))
    assert take_in(by=keeper, text=table, update=True) == (1, [])
    dearer = table.replace(",40,", ",45,")
    assert take_in(by=keeper, text=dearer, update=True) == (1, ["not-allowed"])
    assert Card.objects.get().cost == 40


def test_a_file_without_cards_is_refused(owner: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "MAX_CARDS", 2)
    rows = "name | slot\nA | Claw\nB | Claw"
    for text, found in (
        (rows, (2, [])),
        ("name | slot", (0, ["no-cards"])),
        (f"{rows}\nC | Claw", (0, ["no-cards"])),
    ):
        assert take_in(by=owner, text=text) == found


def test_a_card_added_beside_an_import_is_told_of(
    owner: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = importing._what_is_there

    def add_beside(file: Any, *, lock: bool) -> Any:
        found = looked(file, lock=lock)
        add(owner)
        return found

    monkeypatch.setattr(importing, "_what_is_there", add_beside)
    sent = {"game": "zg", "text": json.dumps([CLAW]), "dry_run": False}
    problem(Api(owner).post("cards/import/", sent), 409, "changed-meanwhile")


@pytest.mark.parametrize(
    ("file", "outcome"),
    [
        ("name,slot\nGrip Claw,Claw", "new, like blue Grip Claw"),
        ("name,slot,colour\ngrip claw,Claw,blue", "new, like blue Grip Claw"),
        ("name,slot,colour\nGrip Claw,Claw,blue", "refused missing-column"),
        ('[{"name": "Grip Claw", "slot": "Claw", "colour": "blue"}]', "changed"),
        ("name,slot,colour,shared\nGrip,Claw,,TRUE", "new and shared"),
        ("name,slot,colour,shared\nGrip,Claw,,maybe", "refused unknown-value"),
        ("name;slot;cost;;\r\nGrip;Claw;4;;\r\n;;;;\r\n", "new"),
        ("name;slot;cost;;\r\nGrip;Claw;4,5;;\r\n", "refused not-a-number"),
        ("name;slot;cost;;\r\nGrip;Claw;4;;5\r\n", "refused too-many-cells"),
    ],
)
def test_what_a_line_of_a_file_would_do(owner: Actor, file: str, outcome: str) -> None:
    cards.add(by=owner, game="zg", data=CLAW)
    taken = importing.take_in(by=owner, game="zg", text=file, update=True)
    [line] = taken.lines
    found = [line.outcome, *dict.fromkeys(flaw.code for flaw in taken.problems)]
    like, shared = f", like {line.like}" * bool(line.like), " and shared" * line.shared
    assert " ".join(found) + like + shared == outcome
    assert {flaw.line for flaw in taken.problems} <= {2}


def test_a_large_file_takes_a_bounded_number_of_statements(
    owner: Actor, django_assert_max_num_queries: Any
) -> None:
    rows = [f"Claw {number},Claw,{{}},Set {number % 50}" for number in range(300)]
    for cost in (1, 2):
        text = "\n".join(["name,slot,cost,set", *rows]).replace("{}", str(cost))
        with django_assert_max_num_queries(16):
            assert take_in(by=owner, text=text, update=True) == (300, [])
    assert {*Card.objects.values_list("cost", "revision")} == {(2, 2)}


def test_a_dry_run_lists_every_problem_and_keeps_nothing(owner: Actor) -> None:
    add(owner, name="Old", colour="red")
    rows = ["Old | Claw | red |", "New | Claw | red | R G", "New | Claw | red | R G B"]
    rows += ["Two | Claw | red | R G B", "Two | Claw | red | Q G B"]
    text = "\n".join(["name | slot | colour | a", *rows])
    sent = {"game": "zg", "text": text}
    told = Api(owner).post("cards/import/", {**sent, "dry_run": False}).json()
    assert (told["cards"], told["kept"]) == (5, False)
    assert [(each["card"], each["code"]) for each in told["problems"]] == [
        (1, "card-exists"),
        (2, "bad-end"),
        (5, "bad-end"),
    ]
    assert Card.objects.count() == 1
    long = Api(owner).post("cards/import/", {**sent, "text": text + "\n" * 70_000})
    assert long.json()["cards"] == 5, "a file may be larger than other requests"
    table = Api(owner).post("cards/import/", {**sent, "text": "name | sound\nA | loud"}).json()
    deck = Api(owner).post("cards/import/", {"game": "zx", "text": "4 Stoker Apprentice"}).json()
    for told in (table, deck):
        assert [each["code"] for each in told["problems"]] == ["unknown-column"]


def test_a_page_says_what_a_card_lacks_and_what_is_wrong_with_a_file(owner: Actor) -> None:
    client = factories.signed_in(owner.user)
    form = client.post("/cards/new/", {"name": "Grip"}).context["form"]
    assert list(form.errors) == ["slot"] and form.fields["slot"].required
    form = client.post("/cards/new/", {"name": "Grip", "slot": "Tail"}).context["form"]
    assert "There are Helmet, Frontgear," in form.errors["slot"][0]
    page = client.post("/cards/import/", {"text": "{broken"}).content.decode()
    assert "This is not JSON" in page and ">$<" not in page
    client.cookies["django_language"] = "de"
    page = client.post("/cards/import/", {"text": "name | sound"}).content.decode()
    assert "<strong>Zeile 1</strong>" in page and "line 1" not in page


def test_names_in_a_file_are_bare_at_their_ends(owner: Actor) -> None:
    for number, text in enumerate(("name | slot | colour | a\n{} | Claw | red | R G B", None)):
        name = f"\u200bClaw {number}\ufeff"
        sent = text.format(name) if text else json.dumps([CLAW | {"name": name}])
        assert take_in(by=owner, text=sent) == (1, [])
    assert sorted(Card.objects.values_list("name", flat=True)) == ["Claw 0", "Claw 1"]


def test_what_goes_out_comes_in_again(owner: Actor) -> None:
    table = cards.table(
        "zg", [add(owner, shared=True), add(owner, name="Tide Shield", powerups=["A", "B"])]
    )
    other = factories.actor()
    assert take_in(by=other, text=table) == (2, [])
    mine, theirs = (
        sorted(Card.objects.filter(owner=who.player).values_list("face", "shared"))
        for who in (owner, other)
    )
    assert mine == theirs


def test_sets_go_out_together_and_come_in_apart(owner: Actor) -> None:
    for card_set in ("Tides", "=Lab"):
        cards.add(by=owner, game="zg", data=CLAW, card_set=card_set)
    found = selectors.cards_for(owner)
    for text in (cards.table("zg", found), json.dumps(cards.listed(found))):
        other = factories.actor()
        assert take_in(by=other, text=text) == (2, [])
        assert {each.card_set.name for each in selectors.cards_for(other)} == {"Tides", "=Lab"}
        assert take_in(by=other, text=text) == (2, []), "taken in again, it changes nothing"
        twice = text.replace("'=Lab", "Tides").replace("=Lab", "Tides")
        assert take_in(by=other, text=twice) == (2, []), "nor does a line that stands there twice"
        shared = twice.replace(",no", ",yes", 1).replace("false", "true", 1)
        assert take_in(by=other, text=shared, update=True) == (2, ["card-exists"])
        assert decks.read(rules.get("zg"), text) == {"cards": [CLAW, CLAW]}
    rows = ["A | Claw | Tides", "A | Claw |", "B | Claw |", f"C | Claw | {'s' * 81}"]
    text = "\n".join(["name | slot | set", *rows])
    assert take_in(by=owner, text=text)[1] == ["bad-length"]
    for wrong in ({}, [], 0, False):
        listed = json.dumps([{**CLAW, "set": wrong}])
        assert take_in(by=owner, text=listed)[1] == ["wrong-type"]
    text = text.rpartition("\n")[0]
    assert take_in(by=owner, text=text, card_set="New") == (3, [])
    kept = Card.objects.filter(owner=owner.player).values_list("name", "card_set__name")
    assert {*kept} >= {("A", "Tides"), ("A", "New"), ("B", "New")}


def test_a_set_is_renamed_shared_and_taken_out_as_a_whole(owner: Actor) -> None:
    cards.add(by=owner, game="zg", data=CLAW, card_set="Tidse", shared=True)
    cards.add(by=owner, game="zg", data={**CLAW, "name": "Draft"}, card_set="Tidse")
    beside = cards.add(by=owner, game="zg", data=CLAW, card_set="Lab")
    [lab, tides] = Api(owner).get("cards/sets/").json()["results"]
    assert (tides["name"], tides["cards"], lab["cards"]) == ("Tidse", 2, 1)
    [seen] = Api().get("cards/sets/").json()["results"]
    assert (seen["id"], seen["cards"]) == (tides["id"], 1), "a visitor sees what is shared"
    url, page = f"cards/sets/{tides['id']}/", f"/cards/sets/{tides['id']}/"
    others, mine = Client(), factories.client_of(owner)
    seen_by_all = text_of(others.get(page))
    assert "Take it out" not in seen_by_all
    assert CLAW["name"] in seen_by_all and "Draft" not in seen_by_all
    assert others.post(page, {"do": "unshare"}).status_code == 403
    assert others.get(f"/cards/sets/{lab['id']}/").status_code == 404
    problem(Api(factories.actor()).patch(url, {"name": "Mine"}), 403, "not-allowed")
    problem(Api(owner).patch(url, {"name": "Lab"}), 409, "set-exists")
    problem(Api(owner).patch(url, {"name": " "}), 400, "bad-length")
    refused = mine.post(page, {"name": "Lab"})
    assert "There is a set Lab already." in text_of(refused)
    assert "<h1>Tidse</h1>" in squeezed(refused)
    assert mine.post(page, {"name": "Tides", "about": "For the reef."}).status_code == 302
    told = text_of(mine.get(page))
    assert "Tides" in told and "For the reef." in told and "2 cards, 1 of them shared" in told
    assert "For the reef." in text_of(others.get(page))
    in_it = mine.get(f"/cards/?{mine.get(page).context['query']}")
    assert in_it.context["page"].paginator.count == 2
    Api(factories.cast(["site"])["site"]).patch(url, {"shared": True})
    assert selectors.cards_for(NOBODY).count() == 1, "nobody shares cards that they do not see"
    mine.post(page, {"do": "share"})
    assert selectors.cards_for(NOBODY).count() == 2
    assert Api(owner).patch(url, {"shared": False}).json()["about"] == "For the reef."
    assert not selectors.cards_for(NOBODY)
    moved = Api(owner).patch(f"cards/{beside.pk}/", {"set": "Tides"})
    problem(moved, 409, "card-exists")
    assert Api(owner).patch(f"cards/{beside.pk}/", {"set": "Attic"}).json()["set"] == "Attic"
    assert "Your sets Attic 1 card Lab 0 cards Tides 2 cards" in text_of(mine.get("/cards/"))
    assert Api(owner).patch(url, {"removed": True}).status_code == 204
    assert [card.pk for card in Card.objects.all()] == [beside.pk]
    mine.post(f"/cards/sets/{lab['id']}/", {"do": "remove"})
    assert [each["name"] for each in Api(owner).get("cards/sets/").json()["results"]] == ["Attic"]
    attic = beside.card_set
    cards.remove_set(by=owner, card_set=CardSet.objects.get())
    with pytest.raises(DatabaseError):
        cards.change_set(by=owner, card_set=attic, name="Loft")
    assert not CardSet.objects.exists(), "what was removed meanwhile does not come back"


@pytest.mark.parametrize("name", ["Tides", 'The "Big" Lab'])
def test_a_set_is_linked_to_its_own_cards(owner: Actor, name: str) -> None:
    Player.objects.filter(pk=owner.player_id).update(name='Ada "Ace" Lee')
    for number, card_set in enumerate((name, "Tides 2", "Reef")):
        data = {**CLAW, "name": f"Claw {number}"}
        cards.add(by=owner, game="zg", data=data, card_set=card_set, shared=True)
    card = Card.objects.get(card_set__name=name)
    client = Client()
    query = client.get(f"/cards/sets/{card.card_set_id}/").context["query"]
    assert [*client.get(f"/cards/?{query}").context["page"]] == [card]


@pytest.mark.parametrize(
    "text", ["=1+1", "'=1", "''+1", " @now", " -2", "'", '"', "a;b|c", "ab\u2003"]
)
def test_whatever_stands_on_a_card_comes_in_again(owner: Actor, text: str) -> None:
    card = add(owner, colour=text, powerups=[text])
    table = cards.table("zg", [card])
    for cell in ("colour", "powerups"):
        assert not next(csv.DictReader(table.splitlines()))[cell].startswith(("=", "+", "-", "@"))
    other = factories.actor()
    assert take_in(by=other, text=table) == (1, [])
    assert {each.face for each in Card.objects.all()} == {card.face}


def test_no_table_program_takes_the_name_of_a_card_for_a_formula(owner: Actor) -> None:
    name = '=HYPERLINK("https://example.org/","Feet")'
    table = cards.table("zg", [add(owner, name=name)])
    assert table.splitlines()[1].startswith("\"'=HYPERLINK")
    other = factories.actor()
    take_in(by=other, text=table)
    assert [card.name for card in Card.objects.filter(owner=other.player)] == [name]


def test_the_site_corrects_any_card_and_others_do_not(owner: Actor) -> None:
    card = add(owner, shared=True)
    url = f"cards/{card.pk}/"
    problem(Api(factories.actor()).patch(url, {"shared": False}), 403, "not-allowed")
    User.objects.filter(pk=owner.user.pk).update(is_superuser=True)
    problem(Api(owner).patch(url, {"card": {"name": "X", "a": "R"}}), 400, "bad-end")
    assert Api(owner).patch(url, {"card": {**CLAW, "move": 3}}).json()["revision"] == 2
    problem(Api(owner).post("cards/", {"game": "go", "card": CLAW}), 400, "unknown-game")
    problem(Api(owner).post("cards/", {"game": "score", "card": CLAW}), 400, "no-cards")
    problem(Api(factories.actor()).patch(url, {"removed": True}), 403, "not-allowed")
    assert Api(owner).patch(url, {"removed": True}).status_code == 204
    assert not Card.objects.exists()
    with pytest.raises(NotAllowed):
        cards.make_set(by=factories.actor(), card_set=CardSet(game="zg", name="Belt"))


def test_ones_own_card_of_a_name_is_played_before_the_sites_and_these_before_those_of_others(
    owner: Actor,
) -> None:
    names = ("Ärger Wolf", "Reeve's Oath")
    typed = ("ärger wolf", "Reeve’s Oath")
    for by, cost in ((factories.actor(), 1), (factories.actor(), 2), (owner, 3)):
        for name in names:
            cards.add(by=by, game="zx", data={"name": name, "cost": cost}, shared=True)
    Card.objects.filter(cost=2).update(owner=None)
    for by, cost in ((owner, 3), (factories.actor(), 2), (NOBODY, 2)):
        found = cards.printed(by, "zx", typed)
        assert {name: card["cost"] for name, card in found.items()} == dict.fromkeys(names, cost)


# -- in order, side by side, on paper ---------------------------------------------------------


def choosing(*found: Card) -> dict[str, list[str]]:
    return {"card": [str(card.pk) for card in found]}


def test_a_list_is_in_the_order_asked_for_and_what_is_not_known_comes_last(owner: Actor) -> None:
    for name, cost in (("Ash", 30), ("Birch", 5), ("Cedar", None), ("Dogwood", 200)):
        add(owner, name=name, cost=cost, shared=True)
    for sort, order in (("cost", "BADC"), ("-cost", "DABC"), ("name", "ABCD"), ("slot", "ABCD")):
        rows = Api().get("cards/", sort=sort).json()["results"]
        assert "".join(row["card"]["name"][0] for row in rows) == order
        page = Client().get("/cards/", {"sort": sort}).content.decode()
        names = sorted(
            ("Ash", "Birch", "Cedar", "Dogwood"), key=lambda name: page.index(f">{name}<")
        )
        assert "".join(name[0] for name in names) == order
    table = Api().get("cards/export/", {"Accept": "text/csv"}, sort="-cost").content.decode()
    assert table.splitlines()[1].startswith("Dogwood")
    assert Client().get("/cards/?sort=owner").status_code == 200
    assert Api().get("cards/", sort="owner").status_code == 400


def test_pages_of_an_order_go_on_after_what_is_not_known(
    owner: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deploy.api.CursorPagination.page_size", 1)
    for name, cost in (("Ash", None), ("Birch", 5), ("Cedar", None)):
        add(owner, name=name, cost=cost, shared=True)
    answer, names = Api().get("cards/", sort="-cost").json(), []
    for _ in range(3):
        names += [row["card"]["name"] for row in answer["results"]]
        following = parse_qs(urlsplit(answer["next"] or "").query)
        answer = Api().get("cards/", **{name: value[0] for name, value in following.items()}).json()
    assert names == ["Birch", "Ash", "Cedar"]


def test_cards_stand_side_by_side_with_what_each_does_to_each(owner: Actor) -> None:
    claw = add(owner, shared=True)
    shield = add(owner, name="Tide Shield", slot="Shield", cost=7, shared=True, powerups=[])
    blank = add(owner, name="Blank", a="", b="", shared=True)
    hidden = add(owner, name="Mine alone")
    page = text_of(Client().get("/cards/compare/", choosing(claw, hidden, blank, shield)))
    assert "Mine alone" not in page
    assert "Grip Claw Blank Tide Shield" in page
    assert "Cost c40 c40 c7" in page
    assert "Powerups Z-G Z-G –" in page
    odds = rules.get("zg").tools["best-end"](card="R+ G B / G# Bo R", deck="R+ G B / G# Bo R")
    met = f"slags {odds[odds['best']]['slag']['percent']} %"
    assert page.partition("One against the other")[2].count(met) == 2
    alone = text_of(Client().get("/cards/compare/", choosing(claw, blank)))
    assert "One against the other" not in alone


def test_a_card_without_ends_is_shown_by_what_stands_on_it(owner: Actor) -> None:
    client = factories.signed_in(owner.user)
    text = "Whoever reads this far may draw a card, and " * 2 + "then another."
    sent = {"name": "Night Reeve", "power": "10500", "cost": "3", "colours": "black", "text": text}
    new = "/cards/new/?game=zx"
    assert "With commas between: black, blue" in text_of(client.get(new))
    assert client.post(new, {**sent, "act_id": str(uuid4())}).status_code == 302
    card = Card.objects.get()
    for url in (f"/cards/{card.pk}/", "/cards/?q=reeve", f"/cards/print/?card={card.pk}"):
        page = text_of(client.get(url))
        assert "10500" in page
        assert "black" in page
        assert "ends are not known" not in page
        assert "c3" not in page


def test_more_than_four_cards_and_none_are_told(owner: Actor) -> None:
    found = [add(owner, name=f"Claw {number}", shared=True) for number in range(5)]
    page = Client().get("/cards/compare/", choosing(*found))
    assert "these had no room: Claw 4" in text_of(page)
    assert f"card={found[3].pk}" in page.content.decode()
    for path in ("compare", "print"):
        for query in ({}, {"card": ["x", "\0"]}):
            assert "No card is chosen" in text_of(Client().get(f"/cards/{path}/", query))


def test_chosen_cards_stay_chosen_while_one_looks_for_more(owner: Actor) -> None:
    claw, shield = add(owner, shared=True), add(owner, name="Tide Shield", shared=True)
    alone = Client().get(f"/cards/{claw.pk}/")
    assert f"/cards/?card={claw.pk}" in alone.content.decode()
    assert "Game Z-G" in text_of(alone)
    page = squeezed(Client().get("/cards/", {"q": "tide", **choosing(claw)}))
    assert f'<input type="hidden" name="card" value="{claw.pk}">' in page
    assert f'value="{claw.pk}" checked' in page
    assert f'value="{shield.pk}" checked' not in page


def test_chosen_cards_go_on_paper_nine_on_a_page(owner: Actor) -> None:
    found = [add(owner, name=f"Claw {number}", shared=True) for number in range(10)]
    page = Client().get("/cards/print/", {"paper": "letter", **choosing(*found)}).content.decode()
    assert page.count('class="pocket blue"') == 10
    assert page.count('class="paper pockets"') == 2
    assert Client().get("/cards/print/?paper=a9").status_code == 400
