"""Wait for what others do: other threads, processes, machines. How fast, is not what is tested."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 120.0  # seconds


def eventually(look: Callable[[], T], otherwise: Callable[[], str] | str) -> T:
    """Return what `look` gives once that is true; fail with `otherwise` if it never is."""
    deadline = time.monotonic() + PATIENCE
    while not (found := look()):
        if time.monotonic() > deadline:
            raise AssertionError(otherwise if isinstance(otherwise, str) else otherwise())
        time.sleep(0.05)
    return found
