"""Webhooks of a league: registered, changed, tested and deleted by its organisers."""

import base64
import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from league import delivering, outgoing, policy, removing
from league.happenings import EVENTS, wake
from league.models import Delivery, League, Webhook
from matches import encryption, once
from matches.actors import Actor
from matches.errors import BadInput, Conflict, NotFound

LIMIT = 5  # per league
OVERLAP = timedelta(days=1)  # how long the previous secret signs too


def register(
    *, by: Actor, league: League, url: str, events: Sequence[str], act_id: UUID | None = None
) -> tuple[Webhook, str]:
    """Register a webhook for a league's events; return it with its secret, which is shown only
    once.

    Idempotent per `act_id`, returning the same secret. Raises: NotAllowed, BadInput, Conflict for
    too many.
    """
    policy.require_run(by, league)
    address, kinds = outgoing.require_address(url), _kinds(events)
    maker = policy.require_make(by)
    made = once.make(
        Webhook, maker.pk, act_id, keep=_keep, league=league, url=address, events=kinds
    )
    return made, encryption.unseal(made.secret, delivering.PURPOSE)


def _keep(webhook: Webhook) -> None:
    """Save a new webhook, with a secret. Raises: Conflict for too many."""
    league = League.objects.select_for_update().get(pk=webhook.league_id)
    if league.webhooks.count() >= LIMIT:
        raise Conflict(
            "too-many-webhooks",
            gettext("A league has at most {LIMIT} webhooks; end one first.").format(LIMIT=LIMIT),
        )
    webhook.secret = encryption.seal(_new_secret(), delivering.PURPOSE)
    webhook.save(force_insert=True)


def change(
    *,
    by: Actor,
    webhook: Webhook,
    url: str | None = None,
    events: Sequence[str] | None = None,
    is_on: bool | None = None,
) -> None:
    """Change a webhook; parameters left out stay. Raises: NotAllowed, BadInput."""
    policy.require_run(by, webhook.league)
    changes: dict[str, Any] = {"resting_until": None}
    if url is not None:
        changes["url"] = outgoing.require_address(url)
    if events is not None:
        changes["events"] = _kinds(events)
    if is_on is not None:
        changes |= {"is_on": is_on, "off_why": ""}
    for name, value in changes.items():
        setattr(webhook, name, value)
    webhook.save(update_fields=list(changes))
    transaction.on_commit(wake)


def rotate(*, by: Actor, webhook: Webhook) -> str:
    """Replace a webhook's secret and return the new one; the old one signs for a day more.

    Raises: NotAllowed.
    """
    policy.require_run(by, webhook.league)
    secret = _new_secret()
    with transaction.atomic():
        removing.lock(webhook)
        webhook.refresh_from_db(fields=["secret"])
        webhook.previous, webhook.previous_until = webhook.secret, timezone.now() + OVERLAP
        webhook.secret = encryption.seal(secret, delivering.PURPOSE)
        webhook.save(update_fields=["secret", "previous", "previous_until"])
    return secret


def end(*, by: Actor, webhook: Webhook) -> None:
    """Delete a webhook with its history. Raises: NotAllowed, NotFound."""
    policy.require_run(by, webhook.league)
    with transaction.atomic():
        removing.lock(webhook)
        webhook.delete()


def ping(*, by: Actor, webhook: Webhook) -> Delivery:
    """Send a test message without content. Raises: NotAllowed, Conflict while one waits."""
    policy.require_run(by, webhook.league)
    if not webhook.is_on:
        raise Conflict("webhook-off", gettext("Switch it on first."))
    now = timezone.now()
    with transaction.atomic():
        removing.lock(webhook)
        tests = webhook.deliveries.filter(kind=delivering.TEST)
        if tests.filter(status=Delivery.Status.WAITING).exists():
            raise Conflict("test-waits", gettext("A test is already waiting to be delivered."))
        data = {"league": webhook.league.slug}
        made = Delivery.objects.create(
            webhook=webhook, kind=delivering.TEST, data=data, at=now, due_at=now
        )
        Webhook.objects.filter(pk=webhook.pk).update(resting_until=None)
        transaction.on_commit(wake)
    return made


def send_again(*, by: Actor, delivery: Delivery) -> None:
    """Send a settled message again, under its own id. Raises: NotAllowed, Conflict."""
    policy.require_run(by, delivery.webhook.league)
    if not delivering.send_again(Delivery.objects.filter(pk=delivery.pk)):
        raise Conflict("waits-already", gettext("It is already waiting to be delivered."))


# -- finding ------------------------------------------------------------------------------


def webhooks_of(by: Actor, league: League | None = None) -> QuerySet[Webhook]:
    """Return the webhooks of a league, or of all leagues the actor runs. Raises: NotAllowed."""
    found = Webhook.objects.select_related("league").annotate(
        waiting=Count("deliveries", filter=Q(deliveries__status=Delivery.Status.WAITING)),
        dead=Count("deliveries", filter=Q(deliveries__status=Delivery.Status.DEAD)),
    )
    if league is not None:
        policy.require_run(by, league)
        return found.filter(league=league)
    return found.filter(league__in=policy.run_by(by).values("pk"))


def webhook_for(by: Actor, pk: UUID) -> Webhook:
    """Return a webhook of a league that the actor runs. Raises: NotFound."""
    found = webhooks_of(by).filter(pk=pk).first()
    if found is None:
        raise NotFound(gettext("There is no such webhook."), "no-such-webhook")
    return found


def delivery_for(by: Actor, webhook: UUID, pk: UUID) -> Delivery:
    """Return a message of a webhook. Raises: NotFound."""
    rows = webhook_for(by, webhook).deliveries.select_related("webhook__league")
    found = rows.filter(pk=pk).first()
    if found is None:
        raise NotFound(gettext("There is no such message."), "no-such-delivery")
    return found


def _kinds(events: Sequence[str]) -> list[str]:
    """Return the wanted kinds of events, in the order of `EVENTS`. Raises: BadInput."""
    if unknown := sorted(set(events) - EVENTS.keys()):
        text = gettext("There is no event {unknown!a}: {EVENTS}.").format(
            unknown=unknown[0][:40], EVENTS=", ".join(EVENTS)
        )
        raise BadInput("unknown-event", text, "$.events")
    if not events:
        raise BadInput("missing-field", gettext("Name at least one event."), "$.events")
    return [kind for kind in EVENTS if kind in events]


def _new_secret() -> str:
    return f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"
