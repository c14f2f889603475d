"""Who may know and do what at tournaments: the matrix of `league/policy.py`."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User

from league import policy, services
from league.models import Entry, Krewe, Membership, Role, Tournament, Venue
from matches.actors import NOBODY, Actor
from matches.errors import NotFound
from matches.models import Player
from rules.desk.acts import ResultReported, RoundClosed, Ruled
from tests import factories
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

STRANGERS = {"visitor", "stranger", "member", "foreigner", "left"}
"""`member` only plays in the league, `foreigner` runs another one, `left` took the entry back."""
ENTRANTS = {"entrant", "captain", "crew"}
ORGANISERS = {"host", "helper", "opener", "site"}
RULERS = {*ORGANISERS, "judge", "umpire"}
OFFICIALS = {*RULERS, "keeper", "clerk"}
EVERYBODY = {*STRANGERS, *ENTRANTS, *OFFICIALS}
IN_LEAGUE = {
    "host": Role.ORGANISER, "judge": Role.JUDGE, "keeper": Role.SCOREKEEPER, "member": Role.PLAYER,
}  # fmt: skip
AT_CUP = {"helper": Role.ORGANISER, "umpire": Role.JUDGE, "clerk": Role.SCOREKEEPER}
SEEN = {"open": EVERYBODY, "hidden": {*ENTRANTS, *OFFICIALS}, "withdrawn": ORGANISERS}


class World:
    """A league with tournaments: one open, one for its entrants, one withdrawn, one closed."""

    def __init__(self) -> None:
        self.who = factories.cast(EVERYBODY)
        host = self.who["host"]
        self.league = desks.league(host)
        desks.league(self.who["foreigner"], name="Another")
        for who, role in IN_LEAGUE.items():
            Membership.objects.get_or_create(
                league=self.league, player=self.who[who].player, role=role
            )
        captain, crew = self.who["captain"].player, self.who["crew"].player
        self.krewe = Krewe.objects.create(league=self.league, name="Cinders", captain=captain)
        self.krewe.players.add(crew)
        self.venue = Venue.objects.create(name="Hall", slug="hall", keeper=crew)
        self.league.venue = self.venue
        self.league.save()
        self.cups = {
            "open": self.cup(),
            "hidden": self.cup(visibility="entrants", sign_up=False),
            "withdrawn": self.cup(),
        }
        self.alone = desks.tournament(self.who["opener"])
        services.withdraw(by=host, tournament=self.cups["withdrawn"])

    def cup(self, **details: Any) -> Tournament:
        cup = desks.tournament(self.who["host"], league=self.league, **details)
        Tournament.objects.filter(pk=cup.pk).update(opener=self.who["opener"].player)
        for who, role in AT_CUP.items():
            Membership.objects.create(tournament=cup, player=self.who[who].player, role=role)
        Entry.objects.create(tournament=cup, player=self.who["entrant"].player)
        Entry.objects.create(tournament=cup, krewe=self.krewe)
        left = self.who["left"].player
        Entry.objects.create(tournament=cup, player=left, status=Entry.TAKEN_BACK)
        return Tournament.objects.select_related("log", "league").get(pk=cup.pk)


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    with factories.built_once(World, django_db_blocker) as found:
        yield found


@pytest.mark.parametrize("who", sorted(EVERYBODY))
@pytest.mark.parametrize("cup", SEEN)
def test_pages_and_lists_agree_on_who_sees(world: World, cup: str, who: str) -> None:
    actor, found = world.who[who], world.cups[cup]
    told = policy.may_see(actor, found), policy.visible_tournaments(actor).contains(found)
    assert told == (who in SEEN[cup],) * 2


@pytest.mark.parametrize("who", sorted(EVERYBODY))
@pytest.mark.parametrize("cup", SEEN)
def test_whoever_rules_is_found_by_the_tournament_and_finds_it(
    world: World, cup: str, who: str
) -> None:
    actor, found = world.who[who], world.cups[cup]
    assert policy.may_rule(actor, found) is (who in RULERS)
    assert policy.ruled_among(actor, [found]) == ({found.pk} if who in RULERS else frozenset())
    listed = policy.ruled_tournaments(actor).contains(found)
    assert listed is (who in RULERS & SEEN[cup])
    asked = who in RULERS - {"site"}
    assert (actor.player is not None and policy.rulers_of(found).contains(actor.player)) is asked


@pytest.mark.parametrize(
    "require",
    [
        policy.require_see, policy.require_organise, policy.require_rule, policy.require_official,
        policy.require_verify, policy.require_open_like,
    ],
)  # fmt: skip
@pytest.mark.parametrize("who", sorted(EVERYBODY - SEEN["hidden"]))
def test_what_one_may_not_see_is_not_there(
    world: World, require: Callable[[Actor, Tournament], None], who: str
) -> None:
    with pytest.raises(NotFound):
        require(world.who[who], world.cups["hidden"])


def test_nobody_is_the_opener_of_a_tournament_whose_opener_is_gone(world: World) -> None:
    hidden = world.cups["hidden"]
    Tournament.objects.filter(pk=hidden.pk).update(opener=None)
    hidden = Tournament.objects.select_related("log", "league").get(pk=hidden.pk)
    for actor in (NOBODY, Actor(User())):
        assert not policy.visible_tournaments(actor).contains(hidden)
        assert not policy.ruled_tournaments(actor).contains(hidden)
        assert not policy.ruled_among(actor, [hidden])
        assert not policy.may_see(actor, hidden)


@pytest.mark.parametrize("who", sorted(EVERYBODY))
def test_whoever_asks_the_same_people_run_a_league(world: World, who: str) -> None:
    found = {row.player for row in policy.staff_of(world.who[who], world.league)}
    assert found == {world.who[each].player for each in ("host", "judge", "keeper")}


def test_a_signed_out_visitor_meets_people_with_an_account_and_guests_who_play_in_public(
    world: World,
) -> None:
    guests = {cup: Player.objects.create(name=f"Guest {cup}") for cup in SEEN}
    for cup, guest in guests.items():
        Entry.objects.create(tournament=world.cups[cup], player=guest)
        policy.require_met(world.who["stranger"], guest)
    for player in (guests["open"], world.who["stranger"].player):
        policy.require_met(NOBODY, player)
    for cup in ("hidden", "withdrawn"):
        with pytest.raises(NotFound):
            policy.require_met(NOBODY, guests[cup])


May = Callable[[Actor, World], bool]
CLOSE = RoundClosed(round=1)
RULING = Ruled(round=1, table=1, scores=(2, 0), note="")
RESULT = ResultReported(round=1, table=1, scores=(2, 0))


@pytest.mark.parametrize("who", sorted(EVERYBODY))
@pytest.mark.parametrize(
    ("may", "allowed"),
    [
        pytest.param(
            lambda a, w: policy.is_organiser(a, w.cups["open"]), ORGANISERS, id="organise"
        ),
        pytest.param(
            lambda a, w: policy.may_act(a, w.cups["open"], CLOSE), ORGANISERS, id="close-a-round"
        ),
        pytest.param(lambda a, w: policy.may_act(a, w.cups["open"], RULING), RULERS, id="rule"),
        pytest.param(lambda a, w: policy.may_act(a, w.cups["open"], RESULT), OFFICIALS, id="score"),
        pytest.param(
            lambda a, w: policy.audience(a, w.cups["open"]) == "officials", RULERS, id="secrets"
        ),
        pytest.param(
            lambda a, w: policy.may_record(a, w.cups["open"]), EVERYBODY - {"visitor"}, id="sign-up"
        ),
        pytest.param(
            lambda a, w: policy.may_record(a, w.cups["hidden"]),
            {*ENTRANTS, *OFFICIALS},
            id="record-where-nobody-signs-up",
        ),
        pytest.param(
            lambda a, w: policy.entry_of(a, w.cups["open"]) is not None, ENTRANTS, id="take-part"
        ),
        pytest.param(
            lambda a, w: policy.may_end_counting(a, w.cups["open"]), ORGANISERS, id="end-counting"
        ),
        pytest.param(
            lambda a, w: policy.may_open_like(a, w.cups["open"]), {"host", "site"}, id="open-like"
        ),
        pytest.param(
            lambda a, w: policy.may_open_like(a, w.alone),
            {"opener", "site"},
            id="open-like-one-of-no-league",
        ),
        pytest.param(lambda a, w: policy.may_run(a, w.league), {"host", "site"}, id="run"),
        pytest.param(lambda a, w: policy.may_run(a, None), {"site"}, id="run-no-league"),
        pytest.param(
            lambda a, w: policy.may_discipline(a, w.league),
            {"host", "judge", "site"},
            id="discipline",
        ),
        pytest.param(
            lambda a, w: policy.is_member(a, w.league), {*IN_LEAGUE}, id="be-of-the-league"
        ),
        pytest.param(
            lambda a, w: policy.may_lead(a, w.krewe), {"captain", "host", "site"}, id="lead"
        ),
        pytest.param(lambda a, w: policy.may_keep(a, w.venue), {"crew", "site"}, id="keep-a-venue"),
        pytest.param(
            lambda a, w: policy.kept_by(a).contains(w.venue), {"crew"}, id="keep-it-oneself"
        ),
        pytest.param(
            lambda a, w: policy.run_by(a).contains(w.league), {"host", "site"}, id="among-its-own"
        ),
        pytest.param(
            lambda a, w: policy.may_write(a), {"host", "foreigner", "site"}, id="write-of-places"
        ),
    ],
)
def test_everyone_does_exactly_what_the_matrix_says(
    world: World, may: May, allowed: set[str], who: str
) -> None:
    assert may(world.who[who], world) is (who in allowed)
