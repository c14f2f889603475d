"""A scribe who logs a match by touch; the taps are counted."""

import math
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from matches import selectors
from matches.models import Match
from tests.browser.test_match import sign_in

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}

MEASURED = "Rendering was performed in a subtree hidden by content-visibility."
"""What the browser says when a test asks where a half lies that rests out of sight."""

TWICE, NEAR = 0.4, 40
"""Seconds and px within which the logger takes two taps for one, and some more."""

SCRIPTS = """() => Promise.all(
  Array.from(document.querySelectorAll("script[type=module]"), ({src}) => import(src)))"""
"""Has the scripts of a page run; those that wait for something do so after it has loaded."""

COUNT = """
addEventListener("pointerdown", () => { window.taps = (window.taps ?? 0) + 1; }, true);
"""


def follow_nothing(page: Any) -> None:
    """Keep a logger from finding out by itself what others log."""
    page.route("**/events/**", lambda route: route.fulfill(status=503))


class Scribe:
    """Logs a match in a browser by touch, and counts the taps."""

    def __init__(self, page: Any, match: Match, site: str, *, scripted: bool = True) -> None:
        self.page, self.match, self.scripted = page, match, scripted
        self.heard: list[str] = []
        self.tapped = (0.0, 0.0, 0.0)
        page.on("console", lambda message: self._hear(message.text))
        page.on("pageerror", lambda error: self.heard.append(str(error)))
        page.add_init_script(COUNT)
        sign_in(page, match, site)
        self.open()

    def _hear(self, text: str) -> None:
        if not text.startswith(MEASURED):
            self.heard.append(text)

    def open(self) -> None:
        """Open the logger, and wait until its scripts hear taps: before, its forms would."""
        self.page.goto(f"/matches/{self.match.code}/table/")
        if self.scripted:
            self.page.evaluate(SCRIPTS)

    @property
    def version(self) -> int:
        return int(self.page.locator("#lg-head").get_attribute("data-version"))

    @property
    def taps(self) -> int:
        return int(self.page.evaluate("window.taps ?? 0"))

    def key(self, name: str, *, exact: bool = False) -> Any:
        return self.page.get_by_role("button", name=name, exact=exact)

    def half(self, name: str, end: str) -> Any:
        return self.page.locator(f'.lg-half[aria-label^="{name}, end {end.upper()}:"]:visible')

    def tap(self, what: Any) -> None:
        """Tap a key; wait first if a tap at the same place would count as a double tap."""
        what.wait_for()
        box = what.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        at, *before = self.tapped
        if math.dist(before, (x, y)) < NEAR and time.monotonic() - at < TWICE:
            self.page.wait_for_timeout(TWICE * 1000)
        opens = what.get_attribute("popovertarget")
        what.tap()
        if not opens:  # a key that opens a sheet is none of those that the logger compares
            self.tapped = (time.monotonic(), x, y)

    def recorded(self, version: int) -> None:
        """Wait until a version is shown, long enough for the phone to retry a few times."""
        head = expect(self.page.locator("#lg-head"))
        head.to_have_attribute("data-version", str(version), timeout=120_000)
        expect(self.page.locator("#logger")).not_to_have_attribute("aria-busy", "true")

    def goes_first(self, name: str) -> None:
        self.act(lambda: self.tap(self.key(name, exact=True)))

    def test(self, card: str, target: str, end: str = "a", target_end: str = "a") -> None:
        self.tap(self.half(card, end))
        self.act(lambda: self.tap(self.half(target, target_end)))

    def act(self, tapping: Callable[[], Any]) -> None:
        """Call `tapping`, which records one act, and wait until the act is in the log."""
        before = self.version
        tapping()
        self.recorded(before + 1)

    def timeline(self) -> Any:
        self.match.log.refresh_from_db()
        return selectors.timeline(self.match)
