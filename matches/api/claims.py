"""Claims of guests: a link, its offer, taking over, merging two guests, undoing."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from matches import claiming, services
from matches.api import shapes
from matches.api.base import SEAT, Endpoint, OpenEndpoint
from matches.api.people import player_by, player_of_id
from matches.api.responses import player_response
from matches.models import Claim


class ClaimLinkView(OpenEndpoint):
    @extend_schema(
        operation_id="players_claim_link",
        tags=["players"],
        parameters=[SEAT],
        request=shapes.EmptyRequest,
        responses={201: shapes.ClaimLink},
    )
    def post(self, request: Request, player_id: UUID) -> Response:
        """Make a link by which an account takes over a guest whom you added.

        It works once, and an older link stops working.
        """
        self.body(shapes.EmptyRequest)
        guest = player_of_id(player_id)
        offered = services.offer_claim(by=self.actor, guest=guest)
        token = claiming.token_of(offered)
        page = reverse("matches:guest-claim", args=[token], request=request)
        answer = shapes.ClaimLink(token=token, url=page, expires_at=offered.expires_at)
        return Response(answer, status=201)


class ClaimView(OpenEndpoint):
    @extend_schema(operation_id="claims_read", tags=["players"], responses=shapes.ClaimOffer)
    def get(self, request: Request, token: str) -> Response:
        """Get what an account would take over by a link."""
        claim = claiming.of_token(token)
        return Response(
            shapes.ClaimOffer(
                guest=player_response(claim.guest, request),
                expires_at=claim.expires_at,
                parts=[
                    shapes.ClaimPart(each.what, each.count, each.names)
                    for each in claiming.parts_of(claim.guest)
                ],
            )
        )

    @extend_schema(
        operation_id="claims_take",
        tags=["players"],
        request=shapes.EmptyRequest,
        responses=shapes.ClaimResponse,
    )
    def post(self, request: Request, token: str) -> Response:
        """Take over a guest: everything that names them names you from now on."""
        self.body(shapes.EmptyRequest)
        return Response(_response(services.claim(by=self.actor, token=token)))


class MergeView(Endpoint):
    @extend_schema(
        operation_id="players_merge",
        tags=["players"],
        request=shapes.MergeRequest,
        responses=shapes.ClaimResponse,
    )
    def post(self, request: Request, player_id: UUID) -> Response:
        """Merge a guest into another who is the same person, both added by you.

        Everything that names the one names the other from now on. `unclaim/` undoes it.
        """
        sent = self.body(shapes.MergeRequest)
        guest = player_of_id(player_id)
        into = player_by(sent.into, "$.into")
        return Response(_response(services.merge_guests(by=self.actor, guest=guest, into=into)))


class UnclaimView(Endpoint):
    @extend_schema(
        operation_id="players_unclaim",
        tags=["players"],
        request=shapes.EmptyRequest,
        responses=shapes.ClaimResponse,
    )
    def post(self, request: Request, player_id: UUID) -> Response:
        """Give a guest back what an account took over, within fourteen days."""
        self.body(shapes.EmptyRequest)
        guest = player_of_id(player_id)
        return Response(_response(services.undo_claim(by=self.actor, guest=guest)))


def _response(claim: Claim) -> shapes.ClaimResponse:
    return shapes.ClaimResponse(
        guest=claim.guest_id,
        player=claim.taken_by_id,
        taken_at=claim.taken_at,
        undo_until=claiming.ends(claim),
        undone_at=claim.undone_at,
    )
