"""API of the catalogue."""

from uuid import UUID

import msgspec
from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from characters import cards, importing, search, selectors
from characters.api import shapes
from characters.models import Card, CardSet
from matches import canonical
from matches.actors import Actor
from matches.api.base import (
    Endpoint,
    NoQuery,
    OpenEndpoint,
    TextRenderer,
    changed_fields,
    made,
    parameters,
)
from matches.opening import game_named


class CardsView(OpenEndpoint):
    query_shape = shapes.CardsQuery
    paged = True

    @extend_schema(
        operation_id="cards_list",
        tags=["cards"],
        parameters=parameters(shapes.CardsQuery, paged=True),
        responses=shapes.Cards,
    )
    def get(self, request: Request) -> Response:
        """List visible cards, by name; `q` narrows them: `type:gear dots>=5 owner:me`."""
        found = cards_matching(self.actor, self.query)
        return Response(self.page(found, lambda card: card_response(card, request)))

    @extend_schema(
        operation_id="cards_add",
        tags=["cards"],
        request=shapes.CardRequest,
        responses={200: shapes.CardResponse, 201: shapes.CardResponse},
    )
    def post(self, request: Request) -> Response:
        """Add a card of one's own, in its game's format."""
        sent = self.body(shapes.CardRequest)
        card = cards.add(
            by=self.actor,
            game=sent.game,
            data=sent.card,
            card_set=sent.set,
            shared=sent.shared,
            act_id=sent.id,
        )
        answer = card_response(card, request)
        return Response(answer, status=made(card), headers={"Location": answer.url})


def cards_matching(actor: Actor, query: shapes.CardsQuery) -> QuerySet[Card]:
    """Return the cards that match a query.

    Raises: BadInput for a search that cannot be parsed, or a game that is none.
    """
    if query.game:
        game_named(query.game, "$.game")
    exact = {name: getattr(query, name) for name in ("game", "slot", "colour", "quality")}
    found = selectors.cards_for(actor, search.require(query.q, actor), **exact)
    return selectors.sorted_cards(found, query.sort)


class TableRenderer(TextRenderer):
    media_type = "text/csv"
    format = "csv"


class CardsExportView(OpenEndpoint):
    query_shape = shapes.CardsQuery
    throttle_scope = "heavy"
    renderer_classes = [*OpenEndpoint.renderer_classes, TableRenderer]

    @extend_schema(
        operation_id="cards_export",
        tags=["cards"],
        parameters=parameters(shapes.CardsQuery),
        responses={200: shapes.CardsFile, (200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request) -> Response:
        """Export the cards of a game that match a search, in a form that can be imported."""
        query: shapes.CardsQuery = self.query
        game = cards.game_of(query.game or cards.games()[0]).key
        found = cards_matching(self.actor, msgspec.structs.replace(query, game=game))
        if request.accepted_renderer.format == "csv":
            return Response(cards.table(game, found))
        return Response(cards.listed(found))


class CardView(OpenEndpoint):
    @extend_schema(operation_id="cards_read", tags=["cards"], responses=shapes.CardResponse)
    def get(self, request: Request, card_id: UUID) -> Response:
        """Return a card."""
        return Response(card_response(selectors.card_for(self.actor, card_id), request))

    @extend_schema(
        operation_id="cards_change",
        tags=["cards"],
        request={"application/json": shapes.CardChange},
        responses={200: shapes.CardResponse, 204: None},
    )
    def patch(self, request: Request, card_id: UUID) -> Response:
        """Change a card's data, set, or whether it is shared, or take it out of the catalogue."""
        changes = changed_fields(self.body(shapes.CardChange))
        card = selectors.card_for(self.actor, card_id)
        if changes.get("removed"):
            cards.remove(by=self.actor, card=card)
            return Response(status=204)
        changed = cards.change(
            by=self.actor,
            card=card,
            data=changes.get("card"),
            shared=changes.get("shared"),
            card_set=changes.get("set"),
        )
        return Response(card_response(changed, request))


class SetsView(OpenEndpoint):
    paged = True

    @extend_schema(
        operation_id="card_sets_list",
        tags=["cards"],
        parameters=parameters(NoQuery, paged=True),
        responses=shapes.Sets,
    )
    def get(self, request: Request) -> Response:
        """List visible sets of cards, by name."""
        found = selectors.sets_for(self.actor)
        return Response(self.page(found, lambda card_set: set_response(card_set, request)))


class SetView(OpenEndpoint):
    @extend_schema(operation_id="card_sets_read", tags=["cards"], responses=shapes.SetResponse)
    def get(self, request: Request, set_id: UUID) -> Response:
        """Return a set of cards."""
        return Response(set_response(selectors.set_for(self.actor, set_id), request))

    @extend_schema(
        operation_id="card_sets_change",
        tags=["cards"],
        request={"application/json": shapes.SetChange},
        responses={200: shapes.SetResponse, 204: None},
    )
    def patch(self, request: Request, set_id: UUID) -> Response:
        """Change a set's name, description, or whether its cards are shared, or remove it."""
        changes = changed_fields(self.body(shapes.SetChange))
        card_set = selectors.set_for(self.actor, set_id)
        if changes.pop("removed", False):
            cards.remove_set(by=self.actor, card_set=card_set)
            return Response(status=204)
        changed = cards.change_set(by=self.actor, card_set=card_set, **changes)
        return Response(set_response(changed, request))


class CardsImportView(Endpoint):
    throttle_scope = "heavy"
    most_bytes = canonical.bytes_for(importing.MAX_TEXT)

    @extend_schema(
        operation_id="cards_import",
        tags=["cards"],
        request=shapes.CardsImport,
        responses={200: shapes.CardsImported, 201: shapes.CardsImported},
    )
    def post(self, request: Request) -> Response:
        """Import a file of cards, of which a dry run says what it would do, or any flaw none."""
        sent = self.body(shapes.CardsImport)
        taken = importing.take_in(
            by=self.actor,
            game=sent.game,
            text=sent.text,
            card_set=sent.set,
            shared=sent.shared,
            update=sent.update,
            tried=sent.tried,
            dry_run=sent.dry_run,
        )
        return Response(taken, status=made(taken.kept and taken.changes_something))


def card_response(card: Card, request: Request) -> shapes.CardResponse:
    return shapes.CardResponse(
        id=card.pk,
        game=card.game,
        set=card.card_set.name,
        owner=card.owner_id,
        shared=card.shared,
        revision=card.revision,
        invented=card.invented,
        card=card.data,
        url=reverse("api:card", args=[card.pk], request=request),
    )


def set_response(card_set: CardSet, request: Request) -> shapes.SetResponse:
    return shapes.SetResponse(
        id=card_set.pk,
        game=card_set.game,
        name=card_set.name,
        about=card_set.about,
        owner=card_set.owner_id,
        cards=card_set.size,  # type: ignore[attr-defined]  # annotated by its selector
        url=reverse("api:card-set", args=[card_set.pk], request=request),
    )
