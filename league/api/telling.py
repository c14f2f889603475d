"""How a player is notified of their pairings: by letters, and in a personal calendar."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league import calendars, policy, telling
from league.api import shapes
from matches.api.base import Endpoint
from matches.models import Player


class OfTelling(Endpoint):
    """An endpoint about how the caller is notified."""

    @property
    def player(self) -> Player:
        return policy.require_make(self.actor)

    def answer(self) -> Response:
        token = calendars.token_of(self.player)
        address = telling.address_of("league:calendar", token) if token else ""
        return Response(shapes.TellingResponse(telling.telling_of(self.player).letters, address))


class TellingView(OfTelling):
    @extend_schema(operation_id="telling_read", tags=["telling"], responses=shapes.TellingResponse)
    def get(self, request: Request) -> Response:
        """Return whether you get letters, and the address of your calendar."""
        return self.answer()

    @extend_schema(
        operation_id="telling_change",
        tags=["telling"],
        request={"application/json": shapes.TellingChange},
        responses=shapes.TellingResponse,
    )
    def patch(self, request: Request) -> Response:
        """Switch your letters on or off."""
        telling.set_letters(self.player, letters=self.body(shapes.TellingChange).letters)
        return self.answer()


class CalendarView(OfTelling):
    @extend_schema(
        operation_id="telling_calendar",
        tags=["telling"],
        request=shapes.EmptyRequest,
        responses=shapes.TellingResponse,
    )
    def post(self, request: Request) -> Response:
        """Create your calendar at a new address; the previous address stops working."""
        self.body(shapes.EmptyRequest)
        calendars.renew(self.player)
        return self.answer()


class CalendarEndView(OfTelling):
    @extend_schema(
        operation_id="telling_end_calendar",
        tags=["telling"],
        request=shapes.EmptyRequest,
        responses=shapes.TellingResponse,
    )
    def post(self, request: Request) -> Response:
        """End your calendar; its address stops working."""
        self.body(shapes.EmptyRequest)
        calendars.end(self.player)
        return self.answer()
