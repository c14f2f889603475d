"""The logger on a phone: how many taps an act takes, and what the table may do with it."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

import rules
from matches import decks, practice, services
from matches.services import SeatRequest
from rules.ruleset import event_type
from tests import factories
from tests.browser.held import Held
from tests.browser.scribe import PHONE, Scribe, follow_nothing
from tests.matches.test_practice import of_one_colour

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]


# -- taps ---------------------------------------------------------------------------------


def test_a_plain_test_takes_two_taps_and_undoing_it_one(scribe: Callable[..., Scribe]) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    before = phone.taps
    phone.test("Ridge Helm", "Tide Shield", "a", "b")
    assert phone.taps - before == 2
    expect(phone.page.locator("#lg-said")).to_contain_text("1 match, 1 strike: targetlock")
    phone.act(lambda: phone.tap(phone.key("Undo: Ridge Helm A > Tide Shield B")))
    assert phone.taps - before == 3
    assert len(phone.timeline().effective()) == 2
    phone.act(lambda: phone.tap(phone.key("Redo: Ridge Helm A > Tide Shield B")))
    assert len(phone.timeline().effective()) == 3
    phone.tap(phone.half("Green Feet", "a"))
    phone.act(lambda: phone.tap(phone.key("Move", exact=True)))
    step = phone.page.locator("#lg-step")
    expect(step).to_have_attribute("data-step", "with")  # the half that moved is let go
    assert not phone.heard


def test_a_plain_turn_of_two_takes_thirteen_taps(scribe: Callable[..., Scribe]) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    for card in ("Green Feet", "Green Feet 2", "Ridge Helm"):
        phone.test(card, "Tide Shield", "a", "b")
    for card in ("Blue Feet", "Blue Feet 2", "Deepwater Helm"):
        phone.test(card, "Green Feet")
    assert phone.taps <= 13
    assert phone.timeline().head.state.turn == 2


def test_a_finger_that_comes_down_twice_on_a_card_attacks_nobody(
    scribe: Callable[..., Scribe],
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    finger = phone.page.context.new_cdp_session(phone.page)
    box = phone.half("Green Feet", "a").bounding_box()
    point = {"x": box["x"] + 20, "y": box["y"] + 20}
    now = time.time()
    for at in (now, now + 0.1):  # by the phone's clock, however long it takes to send them
        touch = {"timestamp": at, "type": "touchStart", "touchPoints": [point]}
        finger.send("Input.dispatchTouchEvent", touch)
        finger.send("Input.dispatchTouchEvent", touch | {"type": "touchEnd", "touchPoints": []})
        expect(phone.page.locator("#lg-step")).to_have_attribute("data-step", "against")
    phone.tapped = (time.monotonic(), point["x"], point["y"])
    expect(phone.page.locator("#lg-armed")).to_have_text("Green Feet A")
    phone.act(lambda: phone.tap(phone.half("Tide Shield", "b")))
    assert phone.timeline().entries[-1].act.target == "Tide Shield"


def test_a_spin_of_the_site_takes_two_taps(scribe: Callable[..., Scribe]) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    before, version = phone.taps, phone.version
    phone.tap(phone.half("Ridge Helm", "a"))
    phone.tap(phone.key("SPIN"))
    phone.recorded(version + 2)
    assert phone.taps - before == 2
    act = phone.timeline().entries[-1].act
    assert (event_type(act), act.spin, act.card) == ("attacked", "server", "Ridge Helm")


def test_a_spin_goes_on_over_a_slow_network(scribe: Callable[..., Scribe]) -> None:
    def linger(route: Any) -> None:
        time.sleep(0.8)  # longer than the phone waits before it goes on by itself
        route.continue_()

    phone = scribe()
    phone.goes_first("Yow Ferrin")
    version = phone.version
    phone.page.route("**" + phone.page.locator("#logger").get_attribute("data-api"), linger)
    phone.tap(phone.half("Ridge Helm", "a"))
    phone.tap(phone.key("SPIN"))
    phone.recorded(version + 2)
    assert phone.timeline().entries[-1].act.spin == "server"


def test_what_is_tapped_before_the_board_comes_stands(scribe: Callable[..., Scribe]) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    boards = Held(phone.page, re.compile("part=1$"))

    def attack(card: str, target: str, end: str = "a") -> None:
        phone.tap(phone.half(card, "a"))
        phone.tap(phone.half(target, end))

    attack("Ridge Helm", "Tide Shield", "b")
    first = boards.next()  # the act is recorded, and the board after it on its way
    attack("Green Feet", "Blue Feet")  # after the act that the page does not show yet
    first.continue_()
    second = boards.next()
    its = second.fetch()
    expect(phone.page.locator("#lg-said")).to_contain_text("0 matches")
    finger = phone.page.context.new_cdp_session(phone.page)
    box = phone.half("Green Feet 2", "a").bounding_box()
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    with phone.page.expect_event("requestfinished", lambda each: "part=1" in each.url):
        second.fulfill(response=its)  # at once: what is pressed for a second is no tap
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    phone.tapped = (time.monotonic(), point["x"], point["y"])
    phone.recorded(4)
    expect(phone.page.locator("#lg-armed")).to_have_text("Green Feet 2 A")
    phone.tap(phone.half("Blue Feet 2", "a"))
    boards.next().continue_()
    phone.recorded(5)
    acts = [(entry.act.card, entry.act.target) for entry in phone.timeline().entries[2:]]
    assert acts == [
        ("Ridge Helm", "Tide Shield"),
        ("Green Feet", "Blue Feet"),
        ("Green Feet 2", "Blue Feet 2"),
    ]
    assert not phone.heard


def test_a_spin_spends_its_half_and_draws_for_none_that_may_not_attack(
    scribe: Callable[..., Scribe],
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    version = phone.version
    phone.tap(phone.half("Ridge Helm", "a"))
    phone.tap(phone.key("SPIN"))
    phone.recorded(version + 2)
    if phone.timeline().head.state.board.follow_up is None:
        expect(phone.page.locator("#lg-step")).to_have_attribute("data-step", "with")
        phone.tap(phone.half("Ridge Helm", "a"))
        phone.tap(phone.key("SPIN"))
        said = phone.page.locator("#lg-said")
        expect(said).to_contain_text("Ridge Helm may not attack now. Nothing was drawn.")
    assert phone.timeline().head.version == version + 2


def test_no_spin_is_offered_once_a_hand_is_taken(scribe: Callable[..., Scribe]) -> None:
    match = factories.duel()
    factories.record(match, {"type": "options-changed", "depth": "full"})
    cards = ["Deepwater Helm", "Tide Shield", "Dock Claw"]
    factories.record(match, {"type": "hand-taken", "seat": 2, "cards": cards}, irregular=True)
    factories.record(match, {"type": "impulse-won", "seat": 1}, irregular=True)
    phone = scribe(match)
    phone.tap(phone.half("Ridge Helm", "a"))
    phone.tap(phone.key("SPIN"))
    expect(phone.page.locator("#lg-no-spin")).to_contain_text("the hand that was taken")
    assert phone.timeline().head.version == 4


def test_the_third_tap_of_three_players_names_the_foe(scribe: Callable[..., Scribe]) -> None:
    samples = list(decks.samples(rules.get("zg")).values())
    names = ["Yow Ferrin", "Ezut Marr", "Kleer Vann"]
    seats = [SeatRequest(name=name, deck=deck) for name, deck in zip(names, samples, strict=True)]
    phone = scribe(factories.match(game="zg", seats=seats))
    phone.goes_first("Yow Ferrin")
    before = phone.taps
    phone.tap(phone.half("Ridge Helm", "a"))
    phone.tap(phone.page.locator(".lg-tab", has_text="Kleer Vann"))
    phone.act(lambda: phone.tap(phone.half("Kiln Frontgear", "a")))
    assert phone.taps - before == 3


# -- the rest of the table ----------------------------------------------------------------


def test_an_act_against_the_rules_stands_with_one_more_tap(scribe: Callable[..., Scribe]) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    phone.test("Green Feet", "Blue Feet")
    phone.tap(phone.half("Green Feet", "a"))
    phone.tap(phone.half("Blue Feet", "a"))
    expect(phone.page.locator("#lg-said")).to_contain_text("played Green Feet this turn already")
    phone.act(lambda: phone.tap(phone.key("It stood: log it anyway")))
    assert phone.timeline().entries[-1].irregular == "card-already-played"


def test_an_option_counts_for_one_act(scribe: Callable[..., Scribe]) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    phone.tap(phone.page.locator(".lg-opt", has_text="½ turn"))
    phone.test("Green Feet", "Blue Feet")
    phone.test("Green Feet 2", "Blue Feet")
    assert [entry.act.half_turn for entry in phone.timeline().entries[-2:]] == [True, False]


def test_a_blaze_takes_a_tap_and_one_for_its_dot(scribe: Callable[..., Scribe]) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    before = phone.taps
    for opener, name in (("+AP", "2 twice"), ("+Armour", "1")):
        phone.tap(phone.key(opener))
        phone.tap(phone.page.locator(":popover-open .lg-opt").get_by_text(name, exact=True))
    phone.test("Green Feet", "Blue Feet")
    assert phone.taps - before == 6
    act = phone.timeline().entries[-1].act
    assert (act.augments, act.bolsters) == ((2, 2), (1,))


def test_a_match_that_moved_on_is_shown_anew(scribe: Callable[..., Scribe]) -> None:
    phone = scribe()
    follow_nothing(phone.page)
    factories.record(phone.match, {"type": "impulse-won", "seat": 2})
    phone.tap(phone.key("Yow Ferrin", exact=True))
    expect(phone.page.locator("#lg-said")).to_contain_text("Someone else logged meanwhile")
    expect(phone.page.get_by_role("heading", level=1)).to_contain_text("Ezut Marr attacks with")


def test_an_act_waits_out_a_lost_network(scribe: Callable[..., Scribe]) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    phone.page.context.set_offline(True)
    phone.tap(phone.half("Ridge Helm", "a"))
    phone.tap(phone.half("Tide Shield", "b"))
    expect(phone.page.locator("#lg-sent")).to_have_text("offline · 1 not sent")
    phone.page.context.set_offline(False)
    phone.recorded(3)
    expect(phone.page.locator("#lg-sent")).to_be_hidden()


def test_unknown_dots_are_tapped_in_and_tested_as_chosen(scribe: Callable[..., Scribe]) -> None:
    samples = list(decks.samples(rules.get("zg")).values())
    seats = [SeatRequest(name="Yow Ferrin"), SeatRequest(name="Ezut Marr", deck=samples[1])]
    phone = scribe(factories.match(game="zg", seats=seats))
    phone.goes_first("Yow Ferrin")
    phone.tap(phone.key("+AP"))
    phone.tap(phone.page.locator(":popover-open .lg-opt").get_by_text("2", exact=True))
    phone.tap(phone.half("Helmet", "a"))
    phone.tap(phone.half("Tide Shield", "b"))
    for dot in ("red", "green", "blue"):
        phone.tap(phone.key(dot, exact=True))
    version = phone.version
    phone.tap(phone.key("Enter"))
    phone.recorded(version + 2)
    attack = phone.timeline().entries[-1].act
    assert (event_type(attack), attack.card, attack.augments) == ("attacked", "Helmet", (2,))
    phone.tap(phone.key("Retest"))  # the other end of a card that nobody knows is shown first
    sheet = phone.page.locator(":popover-open")
    for dot in ("red", "red", "blue"):
        phone.tap(sheet.get_by_role("button", name=dot, exact=True))
    phone.act(lambda: phone.tap(sheet.get_by_role("button", name="Enter")))
    phone.tap(phone.key("Retest"))
    phone.act(lambda: phone.tap(phone.key("Yow Ferrin: the attack again, end B")))
    for _undo in range(3):
        phone.act(lambda: phone.tap(phone.key("Undo:")))
    phone.tap(phone.half("Shield", "b"))
    phone.tap(phone.half("Tide Shield", "b"))
    phone.act(lambda: phone.tap(phone.key("2", exact=True)))
    assert phone.timeline().entries[-1].act.strikes == 2
    assert phone.page.locator("#lg-said").inner_text().count("2 strikes") == 1


def test_slags_alone_are_logged_with_one_tap(scribe: Callable[..., Scribe]) -> None:
    phone = scribe()
    phone.tap(phone.key("More", exact=True))
    phone.act(lambda: phone.tap(phone.key("Log slags only")))
    before = phone.taps
    phone.act(lambda: phone.tap(phone.key("Ezut Marr loses Tide Shield")))
    assert phone.taps - before == 1
    act = phone.timeline().entries[-1].act
    assert (act.seat, act.foe, act.target) == (1, 2, "Tide Shield")


def test_the_minute_runs_where_all_can_see_it_and_ends_by_itself(
    scribe: Callable[..., Scribe],
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    phone.page.clock.install()
    phone.act(lambda: phone.tap(phone.key("Start the countdown for Yow Ferrin")))
    clock = phone.key("Time is up for Yow Ferrin")
    expect(clock).to_contain_text("5")
    expect(clock).to_be_disabled()
    phone.act(lambda: phone.tap(phone.key("Undo:")))
    expect(clock).to_have_count(0)
    phone.act(lambda: phone.tap(phone.key("Start the countdown for Yow Ferrin")))
    phone.page.clock.fast_forward("01:01")
    expect(clock).to_contain_text("Time!")
    phone.act(lambda: phone.tap(clock))
    assert event_type(phone.timeline().entries[-1].act) == "countdown-expired"


def test_without_javascript_a_test_is_two_forms(scribe: Callable[..., Scribe]) -> None:
    phone = scribe(java_script_enabled=False)
    phone.goes_first("Yow Ferrin")
    phone.tap(phone.half("Ridge Helm", "a"))
    expect(phone.page).to_have_url(re.compile("card=Ridge%20Helm&end=a"))
    phone.act(lambda: phone.tap(phone.half("Tide Shield", "b")))
    expect(phone.page.locator("#lg-said")).to_contain_text("1 match, 1 strike: targetlock")
    phone.act(lambda: phone.tap(phone.key("Undo: Ridge Helm A > Tide Shield B")))
    phone.tap(phone.half("Ridge Helm", "a"))
    phone.act(lambda: phone.tap(phone.key("SPIN")))
    phone.act(lambda: phone.tap(phone.key("SPIN")))
    assert phone.timeline().entries[-1].act.spin == "server"


def test_a_guest_logs_from_the_link_of_a_seat(new_page: Callable[..., Any]) -> None:
    match = factories.duel()
    page = new_page(**PHONE)
    page.goto(f"/j/{services.seat_link(match.seats.get(number=2))}/")
    page.get_by_role("button", name="Sit down").click()
    page.goto(f"/matches/{match.code}/")
    page.get_by_role("link", name="Log", exact=True).first.click()
    page.goto(f"/matches/{match.code}/table/")
    page.get_by_role("button", name="Ezut Marr", exact=True).tap()
    expect(page.locator("#lg-head")).to_have_attribute("data-version", "2")


def test_mistyped_dots_are_typed_again_where_they_were(scribe: Callable[..., Scribe]) -> None:
    samples = list(decks.samples(rules.get("zg")).values())
    seats = [SeatRequest(name="Yow Ferrin"), SeatRequest(name="Ezut Marr", deck=samples[1])]
    phone = scribe(factories.match(game="zg", seats=seats))
    phone.goes_first("Yow Ferrin")
    phone.tap(phone.half("Helmet", "a"))
    phone.page.keyboard.press("ArrowDown")
    phone.half("Tide Shield", "b").focus()
    phone.page.keyboard.press("Enter")
    expect(phone.page.locator("#lg-dots")).to_be_focused()  # not the key that takes back
    phone.page.locator("#lg-dots").fill("R G")
    phone.tap(phone.key("Enter"))
    expect(phone.page.locator("#lg-said")).to_contain_text("An end has three dots")
    expect(phone.page.locator("#lg-dots")).to_have_value("R G")
    phone.page.locator("#lg-dots").fill("rgb")
    version = phone.version
    phone.tap(phone.key("Enter"))
    phone.recorded(version + 2)
    assert phone.timeline().entries[-1].act.card == "Helmet"


def test_what_another_logs_is_shown_and_leaves_a_chosen_half_alone(
    scribe: Callable[..., Scribe],
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    phone.tap(phone.half("Ridge Helm", "a"))
    factories.record(phone.match, {"type": "countdown-started", "seat": 2})
    phone.recorded(3)
    expect(phone.page.locator("#lg-step")).to_have_attribute("data-step", "against")
    expect(phone.page.locator("#lg-armed")).to_have_text("Ridge Helm A")

    # A log that no longer holds the entry this phone saw is told loudly, until somebody goes on.
    expect(phone.page.locator("#lg-broken")).to_be_hidden()
    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.page.locator("#lg-broken")).to_have_attribute("data-seen", "3")
    phone.page.route("**/events/?*", cut_back)
    phone.page.reload()
    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.page.locator("#lg-broken")).to_contain_text("Entry 3 was in it")
    expect(phone.page.get_by_role("heading", name="This log is not the one")).to_be_focused()
    phone.page.unroute("**/events/?*")
    phone.page.get_by_role("button", name="Go on with the log as it is now").click()
    expect(phone.page.locator("#lg-broken")).to_be_hidden()
    expect(phone.page.locator("#lg-broken")).to_have_attribute("data-seen", "3")


def cut_back(route: Route) -> None:
    """Answer as a server does whose log has lost its last entries."""
    route.fulfill(json={"entries": [], "last": 0, "more": False})


# -- practice -----------------------------------------------------------------------------


def test_a_bot_plays_at_a_tap_once_nothing_waits(scribe: Callable[..., Scribe]) -> None:
    ann = factories.actor("ann")
    seats = [SeatRequest(player=ann.player), SeatRequest(label=practice.LABEL)]
    phone = scribe(factories.match(ann, "zerpang", seats))
    said, bot = phone.page.locator("#lg-said"), phone.key("Let the bot play")
    phone.page.context.set_offline(True)
    phone.tap(bot)
    expect(said).to_contain_text("That needs the network.")
    phone.page.context.set_offline(False)
    phone.page.evaluate("window.stayed = true")
    phone.tap(bot)
    expect(said).to_contain_text("The bot played")
    expect(bot).to_be_hidden()  # it waits for its foe
    assert phone.page.evaluate("window.stayed")
    played = [entry.act.seat for entry in phone.timeline().entries[1:]]
    assert set(played) == {2}
    assert phone.version == 1 + len(played)


def test_a_half_chosen_for_the_bot_is_let_go_once_it_has_played(
    scribe: Callable[..., Scribe],
) -> None:
    ann = factories.actor("ann")
    mine, its = of_one_colour("R R R"), of_one_colour("B B B")
    seats = [SeatRequest(player=ann.player, deck=mine), SeatRequest(label=practice.LABEL, deck=its)]
    phone = scribe(factories.match(ann, "zg", seats))
    phone.goes_first("Bot")
    phone.tap(phone.half("Card 0", "a"))
    phone.act(lambda: phone.tap(phone.key("Let the bot play")))
    expect(phone.page.locator("#lg-step")).to_have_attribute("data-step", "with")
