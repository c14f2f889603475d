"""Webhooks of a league: their addresses, messages and attempts, and sending again."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league import delivering, selectors, webhooks
from league.forms.webhooks import NewWebhookForm, WebhookForm
from league.happenings import EVENTS
from league.models import Delivery, Webhook
from matches.actors import actor_of
from matches.errors import BadInput
from matches.forms import form_status, posted, refusals_in, taken

SHOWN = 25


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhook_list(request: HttpRequest, slug: str) -> HttpResponse:
    """List the webhooks of a league; register one and show its secret, this once."""
    actor, league = actor_of(request), selectors.league_for(slug)
    hooks = webhooks.webhooks_of(actor, league)
    form = NewWebhookForm(posted(request))
    if form.is_valid():
        with refusals_in(form):
            made, secret = webhooks.register(by=actor, league=league, **form.cleaned_data)
            return _shown(request, made, secret=secret)
    context: dict[str, Any] = {"league": league, "hooks": hooks, "form": form}
    status = form_status(request)
    return render(request, "league/webhook_list.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhook_detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a webhook's messages and attempts; change its settings."""
    actor = actor_of(request)
    hook = webhooks.webhook_for(actor, pk)
    if request.method == "POST" and "is_on" in request.POST:
        if request.POST["is_on"] not in ("0", "1"):
            raise BadInput(
                "unknown-value", gettext("A webhook is switched on (1) or off (0)."), "is_on"
            )
        webhooks.change(by=actor, webhook=hook, is_on=request.POST["is_on"] == "1")
        messages.success(
            request,
            gettext("The webhook is on again.")
            if hook.is_on
            else gettext("The webhook is off now."),
        )
        return redirect(hook)
    form = WebhookForm(posted(request), initial={"url": hook.url, "events": hook.events})
    if taken(form, webhooks.change, by=actor, webhook=hook):
        messages.success(request, gettext("It is kept."))
        return redirect(hook)
    return _shown(request, hook, form=form)


@never_cache
@require_POST
def webhook_rotate(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Replace the secret of a webhook and show the new one, this once."""
    actor = actor_of(request)
    hook = webhooks.webhook_for(actor, pk)
    return _shown(request, hook, secret=webhooks.rotate(by=actor, webhook=hook))


@require_POST
def webhook_test(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Send a test message without content."""
    actor = actor_of(request)
    hook = webhooks.webhook_for(actor, pk)
    webhooks.ping(by=actor, webhook=hook)
    messages.success(
        request, gettext("A test is on its way. Load this page again to see what came of it.")
    )
    return redirect(hook)


@require_POST
def webhook_end(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Delete a webhook."""
    actor = actor_of(request)
    hook = webhooks.webhook_for(actor, pk)
    webhooks.end(by=actor, webhook=hook)
    messages.success(request, gettext("The webhook is ended."))
    return redirect("league:webhook-list", hook.league.slug)


@require_POST
def delivery_send(request: HttpRequest, pk: UUID, delivery: UUID) -> HttpResponse:
    """Send a message again, under its own id."""
    actor = actor_of(request)
    found = webhooks.delivery_for(actor, pk, delivery)
    webhooks.send_again(by=actor, delivery=found)
    messages.success(request, gettext("It is sent again."))
    return redirect(found.webhook)


def _shown(
    request: HttpRequest, hook: Webhook, secret: str = "", form: WebhookForm | None = None
) -> HttpResponse:
    wanted = request.GET.get("status", "")
    rows = hook.deliveries.prefetch_related("tries")
    if wanted in Delivery.Status.values:
        rows = rows.filter(status=wanted)
    context: dict[str, Any] = {
        "hook": hook,
        "league": hook.league,
        "secret": secret,
        "form": form or WebhookForm(initial={"url": hook.url, "events": hook.events}),
        "page": Paginator(rows, SHOWN).get_page(request.GET.get("page")),
        "asked": wanted,
        "statuses": Delivery.Status.choices,
        "wants": [EVENTS[kind] for kind in hook.events],
        "most_attempts": len(delivering.SCHEDULE),
    }
    status = 200 if secret else form_status(request)
    return render(request, "league/webhook_detail.html", context, status=status)
