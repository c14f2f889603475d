"""Every named page in a real browser: quiet, at home, accessible, and never too wide."""

from collections.abc import Callable, Iterable, Iterator
from itertools import cycle
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.core.management import call_command
from django.test import Client

from tests.browser.pages import NOT_PAGES, PAGES, Page, World, admin_pages, names, world

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
AXE = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]}
PARTS = 3
ENOUGH = 12
LOOKS = {
    "light-360": (360, {"color_scheme": "light"}),
    "dark-360": (360, {"color_scheme": "dark"}),
    "light-1280": (1280, {"color_scheme": "light"}),
    "dark-1280": (1280, {"color_scheme": "dark"}),
    "forced-360": (360, {"color_scheme": "light", "forced_colors": "active"}),
}


SEEN = """async (options) => ({
  wide: document.documentElement.scrollWidth - innerWidth,
  broken: (await axe.run(options)).violations,
})"""


class Visitor:
    """Opens pages and keeps what was wrong with them."""

    def __init__(self, open_page: Callable[..., Any], site: str, world: World, **options: Any):
        self.open_page, self.site, self.world, self.options = open_page, site, world, options
        self.pages: dict[str, Any] = {}
        self.wrong: list[str] = []
        self.heard: list[str] = []

    def page_of(self, by: str, script: str = "") -> Any:
        """Return the browser page of a visitor, signed in or seated as they are.

        `script` runs in each document before its own: sent once, not with every page.
        """
        if by not in self.pages:
            page = self.open_page(**self.options)
            page.add_init_script(script)
            for name, value in self.world.cookies(by).items():
                page.context.add_cookies([{"name": name, "value": value, "url": self.site}])
            page.on("console", lambda message: self.heard.append(f"console: {message.text}"))
            page.on("pageerror", lambda error: self.heard.append(f"error: {error}"))
            page.on("request", lambda request: self._asked(request.url))
            self.pages[by] = page
        return self.pages[by]

    def _asked(self, url: str) -> None:
        if not url.startswith((self.site, "data:")):
            self.heard.append(f"another host: {url}")

    def look_at(self, name: str, what: Page, looks: Iterable[str]) -> None:
        """Open a page once and look at it in every way; the console is read before axe runs."""
        page, url = self.page_of(what.by, AXE_SCRIPT), what.at(self.world)
        self.heard.clear()
        answer = page.goto(url)
        wrong = [word for word in self.heard if not _told(word, answer.status)]
        if what.status and answer.status != what.status:
            wrong.append(f"status {answer.status} instead of {what.status}")
        if page.evaluate("document.querySelectorAll('h1').length") != 1:
            wrong.append("not one h1")
        for look in looks:
            wrong += [f"{look}: {word}" for word in self._seen(page, look)]
        self.wrong += [f"{name} {url} {word}" for word in wrong]

    def _seen(self, page: Any, look: str) -> Iterator[str]:
        width, media = LOOKS[look]
        page.emulate_media(**{"forced_colors": "none", "reduced_motion": "reduce"} | media)
        page.set_viewport_size({"width": width, "height": 700})
        # As high as the page: the bar at the thumb then covers nothing that axe measures.
        height = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": width, "height": height})
        seen = page.evaluate(SEEN, AXE)
        if seen["wide"] > 0:
            yield f"{seen['wide']} px too wide"
        for broken in seen["broken"]:
            where = "; ".join(node["html"][:160] for node in broken["nodes"][:3])
            yield f"axe {broken['id']}: {where}"


def _told(word: str, status: int) -> bool:
    """A page that answers 400, 403 or 404 is told so by the browser; that is no fault."""
    return status in (400, 403, 404) and "Failed to load resource" in word


@pytest.fixture(scope="module")
def _world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    with django_db_blocker.unblock():
        yield world()
        call_command("flush", interactive=False, verbosity=0)


@pytest.fixture
def transactional_db(_world: World) -> None:
    """Keep the one world from test to test: all of it is only looked at."""


@pytest.fixture
def here(transactional_db: None, _world: World) -> World:
    return _world


@pytest.fixture
def visitor(new_page: Callable[..., Any], live_site: str, here: World) -> Callable[..., Visitor]:
    """Send a visitor to the world: `visitor(**options)` of playwright's contexts."""
    return lambda **options: Visitor(new_page, live_site, here, **options)


def test_no_named_page_is_left_out(here: World) -> None:
    known = PAGES.keys() | NOT_PAGES.keys() | admin_pages(here).keys()
    assert names() - known == set()


ASKED = {"matches:guest-claim", "matches:join", "matches:match-open"}  # refuse by their address


def test_a_page_only_opened_has_no_flaw_and_the_usual_text(here: World, client: Client) -> None:
    wrong = []
    for name, state in ((name, state) for name, states in PAGES.items() for state in states):
        client.cookies.load(here.cookies(state.by))
        answer = client.get(state.at(here))
        client.cookies.clear()
        page = answer.content.decode()
        if name not in ASKED and answer.status_code == 200 and 'id="problems"' in page:
            wrong.append(f"{name}: refuses what nobody sent")
        if "data-text" in page:
            wrong.append(f"{name}: has text of a size that nobody chose")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("part", range(PARTS))
def test_pages_are_quiet_accessible_and_fit(visitor: Callable[..., Visitor], part: int) -> None:
    """Each state of a page is looked at in one way, in turn; `make audit` looks in all of them."""
    eye = visitor()
    looks = cycle(LOOKS)
    states = [(name, state) for name, states in PAGES.items() for state in states]
    for (name, state), look in list(zip(states, looks, strict=False))[part::PARTS]:
        eye.look_at(name, state, [look])
    assert not eye.wrong, "\n".join(eye.wrong)


@pytest.mark.parametrize("half", [0, 1])
def test_the_admin_is_quiet_accessible_and_fits(visitor: Callable[..., Visitor], half: int) -> None:
    """Its pages share one style: of one model the list is looked at, of the next what changes one.

    Histories, deletions and what adds are as good as one page for all models: those of a few are
    enough.
    """
    eye = visitor()
    pages = admin_pages(eye.world)
    lists = [name for name in pages if name.endswith("_changelist")]
    changes = [name for name in pages if name.endswith("_change")]
    alike = [name for name in pages if name not in {*lists, *changes}][:ENOUGH]
    for name in (*lists[half::2], *changes[1 - half :: 2], *alike[half::2]):
        eye.look_at(name, pages[name][0], [("dark-360", "light-1280")[half]])
    assert not eye.wrong, "\n".join(eye.wrong)


LARGE = (
    *("matches:home", "matches:match-list", "matches:match-detail", "matches:logger"),
    *("matches:theme-set", "matches:player-detail", "league:league-detail"),
    *("league:tournament-detail", "league:standing-list", "league:tournament-create"),
    *("account_email", "admin:index"),
)


LAID_OUT = """() => ({
  wide: document.documentElement.scrollWidth > innerWidth,
  cut: [...document.querySelectorAll(".topbar :is(a, button)")].some((each) => {
    const {left, right} = each.getBoundingClientRect();
    return each.checkVisibility() && (left < 0 || right > innerWidth);
  }),
})"""


@pytest.mark.parametrize("results", ["", "off"])
def test_no_page_scrolls_sideways_at_the_largest_text(
    visitor: Callable[..., Visitor], results: str
) -> None:
    eye = visitor()
    known = PAGES | admin_pages(eye.world)
    wrong = []
    states = [(name, state) for name in LARGE for state in known[name]]
    for name, state in states:
        page = eye.page_of(state.by)
        for cookie, value in {"text": "largest", "results": results}.items():
            page.context.add_cookies([{"name": cookie, "value": value, "url": eye.site}])
        page.goto(state.at(eye.world))
        for width in (360, 768, 1280):
            page.set_viewport_size({"width": width, "height": 700})
            laid_out = page.evaluate(LAID_OUT)
            if laid_out["wide"]:
                wrong.append(f"{name}: too wide at {width}")
            if laid_out["cut"]:
                wrong.append(f"{name}: the bar is cut off at {width}")
    assert not wrong


READ = """(least) => ({
  said: document.querySelector("h1")?.innerText,
  wide: document.documentElement.scrollWidth > innerWidth,
  low: [...document.querySelectorAll("summary")].filter((each) =>
    each.checkVisibility() && each.getBoundingClientRect().height < least
  ).map((each) => each.textContent.trim()),
})"""
FROM_RIGHT_TO_LEFT = """() => {
  document.documentElement.dir = "rtl";
  return document.documentElement.scrollWidth > innerWidth;
}"""


def test_pages_read_without_javascript_and_never_scroll_sideways(
    visitor: Callable[..., Visitor],
) -> None:
    eye = visitor(java_script_enabled=False)
    wrong = []
    for name, states in PAGES.items():
        page = eye.page_of(states[0].by)
        page.goto(states[0].at(eye.world))
        for width in (1920, 768, 320):
            page.set_viewport_size({"width": width, "height": 700})
            read = page.evaluate(READ, 44 if width == 320 else 32)
            if not read["said"]:
                wrong.append(f"{name}: says nothing at {width}")
            if read["wide"]:
                wrong.append(f"{name}: too wide at {width}")
            if read["low"]:
                wrong.append(f"{name}: too low to tap at {width}: {read['low']}")
        if page.evaluate(FROM_RIGHT_TO_LEFT):
            wrong.append(f"{name}: too wide from right to left")
    assert not wrong
