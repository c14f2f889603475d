"""Messages to webhooks: signed, sent by a worker, tried again, given up and sent again by hand.

`Delivery` is the outbox. A row is claimed before it is sent and settled after the answer; a
worker killed in between leaves a row that is claimed again later and sent under the same
`webhook-id`. So each message comes at least once, and who receives one twice can tell. The
headers and the signature are those of the Standard Webhooks specification.
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

from league import happenings, outgoing
from league.models import Attempt, Delivery, Entry, Webhook
from matches import jobs, sealed
from matches.models import Log

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
REST = timedelta(minutes=1)  # of an address that failed or was slow, for all that waits for it
SLOW = 3.0  # seconds to an answer
LANES = 2  # webhooks that are sent to at once, by all workers: others wait for these too
BUDGET = 15.0  # seconds of a worker's run
SHARE = 5.0  # seconds of them for one webhook
HELD_FOR = timedelta(minutes=10)  # before what is held back is judged again
KEPT = timedelta(days=30)
PURPOSE = "webhooks"
TEST = "webhook.test"

Waiting = Delivery.Status.WAITING
logger = logging.getLogger(__name__)


def wake() -> None:
    """Wake a worker for what is to be delivered."""
    from league.tasks import deliver

    jobs.send(deliver)


def ready() -> QuerySet[Delivery]:
    """Return what is to be sent now, or is being sent."""
    now = timezone.now()
    awake = Q(webhook__resting_until=None) | Q(webhook__resting_until__lte=now)
    return Delivery.objects.filter(awake, status=Waiting, due_at__lte=now, webhook__is_on=True)


def claimed() -> QuerySet[Delivery]:
    """Return what a worker is sending."""
    return Delivery.objects.filter(status=Waiting, claimed_at__gte=timezone.now() - CLAIMED)


def deliver_due() -> int:
    """Send what is due, for `BUDGET` seconds, `SHARE` of them for one; return how much came."""
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
        except Exception as error:  # of whatever kind: it stops no other
            logger.error("message %s can not be sent: %r", delivery.pk, error)
            _put_off(delivery)
        spent[delivery.webhook_id] += time.monotonic() - claimed_at
    return sent


def _claim(but: Collection[UUID]) -> Delivery | None:
    """Claim the next message, to a webhook other than these; None when no more are to be sent now.

    One that answers comes before one that rested. Claims are made one after the other, under the
    lock of the oldest webhook: two workers never send to one, and no more than `LANES` to any.
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
    """Send a claimed message and settle it; tell whether it was delivered."""
    log = delivery.happening.log if delivery.happening else None
    so = happenings.still_so(delivery, happenings.known_of(log, kept) if log else None)
    if log and so is None:
        _hold(delivery, log)
        return False
    if not so:
        _settle(delivery, Delivery.Status.REPLACED, attempts=F("attempts") - 1)
        return False
    if delivery.attempts > len(SCHEDULE):  # its workers were killed, again and again
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
    except sealed.Unreadable:
        attempt.error = "Its secret can not be read any more; make another one."
    else:
        attempt.status, wait = answer.status, answer.wait
    took = time.monotonic() - began
    attempt.milliseconds = int(took * 1000)
    with transaction.atomic():
        attempt.save(update_fields=["status", "error", "milliseconds"])
        return _judge(delivery, attempt, took, timedelta(seconds=wait))


def _judge(delivery: Delivery, attempt: Attempt, took: float, wait: timedelta) -> bool:
    """Settle a message by what came of its attempt; tell whether it was delivered."""
    hook, now = Webhook.objects.filter(pk=delivery.webhook_id), timezone.now()
    if attempt.status is not None and 200 <= attempt.status < 300:
        rests = now + REST if took >= SLOW else None
        hook.exclude(resting_until=rests).update(resting_until=rests)
        _settle(delivery, Delivery.Status.DELIVERED)
        return True
    if attempt.status == 410:
        hook.update(is_on=False, off_why="It answered 410: nobody is there any more.")
    else:
        hook.update(resting_until=now + max(REST, wait))
    _put_off(delivery, wait)
    return False


def _put_off(delivery: Delivery, wait: timedelta = timedelta(0)) -> None:
    """Have a message tried again by the schedule, or give it up."""
    if delivery.attempts < len(SCHEDULE):
        again = timezone.now() + max(SCHEDULE[delivery.attempts], wait)
        Delivery.objects.filter(pk=delivery.pk).update(claimed_at=None, due_at=again)
    else:
        _settle(delivery, Delivery.Status.DEAD)


def _hold(delivery: Delivery, log: Log) -> None:
    """Keep a message until it may be told; have it judged again if its log has gone on since."""
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
    """Have messages sent again that are over, under their own ids; return how many."""
    over = deliveries.exclude(status__in=(Waiting, Delivery.Status.HELD))
    found = over.update(status=Waiting, attempts=0, due_at=timezone.now(), ended_at=None)
    if found:
        transaction.on_commit(wake)
    return found


def sweep() -> None:
    """Forget what is over for long; have what was held back for a while judged again.

    A follower releases what may be told; a worker that judged it before may yet hold it after.
    """
    now = timezone.now()
    Delivery.objects.filter(ended_at__lt=now - KEPT).delete()
    Delivery.objects.filter(status=Delivery.Status.HELD, due_at__lte=now).update(status=Waiting)


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
