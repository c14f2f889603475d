"""Recording acts and taking them back."""

from functools import partial

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from matches import practice, services
from matches.api import shapes
from matches.api.base import SENDER, made
from matches.api.matches import OfMatch
from matches.api.recording import Recording, act_arguments, acts_schema, one_of
from matches.api.responses import (
    missed_response,
    preview_response,
    receipt_response,
    receipts_response,
)
from matches.errors import MovedOn
from matches.log import Receipt
from matches.models import Match


class InMatch(OfMatch, Recording[Match]):
    """An endpoint that records in a match."""

    def receipt(self, of: Match, receipt: Receipt) -> shapes.ReceiptResponse:
        return receipt_response(of, self.actor, receipt)

    def missed(self, of: Match, moved: MovedOn) -> shapes.Entries:
        return missed_response(of, self.actor, moved)


class ActsView(InMatch):
    @extend_schema(
        operation_id="matches_record",
        tags=["matches"],
        parameters=SENDER,
        **acts_schema("Recorded", services.MAX_ACTS),
    )
    def post(self, request: Request, code: str) -> Response:
        """Record an act: 201 with a receipt, 200 for one already recorded.

        A list is recorded one by one: 200, with a status and a receipt or a problem for each.
        """
        if isinstance(request.data, list):
            match = self.match
            record_all = partial(services.record_all, match=match, by=self.actor)
            return self.record_each(match, request.data, record_all)
        act, match = act_arguments(request.data), self.match
        with self.recording(match):
            receipt = services.record(match=match, by=self.actor, **act)
        return self.recorded(match, receipt)


class BotView(InMatch):
    @extend_schema(
        operation_id="matches_bot",
        tags=["matches"],
        parameters=SENDER,
        request=shapes.BotRequest,
        responses={200: shapes.Receipts, 201: shapes.Receipts},
    )
    def post(self, request: Request, code: str) -> Response:
        """Let a bot play a seat that nobody holds: 201 with a receipt for each act it played.

        200 for a request sent again, which plays nothing more.
        """
        sent, match = self.body(shapes.BotRequest), self.match
        with self.recording(match):
            receipts = practice.let_play(
                match=match, by=self.actor, act_id=sent.id, seat=sent.seat, after=sent.after
            )
        answer = receipts_response(match, self.actor, receipts)
        return Response(answer, status=made(receipts[0].recorded))


class TakeBackView(InMatch):
    @extend_schema(
        operation_id="matches_take_back",
        tags=["matches"],
        parameters=SENDER,
        request=shapes.TakeBackRequest,
        responses={200: shapes.ReceiptResponse, 201: shapes.ReceiptResponse},
    )
    def post(self, request: Request, code: str) -> Response:
        """Make the state as at version `to` current again, or undo a taking back."""
        sent, match = self.body(shapes.TakeBackRequest), self.match
        with self.recording(match):
            receipt = services.take_back(
                match=match,
                by=self.actor,
                act_id=sent.id,
                to=sent.to,
                after=sent.after,
                note=sent.reason,
            )
        return self.recorded(match, receipt)


class CorrectView(InMatch):
    @extend_schema(
        operation_id="matches_correct",
        tags=["matches"],
        parameters=SENDER,
        request=shapes.CorrectRequest,
        responses={
            200: one_of("Corrected", shapes.PreviewResponse, shapes.Receipts),
            201: shapes.Receipts,
        },
    )
    def post(self, request: Request, code: str) -> Response:
        """Correct an act: 201 with receipts, 200 for a correction already recorded.

        With `preview`: 200, and what it would change.
        """
        sent, match = self.body(shapes.CorrectRequest), self.match
        correction = services.CorrectionRequest(
            sent.act_id, sent.act, sent.reason, sent.after, sent.irregular
        )
        with self.recording(match):
            if sent.preview:
                preview = services.preview_correction(
                    match=match, by=self.actor, request=correction
                )
                return Response(preview_response(preview))
            receipts = services.correct(
                match=match, by=self.actor, correction_id=sent.id, request=correction
            )
        answer = receipts_response(match, self.actor, receipts)
        return Response(answer, status=made(receipts[0].recorded))
