"""Texts that organisers add to places: shown to their audience, and never lost."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from league import chronicle, lore, search, services
from league.erasing import erase
from league.models import League, PlaceText, PlaceTextVersion, Role, format_day
from matches.actors import NOBODY, Actor
from matches.errors import BadInput, NotAllowed
from tests import factories
from tests.api.client import Api, problem
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

FORM = {"title": "Rust", "audience": "public", "when": "", "calendar": "story"}
READERS = {
    "public": {"visitor", "player", "judge", "rival", "organiser", "staff"},
    "players": {"player", "judge", "rival", "organiser", "staff"},
    "organisers": {"organiser", "staff"},
}


class Crowd:
    """A league that tells of Luna to each audience, and everybody who may look."""

    def __init__(self) -> None:
        names = ("player", "judge", "rival", "organiser")
        self.who: dict[str, Actor | None] = {name: factories.actor(name) for name in names}
        staff = factories.actor("staff")
        staff.user.is_superuser = staff.user.is_staff = True
        staff.user.save()
        self.who |= {"visitor": None, "staff": staff}
        self.by = self.actor("organiser")
        self.league = desks.league(self.by)
        self.rivals = services.found_league(by=self.actor("rival"), name="Rivals")
        judge = self.actor("judge").player
        assert judge is not None
        services.name_member(by=self.by, league=self.league, player=judge, role=Role.JUDGE)
        cup = desks.tournament(self.by, league=self.league)
        services.name_member(by=self.by, tournament=cup, player=judge, role=Role.ORGANISER)

    def actor(self, name: str) -> Actor:
        found = self.who[name]
        assert found is not None
        return found

    def write(self, **said: Any) -> PlaceText:
        said = {"place": "luna", "league": self.league, "title": "Rust", "text": "Told."} | said
        return services.write_text(by=said.pop("by", self.by), **said)

    def client(self, name: str) -> Client:
        client = Client()
        if (actor := self.who[name]) is not None:
            client.force_login(actor.user)
        return client


@pytest.fixture
def crowd() -> Crowd:
    return Crowd()


def surfaces(crowd: Crowd, name: str, texts: list[PlaceText]) -> Iterator[tuple[str, str]]:
    """Yield every answer in which a place or its texts could be told of, by path."""
    client, api, league = crowd.client(name), Api(crowd.who[name]), crowd.league.slug
    paths = ["/", "/lore/", "/lore/luna/", "/venues/", "/venues/luna/", "/search/?q=canary"]
    paths += ["/search/?q=canary&kind=place", "/feed.atom", f"/leagues/{league}/"]
    paths += [f"/leagues/{league}/feed.atom", "/sitemap.xml", "/sitemap-leagues.xml"]
    paths += ["/lore/luna/write/", "/admin/league/placetext/"]
    for text in texts:
        paths += [f"/lore/luna/{text.pk}/", f"/admin/league/placetext/{text.pk}/change/"]
    for path in paths:
        yield path, client.get(path).content.decode()
    paths = ["places/", "places/luna/", "places/luna/texts/", "venues/luna/", "feed/"]
    paths += ["search/?q=canary", "search/?q=canary&kind=place", f"leagues/{league}/"]
    for path in [*paths, *(f"places/luna/texts/{text.pk}/" for text in texts)]:
        yield path, api.get(path).content.decode()


def test_a_text_is_told_to_whom_it_is_meant_for_and_to_nobody_else(crowd: Crowd) -> None:
    services.open_venue(by=crowd.by, name="Luna")
    texts = [
        crowd.write(title=f"canary {kind} title", text=f"canary {kind} text", **said)
        for audience in READERS
        for kind, said in (
            (f"{audience} section", {"audience": audience}),
            (f"{audience} story", {"audience": audience, "when": "2107"}),
            (f"{audience} ours", {"audience": audience, "when": "2026", "calendar": "real"}),
        )
    ]
    one_of_each = texts[::4]  # of each audience and of each kind
    for name in crowd.who:
        told = dict(surfaces(crowd, name, one_of_each))
        whole = "".join(told.values())
        for audience, readers in READERS.items():
            for kind in ("section", "story", "ours"):
                words = f"canary {audience} {kind}"
                if name not in readers:
                    assert words not in whole, [path for path in told if words in told[path]]
                else:
                    shown = [path for path in told if f"{words} title" in told[path]]
                    assert {"/lore/luna/", "places/luna/", "places/luna/texts/"} <= {*shown}
        about = [hit.name for hit in search.find(crowd.who[name] or NOBODY, "organisers section")]
        assert bool(about) == (name in READERS["organisers"])


def test_nothing_tells_that_something_is_hidden(crowd: Crowd) -> None:
    """What a stranger gets is the same to the letter, whether a text is there or not."""
    asked = ["/lore/luna/", "/search/?q=rust", "/lore/"]
    pages = [Client().get(path).content for path in asked]
    told = Api().get("places/luna/").content
    hidden = crowd.write(audience="organisers")
    assert [Client().get(path).content for path in asked] == pages
    assert Api().get("places/luna/").content == told
    missing = "0190a000-0000-7000-8000-000000000001"
    for who in (None, crowd.actor("player"), crowd.actor("rival")):
        for method in ("get", "patch"):
            body = {"version": 1, "title": "Mine"}
            told_of = [
                Api(who).post(f"places/luna/texts/{pk}/", body, method=method)
                if method == "patch"
                else Api(who).get(f"places/luna/texts/{pk}/")
                for pk in (hidden.pk, missing)
            ]
            assert {each.status_code for each in told_of} <= {401, 404}
            assert told_of[0].content == told_of[1].content
    for name in ("visitor", "player", "judge", "rival"):
        assert crowd.client(name).get(f"/lore/luna/{hidden.pk}/").status_code == 404
        assert crowd.client(name).post(f"/lore/luna/{hidden.pk}/", FORM).status_code == 404
    assert crowd.client("organiser").get(f"/lore/luna/{hidden.pk}/").status_code == 200


def test_organisers_write_in_the_name_of_their_league_and_the_site_s_staff_in_its_own(
    crowd: Crowd,
) -> None:
    page = crowd.client("organiser").get("/lore/luna/write/").content.decode()
    assert "Rivals" not in page
    form = FORM | {"text": "Red dust.", "league": str(crowd.rivals.pk)}
    assert crowd.client("organiser").post("/lore/luna/write/", form).status_code == 400
    for who in ("player", "judge", "visitor"):
        assert crowd.client(who).get("/lore/luna/write/").status_code == 403
        assert crowd.client(who).post("/lore/luna/write/", form).status_code == 403
    form |= {"league": str(crowd.league.pk)}
    answer = crowd.client("organiser").post("/lore/luna/write/", form)
    made = PlaceText.objects.get()
    assert answer.headers["Location"] == f"/lore/luna/#text-{made.pk}"
    assert "Red dust." in Client().get("/lore/luna/").content.decode()
    own = form | {"league": "", "audience": "organisers", "text": "Grey dust."}
    assert crowd.client("staff").post("/lore/luna/write/", own).status_code == 302
    assert PlaceText.objects.latest("pk").league is None
    for who, told in (("staff", True), ("organiser", False)):
        assert ("Grey dust." in crowd.client(who).get("/lore/luna/").content.decode()) is told
    with pytest.raises(NotAllowed):
        crowd.write(league=None)
    with pytest.raises(NotAllowed):
        services.edit_text(by=crowd.actor("rival"), of=made, version=1, text="Ours.")


def test_who_edits_a_text_another_changed_is_shown_both_and_nothing_is_lost(crowd: Crowd) -> None:
    text, client = crowd.write(text="As it was."), crowd.client("organiser")
    path = f"/lore/luna/{text.pk}/"
    assert 'name="version" value="1"' in client.get(path).content.decode()
    assert client.post(path, FORM | {"version": 1, "text": "Their words."}).status_code == 302
    mine = FORM | {"version": 1, "text": "My own words.", "title": "Rust again"}
    answer = client.post(path, mine)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Their words." in page
    assert "My own words." in page
    assert "Rust again" in page
    assert 'name="version" value="2"' in page
    text.refresh_from_db()
    assert (text.text, text.version) == ("Their words.", 2)
    assert client.post(path, mine | {"version": 2}).status_code == 302
    said = [each.text for each in text.versions.all()]
    assert said == ["My own words.", "Their words.", "As it was."]
    assert "Their words." in client.get(path).content.decode()
    assert client.post(path, mine | {"version": 2}).status_code == 302  # a second tap
    assert text.versions.count() == 3
    assert client.post(path, mine | {"version": 9}).status_code == 302  # it says so already


def test_a_text_that_was_taken_away_while_another_edits_it_is_shown_and_put_back(
    crowd: Crowd,
) -> None:
    text, client = crowd.write(), crowd.client("organiser")
    path = f"/lore/luna/{text.pk}/"
    gone = FORM | {"version": 1, "text": "Told.", "do": "remove"}
    assert client.post(path, gone).headers["Location"] == "/lore/luna/"
    assert "Rust" not in client.get("/lore/luna/").content.decode()
    assert Api(crowd.actor("player")).get(f"places/luna/texts/{text.pk}/").status_code == 404
    answer = client.post(path, FORM | {"version": 1, "text": "A better telling."})
    assert answer.status_code == 409
    assert "Taken away" in answer.content.decode()
    assert "A better telling." in answer.content.decode()
    assert client.post(path, FORM | {"version": 2, "text": "A better telling."}).status_code == 302
    assert "A better telling." in Client().get("/lore/luna/").content.decode()


def test_the_api_refuses_an_edit_of_what_has_gone_on_and_tells_what_stands(crowd: Crowd) -> None:
    api = Api(crowd.by)
    body = {"league": crowd.league.slug, "title": "Rust", "text": "Told.", "audience": "players"}
    made = api.post("places/luna/texts/", body).json()
    assert (made["version"], made["audience"], made["league"]) == (1, "players", crowd.league.slug)
    path = f"places/luna/texts/{made['id']}/"
    assert api.post(path, {"version": 1, "text": "Theirs."}, method="patch").json()["version"] == 2
    answer = api.post(path, {"version": 1, "text": "Mine."}, method="patch")
    told = problem(answer, 409, "edit-clash")
    assert (told["current"]["version"], told["current"]["text"]) == (2, "Theirs.")
    again = api.post(path, {"version": 1, "text": "Theirs."}, method="patch")
    assert again.json()["version"] == 2  # the same once more
    api.post(path, {"version": 2, "is_removed": True}, method="patch")
    assert Api(crowd.actor("player")).get("places/luna/texts/").json()["results"] == []
    assert [each["id"] for each in api.get("places/luna/").json()["texts"]] == []
    back = api.post(path, {"version": 3, "is_removed": False}, method="patch")
    assert back.json()["version"] == 4
    assert PlaceTextVersion.objects.filter(of=made["id"]).count() == 4
    problem(api.post("places/atlantis/texts/", body), 404, "no-such-place")
    problem(api.post("places/luna/texts/", body | {"when": "2107-13"}), 400, "bad-day")


def test_events_stand_among_what_happened_in_order_of_time(crowd: Crowd) -> None:
    venue = services.open_venue(by=crowd.by, name="Pit", region="Earth")
    held = datetime(2026, 3, 1, 12, tzinfo=UTC)
    desks.tournament(crowd.by, title="Spring open", venue=venue, starts_at=held)
    for title, when, calendar in (
        ("Before it", "2026-02", "real"),
        ("After it", "2026-03-02", "real"),
        ("The long night", "2089-12-31", "story"),
        ("The thaw", "2090-05", "story"),
    ):
        crowd.write(place="earth", title=title, when=when, calendar=calendar)
    page = Client().get("/lore/earth/").content.decode()
    whole = ["31 December 2089", "The long night", "<dt>2090", "May 2090", "The thaw"]
    whole += ["After it", "Spring open", "Before it"]
    at = [page.index(words) for words in whole]
    assert at == sorted(at)


@pytest.mark.parametrize("when", ["31.5.2110", "2110-5", "2110-02-30", "2110-W05-1", "0000", "99"])
def test_a_day_that_is_none_is_refused(crowd: Crowd, when: str) -> None:
    with pytest.raises(BadInput) as refused:
        crowd.write(when=when)
    assert refused.value.where == "$.when"
    form = FORM | {"text": "Told.", "league": str(crowd.league.pk), "when": when}
    answer = crowd.client("organiser").post("/lore/luna/write/", form)
    assert answer.status_code == 400
    assert "Write a day as 2110-05-31" in answer.content.decode()


@pytest.mark.parametrize("name", ["audience", "calendar"])
def test_a_text_is_for_those_and_of_a_calendar_that_there_are(crowd: Crowd, name: str) -> None:
    with pytest.raises(BadInput) as refused:
        crowd.write(**{name: "none"})
    assert (refused.value.code, refused.value.where) == ("unknown-value", f"$.{name}")
    assert not PlaceText.objects.exists()


def test_a_day_is_told_in_words() -> None:
    told = [format_day(when) for when in ("2110", "2110-05", "2110-05-31", "long ago")]
    assert told == ["2110", "May 2110", "31 May 2110", "long ago"]


def test_a_place_without_a_text_says_that_no_one_has_written_it(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = lore.Place("atoll", "Atoll", "zx", "The sea", "A ring of sand.", (), ())
    monkeypatch.setattr(lore, "lore", lambda: lore.Lore((bare,), {}))
    crowd.write(place="atoll", audience="organisers")
    stub = "No one has written this yet."
    assert stub in Client().get("/lore/atoll/").content.decode()
    assert stub not in crowd.client("organiser").get("/lore/atoll/").content.decode()


def test_the_admin_shows_every_wording_and_changes_none(crowd: Crowd) -> None:
    text = crowd.write(text="As it was.")
    services.edit_text(by=crowd.by, of=text, version=1, text="As it is.")
    path = f"/admin/league/placetext/{text.pk}/change/"
    page = crowd.client("staff").get(path).content.decode()
    assert "As it was." in page
    assert "As it is." in page
    assert crowd.client("staff").post(path, FORM).status_code == 403


def test_a_text_stays_when_its_writer_is_forgotten_without_their_name(crowd: Crowd) -> None:
    text = crowd.write()
    assert crowd.by.player is not None
    erase(crowd.by.player)
    assert text.versions.get().by is None
    assert League.objects.filter(place_texts=text).exists()


def test_a_page_asks_no_more_for_more_texts(
    crowd: Crowd, django_assert_max_num_queries: Any
) -> None:
    for number in range(6):
        crowd.write(title=f"Rust {number}")
    with django_assert_max_num_queries(18):
        crowd.client("visitor").get("/lore/luna/")
    assert len(chronicle.texts_for(NOBODY, "luna")) == 6
