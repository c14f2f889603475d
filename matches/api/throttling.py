"""Rate limits (GCRA): one timestamp per client instead of DRF's list of requests."""

from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle, UserRateThrottle

if TYPE_CHECKING:
    from rest_framework.views import APIView  # reads the throttle settings on import


class Spaced(SimpleRateThrottle):
    """Allows requests at the rate, in a burst or spread, and then one by one as time goes by.

    The generic cell rate algorithm: the stored value is the time until which the requests so far
    would last if they were spread evenly. It may lie ahead by the whole of the rate's duration.
    Twice as far ahead, more than clocks of several machines differ, the clock was set back.
    """

    num_requests: int
    duration: int  # seconds
    early = 0.0  # seconds
    cache_format = "spaced_%(scope)s_%(ident)s"

    def allow_request(self, request: Request, view: "APIView") -> bool:
        key = self.rate is not None and self.get_cache_key(request, view)
        if not key:
            return True
        now = self.timer()
        known = self.cache.get(key, now)
        if not now <= known <= now + 2 * self.duration:
            known = now
        lasts = known + self.duration / self.num_requests
        self.early = lasts - now - self.duration
        if self.early > _ROUNDING:
            return False
        self.cache.set(key, lasts, self.duration)
        return True

    def wait(self) -> float:
        """Return after how many seconds the next request is allowed."""
        return self.early


_ROUNDING = 1e-6  # seconds


class SpacedAnonymous(Spaced, AnonRateThrottle):
    """Limits an address that is not signed in."""


class SpacedUser(Spaced, UserRateThrottle):
    """Limits an account."""
