"""The ledger: the effect of every kind of entry, and that the sums are right."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client

from characters import audit, ledger, policy, services, shown, telling, trades
from characters.ledger import LedgerAct, LedgerLine
from characters.locking import locked
from characters.models import Campaign, Character, GearItem, LedgerEntry
from characters.services import Circumstances, Recording, TradeOffer
from matches import services as people
from matches.actors import Actor
from matches.errors import BadInput, Conflict, IdReused, Impossible, NotAllowed
from tests import factories
from tests.api.client import Api, problem
from tests.api.test_bad_forms import signed_in
from tests.database import waiting_sessions
from tests.html import text_of
from tests.waiting import PATIENCE, eventually

pytestmark = pytest.mark.django_db

FEET = "Basic Blue Feet (c20 x 2 @ zGearGo)"


class Hero:
    """A character with c100, and its owner."""

    def __init__(self, name: str = "Ada", purse: int = 100) -> None:
        self.by = factories.actor()
        self.character = services.paste(by=self.by, text=f"Character: {name}")
        if purse:
            self.record("issued", amount=purse)

    def record(self, method: str = "", act_id: UUID | None = None, **what: Any) -> Any:
        told = Circumstances(
            **{name: what.pop(name) for name in Circumstances.__annotations__ if name in what}
        )
        return services.record(
            by=what.pop("by", self.by),
            character=self.character,
            act_id=act_id or uuid4(),
            what=Recording(method, told=told, **what),
        )

    @property
    def balance(self) -> int:
        return ledger.balance(self.character)

    @property
    def items(self) -> list[GearItem]:
        return ledger.items_of(self.character)

    def offer(self, to: "Hero", **what: Any) -> Any:
        return services.offer(
            by=self.by, character=self.character, to=to.character, what=TradeOffer(**what)
        )


def one_of(hero: Hero) -> GearItem:
    return hero.items[0]


def test_who_is_offered_something_is_told_at_home_and_among_their_characters() -> None:
    ada, ben = Hero("Ada"), Hero("Ben")
    ada.offer(ben, pays=5, method="gift")
    sheet = ben.character.get_absolute_url()

    page = signed_in(ben.by.user).get("/characters/").content.decode()
    assert "For Ben to answer" in page
    assert f"{sheet}offers/" in page
    assert "Offers 1" in text_of(signed_in(ben.by.user).get(sheet))
    assert "An offer waits" in signed_in(ben.by.user).get("/").content.decode()
    for other in (ada, Hero("Cid")):
        assert "to answer" not in signed_in(other.by.user).get("/characters/").content.decode()
        assert "waits" not in signed_in(other.by.user).get("/").content.decode()


def test_two_pieces_are_bought_by_the_shorthand() -> None:
    hero = Hero()
    entries = hero.record(line=FEET)
    assert [str(item) for item in hero.items] == ["Basic Blue Feet"] * 2
    assert hero.balance == 60
    assert [entry.method for entry in entries] == ["bought"] * 4
    assert entries[0].words.party == "zGearGo"
    assert entries[0].words.raw == FEET


def test_what_the_erased_called_their_possessions_goes_and_what_others_have_stays() -> None:
    ada, ben = Hero("Ada"), Hero("Ben")
    for line in ("Letters to my sister", "A lantern"):
        ada.record("found", kind="possession", line=line)
    ada.record("found", kind="lode", line="Ada's lode - Ada's voice")
    ada.record("found", line="Basic Blue Feet")
    lantern = next(item for item in ada.items if item.name == "A lantern")
    services.accept(by=ben.by, trade=ada.offer(ben, method="gift", gives=[lantern.serial]))
    people.erase(by=ada.by, player=ada.by.player)
    assert {item.name for item in ada.items} == {"Erased possession", "Feet"}
    assert [item.name for item in ben.items] == ["A lantern"]


def test_a_possession_a_lode_and_an_artifex_come_in_as_what_they_are() -> None:
    hero = Hero()
    hero.record("stolen", kind="possession", line="A book of debts", party="Halder")
    hero.record("bought", kind="lode", line="Ego Lode - first tutor + second tutor", amount=30)
    hero.record("found", kind="artifex", line="Stray tutor")

    kinds = {(item.kind, item.name): item.inside and item.inside.name for item in hero.items}
    assert kinds == {
        ("possession", "A book of debts"): None,
        ("lode", "Ego Lode"): None,
        ("artifex", "first tutor"): "Ego Lode",
        ("artifex", "second tutor"): "Ego Lode",
        ("artifex", "Stray tutor"): None,
    }
    assert hero.balance == 70  # a lode is paid for once, with what is in it
    sheet = shown.sheet_of(hero.character, policy.eyes_of(hero.by, hero.character))
    assert [(lode.name, len(artifex)) for lode, artifex in sheet.lodes] == [
        ("Ego Lode", 2),
        ("Stray tutor", 0),
    ]


def test_what_was_paid_may_stand_beside_the_line() -> None:
    hero = Hero()
    hero.record("bought", line="Basic Red Claw", amount=9)
    assert hero.balance == 91
    hero.record("won", line="Basic Blue Feet", amount=50)
    assert (hero.balance, len(hero.items)) == (141, 2)
    with pytest.raises(BadInput, match="say it once"):
        hero.record(line=FEET, amount=40)


@pytest.mark.parametrize(
    ("kind", "line", "code"),
    [
        ("lode", "A shiny box", "no-gear"),
        ("piece", "A book", "no-gear"),
        ("thing", "A book", "bad-kind"),
    ],
)
def test_a_line_that_is_not_of_its_kind_is_refused(kind: str, line: str, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        Hero().record("found", kind=kind, line=line)
    assert refused.value.code == code
    assert not GearItem.objects.exists()


def test_an_act_sent_again_happens_once() -> None:
    hero, act_id = Hero(), uuid4()
    first = hero.record(line=FEET, act_id=act_id)
    assert hero.record(line=FEET, act_id=act_id) == first
    assert (hero.balance, len(hero.items)) == (60, 2)
    with pytest.raises(Conflict):
        Hero("Ben").record(line=FEET, act_id=act_id)


def test_what_is_sent_under_the_id_of_another_act_is_refused() -> None:
    hero, act_id = Hero(), uuid4()
    hero.record("found", amount=5, act_id=act_id)
    with pytest.raises(IdReused):
        hero.record("found", amount=500, act_id=act_id)
    with pytest.raises(IdReused):
        hero.record(line=FEET, act_id=act_id)
    assert hero.balance == 105


def test_what_was_entered_before_its_digest_was_kept_is_found_again() -> None:
    hero, act_id = Hero(), uuid4()
    first = ledger.post(
        LedgerAct(act_id, None), [LedgerLine("found", amount=5, taker=hero.character)]
    )
    assert hero.record("found", amount=5, act_id=act_id) == first


def test_an_id_of_another_act_is_refused() -> None:
    hero, act = Hero(), LedgerAct(uuid4(), None)
    ledger.post(act, [LedgerLine("won", amount=5, taker=hero.character)])
    with pytest.raises(IdReused):
        ledger.post(act, [LedgerLine("won", amount=6, taker=hero.character)])
    assert hero.balance == 105


def test_an_id_that_other_books_used_in_the_same_moment_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hero, act_id = Hero(), uuid4()
    lines = [LedgerLine("won", amount=5, taker=hero.character)]

    def both(*_: Any) -> None:
        raise IntegrityError("the id is there by now")

    monkeypatch.setattr(ledger, "_post", both)
    with pytest.raises(IntegrityError):  # of something else
        ledger.post(LedgerAct(act_id, None), lines)
    forge(act_id=act_id, amount=5, taker=hero.character)
    with pytest.raises(IdReused):
        ledger.post(LedgerAct(act_id, None), lines)


def test_nobody_spends_more_than_they_have() -> None:
    hero = Hero(purse=39)
    with pytest.raises(Impossible, match="would be c-1"):
        hero.record(line=FEET)
    assert (hero.balance, hero.items) == (39, [])
    assert not GearItem.objects.exists()


@pytest.mark.parametrize("method", ["issued", "found", "stolen", "won", "gift", "salvaged"])
def test_things_come_in(method: str) -> None:
    hero = Hero()
    [entry] = hero.record(method, line="Basic Red Helmet", party="Ezut", place="Luna")
    assert [str(item) for item in hero.items] == ["Basic Red Helmet"]
    assert entry.audience == ("owner" if method == "stolen" else "public")
    assert (entry.words.party, entry.words.place) == ("Ezut", "Luna")


@pytest.mark.parametrize(
    ("method", "left"),
    [("found", 100), ("gift", 100), ("won", 100), ("lent", 100), ("bought", 60), ("traded", 60)],
)
def test_a_price_is_paid_for_what_was_paid_for(method: str, left: int) -> None:
    hero = Hero()
    hero.record(method, line=FEET)
    assert (len(hero.items), hero.balance) == (2, left)


@pytest.mark.parametrize(
    "method", ["gift", "lent", "traded", "returned", "stolen", "confiscated", "destroyed"]
)
def test_things_go_out(method: str) -> None:
    hero = Hero()
    hero.record(line=FEET)
    first, second = hero.items
    hero.record(method, items=[first.serial], out=True)
    assert hero.items == [second]
    assert ledger.holder_of(first) is None
    with pytest.raises(Impossible, match="not in those hands"):
        hero.record(method, items=[first.serial], out=True)


def test_what_was_out_comes_back() -> None:
    hero = Hero()
    hero.record("found", line="Basic Red Helmet")
    item = one_of(hero)
    hero.record("lent", items=[item.serial], out=True, party="Vaugn")
    hero.record("returned", items=[item.serial])
    assert hero.items == [item]
    with pytest.raises(Impossible, match="in somebody's hands already"):
        Hero("Ben").record("found", items=[item.serial])


def test_what_is_sold_brings_its_price() -> None:
    hero = Hero()
    hero.record("found", line="Basic Red Helmet")
    hero.record("traded", items=[one_of(hero).serial], out=True, price=15, party="zGearGo")
    assert (hero.items, hero.balance) == ([], 115)


def test_a_repair_costs_and_moves_nothing() -> None:
    hero = Hero()
    hero.record("found", line="Basic Red Helmet")
    hero.record("repaired", items=[one_of(hero).serial], price=10)
    assert (len(hero.items), hero.balance) == (1, 90)


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ({"method": "eaten", "amount": 5}, "bad-method"),
        ({"method": "bought"}, "nothing"),
        ({"method": "destroyed", "amount": 5}, "bad-method"),
        ({"method": "issued", "amount": 5, "out": True}, "bad-method"),
        ({"line": "a strange thing"}, "no-gear"),
        ({"line": "Basic Red Helmet"}, "bad-method"),
        ({"line": "Basic Red Feet (c1 x 1000)"}, "no-gear"),
        ({"method": "found", "items": ["ZG-XXXXXX", "ZG-XXXXXX"]}, "bad-items"),
        ({"method": "found", "items": [f"ZG-XXXX{no:02}" for no in range(51)]}, "bad-items"),
        ({"method": "found", "items": [f"ZG-XXXX{no:02}" for no in range(50)]}, "no-such-item"),
        ({"method": "found", "items": ["ZG-XXXXXX"], "line": "Basic Red Helmet"}, "not-new"),
        ({"method": "gift", "line": "Basic Red Helmet", "out": True}, "not-new"),
        ({"method": "repaired", "line": "Basic Red Helmet", "price": 5}, "not-new"),
        ({"method": "found", "amount": 5, "audience": "named"}, "bad-audience"),
        ({"method": "found", "amount": 5, "party": "x" * 201}, "bad-length"),
        ({"method": "found", "amount": -5}, "bad-amount"),
        ({"method": "found", "amount": ledger.MAX_MONEY + 1}, "bad-amount"),
    ],
)
def test_what_makes_no_sense_is_refused(what: dict[str, Any], code: str) -> None:
    hero = Hero()
    before = LedgerEntry.objects.count()
    with pytest.raises((BadInput, Impossible)) as refused:
        hero.record(**what)
    assert refused.value.code == code
    assert LedgerEntry.objects.count() == before
    assert not GearItem.objects.exists()


def test_an_item_that_is_not_there() -> None:
    with pytest.raises(BadInput, match="no item ZG-000000") as refused:
        Hero().record("found", items=["ZG-000000"])
    assert refused.value.where == "$.items[0]"


def test_strangers_keep_no_books() -> None:
    hero = Hero()
    with pytest.raises(NotAllowed):
        hero.record("won", amount=5, by=factories.actor())
    with pytest.raises(NotAllowed):
        hero.record("won", amount=5, by=Actor())


# -- mending ----------------------------------------------------------------------------------


def test_a_counter_entry_undoes_an_act_whole() -> None:
    hero = Hero()
    entries = hero.record(line=FEET)
    services.correct(by=hero.by, entry=entries[2], act_id=uuid4(), reason="typed twice")
    assert (hero.items, hero.balance) == ([], 100)
    assert LedgerEntry.objects.filter(method="corrected").count() == 4
    counter = LedgerEntry.objects.filter(method="corrected")
    for entry, code in ((entries[0], "already-corrected"), (counter[0], "is-correction")):
        with pytest.raises(Conflict) as refused:
            services.correct(by=hero.by, entry=entry, act_id=uuid4())
        assert refused.value.code == code
    assert not list(audit.problems())


def test_a_counter_entry_that_can_not_be_says_what_to_do_instead() -> None:
    ada, ben = Hero(), Hero("Ben")
    [found] = ada.record("found", line="Basic Red Helmet")
    trade = ada.offer(ben, gives=[one_of(ada).serial], method="gift")
    [gift] = services.accept(by=ben.by, trade=trade)
    with pytest.raises(Impossible, match="moved on since: undo that first"):
        services.correct(by=ada.by, entry=found, act_id=uuid4())
    with pytest.raises(NotAllowed, match="offer it back") as refused:
        services.correct(by=ada.by, entry=gift, act_id=uuid4())
    assert refused.value.code == "not-allowed"
    with pytest.raises(NotAllowed, match="Only the owner and officials"):
        services.correct(by=factories.actor(), entry=gift, act_id=uuid4())


def test_an_offer_does_not_tell_who_holds_what_is_hidden() -> None:
    ada, ben = Hero(), Hero("Ben")
    ben.record(line="Basic Blue Feet (found)")
    tag = one_of(ben).serial
    assert ada.offer(ben, pays=5, wants=[tag])
    services.edit_section(by=ben.by, character=ben.character, kind="gear", audience="owner")
    with pytest.raises(Impossible) as refused:
        ada.offer(ben, pays=5, wants=[tag])
    assert refused.value.code == "not-held"
    assert ben.offer(ada, gives=[tag], asks=5)


def test_a_counter_entry_sent_again_happens_once() -> None:
    hero, act_id = Hero(), uuid4()
    [entry] = hero.record("won", amount=7)
    first = services.correct(by=hero.by, entry=entry, act_id=act_id)
    assert services.correct(by=hero.by, entry=entry, act_id=act_id) == first
    assert hero.balance == 100


def test_what_was_spent_since_can_not_be_undone() -> None:
    hero = Hero(purse=0)
    [came] = hero.record("won", amount=40)
    hero.record(line=FEET)
    with pytest.raises(Impossible):
        services.correct(by=hero.by, entry=came, act_id=uuid4())


def test_a_cover_story_moves_nothing() -> None:
    hero = Hero()
    [true] = hero.record("stolen", line="Superior Green Frontgear", party="Ezut")
    [told] = services.cover(
        by=hero.by,
        entry=true,
        act_id=uuid4(),
        method="gift",
        circumstances=Circumstances(party="an aunt"),
    )
    assert len(hero.items) == 1
    assert (told.covers, told.audience) == (true, "public")
    with pytest.raises(BadInput, match="do not know the truth") as refused:
        services.cover(
            by=hero.by,
            entry=true,
            act_id=uuid4(),
            method="gift",
            circumstances=Circumstances(audience="owner"),
        )
    assert (refused.value.code, refused.value.where) == ("bad-audience", "$.audience")
    services.correct(by=hero.by, entry=true, act_id=uuid4())
    [line] = telling.books_of(hero.character, policy.Eyes())
    assert (line.id, line.corrected) == (told.pk, True)  # the story ends with the truth
    with pytest.raises(Impossible) as moves_nothing:
        services.correct(by=hero.by, entry=told, act_id=uuid4())
    assert moves_nothing.value.code == "cover-story"
    assert not list(audit.problems())


def test_a_cover_story_is_of_how_an_item_came_and_for_fewer_ways_than_there_are() -> None:
    hero = Hero()
    [true] = hero.record("stolen", line="Superior Green Frontgear", party="Ezut")
    [money] = hero.record("stolen", amount=5)
    told = {"by": hero.by, "act_id": uuid4(), "circumstances": Circumstances()}
    with pytest.raises(BadInput) as refused:
        services.cover(entry=true, method="destroyed", **told)
    assert (refused.value.code, refused.value.where) == ("bad-method", "$.method")
    [story] = services.cover(entry=true, method="gift", **told)
    [gone] = hero.record("destroyed", items=[one_of(hero).serial], out=True, audience="owner")
    for entry in (money, story, gone):
        with pytest.raises(Impossible) as refused_too:
            services.cover(entry=entry, method="gift", **told | {"act_id": uuid4()})
        assert refused_too.value.code == "no-cover"


# -- after a slag -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "roll", "balance", "kept"),
    [
        ("whole", None, 100, True),
        ("repair", None, 88, True),
        ("lost", None, 100, False),
        ("roll", 1, 100, False),
        ("roll", 3, 88, True),
        ("roll", 6, 100, True),
    ],
)
def test_what_follows_a_slag_is_the_campaigns_to_say(
    rule: str, roll: int | None, balance: int, kept: bool
) -> None:
    hero = Hero()
    hero.character.campaign = Campaign.objects.create(
        name="Belt", owner=factories.actor().player, after_slag=rule, repair_price=12
    )
    hero.character.save()
    hero.record("found", line="Basic Red Helmet")
    item = one_of(hero)
    told = {"by": hero.by, "character": hero.character, "item": item}
    services.after_slag(**told, act_id=uuid4(), match="ABCDEF", roll=roll)
    assert (hero.balance, hero.items == [item]) == (balance, kept)


def test_a_roll_must_be_said() -> None:
    hero = Hero()
    hero.character.campaign = Campaign.objects.create(
        name="Belt", owner=factories.actor().player, after_slag="roll"
    )
    hero.character.save()
    hero.record("found", line="Basic Red Helmet")
    told = {"by": hero.by, "character": hero.character, "item": one_of(hero)}
    for roll in (None, 0, 7):
        with pytest.raises(BadInput, match="die") as refused:
            services.after_slag(**told, act_id=uuid4(), roll=roll)
        assert (refused.value.code, refused.value.where) == ("no-roll", "$.roll")
    with pytest.raises(NotAllowed):
        services.after_slag(**told | {"by": factories.actor()}, act_id=uuid4())


# -- trades -------------------------------------------------------------------------------------


def test_a_trade_happens_when_the_other_side_takes_it() -> None:
    ada, ben = Hero(), Hero("Ben")
    ada.record("found", line="Basic Red Helmet")
    ben.record("found", line="Superior Blue Shield")
    helmet, shield = one_of(ada), one_of(ben)
    trade = ada.offer(ben, gives=[helmet.serial], wants=[shield.serial], pays=30)
    assert ada.items == [helmet]
    with pytest.raises(NotAllowed):
        services.accept(by=ada.by, trade=trade)
    first = services.accept(by=ben.by, trade=trade)
    assert (ada.items, ben.items) == ([shield], [helmet])
    assert (ada.balance, ben.balance) == (70, 130)
    assert services.accept(by=ben.by, trade=trade) == first
    assert (ada.balance, ben.balance) == (70, 130)


def test_an_offer_of_what_is_gone_can_not_be_taken() -> None:
    ada, ben, cid = Hero(), Hero("Ben"), Hero("Cid")
    ada.record("found", line="Basic Red Helmet")
    first, second = (ada.offer(to, gives=[one_of(ada).serial], method="gift") for to in (ben, cid))
    services.accept(by=ben.by, trade=first)
    with pytest.raises(Impossible, match="not in those hands"):
        services.accept(by=cid.by, trade=second)
    second.refresh_from_db()
    assert second.status == "offered"
    services.decline(by=cid.by, trade=second)
    with pytest.raises(Conflict):
        services.accept(by=cid.by, trade=second)


def test_what_can_not_be_offered() -> None:
    ada, ben = Hero(), Hero("Ben")
    ben.record("found", line="Superior Blue Shield")
    shield = one_of(ben).serial
    sent = {"character": str(ada.character.pk), "to": str(ben.character.pk)}
    lone = services.create(by=factories.actor(), name="Lone")
    people.erase(by=Actor(lone.owner.user, lone.owner), player=lone.owner)
    for what, status, code, where in [
        ({}, 400, "nothing", "$"),
        ({"gives": [shield]}, 422, "not-held", "$.gives[0]"),
        ({"pays": 101}, 422, "overspent", "$.pays"),
        ({"to": sent["character"], "pays": 1}, 400, "same-character", "$.to"),
        ({"to": str(lone.pk), "pays": 1}, 422, "nobody-there", "$.to"),
    ]:
        [error] = problem(Api(ada.by).post("trades/", sent | what), status, code)["errors"]
        assert error["where"] == where
    for wrong in ({"method": "destroyed"}, {"audience": "named"}):
        with pytest.raises(BadInput) as refused:
            ada.offer(ben, pays=1, **wrong)
        assert refused.value.code == "bad-method"
    assert ada.offer(ben, pays=100)
    trade = ada.offer(ben, pays=1)
    with pytest.raises(NotAllowed) as between_others:
        services.decline(by=factories.actor(), trade=trade)
    assert between_others.value.code == "not-allowed"
    services.decline(by=ada.by, trade=trade)
    trade.refresh_from_db()
    assert trade.status == "withdrawn"


def test_so_many_offers_wait_between_two_and_no_more() -> None:
    ada, ben = Hero(), Hero("Ben")
    offers = [ada.offer(ben, pays=1) for _ in range(trades.MAX_OPEN)]
    with pytest.raises(Impossible, match="take one back") as refused:
        ada.offer(ben, pays=1)
    assert refused.value.code == "too-many-offers"
    ada.offer(Hero("Cid"), pays=1)
    services.decline(by=ada.by, trade=offers[0])
    ada.offer(ben, pays=1)


# -- telling them ---------------------------------------------------------------------------------


def acts(hero: Hero, **wanted: Any) -> list[telling.VisibleAct]:
    eyes = policy.eyes_of(hero.by, hero.character)
    parts = shown.parts_of(hero.character, eyes)
    return telling.acts_of(hero.character, eyes, telling.LedgerFilter(**wanted), parts)


def test_an_act_is_told_as_what_moved_and_what_it_left() -> None:
    hero = Hero()
    hero.record(line=FEET)
    hero.record("won", line="Basic Red Helmet", amount=5)
    won, bought, issued = acts(hero)
    assert [line.sentence for line in bought.moved] == [
        "Bought Basic Blue Feet for c20, zGearGo"
    ] * 2
    assert (bought.change, bought.balance) == (-40, 60)
    assert [line.sentence for line in won.moved] == ["Won Basic Red Helmet", "Won c5"]
    assert (won.change, won.balance) == (5, 65)
    assert (issued.change, issued.balance) == (100, 100)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, 3),
        ({"method": "bought"}, 1),
        ({"word": "HELMET"}, 1),
        ({"item": "blue feet"}, 1),
        ({"item": "zg-"}, 2),
        ({"person": "halder"}, 1),
        ({"person": "quarry"}, 0),
        ({"place": "quarry"}, 1),
        ({"place": "zgeargo"}, 1),
        ({"since": date(2025, 1, 3)}, 2),
        ({"until": date(2025, 1, 2)}, 1),
        ({"since": date(2025, 1, 2), "until": date(2025, 1, 2), "item": "helmet"}, 1),
    ],
)
def test_books_are_narrowed_to_the_acts_one_looks_for(wanted: dict[str, Any], found: int) -> None:
    hero = Hero()
    hero.record(line=FEET)
    day = date(2025, 1, 2)
    told = {"party": "Halder", "place": "Quarry Town", "happened_on": day}
    hero.record("gift", line="Basic Red Helmet", **told)
    assert len(acts(hero, **wanted)) == found
    asked = {name: str(value) for name, value in wanted.items() if name != "word"}
    asked |= {"q": wanted.get("word", ""), "character": str(hero.character.pk)}
    lines = Api(hero.by).client.get("/api/v1/ledger/", asked).json()["results"]
    assert len({line["act_id"] for line in lines}) == found


# -- the audit ------------------------------------------------------------------------------------


def forge(**fields: Any) -> LedgerEntry:
    """Write a row past the services, as a fault of ours would."""
    fields = {"act_id": uuid4(), "ordinal": 0, "method": "found", **fields}
    return LedgerEntry.objects.create(recorded_at="2026-01-01T00:00:00Z", **fields)


def codes(character: Character) -> list[str]:
    return [flaw.code for flaw in audit.flaws_of(character)]


def test_the_audit_finds_money_that_was_not_there() -> None:
    hero = Hero()
    forge(method="gift", amount=101, giver=hero.character)
    assert codes(hero.character) == ["balance"]
    assert "has c-1" in next(iter(audit.problems()))


def test_the_audit_finds_an_item_in_two_hands_and_after_its_end() -> None:
    ada, ben = Hero(), Hero("Ben")
    ada.record("found", line="Basic Red Helmet")
    item = one_of(ada)
    forge(item=item, taker=ben.character)
    assert codes(ada.character) == codes(ben.character) == ["two-hands"]
    cid = Hero("Cid")
    [true] = cid.record("found", line="Basic Red Shield", audience="owner")
    item = one_of(cid)
    cid.record("destroyed", items=[item.serial], out=True)
    services.cover(
        by=cid.by, entry=true, act_id=uuid4(), method="salvaged", circumstances=Circumstances()
    )
    with pytest.raises(Impossible, match="only as salvaged") as refused:
        cid.record("found", items=[item.serial])
    assert refused.value.code == "destroyed"
    cid.record("salvaged", items=[item.serial])
    cid.record("gift", items=[item.serial], out=True)
    cid.record("found", items=[item.serial])  # what was salvaged comes and goes as before
    assert codes(cid.character) == []
    cid.record("destroyed", items=[item.serial], out=True)
    forge(item=item, taker=cid.character)
    assert codes(cid.character) == ["after-destruction"]


def test_the_audit_tells_unexplained_money_and_blames_nobody_for_it() -> None:
    hero = Hero()
    hero.record("issued", amount=5, certainty="claimed")
    assert codes(hero.character) == ["unexplained"]
    assert not list(audit.problems())


def test_verify_asks_the_books_too() -> None:
    hero, out = Hero(), StringIO()
    call_command("verify", stdout=out)
    forge(method="gift", amount=101, giver=hero.character)
    with pytest.raises(CommandError, match="1 problems beside the logs"):
        call_command("verify", stdout=out)
    assert "balance: Ada has c-1" in out.getvalue()


def test_a_line_is_of_an_item_or_of_money() -> None:
    hero = Hero()
    for wrong in ({}, {"amount": 0}, {"amount": None}):
        with pytest.raises(IntegrityError), transaction.atomic():
            forge(taker=hero.character, **wrong)


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql  # on SQLite one transaction writes at a time
def test_who_names_a_character_does_not_wait_for_its_books() -> None:
    ada, bo = Hero("Ada"), Hero("Bo")
    told = {"by": ada.by, "character": ada.character, "kind": "grudge", "text": "My shield"}

    def name() -> None:
        with closing(connection), transaction.atomic():
            locked(ada.character.pk)
            ada.offer(bo, pays=1)
            services.add_favour(about=bo.character, **told)

    with ThreadPoolExecutor(1) as other, transaction.atomic():
        locked(bo.character.pk)  # as where Bo does the same of Ada
        other.submit(name).result(PATIENCE)


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql  # on SQLite one transaction writes at a time
def test_of_two_who_undo_an_entry_at_once_the_second_is_told_so() -> None:
    hero = Hero()
    [entry] = hero.record("won", amount=7)

    def undo(_: int) -> list[LedgerEntry] | Conflict:
        with closing(connection):
            try:
                return services.correct(by=hero.by, entry=entry, act_id=uuid4())
            except Conflict as refused:
                return refused

    with ThreadPoolExecutor(2) as others:
        with transaction.atomic():
            locked(hero.character.pk)
            undone = others.map(undo, range(2))
            eventually(lambda: waiting_sessions() == 2, "the two never came to the books")
        refused = [each for each in undone if isinstance(each, Conflict)]
    assert [each.code for each in refused] == ["already-corrected"]
    assert hero.balance == 100


@pytest.mark.sqlite
def test_a_campaign_tells_what_its_gear_went_for_as_far_as_everybody_may_know() -> None:
    ada, ben = Hero("Ada"), Hero("Ben")
    belt = Campaign.objects.create(name="Belt", owner=ada.by.player)
    for hero in (ada, ben):
        hero.character.campaign = belt
        hero.character.save()
    [blue, *_] = ada.record(line="Superior Blue Shield (c40 @ zGearGo)")
    ben.record(line="Superior Red Shield (c45 @ Pit Stop)")
    ben.record(line="Superior Green Claw (c5 @ a thief)", audience="owner")
    ben.record("found", line="Superior Green Claw (found, a gutter)")
    ada.record("traded", items=[blue.item.serial], out=True, price=30, party="a miner")
    [again, *_] = ada.record(line="Superior Blue Shield (c60 @ zGearGo)")
    services.correct(by=ada.by, entry=again, act_id=uuid4())

    page = f"/campaigns/{belt.pk}/prices/"
    told = Api().get(f"campaigns/{belt.pk}/sales/").json()["results"]
    assert [(one["title"], one["price"], one["bought"], one["party"]) for one in told] == [
        ("Superior Blue Shield", 30, False, "a miner"),
        ("Superior Red Shield", 45, True, "Pit Stop"),
        ("Superior Blue Shield", 40, True, "zGearGo"),
    ]
    assert {one["name"] for one in told} == {"Ada", "Ben"}
    shown = text_of(Client().get(page))
    assert "Superior Red Shield Ben from Pit Stop c45" in shown
    assert "Superior Shield 3 c30 to c45" in shown
    services.edit_section(by=ben.by, character=ben.character, kind="gear", audience="owner")
    assert "Superior Shield 2 c30 to c40" in text_of(Client().get(page))


def in_campaign(by: Actor, *heroes: Hero) -> Campaign:
    """Return a campaign of these characters, run by somebody."""
    belt = Campaign.objects.create(name="Belt", owner=by.player)
    Character.objects.filter(pk__in=[hero.character.pk for hero in heroes]).update(campaign=belt)
    return belt


def show_money(hero: Hero, audience: str) -> None:
    services.edit_section(by=hero.by, character=hero.character, kind="currency", audience=audience)


def test_a_campaign_adds_up_only_money_that_its_reader_may_see() -> None:
    ada, ben, cem, boss = Hero("Ada"), Hero("Ben"), Hero("Cem"), factories.actor()
    belt = in_campaign(boss, ada, ben, cem)
    show_money(ada, "public")
    show_money(ben, "players")
    ada.record("won", amount=30, party="Rim open")
    ada.record("bought", line="Superior Blue Shield (c40 @ zGearGo)")
    ada.record("stolen", amount=5, party="a thief")  # for its owner's eyes
    [undone] = ada.record("found", amount=7, place="a gutter")
    services.correct(by=ada.by, entry=undone, act_id=uuid4())
    services.accept(by=ben.by, trade=ada.offer(ben, pays=10, method="gift"))

    def supply(by: Actor | None) -> tuple[int, ...]:
        told = Api(by).get(f"campaigns/{belt.pk}/supply/").json()
        names = ("characters", "shown", "total", "came", "unexplained", "spent", "untold")
        return tuple(told[name] for name in names)

    assert supply(None) == (3, 1, 85, 30, 100, 40, -5)  # what was stolen, less what Ben was given
    assert supply(ben.by) == (3, 2, 195, 30, 200, 40, 5)
    assert supply(boss) == (3, 2, 195, 30, 200, 40, 5)
    assert supply(ada.by) == (3, 2, 195, 35, 200, 40, 0)
    assert supply(cem.by) == (3, 3, 295, 30, 300, 40, 5)

    page = f"/campaigns/{belt.pk}/prices/"
    shown = text_of(Client().get(page))
    assert "In the books of 1 of 3 characters" in shown
    assert "other characters −5 In play c85" in shown
    show_money(ada, "owner")
    assert "no character here shows you theirs" in text_of(Client().get(page))
    assert supply(None) == (3, 0, 0, 0, 0, 0, 0)


@pytest.mark.sqlite
def test_an_opening_balance_is_unexplained_whatever_stands_beside_it() -> None:
    ada = Hero("Ada", purse=0)
    belt = in_campaign(ada.by, ada)
    ada.record("issued", amount=50, context="opening balance", certainty="claimed")
    ada.record("found", amount=3, context="a drain", certainty="disputed")
    ada.record("found", amount=2, place="a gutter")
    told = Api(ada.by).get(f"campaigns/{belt.pk}/supply/").json()
    assert (told["total"], told["came"], told["unexplained"]) == (55, 2, 53)
