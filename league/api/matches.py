"""API to find matches: the endpoints of the floors below, plus the tournament they belong to."""

import msgspec
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from characters.api import matches as fielded
from league import chronicle, lore, selectors
from league.api import shapes
from league.models import TableMatch
from matches.api import matches
from matches.api.base import SEAT, parameters
from matches.api.shapes import Matches
from matches.errors import named
from matches.models import Match


class MatchesView(fielded.MatchesView):
    query_shape = shapes.PlayedMatchesQuery

    @extend_schema(
        operation_id="matches_list",
        tags=["matches"],
        parameters=parameters(shapes.PlayedMatchesQuery, paged=True),
        responses=Matches,
    )
    def get(self, request: Request) -> Response:
        """List the matches one may see, newest first. `ruleset` is `zg` or `zg@1`."""
        return super().get(request)

    def found(self) -> QuerySet[Match]:
        query: shapes.PlayedMatchesQuery = self.query
        found = super().found()
        if query.tournament:
            at = named("$.tournament", selectors.tournament_for, self.actor, query.tournament)
            found = selectors.at_tables_of(found, [at])
        if query.place:
            found = chronicle.played_at(named("$.place", lore.place_for, query.place), found)
        return found


class MatchView(matches.MatchView):
    scope = "matches"

    @extend_schema(
        operation_id="matches_read",
        tags=["matches"],
        parameters=[SEAT],
        responses=shapes.PlayedMatchResponse,
    )
    def get(self, request: Request, code: str) -> Response:
        """Get a match: its head, who is at its table, and what you may do here."""
        return super().get(request, code)

    def answer(self, match: Match) -> shapes.PlayedMatchResponse:
        at = selectors.table_of(self.actor, match)
        table = _table_response(at) if at else None
        whole = msgspec.structs.asdict(super().answer(match))
        return shapes.PlayedMatchResponse(**whole, table=table)


def _table_response(at: TableMatch) -> shapes.TableOfMatch:
    return shapes.TableOfMatch(at.tournament.code, at.round, at.table, at.game)
