"""Search over the whole site."""

from typing import Annotated, Literal

from drf_spectacular.utils import extend_schema
from msgspec import Meta, Struct
from rest_framework import request as drf
from rest_framework.response import Response

from league import search
from matches.api import shapes
from matches.api.base import OpenEndpoint, parameters

Kind = Literal["tournament", "league", "player", "character", "match", "card", "venue", "place"]


class SearchQuery(shapes.Request):
    q: Annotated[
        str,
        Meta(
            min_length=search.LEAST,
            max_length=search.LIMIT,
            description="words of a name, or a code",
        ),
    ]
    kind: Annotated[Kind | None, Meta(description="only what is one of these")] = None


class HitResponse(Struct):
    """A search result: its name, a short description, and its page.

    `id` is its code, slug or id, as in the addresses of its kind; of a text the place's slug.
    `url`: the address of its page.
    """

    kind: Kind
    name: str
    about: str
    url: str
    id: str


class SearchResponse(Struct):
    results: list[HitResponse]


class SearchView(OpenEndpoint):
    query_shape = SearchQuery

    @extend_schema(
        operation_id="search",
        tags=["search"],
        parameters=parameters(SearchQuery),
        responses=SearchResponse,
    )
    def get(self, request: drf.Request) -> Response:
        """Find what one may see by name or code, at most six results per kind."""
        sent: SearchQuery = self.query
        hits = search.find(self.actor, search.normalized(sent.q), sent.kind or "")
        results = [
            HitResponse(
                hit.kind,  # type: ignore[arg-type]  # a key of KINDS
                hit.name,
                hit.about,
                request.build_absolute_uri(hit.url),
                hit.id,
            )
            for hit in hits
        ]
        return Response(SearchResponse(results))
