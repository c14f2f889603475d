"""Verifications of logs: which ones a night queues, the last of each, and which found a flaw."""

from math import ceil
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.fields.json import KeyTextTransform

from matches.models import Job, Log
from matches.prepared import Prepared

VERIFY = "verify"
BY_NIGHT = Q(kind=VERIFY, asked_by=None)  # nobody waits for these
AT_ONCE = 1000
WITHOUT_FLAW = Q(result__ok=True) | Q(result__unverified=True)


def ask_for_all() -> int:
    """Queue the verifications of a night and return how many; the sweep wakes the workers.

    All logs whose head is not the one last verified; and of the others, those verified longest ago,
    as many as it takes to verify each once in `VERIFY_NIGHTS`.
    """
    logs = _logs_with_proof()
    moved = logs.filter(~Q(proven=F("head_hash")) | Q(proven=None))
    rest = logs.filter(proven=F("head_hash")).order_by("verified_at")
    turns = ceil(rest.count() / settings.VERIFY_NIGHTS)
    pks = [*moved.values_list("pk", flat=True), *rest.values_list("pk", flat=True)[:turns]]
    for start in range(0, len(pks), AT_ONCE):
        batch = pks[start : start + AT_ONCE]
        Job.objects.bulk_create([Job(kind=VERIFY, log_id=pk) for pk in batch])
    return len(pks)


def _logs_with_proof() -> QuerySet[Any, Any]:
    """Return the logs without a pending verification.

    Each with `proven`, the hash of its head when it was last verified without a flaw, and
    `verified_at`.
    """
    verifications = Job.objects.filter(kind=VERIFY, log__isnull=False)
    waiting = verifications.filter(done_at=None).values("log")
    newest = verifications.filter(log=OuterRef("pk"), result__isnull=False).order_by("-done_at")
    good = Case(When(WITHOUT_FLAW, then=KeyTextTransform("head_hash", "result")))
    return Log.objects.exclude(pk__in=waiting).annotate(
        proven=Subquery(newest.annotate(good=good).values("good")[:1]),
        verified_at=Subquery(newest.values("done_at")[:1]),
    )


_NEWEST = Prepared(
    lambda log: Job.objects.filter(kind=VERIFY, log=log, is_cancelled=False).order_by(
        "-created_at", "-id"
    )[:1],
    log=UUID(int=0),
)


def last_of(log: Log) -> Job | None:
    """Return the newest verification of a log, done or running, that was not cancelled."""
    return _NEWEST.first(log=log.pk)


def flawed() -> QuerySet[Job]:
    """Return the verifications that found a flaw, if no other of the same log followed."""
    later = Job.objects.filter(
        kind=VERIFY, log=OuterRef("log"), result__isnull=False, done_at__gt=OuterRef("done_at")
    )
    found = Job.objects.filter(~Exists(later), kind=VERIFY, result__ok=False)
    return found.exclude(pk__in=found.filter(result__unverified=True).values("pk"))


def in_short(result: dict[str, Any]) -> dict[str, Any]:
    """Return of a result what may be known of a log that is held back."""
    return {name: result[name] for name in ("ok", "unverified") if name in result}


def forget(log: Log) -> None:
    """Delete earlier nightly verifications of a log: the newest replaces them."""
    Job.objects.filter(BY_NIGHT, log=log, done_at__isnull=False).delete()
