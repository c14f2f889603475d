"""How gunicorn serves pages and the API; the supervisor adds the socket.

One process by default: the state at the head of a log is kept in memory, and one club needs no
more. `WEB_PROCESSES` and `WEB_THREADS` raise it.
"""

import os
from pathlib import Path
from typing import Any

from deploy.processes import end_with_parent

wsgi_app = "deploy.wsgi:application"
proc_name = "zgxl"
worker_class = "gthread"
workers = int(os.environ.get("WEB_PROCESSES", "1"))
threads = int(os.environ.get("WEB_THREADS", "8"))
timeout = 60
graceful_timeout = 5
keepalive = 5
loglevel = "warning"
accesslog = None  # a path may hold the secret of a seat link
control_socket_disable = True
if Path("/dev/shm").is_dir():
    worker_tmp_dir = "/dev/shm"  # a heartbeat file must not wait for a disk


def post_fork(arbiter: Any, worker: Any) -> None:
    """End a web process with its arbiter, even one that was killed."""
    end_with_parent(parent=arbiter.pid)
