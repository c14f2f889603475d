"""Erasing someone who founded leagues and keeps venues: these no longer name them."""

from datetime import date
from uuid import uuid4

import pytest
from django.test import Client

from league import services
from league.models import League, Sanction, Venue
from matches import erasing
from matches.actors import Actor, actor_for, player_of
from matches.services import sign_up
from tests import factories
from tests.factories import signed_in
from tests.league import desks
from tests.matches.test_erasing import HANDLE, NAME, content, found

SURNAME = NAME.split()[1]


@pytest.fixture
def founder() -> Actor:
    return actor_for(sign_up(username=HANDLE, password=factories.PASSWORD, name=NAME))


def founded(by: Actor) -> League:
    """Return a league that names its founder wherever it can, run with somebody else."""
    venue = services.open_venue(
        by=by,
        name=f"{NAME} hall",
        region=f"{SURNAME} street",
        about=f"Ask {NAME}.",
        lore=NAME,
        house_rules=f"The wreck is {NAME}'s.",
    )
    league = services.found_league(
        by=by, name=f"{SURNAME} league", about=NAME, house_rules=f"Ask {NAME}.", venue=venue
    )
    season = services.open_season(
        by=by,
        league=league,
        name=f"{NAME} I",
        starts_on=date(2026, 3, 1),
        ends_on=date(2026, 6, 1),
        about=NAME,
        divisions=[f"{SURNAME} top"],
    )
    services.open_circuit(by=by, season=season, name=f"{NAME} ring", points=[1], about=NAME)
    services.write_text(by=by, place="luna", league=league, title=NAME, text=f"By {NAME}.")
    cup = desks.tournament(
        by,
        title="Cup",
        league=league,
        venue=venue,
        cost_class=SURNAME,
        stages=[{**desks.SWISS, "name": f"{SURNAME} rounds"}],
    )
    services.promise_prize(by=by, tournament=cup, place=1, line=f"{NAME}'s dice")
    desks.entered(cup, 2)
    desks.start(cup)
    desks.paired(cup)
    services.open_table(tournament=cup, by=by, number=1, table=1)
    other = factories.actor()
    services.join(by=other, league=league)
    services.sanction(
        by=by, league=league, player=other.player, kind="exile", reason=f"Rude to {NAME}."
    )
    return league


@pytest.mark.django_db(transaction=True)
def test_what_a_founder_founded_names_them_no_more(founder: Actor) -> None:
    league = founded(founder)
    assert found(content())
    erasing.erase(by=founder, player=founder.player)
    assert found(content()) == []
    league.refresh_from_db()
    tail = league.pk.hex[-8:]
    assert (league.name, league.slug, league.about) == (f"League {tail}", f"league-{tail}", "")
    venue = Venue.objects.get()
    match = league.tournaments.get().matches.get().match
    assert match.place == f"{venue.name}, table 1"
    assert Sanction.objects.get().reason == ""


@pytest.mark.django_db
def test_what_others_run_on_is_renamed_only_where_it_names_the_founder_in_full(
    founder: Actor,
) -> None:
    named = services.found_league(by=founder, name=f"{SURNAME} league", about=f"Ask {NAME}.")
    other = factories.actor()
    services.name_member(by=founder, league=named, player=other.player, role="organiser")
    erasing.erase(by=founder, player=founder.player)
    named.refresh_from_db()
    assert (named.name, named.about) == (f"{SURNAME} league", "")


@pytest.mark.django_db
def test_what_others_founded_or_what_names_nobody_stays(founder: Actor) -> None:
    other = factories.actor()
    theirs = services.found_league(by=other, name=f"{NAME} memorial", about=NAME)
    services.name_member(by=other, league=theirs, player=founder.player, role="organiser")
    own = services.found_league(by=founder, name="Rim league", about="Bring dice.")
    hall = services.open_venue(by=founder, name="Dock", about=f"Ask {NAME}.")
    erasing.erase(by=founder, player=founder.player)
    for row in (theirs, own, hall):
        row.refresh_from_db()
    assert (theirs.name, theirs.about) == (f"{NAME} memorial", NAME)
    assert (own.name, own.slug, own.about) == ("Rim league", "rim-league", "Bring dice.")
    assert (hall.name, hall.slug, hall.about) == ("Dock", "dock", "")


@pytest.mark.django_db
def test_who_runs_something_alone_is_told_before_they_are_erased(founder: Actor) -> None:
    league = founded(founder)
    services.found_league(by=founder, name="Shared")
    over = desks.tournament(founder, title="Over", league=league)
    desks.act(over, "tournament-closed", irregular=True)
    assert founder.player is not None and founder.user is not None
    alone = {league.name, "Shared", "Cup"}
    assert set(erasing.extent_of(founder.player)["alone"]) == alone
    client = signed_in(founder.user)
    assert "Nobody else runs:" in client.get("/me/erase/").content.decode()
    other = factories.actor()
    services.name_member(by=founder, league=league, player=other.player, role="organiser")
    assert erasing.extent_of(founder.player)["alone"] == ["Shared"]


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["", "standings/", "rounds/1/"])
def test_a_page_that_is_followed_drops_the_name(page: str) -> None:
    """Nothing was recorded; whoever has the page open gets it anew all the same."""
    cup, named = desks.tournament(), factories.actor("yowuya")
    services.enter(tournament=cup, by=named, act_id=uuid4())
    desks.entered(cup, 3)
    desks.start(cup)
    desks.paired(cup)
    path = f"{cup.get_absolute_url()}{page}?part=live"
    before = Client().get(path)
    assert b"yowuya" in before.content
    tagged = {"If-None-Match": before["ETag"]}
    assert Client().get(path, headers=tagged).status_code == 304
    erasing.erase(by=named, player=player_of(named))
    after = Client().get(path, headers=tagged)
    assert (after.status_code, b"yowuya" in after.content) == (200, False)
