"""The demo's season, played by bots through the services."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from deploy.demo import season
from league import chronicle, desks, services
from league.models import Circuit, Division, League, PlaceText, Tournament, Venue
from matches.actors import Actor
from tests import factories

pytestmark = pytest.mark.django_db


def company() -> list[Actor]:
    return [factories.actor(name) for name in ("organiser", "marshal", *"abcdef")]


def heads() -> dict[Any, int]:
    return dict(Tournament.objects.values_list("pk", "log__head_version"))


def record(cup: Tournament, by: Actor, *acts: dict[str, Any]) -> None:
    for act in acts:
        cup.log.refresh_from_db()
        services.record(tournament=cup, by=by, act_id=uuid4(), act=act)


def test_three_qualifiers_lead_to_a_final_in_its_semi_finals_and_a_second_run_adds_nothing(
    client: Client,
) -> None:
    people = company()
    season.load(people)
    before = heads()
    final = Tournament.objects.get(title="Dark Side Tournament")
    tables = desks.desk_of(final).rounds[0].tables
    assert sorted(table.status for table in tables) == ["open", "settled"]
    assert final.matches.count() == 1
    assert Tournament.objects.exclude(closed_at=None).count() == 3
    assert Venue.objects.count() == 4
    assert [*Division.objects.values_list("up", "down", "play_off")] == [(1, 1, 1)] * 2
    assert len(services.qualified(Circuit.objects.get())) == 4
    texts = PlaceText.objects.order_by("when")
    assert [bool(each.when) for each in texts] == [False, True, True]
    page = client.get("/lore/luna/").content.decode()
    assert "A hall for Tycho" in page
    assert "March 2097" in page
    renamed = texts[0]
    chronicle.edit_text(by=people[0], of=renamed, version=renamed.version, title="Lamps")
    season.load(people)
    assert PlaceText.objects.count() == 3
    assert heads() == before


@pytest.mark.sqlite  # as the demo is
def test_what_people_did_with_it_is_left_alone() -> None:
    people = company()
    by = people[0]
    season.load(people)
    final = Tournament.objects.get(title="Dark Side Tournament")
    table = next(each for each in desks.desk_of(final).rounds[0].tables if each.status == "open")
    said = {"round": 1, "table": table.number, "scores": [2, 0]}
    record(final, by, {"type": "result-reported", **said}, {"type": "round-closed", "round": 1})
    final.log.refresh_from_db()
    services.pair(tournament=final, by=by, act_id=uuid4())
    tycho = Tournament.objects.get(title="Tycho Open")
    services.take_back(tournament=tycho, by=by, act_id=uuid4(), to=tycho.log.head_version - 1)
    Tournament.objects.filter(title="Space Gun Pods").update(title="Renamed")
    League.objects.update(name="Renamed")
    Venue.objects.update(name="Renamed")
    before = heads()

    season.load(people)

    assert heads() == before
    assert (League.objects.count(), Venue.objects.count()) == (1, 4)


@pytest.mark.sqlite  # as the demo is
def test_what_people_named_alike_is_not_its_own() -> None:
    people = company()
    league = services.found_league(by=people[1], name=season.LEAGUE)
    venue = services.open_venue(by=people[1], name="Luna")
    cup = services.open_tournament(by=people[0], title="Tycho Open", ruleset="score")

    season.load(people)

    assert heads()[cup.pk] == 1
    assert Tournament.objects.filter(title="Tycho Open").count() == 2
    assert not league.tournaments.exists()
    assert not venue.tournaments.exists()


@pytest.mark.sqlite  # as the demo is
def test_one_that_was_cut_off_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    people = company()
    record, left = services.record, iter(range(40))

    def cut_off(**asked: Any) -> Any:
        next(left)
        return record(**asked)

    with monkeypatch.context() as patch, pytest.raises(StopIteration):
        patch.setattr(services, "record", cut_off)
        season.load(people)
    season.load(people)

    assert Tournament.objects.exclude(closed_at=None).count() == 3
    assert Tournament.objects.get(title=season.FINAL).matches.count() == 1
