"""Deck lists of a tournament: registered, checked as of its day, hidden until published."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

import rules
from characters import aftermath, career
from characters import services as characters
from characters.models import Appearance, Character
from league import registering, services
from league.models import Entry
from matches import decks, selectors
from matches.errors import Conflict
from matches.models import Match
from tests import factories
from tests.api.client import Api, problem
from tests.characters.duels import Duel, duel
from tests.factories import signed_in
from tests.league import desks

pytestmark = pytest.mark.django_db
TIDE = decks.written(rules.get("zx"), decks.samples(rules.get("zx"))["Tidewatch"])
SEALED = TIDE.replace("1 D01-009 Bell Archivist", "1 Moss Ferrier")


def cup(**more: Any) -> Any:
    return desks.tournament(ruleset="zx", **more)


def test_one_signs_up_with_a_list_and_sees_all_that_is_wrong() -> None:
    one, me = cup(), factories.actor()
    page = f"/tournaments/{one.code}/"
    form = {"act_id": str(uuid4()), "deck": "5 Pier Sentry\nMy deck"}

    assert signed_in(me.user).post(f"{page}entries/", form).status_code == 302
    entry = Entry.objects.get(player=me.player)
    assert [(each["line"], each["code"]) for each in entry.deck_problems] == [
        (0, "deck-size"),
        (0, "deck-icons"),
        (1, "deck-copies"),
        (2, "list-line"),
    ]
    told = signed_in(me.user).get(f"{page}deck/").content.decode()
    assert "Line 2:" in told
    sent = {"deck": TIDE.replace("\n", "\r\n")}  # as browsers do
    assert signed_in(me.user).post(f"{page}deck/", sent).status_code == 302
    entry.refresh_from_db()
    assert (entry.deck_text, entry.deck_problems) == (TIDE, [])
    assert signed_in(me.user).post(f"{page}deck/", {"deck": ""}).status_code == 302
    entry.refresh_from_db()
    assert (entry.deck, entry.deck_text, entry.deck_at) == ("", "", None)


def test_the_day_of_the_tournament_says_which_cards_are_restricted() -> None:
    one, me = cup(starts_at=datetime(2025, 12, 31, 20, tzinfo=UTC)), factories.actor()
    entry = services.enter(tournament=one, by=me, act_id=uuid4(), text=SEALED)
    assert entry.deck_problems == []

    by = desks.organiser(one)
    services.edit_tournament(by=by, tournament=one, timezone="Asia/Tokyo")
    entry.refresh_from_db()
    assert [each["code"] for each in entry.deck_problems] == ["deck-banned"]
    assert entry.deck_problems[0]["line"] == SEALED.splitlines().index("1 Moss Ferrier") + 1


def test_a_deck_registered_while_all_are_checked_again_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, me = cup(), factories.actor()
    entry = services.enter(tournament=one, by=me, act_id=uuid4(), text=SEALED)
    real, own = registering.deck_options, Entry.objects.get(pk=entry.pk)

    def options(tournament: Any) -> Any:
        monkeypatch.setattr(registering, "deck_options", real)
        services.register_deck(by=me, entry=own, text=TIDE)
        return real(tournament)

    monkeypatch.setattr(registering, "deck_options", options)
    services.edit_tournament(by=desks.organiser(one), tournament=one, timezone="Asia/Tokyo")
    entry.refresh_from_db()
    assert (entry.deck, entry.deck_text) == (own.deck, TIDE)


def test_the_day_may_change_where_decks_are_registered_no_more() -> None:
    one, me = cup(starts_at=datetime(2025, 12, 31, 20, tzinfo=UTC)), factories.actor()
    entry = services.enter(tournament=one, by=me, act_id=uuid4(), text=SEALED)
    by = desks.organiser(one)
    services.edit_tournament(by=by, tournament=one, decks="none", timezone="Asia/Tokyo")
    services.edit_tournament(by=by, tournament=one, decks="optional")
    entry.refresh_from_db()
    assert [each["code"] for each in entry.deck_problems] == ["deck-banned"]


def test_the_api_takes_a_list_and_tells_how_it_was_read() -> None:
    one, me = cup(), factories.actor()
    entry = services.enter(tournament=one, by=me, act_id=uuid4())
    path = f"entries/{entry.pk}/deck/"

    told = Api(me).post(path, {"text": "5 Pier Sentry"})
    assert told.status_code == 200
    assert told.json()["lines"][0]["card"] == "Pier Sentry"
    assert "deck-copies" in [each["code"] for each in told.json()["problems"]]
    for body, code in (({}, "missing-field"), ({"text": "1 a", "deck": {"cards": []}}, "twice")):
        assert Api(me).post(path, body).json()["code"] == code
    kept = Api(me).get(path).json()
    assert (kept["text"], kept["is_gear"]) == ("5 Pier Sentry", False)


def test_lists_are_hidden_until_an_organiser_publishes_them() -> None:
    one, me, other = cup(), factories.actor(), factories.actor()
    entry = services.enter(tournament=one, by=me, act_id=uuid4(), text="5 Pier Sentry")
    services.enter(tournament=one, by=other, act_id=uuid4(), text=TIDE)
    page = f"/tournaments/{one.code}/deck/?entrant=1"
    organiser = signed_in(desks.organiser(one).user)

    assert signed_in(other.user).get(page).status_code == 403
    assert Client().get(page).status_code == 302
    assert Api(other).get(f"entries/{entry.pk}/deck/").status_code == 403
    listed = Api(other).get("entries/", tournament=one.code).json()["results"][0]
    assert (listed["deck"], listed["deck_problems"]) == (True, [])
    assert "Pier Sentry" in organiser.get(page).content.decode()
    assert "Not legal" in organiser.get(f"/tournaments/{one.code}/console/").content.decode()

    form = {"act_id": str(uuid4()), "do": "decks", "shown": "1"}
    assert organiser.post(f"/tournaments/{one.code}/console/", form).status_code == 302
    for reader in (signed_in(other.user), Client()):
        assert "Pier Sentry" in reader.get(page).content.decode()
    assert Api().get(f"entries/{entry.pk}/deck/").json()["text"] == "5 Pier Sentry"


def test_lists_are_frozen_once_play_begins_but_for_an_organiser() -> None:
    one, me = cup(), factories.actor()
    entry = services.enter(tournament=one, by=me, act_id=uuid4(), text=TIDE)
    desks.entered(one, 1)
    desks.start(one)

    with pytest.raises(Conflict, match="Play has begun"):
        services.register_deck(by=me, entry=entry, text=SEALED)
    page = f"/tournaments/{one.code}/deck/"
    assert signed_in(me.user).post(page, {"deck": SEALED}).status_code == 409
    answer = signed_in(desks.organiser(one).user).post(f"{page}?entrant=1", {"deck": SEALED})
    assert answer.status_code == 302
    entry.refresh_from_db()
    assert entry.deck_text == SEALED


def test_who_needs_a_legal_deck_has_one_before_checking_in() -> None:
    one, me = cup(decks="required"), factories.actor()
    entry = services.enter(tournament=one, by=me, act_id=uuid4(), text=SEALED)
    form = {"act_id": str(uuid4()), "type": "checked-in"}
    page = f"/tournaments/{one.code}/me/"

    assert signed_in(me.user).post(page, form).status_code == 409
    services.register_deck(by=me, entry=entry, text=TIDE)
    assert signed_in(me.user).post(page, form).status_code == 302


@pytest.mark.parametrize("shown", [False, True])
def test_a_table_tells_no_list_that_is_hidden(shown: bool) -> None:
    one = cup(decks_shown=shown)
    for _ in range(2):
        services.enter(tournament=one, by=factories.actor(), act_id=uuid4(), text=TIDE)
    desks.start(one, best_of=1)
    desks.paired(one)

    services.open_table(tournament=one, by=desks.organiser(one), number=1, table=1)

    opened = Match.objects.get(table__tournament=one).log.events.get(ordinal=0, version=1).body
    assert ("Pier Sentry" in opened) is shown


def test_erasing_a_person_takes_their_list_along() -> None:
    one, me = cup(), factories.actor()
    entry = services.enter(tournament=one, by=me, act_id=uuid4(), text=TIDE)
    from matches import erasing

    assert me.player is not None
    erasing.erase(by=me, player=me.player)

    entry.refresh_from_db()
    assert (entry.deck, entry.deck_text) == ("", "")


def test_what_is_no_text_enters_nobody() -> None:
    one, me = cup(), factories.actor()

    answer = Api(me).post("entries/", {"tournament": one.code, "id": str(uuid4()), "text": "a\0"})

    assert answer.status_code == 400
    assert not one.entries.exists()
    assert registering.deck_options(one).bans


def test_the_id_of_another_s_entry_enters_nobody_and_tells_no_deck() -> None:
    one, me, stranger = cup(), factories.actor(), factories.actor()
    sent = {"tournament": one.code, "id": str(uuid4()), "text": "5 Pier Sentry"}
    first = Api(me).post("entries/", sent)
    assert first.json()["deck_problems"]
    assert Api(me).post("entries/", sent).json() == first.json()
    bare = {"tournament": one.code, "id": sent["id"]}
    problem(Api(stranger).post("entries/", bare), 409, "id-reused")
    host = Api(desks.organiser(one))
    problem(host.post("entries/", {**bare, "name": "Rim Walker"}), 409, "id-reused")
    guest = {**bare, "id": str(uuid4()), "name": "Rim Walker"}
    assert host.post("entries/", guest).json() == host.post("entries/", guest).json()
    problem(host.post("entries/", {**guest, "name": "Ada"}), 409, "id-reused")
    found = {each.name for each in Entry.objects.exclude(player=me.player)}
    assert (found, Entry.objects.count()) == ({"Rim Walker"}, 2)


def fight_at_tables(after_slag: str) -> tuple[Duel, Any, list[Entry]]:
    """Return two characters of a campaign who meet twice, their loadouts registered as decks."""
    fight = duel(after_slag)
    made = desks.tournament(ruleset="zg", enters="character", decks="required")
    entries = [
        services.enter(tournament=made, by=by, act_id=uuid4(), character=one)
        for by, one in ((fight.ada, fight.una), (fight.ben, fight.bor))
    ]
    for by, entry in zip((fight.ada, fight.ben), entries, strict=True):
        page = f"/tournaments/{made.code}/deck/"
        assert ">Duel</option>" in signed_in(by.user).get(page).content.decode()
        loadout = entry.character.loadouts.get()
        assert signed_in(by.user).post(page, {"loadout": loadout.pk}).status_code == 302
        told = f"They are gear of {entry.character}, who fields it"
        assert told in signed_in(by.user).get(page).content.decode()
        entry.refresh_from_db()
        assert not entry.deck_problems
    desks.start(made, format="round-robin", rounds=0, legs=2, best_of=1, tiebreaks=[])
    desks.paired(made)
    return fight, made, entries


def opened(made: Any, number: int, by: Any) -> Any:
    return Api(by).post(f"tournaments/{made.code}/rounds/{number}/tables/1/match/", {})


def test_a_character_fields_its_loadout_at_its_tables_as_it_was_registered(
    django_assert_max_num_queries: Any,
) -> None:
    fight, made, (_, entry) = fight_at_tables("whole")
    kept = entry.deck
    loadout = fight.bor.loadouts.get()
    characters.change_loadout(by=fight.ben, loadout=loadout, items=[])
    match = selectors.match_for(fight.ada, opened(made, 1, fight.ada).json()["code"])
    entry.refresh_from_db()
    assert entry.deck == kept
    seat = match.seats.get(player=fight.ben.player)
    assert seat.appearance.character == fight.bor
    assert {each.item for each in seat.appearance.fielded.all()} == {*entry.pieces.all()}
    assert entry.pieces.count() == 5
    fight.match = match
    fight.attack(3 - seat.number, "Backgear", "Shield")
    fight.end(seat.number)
    fight.follow()
    told = career.record_of(fight.ben, fight.bor)
    assert (told.matches, told.lost, told.slagged) == (2, 1, 1)  # one before
    entered = f'href="{made.get_absolute_url()}"'
    record = f"{fight.bor.get_absolute_url()}record/"
    Character.objects.update(audience="public")
    with django_assert_max_num_queries(12):
        assert entered in Client().get(record).text
    lists = f"tournaments/?character={fight.bor.pk}"
    Entry.objects.create(tournament=made, character=fight.bor, status="dropped")  # another's once
    found = Api(fight.ada).get(lists).json()["results"]
    assert [each["code"] for each in found] == [made.code]
    theirs = f"tournaments/?player={fight.ben.player_id}"
    assert [each["code"] for each in Api().get(theirs).json()["results"]] == [made.code]
    Entry.objects.filter(character=fight.bor).update(status=Entry.TAKEN_BACK)
    assert [Api(fight.ada).get(path).json()["results"] for path in (lists, theirs)] == [[], []]
    assert entered not in Client().get(record).text
    other = characters.create(by=fight.ben, name="Never entered")
    assert Api(fight.ben).get(f"tournaments/?character={other.pk}").json()["results"] == []
    assert entered not in signed_in(fight.ben.user).get(f"{other.get_absolute_url()}record/").text
    problem(Api(fight.ada).get(f"tournaments/?character={uuid4()}"), 400, "no-such-character")
    problem(Api(fight.ada).get(f"tournaments/?player={uuid4()}"), 400, "unknown-player")


def test_gear_that_was_slagged_or_traded_away_is_not_in_the_deck_of_the_next_table() -> None:
    fight, made, (entry, _) = fight_at_tables("repair")
    match = selectors.match_for(fight.ada, opened(made, 1, fight.ada).json()["code"])
    seat = match.seats.get(player=fight.ben.player).number
    fight.match = match
    fight.attack(3 - seat, "Backgear", "Shield")
    fight.end(seat)
    fight.follow()
    desks.play(made)
    desks.paired(made)
    problem(opened(made, 2, fight.ada), 409, "deck-unfit")
    assert "Shield" in problem(opened(made, 2, fight.ben), 422, "slag-open")["detail"]
    mine = {"loadout": str(fight.una.loadouts.get().pk)}
    path = f"entries/{entry.pk}/deck/"
    assert Api(desks.organiser(made)).get(path).json()["is_gear"]
    problem(Api(desks.organiser(made)).post(path, mine | {"text": "x"}), 400, "twice")
    problem(Api(fight.ada).post(path, mine), 409, "decks-locked")
    [prompt] = [
        each for each in aftermath.prompts_of(fight.ben, fight.bor) if each.kind == "repair"
    ]
    characters.answer(
        by=fight.ben,
        character=fight.bor,
        appearance=prompt.appearance,
        kind=prompt.kind,
        item=prompt.item,
    )
    gone = characters.Recording("traded", items=[fight.item(fight.una, "Helmet").serial], out=True)
    characters.record(by=fight.ada, character=fight.una, act_id=uuid4(), what=gone)
    problem(opened(made, 2, fight.ada), 422, "not-held")
    problem(opened(made, 2, fight.ben), 409, "deck-unfit")


def test_only_a_loadout_of_the_character_that_entered_is_its_deck() -> None:
    fight, made, (entry, _) = fight_at_tables("whole")
    other = {"loadout": str(fight.bor.loadouts.get().pk)}
    at = Api(desks.organiser(made))
    problem(at.post(f"entries/{entry.pk}/deck/", other), 400, "other-character")
    problem(Api(fight.ben).post(f"entries/{entry.pk}/deck/", {"deck": None}), 403, "not-allowed")
    gone = characters.Recording("traded", items=[fight.item(fight.una, "Helmet").serial], out=True)
    characters.record(by=fight.ada, character=fight.una, act_id=uuid4(), what=gone)
    mine = {"loadout": str(fight.una.loadouts.get().pk)}
    unfit = problem(at.post(f"entries/{entry.pk}/deck/", mine), 422, "not-held")
    assert [each["where"] for each in unfit["errors"]] == ["$.loadout"]
    again = at.post(f"entries/{entry.pk}/deck/", {"deck": None})
    assert again.status_code == 200
    assert not entry.pieces.exists()


def test_a_character_that_is_another_player_s_by_now_fields_nothing() -> None:
    fight, made, _ = fight_at_tables("repair")
    Character.objects.filter(pk=fight.bor.pk).update(owner=factories.actor().player)
    match = selectors.match_for(fight.ada, opened(made, 1, fight.ada).json()["code"])
    assert {each.character for each in Appearance.objects.filter(seat__match=match)} == {fight.una}


def test_whoever_enters_again_with_another_character_leaves_the_gear_of_the_first() -> None:
    fight = duel()
    made = desks.tournament(ruleset="zg", enters="character", decks="required")
    enter = {"tournament": made, "by": fight.ada}
    entry = services.enter(**enter, act_id=uuid4(), character=fight.una)
    services.register_loadout(by=fight.ada, entry=entry, loadout=fight.una.loadouts.get())
    first = made.log.head_version
    for again in (fight.una, characters.paste(by=fight.ada, text="Character: Ivo\n")):
        made.log.refresh_from_db()
        services.take_back(tournament=made, by=desks.organiser(made), act_id=uuid4(), to=first - 1)
        entry = services.enter(**enter, act_id=uuid4(), character=again)
        kept = again == fight.una
        assert (bool(entry.deck), entry.pieces.exists()) == (kept, kept)
