"""What a browser finds on every page: size, width, tap targets, accessibility, layout shift."""

from collections.abc import Iterator
from typing import Any

from axe_playwright_python.sync_playwright import Axe

from tests import chromium
from tests.audit.figure import Figure, Pages, most, none
from tests.screens import PAGES, SIGNED_OUT, Photographer

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
AXE = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]}
WIDTHS = (320, 360, 390, 412, 768, 1280, 1920)
LOOKS = {
    "light": {"color_scheme": "light", "forced_colors": "none"},
    "dark": {"color_scheme": "dark", "forced_colors": "none"},
    "forced colours": {"color_scheme": "light", "forced_colors": "active"},
}
HELD = "what remains visible while results are held, and to readers who have them off"
MATCH, LOGGER, READING = 28_000, 45_000, 20_000  # bytes of JavaScript

SENT = """() => {
  const sum = (kind) => performance.getEntriesByType("resource")
    .filter((each) => new URL(each.name).pathname.endsWith(kind))
    .reduce((all, each) => all + each.encodedBodySize, 0);
  return {css: sum(".css"), js: sum(".js")};
}"""

SMALLEST = """() => {
  const inline = (element) => element.matches("p a, li a, dd a, td a, th a, label a")
    || getComputedStyle(element).display === "inline";
  const round = (element) => element.closest("label") ?? element;
  const seen = [...document.querySelectorAll("a[href], button, summary, select, input, textarea")]
    .filter((each) => each.type !== "hidden" && !each.closest(".skip, .sr"))
    .filter((each) => each.checkVisibility({visibilityProperty: true}) && !inline(each))
    .map((each) => round(each).getBoundingClientRect())
    .map(({width, height}) => Math.min(width, height)).filter((size) => size > 1);
  return seen.length ? Math.min(...seen) : 0;
}"""


class Eyes:
    """Opens every page as its intended viewer, and records what is wrong with it."""

    def __init__(self, photographer: Photographer, pages: Pages) -> None:
        self.site, self.pages, self.axe = photographer.site.url, pages, Axe()
        self.tabs = (photographer.visitor, photographer.scribe)
        self.heard: list[str] = []
        self.found: dict[str, list[str]] = {look: [] for look in LOOKS}
        self.wide: list[str] = []
        self.loud: list[str] = []
        self.elsewhere: list[str] = []
        self.looks = 0
        for tab in self.tabs:
            network = tab.context.new_cdp_session(tab)
            network.send("Network.enable")
            network.send("Network.setCacheDisabled", {"cacheDisabled": True})
            network.send("Network.setBypassServiceWorker", {"bypass": True})  # it keeps unpacked
            tab.on("console", lambda message: self.heard.append(message.text))
            tab.on("pageerror", lambda error: self.heard.append(str(error)))
            tab.on("request", lambda request: self._asked(request.url))

    def _asked(self, url: str) -> None:
        if not url.startswith((self.site, "data:", "blob:")):
            self.elsewhere.append(url)

    def look_at(self, name: str) -> None:
        tab = self.tabs[name not in SIGNED_OUT]
        told = self.pages[name]
        tab.emulate_media(**LOOKS["light"])
        tab.set_viewport_size({"width": 360, "height": 740})
        self.heard.clear()
        tab.goto(told.path, wait_until="load")
        self.loud += [f"{name}: {word}" for word in self.heard if "Failed to load" not in word]
        sent = tab.evaluate(SENT)
        told.css, told.js = sent["css"], sent["js"]
        told.target = tab.evaluate(SMALLEST)
        for width in WIDTHS:
            tab.set_viewport_size({"width": width, "height": 740})
            if (over := tab.evaluate("document.documentElement.scrollWidth - innerWidth")) > 0:
                self.wide.append(f"{name}: {over} px at {width}")
        chromium.show_whole_page(tab, 360)
        for look in LOOKS:
            self.axe_on(tab, name, look)

    def axe_on(self, tab: Any, name: str, look: str, kept_as: str = "") -> None:
        tab.emulate_media(reduced_motion="reduce", **LOOKS[look])
        violations = self.axe.run(tab, options=AXE).response["violations"]
        kept = self.found.setdefault(kept_as or look, [])
        kept += [f"{name}: {each['id']} × {len(each['nodes'])}" for each in violations]
        self.looks += 1

    def figures(self) -> Iterator[Figure]:
        sample = f"{len(PAGES)} page types"
        css = [(name, told.css) for name, told in self.pages.items()]
        yield most("Style sheets of a page, as sent", "bytes", 25_000, css, sample)
        logger = {name for name in PAGES if "logger" in name}
        match = {name for name in PAGES if "match-detail" in name}
        for what, limit, names in (
            ("JavaScript, ordinary pages", READING, PAGES.keys() - logger - match),
            ("JavaScript, match page with scrubber", MATCH, match),
            ("JavaScript, logger", LOGGER, logger),
        ):
            sizes = [(name, self.pages[name].js) for name in sorted(names)]
            yield most(f"{what}, as sent", "bytes", limit, sizes, f"{len(names)} page types")
        yield none(f"Horizontal overflow at {', '.join(map(str, WIDTHS))} px", self.wide, sample)
        for look, wrong in self.found.items():
            seen = sample if look in LOOKS else HELD
            yield none(f"axe ({', '.join(RULES)}), {look}", wrong, seen)
        yield none("Console errors and CSP violations", self.loud, sample)
        yield none("Requests to another host", self.elsewhere, sample)
        small = [(name, told.target) for name, told in self.pages.items() if told.target]
        name, size = min(small, key=lambda each: each[1])
        yield Figure(
            "Smallest tap target at 360 px outside running text",
            "≥ 24 px, or enough spacing (axe: target-size)",
            f"{size:.0f} px ({name})",
            sample,
            not any("target-size" in word for words in self.found.values() for word in words),
        )
        pad = min(self.pages[name].target for name in logger)
        yield Figure(
            "Smallest tap target of the logger at 360 px",
            "≥ 44 px",
            f"{pad:.0f} px",
            f"{len(logger)} loggers",
            pad >= 43.5,
        )
