"""Tokens for programs, and players."""

from uuid import UUID

from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from matches import exporting, jobs, keys, services
from matches.api import shapes
from matches.api.base import SEAT, Endpoint, OpenEndpoint, ZipRenderer, made, making, parameters
from matches.api.jobs import accepted
from matches.api.responses import player_detail, player_response
from matches.errors import BadInput, NotFound
from matches.models import Player
from matches.views.jobs import zip_response

AGAIN_AFTER = 15 * 60
"""Seconds after which wrong attempts are forgotten."""


class TooOften(Throttled):
    default_code = "locked-out"


class TokenView(OpenEndpoint):
    of_anyone = True
    authentication_classes = []
    throttle_scope = "token"

    @extend_schema(
        operation_id="token", tags=["token"], request=shapes.Credentials, responses=shapes.Token
    )
    def post(self, request: Request) -> Response:
        """Sign in: get a token for name, password and, if set up, a code of the second factor."""
        sent = self.body(shapes.Credentials)
        credentials = {"username": sent.username, "password": sent.password}
        try:
            user = get_adapter().authenticate(request._request, **credentials)
            if user is None or not user.is_active:
                raise BadInput(
                    "wrong-credentials", "There is no account of this name and password."
                )
            keys.require_second_factor(user, sent.code)
        except ValidationError:
            raise TooOften(AGAIN_AFTER, "That was wrong too often.") from None
        return Response(shapes.Token(keys.make_by_password(user)))


class ExportView(OpenEndpoint):
    throttle_scope = "heavy"
    renderer_classes = [*OpenEndpoint.renderer_classes, ZipRenderer]

    @extend_schema(
        operation_id="export",
        tags=["players"],
        parameters=[SEAT],
        responses={
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, "application/zip"): OpenApiTypes.BINARY,
        },
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Get all that you own: as JSON or, with `Accept: application/zip`, with the files.

        Only the newest thousand matches. With the link of a seat instead of a token: what belongs
        to that seat.
        """
        if request.accepted_renderer.format == "zip":
            return zip_response("everything.zip", exporting.archive(by=self.actor))
        return Response(exporting.as_data(by=self.actor))

    @extend_schema(
        operation_id="export_ask",
        tags=["players"],
        request=shapes.EmptyRequest,
        responses={202: shapes.JobResponse},
    )
    def post(self, request: Request) -> Response:
        """Have a worker pack all that you own, however much; `Location` has its progress."""
        self.body(shapes.EmptyRequest)
        job = jobs.ask(exporting.Everything.name, by=self.actor)
        return accepted(job, self.actor, request)


class PlayersView(Endpoint):
    query_shape = shapes.PlayersQuery
    paged = True

    @extend_schema(
        operation_id="players_list",
        tags=["players"],
        parameters=parameters(shapes.PlayersQuery, paged=True),
        responses=shapes.Players,
    )
    def get(self, request: Request) -> Response:
        """List the players except claimed guests, newest first; `name` is a part of theirs."""
        query: shapes.PlayersQuery = self.query
        players = Player.objects.filter(name__icontains=query.name, claimed_by=None)
        players = players.order_by("-created_at", "-id")
        return Response(self.page(players, lambda player: player_response(player, request)))

    @extend_schema(
        operation_id="players_create",
        tags=["players"],
        request=shapes.GuestRequest,
        responses={200: shapes.PlayerResponse, 201: shapes.PlayerResponse},
    )
    def post(self, request: Request) -> Response:
        """Add a guest: a player without an account."""
        guest = services.add_guest(by=self.actor, **making(self.body(shapes.GuestRequest)))
        answer = player_response(guest, request)
        return Response(answer, status=made(guest), headers={"Location": answer.url})


class PlayerView(OpenEndpoint):
    def player(self, player_id: UUID) -> Player:
        """Return the player who is asked about. Raises: NotFound."""
        return player_of_id(player_id)

    @extend_schema(operation_id="players_read", tags=["players"], responses=shapes.PlayerDetail)
    def get(self, request: Request, player_id: UUID) -> Response:
        """Get a player, and their results in matches that you may see."""
        return Response(self.answer(self.player(player_id)))

    def answer(self, player: Player) -> shapes.PlayerDetail:
        """Return the body of the answer."""
        return player_detail(player, self.actor, self.request)

    @extend_schema(
        operation_id="players_rename",
        tags=["players"],
        request={"application/json": shapes.PlayerRequest},
        responses=shapes.PlayerResponse,
    )
    def patch(self, request: Request, player_id: UUID) -> Response:
        """Rename yourself, or a guest whom you added."""
        sent = self.body(shapes.PlayerRequest)
        player = self.player(player_id)
        services.rename(by=self.actor, player=player, name=sent.name)
        return Response(player_response(player, request))


def player_by(pk: UUID | None, where: str = "$.player") -> Player:
    """Return the player that a body names; for a claimed guest, the player who claimed it.

    Raises: BadInput.
    """
    if pk is None:
        raise BadInput("missing-field", "Say which player.", where)
    found = Player.objects.select_related("claimed_by").filter(pk=pk).first()
    if found is None:
        raise BadInput("unknown-player", f"There is no player {pk}.", where)
    return found.claimed_by or found


def player_of_id(player_id: UUID) -> Player:
    """Return a player. Raises: NotFound."""
    player = Player.objects.filter(pk=player_id).first()
    if player is None:
        raise NotFound("There is no such player.", "no-such-player")
    return player
