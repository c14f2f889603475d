"""What a web process does beside answering."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from deploy import gunicorn


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
