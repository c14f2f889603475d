"""Roles: granted and revoked by organisers, with a history, and their permissions."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from league import roles, selectors, services
from league.models import Membership, Role, Tournament
from matches.actors import actor_for
from matches.errors import BadInput, Conflict, NotAllowed
from matches.models import Player
from tests import factories
from tests.api.client import Api, problem
from tests.factories import signed_in
from tests.league import desks

pytestmark = pytest.mark.django_db


def test_an_account_without_a_player_organises_no_tournament_whose_opener_is_gone() -> None:
    host = factories.actor("host")
    cup = desks.tournament(host)
    assert [*selectors.organised_by(host)] == [cup]
    Tournament.objects.update(opener=None)
    root = User.objects.create_superuser("root")
    assert [*selectors.organised_by(actor_for(root))] == []


def changes(thing: object) -> list[tuple[str, str, bool, str]]:
    found = thing.role_changes.order_by("pk")
    return [(each.player.name, each.role, each.given, each.by.name) for each in found]


def test_a_league_s_roles_are_given_and_taken_on_its_page_and_it_is_kept_who_did() -> None:
    host, judge = factories.actor("host"), factories.actor("judge")
    league = desks.league(host)
    client = signed_in(host.user)
    at = f"/leagues/{league.slug}/roles/"
    client.post(at, {"username": "judge", "role": "judge"})
    assert "zMarshal" in client.get(at).content.decode()
    assert client.post(at, {"username": "nobody", "role": "judge"}).status_code == 400
    member = Membership.objects.get(player=judge.player)
    stranger = Client()
    assert stranger.get(at).status_code == 403
    stranger.force_login(judge.user)
    assert stranger.post(f"{at}{member.pk}/end/").status_code == 403
    assert client.post(f"{at}{member.pk}/end/").status_code == 302
    assert changes(league) == [
        ("host", "organiser", True, "host"),
        ("judge", "judge", True, "host"),
        ("judge", "judge", False, "host"),
    ]
    mine = Membership.objects.get(player=host.player)
    assert client.post(f"{at}{mine.pk}/end/").status_code == 409  # the last organiser
    assert len(changes(league)) == 3


def test_a_role_at_one_tournament_is_given_by_its_organisers_alone() -> None:
    host, keeper = factories.actor("host"), factories.actor("keeper")
    cup = desks.tournament(host)
    client = signed_in(host.user)
    at = f"/tournaments/{cup.code}/roles/"
    assert client.post(at, {"username": "keeper", "role": "player"}).status_code == 400
    client.post(at, {"username": "keeper", "role": "scorekeeper"})
    assert isinstance(keeper.player, Player)
    with pytest.raises(NotAllowed):
        roles.name_member(by=keeper, player=keeper.player, role=Role.JUDGE, tournament=cup)
    member = Membership.objects.get()
    other = desks.tournament(host)
    assert client.post(f"/tournaments/{other.code}/roles/{member.pk}/end/").status_code == 404
    assert client.post(f"{at}{member.pk}/end/").status_code == 302
    assert [each[2] for each in changes(cup)] == [True, False]


def test_a_league_that_takes_no_players_is_not_joined() -> None:
    host, player = factories.actor(), factories.actor()
    league = desks.league(host)
    services.edit_league(by=host, league=league, is_open=False)
    with pytest.raises(Conflict) as refused:
        services.join(by=player, league=league)
    assert refused.value.code == "closed"
    with pytest.raises(BadInput) as unknown:
        roles.name_member(by=host, player=player.player, role="king", league=league)
    assert (unknown.value.code, unknown.value.where) == ("unknown-value", "$.role")
    assert not league.members.filter(player=player.player).exists()
    gone = {"player": str(player.player_id), "role": "judge"}
    problem(Api(host).post(f"leagues/{league.slug}/members/end/", gone), 404, "no-such-role")


def test_who_has_a_role_already_is_not_noted_twice_and_joining_is() -> None:
    host, player = factories.actor("host"), factories.actor("player")
    league = desks.league(host)
    for _ in range(2):
        services.join(by=player, league=league)
    assert changes(league)[1:] == [("player", "player", True, "player")]
    services.dismiss(by=player, member=Membership.objects.get(player=player.player))
    assert changes(league)[-1] == ("player", "player", False, "player")
    with pytest.raises(Conflict):
        services.dismiss(by=host, member=Membership.objects.get())
