"""Tournaments: listed, opened and changed, and their prizes."""

from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Q
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from characters.api.characters import character_named
from league import policy, selectors, services
from league.api import responses, shapes
from league.api.base import AtDesk, league_named, venue_named
from league.api.seasons import circuit_by, division_by, season_by
from league.models import Tournament
from matches import canonical
from matches.actors import Actor
from matches.api.base import OpenEndpoint, changed_fields, made, making, parameters
from matches.api.people import player_by
from matches.errors import NotFound, named
from matches.opening import of_ruleset
from rules.desk.acts import Options


class TournamentsView(OpenEndpoint):
    query_shape = shapes.TournamentsQuery
    paged = True

    @extend_schema(
        operation_id="tournaments_list",
        tags=["tournaments"],
        parameters=parameters(shapes.TournamentsQuery, paged=True),
        responses=shapes.Tournaments,
    )
    def get(self, request: Request) -> Response:
        """List the tournaments one may see, newest first."""
        query: shapes.TournamentsQuery = self.query
        found = selectors.tournaments_for(self.actor)
        if league := league_named(query.league):
            found = found.filter(league=league)
        if query.season:
            found = found.filter(season=named("$.season", season_by, query.season))
        if query.ruleset:
            found = of_ruleset(found, query.ruleset, "ruleset")
        if query.status:
            found = selectors.of_status(found, query.status)
        theirs = Q()
        if query.player:
            player = player_by(query.player)
            found = selectors.entered_for(found, player)
            theirs &= policy.takes_part(player)
        if query.character:
            character = character_named(self.actor, query.character)
            found = selectors.entered_as(found, character)
            theirs &= Q(character=character)
        if theirs:
            found = selectors.with_places(self.actor, found, theirs)
        page = self.page(found, lambda one: one)
        page["results"] = responses.tournament_lines(page["results"], self.actor, request)
        return Response(page)

    @extend_schema(
        operation_id="tournaments_open",
        tags=["tournaments"],
        request=shapes.TournamentRequest,
        responses={200: shapes.TournamentResponse, 201: shapes.TournamentResponse},
    )
    def post(self, request: Request) -> Response:
        """Open a tournament: 201 with its new desk log, or 200 if this id already opened it."""
        sent = self.body(shapes.TournamentRequest)
        policy.require_make(self.actor)
        arguments = _opening(sent)
        if sent.like:
            former = named("$.like", selectors.tournament_for, self.actor, sent.like)
            for name in set(sent.__struct_fields__) - set(self.request.data):
                arguments.pop(name, None)
            tournament = services.open_like(by=self.actor, former=former, **arguments)
        else:
            tournament = services.open_tournament(by=self.actor, **arguments)
        answer = responses.tournament_response(tournament, self.actor, request)
        return Response(answer, status=made(tournament), headers={"Location": answer.url})


def _opening(sent: shapes.TournamentRequest) -> dict[str, Any]:
    """Return the arguments of the services. Raises: BadInput if something named does not exist."""
    fields = msgspec.structs.asdict(sent)
    del fields["like"]
    return {
        "act_id": fields.pop("id"),
        **fields,
        "desk": Options(**msgspec.structs.asdict(sent.desk)),
        "league": league_named(sent.league),
        "season": named("$.season", season_by, sent.season) if sent.season else None,
        "venue": venue_named(sent.venue),
        "starts_at": sent.starts_at and canonical.time_from(sent.starts_at, "$.starts_at"),
        "circuits": [
            named(f"$.circuits[{number}]", circuit_by, pk)
            for number, pk in enumerate(sent.circuits)
        ],
    }


class TournamentView(AtDesk):
    @extend_schema(
        operation_id="tournaments_read", tags=["tournaments"], responses=shapes.TournamentResponse
    )
    def get(self, request: Request, code: str) -> Response:
        """Return a tournament: its head, its settings, what the caller may do."""
        return Response(responses.tournament_response(self.tournament, self.actor, request))

    @extend_schema(
        operation_id="tournaments_change",
        tags=["tournaments"],
        request={"application/json": shapes.TournamentChange},
        responses=shapes.TournamentResponse,
    )
    def patch(self, request: Request, code: str) -> Response:
        """Change the settings around a desk, or plan its `stages` again. Its log is not changed."""
        changes, tournament = changed_fields(self.body(shapes.TournamentChange)), self.tournament
        if changes.get("starts_at"):
            changes["starts_at"] = canonical.time_from(changes["starts_at"], "$.starts_at")
        if pk := changes.get("division"):
            changes["division"] = named("$.division", division_by, pk)
        elif "division" in changes:
            changes["division"] = None
        policy.require_organise(self.actor, tournament)
        stages = changes.pop("stages", None)
        with transaction.atomic():
            if stages is not None:
                services.plan_stages(by=self.actor, tournament=tournament, stages=stages)
            if changes:
                services.edit_tournament(by=self.actor, tournament=tournament, **changes)
        return Response(responses.tournament_response(tournament, self.actor, request))


class WithdrawView(AtDesk):
    @extend_schema(
        operation_id="tournaments_withdraw",
        tags=["tournaments"],
        request=shapes.EmptyRequest,
        responses={204: None},
    )
    def post(self, request: Request, code: str) -> Response:
        """Withdraw an abandoned tournament and its matches from view. Nothing is deleted."""
        self.body(shapes.EmptyRequest)
        services.withdraw(by=self.actor, tournament=self.tournament)
        return Response(status=204)


class PrizesView(AtDesk):
    @extend_schema(operation_id="tournaments_prizes", tags=["tournaments"], responses=shapes.Prizes)
    def get(self, request: Request, code: str) -> Response:
        """List the prizes, with everybody's shares once all is over, given or not."""
        tournament = self.tournament
        found = tournament.prizes.order_by("place", "pk")
        return Response(responses.prizes_response(tournament, self.actor, found))

    @extend_schema(
        operation_id="tournaments_promise",
        tags=["tournaments"],
        request=shapes.PrizeRequest,
        responses={200: shapes.PrizeResponse, 201: shapes.PrizeResponse},
    )
    def post(self, request: Request, code: str) -> Response:
        """Promise a prize to a place."""
        sent = self.body(shapes.PrizeRequest)
        tournament = self.tournament
        prize = services.promise_prize(by=self.actor, tournament=tournament, **making(sent))
        [answer] = responses.prizes_response(tournament, self.actor, [prize]).results
        return Response(answer, status=made(prize))


class AwardsView(AtDesk):
    @extend_schema(
        operation_id="tournaments_award",
        tags=["tournaments"],
        request=shapes.AwardRequest,
        responses=shapes.Prizes,
    )
    def post(self, request: Request, code: str) -> Response:
        """Give the outstanding prizes of a closed tournament."""
        self.body(shapes.AwardRequest)
        tournament = self.tournament
        given = services.award(by=self.actor, tournament=tournament)
        return Response(responses.prizes_response(tournament, self.actor, given))


class HandOverView(AtDesk):
    @extend_schema(
        operation_id="tournaments_hand_over",
        tags=["tournaments"],
        request=shapes.EmptyRequest,
        responses=shapes.PrizeResponse,
    )
    def post(self, request: Request, code: str, prize_id: int) -> Response:
        """Record that winners without a character were handed their prize."""
        self.body(shapes.EmptyRequest)
        tournament = self.tournament
        services.hand_over(by=self.actor, tournament=tournament, prize=prize_id)
        return Response(_prize_response(tournament, self.actor, prize_id))


class PutRightView(AtDesk):
    @extend_schema(
        operation_id="tournaments_put_right",
        tags=["tournaments"],
        request=shapes.EmptyRequest,
        responses=shapes.PrizeResponse,
    )
    def post(self, request: Request, code: str, prize_id: int) -> Response:
        """Record that a prize given before a correction is now with its current winners."""
        self.body(shapes.EmptyRequest)
        tournament = self.tournament
        services.put_right(by=self.actor, tournament=tournament, prize=prize_id)
        return Response(_prize_response(tournament, self.actor, prize_id))


def _prize_response(tournament: Tournament, actor: Actor, prize: int) -> shapes.PrizeResponse:
    found = tournament.prizes.filter(pk=prize).first()
    if found is None:  # withdrawn meanwhile
        raise NotFound("There is no such prize.", "no-such-prize")
    [answer] = responses.prizes_response(tournament, actor, [found]).results
    return answer


class PrizeEndView(AtDesk):
    @extend_schema(
        operation_id="tournaments_unpromise",
        tags=["tournaments"],
        request=shapes.EmptyRequest,
        responses={204: None},
    )
    def post(self, request: Request, code: str, prize_id: int) -> Response:
        """Withdraw a prize that was not given yet."""
        self.body(shapes.EmptyRequest)
        services.unpromise_prize(by=self.actor, tournament=self.tournament, prize=prize_id)
        return Response(status=204)
