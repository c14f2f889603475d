"""The logger's page: who may record, what it shows, and how it handles bad input."""

import re
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

import rules
from matches import decks, selectors, services
from matches.models import Match, Note
from matches.services import SeatRequest
from matches.views.logger import act_fields
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def duel() -> Match:
    return factories.duel()


@pytest.fixture
def scribe(duel: Match) -> Client:
    return signed_in(duel)


def signed_in(match: Match) -> Client:
    return factories.client_of(factories.opener_of(match))


def url(match: Match, query: str = "") -> str:
    return f"/matches/{match.code}/table/{query}"


def form(match: Match, **fields: Any) -> dict[str, Any]:
    match.log.refresh_from_db()
    return {"act_id": str(uuid4()), "after": match.log.head_version, **fields}


ATTACK = {
    "type": "attacked",
    "seat": "1",
    "card": "Ridge Helm",
    "end": "a",
    "with-target": "foe=2&target=Tide%20Shield&target_end=b",
}


# -- who may --------------------------------------------------------------------------------


def test_a_stranger_may_not_record(duel: Match, client: Client) -> None:
    assert client.get(url(duel)).status_code == 403
    assert client.post(url(duel), form(duel, **ATTACK)).status_code == 403


def test_a_match_of_the_table_alone_is_not_there_for_a_stranger(client: Client) -> None:
    match = factories.match(visibility="table")
    assert client.get(url(match)).status_code == 404
    assert client.get("/matches/ZZZZZZ/table/").status_code == 404


def test_a_guest_of_the_table_may_record(duel: Match, client: Client) -> None:
    client.post(f"/j/{services.seat_link(duel.seats.get(number=2))}/")
    assert client.get(url(duel)).status_code == 200


def test_what_was_written_under_one_account_is_not_recorded_as_anothers() -> None:
    """The page says for whom it was made; a browser in which another signed in is refused."""
    ann, ben = factories.actor(), factories.actor()
    match = factories.match(ann, seats=[SeatRequest(player=ann.player), SeatRequest(name="Guest")])
    services.name_official(by=ann, match=match, player=ben.player)
    browser = factories.signed_in(ann.user)
    written = form(match, type="points-scored", seat="1", points="1") | {
        "recorder": of(browser, match)
    }
    by_script = {"X-Recorder": of(browser, match)}
    browser.force_login(ben.user)
    for answer in (
        browser.post(url(match), written),
        browser.post(f"/matches/{match.code}/acts/", written),
        browser.get(url(match, "?part=1"), headers=by_script),
    ):
        assert answer.status_code == 409
        assert "Someone else is signed in here by now" in answer.content.decode()
    assert selectors.timeline(match).head.version == 1
    browser.logout()
    assert browser.post(url(match), written).status_code == 403
    browser.post(f"/j/{services.seat_link(match.seats.get(number=2))}/")
    assert browser.post(url(match), written).status_code == 409
    written["recorder"] = of(browser, match)
    assert browser.post(url(match), written).status_code == 302
    assert browser.get(url(match, "?part=1"), headers=by_script).status_code == 409


def of(browser: Client, match: Match) -> str:
    """Return the mark of whom the logger's page is for."""
    page = browser.get(url(match)).content.decode()
    marks = set(re.findall(r'(?:data-recorder|name="recorder" value)="([^"]+)"', page))
    assert len(marks) == 1
    return marks.pop()


def test_who_may_record_finds_the_logger_on_the_match_page(duel: Match, scribe: Client) -> None:
    assert url(duel) in scribe.get(f"/matches/{duel.code}/").content.decode()
    assert url(duel) not in Client().get(f"/matches/{duel.code}/").content.decode()


def test_without_a_script_the_forms_of_any_game_stay_on_the_logger() -> None:
    for game in ("score", "zerpang", "zx"):
        match = factories.match(game=game)
        page = signed_in(match).get(url(match)).content.decode()
        desk = page.partition('id="lg-desk"')[2].partition("</main>")[0]
        actions = re.findall(r'<form method="post"[^>]*? action="([^"]*)"', desk)
        assert len(actions) > 1
        assert set(actions) == {url(match)}
        assert "Without JavaScript" in desk.rpartition("<noscript>")[2]


def test_the_reason_of_a_ruling_is_kept_from_the_logger_too() -> None:
    match = factories.match()
    ruling = form(match, type="ruled", result="draw", note="The table broke.")
    assert signed_in(match).post(url(match), ruling).status_code == 302
    assert Note.objects.get(log=match.log).text == "The table broke."


def test_a_ruling_is_offered_to_those_who_may_rule_alone() -> None:
    official, player = factories.actor(), factories.actor()
    seats = [SeatRequest(player=player.player), SeatRequest(name="Ben")]
    match = factories.match(official, seats=seats)
    for who, offered in ((official, True), (player, False)):
        page = factories.client_of(who).get(url(match)).text
        assert ('name="type" value="ruled"' in page) == offered
        assert 'name="type" value="conceded"' in page


# -- what it shows --------------------------------------------------------------------------


def test_the_half_in_the_query_waits_for_its_target(duel: Match, scribe: Client) -> None:
    factories.record(duel, {"type": "impulse-won", "seat": 1})
    page = scribe.get(url(duel, "?card=Ridge+Helm&end=a")).content.decode()
    assert 'data-step="against"' in page
    assert 'data-step="with"' in scribe.get(url(duel)).content.decode()


def test_an_attack_again_of_a_card_whose_dots_nobody_entered_goes_on() -> None:
    figures = [
        SeatRequest(name=name, deck=decks.blank(rules.get("zg")))
        for name in ("Yow Ferrin", "Ezut Marr")
    ]
    match = factories.match(game="zg", seats=figures)
    called = {"type": "test-called", "seat": 1, "foe": 2, "target": "Helmet", "strikes": 3}
    factories.record(match, {"type": "impulse-won", "seat": 1})
    factories.record(match, called | {"card": "Frontgear"})
    page = signed_in(match).get(url(match)).text
    assert 'data-step="with"' in page and "end=&amp;" not in page
    assert 'value="foe=2&amp;target=Shield&amp;target_end=b"' in page


@pytest.mark.parametrize("last", ["Ridge Helm", "Green Feet 2"])
def test_a_lock_that_ends_with_the_turn_is_told_no_more(
    last: str, duel: Match, scribe: Client
) -> None:
    def said_of(card: str) -> str:
        target, end = ("Tide Shield", "b") if card == "Ridge Helm" else ("Blue Feet", "a")
        test = {"card": card, "end": "a", "foe": 2, "target": target, "target_end": end}
        factories.record(duel, {"type": "attacked", "seat": 1} | test)
        page = scribe.get(url(duel, "?part=1")).content.decode()
        return page.partition('id="lg-said"')[2].partition("lg-reasons")[0]

    factories.record(duel, {"type": "impulse-won", "seat": 1})
    cards = ("Green Feet", "Ridge Helm", "Green Feet 2")
    first, second, third = map(said_of, sorted(cards, key=lambda card: card == last))
    assert ("Tide Shield may be attacked again." in first + second) is (last != "Ridge Helm")
    assert "match" in third
    assert "may be attacked again" not in third
    assert "lock on" not in third


def test_a_part_is_the_page_without_its_shell(duel: Match, scribe: Client) -> None:
    part = scribe.get(url(duel, "?part=1")).content.decode()
    assert "<html" not in part
    assert 'id="lg-desk"' in part


def test_any_game_has_a_logger_of_its_offers() -> None:
    match = factories.match()
    page = signed_in(match).get(url(match)).content.decode()
    assert 'value="points-scored"' in page


@pytest.mark.parametrize("seats", [2, 3, 8])
def test_every_depth_and_table_size_has_its_page(seats: int) -> None:
    samples = list(decks.samples(rules.get("zg")).values())
    match = factories.match(
        game="zg", seats=[SeatRequest(label=f"Seat {n}", deck=samples[n % 3]) for n in range(seats)]
    )
    client = signed_in(match)
    for act in (
        {"type": "impulse-won", "seat": 1},
        {"type": "options-changed", "depth": "score"},
        {"type": "slag-called", "seat": 1, "foe": 2, "target": "Tide Shield"},
    ):
        factories.record(match, act)
        assert client.get(url(match)).status_code == 200
        assert client.get(url(match, "?seat=2")).status_code == 200


def test_no_krewe_is_shown_its_own_as_targets() -> None:
    seats = [SeatRequest(label=f"Seat {n}") for n in (1, 2, 3, 4)]
    match = factories.match(game="zg", seats=seats, options={"krewes": True})
    for act in ({"type": "impulse-won", "seat": 1}, {"type": "options-changed", "depth": "score"}):
        factories.record(match, act)
        page = signed_in(match).get(url(match, "?seat=1")).content.decode()
        assert [f"foe={n}&amp;" in page for n in (2, 3, 4)] == [True, False, True]
    duel = factories.match(game="zg", options={"krewes": True, "depth": "score"})
    page = signed_in(duel).get(url(duel, "?seat=1")).content.decode()
    assert [f"foe={n}&amp;" in page for n in (1, 2)] == [True, True]


def test_an_ended_match_says_so_and_offers_no_act() -> None:
    match = factories.match()
    factories.record(match, {"type": "game-won", "seat": 1})
    page = signed_in(match).get(url(match)).content.decode()
    assert "See the match" in page
    assert 'value="points-scored"' not in page


def test_undoing_what_ended_a_match_is_offered_to_who_may_reopen_it_alone(client: Client) -> None:
    match = factories.match()
    factories.record(match, {"type": "game-won", "seat": 1})
    client.post(f"/j/{services.seat_link(match.seats.get(number=2))}/")
    undo, reopens = "data-undo", "unless the match is sanctioned, whoever opened it"
    for reader, offered in ((signed_in(match), True), (client, False)):
        page = reader.get(url(match)).content.decode()
        assert (undo in page, reopens in page) == (offered, not offered)
    refused = client.get(f"/matches/{match.code}/correct/2/").content.decode()
    assert "The match is over" in refused


# -- recording ------------------------------------------------------------------------------


def test_an_attack_is_recorded_and_the_next_awaited(duel: Match, scribe: Client) -> None:
    factories.record(duel, {"type": "impulse-won", "seat": 1})
    answer = scribe.post(url(duel), form(duel, **ATTACK))
    assert (answer.status_code, answer["Location"]) == (302, url(duel))
    assert selectors.timeline(duel).head.version == 3


def test_a_drawn_target_keeps_the_half_that_was_chosen(duel: Match, scribe: Client) -> None:
    factories.record(duel, {"type": "impulse-won", "seat": 1})
    drawn = {"type": "target-drawn", "seat": "1", "foe": "2", "target": "-", "spin": "server"}
    answer = scribe.post(url(duel), form(duel, armed="card=Ridge%20Helm&end=a", **drawn))
    assert answer["Location"] == url(duel, "?card=Ridge%20Helm&end=a")


def test_the_last_act_is_taken_back(duel: Match, scribe: Client) -> None:
    factories.record(duel, {"type": "impulse-won", "seat": 1})
    answer = scribe.post(url(duel), form(duel, type="taken-back", to="1"))
    assert answer.status_code == 302
    assert len(selectors.timeline(duel).effective()) == 1


def test_a_retest_shows_its_dots_like_any_test(duel: Match, scribe: Client) -> None:
    scribe.post(url(duel), form(duel, type="impulse-won", seat="1"))
    for target_end in ("a", "b"):
        card = "Ridge Helm" if target_end == "a" else "Spacewing Backgear"
        where = f"foe=2&target=Tide%20Shield&target_end={target_end}"
        scribe.post(url(duel), form(duel, **ATTACK | {"card": card, "with-target": where}))
    again = form(duel, type="retested", seat="1", which="target", end="a")
    page = scribe.post(url(duel), again, follow=True).content.decode()
    assert "has Tide Shield back" in page
    assert page.count('class="lg-pair"') == 3


def test_a_retest_of_the_test_that_ended_the_match_reopens_it(duel: Match, scribe: Client) -> None:
    where = "foe=2&target=Harbour%20Ulster&target_end=b"
    scribe.post(url(duel), form(duel, **ATTACK | {"end": "b", "with-target": where}))
    factories.record(duel, {"type": "slag-accepted", "seat": 2})
    again = {"type": "retested", "seat": "2", "with-ends": "which=target&end=a"}
    assert "which=target&amp;end=a" in scribe.get(url(duel)).content.decode()

    asked = scribe.post(url(duel), form(duel, **again))
    assert asked.status_code == 409
    assert "reopens it" in asked.content.decode()
    scribe.post(url(duel), form(duel, **again, irregular="true"))
    duel.log.refresh_from_db()
    assert duel.log.status == "open"


def test_a_retest_is_offered_in_the_reader_s_own_words(duel: Match, scribe: Client) -> None:
    scribe.post(url(duel), form(duel, type="impulse-won", seat="1"))
    scribe.post(url(duel), form(duel, **ATTACK))
    scribe.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    retests = scribe.get(url(duel)).content.decode().partition('id="lg-retest"')[2]
    words = re.findall(r'lg-label">(.*?)</span>', retests, re.DOTALL)
    told = {" ".join(each.split()).partition(": ")[2] for each in words}
    assert {"das Ziel", "den Angriff"} <= told
    again = form(duel, type="retested", seat="1", which="target", end="a")
    assert "Retest des Ziels" in scribe.post(url(duel), again, follow=True).content.decode()


def test_an_attack_from_high_ground_shows_its_dots_like_any_test(
    duel: Match, scribe: Client
) -> None:
    factories.record(duel, {"type": "options-changed", "depth": "full"})
    factories.record(duel, {"type": "impulse-won", "seat": 1})
    high = form(duel, **ATTACK | {"high_ground": "true", "augments": "1"})
    page = scribe.post(url(duel), high, follow=True).content.decode()
    assert "attacks from high ground" in page
    assert page.count('class="lg-pair"') == 3


def test_the_logger_says_before_the_tap_that_an_augment_is_due(duel: Match, scribe: Client) -> None:
    factories.record(duel, {"type": "options-changed", "depth": "full"})
    prone = {"type": "travelled", "seat": 2, "card": "Blue Feet", "stance": "prone"}
    factories.record(duel, prone)
    factories.record(duel, {"type": "turn-passed", "seat": 2})
    assert "prone: +1 AP" in scribe.get(url(duel)).content.decode()


def test_who_goes_first_is_asked_until_somebody_has_played(duel: Match, scribe: Client) -> None:
    factories.record(duel, {"type": "options-changed", "depth": "full"})
    factories.record(duel, {"type": "countdown-started", "seat": 2})
    assert "Who goes first?" in scribe.get(url(duel)).content.decode()
    factories.record(duel, {"type": "impulse-won", "seat": 1})
    factories.record(duel, {"type": "turn-passed", "seat": 1})
    factories.record(duel, {"type": "turn-passed", "seat": 2})
    assert "Who goes first?" in scribe.get(url(duel)).content.decode()


def test_a_tie_for_a_later_place_is_drawn_for_at_the_start() -> None:
    seats = [SeatRequest(label=f"Seat {number}") for number in (1, 2, 3)]
    tied = factories.match(game="zg", seats=seats, options={"depth": "full"})
    for seat, numbers in enumerate(("9-9-9", "5-5-5", "5-5-5"), 1):
        factories.record(tied, {"type": "impulse-called", "seat": seat, "numbers": numbers})
    factories.record(tied, {"type": "placed", "seat": 1})
    page = signed_in(tied).get(url(tied)).content.decode()
    assert 'popovertarget="lg-tie"' in page
    assert "Seat 2 draws for the tie" in page


RAM = {"name": "Ram", "slot": "Claw", "powerups": ["Knockback"], "a": "R G B", "b": "R G R"}
SHELL = [{"name": name, "slot": "Shield", "a": "R G B"} for name in ("Left", "Right", "Front")]
SUIT = {"name": "Suit", "slot": "Ulster", "a": "R G B"}


@pytest.mark.parametrize(
    ("end", "target", "pulses", "awaited"),
    [
        ("a", "Left", 0, "Ram A"),
        ("a", "Suit", 0, "Seat 2: Save the card"),
        ("a", "Left", 2, "No more"),
        ("b", "Left", 2, "Who goes next?"),
    ],
)
def test_whatever_the_table_waits_for_a_knockback_is_asked_about(
    end: str, target: str, pulses: int, awaited: str
) -> None:
    deck = {"cards": [RAM, *SHELL, SUIT], "character": "Ada"}
    seats = [SeatRequest(deck=deck) for _ in range(3)]
    match = factories.match(game="zg", seats=seats, options={"depth": "full", "krewes": True})
    for card in ("Right", "Front")[:pulses]:
        factories.record(match, {"type": "moved", "seat": 1, "card": card})
    attack = {"seat": 1, "card": "Ram", "end": end, "foe": 2, "target": target, "target_end": "a"}
    factories.record(match, {"type": "attacked", **attack})
    page = signed_in(match).get(url(match)).content.decode()
    assert awaited in page
    assert page.count(">knocked back</button>") == page.count('id="lg-knock"') == 1
    assert ("No more" in page) == (awaited == "No more")  # it would give up the pulses left as well


def test_a_card_outside_the_hand_one_took_looks_like_one_that_may_not_play() -> None:
    samples = list(decks.samples(rules.get("zg")).values())
    one = factories.actor()
    seats = [SeatRequest(player=one.player, deck=samples[0]), SeatRequest(deck=samples[1])]
    mine = factories.match(one, game="zg", seats=seats, options={"depth": "full"})
    cards = ["Ridge Helm", "Canopy Shield", "Thorn Claw"]
    factories.record(mine, {"type": "hand-taken", "seat": 1, "cards": cards})
    factories.record(mine, {"type": "impulse-won", "seat": 1})
    page = signed_in(mine).get(url(mine)).content.decode()
    assert page.count('class="lg-tile green idle"') == 6


def test_more_holds_what_ends_a_match_where_only_tests_are_recorded() -> None:
    seats = [SeatRequest(label="Seat 1"), SeatRequest(label="Seat 2")]
    cliff = factories.match(game="zg", seats=seats, options={"edges": "fall"})
    page = signed_in(cliff).get(url(cliff)).content.decode()
    assert "Flameout: Seat 1" in page
    assert "Over the edge: Seat 2" in page


def test_the_forms_offer_the_card_that_moved_for_its_attack(duel: Match, scribe: Client) -> None:
    factories.record(duel, {"type": "options-changed", "depth": "full"})
    factories.record(duel, {"type": "travelled", "seat": 1, "card": "Ridge Helm"})
    page = scribe.get(f"/matches/{duel.code}/acts/").content.decode()
    assert 'value="card=Ridge%20Helm&amp;end=a"' in page


def test_a_hand_is_called_by_whose_it_is_while_it_waits_to_be_sent(
    duel: Match, scribe: Client
) -> None:
    factories.record(duel, {"type": "options-changed", "depth": "full"})
    page = scribe.get(url(duel)).content.decode()
    assert 'data-told="Yow Ferrin takes a hand"' in page


def test_no_clock_runs_once_the_match_is_over(duel: Match, scribe: Client) -> None:
    factories.record(duel, {"type": "countdown-started", "seat": 1})
    factories.record(duel, {"type": "conceded", "seat": 2})
    assert "on the clock" not in scribe.get(f"/matches/{duel.code}/").content.decode()


def test_what_is_against_the_rules_may_stand(duel: Match, scribe: Client) -> None:
    factories.record(duel, {"type": "impulse-won", "seat": 2})
    answer = scribe.post(url(duel), form(duel, **ATTACK))
    assert answer.status_code == 409
    assert "It stood: log it anyway" in answer.content.decode()
    assert '(<a class="clause" href="/rules/zg/#' in answer.content.decode()
    answer = scribe.post(url(duel), form(duel, irregular="true", **ATTACK))
    assert answer.status_code == 302
    told = scribe.get(f"/matches/{duel.code}/").content.decode().partition("Against the rules: ")[2]
    assert '(<a class="clause" href="/rules/zg/#' in told[:120]
    assert selectors.timeline(duel).entries[-1].irregular == "not-your-pulse"


def test_an_act_on_an_older_head_is_shown_what_happened(duel: Match, scribe: Client) -> None:
    stale = form(duel, type="impulse-won", seat="1")
    factories.record(duel, {"type": "impulse-won", "seat": 2})
    answer = scribe.post(url(duel), stale)
    assert answer.status_code == 409
    assert "Log it after that" in answer.content.decode()


# -- bad input ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    [
        "?card=Nothing&end=a",
        "?card=Ridge+Helm&end=ab",
        "?card=Ridge+Helm&end=",
        "?card=Ridge+Helm&end=a&foe=9&target=Tide+Shield&target_end=b",
        "?card=Ridge+Helm&end=a&foe=1&target=Ridge+Helm&target_end=b",
        "?card=%00%ff<script>&end=%27",
        "?seat=x&foe=-1&part=1",
        "?card=" + "x" * 2000,
    ],
)
def test_a_query_that_makes_no_sense_is_passed_over(
    duel: Match, scribe: Client, query: str
) -> None:
    factories.record(duel, {"type": "impulse-won", "seat": 1})
    answer = scribe.get(url(duel, query))
    assert answer.status_code == 200
    assert "<script>&" not in answer.content.decode()


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"type": "attacked"}, 400),
        ({"type": "nothing"}, 400),
        ({}, 400),
        ({**ATTACK, "seat": "x"}, 400),
        ({**ATTACK, "seat": "9"}, 422),
        ({**ATTACK, "card": "Nothing"}, 422),
        ({**ATTACK, "act_id": "x"}, 400),
        ({**ATTACK, "after": "x"}, 404),
        ({"type": "taken-back"}, 400),
        ({"type": "taken-back", "to": "77"}, 422),
        ({"type": "target-drawn", "armed": "//elsewhere", "seat": "1"}, 400),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_form_that_makes_no_sense_says_why(
    duel: Match, scribe: Client, fields: dict[str, Any], status: int
) -> None:
    factories.record(duel, {"type": "impulse-won", "seat": 1})
    answer = scribe.post(url(duel), form(duel) | fields)
    assert answer.status_code == status
    assert duel.log.head_version == 2


def test_the_script_knows_what_each_act_is_called(duel: Match, scribe: Client) -> None:
    page = unescape(scribe.get(url(duel)).content.decode())
    assert '"impulse-won":"Who plays next"' in page


def test_mistyped_dots_are_named_without_a_pattern(duel: Match, scribe: Client) -> None:
    shown = {"type": "end-shown", "seat": "1", "card": "Ridge Helm", "end": "a", "dots": "banana"}
    answer = scribe.post(url(duel), form(duel, **shown))
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "Enter the dots of an end: Dots cannot be" in page
    assert "regex" not in page


def test_the_armed_half_cannot_redirect_elsewhere(duel: Match, scribe: Client) -> None:
    act = form(duel, type="impulse-won", seat="1", armed="//elsewhere\r\nX: y")
    answer = scribe.post(url(duel), act)
    assert answer["Location"] == url(duel)


def test_the_script_is_told_the_types_of_every_field() -> None:
    fields = act_fields(rules.get("zg"))
    assert fields["attacked"]["augments"] == "numbers"
    assert fields["attacked"]["half_turn"] == "flag"
    assert fields["test-called"]["dot_matches"] == "number"
    assert fields["taken-back"]["to"] == "number"
    assert act_fields(rules.get("zerpang"))["linked-moved"]["dirs"] == "numbers"
