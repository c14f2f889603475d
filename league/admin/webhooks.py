"""Webhooks and their deliveries."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from league import delivering, webhooks
from league.models import Attempt, Delivery, Webhook
from matches.actors import actor_of
from matches.admin import Excluding, ReadOnly


class AttemptInline(ReadOnly, admin.TabularInline):
    model = Attempt
    extra = 0
    fields = ["began_at", "status", "error", "milliseconds"]


@admin.register(Webhook)
class WebhookAdmin(ReadOnly, Excluding):
    """Webhooks of the leagues the user runs; they are created and changed on the league's pages."""

    list_display = ["url", "league", "is_on", "created_at"]
    list_filter = ["is_on", "league"]
    search_fields = ["url", "league__name"]
    list_select_related = ["league"]
    exclude = ["secret", "previous"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Webhook]:
        mine = webhooks.webhooks_of(actor_of(request)).values("pk")
        return super().get_queryset(request).filter(pk__in=mine)


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly, admin.ModelAdmin):
    """Messages to webhooks with the attempts to deliver them; each can be sent again."""

    list_display = ["kind", "webhook", "status", "at", "attempts", "next_try_at"]
    list_filter = ["status", "kind"]
    search_fields = ["webhook__url", "webhook__league__name"]
    list_select_related = ["webhook"]
    inlines = [AttemptInline]
    actions = ["send_again"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Delivery]:
        mine = webhooks.webhooks_of(actor_of(request)).values("pk")
        return super().get_queryset(request).filter(webhook__in=mine)

    @admin.action(description=gettext_lazy("Send again"), permissions=["view"])
    def send_again(self, request: HttpRequest, chosen: QuerySet[Delivery]) -> None:
        count = delivering.send_again(chosen)
        messages.success(
            request, gettext("{count} are sent again, under the ids they had.").format(count=count)
        )
