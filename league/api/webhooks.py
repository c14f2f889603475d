"""Webhooks, registered by those who run a league; their messages, and sending them again."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from league import selectors, webhooks
from league.api import shapes
from league.api.base import league_named
from league.models import Delivery, Webhook
from matches.api.base import Endpoint, changed_fields, made, making, parameters
from matches.errors import named

LINKS = ("secret", "test", "end", "deliveries")


def webhook_fields(hook: Webhook, request: Request) -> dict[str, Any]:
    return {
        "id": hook.pk,
        "league": hook.league.slug,
        "url": hook.url,
        "events": hook.events,
        "is_on": hook.is_on,
        "off_why": hook.off_why,
        "created_at": hook.created_at,
        "waiting": getattr(hook, "waiting", 0),
        "dead": getattr(hook, "dead", 0),
        "links": {
            name: reverse(f"api:webhook-{name}", args=[hook.pk], request=request) for name in LINKS
        },
    }


def webhook_response(hook: Webhook, request: Request) -> shapes.WebhookResponse:
    return shapes.WebhookResponse(**webhook_fields(hook, request))


def delivery_response(one: Delivery, request: Request) -> shapes.DeliveryResponse:
    return shapes.DeliveryResponse(
        id=one.pk,
        webhook_id=f"msg_{one.pk.hex}",
        type=one.kind,
        status=one.status,
        at=one.at,
        attempts=one.attempts,
        due_at=one.next_try_at if one.status == Delivery.Status.WAITING else None,
        ended_at=one.ended_at,
        data=one.data,
        tries=[
            shapes.AttemptResponse(each.began_at, each.milliseconds, each.status, each.error)
            for each in one.tries.all()
        ],
        url=reverse("api:webhook-delivery", args=[one.webhook_id, one.pk], request=request),
    )


class WebhooksView(Endpoint):
    query_shape = shapes.WebhooksQuery
    paged = True

    @extend_schema(
        operation_id="webhooks_list",
        tags=["webhooks"],
        parameters=parameters(shapes.WebhooksQuery, paged=True),
        responses=shapes.Webhooks,
    )
    def get(self, request: Request) -> Response:
        """List the webhooks of the leagues one runs."""
        query: shapes.WebhooksQuery = self.query
        league = league_named(query.league)
        found = webhooks.webhooks_of(self.actor, league).order_by("-created_at", "-id")
        return Response(self.page(found, lambda one: webhook_response(one, request)))

    @extend_schema(
        operation_id="webhooks_register",
        tags=["webhooks"],
        request=shapes.WebhookRequest,
        responses={200: shapes.WebhookMade, 201: shapes.WebhookMade},
    )
    def post(self, request: Request) -> Response:
        """Register a webhook for a league's events; the answer shows its secret this once."""
        sent = self.body(shapes.WebhookRequest)
        league = named("$.league", selectors.league_for, sent.league)
        fields = making(sent) | {"league": league}
        hook, secret = webhooks.register(by=self.actor, **fields)
        answer = shapes.WebhookMade(**webhook_fields(hook, request), secret=secret)
        return Response(answer, status=made(hook))


class OfWebhook(Endpoint):
    @property
    def webhook(self) -> Webhook:
        return webhooks.webhook_for(self.actor, self.kwargs["webhook_id"])


class WebhookView(OfWebhook):
    @extend_schema(
        operation_id="webhooks_read", tags=["webhooks"], responses=shapes.WebhookResponse
    )
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """Return a webhook."""
        return Response(webhook_response(self.webhook, request))

    @extend_schema(
        operation_id="webhooks_change",
        tags=["webhooks"],
        request={"application/json": shapes.WebhookChange},
        responses=shapes.WebhookResponse,
    )
    def patch(self, request: Request, webhook_id: UUID) -> Response:
        """Change a webhook's address or kinds of events; switch it on or off."""
        changes, hook = changed_fields(self.body(shapes.WebhookChange)), self.webhook
        webhooks.change(by=self.actor, webhook=hook, **changes)
        return Response(webhook_response(hook, request))


class RotateView(OfWebhook):
    @extend_schema(
        operation_id="webhooks_rotate",
        tags=["webhooks"],
        request=shapes.EmptyRequest,
        responses=shapes.WebhookMade,
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Replace the secret; the answer shows it this once.

        For a day messages are signed with both.
        """
        self.body(shapes.EmptyRequest)
        hook = self.webhook
        secret = webhooks.rotate(by=self.actor, webhook=hook)
        return Response(shapes.WebhookMade(**webhook_fields(hook, request), secret=secret))


class PingView(OfWebhook):
    @extend_schema(
        operation_id="webhooks_test",
        tags=["webhooks"],
        request=shapes.EmptyRequest,
        responses={201: shapes.DeliveryResponse},
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Send a message of type `webhook.test`."""
        self.body(shapes.EmptyRequest)
        made = webhooks.ping(by=self.actor, webhook=self.webhook)
        return Response(delivery_response(made, request), status=201)


class EndView(OfWebhook):
    @extend_schema(
        operation_id="webhooks_end",
        tags=["webhooks"],
        request=shapes.EmptyRequest,
        responses={204: None},
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Delete a webhook with its history."""
        self.body(shapes.EmptyRequest)
        webhooks.end(by=self.actor, webhook=self.webhook)
        return Response(status=204)


class DeliveriesView(OfWebhook):
    query_shape = shapes.DeliveriesQuery
    paged = True

    @extend_schema(
        operation_id="webhooks_deliveries",
        tags=["webhooks"],
        parameters=parameters(shapes.DeliveriesQuery, paged=True),
        responses=shapes.Deliveries,
    )
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """List the messages to a webhook and all attempts, newest first.

        With `status=dead` those given up.
        """
        query: shapes.DeliveriesQuery = self.query
        found: QuerySet[Delivery] = self.webhook.deliveries.order_by("-id")
        if query.status:
            found = found.filter(status=query.status)
        rows = found.prefetch_related("tries")
        return Response(self.page(rows, lambda one: delivery_response(one, request)))


class DeliveryView(OfWebhook):
    @extend_schema(
        operation_id="webhooks_delivery", tags=["webhooks"], responses=shapes.DeliveryResponse
    )
    def get(self, request: Request, webhook_id: UUID, delivery_id: UUID) -> Response:
        """Return a message with every attempt."""
        found = webhooks.delivery_for(self.actor, webhook_id, delivery_id)
        return Response(delivery_response(found, request))


class SendView(OfWebhook):
    @extend_schema(
        operation_id="webhooks_send_again",
        tags=["webhooks"],
        request=shapes.EmptyRequest,
        responses=shapes.DeliveryResponse,
    )
    def post(self, request: Request, webhook_id: UUID, delivery_id: UUID) -> Response:
        """Send a delivered or given-up message again, under its own id."""
        self.body(shapes.EmptyRequest)
        found = webhooks.delivery_for(self.actor, webhook_id, delivery_id)
        webhooks.send_again(by=self.actor, delivery=found)
        found.refresh_from_db()
        return Response(delivery_response(found, request))
