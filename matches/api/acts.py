"""Recording acts and taking them back."""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from matches import canonical, services
from matches.actors import Actor
from matches.api import shapes
from matches.api.answers import preview_answer, receipt_answer, receipts_answer
from matches.api.base import DEVICE, SEAT
from matches.api.matches import OfMatch
from matches.api.problems import problem_of
from matches.errors import MovedOn, Refused, answered
from matches.log import Receipt
from matches.models import Match

Asked = dict[str, Any]
_ACT = msgspec.json.schema_components([shapes.ActRequest])[1]["ActRequest"]


class ActsView(OfMatch):
    @extend_schema(
        operation_id="matches_record",
        tags=["matches"],
        parameters=[SEAT, DEVICE],
        request={
            "application/json": {
                "oneOf": [_ACT, {"type": "array", "items": _ACT, "maxItems": services.MOST_ACTS}]
            }
        },
        responses={
            200: PolymorphicProxySerializer(
                "Recorded",
                [shapes.ReceiptAnswer, shapes.ActAnswers],  # type: ignore[list-item]  # our structs
                resource_type_field_name=None,
            ),
            201: shapes.ReceiptAnswer,
        },
    )
    def post(self, request: Request, code: str) -> Response:
        """Record an act: 201 with a receipt, 200 for one already recorded.

        A list is recorded one by one: 200, with a status and a receipt or a problem for each.
        """
        match = self.match
        if isinstance(request.data, list):
            told = record_each(
                request.data, partial(services.record_all, match=match, by=self.actor)
            )
            return Response(shapes.ActAnswers([self._answer(match, each) for each in told]))
        asked = act_asked(request.data)
        try:
            receipt = services.record(match=match, by=self.actor, **asked)
        except MovedOn as moved:
            raise self.with_missed(match, moved) from None
        return recorded(match, self.actor, receipt)

    def _answer(self, match: Match, answer: Receipt | Refused) -> shapes.ActAnswer:
        if isinstance(answer, MovedOn):
            answer = self.with_missed(match, answer)
        if isinstance(answer, Refused):
            return shapes.ActAnswer(answer.status, problem=problem_of(answer))
        return shapes.ActAnswer(_status(answer), receipt=receipt_answer(match, self.actor, answer))


class TakeBackView(OfMatch):
    @extend_schema(
        operation_id="matches_take_back",
        tags=["matches"],
        parameters=[SEAT, DEVICE],
        request=shapes.TakeBackRequest,
        responses={200: shapes.ReceiptAnswer, 201: shapes.ReceiptAnswer},
    )
    def post(self, request: Request, code: str) -> Response:
        """Make the state as at version `to` current again, or undo a taking back."""
        match = self.match
        sent = self.body(shapes.TakeBackRequest)
        try:
            receipt = services.take_back(
                match=match,
                by=self.actor,
                act_id=sent.id,
                to=sent.to,
                after=sent.after,
                note=sent.reason,
            )
        except MovedOn as moved:
            raise self.with_missed(match, moved) from None
        return recorded(match, self.actor, receipt)


class CorrectView(OfMatch):
    @extend_schema(
        operation_id="matches_correct",
        tags=["matches"],
        parameters=[SEAT, DEVICE],
        request=shapes.CorrectRequest,
        responses={
            200: PolymorphicProxySerializer(
                "Corrected",
                [shapes.PreviewAnswer, shapes.Receipts],  # type: ignore[list-item]  # our structs
                resource_type_field_name=None,
            ),
            201: shapes.Receipts,
        },
    )
    def post(self, request: Request, code: str) -> Response:
        """Correct an act: 201 with receipts, 200 for a correction already recorded.

        With `preview`: 200, and what it would change.
        """
        match = self.match
        sent = self.body(shapes.CorrectRequest)
        asked = services.CorrectionRequest(
            sent.act_id, sent.act, sent.reason, sent.after, sent.irregular
        )
        try:
            if sent.preview:
                told = services.preview_correction(match=match, by=self.actor, asked=asked)
                return Response(preview_answer(told))
            receipts = services.correct(
                match=match, by=self.actor, correction_id=sent.id, asked=asked
            )
        except MovedOn as moved:
            raise self.with_missed(match, moved) from None
        return Response(receipts_answer(match, self.actor, receipts), status=_status(receipts[0]))


def act_asked(item: Any, where: str = "$") -> Asked:
    sent: shapes.ActRequest = canonical.convert(item, shapes.ActRequest, where)
    asked = msgspec.structs.asdict(sent)
    asked["act_id"] = asked.pop("id")
    return asked


def record_each(
    items: list[Any], record_all: Callable[..., list[Receipt | Refused]]
) -> list[Receipt | Refused]:
    """Record the acts of a list, and answer all in their order."""
    asked = [answered(partial(act_asked, item, f"$[{n}]")) for n, item in enumerate(items)]
    return record_all(acts=asked)


def _status(receipt: Receipt) -> int:
    return 201 if receipt.recorded else 200


def recorded(match: Match, actor: Actor, receipt: Receipt) -> Response:
    return Response(receipt_answer(match, actor, receipt), status=_status(receipt))
