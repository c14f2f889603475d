"""Circuit breakers: a service that is down is left alone for a while, so that nobody waits."""

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
    """Calls a service that may be down, and after a failure not again until `REST` has passed.

    Then one caller tries again; the others go on without the service until that call succeeded.
    `errors`: the exceptions that mean it is down.
    """

    def __init__(self, name: str, errors: tuple[type[Exception], ...]) -> None:
        self.name, self.errors = name, errors
        self._lock, self._until = threading.Lock(), 0.0  # end of the rest, on the monotonic clock

    def call(self, do: Callable[[], T], otherwise: Callable[[], T]) -> T:
        """Return what `do` returns, or `otherwise` while the service is down."""
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
        """Tell whether the service was down at the last call."""
        return self._until > 0

    def _may_try(self) -> bool:
        with self._lock:
            now = time.monotonic()
            if self._until > now:
                return False
            if self._until:
                self._until = now + REST
            return True
