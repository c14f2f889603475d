"""Seats and officials: links of a match's seats, sitting down by one, naming officials."""

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from matches import links, policy, services
from matches.api import shapes
from matches.api.base import SEAT, OpenEndpoint
from matches.api.matches import OfMatch
from matches.api.people import player_by
from matches.api.responses import seat_response
from matches.errors import NotFound
from matches.models import Match, Player, Seat


class Managed(OfMatch):
    """An endpoint for actors who may manage a match."""

    @property
    def match(self) -> Match:
        match = super().match
        policy.require_manage(self.actor, match)
        return match


def _link(seat: Seat, token: str, request: Request) -> shapes.SeatLink:
    link = reverse("matches:seat-join", args=[token], request=request)
    return shapes.SeatLink(**msgspec.structs.asdict(seat_response(seat)), token=token, link=link)


class SeatsView(Managed):
    gives_rights = True

    @extend_schema(
        operation_id="matches_seats",
        tags=["matches"],
        parameters=[SEAT],
        responses=shapes.SeatLinks,
    )
    def get(self, request: Request, code: str) -> Response:
        """List the seats with their links, for the opener and the officials."""
        seats = self.match.seats.select_related("player")
        seat_links = [_link(seat, services.seat_link(seat), request) for seat in seats]
        return Response(shapes.SeatLinks(seat_links))


class RenewView(Managed):
    @extend_schema(
        operation_id="matches_seat_renew",
        tags=["matches"],
        parameters=[SEAT],
        request=shapes.EmptyRequest,
        responses=shapes.SeatLink,
    )
    def post(self, request: Request, code: str, seat: int) -> Response:
        """Replace a seat's link; the old one stops working."""
        self.body(shapes.EmptyRequest)
        found = self.match.seats.select_related("player").filter(number=seat).first()
        if found is None:
            raise NotFound(f"There is no seat {seat} at this match.", "no-such-seat")
        token = services.replace_seat_link(by=self.actor, seat=found)
        return Response(_link(found, token, request))


class SeatView(OpenEndpoint):
    @extend_schema(operation_id="seats_read", tags=["matches"], responses=shapes.SeatOffer)
    def get(self, request: Request, token: str) -> Response:
        """Get the seat that a link is for."""
        return Response(_offer(links.seat_of(token), request))

    @extend_schema(
        operation_id="seats_take",
        tags=["matches"],
        request=shapes.SitRequest,
        responses=shapes.SeatOffer,
    )
    def post(self, request: Request, token: str) -> Response:
        """Sit down by a seat's link: you become its player if signed in, unless an account is."""
        sent = self.body(shapes.SitRequest)
        seat = services.take_seat(by=self.actor, token=token, name=sent.name.strip())
        return Response(_offer(seat, request))


def _offer(seat: Seat, request: Request) -> shapes.SeatOffer:
    url = reverse("api:match", args=[seat.match.code], request=request)
    return shapes.SeatOffer(
        **msgspec.structs.asdict(seat_response(seat)), match=seat.match.code, url=url
    )


class OfficialsView(Managed):
    @extend_schema(
        operation_id="matches_officials",
        tags=["matches"],
        parameters=[SEAT],
        responses=shapes.Officials,
    )
    def get(self, request: Request, code: str) -> Response:
        """List the officials, for the opener and themselves."""
        return Response(_officials(self.match))

    @extend_schema(
        operation_id="matches_name_official",
        tags=["matches"],
        parameters=[SEAT],
        request=shapes.OfficialRequest,
        responses={201: shapes.OfficialResponse},
    )
    def post(self, request: Request, code: str) -> Response:
        """Name an official; nobody may name themselves in a sanctioned match."""
        sent, match = self.body(shapes.OfficialRequest), self.match
        player = player_by(sent.player)
        services.name_official(by=self.actor, match=match, player=player)
        return Response(_official(player), status=201)


class OfficialEndView(Managed):
    @extend_schema(
        operation_id="matches_end_official",
        tags=["matches"],
        parameters=[SEAT],
        request=shapes.OfficialRequest,
        responses=shapes.Officials,
    )
    def post(self, request: Request, code: str) -> Response:
        """Remove an official; it takes ruling rights."""
        sent, match = self.body(shapes.OfficialRequest), self.match
        player = player_by(sent.player)
        services.dismiss_official(by=self.actor, match=match, player=player)
        return Response(_officials(match))


def _officials(match: Match) -> shapes.Officials:
    return shapes.Officials([_official(each) for each in match.officials.order_by("name", "pk")])


def _official(player: Player) -> shapes.OfficialResponse:
    return shapes.OfficialResponse(player.pk, player.name)
