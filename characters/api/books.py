"""API of the books: gear, the ledger, offers; goals and favours."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from characters import loadouts, policy, selectors, services, shown, telling
from characters.api import shapes
from characters.api.characters import character_named
from characters.api.responses import sheet_for
from characters.models import Character, Favour, LedgerEntry, Trade
from matches import once
from matches.actors import Actor
from matches.api.base import (
    Endpoint,
    OpenEndpoint,
    changed_fields,
    made,
    making,
    parameters,
)
from matches.errors import named

# -- gear and the ledger ----------------------------------------------------------------------


class GearView(OpenEndpoint):
    query_shape = shapes.ByCharacterQuery

    @extend_schema(
        operation_id="gear_list",
        tags=["gear"],
        parameters=parameters(shapes.ByCharacterQuery),
        responses=shapes.GearResponse,
    )
    def get(self, request: Request) -> Response:
        """List what a character holds, as far as the caller may see it."""
        query: shapes.ByCharacterQuery = self.query
        character = character_named(self.actor, query.character)
        return Response(shapes.GearResponse(sheet_for(self.actor, character).items))


class ItemView(OpenEndpoint):
    @extend_schema(operation_id="gear_read", tags=["gear"], responses=shapes.LifeResponse)
    def get(self, request: Request, serial: str) -> Response:
        """Return the life of an item, from first line to last."""
        life = telling.life_of(self.actor, serial)
        policy.require_results(self.actor, life.holder)
        return Response(life_response(self.actor, life))

    @extend_schema(
        operation_id="gear_change",
        tags=["gear"],
        request={"application/json": shapes.GearChange},
        responses=shapes.LifeResponse,
    )
    def patch(self, request: Request, serial: str) -> Response:
        """Set which card of the catalogue a piece is; only its owner may."""
        sent = self.body(shapes.GearChange)
        life = telling.life_of(self.actor, serial)
        card = named("$.card", selectors.card_for, self.actor, sent.card) if sent.card else None
        services.print_as(by=self.actor, item=life.item, card=card)
        return Response(life_response(self.actor, life))


def life_response(actor: Actor, life: telling.Life) -> shapes.LifeResponse:
    card = loadouts.printed(actor, life.item)
    return shapes.LifeResponse(
        serial=life.item.serial,
        name=str(life.item),
        kind=life.item.kind,
        card=card.pk if card else None,
        holder=life.holder.pk if life.holder else None,
        life=[chapter.entry for chapter in life.chapters],
    )


class LedgerView(OpenEndpoint):
    query_shape = shapes.LedgerQuery

    @extend_schema(
        operation_id="ledger_list",
        tags=["ledger"],
        parameters=parameters(shapes.LedgerQuery),
        responses=shapes.LedgerPage,
    )
    def get(self, request: Request) -> Response:
        """Return a character's books, newest first, as far as the caller may see them."""
        query: shapes.LedgerQuery = self.query
        character = character_named(self.actor, query.character)
        policy.require_results(self.actor, character)
        eyes = policy.eyes_of(self.actor, character)
        parts = shown.parts_of(character, eyes)
        lines = telling.books_of(character, eyes, query.wanted, parts)
        if query.cursor is not None:
            lines = [line for line in lines if line.id < query.cursor]
        page, rest = lines[: query.limit], lines[query.limit :]
        here = request.build_absolute_uri()
        more = replace_query_param(here, "cursor", page[-1].id) if rest else None
        return Response(shapes.LedgerPage(page, shown.balance_of(character, parts), more))

    @extend_schema(
        operation_id="ledger_record",
        tags=["ledger"],
        request=shapes.LedgerRequest,
        responses={200: shapes.LedgerResponse, 201: shapes.LedgerResponse},
    )
    def post(self, request: Request) -> Response:
        """Record what came or went: a line of gear, items by serial, or money."""
        sent = self.body(shapes.LedgerRequest)
        character = character_named(self.actor, sent.character)
        circumstances = services.Circumstances(
            sent.party, sent.place, sent.context, sent.certainty, sent.audience, sent.happened_on
        )
        what = services.Recording(
            sent.method,
            sent.line,
            sent.items,
            sent.amount,
            sent.out,
            sent.price,
            sent.kind,
            circumstances,
        )
        wrote = services.record(by=self.actor, character=character, act_id=sent.id, what=what)
        return Response(_lines(self.actor, character, sent.id), status=_status(wrote))


class CoverView(OpenEndpoint):
    @extend_schema(
        operation_id="ledger_cover",
        tags=["ledger"],
        request=shapes.CoverRequest,
        responses={200: shapes.CoverResponse, 201: shapes.CoverResponse},
    )
    def post(self, request: Request, ledger_entry_id: int) -> Response:
        """Record a cover story of how an item came, for those who do not know the true one."""
        sent = self.body(shapes.CoverRequest)
        character = character_named(self.actor, sent.character)
        policy.require_edit(self.actor, character)
        found = selectors.entry_of(character, ledger_entry_id)
        circumstances = services.Circumstances(
            sent.party, sent.place, sent.context, sent.certainty, sent.audience
        )
        [story] = services.cover(
            by=self.actor,
            entry=found,
            act_id=sent.id,
            method=sent.method,
            circumstances=circumstances,
        )
        answer = shapes.CoverResponse(story.pk, found.pk, story.method, story.audience)
        return Response(answer, status=_status([story]))


class UndoView(OpenEndpoint):
    @extend_schema(
        operation_id="ledger_undo",
        tags=["ledger"],
        request=shapes.UndoRequest,
        responses={200: shapes.LedgerResponse, 201: shapes.LedgerResponse},
    )
    def post(self, request: Request, ledger_entry_id: int) -> Response:
        """Undo an act of the books by counter-entries."""
        sent = self.body(shapes.UndoRequest)
        character = character_named(self.actor, sent.character)
        policy.require_record(self.actor, character)
        found = selectors.entry_of(character, ledger_entry_id)
        wrote = services.correct(by=self.actor, entry=found, act_id=sent.id, reason=sent.reason)
        return Response(_lines(self.actor, character, sent.id), status=_status(wrote))


def _status(wrote: Sequence[LedgerEntry]) -> int:
    """Return 201, or 200 for an act that was already in the books."""
    return made(any(map(once.made_now, wrote)))


def _lines(actor: Actor, character: Character, act_id: UUID) -> shapes.LedgerResponse:
    """Return the lines of one act that the caller may see, in their order."""
    eyes = policy.eyes_of(actor, character)
    parts = shown.parts_of(character, eyes)
    lines = telling.books_of(character, eyes, parts=parts)
    act = [line for line in reversed(lines) if line.act_id == act_id]
    return shapes.LedgerResponse(act, shown.balance_of(character, parts))


# -- offers -----------------------------------------------------------------------------------


class TradesView(Endpoint):
    query_shape = shapes.ByCharacterQuery
    paged = True

    @extend_schema(
        operation_id="trades_list",
        tags=["trades"],
        parameters=parameters(shapes.ByCharacterQuery, paged=True),
        responses=shapes.Trades,
    )
    def get(self, request: Request) -> Response:
        """List the offers that await an answer of the caller's character, and those it has made."""
        query: shapes.ByCharacterQuery = self.query
        character = character_named(self.actor, query.character)
        policy.require_edit(self.actor, character)
        return Response(self.page(selectors.trades_of(character), trade_response))

    @extend_schema(
        operation_id="trades_offer",
        tags=["trades"],
        request=shapes.TradeRequest,
        responses={200: shapes.TradeResponse, 201: shapes.TradeResponse},
    )
    def post(self, request: Request) -> Response:
        """Offer a trade, a gift or a loan; nothing moves until it is accepted."""
        sent = self.body(shapes.TradeRequest)
        trade = services.offer(
            by=self.actor,
            character=character_named(self.actor, sent.character),
            to=character_named(self.actor, sent.to, "$.to"),
            what=services.TradeOffer(sent.gives, sent.wants, sent.pays, sent.asks, sent.method),
            act_id=sent.id,
        )
        return Response(trade_response(trade), status=made(trade))


class TradeView(Endpoint):
    @extend_schema(
        operation_id="trades_answer",
        tags=["trades"],
        request=shapes.TradeDecision,
        responses=shapes.TradeResponse,
    )
    def post(self, request: Request, trade_id: UUID) -> Response:
        """Accept or decline an offer, or withdraw one's own."""
        sent = self.body(shapes.TradeDecision)
        trade = selectors.trade_for(self.actor, trade_id)
        decide = services.accept if sent.decision == "accept" else services.decline
        decide(by=self.actor, trade=trade)
        trade.refresh_from_db()
        return Response(trade_response(trade))


def trade_response(trade: Trade) -> shapes.TradeResponse:
    return shapes.TradeResponse(
        id=trade.pk,
        character=trade.by_id,
        to=trade.to_id,
        gives=[item.serial for item in trade.gives.all()],
        wants=[item.serial for item in trade.wants.all()],
        pays=trade.pays,
        asks=trade.asks,
        method=trade.method,
        status=trade.status,
    )


# -- goals and favours ------------------------------------------------------------------------


class GoalsView(OpenEndpoint):
    query_shape = shapes.ByCharacterQuery

    @extend_schema(
        operation_id="goals_list",
        tags=["goals"],
        parameters=parameters(shapes.ByCharacterQuery),
        responses=shapes.Goals,
    )
    def get(self, request: Request) -> Response:
        """List a character's goals, as far as the caller may see them."""
        query: shapes.ByCharacterQuery = self.query
        character = character_named(self.actor, query.character)
        return Response(shapes.Goals(sheet_for(self.actor, character).goals))

    @extend_schema(
        operation_id="goals_add",
        tags=["goals"],
        request=shapes.GoalRequest,
        responses={200: shapes.GoalsAfter, 201: shapes.GoalsAfter},
    )
    def post(self, request: Request) -> Response:
        """Add a goal; the response has all of them."""
        sent = self.body(shapes.GoalRequest)
        character = character_named(self.actor, sent.character)
        goal = services.add_goal(by=self.actor, **making(sent) | {"character": character})
        goals = sheet_for(self.actor, character).goals
        return Response(shapes.GoalsAfter(goal.pk, goals), status=made(goal))


class GoalView(Endpoint):
    @extend_schema(
        operation_id="goals_change",
        tags=["goals"],
        request={"application/json": shapes.GoalChange},
        responses=shapes.GoalsAfter,
    )
    def patch(self, request: Request, goal_id: UUID) -> Response:
        """Change a goal's text, make it the current one, mark it as reached, or remove it."""
        changes = changed_fields(self.body(shapes.GoalChange))
        goal = selectors.goal_for(self.actor, goal_id)
        if changes.pop("removed", False):
            services.remove_goal(by=self.actor, goal=goal)
        else:
            services.edit_goal(by=self.actor, goal=goal, **changes)
        goals = sheet_for(self.actor, goal.character).goals
        return Response(shapes.GoalsAfter(goal_id, goals))


class FavoursView(OpenEndpoint):
    query_shape = shapes.ByCharacterQuery

    @extend_schema(
        operation_id="favours_list",
        tags=["favours"],
        parameters=parameters(shapes.ByCharacterQuery),
        responses=shapes.Favours,
    )
    def get(self, request: Request) -> Response:
        """List the favours and grudges in a character's diary, and those others share with it."""
        query: shapes.ByCharacterQuery = self.query
        character = character_named(self.actor, query.character)
        found = shown.favours_of(character, policy.eyes_of(self.actor, character))
        found = found.select_related("holder")
        return Response(shapes.Favours([favour_response(favour, self.actor) for favour in found]))

    @extend_schema(
        operation_id="favours_add",
        tags=["favours"],
        request=shapes.FavourRequest,
        responses={200: shapes.FavourResponse, 201: shapes.FavourResponse},
    )
    def post(self, request: Request) -> Response:
        """Record a favour owed or a grudge borne."""
        sent, found = self.body(shapes.FavourRequest), dict[str, Any]()
        for side in ("character", "about"):
            if pk := getattr(sent, side):
                found[side] = character_named(self.actor, pk, f"$.{side}")
        favour = services.add_favour(by=self.actor, **making(sent) | found)
        return Response(favour_response(favour, self.actor), status=made(favour))


class FavourView(Endpoint):
    @extend_schema(
        operation_id="favours_change",
        tags=["favours"],
        request={"application/json": shapes.FavourChange},
        responses=shapes.FavourResponse,
    )
    def patch(self, request: Request, favour_id: UUID) -> Response:
        """Change a favour's text or audience, or whether it is settled."""
        changes = changed_fields(self.body(shapes.FavourChange))
        favour = selectors.favour_for(self.actor, favour_id)
        favour = services.edit_favour(by=self.actor, favour=favour, **changes)
        return Response(favour_response(favour, self.actor))


def favour_response(favour: Favour, actor: Actor) -> shapes.FavourResponse:
    return shapes.FavourResponse(
        id=favour.pk,
        kind=favour.kind,
        character=favour.holder_id,
        about=favour.about_id,
        who=favour.who,
        text=favour.text,
        told=favour.told,
        match=favour.match,
        since=favour.since,
        settled_at=favour.settled_at,
        audience=favour.audience if policy.is_owner(actor, favour.holder) else "",
    )
