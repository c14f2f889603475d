"""Deliver messages to webhooks: sign, send, retry on a schedule, give up, send again by hand.

`Delivery` is the outbox. A row is claimed before it is sent and settled after the answer. If a
worker is killed in between, the row is claimed again later and sent under the same `webhook-id`, so
delivery is at least once and a receiver can detect duplicates. Headers and signature follow the
Standard Webhooks specification.
"""

import base64
import hashlib
import hmac
import logging
import time
from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from league import desks, happenings, outgoing
from league.models import Attempt, Delivery, Entry, Webhook
from matches import encryption
from matches.models import Log

# Delay before each attempt, counted from the one before. After the last the message is given up.
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
# lease of a claimed row; a worker that takes longer is dead
CLAIMED = timedelta(minutes=2)
REST = timedelta(minutes=1)  # pause for an address that failed or was slow, for all its messages
SLOW = 3.0  # seconds to an answer
LANES = 2  # webhooks sent to concurrently by all workers; other jobs need workers too
BUDGET = 15.0  # seconds of a worker's run
SHARE = 5.0  # seconds of them for one webhook
HELD_FOR = timedelta(minutes=10)  # before a held message is checked again
KEPT = timedelta(days=30)
PURPOSE = "webhooks"
TEST = "webhook.test"

Waiting = Delivery.Status.WAITING
logger = logging.getLogger(__name__)


def ready() -> QuerySet[Delivery]:
    """Return the messages that may be sent now or are being sent."""
    now = timezone.now()
    awake = Q(webhook__resting_until=None) | Q(webhook__resting_until__lte=now)
    return Delivery.objects.filter(awake, status=Waiting, due_at__lte=now, webhook__is_on=True)


def claimed() -> QuerySet[Delivery]:
    """Return the messages a worker is sending."""
    return Delivery.objects.filter(status=Waiting, claimed_at__gte=timezone.now() - CLAIMED)


def deliver_due() -> int:
    """Send due messages for `BUDGET` seconds; return how many were delivered.

    At most `SHARE` of these seconds go to one webhook.
    """
    began, sent = time.monotonic(), 0
    spent: defaultdict[UUID, float] = defaultdict(float)  # seconds, by webhook
    kept: happenings.Kept = {}
    while time.monotonic() - began < BUDGET:
        delivery = _claim([hook for hook, seconds in spent.items() if seconds >= SHARE])
        if delivery is None:
            break
        claimed_at = time.monotonic()
        try:
            sent += _deliver(delivery, kept)
        except Exception as error:  # of any kind: it must not stop the others
            logger.error("message %s cannot be sent: %r", delivery.pk, error)
            _put_off(delivery)
        spent[delivery.webhook_id] += time.monotonic() - claimed_at
    return sent


def _claim(but: Collection[UUID]) -> Delivery | None:
    """Claim the next message, to a webhook other than `but`; None if there is none to send now.

    Webhooks that answer come before those that had to rest. Claims are serialized by locking the
    oldest webhook, so that two workers never send to the same webhook, nor all of them to more than
    `LANES`.
    """
    with transaction.atomic():
        Webhook.objects.select_for_update(no_key=True).order_by("pk").first()
        under_way = set(claimed().values_list("webhook", flat=True))
        if len(under_way) >= LANES:
            return None
        found = (
            ready()
            .exclude(webhook__in=under_way.union(but))
            .order_by(F("webhook__resting_until").asc(nulls_first=True), "due_at", "pk")
            .select_related("webhook", "happening__log")
            .first()
        )
        if found is not None:
            found.claimed_at, found.attempts = timezone.now(), found.attempts + 1
            found.save(update_fields=["claimed_at", "attempts"])
    return found


def _deliver(delivery: Delivery, kept: happenings.Kept) -> bool:
    """Send a claimed message and settle it; return whether it was delivered."""
    log = delivery.happening.log if delivery.happening else None
    so = happenings.still_so(delivery, happenings.facts_of(log, kept) if log else None)
    if log and so is None:
        _hold(delivery, log)
        return False
    if not so:
        _settle(delivery, Delivery.Status.REPLACED, attempts=F("attempts") - 1)
        return False
    if delivery.attempts > len(SCHEDULE):  # its workers were killed each time
        _settle(delivery, Delivery.Status.DEAD)
        return False
    attempt = Attempt.objects.create(delivery=delivery, began_at=timezone.now())
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
    except encryption.Unreadable:
        attempt.error = gettext_noop("Its secret can no longer be read; make another one.")
    else:
        attempt.status, wait = answer.status, answer.wait
    took = time.monotonic() - began
    attempt.milliseconds = int(took * 1000)
    with transaction.atomic():
        attempt.save(update_fields=["status", "error", "milliseconds"])
        return _judge(delivery, attempt, took, timedelta(seconds=wait))


def _judge(delivery: Delivery, attempt: Attempt, took: float, wait: timedelta) -> bool:
    """Settle a message by the outcome of its attempt; return whether it was delivered."""
    hook, now = Webhook.objects.filter(pk=delivery.webhook_id), timezone.now()
    if attempt.status is not None and 200 <= attempt.status < 300:
        rests = now + REST if took >= SLOW else None
        hook.exclude(resting_until=rests).update(resting_until=rests)
        _settle(delivery, Delivery.Status.DELIVERED)
        return True
    if attempt.status == 410:
        hook.update(is_on=False, off_why=gettext_noop("It answered 410: nobody is there any more."))
    else:
        hook.update(resting_until=now + max(REST, wait))
    _put_off(delivery, wait)
    return False


def _put_off(delivery: Delivery, wait: timedelta = timedelta(0)) -> None:
    """Schedule the next attempt, or give the message up."""
    if delivery.attempts < len(SCHEDULE):
        again = timezone.now() + max(SCHEDULE[delivery.attempts], wait)
        Delivery.objects.filter(pk=delivery.pk).update(claimed_at=None, due_at=again)
    else:
        _settle(delivery, Delivery.Status.DEAD)


def _hold(delivery: Delivery, log: Log) -> None:
    """Hold a message until the public may know of it; check again if its log went on meanwhile."""
    row = Delivery.objects.filter(pk=delivery.pk)
    as_judged = row.filter(
        happening__log__head_version=log.head_version,
        happening__log__public_version=log.public_version,
    )
    freed: dict[str, Any] = {"claimed_at": None, "attempts": F("attempts") - 1}
    again = timezone.now() + HELD_FOR
    if not as_judged.update(status=Delivery.Status.HELD, due_at=again, **freed):
        row.update(**freed)


def _settle(delivery: Delivery, status: str, **more: Any) -> None:
    row = Delivery.objects.filter(pk=delivery.pk)
    row.update(status=status, claimed_at=None, ended_at=timezone.now(), **more)


def send_again(deliveries: QuerySet[Delivery]) -> int:
    """Send settled messages again, under their own ids; return how many."""
    over = deliveries.exclude(status__in=(Waiting, Delivery.Status.HELD))
    found = over.update(status=Waiting, attempts=0, due_at=timezone.now(), ended_at=None)
    if found:
        transaction.on_commit(happenings.wake)
    return found


def sweep() -> None:
    """Delete messages settled long ago, and check again those held for a while.

    The follower releases held messages, but a worker that had checked one before may hold it after
    that; this frees it.
    """
    now = timezone.now()
    Delivery.objects.filter(ended_at__lt=now - KEPT).delete()
    Delivery.objects.filter(status=Delivery.Status.HELD, due_at__lte=now).update(status=Waiting)


# -- what is sent ---------------------------------------------------------------------------


def body_of(delivery: Delivery) -> bytes:
    """Return the body to send. Names are filled in only now, so that no erased name is sent."""
    data = dict(delivery.data)
    if entries := sorted(_entries(data)):
        rows = Entry.objects.filter(pk__in=entries).select_related(*desks.WHO)
        data["names"] = {str(row.pk): row.name for row in rows}
    return msgspec.json.encode({"type": delivery.kind, "timestamp": delivery.at, "data": data})


def _entries(data: Any) -> set[str]:
    """Return the ids of the entries that a message refers to."""
    match data:
        case dict():
            own = {data["entry"]} if "entry" in data else set()
            ids = {*data.get("entries", ()), *data.get("byes", ())}
            return own.union(ids, *map(_entries, data.values()))
        case list():
            return set().union(*map(_entries, data))
    return set()


def signature(delivery: Delivery, at: datetime, body: bytes) -> dict[str, str]:
    """Return the headers that prove the sender and the time of a message."""
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
    """Return the keys to sign with: the current secret's, and for a day the previous one's."""
    found = [webhook.secret]
    if webhook.previous and webhook.previous_until and webhook.previous_until > at:
        found.append(webhook.previous)
    return [
        base64.b64decode(encryption.unseal(each, PURPOSE).removeprefix("whsec_")) for each in found
    ]
