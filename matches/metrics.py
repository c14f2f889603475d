"""Metrics of the log, for monitoring. Labels come from closed lists: no names."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, Expression, Min, QuerySet
from django.utils import timezone
from prometheus_client import Counter
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from matches.configured import functions
from matches.models import Checkpoint, FollowJob, Job
from matches.verifications import BY_NIGHT, flawed

APPENDED = Counter("zgxl_entries_appended", "Entries appended to logs.", ["ruleset"])
REFUSED = Counter("zgxl_acts_refused", "Acts that were judged and refused.", ["code"])


class Outbox(NamedTuple):
    """A queue in the database: rows that wait, the field `since` of their time, and dead ones."""

    waiting: QuerySet[Any]
    since: str | Expression = "created_at"
    given_up: QuerySet[Any] | None = None


def outboxes() -> dict[str, Outbox]:
    """Return the outboxes of this floor by name."""
    return {
        "followers": Outbox(FollowJob.objects.all()),
        "jobs": Outbox(Job.objects.filter(~BY_NIGHT, done_at=None, total=0)),  # not started
        "nightly": Outbox(Job.objects.filter(BY_NIGHT, done_at=None)),
    }


class Outboxes(Collector):
    """Collects, when scraped, the outboxes that the functions in `settings.OUTBOXES` return."""

    def describe(self) -> list[Metric]:
        return []  # registering must not query the database

    def collect(self) -> Iterator[Metric]:
        depth = GaugeMetricFamily(
            "zgxl_outbox_depth", "What waits for a worker.", labels=["outbox"]
        )
        age = GaugeMetricFamily(
            "zgxl_outbox_oldest_seconds", "How long the oldest has waited.", labels=["outbox"]
        )
        given_up = GaugeMetricFamily(
            "zgxl_outbox_given_up", "What is tried no more.", labels=["outbox"]
        )
        found = [box for boxes in functions("OUTBOXES") for box in boxes().items()]
        for name, box in found:
            waits = box.waiting.order_by().aggregate(count=Count("pk"), oldest=Min(box.since))
            depth.add_metric([name], waits["count"])
            age.add_metric([name], _age(waits["oldest"]))
            if box.given_up is not None:
                given_up.add_metric([name], box.given_up.count())
        parked = GaugeMetricFamily("zgxl_followers_parked", "Logs that a follower raised on.")
        parked.add_metric([], Checkpoint.objects.exclude(error="").count())
        broken = GaugeMetricFamily("zgxl_logs_broken", "Logs whose last check found a flaw.")
        broken.add_metric([], flawed().count())
        yield from (depth, age, given_up, parked, broken)


def _age(oldest: datetime | None) -> float:
    return 0.0 if oldest is None else max(0.0, (timezone.now() - oldest).total_seconds())
