"""The Content-Security-Policy header, built once: django-csp builds it for every response."""

from functools import cache

from csp.constants import HEADER
from csp.middleware import CSPMiddleware, PolicyParts
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase


class ContentPolicy(CSPMiddleware):
    """Sends the policy of the settings; if a view changes it, django-csp does it."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        changed = self.get_policy_parts(request, response) != _UNCHANGED
        if changed or settings.DEBUG or hasattr(response, "_csp_exempt"):
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, _usual())
        return response


_UNCHANGED = PolicyParts()


@cache
def _usual() -> str:
    return build_policy()
