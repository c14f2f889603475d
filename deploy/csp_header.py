"""The header of the content security policy, written once: django-csp writes it anew each time."""

from functools import cache

from csp.constants import HEADER
from csp.middleware import CSPMiddleware, PolicyParts
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase


class ContentPolicy(CSPMiddleware):
    """Sends the policy of the settings; what a view changes of it is left to django-csp."""

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
