"""The logger offline: nothing is lost or recorded twice, and it shows what is unsent."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

import rules
from matches import decks, services
from matches.models import Event, Match, Proposal
from matches.services import SeatRequest
from rules.ruleset import event_type
from tests import factories
from tests.browser.held import Held
from tests.browser.scribe import PHONE, Scribe, follow_nothing
from tests.browser.wire import Wire, wire

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

LINES = "#lg-unsent li"
PACKED = """async (version) => {
  const open = indexedDB.open("zgxl");
  await new Promise((done) => (open.onsuccess = done));
  const got = open.result.transaction("pockets").objectStore("pockets").getAll();
  await new Promise((done) => (got.onsuccess = done));
  open.result.close();
  return got.result.some((pocket) => pocket.version >= version);
}"""

LOOK = "document.dispatchEvent(new Event('visibilitychange'))"

FORGET = """async () => {
  const open = indexedDB.open("zgxl");
  await new Promise((done) => (open.onsuccess = done));
  const change = open.result.transaction("pockets", "readwrite");
  change.objectStore("pockets").clear();
  await new Promise((done) => (change.oncomplete = done));
  open.result.close();
}"""

FULL = """() => {
  const {add, put} = IDBObjectStore.prototype;
  const full = (write) => function (...given) {
    const asked = write.apply(this, given);
    this.transaction.abort();
    return asked;
  };
  Object.assign(IDBObjectStore.prototype, {add: full(add), put: full(put)});
}"""

BLOCKED = "indexedDB.open = () => { throw new DOMException('', 'SecurityError'); };"

CONTROLLED = """async () => {
  const worker = navigator.serviceWorker;
  const turned = new Promise((done) => worker.addEventListener("controllerchange", done));
  await worker.register("/offline-worker.js");
  if (!worker.controller) await turned;
}"""


def ready(phone: Scribe) -> Scribe:
    """Wait until a phone keeps the state it shows, and can open the page by itself."""
    while not phone.page.evaluate(PACKED, phone.version):
        phone.page.wait_for_timeout(100)
    phone.page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    return phone


@pytest.fixture
def line(transactional_db: None, _web: tuple[Any, str]) -> Iterator[Wire]:
    """The wire to the live site that every phone here hangs on."""
    with wire(_web[1]) as laid:
        yield laid


@pytest.fixture
def live_site(line: Wire) -> str:
    return line.url


@pytest.fixture
def cut(line: Wire) -> Callable[..., None]:
    """Take the network from a phone: `cut(phone)`; give it back: `cut(phone, off=False)`."""

    def turn(phone: Scribe, off: bool = True) -> None:
        line.cut() if off else line.mend()
        phone.page.context.set_offline(off)

    return turn


def tap(phone: Scribe, card: str, target: str, end: str = "a", target_end: str = "a") -> None:
    """Tap a test in without a network, and wait until it is on the phone."""
    before = phone.page.locator(LINES).count()
    phone.tap(phone.half(card, end))
    phone.tap(phone.half(target, target_end))
    expect(phone.page.locator(LINES)).to_have_count(before + 1)
    expect(phone.page.locator("#logger")).not_to_have_attribute("aria-busy", "true")


def said(phone: Scribe) -> Any:
    return expect(phone.page.locator("#lg-said"))


def chip(phone: Scribe) -> Any:
    return expect(phone.page.locator("#lg-sent"))


def acts(phone: Scribe) -> list[str]:
    return [event_type(entry.act) for entry in phone.timeline().entries]


def test_a_game_goes_on_without_a_network(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    ready(phone)
    cut(phone)
    tap(phone, "Ridge Helm", "Tide Shield", "a", "b")
    said(phone).to_contain_text("1 match, 1 strike: targetlock")
    said(phone).to_contain_text("plain match")
    expect(phone.page.locator("#lg-said .lg-pair svg.dots")).to_have_count(6)
    tap(phone, "Green Feet", "Blue Feet")
    chip(phone).to_have_text("offline · 2 not sent")
    phone.page.reload()  # the phone opens the page by itself
    said(phone).to_contain_text("The board of entry 2, and what was logged here since")
    chip(phone).to_have_text("offline · 2 not sent")
    tap(phone, "Green Feet 2", "Blue Feet")
    heading = phone.page.get_by_role("heading", level=1)
    expect(heading).to_contain_text("Ezut Marr attacks with")
    assert len(phone.timeline()) == 2
    cut(phone, off=False)
    expect(phone.page.locator("#lg-head")).to_have_attribute("data-version", "5")
    chip(phone).to_be_hidden()
    entries = phone.timeline().entries[2:]
    assert [entry.act.card for entry in entries] == ["Ridge Helm", "Green Feet", "Green Feet 2"]
    assert {entry.act.spin for entry in entries} == {"table"}


def test_any_page_without_a_network_leads_to_what_is_kept_here(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    """The site can be installed, too: nothing but the private window is in the way."""
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    ready(phone)
    page, code = phone.page, phone.match.code
    page.goto("/matches/")
    page.evaluate(CONTROLLED)
    session = page.context.new_cdp_session(page)
    told = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {each["errorId"] for each in told} <= {"in-incognito"}
    cut(phone)
    page.goto(f"/matches/{code}/table/")
    tap(phone, "Ridge Helm", "Tide Shield", "a", "b")
    page.goto("/leagues/")
    kept = page.get_by_role("region", name="Matches kept on this device")
    expect(kept.get_by_role("listitem")).to_contain_text(code)
    expect(kept.get_by_role("listitem")).to_contain_text("1 not sent")
    assert phone.match.opener is not None
    expect(page.locator("body")).not_to_contain_text(phone.match.opener.name)
    kept.get_by_role("link").click()
    chip(phone).to_have_text("offline · 1 not sent")
    cut(phone, off=False)
    phone.recorded(3)


def test_the_offline_page_makes_no_database_where_no_logger_was(page: Any) -> None:
    """One without stores would stay, and no logger could use it."""
    page.add_init_script(
        "window.known = indexedDB.databases.bind(indexedDB); indexedDB.databases = undefined;"
    )
    page.goto("/offline/")
    expect(page.locator("[data-none]")).to_be_visible()
    assert page.evaluate("known()") == []


def test_the_logger_says_what_it_has_when_it_has_no_board(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    ready(phone)
    cut(phone)
    tap(phone, "Ridge Helm", "Tide Shield", "a", "b")
    phone.page.evaluate(FORGET)
    phone.page.reload()
    said(phone).to_contain_text("The act you logged is kept and will be sent")


def test_a_card_slagged_without_a_network_is_struck(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    ready(phone)
    cut(phone)
    attack, target = slagging(phone)
    tap(phone, *attack[:1], target[0], attack[1], target[1])
    said(phone).to_contain_text(f"Take off {target[0]}")
    struck = phone.page.locator("#lg-act .lg-tile.lost", has_text=target[0])
    expect(struck).to_have_count(1)


def slagging(phone: Scribe) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return an end of the first player and one of the second's that it slags."""
    timeline = phone.timeline()
    table = timeline.ruleset.foretell(timeline.head.state)
    for card, ends in table["ends"][0].items():
        for foe, theirs in table["ends"][1].items():
            for end, row in zip("ab", ends, strict=True):
                for target_end, column in zip("ab", theirs, strict=True):
                    result = table["results"][table["tests"][""][row][column]]["result"]
                    if result == "slag" and "Ulster" not in foe:
                        return (card, end), (foe, target_end)
    raise AssertionError("no end slags another")


def test_a_page_killed_without_a_network_loses_nothing(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    ready(phone)
    cut(phone)
    tap(phone, "Ridge Helm", "Tide Shield", "a", "b")
    context = phone.page.context
    phone.page.close()
    phone.page = context.new_page()
    cut(phone, off=False)
    phone.open()
    phone.recorded(3)
    chip(phone).to_be_hidden()
    assert acts(phone) == ["opened", "impulse-won", "attacked"]


def test_a_phone_that_can_keep_nothing_logs_as_long_as_its_page_is_open(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    """It is full; later it allows no database at all."""
    phone = scribe()
    phone.page.evaluate(FULL)
    phone.goes_first("Yow Ferrin")
    chip(phone).to_have_text("nothing is kept")
    cut(phone)
    tap(phone, "Ridge Helm", "Tide Shield", "a", "b")
    chip(phone).to_have_text("offline · 1 not sent · nothing is kept")
    cut(phone, off=False)
    phone.recorded(3)
    chip(phone).to_have_text("nothing is kept")
    phone.page.add_init_script(BLOCKED)
    phone.open()
    said(phone).to_contain_text("what is not sent yet is lost when this page closes")
    phone.test("Green Feet", "Blue Feet")
    assert acts(phone)[2:] == ["attacked"] * 2


def test_a_page_that_was_open_as_a_new_release_came_sends_what_waits_and_loads_anew(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    """No page shows a board of one release by the scripts of another."""
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    ready(phone)
    cut(phone)
    tap(phone, "Ridge Helm", "Tide Shield", "a", "b")
    mine = phone.page.locator("#lg-head").get_attribute("data-release")

    def released(route: Any) -> None:
        route.fulfill(body=route.fetch().text().replace(mine, "another"))

    phone.page.route("**/table/?part=1", released)
    with phone.page.expect_navigation():
        cut(phone, off=False)
    phone.recorded(3)
    assert acts(phone)[2:] == ["attacked"]


def test_undoing_what_never_left_the_phone_leaves_no_trace(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    ready(phone)
    cut(phone)
    tap(phone, "Ridge Helm", "Tide Shield", "a", "b")
    tap(phone, "Green Feet", "Blue Feet")
    phone.tap(phone.key("Undo: Green Feet A > Blue Feet A"))
    chip(phone).to_have_text("offline · 1 not sent")
    expect(phone.half("Green Feet", "a").locator("..")).not_to_have_class("played")
    cut(phone, off=False)
    phone.recorded(3)
    assert acts(phone) == ["opened", "impulse-won", "attacked"]


def test_a_refused_act_stops_the_queue_and_is_reviewed(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    ready(phone)
    cut(phone)
    tap(phone, "Green Feet", "Blue Feet")
    tap(phone, "Green Feet", "Blue Feet 2")  # played already
    tap(phone, "Ridge Helm", "Tide Shield", "a", "b")
    cut(phone, off=False)
    said(phone).to_contain_text("played Green Feet this turn already")
    chip(phone).to_have_text("stopped · 2 not sent")
    assert acts(phone)[2:] == ["attacked"]
    phone.tap(phone.key("Review 2"))
    expect(phone.page.locator(LINES).first).to_contain_text("played Green Feet this turn already")
    rule = phone.page.locator("#lg-said a.clause, #lg-unsent a.clause")
    assert {link.get_attribute("href") for link in rule.all()} == {"/rules/zg/#GEN-8"}
    phone.tap(phone.key("It stood: log it anyway"))
    phone.recorded(5)
    chip(phone).to_be_hidden()
    assert [entry.irregular for entry in phone.timeline().entries[2:]] == [
        "",
        "card-already-played",
        "",
    ]


def test_a_refused_act_is_told_once_and_leaves_what_is_armed_alone(
    scribe: Callable[..., Scribe],
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    phone.test("Green Feet", "Blue Feet")
    tap(phone, "Green Feet", "Blue Feet 2")  # played already
    said(phone).to_contain_text("played Green Feet this turn already")
    phone.tap(phone.key("Review", exact=True))
    phone.tap(phone.key("Tap it again"))
    said(phone).to_contain_text("Tap it again: Green Feet A > Blue Feet 2 A")
    phone.tap(phone.half("Ridge Helm", "a"))
    with phone.page.expect_response("**/events/**"):
        phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    said(phone).to_contain_text("Tap it again: Green Feet A > Blue Feet 2 A")
    phone.act(lambda: phone.tap(phone.half("Tide Shield", "b")))
    assert phone.timeline().entries[-1].act.card == "Ridge Helm"


def test_a_refused_act_is_dropped_alone(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    ready(phone)
    cut(phone)
    tap(phone, "Green Feet", "Blue Feet")
    tap(phone, "Green Feet", "Blue Feet 2")
    tap(phone, "Ridge Helm", "Tide Shield", "a", "b")
    cut(phone, off=False)
    phone.tap(phone.key("Review 2"))
    phone.tap(phone.key("Drop it", exact=True))
    phone.recorded(4)
    cards = [entry.act.card for entry in phone.timeline().entries[2:]]
    assert cards == ["Green Feet", "Ridge Helm"]


def test_a_test_of_cards_whose_dots_nobody_knows_is_called_without_a_network(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    deck = list(decks.samples(rules.get("zg")).values())[1]
    seats = [SeatRequest(name="Yow Ferrin"), SeatRequest(name="Ezut Marr", deck=deck)]
    phone = scribe(factories.match(game="zg", seats=seats))
    phone.goes_first("Yow Ferrin")
    ready(phone)
    cut(phone)
    phone.tap(phone.half("Helmet", "a"))
    phone.tap(phone.half("Tide Shield", "b"))
    expect(phone.page.locator("#lg-desk")).to_contain_text("can be entered once there is a network")
    phone.tap(phone.key("2", exact=True))
    expect(phone.page.locator(LINES)).to_have_text(["Helmet A > Tide Shield B, 2 strikes"])
    said(phone).to_contain_text("Helmet A > Tide Shield B, 2 strikes")
    phone.tap(phone.half("Claw", "a"))
    expect(phone.page.locator("#lg-act .lg-tile.lost")).to_contain_text("Tide Shield")
    cut(phone, off=False)
    phone.recorded(3)
    act = phone.timeline().entries[-1].act
    assert (event_type(act), act.target, act.strikes) == ("test-called", "Tide Shield", 2)
    chip(phone).to_be_hidden()


def test_one_who_was_signed_out_sends_it_when_back(scribe: Callable[..., Scribe]) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    ready(phone)
    context = phone.page.context
    cookies = context.cookies()
    context.clear_cookies(name="sessionid")
    phone.tap(phone.half("Ridge Helm", "a"))
    phone.tap(phone.half("Tide Shield", "b"))
    said(phone).to_contain_text(
        "You are signed out, or signed in as someone else. 1 act waits on this phone"
    )
    link = phone.page.get_by_role("link", name="Sign in")
    expect(link).to_have_attribute(
        "href", f"/logout/?next=/login/%3Fnext=/matches/{phone.match.code}/table/"
    )
    link.focus()
    for _ in range(2):  # the second is sent once the first was answered
        with phone.page.expect_response("**/acts/"):
            phone.page.evaluate(LOOK)
    expect(link).to_be_focused()
    assert len(phone.timeline()) == 2
    context.add_cookies(cookies)
    phone.open()
    phone.recorded(3)
    assert acts(phone)[2:] == ["attacked"]


def test_what_was_logged_under_one_account_is_not_sent_as_anothers(
    scribe: Callable[..., Scribe],
) -> None:
    """Somebody else signs in, in another window of the same browser."""
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    ready(phone)
    opener, other = factories.opener_of(phone.match), factories.actor()
    services.name_official(by=opener, match=phone.match, player=other.player)
    browser = phone.page.context
    own, theirs = browser.cookies(), factories.signed_in(other.user).cookies["sessionid"].value
    session = next(each for each in own if each["name"] == "sessionid") | {"value": theirs}
    browser.add_cookies([session])
    phone.page.evaluate(LOOK)
    said(phone).to_contain_text("Someone else is signed in here by now")
    tap(phone, "Ridge Helm", "Tide Shield", "a", "b")
    said(phone).to_contain_text("Not recorded: Ridge Helm A > Tide Shield B.")
    browser.add_cookies(own)
    phone.tap(phone.key("Review"))
    phone.tap(phone.key("Send it again"))
    phone.recorded(3)
    browser.add_cookies([session])
    tap(phone, "Green Feet", "Blue Feet")
    phone.tap(phone.page.get_by_role("link", name="Go on as them"))
    said(phone).to_contain_text("Not recorded: Green Feet A > Blue Feet A.")
    expect(phone.page.get_by_role("link", name="Go on as them")).to_have_count(0)
    phone.tap(phone.key("Review"))
    phone.tap(phone.key("Log it in my name"))
    phone.recorded(4)
    chip(phone).to_be_hidden()
    by = Event.objects.filter(log=phone.match.log, ordinal=0).order_by("version")
    assert list(by.values_list("recorded_by", flat=True))[1:] == [
        *[opener.player_id] * 2,
        other.player_id,
    ]


def test_what_another_phone_logged_meanwhile_is_not_overrun(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    ready(phone)
    cut(phone)
    tap(phone, "Ridge Helm", "Tide Shield", "a", "b")
    factories.record(phone.match, {"type": "countdown-started", "seat": 1})
    cut(phone, off=False)
    said(phone).to_contain_text("Someone else logged meanwhile")
    phone.page.route("**/acts/", lost)
    with phone.page.expect_event("requestfailed"):
        phone.tap(phone.key("Log it after that"))
    phone.tap(phone.key("Undo: Ridge Helm A > Tide Shield B"))
    expect(phone.page.locator(LINES)).to_have_count(2)
    phone.page.unroute_all(behavior="wait")
    phone.recorded(5)
    assert acts(phone)[2:] == ["countdown-started", "attacked", "taken-back"]
    assert list(phone.timeline().effective()) == [1, 2, 3]


def lost(route: Any) -> None:
    """Let a request through and lose its answer."""
    route.fetch()
    route.abort()


def test_what_a_former_scribe_sends_is_kept_as_proposals(
    new_page: Callable[..., Any], live_site: str, cut: Callable[..., None], _web: Any
) -> None:
    match = factories.duel()
    phone = Scribe(new_page(**PHONE), match, live_site)
    phone.goes_first("Yow Ferrin")
    ready(phone)
    cut(phone)
    tap(phone, "Ridge Helm", "Tide Shield", "a", "b")
    tap(phone, "Green Feet", "Blue Feet")
    guest = seated(new_page(**PHONE), match, _web[1])
    guest.get_by_role("button", name="Take over").click()
    cut(phone, off=False)
    said(phone).to_contain_text("2 kept as proposals")
    chip(phone).to_be_hidden()
    assert Proposal.objects.filter(match=match).count() == 2
    assert acts(phone) == ["opened", "impulse-won"]


def test_points_say_what_waits_and_the_last_can_be_dropped(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    phone = scribe(factories.match())
    ready(phone)
    cut(phone)
    row = phone.page.locator("form[data-count]").first
    row.get_by_role("spinbutton").fill("7")
    for key in ("Add to Side 1", "+1 for Side 1"):
        phone.tap(phone.key(key))
        expect(row.get_by_role("spinbutton")).to_have_value("")
        expect(phone.page.locator("#logger")).not_to_have_attribute("aria-busy", "true")
    expect(row).to_contain_text("+8 not sent")
    in_the_bar = expect(phone.page.locator(".lg-bar [data-undo]"))
    in_the_bar.to_have_text("Undo: Side 1: 1 point")
    phone.tap(phone.page.locator("#lg-sent"))
    undo = phone.page.locator("#lg-unsent").get_by_role("button", name="Undo: Side 1: 1 point")
    undo.focus()
    for _ in range(2):  # the second is sent once the first has failed
        with phone.page.expect_event("requestfailed"):
            phone.page.evaluate("dispatchEvent(new Event('online'))")
    expect(undo).to_be_focused()
    expect(phone.page.locator("#lg-unsent li")).to_have_text(
        ["Side 1: 7 points", "Side 1: 1 point"]
    )
    phone.tap(undo)
    expect(row).to_contain_text("+7 not sent")
    cut(phone, off=False)
    phone.recorded(2)
    assert acts(phone) == ["opened", "points-scored"]
    chip(phone).to_be_hidden()
    cut(phone)
    phone.tap(phone.page.locator("[data-undo]"))
    said(phone).to_contain_text("Taken back: Side 1: 7 points. That is taken back once")
    phone.tap(phone.page.locator("#lg-sent"))
    phone.tap(phone.key("Undo: Taken back: Side 1: 7 points."))
    expect(phone.page.locator("#lg-unsent li")).to_have_count(2)
    cut(phone, off=False)
    phone.recorded(4)
    assert acts(phone)[2:] == ["taken-back", "taken-back"]
    assert list(phone.timeline().effective()) == [1, 2]
    chip(phone).to_be_hidden()
    cut(phone)
    row.get_by_role("spinbutton").fill("4")
    phone.tap(phone.key("Add to Side 1"))
    expect(row).to_contain_text("+4 not sent")
    expect(phone.page.locator("#logger")).not_to_have_attribute("aria-busy", "true")
    phone.tap(phone.page.locator("[data-undo]"))
    said(phone).to_contain_text("Taken back: Side 1: 4 points.")
    expect(row.locator("[data-pending]")).to_be_hidden()


def test_points_tapped_while_others_are_recorded_are_recorded_too(
    scribe: Callable[..., Scribe],
) -> None:
    phone = scribe(factories.match())
    ready(phone)
    for field, points in zip(phone.page.get_by_role("spinbutton").all(), "73", strict=True):
        field.fill(points)
    phone.page.evaluate(
        "document.querySelectorAll('form[data-count] button').forEach(key => key.click())"
    )
    phone.recorded(5)  # what was typed for both sides, and one more for each
    expect(phone.page.locator(".lg-score")).to_have_text(re.compile(r"Side 1\s*8\s*Side 2\s*4"))
    assert acts(phone) == ["opened", *["points-scored"] * 4]
    chip(phone).to_be_hidden()


def test_one_who_never_was_the_scribe_chooses(new_page: Callable[..., Any], live_site: str) -> None:
    match = factories.duel()
    page = seated(new_page(**PHONE), match)
    follow_nothing(page)
    phone = Scribe(new_page(**PHONE), match, live_site)
    phone.goes_first("Yow Ferrin")  # and so is the scribe
    page.wait_for_function(PACKED, arg=1)
    page.route("**/acts/", lambda route: route.abort())
    page.get_by_role("button", name="Ezut Marr", exact=True).tap()
    page.locator('.lg-half[aria-label^="Blue Feet, end A:"]:visible').first.tap()
    expect(page.locator("#logger")).not_to_have_attribute("aria-busy", "true")
    page.locator('.lg-half[aria-label^="Ridge Helm, end A:"]:visible').tap()
    expect(page.locator(LINES)).to_have_count(2)
    page.unroute("**/acts/")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#lg-said")).to_contain_text("is the scribe")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    held = Held(page, "**/proposals/", times=1)
    for _ in range(2):  # the second time because the network is slow
        page.get_by_role("button", name="Review 2").tap()
        page.get_by_role("button", name="Send as proposals").tap()
    held.next().continue_()
    expect(page.locator("#lg-sent")).to_be_hidden()
    states = Proposal.objects.filter(match=match).values_list("state", flat=True)
    assert list(states) == [Proposal.State.OPEN] * 2
    assert len([url for url in asked if url.endswith("/proposals/")]) == 2


def test_one_tap_takes_over_and_sends_what_was_refused(
    new_page: Callable[..., Any], live_site: str
) -> None:
    match = factories.duel()
    phone = Scribe(new_page(**PHONE), match, live_site)
    phone.goes_first("Yow Ferrin")  # and so is the scribe
    page = seated(new_page(**PHONE), match)
    page.locator('.lg-half[aria-label^="Ridge Helm, end A:"]:visible').tap()
    page.locator('.lg-half[aria-label^="Tide Shield, end B:"]:visible').tap()
    said = expect(page.locator("#lg-said"))
    said.to_contain_text("is the scribe now")
    page.locator('.lg-half[aria-label^="Green Feet, end A:"]:visible').first.tap()
    page.locator('.lg-half[aria-label^="Blue Feet, end B:"]:visible').first.tap()
    expect(page.locator("#lg-sent")).to_have_text("stopped · 2 not sent")  # the first was not wrong
    page.get_by_role("button", name="Take over").tap()  # there is one
    said.to_contain_text("0 strikes")
    expect(page.locator("#lg-sent")).to_be_hidden()
    assert acts(phone) == ["opened", "impulse-won", "attacked", "attacked"]


def test_who_is_the_scribe_no_more_is_told(new_page: Callable[..., Any], live_site: str) -> None:
    match = factories.duel()
    phone = Scribe(new_page(**PHONE), match, live_site)
    phone.goes_first("Yow Ferrin")
    expect(phone.page.locator("#scribe")).to_have_count(0)
    guest = seated(new_page(**PHONE), match)
    guest.get_by_role("button", name="Take over").tap()
    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.page.locator("#scribe")).to_contain_text("is the scribe")


def seated(page: Any, match: Match, site: str = "") -> Any:
    """Sit a page down at seat 2, by its link, in the logger, and wait until its scripts run."""
    page.goto(f"{site}/j/{services.seat_link(match.seats.get(number=2))}/")
    with page.expect_response(lambda answer: "part=pocket" in answer.url):  # asked for at once
        page.get_by_role("button", name="Sit down").click()
    page.wait_for_selector("#logger")
    return page


def whole_rulebook(scribe: Callable[..., Scribe]) -> Scribe:
    """Return a phone that logs a duel by the whole rulebook, a hand taken and a side chosen."""
    by = factories.actor()
    assert by.player is not None
    mine, theirs = list(decks.samples(rules.get("zg")).values())[:2]
    seats = [SeatRequest(player=by.player, deck=mine), SeatRequest(name="Ezut Marr", deck=theirs)]
    match = factories.match(by, game="zg", seats=seats, options={"depth": "full"})
    hand = ["Ridge Helm", "Spacewing Backgear", "Green Feet"]
    factories.record(match, {"type": "hand-taken", "seat": 1, "cards": hand})
    phone = scribe(match)
    phone.goes_first(by.player.name)
    return ready(phone)


def test_cards_outside_a_known_hand_are_grey_without_a_network_too(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    phone = whole_rulebook(scribe)
    idle = phone.page.locator(".lg-tile.idle")
    online = idle.evaluate_all("tiles => tiles.map(tile => tile.dataset.name)")
    cut(phone)
    tap(phone, "Ridge Helm", "Tide Shield", "a", "b")
    expect(phone.page.locator(".lg-tile.played")).to_have_attribute("data-name", "Ridge Helm")
    assert idle.evaluate_all("tiles => tiles.map(tile => tile.dataset.name)") == online
    assert len(online) == 6


def test_a_refused_act_that_holds_others_back_says_so_and_is_replaced(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    """Nothing is lost: the board goes back to where the refused act was, and the rest follows."""
    phone = whole_rulebook(scribe)
    cut(phone)
    tap(phone, "Green Feet 2", "Blue Feet")  # not in the hand
    tap(phone, "Ridge Helm", "Tide Shield", "a", "b")
    cut(phone, off=False)
    said(phone).to_contain_text("Not recorded: Green Feet 2 A > Blue Feet A.")
    said(phone).to_contain_text("1 act after it waits until you decide.")
    chip(phone).to_have_text("stopped · 2 not sent")
    tap(phone, "Green Feet", "Blue Feet 2")
    said(phone).to_contain_text("Sending has stopped: review 3")
    phone.page.reload()
    chip(phone).to_have_text("stopped · 3 not sent")
    said(phone).to_contain_text("2 acts after it wait until you decide.")
    phone.tap(phone.key("Review 3"))
    expect(phone.page.locator("#lg-unsent")).to_contain_text("are sent once you decide about it")
    phone.tap(phone.key("Tap it again"))
    said(phone).to_contain_text("What you tap next takes its place.")
    chip(phone).to_have_text("stopped · 3 not sent")
    expect(phone.page.locator(".lg-bar [data-undo]")).to_have_text(
        "Undo: Green Feet A > Blue Feet 2 A"
    )
    expect(phone.page.locator(".lg-tile.played")).to_have_count(0)
    phone.tap(phone.half("Spacewing Backgear", "a"))
    phone.tap(phone.half("Blue Feet", "a"))
    phone.recorded(6)
    cards = [entry.act.card for entry in phone.timeline().entries[3:]]
    assert cards == ["Spacewing Backgear", "Ridge Helm", "Green Feet"]
    chip(phone).to_be_hidden()


def test_after_the_end_nothing_is_offered_to_be_tapped_again(
    scribe: Callable[..., Scribe], cut: Callable[..., None]
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    ready(phone)
    cut(phone)
    tap(phone, "Ridge Helm", "Tide Shield", "a", "b")
    factories.record(phone.match, {"type": "conceded", "seat": 2})
    cut(phone, off=False)
    phone.tap(phone.key("Log it after that"))
    said(phone).to_contain_text("Not recorded: Ridge Helm A > Tide Shield B.")
    expect(phone.page.locator("#lg-desk")).to_contain_text("Yow Ferrin won")
    phone.tap(phone.key("Review", exact=True))
    choices = phone.page.locator("#lg-unsent [data-review]")
    expect(choices).to_have_text(["Drop it"])
    phone.tap(choices)
    chip(phone).to_be_hidden()
