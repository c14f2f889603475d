"""Players, shown only to those who may know them, with their ratings."""

from uuid import UUID

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league import policy, profile
from league.api import shapes
from league.profile import Rated, Step
from matches.api import people
from matches.models import Player


class PlayerView(people.PlayerView):
    scope = "matches"

    def player(self, player_id: UUID) -> Player:
        player = super().player(player_id)
        policy.require_met(self.actor, player)
        return player

    @extend_schema(operation_id="players_read", tags=["players"], responses=shapes.PlayerProfile)
    def get(self, request: Request, player_id: UUID) -> Response:
        """Get a player, their ratings, and their results in matches that you may see."""
        return super().get(request, player_id)

    def answer(self, player: Player) -> shapes.PlayerProfile:
        rated = [_rating(each) for each in profile.ratings_of(self.actor, player)]
        whole = msgspec.structs.asdict(super().answer(player))
        return shapes.PlayerProfile(**whole, ratings=rated)


def _rating(rated: Rated) -> shapes.PlayerRating:
    pool, now = rated.pool, rated.now
    return shapes.PlayerRating(
        game=pool.game,
        league=pool.league.slug if pool.league else "",
        shown=now.shown,
        sigma=now.sigma,
        played=rated.played,
        provisional=rated.left > 0,
        steps=[_step(each) for each in rated.steps],
    )


def _step(step: Step) -> shapes.RatingStepResponse:
    code = step.tournament.code if step.tournament else ""
    return shapes.RatingStepResponse(code, step.place, step.shown, step.moved, step.sigma, step.at)
