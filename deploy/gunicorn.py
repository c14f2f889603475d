"""Configuration of gunicorn, for pages and the API; the supervisor adds the socket.

One process by default: the heads of logs are cached in memory, and one club needs no more.
`WEB_PROCESSES` and `WEB_THREADS` raise it.
"""

import gc
import os
from pathlib import Path
from typing import Any

from deploy import environment as env
from deploy import stack
from deploy.processes import end_with_parent

wsgi_app = "deploy.wsgi:application"
proc_name = "zgxl"
worker_class = "gthread"
workers = env.number("WEB_PROCESSES", 1, least=1)
threads = env.number("WEB_THREADS", 8, least=1)
timeout = 60
graceful_timeout = 5
keepalive = 75  # must exceed nginx's keepalive, or nginx may use a connection we just closed
loglevel = "warning"
accesslog = None  # a path may hold the secret of a seat link
control_socket_disable = True
if Path("/dev/shm").is_dir():
    worker_tmp_dir = "/dev/shm"  # heartbeats must not wait for a disk


def post_fork(arbiter: Any, worker: Any) -> None:
    """End a web process with its arbiter, even if that is killed, and give its threads room."""
    end_with_parent(parent=arbiter.pid)
    stack.give_threads_room()


def post_worker_init(worker: Any) -> None:
    """Run the garbage collector only between requests.

    During one it may collect a cursor of another thread and wait for that thread's connection; if
    this thread holds SQLite's write lock and the other waits for it, both would hang until the
    other times out.
    """
    gc.disable()
    gc.freeze()  # present objects are never scanned again


def post_request(worker: Any, request: Any, environ: Any, response: Any) -> None:
    """Collect garbage if Python's thresholds say so, while this thread holds no lock."""
    counted = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [generation for generation, (count, limit) in enumerate(counted) if count > limit]
    if due:
        gc.collect(due[-1])


def child_exit(arbiter: Any, worker: Any) -> None:
    """Remove the gauges of a web process that has ended from the shared metrics."""
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)
