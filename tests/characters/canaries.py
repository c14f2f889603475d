"""Canaries: a private word in every part of a character that may be private, to detect leaks."""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import rules
from characters import campaigns, cards, ledger, moving, portraits, services
from characters.fielding import FieldedPlace
from characters.models import Character
from characters.services import Circumstances, Recording, TradeOffer
from matches import decks
from matches.actors import Actor
from matches.models import Match
from tests import factories
from tests.characters.api_rows import picture

CANARY = "canary"


def hide_canaries(owner: Actor) -> Character:
    """Create a public character with private words in every part of its sheet."""
    lines = ["Name: Oriel", "Background, Private/OOC:", "canary-private", "Diary:", "canary-diary"]
    lines += ["Notes:", "canary-notes", "Unparsed:", "canary-unparsed"]
    character = services.paste(by=owner, text="\n".join(lines))

    def edit(kind: str, **said: Any) -> None:
        services.edit_section(by=owner, character=character, kind=kind, **said)

    for kind in ("mode-deck", "maneuvers"):
        edit(kind, text=f"canary-{kind}", audience="owner")
    edit("public", text="canary-past", audience="owner")
    edit("public", text="", audience="public")
    services.add_goal(by=owner, character=character, text="canary-goal")
    services.add_favour(
        by=owner, character=character, kind="grudge", text="canary-grudge", who="canary-who"
    )
    told = Circumstances(party="canary-party", place="canary-place", context="canary-context")
    for method in ("stolen", "found"):
        services.record(
            by=owner,
            character=character,
            act_id=uuid4(),
            what=Recording(method, line=f"Basic Red Canary-{method}", told=told),
        )
    for kind in ("goals", "gear", "possessions", "lode", "currency"):
        edit(kind, audience="owner")
    return character


@dataclass(frozen=True)
class Cage:
    """What is hidden, where, and from whom."""

    owner: Actor
    character: Character  # its existence is public
    hidden: Character  # only its owner knows that it exists
    match: Match  # in which the hidden one fought
    places: dict[str, list[Any]]  # values for path parameters, by name
    roles: dict[str, Actor | None]


def cage() -> Cage:
    owner, official, player, friend = (factories.actor() for _ in range(4))
    character = hide_canaries(owner)
    portraits.put(by=owner, character=character, data=picture(), audience="owner")
    belt = campaigns.create(by=official, name="Belt")
    beside = services.paste(by=player, text="Character: Ben")
    for by, each in ((owner, character), (player, beside)):
        move = moving.ask_to_join(by=by, character=each, campaign=belt)
        moving.accept(by=official, move=move)
    hidden, match = _hidden(owner)
    theirs = services.paste(by=friend, text="Character: Cal")
    gift = TradeOffer(gives=[ledger.items_of(character)[0].serial], method="gift", audience="owner")
    trade = services.offer(by=owner, character=character, to=theirs, what=gift)
    move = moving.offer_to(by=owner, character=hidden, to=friend.player)
    card = cards.add(
        by=owner, game="zg", data={"name": "Canary-card", "slot": "Claw"}, card_set="canary-set"
    )
    found = character.goals.first(), character.favours.first()
    loadout = services.make_loadout(by=owner, character=hidden, name="canary-loadout", items=[])
    stolen = _open_with_a_secret(owner)
    places: dict[str, list[Any]] = {
        "characters": [character.pk, hidden.pk, stolen.taker_id],
        "portraits": [character.pk],
        "cards": [card.pk],
        "campaigns": [belt.pk],
        "offers": [trade.pk],
        "trades": [trade.pk],
        "moves": [move.pk],
        "loadouts": [loadout.pk],
        "goals": [found[0].pk if found[0] else None],
        "favours": [found[1].pk if found[1] else None],
        "items": [one.serial for one in (*ledger.items_of(character), stolen.item) if one],
        "gear": [one.serial for one in (*ledger.items_of(hidden), stolen.item) if one],
        "ledger": [stolen.pk],
        "players": [owner.player_id],
        "matches": [match.code],
    }
    roles = {
        "visitor": None,
        "player": player,
        "official": official,
    }
    return Cage(owner, character, hidden, match, places, roles)


def _hidden(owner: Actor) -> tuple[Character, Match]:
    """Return a private character, and a public match it fought in."""
    gear = [f"Basic Red {piece} (found, canary-cave)" for piece in ("Claw", "Helmet", "Shield")]
    text = ["Name: Canary-name", "Tagline: canary-tagline", *gear]
    hidden = services.paste(by=owner, text="\n".join(text))
    loadout = services.outfit(by=owner, character=hidden, name="canary-kit")
    seats = [
        FieldedPlace(loadout=loadout.pk),
        FieldedPlace(factories.SeatRequest(name="Ezut", deck=decks.blank(rules.get("zg")))),
    ]
    match = services.open_match(by=owner, ruleset="zg", seats=seats)
    services.edit(by=owner, character=hidden, audience="owner")
    return hidden, match


def _open_with_a_secret(owner: Actor) -> Any:
    """Return the entry of a theft by a character whose gear is public."""
    someone = services.paste(by=owner, text="Name: Una")
    stole = Recording("stolen", line="Basic Red Boots", told=Circumstances(party="canary-victim"))
    [entry] = services.record(by=owner, character=someone, act_id=uuid4(), what=stole)
    story = Circumstances(party="a shop")
    services.cover(by=owner, entry=entry, act_id=uuid4(), method="bought", circumstances=story)
    return entry
