"""API of loadouts."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from characters import loadouts, services
from characters.api import shapes
from characters.api.characters import character_named
from characters.loadouts import EvaluatedLoadout
from matches.api.base import Endpoint, OpenEndpoint, changed_fields, made, making, parameters


class LoadoutsView(OpenEndpoint):
    query_shape = shapes.ByCharacterQuery

    @extend_schema(
        operation_id="loadouts_list",
        tags=["loadouts"],
        parameters=parameters(shapes.ByCharacterQuery),
        responses=shapes.Loadouts,
    )
    def get(self, request: Request) -> Response:
        """List the loadouts of a character that the caller may field."""
        query: shapes.ByCharacterQuery = self.query
        character = character_named(self.actor, query.character)
        found = loadouts.loadouts_of(self.actor, character)
        evaluated = loadouts.evaluate_all_for(self.actor, character, found)
        return Response(shapes.Loadouts([loadout_response(each, request) for each in evaluated]))

    @extend_schema(
        operation_id="loadouts_make",
        tags=["loadouts"],
        request=shapes.LoadoutRequest,
        responses={200: shapes.LoadoutResponse, 201: shapes.LoadoutResponse},
    )
    def post(self, request: Request) -> Response:
        """Create a deck from gear. One with problems is stored, and the problems are returned."""
        sent = self.body(shapes.LoadoutRequest)
        character = character_named(self.actor, sent.character)
        fields = making(sent) | {"character": character}
        loadout = services.make_loadout(by=self.actor, **fields)
        answer = loadout_response(loadouts.evaluate_for(self.actor, loadout), request)
        return Response(answer, status=made(loadout), headers={"Location": answer.url})


class LoadoutView(Endpoint):
    @extend_schema(
        operation_id="loadouts_read", tags=["loadouts"], responses=shapes.LoadoutResponse
    )
    def get(self, request: Request, loadout_id: UUID) -> Response:
        """Return a loadout that the caller may field."""
        loadout = loadouts.loadout_for(self.actor, loadout_id)
        return Response(loadout_response(loadouts.evaluate_for(self.actor, loadout), request))

    @extend_schema(
        operation_id="loadouts_change",
        tags=["loadouts"],
        request={"application/json": shapes.LoadoutChange},
        responses={200: shapes.LoadoutResponse, 204: None},
    )
    def patch(self, request: Request, loadout_id: UUID) -> Response:
        """Change or remove a loadout. Matches it was fielded in are not affected."""
        changes = changed_fields(self.body(shapes.LoadoutChange))
        loadout = loadouts.loadout_for(self.actor, loadout_id)
        if changes.pop("removed", False):
            services.remove_loadout(by=self.actor, loadout=loadout)
            return Response(status=204)
        loadout = services.change_loadout(by=self.actor, loadout=loadout, **changes)
        return Response(loadout_response(loadouts.evaluate_for(self.actor, loadout), request))


def loadout_response(evaluated: EvaluatedLoadout, request: Request) -> shapes.LoadoutResponse:
    loadout = evaluated.loadout
    deck: dict[str, Any] = evaluated.deck
    return shapes.LoadoutResponse(
        id=loadout.pk,
        character=loadout.character_id,
        name=loadout.name,
        game=loadout.game,
        game_class=loadout.game_class,
        with_modes=loadout.with_modes,
        shared=loadout.shared,
        items=[item.serial for item in evaluated.items],
        cost=evaluated.cost,
        cost_unknown=evaluated.unknown,
        most=evaluated.most,
        problems=evaluated.problems,
        deck=deck,
        url=reverse("api:loadout", args=[loadout.pk], request=request),
    )
