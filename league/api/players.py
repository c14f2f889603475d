"""Players, shown only to those who may know them, with their ratings, and two compared."""

from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from characters import career
from league import policy, profile, versus
from league.api import shapes
from league.profile import Rated, Step
from league.versus import RatedBoth
from matches import selectors
from matches.api import people
from matches.api.base import NoQuery, OpenEndpoint, parameters
from matches.api.responses import match_line, player_response
from matches.api.shapes import RecordResponse
from matches.models import Match, Player
from matches.records import known_among, once_each, records_of, sat_of


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
        one = Player.objects.filter(pk=player.pk)
        fielded = career.with_favourites(self.actor, one).get()
        return shapes.PlayerProfile(
            **whole,
            ratings=rated,
            characters=_favourites(fielded.characters_json),
            cards=_favourites(fielded.cards_json),
            trophies=[
                _trophy(each)
                for each in profile.trophies_among(profile.entered_by(self.actor, player))
            ],
        )


def _trophy(each: Any) -> shapes.TrophyResponse:
    circuit = profile.final_of(each)
    within = circuit.pk if circuit else None
    return shapes.TrophyResponse(
        each.code, each.title, each.place, each.field, each.sharing, within
    )


def _favourites(rows: str | None) -> list[shapes.FavouriteResponse]:
    return [shapes.FavouriteResponse(*each) for each in career.favourites(rows)]


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


class VersusView(OpenEndpoint):
    paged = True

    @extend_schema(
        operation_id="players_versus",
        tags=["players"],
        parameters=parameters(NoQuery, paged=True),
        responses=shapes.Versus,
    )
    def get(self, request: Request, player_id: UUID, other_id: UUID) -> Response:
        """Compare a player with another: their matches, newest first, ratings and tournaments.

        A claimed guest stands for who claimed it.
        """
        actor = self.actor
        one, other = versus.pair_for(actor, player_id, other_id)
        sat = once_each(sat_of(actor, one, beside=other))
        results = {each.match: each.result for each in sat}

        def met(match: Match) -> shapes.MatchOfBoth:
            line = msgspec.structs.asdict(match_line(match, actor, request))
            return shapes.MatchOfBoth(**line, result=results.get(match.pk, ""))

        found = selectors.matches_between(actor, one, other)
        page = self.page(found, met, partial(selectors.look_ahead, actor))
        return Response(
            shapes.Versus(
                **page,
                player=player_response(one, request),
                other=player_response(other, request),
                records=[RecordResponse(**row._asdict()) for row in records_of(known_among(sat))],
                ratings=[_both(each) for each in versus.ratings_of(actor, one, other)],
                tournaments=[_entered(each) for each in versus.tournaments_of(actor, one, other)],
            )
        )


def _both(rated: RatedBoth) -> shapes.RatedBoth:
    one, other = _rating(rated.one), _rating(rated.other)
    return shapes.RatedBoth(one, other, rated.expected, *rated.placed)


def _entered(each: Any) -> shapes.TournamentOfBoth:
    return shapes.TournamentOfBoth(each.code, each.title, each.place, each.other_place)
