"""API of careers, the life of items in matches, and questions after a match."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from characters import aftermath, career, policy, services, telling
from characters.api import shapes
from characters.api.characters import character_named
from matches.api.base import Endpoint, OpenEndpoint, parameters
from matches.errors import BadInput, named
from matches.selectors import match_for


class AppearancesView(OpenEndpoint):
    query_shape = shapes.AppearancesQuery
    paged = True
    of_results = True

    @extend_schema(
        operation_id="appearances_list",
        tags=["appearances"],
        parameters=parameters(shapes.AppearancesQuery, paged=True),
        responses=shapes.Appearances,
    )
    def get(self, request: Request) -> Response:
        """List who was fielded and the results, newest first, as far as the caller may know them.

        `record` sums up the whole career of a character, or the life of an item.
        """
        query: shapes.AppearancesQuery = self.query
        if not (query.character or query.item or query.match):
            raise BadInput("missing-field", "Say whose: a character, an item or a match.", "$")
        which: dict[str, Any] = {}
        item, record = None, None
        if query.character:
            which["character"] = character_named(self.actor, query.character)
            record = career.record_of(self.actor, which["character"])
        else:
            which["character__in"] = policy.visible_characters(self.actor).values("pk")
        found = career.appearances(self.actor, **which)
        if query.match:
            match = named("$.match", match_for, self.actor, query.match)
            found = found.filter(seat__match=match)
        if query.item:
            item = named("$.item", telling.life_of, self.actor, query.item).item
            hands = career.hands_of(self.actor, item)
            with_it = career.appearances_with(self.actor, item, hands)
            found = found.filter(pk__in=with_it.values("pk"))
            record = None if record else career.record_of_item(self.actor, item, hands)
        page = self.page(found, lambda row: row)
        page["results"] = career.outings(self.actor, page["results"], item)
        return Response(shapes.Appearances(**page, record=record))


class PromptsView(Endpoint):
    query_shape = shapes.ByCharacterQuery

    @extend_schema(
        operation_id="prompts_list",
        tags=["prompts"],
        parameters=parameters(shapes.ByCharacterQuery),
        responses=shapes.Prompts,
    )
    def get(self, request: Request) -> Response:
        """List the questions after a character's matches."""
        query: shapes.ByCharacterQuery = self.query
        character = character_named(self.actor, query.character)
        policy.require_record(self.actor, character)
        return Response(shapes.Prompts(aftermath.prompts_of(self.actor, character)))

    @extend_schema(
        operation_id="prompts_answer",
        tags=["prompts"],
        request=shapes.PromptRequest,
        responses=shapes.Prompts,
    )
    def post(self, request: Request) -> Response:
        """Answer a question or put it aside; the response has the questions still open."""
        sent = self.body(shapes.PromptRequest)
        character = character_named(self.actor, sent.character)
        services.answer(
            by=self.actor,
            character=character,
            appearance=sent.appearance,
            kind=sent.kind,
            item=sent.item.upper(),
            take=sent.take,
            roll=sent.roll,
        )
        return Response(shapes.Prompts(aftermath.prompts_of(self.actor, character)))
