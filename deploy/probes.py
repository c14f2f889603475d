"""Probes and metrics of a process: is it alive, is it ready, what has it counted.

They are answered before all else: a load balancer asks by address, over plain HTTP.
"""

import hmac
import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from deploy import caching, storage
from deploy.celery import app
from matches import triggers
from matches.metrics import Outboxes

FRESH = 2.0  # seconds for which readiness is cached
PATIENCE = 4.0  # seconds for all parts together; one that takes longer fails
DISPENSABLE = {"broker", "cache"}

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
        request.probe = request.path_info[1:]  # type: ignore[attr-defined]  # it has no route
        answer = probe(request)
        answer["Cache-Control"] = "no-store"
        return answer


def healthz(request: HttpRequest) -> HttpResponse:
    """Answer that this process is alive; checks nothing else."""
    return HttpResponse("ok\n", content_type="text/plain")


# -- can it serve ---------------------------------------------------------------------------


def readyz(request: HttpRequest) -> HttpResponse:
    """Report each part's status: 503 if an essential one fails.

    Without a broker everything is served and recorded, and followers wait; without a cache each
    process counts alone: those are only reported.
    """
    failing = _readiness.failing()
    ready = failing <= DISPENSABLE
    states = {name: "failing" if name in failing else "ok" for name in PARTS}
    return JsonResponse({"ready": ready, "parts": states}, status=200 if ready else 503)


class _Readiness:
    """Caches readiness for a moment, so that frequent probes cost nothing.

    Each part is checked in a thread of its own; one that hangs is not checked again before it
    answers.
    """

    def __init__(self) -> None:
        self.lock, self.at = threading.Lock(), 0.0
        self.threads = ThreadPoolExecutor(len(PARTS), "readiness")
        self.probes: dict[str, Future[bool]] = {}

    def failing(self, *names: str) -> set[str]:
        """Return which of the parts fail, of all if none is named."""
        asked = self._ask()
        probes = {name: asked[name] for name in names or asked}
        wait(probes.values(), PATIENCE)
        return {name for name, probe in probes.items() if not (probe.done() and probe.result())}

    def _ask(self) -> dict[str, Future[bool]]:
        with self.lock:
            if not self.at or time.monotonic() - self.at > FRESH:
                hung = {name: probe for name, probe in self.probes.items() if not probe.done()}
                free = PARTS.keys() - hung.keys()
                self.probes = hung | {name: self.threads.submit(_holds, name) for name in free}
                self.at = time.monotonic()
            return self.probes


def _holds(name: str) -> bool:
    """Check a part; the reason of a failure is only logged: it may name hosts and roles."""
    try:
        if PARTS[name]():
            return True
        logger.warning("not ready: %s", name)
    except Exception as error:  # any error means not ready
        logger.warning("not ready: %s: %s", name, error)
    finally:
        connections.close_all()  # this thread's
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


def _static() -> bool:
    if name := storage.missing():
        raise ValueError(f"{name}: run `manage.py collectstatic`, and start this process after it")
    return True


def _broker() -> bool:
    with app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=0)
    return True


def _cache() -> bool:
    cache.get("ready")
    return not caching.breaker.is_open()


PARTS: dict[str, Callable[[], bool]] = {
    "database": _database,
    "migrations": _migrations,
    "triggers": _triggers,
    "static": _static,
    "broker": _broker,
    "cache": _cache,
}
_readiness = _Readiness()


# -- what it counted ------------------------------------------------------------------------


def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics of all processes to clients with METRICS_TOKEN; 404 to all others."""
    given = request.headers.get("Authorization", "")
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    if not settings.METRICS_TOKEN or not hmac.compare_digest(given.encode(), wanted.encode()):
        return HttpResponse("not found\n", status=404, content_type="text/plain")
    return HttpResponse(exposition(), content_type=CONTENT_TYPE_LATEST)


def exposition() -> bytes:
    """Return the metrics of this process, or of all that share PROMETHEUS_MULTIPROC_DIR."""
    stored = CollectorRegistry()
    stored.register(_Stored())
    counted = REGISTRY
    if settings.METRICS_DIR:
        counted = CollectorRegistry()
        MultiProcessCollector(counted)
    return generate_latest(counted) + generate_latest(stored)


class _Stored(Collector):
    """Collects what is read from the database, or only that it does not answer."""

    def describe(self) -> list[Metric]:
        return []  # registering must not query the database

    def collect(self) -> Iterator[Metric]:
        found = self._read()
        told = "1 if the database answers; if not, no outbox is told."
        yield GaugeMetricFamily("zgxl_database_reached", told, value=bool(found))
        yield from found

    def _read(self) -> list[Metric]:
        if _readiness.failing("database"):
            return []
        try:
            return list(Outboxes().collect())
        except DatabaseError as error:
            logger.warning("the outboxes cannot be read: %s", error)
            return []


def forget_dead() -> None:
    """Remove the gauges of processes that were killed from the shared metrics.

    A process keeps its file mapped. A file that nobody maps is of a dead process, even if its pid
    is in use again, be it by this process: so call this before a gauge is created.
    """
    for path in Path(settings.METRICS_DIR).glob("gauge_live*.db") if settings.METRICS_DIR else ():
        pid = path.stem.rpartition("_")[2]
        if not _has_mapped(pid, path.resolve()):
            mark_process_dead(pid, settings.METRICS_DIR)


def _has_mapped(pid: str, path: Path) -> bool:
    try:
        return str(path) in Path(f"/proc/{pid}/maps").read_text()
    except OSError:  # no such process, or another user's
        return False
