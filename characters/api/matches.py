"""API to open matches with characters: the endpoint of the floor below, plus loadouts."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from characters import services
from characters.api import shapes
from characters.services import FieldedPlace
from matches.api import matches
from matches.api.base import making
from matches.api.shapes import MatchResponse


class MatchesView(matches.MatchesView):
    scope = "matches"

    @extend_schema(
        operation_id="matches_open",
        tags=["matches"],
        request=shapes.FieldedMatchRequest,
        responses={200: MatchResponse, 201: MatchResponse},
    )
    def post(self, request: Request) -> Response:
        """Open a match: 201, or 200 for one already opened under this id.

        A seat takes a deck, or a `loadout` of a character.
        """
        sent = self.body(shapes.FieldedMatchRequest)
        places = [FieldedPlace(matches.seat_request(seat), seat.loadout) for seat in sent.seats]
        match = services.open_match(by=self.actor, **making(sent) | {"seats": places})
        return matches.opened(self, match)
