"""A request sent twice, by a double tap or after a lost answer, creates one thing, not two."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connections
from django.test import Client

from characters import campaigns
from characters import services as characters
from league import services
from league.models import Krewe, League, Venue
from matches import keys, once
from matches.errors import IdReused
from matches.models import Key, Player
from tests import factories
from tests.api.client import Api, opening, problem
from tests.api.test_bad_forms import PAGES, set_up, signed_in
from tests.api.test_bad_input import counts
from tests.characters import api_rows
from tests.league.api_rows import Desk
from tests.league.test_forms import FORMS, Room

pytestmark = pytest.mark.django_db

OF_LEAGUES = [
    *("leagues", "venues", "place-texts", "league-krewes", "league-discipline", "seasons"),
    *("circuits", "webhooks", "tournaments", "tournament-prizes"),
]
OF_CHARACTERS = ["campaigns", "cards", "favours", "goals", "loadouts", "trades"]
# The pages whose forms make something, and where else than on its own page the form stands.
MAKING = {
    "league:tournament-create": "",
    "league:league-create": "",
    "league:record-list": "",
    "league:season-create": "",
    "league:circuit-create": "",
    "league:prize-list": "",
    "league:webhook-list": "",
    "league:lore-write": "",
    "characters:character-create": "",
    "characters:character-paste": "",
    "characters:goal-add": "{character}",
    "characters:ledger-list": "",
    "characters:offer-list": "",
    "characters:favour-list": "",
    "characters:entry-cover": "",
    "characters:campaign-create": "",
    "characters:card-create": "",
    "characters:loadout-create": "",
    "matches:match-open": "",
}


def twice(api: Api, path: str, sent: dict[str, Any]) -> None:
    """Send something twice under one id: it is made, then found."""
    said = {**sent, "id": str(uuid4())}
    first = api.post(path, said)
    assert first.status_code == 201, first.content
    before = counts()
    again = api.post(path, said)
    assert again.status_code == 200, (path, again.content)
    assert again.json() == first.json()
    assert counts() == before


def test_a_program_makes_one_thing_of_a_league_under_an_id(subtests: pytest.Subtests) -> None:
    desk = Desk()
    for name in OF_LEAGUES:
        with subtests.test(name):
            twice(Api(desk.opener), *desk.sent(name, "post"))


def test_a_program_makes_one_thing_of_a_character_under_an_id(subtests: pytest.Subtests) -> None:
    mine, other = (
        characters.paste(by=factories.actor(), text=f"Character: {name}\nCurrency: c9")
        for name in ("Una", "Ben")
    )
    for name in OF_CHARACTERS:
        with subtests.test(name):
            twice(Api(mine.owner.user), *api_rows.request(name, "post", mine, other))
    twice(Api(mine.owner.user), "characters/paste/", {"text": "Character: Ida\nCurrency: c3"})
    twice(Api(mine.owner.user), "players/", {"name": "Guest"})
    twice(Api(mine.owner.user), "matches/", opening())


@pytest.mark.parametrize(
    ("path", "one", "other"),
    [
        ("leagues/", {"name": "Rim"}, {"name": "Belt"}),
        (
            "characters/paste/",
            {"text": "Character: Ida\nPublic background: Tall."},
            {"text": "Character: Ida\nPublic background: Small."},
        ),
        (
            "characters/paste/",
            {"text": "Character: Ida\nBasic Blue Feet (c20 x 2)"},
            {"text": "Character: Ida\nBasic Red Feet (c20 x 2)"},
        ),
    ],
)
def test_an_id_that_made_something_makes_nothing_else(
    path: str, one: dict[str, str], other: dict[str, str]
) -> None:
    api, made = Api(factories.user()), str(uuid4())
    assert api.post(path, {**one, "id": made}).status_code == 201
    problem(api.post(path, {**other, "id": made}), 409, "id-reused")
    assert Api(factories.user()).post(path, {**other, "id": made}).status_code == 201


def test_what_was_changed_since_is_told_to_who_makes_it_again() -> None:
    api, sent = Api(factories.user()), {"name": "Rim", "id": str(uuid4())}
    league = api.post("leagues/", sent).json()["slug"]
    api.patch(f"leagues/{league}/", {"name": "Outer Rim"})
    told = problem(api.post("leagues/", sent), 409, "id-reused")
    assert told["made"] == league
    sent = {"name": "Duels", "game": "zg", "id": str(uuid4())}
    campaign = api.post("campaigns/", sent).json()["id"]
    told = problem(api.post("campaigns/", {**sent, "name": "Wars"}), 409, "id-reused")
    assert told["made"] == campaign
    for path in ("matches/", "tournaments/"):
        sent = {**(opening() if path == "matches/" else {"ruleset": "score"}), "id": str(uuid4())}
        code = api.post(path, {**sent, "title": "Friday"}).json()["code"]
        told = problem(api.post(path, {**sent, "title": "Sunday"}), 409, "id-reused")
        assert told["made"] == code


def test_notation_comes_in_once_under_an_id() -> None:
    api, path = Api(factories.user()), f"matches/import/?id={uuid4()}"
    script = "ruleset score@1\nseat 1 label=Red\nseat 2 label=Blue\npoints-scored 1 3\n"
    first, again, other = (
        api.post(path, text.encode(), content_type="text/plain")
        for text in (script, script, script.replace("1 3", "1 4"))
    )
    assert (first.status_code, again.status_code) == (201, 200), (first.content, again.content)
    assert again.json() == first.json()
    assert problem(other, 409, "id-reused")["made"] == first.json()["code"]


def test_what_was_made_under_ids_is_listed_by_its_time(subtests: pytest.Subtests) -> None:
    """The id of a row made under a client's id says nothing about when it was made."""
    desk, count = Desk(), 6
    una = characters.paste(by=factories.actor(), text="Character: Una\nCurrency: c9")
    ben = characters.paste(by=factories.actor(), text="Character: Ben")
    mine, opener = {"character": str(una.pk)}, Api(desk.opener)
    api = Api(una.owner.user)
    league, rust = opener.post("leagues/", {"name": "Rim"}).json()["slug"], {"title": "Rust"}
    grudge = {**mine, "kind": "grudge", "text": "A bad spin"}
    made_and_listed: dict[str, tuple[Api, str, dict[str, Any], str, dict[str, str]]] = {
        "players": (api, "players/", {"name": "Guest"}, "players/", {"name": "Guest"}),
        "characters": (api, "characters/paste/", {"text": "Character: Ida"}, "characters/", {}),
        "favours": (api, "favours/", grudge, "favours/", mine),
        "trades": (api, "trades/", {**mine, "to": str(ben.pk), "pays": 1}, "trades/", mine),
        "matches": (api, "matches/", opening(), "export/", {}),
        "texts": (
            opener,
            "places/luna/texts/",
            {**rust, "text": "It is told.", "league": league},
            "places/luna/texts/",
            {},
        ),
    }
    for name, (who, path, said, where, query) in made_and_listed.items():
        with subtests.test(name):
            answers = [who.post(path, {**said, "id": str(uuid4())}).json() for _ in range(count)]
            key = "code" if name == "matches" else "id"
            made = [answer[key] for answer in answers]
            told = who.get(where, **query).json()
            listed = [row[key] for row in told["results" if where != "export/" else "matches"]]
            newest_first = [each for each in listed if each in made]
            assert newest_first == (made if name == "texts" else made[::-1])


def test_the_keys_of_an_account_are_listed_newest_first() -> None:
    user, names = factories.user(), [f"Board {number}" for number in range(6)]
    for name in names:
        keys.make(user, name=name, scopes=[], act_id=uuid4())
    assert [key.name for key in keys.keys_of(user)] == names[::-1]


def test_one_id_makes_one_thing_of_each_kind() -> None:
    by, made = factories.actor(), uuid4()
    names = {"by": by, "name": "Rim", "act_id": made}
    several = [
        services.found_league(**names),
        services.open_venue(**names),
        campaigns.create(**names),
    ]
    assert len({row.pk for row in several}) == 3


def test_an_offer_of_other_gear_is_another() -> None:
    mine, other = (
        characters.paste(
            by=factories.actor(),
            text=f"Character: {name}\nBasic Blue Feet (found, a yard)\nCurrency: c9",
        )
        for name in ("Una", "Ben")
    )
    api = Api(mine.owner.user)
    items = api.get("gear/", character=str(mine.pk)).json()["results"]
    said = {"id": str(uuid4()), "character": str(mine.pk), "to": str(other.pk), "pays": 1}
    assert api.post("trades/", said).status_code == 201
    problem(api.post("trades/", {**said, "gives": [items[0]["serial"]]}), 409, "id-reused")


def test_a_season_of_other_divisions_is_another() -> None:
    desk = Desk()
    path, said = desk.sent("seasons", "post")
    said |= {"id": str(uuid4()), "divisions": ["First", "Second"]}
    api = Api(desk.opener)
    assert [api.post(path, said).status_code for _ in range(2)] == [201, 200]
    problem(api.post(path, {**said, "divisions": ["First"]}), 409, "id-reused")


# -- pages ----------------------------------------------------------------------------------


def carried(client: Client, path: str) -> str:
    """Return the id that the form of a page carries."""
    page = client.get(path).content.decode()
    found = re.findall(r'name="act_id" value="([^"]+)"', page)
    assert found, page
    return str(UUID(found[-1]))


def tapped_twice(client: Client, path: str, form: dict[str, str], act_id: str) -> None:
    said = {**form, "act_id": act_id}
    first = client.post(path, said)
    assert first.status_code in (200, 302), first.content.decode()
    before = counts()
    again = client.post(path, said)
    assert (again.status_code, again.headers.get("Location")) == (
        first.status_code,
        first.headers.get("Location"),
    ), again.content.decode()
    assert counts() == before


@pytest.mark.sqlite
def test_a_form_of_a_league_sent_twice_makes_one(subtests: pytest.Subtests) -> None:
    room = Room()
    client = signed_in(room.opener.user)
    for name in MAKING:
        if name in FORMS:
            path, form, _ = FORMS[name]
            path = room.fill(path)
            with subtests.test(name):
                said = {field: room.fill(value) for field, value in form.items()}
                tapped_twice(client, path, said, carried(client, path))
    with subtests.test("a venue"):
        path = "/venues/new/"
        tapped_twice(client, path, {"name": "Dock"}, carried(client, path))
        assert Venue.objects.filter(name="Dock").count() == 1
    with subtests.test("a krewe"):
        home = room.league.get_absolute_url()
        tapped_twice(client, f"{home}krewes/", {"name": "Cinders"}, carried(client, home))
        assert Krewe.objects.filter(name="Cinders").count() == 1


@pytest.mark.sqlite
def test_a_season_rolled_over_by_a_form_sent_twice_is_one() -> None:
    desk = Desk()
    client, path = signed_in(desk.opener.user), f"/leagues/{desk.league.slug}/seasons/"
    form = {"name": "Autumn", "starts_on": "2026-09-01", "ends_on": "2026-12-01"}
    form |= {"previous": str(desk.season.pk)}
    tapped_twice(client, path, form, carried(client, path))


@pytest.mark.sqlite
def test_a_form_of_a_player_sent_twice_makes_one(subtests: pytest.Subtests) -> None:
    table = set_up()
    client = table.opener()
    for name, shown in MAKING.items():
        if name in PAGES:
            with subtests.test(name):
                page = PAGES[name]
                path = table.path(page.path)
                if name == "characters:character-paste":  # the first step brings the id along
                    page_of = client.post(path, {"text": "Character: Una"}).content.decode()
                    [act_id] = re.findall(r'name="act_id" value="([^"]+)"', page_of)
                else:
                    act_id = carried(client, table.path(shown) if shown else path)
                tapped_twice(client, path, table.form(page), act_id)


@pytest.mark.sqlite
def test_a_form_shown_again_keeps_its_id_and_says_when_it_is_none() -> None:
    client, made = signed_in(factories.user()), str(uuid4())
    page = client.post("/leagues/new/", {"name": "", "game": "zg", "act_id": made})
    assert f'name="act_id" value="{made}"' in page.content.decode()
    page = client.post("/leagues/new/", {"name": "Rim", "game": "zg", "act_id": "7"})
    assert page.status_code == 400
    assert "The form&#x27;s id is not valid; load it again." in page.content.decode()
    assert not League.objects.exists()


@pytest.mark.sqlite
def test_a_key_whose_making_is_sent_again_is_one_and_the_last_told_is_worth_it() -> None:
    user = factories.user()
    client = signed_in(user)
    form = {"name": "A board", "act_id": carried(client, "/me/keys/")}
    told = [client.post("/me/keys/", form).content.decode() for _ in range(2)]
    first, last = (re.findall(r"zgxl_[\w-]{43}", page)[0] for page in told)
    assert Key.objects.filter(user=user, by_password=False).count() == 1
    assert keys.find(first) is None
    assert keys.find(last) is not None
    with pytest.raises(IdReused):  # it is in use
        keys.make(user, name="A board", scopes=[], act_id=UUID(form["act_id"]))


# -- at one moment --------------------------------------------------------------------------


def at_once(make: Callable[[], Any]) -> list[Any]:
    """Make something twice, neither of both seeing the other begin."""

    def made(_: int) -> Any:
        try:
            return make()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(made, range(2)))


@pytest.mark.django_db(transaction=True)
def test_what_arrives_twice_at_one_moment_makes_one() -> None:
    by, made = factories.actor(), uuid4()
    both = at_once(lambda: services.found_league(by=by, name="Rim", act_id=made))
    assert both[0] == both[1] == League.objects.get()
    assert sorted(map(once.made_now, both)) == [False, True]


def test_what_is_there_when_it_is_to_be_written_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by, made = factories.actor(), uuid4()
    assert by.player is not None
    known = once.make(Player, by.player.pk, made, name="Guest")

    def late(row: Player) -> None:
        row.save(force_insert=True)

    manager = type(Player._default_manager)
    looked = manager.filter
    blind = iter([True])
    monkeypatch.setattr(
        manager,
        "filter",
        lambda self, *a, **k: self.none() if next(blind, False) else looked(self, *a, **k),
    )
    assert once.make(Player, by.player.pk, made, keep=late, name="Guest") == known
