"""Times and decks in forms: input that would break a page is refused at its field."""

import pytest
from django.utils import timezone

from league.forms.fields import MomentField
from tests.factories import signed_in
from tests.league import desks

YEARS = {"0001-01-01T00:00": False, "9999-12-31T23:59": False, "1999-12-31T23:59": False}
YEARS |= {"2000-01-01T00:00": True, "2199-12-31T23:59": True}


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Europe/Berlin", "Pacific/Kiritimati"])
@pytest.mark.parametrize(("typed", "is_taken"), YEARS.items())
def test_a_moment_is_of_the_years_the_api_takes(zone: str, typed: str, is_taken: bool) -> None:
    field = MomentField()
    with timezone.override(zone):
        if is_taken:
            assert field.clean(typed) is not None
        else:
            with pytest.raises(Exception, match="valid date/time"):
                field.clean(typed)


@pytest.mark.django_db
@pytest.mark.parametrize("typed", ["null", "Claw", '{"cards": []}'])
def test_a_deck_where_the_game_has_none_is_refused(typed: str) -> None:
    cup = desks.tournament()
    desks.entered(cup, 2)
    client = signed_in(cup.opener.user)
    path = f"/tournaments/{cup.code}/deck/?entrant=1"
    answer = client.post(path, {"deck": typed})
    assert answer.status_code == 409, answer.content
