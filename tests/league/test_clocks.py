"""Tournament times are in the venue's time zone, and say so."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from league import clocks, services
from league.desks import published_at
from league.forms.fields import ZoneField
from league.models import Tournament
from league.opening import require_timezone
from matches.errors import BadInput
from tests import factories
from tests.factories import signed_in
from tests.html import text_of
from tests.league import desks


@pytest.mark.parametrize(
    ("zone", "month", "said"),
    [
        ("Australia/Melbourne", 1, "7 Jan 2026, 19:30 AEDT (Melbourne)"),
        ("Australia/Melbourne", 7, "7 Jul 2026, 18:30 AEST (Melbourne)"),
        ("America/Argentina/Buenos_Aires", 1, "7 Jan 2026, 05:30 UTC-3 (Buenos Aires)"),
        ("Asia/Kathmandu", 1, "7 Jan 2026, 14:15 UTC+5:45 (Kathmandu)"),
        ("UTC", 1, "7 Jan 2026, 08:30 UTC"),
        ("Etc/UTC", 1, "7 Jan 2026, 08:30 UTC"),
    ],
)
def test_a_time_is_told_by_the_clock_of_the_place(zone: str, month: int, said: str) -> None:
    assert clocks.format_time(datetime(2026, month, 7, 8, 30, tzinfo=UTC), zone) == said


@pytest.mark.django_db
@pytest.mark.sqlite
def test_a_tournament_says_its_own_time_on_its_page_and_in_lists(client: Client) -> None:
    cup = desks.tournament(
        factories.actor(),
        starts_at=datetime(2031, 1, 7, 8, 30, tzinfo=UTC),
        timezone="Australia/Melbourne",
    )
    told = '<time datetime="2031-01-07T19:30:00+11:00" data-there>7 Jan 2031, 19:30 AEDT (Melb'
    for path in (cup.get_absolute_url(), "/tournaments/", "/"):
        assert told in client.get(path).content.decode(), path


@pytest.mark.django_db
@pytest.mark.sqlite
def test_a_closed_tournament_without_a_start_says_when_its_first_round_was_published(
    client: Client,
) -> None:
    cup = desks.tournament(timezone="Australia/Melbourne")
    at = cup.get_absolute_url()
    assert "first round" not in text_of(client.get(at))
    desks.played_out(cup)
    at_first = published_at(cup, cup.log.head_version)[1]
    told = clocks.format_time(at_first, cup.timezone)
    assert f"first round published {told}" in text_of(client.get(at))
    Tournament.objects.filter(pk=cup.pk).update(starts_at=datetime(2031, 1, 7, 8, tzinfo=UTC))
    assert "first round" not in text_of(client.get(at))


@pytest.mark.parametrize("name", ["localtime", "Factory", "posixrules", "Mars/Olymp ü", ""])
def test_a_zone_is_one_that_is_the_same_on_every_machine(name: str) -> None:
    with pytest.raises(BadInput, match=f"There is no time zone {name!r}."):
        require_timezone(name)
    assert {"UTC", "Europe/Berlin", "Japan"} < clocks.zones()


@pytest.mark.django_db
def test_what_is_opened_at_a_venue_goes_by_its_clock() -> None:
    by = factories.actor()
    with pytest.raises(BadInput, match="no time zone"):
        services.open_venue(by=by, name="Pit", timezone="Mars/Pit")
    venue = services.open_venue(by=by, name="Pit", timezone="Australia/Melbourne")
    client = signed_in(by.user)
    assert "Australia/Melbourne" in client.get(venue.get_absolute_url()).content.decode()
    stages = {"format": "swiss", "rounds": "0", "best_of": "1", "cut": "0"}
    form = {"title": "Cup", "game": "score", "cap": "0", "starts_at": "2031-01-07T19:30", **stages}
    there, berlin = "Australia/Melbourne", "Europe/Berlin"
    for place, said, zone, hour in (
        (venue, "", there, 8),
        (None, "", "UTC", 19),
        (None, "berlin", berlin, 18),
        (venue, berlin, berlin, 18),
    ):
        sent = form | {"venue": str(place.pk) if place else "", "timezone": said}
        assert client.post("/tournaments/new/", sent).status_code == 302
        cup = Tournament.objects.latest("created_at")
        assert (cup.timezone, cup.starts_at) == (zone, datetime(2031, 1, 7, hour, 30, tzinfo=UTC))
    assert desks.tournament(by, venue=venue, timezone="UTC").timezone == "UTC"


def test_a_city_alone_names_a_time_zone() -> None:
    field = ZoneField()
    for said, zone in (
        ("berlin", "Europe/Berlin"),
        ("New York", "America/New_York"),
        ("utc", "UTC"),
        ("europe/paris", "Europe/Paris"),
        ("Louisville", "Louisville"),  # there are two
        ("Atlantis", "Atlantis"),
    ):
        assert field.clean(said) == zone
