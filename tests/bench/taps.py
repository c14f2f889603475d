"""The latency of a tap in the logger until its response is on the screen.

An emulated phone of 360×640 in a real browser on the real server, with the CPU throttled fourfold.
Measured with the browser's Event Timing API, from the input to the frame, in steps of 8 ms.
"""

import os
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench.figure import Figure
from tests.services import Missing

SLOWER = 4
TAPS = 40
WATCH = """() => {
  window.seen = [];
  new PerformanceObserver((list) => window.seen.push(...list.getEntries().map((e) => e.duration)))
    .observe({type: "event", durationThreshold: 16});
}"""


def measure() -> dict[str, list[float]]:
    """Return latencies in ms by kind of tap: `armed` for arming a half, `said` for logging an act.

    Raises: `Missing` without a browser.
    """
    from playwright.sync_api import sync_playwright

    from tests import chromium, site

    program = chromium.require()
    os.environ |= {**program.environment, site.ASYNC_UNSAFE: "true"}
    site.collect_static()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        running, url = site.web(Path(folder) / "web.log")
        browser = playwright.chromium.launch(executable_path=program.path, args=chromium.FLAGS)
        try:
            return _taps(browser, url)
        finally:
            browser.close()
            running.stop()


def _taps(browser: Any, url: str) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {"armed": [], "said": []}
    while len(times["said"]) < TAPS:
        page = _logger(browser, url)
        for kind, milliseconds in _game(page):
            times[kind].append(milliseconds)
        page.context.close()
    return times


def _logger(browser: Any, url: str) -> Any:
    from tests.browser.scribe import PHONE
    from tests.browser.test_match import sign_in
    from tests.factories import duel

    match = duel()
    page = browser.new_context(base_url=url, **PHONE).new_page()
    sign_in(page, match, url).goto(f"/matches/{match.code}/table/")
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.evaluate(WATCH)
    return page


def _game(page: Any) -> Iterator[tuple[str, float]]:
    """Play while there is a card to attack with; yield the kind and latency of each tap."""
    for _ in range(20):
        while page.locator(".lg-big").count():
            with _recording(page):
                page.locator(".lg-big").first.tap()
        own = page.locator(".lg-step .lg-with .lg-tile:not(.played) .lg-half")
        if not own.count():
            return
        yield "armed", _tap(page, own.first)
        with _recording(page):
            took = _tap(page, page.locator("#lg-act .lg-half").nth(4))
        yield "said", took


@contextmanager
def _recording(page: Any) -> Iterator[None]:
    """Wait at the end until what was tapped is recorded and the next state is on the screen."""
    before = page.locator("#lg-head").get_attribute("data-version")
    yield
    page.wait_for_selector(f"#lg-head:not([data-version='{before}'])")
    page.wait_for_selector("#logger:not([aria-busy])")
    page.wait_for_timeout(300)


def _tap(page: Any, half: Any) -> float:
    box = half.bounding_box()
    page.evaluate("window.seen.length = 0")
    page.touchscreen.tap(box["x"] + 20, box["y"] + 20)
    page.wait_for_timeout(400)
    return float(max(page.evaluate("window.seen"), default=16))


def percentile(times: list[float], share: int) -> float:
    return statistics.quantiles(times, n=100, method="inclusive")[share - 1]


def figures() -> Iterator[Figure]:
    """Yield the lines about taps for the table of `make bench`."""
    told = {"armed": "a half armed", "said": "an act named in the strip"}
    try:
        measured = measure()
    except Missing as error:
        yield Figure("a tap at the logger", told=" ".join(str(error).split()))
        return
    for kind, times in measured.items():
        for share in (50, 95):
            yield Figure(
                f"a tap at the logger, processor {SLOWER} × slower: {told[kind]}, p{share}",
                percentile(times, share),
                f"ms ({len(times)} taps)",
                most=100,
            )
