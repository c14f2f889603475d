"""Seasons and circuits."""

from uuid import UUID

import msgspec
from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league import divisions, policy, selectors, services
from league.api import responses_leagues as responses
from league.api import shapes
from league.api.base import league_named
from league.models import Circuit, Division, Season
from matches.api.base import Endpoint, OpenEndpoint, changed_fields, made, making, parameters
from matches.api.people import player_by
from matches.errors import NotFound, named


class SeasonsView(OpenEndpoint):
    query_shape = shapes.SeasonsQuery
    paged = True

    @extend_schema(
        operation_id="seasons_list",
        tags=["seasons"],
        parameters=parameters(shapes.SeasonsQuery, paged=True),
        responses=shapes.Seasons,
    )
    def get(self, request: Request) -> Response:
        """List the seasons, newest first."""
        query: shapes.SeasonsQuery = self.query
        found = selectors.seasons()
        if league := league_named(query.league):
            found = found.filter(league=league)
        return Response(self.page(found, lambda one: responses.season_line(one, request)))

    @extend_schema(
        operation_id="seasons_open",
        tags=["seasons"],
        request=shapes.SeasonRequest,
        responses={200: shapes.SeasonResponse, 201: shapes.SeasonResponse},
    )
    def post(self, request: Request) -> Response:
        """Begin a season of a league; `divisions` by name, the highest first."""
        sent = self.body(shapes.SeasonRequest)
        policy.require_make(self.actor)
        fields = making(sent) | {"league": named("$.league", selectors.league_for, sent.league)}
        season = services.open_season(by=self.actor, **fields)
        return Response(responses.season_response(season, self.actor, request), status=made(season))


def season_by(pk: UUID) -> Season:
    """Return a season with its league. Raises: NotFound."""
    found = selectors.seasons().filter(pk=pk).first()
    if found is None:
        raise NotFound("There is no such season.", "no-such-season")
    return found


def division_by(pk: int) -> Division:
    """Return a division with its season and play-off. Raises: NotFound."""
    known = Division.objects.select_related("season__league", "play_off_in__log")
    found = known.filter(pk=pk).first()
    if found is None:
        raise NotFound("There is no such division.", "no-such-division")
    return found


class SeasonView(OpenEndpoint):
    @extend_schema(operation_id="seasons_read", tags=["seasons"], responses=shapes.SeasonResponse)
    def get(self, request: Request, season_id: UUID) -> Response:
        """Return a season: its divisions with their tables, its circuits and tournaments."""
        return Response(responses.season_response(season_by(season_id), self.actor, request))

    @extend_schema(
        operation_id="seasons_change",
        tags=["seasons"],
        request={"application/json": shapes.SeasonChange},
        responses={200: shapes.SeasonResponse, 204: None},
    )
    def patch(self, request: Request, season_id: UUID) -> Response:
        """Change the name, dates or text of a season, or delete one that nothing belongs to."""
        changes, season = changed_fields(self.body(shapes.SeasonChange)), season_by(season_id)
        if changes.pop("removed", False):
            services.remove(by=self.actor, thing=season)
            return Response(status=204)
        services.edit_season(by=self.actor, season=season, **changes)
        return Response(responses.season_response(season, self.actor, request))


class DivisionsView(OpenEndpoint):
    @extend_schema(
        operation_id="divisions_add",
        tags=["seasons"],
        request=shapes.DivisionRequest,
        responses={201: shapes.DivisionResponse},
    )
    def post(self, request: Request, season_id: UUID) -> Response:
        """Add a division to a season."""
        sent, season = self.body(shapes.DivisionRequest), season_by(season_id)
        fields = msgspec.structs.asdict(sent)
        division = services.add_division(by=self.actor, season=season, **fields)
        return Response(responses.division_response(division, self.actor), status=201)


class DivisionView(OpenEndpoint):
    of_results = True

    @property
    def division(self) -> Division:
        return division_by(self.kwargs["division_id"])

    @extend_schema(
        operation_id="divisions_read", tags=["seasons"], responses=shapes.DivisionResponse
    )
    def get(self, request: Request, division_id: int) -> Response:
        """Return a division with its table."""
        return Response(responses.division_response(self.division, self.actor))

    @extend_schema(
        operation_id="divisions_change",
        tags=["seasons"],
        request={"application/json": shapes.DivisionChange},
        responses={200: shapes.DivisionResponse, 204: None},
    )
    def patch(self, request: Request, division_id: int) -> Response:
        """Change a division's name, level, or numbers of moves up and down; or delete it."""
        changes, known = changed_fields(self.body(shapes.DivisionChange)), self.division
        if changes.pop("removed", False):
            services.remove(by=self.actor, thing=known)
            return Response(status=204)
        if code := changes.get("play_off_in"):
            found = selectors.tournament_for
            changes["play_off_in"] = named("$.play_off_in", found, self.actor, code)
        elif code is not None:
            changes["play_off_in"] = None
        services.edit_division(by=self.actor, division=known, **changes)
        return Response(responses.division_response(known, self.actor))


class DivisionPlayersView(OpenEndpoint):
    @extend_schema(
        operation_id="divisions_place",
        tags=["seasons"],
        request=shapes.DivisionPlayerRequest,
        responses={200: shapes.DivisionResponse},
    )
    def post(self, request: Request, division_id: int) -> Response:
        """Put a player into a division, or say that they have left or are back; idempotent."""
        sent, known = self.body(shapes.DivisionPlayerRequest), division_by(division_id)
        policy.require_run(self.actor, known.season.league)
        player = player_by(sent.player)
        services.place(by=self.actor, division=known, player=player, active=sent.active)
        return Response(responses.division_response(known, self.actor))


class DivisionAdjustmentsView(OpenEndpoint):
    @extend_schema(
        operation_id="divisions_adjust",
        tags=["seasons"],
        request=shapes.AdjustmentRequest,
        responses={200: shapes.AdjustmentResponse, 201: shapes.AdjustmentResponse},
    )
    def post(self, request: Request, division_id: int) -> Response:
        """Give a player of a division points, or take some, and say why."""
        sent = self.body(shapes.AdjustmentRequest)
        return _adjusted(self, division_by(division_id), sent)


def _adjusted(
    view: OpenEndpoint, within: Division | Circuit, sent: shapes.AdjustmentRequest
) -> Response:
    """Give or take points as was sent, and return the answer."""
    policy.require_run(view.actor, within.season.league)
    fields = making(sent) | {"player": player_by(sent.player)}
    adjustment = services.adjust(by=view.actor, within=within, **fields)
    answer = responses.adjustment_response(adjustment, adjustment.player)
    return Response(answer, status=made(adjustment))


class RolloverView(Endpoint):
    @extend_schema(
        operation_id="seasons_roll_over",
        tags=["seasons"],
        request=shapes.RolloverRequest,
        responses={200: shapes.RolloverResponse, 201: shapes.RolloverResponse},
    )
    def post(self, request: Request, season_id: UUID) -> Response:
        """Begin the next season, with players moved up and down; idempotent."""
        sent, season = self.body(shapes.RolloverRequest), season_by(season_id)
        policy.require_run(self.actor, season.league)
        moves = responses.moves_response(divisions.plan_rollover(season))
        if sent.preview:
            return Response(shapes.RolloverResponse(moves, None))
        fresh = services.roll_over(
            by=self.actor,
            season=season,
            name=sent.name,
            starts_on=sent.starts_on,
            ends_on=sent.ends_on,
        )
        return Response(shapes.RolloverResponse(moves, fresh.pk), status=made(fresh))


# -- circuits -----------------------------------------------------------------------------


class CircuitsView(OpenEndpoint):
    query_shape = shapes.CircuitsQuery
    paged = True

    @extend_schema(
        operation_id="circuits_list",
        tags=["circuits"],
        parameters=parameters(shapes.CircuitsQuery, paged=True),
        responses=shapes.Circuits,
    )
    def get(self, request: Request) -> Response:
        """List the circuits."""
        query: shapes.CircuitsQuery = self.query
        found = Circuit.objects.order_by("name", "id")
        if query.season:
            found = found.filter(season=named("$.season", season_by, query.season))
        return Response(self.page(found, lambda one: responses.circuit_line(one, request)))

    @extend_schema(
        operation_id="circuits_open",
        tags=["circuits"],
        request=shapes.CircuitRequest,
        responses={200: shapes.CircuitResponse, 201: shapes.CircuitResponse},
    )
    def post(self, request: Request) -> Response:
        """Make a circuit of a season."""
        sent = self.body(shapes.CircuitRequest)
        policy.require_make(self.actor)
        fields = making(sent) | {"season": named("$.season", season_by, sent.season)}
        circuit = services.open_circuit(by=self.actor, **fields)
        return Response(
            responses.circuit_response(circuit, self.actor, request), status=made(circuit)
        )


def circuit_by(pk: UUID) -> Circuit:
    """Return a circuit with its season, final and adjustments. Raises: NotFound."""
    known = Circuit.objects.select_related("season__league", "final__log")
    found = known.prefetch_related("adjustments").filter(pk=pk).first()
    if found is None:
        raise NotFound("There is no such circuit.", "no-such-circuit")
    return found


class OfCircuit(OpenEndpoint):
    of_results = True

    @property
    def circuit(self) -> Circuit:
        return circuit_by(self.kwargs["circuit_id"])


class CircuitView(OfCircuit):
    query_shape = shapes.CircuitQuery

    @extend_schema(
        operation_id="circuits_read",
        tags=["circuits"],
        parameters=parameters(shapes.CircuitQuery),
        responses=shapes.CircuitResponse,
    )
    def get(self, request: Request, circuit_id: UUID) -> Response:
        """Return a circuit: its table `after` a number of tournaments, and who is in its final.

        With `so_far` as if the tournament under way ended as it stands.
        """
        query: shapes.CircuitQuery = self.query
        found = responses.circuit_response(
            self.circuit, self.actor, request, query.after, so_far=query.so_far
        )
        return Response(found)

    @extend_schema(
        operation_id="circuits_change",
        tags=["circuits"],
        request={"application/json": shapes.CircuitChange},
        responses={200: shapes.CircuitResponse, 204: None},
    )
    def patch(self, request: Request, circuit_id: UUID) -> Response:
        """Change how a circuit counts, or which tournament is its final; or delete it."""
        changes, circuit = changed_fields(self.body(shapes.CircuitChange)), self.circuit
        if changes.pop("removed", False):
            services.remove(by=self.actor, thing=circuit)
            return Response(status=204)
        policy.require_run(self.actor, circuit.season.league)
        final = changes.pop("final", None)
        with transaction.atomic():
            services.edit_circuit(by=self.actor, circuit=circuit, **changes)
            if final is not None:
                found = selectors.tournament_for
                chosen = named("$.final", found, self.actor, final) if final else None
                services.name_final(by=self.actor, circuit=circuit, tournament=chosen)
        return Response(responses.circuit_response(circuit, self.actor, request))


class QualifiersView(OfCircuit):
    @extend_schema(
        operation_id="circuits_add",
        tags=["circuits"],
        request=shapes.QualifierRequest,
        responses={201: shapes.CircuitResponse},
    )
    def post(self, request: Request, circuit_id: UUID) -> Response:
        """Let a tournament count for a circuit, or make it its final."""
        sent, circuit = self.body(shapes.QualifierRequest), self.circuit
        policy.require_run(self.actor, circuit.season.league)
        tournament = named("$.tournament", selectors.tournament_for, self.actor, sent.tournament)
        if sent.final:
            services.name_final(by=self.actor, circuit=circuit, tournament=tournament)
        else:
            services.add_qualifier(
                by=self.actor,
                circuit=circuit,
                tournament=tournament,
                tier=sent.tier,
                direct=sent.direct,
            )
        return Response(responses.circuit_response(circuit, self.actor, request), status=201)


class QualifierEndView(OfCircuit):
    @extend_schema(
        operation_id="circuits_end_qualifier",
        tags=["circuits"],
        request=shapes.QualifierEnd,
        responses=shapes.CircuitResponse,
    )
    def post(self, request: Request, circuit_id: UUID) -> Response:
        """Stop a tournament from counting for a circuit; its organisers may too, until its
        close."""
        sent, circuit = self.body(shapes.QualifierEnd), self.circuit
        found = circuit.qualifiers.filter(tournament__code=sent.tournament).first()
        if found is None:
            policy.require_run(self.actor, circuit.season.league)
            raise NotFound("That tournament does not count for it.", "no-such-qualifier")
        services.remove(by=self.actor, thing=found)
        return Response(responses.circuit_response(circuit, self.actor, request))


class InvitationsView(OfCircuit):
    @extend_schema(
        operation_id="circuits_answer",
        tags=["circuits"],
        request=shapes.InvitationRequest,
        responses={201: shapes.CircuitResponse},
    )
    def post(self, request: Request, circuit_id: UUID) -> Response:
        """Answer whether a player comes to the final, and who comes instead."""
        sent, circuit = self.body(shapes.InvitationRequest), self.circuit
        policy.require_make(self.actor)
        instead = player_by(sent.replacement, "$.replacement") if sent.replacement else None
        services.answer(
            by=self.actor,
            circuit=circuit,
            player=player_by(sent.player),
            comes=sent.comes,
            replacement=instead,
        )
        return Response(responses.circuit_response(circuit, self.actor, request), status=201)


class CircuitAdjustmentsView(OfCircuit):
    @extend_schema(
        operation_id="circuits_adjust",
        tags=["circuits"],
        request=shapes.AdjustmentRequest,
        responses={200: shapes.AdjustmentResponse, 201: shapes.AdjustmentResponse},
    )
    def post(self, request: Request, circuit_id: UUID) -> Response:
        """Give a player of a circuit points, or take some, and say why."""
        sent = self.body(shapes.AdjustmentRequest)
        return _adjusted(self, self.circuit, sent)
