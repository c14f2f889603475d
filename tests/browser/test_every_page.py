"""Every named page in a real browser: quiet, self-contained, accessible, and never too wide."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client

from tests import chromium
from tests.browser.pages import NOT_PAGES, PAGES, Page, World, admin_pages, names, world
from tests.browser.test_sizes import is_light

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
NAMED = {"label-content-name-mismatch": {"enabled": True}}  # what is read is what may be said
AXE = {
    "runOnly": {"type": "tag", "values": RULES},
    "rules": NAMED,
    "resultTypes": ["violations"],
}
NO_CONTRAST = {"color-contrast": {"enabled": False}, **NAMED}
PARTS = 2
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
  plated: matchMedia("(forced-colors: active)").matches ? plated() : [],
})"""
PLATED = """window.plated = () => {
  const ground = (part) => getComputedStyle(part).backgroundColor;
  const canvas = document.body.appendChild(document.createElement("i"));
  canvas.style.background = "Canvas";
  const usual = ground(canvas);
  canvas.remove();
  const under = (part) => {
    while (part.parentElement && ground(part).endsWith(", 0)")) part = part.parentElement;
    return ground(part);
  };
  const says = ({childNodes}) => [...childNodes].some(({data}) => data?.trim());
  return [...document.querySelectorAll("main *, .skip")].filter((part) =>
    part.checkVisibility() && says(part) && !part.closest("svg") &&
    getComputedStyle(part).forcedColorAdjust === "auto" && under(part) !== usual
  ).map((part) => part.outerHTML.slice(0, 160));
};"""
"""Returns what has words on a ground of its own: in forced colours the browser puts a plate of the
page's ground behind them, on which the ground's colour of words may be unreadable."""


TAG = re.compile(r"<(\w[\w-]*)([^<>]*)>")
ID = re.compile(r'\sid="([^"]*)"')
LOOK = re.compile(r'\b(class|type|role)="([^"]*)"')
OF_ONE = re.compile(r"\b(action|app|column|field|model)-\S+")
"""Classes that the admin gives what is of one model or field; ours style none of them."""


def kinds(page: str) -> set[tuple[str, ...]]:
    """Return the kinds of elements a page has: as much of each as makes it look as it does."""
    return {
        (name, *(OF_ONE.sub("", value) for _, value in LOOK.findall(rest)))
        for name, rest in TAG.findall(page)
    }


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

    def look_at(self, name: str, what: Page, look: str, *, known: bool = False) -> None:
        """Open a page and look at it; the console is read before axe runs.

        Contrast, which costs most, is not measured where each kind of element is known.
        """
        page, url = self.page_of(what.by, AXE_SCRIPT + PLATED), what.at(self.world)
        self.heard.clear()
        answer = page.goto(url)
        wrong = [word for word in self.heard if not _told(word, answer.status)]
        if what.status and answer.status != what.status:
            wrong.append(f"status {answer.status} instead of {what.status}")
        if page.evaluate("document.querySelectorAll('h1').length") != 1:
            wrong.append("not one h1")
        wrong += [f"{look}: {word}" for word in self._seen(page, look, known)]
        self.wrong += [f"{name} {url} {word}" for word in wrong]

    def _seen(self, page: Any, look: str, known: bool) -> Iterator[str]:
        width, media = LOOKS[look]
        page.emulate_media(**{"forced_colors": "none", "reduced_motion": "reduce"} | media)
        chromium.show_whole_page(page, width)
        seen = page.evaluate(SEEN, AXE | ({"rules": NO_CONTRAST} if known else {}))
        if seen["wide"] > 0:
            yield f"{seen['wide']} px too wide"
        for part in seen["plated"]:
            yield f"unreadable in forced colours: {part}"
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


ASKED = {"matches:guest-claim", "league:join", "matches:match-open"}  # refuse by their address


@pytest.fixture(scope="module")
def answers(_world: World) -> list[tuple[str, Page, HttpResponse]]:
    """What each state of each page is answered with, asked without a browser."""
    client, found = Client(), []
    for name, state in ((name, state) for name, states in PAGES.items() for state in states):
        client.cookies.load(_world.cookies(state.by))
        found.append((name, state, client.get(state.at(_world))))
        client.cookies.clear()
    return found


def test_a_page_only_opened_is_light_and_has_no_flaw(
    answers: list[tuple[str, Page, HttpResponse]],
) -> None:
    """Its text is of the usual size, too."""
    wrong = []
    for name, _, answer in answers:
        if not name.startswith("admin:") and not is_light(name, answer.content):
            wrong.append(f"{name}: weighs too much, or its scripts do")
        page = answer.content.decode()
        if name not in ASKED and answer.status_code == 200 and 'id="problems"' in page:
            wrong.append(f"{name}: refuses what nobody sent")
        if "data-text" in page:
            wrong.append(f"{name}: has text of a size that nobody chose")
    assert not wrong, "\n".join(wrong)


def test_what_is_for_some_is_kept_by_no_browser(
    answers: list[tuple[str, Page, HttpResponse]], here: World
) -> None:
    """Or who signs out at a shared device leaves it there, behind the button to go back."""
    stranger = Client()
    kept = {
        f"{name} {state.at(here)}"
        for name, state, answer in answers
        if state.by not in ("visitor", "spared") and answer.status_code == 200
        if "no-store" not in answer.headers.get("Cache-Control", "")
        if stranger.get(state.at(here)).status_code != 200
    }
    assert not kept, "\n".join(sorted(kept))


def worth_a_look(
    answers: list[tuple[str, Page, HttpResponse]],
) -> Iterator[tuple[str, Page, bool]]:
    """Yield the first state of each page, and of others those with an element not seen before.

    Tells also whether each kind of element is known from those before.
    """
    seen, shown = set[str](), set[tuple[str, ...]]()
    for name, state, answer in answers:
        found = kinds(answer.content.decode())
        if name not in seen or not found <= shown:
            yield name, state, found <= shown
        seen.add(name)
        shown |= found


@pytest.mark.parametrize("part", range(PARTS))
def test_pages_are_quiet_accessible_and_fit(
    visitor: Callable[..., Visitor], answers: list[tuple[str, Page, HttpResponse]], part: int
) -> None:
    """Each is looked at in one way, in turn; `make audit` looks in all of them."""
    eye = visitor()
    looks = zip(worth_a_look(answers), cycle(LOOKS), strict=False)
    for (name, state, known), look in list(looks)[part::PARTS]:
        eye.look_at(name, state, look, known=known)
    assert not eye.wrong, "\n".join(eye.wrong)


@pytest.mark.usefixtures("here")
def test_no_id_is_given_twice(answers: list[tuple[str, Page, HttpResponse]]) -> None:
    """What leads to an id, or is named by one, means one element."""
    for name, _, answer in answers:
        given = Counter(ID.findall(answer.content.decode()))
        assert not [each for each, times in given.items() if times > 1], name


def test_the_admin_is_quiet_accessible_and_fits(
    visitor: Callable[..., Visitor], client: Client
) -> None:
    """Its pages share one style: looked at is each that has an element none before it had.

    What deletes and what tells a history is one page for all models.
    """
    eye = visitor()
    client.cookies.load(eye.world.cookies("staff"))
    looks, shown = cycle(("dark-360", "light-1280")), set[tuple[str, ...]]()
    known = admin_pages(eye.world)
    alike = [name for name in known if name.endswith(("_delete", "_history"))][2:]
    for name, (page,) in ((name, known[name]) for name in known if name not in alike):
        found = kinds(client.get(page.at(eye.world)).content.decode())
        if not found <= shown:
            shown |= found
            eye.look_at(name, page, next(looks))
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


def test_no_page_scrolls_sideways_at_the_largest_text(visitor: Callable[..., Visitor]) -> None:
    """Every other state is looked at with results off, which the bar says too."""
    eye = visitor()
    known = PAGES | admin_pages(eye.world)
    wrong = []
    states = [(name, state) for name in LARGE for state in known[name]]
    for (name, state), results in zip(states, cycle(("", "off")), strict=False):
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
  lost: [...document.querySelectorAll("table")].filter((table) => {
    let part = table;
    while ((part = part.parentElement) && getComputedStyle(part).overflowX === "visible");
    return part && ["hidden", "clip"].includes(getComputedStyle(part).overflowX) &&
      table.getBoundingClientRect().right > part.getBoundingClientRect().right + 1;
  }).map((table) => table.innerText.slice(0, 40)),
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
        for width in (1920, 280):
            page.set_viewport_size({"width": width, "height": 700})
            read = page.evaluate(READ, 44 if width == 280 else 32)
            if not read["said"]:
                wrong.append(f"{name}: says nothing at {width}")
            if read["wide"]:
                wrong.append(f"{name}: too wide at {width}")
            if read["lost"]:
                wrong.append(f"{name}: a table is cut off at {width}: {read['lost']}")
            if read["low"]:
                wrong.append(f"{name}: too low to tap at {width}: {read['low']}")
        if page.evaluate(FROM_RIGHT_TO_LEFT):
            wrong.append(f"{name}: too wide from right to left")
    assert not wrong
