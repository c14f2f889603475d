"""Room on the interpreter's stack: one chunk holds all deeper frames."""

import resource
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Thread

import pytest

from deploy import stack
from deploy.celery import app

DEPTHS = range(300)


def loops(depth: int) -> None:
    """Call in a loop at a depth, through frames small and large."""
    if depth:
        loops(depth - 1)
        return
    for _ in range(200):
        takes_some(0)


def takes_some(a: int, b: int = 0, c: int = 0, d: int = 0, e: int = 0, f: int = 0) -> object:
    return [a, [b, [c, [d, [e, [f, sorted(map(abs, (a, b, c, d, e, f)))]]]]]]


def faults(work: Callable[[], None]) -> int:
    """Return how many pages were mapped anew while a new thread did some work, the second time."""

    def count() -> int:
        work()
        before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
        work()
        return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(count).result()


@pytest.fixture
def threads_have_room() -> Iterator[None]:
    """As in a server; other tests begin threads in this process too."""
    before = Thread.run.__code__
    stack.give_threads_room()
    yield
    Thread.run.__code__ = before


def deep() -> None:
    for depth in DEPTHS:
        loops(depth)


def test_no_loop_with_room_maps_memory_at_every_call() -> None:
    assert faults(stack.roomy(deep)) < 100


@pytest.mark.usefixtures("threads_have_room")
def test_no_loop_of_a_thread_with_room_does_either() -> None:
    assert faults(deep) < 100


def test_what_is_given_room_is_what_it_was() -> None:
    @stack.roomy
    def doubled(number: int, *, times: int = 2) -> int:
        """Say a number more than once."""
        return number * times

    assert (doubled(4), doubled(4, times=3)) == (8, 12)
    assert (doubled.__name__, doubled.__doc__) == ("doubled", "Say a number more than once.")


def test_a_task_has_room() -> None:
    assert app.Task.__call__.__code__.co_stacksize == stack.SLOTS
