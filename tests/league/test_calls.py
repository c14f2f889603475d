"""Who has clinched or missed the coming cut, as marked on the standings page."""

import re

import pytest
from django.test import Client

from tests.league import desks

pytestmark = pytest.mark.django_db

CUT = {"format": "single-elimination", "cut": 3}


def test_who_is_safe_or_out_for_the_cut_is_marked_while_its_stage_is_under_way() -> None:
    """Two of three rounds are played: 1 won both and cannot be caught by three."""
    cup = desks.tournament(stages=[desks.SWISS, CUT])
    desks.entered(cup, 4)
    desks.start(cup)
    for _ in range(2):
        desks.paired(cup)
        desks.play(cup)
    address = f"/tournaments/{cup.code}/standings/"

    page = Client().get(address).content.decode()

    assert "For the cut to 3" in page
    row = page.partition("Guest 1<")[2].partition("</tr>")[0]
    assert re.search(r'class="chip fine">safe<', row)
    assert "For the cut to 3" not in Client().get(f"{address}?after=1").content.decode()
