"""What the endpoints share: who asks, what was sent, and how answers go out."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar

import msgspec
from django.db.models import Model, QuerySet
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import conditional_page
from drf_spectacular.utils import OpenApiParameter
from rest_framework.permissions import SAFE_METHODS, AllowAny
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from matches import canonical, policy
from matches.models import Key

Shape = TypeVar("Shape")
Row = TypeVar("Row", bound=Model)


class Endpoint(APIView):
    """An endpoint for those who signed in, as all are unless they say otherwise."""

    of_results = False  # whether all it tells are results
    scope = ""  # what a key has to write for it; by default the floor of the endpoint

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view, with an ETag and a 304 for what is read."""
        return conditional_page(super().as_view(**initkwargs))

    @cached_property
    def actor(self) -> policy.Actor:
        """Who asks. A program may bring a seat's link instead of a token, as `X-Seat`."""
        actor = policy.actor_of(self.request)
        token = self.request.headers.get("X-Seat")
        if token is None:
            return actor
        seat = policy.seat_of(token)
        return replace(actor, seats=actor.seats | {(seat.match_id, seat.number)})

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.of_results and request.method in SAFE_METHODS:
            policy.require_results(request)
        if request.method not in SAFE_METHODS and isinstance(request.auth, Key):
            policy.require_scope(request.auth, self.scope or self.__module__.partition(".")[0])

    def body(self, shape: type[Shape]) -> Shape:
        """Return what was sent, with exact types. Raises: BadInput."""
        sent: Shape = canonical.convert(self.request.data, shape)
        return sent

    def query(self, shape: type[Shape]) -> Shape:
        """Return the parameters of the URL. Raises: BadInput."""
        given = self.request.query_params.dict()
        own = {name: value for name, value in given.items() if name not in ("cursor", "format")}
        asked: Shape = canonical.convert(own, shape, "$", strict=False)
        return asked

    def page(
        self,
        rows: QuerySet[Row],
        told: Callable[[Row], Any],
        ahead: Callable[[list[Row]], None] | None = None,
    ) -> dict[str, Any]:
        """Return the page of a list that the URL's cursor names, each row as `told`.

        `ahead` asks for all of them what would else be asked of each.
        """
        paginator: Any = api_settings.DEFAULT_PAGINATION_CLASS
        pages = paginator()
        found = list(pages.paginate_queryset(rows, self.request, self))
        if ahead:
            ahead(found)
        return {
            "results": [told(row) for row in found],
            "next": pages.get_next_link(),
            "previous": pages.get_previous_link(),
        }

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Accept", "Authorization", "Cookie", "X-Device", "X-Seat"])
        return response


class OpenEndpoint(Endpoint):
    """An endpoint that anyone may ask: its service or selector puts it to the policy."""

    permission_classes = [AllowAny]


SEAT = OpenApiParameter(
    "X-Seat",
    str,
    OpenApiParameter.HEADER,
    description="The signed token of a seat's link, for a program that sits there.",
)

DEVICE = OpenApiParameter(
    "X-Device",
    str,
    OpenApiParameter.HEADER,
    description="The signed name of this device, as becoming the scribe answered it.",
)


def parameters(shape: type[msgspec.Struct], paged: bool = False) -> list[OpenApiParameter]:
    """Return the description of a query's fields, for the schema."""
    _, components = msgspec.json.schema_components([shape])
    fields = components[shape.__name__]["properties"]
    cursor = {"cursor": {"type": "string"}} if paged else {}
    return [OpenApiParameter(name, field) for name, field in (fields | cursor).items()]
