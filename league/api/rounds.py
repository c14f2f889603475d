"""Rounds of a tournament: their dates, pairings, tables and standings, and what these make sure."""

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league import desk_cuts, desk_reads, desks, ranking, services, tiebreaks
from league.api import responses, shapes
from league.api.base import AtDesk, ByTournament
from league.played import codes_of, key_of
from matches import canonical
from matches import log as logs
from matches.api.base import made, parameters
from matches.api.matches import opened
from rules.desk import clinch


class RoundDatesView(AtDesk):
    @extend_schema(
        operation_id="tournaments_dates", tags=["tournaments"], responses=shapes.RoundDates
    )
    def get(self, request: Request, code: str) -> Response:
        """Return when the next round is paired automatically, and the deadlines of rounds."""
        return Response(responses.dates_response(self.tournament, self.actor))

    @extend_schema(
        operation_id="tournaments_set_date",
        tags=["tournaments"],
        request=shapes.RoundDateRequest,
        responses=shapes.RoundDates,
    )
    def post(self, request: Request, code: str) -> Response:
        """Set the dates of the next round or of the open one; a date left out is removed."""
        sent, tournament = self.body(shapes.RoundDateRequest), self.tournament
        pairs_at, deadline = (
            canonical.time_from(at, f"$.{name}") if at else None
            for name, at in (("pairs_at", sent.pairs_at), ("deadline", sent.deadline))
        )
        services.set_date(
            by=self.actor,
            tournament=tournament,
            number=sent.round,
            pairs_at=pairs_at,
            weekly=sent.weekly,
            deadline=deadline,
        )
        return Response(responses.dates_response(tournament, self.actor))


class ProposeView(AtDesk):
    query_shape = shapes.SeedQuery

    @extend_schema(
        operation_id="tournaments_proposal",
        tags=["tournaments"],
        parameters=parameters(shapes.SeedQuery),
        responses=shapes.RoundProposal,
    )
    def get(self, request: Request, code: str) -> Response:
        """Pair the next round without recording it."""
        query: shapes.SeedQuery = self.query
        proposed = services.propose(tournament=self.tournament, by=self.actor, seed=query.seed)
        return Response(responses.proposal_response(proposed, shadows=query.shadows))

    @extend_schema(
        operation_id="tournaments_propose",
        tags=["tournaments"],
        request=shapes.ProposeRequest,
        responses=shapes.RoundProposal,
    )
    def post(self, request: Request, code: str) -> Response:
        """Pair the next round without recording it."""
        sent = self.body(shapes.ProposeRequest)
        proposed = services.propose(tournament=self.tournament, by=self.actor, seed=sent.seed)
        return Response(responses.proposal_response(proposed, shadows=sent.shadows))


class PairAgainView(AtDesk):
    @extend_schema(
        operation_id="tournaments_pair_again",
        tags=["tournaments"],
        request=shapes.PairAgainRequest,
        responses={200: shapes.Rounds, 201: shapes.Rounds},
    )
    def post(self, request: Request, code: str) -> Response:
        """Pair the unpublished round again: 201 with the round, or 200 if this id already did.

        What was recorded since it was paired is kept, except changes of its pairing by hand.
        """
        sent, tournament = self.body(shapes.PairAgainRequest), self.tournament
        status = made(logs.version_of(tournament.log, sent.id) is None)
        services.pair_again(tournament=tournament, by=self.actor, act_id=sent.id)
        desk, at = desks.desk_of(tournament), tournament.log.head_version
        numbers = range(1, len(desk.rounds) + 1)[-1:]
        results = [responses.round_response(tournament, at, desk, number) for number in numbers]
        return Response(shapes.Rounds(at, results), status=status)


class TableMatchView(AtDesk):
    @extend_schema(
        operation_id="tournaments_open_table",
        tags=["tournaments"],
        request=shapes.OpenTableRequest,
        responses={200: shapes.TableMatchResponse, 201: shapes.TableMatchResponse},
    )
    def post(
        self,
        request: Request,
        code: str,
        round: int,  # noqa: A002 (as in addresses)
        table: int,
    ) -> Response:
        """Open the match of a table: 201, or 200 with the match under way there."""
        self.body(shapes.OpenTableRequest)
        match = services.open_table(
            tournament=self.tournament, by=self.actor, number=round, table=table
        )
        answer = opened(self, match)
        answer.data = shapes.TableMatchResponse(
            **msgspec.structs.asdict(answer.data), match=match.code
        )
        return answer


class RoundsView(ByTournament):
    query_shape = shapes.RoundQuery

    @extend_schema(
        operation_id="rounds_list",
        tags=["rounds"],
        parameters=parameters(shapes.RoundQuery),
        responses=shapes.Rounds,
    )
    def get(self, request: Request) -> Response:
        """List the rounds of a tournament, each with the reasons for its pairings."""
        query: shapes.RoundQuery = self.query
        tournament, _, at, desk = self.read()
        numbers = range(1, len(desk.rounds) + 1)
        results = [
            responses.round_response(tournament, at, desk, number)
            for number in numbers
            if query.round in (None, number)
        ]
        return Response(shapes.Rounds(at, results))


class PairingsView(ByTournament):
    query_shape = shapes.RoundQuery

    @extend_schema(
        operation_id="pairings_list",
        tags=["pairings"],
        parameters=parameters(shapes.RoundQuery),
        responses=shapes.Pairings,
    )
    def get(self, request: Request) -> Response:
        """List the tables of a tournament's rounds, with the results that may be shown."""
        query: shapes.RoundQuery = self.query
        tournament, _, at, desk = self.read()
        names = desks.names_of(tournament, desk)
        codes = codes_of([tournament])[tournament.pk]
        results = [
            responses.table_response(
                number,
                table,
                names,
                codes.get((number, table.number, key_of(tournament, desk, table.players)), []),
            )
            for number, each in enumerate(desk.rounds, 1)
            if query.round in (None, number)
            for table in each.tables
        ]
        return Response(shapes.Pairings(at, results))


class StandingsView(ByTournament):
    query_shape = shapes.StandingsQuery

    @extend_schema(
        operation_id="standings_list",
        tags=["standings"],
        parameters=parameters(shapes.StandingsQuery),
        responses=shapes.Standings,
    )
    def get(self, request: Request) -> Response:
        """Return a stage's standings as of any version; with `terms` how each number is made up."""
        query: shapes.StandingsQuery = self.query
        other = tiebreaks.order_in(query.tiebreaks)
        tournament, cut, at, desk = self.read()
        stage = query.stage or len(desk.stages)
        if query.stage is not None:
            desks.require_stage(desk, query.stage)
        names = desks.names_of(tournament, desk)
        of_it = tournament, cut, stage - 1, at, query.after
        results, below = (
            [responses.standing_row(row, names, terms=query.terms) for row in rows]
            for rows in (ranking.table(*of_it, other), ranking.below(*of_it))
        )
        is_now = stage and not (query.after or other)
        both = responses.contested(desk, stage - 1, names) if is_now else []
        return Response(shapes.Standings(at, stage, results, below, both))


class ClinchView(AtDesk):
    query_shape = shapes.ClinchQuery
    throttle_scope = "heavy"

    @extend_schema(
        operation_id="tournaments_clinch",
        tags=["tournaments"],
        parameters=parameters(shapes.ClinchQuery),
        responses=shapes.Clinched,
    )
    def get(self, request: Request, code: str) -> Response:
        """Return who is safe, live or out for a cut, by bounds that hold however the rest goes."""
        query: shapes.ClinchQuery = self.query
        tournament = self.tournament
        found = desk_cuts.cut_for(self.actor, tournament)
        desk = desk_reads.shown_desk(tournament, found)
        stage = query.stage or len(desk.stages)
        if query.stage is not None:
            desks.require_stage(desk, query.stage)
        hidden = not stage or desk_reads.hides_seeds(desk, found, stage - 1)
        names = desks.names_of(tournament, desk)
        results = [
            shapes.ReachResponse(
                entrant=each.entrant,
                name=names[each.entrant],
                call=each.call(query.size),
                best=each.best,
                worst=each.worst,
                exact=each.exact,
            )
            for each in (() if hidden else clinch.reach(desk, stage - 1))
        ]
        return Response(shapes.Clinched(stage, query.size, results))
