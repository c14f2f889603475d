"""Players told where they sit: e-mails sent once, switched off with a click, and a calendar."""

from datetime import UTC, datetime, timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from league import calendars, notices, recording, services
from league.models import PairingLetter, Tournament
from league.tasks import send_letters
from matches import erasing, followers, jobs
from matches.actors import Actor
from matches.breaker import Breaker
from matches.errors import NotFound
from tests import factories
from tests.factories import signed_in
from tests.league import desks
from tests.league.world import leagues

pytestmark = pytest.mark.django_db


def named(name: str, *, verified: bool = True) -> Actor:
    """Return a new user with an address."""
    actor = factories.actor(name)
    EmailAddress.objects.create(
        user=actor.user, email=f"{name}@league.example", verified=verified, primary=True
    )
    return actor


def cup(*people: Actor, **details: Any) -> Tournament:
    """Return a tournament with people in it, and guests to make them four."""
    made = desks.tournament(title="Cup", **details)
    for actor in people:
        services.enter(tournament=made, by=actor, act_id=uuid4())
    desks.entered(made, 4 - len(people))
    desks.start(made)
    return made


def told(tournament: Tournament) -> list[str]:
    """Do what a worker does; return who got a letter."""
    before = len(mail.outbox)
    followers.work(tournament.pk)
    sent = notices.send_due(tournament.pk)
    assert sent == len(mail.outbox) - before
    return sorted(message.to[0].partition("@")[0] for message in mail.outbox[before:])


def test_who_has_a_confirmed_address_is_told_once_and_again_when_the_pairing_changes() -> None:
    ada, bo, cy = named("ada"), named("bo"), named("cy", verified=False)
    made = cup(ada, bo, cy, round_minutes=50)
    assert told(made) == []
    services.set_date(
        by=desks.organiser(made),
        tournament=made,
        number=1,
        deadline=timezone.now() + timedelta(days=6),
    )
    desks.paired(made)

    assert told(made) == ["ada", "bo"]
    assert told(made) == []
    table = desks.table_of(made, 1)
    letter = next(each for each in mail.outbox if each.to == ["ada@league.example"])
    assert letter.subject.startswith(f"Cup: round 1, table {table} with ")
    assert f"/tournaments/{made.code}/rounds/1/tables/{table}/" in letter.body
    assert "50 minutes" in letter.body
    assert "To be played by:" in letter.body
    assert "changed" not in letter.body

    made.log.refresh_from_db()
    version = recording.before_round(notices.desks.timeline(made), 1)
    assert version is not None
    services.take_back(tournament=made, by=desks.organiser(made), act_id=uuid4(), to=version)
    assert told(made) == []
    desks.paired(made)
    assert told(made) == []  # the same pairing again

    two = desks.desk(made).rounds[0].tables[1]
    swap = {"table": 1, "seat_number": 1, "entrant": two.players[0]}
    desks.act(made, "pairing-changed", note="Cables.", **swap)
    assert told(made) == ["ada", "bo"]
    assert "Your pairing has changed" in mail.outbox[-1].body
    assert len({each.extra_headers["Message-ID"] for each in mail.outbox}) == 4


def test_a_bye_is_told_and_a_round_that_is_over_is_not() -> None:
    ada = named("ada")
    made = desks.tournament(title="Cup", starts_at=datetime(2031, 9, 1, 10, tzinfo=UTC))
    services.enter(tournament=made, by=ada, act_id=uuid4())
    desks.entered(made, 2)
    desks.start(made)
    byes = []
    for _ in range(3):
        desks.paired(made)
        if 1 in desks.desk(made).rounds[-1].byes:
            assert told(made) == ["ada"]
            byes.append(mail.outbox[-1])
            desks.play(made)
        else:
            desks.play(made)
            assert told(made) == []
    assert [letter.subject[-10:] for letter in byes] == [", no match"]
    assert "1 Sep 2031, 10:00 UTC" in byes[0].body  # not before the tournament begins


def test_a_letter_is_in_the_language_its_reader_chose() -> None:
    ada, bo = named("ada"), named("bo")
    page = signed_in(ada.user)
    assert page.post("/theme/", {"theme": "auto", "language": "de"}).status_code == 302
    made = cup(ada, bo)
    desks.paired(made)
    assert told(made) == ["ada", "bo"]
    german, english = sorted(mail.outbox, key=lambda letter: letter.to[0])
    assert german.subject.startswith("Cup: Runde 1, Tisch ")
    assert english.subject.startswith("Cup: round 1, table ")
    assert "Hallo ada,\n" in german.body
    assert ada.player is not None
    page.post("/me/told/", {"do": "calendar"})
    feed = Client().get(reverse("league:calendar", args=[calendars.token_of(ada.player)]))
    (event,) = Calendar.from_ical(feed.content).walk("VEVENT")
    assert event["summary"].startswith(german.subject), "a calendar as well"


def test_a_krewe_is_told_as_a_whole() -> None:
    ada, bo = named("ada"), named("bo")
    home = desks.league(ada)
    assert bo.player is not None
    services.join(by=bo, league=home)
    krewe = services.make_krewe(by=ada, league=home, name="Cinders", players=[bo.player])
    made = desks.tournament(ada, league=home, enters="krewe")
    services.enter(tournament=made, by=ada, act_id=uuid4(), krewe=krewe)
    desks.act(made, "entered", label="Red")
    desks.start(made)
    desks.paired(made)
    assert told(made) == ["ada", "bo"]


def test_a_letter_is_lost_to_no_server_and_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bo = named("ada"), named("bo")
    made = cup(ada, bo)
    desks.paired(made)
    followers.work(made.pk)

    def away(self: EmailBackend) -> None:
        raise ConnectionRefusedError

    with monkeypatch.context() as patched:
        patched.setattr(EmailBackend, "open", away)
        assert notices.send_due() == 0
    assert set(PairingLetter.objects.values_list("attempts", flat=True)) == {0}

    def refused(self: EmailBackend, messages: list[Any]) -> int:
        raise SMTPRecipientsRefused({messages[0].to[0]: (550, b"nobody")})

    with monkeypatch.context() as patched:
        patched.setattr(EmailBackend, "send_messages", refused)
        assert notices.send_due() == 0
    assert all("nobody" in each.error for each in PairingLetter.objects.all())
    assert not notices.due().exists()  # for a while
    PairingLetter.objects.update(due_at=datetime(2026, 1, 1, tzinfo=UTC))

    def killed(self: EmailBackend, messages: list[Any]) -> int:
        mail.outbox += messages
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(EmailBackend, "send_messages", killed)
        with pytest.raises(KeyboardInterrupt):
            notices.send_due()
    assert notices.send_due() == 1  # the other: the first is claimed
    claimed = PairingLetter.objects.exclude(claimed_at=None)
    claimed.update(claimed_at=claimed.get().claimed_at - timedelta(hours=1))
    assert notices.send_due() == 1
    first, _, again = (each.extra_headers["Message-ID"] for each in mail.outbox)
    assert first == again
    assert notices.send_due() == 0


def test_no_worker_is_woken_through_a_broker_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def away(tournament: str) -> None:
        asked.append(tournament)
        raise ConnectionRefusedError

    monkeypatch.setattr(jobs, "broker", Breaker("broker", jobs.broker.errors))
    monkeypatch.setattr(send_letters, "delay", away)
    for _ in range(3):
        notices.wake(uuid4())
    assert len(asked) == 1


def test_a_link_in_a_letter_switches_letters_off_in_one_click() -> None:
    ada = named("ada")
    made = cup(ada)
    desks.paired(made)
    assert told(made) == ["ada"]
    letter = mail.outbox[0]
    link = letter.extra_headers["List-Unsubscribe"].strip("<>")
    assert link in letter.body
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"

    path = link.removeprefix("http://localhost:8000")
    client = Client(enforce_csrf_checks=True)
    assert "Send me none" in client.get(path).content.decode()
    assert client.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert client.post(f"{path.rstrip('/')}x/").status_code == 404
    desks.play(made)
    desks.paired(made)
    assert told(made) == []
    page = signed_in(ada.user)
    assert page.post("/me/told/", {"do": "letters"}).status_code == 302
    desks.play(made)
    desks.paired(made)
    assert told(made) == ["ada"]


def test_a_calendar_has_an_address_of_its_own_that_can_be_ended() -> None:
    ada = named("ada")
    venue = leagues(factories.actor()).venue
    made = cup(ada, starts_at=datetime(2026, 9, 1, 10, tzinfo=UTC), venue=venue)
    desks.paired(made)
    client = signed_in(ada.user)
    assert client.post("/me/told/", {"do": "feed"}).status_code == 400
    addresses = []
    for _ in range(2):
        client.post("/me/told/", {"do": "calendar"})
        assert ada.player is not None
        path = reverse("league:calendar", args=[calendars.token_of(ada.player)])
        assert path in client.get("/me/told/").content.decode()
        addresses.append(path)

    visitor = Client()
    answer = visitor.get(addresses[1])
    events = Calendar.from_ical(answer.content).walk("VEVENT")
    summaries = [str(event["summary"]) for event in events]
    assert summaries[0] == "Cup"
    assert summaries[1].startswith(f"Cup: round 1, table {desks.table_of(made, 1)} with Guest")
    assert {str(event["location"]) for event in events} == {"Tycho hall, Luna"}
    assert b"DTSTART:20260901T100000Z" in answer.content
    assert visitor.get(addresses[1], headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert visitor.get(addresses[0]).status_code == 404
    client.post("/me/told/", {"do": "no-calendar"})
    assert visitor.get(addresses[1]).status_code == 404
    client.post("/me/told/", {"do": "calendar"})
    assert visitor.get(addresses[1]).status_code == 404
    with pytest.raises(NotFound):
        calendars.calendar_for("0~1~forged")


def test_a_tournament_whose_letters_can_not_be_written_stops_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ada = named("ada")
    broken, sound = cup(ada), cup(ada)
    for made in (broken, sound):
        desks.paired(made)
        followers.work(made.pk)
    folded, asked = notices.desks.desk_of, []

    def desk_of(tournament: Tournament) -> Any:
        if tournament.pk == broken.pk:
            asked.append(tournament)
            raise ValueError("its log does not fold")
        return folded(tournament)

    with monkeypatch.context() as patched:
        patched.setattr(notices.desks, "desk_of", desk_of)
        assert notices.send_due() == 1
        assert notices.send_due() == 0  # it is put off, not tried at once again
    (left,) = PairingLetter.objects.filter(sent=0)
    assert left.tournament_id == broken.pk
    assert (left.attempts, left.claimed_at, len(asked)) == (1, None, 1)
    assert "does not fold" in left.error
    PairingLetter.objects.update(due_at=datetime(2026, 1, 1, tzinfo=UTC))
    assert notices.send_due() == 1


def test_who_is_erased_is_told_nothing() -> None:
    ada = named("ada")
    made = cup(ada)
    desks.paired(made)
    followers.work(made.pk)
    assert ada.player is not None
    calendars.renew(ada.player)
    path = reverse("league:calendar", args=[calendars.token_of(ada.player)])
    erasing.erase(by=ada, player=ada.player)
    assert told(made) == []
    assert Client().get(path).status_code == 404
