"""A request sent by sixteen at once, or again later, takes effect once, and all get that answer."""

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from copy import copy
from datetime import date
from functools import partial
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.utils.module_loading import import_string
from PIL import Image

from characters import (
    books,
    campaigns,
    cards,
    editing,
    importing,
    ledger,
    loadouts,
    moving,
    portraits,
)
from characters.models import Card, CardSet, Change, GearItem, Goal, LedgerEntry, Loadout, Section
from characters.services import paste
from league import services, webhooks
from league.happenings import EVENTS
from league.models import Entry, Krewe, League, Role, Season, Tournament, Venue, Webhook
from matches import claiming, erasing, faults, keys, once, proposals, scribes
from matches import services as matches
from matches.errors import Conflict, IdReused, NotFound, NotSignedIn
from matches.log import Receipt
from matches.models import Player, Proposal, ScribeLease
from tests import factories
from tests.api.client import Api, problem
from tests.league import desks
from tests.prove import crowd
from tests.prove.crowd import WRITERS
from tests.waiting import PATIENCE

racing = pytest.mark.django_db(transaction=True)


@racing
def test_leagues_and_venues_of_one_name_have_each_an_address() -> None:
    by = factories.actor()

    def found(round_: int, writer: int) -> League | Venue:
        if writer % 2:
            return services.found_league(by=by, name="Belt league")
        return services.open_venue(by=by, name="Belt")

    (answers,) = crowd.rounds(found, 1)
    assert [each for each in answers if isinstance(each, Exception)] == []
    for kind in (League, Venue):
        assert len(set(kind.objects.values_list("slug", flat=True))) == WRITERS // 2


@racing
def test_an_entry_sent_by_sixteen_at_once_is_one() -> None:
    by = factories.actor()
    tournament = desks.tournament(by)
    act_id = uuid4()

    own = [Tournament.objects.get(pk=tournament.pk) for _ in range(WRITERS)]

    def enter(round_: int, writer: int) -> Entry:
        return services.enter(tournament=own[writer], by=by, act_id=act_id, name="Ada")

    (answers,) = crowd.rounds(enter, 1)
    assert [each for each in answers if not isinstance(each, Entry)] == []
    assert Counter(map(once.made_now, answers)) == {True: 1, False: WRITERS - 1}


@racing
def test_whose_entry_was_taken_back_enters_once_again() -> None:
    me = factories.actor()
    tournament = desks.tournament()
    services.enter(tournament=tournament, by=me, act_id=uuid4())
    by = desks.organiser(tournament)
    services.take_back(tournament=tournament, by=by, act_id=uuid4(), to=1)
    own = [Tournament.objects.get(pk=tournament.pk) for _ in range(WRITERS)]

    def enter(round_: int, writer: int) -> Entry:
        return services.enter(tournament=own[writer], by=me, act_id=uuid4())

    (answers,) = crowd.rounds(enter, 1)
    told = Counter(each.code if isinstance(each, Conflict) else type(each) for each in answers)
    assert told == {Entry: 1, "entered-already": WRITERS - 1}
    assert len(desks.desk(Tournament.objects.get(pk=tournament.pk)).people) == 1


@racing
def test_a_round_paired_again_by_sixteen_taps_at_once_is_paired_once() -> None:
    tournament = desks.tournament()
    desks.entered(tournament, 4)
    desks.start(tournament)
    by, act_id = desks.organiser(tournament), uuid4()
    services.pair(tournament=tournament, by=by, act_id=uuid4())
    desks.act(tournament, "dropped", entrant=4)
    own = [Tournament.objects.get(pk=tournament.pk) for _ in range(WRITERS)]

    def pair_again(round_: int, writer: int) -> None:
        services.pair_again(tournament=own[writer], by=by, act_id=act_id)

    before = Tournament.objects.get(pk=tournament.pk).log.head_version
    (answers,) = crowd.rounds(pair_again, 1)
    assert answers == [None] * WRITERS
    assert Tournament.objects.get(pk=tournament.pk).log.head_version == before + 3


@racing
def test_keys_made_by_sixteen_at_once_are_no_more_than_one_may_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    user = factories.actor().user
    assert isinstance(user, User)
    for number in range(keys.LIMIT - 1):
        keys.make(user, name=f"{number}", scopes=["matches"])
        keys.make_by_password(user)

    def slowly(key: str) -> str:
        time.sleep(0.02)  # between counting and keeping
        return digest(key)

    digest = keys._digest
    monkeypatch.setattr(keys, "_digest", slowly)

    def make(round_: int, writer: int) -> str:
        if writer % 2:
            return keys.make_by_password(user)
        return keys.make(user, name=f"of {writer}", scopes=["matches"])

    (answers,) = crowd.rounds(make, 1)
    made = Counter("key" if isinstance(each, str) else each.code for each in answers)
    assert made == {"key": WRITERS // 2 + 1, "too-many-keys": WRITERS // 2 - 1}
    assert keys.keys_of(user).filter(by_password=True).count() == keys.LIMIT


@racing
def test_a_proposal_is_not_both_recorded_and_dismissed() -> None:
    match = factories.match()
    by = factories.opener_of(match)
    own = crowd.copies(match, by)
    kept = [
        matches.propose(match=match, by=by, act_id=uuid4(), act=factories.points()).act_id
        for _ in range(10)
    ]

    def decide(round_: int, writer: int) -> object:
        if writer % 2:
            return proposals.dismiss(match=own[writer], by=by, act_id=kept[round_])
        return matches.accept_proposal(match=own[writer], by=by, act_id=kept[round_])

    for act_id, answers in zip(kept, crowd.rounds(decide, len(kept)), strict=True):
        state = Proposal.objects.get(act_id=act_id).state
        receipts = [each for each in answers if isinstance(each, Receipt)]
        assert len(receipts) == WRITERS // 2, answers
        assert state == Proposal.State.ACCEPTED
        refused = [each for each in answers if isinstance(each, Exception)]
        assert all(isinstance(each, Conflict) and each.code == "recorded" for each in refused)


@racing
def test_one_of_sixteen_becomes_the_scribe_and_one_keeps_a_proposal() -> None:
    match = factories.match()
    by = factories.opener_of(match)
    own = crowd.copies(match, by)
    act_id = uuid4()

    def take(round_: int, writer: int) -> ScribeLease:
        return scribes.take(match=own[writer], by=by, over=None)

    def propose(round_: int, writer: int) -> Proposal:
        return matches.propose(match=own[writer], by=by, act_id=act_id, act=factories.points())

    (took,) = crowd.rounds(take, 1)
    assert sum(once.made_now(each) for each in took if isinstance(each, ScribeLease)) == 1
    (kept,) = crowd.rounds(propose, 1)
    assert sum(once.made_now(each) for each in kept if isinstance(each, Proposal)) == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    "other",
    [
        {"title": "Cups"},
        {"stages": [{"format": "swiss", "rounds": 4}]},
        {"about": "Another."},
        {"round_minutes": 20},
    ],
)
def test_another_tournament_is_not_opened_under_an_id(other: dict[str, Any]) -> None:
    api = Api(factories.actor())
    stages = [{"format": "swiss", "rounds": 3}]
    sent = {"id": str(uuid4()), "title": "Cup", "ruleset": "score", "stages": stages}
    assert [api.post("tournaments/", sent).status_code for _ in range(2)] == [201, 200]
    problem(api.post("tournaments/", sent | other), 409, "id-reused")


@pytest.mark.django_db
def test_what_was_sent_before_is_answered_with_200() -> None:
    by = factories.actor()
    api = Api(by)
    tournament = desks.tournament(by)
    character = paste(by=by, text="Character: Ada")
    undo = {"id": str(uuid4()), "character": str(character.pk)}
    ledger = {
        "id": str(uuid4()),
        "character": str(character.pk),
        "method": "found",
        "line": "Basic Red Claw",
    }
    for path, sent in {
        "tournaments/": {"id": str(uuid4()), "title": "Cup", "ruleset": "score"},
        "entries/": {"id": str(uuid4()), "tournament": tournament.code, "name": "Ada"},
        "ledger/": ledger,
    }.items():
        answers = [api.post(path, sent) for _ in range(2)]
        assert [each.status_code for each in answers] == [201, 200], path
        assert answers[0].json() == answers[1].json()
    listed = f"tournaments/{tournament.code}/import/?kind=entries&dry_run=false&id={uuid4()}"
    told = [api.post(listed, b"name\nBo\n", content_type="text/csv") for _ in range(2)]
    assert [each.status_code for each in told] == [201, 200]
    line = answers[0].json()["results"][0]["id"]
    undone = [api.post(f"ledger/{line}/undo/", undo).status_code for _ in range(2)]
    assert undone == [201, 200]


@racing
def test_what_is_sent_by_sixteen_at_once_into_the_books_is_there_once() -> None:
    by = factories.actor()
    own = [paste(by=by, text=f"Character: Ada {number}") for number in range(3)]
    same, shared = uuid4(), uuid4()
    found = books.Recording("found", line="Basic Red Claw")

    def one(round_: int, writer: int) -> list[LedgerEntry]:
        return books.record(by=by, character=own[0], act_id=same, what=found)

    def others(round_: int, writer: int) -> list[LedgerEntry]:
        return books.record(by=by, character=own[writer % 3], act_id=shared, what=found)

    (answers,) = crowd.rounds(one, 1)
    assert [each for each in answers if isinstance(each, Exception)] == []
    (answers,) = crowd.rounds(others, 1)
    refused = [each for each in answers if isinstance(each, Exception)]
    assert {type(each) for each in refused} == {IdReused}
    assert GearItem.objects.count() == LedgerEntry.objects.count() == 2


@racing
def test_sixteen_may_choose_another_goal_plan_other_stages_and_bring_the_same_cards() -> None:
    by = factories.actor()
    ada = paste(by=by, text="Character: Ada")
    goals = [editing.add_goal(by=by, character=ada, text=f"Goal {n}") for n in range(WRITERS)]
    tournament = desks.tournament(by)
    season = services.open_season(
        by=by,
        league=services.found_league(by=by, name="League"),
        name="Spring",
        starts_on=date(2026, 3, 1),
        ends_on=date(2026, 6, 1),
        divisions=["One"],
    )
    dates: dict[str, Any] = {"starts_on": date(2026, 7, 1), "ends_on": date(2026, 9, 1)}

    def choose(round_: int, writer: int) -> object:
        return editing.edit_goal(by=by, goal=goals[writer], current=True)

    def plan(round_: int, writer: int) -> object:
        stages = [{"format": "swiss", "rounds": writer + 1}] * 2
        return services.plan_stages(by=by, tournament=tournament, stages=stages)

    def bring(round_: int, writer: int) -> object:
        text = "name,slot\nClaw of Ada,Claw\nClaw of Bo,Claw"
        return importing.take_in(by=by, game="zg", text=text, dry_run=False)

    many = "\n".join(["name,slot,cost,set", *(f"Claw {each},Claw,{{}},Reef" for each in range(60))])
    sent: dict[str, Any] = {"by": by, "game": "zg", "update": True, "dry_run": False}
    importing.take_in(**sent, text=many.format(*[0] * 60))
    reef = Card.objects.get(name="Claw 1").card_set

    def rework(round_: int, writer: int) -> object:
        known = copy(reef)  # as each request has its own: one that is deleted loses its key
        if writer % 2:
            return cards.change_set(by=by, card_set=known, shared=writer % 4 == 1)
        if writer % 4:
            [there] = CardSet.objects.filter(name="Reef") or [known]
            return cards.remove_set(by=by, card_set=there)
        return importing.take_in(**sent, text=many.format(*[writer] * 60))

    def roll(round_: int, writer: int) -> Season:
        return services.roll_over(by=by, season=season, name=f"Summer {writer}", **dates)

    for write in (choose, plan, bring, rework, roll):
        (answers,) = crowd.rounds(write, 1)
        assert [each for each in answers if isinstance(each, Exception)] == [], write
    assert ada.goals.filter(current=True).count() == 1
    assert tournament.plans.count() == 2
    assert Card.objects.filter(card_set__name="My cards").count() == 2
    assert Card.objects.filter(card_set__name="Reef").values("cost").distinct().count() <= 1
    assert Season.objects.filter(previous=season).count() == 1


@racing
def test_of_changes_that_name_the_same_version_one_is_made() -> None:
    by = factories.actor()
    league = services.found_league(by=by, name="Belt")
    path = f"leagues/{league.slug}/"
    callers = [Api(by) for _ in range(WRITERS)]
    read = {"if-match": callers[0].get(path).headers["ETag"]}

    def change(round_: int, writer: int) -> int:
        about = {"about": f"By {writer}."}
        answer = callers[writer].post(path, about, method="patch", headers=read)
        status: int = answer.status_code
        return status

    (answers,) = crowd.rounds(change, 1)
    told = Counter(answers)
    assert told[200] == 1
    assert told.keys() <= {200, 412, 503}


def beside(write: Callable[[], object]) -> "Future[object]":
    """Let another session write for half a second; if it has to wait, it goes on afterwards."""

    def wrote() -> object:
        with closing(connection):
            return write()

    waiting = ThreadPoolExecutor(1).submit(wrote)
    with suppress(Exception):
        waiting.result(timeout=0.5)
    return waiting


def once_asked(monkeypatch: pytest.MonkeyPatch, at: str, then: Callable[[], object]) -> None:
    """Have something happen once, after the function named `at` has answered."""
    asked = import_string(at)

    def answer(*args: Any, **options: Any) -> Any:
        found = asked(*args, **options)
        monkeypatch.undo()
        then()
        return found

    monkeypatch.setattr(at, answer)


@racing
@pytest.mark.postgresql  # on SQLite one transaction writes at a time
def test_nothing_is_removed_while_something_comes_to_belong_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by = factories.actor()
    assert by.player is not None
    league = services.found_league(by=by, name="Belt")
    services.name_member(by=by, league=league, player=by.player, role=Role.PLAYER)
    krewe = services.make_krewe(by=by, league=league, name="Cinders")
    cup, own = desks.tournament(by, league=league, enters="krewe"), Krewe.objects.get()
    entering: list[Future[object]] = []

    def enter() -> object:
        return services.enter(tournament=cup, by=by, act_id=uuid4(), krewe=own)

    once_asked(monkeypatch, "league.removing.is_in_use", lambda: entering.append(beside(enter)))
    services.remove(by=by, thing=krewe)
    told = faults.refusal_of(entering[0].exception())
    assert isinstance(told, Conflict)
    assert told.code == "gone-meanwhile"
    assert not Entry.objects.exists()
    assert not desks.desk(cup).people
    claw = {"name": "Grip", "slot": "Claw"}
    card, other = (
        cards.add(by=by, game="zg", data=claw, card_set=name) for name in ("Tides", "Reef")
    )
    cards.remove(by=by, card=other)
    once_asked(
        monkeypatch,
        "characters.cards._own_set",
        lambda: cards.remove_set(by=by, card_set=other.card_set),
    )
    with pytest.raises(Conflict) as refused:
        cards.change(by=by, card=card, card_set="Reef")
    assert refused.value.code == "gone-meanwhile", "not that there is such a card already"
    hook, _ = webhooks.register(
        by=by, league=league, url="https://hooks.example.org/", events=["match.finished"]
    )
    late = Webhook.objects.get()
    webhooks.end(by=by, webhook=hook)
    for ask in (webhooks.rotate, webhooks.ping, webhooks.end):
        with pytest.raises(NotFound):
            ask(by=by, webhook=late)
    with pytest.raises(NotFound):
        services.remove(by=by, thing=own)
    with pytest.raises(NotFound):
        services.remove_krewe(by=by, krewe=own)


@racing
@pytest.mark.postgresql
def test_of_two_changes_of_a_sheet_at_once_neither_undoes_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by = factories.actor()
    ada = paste(by=by, text="Character: Ada\nPublic background: Tall.")

    def hide() -> object:
        return editing.edit_section(
            by=by, character=ada, kind=Section.Kind.PUBLIC, audience="owner"
        )

    waiting: list[Future[object]] = []
    once_asked(monkeypatch, "characters.editing._text", lambda: waiting.append(beside(hide)))
    editing.edit_section(by=by, character=ada, kind=Section.Kind.PUBLIC, text="Small.")
    waiting[0].result()
    section = ada.sections.get(kind=Section.Kind.PUBLIC)
    assert (section.text, section.audience) == ("Small.", "owner")

    for _ in range(2):
        found = books.Recording("found", line="Basic Red Claw")
        books.record(by=by, character=ada, act_id=uuid4(), what=found)
    one, other = (item.serial for item in ledger.items_of(ada))
    made = loadouts.make(by=by, character=ada, name="Duel", items=[])
    own = Loadout.objects.get(pk=made.pk)
    with transaction.atomic():
        loadouts.change(by=by, loadout=made, items=[one])
        second = beside(lambda: loadouts.change(by=by, loadout=own, items=[other]))
    second.result()
    assert [item.serial for item in made.items.all()] == [other]


@racing
@pytest.mark.postgresql
def test_an_erasure_waits_for_a_change_of_the_same_sheet() -> None:
    by = factories.actor()
    assert by.player is not None
    ada = paste(by=by, text="Character: Ada")
    with transaction.atomic():
        editing.edit(by=by, character=ada, name="Secret")
        erasure = beside(partial(erasing.erase, by=by, player=by.player))
    erasure.result()
    ada.refresh_from_db()
    assert ada.name == "Erased character"
    assert not Change.objects.exclude(before="", after="").exists()


@pytest.mark.django_db
def test_nothing_is_written_on_the_sheet_of_who_was_erased_meanwhile() -> None:
    by, ben = factories.actor(), factories.actor()
    assert by.player is not None
    ada = paste(by=by, text="Character: Ada\nPublic background: Tall.")
    goal = editing.add_goal(by=by, character=ada, text="Rest")
    favour = editing.add_favour(by=by, character=ada, kind="favour", text="A lift")
    loadout = loadouts.make(by=by, character=ada, name="Duel", items=[])
    picture = BytesIO()
    Image.new("RGB", (1, 1)).save(picture, "PNG")
    at: dict[str, Any] = {"by": by, "character": ada}
    found = books.Recording("found", line="Basic Red Claw")
    changes: list[Callable[[], object]] = [
        partial(editing.edit, **at, name="Secret"),
        partial(editing.edit_section, **at, kind=Section.Kind.PUBLIC, text="Secret"),
        partial(editing.add_goal, **at, text="Secret"),
        partial(editing.edit_goal, by=by, goal=goal, text="Secret"),
        partial(editing.remove_goal, by=by, goal=goal),
        partial(editing.add_favour, **at, kind="grudge", text="Secret"),
        partial(editing.edit_favour, by=by, favour=favour, text="Secret"),
        partial(loadouts.make, **at, name="Secret", items=[]),
        partial(loadouts.change, by=by, loadout=loadout, name="Secret"),
        partial(portraits.put, **at, data=picture.getvalue()),
        partial(books.record, **at, act_id=uuid4(), what=found),
        partial(moving.offer_to, **at, to=ben.player),
    ]
    erasing.erase_everything(by.player)
    for change in changes:
        with pytest.raises(NotSignedIn):
            change()


@pytest.mark.django_db
def test_who_changes_one_thing_of_a_row_keeps_what_others_changed() -> None:
    by = factories.actor()
    ada = paste(by=by, text="Character: Ada")
    goal = editing.add_goal(by=by, character=ada, text="Rest")
    same, late = (Goal.objects.get(pk=goal.pk) for _ in range(2))
    editing.edit_goal(by=by, goal=same, text="Run")
    editing.edit_goal(by=by, goal=goal, current=True)
    goal.refresh_from_db()
    assert (goal.text, goal.current) == ("Run", True)
    editing.edit_goal(by=by, goal=goal, reached=True)
    with pytest.raises(Conflict):
        editing.edit_goal(by=by, goal=late, current=True)
    told = Change.objects.filter(what="goals").values_list("after", flat=True)
    assert [*told] == ["Run (reached)", "Run (current)", "Run", "Rest"]
    editing.remove_goal(by=by, goal=goal)
    with pytest.raises(NotFound):
        editing.edit_goal(by=by, goal=late, text="Sleep")
    assert not Goal.objects.exists()
    favour = editing.add_favour(by=by, character=ada, kind="favour", text="A lift")
    stale: Any = type(favour).objects.get(pk=favour.pk)
    editing.edit_favour(by=by, favour=favour, audience="owner")
    editing.edit_favour(by=by, favour=stale, told=True)
    favour.refresh_from_db()
    assert (favour.audience, favour.told) == ("owner", True)
    told = Change.objects.filter(what="favours").values_list("before", "after")
    assert told[0] == ("favour: A lift (owner)", "favour: A lift (told, owner)")
    campaign = campaigns.create(by=by, name="Rim")
    stale = type(campaign).objects.get()
    campaigns.change(by=by, campaign=campaign, name="Erased")
    campaigns.change(by=by, campaign=stale, repair_price=3)
    campaign.refresh_from_db()
    assert (campaign.name, campaign.repair_price) == ("Erased", 3)
    claw = {"name": "Grip", "slot": "Claw"}
    card = cards.add(by=by, game="zg", data=claw)
    stale = Card.objects.get()
    cards.change(by=by, card=card, data={**claw, "cost": 5})
    cards.change(by=by, card=stale, shared=True)
    card.refresh_from_db()
    assert (card.cost, card.revision, card.shared) == (5, 2, True)
    stale = Card.objects.get()
    cards.remove(by=by, card=card)
    with pytest.raises(DatabaseError) as gone:
        cards.change(by=by, card=stale, shared=True)
    assert isinstance(faults.refusal_of(gone.value), Conflict)
    assert not Card.objects.exists()
    league = services.found_league(by=by, name="Belt")
    hook, _ = webhooks.register(
        by=by, league=league, url="https://a.example.org/", events=[*EVENTS]
    )
    stale = Webhook.objects.get()
    Webhook.objects.update(is_on=False, off_why="It answered 410.")
    webhooks.change(by=by, webhook=hook, url="https://b.example.org/")
    webhooks.change(by=by, webhook=stale, events=[*EVENTS][:1])
    hook.refresh_from_db()
    assert (hook.url, len(hook.events)) == ("https://b.example.org/", 1)
    assert (hook.is_on, hook.off_why) == (False, "It answered 410.")


@pytest.mark.django_db
def test_a_guest_claimed_while_they_are_entered_or_seated_is_the_claimant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by, me = factories.actor(), factories.actor()
    cup = desks.tournament(by)
    for at in ("league.fairness.brought", "matches.opening.new_code"):
        guest = matches.add_guest(by=by, name="Rim Walker")
        token = claiming.token_of(matches.offer_claim(by=by, guest=guest))
        once_asked(monkeypatch, at, partial(matches.claim, by=me, token=token))
        if at.startswith("league"):
            entry = services.enter(tournament=cup, by=by, act_id=uuid4(), player=guest)
            assert entry.player == me.player
        else:
            seats = [matches.SeatRequest(player=guest), matches.SeatRequest()]
            match = matches.open_match(by=by, ruleset="score", seats=seats)
            assert match.seats.get(number=1).player == me.player


@racing
@pytest.mark.postgresql  # on SQLite one transaction writes at a time
def test_who_was_merged_is_seated_as_whoever_claims_the_other_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by, me = factories.actor(), factories.actor()
    guest, double = (matches.add_guest(by=by, name=name) for name in ("Rim Walker", "R. Walker"))
    matches.merge_guests(by=by, guest=double, into=guest)
    token = claiming.token_of(matches.offer_claim(by=by, guest=guest))
    waiting: list[Future[object]] = []
    once_asked(
        monkeypatch,
        "matches.people.by_now",
        lambda: waiting.append(beside(lambda: matches.claim(by=me, token=token))),
    )
    double.refresh_from_db()
    seats = [matches.SeatRequest(player=double), matches.SeatRequest()]
    match = matches.open_match(by=by, ruleset="score", seats=seats)
    waiting[0].result(PATIENCE)
    assert match.seats.get(number=1).player == me.player


@pytest.mark.django_db
def test_who_is_erased_while_they_change_their_name_stays_without_one() -> None:
    me = factories.actor()
    assert me.player is not None
    matches.erase(by=me, player=Player.objects.get(pk=me.player.pk))
    matches.rename(by=me, player=me.player, name="Ida")
    assert Player.objects.get(pk=me.player.pk).name == erasing.NAMELESS


@racing
@pytest.mark.postgresql
def test_a_character_is_not_given_away_while_its_owner_is_erased(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    me, other = factories.actor(), factories.actor()
    ada = paste(by=me, text="Character: Ada\nPublic background: Tall.")
    move = moving.offer_to(by=me, character=ada, to=other.player)
    waiting: list[Future[object]] = []
    once_asked(
        monkeypatch,
        "characters.erasing._forget_possessions",
        lambda: waiting.append(beside(lambda: moving.accept(by=other, move=move))),
    )
    matches.erase(by=me, player=Player.objects.get(user=me.user))
    refused = waiting[0].exception()
    assert isinstance(refused, Conflict)
    assert refused.code == "not-offered"
    ada.refresh_from_db()
    assert (ada.owner, ada.name) == (me.player, "Erased character")
