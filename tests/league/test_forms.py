"""Every form of leagues and desks: valid input accepted, invalid refused, each desk act has one."""

from collections.abc import Iterator
from copy import deepcopy
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.contrib import admin
from django.test import Client, RequestFactory
from django.urls import get_resolver, reverse
from django.utils import timezone

from league import services, webhooks
from league.models import Krewe, Tournament
from matches.actors import Actor
from matches.errors import Conflict, NotAllowed, NotFound
from tests import factories
from tests.api.client import Api, problem
from tests.api.test_bad_forms import FORM, POISONS, pages, signed_in
from tests.api.test_bad_input import counts
from tests.league import desks
from tests.league.api_rows import Desk

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

Form = tuple[str, dict[str, str], str]

STORY = {"audience": "public", "when": "2107-03", "calendar": "story"}
TOMORROW = f"{timezone.now() + timedelta(days=1):%Y-%m-%dT%H:%M}"
SEASON = {"name": "Autumn", "starts_on": "2026-09-01", "ends_on": "2026-12-01"}
CIRCUIT = {"name": "Belt", "points": "5, 3, 1", "best": "0", "direct": "1", "by_ranking": "2"}
CIRCUIT |= {"pass_down": "tournament"}
# Of a desk whose second round is published: path, a good form, and the field that is spoilt.
FORMS: dict[str, Form] = {
    "league:tournament-create": (
        "/tournaments/new/",
        {
            "title": "Cup",
            "game": "score",
            "format": "swiss",
            "rounds": "3",
            "best_of": "1",
            "cut": "0",
            "cap": "0",
            "round_minutes": "0",
        },
        "rounds",
    ),
    "league:tournament-edit": (
        "{desk}edit/",
        {
            "title": "Cup",
            "timezone": "UTC",
            "visibility": "public",
            "decks": "none",
            "round_minutes": "5",
            "remind_hours": "0",
            "shared_prizes": "order",
        },
        "round_minutes",
    ),
    "league:league-create": ("/leagues/new/", {"name": "Rim", "game": "score"}, "game"),
    "league:record-list": (
        "/leagues/{league}/record/",
        {"player": "{entrant}", "kind": "exile", "ends_on": "", "reason": "Rude."},
        "player",
    ),
    "league:season-create": (
        "/leagues/{league}/seasons/",
        {**SEASON, "divisions": "First\nSecond", "previous": ""},
        "starts_on",
    ),
    "league:season-edit": ("/seasons/{season}/edit/", SEASON, "ends_on"),
    "league:division-edit": (
        "/divisions/{division}/edit/",
        {"name": "Top", "level": "1", "up": "0", "down": "1", "play_off": "0"},
        "level",
    ),
    "league:circuit-create": ("/seasons/{season}/circuits/", CIRCUIT, "points"),
    "league:circuit-edit": ("/circuits/{circuit}/edit/", {**CIRCUIT, "final": ""}, "points"),
    "league:role-list": (
        "/leagues/{league}/roles/",
        {"username": "{stranger}", "role": "judge"},
        "role",
    ),
    "league:staff-list": (
        "{desk}roles/",
        {"username": "{stranger}", "role": "judge"},
        "role",
    ),
    "league:date-list": ("{desk}dates/", {"round": "2", "round-2-deadline": TOMORROW}, "round"),
    "league:stage-list": (
        "{fresh}stages/",
        {"format": "swiss", "rounds": "3", "best_of": "1", "cut": "0"},
        "rounds",
    ),
    "league:prize-list": (
        "{desk}prizes/",
        {"place": "1", "amount": "50", "line": "Superior Green Frontgear"},
        "place",
    ),
    "league:console": ("{desk}console/", {"type": "time-called", "round": "2"}, "type"),
    "league:table-detail": (
        "{desk}rounds/2/tables/{table}/",
        {"type": "result-reported", "scores": "2-1", "by": "1"},
        "type",
    ),
    "league:result-correct": (
        "{desk}rounds/1/tables/1/correct/",
        {"scores": "1-2", "note": "Misread."},
        "scores",
    ),
    "league:undo": ("{desk}undo/", {"to": "{before}"}, "to"),
    "league:self-act": ("{desk}me/", {"type": "dropped"}, "type"),
    "league:entry-list": ("{fresh}entries/", {}, "act_id"),
    "league:tournament-import": (
        "/tournaments/import/",
        {"text": "round,first,second,won\n1,Ada,Bo,2\n", "keep": "1"},
        "text",
    ),
    "league:list-import": (
        "{fresh}import/",
        {"text": "name\nAda\nBo\n", "kind": "entries", "keep": "1"},
        "kind",
    ),
    "league:webhook-list": (
        "/leagues/{league}/webhooks/",
        {"url": "https://hooks.example.org/", "events": "match.finished"},
        "url",
    ),
    "league:webhook-detail": ("/webhooks/{hook}/", {"is_on": "0"}, "is_on"),
    "league:lore-write": (
        "/lore/terminus/write/",
        {"league": "{home}", "title": "Rust", "text": "Told.", **STORY},
        "audience",
    ),
    "league:lore-edit": (
        "/lore/terminus/{text}/",
        {"version": "1", "title": "Rust", "text": "Told anew.", **STORY},
        "version",
    ),
    "league:telling-edit": ("/me/told/", {"do": "no-letters"}, "do"),
}
# Forms of the console that are acts of their own: what each records.
ACTS: dict[str, dict[str, str]] = {
    "time-called": {"round": "2"},
    "announced": {"note": "Soup."},
    "clock-paused": {"round": "2"},
    "time-extended": {"round": "2", "minutes": "5", "table": "0"},
    "dropped": {"entrant": "2"},
    "checked-in": {"entrant": "2"},
    "bye-granted": {"entrant": "2", "round": "3", "worth": "half"},
    "penalty-given": {
        "entrant": "2",
        "infraction": "late",
        "penalty": "warning",
        "demerits": "1",
        "note": "Late.",
    },
    "pair-forbidden": {"entrants": "1-2"},
    "results-held": {"round": "2"},
    "result-reported": {"round": "2", "table": "2", "scores": "2-0", "by": ""},
    "ruled": {"round": "2", "table": "2", "scores": "2-0", "note": "Seen."},
    "pairing-changed": {"table": "1", "seat_number": "1", "entrant": "{swap}", "note": "Cables."},
}
BARE = {
    *("league:league-join", "league:table-play", "league:tournament-withdraw"),
    "league:league-export",
    *("league:role-end", "league:staff-end", "league:webhook-rotate", "league:webhook-test"),
    *("league:webhook-end", "league:delivery-send", "league:sanction-lift"),
    *("league:season-remove", "league:division-remove", "league:circuit-remove"),
    *("league:qualifier-remove", "league:venue-remove"),
}
# Registering a deck takes a game with cards, a link in a letter asks for no sign-in, of a league
# and a venue any name is one: they have tests of their own.
NAMES = {
    *FORMS,
    *BARE,
    *("league:krewe-create", "league:krewe-detail", "league:venue-create", "league:venue-edit"),
    "league:league-run",
    "league:deck-register",
    "league:letters-off",
}


class Room(Desk):
    """A desk in its second round, with what its forms name."""

    def __init__(self) -> None:
        super().__init__()
        self.begin()
        desks.paired(self.tournament)
        self.fresh = desks.tournament(self.opener)
        address = "https://hooks.example.org/"
        self.hook, _ = webhooks.register(
            by=self.opener, league=self.league, url=address, events=["match.finished"]
        )
        self.text = services.write_text(
            by=self.opener, place="terminus", league=self.league, title="Dust", text="Told."
        )
        mine = desks.table_of(self.tournament, 1)
        others = {"1", "2"} - {str(mine)}
        self.other = others.pop()
        self.tournament.log.refresh_from_db()

    def fill(self, text: str) -> str:
        tables = desks.desk(self.tournament).rounds[-1].tables
        return text.format(
            desk=f"/tournaments/{self.tournament.code}/",
            fresh=f"/tournaments/{self.fresh.code}/",
            league=self.league.slug,
            hook=self.hook.pk,
            home=self.league.pk,
            text=self.text.pk,
            stranger=self.stranger.user,
            season=self.season.pk,
            division=self.season.divisions.earliest("level").pk,
            circuit=self.season.circuits.earliest("pk").pk,
            entrant=self.player.player_id,
            table=desks.table_of(self.tournament, 1),
            before=self.tournament.log.head_version - 1,
            swap=tables[1].players[0],
        )

    def client(self, name: str) -> Client:
        """Return the client of who fills a form in: the player their own, else the organiser."""
        own = name in ("league:table-detail", "league:self-act", "league:entry-list")
        return signed_in((self.player if own else self.opener).user)

    def post(self, client: Client, path: str, form: dict[str, str]) -> Any:
        body = urlencode({"act_id": str(uuid4()), **form})
        return client.post(self.fill(path), body, content_type=FORM)


@pytest.fixture(scope="module")
def _room(django_db_setup: None, django_db_blocker: Any) -> Iterator[Room]:
    with factories.built_once(Room, django_db_blocker) as found:
        yield found


@pytest.fixture
def room(_room: Room) -> Room:
    return deepcopy(_room)


@pytest.mark.parametrize("name", FORMS)
def test_a_good_form_is_taken_and_a_bad_one_writes_nothing(name: str, room: Room) -> None:
    path, form, field = FORMS[name]
    form = {key: room.fill(value) for key, value in form.items()}
    client = room.client(name)
    before = counts()
    for poison, value in POISONS.items():
        rest = urlencode({"act_id": str(uuid4()), **form} | {field: ""})
        body = rest.replace(f"{field}=", f"{field}={value}")
        answer = client.post(room.fill(path), body, content_type=FORM)
        assert answer.status_code in (400, 404, 422), (poison, answer.status_code)
    for junk in (b"", b"\xff\xfe", b"{}", b"[" * 100_000):
        answer = client.post(room.fill(path), junk, content_type=FORM)
        assert answer.status_code in (400, 404), junk[:10]
    elsewhere = factories.signed_in(room.opener.user, enforce_csrf_checks=True)
    assert elsewhere.post(room.fill(path), form).status_code == 403
    assert counts() == before
    answer = room.post(client, path, form)
    shown = name == "league:webhook-list"  # the secret, at once
    assert answer.status_code == (200 if shown else 302), answer.content


@pytest.mark.parametrize("name", [name for name in FORMS if "{desk}" in FORMS[name][0]])
def test_a_form_of_others_is_refused(name: str, room: Room) -> None:
    path, form, _ = FORMS[name]
    before = counts()
    answer = room.post(signed_in(room.stranger.user), path, form)
    assert answer.status_code in (403, 404)
    assert counts() == before


@pytest.mark.parametrize("kind", ACTS)
def test_a_form_of_the_console_records_its_act(kind: str, room: Room) -> None:
    form = {name: room.fill(value) for name, value in ACTS[kind].items()} | {"type": kind}
    if form.get("table") == "2":
        form["table"] = room.other
    if kind == "pairing-changed":
        form["irregular"] = "1"
    path = f"/tournaments/{room.tournament.code}/console/"
    answer = room.post(signed_in(room.opener.user), path, form)
    assert answer.status_code == 302, answer.content.decode()[-3000:]
    newest = room.tournament.log.events.filter(ordinal=0).order_by("-version").first()
    assert newest is not None
    assert newest.type == kind


def test_every_page_that_takes_a_post_is_in_the_table() -> None:
    client = signed_in(factories.user())
    found = pages(get_resolver().url_patterns)
    writing = {
        name
        for name, path in found
        if name.startswith("league:") and client.post(path).status_code != 405
    }
    assert writing == NAMES


def test_what_the_console_refuses_it_says_and_keeps_its_status(room: Room) -> None:
    path = f"/tournaments/{room.tournament.code}/console/"
    answer = room.post(signed_in(room.opener.user), path, {"type": "round-closed", "round": "2"})
    assert answer.status_code == 422
    assert "Results of round 2 are missing" in answer.content.decode()


def test_every_action_of_the_admin_records_by_a_service(room: Room) -> None:
    staff = room.who("staff")
    assert staff is not None
    client = signed_in(staff.user)
    for action, kind in (("call_time", "time-called"), ("hold", "results-held")):
        _act(client, "tournament", action, room.tournament.pk)
        assert _newest(room.tournament) == kind
    path = "/admin/league/tournament/"
    show = {"action": "show", "_selected_action": str(room.tournament.pk)}
    assert "cannot be hidden again" in client.post(path, show).content.decode()
    assert _newest(room.tournament) == "results-held"
    assert client.post(path, show | {"sure": "yes"}).status_code == 302
    assert _newest(room.tournament) == "results-shown"
    for action, kind in (
        ("drop", "dropped"),
        ("bring_back", "returned"),
        ("check_in", "checked-in"),
    ):
        _act(client, "entry", action, room.entry.pk)
        assert _newest(room.tournament) == kind
    head = room.tournament.log.head_version
    for action in ("pair", "publish", "close_round", "close", "award"):  # none may be done now
        _act(client, "tournament", action, room.tournament.pk)
    room.tournament.log.refresh_from_db()
    assert room.tournament.log.head_version == head
    known = {"call_time", "hold", "show", "pair", "publish", "close_round", "close", "award"}
    assert set(admin.site._registry[Tournament].actions) == known


def _act(client: Client, model: str, action: str, pk: Any) -> None:
    form = {"action": action, "_selected_action": str(pk)}
    assert client.post(f"/admin/league/{model}/", form).status_code == 302


def _newest(tournament: Tournament) -> str:
    tournament.log.refresh_from_db()
    return tournament.log.events.get(version=tournament.log.head_version, ordinal=0).type


def test_a_withdrawn_tournament_is_out_of_view(room: Room) -> None:
    path = f"/tournaments/{room.tournament.code}/"
    assert signed_in(room.player.user).post(f"{path}withdraw/").status_code == 403
    assert signed_in(room.opener.user).post(f"{path}withdraw/").status_code == 302
    assert Client().get(path).status_code == 404
    assert signed_in(room.opener.user).get(path).status_code == 200


def test_who_sits_at_a_table_opens_its_match(room: Room) -> None:
    number = desks.table_of(room.tournament, 1)
    path = f"/tournaments/{room.tournament.code}/rounds/2/tables/{number}/play/"
    assert signed_in(room.stranger.user).post(path).status_code == 403
    answer = signed_in(room.player.user).post(path)
    assert answer.status_code == 302
    match = room.tournament.matches.get().match
    assert answer.url == f"/matches/{match.code}/table/"


def test_one_joins_a_league_once() -> None:
    home = desks.league()
    client = signed_in(factories.user())
    for _ in range(2):
        assert client.post(f"{home.get_absolute_url()}join/").status_code == 302
    assert home.members.filter(role="player").count() == 1


def test_a_deck_is_registered_and_what_is_wrong_with_it_is_said() -> None:
    cup = desks.tournament(ruleset="zg")
    me = factories.actor()
    entry = services.enter(tournament=cup, by=me, act_id=uuid4())
    client = signed_in(me.user)
    path = f"/tournaments/{cup.code}/deck/"
    assert client.post(path, {"deck": "{"}).status_code == 400
    answer = client.post(path, {"deck": "name | slot | colour\nGrip | Claw | Red"})
    assert answer.status_code == 302
    entry.refresh_from_db()
    assert entry.deck
    assert entry.deck_problems


def test_a_krewe_is_of_those_who_play_in_its_league_and_may_be_taken_away() -> None:
    opener, captain, mate, stranger = (factories.actor() for _ in range(4))
    home = desks.league(opener)
    krewes = f"{home.get_absolute_url()}krewes/"
    assert signed_in(stranger.user).post(krewes, {"name": "Cinders"}).status_code == 403
    for actor in (captain, mate):
        services.join(by=actor, league=home)
    krewe = services.make_krewe(by=captain, league=home, name="Cinders", players=[mate.player])
    path, organiser = krewe.get_absolute_url(), signed_in(opener.user)
    lead = {"player": mate.player_id, "do": "captain"}
    assert signed_in(stranger.user).post(path, lead).status_code == 403
    assert b"Make captain" in organiser.get(path).content
    assert organiser.post(path, lead).status_code == 302
    gone = {"player": captain.player_id, "do": "leave"}
    assert organiser.post(path, gone).status_code == 302
    krewe.refresh_from_db()
    assert (krewe.captain, [*krewe.players.all()]) == (mate.player, [mate.player])
    assert signed_in(captain.user).post(path, {"do": "remove"}).status_code == 403
    cup = desks.tournament(opener, league=home, enters="krewe")
    entry = services.enter(tournament=cup, by=opener, act_id=uuid4(), krewe=krewe)
    assert organiser.post(path, {"do": "remove"}).status_code == 409
    assert b"Remove this krewe" not in organiser.get(path).content
    entry.delete()
    assert b"Remove this krewe" in organiser.get(path).content
    assert organiser.post(path, {"do": "remove"}).headers["Location"] == home.get_absolute_url()
    assert not home.krewes.exists()


def test_a_krewe_is_led_and_taken_away_by_the_api() -> None:
    opener, captain, mate = (factories.actor() for _ in range(3))
    home = desks.league(opener)
    for actor in (captain, mate):
        services.join(by=actor, league=home)
    krewe = services.make_krewe(by=captain, league=home, name="Cinders")
    api, path = Api(opener), f"krewes/{krewe.pk}/"
    mine = str(mate.player_id)
    problem(api.patch(path, {"captain": mine}), 400, "not-a-member")
    change = {"add": mine, "captain": mine, "remove": str(captain.player_id)}
    told = api.patch(path, change).json()
    assert (told["captain"], told["players"]) == (mine, [mine])
    problem(Api(captain).patch(path, {"removed": True}), 403, "not-allowed")
    assert api.patch(path, {"removed": True}).status_code == 204
    problem(api.get(path), 404, "no-such-krewe")


def test_a_krewe_is_of_the_league_and_keeps_a_captain_whoever_leaves_it() -> None:
    opener, captain, mate, stranger = (factories.actor() for _ in range(4))
    home = desks.league(opener)
    for actor in (captain, mate):
        services.join(by=actor, league=home)
    path, sent = f"leagues/{home.slug}/krewes/", {"name": "Cinders", "players": []}
    known, unknown = str(mate.player_id), str(stranger.player_id)
    wrong = problem(
        Api(captain).post(path, sent | {"players": [known, unknown]}), 400, "not-a-member"
    )
    assert [each["where"] for each in wrong["errors"]] == ["$.players[1]"]
    with pytest.raises(NotAllowed):
        services.make_krewe(by=captain, league=home, name="Cinders", captain=mate.player)
    krewe = services.make_krewe(by=captain, league=home, name="Cinders", players=[mate.player])
    wrong = problem(
        Api(captain).patch(f"krewes/{krewe.pk}/", {"add": unknown}), 400, "not-a-member"
    )
    assert [each["where"] for each in wrong["errors"]] == ["$.add"]

    seen = Krewe.objects.get()  # before the captain changes
    services.edit_krewe(by=captain, krewe=krewe, captain=mate.player)
    with pytest.raises(Conflict) as refused:
        services.leave_krewe(by=mate, krewe=seen, player=mate.player)
    assert refused.value.code == "is-captain"
    problem(Api(captain).patch(f"krewes/{krewe.pk}/", {"remove": known}), 403, "not-allowed")
    services.leave_krewe(by=captain, krewe=seen, player=captain.player)
    assert [*krewe.players.all()] == [mate.player]
    cup = desks.tournament(opener, league=home, enters="krewe")
    services.enter(tournament=cup, by=mate, act_id=uuid4(), krewe=krewe)
    problem(Api(opener).patch(f"krewes/{krewe.pk}/", {"removed": True}), 409, "has-entered")
    with pytest.raises(NotFound):
        services.leave_krewe(by=opener, krewe=Krewe(pk=uuid4(), league=home), player=mate.player)


def test_a_krewe_is_made_filled_and_entered_by_its_captain() -> None:
    opener, captain, mate, stranger = (factories.actor() for _ in range(4))
    home = desks.league(opener)
    cup = desks.tournament(opener, league=home, enters="krewe")
    client = signed_in(captain.user)
    for actor in (captain, mate):
        services.join(by=actor, league=home)
    entries = f"/tournaments/{cup.code}/entries/"
    krewes = f"{home.get_absolute_url()}krewes/"
    assert b"Krewes enter here" in client.get(entries).content
    assert client.post(krewes, {"name": " "}).status_code == 400
    assert client.post(krewes, {"name": "Cinders"}).status_code == 302
    assert client.post(krewes, {"name": "Cinders"}).status_code == 409
    krewe = home.krewes.get()
    path = krewe.get_absolute_url()
    for actor, status in ((mate, 302), (stranger, 400)):
        assert client.post(path, {"player": actor.player_id}).status_code == status
    assert client.post(path, {"player": "x"}).status_code == 400
    by_mate, by_stranger = signed_in(mate.user), signed_in(stranger.user)
    assert by_stranger.post(path, {"player": mate.player_id, "do": "leave"}).status_code == 403
    assert client.post(path, {"player": captain.player_id, "do": "leave"}).status_code == 409
    assert mate.player in krewe.players.all()

    form = {"act_id": str(uuid4()), "krewe": str(krewe.pk)}
    assert by_mate.post(entries, form).status_code == 403
    assert by_stranger.post(entries, form | {"krewe": str(uuid4())}).status_code == 404
    assert client.post(entries, form).status_code == 302
    assert cup.entries.get().krewe == krewe
    assert b"You are in as <b>Cinders</b>" in by_mate.get(entries).content

    assert by_mate.post(path, {"player": mate.player_id, "do": "leave"}).status_code == 302
    other = services.make_krewe(by=mate, league=home, name="Drift")
    console = f"/tournaments/{cup.code}/console/"
    by_opener = signed_in(opener.user)
    assert b"Drift" in by_opener.get(console).content
    form = {"act_id": str(uuid4()), "do": "enter", "krewe": str(other.pk)}
    assert by_opener.post(console, form).status_code == 302
    assert {entry.krewe for entry in cup.entries.all()} == {krewe, other}


# What the admin lets its superuser do with each model: forms, and actions.
ADMIN: dict[str, tuple[str, set[str]]] = {
    "venue": ("add change delete", set()),
    "league": ("add change", set()),
    "season": ("add change delete", set()),
    "adjustment": ("add", set()),
    "circuit": ("add change delete", set()),
    "krewe": ("add change delete", set()),
    "sanction": ("add change", {"lift"}),
    "tournament": (
        "change",
        {"pair", "publish", "call_time", "close_round", "hold", "show", "close", "award"},
    ),
    "entry": ("add", {"check_in", "drop", "bring_back"}),
    "pairing": ("", set()),
    "standing": ("", set()),
    "penalty": ("", set()),
    "pairingletter": ("", {"try_again"}),
    "reminder": ("", {"try_again"}),
    "delivery": ("", {"send_again"}),
}


def test_the_admin_takes_the_forms_it_is_meant_to_and_no_other() -> None:
    """What stands in a desk's log is written by its acts alone, whoever fills a form in."""
    request = RequestFactory().get("/")
    request.user = _staff(Room()).user
    found = {
        model._meta.model_name: (
            " ".join(
                verb
                for verb in ("add", "change", "delete")
                if getattr(each, f"has_{verb}_permission")(request)
            ),
            set(each.actions),
        )
        for model, each in admin.site._registry.items()
        if model._meta.app_label == "league"
    }
    assert {name: found.get(name) for name in ADMIN} == ADMIN
    readonly = {name for name in found if found[name] == ("", set())}
    assert found.keys() - readonly <= ADMIN.keys()


def test_the_admin_enters_a_guest_or_a_player_at_the_desk(room: Room) -> None:
    client, cup = signed_in(_staff(room).user), room.fresh
    path, player = "/admin/league/entry/add/", {"player": room.stranger.player_id}

    assert client.post(path, {"tournament": cup.pk}).status_code == 200  # nobody is named
    assert not cup.entries.exists()
    for form in ({"guest": "Ada"}, player):
        answer = client.post(path, {"tournament": cup.pk, **form})
        assert answer.status_code == 302, answer.content
        assert _newest(cup) == "entered"
    assert client.post(path, {"tournament": cup.pk, **player}).status_code != 302
    assert cup.entries.count() == 2
    page = client.get(reverse("admin:league_entry_change", args=[cup.entries.earliest("pk").pk]))
    assert b"Deck at:" in page.content
    assert b"Pieces:" not in page.content  # they are the deck


def test_the_admin_changes_what_stands_around_a_desk_and_records_nothing(room: Room) -> None:
    client, cup = signed_in(_staff(room).user), room.fresh
    path = f"/admin/league/tournament/{cup.pk}/change/"
    head = cup.log.head_version
    good = {
        "title": "New",
        "timezone": "Europe/Berlin",
        "visibility": "public",
        "decks": "none",
        "round_minutes": "5",
        "remind_hours": "0",
        "shared_prizes": "order",
        "starts_at_0": "",
        "starts_at_1": "",
        "plans-TOTAL_FORMS": "0",
        "plans-INITIAL_FORMS": "0",
        "prizes-TOTAL_FORMS": "1",
        "prizes-INITIAL_FORMS": "0",
        "prizes-0-place": "1",
        "prizes-0-amount": "5",
        "prizes-0-tournament": cup.pk,
    }
    for bad in ({"timezone": "Moon/Tycho"}, {"prizes-0-amount": "0"}):
        assert client.post(path, good | bad).status_code == 400
    cup.refresh_from_db()
    assert (cup.title, cup.prizes.count()) == ("Cup", 0)
    answer = client.post(path, good)
    assert answer.status_code == 302, answer.content
    cup.refresh_from_db()
    assert (cup.title, cup.timezone) == ("New", "Europe/Berlin")
    assert cup.prizes.get().amount == 5
    cup.log.refresh_from_db()
    assert cup.log.head_version == head


def test_the_admin_leaves_a_league_its_last_organiser(room: Room) -> None:
    client, league = signed_in(_staff(room).user), room.league
    path = f"/admin/league/league/{league.pk}/change/"
    [only] = league.members.all()
    roles = {
        "name": "League",
        "slug": league.slug,
        "game": "zg",
        "is_open": "on",
        "members-TOTAL_FORMS": "2",
        "members-INITIAL_FORMS": "1",
        "members-0-id": only.pk,
        "members-0-league": league.pk,
        "members-1-league": league.pk,
        "members-1-role": "judge",
        "members-1-player": room.stranger.player_id,
    }
    answer = client.post(path, roles | {"members-0-DELETE": "on"})
    assert answer.status_code == 409, answer.content
    assert league.members.get() == only
    assert client.post(path, roles).status_code == 302
    assert league.members.filter(role="judge").count() == 1


def test_the_admin_lists_those_who_run_a_league_and_leads_to_its_players(room: Room) -> None:
    """A form with a row for each of five hundred players is more than a site takes."""
    services.name_member(
        by=room.opener, league=room.league, player=room.stranger.player, role="player"
    )
    path = f"/admin/league/league/{room.league.pk}/change/"
    page = signed_in(_staff(room).user).get(path).content.decode()
    assert 'name="members-INITIAL_FORMS" value="1"' in page
    assert f'href="/leagues/{room.league.slug}/roles/"' in page


def test_the_admin_bans_until_a_day_and_lifts_it(room: Room) -> None:
    staff = _staff(room)
    client, path = signed_in(staff.user), "/admin/league/sanction/add/"
    ban = {"league": room.league.pk, "player": room.stranger.player_id, "reason": "Rude."}

    assert client.post(path, ban | {"kind": "ban", "ends_on": ""}).status_code == 400
    assert client.post(path, ban | {"kind": "exile", "ends_on": ""}).status_code == 302
    held = room.league.sanctions.get()
    assert held.given_by == staff.player
    _act(client, "sanction", "lift", held.pk)
    held.refresh_from_db()
    assert held.lifted_on is not None


def _staff(room: Room) -> Actor:
    staff = room.who("staff")
    assert staff is not None
    return staff
