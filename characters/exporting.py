"""Export a person's characters: sheets including everything private, books, cards."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.text import slugify

from characters import cards, shown, telling
from characters.models import Appearance, Campaign, Card, Character, Move, Portrait, Trade
from characters.policy import Eyes
from characters.sheet import write
from matches.actors import Actor
from matches.models import Player

Files = dict[str, bytes]


def export(by: Actor, player: Player) -> tuple[dict[str, Any], Files]:
    """Return a person's characters, cards, campaigns and offers, and their files."""
    files: Files = {}
    own = Character.objects.filter(owner=player).select_related("campaign").order_by("pk")
    data = {
        "characters": [_character(one, player, files) for one in own],
        "cards": _cards(player, files),
        "campaigns": [_campaign(one) for one in Campaign.objects.filter(owner=player)],
        "trades": _trades(own),
        "moves": _moves(player),
    }
    return data, files


def _character(character: Character, player: Player, files: Files) -> dict[str, Any]:
    eyes = Eyes("owner", player.pk)
    sheet = shown.sheet_of(character, eyes)
    folder = f"characters/{slugify(character.name)[:40] or 'character'}-{character.pk}"
    files[f"{folder}/sheet.txt"] = write(shown.plain_sheet(sheet)).encode()
    if portrait := Portrait.objects.filter(character=character).first():
        files[f"{folder}/portrait.jpg"] = bytes(portrait.image)
    return {
        "id": character.pk,
        "name": character.name,
        "tagline": character.tagline,
        "audience": character.audience,
        "campaign": character.campaign.name if character.campaign else None,
        "created_at": character.created_at,
        "folder": folder,
        "sections": sheet.ordered,
        "goals": sheet.goals,
        "items": sheet.items,
        "balance": sheet.balance,
        "books": telling.books_of(character, eyes),
        "favours": [_row(one, *FAVOUR) for one in sheet.favours],
        "history": [_row(one, *CHANGE) for one in character.changes.all()],
        "loadouts": [
            {**_row(one, "id", "name", "game", "game_class"), "items": _serials(one.items.all())}
            for one in character.loadouts.prefetch_related("items")
        ],
        "appearances": [_appearance(one) for one in _appearances(character)],
    }


def _appearances(character: Character) -> QuerySet[Appearance]:
    found = character.appearances.select_related("seat__match").order_by("fielded_at", "id")
    return found.prefetch_related("fielded__item")


def _appearance(one: Appearance) -> dict[str, Any]:
    return {
        **_row(one, "id", "loadout_id", "fielded_at"),
        "match": one.seat.match.code,
        "seat": one.seat.number,
        "gear": {piece.card: piece.item.serial for piece in one.fielded.all()},
    }


FAVOUR = (
    *("id", "kind", "holder_id", "about_id", "who", "text", "told", "audience", "match"),
    *("since", "settled_at"),
)
CHANGE = ("what", "before", "after", "changed_at")


def _row(row: Any, *names: str) -> dict[str, Any]:
    return {name.removesuffix("_id"): getattr(row, name) for name in names}


def _serials(items: Iterable[Any]) -> list[str]:
    return [item.serial for item in items]


def _cards(player: Player, files: Files) -> list[dict[str, Any]]:
    own = Card.objects.filter(owner=player).select_related("card_set").order_by("pk")
    for game in sorted({card.game for card in own}):
        found = [card for card in own if card.game == game]
        files[f"cards-{game}.csv"] = cards.table(game, found).encode()
    return [
        {
            **_row(card, "id", "game", "shared", "revision"),
            "set": card.card_set.name,
            "card": card.data,
        }
        for card in own
    ]


def _campaign(campaign: Campaign) -> dict[str, Any]:
    return _row(campaign, "id", "name", "game", "after_slag", "repair_price", "created_at")


def _trades(own: QuerySet[Character]) -> list[dict[str, Any]]:
    found = Trade.objects.filter(Q(by__in=own) | Q(to__in=own)).prefetch_related("gives", "wants")
    names = ("id", "by_id", "to_id", "pays", "asks", "method", "status", "offered_at", "settled_at")
    return [
        {
            **_row(trade, *names),
            "gives": _serials(trade.gives.all()),
            "wants": _serials(trade.wants.all()),
        }
        for trade in found
    ]


def _moves(player: Player) -> list[dict[str, Any]]:
    names = ("id", "character_id", "by_id", "to_id", "campaign_id", "status", "offered_at")
    return [_row(move, *names) for move in Move.objects.filter(Q(by=player) | Q(to=player))]
