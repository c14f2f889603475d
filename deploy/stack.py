"""Room on the interpreter's stack, so that no loop maps and unmaps memory at every call.

CPython keeps the frames of Python functions in chunks of 16 KiB. A call for which no room is left
maps another, and unmaps it when it returns: a loop that stands at just that depth does so in every
call, and what serves a page stands about there. CPython 3.11 and 3.12 never cache a chunk; later
releases do (issue 142183), and there this changes nothing.

A frame that asks for more than a chunk gets a larger one, in which deeper frames find room too.
"""

from collections.abc import Callable
from functools import update_wrapper
from threading import Thread
from typing import ParamSpec, TypeVar

SLOTS = 20_000
"""What such a frame asks for, in pointers: a chunk of 256 KiB, and some 100 are left to others.

Memory that nobody touches is not taken.
"""

Given = ParamSpec("Given")
Made = TypeVar("Made")


def roomy(work: Callable[Given, Made]) -> Callable[Given, Made]:
    """Return a function that calls `work` with room for some five hundred frames."""

    def call(*args: Given.args, **kwargs: Given.kwargs) -> Made:
        return work(*args, **kwargs)

    call.__code__ = call.__code__.replace(co_stacksize=SLOTS)
    return update_wrapper(call, work)


def give_threads_room() -> None:
    """Have every thread begun from now on run with such room, as long as it lives."""
    Thread.run.__code__ = Thread.run.__code__.replace(co_stacksize=SLOTS)
