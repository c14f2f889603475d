"""What machines ask about a process: is it alive, can it serve, what has it counted.

They are answered before all else: a load balancer asks by address, over plain HTTP.
"""

import hmac
import logging
import threading
import time
from collections.abc import Callable

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from deploy.celery import app
from matches import triggers
from matches.metrics import Outboxes

FRESH = 2.0  # seconds for which an answer about readiness is given again
PATIENCE = 2  # seconds for the broker

logger = logging.getLogger(__name__)


class Probes:
    """Answers /healthz, /readyz and /metrics."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.answers = {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        probe = self.answers.get(request.path_info)
        if probe is None or request.method not in ("GET", "HEAD"):
            return self.get_response(request)
        answer = probe(request)
        answer["Cache-Control"] = "no-store"
        return answer


def healthz(request: HttpRequest) -> HttpResponse:
    """Say that this process answers; it asks nothing else."""
    return HttpResponse("ok\n", content_type="text/plain")


# -- can it serve ---------------------------------------------------------------------------


def readyz(request: HttpRequest) -> HttpResponse:
    """Say of each part whether it is as it should be: 503 when one without which nothing goes.

    Without a broker all is served and recorded, and followers wait: it is named, no more.
    """
    failing = _readiness.failing()
    ready = not set(failing) - {"broker"}
    told = {name: "failing" if name in failing else "ok" for name in PARTS}
    return JsonResponse({"ready": ready, "parts": told}, status=200 if ready else 503)


class _Readiness:
    """Remembers for a moment what was found: who asks often costs no more."""

    def __init__(self) -> None:
        self.lock, self.at, self.found = threading.Lock(), 0.0, list[str]()

    def failing(self) -> list[str]:
        with self.lock:
            if not self.at or time.monotonic() - self.at > FRESH:
                self.found = [name for name, holds in PARTS.items() if not _holds(name, holds)]
                self.at = time.monotonic()
            return self.found


_readiness = _Readiness()


def _holds(name: str, holds: Callable[[], bool]) -> bool:
    """Ask a part; why it fails is for our log alone: it may tell of hosts and roles."""
    try:
        if holds():
            return True
        logger.warning("not ready: %s", name)
    except Exception as error:  # of whatever kind: it is not ready
        logger.warning("not ready: %s: %s", name, error)
    return False


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


def _migrations() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _triggers() -> bool:
    return not triggers.check("default")


def _broker() -> bool:
    with app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, timeout=PATIENCE)
    return True


PARTS: dict[str, Callable[[], bool]] = {
    "database": _database,
    "migrations": _migrations,
    "triggers": _triggers,
    "broker": _broker,
}


# -- what it counted ------------------------------------------------------------------------


def metrics(request: HttpRequest) -> HttpResponse:
    """Tell all processes' counts to who brings METRICS_TOKEN; for anybody else it is not there."""
    given = request.headers.get("Authorization", "")
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    if not settings.METRICS_TOKEN or not hmac.compare_digest(given.encode(), wanted.encode()):
        return HttpResponse("not found\n", status=404, content_type="text/plain")
    return HttpResponse(told(), content_type=CONTENT_TYPE_LATEST)


def told() -> bytes:
    """Return the counts of this process, or of all that share PROMETHEUS_MULTIPROC_DIR."""
    outboxes = CollectorRegistry()
    outboxes.register(Outboxes())
    counted = REGISTRY
    if settings.METRICS_DIR:
        counted = CollectorRegistry()
        MultiProcessCollector(counted)
    return generate_latest(counted) + generate_latest(outboxes)
