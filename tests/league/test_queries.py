"""The number of a page's database queries does not grow with its content."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league import services
from tests import factories
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def test_a_circuit_of_many_tournaments_costs_no_more_queries(client: Client) -> None:
    by = factories.actor()
    league = desks.league(by)
    season = services.open_season(
        by=by, league=league, name="Spring", starts_on="2026-01-01", ends_on="2026-12-31"
    )
    circuit = services.open_circuit(by=by, season=season, name="Ring", points=[5, 3])
    counts = []
    for more in (1, 3):
        for _ in range(more):
            cup = desks.tournament(by, league=league, season=season)
            services.add_qualifier(by=by, circuit=circuit, tournament=cup)
        with CaptureQueriesContext(connection) as asked:
            assert client.get(circuit.get_absolute_url()).status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 6
