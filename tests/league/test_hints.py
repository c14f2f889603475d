"""Hints of things to check, shown only to those who may rule at a tournament."""

import pytest

from league import services
from league.models import Role
from tests import factories
from tests.api.client import Api, problem
from tests.factories import signed_in
from tests.html import squeezed
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def test_facts_are_told_to_who_rules_alone_with_their_entries() -> None:
    cup, (one, _) = desks.playing()
    scorer, judge = factories.actor(), factories.actor()
    for who, role in ((scorer, Role.SCOREKEEPER), (judge, Role.JUDGE)):
        assert who.player is not None
        by = desks.organiser(cup)
        services.name_member(by=by, tournament=cup, player=who.player, role=role)
    desks.play(cup, lambda table: (1, 1))
    desks.act(cup, "stage-ended", note="Late.")
    desks.act(cup, "cut-made", size=2)
    path = f"tournaments/{cup.code}/hints/"

    [told] = Api(judge).get(path).json()["results"]

    assert (told["code"], told["entrants"], told["rounds"]) == ("drew-into-cut", [1, 2], [1])
    for who in (one, scorer):
        problem(Api(who).get(path), 403, "officials-only")
    seen = {}
    for name, who in (("judge", judge), ("scorer", scorer)):
        client = signed_in(who.user)
        seen[name] = squeezed(client.get(f"/tournaments/{cup.code}/console/"))
    assert "1 thing to look at" in seen["judge"]
    assert f'href="?before={told["entries"][0] + 1}#log"' in seen["judge"]
    assert 'small">Log entry <a' in seen["judge"]
    assert "to look at" not in seen["scorer"]
