"""API of campaigns, and of characters that move to another player or into a campaign."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from characters import campaigns, market, moving, policy, selectors
from characters.api import shapes
from characters.api.characters import character_named
from characters.fallen import fallen, losses_in
from characters.models import Campaign, Move
from matches.api.base import (
    Endpoint,
    NoQuery,
    OpenEndpoint,
    changed_fields,
    made,
    making,
    parameters,
)
from matches.errors import BadInput, NotAllowed, named
from matches.models import Player


class MovesView(Endpoint):
    query_shape = shapes.MovesQuery
    paged = True

    @extend_schema(
        operation_id="moves_list",
        tags=["moves"],
        parameters=parameters(shapes.MovesQuery, paged=True),
        responses=shapes.Moves,
    )
    def get(self, request: Request) -> Response:
        """List the moves that await the caller's answer, or those of a character or campaign."""
        query: shapes.MovesQuery = self.query
        if query.character:
            character = character_named(self.actor, query.character)
            policy.require_edit(self.actor, character)
            found = selectors.moves_of(character)
        elif query.campaign:
            campaign = named("$.campaign", selectors.campaign_for, query.campaign)
            if not policy.may_run(self.actor, campaign):
                raise NotAllowed("not-allowed", "Only the officials of a campaign see who asks.")
            found = selectors.moves_into(campaign)
        else:
            found = selectors.moves_to(self.actor)
        return Response(self.page(found, move_response))

    @extend_schema(
        operation_id="moves_offer",
        tags=["moves"],
        request=shapes.MoveRequest,
        responses={201: shapes.MoveResponse},
    )
    def post(self, request: Request) -> Response:
        """Offer a character to a player, or ask a campaign to admit it; the other side answers."""
        sent = self.body(shapes.MoveRequest)
        if (sent.to is None) == (sent.campaign is None):
            raise BadInput("one-of-both", "Say a player or a campaign.", "$.to")
        by = self.actor
        character = character_named(by, sent.character)
        if sent.campaign:
            campaign = named("$.campaign", selectors.campaign_for, sent.campaign)
            move = moving.ask_to_join(by=by, character=character, campaign=campaign)
        else:
            to = Player.objects.filter(pk=sent.to).first() if sent.to else None
            move = moving.offer_to(by=by, character=character, to=to)
        return Response(move_response(move), status=201)


class MoveView(Endpoint):
    @extend_schema(
        operation_id="moves_answer",
        tags=["moves"],
        request=shapes.TradeDecision,
        responses=shapes.MoveResponse,
    )
    def post(self, request: Request, move_id: UUID) -> Response:
        """Accept or decline a character, or withdraw one's own offer."""
        sent = self.body(shapes.TradeDecision)
        move = selectors.move_for(self.actor, move_id)
        decide = moving.accept if sent.decision == "accept" else moving.decline
        return Response(move_response(decide(by=self.actor, move=move)))


class LeaveView(Endpoint):
    @extend_schema(
        operation_id="moves_leave",
        tags=["moves"],
        request=shapes.LeaveRequest,
        responses={204: None},
    )
    def post(self, request: Request) -> Response:
        """Take a character out of its campaign."""
        sent = self.body(shapes.LeaveRequest)
        character = character_named(self.actor, sent.character)
        moving.leave(by=self.actor, character=character)
        return Response(status=204)


def move_response(move: Move) -> shapes.MoveResponse:
    return shapes.MoveResponse(
        id=move.pk,
        character=move.character_id,
        name=move.character.name,
        by=move.by_id,
        to=move.to_id,
        campaign=move.campaign_id,
        status=move.status,
    )


# -- campaigns --------------------------------------------------------------------------------


class CampaignsView(OpenEndpoint):
    paged = True

    @extend_schema(
        operation_id="campaigns_list",
        tags=["campaigns"],
        parameters=parameters(NoQuery, paged=True),
        responses=shapes.Campaigns,
    )
    def get(self, request: Request) -> Response:
        """List all campaigns, by name."""
        return Response(
            self.page(selectors.campaigns(), lambda one: campaign_response(one, request))
        )

    @extend_schema(
        operation_id="campaigns_make",
        tags=["campaigns"],
        request=shapes.CampaignRequest,
        responses={200: shapes.CampaignResponse, 201: shapes.CampaignResponse},
    )
    def post(self, request: Request) -> Response:
        """Create a campaign of one's own."""
        campaign = campaigns.create(by=self.actor, **making(self.body(shapes.CampaignRequest)))
        answer = campaign_response(campaign, request)
        return Response(answer, status=made(campaign), headers={"Location": answer.url})


class CampaignView(OpenEndpoint):
    @extend_schema(
        operation_id="campaigns_read", tags=["campaigns"], responses=shapes.CampaignResponse
    )
    def get(self, request: Request, campaign_id: UUID) -> Response:
        """Return a campaign and its settings."""
        return Response(campaign_response(selectors.campaign_for(campaign_id), request))

    @extend_schema(
        operation_id="campaigns_change",
        tags=["campaigns"],
        request={"application/json": shapes.CampaignChange},
        responses=shapes.CampaignResponse,
    )
    def patch(self, request: Request, campaign_id: UUID) -> Response:
        """Change a campaign's settings; its owner names the officials and may hand it to one."""
        changes = changed_fields(self.body(shapes.CampaignChange))
        campaign = selectors.campaign_for(campaign_id)
        if "officials" in changes:
            changes["officials"] = _players(changes["officials"], "$.officials")
        if "owner" in changes:
            [changes["owner"]] = _players([changes["owner"]], "$.owner")
        campaigns.change(by=self.actor, campaign=campaign, **changes)
        return Response(campaign_response(selectors.campaign_for(campaign_id), request))


class FallenView(OpenEndpoint):
    paged = True
    of_results = True

    @extend_schema(
        operation_id="campaigns_fallen",
        tags=["campaigns"],
        parameters=parameters(NoQuery, paged=True),
        responses=shapes.FallenPieces,
    )
    def get(self, request: Request, campaign_id: UUID) -> Response:
        """List the gear that a campaign's characters lost for good, the last first.

        Each piece with what it did in matches, as far as the caller may know it.
        """
        losses = losses_in(self.actor, selectors.campaign_for(campaign_id))
        return Response(self.page(losses, fallen))


class SalesView(OpenEndpoint):
    paged = True

    @extend_schema(
        operation_id="campaigns_sales",
        tags=["campaigns"],
        parameters=parameters(NoQuery, paged=True),
        responses=shapes.Sales,
    )
    def get(self, request: Request, campaign_id: UUID) -> Response:
        """List what gear of a campaign was paid for, as everybody may know it, the last first."""
        sales = market.sales_in(self.actor, selectors.campaign_for(campaign_id))
        return Response(self.page(sales, market.sale))


class SupplyView(OpenEndpoint):
    of_results = True

    @extend_schema(operation_id="campaigns_supply", tags=["campaigns"], responses=market.Supply)
    def get(self, request: Request, campaign_id: UUID) -> Response:
        """Add up a campaign's money, in the books of the characters whose money the caller sees."""
        return Response(market.supply_in(self.actor, selectors.campaign_for(campaign_id)))


def _players(ids: list[UUID], where: str) -> list[Player]:
    found = {player.pk: player for player in Player.objects.filter(pk__in=ids)}
    if missing := next((one for one in ids if one not in found), None):
        raise BadInput("unknown-player", f"There is no player {missing}.", where)
    return list(found.values())


def campaign_response(campaign: Campaign, request: Request) -> shapes.CampaignResponse:
    return shapes.CampaignResponse(
        id=campaign.pk,
        name=campaign.name,
        game=campaign.game,
        owner=campaign.owner_id,
        officials=[one.pk for one in campaign.officials.all()],
        after_slag=campaign.after_slag,
        repair_price=campaign.repair_price,
        url=reverse("api:campaign", args=[campaign.pk], request=request),
    )
