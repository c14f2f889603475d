"""The precomputed content security policy equals the one django-csp would write."""

import pytest
from csp.decorators import csp_exempt, csp_update
from csp.middleware import CSPMiddleware
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from deploy.csp_header import ContentPolicy

HEADER = "Content-Security-Policy"


def usual(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def of_its_own(request: HttpRequest) -> HttpResponse:
    return HttpResponse(headers={HEADER: "default-src 'none'"})


def test_an_answer_forbids_what_no_page_needs(client: Client) -> None:
    answer = client.get("/robots.txt")
    assert answer["Referrer-Policy"] == "same-origin"  # an address may be the key to a seat
    assert answer["X-Frame-Options"] == "DENY"
    policy = dict(each.split(" ", 1) for each in answer[HEADER].split("; "))
    own = ("script-src", "style-src", "form-action", "base-uri")
    assert {name: policy[name] for name in own} == dict.fromkeys(own, "'self'")
    assert policy["default-src"] == policy["frame-ancestors"] == "'none'"


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
