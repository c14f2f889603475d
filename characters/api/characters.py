"""API of characters: finding them, their sheets, and pasting one."""

from functools import partial
from uuid import UUID

import msgspec
from django.db import transaction
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from characters import pasting, policy, portraits, selectors, services, shown
from characters.api import shapes
from characters.api.responses import character_line, character_response, paste_response, sheet_for
from characters.models import Change, Character, Portrait
from characters.sheet import write
from matches import canonical
from matches.actors import Actor
from matches.api.base import (
    Endpoint,
    NoQuery,
    OpenEndpoint,
    TextRenderer,
    changed_fields,
    made,
    parameters,
)
from matches.api.people import player_by
from matches.api.recording import one_of
from matches.errors import BadInput, NotFound, named, within
from matches.models import Player


class CharactersView(OpenEndpoint):
    query_shape = shapes.CharactersQuery
    paged = True

    @extend_schema(
        operation_id="characters_list",
        tags=["characters"],
        parameters=parameters(shapes.CharactersQuery, paged=True),
        responses=shapes.Characters,
    )
    def get(self, request: Request) -> Response:
        """List visible characters, newest first."""
        query: shapes.CharactersQuery = self.query
        found = selectors.characters_for(self.actor)
        if query.name:
            found = found.filter(selectors.known_by(query.name))
        if query.owner:
            found = found.filter(owner=player_by(query.owner, "$.owner"))
        if query.campaign:
            campaign = named("$.campaign", selectors.campaign_for, query.campaign)
            found = found.filter(campaign=campaign)
        return Response(self.page(found, lambda one: character_line(one, request)))


class PasteView(Endpoint):
    most_bytes = canonical.bytes_for(pasting.MAX_TEXT)

    @extend_schema(
        operation_id="characters_paste",
        tags=["characters"],
        request=shapes.PasteRequest,
        responses={
            200: one_of("Pasted", shapes.PasteResponse, shapes.CharacterResponse),
            201: shapes.CharacterResponse,
        },
    )
    def post(self, request: Request) -> Response:
        """Parse a sheet; without `preview`, store it as a character of one's own."""
        sent = self.body(shapes.PasteRequest)
        if sent.preview:
            return Response(paste_response(services.preview(sent.text)))
        body = sent.answers
        gear = [services.GearOrigin(*msgspec.structs.astuple(line)) for line in body.gear]
        answers = services.Answers(body.name, body.current_goal, body.opening, gear)
        character = services.paste(by=self.actor, text=sent.text, answers=answers, act_id=sent.id)
        answer = character_response(sheet_for(self.actor, character), self.actor, request)
        return Response(answer, status=made(character), headers={"Location": answer.url})


class OfCharacter(OpenEndpoint):
    """An endpoint under one character; 404 for callers who may not see the character."""

    @property
    def character(self) -> Character:
        character_id: UUID = self.kwargs["character_id"]
        return selectors.character_for(self.actor, character_id)


class CharacterView(OfCharacter):
    query_shape = shapes.CharacterQuery

    @extend_schema(
        operation_id="characters_read",
        tags=["characters"],
        parameters=parameters(shapes.CharacterQuery),
        responses=shapes.CharacterResponse,
    )
    def get(self, request: Request, character_id: UUID) -> Response:
        """Return a sheet as the caller or others (`as`) may see it, now or `on` a past day."""
        sheet = sheet_for(self.actor, self.character, self.query.as_, self.query.on)
        return Response(character_response(sheet, self.actor, request))

    @extend_schema(
        operation_id="characters_change",
        tags=["characters"],
        request={"application/json": shapes.CharacterChange},
        responses=shapes.CharacterResponse,
    )
    def patch(self, request: Request, character_id: UUID) -> Response:
        """Change a character's name, the texts of its sheet, and their audiences."""
        sent = self.body(shapes.CharacterChange)
        if sent == shapes.CharacterChange():
            raise BadInput("missing-field", "Say what changes.")
        character = self.character
        policy.require_edit(self.actor, character)
        with transaction.atomic():
            self._change(character, sent)
        return Response(character_response(sheet_for(self.actor, character), self.actor, request))

    def _change(self, character: Character, sent: shapes.CharacterChange) -> None:
        own = {"name": sent.name, "tagline": sent.tagline, "audience": sent.audience}
        services.edit(by=self.actor, character=character, **own)
        for place, each in enumerate(sent.sections):
            with within(f"$.sections[{place}]"):
                named("$.key", partial(self._change_section, character, each))

    def _change_section(self, character: Character, sent: shapes.SectionChange) -> None:
        services.edit_section(
            by=self.actor,
            character=character,
            kind=sent.key,
            text=sent.text,
            audience=sent.audience,
            named=_named(sent.named, "$.named"),
        )


def character_named(actor: Actor, pk: UUID, where: str = "$.character") -> Character:
    """Return the character that part `where` of a query or body names. Raises: BadInput."""
    return named(where, selectors.character_for, actor, pk)


def _named(players: list[UUID] | None, where: str) -> list[Player] | None:
    if players is None:
        return None
    return [player_by(pk, f"{where}[{place}]") for place, pk in enumerate(players)]


class SheetView(OfCharacter):
    query_shape = shapes.CharacterQuery
    renderer_classes = [TextRenderer]

    @extend_schema(
        operation_id="characters_sheet",
        tags=["characters"],
        parameters=parameters(shapes.CharacterQuery),
        responses={(200, "text/plain"): OpenApiTypes.STR},
    )
    def get(self, request: Request, character_id: UUID) -> Response:
        """Return the sheet as a text that can be pasted back as the same character."""
        sheet = sheet_for(self.actor, self.character, self.query.as_, self.query.on)
        return Response(write(shown.plain_sheet(sheet)))


class HistoryView(OfCharacter):
    paged = True

    @extend_schema(
        operation_id="characters_history",
        tags=["characters"],
        parameters=parameters(NoQuery, paged=True),
        responses=shapes.Changes,
    )
    def get(self, request: Request, character_id: UUID) -> Response:
        """List the changes of a sheet, newest first, for its owner and officials."""
        changes = selectors.changes_for(self.actor, self.character)
        return Response(self.page(changes, _change_response))


def _change_response(change: Change) -> shapes.SheetChange:
    by = change.changed_by.name if change.changed_by else ""
    return shapes.SheetChange(change.what, change.before, change.after, change.changed_at, by)


class PortraitView(OpenEndpoint):
    @extend_schema(
        operation_id="portraits_read", tags=["characters"], responses=shapes.PortraitResponse
    )
    def get(self, request: Request, character_id: UUID) -> Response:
        """Return the URL and size of a character's portrait."""
        character = selectors.character_for(self.actor, character_id)
        eyes = policy.eyes_of(self.actor, character)
        portrait = portraits.portrait_for(character, eyes)
        if portrait is None:
            raise NotFound("There is no portrait.", "no-portrait")
        return Response(_portrait(portrait, character, self.actor, request))

    @extend_schema(
        operation_id="portraits_put",
        tags=["characters"],
        request=shapes.PortraitRequest,
        responses={200: shapes.PortraitResponse, 204: None},
    )
    def put(self, request: Request, character_id: UUID) -> Response:
        """Set a character's portrait as base64, change who may see it, or remove it."""
        changes = changed_fields(self.body(shapes.PortraitRequest))
        character = selectors.character_for(self.actor, character_id)
        if changes.pop("removed", False):
            portraits.remove(by=self.actor, character=character)
            return Response(status=204)
        data, audience = changes.get("image"), changes.get("audience", "")
        portrait = portraits.put(by=self.actor, character=character, data=data, audience=audience)
        return Response(_portrait(portrait, character, self.actor, request))


def _portrait(
    portrait: Portrait, character: Character, actor: Actor, request: Request
) -> shapes.PortraitResponse:
    path = reverse("characters:character-portrait", args=[character.pk])
    url = request.build_absolute_uri(f"{path}?{portrait.digest}")
    audience = portrait.audience if policy.is_owner(actor, character) else ""
    return shapes.PortraitResponse(url, portrait.width, portrait.height, audience)
