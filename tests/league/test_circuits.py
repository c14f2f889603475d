"""Circuits and divisions as different people see them."""

from datetime import date

import pytest
from django.test import Client

from league import services
from matches.followers import work
from matches.policy import Actor
from tests import factories
from tests.api.client import Api
from tests.league import desks

pytestmark = pytest.mark.django_db


def test_a_circuit_tells_nobody_of_a_tournament_they_may_not_see() -> None:
    by = factories.actor()
    league = services.found_league(by=by, name="Drift")
    days = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    season = services.open_season(by=by, league=league, name="One", **days)
    circuit = services.open_circuit(by=by, season=season, name="Dust", points=[10, 6])
    for title, visibility in (("Open Cup", "public"), ("Secret Cup", "entrants")):
        cup = desks.tournament(by, league=league, season=season, title=title, visibility=visibility)
        desks.played_out(cup)
        services.add_qualifier(by=by, circuit=circuit, tournament=cup)
        work(cup.pk)

    def told(who: Actor | None) -> tuple[list[str], int]:
        answer = Api(who).get(f"circuits/{circuit.pk}/").json()
        return [each["title"] for each in answer["qualifiers"]], len(answer["table"])

    assert told(None) == (["Open Cup"], 4)
    assert told(by) == (["Open Cup", "Secret Cup"], 8)
    for path in (f"/circuits/{circuit.pk}/", f"/seasons/{season.pk}/", f"/leagues/{league.slug}/"):
        assert b"Secret Cup" not in Client().get(path).content
