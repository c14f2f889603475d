"""The log: what `append` promises."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches import errors, services
from matches.models import Event, FeedHead, Log
from matches.verify import verify
from tests import factories

pytestmark = pytest.mark.django_db


def test_an_act_and_its_consequences_are_one_entry() -> None:
    match = factories.match(game="toy")
    receipt = factories.record(match, {"type": "tossed", "seat": 1, "side": "heads"})
    rows = Event.objects.filter(log=match.log, version=receipt.version)
    assert [(row.ordinal, row.type, row.seat) for row in rows] == [
        (0, "tossed", 1),
        (1, "point-won", 1),
    ]


def test_the_same_request_again_gets_its_first_receipt() -> None:
    match = factories.match()
    act_id = uuid4()
    first = factories.record(match, act_id=act_id)
    factories.record(match)
    again = factories.record(match, act_id=act_id)
    assert again == first
    assert (first.recorded, again.recorded) == (True, False)
    assert verify(match.log).entries == 3
