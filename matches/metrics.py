"""What is counted of the log, for whoever watches a site. Labels are of closed lists: no names."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client import Counter
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from matches.models import Checkpoint, FollowJob, Job
from matches.verifications import BY_NIGHT, found_broken

APPENDED = Counter("zgxl_entries_appended", "Entries appended to logs.", ["ruleset"])
REFUSED = Counter("zgxl_acts_refused", "Acts that were judged and refused.", ["code"])


class Outboxes(Collector):
    """Looks at the outboxes when it is asked: depth, age of what waits longest, what went wrong."""

    def describe(self) -> list[Metric]:
        return []  # nothing is asked of the database before somebody asks us

    def collect(self) -> Iterator[Metric]:
        depth = GaugeMetricFamily(
            "zgxl_outbox_depth", "What waits for a worker.", labels=["outbox"]
        )
        age = GaugeMetricFamily(
            "zgxl_outbox_oldest_seconds", "How long the oldest has waited.", labels=["outbox"]
        )
        waiting = {
            "followers": FollowJob.objects.all(),
            # no worker has begun them
            "jobs": Job.objects.filter(~BY_NIGHT, done_at=None, total=0),
            "nightly": Job.objects.filter(BY_NIGHT, done_at=None),
        }
        for name, rows in waiting.items():
            found = rows.order_by().aggregate(count=Count("pk"), oldest=Min("created_at"))
            depth.add_metric([name], found["count"])
            age.add_metric([name], _age(found["oldest"]))
        parked = GaugeMetricFamily("zgxl_followers_parked", "Logs that a follower raised on.")
        parked.add_metric([], Checkpoint.objects.exclude(error="").count())
        broken = GaugeMetricFamily("zgxl_logs_broken", "Logs whose last check found a flaw.")
        broken.add_metric([], found_broken().count())
        yield from (depth, age, parked, broken)


def _age(oldest: datetime | None) -> float:
    return 0.0 if oldest is None else max(0.0, (timezone.now() - oldest).total_seconds())
