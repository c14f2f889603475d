"""Deeds of fielded cards, and questions after a match: corrections add and remove both."""

from dataclasses import replace
from importlib import import_module
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from msgspec import to_builtins

from characters import aftermath, audit, career, fallen, ledger, loadouts, meetings, services
from characters.models import (
    Appearance,
    Campaign,
    Card,
    Character,
    Deed,
    Favour,
    GearItem,
    LedgerEntry,
    Loadout,
)
from characters.services import FieldedPlace
from matches import followers, selectors
from matches import services as matches
from matches.actors import NOBODY, Actor
from matches.errors import Conflict, Impossible, NotAllowed
from tests import factories
from tests.api.client import Api, problem
from tests.characters.duels import Duel, attacked, duel
from tests.characters.test_pages import count_queries
from tests.factories import client_of
from tests.html import squeezed, text_of

pytestmark = pytest.mark.django_db


def record(who: Actor, character: Character) -> career.CareerRecord:
    return career.record_of(who, character)


def asked(fight: Duel, kind: str = "") -> list[aftermath.Prompt]:
    found = aftermath.prompts_of(fight.ben, fight.bor)
    return [prompt for prompt in found if kind in ("", prompt.kind)]


def take(fight: Duel, prompt: aftermath.Prompt, **said: object) -> None:
    services.answer(
        by=fight.ben,
        character=fight.bor,
        appearance=prompt.appearance,
        kind=prompt.kind,
        item=prompt.item,
        **said,
    )


def test_a_match_tells_what_cards_did_and_what_befell_them() -> None:
    fight = duel()
    fight.attack(1, "Helmet", "Shield")
    fight.attack(1, "Frontgear", "Shield")
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    assert record(fight.ada, fight.una) == career.CareerRecord(
        matches=1, won=1, tests=3, strikes=3, slags=1
    )
    assert record(fight.ben, fight.bor) == career.CareerRecord(
        matches=1, lost=1, tested=3, blocked=0, slagged=1
    )
    [outing] = career.outings(NOBODY, list(career.appearances(NOBODY, character=fight.bor)))
    [lost] = outing.lost
    shield, backgear = fight.item(fight.bor, "Shield"), fight.item(fight.una, "Backgear")
    assert (lost.item, lost.other_item, lost.version, lost.turn) == (
        *(shield.serial, backgear.serial),
        *(4, 1),
    )
    assert lost.other == career.Party("Una", 1, fight.una.pk)
    of_shield = career.record_of_item(NOBODY, shield)
    assert (of_shield.matches, of_shield.tested, of_shield.slagged) == (1, 3, 1)


def test_a_slag_that_is_corrected_away_and_back_is_followed_both_times() -> None:
    """The shield is slagged, then it was not, then it was: item, career and questions follow."""
    fight = duel("repair")
    shield = fight.item(fight.bor, "Shield")
    slag = fight.attack(1, "Backgear", "Shield")
    fight.attack(1, "Frontgear", "Helmet")
    fight.end()
    fight.follow()

    def of_shield() -> tuple[int, int, int]:
        told = career.record_of_item(fight.ben, shield)
        return told.tested, told.slagged, record(fight.ben, fight.bor).slagged

    page = client_of(fight.ben)

    def shown() -> tuple[bool, bool, bool]:
        """Tell whether the item's page, the record and the match's page speak of a slag."""
        item, of_bor, match = (
            text_of(page.get(url))
            for url in (
                f"/items/{shield.serial}/",
                f"{fight.bor.get_absolute_url()}record/",
                fight.match.get_absolute_url(),
            )
        )
        return "Slagged by" in item, "was slagged by" in of_bor, "Repair, c10" in match

    assert of_shield() == (1, 1, 1)
    assert shown() == (True, True, True)
    assert [prompt.kind for prompt in asked(fight)] == ["grudge", "repair", "goal"]
    with translation.override("de"):
        take(fight, asked(fight, "grudge")[0])
    assert Favour.objects.get().text.endswith(f" in Partie {fight.match.code} geslaggt.")
    [paid] = asked(fight, "repair")
    assert f"({shield.serial}) was slagged" in paid.text
    sheet = fight.bor.get_absolute_url()
    assert "slagged: say what follows" in page.get(sheet).text
    assert "slagged: say" not in Client().get(sheet).text
    take(fight, paid)
    assert "slagged: say" not in page.get(sheet).text
    assert ledger.balance(fight.bor) == 40
    assert [prompt.kind for prompt in asked(fight)] == ["goal"]
    with pytest.raises(Conflict):
        take(fight, paid)

    missed = fight.correct(slag, attacked(1, "Helmet", "Shield"))
    fight.follow()
    assert of_shield() == (1, 0, 0)
    assert shown() == (False, False, False)
    assert [prompt.kind for prompt in asked(fight)] == ["settle", "return", "goal"]
    assert ledger.balance(fight.bor) == 40  # nothing happens by itself
    take(fight, asked(fight, "return")[0])
    take(fight, asked(fight, "settle")[0])
    assert ledger.balance(fight.bor) == 50
    assert LedgerEntry.objects.filter(method="corrected").count() == 2
    assert Favour.objects.get().settled_at is not None
    assert [prompt.kind for prompt in asked(fight)] == ["goal"]

    fight.correct(missed, attacked(1, "Backgear", "Shield"))
    fight.follow()
    assert of_shield() == (1, 1, 1)
    assert shown() == (True, True, True)
    assert [prompt.kind for prompt in asked(fight)] == ["grudge", "repair", "goal"]
    [repair] = asked(fight, "repair")
    said = {"appearance": repair.appearance, "kind": "repair", "item": repair.item}
    for _ in range(2):  # a second tap finds it answered
        tap = page.post(f"{fight.bor.get_absolute_url()}after/", {**said, "do": "take"})
        assert tap.status_code == 302
    assert ledger.balance(fight.bor) == 40
    assert [prompt.kind for prompt in asked(fight)] == ["grudge", "goal"]


def test_undo_and_redo_of_a_slag_ask_again_and_pay_again() -> None:
    fight = duel("repair")
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    for _ in range(2):
        fight.match.log.refresh_from_db()
        take(fight, asked(fight, "repair")[0])
        assert ledger.balance(fight.bor) == 40
        undone = {"match": fight.match, "by": fight.ada}
        for to in (1, 3):
            matches.take_back(**undone, act_id=uuid4(), to=to)
            fight.follow()
            if to == 1:
                assert asked(fight) == []  # it goes on: nothing is asked before the end
                assert record(fight.ben, fight.bor).slagged == 0
        entry = LedgerEntry.objects.filter(method="repaired").latest("pk")
        services.correct(by=fight.ben, entry=entry, act_id=uuid4())


def test_what_was_answered_about_a_match_is_asked_about_when_it_is_withdrawn() -> None:
    fight = duel("repair")
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    for kind in ("grudge", "repair"):
        take(fight, asked(fight, kind)[0])
    matches.withdraw(by=fight.ada, match=fight.match)
    fight.follow()
    assert [prompt.kind for prompt in asked(fight)] == ["settle", "return"]
    page = client_of(fight.ben).get(fight.bor.get_absolute_url()).text
    assert "The match was withdrawn" in page
    assert fight.match.get_absolute_url() not in page  # the table can no longer see it
    assert aftermath.prompts_of(fight.ada, fight.bor) == []  # an official did not answer
    take(fight, asked(fight, "return")[0])
    take(fight, asked(fight, "settle")[0])
    assert ledger.balance(fight.bor) == 50
    assert Favour.objects.get().settled_at is not None
    assert asked(fight) == []


def test_the_preview_of_a_correction_says_what_becomes_of_stories() -> None:
    fight = duel()
    slag = fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    strike = matches.CorrectionRequest(slag, None)
    plan = matches.preview_correction(match=fight.match, by=fight.ada, request=strike)
    said = [change.text for change in plan.followers if "Stories" in change.follower]
    assert said == [
        "Duel Shield of Seat 2 is no longer slagged: its story and what was asked about it follow."
    ]


@pytest.mark.parametrize(("roll", "gone", "paid"), [(1, True, 0), (2, False, 10), (5, False, 0)])
def test_a_campaign_rolls_for_what_follows(roll: int, gone: bool, paid: int) -> None:
    fight = duel("roll")
    shield = fight.item(fight.bor, "Shield")
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    [prompt] = asked(fight, "repair")
    assert prompt.roll
    take(fight, prompt, roll=roll)
    assert (ledger.holder_of(shield) is None) == gone
    assert ledger.balance(fight.bor) == 50 - paid
    assert asked(fight, "repair") == []


def test_gear_is_not_fielded_before_somebody_says_what_follows() -> None:
    fight = duel("lost")
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    loadout = fight.bor.loadouts.get()
    [flaw] = loadouts.evaluate(loadout).problems
    assert (flaw.code, flaw.clause) == ("slag-open", "ZG LEA-8")
    places = [FieldedPlace(loadout=loadout.pk), FieldedPlace()]
    with pytest.raises(Impossible, match="what follows"):
        services.open_match(by=fight.ben, ruleset="zg", seats=places)
    [prompt] = asked(fight, "repair")
    take(fight, prompt)
    assert [flaw.code for flaw in loadouts.evaluate(loadout).problems] == ["not-held"]


def test_what_a_correction_gives_back_came_as_it_had_come_before() -> None:
    fight = duel("lost")
    slag = fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    take(fight, asked(fight, "repair")[0])
    fight.correct(slag, None)
    fight.follow()
    take(fight, asked(fight, "return")[0])
    sheet = Client().get(f"{fight.bor.get_absolute_url()}sheet.txt").text
    assert "Superior Blue Shield (c40 @ Pit Stop)" in sheet


def test_a_campaign_tells_what_was_lost_for_good_with_its_service() -> None:
    fight = duel("lost")
    fight.attack(1, "Helmet", "Shield")
    slag = fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    assert fight.bor.campaign is not None
    page = f"/campaigns/{fight.bor.campaign.pk}/"
    api = f"{page.removeprefix('/')}fallen/"
    shield, helmet = (fight.item(fight.bor, slot) for slot in ("Shield", "Helmet"))
    assert Api().get(api).json()["results"] == []
    take(fight, asked(fight, "repair")[0])
    told_to_none = services.Circumstances(audience="owner")
    secret = services.Recording("destroyed", items=[helmet.serial], out=True, told=told_to_none)
    services.record(by=fight.ben, character=fight.bor, act_id=uuid4(), what=secret)

    [told] = Api().get(api).json()["results"]
    assert (told["item"], told["character"]) == (shield.serial, str(fight.bor.pk))
    assert told["record"] == to_builtins(career.record_of_item(NOBODY, shield))
    assert (told["record"]["tested"], told["record"]["slagged"]) == (2, 1)
    mine = map(fallen.fallen, fallen.losses_in(fight.ben, fight.bor.campaign))
    found = {each.item: each.record for each in mine}
    assert found.keys() == {shield.serial, helmet.serial}
    assert (found[shield.serial].matches, found[helmet.serial].tested) == (1, 0)
    shown = text_of(Client().get(page))
    assert "Superior Blue Shield Bor Served in 1 match. Tests as weapon: 0, slagged" in shown
    assert str(helmet) not in shown
    off = factories.spared()
    assert "Superior Blue Shield" not in text_of(off.get(page))

    services.edit_section(by=fight.ben, character=fight.bor, kind="gear", audience="owner")
    assert Api().get(api).json()["results"] == []
    services.edit_section(by=fight.ben, character=fight.bor, kind="gear", audience="public")
    fight.correct(slag, None)
    fight.follow()
    take(fight, asked(fight, "return")[0])
    assert Api().get(api).json()["results"] == []


def test_a_repair_of_what_was_sold_since_is_paid_back() -> None:
    fight = duel("repair")
    slag = fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    take(fight, asked(fight, "repair")[0])
    shield = fight.item(fight.bor, "Shield")
    sale = services.TradeOffer(gives=[shield.serial], asks=20)
    sold = services.offer(by=fight.ben, character=fight.bor, to=fight.una, what=sale)
    services.accept(by=fight.ada, trade=sold)
    fight.correct(slag, None)
    fight.follow()
    take(fight, asked(fight, "return")[0])
    assert (ledger.balance(fight.bor), ledger.holder_of(shield)) == (70, fight.una)
    assert not list(audit.problems())


def _sold(fight: Duel, slot: str) -> None:
    """Have Bor sell a piece to Una of the same campaign."""
    sale = services.TradeOffer(gives=[fight.item(fight.bor, slot).serial], asks=20)
    sold = services.offer(by=fight.ben, character=fight.bor, to=fight.una, what=sale)
    services.accept(by=fight.ada, trade=sold)


def _bought(fight: Duel, item: GearItem) -> Loadout:
    """Return a loadout of Una with all she has, and what she bought."""
    loadout = fight.una.loadouts.get()
    serials = [*loadout.items.values_list("serial", flat=True), item.serial]
    return services.change_loadout(by=fight.ada, loadout=loadout, items=serials)


def _open_slags(loadout: Loadout) -> list[str]:
    found = loadouts.evaluate(loadout).problems
    return [flaw.item for flaw in found if flaw.code == "slag-open"]


def test_a_slag_goes_with_the_piece_and_is_asked_of_who_has_it_now() -> None:
    fight = duel("repair")
    slag = fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    shield = fight.item(fight.bor, "Shield")
    _sold(fight, "Shield")
    assert asked(fight, "repair") == []

    def of_una() -> list[aftermath.Prompt]:
        return aftermath.prompts_of(fight.ada, fight.una)

    made = _bought(fight, shield)
    assert _open_slags(made) == [shield.serial]
    with pytest.raises(Impossible, match="was slagged in"):
        places = [FieldedPlace(loadout=made.pk), FieldedPlace()]
        services.open_match(by=fight.ada, ruleset="zg", seats=places)
    [prompt] = [each for each in of_una() if each.item == shield.serial]
    assert (prompt.kind, prompt.match) == ("repair", fight.match.code)
    assert prompt.text in text_of(client_of(fight.ada).get(fight.una.get_absolute_url()))
    reader = replace(fight.ada, results_off=True)
    assert all(each.item != shield.serial for each in aftermath.prompts_of(reader, fight.una))

    def answer(prompt: aftermath.Prompt) -> None:
        told = {"appearance": prompt.appearance, "kind": prompt.kind, "item": prompt.item}
        services.answer(by=fight.ada, character=fight.una, **told)

    before = ledger.balance(fight.una)
    answer(prompt)
    assert ledger.balance(fight.una) == before - 10
    assert _open_slags(made) == []
    fight.correct(slag, None)
    fight.follow()
    assert asked(fight, "return") == [], "who sold it did not pay"
    [prompt] = [each for each in of_una() if each.kind == "return"]
    answer(prompt)
    assert ledger.balance(fight.una) == before
    assert not list(audit.problems())


def test_what_was_slagged_is_whole_outside_the_campaign() -> None:
    fight = duel("repair")
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    shield = fight.item(fight.bor, "Shield")
    _sold(fight, "Shield")
    fight.una.campaign = Campaign.objects.create(
        name="Rim", owner=fight.ada.player, after_slag="repair"
    )
    fight.una.save()
    assert _open_slags(_bought(fight, shield)) == []
    assert all(each.kind != "repair" for each in aftermath.prompts_of(fight.ada, fight.una))


@pytest.mark.parametrize(("rule", "joins"), [("whole", False), ("whole", True), ("repair", True)])
def test_a_rule_is_for_what_is_slagged_under_it(rule: str, joins: bool) -> None:
    """A campaign now has gear lost, or one joins another that has."""
    fight = duel(rule)
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    fight.bor.campaign.after_slag = "lost"  # type: ignore[union-attr]
    if joins:
        fight.bor.campaign = Campaign.objects.create(
            name="Rim", owner=fight.ada.player, after_slag="lost"
        )
    fight.bor.campaign.save()  # type: ignore[union-attr]
    fight.bor.save()
    assert asked(fight, "repair") == []
    later = fight.again()
    later.attack(1, "Backgear", "Shield")
    later.end()
    later.follow()
    assert [prompt.match for prompt in asked(later, "repair")] == [later.match.code]
    assert [flaw.code for flaw in loadouts.evaluate(later.bor.loadouts.get()).problems] == [
        "slag-open"
    ]


@pytest.mark.parametrize(("rule", "named"), [("repair", True), ("whole", False)])
def test_an_appearance_from_before_names_the_campaign_that_rules_it(rule: str, named: bool) -> None:
    fight = duel(rule)
    Appearance.objects.update(campaign=None)
    before = import_module("characters.migrations.0003_appearances_of_before")
    before.name_campaigns(apps, connection.schema_editor())
    now = {each.campaign for each in Appearance.objects.select_related("campaign")}
    assert now == {fight.bor.campaign if named else None}


def test_what_is_put_aside_stays_to_be_taken() -> None:
    fight = duel("repair")
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    for prompt in asked(fight):
        take(fight, prompt, take=False)
    assert [(prompt.kind, prompt.aside) for prompt in asked(fight)] == [
        *(("grudge", True), ("repair", True), ("goal", True)),
    ]
    assert not Favour.objects.exists()
    assert ledger.balance(fight.bor) == 50
    take(fight, asked(fight, "repair")[0])
    assert ledger.balance(fight.bor) == 40


def test_a_goal_that_is_measured_is_asked_about_when_it_is_complete() -> None:
    fight = duel()
    fight.end()
    fight.follow()
    [goal] = fight.bor.goals.all()
    for text, asks in (("Win 2 matches", False), ("Superior Blue Shield", True)):
        services.edit_goal(by=fight.ben, goal=goal, text=text)
        assert bool(asked(fight, "goal")) == asks, text


def test_an_answer_reads_what_it_is_about_and_a_goal_is_asked_after_the_newest_match() -> None:
    first = duel()
    second = first.again()
    for fight in (first, second):
        fight.attack(1, "Backgear", "Shield")
        fight.end()
        fight.follow()

    def kinds(fight: Duel) -> list[str]:
        return [each.kind for each in aftermath.prompts_of(first.ben, first.bor, fight.match.code)]

    assert (kinds(first), kinds(second)) == (["grudge"], ["grudge", "goal"])
    new, old = asked(first, "grudge")
    with CaptureQueriesContext(connection) as queries:
        take(first, old, take=False)
    assert not [each["sql"] for each in queries if "characters_goal" in each["sql"]]
    assert [(each.match, each.aside) for each in asked(first, "grudge")] == [
        (new.match, False),
        (old.match, True),
    ]


def test_a_sheet_leads_to_the_match_that_its_character_is_in() -> None:
    fight = duel()
    other = duel(visibility="table")
    url, at = fight.bor.get_absolute_url(), fight.match.get_absolute_url()
    stranger = Client()
    assert at in stranger.get(url).content.decode()
    assert other.match.code not in stranger.get(other.bor.get_absolute_url()).content.decode()
    assert other.match.code in (
        client_of(other.ben).get(other.bor.get_absolute_url()).content.decode()
    )
    off = factories.spared()
    assert at not in off.get(url).content.decode()  # that it is gone would tell that it is over
    fight.end()
    assert at not in stranger.get(url).content.decode()


def test_only_who_keeps_a_character_is_asked() -> None:
    fight = duel("repair")
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    assert aftermath.prompts_of(factories.actor(), fight.bor) == []
    kinds = [prompt.kind for prompt in aftermath.prompts_of(fight.ada, fight.bor)]
    assert kinds == ["repair"]  # Ada runs the campaign
    sheet = fight.bor.get_absolute_url()
    for tail, told in (("", True), ("?as=public", False)):
        assert (
            "After the match" in client_of(fight.ada).get(sheet + tail).content.decode()
        ) is told
    [prompt] = asked(fight, "repair")
    with pytest.raises(NotAllowed):
        services.answer(
            by=factories.actor(),
            character=fight.bor,
            appearance=prompt.appearance,
            kind="repair",
            item=prompt.item,
        )


def test_what_is_held_back_is_told_to_the_table_alone() -> None:
    fight = duel("repair", held=True)
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    stranger = factories.actor()
    assert record(stranger, fight.bor) == career.CareerRecord(matches=1)
    assert record(fight.ben, fight.bor).slagged == 1
    assert loadouts.evaluate(fight.bor.loadouts.get()).problems == []
    assert [prompt.kind for prompt in asked(fight)] == ["grudge", "repair"]  # the goal is shown
    take(fight, asked(fight, "repair")[0])
    entry = LedgerEntry.objects.filter(method="repaired").earliest("pk")
    assert entry.audience == "owner"
    matches.change_cut(by=fight.ada, match=fight.match, held=False)
    fight.follow()
    assert record(stranger, fight.bor).slagged == 1
    assert [prompt.kind for prompt in asked(fight)] == ["grudge", "goal"]


def test_a_hidden_match_or_character_leaves_no_trace() -> None:
    fight = duel(visibility="table")
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    assert record(NOBODY, fight.bor) == career.CareerRecord()
    fight = duel()
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    services.edit(by=fight.ada, character=fight.una, audience="owner")
    [outing] = career.outings(NOBODY, list(career.appearances(NOBODY, character=fight.bor)))
    [lost] = outing.lost
    assert lost.other is not None
    assert (lost.other.character, lost.other_item) == (None, "")
    assert lost.other_card == "Duel Backgear"
    head = squeezed(Client().get(fight.match.get_absolute_url())).partition('id="part-score"')[0]
    bor = f'<a href="{fight.bor.get_absolute_url()}">{fight.bor.name}</a>'
    assert f'{bor}<span class="soft">({fight.bor.owner.name})' in head.replace("> <", "><")
    assert fight.una.name not in head


def test_a_rebuild_gives_the_same_rows() -> None:
    fight = duel()
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()

    def plain() -> list[dict[str, object]]:
        rows = Deed.objects.order_by("version", "kind").values()
        return [{key: value for key, value in row.items() if key != "id"} for row in rows]

    before = plain()
    followers.follow(fight.match.pk, anew=True)
    assert plain() == before
    assert len(before) == 4


def test_the_api_tells_careers_and_takes_answers() -> None:
    fight = duel("repair")
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    bor, shield = str(fight.bor.pk), fight.item(fight.bor, "Shield").serial
    told = Api().get("appearances/", character=bor).json()
    assert told["record"]["slagged"] == 1
    [outing] = told["results"]
    assert [deed["kind"] for deed in outing["deeds"]] == ["target", "lost"]
    assert outing["foes"] == [{"name": "Una", "seat": 1, "character": str(fight.una.pk)}]
    of_item = Api().get("appearances/", item=shield).json()
    assert (of_item["record"]["tested"], len(of_item["results"])) == (1, 1)
    of_match = Api().get("appearances/", match=fight.match.code.lower()).json()
    results = {one["name"]: one["result"] for one in of_match["results"]}
    assert results == {"Una": "won", "Bor": "lost"}
    assert all(one["record"][one["result"]] == 1 for one in of_match["results"])
    problem(Api().get("appearances/"), 400, "missing-field")
    problem(Api().get("appearances/", item="ZG-000000"), 400, "no-such-item")
    api = Api(fight.ben)
    repair = next(
        one for one in api.get("prompts/", character=bor).json()["results"] if "price" in one
    )
    sent = {key: repair[key] for key in ("appearance", "kind", "item")} | {"character": bor}
    left = api.post("prompts/", sent).json()["results"]
    assert [one["kind"] for one in left] == ["grudge", "goal"]
    problem(api.post("prompts/", sent), 409, "not-asked")
    problem(api.post("prompts/", {**sent, "roll": 7}), 400, "out-of-range")


def test_a_card_tells_what_its_pieces_did_where_everyone_may_know() -> None:
    fight = duel()
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    backgear = fight.item(fight.una, "Backgear")
    card = backgear.card
    assert card is not None
    told = career.record_of_card(card)
    assert (told.matches, told.tests, told.strikes, told.slags) == (2, 1, 2, 1)
    services.print_as(by=fight.ada, item=backgear, card=None)
    assert career.record_of_card(card) == told
    assert "In matches" in client_of().get(f"/cards/{card.pk}/").content.decode()
    services.edit(by=fight.ada, character=fight.una, audience="owner")
    assert career.record_of_card(card).tests == 0


def test_the_bench_and_a_card_tell_how_two_cards_met_in_public_matches() -> None:
    fight = duel()
    for piece in ("Frontgear", "Backgear"):
        fight.attack(1, piece, "Shield")
    fight.end()
    fight.follow()
    card = fight.item(fight.una, "Backgear").card
    assert card is not None
    Card.objects.filter(pk=card.pk).update(name="Firefight Frontgear")
    Deed.objects.filter(other_card="Duel Shield").update(other_card="Magnetron Generator")

    def met() -> tuple[int, int, int]:
        found = meetings.between("zg", "Firefight Frontgear", "Magnetron Generator")
        return found.tests, found.strikes, found.slags

    bench, cards, off = "/games/zg/bench/", f"/cards/{card.pk}/", factories.spared()
    assert met() == (1, 2, 1)
    page = Client().get(bench)
    said = "Firefight Frontgear attacked Magnetron Generator once: 2 strikes, slagged 1 time."
    assert said in text_of(page)
    assert f'href="/matches/{fight.match.code}/?at=3"' in page.content.decode()
    assert "Magnetron Generator 1 2 1" in text_of(Client().get(cards))
    assert "Magnetron Generator 1 2 1" not in text_of(off.get(cards))
    assert "In logged play" not in text_of(off.get(bench))
    assert "In logged play" not in text_of(Client().get(bench, {"attack": "R G B"}))
    fight.match.visibility = "table"
    fight.match.save()
    assert (met(), meetings.of_card(card)) == ((0, 0, 0), [])
    assert "has seen Firefight Frontgear attack" in text_of(Client().get(bench))


def test_the_newest_tests_of_two_cards_are_named() -> None:
    fights = [duel()]
    fights += [fights[0].again() for _ in range(meetings.MAX_MOMENTS)]
    for fight in fights:
        fight.attack(1, "Backgear", "Shield")
        fight.follow()
    found = meetings.between("zg", "Duel Backgear", "Duel Shield")
    newest_first = [fight.match.code for fight in fights[:0:-1]]
    assert [moment.match for moment in found.moments] == newest_first


def test_a_test_is_told_by_its_target_where_no_character_attacked() -> None:
    fight = duel()
    fight.attack(1, "Backgear", "Shield")
    fight.follow()
    Deed.objects.filter(kind__in=("weapon", "took")).delete()
    Deed.objects.update(other=None)
    found = meetings.between("zg", "Duel Backgear", "Duel Shield")
    assert (found.tests, found.strikes, found.slags) == (1, 2, 1)
    assert [moment.version for moment in found.moments] == [2]


def test_what_was_fielded_and_not_in_hand_is_found() -> None:
    fight = duel()
    helmet = fight.item(fight.una, "Helmet")
    gone = services.Recording("destroyed", items=[helmet.serial], out=True)
    services.record(by=fight.ada, character=fight.una, act_id=uuid4(), what=gone)
    assert list(audit.fielded(fight.una)) == []
    Appearance.objects.filter(character=fight.una).update(fielded_at=timezone.now())
    [flaw] = (one for one in audit.flaws_of(fight.una) if one.code != "unexplained")
    assert flaw.detail == f"{helmet.serial} was fielded in {fight.match.code} and was not in hand"


def test_gear_that_is_kept_secret_stays_so_in_careers() -> None:
    fight = duel()
    fight.attack(1, "Backgear", "Shield")
    fight.end()
    fight.follow()
    services.edit_section(
        by=fight.ben, character=fight.bor, kind="gear", audience="owner", named=[]
    )
    shield = fight.item(fight.bor, "Shield").serial
    stranger = client_of(factories.actor())
    for url in (
        f"{fight.bor.get_absolute_url()}record/",
        f"{fight.una.get_absolute_url()}record/",
        f"/items/{fight.item(fight.una, 'Backgear').serial}/",
        fight.match.get_absolute_url(),
        f"/api/v1/appearances/?match={fight.match.code}",
    ):
        assert shield not in stranger.get(url).content.decode(), url
        assert "After the match" not in stranger.get(url).content.decode()
    assert stranger.get(f"/api/v1/appearances/?item={shield}").status_code == 400
    assert shield in client_of(fight.ben).get(fight.bor.get_absolute_url()).content.decode()


def test_pages_of_careers_keep_their_query_count() -> None:
    fight, counts = duel("repair"), []
    reader = client_of(fight.ben)
    shield = fight.item(fight.bor, "Shield")
    urls = (f"{fight.bor.get_absolute_url()}record/", f"/items/{shield.serial}/")
    for _ in range(2):
        fight.attack(1, "Backgear", "Shield")
        fight.end()
        fight.follow()
        for prompt in asked(fight, "repair"):
            take(fight, prompt)
        counts.append([count_queries(reader, url) for url in urls])
        again = [FieldedPlace(loadout=who.loadouts.get().pk) for who in (fight.una, fight.bor)]
        opened = services.open_match(by=fight.ada, ruleset="zg", seats=again)
        fight.match = selectors.match_for(fight.ada, opened.code)
    assert counts[0] == counts[1]
    assert max(counts[0]) < 45
