"""Venues, and the places of the stories."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league import chronicle, lore, policy, selectors, services
from league.api import responses_leagues as responses
from league.api import shapes
from league.api.base import league_named
from league.models import Venue
from matches.api.base import NoQuery, OpenEndpoint, changed_fields, made, making, parameters


class VenuesView(OpenEndpoint):
    paged = True

    @extend_schema(
        operation_id="venues_list",
        tags=["venues"],
        parameters=parameters(NoQuery, paged=True),
        responses=shapes.Venues,
    )
    def get(self, request: Request) -> Response:
        """List the venues."""
        found = Venue.objects.order_by("name", "id")
        return Response(self.page(found, lambda one: responses.venue_response(one, request)))

    @extend_schema(
        operation_id="venues_open",
        tags=["venues"],
        request=shapes.VenueRequest,
        responses={200: shapes.VenueResponse, 201: shapes.VenueResponse},
    )
    def post(self, request: Request) -> Response:
        """Open a venue and become its keeper."""
        venue = services.open_venue(by=self.actor, **making(self.body(shapes.VenueRequest)))
        return Response(responses.venue_response(venue, request), status=made(venue))


class VenueView(OpenEndpoint):
    @extend_schema(operation_id="venues_read", tags=["venues"], responses=shapes.VenueResponse)
    def get(self, request: Request, slug: str) -> Response:
        """Return a venue."""
        return Response(responses.venue_response(selectors.venue_for(slug), request))

    @extend_schema(
        operation_id="venues_change",
        tags=["venues"],
        request={"application/json": shapes.VenueChange},
        responses={200: shapes.VenueResponse, 204: None},
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change the description of a venue, or delete one that nothing belongs to."""
        changes = changed_fields(self.body(shapes.VenueChange))
        venue = selectors.venue_for(slug)
        if changes.pop("removed", False):
            services.remove(by=self.actor, thing=venue)
            return Response(status=204)
        services.edit_venue(by=self.actor, venue=venue, **changes)
        return Response(responses.venue_response(venue, request))


class PlacesView(OpenEndpoint):
    @extend_schema(operation_id="places_list", tags=["venues"], responses=shapes.Places)
    def get(self, request: Request) -> Response:
        """List the places in the games' stories, with the words used for them."""
        return Response(responses.places_response(request))


class PlaceView(OpenEndpoint):
    @extend_schema(operation_id="places_read", tags=["venues"], responses=shapes.PlaceResponse)
    def get(self, request: Request, slug: str) -> Response:
        """Return a place: its facts, its story, what happened there when, and who is there."""
        place = lore.place_for(slug)
        return Response(responses.place_response(place, self.actor, request))


class PlaceTextsView(OpenEndpoint):
    paged = True

    @extend_schema(
        operation_id="place_texts_list",
        tags=["venues"],
        parameters=parameters(NoQuery, paged=True),
        responses=shapes.PlaceTexts,
    )
    def get(self, request: Request, slug: str) -> Response:
        """List organisers' texts about a place that the caller may see, oldest first."""
        found = chronicle.texts_for(self.actor, lore.place_for(slug).slug)
        return Response(self.page(found, lambda one: responses.text_response(one, request)))

    @extend_schema(
        operation_id="place_texts_add",
        tags=["venues"],
        request=shapes.PlaceTextRequest,
        responses={200: shapes.PlaceTextResponse, 201: shapes.PlaceTextResponse},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add a text to a place, in the name of a league one organises."""
        sent = self.body(shapes.PlaceTextRequest)
        policy.require_make(self.actor)
        fields = making(sent) | {"league": league_named(sent.league)}
        text = services.write_text(by=self.actor, place=slug, **fields)
        return Response(responses.text_response(text, request), status=made(text))


class PlaceTextView(OpenEndpoint):
    @extend_schema(
        operation_id="place_texts_read", tags=["venues"], responses=shapes.PlaceTextResponse
    )
    def get(self, request: Request, slug: str, text_id: UUID) -> Response:
        """Return one text about a place."""
        return Response(
            responses.text_response(chronicle.text_for(self.actor, slug, text_id), request)
        )

    @extend_schema(
        operation_id="place_texts_change",
        tags=["venues"],
        request={"application/json": shapes.PlaceTextChange},
        responses=shapes.PlaceTextResponse,
    )
    def patch(self, request: Request, slug: str, text_id: UUID) -> Response:
        """Change or remove a text; 409 with the `current` one if it has changed since."""
        changes = changed_fields(self.body(shapes.PlaceTextChange))
        found = chronicle.text_for(self.actor, slug, text_id)
        kept = services.edit_text(by=self.actor, of=found, **changes)
        return Response(responses.text_response(kept, request))
