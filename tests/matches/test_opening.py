"""Opening matches, and the people who sit down."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

import rules
from matches import actors, errors, selectors, services
from matches.actors import NOBODY
from matches.forms.opening import options_form, options_of
from matches.models import Event, Log, Match, Player, Seat
from matches.opening import LETTERS
from matches.services import SeatRequest
from tests import factories

pytestmark = pytest.mark.django_db


def test_a_match_opens_with_its_setup_as_first_entry() -> None:
    match = factories.match(seats=3, options={"best_of": 3})
    setup = selectors.timeline(match).setup
    assert (match.log.head_version, setup.ruleset, setup.options.best_of) == (1, "score@1", 3)
    assert [seat.label for seat in setup.seats] == ["Side 1", "Side 2", "Side 3"]
    assert [seat.number for seat in match.seats.all()] == [1, 2, 3]


def test_a_headline_keeps_points_beside_a_name_written_from_right_to_left() -> None:
    name = "\u05d0\u05d1\u05d9"
    match = factories.match(seats=[SeatRequest(name=name, label="Red"), SeatRequest(name="Zoë")])
    assert match.named(match.log.headline) == f"\u2068{name}\u2069 0, Zoë 0"


def test_sides_called_alike_get_a_letter_so_that_headlines_tell_names() -> None:
    by = factories.actor()
    labels = ["Near side", "Far side", "Near side", "Near side B", "", "Near side"]
    asked = [SeatRequest(name=f"Guest {n}", label=label) for n, label in enumerate(labels)]
    match = factories.match(by, "zerpang", asked, options={"depth": "score"})

    told = ["Near side", "Far side", "Near side B", "Near side B B", "Seat 5", "Near side C"]
    assert [seat.label for seat in match.seats.all()] == told
    headline = match.named(match.log.headline)
    assert all(f"Guest {n}" in headline for n in range(6))
    assert "side" not in headline


def test_a_board_is_chosen_by_its_name_and_one_chosen_otherwise_is_kept() -> None:
    ruleset = rules.get("zerpang")
    board = str(options_form(ruleset)["board"])
    assert '<option value="" selected>Usual: hexagon of 91 spaces</option>' in board
    assert '<option value="derived-star79">Star of 79 spaces</option>' in board
    kept = str(options_form(ruleset, initial={"board": "derived-hex91"})["board"])
    assert '<option value="derived-hex91" selected>derived-hex91</option>' in kept
    for value, chosen in (("derived-star79", "derived-star79"), ("", None), ("own", "own")):
        form = options_form(ruleset, {"option-board": value, "option-gunslinger_hand": "4"})
        assert form.is_valid(), form.errors
        assert options_of(form).get("board") == chosen
        assert f'<option value="{value}" selected>' in str(form["board"])


def test_a_code_is_short_and_has_no_ambiguous_letter() -> None:
    code = factories.match().code
    assert len(code) == 6
    assert set(code) <= set(LETTERS)


def test_a_code_is_found_in_small_letters_too() -> None:
    match = factories.match()
    assert selectors.match_for(NOBODY, match.code.lower()) == match


def test_a_seat_is_a_players_a_new_guests_or_still_free() -> None:
    by, other = factories.actor(), factories.actor()
    match = factories.match(
        by,
        seats=[
            SeatRequest(player=other.player),
            SeatRequest(player=actors.player_of(by).pk),
            SeatRequest(name="Ann"),
            SeatRequest(),
        ],
    )
    ann = Player.objects.get(name="Ann")
    assert [seat.player for seat in match.seats.all()] == [other.player, by.player, ann, None]
    assert (ann.user, ann.invited_by) == (None, by.player)


def test_no_name_is_in_the_log() -> None:
    match = factories.match(seats=[SeatRequest(name="Ann Onymous"), SeatRequest()])
    assert "Ann" not in Event.objects.get(log=match.log).body


@pytest.mark.parametrize(
    ("changes", "error", "code"),
    [
        pytest.param({"ruleset": "chess"}, errors.BadInput, "unknown-ruleset", id="game"),
        pytest.param({"ruleset": "score@9"}, errors.BadInput, "unknown-ruleset", id="version"),
        pytest.param({"options": {"best_of": "3"}}, errors.BadInput, "wrong-type", id="option"),
        pytest.param({"options": {"x": 1}}, errors.BadInput, "unknown-field", id="no-option"),
        pytest.param({"options": {"best_of": 0}}, errors.BadInput, "out-of-range", id="range"),
        pytest.param({"seats": []}, errors.Impossible, "seat-count", id="no-seat"),
        pytest.param(
            {"seats": [SeatRequest()] * 9}, errors.Impossible, "seat-count", id="nine-seats"
        ),
        pytest.param(
            {"seats": [SeatRequest(player=uuid4())]}, errors.BadInput, "unknown-player", id="player"
        ),
        pytest.param(
            {"seats": [SeatRequest(name="x" * 81)]}, errors.BadInput, "bad-length", id="name"
        ),
        pytest.param({"seats": [SeatRequest(name="\0")]}, errors.BadInput, "nul", id="nul"),
        pytest.param({"seats": [SeatRequest(deck=[1])]}, errors.BadInput, "wrong-type", id="deck"),
        pytest.param({"title": "x" * 121}, errors.BadInput, "bad-length", id="title"),
        pytest.param({"title": "\ud800"}, errors.BadInput, "lone-surrogate", id="surrogate"),
        pytest.param({"visibility": "some"}, errors.BadInput, "unknown-value", id="visibility"),
    ],
)
def test_a_bad_setup_leaves_nothing_behind(
    changes: dict[str, Any], error: type[errors.Refused], code: str
) -> None:
    asked: dict[str, Any] = {"ruleset": "score", "seats": [SeatRequest()] * 2} | changes
    by = factories.actor()
    with pytest.raises(error) as refused:
        services.open_match(by=by, **asked)
    assert refused.value.code == code
    assert [m.objects.count() for m in (Log, Match, Seat, Event)] == [0, 0, 0, 0]
    assert Player.objects.count() == 1


def test_only_a_signed_in_user_opens_a_match() -> None:
    with pytest.raises(errors.NotAllowed):
        services.open_match(by=NOBODY, ruleset="score", seats=[SeatRequest()] * 2)


def test_opened_twice_with_one_id_is_opened_once() -> None:
    by, act_id = factories.actor(), uuid4()
    seats = [SeatRequest(name="Ann"), SeatRequest()]
    first, again = (factories.match(by, seats=seats, act_id=act_id) for _ in range(2))
    assert first == again
    assert (Match.objects.count(), Player.objects.filter(name="Ann").count()) == (1, 1)


@pytest.mark.parametrize(
    "changes",
    [{"seats": 3}, {"title": "Another"}, {"options": {"best_of": 3}}, {"sanctioned": True}],
    ids=str,
)
def test_one_id_does_not_open_something_else(changes: dict[str, Any]) -> None:
    by, act_id = factories.actor(), uuid4()
    factories.match(by, act_id=act_id)
    with pytest.raises(errors.IdReused):
        factories.match(by, act_id=act_id, **changes)


def test_two_people_may_use_the_same_id() -> None:
    act_id = uuid4()
    assert factories.match(act_id=act_id) != factories.match(act_id=act_id)


# -- people -----------------------------------------------------------------------------------


def test_signing_up_makes_a_user_and_their_player() -> None:
    user = services.sign_up(username="ann", password=factories.PASSWORD, name="Ann")
    assert (user.player.name, user.check_password(factories.PASSWORD)) == ("Ann", True)


@pytest.mark.parametrize(
    ("details", "code"),
    [
        ({"username": ""}, "bad-length"),
        ({"username": "two words"}, "bad-account"),
        ({"username": "x" * 151}, "bad-length"),
        ({"username": "nul\0"}, "nul"),
        ({"password": "short"}, "bad-account"),
        ({"password": "password"}, "bad-account"),
        ({"name": "x" * 81}, "bad-length"),
        ({"username": "taken"}, "name-taken"),
    ],
    ids=str,
)
def test_a_bad_account_is_refused(details: dict[str, str], code: str) -> None:
    factories.user("taken")
    with pytest.raises(errors.Refused) as refused:
        services.sign_up(**{"username": "ann", "password": factories.PASSWORD} | details)
    assert refused.value.code == code
    assert (User.objects.count(), Player.objects.count()) == (1, 1)


def test_a_user_made_elsewhere_gets_a_player_with_their_first_match() -> None:
    user = User.objects.create_user("made-in-admin", first_name="Mae", last_name="Din")
    match = services.open_match(
        by=actors.actor_for(user), ruleset="score", seats=[SeatRequest()] * 2
    )
    assert match.opener.name == "Mae Din"


def test_a_guest_is_named_by_who_brought_them() -> None:
    by = factories.actor()
    guest = services.add_guest(by=by, name=" Ann ")
    assert (guest.name, guest.invited_by) == ("Ann", by.player)
    services.rename(by=by, player=guest, name="Anne")
    with pytest.raises(errors.NotAllowed):
        services.rename(by=factories.actor(), player=guest, name="Bob")


def test_people_name_themselves() -> None:
    by, other = factories.actor(), factories.actor()
    services.rename(by=by, player=by.player, name="Ann")
    with pytest.raises(errors.NotAllowed):
        services.rename(by=by, player=other.player, name="Bob")


def test_acts_in_a_list_are_answered_one_by_one() -> None:
    match = factories.match()
    acts = [
        {"act_id": uuid4(), "act": factories.points(1)},
        {"act_id": uuid4(), "act": factories.points(9)},
        {"act_id": uuid4(), "act": factories.points(2)},
    ]
    answers = services.record_all(match=match, by=factories.opener_of(match), acts=acts)
    assert [getattr(answer, "version", None) for answer in answers] == [2, None, 3]
    assert isinstance(answers[1], errors.WrongSeat)


def test_a_list_has_its_limit() -> None:
    match = factories.match()
    acts = [{"act_id": uuid4(), "act": factories.points()}] * 101
    with pytest.raises(errors.TooLarge):
        services.record_all(match=match, by=factories.opener_of(match), acts=acts)
