"""Messages to webhooks: signed, sent by a worker, tried again, given up and sent again by hand.

`Delivery` is the outbox. A row is claimed before it is sent and settled after the answer; a
worker killed in between leaves a row that is claimed again later and sent under the same
`webhook-id`. So each message comes at least once, and who receives one twice can tell. The
headers and the signature are those of the Standard Webhooks specification.
"""

import base64
import hashlib
import hmac
import time
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from league import happenings, outgoing
from league.models import Attempt, Delivery, Entry, Webhook
from matches import jobs, sealed

# How long before each attempt, from the one before it. After the last it is given up.
SCHEDULE = (
    timedelta(0),
    timedelta(seconds=30),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=24),
)
CLAIMED = timedelta(minutes=2)  # more than a delivery takes: its worker is gone
REST = timedelta(minutes=1)  # of an address that failed, for all that waits for it
KEPT = timedelta(days=30)
AT_ONCE = 500
BUDGET = 60.0  # seconds of a worker's run
PURPOSE = "webhooks"
TEST = "webhook.test"

Waiting = Delivery.Status.WAITING


def wake(webhook: UUID | None = None) -> None:
    """Wake a worker for what is to be delivered, to one webhook or to all."""
    from league.tasks import deliver

    jobs.send(deliver, str(webhook) if webhook else None)


def due() -> QuerySet[Delivery]:
    """Return what is to be sent now, and nobody is about to send."""
    now = timezone.now()
    free = Q(claimed_at=None) | Q(claimed_at__lt=now - CLAIMED)
    awake = Q(webhook__resting_until=None) | Q(webhook__resting_until__lte=now)
    return Delivery.objects.filter(
        free, awake, status=Waiting, due_at__lte=now, webhook__is_on=True
    )


def deliver_due(webhook: UUID | None = None) -> int:
    """Send what is due, to one webhook or to all, oldest first; return how much was delivered."""
    found = due() if webhook is None else due().filter(webhook=webhook)
    began, sent = time.monotonic(), 0
    for pk in list(found.order_by("due_at", "pk").values_list("pk", flat=True)[:AT_ONCE]):
        if time.monotonic() - began > BUDGET:
            break
        sent += deliver(pk)
    return sent


def deliver(pk: UUID) -> bool:
    """Claim a message, send it and settle it; tell whether it was delivered."""
    now = timezone.now()
    mine = Delivery.objects.filter(pk__in=due().filter(pk=pk).values("pk"))
    if not mine.update(claimed_at=now, attempts=F("attempts") + 1):
        return False
    delivery = Delivery.objects.select_related("webhook", "happening__log").get(pk=pk)
    log = delivery.happening.log if delivery.happening else None
    so = happenings.still_so(delivery, happenings.known_of(log) if log else None)
    if not so:
        status = Delivery.Status.HELD if so is None else Delivery.Status.REPLACED
        _settle(delivery, status, attempts=F("attempts") - 1)
        return False
    if delivery.attempts > len(SCHEDULE):  # its workers were killed, again and again
        _settle(delivery, Delivery.Status.DEAD)
        return False
    attempt = Attempt.objects.create(delivery=delivery, began_at=now)
    return _sent(delivery, attempt)


def _sent(delivery: Delivery, attempt: Attempt) -> bool:
    body = body_of(delivery)
    headers = {"Content-Type": "application/json", "User-Agent": "ZGXL-webhooks/1"}
    began, wait = time.monotonic(), 0
    try:
        headers |= signature(delivery, timezone.now(), body)
        answer = outgoing.post(delivery.webhook.url, body, headers)
    except outgoing.Failed as failed:
        attempt.error = str(failed)[:200]
    except sealed.Unreadable:
        attempt.error = "Its secret can not be read any more; make another one."
    else:
        attempt.status, wait = answer.status, answer.wait
    attempt.milliseconds = int((time.monotonic() - began) * 1000)
    with transaction.atomic():
        attempt.save(update_fields=["status", "error", "milliseconds"])
        return _judge(delivery, attempt, timedelta(seconds=wait))


def _judge(delivery: Delivery, attempt: Attempt, wait: timedelta) -> bool:
    """Settle a message by what came of its attempt; tell whether it was delivered."""
    hook = Webhook.objects.filter(pk=delivery.webhook_id)
    if attempt.status is not None and 200 <= attempt.status < 300:
        hook.exclude(resting_until=None).update(resting_until=None)
        _settle(delivery, Delivery.Status.DELIVERED)
        return True
    now = timezone.now()
    if attempt.status == 410:
        hook.update(is_on=False, off_why="It answered 410: nobody is there any more.")
    else:
        hook.update(resting_until=now + max(REST, wait))
    if delivery.attempts < len(SCHEDULE):
        again = now + max(SCHEDULE[delivery.attempts], wait)
        Delivery.objects.filter(pk=delivery.pk).update(claimed_at=None, due_at=again)
    else:
        _settle(delivery, Delivery.Status.DEAD)
    return False


def _settle(delivery: Delivery, status: str, **more: Any) -> None:
    ended = None if status == Delivery.Status.HELD else timezone.now()
    row = Delivery.objects.filter(pk=delivery.pk)
    row.update(status=status, claimed_at=None, ended_at=ended, **more)


def send_again(deliveries: QuerySet[Delivery]) -> int:
    """Have messages sent again that are over, under their own ids; return how many."""
    over = deliveries.exclude(status__in=(Waiting, Delivery.Status.HELD))
    found = over.update(status=Waiting, attempts=0, due_at=timezone.now(), ended_at=None)
    if found:
        transaction.on_commit(wake)
    return found


def sweep() -> None:
    """Forget what is over for long."""
    Delivery.objects.filter(ended_at__lt=timezone.now() - KEPT).delete()


# -- what is sent ---------------------------------------------------------------------------


def body_of(delivery: Delivery) -> bytes:
    """Return what is sent. Names are put in only now, so that none that was erased goes out."""
    data = dict(delivery.data)
    if entries := sorted(_entries(data)):
        rows = Entry.objects.filter(pk__in=entries).select_related("player", "character", "krewe")
        data["names"] = {str(row.pk): row.name for row in rows}
    return msgspec.json.encode({"type": delivery.kind, "timestamp": delivery.at, "data": data})


def _entries(told: Any) -> set[str]:
    """Return the ids of the entries that a message names."""
    match told:
        case dict():
            own = {told["entry"]} if "entry" in told else set()
            ids = {*told.get("entries", ()), *told.get("byes", ())}
            return own.union(ids, *map(_entries, told.values()))
        case list():
            return set().union(*map(_entries, told))
    return set()


def signature(delivery: Delivery, at: datetime, body: bytes) -> dict[str, str]:
    """Return the headers by which a receiver knows who sent a message, and when."""
    name, when = f"msg_{delivery.pk.hex}", str(int(at.timestamp()))
    signed = b".".join([name.encode(), when.encode(), body])
    return {
        "webhook-id": name,
        "webhook-timestamp": when,
        "webhook-signature": " ".join(
            f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"
            for key in keys_of(delivery.webhook, at)
        ),
    }


def keys_of(webhook: Webhook, at: datetime) -> list[bytes]:
    """Return the keys that sign now: that of the secret, and the one before for a day."""
    found = [webhook.secret]
    if webhook.previous and webhook.previous_until and webhook.previous_until > at:
        found.append(webhook.previous)
    return [base64.b64decode(sealed.unseal(each, PURPOSE).removeprefix("whsec_")) for each in found]
