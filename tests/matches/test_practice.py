"""Practice alone: a bot plays a seat that nobody holds, in a match that counts for nothing more."""

import re
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

import rules
from matches import (
    decks,
    errors,
    followers,
    links,
    practice,
    records,
    scribes,
    selectors,
    services,
    tallies,
)
from matches.actors import NOBODY, Actor
from matches.log import Receipt
from matches.models import Match, Player, Proposal
from matches.services import SeatRequest
from rules.ruleset import event_type
from tests import factories
from tests.api.client import Api, problem
from tests.html import squeezed, text_of

pytestmark = pytest.mark.django_db

ME, BOT = 1, 2


def of_one_colour(dots: str) -> dict[str, Any]:
    """Return a deck of Z-G that matches no dot of another colour, so that no spin decides."""
    return {
        "cards": [{"name": f"Card {n}", "slot": "Claw", "a": dots, "b": dots} for n in range(9)]
    }


def practising(by: Actor, game: str = "zg", **details: Any) -> Match:
    """Open a match of a player at seat 1 and a bot at seat 2."""
    if game == "zg":
        mine, its = of_one_colour("R R R"), of_one_colour("B B B")
    else:
        mine, its = decks.samples(rules.get(game)).values()
    seats = [SeatRequest(player=by.player, deck=mine), SeatRequest(label=practice.LABEL, deck=its)]
    return factories.match(by, game, seats, **details)


@pytest.fixture
def ann() -> Actor:
    return factories.actor("ann")


@pytest.fixture
def match(ann: Actor) -> Match:
    """A practice match of Z-G in which the bot is to act."""
    found = practising(ann)
    factories.record(found, {"type": "impulse-won", "seat": BOT})
    return found


def play(match: Match, by: Actor | None = None, **details: Any) -> list[Receipt]:
    """Let the bot play, as a request of now would."""
    who = by or factories.opener_of(match)
    given = {"act_id": uuid4(), "seat": BOT, **details}
    return practice.let_play(match=selectors.match_for(who, match.code), by=who, **given)


def types(receipts: list[Receipt]) -> list[str]:
    return [event_type(receipt.act) for receipt in receipts]


def refused(match: Match, by: Actor | None = None, **details: Any) -> str:
    with pytest.raises(errors.Refused) as told:
        play(match, by, **details)
    return told.value.code


def length(match: Match) -> int:
    return len(selectors.timeline(match))


# -- what it plays ----------------------------------------------------------------------------


def test_what_a_bot_plays_is_recorded_as_an_act_of_who_let_it(match: Match, ann: Actor) -> None:
    act_id = uuid4()
    (receipt,) = play(match, ann, act_id=act_id)

    assert (event_type(receipt.act), receipt.act.seat, receipt.act.spin) == (
        "attacked",
        BOT,
        "server",
    )
    act = match.log.events.get(version=receipt.version, ordinal=0)
    assert (act.act_id, act.recorded_by, act.verdict) == (act_id, ann.player_id, "legal")


def test_a_bot_goes_on_until_another_is_to_act(ann: Actor) -> None:
    match = practising(ann, "zx")
    factories.record(match, {"type": "first-decided", "seat": BOT, "first": BOT})

    assert types(play(match)) == ["hand-noted", "hand-kept"]
    assert refused(match) == "nothing-to-play"
    factories.record(match, {"type": "hand-kept", "seat": ME})
    assert types(play(match)) == ["start-resources-placed"]
    assert refused(match) == "nothing-to-play"


def test_what_chance_deals_a_bot_is_hidden_from_who_lets_it_play(ann: Actor) -> None:
    match = practising(ann, "zx")
    factories.record(match, {"type": "first-decided", "seat": BOT, "first": BOT})

    path = f"matches/{match.code}/"
    told = Api(ann).post(f"{path}bot/", {"id": str(uuid4()), "seat": BOT}).json()
    assert told["receipts"][0]["act"] == {"type": "hand-noted", "seat": BOT, "cards": []}
    assert Api(ann).get(f"{path}state/").json()["state"]["seats"][BOT - 1]["known"] is None


def test_a_bot_stops_where_others_may_answer_and_goes_on_when_asked_again(match: Match) -> None:
    assert len(play(match)) == 1
    assert types(play(match)) == ["attacked"]


def test_where_a_bot_meets_a_card_nobody_entered_people_are_told_what_it_waits_for(
    ann: Actor,
) -> None:
    seats = [
        SeatRequest(player=ann.player, deck=decks.blank(rules.get("zg"))),
        SeatRequest(label=practice.LABEL, deck=of_one_colour("B B B")),
    ]
    match = factories.match(ann, "zg", seats)
    factories.record(match, {"type": "impulse-won", "seat": BOT})
    (receipt,) = play(match)
    table = factories.signed_in(ann.user).get(f"/matches/{match.code}/table/")

    assert refused(match) == "nothing-to-play"
    assert f"Not all dots of {receipt.act.target} are known" in text_of(table)


def test_a_bot_plays_a_bounded_number_of_acts(ann: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    match = practising(ann, "zx")
    factories.record(match, {"type": "first-decided", "seat": BOT, "first": BOT})
    monkeypatch.setattr(practice, "MOST", 1)

    assert [types(play(match)) for _ in range(2)] == [["hand-noted"], ["hand-kept"]]


# -- sent again, sent too late -----------------------------------------------------------------


def test_a_request_sent_again_plays_nothing_more(ann: Actor) -> None:
    match = practising(ann, "zx")
    factories.record(match, {"type": "first-decided", "seat": BOT, "first": BOT})
    act_id = uuid4()
    first, after = play(match, act_id=act_id), length(match)

    again = play(match, act_id=act_id)
    assert again == first and not any(each.recorded for each in again)
    assert length(match) == after
    factories.record(match, {"type": "hand-kept", "seat": ME})
    assert play(match, act_id=act_id) == first


def test_an_id_of_something_else_is_refused(match: Match) -> None:
    act_id = uuid4()
    factories.record(match, {"type": "countdown-started", "seat": ME}, act_id=act_id)
    assert refused(match, act_id=act_id) == "id-reused"


def test_a_bot_plays_on_nothing_but_the_entry_that_was_named(match: Match) -> None:
    assert refused(match, after=1) == "moved-on"
    assert refused(match, after=uuid4()) == "after-unknown"
    assert length(match) == 2
    assert play(match, after=2)
    assert refused(match, after=2) == "moved-on"


# -- who may, and where ------------------------------------------------------------------------


def test_a_seat_that_somebody_holds_is_theirs(match: Match, ann: Actor) -> None:
    assert refused(match, seat=ME) == "seat-held"
    token = links.seat_token(match.seats.get(number=BOT))
    services.take_seat(by=NOBODY, token=token, name="Ben")
    assert refused(match) == "seat-held"


def test_no_bot_plays_in_a_match_that_counts(ann: Actor) -> None:
    assert refused(practising(ann, sanctioned=True)) == "match-counts"


def test_there_is_no_bot_for_results_alone(ann: Actor) -> None:
    assert refused(factories.match(ann)) == "no-bot"


def test_a_match_that_is_over_is_left_alone(match: Match) -> None:
    factories.record(match, {"type": "conceded", "seat": ME})
    assert refused(match) == "match-over"


def test_only_who_may_record_lets_a_bot_play(match: Match) -> None:
    assert refused(match, factories.actor()) == "not-allowed"
    assert refused(match, seat=3) == "wrong-seat"


def test_while_another_is_the_scribe_a_bot_plays_nothing_and_nothing_is_kept(
    match: Match, ann: Actor
) -> None:
    mine, other = (replace(ann, device=uuid4()) for _ in range(2))
    play(match, mine)
    scribes.take(match=match, by=other, over=scribes.status_of(ann, match).lease.pk)

    assert refused(match, mine) == "not-the-scribe"
    assert not Proposal.objects.exists()
    assert play(match, other)


def test_a_bot_is_no_player_and_the_match_is_ones_own_as_any(match: Match, ann: Actor) -> None:
    play(match)
    factories.record(match, {"type": "conceded", "seat": BOT})
    followers.work(match.pk)

    assert list(Player.objects.all()) == [ann.player]
    (known,) = records.known_among(records.sat_of(ann, ann.player))
    assert (known.result, known.others) == ("won", [])
    assert tallies.tallies_of(ann, ann.player) == []


# -- the API -----------------------------------------------------------------------------------


def test_a_program_lets_a_bot_play_and_is_told_what_it_played(match: Match, ann: Actor) -> None:
    path, request = f"matches/{match.code}/bot/", {"id": str(uuid4()), "seat": BOT, "after": 2}
    answer, again = (Api(ann).post(path, request) for _ in range(2))

    assert (answer.status_code, again.status_code) == (201, 200)
    told = answer.json()
    assert told["receipts"] == again.json()["receipts"]
    assert [each["act"]["type"] for each in told["receipts"]] == ["attacked"]
    assert told["version"] == told["head"]["version"] == 3
    late = problem(Api(ann).post(path, request | {"id": str(uuid4())}), 409, "moved-on")
    assert [entry["version"] for entry in late["missed"]] == [3]
    stranger = Api(factories.actor()).post(path, request | {"id": str(uuid4())})
    problem(stranger, 403, "not-allowed")


# -- pages -------------------------------------------------------------------------------------


def press(client: Client, match: Match, **fields: Any) -> Any:
    """Press the button that the logger shows."""
    page = squeezed(client.get(f"/matches/{match.code}/table/"))
    form = re.search(r"<form[^>]*data-settled.*?</form>", page)
    assert form
    given = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0]))
    assert given.keys() == {"csrfmiddlewaretoken", "act_id", "after", "recorder", "bot"}
    return client.post(f"/matches/{match.code}/table/", given | fields, follow=True)


def test_the_logger_lets_a_bot_play_in_one_press(match: Match, ann: Actor) -> None:
    client = factories.signed_in(ann.user)
    page = text_of(press(client, match))

    assert re.search(r"The bot played 1 act\. Card \d [AB] &gt; Card \d [AB] · 0 matches", page)
    assert length(match) == 3
    refusal = press(client, match, after="2")
    assert refusal.status_code == 409
    assert length(match) == 3


def test_the_logger_tells_what_a_bot_played_but_not_what_it_holds(ann: Actor) -> None:
    match = practising(ann, "zx")
    first = {"type": "first-decided", "seat": BOT, "first": BOT}
    for act in (first, {"type": "hand-kept", "seat": BOT}, {"type": "hand-kept", "seat": ME}):
        factories.record(match, act)
    page = text_of(press(factories.signed_in(ann.user), match))

    assert re.search(r"The bot played 2 acts\. Bot’s first resources:", page)
    assert "Bot notes" not in page


def test_the_logger_shows_no_button_but_where_a_bot_has_something_to_choose(ann: Actor) -> None:
    client, begun = factories.signed_in(ann.user), {"type": "impulse-won", "seat": BOT}

    def shown(match: Match, **act: Any) -> bool:
        if act:
            factories.record(match, act)
        return "data-settled" in squeezed(client.get(f"/matches/{match.code}/table/"))

    mine, counts, held = (
        practising(ann),
        practising(ann, sanctioned=True),
        factories.match(ann, "zg", [SeatRequest(player=ann.player), SeatRequest(name="Ben")]),
    )
    assert not shown(mine)
    assert shown(mine, **begun)
    assert not shown(mine, type="turn-passed", seat=BOT)
    assert not shown(counts, **begun)
    assert not shown(held, **begun)


def test_a_new_match_may_be_opened_against_a_bot(ann: Actor) -> None:
    client = factories.signed_in(ann.user)
    fields = {
        "physical": "yes",
        "visibility": "public",
        "seat1-who": str(ann.player_id),
        "seat1-deck": "blank",
        "seat2-who": "bot",
        "seat2-deck": "blank",
    }
    answer = client.post("/matches/new/?game=zg&seats=2", fields)
    match = Match.objects.get()

    assert answer.url == f"/matches/{match.code}/table/"  # nobody else is to sit down
    assert match.sides() == [("Seat 1", "ann"), ("Bot", None)]
    again = squeezed(client.get(f"/matches/new/?game=zg&seats=2&after={match.code}"))
    assert re.search(r'<option value="bot" selected', again)
    met = client.post("/matches/new/?game=zg&seats=2", fields | {"seat1-who": "nobody"})
    assert met.url.endswith("/seats/")
    assert 'value="bot"' not in squeezed(client.get("/matches/new/?game=score&seats=2"))


def test_practice_is_chosen_with_the_game(ann: Actor) -> None:
    client = factories.signed_in(ann.user)
    assert "Practise against a bot" in squeezed(client.get("/matches/new/"))

    page = squeezed(client.get("/matches/new/?game=zerpang&seats=3&practice=1"))
    chosen = re.findall(r'<option value="([\w-]+)" selected[^>]*>(?:ann|A bot)', page)
    assert chosen == [str(ann.player_id), "bot", "bot"]
    assert "no bot for" in text_of(client.get("/matches/new/?game=score&seats=2&practice=1"))
