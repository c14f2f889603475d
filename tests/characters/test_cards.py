"""The catalogue: cards as their game takes them, one's own and shared, in and out as files."""

import csv
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters import cards, selectors
from characters.models import Card
from matches.actors import NOBODY, Actor
from matches.errors import BadInput, Conflict, NotAllowed
from tests import factories
from tests.api.client import Api, problem

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


@pytest.fixture
def owner() -> Actor:
    return factories.actor()


def add(owner: Actor, **fields: Any) -> Card:
    shared = fields.pop("shared", False)
    return cards.add(by=owner, game="zg", data={**CLAW, **fields}, shared=shared)


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
        ({"powerups": ["Z-G", "\u202egold"]}, "control-character"),
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


def test_the_pages_show_cards_to_those_who_may_see_them(owner: Actor) -> None:
    card = add(owner)
    mine, others = Client(), Client()
    mine.force_login(owner.user)
    for url in ("/cards/", f"/cards/{card.pk}/"):
        assert "Grip Claw" in mine.get(url).content.decode()
        assert "Grip Claw" not in others.get(url).content.decode()
    assert others.get(f"/cards/{card.pk}/").status_code == 404
    assert "Grip Claw" in mine.get("/cards/?slot=claw&colour=BLUE").content.decode()
    assert "No card is like this" in mine.get("/cards/?slot=tail").content.decode()
    assert mine.get("/cards/?slot=%00").status_code == 200


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
    table = Api(owner).post("cards/import/", {**sent, "text": "name | sound\nA | loud"}).json()
    assert [each["code"] for each in table["problems"]] == ["unknown-column"]


def test_names_in_a_file_are_bare_at_their_ends(owner: Actor) -> None:
    for number, text in enumerate(("name | slot | colour | a\n{} | Claw | red | R G B", None)):
        name = f"\u200bClaw {number}\ufeff"
        sent = text.format(name) if text else json.dumps([CLAW | {"name": name}])
        assert cards.take_in(by=owner, game="zg", text=sent, dry_run=False) == (1, [])
    assert sorted(Card.objects.values_list("name", flat=True)) == ["Claw 0", "Claw 1"]


def test_what_goes_out_comes_in_again(owner: Actor) -> None:
    table = cards.table("zg", [add(owner), add(owner, name="Tide Shield", powerups=["A", "B"])])
    other = factories.actor()
    count, flaws = cards.take_in(by=other, game="zg", text=table, dry_run=False)
    assert (count, flaws) == (2, [])
    mine, theirs = (
        sorted(selectors.cards_for(who).values_list("face", flat=True)) for who in (owner, other)
    )
    assert mine == theirs


@pytest.mark.parametrize(
    "text", ["=1+1", "'=1", "''+1", " @now", " -2", "'", '"', "a;b|c", "ab\u2003"]
)
def test_whatever_stands_on_a_card_comes_in_again(owner: Actor, text: str) -> None:
    card = add(owner, colour=text, powerups=[text])
    table = cards.table("zg", [card])
    for cell in ("colour", "powerups"):
        assert not next(csv.DictReader(table.splitlines()))[cell].startswith(("=", "+", "-", "@"))
    other = factories.actor()
    assert cards.take_in(by=other, game="zg", text=table, dry_run=False) == (1, [])
    assert {each.face for each in Card.objects.all()} == {card.face}


def test_no_table_program_takes_the_name_of_a_card_for_a_formula(owner: Actor) -> None:
    name = '=HYPERLINK("https://example.org/","Feet")'
    table = cards.table("zg", [add(owner, name=name)])
    assert table.splitlines()[1].startswith("\"'=HYPERLINK")
    other = factories.actor()
    cards.take_in(by=other, game="zg", text=table, dry_run=False)
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
