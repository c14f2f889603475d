"""The base of endpoints that record in a log, of a match or a desk: act, receipt, refusal."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, TypeVar

import msgspec
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework.response import Response

from matches import canonical
from matches.api import shapes
from matches.api.base import OpenEndpoint, made, making
from matches.api.problems import problem_of
from matches.errors import MovedOn, Refused, answered
from matches.log import Receipt

Of = TypeVar("Of")
ActArguments = dict[str, Any]

_ACT = {"$ref": "#/components/schemas/ActRequest"}


class Recording(OpenEndpoint, ABC, Generic[Of]):
    """An endpoint that records in the log of something."""

    @abstractmethod
    def receipt(self, of: Of, receipt: Receipt) -> shapes.ReceiptResponse:
        """Return a receipt as the actor may see it."""

    @abstractmethod
    def missed(self, of: Of, moved: MovedOn) -> shapes.Entries:
        """Return the entries a request did not know of, as the actor may see them."""

    @contextmanager
    def recording(self, of: Of) -> Iterator[None]:
        """Add the missed entries to a MovedOn that is raised."""
        try:
            yield
        except MovedOn as moved:
            raise self._with_missed(of, moved) from None

    def recorded(self, of: Of, receipt: Receipt) -> Response:
        """Answer with a receipt: 201, or 200 for an act recorded already."""
        return Response(self.receipt(of, receipt), status=made(receipt.recorded))

    def record_each(
        self, of: Of, items: list[Any], record_all: Callable[..., list[Receipt | Refused]]
    ) -> Response:
        """Record the acts of a list, and answer all in their order."""
        acts = [answered(partial(act_arguments, item, f"$[{n}]")) for n, item in enumerate(items)]
        receipts = record_all(acts=acts)
        return Response(shapes.ActResponses([self._response(of, each) for each in receipts]))

    def _response(self, of: Of, answer: Receipt | Refused) -> shapes.ActResponse:
        if isinstance(answer, MovedOn):
            answer = self._with_missed(of, answer)
        if isinstance(answer, Refused):
            problem: Any = problem_of(answer)  # plain, with the fields of its own
            return shapes.ActResponse(answer.status, problem=problem)
        return shapes.ActResponse(made(answer.recorded), receipt=self.receipt(of, answer))

    def _with_missed(self, of: Of, moved: MovedOn) -> MovedOn:
        """Return a MovedOn with the entries missed, and whether there are more after those."""
        page = self.missed(of, moved)
        moved.extra.update(missed=page.entries, more=page.more)
        return moved


def act_arguments(item: Any, where: str = "$") -> ActArguments:
    """Return an act as the service takes it. Raises: BadInput."""
    sent: shapes.ActRequest = canonical.convert(item, shapes.ActRequest, where)
    return making(sent)


def acts_schema(name: str, most: int) -> dict[str, Any]:
    """Return the schema of recording an act, or a list of at most `most`."""
    acts = {"type": "array", "items": _ACT, "maxItems": most}
    return {
        "request": {"application/json": {"oneOf": [_ACT, acts]}},
        "responses": {
            200: one_of(name, shapes.ReceiptResponse, shapes.ActResponses),
            201: shapes.ReceiptResponse,
        },
    }


def one_of(name: str, *kinds: type[msgspec.Struct]) -> PolymorphicProxySerializer:
    """Return the schema of an answer that has one of several shapes."""
    shown: Any = list(kinds)  # typed as serializers, but structs work as well
    return PolymorphicProxySerializer(name, shown, resource_type_field_name=None)
