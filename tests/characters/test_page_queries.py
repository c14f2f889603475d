"""No public page of matches and characters makes more than twelve database queries."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from characters import campaigns, ledger, portraits, services
from characters.models import Campaign, Card, Character, GearItem, Loadout
from characters.services import Circumstances, FieldedPlace, Recording
from matches import actors, cuts, selectors
from matches.actors import RESULTS_COOKIE, Actor
from matches.models import Match
from tests import factories
from tests.characters.api_rows import picture
from tests.characters.duels import SHEET, Duel, card_for, duel

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]  # both engines ask the same

LIMIT = 12
KEEPERS = ("an official", "named", "the owner")
ASKED = {"match-detail": 4, "career-detail": 5, "character-detail": 9}
"""Questions more for who keeps a character's books: what waits for an answer, and the money."""
AUDIENCES = ("public", "players", "officials", "owner", "named")


@dataclass(frozen=True)
class Belt:
    """Characters with several of everything, a piece that passed them all, and who looks."""

    fight: Duel
    piece: GearItem
    readers: dict[str, User]


@pytest.fixture(scope="module")
def belt(django_db_setup: None, django_db_blocker: Any) -> Iterator[Belt]:
    """Build it once for all pages, and leave nothing of it."""
    with factories.built_once(_built, django_db_blocker) as found:
        yield found


def _built() -> Belt:
    fight = duel()
    player, official, named = (factories.actor() for _ in range(3))
    campaign = Campaign.objects.get(name="Belt")
    campaigns.change(by=fight.ada, campaign=campaign, officials=[official.player, named.player])
    for number in range(3):
        _fought(fight, fight.una.loadouts.get(), fight.bor.loadouts.get(), number)
    _tell(fight.ada, fight.una, fight.bor, named)
    piece = fight.item(fight.bor, "Ulster")
    holder = fight.bor
    for number, audience in enumerate(AUDIENCES * 2):
        hand = _hand(player if number % 2 else factories.actor(), number, campaign)
        _give(fight.ben, piece, holder, hand)
        _fought(fight, fight.una.loadouts.get(), _kit(hand, piece), number)
        _show(hand, audience, named)
        holder = hand
    for item in ledger.items_of(fight.una)[-2:]:
        lost = Recording("destroyed", items=[item.serial], out=True)
        services.record(by=fight.ada, character=fight.una, act_id=uuid4(), what=lost)
    Character.objects.update(created_at=timezone.now() - timedelta(days=9))
    users = {"a player": player, "an official": official, "the owner": fight.ada, "named": named}
    readers = {name: who.user for name, who in users.items() if isinstance(who.user, User)}
    return Belt(fight, piece, readers)


def _fought(fight: Duel, mine: Loadout, theirs: Loadout, number: int) -> None:
    """Play a match to its end, some of them held back from the public."""
    seats = [FieldedPlace(loadout=mine.pk), FieldedPlace(loadout=theirs.pk)]
    opened = services.open_match(by=fight.ada, ruleset="zg", seats=seats)
    again = replace(fight, match=selectors.match_for(fight.ada, opened.code))
    for card in ("Helmet", "Frontgear", "Backgear"):
        again.attack(2 if number % 3 == 1 else 1, card, "Shield")
    if number % 3:
        again.end(1 + number % 2)
    cuts.change(again.match, held=number == 2)
    again.follow()


def _tell(by: Actor, una: Character, bor: Character, named: Actor) -> None:
    """Tell several of everything on a sheet, some of it to one by name."""
    assert named.player is not None
    for goal in ("Win 3 matches", "Play 2 matches", "Expert Climber"):
        services.add_goal(by=by, character=una, text=goal)
    for text in ("A bad spin", "A worse one"):
        services.add_favour(
            by=by, character=una, kind="grudge", text=text, about=bor, told=True, audience="named"
        )
    for kind, text in (("diary", "Met Bor."), ("notes", "Rusty."), ("private", "A barge.")):
        services.edit_section(by=by, character=una, kind=kind, text=text, audience="public")
    for kind in ("notes", "maneuvers"):
        services.edit_section(
            by=by, character=una, kind=kind, audience="named", named=[named.player]
        )
    services.edit_section(by=by, character=una, kind="currency", audience="public")
    portraits.put(by=by, character=una, data=picture(), audience="public")
    for line in ("Basic Red Helmet", "Basic Green Feet"):
        stole = Recording(
            "stolen", line=line, told=Circumstances(party="a victim", audience="officials")
        )
        [entry] = services.record(by=by, character=una, act_id=uuid4(), what=stole)
        story = Circumstances(party="a shop", audience="public")
        services.cover(by=by, entry=entry, act_id=uuid4(), method="bought", circumstances=story)


def _hand(by: Actor, number: int, campaign: Campaign) -> Character:
    hand = services.paste(by=by, text=SHEET.format(name=f"Hand {number}"))
    hand.campaign = campaign if number % 3 else Campaign.objects.create(name="Rim", owner=by.player)
    hand.save()
    return hand


def _give(by: Actor, piece: GearItem, giver: Character, taker: Character) -> None:
    line = ledger.LedgerLine("gift", item=piece, giver=giver, taker=taker)
    ledger.post(ledger.LedgerAct(uuid4(), by.player_id), [line])


def _kit(hand: Character, piece: GearItem) -> Loadout:
    by = actors.actor_for(hand.owner.user)
    held = [item for item in ledger.items_of(hand) if item.slot and item.slot != piece.slot]
    for item in held:
        services.print_as(by=by, item=item, card=card_for(item.slot))
    serials = [item.serial for item in (*held, piece)]
    return services.make_loadout(
        by=by, character=hand, name="Kit", items=serials, game_class="open", shared=True
    )


def _show(hand: Character, audience: str, named: Actor) -> None:
    assert named.player is not None
    hand.audience = audience
    hand.save()
    hand.named.add(named.player)
    for section in hand.sections.all():
        section.audience = audience
        section.save()
        section.named.add(named.player)


def of_una(tail: str = "") -> Callable[[Belt], str]:
    return lambda belt: f"{belt.fight.una.get_absolute_url()}{tail}"


def of_match(tail: str = "") -> Callable[[Belt], str]:
    return lambda belt: f"/matches/{_last(belt).code}/{tail}"


def _last(belt: Belt) -> Match:
    shown = Match.objects.filter(seats__appearance__character=belt.fight.una, log__held=False)
    return shown.filter(log__status="ended").latest("started_at")


def _yesterday() -> date:
    return timezone.localdate() - timedelta(days=1)


def _some_cards() -> str:
    return "&".join(f"card={card.pk}" for card in Card.objects.all()[:4])


PAGES: dict[str, Callable[[Belt], str]] = {
    "home": lambda belt: "/",
    "match-list": lambda belt: "/matches/",
    "match-detail": of_match(),
    "match-detail, a past moment": of_match("?at=3"),
    "match-verify": of_match("verify/"),
    "match-fair": of_match("fair/"),
    "game-page": lambda belt: "/games/zg/bench/",
    "character-list": lambda belt: "/characters/",
    "character-detail": of_una(),
    "character-detail, as all see it": of_una("?as=public"),
    "character-detail, of a day": lambda belt: f"{of_una()(belt)}?on={_yesterday()}",
    "character-sheet": of_una("sheet.txt"),
    "character-print": of_una("print/"),
    "character-pocket": of_una("pocket/"),
    "ledger-list": of_una("ledger/"),
    "loadout-list": of_una("loadouts/"),
    "career-detail": of_una("record/"),
    "item-detail": lambda belt: f"/items/{belt.piece.serial}/",
    "item-detail, of one hand": lambda belt: f"/items/{ledger.items_of(belt.fight.una)[0].serial}/",
    "item-tag": lambda belt: f"/items/{belt.piece.serial}/tag/",
    "campaign-list": lambda belt: "/campaigns/",
    "campaign-detail": lambda belt: f"/campaigns/{belt.fight.una.campaign_id}/",
    "campaign-prices": lambda belt: f"/campaigns/{belt.fight.una.campaign_id}/prices/",
    "card-list": lambda belt: "/cards/",
    "card-list, some chosen": lambda belt: f"/cards/?sort=-cost&{_some_cards()}",
    "card-compare": lambda belt: f"/cards/compare/?{_some_cards()}",
    "card-print": lambda belt: f"/cards/print/?{_some_cards()}",
    "card-detail": lambda belt: f"/cards/{Card.objects.get(name='Duel Ulster').pk}/",
}
READERS = ("a stranger", "a player", "an official", "named", "results off", "the owner")


def asking(belt: Belt, reader: str) -> Client:
    client = Client()
    if reader == "results off":
        client.cookies[RESULTS_COOKIE] = "off"
    elif reader != "a stranger":
        client.force_login(belt.readers[reader])
    return client


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("page", PAGES)
def test_a_public_page_asks_little(
    belt: Belt, page: str, reader: str, django_assert_max_num_queries: Any
) -> None:
    client, path = asking(belt, reader), PAGES[page](belt)
    cache.clear()
    assert client.get(path).status_code == 200
    more = ASKED.get(page, 0) if reader in KEEPERS else 0
    with django_assert_max_num_queries(LIMIT + more):
        assert client.get(path).status_code == 200
