"""E-mail reminders: once per event and player, none for what was moved or is over."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone

from league import clocks, reminders, scheduling, services, tasks, telling
from league.models import Reminder, RoundDate, Tournament
from matches import erasing
from matches.actors import Actor
from matches.followers import work
from rules.desk.acts import Options
from tests import factories
from tests.factories import signed_in
from tests.league import desks
from tests.league.test_notices import named
from tests.league.world import leagues

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def told() -> list[str]:
    """Do what a worker does; return who got which letter."""
    before = len(mail.outbox)
    tasks.send_reminders()
    fresh = mail.outbox[before:]
    return sorted(f"{each.to[0].partition('@')[0]}: {each.subject}" for each in fresh)


def cup(*people: Actor, **details: Any) -> Tournament:
    made = desks.tournament(title="Cup", **details)
    for actor in people:
        services.enter(tournament=made, by=actor, act_id=uuid4())
    desks.entered(made, 4 - len(people))
    return made


def in_hours(hours: int) -> Any:
    return timezone.now() + hours * HOUR


def edit(made: Tournament, **changes: Any) -> None:
    services.edit_tournament(by=desks.organiser(made), tournament=made, **changes)


def test_a_day_before_it_begins_who_is_in_is_reminded_once() -> None:
    ada, bo, cy = named("ada"), named("bo"), named("cy", verified=False)
    venue = leagues(factories.actor()).venue
    made = cup(ada, bo, cy, starts_at=in_hours(30), venue=venue)
    desks.act(made, "dropped", entrant=2)
    assert told() == []
    edit(made, starts_at=in_hours(23), timezone="Europe/Berlin")
    (letter,) = told()
    assert letter.startswith("ada: Cup begins ")
    assert letter.endswith("(Berlin)")
    assert told() == []
    body = mail.outbox[-1].body
    assert "Where: Tycho hall, Luna" in body
    assert f"/tournaments/{made.code}/" in body
    assert "Check in" not in body and "deck" not in body
    assert mail.outbox[-1].extra_headers["List-Unsubscribe"].strip("<>") in body


def test_who_has_no_legal_deck_and_has_to_check_in_is_told_where() -> None:
    ada = named("ada")
    options = Options(check_in=True)
    made = cup(ada, starts_at=in_hours(5), ruleset="zx", decks="required", desk=options)
    assert len(told()) == 1
    body = mail.outbox[-1].body
    assert f"/tournaments/{made.code}/entries/" in body
    assert f"/tournaments/{made.code}/deck/" in body
    assert "not registered yet" in body
    made.entries.exclude(player=None).update(deck="{}", deck_problems=[{"code": "few"}])
    Reminder.objects.update(settled="")
    assert len(told()) == 1
    assert "not legal" in mail.outbox[-1].body


def test_one_that_is_moved_is_told_anew_and_what_was_not_sent_is_void(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ada = named("ada")
    made = cup(ada, starts_at=in_hours(20))

    def away(self: EmailBackend) -> None:
        raise ConnectionRefusedError

    with monkeypatch.context() as patched:
        patched.setattr(EmailBackend, "open", away)
        assert told() == []
    assert Reminder.objects.get().attempts == 0
    edit(made, starts_at=in_hours(50))
    assert told() == []
    edit(made, starts_at=in_hours(10))
    assert len(told()) == 1
    edit(made, starts_at=in_hours(12))
    assert len(told()) == 1
    assert Reminder.objects.get().sent == 2


def test_hours_say_how_long_before_and_none_is_never() -> None:
    ada = named("ada")
    made = cup(ada, starts_at=in_hours(20), remind_hours=0)
    assert told() == []
    edit(made, remind_hours=2)
    assert told() == []
    edit(made, remind_hours=21)
    assert len(told()) == 1


def test_nobody_is_reminded_of_what_has_begun_was_withdrawn_or_is_over() -> None:
    ada = named("ada")
    begun, withdrawn, over = (cup(ada, starts_at=in_hours(5)) for _ in range(3))
    desks.start(begun)
    services.withdraw(by=desks.organiser(withdrawn), tournament=withdrawn)
    Tournament.objects.filter(pk=over.pk).update(starts_at=timezone.now() - HOUR)
    assert told() == []


def test_nobody_is_reminded_of_a_match_of_what_is_closed_with_its_results_held_back() -> None:
    made = cup(named("ada"))
    desks.start(made)
    desks.paired(made)
    by = desks.organiser(made)
    services.set_date(by=by, tournament=made, number=1, deadline=in_hours(20))
    desks.act(made, "results-held", round=1)
    desks.act(made, "tournament-closed", irregular=True)
    assert told() == []


def test_whose_match_is_not_reported_is_reminded_before_the_deadline() -> None:
    ada, bo = named("ada"), named("bo")
    made = cup(ada, bo)
    desks.start(made)
    desks.paired(made)
    tables = {name: desks.table_of(made, n) for n, name in enumerate(("ada", "bo"), 1)}
    assert tables["ada"] != tables["bo"]
    desks.play(made, tables=[tables["bo"]])
    by = desks.organiser(made)
    services.set_date(by=by, tournament=made, number=1, deadline=in_hours(30))
    assert told() == []
    services.set_date(by=by, tournament=made, number=1, deadline=in_hours(20))
    assert told() == ["ada: Cup: your match of round 1 is not reported"]
    body = mail.outbox[-1].body
    assert f"/rounds/1/tables/{tables['ada']}/" in body
    assert "To be played by: " in body
    assert told() == []


def test_who_set_a_date_is_told_once_why_the_round_was_not_paired() -> None:
    ada = named("ada")
    made = desks.tournament(ada, title="Cup")
    desks.entered(made, 4)
    desks.start(made)
    desks.paired(made)
    services.set_date(by=ada, tournament=made, number=2, pairs_at=in_hours(1))
    RoundDate.objects.update(pairs_at=timezone.now() - HOUR)
    assert told() == []  # it was not tried yet
    for _ in range(2):
        scheduling.pair(RoundDate.objects.get().pk)
        desks.play(made, tables=[1])
    assert told() == ["ada: Cup: round 2 is not paired"]
    assert "Why: Results are missing: table 2." in mail.outbox[-1].body
    scheduling.pair(RoundDate.objects.get().pk)
    assert told() == []
    desks.play(made, tables=[2])
    assert scheduling.pair(RoundDate.objects.get().pk)
    assert told() == []


def test_letters_that_are_off_are_off_for_reminders_and_languages_are_kept() -> None:
    ada, bo = named("ada"), named("bo")
    assert ada.player is not None and bo.player is not None
    telling.set_letters(bo.player, letters=False)
    page = signed_in(ada.user)
    assert page.post("/theme/", {"theme": "auto", "language": "de"}).status_code == 302
    cup(ada, bo, starts_at=in_hours(5))
    (letter,) = told()
    assert letter.startswith("ada: ")
    assert "Hallo ada,\n" in mail.outbox[-1].body
    erasing.erase(by=ada, player=ada.player)
    assert not Reminder.objects.filter(player=ada.player).exists()


def test_one_tournament_that_fails_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    ada = named("ada")
    broken, sound = (cup(ada, starts_at=in_hours(hours)) for hours in (4, 5))
    folded = reminders.desks.desk_of

    def desk_of(tournament: Tournament) -> Any:
        if tournament.pk == broken.pk:
            raise ValueError("its log does not fold")
        return folded(tournament)

    monkeypatch.setattr(reminders.desks, "desk_of", desk_of)
    assert len(told()) == 1
    assert Reminder.objects.get().tournament_id == sound.pk


def meeting(**details: Any) -> tuple[Tournament, dict[str, int], int]:
    """Return a tournament with ada and bo at one table, their numbers, and that table."""
    made = desks.tournament(title="Cup", **details)
    for name in ("ada", "bo"):
        services.enter(tournament=made, by=named(name), act_id=uuid4())
    desks.start(made)
    desks.paired(made)
    return made, {"ada": 1, "bo": 2}, desks.table_of(made, 1)


def propose(made: Tournament, by: int, at: datetime) -> None:
    act = {"type": "time-proposed", "round": 1, "table": 1, "at": int(at.timestamp()), "by": by}
    services.record(tournament=made, by=desks.organiser(made), act_id=uuid4(), act=act)
    work(made.pk)


def test_what_is_proposed_and_agreed_at_a_table_is_told_at_once_and_again_before_it() -> None:
    made, numbers, table = meeting()
    agreed = in_hours(300)
    propose(made, numbers["ada"], agreed)
    assert told() == ["bo: Cup: when to play your match of round 1"]
    body = mail.outbox[-1].body
    assert "ada proposes when to play at table 1." in body
    assert f"/rounds/1/tables/{table}/" in body
    assert told() == []

    propose(made, numbers["bo"], in_hours(400))
    assert told() == ["ada: Cup: when to play your match of round 1"]
    propose(made, numbers["bo"], agreed)
    when = clocks.format_time(agreed.replace(second=0), "UTC")
    assert told() == [f"{name}: Cup: you play round 1 on {when}" for name in ("ada", "bo")]
    assert told() == []

    propose(made, 0, in_hours(20))
    assert len(told()) == 2
    propose(made, 0, in_hours(30))
    assert len(told()) == 2
    desks.act(made, "result-reported", round=1, table=1, scores=[2, 0])
    work(made.pk)
    edit(made, remind_hours=40)
    assert told() == []


def test_before_the_time_agreed_both_are_reminded_once() -> None:
    made, _, _ = meeting(remind_hours=0)
    propose(made, 0, in_hours(30))
    assert len(told()) == 2
    edit(made, remind_hours=40)
    assert len(told()) == 2
    assert told() == []
    assert sorted({each.kind for each in Reminder.objects.all()}) == ["agreed", "plays"]


def test_tables_that_agreed_on_the_same_time_are_all_told() -> None:
    made = cup(*map(named, ("ada", "bo", "cy", "di")))
    desks.start(made)
    desks.paired(made)
    at = in_hours(30)
    for table in (1, 2):
        desks.act(made, "time-proposed", round=1, table=table, at=int(at.timestamp()))
    work(made.pk)
    assert [each.partition(":")[0] for each in told()] == ["ada", "bo", "cy", "di"]


def test_a_time_that_passed_or_a_table_paired_anew_is_not_told() -> None:
    made = cup(named("ada"), named("bo"))
    desks.start(made)
    desks.paired(made)
    propose(made, 0, in_hours(-1))
    assert told() == []
    propose(made, 0, in_hours(30))
    first, second = desks.desk(made).rounds[0].tables
    swapped = {"seat_number": 1, "entrant": second.players[0], "note": "Mixed up."}
    desks.act(made, "pairing-changed", table=first.number, **swapped)
    assert told() == []
