"""What a web process does besides answering."""

import gc
import re
import runpy
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from deploy import gunicorn

ROOT = Path(__file__).resolve().parents[2]


class Knot:
    """Garbage that only the collector finds."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def worker() -> Iterator[None]:
    gunicorn.post_worker_init(None)
    yield
    gc.unfreeze()
    gc.enable()


@pytest.mark.usefixtures("worker")
def test_garbage_is_left_until_the_request_is_over() -> None:
    knots = [Knot() for _ in range(2 * gc.get_threshold()[0])]
    watched = weakref.ref(knots[0])

    knots.clear()
    assert watched() is not None, "collected within a request"

    gunicorn.post_request(None, None, {}, None)
    assert watched() is None, "not collected after it"


@pytest.mark.parametrize("name", ["WEB_PROCESSES", "WEB_THREADS"])
def test_how_many_is_one_at_least_and_as_usual_if_nothing_is_said(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = gunicorn.workers, gunicorn.threads
    monkeypatch.setenv(name, "")
    empty = runpy.run_path(gunicorn.__file__)
    assert (empty["workers"], empty["threads"]) == usual
    for value in ("0", "x"):
        monkeypatch.setenv(name, value)
        with pytest.raises(ImproperlyConfigured, match=name):
            runpy.run_path(gunicorn.__file__)


def test_nginx_lets_go_of_a_connection_before_the_web_process_does() -> None:
    """Else it would now and then send an act into one that is just being closed: a 502."""
    conf = (ROOT / "deploy" / "nginx" / "zgxl.conf").read_text()
    kept = re.search(r"upstream zgxl_web {[^}]*keepalive_timeout (\d+)s;", conf)
    assert kept and int(kept[1]) < gunicorn.keepalive
