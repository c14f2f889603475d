"""Roles at a single tournament."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league import policy, roles
from league.api import responses_leagues as responses
from league.api import shapes
from league.api.base import AtDesk
from league.api.leagues import end_role, roles_response
from matches.api.people import player_by


class StaffView(AtDesk):
    @extend_schema(
        operation_id="tournaments_staff", tags=["tournaments"], responses=shapes.RolesResponse
    )
    def get(self, request: Request, code: str) -> Response:
        """List the roles at a tournament itself, not those in its league; for its organisers."""
        return Response(roles_response(self.actor, self.tournament))

    @extend_schema(
        operation_id="tournaments_give_role",
        tags=["tournaments"],
        request=shapes.RoleRequest,
        responses={201: shapes.MemberResponse},
    )
    def post(self, request: Request, code: str) -> Response:
        """Give somebody a role at a tournament."""
        sent, tournament = self.body(shapes.RoleRequest), self.tournament
        policy.require_organise(self.actor, tournament)
        member = roles.name_member(
            by=self.actor, player=player_by(sent.player), role=sent.role, tournament=tournament
        )
        return Response(responses.member_response(member), status=201)


class StaffEndView(AtDesk):
    @extend_schema(
        operation_id="tournaments_end_role",
        tags=["tournaments"],
        request=shapes.RoleRequest,
        responses=shapes.RolesResponse,
    )
    def post(self, request: Request, code: str) -> Response:
        """End somebody's role at a tournament."""
        sent, tournament = self.body(shapes.RoleRequest), self.tournament
        end_role(self.actor, tournament, sent)
        return Response(roles_response(self.actor, tournament))
