"""Ratings, and how changes to the past revised them."""

from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from msgspec import Meta, Struct
from rest_framework.request import Request
from rest_framework.response import Response

from league import ratings
from league.api.base import league_named
from league.api.shapes import Slug
from league.models import Rating
from matches.api.base import OpenEndpoint, parameters
from matches.api.shapes import Moment, Page
from matches.models import Player
from matches.opening import game_named


class RatingsQuery(Struct):
    game: Annotated[str, Meta(max_length=40, description="the key of a game")] = "zg"
    league: Annotated[
        Slug,
        Meta(description="by default ratings of tournaments that belong to no league"),
    ] = ""


class RatingResponse(Struct):
    """`shown` is mu - 3 sigma; below eight tables it is provisional.

    `provisional`: fewer than eight tables were rated.
    """

    player: UUID
    name: str
    shown: float
    mu: float
    sigma: float
    played: int
    provisional: bool


class RatingsResponse(Page[RatingResponse]):
    """One page: follow `next` until it is null."""


class RatingsView(OpenEndpoint):
    query_shape = RatingsQuery
    paged = True
    of_results = True

    @extend_schema(
        operation_id="ratings_list",
        tags=["ratings"],
        parameters=parameters(RatingsQuery, paged=True),
        responses=RatingsResponse,
    )
    def get(self, request: Request) -> Response:
        """List rated players, best first."""
        query: RatingsQuery = self.query
        league = league_named(query.league)
        return Response(
            self.page(ratings.best_first(game_named(query.game, "$.game").key, league), _rating)
        )


def _rating(row: Rating) -> RatingResponse:
    return RatingResponse(
        player=row.player_id,
        name=row.player.name,
        shown=row.shown,
        mu=row.mu,
        sigma=row.sigma,
        played=row.played,
        provisional=row.provisional,
    )


class MovedRating(Struct):
    """A rating that moved: before and after; null if there was none, or is none any more.

    `mu` and `sigma`: before. `now_mu` and `now_sigma`: after.
    """

    player: UUID
    name: str
    mu: float | None
    sigma: float | None
    now_mu: float | None
    now_sigma: float | None


class RevisionResponse(Struct):
    """How entry `version` of a tournament changed the past; `tables` were rated again.

    Both are null for a tournament you may not see: it was withdrawn, or is no longer public.

    `version`: that of the entry which changed the past. `moved`: the ratings that moved.
    """

    tournament: str | None
    version: int | None
    at: Moment
    tables: int
    moved: list[MovedRating]


class RevisionsResponse(Page[RevisionResponse]):
    """One page: follow `next` until it is null."""


class RevisionsView(OpenEndpoint):
    query_shape = RatingsQuery
    paged = True
    of_results = True

    @extend_schema(
        operation_id="ratings_revisions",
        tags=["ratings"],
        parameters=parameters(RatingsQuery, paged=True),
        responses=RevisionsResponse,
    )
    def get(self, request: Request) -> Response:
        """List the changes of ratings caused by changes to the past, newest first."""
        query: RatingsQuery = self.query
        league = league_named(query.league)
        game = game_named(query.game, "$.game").key
        page = self.page(ratings.revisions(self.actor, game, league), lambda row: row)
        moved = {player for row in page["results"] for player, *_ in row.changes}
        people = Player.objects.in_bulk(moved)
        page["results"] = [_revision(row, people) for row in page["results"]]
        return Response(page)


def _revision(row: Any, people: Mapping[UUID, Player]) -> RevisionResponse:
    moved = [
        MovedRating(people[UUID(player)].pk, people[UUID(player)].name, *strengths)
        for player, *strengths in row.changes
        if UUID(player) in people
    ]
    code, version = (row.tournament.code, row.version) if row.named else (None, None)
    return RevisionResponse(code, version, row.made_at, row.tables, moved)
