"""A match of two characters whose tests have known results, and its effects on the characters."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

from characters import ledger, loadouts, services
from characters.models import Campaign, Card, CardSet, Character, GearItem
from characters.services import FieldedPlace
from matches import followers, selectors
from matches import services as matches
from matches.actors import Actor
from matches.models import Match
from tests import factories

SHIELD = "R G B"  # the target that the attacks below are designed for
ATTACKS = {"Helmet": "B R G", "Frontgear": "R B G", "Backgear": "R G R"}  # 0, 1 and 2 strikes
SHEET = """Character: {name}
Basic Red Helmet (found, a yard)
Basic Red Frontgear (found, a yard)
Basic Red Backgear (found, a yard)
Superior Blue Shield (c40 @ Pit Stop)
Basic Blue Ulster (found, a yard)
Goals:
Win one *
Currency: c50
"""


@dataclass
class Duel:
    """A match of two characters: Ada's against Ben's, at seats 1 and 2, Ada its opener."""

    ada: Actor
    ben: Actor
    una: Character
    bor: Character
    match: Match

    def item(self, character: Character, slot: str) -> GearItem:
        return next(item for item in ledger.items_of(character) if item.slot == slot)

    def attack(self, seat: int, card: str, target: str, act_id: UUID | None = None) -> UUID:
        """Record a test of one piece against another, both named by slot."""
        act_id = act_id or uuid4()
        factories.record(self.match, attacked(seat, card, target), by=self.ada, act_id=act_id)
        return act_id

    def end(self, seat: int = 2) -> None:
        """Let a seat concede."""
        factories.record(self.match, {"type": "conceded", "seat": seat}, by=self.ada)

    def correct(self, act_id: UUID, act: dict[str, Any] | None) -> UUID:
        """Correct an act of the match; return the id of its replacement."""
        self.match.log.refresh_from_db()
        receipts = matches.correct(
            match=self.match,
            by=self.ada,
            correction_id=uuid4(),
            request=matches.CorrectionRequest(act_id, act, reason="Misread."),
        )
        entries = self.match.log.events.filter(ordinal=0, version=receipts[1].version)
        return UUID(str(entries.values_list("act_id", flat=True)[0]))

    def follow(self) -> None:
        followers.work(self.match.pk)

    def again(self) -> "Duel":
        """Open another match of the same two."""
        places = [FieldedPlace(loadout=each.loadouts.get().pk) for each in (self.una, self.bor)]
        opened = services.open_match(by=self.ada, ruleset="zg", seats=places)
        return replace(self, match=selectors.match_for(self.ada, opened.code))


def attacked(seat: int, card: str, target: str) -> dict[str, Any]:
    return {
        "type": "attacked",
        "seat": seat,
        "card": f"Duel {card}",
        "end": "a",
        "foe": 3 - seat,
        "target": f"Duel {target}",
        "target_end": "a",
    }


def duel(after_slag: str = "whole", ada: Actor | None = None, **table: Any) -> Duel:
    """Open a match between two characters of one campaign that has slags followed so."""
    ada, ben = ada or factories.actor(), factories.actor()
    campaign = Campaign.objects.create(
        name="Belt", owner=ada.player, after_slag=after_slag, repair_price=10
    )
    una, bor = (_character(by, name, campaign) for by, name in ((ada, "Una"), (ben, "Bor")))
    places = [FieldedPlace(loadout=_loadout(ada, una)), FieldedPlace(loadout=_loadout(ben, bor))]
    opened = services.open_match(by=ada, ruleset="zg", seats=places, **table)
    return Duel(ada, ben, una, bor, selectors.match_for(ada, opened.code))


def _character(by: Actor, name: str, campaign: Campaign) -> Character:
    character = services.paste(by=by, text=SHEET.format(name=name))
    character.campaign = campaign
    character.save()
    return character


def _loadout(by: Actor, character: Character) -> UUID:
    """Return a shared loadout of all gear, each piece printed as the site's card for its slot."""
    items = [item for item in ledger.items_of(character) if item.kind == "piece"]
    for item in items:
        services.print_as(by=by, item=item, card=card_for(item.slot))
    serials = [item.serial for item in items]
    made = services.make_loadout(
        by=by, character=character, name="Duel", items=serials, game_class="open", shared=True
    )
    assert not loadouts.evaluate(made).problems
    return made.pk


def card_for(slot: str) -> Card:
    """Return the site's card that duels use for a slot."""
    card_set, _ = CardSet.objects.get_or_create(game="zg", name="Duel", owner=None)
    dots = ATTACKS.get(slot, SHIELD)
    face = f'{{"name":"Duel {slot}","slot":"{slot}","a":"{dots}","b":"{dots}"}}'
    return Card.objects.get_or_create(
        card_set=card_set, game="zg", name=f"Duel {slot}", slot=slot, defaults={"face": face}
    )[0]
