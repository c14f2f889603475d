"""Erasing a person: nothing names them any more, and every log is unchanged."""

import subprocess
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test import Client
from django.utils import translation

from characters import moving
from characters import services as characters
from characters.models import Campaign, Character, Favour, Section
from matches import actors, erasing, rows, selectors, services, transfer
from matches.errors import Conflict, Impossible, NotAllowed
from matches.models import Event, Job, Key, Log, Match, Note, Player, Proposal
from matches.services import SeatRequest
from matches.verify import verify
from tests import database, factories
from tests.html import squeezed
from tests.league import desks

NAME, HANDLE = "Zephyrine Quackenbush", "zephq77"
TEXT = "my left knee was hurting, says Quackenbush"
WORDS = ("Zephyrine", "Quackenbush", HANDLE, "left knee")
MATCHES = 100


@pytest.fixture
def person() -> actors.Actor:
    user = services.sign_up(username=HANDLE, password=factories.PASSWORD, name=NAME)
    return actors.actor_for(user)


def sat_in(person: actors.Actor, by: actors.Actor, **details: Any) -> Match:
    """Return a match in which somebody sits, records, and says why they took it back."""
    seats = [SeatRequest(player=person.player, label="Red"), SeatRequest(label="Green")]
    match = factories.match(by, "score", seats, **details)
    factories.record(match, by=person)
    services.take_back(match=match, by=person, act_id=uuid4(), to=1, note=TEXT)
    return match


def traces(person: actors.Actor, match: Match) -> Client:
    """Leave every other kind of trace; return a browser that is signed in."""
    player, user = person.player, person.user
    assert player is not None and isinstance(user, User)
    services.add_guest(by=person, name="Their guest")
    factories.key(user)
    Job.objects.create(kind="verify", log=match.log, asked_by=player.pk)
    Proposal.objects.create(match=match, act_id=uuid4(), act="{}", note=TEXT, player=player)
    kind = ContentType.objects.get_for_model(Player)
    LogEntry.objects.create(
        user=factories.user(),
        content_type=kind,
        object_id=player.pk,
        object_repr=NAME,
        action_flag=CHANGE,
    )
    hero = Character.objects.create(owner=player, name="Quackenbush the Bold", tagline=TEXT)
    Section.objects.create(character=hero, kind="notes", text=TEXT, audience="public")
    foe = Character.objects.create(owner=factories.actor().player, name="Bor")
    Favour.objects.create(holder=foe, kind="grudge", who=NAME, text="My shield.", match=match.code)
    pasts(person)
    desks.tournament(by=person, title=f"{HANDLE} Cup", about=f"By {NAME}.")
    for _ in range(2):
        Client().post("/login/", {"username": HANDLE, "password": "wrong"})
    client = factories.signed_in(user)
    client.get("/me/")
    return client


def pasts(person: actors.Actor) -> Character:
    """Leave their names in the past of others' sheets; return one that shows a part by name."""
    player, other = person.player, factories.actor("somebody")
    assert player is not None and other.player is not None
    for name in (NAME, "Zephyrine Before"):  # a name may be another later
        player.name = name
        player.save()
        given = characters.create(by=person, name="Given")
        for giver, taker in ((person, other), (other, person), (person, other)):
            move = moving.offer_to(by=giver, character=given, to=taker.player)
            moving.accept(by=taker, move=move)
            given.refresh_from_db()
    player.name = NAME
    player.save()
    shows = characters.create(by=other, name="Shows")
    home = Campaign.objects.create(owner=player, name="Quackenbush at home")
    moving.accept(by=person, move=moving.ask_to_join(by=other, character=shows, campaign=home))
    for named in ([player, other.player], [other.player]):
        characters.edit_section(
            by=other, character=shows, kind="notes", audience="named", named=named
        )
    return shows


def content() -> bytes:
    """Return every byte the database holds: SQLite's files, or each row of PostgreSQL as text."""
    if connection.vendor == "sqlite":
        path = Path(connection.settings_dict["NAME"])
        beside = [path.with_name(path.name + end) for end in ("-wal", "-journal")]
        # By another process: one that closes the file itself gives up all locks it has on it.
        found = [str(file) for file in (path, *beside) if file.exists()]
        return subprocess.run(["cat", *found], capture_output=True, check=True).stdout
    with connection.cursor() as cursor:
        parts = []
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT t::text FROM "{table}" AS t')
            parts += [row[0].encode() for row in cursor.fetchall()]
    return b"\n".join(parts)


def found(data: bytes | str) -> list[str]:
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    return [word for word in WORDS if word.lower() in text.lower()]


def stored() -> list[Any]:
    return list(Event.objects.order_by("pk").values_list())


@pytest.mark.django_db(transaction=True)
def test_after_a_hundred_matches_nothing_names_them_and_every_log_holds(
    person: actors.Actor,
) -> None:
    opener = factories.actor()
    played = [sat_in(person, opener) for _ in range(MATCHES - 1)]
    played.append(sat_in(person, person, title=f"{NAME} at home", place="Quackenbush hall"))
    client = traces(person, played[0])
    before, digests = stored(), list(Log.objects.order_by("pk").values_list("head_hash"))
    assert found(content())  # there is something to be erased

    services.erase(by=person, player=person.player)

    assert found(content()) == []
    assert stored() == before
    assert list(Log.objects.order_by("pk").values_list("head_hash")) == digests
    assert all(verify(match.log).ok for match in played)
    for match in (*played[:3], played[-1]):
        shown = selectors.match_for(opener, match.code)
        exported = transfer.export_ndjson(shown) + transfer.export_notation(shown).encode()
        assert found(exported) == []
        for path in ("", "verify/", "?at=2"):
            assert found(Client().get(f"/matches/{match.code}/{path}").content) == []
    for path in (
        "/matches/",
        "/matches/?q=Quackenbush",
        f"/players/{person.player_id}/",
        "/characters/",
        "/api/v1/feed/?limit=500",
        "/api/v1/matches/",
        f"/api/v1/players/{person.player_id}/",
    ):
        told = Client().get(path).content.decode().replace('value="Quackenbush"', "")
        assert found(told.replace("q=Quackenbush", "")) == [], path
    assert client.get("/me/").status_code == 302  # signed out everywhere


@pytest.mark.django_db(transaction=True)
def test_a_name_in_a_body_would_be_found(person: actors.Actor) -> None:
    match = sat_in(person, factories.actor())
    with database.as_owner():
        database.triggers.drop()
        Event.objects.filter(log=match.log, version=1).update(body=f'{{"label":"{NAME}"}}')
        database.triggers.put_back()
    services.erase(by=person, player=person.player)
    assert found(content()) == ["Zephyrine", "Quackenbush"]


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_who_is_erased_is_told_so_though_there_is_no_room_to_overwrite_what_was(
    person: actors.Actor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(using: str) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(erasing, "scrub", full)
    client = factories.signed_in(person.user, raise_request_exception=False)
    answer = client.post("/me/erase/", {"password": factories.PASSWORD, "sure": "on"})
    assert (answer.status_code, Player.objects.get(pk=person.player_id).user) == (302, None)
    assert "database or disk is full" in caplog.text


@pytest.mark.django_db
def test_what_is_left_is_a_player_without_a_name(person: actors.Actor) -> None:
    match = sat_in(person, factories.actor())
    traces(person, match)
    link = match.seats.get(number=1).link
    services.erase(by=person, player=person.player)
    player = Player.objects.get(pk=person.player_id)
    assert (player.name, player.user, player.guests.count()) == (erasing.NAMELESS, None, 0)
    with translation.override("de"):
        player.refresh_from_db()
        assert (player.name, erasing.names_of(player)) == ("Gelöschte Person", [])
        player.save()
        shown = selectors.match_for(actors.NOBODY, match.code)
        assert shown.sides()[0] == ("Red", "Gelöschte Person")
        assert selectors.public_tag(match.code) == selectors.public_tag_of(shown) is not None
    player.refresh_from_db()
    assert player.name == erasing.NAMELESS
    page = Client(headers={"Accept-Language": "de"}).get(match.get_absolute_url())
    assert "Gelöschte Person" in page.content.decode()
    assert erasing.NAMELESS not in page.content.decode()
    assert match.seats.get(number=1).link != link
    assert not User.objects.filter(username=HANDLE).exists()
    assert not Key.objects.filter(user__username=HANDLE).exists()
    note = Note.objects.get(log=match.log)
    assert (note.text, note.salt, note.author) == ("", "", None)
    assert note.erased_at


@pytest.mark.django_db
def test_the_past_of_others_sheets_goes_on_without_them(person: actors.Actor) -> None:
    shows = pasts(person)
    services.erase(by=person, player=person.player)
    told = shows.changes.order_by("id").values_list("what", "before", "after")
    assert list(told) == [
        ("campaign", "", "Erased campaign"),
        ("notes audience", "owner", "named"),
        ("notes by name", "", "Erased player, somebody"),
        ("notes by name", "Erased player, somebody", "somebody"),
    ]
    given = Character.objects.filter(name="Given").first()
    assert given is not None
    assert list(given.changes.order_by("id").values_list("before", "after")) == [
        ("Erased player", "somebody"),
        ("somebody", "Erased player"),
        ("Erased player", "somebody"),
    ]


@pytest.mark.django_db
def test_a_tournament_that_names_who_opened_it_is_called_by_its_code(person: actors.Actor) -> None:
    cup = desks.tournament(by=person, title=f"Cup of {NAME}", about=f"At the house of {NAME}.")
    plain = desks.tournament(by=person, title="Spring Cup", about="Bring dice.")
    theirs = desks.tournament(title=f"Honouring {NAME}")
    other = factories.actor("somebody")
    match = factories.match(other, title=f"{cup.title}: round 1, table 2")
    cup.matches.create(round=1, table=2, players="1-2", match=match)
    winner = characters.create(by=other, name="Winner")
    told = characters.Circumstances(party=cup.title)
    entry, shop = (
        characters.record(by=other, character=winner, act_id=uuid4(), what=what)[0]
        for what in (
            characters.Recording(method, amount=5, told=told) for method in ("won", "found")
        )
    )
    services.erase(by=person, player=person.player)
    for each in (cup, plain, theirs, match, entry.words, shop.words):
        each.refresh_from_db()
    assert (cup.title, cup.about) == (f"Tournament {cup.code}", "")
    assert match.title == f"Tournament {cup.code}: round 1, table 2"
    assert entry.words.party == f"Tournament {cup.code}"
    assert shop.words.party == f"Cup of {NAME}"  # somebody else's word for something else
    assert (plain.title, plain.about) == ("Spring Cup", "Bring dice.")
    assert theirs.title == f"Honouring {NAME}"


@pytest.mark.django_db(transaction=True)
def test_all_their_sessions_end_and_none_is_read_while_others_wait(
    person: actors.Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_in, other = Client(), Client()
    said = {"login": HANDLE, "password": factories.PASSWORD}
    assert signed_in.post("/login/", said).status_code == 302
    before = Client()
    before.force_login(person.user)  # as signing in was once: nobody noted whose it is
    other.force_login(factories.user())
    keys = [each.session.session_key for each in (signed_in, before, other)]
    noted = UserSession.objects.filter(session_key__in=keys).values_list("session_key", flat=True)
    assert list(noted) == keys[:1]
    decoded, waiting = Session.get_decoded, []

    def get_decoded(session: Session) -> Any:
        waiting.append(connection.in_atomic_block)
        return decoded(session)

    monkeypatch.setattr(Session, "get_decoded", get_decoded)
    services.erase(by=person, player=person.player)
    assert waiting == [False, False]
    assert list(Session.objects.values_list("pk", flat=True)) == keys[2:]


@pytest.mark.django_db
def test_what_others_wrote_and_are_called_stays(person: actors.Actor) -> None:
    other = factories.actor("somebody")
    match = sat_in(other, other, title="Their table")
    services.erase(by=person, player=person.player)
    match.refresh_from_db()
    assert match.title == "Their table"
    assert Note.objects.get(log=match.log).text == TEXT
    assert Player.objects.get(pk=other.player_id).name == "somebody"


@pytest.mark.django_db
def test_a_name_that_is_a_common_word_blanks_nothing_of_others() -> None:
    word = actors.actor_for(services.sign_up(username="table", password=factories.PASSWORD))
    other = factories.actor("somebody")
    theirs = sat_in(other, other, title="The last table", place="Table hall")
    own = sat_in(word, word, title="Two tables", place="at the TABLE")
    kind = ContentType.objects.get_for_model(Match)
    logged = [
        LogEntry.objects.create(
            user=other.user, content_type=kind, object_id=match.pk, object_repr=said,
            action_flag=CHANGE,
        )
        for match, said in ((theirs, "The last table"), (own, "At the table"))
    ]  # fmt: skip
    services.erase(by=word, player=word.player)
    for match in (theirs, own):
        match.refresh_from_db()
    assert (theirs.title, theirs.place) == ("The last table", "Table hall")
    assert (own.title, own.place) == ("Two tables", "")
    said = [LogEntry.objects.get(pk=entry.pk).object_repr for entry in logged]
    assert said == ["The last table", erasing.NAMELESS]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("山田太郎", "山田太郎杯 2026", True),
        ("山田 太郎", "山田さんの大会", True),
        ("김민준", "김민준의 대회", True),
        ("สมชาย", "ถ้วยสมชายที่สอง", True),
        ("Ada", "Adaの大会", True),
        ("Ada", "Adamant cup", False),
        ("山田太郎", "太郎の大会", False),
    ],
)
def test_a_name_is_found_where_a_script_has_no_spaces(name: str, text: str, found: bool) -> None:
    assert bool(erasing.naming([name]).search(text)) is found


@pytest.mark.django_db
def test_who_is_erased_again_has_no_name_that_blanks_anything() -> None:
    one, boss = factories.actor(), factories.actor()
    User.objects.filter(pk=boss.user.pk).update(is_superuser=True)
    boss.user.refresh_from_db()
    match = factories.match(one, title="Best player -  of all")
    kind = ContentType.objects.get_for_model(Match)
    entry = LogEntry.objects.create(
        user=boss.user, content_type=kind, object_id=match.pk, object_repr="Best player",
        action_flag=CHANGE,
    )  # fmt: skip
    services.erase(by=boss, player=one.player)
    services.erase(by=boss, player=Player.objects.get(pk=one.player_id))
    match.refresh_from_db()
    entry.refresh_from_db()
    assert (match.title, entry.object_repr) == ("Best player -  of all", "Best player")


# -- who may ----------------------------------------------------------------------------------


@pytest.mark.django_db
def test_only_they_themselves_and_a_superuser_may(person: actors.Actor) -> None:
    for other in (actors.NOBODY, factories.actor()):
        with pytest.raises(NotAllowed):
            services.erase(by=other, player=person.player)
    boss = factories.actor()
    User.objects.filter(pk=boss.user.pk).update(is_superuser=True)
    boss.user.refresh_from_db()
    services.erase(by=boss, player=person.player)
    with pytest.raises(Conflict, match="another superuser"):
        services.erase(by=boss, player=boss.player)


@pytest.mark.django_db
def test_the_page_asks_for_the_password_and_signs_out(person: actors.Actor) -> None:
    client = factories.signed_in(person.user)
    asked = squeezed(client.get("/me/erase/"))
    assert "no way back" in asked
    assert "character:" not in asked
    characters.create(by=person, name="Hero")
    asked = squeezed(client.get("/me/erase/"))
    assert "1 character: its name, its portrait and all that is written on its sheet go." in asked
    for wrong in ({"password": "other", "sure": "on"}, {"password": factories.PASSWORD}):
        assert client.post("/me/erase/", wrong).status_code == 400
    said = squeezed(client.post("/me/erase/", {"password": "other"}))
    assert "Your password</a>: This is not" in said
    assert "no way back.</a> This field" in said
    assert Player.objects.get(pk=person.player_id).name == NAME
    said = client.post("/me/erase/", {"password": factories.PASSWORD, "sure": "on"}, follow=True)
    assert "You are erased" in squeezed(said)
    assert client.get("/me/").status_code == 302
    assert Player.objects.get(pk=person.player_id).name == erasing.NAMELESS


@pytest.mark.django_db
def test_the_admin_asks_first(person: actors.Actor, admin_client: Client) -> None:
    chosen = {"action": "erase", "_selected_action": str(person.player_id)}
    asked = admin_client.post("/admin/matches/player/", chosen)
    assert "no way back" in asked.content.decode()
    assert Player.objects.get(pk=person.player_id).name == NAME
    admin_client.post("/admin/matches/player/", chosen | {"sure": "yes"})
    assert Player.objects.get(pk=person.player_id).name == erasing.NAMELESS

    logged = LogEntry.objects.get(object_id=person.player_id)
    assert (logged.object_repr, logged.change_message) == (erasing.NAMELESS, "Erased for good.")
    assert "Erased for good." in admin_client.get("/admin/admin/logentry/").content.decode()
    assert admin_client.get("/admin/admin/logentry/add/").status_code == 403
    actors.player_of(actors.actor_for(logged.user))
    User.objects.create_superuser("another", password=factories.PASSWORD)
    themselves = chosen | {"sure": "yes", "_selected_action": str(logged.user.player.pk)}
    assert admin_client.post("/admin/matches/player/", themselves).status_code == 302
    assert not User.objects.filter(pk=logged.user.pk).exists()


@pytest.mark.django_db
def test_the_admin_forgets_the_names_somebody_had_before(
    person: actors.Actor, admin_client: Client
) -> None:
    where = f"/admin/matches/player/{person.player_id}/"
    now = {"user": person.user.pk, "invited_by": "", "language": ""}
    admin_client.post(f"{where}change/", now | {"name": "Somebody Else"})
    assert found(admin_client.get(f"{where}history/").content.decode())
    services.erase(by=person, player=Player.objects.get(pk=person.player_id))
    assert not found(admin_client.get(f"{where}history/").content.decode())


@pytest.mark.django_db
def test_the_command_says_what_goes_before_it_does(
    person: actors.Actor, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("erase_person", HANDLE)
    assert "Would erase" in capsys.readouterr().out
    call_command("erase_person", str(person.player_id), "--yes")
    assert Player.objects.get(pk=person.player_id).name == erasing.NAMELESS
    for nobody in (HANDLE, str(uuid4())):
        with pytest.raises(CommandError, match="no player"):
            call_command("erase_person", nobody)


# -- no name gets into a setup ------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("label", ["Ada", "Ada Lovelace", "Red Baron", "Side Ada", "Ме", "x1y2"])
def test_a_side_is_not_called_by_a_name(label: str) -> None:
    with pytest.raises(Impossible, match=f"cannot be called {label!r}: "):
        factories.match(seats=[SeatRequest(label=label), SeatRequest()])
    assert not Log.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "label", ["", "Red", "red table", "Side 2", "Team B", "Far side", "Guests"]
)
def test_a_side_is_called_by_words_of_ours(label: str) -> None:
    match = factories.match(seats=[SeatRequest(label=label, name=NAME), SeatRequest()])
    opened = next(rows.records_of(match.log))[0].rows[0].body
    assert found(opened) == []
    assert (label or "Seat 1") in opened


@pytest.mark.django_db
def test_a_file_that_calls_a_side_by_a_name_is_not_taken_in() -> None:
    text = 'ruleset score@1\nseat 1 label="Ada"\nseat 2 label="Green"\n\npoints-scored 1 1\n'
    with pytest.raises(Impossible, match="Ada"):
        services.import_log(by=factories.actor(), data=text.encode(), content_type="text/plain")
