"""Who may see, record, rule and manage: everyone against every kind of match."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.db.models import prefetch_related_objects
from django.forms import model_to_dict
from django.test import RequestFactory

from matches import actors, audiences, errors, links, policy, selectors, services
from matches.actors import NOBODY, Actor
from matches.models import Log, Match, Player, Seat
from matches.services import SeatRequest
from tests import factories

pytestmark = pytest.mark.django_db


class World:
    """A match with everybody there is around it."""

    def __init__(self, **details: Any) -> None:
        self.opener, self.seat, self.official, self.stranger = (factories.actor() for _ in range(4))
        seats = [SeatRequest(player=self.seat.player), SeatRequest(name="Guest")]
        opened = factories.match(self.opener, seats=seats, **details)
        services.name_official(by=self.opener, match=opened, player=actors.player_of(self.official))
        self.match: Match = selectors.match_for(self.opener, opened.code)
        self.nobody = NOBODY
        self.link = Actor(AnonymousUser(), None, frozenset({(self.match.pk, 2)}))
        self.other_link = Actor(AnonymousUser(), None, frozenset({(uuid4(), 2)}))
        self.admin = actors.actor_for(User.objects.create_superuser(f"admin-{uuid4().hex[:8]}"))


SANCTIONED = {"sanctioned": True}
HIDDEN = {"visibility": "table"}
EVERYBODY = ["nobody", "stranger", "other_link", "link", "seat", "opener", "official", "admin"]
TABLE = ["link", "seat", "opener", "official", "admin"]


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize(
    ("may", "details", "allowed"),
    [
        pytest.param(policy.may_see, {}, EVERYBODY, id="see"),
        pytest.param(policy.may_see, HIDDEN, TABLE, id="see-hidden"),
        pytest.param(policy.may_record, {}, TABLE, id="record"),
        pytest.param(policy.may_record, SANCTIONED, TABLE, id="record-sanctioned"),
        pytest.param(policy.may_rule, {}, ["opener", "official", "admin"], id="rule"),
        pytest.param(policy.may_rule, SANCTIONED, ["official", "admin"], id="rule-sanctioned"),
        pytest.param(policy.may_manage, SANCTIONED, ["opener", "official", "admin"], id="manage"),
        pytest.param(policy.may_verify, {}, ["stranger", *TABLE], id="verify"),
        pytest.param(policy.may_verify, HIDDEN, TABLE, id="verify-hidden"),
        pytest.param(
            lambda actor, match: policy.may_erase(actor, match.seats.get(number=1).player),
            {},
            ["seat", "admin"],
            id="erase-the-first-player",
        ),
    ],
)
def test_everyone_sees_and_does_exactly_what_the_matrix_says(
    may: Callable[[Actor, Match], bool], details: dict[str, Any], allowed: list[str], who: str
) -> None:
    world = World(**details)
    assert may(getattr(world, who), world.match) is (who in allowed)


@pytest.mark.parametrize("who", [who for who in EVERYBODY if who not in TABLE])
def test_what_one_may_not_see_is_not_there(who: str) -> None:
    world = World(**HIDDEN)
    for require in (
        policy.require_see,
        policy.require_record,
        policy.require_rule,
        policy.require_manage,
        policy.require_verify,
    ):
        with pytest.raises(errors.NotFound):
            require(getattr(world, who), world.match)


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize(
    ("details", "allowed"),
    [({}, EVERYBODY), (HIDDEN, TABLE)],
    ids=["public", "hidden"],
)
def test_lists_and_pages_agree_on_who_sees(
    details: dict[str, Any], allowed: list[str], who: str
) -> None:
    world = World(**details)
    actor = getattr(world, who)
    assert policy.visible_matches(actor).filter(pk=world.match.pk).exists() is (who in allowed)
    if who in allowed:
        assert selectors.match_for(actor, world.match.code) == world.match
    else:
        with pytest.raises(errors.NotFound):
            selectors.match_for(actor, world.match.code)


@pytest.mark.parametrize("who", EVERYBODY)
def test_a_withdrawn_match_is_seen_by_those_who_manage_it(who: str) -> None:
    world = World()
    services.withdraw(by=world.opener, match=world.match)
    sees = who in ("opener", "official", "admin")
    actor = getattr(world, who)
    assert policy.may_see(actor, world.match) is sees
    assert policy.visible_matches(actor).filter(pk=world.match.pk).exists() is sees


def test_a_floor_above_may_let_others_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    judge = factories.actor()
    monkeypatch.setattr(
        User, "has_perm", lambda user, perm, on=None: (user, perm, on) == (
            judge.user, "matches.rule", world.match,
        ),
    )  # fmt: skip
    assert policy.may_rule(judge, world.match)
    assert not policy.may_rule(world.stranger, world.match)


def test_an_inactive_superuser_is_nobody() -> None:
    world = World(**HIDDEN)
    assert isinstance(world.admin.user, User)
    world.admin.user.is_active = False
    assert not policy.may_see(world.admin, world.match)


@pytest.mark.parametrize(
    ("who", "eyes"),
    [
        ("nobody", "public"), ("stranger", "public"), ("opener", "public"), ("seat", 1),
        ("link", 2), ("official", "officials"), ("admin", "officials"),
    ],
)  # fmt: skip
def test_everyone_sees_from_their_own_seat(who: str, eyes: Any) -> None:
    world = World()
    assert policy.audience(getattr(world, who), world.match) == eyes


def test_a_player_in_both_seats_sees_neither_hand() -> None:
    world = World()
    both = Actor(world.seat.user, world.seat.player, world.link.seats)
    assert policy.audience(both, world.match) == "public"


# -- recording --------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["nobody", "stranger", "other_link"])
def test_someone_not_at_the_table_cannot_record(who: str) -> None:
    world = World()
    with pytest.raises(errors.NotAllowed):
        factories.record(world.match, by=getattr(world, who))
    with pytest.raises(errors.NotAllowed):
        services.record_all(match=world.match, by=getattr(world, who), acts=[])


@pytest.mark.parametrize("who", TABLE)
def test_one_scribe_records_for_every_seat(who: str) -> None:
    world = World()
    for seat in (1, 2):
        assert factories.record(world.match, factories.points(seat), by=getattr(world, who))


@pytest.mark.parametrize(
    ("who", "details", "allowed"),
    [
        ("seat", {}, False), ("link", {}, False), ("opener", {}, True), ("official", {}, True),
        ("opener", SANCTIONED, False), ("official", SANCTIONED, True), ("admin", SANCTIONED, True),
    ],
)  # fmt: skip
def test_rulings_are_for_those_who_rule(who: str, details: dict[str, Any], allowed: bool) -> None:
    world = World(**details)
    ruling = {"type": "ruled", "result": "draw"}
    if allowed:
        factories.record(world.match, ruling, by=getattr(world, who), note="Time.")
    else:
        with pytest.raises(errors.NotAllowed) as refused:
            factories.record(world.match, ruling, by=getattr(world, who))
        assert refused.value.code == "officials-only"


def test_it_is_noted_who_recorded() -> None:
    world = World()
    guest = Player.objects.get(name="Guest")
    for by, player in ((world.seat, world.seat.player), (world.link, guest)):
        factories.record(world.match, by=by)
        entry = audiences.entries(world.match)[-1]
        assert entry.recorded_by == str(player.pk)


# -- links ------------------------------------------------------------------------------------


def visit(actor: Actor, session: SessionStore) -> Actor:
    request = RequestFactory().get("/")
    request.user = actor.user or AnonymousUser()
    request.session = session
    return actors.actor_of(request)


def test_a_link_seats_its_holder_until_it_is_replaced() -> None:
    world = World()
    seat = world.match.seats.get(number=2)
    request = RequestFactory().get("/")
    request.session = session = SessionStore()
    links.keep_seat(request, services.take_seat(by=NOBODY, token=services.seat_link(seat)))
    assert visit(NOBODY, session).seats == {(world.match.pk, 2)}
    services.replace_seat_link(by=world.opener, seat=seat)
    assert visit(NOBODY, session).seats == frozenset()


@pytest.mark.parametrize("token", ["", "x", "a" * 32 + ":x", "0:0", "\0", "ä"], ids=repr)
def test_a_forged_link_is_none(token: str) -> None:
    with pytest.raises(errors.NotFound) as refused:
        services.take_seat(by=NOBODY, token=token)
    assert refused.value.code == "bad-link"


def test_a_revoked_link_is_none() -> None:
    world = World()
    seat = world.match.seats.get(number=1)
    token = services.seat_link(seat)
    services.replace_seat_link(by=world.opener, seat=seat)
    with pytest.raises(errors.NotFound):
        services.take_seat(by=NOBODY, token=token)


def test_one_signed_in_takes_a_guests_seat_but_not_another_users() -> None:
    world = World()
    for number, player in ((1, world.seat.player), (2, world.stranger.player)):
        seat = world.match.seats.get(number=number)
        services.take_seat(by=world.stranger, token=services.seat_link(seat))
        assert world.match.seats.get(number=number).player == player


@pytest.mark.parametrize("who", ["stranger", "seat", "link"])
def test_players_do_not_manage(who: str) -> None:
    world = World()
    actor = getattr(world, who)
    player = actors.player_of(world.stranger)
    with pytest.raises(errors.NotAllowed):
        services.name_official(by=actor, match=world.match, player=player)
    with pytest.raises(errors.NotAllowed):
        services.replace_seat_link(by=actor, seat=world.match.seats.get(number=1))
    with pytest.raises(errors.NotAllowed):
        services.withdraw(by=actor, match=world.match)


def test_nobody_names_themselves_official_of_a_sanctioned_match() -> None:
    world = World(**SANCTIONED)
    player = actors.player_of(world.opener)
    with pytest.raises(errors.NotAllowed):
        services.name_official(by=world.opener, match=world.match, player=player)


# -- whose eyes -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "as_", "allowed"),
    [
        ("official", 1, True), ("official", "public", True), ("seat", 1, True),
        ("seat", "public", True), ("seat", 2, False), ("nobody", "public", True),
        ("nobody", 1, False), ("nobody", "officials", False), ("opener", 1, False),
    ],
)  # fmt: skip
def test_only_officials_can_take_another_viewpoint(who: str, as_: Any, allowed: bool) -> None:
    world = World()
    if allowed:
        assert selectors.cut(getattr(world, who), world.match, as_=as_) == (1, as_)
    else:
        with pytest.raises(errors.NotAllowed):
            selectors.cut(getattr(world, who), world.match, as_=as_)


def test_the_public_is_held_back_where_the_log_says_so() -> None:
    world = World()
    for _ in range(3):
        factories.record(world.match)
    world.match.log.public_version = 2
    assert selectors.shown_version(world.nobody, world.match) == 2
    assert selectors.shown_version(world.seat, world.match) == 4
    with pytest.raises(errors.NotFound):
        selectors.cut(world.nobody, world.match, at=3)


# -- what is read once ------------------------------------------------------------------------


def asked(user: User, method: str) -> Actor:
    request = RequestFactory().generic(method, "/")
    request.user = user
    return actors.actor_of(request)


def test_what_a_reader_is_is_read_once_in_a_request_that_only_reads() -> None:
    user, answers = factories.user(), iter(range(9))

    def twice(method: str) -> tuple[int, int]:
        actor = asked(user, method)
        read = partial(actors.remembered, actor, "anything", partial(next, answers))
        return read(), read()

    assert twice("GET") == (0, 0)
    assert twice("GET") == (1, 1)
    assert twice("POST") == (2, 3)
    assert actors.remembered(NOBODY, "anything", partial(next, answers)) == 4


def test_a_list_says_of_its_own_reader_alone_whether_they_officiate() -> None:
    match, official = factories.match(), factories.actor()
    assert official.player is not None
    match.officials.add(official.player)
    [listed] = selectors.matches_for(official)
    assert policy.is_official(official, listed)
    assert not policy.is_official(factories.actor(), listed)
    [listed] = selectors.matches_for(factories.actor())
    assert policy.is_official(official, listed)


def test_who_sits_there_comes_with_the_match(django_assert_num_queries: Any) -> None:
    seated, guest = factories.actor(), SeatRequest(name='Zoë "1/2" Ørn')
    opened = factories.match(by=seated, seats=[SeatRequest(player=seated.player_id), guest])
    Seat.objects.filter(match=opened, number=2).update(label="")
    found = selectors.match_for(factories.opener_of(opened), opened.code)
    kept = Seat.objects.filter(match=opened).select_related("player").order_by("number")

    with django_assert_num_queries(0):
        prefetch_related_objects([found], "seats__player")  # as who asks for several does
        seats = list(found.seats.all())
        assert all(seat.match is found for seat in seats)
        players = [seat.player for seat in seats]
    for seat, of_table in zip(seats, kept, strict=True):
        assert model_to_dict(seat) | {"id": seat.pk} == model_to_dict(of_table) | {"id": seat.pk}
        assert seat.link == of_table.link and type(seat.pk) is type(of_table.pk)
    assert players == [each.player for each in kept]
    with django_assert_num_queries(1):  # what is seldom asked is read then
        assert players[1] and players[1].created_at
    assert [seat.number for seat in found.seats.filter(number=2)] == [2]


def test_a_table_with_an_empty_seat_and_one_without_seats_come_along_too() -> None:
    opened = factories.match()
    seats = Seat.objects.filter(match=opened)
    seats.filter(number=1).update(player=None)
    first = next(iter(selectors.match_for(factories.opener_of(opened), opened.code).seats.all()))
    assert first.player is None
    seats.delete()
    found = selectors.match_for(factories.opener_of(opened), opened.code)
    assert list(found.seats.all()) == []


def test_a_list_of_matches_looks_through_all_of_them_once() -> None:
    """What else it asks of a match are indexes of whoever looks; PostgreSQL makes them once."""
    someone = factories.actor()
    for status in ("", Log.Status.OPEN, Log.Status.ENDED):
        seen = selectors.seen_by(someone)
        sql = str((selectors.of_status(seen, status) if status else seen).query)
        assert sql.count('FROM "matches_match"') == 1
        if connection.vendor == "postgresql":
            assert '"matches_match"."log_id" IN (SELECT U0."match_id"' not in sql
