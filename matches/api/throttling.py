"""How often one may ask: by one number each, where a list of all requests grew with the rate."""

from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle, UserRateThrottle

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which names its throttles when it is imported


class Spaced(SimpleRateThrottle):
    """Lets one ask as often as the rate says, at once or spread, then one by one as time goes by.

    The generic cell rate algorithm: what is kept is the time until which the requests so far
    would last if they were spread evenly. It may lie ahead by the whole of the rate's duration.
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
        lasts = max(self.cache.get(key, now), now) + self.duration / self.num_requests
        self.early = lasts - now - self.duration
        if self.early > _ROUNDING:
            return False
        self.cache.set(key, lasts, self.duration)
        return True

    def wait(self) -> float:
        """Return after how many seconds one may ask again."""
        return self.early


_ROUNDING = 1e-6  # seconds


class SpacedAnonymous(Spaced, AnonRateThrottle):
    """Counts an address that is not signed in."""


class SpacedUser(Spaced, UserRateThrottle):
    """Counts an account."""
