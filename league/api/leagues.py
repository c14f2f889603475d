"""Leagues: who runs them, their krewes, and their disciplinary record."""

from uuid import UUID

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league import policy, roles, selectors, services
from league.api import responses_leagues as responses
from league.api import shapes
from league.api.base import OfLeague, venue_named
from league.models import Krewe, League, Penalty, Sanction, Tournament
from league.parcels import LeagueParcel
from matches import jobs
from matches.actors import Actor
from matches.api.base import (
    Endpoint,
    NoQuery,
    OpenEndpoint,
    changed_fields,
    made,
    making,
    parameters,
)
from matches.api.jobs import accepted
from matches.api.people import player_by
from matches.api.shapes import JobResponse
from matches.errors import NotFound


class LeaguesView(OpenEndpoint):
    paged = True

    @extend_schema(
        operation_id="leagues_list",
        tags=["leagues"],
        parameters=parameters(NoQuery, paged=True),
        responses=shapes.Leagues,
    )
    def get(self, request: Request) -> Response:
        """List the leagues."""
        found = League.objects.select_related("venue").order_by("name", "id")
        return Response(self.page(found, lambda one: responses.league_line(one, request)))

    @extend_schema(
        operation_id="leagues_found",
        tags=["leagues"],
        request=shapes.LeagueRequest,
        responses={200: shapes.LeagueResponse, 201: shapes.LeagueResponse},
    )
    def post(self, request: Request) -> Response:
        """Found a league and become its organiser."""
        sent = self.body(shapes.LeagueRequest)
        fields = making(sent) | {"venue": venue_named(sent.venue)}
        league = services.found_league(by=self.actor, **fields)
        return Response(responses.league_response(league, request), status=made(league))


class LeagueView(OfLeague):
    @extend_schema(operation_id="leagues_read", tags=["leagues"], responses=shapes.LeagueResponse)
    def get(self, request: Request, slug: str) -> Response:
        """Return a league and its officials."""
        return Response(responses.league_response(self.league, request))

    @extend_schema(
        operation_id="leagues_change",
        tags=["leagues"],
        request={"application/json": shapes.LeagueChange},
        responses=shapes.LeagueResponse,
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change the description of a league."""
        changes, league = changed_fields(self.body(shapes.LeagueChange)), self.league
        if "venue" in changes:
            changes["venue"] = venue_named(changes["venue"])
        services.edit_league(by=self.actor, league=league, **changes)
        return Response(responses.league_response(league, request))


def roles_response(by: Actor, thing: League | Tournament) -> shapes.RolesResponse:
    """Return the roles of a league or tournament, for its organisers.

    Raises: NotAllowed, NotFound.
    """
    found = roles.members_of(by=by, thing=thing)
    changes = roles.changes_of(by=by, thing=thing)
    return shapes.RolesResponse(
        [responses.member_response(each) for each in found],
        [
            shapes.RoleChangeResponse(
                each.player_id, each.player.name, each.role, each.given, each.by_id, each.at
            )
            for each in changes
        ],
    )


def end_role(by: Actor, thing: League | Tournament, sent: shapes.RoleRequest) -> None:
    """Take a role back. Raises: NotAllowed, NotFound, Conflict."""
    found = roles.member(by=by, thing=thing, player=sent.player, role=sent.role)
    roles.dismiss(by=by, member=found)


class ExportView(OfLeague):
    throttle_scope = "heavy"

    @extend_schema(
        operation_id="leagues_export",
        tags=["leagues"],
        request=shapes.EmptyRequest,
        responses={202: JobResponse},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Ask a worker to pack a whole league for its organiser: logs, certificates, results.

        `Location` is where to follow its progress.
        """
        self.body(shapes.EmptyRequest)
        job = jobs.ask(LeagueParcel.name, about=self.league.pk, by=self.actor)
        return accepted(job, self.actor, request)


class MemberEndView(OfLeague):
    @extend_schema(
        operation_id="leagues_end_role",
        tags=["leagues"],
        request=shapes.RoleRequest,
        responses=shapes.RolesResponse,
    )
    def post(self, request: Request, slug: str) -> Response:
        """End somebody's role in a league; its last organiser cannot be removed."""
        sent, league = self.body(shapes.RoleRequest), self.league
        end_role(self.actor, league, sent)
        return Response(roles_response(self.actor, league))


class MembersView(OfLeague):
    @extend_schema(operation_id="leagues_roles", tags=["leagues"], responses=shapes.RolesResponse)
    def get(self, request: Request, slug: str) -> Response:
        """List who has which role in a league, and the changes of roles; for its organisers."""
        return Response(roles_response(self.actor, self.league))

    @extend_schema(
        operation_id="leagues_join",
        tags=["leagues"],
        request=shapes.MemberRequest,
        responses={201: shapes.MemberResponse},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Join a league as a player, or give somebody a role in it."""
        sent, league = self.body(shapes.MemberRequest), self.league
        if sent.player is None and sent.role == "player":
            member = services.join(by=self.actor, league=league)
        else:
            policy.require_run(self.actor, league)
            player = player_by(sent.player)
            member = services.name_member(
                by=self.actor, league=league, player=player, role=sent.role
            )
        return Response(responses.member_response(member), status=201)


class KrewesView(OfLeague):
    paged = True

    @extend_schema(
        operation_id="krewes_list",
        tags=["leagues"],
        parameters=parameters(NoQuery, paged=True),
        responses=shapes.Krewes,
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the krewes of a league."""
        found = self.league.krewes.select_related("league").prefetch_related("players")
        return Response(self.page(found, responses.krewe_response))

    @extend_schema(
        operation_id="krewes_make",
        tags=["leagues"],
        request=shapes.KreweRequest,
        responses={200: shapes.KreweResponse, 201: shapes.KreweResponse},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make a krewe and become its captain."""
        sent, league = self.body(shapes.KreweRequest), self.league
        policy.require_make(self.actor)
        players = [player_by(pk, f"$.players[{n}]") for n, pk in enumerate(sent.players)]
        fields = making(sent) | {"players": players}
        krewe = services.make_krewe(by=self.actor, league=league, **fields)
        return Response(responses.krewe_response(krewe), status=made(krewe))


class KreweView(OpenEndpoint):
    @extend_schema(operation_id="krewes_read", tags=["leagues"], responses=shapes.KreweResponse)
    def get(self, request: Request, krewe_id: UUID) -> Response:
        """Return a krewe and its players."""
        return Response(responses.krewe_response(selectors.krewe_for(krewe_id)))

    @extend_schema(
        operation_id="krewes_change",
        tags=["leagues"],
        request={"application/json": shapes.KreweChange},
        responses={200: shapes.KreweResponse, 204: None},
    )
    def patch(self, request: Request, krewe_id: UUID) -> Response:
        """Add a player, name the captain, remove a player; or delete the krewe."""
        sent = self.body(shapes.KreweChange)
        changed_fields(sent)
        policy.require_make(self.actor)
        krewe = selectors.krewe_for(krewe_id)
        if sent.removed:
            services.remove_krewe(by=self.actor, krewe=krewe)
            return Response(status=204)
        with transaction.atomic():
            self._change(krewe, sent)
        return Response(responses.krewe_response(selectors.krewe_for(krewe_id)))

    def _change(self, krewe: Krewe, sent: shapes.KreweChange) -> None:
        if sent.add:
            player = player_by(sent.add, "$.add")
            services.add_to_krewe(by=self.actor, krewe=krewe, player=player)
        if sent.captain:
            player = player_by(sent.captain, "$.captain")
            services.edit_krewe(by=self.actor, krewe=krewe, captain=player)
        if sent.remove:
            player = player_by(sent.remove, "$.remove")
            services.leave_krewe(by=self.actor, krewe=krewe, player=player)


class DisciplineView(OfLeague):
    @extend_schema(
        operation_id="leagues_discipline",
        tags=["leagues"],
        responses=shapes.DisciplineRecord,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the disciplinary record of a league, for its organisers and judges."""
        league = self.league
        policy.require_discipline(self.actor, league)
        found = Sanction.objects.filter(league=league).select_related("player")
        given = Penalty.objects.filter(tournament__league=league).select_related(
            "tournament", "entry__player", "entry__character", "entry__krewe"
        )
        penalties = [
            shapes.PenaltyResponse(
                each.tournament.code,
                each.entry.player_id,
                each.entry.name,
                each.infraction,
                each.penalty,
                each.demerits,
                each.given_at,
            )
            for each in given
        ]
        sanctions = [responses.sanction_response(each) for each in found]
        return Response(shapes.DisciplineRecord(sanctions, penalties))

    @extend_schema(
        operation_id="leagues_sanction",
        tags=["leagues"],
        request=shapes.SanctionRequest,
        responses={200: shapes.SanctionResponse, 201: shapes.SanctionResponse},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Ban a player from a league's tournaments, or exile them."""
        sent, league = self.body(shapes.SanctionRequest), self.league
        policy.require_run(self.actor, league)
        fields = making(sent) | {"player": player_by(sent.player)}
        sanction = services.sanction(by=self.actor, league=league, **fields)
        return Response(responses.sanction_response(sanction), status=made(sanction))


class LiftView(Endpoint):
    @extend_schema(
        operation_id="leagues_lift",
        tags=["leagues"],
        request=shapes.LiftRequest,
        responses=shapes.SanctionResponse,
    )
    def post(self, request: Request, slug: str, sanction_id: int) -> Response:
        """Lift a ban or an exile."""
        self.body(shapes.LiftRequest)
        found = (
            Sanction.objects.select_related("league", "player")
            .filter(pk=sanction_id, league__slug=slug)
            .first()
        )
        if found is None:
            raise NotFound("There is no such ban.", "no-such-sanction")
        services.lift(by=self.actor, sanction=found)
        return Response(responses.sanction_response(found))
