"""The operator string of the catalogue: what it finds, and where it is wrong."""

import re
from typing import Any

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from characters import cards, importing, search, selectors
from matches.actors import NOBODY, Actor
from tests import factories
from tests.api.client import Api, problem
from tests.html import squeezed, text_of

pytestmark = pytest.mark.django_db

CARDS: list[dict[str, Any]] = [
    {"name": "Grip Claw", "slot": "Claw", "colour": "blue", "cost": 40, "a": "R+ G B"},
    {"name": "Tide Shield", "slot": "Shield", "colour": "blue", "a": "G# B# R", "b": "G## R B"},
    {"name": "Fern Front", "slot": "Frontgear", "colour": "green", "cost": 20, "a": "G* G Ro"},
]


@pytest.fixture
def owner() -> Actor:
    by = factories.actor("ida")
    for data in CARDS:
        cards.add(by=by, game="zg", data=data, shared=True, card_set="Östliche Tides")
    return by


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "CFT"),
        ("tide", "T"),
        ('"grip claw"', "C"),
        ("type:gear", "F"),
        ("type=gear", ""),
        ("slot=CLAW", "C"),
        ("color:blue -claw", "T"),
        ("colour!=blue", "F"),
        ("cost>20", "C"),
        ("cost>=20 cost<=40", "CF"),
        ("cost!=20", "CT"),
        ("dots>=5", "T"),
        ("dots<4 blazes=1", "C"),
        ("blaze:explosive", "F"),
        ("blaze:armour -blaze:ap", "T"),
        ("end:G##", "T"),
        ("owner:me", "CFT"),
        ("owner:site", ""),
        ("owner:ida set:tid", "CFT"),
        ("set:öST", "CFT"),
        ('set="östliche TIDES"', "CFT"),
        ("set:ost", ""),
        ("is:private", ""),
        ("is:shared -is:invented game:zg", "CFT"),
    ],
)
def test_what_a_string_finds(owner: Actor, text: str, found: str) -> None:
    names = selectors.cards_for(owner, search.require(text, owner)).values_list("name", flat=True)
    letters = {"Grip Claw": "C", "Tide Shield": "T", "Fern Front": "F"}
    assert "".join(sorted(letters[name] for name in names)) == found


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("claw sound:loud", 6, "There is no “sound”"),
        ("cost>much", 1, "not a number"),
        ("cost>=9999999", 1, "not a number"),
        ("slot>3", 1, "is not a number"),
        ("blaze:fire", 1, "there are ap, explosive"),
        ("is:good", 1, "there are shared"),
        ('claw "tide', 6, "quotation mark"),
        ('name:"tide', 1, "quotation mark"),
        ("claw -", 6, "Say what"),
        ("owner:me", 1, "Sign in"),
        ("x " * 21, 41, "At most 20"),
    ],
)
def test_what_can_not_be_read_is_told_with_its_column(text: str, column: int, said: str) -> None:
    [term] = search.read(text, NOBODY).problems
    assert (term.column, said in term.problem) == (column, True), term
    told = problem(Api().get("cards/", q=text), 400, "bad-search")
    assert f"Column {column}" in told["detail"]


def test_the_page_says_what_it_could_not_read_and_applies_the_rest(owner: Actor) -> None:
    page = Client().get("/cards/", {"q": "sound:loud tide"}).content.decode()
    assert "<code>sound:loud</code> at column 1" in page
    assert "Tide Shield" in page
    assert "Grip Claw" not in page
    none = Client().get("/cards/", {"q": "claw cost>90 tide"}).content.decode()
    assert "<code>cost&gt;90</code> leaves none" in none


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_read_or_told(text: str) -> None:
    found = search.read(text, NOBODY)
    assert all(bool(term.problem) != (term.condition is not None) for term in found.terms)
    covered = "".join(term.text for term in found.terms)
    assert "".join(covered.split()) == "".join(text.split())


def test_what_a_search_finds_goes_out_as_a_file_and_comes_in_again(owner: Actor) -> None:
    for query in ({"as": "csv"}, {"as": "json"}):
        file = Client().get("/cards/export/", {"q": "colour:blue", **query})
        assert file.headers["Content-Disposition"].startswith("attachment")
        other = factories.actor()
        text = file.content.decode()
        assert importing.take_in(by=other, game="zg", text=text, dry_run=False).kept
        theirs, mine = (
            set(selectors.cards_for(by, search.require(text, by)).values_list("face", flat=True))
            for by, text in ((other, "owner:me"), (owner, "owner:me colour:blue"))
        )
        assert theirs == mine
    table = Api().get("cards/export/", {"Accept": "text/csv"}, q="owner:ida tide")
    assert table.content.decode().splitlines()[1].startswith("Tide Shield,Shield,blue")
    assert len(Api().get("cards/export/", q="owner:ida tide").json()["cards"]) == 1
    assert Client().get("/cards/export/?q=sound:loud").status_code == 400
    assert Client().get("/cards/export/?game=go").status_code == 400


def test_a_card_is_typed_changed_and_taken_out_on_its_pages(owner: Actor) -> None:
    client = factories.signed_in(owner.user)
    said = {"name": "Loader Claw", "slot": "Claw", "powerups": "Z-G, Knockback", "a": "R G B"}
    assert client.post("/cards/new/", said).status_code == 302
    card = cards.Card.objects.get(name="Loader Claw")
    assert (card.shared, card.dots, card.card_set.name) == (False, 3, "My cards")
    url = f"/cards/{card.pk}/"
    page = client.get(url).content.decode()
    assert "/games/zg/bench/?attack=R+G+B" in page
    wrong = client.post(f"{url}edit/", {**said, "a": "R G"})
    assert wrong.status_code == 400
    assert wrong.context["form"].errors.keys() == {"a"}
    assert client.get(f"{url}edit/").context["form"]["powerups"].value() == "Z-G, Knockback"
    assert client.post(f"{url}edit/", {**said, "cost": "30", "shared": "on"}).status_code == 302
    card.refresh_from_db()
    assert (card.revision, card.cost, card.shared) == (2, 30, True)
    stranger = factories.signed_in(factories.user())
    assert stranger.post(f"{url}edit/", said).status_code == 403
    assert stranger.post(f"{url}edit/", {"do": "remove"}).status_code == 403
    assert client.post("/cards/new/", {**said, "cost": "-1"}).status_code == 400
    assert client.post("/cards/new/", said).status_code == 400  # there is one already
    assert client.post(f"{url}edit/", {"do": "remove"}).status_code == 302
    assert client.get(url).status_code == 404


def test_a_file_is_tried_before_it_is_kept(owner: Actor) -> None:
    client = factories.signed_in(owner.user)
    text = "name,slot,a\nOne,Claw,R G B\nTwo,Claw,R G\n"
    tried = client.post("/cards/import/", {"text": text})
    assert (tried.status_code, len(tried.context["taken"].problems)) == (200, 1)
    assert "Line 3" in tried.content.decode()
    keep = {"text": text, "keep": tried.context["taken"].tried}
    assert client.post("/cards/import/", keep).status_code == 400
    good = text.replace("R G\n", "R G B\n")
    keep = {
        "text": good,
        "keep": client.post("/cards/import/", {"text": good}).context["taken"].tried,
    }
    form = squeezed(client.post("/cards/import/", {"text": good})).split("multipart/form-data")[1]
    first, *_ = re.findall(r"<button[^>]*>([^<]+)</button>", form)
    assert first == "Try it", "what Enter in a field does"
    assert form.index("Keep them") < form.index("<h3>New"), "above the list, however long"
    for other in (good.replace("One", "Ones"), text):
        refused = client.post("/cards/import/", {**keep, "text": other})
        assert "look again" in text_of(refused)
    kept = client.post("/cards/import/", keep, follow=True)
    assert kept.redirect_chain == [("/cards/?q=owner:me", 302)], "what was kept is shown"
    assert 'href="?game=zx"' in client.get("/cards/import/").content.decode()
    assert cards.Card.objects.filter(name__in=["One", "Two"]).count() == 2
    from django.core.files.uploadedfile import SimpleUploadedFile

    for sent, status in ((b"\xff\xfe", 400), (b'{"cards":[{"name":"Three"}]}', 200)):
        file = SimpleUploadedFile("cards.json", sent)
        assert client.post("/cards/import/", {"file": file}).status_code == status
    assert client.post("/cards/import/", {"text": " "}).status_code == 400
    assert client.post("/cards/import/", {"text": "{" * 99}).context["taken"].problems
