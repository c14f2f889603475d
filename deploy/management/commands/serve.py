"""`manage.py serve`: the whole site for one club or a demo, in one command."""

import hashlib
import os
import shlex
import signal
import sys
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, connections

from deploy import processes, storage, supervisor

_MANAGE = str(settings.BASE_DIR / "manage.py")


class Command(BaseCommand):
    help = "Migrate, then run the web server and the worker until Ctrl-C. HOST and PORT say where."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--demo", action="store_true", help="load the demo league first")
        parser.add_argument(
            "--tied", action="store_true", help="also stop when the process that started this ends"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["tied"]:
            processes.end_with_parent(signal.SIGTERM)
        try:
            with supervisor.bind(os.environ.get("HOST") or "127.0.0.1", _port()) as listener:
                url = supervisor.url_of(listener, _name())
                os.environ.setdefault("SITE_URL", url.rstrip("/"))
                self._prepare(demo=options["demo"])
                web = supervisor.web(listener)
                worker = supervisor.worker(schedule=settings.DATA / "beat")
                programs = [worker, _rest_of_the_demo()] if options["demo"] else [worker]
                supervisor.supervise(web, programs, listener, partial(self._ready, url))
        except supervisor.Stopped as reason:
            raise CommandError(str(reason)) from reason

    def _prepare(self, *, demo: bool) -> None:
        _keep_private()
        call_command("migrate", interactive=False, verbosity=0)
        _collect_static()
        if demo:
            call_command("demo", first=True, stdout=self.stdout)
        connections.close_all()
        os.environ.pop("OWNER_DATABASE_URL", None)  # servers need no owner's credentials

    def _ready(self, url: str) -> None:
        self.stdout.write(f"ZGXL is at {url} (Ctrl-C stops it)")
        if not User.objects.filter(is_superuser=True).exists():
            self.stdout.write(
                f"Nobody runs this site yet: `DATA={shlex.quote(str(settings.DATA))} "
                f"{sys.executable} {_MANAGE} createsuperuser`, then {url}admin/"
            )
        connections.close_all()
        self.stdout.flush()


def _name() -> str:
    """Return the first of the names the site answers to, "127.0.0.1" if any will do."""
    names = (name for name in settings.ALLOWED_HOSTS if name[0] not in "*.")
    return next(names, "127.0.0.1")


def _rest_of_the_demo() -> supervisor.Program:
    """Return the program that makes the other games' tournaments while the first pages are read."""
    command = [sys.executable, _MANAGE, "demo", "--rest"]
    return supervisor.Program("the rest of the demo", command, once=True)


def _keep_private() -> None:
    """Restrict SQLite's files to their owner: they hold password hashes and session keys.

    The files that SQLite creates beside its database get the same mode.
    """
    if connection.vendor == "sqlite":
        path = Path(settings.DATABASES["default"]["NAME"])
        path.touch(mode=0o600)
        for each in path.parent.glob(f"{path.name}*"):
            each.chmod(0o600)


def _port() -> int:
    value = os.environ.get("PORT") or "8000"
    if not value.isdecimal():
        raise CommandError(f"PORT is {value!r}; it must be a number from 0 to 65535")
    return int(value)


def _collect_static() -> None:
    """Collect, hash and compress the static files, if any changed since then or is gone."""
    kept = Path(settings.STATIC_ROOT) / ".sources"
    sources = _static_sources()
    if not kept.exists() or kept.read_text() != sources or storage.missing():
        call_command(
            "collectstatic", interactive=False, verbosity=0, ignore_patterns=storage.IGNORED
        )
        kept.write_text(sources)


def _static_sources() -> str:
    """Return a digest of the names, sizes and dates of the static files' sources."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, place in finder.list(storage.IGNORED):
            stat = Path(place.path(name)).stat()
            digest.update(f"{name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()
