"""How fast a page loads and responds with a throttled CPU and network.

An emulated phone of 412 × 823 px, the CPU throttled fourfold, 150 ms and 1.6 Mbit/s: the median of
several runs, each in a browser context of its own.
"""

import statistics
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from tests.audit.figure import Figure, Pages, most
from tests.screens import SIGNED_OUT, Site

RUNS = 5
SLOWER = 4
NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
PHONE: dict[str, Any] = {
    "viewport": {"width": 412, "height": 823},
    "device_scale_factor": 1.75,
    "is_mobile": True,
    "has_touch": True,
}
TWELVE = (
    *("matches:home", "matches:match-list", "matches:match-detail", "matches:logger"),
    *("league:tournament-detail, played to its end", "league:standing-list", "league:console"),
    *("league:league-detail", "league:player-detail", "characters:character-detail"),
    *("characters:card-list", "league:lore-detail"),
)
WATCH = """
window.seen = {lcp: 0, cls: 0, inp: 0, busy: 0, tasks: []};
const watch = (type, take, more = {}) => new PerformanceObserver((list) => list.getEntries()
  .forEach(take)).observe({type, buffered: true, ...more});
watch("largest-contentful-paint", (each) => { seen.lcp = each.startTime; });
watch("layout-shift", (each) => { if (!each.hadRecentInput) seen.cls += each.value; });
watch("longtask", (each) => {
  seen.busy = each.startTime + each.duration;
  seen.tasks.push([each.startTime, seen.busy]);
});
watch("event", (each) => {
  if (each.interactionId) seen.inp = Math.max(seen.inp, each.duration);
}, {durationThreshold: 16});
"""
BLOCKING = """
() => {
  const painted = performance.getEntriesByName("first-contentful-paint")[0].startTime;
  const lengths = seen.tasks.map(([start, end]) => end - Math.max(start, painted));
  const beyond = (sum, length) => sum + Math.max(0, length - 50);
  return {tbt: lengths.reduce(beyond, 0), first: Math.max(0, ...seen.tasks
    .filter(([start]) => start < painted).map(([start, end]) => end - start))};
}
"""
"""Total blocking time as defined: of long tasks after the first contentful paint, what exceeds
50 ms; and the longest task before it."""
TAPPED = (".lg-half:visible", ".lg-big:visible", "main summary:visible", "main h1")


class Stopwatch:
    """Loads pages as a slow phone does."""

    def __init__(self, browser: Any, site: Site, cookies: Any) -> None:
        self.browser, self.site, self.cookies = browser, site, cookies

    def load(self, name: str, path: str) -> tuple[dict[str, float], float]:
        """Return the timings of a first load and a tap, and of a second load until ready, in ms."""
        context = self.browser.new_context(base_url=self.site.url, **PHONE)
        if name not in SIGNED_OUT:
            context.add_cookies(self.cookies)
        page = context.new_page()
        page.add_init_script(WATCH)
        wire = context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.send("Network.emulateNetworkConditions", NETWORK)
        wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(path, wait_until="load")
        page.wait_for_timeout(500)
        seen = page.evaluate("({lcp: seen.lcp, cls: seen.cls, busy: seen.busy})")
        seen |= page.evaluate(BLOCKING)
        seen["ready"] = max(seen["lcp"], seen["busy"])
        next(page.locator(each) for each in TAPPED if page.locator(each).count()).first.tap()
        page.wait_for_timeout(300)
        seen["inp"] = page.evaluate("seen.inp")
        page.goto(path, wait_until="load")
        page.wait_for_timeout(300)
        warm = page.evaluate("Math.max(seen.lcp, seen.busy)")
        context.close()
        return seen, warm


def figures(browser: Any, site: Site, cookies: Any, pages: Pages) -> Iterator[Figure]:
    watch = Stopwatch(browser, site, cookies)
    seen: dict[str, dict[str, float]] = {}
    warm: dict[str, float] = {}
    for name in TWELVE:
        runs = [watch.load(name, pages[name].path) for _ in range(RUNS)]
        kinds = defaultdict(list)
        for found, _ in runs:
            for kind, value in found.items():
                kinds[kind].append(value)
        seen[name] = {kind: statistics.median(values) for kind, values in kinds.items()}
        warm[name] = statistics.median(second for _, second in runs)
    sample = f"{len(TWELVE)} page types, median of {RUNS}"
    reading = [name for name in TWELVE if "logger" not in name]

    def of(kind: str, names: Any = TWELVE) -> list[tuple[str, float]]:
        return [(name, seen[name][kind]) for name in names]

    yield most("Largest contentful paint (LCP)", "ms", 1800, of("lcp"), sample)
    yield most("Cumulative layout shift (CLS)", "", 0.02, of("cls"), sample, "{:.3f}".format)
    yield most("Total blocking time (TBT), from the first paint on", "ms", 100, of("tbt"), sample)
    yield most("Longest task up to the first paint", "ms", None, of("first"), sample)
    yield most("Interaction to next paint (INP)", "ms", 200, of("inp", reading), sample)
    table = ["matches:logger"]
    yield most("INP in the logger", "ms", 100, of("inp", table), f"median of {RUNS}")
    yield most(
        "Ready: painted, and no long task afterwards", "ms", 2500, of("ready", reading), sample
    )
    yield most("The logger ready, first load", "ms", 3000, of("ready", table), f"median of {RUNS}")
    yield most(
        "The logger ready, second load",
        "ms",
        1000,
        [(n, warm[n]) for n in table],
        f"median of {RUNS}",
    )
