"""Responses built from the results of selectors and services."""

from datetime import date, timedelta
from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.reverse import reverse

from characters import earlier, policy, shown
from characters.api import shapes
from characters.models import Character, Section
from characters.sheet import Sheet
from characters.shown import VisibleSheet
from matches.actors import Actor
from matches.errors import BadInput

Kind = Section.Kind


def paste_response(sheet: Sheet) -> shapes.PasteResponse:
    return shapes.PasteResponse(**{name: getattr(sheet, name) for name in sheet.__struct_fields__})


def _of_line(character: Character, request: Request) -> dict[str, Any]:
    return {
        "id": character.pk,
        "name": character.name,
        "tagline": character.tagline,
        "owner": character.owner_id,
        "campaign": character.campaign_id,
        "created_at": character.created_at,
        "url": reverse("api:character", args=[character.pk], request=request),
    }


def character_line(character: Character, request: Request) -> shapes.CharacterLine:
    return shapes.CharacterLine(**_of_line(character, request))


def character_response(
    sheet: VisibleSheet, actor: Actor, request: Request
) -> shapes.CharacterResponse:
    parts, character = sheet.parts, sheet.character
    return shapes.CharacterResponse(
        **_of_line(character, request),
        audience=character.audience if sheet.eyes.own else "",
        sections=[
            shapes.CharacterPart(part.kind, part.title, part.text, part.audience, part.named)
            for part in sheet.ordered
            if part.kind in shown.TEXTS or part.audience
        ],
        mode_deck=sheet.mode_deck if Kind.MODE_DECK in parts else None,
        maneuvers=sheet.maneuvers if Kind.MANEUVERS in parts else None,
        goals=sheet.goals if Kind.GOALS in parts else None,
        gear=sheet.gear if Kind.GEAR in parts else None,
        possessions=sheet.possessions if Kind.POSSESSIONS in parts else None,
        lodes=[
            shapes.CharacterLode(lode.name, lode.serial, [one.name for one in artifex])
            for lode, artifex in sheet.lodes
        ]
        if Kind.LODE in parts
        else None,
        currency=sheet.balance,
        may=shapes.CharacterRights(
            edit=policy.may_edit(actor, character) and sheet.eyes.own,
            record=policy.may_record(actor, character)
            and sheet.eyes.rank in ("owner", "officials"),
        ),
        links={
            "sheet": reverse("api:character-sheet", args=[character.pk], request=request),
        },
    )


def sheet_for(
    actor: Actor, character: Character, rank: str = "", on: date | None = None
) -> VisibleSheet:
    """Return a character's sheet as visible to an actor, or to a lower rank.

    With a past day `on`: as it was then. Raises: BadInput for a day that has begun nowhere yet.
    """
    today = timezone.localdate()
    if on and on > today + timedelta(days=1):  # east of the site it may be tomorrow already
        raise BadInput("bad-day", "That day is still to come.", "$.on")
    match rank:
        case "public" | "players" | "officials" | "owner":
            eyes = policy.eyes_as(actor, character, rank)
        case _:
            eyes = policy.eyes_of(actor, character)
    if on and on < today:
        policy.require_results(actor, character)
        return earlier.sheet_on(character, eyes, on).sheet
    return shown.sheet_of(character, eyes)
