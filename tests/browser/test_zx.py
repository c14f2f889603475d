"""A short game of Z/X, logged from the toss to the end on a phone, and read on its page."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

import rules
from matches import decks
from matches.models import Match
from matches.services import SeatRequest
from tests import factories
from tests.browser.scribe import Scribe


def game() -> Match:
    samples = decks.samples(rules.get("zx"))
    seats = [SeatRequest(label=name, deck=deck) for name, deck in samples.items()]
    return factories.match(game="zx", seats=seats, title="Harbour game")


class ZxScribe:
    """Taps what a table of Z/X says."""

    def __init__(self, phone: Scribe) -> None:
        self.phone, self.page = phone, phone.page

    def link(self, name: str) -> Any:
        return self.page.locator("#lg-desk").get_by_role("link", name=name)

    def tap(self, name: str) -> None:
        """Tap a key that records one act."""
        key = self.page.locator("#lg-desk").get_by_role("button", name=name).first
        self.phone.act(lambda: self.phone.tap(key))

    def go(self, name: str) -> None:
        """Tap a link that only chooses."""
        self.phone.tap(self.link(name).first)

    def tick(self, *names: str) -> None:
        for name in names:
            self.page.locator("#lg-desk").get_by_label(name).first.check()

    def play(self, card: str, square: str) -> None:
        self.go(card)
        self.tap(f"Play to {square}")

    def no_sideways(self) -> None:
        wide, seen = self.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert wide <= seen


def test_a_short_game_is_logged_on_a_phone(
    scribe: Callable[..., Scribe], new_page: Callable[..., Any]
) -> None:
    phone = scribe(game())
    table = ZxScribe(phone)

    table.tap("Tidewatch: Lantern Skipper")
    table.tap("Tidewatch")
    table.tap("Redrawn")
    table.tap("Kept")
    table.tick("Choir Warden", "Pier Sentry")
    table.tap("Placed")
    table.tick("Rail Marauder", "Spark Lancer")
    table.tap("Placed")

    table.tap("Gull Courier")
    table.play("Signal Runner", "b2")
    table.go("Signal Runner on b2 attacks")
    table.no_sideways()
    table.tap("Attack the player on b3")
    table.tap("Both pass")
    table.go("Life 3")
    table.go("Ash Nurse")
    table.tap("Play to b3")
    table.tap("Recover")
    table.tap("End turn")

    table.tap("Rail Marauder")
    table.play("Spark Lancer", "c2")
    table.go("Spark Lancer on c2 attacks")
    table.tap("Attack b2")
    table.tap("Pass")
    phone.act(lambda: phone.tap(phone.key("Pass", exact=True)))
    table.tap("End turn")

    table.tap("No resource")
    table.tap("Signal Runner")
    table.go("Foam Stallion")
    table.tap("Play to b2")
    table.no_sideways()
    links = phone.page.locator("#lg-desk .zx-cards a")
    named = [each.get_attribute("href") for each in links.all()]
    assert named and len(named) == len(set(named))
    phone.tap(phone.key("More"))
    phone.act(lambda: phone.tap(phone.key("Cinderline concedes")))
    expect(phone.page.get_by_role("heading", name="Tidewatch won")).to_be_visible()

    timeline = phone.timeline()
    assert timeline.ruleset.outcome(timeline.head.state).why == "by-concession"
    units = {unit.card for unit in timeline.head.state.board.squares if unit}
    assert units == {"Lantern Skipper", "Foam Stallion", "Ash Nurse", "Spark Lancer"}
    assert phone.heard == []

    plain = new_page(java_script_enabled=False, viewport={"width": 360, "height": 640})
    plain.goto(f"/matches/{phone.match.code}/")
    assert "b3: Ash Nurse of Cinderline" in plain.locator(".zx-field title").text_content()
    expect(plain.locator(".zx-field .zx-name", has_text="Ash Nurse")).to_be_visible()
