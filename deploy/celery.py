"""The Celery application: tasks of every floor, configured by Django's settings."""

import logging
import os
import sys
import warnings
from typing import Any

from celery import Celery, Task
from celery.platforms import SecurityWarning
from celery.signals import (
    after_setup_logger,
    after_setup_task_logger,
    beat_embedded_init,
    task_postrun,
    worker_init,
    worker_ready,
)
from django.conf import settings
from django.db import close_old_connections
from kombu.transport import TRANSPORT_ALIASES

from deploy import stack
from deploy.processes import end_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

_worker = os.getpid()  # pid of the importing process; beat is a fork of it

# Celery warns of root because of pickled messages; ours are JSON alone.
warnings.filterwarnings("ignore", category=SecurityWarning)

TRANSPORT_ALIASES["filesystem"] = "deploy.messages:Transport"


class Roomy(Task):
    """A task that runs with room on the interpreter's stack: a worker calls it from deep within."""

    @stack.roomy
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return super().__call__(*args, **kwargs)


app = Celery("zgxl", task_cls=Roomy)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@beat_embedded_init.connect
def end_with_worker(**kwargs: Any) -> None:
    """End the beat process with its worker, even if that is killed."""
    end_with_parent(parent=_worker)


@after_setup_logger.connect
@after_setup_task_logger.connect
def log_as_the_site_does(logger: logging.Logger, **kwargs: Any) -> None:
    """Log JSON lines if the site does; Celery's handlers have a format of their own."""
    from deploy.log_lines import JsonLine

    if settings.LOG_FORMAT == "json":
        for handler in logger.handlers:
            handler.setFormatter(JsonLine())


@worker_init.connect
def require_append_only(**kwargs: Any) -> None:
    """Refuse to start if events could be changed. Celery swallows any lesser exception."""
    from django.core.exceptions import ImproperlyConfigured

    from matches import guard

    try:
        guard.require()
    except ImproperlyConfigured as error:
        sys.exit(str(error))


@task_postrun.connect
def give_connections_back(**kwargs: Any) -> None:
    """Return a task's connections to their pool, which checks each before reuse."""
    close_old_connections()


@worker_ready.connect
def follow_what_is_new(**kwargs: Any) -> None:
    """Queue logs that this code's followers have not projected: it may be newer than they."""
    from matches import tasks

    tasks.catch_up.delay()
