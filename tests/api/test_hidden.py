"""A hand is private to its seat: no endpoint reveals it to others until the match is over."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from matches import links
from matches.actors import Actor
from matches.models import Event, Match, Player
from matches.scene import scene_of
from matches.services import SeatRequest
from rules import get
from rules.fields import Free
from rules.zg import samples
from rules.zg.acts import HandTaken
from tests import factories
from tests.api.client import Api, act, problem

HAND = ["Deepwater Helm", "Driftpack Backgear", "Dock Claw"]
THEIRS = ["Ridge Helm", "Fernlight Frontgear", "Spacewing Backgear"]
PLACED = {"type": "placed", "seat": 1}
NDJSON = {"Accept": "application/x-ndjson"}

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> tuple[Match, Actor, Actor]:
    """A match at depth `full` in which the first of two players has taken a hand."""
    one, two = factories.actor(), factories.actor()
    decks = samples.starters()
    seats = [
        SeatRequest(player=one.player, label="Merc", deck=decks["Merc"]),
        SeatRequest(player=two.player, label="Ensign", deck=decks["Ensign"]),
    ]
    match = factories.match(one, "zg", seats, options={"depth": "full"})
    factories.record(match, {"type": "hand-taken", "seat": 1, "cards": HAND}, by=one)
    return match, one, two


def read(who: Actor | None, match: Match) -> dict[str, Any]:
    """Return all that a caller can read of a match, by path."""
    api, path = Api(who), f"matches/{match.code}/"
    found = {name: api.get(path + name) for name in ("", "state/", "events/", "verify/", "went/")}
    found["file"] = api.get(f"{path}events/", NDJSON)
    found["notation"] = api.get(f"{path}events/", {"Accept": "text/plain"})
    found["told"] = api.get(f"{path}events/", told="true")
    found["feed"] = api.get("feed/")
    found["offers"] = api.get(f"{path}options/")
    return found


def test_only_its_seat_sees_a_hand(table: tuple[Match, Actor, Actor]) -> None:
    match, one, two = table
    own = read(one, match)
    assert own["state/"].json()["state"]["seats"][0]["hand"] == HAND
    assert own["events/"].json()["entries"][1]["act"]["cards"] == HAND

    for who in (two, None):
        seen = read(who, match)
        assert seen["state/"].json()["state"]["seats"][0]["hand"] is None
        for listed in ("events/", "told"):
            hidden = seen[listed].json()["entries"][1]
            assert set(hidden) == {"version", "position", "hash", "leaf"}
        assert "act" not in seen["feed"].json()["entries"][1]
        assert {seen["file"].status_code, seen["notation"].status_code} <= {401, 403}


def test_no_digest_from_which_a_hand_could_be_guessed(table: tuple[Match, Actor, Actor]) -> None:
    match, one, two = table
    factories.record(match, {"type": "placed", "seat": 1}, by=one)
    digest = Api(one).get(f"matches/{match.code}/state/").json()["digest"]

    assert len(digest) == 64
    for who in (two, None):
        assert digest not in "".join(
            answer.content.decode() for answer in read(who, match).values()
        )
        placed = Api(who).get(f"matches/{match.code}/events/").json()["entries"][2]
        assert placed["act"]["type"] == "placed"
        assert placed["leaf"] and not placed.get("state_digest") and not placed.get("salt")


def test_a_guess_at_a_hidden_act_is_not_confirmed_by_its_receipt(
    table: tuple[Match, Actor, Actor],
) -> None:
    match, one, two = table
    hand = {"type": "hand-taken", "seat": 2, "cards": THEIRS}
    sent = {"id": str(uuid4()), "act": hand}
    path = f"matches/{match.code}/acts/"
    assert Api(two).post(path, sent).status_code == 201
    assert Api(two).post(path, sent).status_code == 200
    problem(Api(one).post(path, sent), 409, "id-reused")


def test_what_a_seat_may_play_is_not_told_to_the_other(table: tuple[Match, Actor, Actor]) -> None:
    match, one, two = table

    def attackers(who: Actor, seat: int) -> set[str]:
        offers = Api(who).get(f"matches/{match.code}/options/", seat=seat).json()["offers"]
        return {
            card
            for offer in offers
            if offer["type"] == "attacked"
            for card in offer["fields"]["card"]["values"]
        }

    assert attackers(one, 1) == set(HAND)
    assert len(attackers(two, 1)) == 9  # any card may be in that hand
    assert len(attackers(two, 2)) == 9


def test_no_refusal_tells_the_other_what_is_in_a_hand(table: tuple[Match, Actor, Actor]) -> None:
    """Whoever records for another seat is told of its hand neither why nor whether it objects."""
    match, one, two = table
    path = f"matches/{match.code}/"

    def refused(who: Actor, **sent: Any) -> str:
        body = act(act={"seat": 1, **sent})
        told = problem(Api(who).post(f"{path}acts/", body), 409, "irregular")
        verdict: str = told["verdict"]
        assert "6-5-4" not in told["detail"] or who is one
        return verdict

    call = {"type": "impulse-called", "numbers": "9-8-7"}
    assert (refused(one, **call), refused(two, **call)) == ("impulse-miscalled", "hidden")
    far = {"type": "attacked", "end": "a", "foe": 2, "target": "Ridge Helm"}
    far |= {"target_end": "a", "distance": 24}
    held, not_held = ("Deepwater Helm", "Tide Shield")
    assert refused(one, **far, card=not_held) == "not-in-hand"
    told = [refused(two, **far, card=card) for card in (held, not_held)]
    assert told == ["out-of-range", "not-in-touch"]  # as either card would be, in the hand or not
    sent = act(act={"seat": 1, **call}, irregular=True)
    assert Api(two).post(f"{path}acts/", sent).status_code == 201
    recorded = str(Event.objects.get(log=match.log, version=3, ordinal=0).act_id)
    for preview in (True, False):
        asked = {"id": str(uuid4()), "act_id": recorded, "act": {"seat": 1, **far, "card": held}}
        asked |= {"preview": preview, "irregular": True}
        problem(Api(two).post(f"{path}correct/", asked), 403, "hidden-act")
    match.log.refresh_from_db()
    against = [scene_of(who, match).line.against for who in (one, two, Actor())]
    assert ("6-5-4" in against[0], against[1:]) == (True, ["", ""])


def test_pages_offer_nobody_what_would_tell_a_hand(table: tuple[Match, Actor, Actor]) -> None:
    match, one, two = table

    def told(who: Actor) -> set[int | None]:
        return {offer.seat for offer in scene_of(who, match).offers}

    assert told(one) == {1, 2, None}
    assert told(two) == {1, 2, None}
    of_other = [offer for offer in scene_of(two, match).offers if offer.seat == 1]
    assert "hand-taken" not in {offer.type for offer in of_other}
    (call,) = [offer for offer in of_other if offer.type == "impulse-called"]
    assert call.fields["numbers"] == Free("impulse")
    line = scene_of(two, match, at=2).line
    assert line.act.data == {"type": "hand-taken", "seat": 1, "cards": ()}
    assert line.act.text.endswith("takes a hand.")


def test_a_correction_offers_nothing_out_of_a_hidden_hand_and_says_what_to_do(
    table: tuple[Match, Actor, Actor],
) -> None:
    """Each of those forms was refused once it was filled in, and its reader sent away."""
    match, one, two = table
    call = {"type": "impulse-called", "seat": 1, "numbers": "6-5-4"}
    factories.record(match, call, by=one)
    kept = "That hand is hidden from you: take the act back, and record it anew."
    for who, offered in ((one, True), (two, False)):
        page = factories.client_of(who).get(f"/matches/{match.code}/correct/3/")
        groups = [*page.context["groups"], *filter(None, [page.context["same"]])]
        seats = {form.seat for group in groups for form in group.forms}
        assert (1 in seats, 2 in seats) == (offered, True)
        shown = page.content.decode()
        assert (kept in shown, 'value="impulse-called 1' in shown) == (not offered, offered)


def test_when_the_match_is_over_everything_is_open(table: tuple[Match, Actor, Actor]) -> None:
    match, one, two = table
    factories.record(match, {"type": "conceded", "seat": 2}, by=one, act_id=uuid4())

    for who in (two, None):
        seen = read(who, match)
        assert seen["state/"].json()["state"]["seats"][0]["hand"] == HAND
        assert seen["events/"].json()["entries"][1]["act"]["cards"] == HAND
        assert seen["file"].status_code == 200


def test_nobody_guesses_a_hand_by_correcting_it(table: tuple[Match, Actor, Actor]) -> None:
    match, _, two = table
    page = f"/matches/{match.code}/correct/2/"
    browser = Client()
    assert isinstance(two.user, User)
    browser.force_login(two.user)

    def guessed(cards: list[str]) -> tuple[int, int]:
        taken = {"type": "hand-taken", "seat": 1, "cards": cards}
        recorded = Event.objects.get(log=match.log, version=2, ordinal=0).act_id
        correction = {"id": str(uuid4()), "act_id": str(recorded), "act": taken, "preview": True}
        line = get("zg").write(HandTaken(seat=1, cards=tuple(cards)))
        return (
            browser.get(page, {"line": line}).status_code,
            Api(two).post(f"matches/{match.code}/correct/", correction).status_code,
        )

    assert guessed(HAND) == guessed(HAND[:2]) == (403, 403)
    assert browser.get(page, {"strike": "1"}).status_code == 200  # that tells nothing


def test_what_can_be_taken_back_and_redone_is_told_as_one_may_see_it(
    table: tuple[Match, Actor, Actor],
) -> None:
    match, one, two = table
    path = f"matches/{match.code}/options/"
    assert Api(one).get(path).json()["undo"]["act"]["cards"] == HAND
    assert Api(two).get(path).json()["undo"]["act"] == {
        "type": "hand-taken",
        "seat": 1,
        "cards": [],
    }
    back = {"id": str(uuid4()), "to": 1}
    assert Api(two).post(f"matches/{match.code}/take-back/", back).status_code == 201
    assert Api(one).get(path).json()["redo"]["act"]["cards"] == HAND
    assert Api(two).get(path).json()["redo"]["act"]["cards"] == []


def test_receipts_of_a_correction_and_of_a_proposal_tell_nobody_the_hand_of_another() -> None:
    one, two = factories.actor(), factories.actor()
    decks = samples.starters()
    seats = [SeatRequest(player=one.player, deck=decks["Merc"]), SeatRequest(player=two.player)]
    match = factories.match(two, "zg", seats, options={"depth": "full"})
    path, first, taken = f"matches/{match.code}/", uuid4(), {"type": "hand-taken", "seat": 1}
    factories.record(match, PLACED, by=two, act_id=first)
    proposed = {"id": str(uuid4()), "act": {**taken, "cards": HAND}}
    assert Api(one).post(f"{path}proposals/", proposed).status_code == 201
    accepted = {"decision": "accept", "irregular": True}
    answer = Api(two).post(f"{path}proposals/{proposed['id']}/", accepted)
    assert answer.status_code == 201, answer.content
    assert answer.json()["act"] == {**taken, "cards": []}

    correction = {"id": str(uuid4()), "act_id": str(first), "act": None, "reason": "Not so."}
    answer = Api(two).post(f"{path}correct/", correction)
    assert [each["act"]["type"] for each in answer.json()["receipts"]] == [
        "taken-back",
        "hand-taken",
    ]
    assert answer.json()["receipts"][1]["act"] == {**taken, "cards": []}


def test_nobody_guesses_a_hand_by_the_id_of_a_proposal(table: tuple[Match, Actor, Actor]) -> None:
    match, one, two = table
    path, act_id = f"matches/{match.code}/", str(uuid4())

    def sent(who: Actor, where: str, cards: list[str]) -> int:
        taken = {"type": "hand-taken", "seat": 1, "cards": cards}
        body = {"id": act_id, "act": taken, "irregular": True}
        return Api(who).post(f"{path}{where}/", body).status_code

    assert sent(one, "proposals", HAND) == 201
    guesses = [sent(two, where, cards) for where in ("proposals", "acts") for cards in (HAND, [])]
    assert guesses == [409] * 4
    assert (sent(one, "proposals", HAND), sent(one, "acts", HAND)) == (200, 201)
    assert [sent(two, "acts", cards) for cards in (HAND, [])] == [409] * 2
    assert sent(one, "acts", HAND) == 200


@pytest.mark.parametrize("kept_as", ["proposals", "acts"])
def test_nobody_guesses_a_hand_where_nobody_is_named_at_the_seats(kept_as: str) -> None:
    decks = samples.starters()
    seats = [SeatRequest(label=label, deck=decks[label]) for label in ("Merc", "Ensign")]
    match = factories.match(game="zg", seats=seats, options={"depth": "full"})
    one, two = (Api(x_seat=links.seat_token(seat)) for seat in match.seats.all())
    path, act_id = f"matches/{match.code}/", str(uuid4())

    def sent(who: Api, where: str, cards: list[str]) -> int:
        taken = {"type": "hand-taken", "seat": 1, "cards": cards}
        answer: int = who.post(f"{path}{where}/", {"id": act_id, "act": taken}).status_code
        return answer

    assert sent(one, kept_as, HAND) == 201
    assert [sent(two, kept_as, cards) for cards in (HAND, HAND[:2])] == [409] * 2
    assert sent(one, kept_as, HAND) == 200


def test_an_official_who_plays_sees_no_other_hand(table: tuple[Match, Actor, Actor]) -> None:
    match, _, two = table
    path = f"matches/{match.code}/state/"
    judge = factories.actor()
    assert judge.player
    assert two.player
    match.officials.set([judge.player, two.player])

    hands = [Api(who).get(path).json()["state"]["seats"][0]["hand"] for who in (judge, two)]
    assert hands == [HAND, None]
    assert Api(two).get(path, **{"as": "officials"}).status_code == 403


def test_the_link_of_a_seat_shows_nobody_else_the_hand_of_its_account(
    table: tuple[Match, Actor, Actor],
) -> None:
    match, one, two = table
    seat = match.seats.get(number=1)
    path = f"matches/{match.code}/state/"
    by_link = {"X-Seat": links.seat_token(seat)}

    seen = [Api(who).get(path, by_link).json()["state"]["seats"][0]["hand"] for who in (None, two)]
    assert seen == [None, None]
    assert Api(one).get(path, by_link).json()["state"]["seats"][0]["hand"] == HAND
    with_link = Api().post(f"matches/{match.code}/acts/", act(act=PLACED), headers=by_link)
    assert with_link.status_code == 201

    Match.objects.get(pk=match.pk).seats.filter(number=1).update(
        player=Player.objects.create(name="Guest")
    )
    assert Api().get(path, by_link).json()["state"]["seats"][0]["hand"] == HAND


def test_a_proposal_tells_nobody_that_a_guess_is_right(table: tuple[Match, Actor, Actor]) -> None:
    match, one, two = table
    guess = {"type": "hand-taken", "seat": 1, "cards": HAND}
    path = f"matches/{match.code}/proposals/"
    for who, right in ((one, True), (two, False)):
        asked, act_id = Api(who), str(uuid4())
        assert asked.post(path, {"id": act_id, "after": 1, "act": guess}).status_code == 201
        told = {each["id"]: each for each in asked.get(path).json()["results"]}
        assert told[act_id].get("same_as") == (2 if right else None)
        merged = asked.post(f"{path}{act_id}/", {"decision": "merge", "version": 2})
        assert merged.status_code == (200 if right else 400)
