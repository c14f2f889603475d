"""Claiming guests by link: what moves, who may, only once, and undoing it."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from characters import cards
from characters import services as characters
from characters.models import Card, CardSet, Character
from league import divisions
from league import services as leagues
from league.models import Entry, League, Membership, Rating, RatingStep, Role, Tournament
from matches import claiming, erasing, followers, narration, selectors, services
from matches.actors import Actor
from matches.errors import Conflict, Gone, NotAllowed, NotFound, Refused
from matches.models import Claim, Event, Match, Player, Seat
from tests import factories
from tests.api.client import Api, problem
from tests.factories import client_of
from tests.html import squeezed
from tests.league import desks
from tests.prove import crowd

pytestmark = pytest.mark.django_db


@pytest.fixture
def host() -> Actor:
    return factories.actor("host")


@pytest.fixture
def guest(host: Actor) -> Player:
    return services.add_guest(by=host, name="Rim Walker")


@pytest.fixture
def me() -> Actor:
    return factories.actor("me")


def sat(host: Actor, *players: Player | None, **details: Any) -> Match:
    seats = [services.SeatRequest(player=player) for player in players]
    return factories.match(host, seats=[*seats, services.SeatRequest()], **details)


def link(host: Actor, guest: Player) -> str:
    return claiming.token_of(services.offer_claim(by=host, guest=guest))


# -- what moves ---------------------------------------------------------------------------


def test_all_that_names_the_guest_names_the_account_and_no_event_is_touched(
    host: Actor, guest: Player, me: Actor
) -> None:
    match = sat(host, guest)
    match.officials.add(guest)
    factories.record(match, by=Actor(player=guest))
    sheet = characters.create(by=host, name="Ada")
    Character.objects.filter(pk=sheet.pk).update(owner=guest)
    before = list(Event.objects.values())
    claim = services.claim(by=me, token=link(host, guest))
    assert list(Event.objects.values()) == before
    assert Seat.objects.get(match=match, number=1).player == me.player
    assert list(match.officials.all()) == [me.player]
    assert Character.objects.get().owner == me.player
    guest.refresh_from_db()
    assert (guest.name, guest.claimed_by) == ("Rim Walker", me.player)
    assert (claim.made_by, claim.taken_by) == (host.player, me.player)
    assert claiming.parts_of(guest) == []
    match = selectors.match_for(host, match.code)
    teller = narration.narrator(match, selectors.timeline(match), "public")
    assert teller.rows[2].by == "me"  # recorded under the guest's id


def test_no_column_that_names_a_player_is_forgotten() -> None:
    every = {
        (relation.related_model._meta.label, relation.field.name)
        for relation in Player._meta.get_fields(include_hidden=True)
        if relation.one_to_many
    }
    moved = {(each.related_model._meta.label, each.field.name) for each in claiming._relations()}
    computed = {("league.Rating", "player"), ("league.RatingStep", "player")}
    claims = {("matches.Claim", name) for name in ("guest", "made_by", "taken_by", "undone_by")}
    assert every - moved == computed | claims


def test_ratings_are_rated_again_and_back(host: Actor, me: Actor) -> None:
    cup = desks.tournament(host)
    guest = desks.entered(cup, 4)[0].player
    assert guest is not None
    desks.start(cup)
    desks.paired(cup)
    desks.play(cup)
    followers.work(cup.pk)
    was = Rating.objects.get(player=guest)
    services.claim(by=me, token=link(host, guest))
    followers.work(cup.pk)
    now = Rating.objects.get(player=me.player)
    assert (now.mu, now.sigma) == (was.mu, was.sigma)
    assert not RatingStep.objects.filter(player=guest).exists()
    services.undo_claim(by=host, guest=guest)
    followers.work(cup.pk)
    assert not Rating.objects.filter(player=me.player).exists()
    assert Rating.objects.get(player=guest).mu == was.mu


def test_what_the_account_already_has_is_not_doubled_and_an_undo_restores_it(
    host: Actor, guest: Player, me: Actor
) -> None:
    league = leagues.found_league(by=host, name="League")
    for player in (guest, me.player):
        Membership.objects.create(league=league, player=player, role=Role.PLAYER)
    Membership.objects.create(league=league, player=guest, role=Role.JUDGE)
    grip = {"game": "zg", "data": {"name": "Grip", "slot": "Claw"}, "card_set": "My cards"}
    for owner in (me, factories.actor("other")):
        cards.add(by=owner, **grip)
    for each in (CardSet, Card):
        each.objects.exclude(owner=me.player).update(owner=guest)
    services.claim(by=me, token=link(host, guest))
    mine = Membership.objects.filter(player=me.player).values_list("role", flat=True)
    assert sorted(mine) == [Role.JUDGE, Role.PLAYER]
    assert not Membership.objects.filter(player=guest).exists()
    owners = Card.objects.values_list("owner", "card_set__owner")
    assert set(owners) == {(me.player_id, me.player_id)}
    assert len(owners) == 2, "two sets of one name keep the cards of both"
    services.undo_claim(by=me, guest=guest)
    assert set(owners.all()) == {(each, each) for each in (me.player_id, guest.pk)}
    again = Membership.objects.filter(player=guest).values_list("role", flat=True)
    assert sorted(again) == [Role.JUDGE, Role.PLAYER]
    assert Membership.objects.get(player=me.player).role == Role.PLAYER
    assert League.objects.get() == league


@pytest.mark.parametrize("claimed_first", [True, False])
def test_a_claim_does_not_restore_a_revoked_role(
    host: Actor, guest: Player, me: Actor, claimed_first: bool
) -> None:
    league = leagues.found_league(by=host, name="League")
    assert me.player is not None
    for player in (guest, me.player):
        leagues.name_member(by=host, player=player, role=Role.ORGANISER, league=league)
    if claimed_first:
        services.claim(by=me, token=link(host, guest))
    mine = Membership.objects.get(player=me.player)
    leagues.dismiss(by=host, member=mine)
    if claimed_first:
        services.undo_claim(by=me, guest=guest)
        assert not guest.memberships.exists()
    services.claim(by=me, token=link(host, guest))
    services.undo_claim(by=me, guest=guest)
    assert [each.player for each in league.members.all()] == [host.player]
    if not claimed_first:
        assert not league.role_changes.filter(player=guest).order_by("-pk")[0].given


def test_what_went_on_after_a_claim_stays_with_the_account(
    host: Actor, guest: Player, me: Actor
) -> None:
    match = sat(host, guest)
    services.claim(by=me, token=link(host, guest))
    later = sat(host, me.player)
    claim = services.undo_claim(by=host, guest=guest)
    assert claim.undone_by == host.player
    assert Seat.objects.get(match=match, number=1).player == guest
    assert Seat.objects.get(match=later, number=1).player == me.player
    services.claim(by=me, token=link(host, guest))  # it can be claimed again
    assert guest.claims.exclude(taken_at=None).count() == 2


def test_erasing_an_account_erases_its_claimed_guests(
    host: Actor, guest: Player, me: Actor
) -> None:
    sat(host, guest)
    services.claim(by=me, token=link(host, guest))
    assert me.player is not None
    services.erase(by=me, player=me.player)
    assert not Player.objects.filter(name="Rim Walker").exists()
    assert not Claim.objects.exists()


# -- what is refused ----------------------------------------------------------------------


def test_two_who_sat_at_one_table_are_not_the_same_person(
    host: Actor, guest: Player, me: Actor
) -> None:
    match = sat(host, guest, me.player)
    with pytest.raises(Conflict, match="both sat"):
        services.claim(by=me, token=link(host, guest))
    assert Seat.objects.get(match=match, number=1).player == guest
    page = client_of(me).get(f"/claim/{link(host, guest)}/")
    assert "both sat" in page.content.decode()
    assert "Yes, put it on my record" not in page.content.decode()


def test_two_who_entered_one_tournament_are_not_the_same_person(host: Actor, me: Actor) -> None:
    cup = desks.tournament(host)
    guest = desks.entered(cup, 1)[0].player
    assert guest is not None
    leagues.enter(tournament=cup, by=me, act_id=uuid4())
    with pytest.raises(Conflict, match="both take part in Cup"):
        services.claim(by=me, token=link(host, guest))
    page = squeezed(client_of(me).get(f"/claim/{link(host, guest)}/"))
    assert "An organiser can drop one of two entries that has sat at no table yet" in page


def test_guests_who_played_elsewhere_add_up_with_an_account_that_played(
    host: Actor, me: Actor
) -> None:
    """As where a player who signed up later was entered as somebody new each week."""
    league = desks.league(host)
    days = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    season = leagues.open_season(by=host, league=league, name="One", divisions=["A"], **days)
    division = season.divisions.get()
    guests = [services.add_guest(by=host, name="Ann") for _ in range(2)]
    tables = [sat(host, player) for player in (*guests, me.player)]
    for player in (*guests, me.player):
        leagues.place(by=host, division=division, player=player)
        desks.stand(division, [player])
    before = len(divisions.division_table(division))
    for guest in guests:
        services.claim(by=me, token=link(host, guest))
    assert {match.seats.get(number=1).player for match in tables} == {me.player}
    [row] = divisions.division_table(division)
    assert (before, row.player) == (3, me.player)
    services.undo_claim(by=me, guest=guests[0])
    assert len(divisions.division_table(division)) == 2


def leave(cup: Tournament, how: str) -> None:
    """Let the first entrant go, who has sat at no table."""
    if how == "dropped":
        desks.act(cup, "dropped", entrant=1)
    else:
        leagues.take_back(tournament=cup, by=desks.organiser(cup), act_id=uuid4(), to=1)


@pytest.mark.parametrize("how", ["taken back", "dropped"])
def test_a_guest_whose_entry_is_void_is_claimed_by_a_later_entrant(
    how: str, host: Actor, me: Actor
) -> None:
    cup = desks.tournament(host)
    entry = desks.entered(cup, 1)[0]
    assert entry.player is not None
    leave(cup, how)
    own = leagues.enter(tournament=cup, by=me, act_id=uuid4())
    followers.work(cup.pk)
    services.claim(by=me, token=link(host, entry.player))
    kept = {each.pk: each.player for each in cup.entries.all()}
    assert kept == {entry.pk: entry.player, own.pk: me.player}
    if how == "dropped":
        with pytest.raises(Conflict, match="me is entered already"):
            desks.act(cup, "returned", entrant=1)
    services.undo_claim(by=host, guest=entry.player)
    assert {each.pk: each.player for each in cup.entries.all()} == kept


@pytest.mark.parametrize("how", ["taken back", "dropped"])
def test_a_player_whose_entry_is_void_claims_a_guest_in_the_tournament(
    how: str, host: Actor, me: Actor
) -> None:
    cup = desks.tournament(host)
    own = leagues.enter(tournament=cup, by=me, act_id=uuid4())
    leave(cup, how)
    entry = desks.entered(cup, 1)[0]
    guest = entry.player
    assert guest is not None
    followers.work(cup.pk)

    services.claim(by=me, token=link(host, guest))
    kept = {each.pk: each.player for each in cup.entries.all()}
    assert kept == {entry.pk: me.player, own.pk: guest}
    services.undo_claim(by=host, guest=guest)
    kept = {each.pk: each.player for each in cup.entries.all()}
    assert kept == {entry.pk: guest, own.pk: me.player}


def test_players_who_entered_with_different_krewes_are_not_the_same_person(
    host: Actor, me: Actor
) -> None:
    home = desks.league(host)
    guest = desks.entered(desks.tournament(host, league=home, title="Before"), 1)[0].player
    assert guest is not None
    cup = desks.tournament(host, league=home, enters="krewe")
    mate = factories.actor()
    for captain, name in ((me, "Cinders"), (mate, "Drift")):
        leagues.join(by=captain, league=home)
        krewe = leagues.make_krewe(by=captain, league=home, name=name)
        leagues.enter(tournament=cup, by=host, act_id=uuid4(), krewe=krewe)
    krewe.players.add(guest)
    with pytest.raises(Conflict, match="both take part in Cup"):
        services.claim(by=me, token=link(host, guest))


@pytest.mark.parametrize(
    ("how", "refusal", "code"),
    [
        ("used", Conflict, "claimed"),
        ("replaced", NotFound, "bad-link"),
        ("over", Gone, "link-over"),
        ("forged", NotFound, "bad-link"),
        ("of a seat", NotFound, "bad-link"),
    ],
)
def test_a_link_serves_once_and_for_a_time(
    host: Actor, guest: Player, me: Actor, how: str, refusal: type[Refused], code: str
) -> None:
    token = link(host, guest)
    match how:
        case "used":
            services.claim(by=factories.actor(), token=token)
        case "replaced":
            services.offer_claim(by=host, guest=guest)
        case "over":
            Claim.objects.update(expires_at=timezone.now())
        case "forged":
            token = token[:-1] + ("A" if token[-1] != "A" else "B")
        case "of a seat":
            token = services.seat_link(sat(host, guest).seats.get(number=1))
    with pytest.raises(refusal) as refused:
        services.claim(by=me, token=token)
    assert refused.value.code == code
    assert not guest.seats.filter(player=me.player).exists()
    page = client_of(me).get(f"/claim/{token}/")
    assert page.status_code == refusal.status
    problem(Api(me).get(f"claims/{token}/"), refusal.status, code)
    problem(Api(me).post(f"claims/{token}/", {}), refusal.status, code)


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_wins() -> None:
    host = factories.actor()
    guest = services.add_guest(by=host, name="Rim Walker")
    match = sat(host, guest)
    token = link(host, guest)
    all_of_them = [factories.actor() for _ in range(crowd.WRITERS)]

    def take(_: int, writer: int) -> Any:
        return services.claim(by=all_of_them[writer], token=token)

    answers: list[Any] = crowd.rounds(take, 1)[0]
    (won,) = [each for each in answers if isinstance(each, Claim)]
    assert {each.code for each in answers if isinstance(each, Refused)} == {"claimed"}
    assert Seat.objects.get(match=match, number=1).player == won.taken_by


@pytest.mark.django_db(transaction=True)
def test_of_two_guests_of_one_table_taken_at_once_one_is_the_same_person() -> None:
    host, me = factories.actor(), factories.actor()
    guests = [services.add_guest(by=host, name=name) for name in ("Rim Walker", "Ring Walker")]
    match = sat(host, *guests)
    tokens = [link(host, each) for each in guests]

    def take(_: int, writer: int) -> Any:
        return services.claim(by=me, token=tokens[writer % 2])

    answers: list[Any] = crowd.rounds(take, 1)[0]
    assert len([each for each in answers if isinstance(each, Claim)]) == 1
    assert {each.code for each in answers if isinstance(each, Refused)} == {"claimed", "met"}
    assert Seat.objects.filter(match=match, player=me.player).count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql  # on SQLite one transaction writes at a time
@pytest.mark.parametrize("erased_first", [True, False])
def test_of_a_claim_and_an_erasure_at_once_the_second_finds_what_the_first_left(
    erased_first: bool,
) -> None:
    host, me = factories.actor(), factories.actor()
    guest = services.add_guest(by=host, name="Rim Walker")
    token = link(host, guest)
    assert me.player is not None

    def claim() -> None:
        services.claim(by=me, token=token)

    def erase() -> None:
        erasing.erase(by=me, player=Player.objects.get(user=me.user))

    def second() -> None:
        with closing(connection):
            (claim if erased_first else erase)()

    with ThreadPoolExecutor(1) as other, transaction.atomic():
        (erase if erased_first else claim)()
        waiting = other.submit(second)
        with suppress(TimeoutError):
            waiting.result(timeout=0.5)
    refused = waiting.exception()
    guest.refresh_from_db()
    assert guest.claimed_by is None
    assert guest.name == ("Rim Walker" if erased_first else erasing.NAMELESS)
    assert isinstance(refused, NotAllowed) == erased_first


def test_a_claim_is_undone_for_two_weeks(host: Actor, guest: Player, me: Actor) -> None:
    services.claim(by=me, token=link(host, guest))
    with pytest.raises(NotAllowed):
        services.undo_claim(by=factories.actor(), guest=guest)
    Claim.objects.update(taken_at=timezone.now() - claiming.BACK - timedelta(minutes=1))
    with pytest.raises(Gone):
        services.undo_claim(by=me, guest=guest)


# -- who hands the link out ---------------------------------------------------------------


def test_opening_a_match_with_a_guest_is_not_enough_to_claim_them(
    host: Actor, guest: Player
) -> None:
    """Anybody can open a match or a tournament with anybody in it, and name anybody organiser."""
    thief = factories.actor("thief")
    own = desks.tournament(thief)
    leagues.enter(tournament=own, by=thief, act_id=uuid4(), player=guest)
    assert host.player is not None
    leagues.name_member(by=thief, player=host.player, role=Role.ORGANISER, tournament=own)
    seat = sat(thief, guest).seats.get(number=1)
    linked = Actor(thief.user, thief.player, frozenset({(seat.match_id, 1)}))
    for actor in (thief, linked, Actor()):
        with pytest.raises(NotAllowed):
            services.offer_claim(by=actor, guest=guest)


def test_the_holder_of_the_guests_seat_link_may_claim(host: Actor, guest: Player) -> None:
    match = sat(host, guest)
    holder = client_of()
    holder.post(f"/j/{services.seat_link(match.seats.get(number=1))}/")
    assert f"/players/{guest.pk}/claim/" in holder.get(f"/j/{match.code}/").content.decode()
    assert holder.post(f"/players/{guest.pk}/claim/").status_code == 302
    other = client_of()
    other.post(f"/j/{services.seat_link(match.seats.get(number=2))}/")
    assert other.get(f"/players/{guest.pk}/claim/").status_code == 403


def test_another_organiser_of_the_guests_tournament_may_offer_a_claim(host: Actor) -> None:
    cup = desks.tournament(host)
    guest = desks.entered(cup, 1)[0].player
    beside = factories.actor()
    assert guest is not None
    assert beside.player is not None
    leagues.name_member(by=host, player=beside.player, role=Role.ORGANISER, tournament=cup)
    assert services.offer_claim(by=beside, guest=guest)


# -- a guest who was added twice ------------------------------------------------------------


@pytest.fixture
def double(host: Actor) -> Player:
    return services.add_guest(by=host, name="R. Walker")


def holder(match: Match) -> Player | None:
    """Return who is in the first seat."""
    return Seat.objects.get(match=match, number=1).player


def test_what_a_guest_played_is_the_other_guests_and_goes_with_them_to_an_account(
    host: Actor, guest: Player, double: Player, me: Actor
) -> None:
    match = sat(host, double)
    assert services.merge_guests(by=host, guest=double, into=guest).taken_by == guest
    assert holder(match) == guest
    services.claim(by=me, token=link(host, guest))
    double.refresh_from_db()
    assert (holder(match), double.claimed_by) == (me.player, me.player)
    services.undo_claim(by=me, guest=guest)
    double.refresh_from_db()
    assert (holder(match), double.claimed_by) == (guest, guest)
    services.undo_claim(by=host, guest=double)
    assert holder(match) == double


def test_the_last_claim_of_a_chain_is_undone_first(
    host: Actor, guest: Player, double: Player, me: Actor
) -> None:
    league = leagues.found_league(by=host, name="League")
    for player in (double, me.player):
        Membership.objects.create(league=league, player=player, role=Role.JUDGE)
    services.merge_guests(by=host, guest=double, into=guest)
    services.claim(by=me, token=link(host, guest))
    with pytest.raises(Conflict, match="Rim Walker has been claimed since"):
        services.undo_claim(by=me, guest=double)
    page = squeezed(client_of(host).get(f"/players/{double.pk}/claim/"))
    assert f'<a href="/players/{guest.pk}/claim/">that claim</a>' in page
    assert "Undo the claim" not in page
    services.undo_claim(by=me, guest=guest)
    services.undo_claim(by=host, guest=double)
    judges = Membership.objects.filter(role=Role.JUDGE).values_list("player", flat=True)
    assert set(judges) == {double.pk, me.player_id}


def test_an_undo_leaves_what_the_guest_has_again(
    host: Actor, guest: Player, double: Player
) -> None:
    """A dropped entry gave way to one that was in; the drop was taken back meanwhile."""
    cup = desks.tournament(host)
    entries = [
        leagues.enter(tournament=cup, by=host, act_id=uuid4(), player=each)
        for each in (double, guest)
    ]
    Entry.objects.filter(pk=entries[1].pk).update(status="dropped")
    services.merge_guests(by=host, guest=double, into=guest)
    Entry.objects.filter(pk=entries[1].pk).update(status="in")
    services.undo_claim(by=host, guest=double)
    owners = dict(cup.entries.values_list("pk", "player"))
    assert owners == {entries[0].pk: guest.pk, entries[1].pk: double.pk}


def test_a_drop_is_not_taken_back_of_who_takes_part_as_another_since(host: Actor) -> None:
    cup = desks.tournament(host)
    desks.entered(cup, 2)
    followers.work(cup.pk)
    one, other = cup.entries.order_by("number")
    cup.log.refresh_from_db()
    before = cup.log.head_version
    desks.act(cup, "dropped", entrant=one.number)
    followers.work(cup.pk)
    assert one.player is not None and other.player is not None
    services.merge_guests(by=host, guest=one.player, into=other.player)
    with pytest.raises(Conflict, match="is entered already"):
        leagues.take_back(tournament=cup, by=host, act_id=uuid4(), to=before)
    services.undo_claim(by=host, guest=one.player)
    assert leagues.take_back(tournament=cup, by=host, act_id=uuid4(), to=before)


def test_who_else_a_guest_may_be_is_told_to_those_who_may_merge_them(host: Actor) -> None:
    cup = desks.tournament(host)
    guest, other = (entry.player for entry in desks.entered(cup, 2))
    elsewhere = services.add_guest(by=host, name="Rim Walker")
    beside = factories.actor()
    assert guest is not None and other is not None and beside.player is not None
    leagues.name_member(by=host, player=beside.player, role=Role.ORGANISER, tournament=cup)
    assert set(claiming.mergeable(beside, guest)) == {other}
    assert set(claiming.mergeable(host, guest)) == {other, elsewhere}


def test_a_guest_into_whom_one_was_merged_can_be_merged_too(
    host: Actor, guest: Player, double: Player
) -> None:
    match, last = sat(host, double), services.add_guest(by=host, name="Rim W.")
    services.merge_guests(by=host, guest=double, into=guest)
    services.merge_guests(by=host, guest=guest, into=last)
    double.refresh_from_db()
    assert (holder(match), double.claimed_by) == (last, last)


def test_who_is_erased_is_erased_with_all_that_were_merged(
    host: Actor, guest: Player, double: Player, me: Actor
) -> None:
    services.merge_guests(by=host, guest=double, into=guest)
    services.claim(by=me, token=link(host, guest))
    assert me.player is not None
    erasing.erase(by=me, player=me.player)
    assert set(Player.objects.exclude(user=host.user).values_list("name")) == {(erasing.NAMELESS,)}


def test_only_guests_whose_links_one_may_hand_out_are_merged(
    host: Actor, guest: Player, double: Player, me: Actor
) -> None:
    other = services.add_guest(by=me, name="Rim Walker")
    for by, one, into in ((host, other, guest), (host, guest, other), (me, guest, double)):
        with pytest.raises(NotAllowed):
            services.merge_guests(by=by, guest=one, into=into)
    assert me.player is not None
    with pytest.raises(Conflict, match="me has an account"):
        services.merge_guests(by=host, guest=guest, into=me.player)
    services.merge_guests(by=host, guest=double, into=guest)
    for one, into in ((double, guest), (guest, double)):
        with pytest.raises(Conflict, match=r"R\. Walker is claimed already"):
            services.merge_guests(by=host, guest=one, into=into)


def test_a_link_to_who_was_merged_opens_nothing_any_more(
    host: Actor, guest: Player, double: Player, me: Actor
) -> None:
    token = link(host, double)
    services.merge_guests(by=host, guest=double, into=guest)
    with pytest.raises(NotFound):
        services.claim(by=me, token=token)


def test_a_merge_is_looked_at_before_it_is_made(
    host: Actor, guest: Player, double: Player, me: Actor
) -> None:
    sat(host, double, title="Rim duel")
    hosts = client_of(host)
    at = f"/players/{double.pk}/merge/"
    assert at in squeezed(hosts.get(f"/players/{double.pk}/"))
    assert f'<option value="{guest.pk}">Rim Walker</option>' in squeezed(hosts.get(at))
    shown = squeezed(hosts.get(at, {"into": guest.pk}))
    assert "Rim duel" in shown and "Yes, R. Walker is Rim Walker" in shown
    assert hosts.post(at, {"into": me.player_id}).status_code == 400
    assert client_of(me).get(at).status_code == client_of().get(at).status_code == 403
    page = hosts.post(at, {"into": guest.pk}, follow=True)
    assert page.redirect_chain[-1][0] == f"/players/{guest.pk}/"
    assert "Rim duel" in squeezed(page)
    assert hosts.get(at).headers["Location"] == f"/players/{double.pk}/claim/"
    assert "R. Walker is Rim Walker" in squeezed(hosts.get(f"/players/{guest.pk}/claim/"))
    together = services.add_guest(by=host, name="Ring Walker")
    sat(host, guest, together)
    met = hosts.get(f"/players/{together.pk}/merge/", {"into": guest.pk})
    assert "cannot be one person" in squeezed(met) and "Yes," not in squeezed(met)


def test_a_program_merges_guests(host: Actor, guest: Player, double: Player) -> None:
    at = f"players/{double.pk}/merge/"
    merged = Api(host).post(at, {"into": str(guest.pk)}).json()
    assert (merged["guest"], merged["player"]) == (str(double.pk), str(guest.pk))
    assert Api(host).get(f"players/{double.pk}/").json()["claimed_by"] == str(guest.pk)
    problem(Api(host).post(at, {"into": str(guest.pk)}), 409, "claimed")
    problem(Api(host).post(at, {"into": str(uuid4())}), 400, "unknown-player")
    at = f"players/{guest.pk}/merge/"
    problem(Api(host).post(at, {"into": str(guest.pk)}), 400, "same-guest")


# -- pages and API ------------------------------------------------------------------------


def test_from_the_hosts_page_to_the_record(host: Actor, guest: Player, me: Actor) -> None:
    sat(host, guest, title="Rim duel")
    hosts = client_of(host)
    at = f"/players/{guest.pk}/claim/"
    assert at in squeezed(hosts.get("/me/"))
    hosts.post(at)
    token = claiming.token_of(Claim.objects.get())
    assert f"/claim/{token}/" in squeezed(hosts.get(at))
    asked = squeezed(client_of().get(f"/claim/{token}/"))
    assert "Rim duel" in asked and "1 match<" in asked
    assert "Make an account" in asked
    with_german = client_of()
    with_german.cookies["django_language"] = "de"
    assert "1 Partie<" in squeezed(with_german.get(f"/claim/{token}/"))
    assert client_of().post(f"/claim/{token}/").status_code == 403
    mine = client_of(me)
    assert "Yes, put it on my record" in squeezed(mine.get(f"/claim/{token}/"))
    page = mine.post(f"/claim/{token}/", follow=True)
    assert page.redirect_chain[-1][0] == f"/players/{me.player_id}/"
    assert "Rim duel" in squeezed(page)
    assert client_of().get(f"/players/{guest.pk}/").headers["Location"].endswith(f"{me.player_id}/")
    assert "claimed by me" in squeezed(hosts.get(at))
    hosts.post(f"{at}undo/")
    assert client_of().get(f"/players/{guest.pk}/").status_code == 200


def test_the_api_does_the_same(host: Actor, guest: Player, me: Actor) -> None:
    sat(host, guest, title="Rim duel")
    made = Api(host).post(f"players/{guest.pk}/claim/", {})
    assert made.status_code == 201
    token = made.json()["token"]
    told = Api().get(f"claims/{token}/").json()
    assert told["parts"] == [{"what": "match", "count": 1, "names": ["Rim duel"]}]
    problem(Api().post(f"claims/{token}/", {}), 401, "not-authenticated")
    assert Api(me).post(f"claims/{token}/", {}).json()["player"] == str(me.player_id)
    assert Api().get(f"players/{guest.pk}/").json()["claimed_by"] == str(me.player_id)
    assert "Rim Walker" not in Api(me).get("players/").content.decode()
    assert Api(host).post(f"players/{guest.pk}/unclaim/", {}).json()["undone_at"]
