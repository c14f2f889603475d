"""The scribe of a match, and proposals."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from matches import links, policy, proposals, scribes, services
from matches.api import shapes
from matches.api.acts import InMatch
from matches.api.base import SENDER, made, parameters
from matches.api.matches import OfMatch
from matches.api.recording import act_arguments
from matches.api.responses import plain
from matches.errors import BadInput
from matches.models import Match, ScribeLease


class OfScribe(OfMatch):
    """An endpoint that answers who the scribe is."""

    def standing(self, match: Match, own: ScribeLease | None = None) -> shapes.StandingResponse:
        """Return the actor's relation to the scribe; `own` is the actor's lease and its device."""
        status = scribes.status_of(self.actor, match)
        lease = own or status.lease
        return shapes.StandingResponse(
            scribe=_scribe(lease, mine=bool(own) or status.mine) if lease else None,
            proposals=proposals.waiting(match),
            idle_after=int(scribes.IDLE.total_seconds()),
            device=links.device_token(own.device) if own else "",
        )


class ScribeView(OfScribe):
    @extend_schema(
        operation_id="matches_scribe",
        tags=["scribe"],
        parameters=SENDER,
        responses=shapes.StandingResponse,
    )
    def get(self, request: Request, code: str) -> Response:
        """Get the scribe of a match, for those at its table."""
        match = self.match
        policy.require_record(self.actor, match)
        return Response(self.standing(match))

    @extend_schema(
        operation_id="matches_scribe_take",
        tags=["scribe"],
        parameters=SENDER,
        request=shapes.TakeRequest,
        responses={200: shapes.StandingResponse, 201: shapes.StandingResponse},
    )
    def post(self, request: Request, code: str) -> Response:
        """Become the scribe: 201, or 200 if you are it already.

        What the former scribe still sends is kept as proposals.
        """
        sent, match = self.body(shapes.TakeRequest), self.match
        lease = scribes.take(match=match, by=self.actor, over=sent.over)
        return Response(self.standing(match, lease), status=made(lease))


def _scribe(lease: ScribeLease, mine: bool) -> shapes.ScribeResponse:
    return shapes.ScribeResponse(lease.pk, str(lease), lease.seat, lease.taken_at, mine)


class RenewView(OfScribe):
    @extend_schema(
        operation_id="matches_scribe_renew",
        tags=["scribe"],
        parameters=SENDER,
        request=shapes.LeaseRequest,
        responses=shapes.StandingResponse,
    )
    def post(self, request: Request, code: str) -> Response:
        """Stay the scribe while nothing is recorded. Recording renews by itself."""
        sent, match = self.body(shapes.LeaseRequest), self.match
        return Response(self.standing(match, scribes.renew(match=match, by=self.actor, pk=sent.id)))


class EndView(OfMatch):
    @extend_schema(
        operation_id="matches_scribe_end",
        tags=["scribe"],
        parameters=SENDER,
        request=shapes.LeaseRequest,
        responses={204: None},
    )
    def post(self, request: Request, code: str) -> Response:
        """Stop being the scribe; the opener and the officials may end anybody's lease."""
        sent = self.body(shapes.LeaseRequest)
        scribes.end(match=self.match, by=self.actor, pk=sent.id)
        return Response(status=204)


class ProposalsView(OfMatch):
    query_shape = shapes.ProposalsQuery

    @extend_schema(
        operation_id="matches_proposals",
        tags=["scribe"],
        parameters=[*SENDER, *parameters(shapes.ProposalsQuery)],
        responses=shapes.Proposals,
    )
    def get(self, request: Request, code: str) -> Response:
        """List the proposals of a match, for its table."""
        query: shapes.ProposalsQuery = self.query
        found = proposals.shown(self.actor, self.match, query.state)
        return Response({"results": plain(found)})

    @extend_schema(
        operation_id="matches_propose",
        tags=["scribe"],
        parameters=SENDER,
        request=shapes.ActRequest,
        responses={200: shapes.ProposalResponse, 201: shapes.ProposalResponse},
    )
    def post(self, request: Request, code: str) -> Response:
        """Propose an act without being the scribe: 201, or 200 for one kept already."""
        act, match = act_arguments(request.data), self.match
        kept = services.propose(match=match, by=self.actor, **act)
        return Response(plain(proposals.show(self.actor, match, kept)), status=made(kept))


class ProposalView(InMatch):
    @extend_schema(
        operation_id="matches_proposal_decide",
        tags=["scribe"],
        parameters=SENDER,
        request=shapes.DecisionRequest,
        responses={
            200: shapes.ProposalResponse,
            201: shapes.ReceiptResponse,
        },
    )
    def post(self, request: Request, code: str, act_id: UUID) -> Response:
        """Accept a proposal (201 and its receipt), merge it with an entry, or dismiss it."""
        sent, match = self.body(shapes.DecisionRequest), self.match
        if sent.decision == "accept":
            receipt = services.accept_proposal(
                match=match, by=self.actor, act_id=act_id, irregular=sent.irregular
            )
            return self.recorded(match, receipt)
        if sent.decision == "dismiss":
            kept = proposals.dismiss(match=match, by=self.actor, act_id=act_id)
        elif sent.version is None:
            raise BadInput("missing-field", "Say which entry it is the same as.", "$.version")
        else:
            kept = proposals.merge(match=match, by=self.actor, act_id=act_id, version=sent.version)
        return Response(plain(proposals.show(self.actor, match, kept)))
