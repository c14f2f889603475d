"""Circuit breakers: what does not answer is left alone for a while, or each would wait for it."""

import logging
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from prometheus_client import Counter

AWAY = Counter("zgxl_away", "Times that a service was asked and away.", ["service"])
T = TypeVar("T")
REST = 5.0  # seconds

logger = logging.getLogger(__name__)


class Breaker:
    """Asks a service that may be away, and after a failure no more until `REST` is over.

    Then one tries again; the others go on without it until that one was answered.
    `errors`: what it raises when it is away.
    """

    def __init__(self, name: str, errors: tuple[type[Exception], ...]) -> None:
        self.name, self.errors = name, errors
        self._lock, self._until = threading.Lock(), 0.0  # of the rest, on the monotonic clock

    def call(self, do: Callable[[], T], otherwise: Callable[[], T]) -> T:
        """Return what `do` returns, or `otherwise` while the service is away."""
        if not self._may_try():
            return otherwise()
        try:
            found = do()
        except self.errors as error:
            self._until = time.monotonic() + REST
            AWAY.labels(self.name).inc()
            logger.warning("the %s is away, and left alone for %.0f s: %s", self.name, REST, error)
            return otherwise()
        self._until = 0.0
        return found

    def is_open(self) -> bool:
        """Tell whether the service was away when it was last asked."""
        return self._until > 0

    def _may_try(self) -> bool:
        with self._lock:
            now = time.monotonic()
            if self._until > now:
                return False
            if self._until:
                self._until = now + REST
            return True
