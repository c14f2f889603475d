"""The precomputed content security policy equals the one django-csp would write."""

import pytest
from csp.decorators import csp_exempt, csp_update
from csp.middleware import CSPMiddleware
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from deploy.csp_header import ContentPolicy

HEADER = "Content-Security-Policy"


def usual(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def of_its_own(request: HttpRequest) -> HttpResponse:
    return HttpResponse(headers={HEADER: "default-src 'none'"})


VIEWS = {
    "usual": usual,
    "of its own": of_its_own,
    "changed": csp_update({"frame-ancestors": ["*"]})(usual),
    "exempt": csp_exempt()(usual),
}


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("name", VIEWS)
def test_an_answer_has_the_same_policy(name: str, debug: bool, settings: object) -> None:
    settings.DEBUG = debug
    request = RequestFactory().get("/")
    ours, theirs = (kind(VIEWS[name])(request) for kind in (ContentPolicy, CSPMiddleware))
    assert ours.headers.get(HEADER) == theirs.headers.get(HEADER)
    assert (HEADER in ours.headers) == (name != "exempt")
